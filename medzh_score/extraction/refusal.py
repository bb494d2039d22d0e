"""Whether a response declines to answer and says nothing else, whatever kind of answer was asked for."""

from __future__ import annotations

from medzh_score.extraction.engine import scan
from medzh_score.extraction.normalize import prepare
from medzh_score.extraction.vocabulary import lexicon_of, over_signs

SILENT = "aocdD:"  # signs that say nothing
PART = over_signs("part of a refusal", r"[^SnQV]+", "_V", "SV")
CLAUSE = over_signs("clause of a refusal", r"[^D:]+", "_D", "D:")
# The model speaks of itself, or of the answer that it does not give: 病因尚不清楚 is medicine.
DECLINES = over_signs("declines", r"[ZB]|I[^I]{0,8}?[AK]|A[^A]{0,8}?G|\A[ay]*K[aeoc]*\Z", "I_A_", "_K")


def is_refusal(text: str) -> bool:
    """Say whether a response declines, and says nothing else: it is no answer, whatever words it names in passing.

    Each part of it must decline, apologise, say who speaks, or send the reader to a doctor or for more details, and one
    of them must decline. What answers or explains anything in any part is not refused; nor is a text that says of
    medicine that nothing is known, nor an empty one, which is counted apart.

    Examples
    --------
    >>> is_refusal("抱歉，我无法判断这个说法正确还是错误。请咨询医生。"), is_refusal("病因尚不清楚。")
    (True, False)
    >>> is_refusal("我不确定，但应该是正确的。"), is_refusal("正确。我无法替代医生。")
    (False, False)
    """
    signs = scan(prepare(text), lexicon_of("refusals")).signs
    if set("ZBAK").isdisjoint(signs):
        return False
    kinds = [_kind(part) for part in PART.pattern.findall(signs) if part.strip(SILENT)]
    return "declines" in kinds and "says" not in kinds


def _kind(part: str) -> str:
    clauses = CLAUSE.pattern.findall(part)
    declining = [clause for clause in clauses if DECLINES.pattern.search(clause)]
    if any("e" in clause for clause in clauses if clause not in declining):
        return "says"
    if declining:
        return "declines"
    return "aside" if "r" in part or not part.strip(SILENT + "Iy") else "says"
