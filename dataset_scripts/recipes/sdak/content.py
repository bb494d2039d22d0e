"""What the sources say, one value at a time: the common form in which both input formats are read."""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass, field

# A value that a reader or a later step does not use has one of these reasons; the columns of the report, in order.
REASONS = {
    "misplaced": "the row's cells stand under the wrong columns",
    "no value": "the cell is empty or says that there is nothing",
    "elided": "the disease's name or the value is cut off by an ellipsis",
    "unreadable": "half brackets, numbers only, characters that no font has, cut off without an ellipsis",
    "prose": "sentences, not a short value",
    "over-long": "longer than a value of its type may be",
    "wrong kind": "not of the type: a device among medicines, a topic among departments",
    "filler": "what the upstream site shows where it knows no complication",
    "names the subject": "the disease itself, its alias, a longer word around one of them or its tail",
    "negative": "the source denies it, as 无传染性 and foods not to eat do, and a factual claim can only affirm",
    "hedged": "said of some cases only",
    "no route": "the source says 有传染性 and no way of transmission",
    "contradicted": "the counterfactual stands as a fact elsewhere, or as one of a wider or narrower disease",
    "several fields": "departments of several fields of medicine, or of one that no wider or narrower disease has",
    "unknown name": "the disease stands in no other list of names, or is a symptom only",
    "too few sources": "said by fewer sources than asked for, or by one alone whose lists are not to be trusted alone",
    "duplicate": "the same fact again",
    "over the limit": "not drawn",
}


@dataclass(frozen=True)
class Value:
    """One value of one field of one disease."""

    kind: str  # the name of the atomic type that it may become
    subject: str  # the disease's name as the source writes it
    text: str  # as the source writes it
    source: str
    holds: bool = True  # whether the source affirms it; it denies a food that it says not to eat
    dropped: str | None = None  # a reason of REASONS that only the reader can know


@dataclass
class Content:
    """All that has been read."""

    values: list[Value] = field(default_factory=list)  # in the order of the files
    # the other names of a disease, by its name; both as written
    aliases: dict[str, set[str]] = field(default_factory=dict)
    # what a source says in prose, folded, by its name
    sentences: dict[str, set[str]] = field(default_factory=dict)


def split_list(cell: str) -> list[str]:
    """Split at spaces and at the marks that separate the members of a list.

    >>> split_list("手术治疗、放射治疗 化疗")
    ['手术治疗', '放射治疗', '化疗']
    """
    return [part for part in re.split(r"[\s、，,；;]+", cell) if part]


def fold(text: str) -> str:
    """Bring texts that read the same to one form: compatibility characters, spaces and case do not count.

    >>> fold("维生素Ａ 缺乏病")
    '维生素a缺乏病'
    """
    return "".join(unicodedata.normalize("NFKC", text).split()).casefold()
