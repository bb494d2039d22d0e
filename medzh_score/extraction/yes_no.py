"""Yes or no: which of the two a response answers its question with."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING

from medzh_score.benchmark.answers import Reading
from medzh_score.extraction.engine import CONCLUDED, ENDS, LABELLED, MENTIONED, Candidate, clause, resolve, scan
from medzh_score.extraction.normalize import prepare
from medzh_score.extraction.vocabulary import expression, lexicon_of, over_signs

if TYPE_CHECKING:
    import re
    from collections.abc import Iterator

    from medzh_score.extraction.engine import Scan
    from medzh_score.extraction.normalize import Prepared

YES, NO = "YyCpeBIG", "MmLqrNb"
MODAL = "CLpqm"
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


PREDICATE = expression(
    "predicate of a question",
    r"(?P<only>[只仅]?)(?P<verb>可以|能够|能|会|需要|应该|应当|有必要|属于|是|算|具有|含有|包含|存在|有|为|体现了?|导致|影响|位于"
    r"|符合|回到)(?P<rest>[^,。;?是吗\n]{2,40}?)(?:的?吗|么)?[?。\s]*\Z",
    matches="该药可以用于止吐吗?",
    misses="该药可以吗?",
)
FORM = expression(
    "question by its verb",
    r"(?:能否|能不能|(?P<may>可否|可不可以)|(?P<will>会否|会不会)|(?P<has>有没有|有无)|(?P<is>是否|是不是))"
    r"(?P<rest>[^,。;?\n]{2,40}?)(?=以及|并且|[,。;?\n]|\Z)",
    matches="是否符合要求?",
    misses="符合要求吗?",
)
FORM_VERBS = {"may": "可以", "will": "会", "has": "有", "is": ""}
DENIAL = expression(
    "denial", r"不(?!同|仅|但|论|断|良|适|少)|没有?|无(?![论痛菌创糖机疑])|未|非(?!常)", matches="不会", misses="不同"
)
UNSAID = expression(
    "clause that says nothing",
    r"如果|若|假如|要是|只要|除非|是否|能否|有无|有没有|[能会]不[能会]|可不可以|是不是|可能|也许|或许|一定|不完全|所有|虽然|尽管"
    r"|即使|有人|同事|网上|网传|认为|以为|据说|问到|想知道|问题|但|不过|的人|最好|之前|之后|以后|时候",
    matches="如果可以",
    misses="可以",
)
OPEN = expression(
    "denial that leaves the question open",
    r"(?:不一定|未必)(?=[^,]{0,2}(?:会|能|可|需|要|应|符合|有|存在))|尚未(?:发现|证实|明确|确定)|看不出"
    r"|没有?人[^,]{0,3}(?:保证|知道|确定|敢)|(?:不是|并非)(?P<all>所有|全部|任何|每)|(?<!本)就[不没无]"
    r"|(?:没有?|不|无)[^,不没无]{1,12}也(?:会|能|可|需|应|要)",
    matches="不一定会癌变",
    misses="不一定意味着癌变",
)
# With these a sentence without a subject may advise, or say what comes of something.
ADVICE = ("需要", "应该", "应当", "可以", "适合", "将会", "会导致")
ASIDE = (
    *("的是", "的有", "以下", "如下", "考虑", "注意", "理解", "参考", "结合", "根据", "看", "说", "分析"),
    *("争议", "不同", "咨询", "明确", "指出", "先", "请", "您", "你", "我"),
)
# Verbs that say the same; the last ones deny it.
ALIKE = (
    ("可以", "能够", "能", "无法"),
    ("应该", "应当"),
    ("属于", "是", "算", "为", "并非"),
    ("具有", "存在", "有", "含有", "包含", "含", "无"),
)
REPEATABLE = frozenset({"nothing", "hedge", "refusal", "first sentence"})  # what says less than the question repeated
DEPENDS = ("取决于", "因人而异", "视情况", "一般不")
ASKING = frozenset({"是否", "能否", "有无", "有没有", "能不能", "会不会", "可不可以", "是不是", "问题"})
REPEATED = "question repeated"
# Characters of what may stand before a predicate that is repeated, in addition to those of the question.
ADVERBS = (
    "因此所以综上总之其实实际上确实的确当然完全通常根据可见显然同样目前现在直接理论原则本身"
    "并也还都均就则仍然是这该此它他她您你我们个种两与和上中里不没无未非疑被回答案结论说明"
)
MARKS = {ord(sign): None for sign in " *#_:\"'“”<>()[]-、0123456789.\t"}
SUPPOSED = ("如果", "若", "假如", "要是", "除非", "只要", "除外", "的话")
CASES = ("时", "时候", "情况下", "条件下", "期间", "的", "者")  # how a clause ends that says of which case the next is
MODALS = frozenset({"可以", "能够", "能", "会", "需要", "应该", "应当", "有必要"})
OPENING_LENGTH = 20  # characters in which a bare denial is about the question
BEGINNING, ENDING, FROM_END = 100, 200, 60  # characters of a question that are looked at, and of its predicate
LONGEST_BEFORE = 300  # characters of a sentence before a clause: else time would grow with the square of a text
STATEMENT_LENGTH = 4  # characters of a question that is no more than a word
POLITE = ("不客气", "不用谢", "久等", "不好意思")
AT_EASE = ("没事,", "没事的,", "没问题,", "没关系,", "没什么问题,", "没什么关系,", "没什么,")
# Characters by which what has no subject, or stands behind a repeated verb, may differ from what is asked; of what is
# denied the last ones may be a part.
AMOUNTS, SOME = "一定些的之个种了有较轻微明显极很给到去来", "多少量"


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
    if asked and spoken and reading.reason in REPEATABLE and (repeated := _repeated(prepared, asked)):
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


def _claims(found: Scan, asked: str) -> Iterator[Candidate]:
    """Take what the first sentence that is more than polite says cannot be or is not, or that this has."""
    signs, text = found.signs, found.prepared.folded
    for begin, end in _parts(signs, ENDS):
        sentence, ended = signs[begin:end], signs[end : end + 1]
        said = text[found.starts[begin] : found.ends[end - 1]] if sentence else ""
        polite = said.startswith(AT_EASE) or any(word in said for word in POLITE)
        if not said or polite or (ended == "n" and set(sentence).isdisjoint(MODAL)):
            continue  # a heading, if it is not polite
        if any((left["all"] or left[0]) not in asked for left in OPEN.pattern.finditer(said)):
            return
        claim = DENIED.pattern.match(sentence) or HAS.pattern.match(sentence)
        if claim and ended != "Q" and not (claim["v"] in YES and "g" not in sentence and _aside(said, asked)):
            at = begin + claim.start("v")
            of_itself = text[: found.starts[at]].endswith(("我", "我还", "我们"))
            of_part = asked and _of_part(said.partition(",")[0], asked)
            denied = "" if claim["v"] in YES else text[found.ends[at] : found.ends[end - 1]].strip("的了呢,")
            of_the_same = not asked or _of_the_same(denied if len(denied) > 1 else said, asked) or "此列" in denied
            if not (of_itself or of_part or _within_subject(found, at)) and of_the_same:
                yield Candidate("yes" if claim["v"] in YES else "no", MENTIONED, "first sentence", at, at)
        return


def _aside(said: str, asked: str) -> bool:
    """Say whether a sentence without a subject, which is else the question's, advises or says more than is asked."""
    more = bool(asked) and not set(said.partition(",")[0].translate(MARKS)) <= {*asked, *ADVERBS, *AMOUNTS, *SOME}
    return more or said.startswith(ADVICE) or any(word in said for word in ASIDE)


def _within_subject(found: Scan, at: int) -> bool:
    """Say whether a denial is in what is spoken of, as in 不发热的肺炎需要治疗, or is denied itself."""
    end = clause(found.signs, at, at)[1]
    verb = next((place for place in range(at + 1, end) if found.signs[place] in MODAL), None)
    if verb is None:
        return False
    between = found.prepared.folded[found.ends[at] : found.starts[verb]]
    return "的" in between or (verb == at + 1 and found.signs[verb] in "Lqm")


def _of_part(said: str, asked: str) -> bool:
    """Say whether a denial is denied itself, or is of a part of those that the question is about."""
    denials = [match for match in DENIAL.pattern.finditer(said) if match[0] not in _stated(asked)]
    subject = said[: denials[0].start()] if denials else ""
    return len(denials) > 1 or ("的" in subject and subject[: subject.rfind("的") + 1] not in asked)


def _stated(asked: str) -> str:
    """Give a question as a statement: 能不能 as 能, 有无 as 有."""
    for form in ASKING:
        asked = asked.replace(form, form[0])
    return asked


def _of_the_same(said: str, asked: str) -> bool:
    return any(asked[at : at + 2] in said for at in range(len(asked) - 2) if asked[at : at + 2].isalnum())


def _predicate(asked: str) -> re.Match[str] | None:
    """Find the predicate of a question: its last modal, else verb, before 吗, or what stands behind 是否 or so."""
    end = asked.rfind("吗") + 1
    if not end and (forms := list(FORM.pattern.finditer(asked))):
        verb = next((verb for name, verb in FORM_VERBS.items() if forms[-1][name]), "能")
        return PREDICATE.pattern.match(verb + forms[-1]["rest"])
    end = end or len(asked)
    found, at = [], max(0, end - FROM_END)
    while match := PREDICATE.pattern.search(asked, at, end):
        found.append(match)
        at = match.end("verb")
    modal = [match for match in found if match["verb"] in MODALS]
    return modal[-1] if modal else found[-1] if found else None


def _parts(text: str, ends: str = ",。;!?\n") -> Iterator[tuple[int, int]]:
    """Give the clauses of a text, one that asks with its question mark; or what else stands between some ends."""
    start = 0
    for at, sign in enumerate(text):
        if sign in ends:
            yield start, at + (sign == "?")
            start = at + 1
    yield start, len(text)


def _repeated(prepared: Prepared, asked: str) -> Reading | None:
    """Read the predicate of a question where the answer repeats it whole, denied or not; all clauses must agree."""
    if any(word in prepared.folded for word in DEPENDS):
        return None
    predicate = _predicate(asked)
    if not predicate or DENIAL.pattern.search(predicate[0]):
        return _statement_repeated(prepared, asked)
    verb, rest = predicate["verb"], predicate["rest"]
    alike = next((group for group in ALIKE if verb in group), (verb,))
    tails = [rest[at:] for at in range(len(rest)) if len(rest) - at >= max(2, 0.6 * len(rest))]
    places, values = [], set()
    for began, end in _parts(prepared.folded):
        start = end - len(prepared.folded[began:end].removeprefix("但是").removeprefix("但"))
        said = prepared.folded[start:end]
        bare = said.endswith(tuple(f"不{one}" for one in alike))
        if bare and start < OPENING_LENGTH and not UNSAID.pattern.search(said):
            places.append(prepared.span(start, end))
            values.add("no")
            continue
        at, length = next(((place, len(tail)) for tail in tails if (place := said.rfind(tail)) >= 0), (-1, 0))
        ends = {one: said.rfind(one, 0, max(at, 0)) + len(one) for one in alike if one in said[: max(at, 0)]}
        begin = min((end - len(one) for one, end in ends.items() if end == max(ends.values())), default=-1)
        unsaid = any(match[0] not in asked or match[0] in ASKING for match in UNSAID.pattern.finditer(said))
        if at < 0 or begin < 0 or unsaid or said.endswith(("?", "吗")):
            continue
        if predicate["only"] and said[max(0, begin - 1) : begin] not in {"只", "仅"}:
            continue
        before, after = said[:begin], said[at + length :]
        denials = len(DENIAL.pattern.findall(said[max(0, begin - 3) : at]))
        denials += sum(match not in _stated(asked) for match in DENIAL.pattern.findall(said[: max(0, begin - 3)]))
        # It may be said of something narrower, by somebody else, under a condition, or as a part of something else.
        own = set(before.translate(MARKS)).difference(asked, ADVERBS)
        between = said[max(ends.values()) : at].translate(MARKS)
        if denials or length < len(rest):  # a kind of what is asked is that
            own |= set(between).difference(asked, ADVERBS, AMOUNTS, "" if denials else SOME)
        part = after[:1] in {"的", "时", "才"} or DENIAL.pattern.search(after) or _supposed(prepared, asked, start)
        if own or denials > 1 or part:
            continue
        places.append(prepared.span(start + begin, end))
        values.add("no" if denials else "yes")
    if len(values) != 1:
        return None
    return Reading(values.pop(), REPEATED, (places[0],))


def _statement_repeated(prepared: Prepared, asked: str) -> Reading | None:
    """Read a question whose verb is none of ours where a clause of the answer is, or ends with, what it asks."""
    before, asks, _ = asked.rpartition("吗")
    statement = before[max(before.rfind(sign) for sign in ",。;:?!\n") + 1 :].removeprefix("请问")
    if not asks or len(statement) < STATEMENT_LENGTH or DENIAL.pattern.search(statement):
        return None
    for start, end in _parts(prepared.folded):
        said = prepared.folded[start:end]
        own = set(said[: -len(statement)].translate(MARKS)).difference(asked, ADVERBS)
        unsaid = own or UNSAID.pattern.search(said) or DENIAL.pattern.search(said) or _supposed(prepared, asked, start)
        if said.endswith(statement) and not unsaid:
            return Reading("yes", REPEATED, (prepared.span(start, end),))
    return None


def _supposed(prepared: Prepared, asked: str, start: int) -> bool:
    """Say whether a supposition stands in the sentence before a place, or a case that is not the question's."""
    near = prepared.folded[max(0, start - LONGEST_BEFORE) : start]
    sentence = near[max(near.rfind(sign) for sign in "。!?\n") + 1 :]
    cases = [clause for clause in sentence.split(",") if clause.endswith(CASES)]
    narrower = any(set(clause.translate(MARKS)).difference(asked, ADVERBS, "期间时候情况下的者") for clause in cases)
    return narrower or any(word in sentence for word in SUPPOSED)


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
    if sentence.rfind("F") > max(sentence.rfind("U"), sentence.rfind("V")):
        return "supposed"
    return ""
