"""The prompts files of later rounds: written as they are asked now, and answers to what is asked no more set aside."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import msgspec

from medzh_score.files.lines import decoded_lines
from medzh_score.suites.asked_so_far import key_in
from medzh_score.suites.first_prompts import asked_otherwise, write_lines
from medzh_score.suites.kept import kept_answers, write_kept

if TYPE_CHECKING:
    from collections.abc import Collection
    from pathlib import Path

    from medzh_score.prompts.codes import Key
    from medzh_score.suites.later_prompts import Asking


def write_later(suite: Path, asking: Asking) -> None:
    """Write what a round asks, and refuse what was answered and is asked otherwise; a round of nothing has no file."""
    path, lines = asking.place.prompts(suite), {key_in(line): line for line in asking.lines()}
    before = {key_in(line): line for line in _lines_in(path)}
    for one in asking.answered_by:
        for key in before.keys() & lines.keys() & kept_answers(one.answers(suite)).keys():
            if before[key] != lines[key]:
                raise asked_otherwise(path, [one.judge or one.model])
    if asking.questions is None:
        path.unlink(missing_ok=True)
    else:
        write_lines(path, lines.values())
    for one in asking.answered_by:
        set_aside(one.answers(suite), one.aside(suite), lines.keys())


def _lines_in(path: Path) -> list[dict[str, Any]]:
    return list(decoded_lines(path, msgspec.json.Decoder(dict[str, Any]))) if path.exists() else []


def set_aside(path: Path, aside: Path, asked: Collection[Key]) -> None:
    """Keep of what came back what is asked now; the rest stands aside, where it is found if it is asked again."""
    kept, others = kept_answers(path), kept_answers(aside)
    rest = {key: one for key, one in kept.items() if key not in asked}
    back = {key: others[key] for key in others.keys() & asked if key not in kept}
    if rest:
        write_kept(aside, others | rest)
    if rest or back:
        write_kept(path, back | {key: one for key, one in kept.items() if key in asked})
