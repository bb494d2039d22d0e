"""Yes or no: which of the two a response answers its question with."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING

from medzh_score.benchmark.answers import Reading
from medzh_score.extraction.engine import CONCLUDED, ENDS, LABELLED, MENTIONED, Candidate, clause, resolve, scan
from medzh_score.extraction.normalize import prepare
from medzh_score.extraction.repeated import ADVERBS, AMOUNTS, DENIAL, MARKS, SOME, parts, read_repeated, stated
from medzh_score.extraction.vocabulary import expression, lexicon_of, over_signs, phrases

if TYPE_CHECKING:
    from collections.abc import Iterator

    from medzh_score.extraction.engine import Scan

YES, NO = "YyCpeBIG", "MmLqrNb"
MODAL = frozenset("CLpqm")
CLAIMS = MODAL | frozenset("wFHPTZ")
SPOKEN = "ympq"  # what may be said to an asker
_BARE = r"(?P<v>[YMCLympq])"
# What may stand behind an answer, where it is not the beginning of something else.
_END = r"(?=o(?![YMymo]|\Z)|[ac]*(?:[SnDX]|:?\Z))"
LABELLED_ANSWER = over_signs("yes or no labelled", rf"[KU][aI:ocYg]{{0,6}}?{_BARE}(?:(?=:p)|{_END})", "K:YS", "K:Y_")
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
DENIED = over_signs("denied in a sentence", r"\A[^CLpqmwFHVPTZ]*(?P<v>[Lqm])[^wHVPT]*\Z", "_q_", "_p_q_")
HAS = over_signs(
    "this has, or what has no subject",
    r"\A(?:[aUD]*g[^CLpqmwFHVPTDN]*(?=C)|[aoc]*(?=[Cp][^CFZEDQ:]*\Z))(?P<v>[Cp])[^wHVPTLqmN]*\Z",
    "g_C_",
    "_C_",
)
# An answer and a statement that contradict each other leave nothing; to a general question the answer goes first, and
# that another's answer is right or wrong says nothing.
BARE = (LABELLED_ANSWER, OPENING, LINE, ASKED, CORRECTED, FIELD)
STRENGTHS = tuple((one, CONCLUDED) for one in (*BARE, STATED, JUDGED, FOLLOWED))
SPOKEN_STRENGTHS = (*((one, LABELLED) for one in BARE), (STATED, CONCLUDED))
OPEN = expression("open denial", "|".join(phrases("yes_no", "open")), matches="未必会癌变", misses="未必意味着癌变")
REPEATABLE = frozenset({"nothing", "hedge", "asked", "refusal", "first sentence"})  # what says less than a repetition
PHRASES = ("advice", "aside", "at_ease", "beside", "narrower", "polite", "some_of", "stressed", "those")
ADVICE, ASIDE, AT_EASE, BESIDE, NARROWER, POLITE, SOME_OF, STRESSED, THOSE = (
    phrases("yes_no", kind) for kind in PHRASES
)
PIECE = 8  # characters of what is denied in which an attribute may stand
BEGINNING, ENDING = 100, 200  # characters of a question that are looked at


def read_yes_no(text: str, question: str | None = None, spoken: bool = False) -> Reading:  # noqa: FBT001, FBT002 - said by name
    """Read whether a response answers with yes or with no.

    Parameters
    ----------
    text : str
        The response, as it came.
    question : str, optional
        The question: its predicate repeated, with or without denial, is an answer.
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
    >>> read_yes_no("该药可以用于止吐。", "该药可以用于止吐吗？", spoken=True).value
    'yes'
    """
    prepared = prepare(text)
    if prepared.lacks:
        return Reading(None, prepared.lacks)
    found = scan(prepared, lexicon_of("yes_no"))
    asked, of_misleading = _asked(question) if question else ("", True)
    candidates = list(_answers(found, spoken=spoken))
    if spoken and not of_misleading:
        candidates = [one for one in candidates if one.reason != STATED.name]  # it asks of something else
    candidates += _claims(found, asked) if spoken else _nods(found) if candidates else ()
    if candidates and UNSURE.pattern.search(found.signs):
        return Reading(None, "hedge")
    reading = resolve(found, candidates, guarded=_doubt, within=ENDS)
    if asked and spoken and reading.reason in REPEATABLE and (repeated := read_repeated(prepared, asked)):
        return repeated
    return reading


@lru_cache(maxsize=1024)
def _asked(question: str) -> tuple[str, bool]:
    """Prepare how a question begins and ends, and say whether it asks of what misleads."""
    prepared = prepare(question if len(question) <= ENDING else f"{question[:BEGINNING]}\n{question[-ENDING:]}")
    return prepared.folded, not {"G", "B", "b"}.isdisjoint(scan(prepared, lexicon_of("yes_no")).signs)


def _answers(found: Scan, *, spoken: bool) -> Iterator[Candidate]:
    signs = found.signs
    for one, strength in SPOKEN_STRENGTHS if spoken else STRENGTHS:
        for match in one.pattern.finditer(signs):
            name = next(name for name, of in match.groupdict().items() if of)
            sign, at, first = match[name], match.start(name), match.start()
            if sign in SPOKEN and one is not STATED and not (spoken and "T" not in signs[first:at]):
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


def _claims(found: Scan, asked: str) -> Iterator[Candidate]:
    """Take what the first sentence that is more than polite, or the last where it concludes, says is not or cannot be.

    Of the first also that this has something.
    """
    signs, text = found.signs, found.prepared.folded
    sentences = [(begin, end) for begin, end in parts(signs, ENDS) if begin < end]
    for begin, end in sentences:
        said, ended = text[found.starts[begin] : found.ends[end - 1]], signs[end : end + 1]
        polite = said.startswith(AT_EASE) or any(word in said for word in POLITE)
        if polite or (ended == "n" and MODAL.isdisjoint(signs[begin:end])):
            continue  # a heading, if it is not polite
        if ended != "Q":
            yield from _claim(found, begin, end, asked)
        if (begin, end) != sentences[-1] and signs[sentences[-1][0]] == "U":
            yield from _claim(found, *sentences[-1], asked, concludes=True)
        return


def _claim(found: Scan, begin: int, end: int, asked: str, *, concludes: bool = False) -> Iterator[Candidate]:
    """Take what a sentence says, up to the reason it gives; behind what it concedes only what is denied with stress."""
    signs, text = found.signs, found.prepared.folded
    reason, turn = signs.find("DX", begin, end), signs.find("DV", begin, end)
    stop = reason if reason > begin else end
    said = text[found.starts[begin] : found.ends[stop - 1]]
    conceded = bool(asked) and turn > 0 and "V" in signs[begin:turn] and CLAIMS.isdisjoint(signs[begin:turn])
    stressed = concludes or conceded
    begin = turn + 2 if conceded and turn + 2 < stop else begin
    sentence = signs[begin:stop]
    claim = DENIED.pattern.match(sentence) or (None if stressed else HAS.pattern.match(sentence))
    if not claim or any((left["all"] or left[0]) not in asked for left in OPEN.pattern.finditer(said)):
        return
    at, yes = begin + claim.start("v"), claim["v"] in YES
    if (yes and "g" not in sentence and _aside(said, asked)) or _within_subject(found, at):
        return
    of_itself = text[: found.starts[at]].endswith(("我", "我还", "我们"))
    of_part = asked and _of_part(said.partition(",")[0], asked)
    denied = "" if yes else text[found.ends[at] : found.ends[end - 1]].strip("的了呢,")
    of_the_same = not asked or _of_the_same(denied if len(denied) > 1 else said, asked)
    behind = text[found.ends[at] : found.ends[stop - 1]].partition(",")[0]
    some = (
        *(word for word in NARROWER if denied.startswith(word)),
        *(word for word in SOME_OF if word in said),
        *(word for word in THOSE if word in behind),
    )
    narrower = any(word not in asked for word in some) or _of_kind(denied, asked)
    beside = any(word in denied[:PIECE] for word in BESIDE) or DENIAL.pattern.search(denied)
    plain = not stressed or (found.text(at) in STRESSED and not beside)
    if plain and of_the_same and not (of_itself or of_part or narrower):
        yield Candidate("yes" if yes else "no", MENTIONED, "first sentence", at, at)


def _aside(said: str, asked: str) -> bool:
    """Say whether a sentence without a subject, which is else the question's, advises or says more than is asked."""
    more = bool(asked) and not set(said.partition(",")[0].translate(MARKS)) <= {*asked, *ADVERBS, *AMOUNTS, *SOME}
    return more or said.startswith(ADVICE) or any(word in said for word in ASIDE)


def _within_subject(found: Scan, at: int) -> bool:
    """Say whether a denial is in what is spoken of, as in 不发热的肺炎需要治疗 or 不治疗会失明, or is denied itself."""
    signs, end = found.signs, clause(found.signs, at, at)[1]
    verb = next((place for place in range(at + 1, end) if signs[place] in MODAL), at)
    between = found.prepared.folded[found.ends[at] : found.starts[verb]]
    supposes = verb > at and signs[at] != "q" and found.text(verb) in {"会", "可以"}
    return "的" in between or supposes or (verb == at + 1 and signs[verb] in "Lqm")


def _of_part(said: str, asked: str) -> bool:
    """Say whether a denial is denied itself, or is of a part of those that the question is about."""
    denials = [match for match in DENIAL.pattern.finditer(said) if match[0] not in stated(asked)]
    subject = said[: denials[0].start()] if denials else ""
    return len(denials) > 1 or ("的" in subject and subject[: subject.rfind("的") + 1] not in asked)


def _of_kind(denied: str, asked: str) -> bool:
    """Say whether what is denied is of a kind of what is asked, as 吃生的螃蟹 is of 吃螃蟹."""
    ends = (at for at in range(2, min(len(denied), PIECE)) if denied[0] + denied[at : at + 2] in asked)
    return any(not set(denied[1:at]) <= {*asked, *ADVERBS, *AMOUNTS, *SOME} for at in ends)


def _of_the_same(said: str, asked: str) -> bool:
    return any(asked[at : at + 2] in said for at in range(len(asked) - 2) if asked[at : at + 2].isalnum())


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
    if (
        one.reason == LABELLED_ANSWER.name
        and signs[one.first - 1 : one.first] == "o"
        and "_" in signs[begin : one.first]
    ):
        return "quoted"
    sentence = signs[clause(signs, one.first, one.first, ENDS)[0] : one.last]
    if sentence.rfind("F") > max(sentence.rfind("DU"), sentence.rfind("DV")):
        return "supposed"
    return ""
