"""Answers as they come, each on the disk before the next is looked at; whole, they stand under their own name."""

from __future__ import annotations

import os
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING

import msgspec

from medzh_score.files.lines import decoded_lines
from medzh_score.files.whole_folders import locked
from medzh_score.messages.errors import MedzhError
from medzh_score.predictions.readers.prediction import Prediction
from medzh_score.suites.kept import arriving, key_of, part_of, write_kept

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from pathlib import Path

    from medzh_score.prompts.codes import Key
    from medzh_score.suites.asking.calls import Call


class Arrived(Prediction, frozen=True, gc=False, omit_defaults=True):
    """A line of a part file: what came back, and a digest of the request to which it did."""

    request: str = ""


@dataclass(frozen=True)
class SoFar:
    """What is there already: in the file of answers, and in the part file, of which so many bytes are whole lines."""

    answers: dict[Key, Prediction]
    arrived: dict[Key, Arrived]
    length: int

    def lacks(self, call: Call) -> bool:
        """Say whether a request has no answer yet; what failed has none."""
        found = self.answers.get(call.key)
        if found is None or found.error is not None:
            found = self.arrived.get(call.key)
        return found is None or found.error is not None

    def all(self) -> dict[Key, Prediction]:
        """Give all that is there; what came later stands before a failure, and never before an answer."""
        later = {key: one for key, one in self.arrived.items() if key not in self.answers or self.answers[key].error}
        return {**self.answers, **later}


def so_far(answers: Path, calls: Sequence[Call]) -> SoFar:
    """Read what is there; a last line that was not written to its end is none."""
    before: dict[Key, Prediction] = {}
    if answers.exists():
        before = {key_of(one): one for one in decoded_lines(answers, msgspec.json.Decoder(Prediction))}
    part = part_of(answers)
    if not part.exists():
        return SoFar(before, {}, 0)
    came = arriving(part, msgspec.json.Decoder(Arrived))
    return SoFar(before, _checked(part, came.lines, {call.key: call for call in calls}), came.length)


def _checked(part: Path, came: Sequence[Arrived], calls: dict[Key, Call]) -> dict[Key, Arrived]:
    found: dict[Key, Arrived] = {}
    for number, one in enumerate(came, 1):
        call = calls.get(key_of(one))
        if one.error is None and call is not None and call.digest != one.request:
            raise MedzhError(
                "answers another request than is to be sent: the prompt, the model or a setting has changed since",
                file=part,
                line=number,
                field="id",
                found=one.id,
                advice="set back what was changed, or put this file aside to ask anew",
            )
        found[key_of(one)] = one
    return found


class Keeper:
    """The part file of answers, open for more."""

    def __init__(self, answers: Path, before: SoFar) -> None:
        self._answers, self.before, self.arrived = answers, before, dict(before.arrived)
        flags = os.O_RDWR | os.O_CREAT | os.O_APPEND | getattr(os, "O_BINARY", 0)
        self._stream = os.open(part_of(answers), flags, 0o666)
        os.ftruncate(self._stream, before.length)

    def close(self) -> None:
        """Let go of the part file, and of one in which nothing is."""
        if self._stream >= 0:
            empty = not os.fstat(self._stream).st_size
            os.close(self._stream)
            self._stream = -1
            if empty:
                part_of(self._answers).unlink()

    @property
    def count(self) -> int:
        """How many answers are kept."""
        return sum(one.error is None for one in self._everything().values())

    def _everything(self) -> dict[Key, Prediction]:
        return SoFar(self.before.answers, self.arrived, 0).all()

    def append(self, line: Arrived) -> None:
        """Put a line on the disk: when this returns, no kill takes it away."""
        content = memoryview(msgspec.json.encode(line) + b"\n")
        try:
            while content:
                content = content[os.write(self._stream, content) :]
            os.fsync(self._stream)
        except OSError as error:
            raise MedzhError(
                f"cannot be written: {error.strerror}",
                file=part_of(self._answers),
                advice="all lines before this one are kept: make room and run the same command again",
            ) from error
        self.arrived[key_of(line)] = line

    def finish(self) -> None:
        """Write all that came under its own name, in an order that is not that in which it came."""
        self.close()
        write_kept(self._answers, self._everything())
        part_of(self._answers).unlink(missing_ok=True)


@contextmanager
def keeping(answers: Path, calls: Sequence[Call]) -> Iterator[Keeper]:
    """Open the part file of answers behind its last whole line, for one process at a time."""
    answers.parent.mkdir(parents=True, exist_ok=True)
    lock = answers.with_name(f".{answers.name}.lock")
    with locked(lock, answers, "these answers are asked for already: wait until that ends"):
        keeper = Keeper(answers, so_far(answers, calls))
        try:
            yield keeper
        finally:
            keeper.close()
