"""A line of the file that SDAK's authors released, read tolerantly as to types and slots, strictly as to the rest."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from dataset_scripts.recipes.sdak.pairs import LABELS
from dataset_scripts.recipes.sdak.types import find_type
from medzh_score.messages.errors import MedzhError

if TYPE_CHECKING:
    from pathlib import Path

    from dataset_scripts.recipes.sdak.types import AtomicType

OWN_FIELDS = frozenset({"label_id", "type", "claim", "label", "instruction", "input", "output", "id"})
LABEL_ID = re.compile(r"(pos|neg)_([0-9]{1,6})")
POLARITIES = {"pos": "factual", "neg": "counterfactual"}
LONGEST_ID = 40

Key = tuple[str, int]  # the type's form inside ids, and the number: what the two claims of a pair share


@dataclass(frozen=True)
class Claim:
    """A line of the released file."""

    line: int  # from 1
    kind: AtomicType
    written: str  # the type string
    label_id: str  # pos_… or neg_…
    polarity: str
    number: int  # of its pair within the type
    text: str
    slots: tuple[tuple[str, str], ...]  # the texts that are left, in the order of the line
    instruction: str | None  # the prompt that the file prints
    ignored: tuple[str, ...]  # the fields that are left and hold no text

    @property
    def key(self) -> Key:
        """What the two claims of a pair share: the number alone is not enough."""
        return self.kind.slug, self.number

    @property
    def content(self) -> tuple[object, ...]:
        """What two equal lines have in common: everything but the line number and the running id."""
        return self.written, self.label_id, self.text, self.slots, self.instruction


def read_claim(file: Path, number: int, line: dict[str, Any]) -> Claim:
    """Read one line.

    A label that contradicts its ``label_id`` is refused.
    """

    def fault(field: str, problem: str, expected: str) -> MedzhError:
        found = line.get(field)
        advice = "mend the line, or fetch the released file: medzh-build fetch sdak"
        return MedzhError(problem, file=file, line=number, field=field, expected=expected, found=found, advice=advice)

    for field in ("type", "label_id", "claim", "label"):
        if not isinstance(line.get(field), str) or not line[field].strip():
            raise fault(field, "is missing" if field not in line else "is not a text", "a text that is not empty")
    matched = LABEL_ID.fullmatch(line["label_id"])
    if matched is None:
        raise fault("label_id", "is no label id", "pos_ or neg_ and a number of at most six digits, such as pos_1")
    polarity = POLARITIES[matched[1]]
    if line["label"] != LABELS[polarity]:
        raise fault("label", "contradicts label_id", f"{LABELS[polarity]}, since label_id is {line['label_id']}")
    kind, place = find_type(line["type"]), int(matched[2])
    if len(f"sdak-{kind.slug}-{place:04d}-f") > LONGEST_ID:
        raise fault("label_id", "makes an id of more than 40 characters", "a smaller number")
    instruction = line.get("instruction")
    if instruction is not None and not isinstance(instruction, str):
        raise fault("instruction", "is not a text", "a text")
    rest = {name: value for name, value in line.items() if name not in OWN_FIELDS}
    return Claim(
        line=number,
        kind=kind,
        written=line["type"],
        label_id=line["label_id"],
        polarity=polarity,
        number=place,
        text=line["claim"],
        slots=tuple((name, value) for name, value in rest.items() if isinstance(value, str)),
        instruction=instruction,
        ignored=tuple(name for name, value in rest.items() if not isinstance(value, str)),
    )
