"""Where a response that has answered goes on with a question of its own, as base models do."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from medzh_score.extraction.tcmd_choice import Question

# An answer that stands before: a label at the very beginning, or an answer's marker with what it announces.
COMMITTED = re.compile(
    r"\A[“\"（(【\[]?[A-H](?![A-Za-z0-9])"
    r"|(?:答案|故选|应选|[Aa]nswer)[】\]是为应选\s]*+(?:[：:]|is\b)?[^\S\n]*+[A-H](?![A-Za-z0-9])"
    r"|(?:答案|Answer)[】\]]?[是为]?[：:][^\S\n]*+\S"
)
HEADER = re.compile(
    r"\n[^\S\n]*+(?:"
    r"[【\[]?(?:题干|题目|问题|[单多]?选择?题|例题?\s?\d*|第\s?[\d一二三四五六七八九十]{1,3}\s?题|Question\s?\d*)(?:[】\]]|\s?[：:])"
    r"|题目[^\S\n]|(?:user|User|用户|Human)[：:]?[^\S\n]*\n)"
    r"|题目[：:]"
)
# A block of options, numbered question before it or not; the texts of the first two tell whose they are.
BLOCK = re.compile(r"\n[^\S\n]*+A[.、．:：)）]([^\n]++)\n[^\S\n]*+B[.、．:：)）]([^\n]++)\n")
ANSWERED = re.compile(r"答案|[Aa]nswer")


def cut(text: str, question: Question, committed_by: re.Pattern[str] = COMMITTED) -> str:
    """Cut off a response what follows its answer where that opens another question.

    Parameters
    ----------
    text : str
        The prepared response.
    question : Question
        What was asked.
    committed_by : pattern
        What finds the answer that must stand before.

    Returns
    -------
    str
        The response as far as it is about the question.
    """
    committed = committed_by.search(text)
    if not committed:
        return text
    header = HEADER.search(text, committed.end())
    if header:
        text = text[: header.start()].rstrip()
    block = BLOCK.search(text, committed.end())
    if block and ANSWERED.search(text, block.end()) and not any(_own(shown, question) for shown in block.groups()):
        return text[: block.start()].rstrip()
    return text


def _own(shown: str, question: Question) -> bool:
    """Say whether the text of a listed option is one of the question's, maybe with a judgement after it."""
    shown = shown.strip()
    if question.texts.leading(shown) is not None:
        return True
    return any(question.texts.resembles(shown, option) for option in range(len(question.texts.texts)))
