"""The papers in CITATION.cff: ``python docs/citation_file.py`` writes them from the ``paper.json`` of every config."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import yaml

from medzh_score.benchmark.registry import config_names, is_foreign
from medzh_score.scoring.paper import load_paper

FILE = Path(__file__).resolve().parents[1] / "CITATION.cff"
HEAD = "references:\n"
TYPES = {"inproceedings": "conference-paper"}  # all others are articles
FIELDS = ("doi", "url")


def references() -> list[dict[str, Any]]:
    """List the papers, each once, with the configs that are of it."""
    found: dict[str, dict[str, Any]] = {}
    for config in (name for name in config_names() if not is_foreign(name)):
        reference = load_paper(config).reference
        fields = reference.fields
        names = (name.split(", ", 1) for name in fields["author"].split(" and "))
        made = {
            "type": TYPES.get(reference.kind, "article"),
            "title": fields["title"],
            "authors": [{"family-names": family, "given-names": given} for family, given in names],
            **({"year": int(fields["year"])} if "year" in fields else {}),
            **{name: fields[name] for name in FIELDS if name in fields},
        }
        configs = found.setdefault(fields["title"], {**made, "notes": ""})
        configs["notes"] = ", ".join(filter(None, [configs["notes"], config]))
    return list(found.values())


def text() -> str:
    """Give the file with the papers of all configs in the place of those that stand in it."""
    head = FILE.read_text(encoding="utf-8").partition(HEAD)[0]
    return head + HEAD + yaml.safe_dump(references(), allow_unicode=True, sort_keys=False, width=1_000)


if __name__ == "__main__":
    FILE.write_text(text(), encoding="utf-8", newline="\n")
