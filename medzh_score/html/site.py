"""Writing a board: file by file, each whole, and only where what it is made of has changed."""

from __future__ import annotations

import hashlib
import re
from contextlib import suppress
from dataclasses import dataclass
from functools import cache
from importlib.resources import as_file, files
from typing import TYPE_CHECKING, Any

import msgspec

from medzh_score.comparison.comparability import OPEN, recipe_signed
from medzh_score.html.page import said
from medzh_score.io.atomic import KEPT, PATIENCE, locked, not_written, write_bytes
from medzh_score.io.jsonl import NO_JSON, json_document
from medzh_score.render.canvas import model_color
from medzh_score.scoring.signature import WITHHELD_KEY
from medzh_score.ui.errors import MedzhError, printable
from medzh_score.ui.i18n import _, plain_text

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence
    from pathlib import Path

    from markupsafe import Markup

    Content = Callable[[str], bytes]


OVERVIEW, READING, MANIFEST = "index.html", "reading.html", "board.json"
ALL_SHEET, ALL_DATA = "data/board.csv", "data/board.json"
FOLDERS = ("configs", "data", "models")
LETTERS = re.compile(r"[^a-z0-9.]+")
LONGEST = 40


def config_page(config: str) -> str:
    """Name the page of a config."""
    return f"configs/{config}.html"


def config_data(config: str) -> str:
    """Name what can be read of a config, as JSON: all that its page shows."""
    return f"data/{config}.json"


def config_sheet(config: str) -> str:
    """Name the same as CSV."""
    return f"data/{config}.csv"


def model_page(label: str) -> str:
    """Name the page of a model: what any file system takes of its label, and a digest, so that no two share one."""
    readable = LETTERS.sub("-", label.lower()).strip("-.")[:LONGEST].rstrip("-.") or "model"
    return f"models/{readable}-{hashlib.sha256(label.encode('utf-8', 'surrogatepass')).hexdigest()[:8]}.html"


def link(page: str, name: Markup | str, *, up: str = "../") -> Markup:
    """Link to a page; those in folders go up first."""
    from markupsafe import Markup

    shown = name if isinstance(name, Markup) else printable(name)
    return Markup('<a href="{}{}"><bdi>{}</bdi></a>').format(up, page, shown)


def model_link(label: str, *, up: str = "../") -> Markup:
    """Link to a model's page, behind a dot in the color of the model."""
    from markupsafe import Markup

    dot = Markup('<span class="model m{}" aria-hidden="true">●</span> ').format(model_color(label))
    return dot + link(model_page(label), label, up=up)


def data_badge(signature: Mapping[str, str], *, mini: bool) -> Markup:
    """Say which data these are; that mini and open data are no benchmark stands with each mention of them."""
    from markupsafe import Markup, escape

    if mini:
        data = Markup('<strong class="mini">{}</strong>').format(said(_("mini sample, not the official benchmark")))
    else:
        data = escape(signature.get("data", ""))
        if recipe_signed(signature) == OPEN:
            data = Markup('<strong class="mini">{}</strong> {}').format(
                said(_("open data, not the official benchmark")), data
            )
    return Markup("{} · <strong>{}</strong>").format(data, said("private")) if WITHHELD_KEY in signature else data


def apart_said(table: Mapping[str, Any]) -> list[Markup]:
    """Say for which keys a table stands apart, with what both tables have there."""
    from markupsafe import Markup

    keys = Markup("<code>{}</code>: <bdi>{}</bdi> ≠ <bdi>{}</bdi>")
    return [keys.format(*map(printable, (one["key"], one["here"], one["first"]))) for one in table["apart"]]


@dataclass(frozen=True)
class Part:
    """Files of a board that are made together."""

    paths: tuple[str, ...]  # below the board's folder
    made_of: str  # digest of all inputs
    make: Callable[[Content], Sequence[bytes]]  # gives the bytes by path order, from those of earlier parts


@dataclass(frozen=True)
class Done:
    """How many files of a board were written, kept and removed."""

    written: int
    kept: int
    removed: int


def write_site(site: Path, parts: Sequence[Part]) -> Done:
    """Make what changed, then write it in the order of the parts, and remove what is no part any more.

    Where something cannot be made, nothing is written. A kill while files are written leaves each whole, of the old or
    the new state; the next call does the rest.
    """
    try:
        site.parent.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise not_written(site, error) from error
    with locked(site.with_name(f".{site.name[:KEPT]}.lock"), site, _("wait until the other process ends"), PATIENCE):
        there = read_manifest(site)
        changed = [part for part in parts if not _is_kept(site, part, there)]
        names = {path for part in parts for path in part.paths}
        gone = sorted(there.keys() - names)
        if changed or gone:
            _write(site, changed, gone, there)
    written = sum(len(part.paths) for part in changed)
    return Done(written, len(names) - written, len(gone))


def _is_kept(site: Path, part: Part, there: Mapping[str, Written]) -> bool:
    return all(
        path in there and there[path].made_of == part.made_of and there[path].sha256 == _digest(site / path)
        for path in part.paths
    )


def _digest(path: Path) -> str | None:
    try:
        return hashlib.sha256(path.read_bytes()).hexdigest()
    except OSError:
        return None


def _made(site: Path, changed: Sequence[Part]) -> dict[str, bytes]:
    """Make the files of parts; what they need of others is read where it stands."""
    made: dict[str, bytes] = {}

    def content(path: str) -> bytes:
        return made[path] if path in made else (site / path).read_bytes()

    for part in changed:
        made |= zip(part.paths, part.make(content), strict=True)
    return made


def _write(site: Path, changed: Sequence[Part], gone: Sequence[str], there: Mapping[str, Written]) -> None:
    made = _made(site, changed)
    try:
        for folder in FOLDERS:
            (site / folder).mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise not_written(site, error) from error
    files = dict(there)
    files |= {path: Written(part.made_of, "") for part in changed for path in part.paths}
    write_manifest(site, files)  # first: what is written from here on is known to be the board's, whatever happens
    for part in changed:
        for path in part.paths:
            write_bytes(site / path, made[path])
            files[path] = Written(part.made_of, hashlib.sha256(made[path]).hexdigest())
    for path in gone:
        with suppress(FileNotFoundError):
            (site / path).unlink()
        del files[path]
    write_manifest(site, files)


KIND = "medzh-score leaderboard"
SOURCES = frozenset({".css", ".jinja", ".js", ".json", ".parquet", ".py", ".toml", ".mo", ".tsv", ".txt"})
ELSEWHERE = _("choose another folder")


class Written(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A file of a board: the digest of what it was made of, and its own; none while it is being written."""

    made_of: str
    sha256: str


class Manifest(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What a board holds, by path below its folder; nothing else of the folder is ever touched."""

    kind: str
    files: dict[str, Written]


def digest_of(value: Any) -> str:  # noqa: ANN401 - all that msgspec encodes
    """Give the SHA-256 of what something is made of."""
    return hashlib.sha256(msgspec.json.encode(value, order="deterministic", enc_hook=plain_text)).hexdigest()


@cache
def code_digest() -> str:
    """Give the digest of the package's files: in a checkout numbers, words and pages change without a new version."""
    with as_file(files("medzh_score")) as folder:
        held = {path.relative_to(folder).as_posix(): path for path in folder.rglob("*.*") if path.suffix in SOURCES}
        return digest_of({name: hashlib.sha256(path.read_bytes()).hexdigest() for name, path in held.items()})


def read_manifest(site: Path) -> dict[str, Written]:
    """Read what a board holds; nothing of a folder that is empty or not there. Any other folder is refused."""
    if not site.exists() and not site.is_symlink():
        return {}
    if not site.is_dir():
        raise MedzhError(
            _("the path is a file"), file=site, field="--output", expected=_("an output folder"), advice=ELSEWHERE
        )
    for name in FOLDERS:
        if (site / name).is_symlink() or ((site / name).exists() and not (site / name).is_dir()):
            raise MedzhError(
                _("the path is a link or is not a folder"), file=site / name, field="--output", advice=ELSEWHERE
            )
    path = site / MANIFEST
    if not path.is_file():
        if any(site.iterdir()):
            problem = _("the folder contains files that do not belong to a leaderboard and is not overwritten")
            raise MedzhError(problem, file=site, field="--output", advice=ELSEWHERE)
        return {}
    try:
        manifest = msgspec.json.decode(path.read_bytes(), type=Manifest)
    except NO_JSON as error:
        raise _no_manifest(path) from error
    if manifest.kind != KIND or not all(_is_of_a_board(name) for name in manifest.files):
        raise _no_manifest(path)
    return manifest.files


def _is_of_a_board(name: str) -> bool:
    """Say whether a path leads to where boards have files: what a manifest names may be removed."""
    folder, _unused, file = name.rpartition("/")
    named = file not in {"", ".", ".."} and "\\" not in file and "\0" not in file
    return folder in {"", *FOLDERS} and named and name != MANIFEST


def _no_manifest(path: Path) -> MedzhError:
    advice = _(
        "{elsewhere}, or delete {manifest} and the other files of this leaderboard",
        elsewhere=ELSEWHERE,
        manifest=MANIFEST,
    )
    return MedzhError(_("the file is not a leaderboard manifest"), file=path, field="--output", advice=advice)


def write_manifest(site: Path, files: Mapping[str, Written]) -> None:
    """Write what a board holds, in the order of the paths."""
    listed = {name: msgspec.structs.asdict(files[name]) for name in sorted(files)}
    write_bytes(site / MANIFEST, json_document({"kind": KIND, "files": listed}))
