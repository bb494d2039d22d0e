"""With which prompt a round about single predictions was sent: for the signature, and checked against the answers."""

from __future__ import annotations

from typing import TYPE_CHECKING

from medzh_score.benchmark.choices import pick
from medzh_score.messages.errors import MedzhError
from medzh_score.prompts.codes import check_code, split_judged_id
from medzh_score.prompts.sent_lines import sent_lines
from medzh_score.prompts.sent_prompts import UNSTATED, written_asking, written_decoding
from medzh_score.rounds.asking_predictions import context

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from medzh_score.benchmark.config import Config
    from medzh_score.benchmark.layout import Record
    from medzh_score.rounds.predictions import Predictions


def sent_about(
    round_name: str, paths: Sequence[Path], config: Config, records: Sequence[Record], at_hand: Predictions
) -> str:
    """Read with which prompt and settings a round was asked, and check that the lines ask just that."""
    if not paths:
        return UNSTATED
    later, rows = pick("round", config.every_round, round_name), {record["id"]: record for record in records}
    reads, respondent = config.reads, later.model
    assert reads is not None  # noqa: S101 - the round is declared with it
    assert respondent is not None  # noqa: S101 - a model answers both
    lines = [(path, *one) for path in paths for one in sent_lines(path, respondent.decoding)]
    keys = [split_judged_id(line.id, path, number) for path, number, line in lines]
    came, texts = at_hand.with_text(), at_hand.texts(key for key, _ in keys)
    codes = at_hand.codes(round_name, (key for key, _ in keys))
    if not lines:  # who had nothing to read is signed as who had
        return f"{respondent.prompts[0].name} {written_decoding(respondent.decoding)}"
    settings = set()
    for (path, number, line), (key, code) in zip(lines, keys, strict=True):
        check_code(key, code, codes.get(key), path, number)
        shown = context(reads, rows[key.id], came[key], at_hand.places[key.id], key.variant, texts[key])
        text = "".join(line.turns or (line.text or "",))
        name = next((prompt.name for prompt in respondent.prompts if prompt.fill(**shown) == text), None)
        settings.add(written_asking(str(name), line))
        if name is None or len(settings) > 1:
            raise MedzhError(
                "is not what the round asks about this answer, or differs in prompt or decoding from lines before it",
                file=path,
                line=number,
                expected=", ".join(prompt.name for prompt in respondent.prompts),
            )
    return settings.pop()
