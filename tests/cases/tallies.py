"""What becomes of labelled answers when a rule reads them: counts of outcomes, and how much was understood."""

from __future__ import annotations

import functools
import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import labels

if TYPE_CHECKING:
    from labels import Row

LEAST_OF_A_STRATUM = 10


@dataclass(frozen=True)
class Judged:
    """A row, what was read in it, and how that stands to its label."""

    row: Row
    value: Any
    outcome: str
    unambiguous: bool = False
    reason: str = ""


@dataclass(frozen=True)
class Tally:
    """Shares of some rows: right ones of those in reach, wrong and invented ones of all, clear ones of those given."""

    judged: tuple[Judged, ...]

    @functools.cached_property
    def reached(self):
        return tuple(one for one in self.judged if one.row.reached) or self.judged

    @property
    def right(self):
        return share(one.outcome == "right" for one in self.reached)

    @property
    def not_right(self):
        """The share that was read as another value, or though there is none."""
        return share(one.outcome in {"wrong", "invented"} for one in self.judged)

    @property
    def given(self):
        return tuple(one for one in self.judged if one.value is not None)

    @property
    def unambiguous(self):
        return share(one.unambiguous for one in self.given)

    @property
    def clear_right(self):
        return share(one.outcome == "right" for one in self.given if one.unambiguous)

    def ids(self, *outcomes):
        return [one.row.id for one in self.judged if one.outcome in outcomes]

    def count(self, outcome):
        return len(self.ids(outcome))


def share(holds):
    """Give the share that holds, 1 of nothing."""
    known = list(holds)
    return sum(known) / len(known) if known else 1.0


def judge(rows):
    """Read rows by the public functions."""
    return [judged(row, labels.read(row)) for row in rows]


def judged(row, reading):
    value = labels.value_of(reading)
    readings = reading if row.part == labels.GROUP else (reading,)
    unambiguous, reason = (
        all(one.unambiguous for one in readings),
        " ".join(dict.fromkeys(one.reason for one in readings)),
    )
    return Judged(row, value, labels.agree(row, value), unambiguous, reason)


def of_values(rows, values):
    """Judge what another reader gives for the rows."""
    pairs = zip(rows, values, strict=True)
    return Tally(tuple(Judged(row, value, labels.agree(row, value)) for row, value in pairs))


def whole(found):
    """Leave out what is reported apart."""
    return Tally(tuple(one for one in found if not one.row.apart))


def by(found, name, at_least=1):
    """Part what was judged by a name of its row, the largest part first."""
    parts: dict[str, list[Judged]] = {}
    for one in found:
        parts.setdefault(name(one.row), []).append(one)
    ordered = sorted(parts.items(), key=lambda part: (-len(part[1]), part[0]))
    return {label: Tally(tuple(part)) for label, part in ordered if len(part) >= at_least}


def strata(found):
    """Give every model of a repository that has enough outputs."""
    return by(whole(found).judged, lambda row: row.stratum, LEAST_OF_A_STRATUM)


def families(found):
    """Give every family of models, the letters that a name begins with, that has enough outputs."""
    return by(whole(found).judged, lambda row: re.match("[a-z]*", row.stratum.casefold())[0], LEAST_OF_A_STRATUM)
