"""What becomes of an explanation in CMHE-CE: which text of it is masked and shown, and what it leaves behind."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise
from typing import TYPE_CHECKING

from medzh_score.extraction.whole_text import is_refusal
from medzh_score.text.fold import fold_concept_name
from medzh_score.text.masking import NameForm, form_of, forms_of, masked, mentions

if TYPE_CHECKING:
    from collections.abc import Sequence


@dataclass(frozen=True)
class Concept:
    """What masking and leakage need to know: all names of a concept, their label, its option and the others."""

    names: tuple[str, ...]
    label: str
    answer: str
    others: tuple[str, ...]


@dataclass(frozen=True)
class Explanation:
    """An explanation as the second round shows it, masked.

    ``named`` says that there was a name to mask; ``leaks`` that the masked text still holds two characters in a row
    that of all options only the answer has.
    """

    text: str
    empty: bool
    refused: bool
    named: bool
    leaks: bool


def explanation(text: str, concept: Concept) -> Explanation:
    """Mask an explanation, and say what kind of one it is.

    Examples
    --------
    >>> copd = Concept(("慢性阻塞性肺疾病", "COPD"), "疾病", "慢性阻塞性肺疾病", ("哮喘", "肺纤维化", "痛风"))
    >>> explanation("copd 是气道的阻塞性疾病。", copd)
    Explanation(text='疾病 是气道的阻塞性疾病。', empty=False, refused=False, named=True, leaks=True)
    """
    found = masked(text, forms_of(concept.names, concept.label), concept.label)
    distinctive_forms = distinctive(concept.answer, concept.others, concept.label)
    return Explanation(
        found.text,
        not text.strip(),
        is_refusal(text),
        found.mentions > 0,
        any(mentions(part, distinctive_forms) for part in found.rest),
    )


@lru_cache(maxsize=1 << 10)
def distinctive(answer: str, others: tuple[str, ...], label: str) -> tuple[NameForm, ...]:
    """Find what tells an answer's name from the other options and the label: pairs of characters, Latin words, numbers.

    Examples
    --------
    >>> [form.text for form in distinctive("POEMS综合征", ("库欣综合征", "冷球蛋白血症"), "疾病")]
    ['poems', 's综']
    """
    pieces = dict.fromkeys(_pieces(fold_concept_name(answer)))
    elsewhere = [fold_concept_name(text) for text in (*others, label)]
    return tuple(form_of(piece) for piece in pieces if not any(piece in text for text in elsewhere))


def _pieces(text: str) -> Sequence[str]:
    """Cut a folded name into pairs of characters, Latin words and numbers whole."""
    words: list[str] = []
    word = ""
    for sign in f"{text}\n":
        if form_of(sign).opens:
            word += sign
        else:
            words, word = [*words, word] if len(word) > 1 else words, ""
    pairs = [one + two for one, two in pairwise(text) if not (form_of(one).opens and form_of(two).opens)]
    return [*words, *pairs]
