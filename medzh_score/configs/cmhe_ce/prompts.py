"""CMHE-CE's classes of concepts and what is asked of each, by the names that its records have."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from medzh_score.benchmark.prompts import PromptTemplate
from medzh_score.ui.i18n import _

if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any


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


MEDZH_ZH_1 = PromptTemplate(
    name="medzh-zh-1",
    text="{question}",
    printed_in=_(
        "Not published: section 3.3 of the paper describes ten question templates but does not print them; the "
        "questions in the records use templates written for medzh"
    ),
)

# The second round. Where the explanation names the concept, its label stands.
CHOOSE_MEDZH_ZH_1 = PromptTemplate(
    name="medzh-zh-1",
    text="下面这段文字说的是一种{label}，它的名称都已换成“{label}”。\n\n{explanation}\n\n"
    "这段文字说的最可能是下列哪一项？\nA. {option_a}\nB. {option_b}\nC. {option_c}\nD. {option_d}\n\n"
    "请只回答选项的字母，不要解释。",
    printed_in=_("Not printed: the authors' Chinese prompt is not in the paper; this prompt was written for medzh"),
    completion_prefix="\n\n答案：",
)
CHOOSE_PAPER_1 = PromptTemplate(
    name="paper-1",
    text="{explanation}\n\nThe {label_en} is most likely to be which of the following?\n\n"
    "(A) {option_a}\n(B) {option_b}\n(C) {option_c}\n(D) {option_d}",
    printed_in=_(
        "Figure 7, printed only in English and only for a disease; for a medicine or a medical test, the "
        "word “disease” is replaced as in footnote 1; the name in the explanation is masked in the "
        "language of the explanation"
    ),
    completion_prefix="\n\nAnswer:",
)

# Section 4.2, for all models and, as nothing else is said, for both rounds.
GENERATION_KWARGS = {"temperature": 0.5, "top_p": 0.7, "top_k": 200, "repetition_penalty": 1.1}


def default_prompt(record: Mapping[str, Any]) -> str:
    """Write the default prompt of the first round: the question as it stands.

    Examples
    --------
    >>> default_prompt({"question": "哪些因素可能导致患者患上痛风？"})
    '哪些因素可能导致患者患上痛风？'
    """
    return MEDZH_ZH_1.fill(question=record["question"])
