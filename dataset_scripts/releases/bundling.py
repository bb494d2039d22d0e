"""A build in one file, to be carried behind a closed network: records, cards, dictionaries, wheels and their hashes."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from dataset_scripts.building.checking import check
from dataset_scripts.building.keying import holds_private
from medzh_score.data.hub import folder_of
from medzh_score.data.records import read_manifest
from medzh_score.files.zipping import write_zip
from medzh_score.messages.errors import MedzhError
from medzh_score.version import VERSION

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from pathlib import Path

READ_ME = "READ-ME-FIRST.md"
GUIDE = """\
# medzh in one file / 单文件离线包

1. Unpack and verify / 解压并校验: `unzip BUNDLE.zip -d medzh-bundle && cd medzh-bundle && sha256sum -c SHA256SUMS`
2. Install / 安装: `python3 -m venv .venv && .venv/bin/pip install --no-index --find-links wheels '{requirement}'`
   {wheels}
3. Score / 评分: `.venv/bin/medzh-score score CONFIG predictions.jsonl --data .`
   `--data BUNDLE.zip` reads the bundle without unpacking it. / `--data BUNDLE.zip` 可以不解压直接读取。
{more}"""
NO_WHEELS = "No wheels are inside: bring them. / 包内没有 wheel 文件，请自备。"
WHEELS = "The wheels are for / wheel 文件适用于: "
UNSTATED = "see their names / 见文件名"
DICTIONARIES = """\
- `dictionaries/` holds what was added / `dictionaries/` 中是附带的词典:
  `medzh-score score CONFIG predictions.jsonl --data . --dictionary dictionaries/NAME`
"""
MANUAL = """\
- The manual / 使用手册: `manual/index.html`
"""


@dataclass(frozen=True)
class Additions:
    """What a bundle carries beside the build.

    Attributes
    ----------
    wheels : tuple of Path
        Wheels, or folders of them.
    dictionaries : tuple of Path
        Files of names.
    manual : Path or None
        The folder of the manual as HTML.
    extras : tuple of str
        Of which extras the wheels are, for the page on how to install.
    machine : str
        The Python and the kind of machine that the wheels are for; empty where only their names say it.
    """

    wheels: tuple[Path, ...] = ()
    dictionaries: tuple[Path, ...] = ()
    manual: Path | None = None
    extras: tuple[str, ...] = ()
    machine: str = ""


def bundle(build: Path, out: Path, added: Additions = Additions()) -> dict[str, str]:
    """Write a bundle; equal content gives equal bytes."""
    build = folder_of(build)
    _refuse_private(build)
    for problem in check(build).problems:
        raise MedzhError(f"the build is not well: {problem}", file=build, advice="see medzh-build check")
    wheels = tuple(_wheels(added.wheels))
    members: dict[str, bytes | Path] = _files_of(build)
    for folder, given in (("wheels", wheels), ("dictionaries", added.dictionaries)):
        for file in given:
            name = f"{folder}/{file.name}"
            if name in members or not file.is_file():
                problem = "is there twice" if name in members else "is no file"
                raise MedzhError(problem, file=file, field=f"--{folder}")
            members[name] = file
    members |= {f"manual/{name}": path for name, path in _manual(added.manual).items()}
    return write_zip(out, {**members, READ_ME: _guide(added).encode("utf-8")})


def _files_of(folder: Path) -> dict[str, bytes | Path]:
    return {path.relative_to(folder).as_posix(): path for path in sorted(folder.rglob("*")) if path.is_file()}


def _refuse_private(build: Path) -> None:
    """Refuse a build that holds a private config: a bundle is made to be carried away."""
    for name, entry in read_manifest(build)["configs"].items():
        if holds_private(name, entry):
            advice = "build the other configs into a folder of their own with --out, and bundle that"
            raise MedzhError("the build holds a private config, which no bundle carries", found=name, advice=advice)


def _manual(folder: Path | None) -> dict[str, bytes | Path]:
    found = {} if folder is None else _files_of(folder)
    if folder is not None and "index.html" not in found:
        raise MedzhError("holds no manual", file=folder, field="--manual", expected="a folder with index.html")
    return found


def _guide(added: Additions) -> str:
    extras = f"[{','.join(added.extras)}]" if added.extras else ""
    more = (DICTIONARIES if added.dictionaries else "") + (MANUAL if added.manual else "")
    wheels = f"{WHEELS}{added.machine or UNSTATED}" if added.wheels else NO_WHEELS
    return GUIDE.format(requirement=f"medzh-score{extras}=={VERSION}", wheels=wheels, more=f"\n{more}" if more else "")


def _wheels(given: Sequence[Path]) -> Iterator[Path]:
    advice = "pip wheel medzh-score -w FOLDER, which builds wheels of what is published as source only"
    for path in given:
        files = sorted(one for one in path.iterdir() if one.is_file()) if path.is_dir() else [path]
        for file in files:
            if file.suffix != ".whl":
                raise MedzhError("is no wheel", file=file, field="--wheels", expected="a .whl file", advice=advice)
        if not files:
            raise MedzhError("holds no wheel", file=path, field="--wheels", expected=".whl files", advice=advice)
        yield from files
