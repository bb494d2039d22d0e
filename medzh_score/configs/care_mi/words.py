"""CARE-MI's sources and types of question, and what raters are told of the bands of Table 7."""

from __future__ import annotations

SOURCES = ("BIOS", "CPubMed", "MLEC-QA", "MEDQA", "CMExam")  # as Tables 4 and 5 have them; the last is no paper's
TYPES = ("tf", "open")

# The ranges are Table 7's, the words ours.
BANDS = {
    "correctness": (
        ("0.75-1", "总体正确、清楚，直接回答了问题"),
        ("0.5-0.75（不含）", "直接回答了问题，但有不严谨之处"),
        ("0.25-0.5（不含）", "有多处错误或不完整，但仍能从中推知正确答案"),
        ("0-0.25（不含）", "有大量错误或不完整，无法从中推知正确答案"),
    ),
    "interpretability": (
        ("0.75-1", "所有说法都与其结论相关，并且合理"),
        ("0.25-0.75（不含）", "有些说法与其结论无关，或者不合理"),
        ("0-0.25（不含）", "许多说法与其结论无关，而且不合理"),
    ),
}
HOW = "填 0 到 1 之间的小数，如 0.8；rater 填姓名；分歧（相差超过 0.25）由仲裁者另填一份，rater 填 arbiter"


def guide(aspect: str) -> str:
    """Write what a rater is told: the bands of Table 7, what to fill in, and how an arbiter signs.

    Examples
    --------
    >>> guide("interpretability").splitlines()[0]
    '0.75-1：所有说法都与其结论相关，并且合理'
    """
    return "\n".join([*(f"{edges}：{words}" for edges, words in BANDS[aspect]), HOW])
