"""Whose answers a line holds: the label of the model, or of the judge, that its name belongs to."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from medzh_score.messages.errors import MedzhError, printable
from medzh_score.predictions.one_model import spelled

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence
    from pathlib import Path

    from medzh_score.suites.plan import Judge, Model, Plan


@dataclass(frozen=True)
class Labels:
    """From each name under which answers come to the labels that bear it."""

    known: Sequence[str]
    by_name: Mapping[str, Sequence[str]]

    def label_of(self, name: str | None, given: str | None, path: Path, number: int) -> str:
        """Find whose a line is: the user's own word first, then the name in the line, then the only one there is."""
        labels = self.by_name.get(spelled(name), ()) if name is not None else ()
        if given is not None:
            if given not in self.known:
                raise MedzhError("is not in the plan", field="--model", expected=", ".join(self.known), found=given)
            if labels and given not in labels:
                raise MedzhError(
                    f"names another system of the plan than --model {given}",
                    file=path,
                    line=number,
                    field="model",
                    expected=given,
                    found=printable(str(name)),
                    advice="leave out --model, or add the name to served of the system that is meant",
                )
            return given
        if name is None or not name.strip():
            if len(self.known) == 1:
                return self.known[0]
            raise MedzhError(
                "names nobody who answered",
                file=path,
                line=number,
                field="model",
                expected="one of the plan's names",
                advice=f"say whose answers these are: --model LABEL ({', '.join(self.known)})",
            )
        if len(labels) == 1:
            return labels[0]
        several = "is the name of several systems of the plan" if labels else "is no name of the plan"
        raise MedzhError(
            several,
            file=path,
            line=number,
            field="model",
            expected=", ".join(labels or self.known),
            found=printable(name),
            advice="say whose answers these are: --model LABEL"
            if labels
            else "say whose answers these are: --model LABEL; or add the name to served in the plan",
        )


def model_labels(plan: Plan) -> Labels:
    """List the names of the models."""
    return _labels(plan.models)


def judge_labels(plan: Plan, config: str, round_name: str) -> Labels:
    """List the names of those who answer a round."""
    return _labels([one for one in plan.judges if one.round == f"{config}/{round_name}"])


def _labels(named: Iterable[Model | Judge]) -> Labels:
    by_name: dict[str, list[str]] = {}
    known = []
    for one in named:
        known.append(one.label)
        for name in dict.fromkeys(map(spelled, (one.label, *one.names))):
            by_name.setdefault(name, []).append(one.label)
    return Labels(known, by_name)
