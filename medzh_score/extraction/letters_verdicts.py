"""Labels that are called right or wrong, as in B选项正确 and A、C符合题意."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

from medzh_score.extraction import option_wordings as older
from medzh_score.extraction.letters_cues import BEHIND_TEXT, NAMED, RIGHT, WRONG
from medzh_score.extraction.letters_runs import EITHER
from medzh_score.extraction.letters_said import BARE, EXPLICIT, Said, withdrawn
from medzh_score.extraction.option_wordings import LETTERS
from medzh_score.extraction.tcmd_question import SETS_OFF

if TYPE_CHECKING:
    from collections.abc import Iterator

    from medzh_score.extraction.tcmd_choice import Question

PATTERNS = {"named": NAMED, "right": RIGHT, "wrong": WRONG}
MAYBE = re.compile("[对确适当意切合√✓为是准好佳优]|correct|right|best|appropriate|answer|choice|option|likely|one")
LETTER = re.compile(r"[A-H](?![A-Za-z0-9])")
CONCLUDES = re.compile(
    r"(?:(?:故|因此|所以|综上所述|综上|总之|可见|显然|可知|只有|我认为|我觉得)[，,]?[^\S\n]*(?:只有|本题)?[^\S\n]*"
    r"|[Tt]herefore,? |[Tt]hus,? |[Ss]o,? |[Hh]ence,? )\Z"
)
RIGHT_ENDS = re.compile(
    r"的?(?:答案|选项|选择|说法|描述|表述|叙述|answer|option|choice|的|了)*[”\"」』）)】\]]*\s*(?:\Z|(?<=[）)])(?=[A-H])|[。，,；;！!.\n：:（(]|because|since|as\b|因为|由于)"
)
ASKED = re.compile(r"的?(?:答案|选项)?[”\"」』）)]?[吗？?]")
NOT_TO_BE_CHOSEN = re.compile(r"[^。\n]{0,6}[，,](?:不能|不可|故不|不应|所以不|因此不)[应能]?选")
OTHERS_WRONG = re.compile(
    r"(?:其[余他它]|别的|另外|[Oo]ther|others)[^。；;\n]{0,12}(?:错|不|排除|误|×|无关|非|wrong|incorrect|not)"
)
NOT_CHOSEN = re.compile(r"误?的?[，,、]?(?:[故则所以因此都均]*)(?:不(?:予|能|可|应|该)?选|排除)(?!项)")
BEST = re.compile(
    r"(?:综合(?:来看|比较|分析|考虑|以上)|综上(?:所述)?|总之|总的来说|因此|所以|故|相比之下|比较而言)[，,]?\s*(?P<name>[^，,。；;：:\n（(]{1,30})"
    r"[（(](?:选项)?(?P<label>[A-H])(?:选?项)?[)）]最(?:合适|恰当|适合|符合|贴切|吻合|佳|好|优|准确|可靠|敏感|可能|有意义|有价值|有诊断价值)[^，,。；;\n不非A-H]{0,6}[。.！!]?\Z"
)
LAST = re.compile(r"[（(](?:选项)?([A-H])(?:选?项)?[)）][。.！!]?\Z")
DENYING = re.compile(r"[不非未勿忌禁否无]|如果|若|除")
ONLY = re.compile(r"(?:只有|仅有?|唯有|唯独)(?:选项)?[A-H](?![A-Za-z0-9])")
TOO_FEW = 2  # options of which one is wrong do not tell what was asked


def verdicts(text: str, question: Question, *, several: bool) -> Iterator[Said]:
    """Find labels that are named as the answer, or called right where that leaves no doubt.

    What only judges options one by one is no answer: the question may ask for the wrong one. One that is right where
    all others are wrong is one.

    Parameters
    ----------
    text : str
        A prepared response.
    question : Question
        What was asked.
    several : bool
        Whether several options may be right.

    Yields
    ------
    Said
        In no order.
    """
    if not MAYBE.search(text):
        return
    labels = [found.start() for found in LETTER.finditer(text)]
    for found in _matches("named", text, labels, question):
        if not ASKED.match(text, found.end):
            yield _said(text, found, "named", EXPLICIT)
    rights = [found for found in _matches("right", text, labels, question) if _holds(text, found)]
    if not rights:
        return
    concluded = [found for found in rights if CONCLUDES.search(text, max(0, found.start - 12), found.start)]
    for found in concluded:
        last = len(concluded) == 1 and not text[found.end :].strip("的。.！!”」）) ")
        yield _said(text, found, "right", EXPLICIT if last else BARE)  # else the question may ask for the wrong one
    if not several and (odd := _odd_one(text, labels, question)):
        yield odd
        return
    if concluded or not _alone(text, rights, labels, question, several=several):
        return
    yield _said(text, rights[-1], "right", BARE if len(rights) > 1 or len(labels) < len(question.order) else EXPLICIT)


class _Verdict(NamedTuple):
    """Labels and what is said of them."""

    labels: str
    start: int
    end: int


def _matches(name: str, text: str, labels: list[int], question: Question) -> Iterator[_Verdict]:
    """Find what is said of labels, each maybe with its option's text: far faster than to look for it everywhere."""
    end = 0
    for place in labels:
        if place < end:
            continue
        found = PATTERNS[name].match(text, place)
        if found:
            end = found.end()
            yield _Verdict(found["labels"], place, end)
            continue
        gap = SETS_OFF.match(text, place + 1)
        own = question.own(text[place])
        if gap is None or own is None or not text.startswith(written := question.texts.texts[own].strip(), gap.end()):
            continue
        behind = BEHIND_TEXT[name].match(text, gap.end() + len(written)) if written else None
        if behind:
            end = behind.end()
            yield _Verdict(text[place], place, end)


def _holds(text: str, found: _Verdict) -> bool:
    return (
        RIGHT_ENDS.match(text, found.end) is not None
        and not ASKED.match(text, found.end)
        and not NOT_TO_BE_CHOSEN.match(text, found.end)
    )


def _alone(text: str, rights: list[_Verdict], places: list[int], question: Question, *, several: bool) -> bool:
    """Say whether one verdict is all that is said to be right, and what is said to be wrong is all the rest or none."""
    said = {frozenset(LETTER.findall(found.labels)) for found in rights}
    if len(said) > 1:
        return False
    (right,) = said
    if len(right) > 1 and not several:
        return False
    wrongs = list(_matches("wrong", text, places, question))
    wrong = {letter for found in wrongs for letter in LETTER.findall(found.labels)}
    if len(right) > 1 and wrong and all(NOT_CHOSEN.match(text, found.end) for found in wrongs):
        return len(right | wrong) == len(question.order) and not wrong & right  # not asked for the wrong ones
    if not wrong or OTHERS_WRONG.search(text):
        return not wrong & right
    return (
        len(question.order) > TOO_FEW
        and len(right) == 1
        and len(right | wrong) == len(question.order)
        and not wrong & right
    )


def _odd_one(text: str, places: list[int], question: Question) -> Said | None:
    """Read the one that alone is called wrong, as in A、B、D正确，只有C不对: it is what was asked for."""
    if not ONLY.search(text):
        return None
    right = {letter for found in _matches("right", text, places, question) for letter in LETTER.findall(found.labels)}
    wrong = list(_matches("wrong", text, places, question))
    letters = {letter for found in wrong for letter in LETTER.findall(found.labels)}
    if len(letters) != 1 or letters & right or len(letters | right) != len(question.order) or len(right) < TOO_FEW:
        return None
    return _said(text, wrong[-1], "wrong", BARE) if ONLY.search(text, 0, wrong[-1].start + 1) else None


def _said(text: str, found: _Verdict, rule: str, weight: int) -> Said:
    letters = "".join(sorted(set(LETTER.findall(found.labels))))
    why = withdrawn(text, found.start)
    if why:
        return Said("", why, found.start, found.end, 0)
    either = "either" if EITHER.search(found.labels) else ""
    return Said("" if either else letters, either or rule, found.start, found.end, weight)


def behind_text(text: str, start: int, end: int, question: Question) -> Said | None:
    """Read an option that stands by its text before the marker: C. 小青龙汤为最佳选项, IgG是正确答案.

    Parameters
    ----------
    text : str
        A prepared response.
    start, end : int
        Of the marker.
    question : Question
        What was asked.
    """
    if text[start - 1 : start] not in older.QUALIFIER_ENDS:
        return None
    found = older.QUALIFIED.search(text, max(0, start - older.FAR_BEFORE), start)
    if older.ASKED.match(text, end):
        return None
    if not found:
        return _text_before(text, start, end, question)
    group = found.lastindex or 0
    why = withdrawn(text, found.start(group))
    return Said("" if why else found[group], why or "named", found.start(group), end, 0 if why else EXPLICIT)


IS_RIGHT = re.compile(r"[才就]?[是为](?:本题|该题|此题|唯一)?的?最?(?:正确|最佳|标准)的?\Z")


def _text_before(text: str, start: int, end: int, question: Question) -> Said | None:
    """Read an option's text that opens a clause and is said to be the right answer."""
    right = IS_RIGHT.search(text, max(0, start - older.BEFORE), start)
    if right is None:
        return None
    opens = max(text.rfind(stop, 0, right.start()) for stop in "，,。；;：:\n") + 1
    option = question.texts.whole(text[opens : right.start()])
    if option is None or question.texts.repeated(option):
        return None
    return Said(LETTERS[question.order.index(option)], "named", opens, end, EXPLICIT)


# A diagnosis, or what is done first, that a response ends with.
ENDING = re.compile(
    r"(?:(?:因此|所以|故|综上所述|综上)[，,]?)?(?:本[题例]|该患儿|患儿|此患儿|该患者|患者|考虑)?(?:的)?"
    r"(?:最可能的?(?:诊断|病原体?|病因|原因|证型)(?:应该?)?(?:是|为|：|:)|应(?:首选|首先做|先做|首先选用|先选用))\s*"
)
FIRST_CHOICE = re.compile(
    r"(?:\A|[。；;\n]|(?<![者时则])[，,])(?:治疗|用药|药物|本[病证例题])?(?:上|时)?应?(?:该|当)?首选(?!的)"
)
LOOP = re.compile(r"([^。\n]{4,80}。)\s*(?:\1\s*)+")
CLAUSE_ENDS = re.compile(r"(?:\A|[。；;：:\n]|(?<![者时则])[，,])[^\S\n]?\Z")  # not 过敏者应首选, which is another case
ENDS = re.compile(r"(?:[（(][A-H][)）])?[。.！!]?\Z")


def ending(text: str, question: Question) -> Iterator[Said]:
    """Read the last words, where they name one option as the diagnosis or as what is done first.

    Parameters
    ----------
    text : str
        A prepared response.
    question : Question
        What was asked.
    """
    if "最" in text and ("）最" in text or ")最" in text) and (best := BEST.search(text)):
        named, labelled = question.texts.whole(best["name"]), question.own(best["label"])
        if named is not None and labelled is not None and question.texts.same(named, labelled):
            yield Said(best["label"], "verdict", best.start(), best.end(), BARE)
    if text.rstrip("。.！!").endswith(("）", ")")) and (said := _last_words(text, question)):
        yield said
    if "首选" in text and (said := _first_choice(text, question)):
        yield said
    if not ("最可能" in text or "应首选" in text or "应先" in text):
        return
    for found in ENDING.finditer(text):
        if withdrawn(text, found.start()) or not CLAUSE_ENDS.search(text, max(0, found.start() - 2), found.start()):
            continue
        met = question.texts.leading(text, found.end())
        label = LETTER.match(text, found.end())
        if label and ENDS.fullmatch(text, label.end()):
            yield Said(label[0], "verdict", found.start(), label.end(), BARE)
        elif met and ENDS.fullmatch(text, len(text) - len(met.rest)) and not question.texts.repeated(met.option):
            own = LETTERS[question.order.index(met.option)]
            yield Said(own, "verdict", found.start(), len(text) - len(met.rest), BARE)


def _first_choice(text: str, question: Question) -> Said | None:
    """Read the drug, or whatever else, that a response ends by calling the first choice, where it names no other."""
    if (loop := LOOP.match(text)) and loop[1].startswith(text[loop.end() :]):
        text = loop[1]
    found = list(FIRST_CHOICE.finditer(text))
    last = found[-1] if found else None
    met = question.texts.leading(text, last.end()) if last else None
    if last is None or met is None or not ENDS.fullmatch(met.rest) or withdrawn(text, last.start()):
        return None
    texts = question.texts
    own = texts.texts[met.option].strip()
    others = any(option and option in text for option in {option.strip() for option in texts.texts} - {own})
    if others or texts.repeated(met.option) or LETTER.search(text.replace(own, "")):
        return None
    return Said(LETTERS[question.order.index(met.option)], "verdict", last.start(), len(text), BARE)


def _last_words(text: str, question: Question) -> Said | None:
    """Read an option's text with its own label behind it at the end, as in 应该用麻黄汤（B）, where no other is met."""
    found = LAST.search(text)
    own = question.own(found[1]) if found else None
    if found is None or own is None or len(LETTER.findall(text)) > 1:
        return None
    written = question.texts.texts[own].strip()
    start = found.start() - len(written)
    clause = text[max(text.rfind(stop, 0, max(start, 0)) for stop in "，,。；;\n") + 1 : max(start, 0)]
    others = any(option.strip() in text for option in question.texts.texts if option.strip() not in {"", written})
    if not written or not text.startswith(written, start) or others or DENYING.search(clause):
        return None
    return Said(found[1], "verdict", start, found.end(1), BARE)
