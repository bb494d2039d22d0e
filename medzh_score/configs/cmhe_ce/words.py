"""CMHE-CE's classes of concepts and what is asked of each, by the names that its records have."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class ConceptClass:
    """A class of concepts: its name in our records, the head of its column in Table 4, and what masks names.

    Footnote 1 has the label in English only, which the English second question says.
    """

    name: str
    head: str
    label: str
    english: str


# In the order of Table 4.
CLASSES = (
    ConceptClass("medicine", "Medicine", "药物", "medicine"),
    ConceptClass("disease", "Disease", "疾病", "disease"),
    ConceptClass("test", "Test", "医学检查", "medical test"),
)
CLASS_OF = {one.name: one for one in CLASSES}
# Section 3.3: four aspects of medicines, four of diseases, two of tests.
ASPECTS = (
    *("pharmacokinetics", "indication", "side effect", "interaction"),
    *("cause", "symptom", "treatment", "screening"),
    *("procedure", "screened disease"),
)
LETTERS = "ABCD"
CHANCE = 25.0  # percent: one of four
