"""A later round as prompts for a model, or as a sheet for people."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from medzh_score.benchmark.asking import Question
from medzh_score.files.sheets import sheet_bytes
from medzh_score.prompts.codes import CODE
from medzh_score.prompts.writing import messages

if TYPE_CHECKING:
    from collections.abc import Iterator

    from medzh_score.benchmark.asking import Prompt
    from medzh_score.benchmark.rounds import Respondent
    from medzh_score.rounds.asking_items import Questions


def round_lines(
    questions: Questions, respondent: Respondent, prompt: Prompt, form: str = "chat"
) -> Iterator[dict[str, Any]]:
    """Make the lines of a prompts file for a model."""
    for shown in questions.shown:
        text = prompt.fill(**shown.context)
        led = text + prompt.lead
        yield {
            "id": shown.named,
            "round": questions.later.name,
            **({"messages": messages(Question((text,), led))} if form == "chat" else {"text": led}),
            "prompt": prompt.name,
            "shots": 0,
            "decoding": dict(respondent.decoding),
        }


def round_cost(questions: Questions, prompt: Prompt, lead: str = "") -> str:
    """Say how much a model would be asked, before anything is written or sent."""
    calls = len(questions.shown)
    characters = sum(len(prompt.fill(**shown.context)) + len(lead) for shown in questions.shown)
    if calls == 1:
        return f"{questions.later.name}: 1 call, {characters:,} characters of prompts"
    return f"{questions.later.name}: {calls:,} calls, {characters:,} characters of prompts"


def round_sheet(questions: Questions) -> bytes:
    """Make the sheet of a later round, a row for each question.

    The id says all in a round about single predictions; else code and, where the round is not blind, run stand beside.
    """
    later = questions.later
    alone = later.keyed == "prediction"
    runs = ("run",) if later.about == "answers" and not later.blind else ()
    keys = ("id",) if alone else ("id", *runs, CODE)
    columns = (*keys, *(name for name in questions.columns if name not in later.unshown))
    rows = (
        {"id": shown.named if alone else shown.id, "run": shown.run, CODE: shown.code, **shown.context}
        for shown in questions.shown
    )
    shown_only = ({name: row[name] for name in columns} for row in rows)
    return sheet_bytes((*columns, *later.values, "rater"), shown_only)
