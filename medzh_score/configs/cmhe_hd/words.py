"""The words of CMHE-HD: its three partitions, and the two answers with their polarity."""

from __future__ import annotations

YES, NO = "Yes", "No"  # Yes: the doctor's answer contains untrue or misleading information
ANSWERS = (YES, NO)
# In the order of the paper's Table 2.
PARTITIONS = ("generated", "tampered", "correct")
# Of a rebuild without models: never beside the paper's generated and tampered ones.
BY_RULE = "tampered-by-rule"
HALLUCINATED = frozenset({"generated", "tampered", BY_RULE})

_PARTITION_NAMES = {
    **{name: name for name in (*PARTITIONS, BY_RULE)},
    "生成": "generated",
    "modified": "tampered",  # the caption of Table 2
    "篡改": "tampered",
    "正确": "correct",
}
_ANSWER_NAMES = {"yes": YES, "是": YES, "有": YES, "no": NO, "否": NO, "没有": NO, "无": NO}


def gold(partition: str) -> str:
    """Give the right answer of a partition.

    Examples
    --------
    >>> gold("tampered"), gold("correct")
    ('Yes', 'No')
    """
    return YES if partition in HALLUCINATED else NO


def partition_named(text: str) -> str:
    """Give a partition its name in our records; an unknown text comes back as it is.

    Examples
    --------
    >>> partition_named("Modified")
    'tampered'
    """
    return _PARTITION_NAMES.get(text.strip().lower(), text)


def answer_named(text: str) -> str:
    """Give a label its name in our records; an unknown text comes back as it is.

    Examples
    --------
    >>> answer_named("否")
    'No'
    """
    return _ANSWER_NAMES.get(text.strip().lower(), text)
