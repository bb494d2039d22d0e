"""SDAK's ``official`` rule: the windows of the authors' ``code/evaluate.py``, its quirks included.

The authors ask two questions of the raw text: does its beginning match the pattern "correct", does it match the
pattern "incorrect"? A text may match both (不完全正确 does). A factual claim is then supported when the first holds,
a counterfactual one refuted when the second holds, and a text is an answer when either does. So where both hold, the
answer is the one that the authors credit: "correct" on the factual, "incorrect" on the counterfactual claim.
"""

from __future__ import annotations

import os.path
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING

from medzh_score.benchmark.answers import Reading, Span
from medzh_score.extraction.vocabulary import expression
from medzh_score.ui.i18n import _

if TYPE_CHECKING:
    import re


LONGEST_WINDOW = 10

# Wording and how many characters from the start of the text are searched for it.
CORRECT_WINDOWS = (("是的", 3), ("是正确的", 10))
INCORRECT_WINDOWS = (
    ("错误", 3),
    ("不正确", 10),
    ("这个说法是错误的", 10),
    ("这个说法是不正确的", 10),
    ("不完全正确", 10),
    ("不是", 5),
)
VERDICT_WINDOW = 5
NOTHING = Reading(None, "nothing")


def _name(wording: str, width: int) -> str:
    return f"{wording}[:{width}]"


MEANINGS = {
    _name(wording, width): _("{wording} is in the first {width} characters", wording=wording, width=width)
    for wording, width in (("正确", VERDICT_WINDOW), *CORRECT_WINDOWS, *INCORRECT_WINDOWS)
}


def read(text: str, side: ClaimSide) -> Reading:
    """Read an answer as the authors' script does, by the wording in its window, such as ``正确[:5]``.

    Examples
    --------
    >>> from medzh_score.configs.sdak.reading import FACTUAL
    >>> found = read("答案：正确。", FACTUAL)
    >>> found.value, found.reason, found.spans
    ('correct', '正确[:5]', (Span(start=3, end=5),))
    """
    correct, incorrect = _windows(text[:LONGEST_WINDOW])
    credited, other = (incorrect, correct) if side.counterfactual else (correct, incorrect)
    found = credited or other or NOTHING
    return side.noted(found, text) if side.counterfactual else found


@lru_cache(maxsize=1 << 16)
def _windows(head: str) -> tuple[Reading | None, Reading | None]:
    return _correct(head), _incorrect(head)


def _correct(head: str) -> Reading | None:
    start = head[:VERDICT_WINDOW]
    if "正确" in start and "不正确" not in start:
        return _in_window(head, "正确", VERDICT_WINDOW, "correct")
    return _first(head, CORRECT_WINDOWS, "correct")


def _incorrect(head: str) -> Reading | None:
    return _first(head, INCORRECT_WINDOWS, "incorrect")


def _first(head: str, windows: tuple[tuple[str, int], ...], value: str) -> Reading | None:
    for wording, width in windows:
        if wording in head[:width]:
            return _in_window(head, wording, width, value)
    return None


def _in_window(head: str, wording: str, width: int, value: str) -> Reading:
    start = head.index(wording)
    return Reading(value, _name(wording, width), (Span(start, start + len(wording)),))


RESTATES = "restates the factual claim"
NEGATIONS = expression(
    "negation in a reason",
    r"[不没无非未忌勿]|异常|避免|而是|缺乏|很少|罕见|错误|排除|只是",
    matches="孕妇禁忌",
    misses="孕妇适用",
)
# Words with a negation character in them that deny nothing.
HARMLESS = expression(
    "harmless negation",
    r"不仅|不但|不只|不光|不管|不论|无论|不同|不良|不适|不全|不足|不断|不过|不再|不得不|不可少|非常|无菌|无力|未成年",
    matches="不良反应",
    misses="不引起反应",
)
CLAUSES = expression("end of a clause", r"[，。；：！？,;!?\n]", matches="错误，因为", misses="错误、因为")
# Where nothing closes the quote, the whole rest is matched, so that no text takes more than one pass.
QUOTED = expression("quoted in a reason", r"[“\"「][^”\"」]*([”\"」]|\Z)", matches="“可用于”", misses="可用于”")
PREDICATE = expression(
    "predicate of a claim",
    r"^(?:可能)?(?:包括|具有|可用于|含有|宜吃|吃|宜|有)",
    matches="可能包括发热",
    misses="发热",
)


@dataclass(frozen=True, slots=True, eq=False)
class ClaimSide:
    """What the rules need to know of a claim.

    ``focus`` is what a counterfactual claim denies of its subject: the object, else the end of the claim.
    """

    counterfactual: bool
    focus: str = ""

    def noted(self, found: Reading, text: str) -> Reading:
        """Note on an answer "correct" to this counterfactual claim whether its reason asserts the factual one."""
        if found.value == "correct" and self.focus in text and asserts_factual(text, self):
            return found._replace(note=RESTATES)
        return found


FACTUAL = ClaimSide(counterfactual=False)


def counterfactual_side(factual: str, counterfactual: str, item: str | None) -> ClaimSide:
    """Work out what a pair's counterfactual claim denies.

    Examples
    --------
    >>> counterfactual_side("麻疹具有传染性", "麻疹不具有传染性", None).focus
    '传染性'
    """
    if item:
        return ClaimSide(counterfactual=True, focus=item)
    ends = [factual[::-1], counterfactual[::-1]]
    shared = os.path.commonprefix(ends)[::-1]  # noqa: RUF071 - it is characters that are compared
    return ClaimSide(counterfactual=True, focus=PREDICATE.pattern.sub("", shared) or factual)


@lru_cache(maxsize=2)  # each rule asks about the same text in turn
def asserts_factual(text: str, side: ClaimSide) -> bool:
    """Say whether a response asserts what its counterfactual claim denies; a bare verdict does not."""
    if side.focus not in text:
        return False
    clauses = [clause for clause in CLAUSES.pattern.split(QUOTED.pattern.sub(_unquoted, text)) if clause][1:]
    speaking = [HARMLESS.pattern.sub("", clause) for clause in clauses if side.focus in clause]
    return bool(speaking) and not any(NEGATIONS.pattern.search(clause.replace(side.focus, "")) for clause in speaking)


def _unquoted(quoted: re.Match[str]) -> str:
    """Leave out what is quoted; a quote that nothing closes stays."""
    return "" if quoted.group(1) else quoted.group()
