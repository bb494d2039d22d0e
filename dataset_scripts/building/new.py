"""Write a package for a new benchmark that can be built and scored without changes: ``medzh-build new``."""

from __future__ import annotations

import json
import re
import secrets
from typing import TYPE_CHECKING, Any

from dataset_scripts.authoring import content_id
from dataset_scripts.building.build import build
from dataset_scripts.building.workbook import questions_from
from dataset_scripts.digests import BYTES, ENDING, keyed_by, written
from dataset_scripts.recipe import dataset
from medzh_score.benchmark.registry import CONFIGS, declared, find_config
from medzh_score.conformance import faults
from medzh_score.data.hub import SAMPLE, folder_of
from medzh_score.data.records import load_records, read_manifest
from medzh_score.io.atomic import folder_beside, owner_only, put_in_place
from medzh_score.io.paths import package_file
from medzh_score.ui.errors import MedzhError, error_text
from medzh_score.ui.i18n import _

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from pathlib import Path


NAME = re.compile(r"[a-z][a-z0-9_]{1,23}", re.ASCII)
OPEN = "open"
MADE = {
    "true-false": 'true_false("说法")',
    "letters": "letters()",
    "several": "letters(several=True)",
    "pairs": "pairs()",
}
KINDS = (*MADE, OPEN)
LISTS = ("options", "parts")  # of a record, where its kind has them
OF_KIND = {"letters": LISTS[:1], "several": LISTS[:1], "pairs": LISTS}


def start(name: str, kinds: Sequence[str], folder: Path) -> list[str]:
    """Write a package for a benchmark with these question types, and return the paths of its files."""
    return _write(_files(name, _checked(name, kinds, folder)), folder)


def start_private(name: str, kinds: Sequence[str], folder: Path, source: Path | None = None) -> list[str]:
    """Write a package with a private config, its secret, and a .gitignore for data and secret.

    With a workbook or CSV file as the source, its questions are next to the secret, to be built by recipe official.
    """
    rows: list[dict[str, Any]] = []
    if source is not None:
        kind, rows = questions_from(source)
        kinds = [kind]
    kinds = _checked(name, kinds, folder)
    explained = any("explanation" in row for row in rows)
    secret = secrets.token_bytes(BYTES)
    with owner_only(), keyed_by(secret):
        package = f"{name}_bench"
        private = {
            "README.md": _rendered("README.md", {"name": name, "package": package}),
            ".gitignore": _rendered("gitignore", {"package": package}),
            f"{package}/{name}{ENDING}": written(secret),
        }
        if rows:
            private[f"{package}/{name}.jsonl"] = _written(rows)
        files = _files(name, kinds, private=True, explained=explained)
        return _write({**files, **private}, folder)


def _write(files: Mapping[str, str], folder: Path) -> list[str]:
    with folder_beside(folder) as part:
        for path, content in files.items():
            (part / path).parent.mkdir(parents=True, exist_ok=True)
            (part / path).write_text(content, encoding="utf-8", newline="\n")
        put_in_place(part, folder)
    return list(files)


def _checked(name: str, kinds: Sequence[str], folder: Path) -> list[str]:
    """Return each question type once; reject invalid names and existing folders."""
    if not NAME.fullmatch(name):
        expected = _("2 to 24 lowercase letters, digits and underscores, starting with a letter")
        raise MedzhError(_("invalid config name"), field="NAME", expected=expected, found=name)
    if name in declared(CONFIGS):
        raise MedzhError(_("a config with this name is already installed"), field="NAME", found=name)
    if OPEN in kinds and len(set(kinds)) > 1:
        problem = _(
            "kind open cannot be combined with other kinds: open questions are scored by overlap, the "
            "others as correct or incorrect"
        )
        raise MedzhError(
            problem, field="--kind", found=", ".join(kinds), advice=_("create a separate config for open questions")
        )
    if folder.exists():
        raise MedzhError(_("the path already exists"), file=folder, field="--output", advice=_("choose another path"))
    return list(dict.fromkeys(kinds))


def _files(name: str, kinds: list[str], *, private: bool = False, explained: bool = False) -> dict[str, str]:
    package = f"{name}_bench"
    lists = [one for one in LISTS if any(one in OF_KIND.get(kind, ()) for kind in kinds)]
    lines = [_line(line, kinds, lists) for line in _questions() if line["kind"] in kinds]
    imported = sorted({"question_config", *(MADE[kind].partition("(")[0] for kind in kinds if kind in MADE)})
    words = {
        "name": name,
        "package": package,
        "project": package.replace("_", "-"),
        "kinds": kinds,
        "made": MADE,
        "imported": imported,
        "private": private,
        "texts": "".join(f', *line["{one}"]' for one in lists),
    }
    return {
        "pyproject.toml": _rendered("pyproject.toml", words),
        f"{package}/__init__.py": f'"""{name}, a benchmark of our own."""\n',
        f"{package}/scoring.py": _rendered("scoring.py", words),
        f"{package}/building.py": _rendered("building.py", words),
        f"{package}/{name}.schema.json": _schema(name, kinds, lists, explained=explained),
        f"{package}/{name}.md.jinja": _rendered("card.md", words),
        f"{package}/sources.toml": "source = [] # files of others, which medzh-build pin writes\n",
        f"{package}/mini.jsonl": _written(lines),
        "predictions.jsonl": _written(_predictions(name, lines, lists)),
        "tests/test_conformance.py": _rendered("test_conformance.py", words),
    }


def _questions() -> list[dict[str, Any]]:
    text = package_file("dataset_scripts", "templates/questions.jsonl").read_text(encoding="utf-8")
    return [json.loads(line) for line in text.splitlines()]


def _line(line: Mapping[str, Any], kinds: list[str], lists: list[str]) -> dict[str, Any]:
    """Return a question with all fields of the config."""
    kind = {"kind": line["kind"]} if len(kinds) > 1 else {}
    return {**kind, "question": line["question"], **{one: line.get(one, []) for one in lists}, "answer": line["answer"]}


def _predictions(name: str, lines: list[dict[str, Any]], lists: list[str]) -> list[dict[str, str]]:
    """Answer the sample: rightly, but for the last question, which is not answered."""
    ids = [content_id(name, one["question"], *(text for part in lists for text in one[part])) for one in lines]
    said = [*(one["answer"] for one in lines[:-1]), ""]
    return [{"id": one, "prediction": text} for one, text in zip(ids, said, strict=True)]


def _schema(name: str, kinds: list[str], lists: list[str], *, explained: bool) -> str:
    shared = ["id", *(["kind"] if len(kinds) > 1 else []), "question", *lists, "answer", "prompt"]
    properties = {one: {"$ref": f"record.schema.json#/$defs/{one}"} for one in shared}
    if "kind" in properties:
        properties["kind"]["enum"] = kinds  # type: ignore[assignment] # the words beside the reference
    if explained:
        properties["explanation"] = {"type": "string"}
    schema = {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": f"Record of the config {name}",
        "type": "object",
        "additionalProperties": False,
        "required": shared,
        "properties": properties,
    }
    return json.dumps(schema, ensure_ascii=False, indent=2) + "\n"


def _rendered(template: str, words: Mapping[str, Any]) -> str:
    from jinja2 import Environment, StrictUndefined

    text = package_file("dataset_scripts", f"templates/{template}.jinja").read_text(encoding="utf-8")
    environment = Environment(  # noqa: S701 - Python and TOML, not HTML
        undefined=StrictUndefined, trim_blocks=True, lstrip_blocks=True, keep_trailing_newline=True
    )
    return re.sub(r'(""")\n{2,}', r"\1\n\n", environment.from_string(text).render(**words), count=1)


def _written(lines: list[dict[str, Any]]) -> str:
    return "".join(json.dumps(line, ensure_ascii=False) + "\n" for line in lines)


def conform(config: str, folder: Path, data: Path | None = None) -> list[str]:
    """Return the problems of a config with its sample, built in a folder, or with other data, one line each."""
    scoring, chosen = find_config(config), dataset(config)
    if data is None:
        build(config, chosen.recipe(SAMPLE).name, folder / "medzh")
    place = data or folder / "medzh"
    load_records(place, config)  # which refuses a build without the config
    splits = read_manifest(folder_of(place))["configs"][config]["splits"]
    found = (fault for split in splits for fault in faults(scoring, load_records(place, config, split=split).rows))
    return [error_text(fault) for fault in found]
