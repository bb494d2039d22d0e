"""What the name of what decided means, where it does not say so itself: for people who look at one prediction."""

from __future__ import annotations

MEANINGS = {
    "empty": "nothing is left to read",
    "unfinished thinking": "thinking is never closed, so nothing is said to the reader",
    "refusal": "the text declines to answer, and says nothing else",
    "contradiction": "it says two things that cannot both be meant",
    "hedge": "it leaves open what it says",
    "denied": "what would be the answer is denied",
    "supposed": "what would be the answer is only supposed",
    "several": "it commits itself to several options where one was asked for",
    "no such option": "the question has no option of that letter",
    "not given": "other parts of the group are answered, this one is not",
    "nothing": "it commits itself to nothing that the rule knows",
    "whole text": "the whole text as it came is the answer",
    "own text": "the text without thinking, and without what follows the model's own answer, is the answer",
    "for the judge": "the whole text goes to the judge, whose codes count",
    "letters": "the text is letters and nothing else",
}


def meaning(name: str, value: str | None) -> str:
    """Say what a name means.

    Parameters
    ----------
    name : str
        Of what decided, or of why there is no answer.
    value : str or None
        The answer.

    Returns
    -------
    str
        A clause without a stop.

    Examples
    --------
    >>> meaning("正确[:5]", "correct"), meaning("empty", None)
    ('正确 stands in the first 5 characters', 'nothing is left to read')
    """
    if name in MEANINGS:
        return MEANINGS[name]
    word, window, width = name.partition("[:")
    if window:
        return f"{word} stands in the first {width.removesuffix(']')} characters"
    return f"the text says so: {name}" if value is not None else f"no answer: {name}"
