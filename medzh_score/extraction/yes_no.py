"""Yes or no: which of the two a response answers its question with."""

from __future__ import annotations

from typing import TYPE_CHECKING

from medzh_score.benchmark.answers import Reading
from medzh_score.extraction.engine import CONCLUDED, ENDS, LABELLED, MENTIONED, Candidate, clause, resolve, scan
from medzh_score.extraction.normalize import prepare
from medzh_score.extraction.patterns import over_signs
from medzh_score.extraction.vocabulary import lexicon_of

if TYPE_CHECKING:
    from collections.abc import Iterator

    from medzh_score.extraction.engine import Scan

YES, NO = "YyCpeBIG", "MmLqrNb"
SPOKEN = "ympq"  # what may be said to an asker
_BARE = r"(?P<v>[YMCLympq])"
# What may stand behind an answer, where it is not the beginning of something else.
_END = r"(?=o(?![YMymo]|\Z)|[ac]*(?:[SnDX]|:?\Z))"


LABELLED_ANSWER = over_signs("yes or no labelled", rf"[KU][aI:ocYg]{{0,6}}?{_BARE}{_END}", "K:YS", "K:Y_")
UNSURE = over_signs("no conclusion", r"(?:K[aI:oc]{0,3}H|(?<=[Sn])H[CL])[ac]*(?=[Sn]|\Z)", "K:H", "KH_")
OPENING = over_signs("yes or no at the beginning", rf"\A[anoc:KTDg]*{_BARE}{_END}", "YD_", "Y_")
LINE = over_signs("yes or no in a line", r"(?<=[nSD])[aoc]{0,24}(?P<v>[YMCLympq])(?=[ac]*(?:[Sn]|\Z))", "_nYS", "_nY_")
ASKED = over_signs("question answered", rf"(?:w[^SnDQ]{{0,24}}[:n]|Q)[anocD:KU]{{0,24}}{_BARE}{_END}", "w_:YS", "w_Y_")
STATED = over_signs(
    "misinformation stated",
    r"(?:(?P<v>[YCLMINpmq])[aYCIp]{0,24}G|(?P<b>[Bb]))[aGdWcoCTYg]{0,24}(?=[SnDX]|:(?![YM])|\Z)",
    "TLaGS",
    "TGS",
)
JUDGED = over_signs("answer judged", r"[TK][aocTIYNg]{0,24}(?P<v>[re])(?=[ac]*(?:[SnDXV:]|\Z))", "TIeS", "TIe_")
FOLLOWED = over_signs(
    "answer explained", r"[YMCL][ac]*[SDno]+[aITYCgNp]{0,24}(?P<v>[reGB])(?=[ac]*(?:[SnDXV]|\Z))", "YSIrS", "YS_r"
)
CORRECTED = over_signs("yes or no corrected", rf"R[aDIK:ocU]{{0,24}}{_BARE}{_END}", "R:MS", "R_M")
FIELD = over_signs("yes or no field", r"(?:(?<=[nD])|\A)[aCIT]{0,8}G[aG]{0,6}:(?P<v>[YM])(?=[nD]|\Z)", "CG:Yn", "_G:Yn")
SENTENCE = over_signs("sentence", r"[^SnQ]+", "_S", "S")
MODAL = over_signs("modal", r"(?P<v>[CLpqm])", "_p_", "_Y_")
DENIED = over_signs("denied in a sentence", r"\A[^CLpqmwFHVPT]*(?P<v>[Lqm])[^wHVPT]*\Z", "_q_", "_p_q_")
THIS_HAS = over_signs("this has", r"\A[aUD]*g[^CLpqmwFHVPTDN]*(?P<v>C)[^wHVPTLqmN]*\Z", "g_C_", "_C_")
# An answer and a statement that contradict each other leave nothing; to a general question the answer goes first, and
# that another's answer is right or wrong says nothing.
BARE = (LABELLED_ANSWER, OPENING, LINE, ASKED, CORRECTED, FIELD)
STRENGTHS = tuple((one, CONCLUDED) for one in (*BARE, STATED, JUDGED, FOLLOWED))
SPOKEN_STRENGTHS = (*((one, LABELLED) for one in BARE), (STATED, CONCLUDED))


def read_yes_no(text: str, spoken: bool = False) -> Reading:  # noqa: FBT001, FBT002 - said by name
    """Read whether a response answers with yes or with no.

    Parameters
    ----------
    text : str
        The response, as it came.
    spoken : bool
        Whether what may be said to an asker, such as 是的, 不会 or 可以, is an answer, as to a general question. Where
        it is asked whether another's answer misleads, it is none: it may be said to the patient.

    Returns
    -------
    Reading
        ``"yes"`` or ``"no"``.

    Examples
    --------
    >>> read_yes_no("医生的回答不包含误导性信息。").value
    'no'
    >>> read_yes_no("不会，请放心。").value, read_yes_no("不会，请放心。", spoken=True).value
    (None, 'no')
    """
    prepared = prepare(text)
    if prepared.lacks:
        return Reading(None, prepared.lacks)
    found = scan(prepared, lexicon_of("yes_no"))
    candidates = list(_answers(found, spoken=spoken))
    candidates += _claims(found) if spoken else _nods(found) if candidates else ()
    if candidates and UNSURE.pattern.search(found.signs):
        return Reading(None, "hedge")
    return resolve(found, candidates, guarded=_doubt, within=ENDS)


def _answers(found: Scan, *, spoken: bool) -> Iterator[Candidate]:
    signs = found.signs
    for one, strength in SPOKEN_STRENGTHS if spoken else STRENGTHS:
        for match in one.pattern.finditer(signs):
            name = next(name for name, of in match.groupdict().items() if of)
            sign, at, first = match[name], match.start(name), match.start()
            if sign in SPOKEN and not spoken and one is not STATED:
                continue
            clause_before = set(signs[clause(signs, first, first)[0] : first])
            if (one is STATED and sign in YES and not clause_before.isdisjoint("LNq")) or (
                one is LABELLED_ANSWER and not clause_before.isdisjoint("CLG")
            ):
                continue  # nothing is untrue; what to answer with, said again
            turned = one in (JUDGED, FOLLOWED) and signs.count("N", first, at) % 2
            yield Candidate("yes" if (sign in YES) != turned else "no", strength, one.name, first, at)


def _nods(found: Scan) -> Iterator[Candidate]:
    """Take a nod to whoever asked: by itself it says nothing of an answer that is judged, but it may contradict."""
    if (match := OPENING.pattern.match(found.signs)) and match["v"] in "ym":
        yield Candidate("yes" if match["v"] in YES else "no", CONCLUDED, "nod", match.start(), match.start("v"))


def _claims(found: Scan) -> Iterator[Candidate]:
    """Take what the first sentence says cannot be or is not, or that this has."""
    signs = found.signs
    for match in SENTENCE.pattern.finditer(signs):
        if signs[match.end() : match.end() + 1] == "n" and not MODAL.pattern.search(match[0]):
            continue  # a heading
        claim = DENIED.pattern.match(match[0]) or THIS_HAS.pattern.match(match[0])
        if claim and signs[match.end() : match.end() + 1] != "Q":
            at = match.start() + claim.start("v")
            yield Candidate("yes" if claim["v"] in YES else "no", MENTIONED, "first sentence", at, at)
        return


def _doubt(signs: str, one: Candidate) -> str:
    """Say why an answer does not count: doubt or a question in its clause, a supposition in its sentence."""
    begin, end = clause(signs, one.first, one.last)
    before = signs[begin : one.last]
    if "H" in before or "E" in before:
        return "hedge" if "H" in before else "example"
    if "P" in before or signs[one.last + 1 : one.last + 3].rstrip("a") in ("DP", "P"):
        return "somebody else's"
    if "w" in signs[begin : one.first] or "Q" in signs[one.last : end]:
        return "asked"
    if one.why == LABELLED_ANSWER.name and signs[one.first - 1 : one.first] == "o" and "_" in signs[begin : one.first]:
        return "quoted"
    sentence = signs[clause(signs, one.first, one.first, ENDS)[0] : one.last]
    if sentence.rfind("F") > max(sentence.rfind("U"), sentence.rfind("V")):
        return "supposed"
    return ""
