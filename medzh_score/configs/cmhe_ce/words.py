"""CMHE-CE's classes of concepts and what is asked of each, by the names that its records have."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class ConceptClass:
    """A class of concepts.

    Attributes
    ----------
    name : str
        In our records.
    head : str
        The head of its column in the paper's Table 4.
    label : str
        What stands in the place of a concept's names; footnote 1 has it in English only.
    english : str
        The same as the English second question says it.
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
