"""Files of several models: ``LABEL=FILE`` says whose answers a file holds; files of one label are one set."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from medzh_score.files.named_files import STDIN
from medzh_score.messages.errors import MedzhError

if TYPE_CHECKING:
    from collections.abc import Iterable


def split_label(name: str) -> tuple[str, str]:
    """Take the label, empty where there is none, off a file.

    Examples
    --------
    >>> split_label("glm=answers/glm.jsonl"), split_label("answers/lr=3/glm.jsonl")
    (('glm', 'answers/glm.jsonl'), ('', 'answers/lr=3/glm.jsonl'))
    """
    label, equals, file = name.partition("=")
    plain = not equals or "/" in label or name == STDIN or Path(name).exists()
    return ("", name) if plain else (label, file)


def by_label(option: str, names: Iterable[str]) -> dict[str, list[str]]:
    """Put the files of each label together, in the order of the labels; without any, under an empty one."""
    found: dict[str, list[str]] = {}
    for name in names:
        label, file = split_label(name)
        if "=" in name and (not file or (not label.strip() and file != name)):
            raise MedzhError("is blank before or after its sign", field=option, expected="LABEL=FILE", found=name)
        found.setdefault(label, []).append(file)
    if len(found) > 1 and "" in found:
        raise MedzhError(
            "some files have a label and others none",
            field=option,
            expected="LABEL=FILE for each, or for none",
            found=found[""][0],
        )
    return found
