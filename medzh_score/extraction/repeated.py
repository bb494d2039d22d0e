"""A question repeated: its predicate, with or without denial, in the clauses of a response."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from medzh_score.benchmark.answers import Reading
from medzh_score.extraction.vocabulary import expression, phrases

if TYPE_CHECKING:
    import re
    from collections.abc import Iterator

    from medzh_score.extraction.normalize import Prepared

PREDICATE = expression(
    "predicate of a question",
    r"(?P<only>[只仅]?)(?P<verb>可以|能够|能|会|需要|应该|应当|有必要|属于|是|算|具有|含有|包含|存在|有|为|体现了?|导致|影响|位于"
    r"|符合|回到)(?P<rest>[^,。;?是吗\n]{2,40}?|(?<=有)[害益毒用效])(?:的?吗|么)?[?。\s]*\Z",
    matches="该药可以用于止吐吗?",
    misses="该药可以吗?",
)
FORM = expression(
    "question by its verb",
    r"(?:能否|能不能|(?P<may>可否|可不可以)|(?P<will>会否|会不会)|(?P<has>有没有|有无)|(?P<is>是否|是不是))"
    r"(?P<rest>[^,。;:?\n]{2,40}?)(?=以及|并且|[,。;:?\n]|\Z)",
    matches="是否符合要求?",
    misses="符合要求吗?",
)
NOT_ALL = expression(
    "denied of all",
    r"(?:不是|并非|不[会能]|不意味着|不代表)[^,?]{0,12}?(?:所有|全部|一切)的?(?P<noun>[^,?]{2})[^?吗]*\Z",
    matches="并不是所有的杂音都要治疗",
    misses="所有的杂音都不要治疗",
)
FORM_VERBS = {"may": "可以", "will": "会", "has": "有", "is": ""}
DENIAL = expression(
    "denial", r"不(?!同|仅|但|论|断|良|适|少)|没有?|无(?![论痛菌创糖机疑])|未|非(?!常)", matches="不会", misses="不同"
)
UNSAID = expression(
    "clause that says nothing", "|".join(phrases("yes_no", "unsaid")), matches="如果可以", misses="可以"
)
# Verbs that say the same; the last ones deny it.
ALIKE = (
    ("可以", "能够", "能", "可", "无法"),
    ("需要", "需", "必须", "有必要"),
    ("应该", "应当"),
    ("属于", "是", "算", "为", "并非"),
    ("具有", "存在", "有", "含有", "包含", "含", "无"),
)
DEPENDS, ASKING, UNTRUE = (phrases("yes_no", kind) for kind in ("depends", "asking", "untrue"))
SUPPOSED, CASES, CONCLUDES = phrases("yes_no", "supposed"), phrases("yes_no", "cases"), phrases("yes_no", "concludes")
# Two denials affirm; in place of each what is said, with signs that say nothing, so that places stay.
AFFIRMED = {"并不是没有": "****有", "不是没有": "***有", "并非没有": "***有", "不能不": "*必须", "不得不": "*必须"}
ALL_OF = ("所有", "全部", "一切", "都", "每", "总")
REPEATED = "question repeated"
# Characters of what may stand before a predicate that is repeated, in addition to those of the question.
ADVERBS = (
    "因此所以综上总之其实实际上确实的确当然完全通常根据可见显然同样目前现在直接理论原则本身"
    "并也还都均就则仍然是这该此它他她您你我们个种两与和上中里不没无未非疑被回答案结论说明法"
)
MARKS = {ord(sign): None for sign in " *#_:\"'“”<>()[]-、0123456789.\t"}
MODALS = frozenset({"可以", "能够", "能", "会", "需要", "应该", "应当", "有必要"})
OPENING_LENGTH = 20  # characters in which a bare denial is about the question
FROM_END = 60  # characters of a question in which its predicate stands
STATEMENT_LENGTH = 4  # characters of a question that is no more than a word
LONGEST_BEFORE = 300  # characters of a sentence before a clause: else time would grow with the square of a text
# Characters by which what has no subject, or stands behind a repeated verb, may differ from what is asked; of what is
# denied the last ones may be a part.
AMOUNTS, SOME = "一定些的之个种了有较轻微明显极很给到去来", "多少量"


def read_repeated(prepared: Prepared, asked: str) -> Reading | None:
    """Read the predicate of a question where the answer repeats it whole, denied or not; all clauses must agree."""
    text = prepared.folded
    if any(word in text for word in DEPENDS):
        return None
    if any(word in asked for word in ALL_OF) and (of_all := _denied_of_all(text, asked)):
        return Reading("no", REPEATED, (prepared.span(*of_all),))
    predicate, untrue = _predicate(asked), any(word in text for word in UNTRUE)
    if not predicate or DENIAL.pattern.search(predicate[0]):
        stated_at = None if untrue else _statement(text, asked)
        return Reading("yes", REPEATED, (prepared.span(*stated_at),)) if stated_at else None
    for twice, once in AFFIRMED.items():
        text = text.replace(twice, once)
    rest = predicate["rest"]
    least = rest[-max(min(2, len(rest)), -(-6 * len(rest) // 10)) :]  # the end of it is repeated, or a denial alone
    clauses = [place for place in parts(text) if least in text[slice(*place)] or "不" in text[slice(*place)]]
    found = [one for start, end in clauses if (one := _in_clause(text, start, end, asked, predicate))]
    if len({one.value for one in found}) != 1 or (untrue and found[0].value == "yes"):
        return None
    return Reading(found[0].value, REPEATED, (prepared.span(found[0].start, found[0].end),))


class Repeated(NamedTuple):
    """A predicate that a clause repeats, and where."""

    value: str
    start: int
    end: int


def _in_clause(text: str, start: int, end: int, asked: str, predicate: re.Match[str]) -> Repeated | None:
    """Find the predicate in a clause that says it of what is asked, and of nothing narrower."""
    verb, rest = predicate["verb"], predicate["rest"]
    start = end - len(text[start:end].removeprefix("但是").removeprefix("但"))
    label = text[start:end].rpartition(":")[0]
    if (
        label.endswith(CONCLUDES)
        and "错" not in label
        and not (DENIAL.pattern.search(label) or UNSAID.pattern.search(label))
    ):
        start += len(label) + 1
    said, alike = text[start:end], next((group for group in ALIKE if verb in group), (verb,))
    if said.endswith(tuple(f"不{one}" for one in alike)) and start < OPENING_LENGTH and not UNSAID.pattern.search(said):
        return Repeated("no", start, end)
    tails = [rest[at:] for at in range(len(rest)) if len(rest) - at >= max(min(2, len(rest)), 0.6 * len(rest))]
    at, length = next(((place, len(tail)) for tail in tails if (place := said.rfind(tail)) >= 0), (0, 0))
    ends = {one: said.rfind(one, 0, at) + len(one) for one in alike if one in said[:at]}
    unsaid = any(match[0] not in asked or match[0] in ASKING for match in UNSAID.pattern.finditer(said))
    if not ends or unsaid or said.endswith(("?", "吗")):
        return None
    begin, last = min(last - len(one) for one, last in ends.items() if last == max(ends.values())), max(ends.values())
    if predicate["only"] and said[max(0, begin - 1) : begin] not in {"只", "仅"}:
        return None
    denials = len(DENIAL.pattern.findall(said[max(0, begin - 3) : at]))
    denials += sum(match not in stated(asked) for match in DENIAL.pattern.findall(said[: max(0, begin - 3)]))
    between, after = said[last:at].translate(MARKS), said[at + length :]
    own = set(said[:begin].translate(MARKS)).difference(asked, ADVERBS)
    if denials or length < len(rest) or "*" in said:  # a kind of what is asked is that
        own |= set(between).difference(asked, ADVERBS, AMOUNTS, "" if denials else SOME)
    is_so = after == "的" and "是" in said[max(0, begin - 3) : begin]  # 是有毒的, but not 有毒的蘑菇
    part = (after[:1] in {"的", "时", "才"} and not is_so) or bool(DENIAL.pattern.search(after))
    if len(rest) == 1:  # 有害怕
        part = part or between != "" or after.strip("*的性处于") not in {"", "身体", "健康"}
    if own or denials > 1 or part or _supposed(text, asked, start):
        return None
    return Repeated("no" if denials else "yes", start + begin, end)


def _denied_of_all(text: str, asked: str) -> tuple[int, int] | None:
    """Find the clause that denies of all what is asked of all."""
    for start, end in parts(text):
        said = text[start:end].removeprefix("但")
        found = NOT_ALL.pattern.search(said) if any(word in said for word in ALL_OF) else None
        if found and found["noun"] in asked and not UNSAID.pattern.search(said[: found.start()]):
            return None if _supposed(text, asked, start) else (start, end)
    return None


def _statement(text: str, asked: str) -> tuple[int, int] | None:
    """Find the clause that is, or ends with, what a question asks whose verb is none of ours."""
    before, asks, _ = asked.rpartition("吗")
    statement = before[max(before.rfind(sign) for sign in ",。;:?!\n") + 1 :].removeprefix("请问")
    if not asks or len(statement) < STATEMENT_LENGTH or DENIAL.pattern.search(statement):
        return None
    for start, end in parts(text):
        said = text[start:end]
        own = set(said[: -len(statement)].translate(MARKS)).difference(asked, ADVERBS)
        unsaid = own or UNSAID.pattern.search(said) or DENIAL.pattern.search(said) or _supposed(text, asked, start)
        if said.endswith(statement) and not unsaid:
            return start, end
    return None


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


def _supposed(text: str, asked: str, start: int) -> bool:
    """Say whether a supposition stands in the sentence before a place, or a case that is not the question's."""
    near = text[max(0, start - LONGEST_BEFORE) : start]
    sentence = near[max(near.rfind(sign) for sign in "。!?\n") + 1 :]
    cases = [one for one in sentence.split(",") if one.endswith(CASES) and not (one[-1] == "的" and one.find("是") > 0)]
    narrower = any(set(clause.translate(MARKS)).difference(asked, ADVERBS, "期间时候情况下的者") for clause in cases)
    return narrower or any(word in sentence for word in SUPPOSED)


def parts(text: str, ends: str = ",。;!?\n") -> Iterator[tuple[int, int]]:
    """Give the clauses of a text, one that asks with its question mark; or what else stands between some ends."""
    start = 0
    for at, sign in enumerate(text):
        if sign in ends:
            yield start, at + (sign == "?")
            start = at + 1
    yield start, len(text)


def stated(asked: str) -> str:
    """Give a question as a statement: 能不能 as 能, 有无 as 有."""
    for form in ASKING:
        asked = asked.replace(form, form[0])
    return asked
