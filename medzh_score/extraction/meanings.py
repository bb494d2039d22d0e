"""What the name of a wording, or of a reason for no answer, means: for people who look at one prediction."""

from __future__ import annotations

import re
from functools import cache
from importlib import import_module
from pkgutil import iter_modules
from typing import TYPE_CHECKING

from medzh_score import extraction
from medzh_score.extraction.preparing import prepare

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from medzh_score.extraction.wording import Wording

NO_ANSWER = {
    "empty": "nothing is left to read",
    "unclosed": "a thinking block is never closed, so nothing is said to the reader",
    "unfinished thinking": "a thinking block is never closed, so nothing is said to the reader",
    "refusal": "the text declines to answer, and says nothing else",
    "contradiction": "it says two things that cannot both be meant",
    "two verdicts": "it says two things that cannot both be meant",
    "hedge": "it leaves open what it says, as by 无法, 不一定 or 部分",
    "negation": "a negation stands before the word, and nobody knows what it leaves",
    "negated": "what is announced is denied",
    "supposed": "what is announced is only supposed, as in 如果选A",
    "example": "what is announced is an example of the form",
    "several": "it commits itself to several options that are not one answer",
    "either": "it names the choice itself, or one of several",
    "range": "it names a range of options, not a choice",
    "no such label": "the question has no option of that letter",
    "not given": "other parts of the group are answered, this one is not",
    "unsupported": "nothing beside the word bears it out: it may be said to the patient",
    "nothing": "the rule finds none of its wordings where it looks",
    "nothing found": "the rule finds none of its wordings",
    "no code": "no code of ICD-10 stands in the text",
    "no name": "the text names no disease that the dictionary has",
    "all ruled out": "all that the text names it rules out",
}
ANSWERS = {
    "keys of JSON": "keys of the JSON say whether the claim is right",
    "whole text": "the whole text as it came is the answer",
    "prepared": "the text without thinking, and without what follows the model's own answer, is the answer",
    "for the judge": "the whole text goes to the judge, whose codes count",
    "alone": "it is all that is said",
    "word": "a verdict word opens the response, or is its last line",
    "marker": "what marks an answer announces it, as 答案： or 故选",
    "marker and text": "what marks an answer announces an option's text",
    "statement": "a clause states it",
    "beginning": "the word opens the response",
    "letters": "letters stand at the beginning, or after 答案 or 选",
    "labels": "labels of options stand together",
    "label": "a label stands as an answer",
    "label and text": "a label stands with its option's text",
    "text": "an option's text stands as an answer",
    "numbered": "it stands after the number of its question",
    "in order": "answers stand in the order of the questions",
    "all": "all options are meant",
    "codes": "codes of ICD-10 stand in the text and are not ruled out",
    "names": "names of the dictionary stand in the text and are not ruled out",
}
WINDOW = re.compile(r"(.+)\[:(\d+)\]", re.DOTALL)
CLAUSE = re.compile(r"(.+) as the clause")
NOT_BEFORE = re.compile(r"不是…(.+)")


def meaning(name: str, value: str | None, text: str) -> str:
    """Say what a name means.

    Parameters
    ----------
    name : str
        Of a wording, or of a reason for none.
    value : str or None
        The answer.
    text : str
        The prediction, which decides between wordings of one name.

    Returns
    -------
    str
        A clause without a stop.

    Examples
    --------
    >>> meaning("正确[:5]", "correct", "正确。"), meaning("empty", None, "")
    ('正确 stands in the first 5 characters', 'nothing is left to read')
    """
    if value is None and name in NO_ANSWER:
        return NO_ANSWER[name]
    if value is not None and name in ANSWERS:
        return ANSWERS[name]
    if wording := _wording(name, text):
        return f"a wording as in {wording.matches}"
    return "the rule reads no answer here" if value is None else _of_answer(name)


def _of_answer(name: str) -> str:
    if found := WINDOW.fullmatch(name):
        return f"{found[1]} stands in the first {found[2]} characters"
    if found := CLAUSE.fullmatch(name):
        return f"the first clause is {found[1]} and nothing else"
    if found := NOT_BEFORE.fullmatch(name):
        return f"不是 stands before {found[1]}"
    return f"the text says {name}"


def _wording(name: str, text: str) -> Wording | None:
    alike = _wordings().get(name, ())
    said = prepare(text) or text
    # A rule that is no data may use a name that is a wording's elsewhere: then the text decides.
    others = () if name in ANSWERS else alike
    return next((one for one in alike if one.expression.search(said)), None) or next(iter(others), None)


@cache
def _wordings() -> Mapping[str, Sequence[Wording]]:
    """Gather the rules that are data, of all kinds of answers, by name."""
    found: dict[str, list[Wording]] = {}
    for module in iter_modules(extraction.__path__, f"{extraction.__name__}."):
        for one in getattr(import_module(module.name), "WORDINGS", ()):
            found.setdefault(one.name, []).append(one)
    return found
