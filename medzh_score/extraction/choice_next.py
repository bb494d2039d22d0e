"""Where a response to a choice question goes on with another one, as base models do."""

from __future__ import annotations

import re

# An answer that stands before: a label at the very beginning, or an answer's marker with one.
COMMITTED = re.compile(
    r"(?:\A\s*[“\"（(【\[*]*|(?:答案|故选|应选|[Aa]nswer)[】*\]是为应选\s]*+(?:[：:]|is\b)?[\s*]*+)"
    r"[A-H](?:[、，, ]*[A-H])*+(?![A-Za-z0-9])"
)
OUR_PROMPT = re.compile(r"\n[^\S\n]*+以下是医学考试中的儿科选择题")
# The headers under which another question, or more of the subject, follows.
NEXT = re.compile(
    r"\n[^\S\n]*+【?(?:下一[道个]?题|[类相]似题|同类题|相关题|另一题|变式题?|练习题?|[拓扩]展题?"
    r"|相关知识|知识[点拓]展?|延伸|补充|题目|问题|问|Q)[目型】]*\s?[\d一二三四五]?\s?[：:]"
)


def before_next(text: str) -> str:
    r"""Cut off a response what follows its answer where that opens another question or subject.

    Parameters
    ----------
    text : str
        The response without thinking.

    Examples
    --------
    >>> before_next("答案：B\n\n下一题：前囟何时闭合？\n答案：C")
    '答案：B'
    """
    if ours := OUR_PROMPT.search(text):
        text = text[: ours.start()].rstrip()
    committed = COMMITTED.search(text)
    opening = NEXT.search(text, committed.end()) if committed else None
    return text[: opening.start()].rstrip() if opening else text
