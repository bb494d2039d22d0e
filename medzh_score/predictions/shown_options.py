"""The lettered options of a question, as a text shows them, compared with those of the record."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

    from medzh_score.predictions.shuffled import Orders

    Block = list[str]

LINE = re.compile(r"[ \t]*[（(\[]?([A-Z])(?:[)）\].．、:：]+|[ \t])[ \t]*(\S.*)")
INLINE = re.compile(r"(?<![A-Za-z])[（(\[]?([A-Z])[)）\].．、:：]+[ \t]*")
LEAST = 2  # options of a question


def blocks_of(text: str) -> list[Block]:
    r"""Find the options that a text shows, a line each or one after the other on a line, question by question.

    Examples
    --------
    >>> blocks_of("前囟闭合的年龄是\nA) 1岁\nB) 2岁"), blocks_of("年龄？A. 1岁 B. 2岁")
    ([['1岁', '2岁']], [['1岁', '2岁']])
    """
    found: list[Block] = []
    going_on = False
    for line in text.splitlines():
        label = LINE.fullmatch(line)
        if label is None:
            going_on = going_on and not line.strip()
        elif label[1] == "A":
            found.append([_plain(label[2])])
            going_on = True
        elif going_on and ord(label[1]) - ord("A") == len(found[-1]):
            found[-1].append(_plain(label[2]))
    blocks = [block for block in found if len(block) >= LEAST]
    return blocks or [block for line in text.splitlines() if len(block := _inline(line)) >= LEAST and all(block)]


def written_options(text: str) -> str:
    r"""Write the options that a text shows, for a message.

    Examples
    --------
    >>> written_options("A. 1岁\nB. 2岁")
    '1岁 / 2岁'
    """
    return " / ".join(option for block in blocks_of(text) for option in block)


def _inline(line: str) -> Block:
    labels: list[re.Match[str]] = []
    for label in INLINE.finditer(line):
        if ord(label[1]) - ord("A") == len(labels):
            labels.append(label)
    ends = [label.start() for label in labels[1:]] + [len(line)] * bool(labels)
    return [_plain(line[label.end() : end]).rstrip("；;，,") for label, end in zip(labels, ends, strict=True)]


def _plain(option: str) -> str:
    return " ".join(option.split())


def order_shown(asked: str, prompt: str) -> Orders | str | None:
    r"""Say in which order a question shows the options of a prompt; a text of what it shows where they are others.

    None where it shows none of them with letters, or the prompt has none.

    Examples
    --------
    >>> order_shown("Q: 年龄？\nA) 2岁\nB) 1岁", "年龄？\nA. 1岁\nB. 2岁")
    ((1, 0),)
    >>> order_shown("年龄？\nA. 1岁\nB. 3岁", "年龄？\nA. 1岁\nB. 2岁")
    '1岁 / 3岁'
    """
    own, shown = blocks_of(prompt), blocks_of(asked)
    if not own:
        return None
    for start in range(len(shown) - len(own), -1, -1):
        orders = [_order(one, block) for one, block in zip(own, shown[start:], strict=False)]
        if all(orders):
            return tuple(order for order in orders if order)
    return written_options(asked) if shown else None


def _order(own: Block, shown: Sequence[str]) -> tuple[int, ...] | None:
    """Give for each place the option of the record that is shown there; of equal ones the first."""
    if sorted(own) != sorted(shown):
        return None
    left = list(enumerate(own))
    order = []
    for text in shown:
        one = next(one for one in left if one[1] == text)
        left.remove(one)
        order.append(one[0])
    return tuple(order)
