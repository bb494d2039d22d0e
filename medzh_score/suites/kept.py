"""What came back and is kept: native lines, one a key, in the order of the keys."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import msgspec

from medzh_score.files.lines import decoded_lines
from medzh_score.files.writing import open_for_writing
from medzh_score.messages.errors import MedzhError
from medzh_score.predictions.readers.prediction import Prediction
from medzh_score.prompts.codes import Key

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping
    from pathlib import Path

LONGEST_REASON = 300  # characters of why a request failed


@dataclass(frozen=True)
class Merged:
    """All answers of a place after some were added: how many are new, were there already, or replace others."""

    answers: Mapping[Key, Prediction]
    new: int
    same: int
    replaced: int


def kept_answers(path: Path) -> dict[Key, Prediction]:
    """Read what is kept; nothing where nothing came."""
    if not path.exists():
        return {}
    return {key_of(one): one for one in decoded_lines(path, msgspec.json.Decoder(Prediction))}


def key_of(prediction: Prediction) -> Key:
    """Give the key of an answer."""
    return Key(prediction.id, prediction.run, prediction.variant)


def merged(
    path: Path, before: Mapping[Key, Prediction], came: Iterable[tuple[int, Prediction]], *, replace: bool
) -> Merged:
    """Put what came in a file to what is kept: an answer stands before a failure, and never against another answer."""
    after, new, same, replaced = dict(before), 0, 0, 0
    for number, one in came:
        known = after.get(key := key_of(one))
        if known is None or known.error is not None:
            after[key] = one
            new += one.error is None
        elif one.error is not None or one.prediction == known.prediction:
            same += one.error is None
        elif replace and before.get(key) is known:
            after[key] = one
            replaced += 1
        else:
            raise _other(path, number, key, known, here=before.get(key) is not known)
    return Merged(after, new, same, replaced)


def _other(path: Path, number: int, key: Key, known: Prediction, *, here: bool) -> MedzhError:
    if here:
        problem, advice = "answers one prompt twice, and not alike", "keep the one that is meant"
    else:
        problem, advice = "holds another answer than the one that is kept", "give --replace if this one is meant"
    return MedzhError(
        problem, file=path, line=number, field="id", expected=known.prediction[:40], found=str(key), advice=advice
    )


def write_kept(path: Path, answers: Mapping[Key, Prediction]) -> None:
    """Write what is kept, in an order that does not depend on that in which it came."""
    path.parent.mkdir(parents=True, exist_ok=True)
    encoder = msgspec.json.Encoder()
    with open_for_writing(path) as stream:
        for key in sorted(answers):
            stream.write(encoder.encode(_stated(answers[key])) + b"\n")


def _stated(one: Prediction) -> dict[str, object]:
    """Leave out what a line does not say."""
    line: dict[str, object] = {"id": one.id}
    if one.run:
        line["run"] = one.run
    if one.variant:
        line["variant"] = one.variant
    line["prediction"] = one.prediction
    if one.model is not None:
        line["model"] = one.model
    if one.finish_reason is not None:
        line["finish_reason"] = one.finish_reason
    if one.error is not None:
        line["error"] = one.error[:LONGEST_REASON]
    return line
