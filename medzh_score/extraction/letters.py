"""Option letters: the option, or the options, to which a response commits itself."""

from __future__ import annotations

from bisect import bisect_left
from itertools import islice
from typing import TYPE_CHECKING

from medzh_score.benchmark.answers import Reading
from medzh_score.extraction.engine import CONCLUDED, LABELLED, MENTIONED, Candidate, before, clause, resolve, scan
from medzh_score.extraction.engine import MOST as LOOKED_AT
from medzh_score.extraction.normalize import PART, prepare
from medzh_score.extraction.options import (
    OptionQuestion,
    beside_texts,
    label_places,
    named,
    option_of,
    shown_texts,
    text_places,
    together,
    value_of,
    words_near,
)
from medzh_score.extraction.patterns import expression, over_signs
from medzh_score.extraction.vocabulary import lexicon_of

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from medzh_score.extraction.engine import Scan
    from medzh_score.extraction.normalize import Prepared


MOST = 26  # letters that there are
# It begins with a set of characters, which Python's `re` skips to.
FIRST_OPTION = expression("first option", r"\n\s*[AaＡ]\s*[.、:：．)）]", matches="哪项错误\nA.脾", misses="哪项错误")
# The negation must govern what is asked for at the end: a patient who is 不稳定 asks for nothing that is wrong.
ASKS_FOR_WRONG = expression(
    "asks for wrong",
    r"(?i)不(?:正确|恰当|准确|合适|合理|符合|属于|包括|包含|含|是|宜|应|能|会|需|必|支持|考虑|可能|常见|出现|对)"
    r"[^,，。;；?？最首宜]{0,16}(?:的(?:是|有|说法|描述|表述|一项|选项|理解)?|[是为])?[?？。:：\s_()（）]*$"
    r"|(?:不正确|错误|不恰当|有误|不符合|不对|无关|禁用|禁忌|没有)的?"
    r"(?:[^,，。;；?？最首宜]{0,8}[是为有]|说法|描述|一项)?[?？。:：\s_()（）]*$"
    r"|(?:不正确|错误|不恰当|有误|不符合)的(?:是|说法|描述|一项)"
    r"|除[^,，。?？]{0,12}[外均都][^?？]{0,16}[?？。:：\s_()（）]*$"
    r"|incorrect|\bnot true|\bexcept\b",
    matches="关于脾，不正确的是",
    misses="不稳定型心绞痛的首选药物是",
)


def asks_for_wrong(question: str) -> bool:
    """Say whether a question asks which option does *not* hold.

    Parameters
    ----------
    question : str
        With its options or without: what stands before the first of them is looked at.

    Examples
    --------
    >>> asks_for_wrong("关于痔的说法，不正确的是"), asks_for_wrong("治疗痔首选")
    (True, False)
    """
    stem = FIRST_OPTION.pattern.split(question, maxsplit=1)[0]
    return ASKS_FOR_WRONG.pattern.search(stem) is not None


def read_letters(text: str, options: Sequence[str] | None, several: bool = False, wrong: bool = False) -> Reading:  # noqa: FBT001, FBT002 - said by name
    r"""Read to which options a response commits itself.

    Parameters
    ----------
    text : str
        The response, as it came.
    options : sequence of str or None
        The options' texts in their order; None where they are not known.
    several : bool
        Whether several options may be asked for. Several letters are read either way: where one was asked for, they
        are the value all the same, which is then no right answer.
    wrong : bool
        Whether the question asks for what does not hold, as `asks_for_wrong` says.

    Returns
    -------
    Reading
        The letters in alphabetical order, such as ``"AC"``.

    Examples
    --------
    >>> read_letters("脾为后天之本。\n\n答：<B>", ["肝", "脾"]).value
    'B'
    >>> read_letters("A和B都有可能。", ["肝", "脾"]).value is None
    True
    """
    return read_prepared(prepare(text), options, several=several, wrong=wrong)


def read_prepared(prepared: Prepared, options: Sequence[str] | None, *, several: bool, wrong: bool) -> Reading:
    """Read a prepared response, or a part of one, as `read_letters` does."""
    if prepared.lacks:
        return Reading(None, prepared.lacks)
    if (ended := prepared.text.find(PART)) >= 0 and prepared.text[:ended].strip():
        prepared = prepared.part(0, ended)
    count = MOST if options is None else len(options)
    question = OptionQuestion(shown_texts(tuple(options or ())), count, several, wrong)
    own = beside_texts(label_places(prepared.text, count), text_places(prepared.folded, question.shown))
    whole = scan(prepared, lexicon_of("letters"), own, words_near(prepared.folded, own))
    found, lists = copied(whole, question) if "T" in whole.signs else (whole, [])
    reading = _read(found, lists, question)
    if reading.value is None:
        return reading
    value = str(reading.value)
    rejected = not wrong and rejects(found, value, reading.spans[-1].end)
    if rejected or _beside_another(found, question.shown, value):
        return Reading(None, "contradiction", reading.spans)
    return reading if several or len(value) == 1 else reading._replace(why="several", clear=False)


def _read(found: Scan, lists: Sequence[Candidate], question: OptionQuestion) -> Reading:
    """Resolve what is announced; else what is said of options one by one; else options named by their texts."""
    if "L" in found.signs:
        reading = resolve(found, [*lists, *islice(announced(found, question), LOOKED_AT)])
        if reading.value is not None or reading.why == "contradiction":
            return reading
        reading = resolve(found, list(judged(found, question)), reading.why)
        if reading.why != "nothing":
            return reading
    elif lists:
        return resolve(found, lists)
    elif question.several and "U" in found.signs and set("ZNM").isdisjoint(found.signs):
        at, letters = found.signs.index("U"), "".join(map(chr, range(65, 65 + question.size)))
        return resolve(found, [Candidate(letters, CONCLUDED, "all", at, at)])
    return resolve(found, list(named(found, question)) if "T" in found.signs else [])


def _beside_another(found: Scan, shown: Sequence[str], value: str) -> bool:
    """Say whether, wherever the letter is given an option's text, it is another option's."""
    ends = [(match.start(), match.end() - 1) for match in NAMED.pattern.finditer(found.signs)]
    pairs = [(one, other) if found.signs[one] == "L" else (other, one) for one, other in ends]
    texts = [option_of(found, text, shown) for label, text in pairs if value_of(found, label) == value]
    return bool(texts) and value not in texts


ANSWER = over_signs("answer", r"(?:K[aIKOX:ocnCY]{0,9}|O:o?)L", "K:oL", "KNL")
CHOICE = over_signs("choice", r"C[aIO:ocn]{0,5}L", "CL", "C_L")
# Behind a label: what denies it, unless it denies another; and what excepts others, or points on to another.
TAKEN_BACK = over_signs("label denied", r"[aoc]{0,3}[MN](?![aoc]*O?L)", "oMc", "oNLc")
EXCEPTED = over_signs("label excepted", r":L|[aocD]{0,3}x", "DxL", "DNL")
CORRECTED = over_signs("corrected", r"R[aI:oD]{0,4}O?L", "RIL", "R_L")
AT_END = over_signs("bracket at the end", r"oL(?:coL)*c[aS]*\Z", "_oLcS", "_oLc_")
# What stands before it `_opens` looks at, for an expression would be tried everywhere.
ALONE = over_signs("alone", r"L[aocd:]*T?O?[aocSD]*(?<!:)(?=n|\Z)", "_noLcn", "nL_")
IS = over_signs("is", r"[IV][a:ocn]{0,4}O?L(?![O_]*[MY])(?=O?(?:[aocSnD:dTX]|\Z))", "_ILS", "_IL_")
MORE = over_signs(
    "more labels",
    r"(?:[:aocO]*[T_]?[aoc]*d[ao]*O?L|[:aoc]*T[aoc]*D[ao]*O?L|[:aoc]*T[aocSn]*O?L(?=[:aoc]*T[aoc]*(?:[SnD]|\Z))){1,25}",
    ":TdL",
    "DOLM",
)
NEXT_LINES = over_signs(
    "more lines", r"[^nYM]{0,40}(?:n{1,3}[aoc]{0,6}L[^nYML]{0,40}){1,25}(?=n|\Z)", ":_nL:_nL:_", "nXL"
)
LEAD = 60  # signs that may stand between the beginning of a line and its label
CUES = ((ANSWER, ""), (CHOICE, "C"), (CORRECTED, "R"))  # and a sign without which each cannot be found


def announced(found: Scan, question: OptionQuestion) -> Iterator[Candidate]:
    """Take labels behind what announces an answer, alone in a line, or at the end of a conclusion."""
    signs = found.signs
    for cue, needs in CUES:
        for match in cue.pattern.finditer(signs) if needs in signs else ():
            last = match.end() - 1
            denied = cue is CHOICE and not {"N", "M"}.isdisjoint(before(signs, match.start()))
            taken_back = not question.wrong and TAKEN_BACK.pattern.match(signs, match.end()) is not None
            misnamed = not question.wrong and before(signs, match.start()).rstrip("aO")[-1:] == "M"
            if not (denied or taken_back or misnamed or EXCEPTED.pattern.match(signs, match.end())):
                yield Candidate(_with_more(found, last), LABELLED, cue.name, match.start(), last)
    if ends := AT_END.pattern.search(signs):
        places = [at for at in range(*ends.span()) if signs[at] == "L"]
        yield Candidate(together(found, places), LABELLED, AT_END.name, places[0], places[-1])
    yield from _alone(found)
    for match in IS.pattern.finditer(signs):
        value = value_of(found, match.end() - 1)
        denials = {"N", "M"} & set(before(signs, match.start()))
        excepted = "x" in before(signs, match.start()) or (question.wrong and "Y" in before(signs, match.start()))
        if len(value) < question.size and not excepted and (not denials or (question.wrong and denials == {"M"})):
            yield Candidate(value, CONCLUDED, IS.name, match.start(), match.end() - 1)


def _with_more(found: Scan, sign: int) -> str:
    """Give the label that is announced with those that are listed after it: a set is never cut to its first."""
    for listed in (MORE, NEXT_LINES):
        if more := listed.pattern.match(found.signs, sign + 1):
            return together(found, (at for at in range(sign, more.end()) if found.signs[at] == "L"))
    return value_of(found, sign)


def _alone(found: Scan) -> Iterator[Candidate]:
    """Take labels that stand alone in a line: all together where nothing else stands in the text."""
    signs = found.signs
    lines = [line for line in ALONE.pattern.finditer(signs) if _opens(signs, line.start())]
    if not lines:
        return
    many = signs.count("L") + signs.count("l") > MANY
    items = [item.start(1) - 1 for item in ITEM.pattern.finditer(signs)] if many else []
    alone = []
    for line in lines:
        at = line.start()
        before = bisect_left(items, at)
        last = value_of(found, items[before - 1])[-1] if before >= MANY else ""
        goes_on = bool(last) and ord(last) + 1 == ord(value_of(found, at)[0])
        if not goes_on and not ("T" in line[0] and len(items) > MANY):  # else an item of a list
            alone.append(at)
    if len(alone) > 1 and len(alone) > found.prepared.text.strip().count("\n"):
        yield Candidate(together(found, alone), LABELLED, ALONE.name, alone[0], alone[-1])
        return
    for at in alone:
        yield Candidate(value_of(found, at), LABELLED, ALONE.name, at, at)


def _opens(signs: str, at: int) -> bool:
    """Say whether nothing that says anything stands between the beginning of a line or sentence and a label."""
    before = signs[max(0, at - LEAD) : at].removesuffix("O")
    said = before.rstrip("aoc:SY")
    return said[-1:] == "n" or "S" in before[len(said) :] or (not said and at < LEAD)


NEGATIVE = frozenset("不没无非未难")
MANY = 2  # items with which a text goes through the options
HOLDS = over_signs("holds", r"L(?:[Oa]{0,3}d[Oa]{0,3}L){0,25}[OaIocT_:d]{0,7}?Y", "OL_Y", "LOM")
FAILS = over_signs("fails", r"L(?:[Oa]{0,3}d[Oa]{0,3}L){0,25}[OaIocT_:d]{0,7}?M", "OL_M", "LOY")
REJECTED = over_signs("rejected", r"LO?a?M", "LOM", "LOY")
NAMED = over_signs("named", r"L[:aocd]{0,3}T|ToL(?=c)", "L:T", "L_T")
COPIED = over_signs("copied", r"(?:O?L[:adoc]*T[aocSDnd]*){2,}", "oLcTSoLcTS", "LTML")
LINES = over_signs("lines", r"\A[an]*(?:[aoc]*O?L[^n]*n+)+[aoc]*O?L[^n]*n*\Z", "L_nL_", "_nL_")
ITEM = over_signs("item", r"(?:(?<=[nSD])|\A)[aoc]*O?[Ll]([^nS]*)", "nL_DM", "n_L")
OPENING = over_signs("opening", r"\A[anoc]*(?:L(?=[:dDaScnTX_I])(?!O)|OL(?=[a:d]+_[aSn]*\Z))", "L:_", "OL_")


def copied(found: Scan, question: OptionQuestion) -> tuple[Scan, list[Candidate]]:
    """Take lists of options that are copied out of a text; where several are asked for, one may be the answer."""
    signs, candidates = found.signs, []
    for match in COPIED.pattern.finditer(found.signs):
        begin, end = match.span()
        if found.signs.count("L", begin, end + 1) < min(question.size, MANY + 1):
            continue
        signs = signs[:begin] + match[0].replace("L", "l") + signs[end:]
        cue = found.signs[max(0, begin - 3) : begin].rstrip("nao")[-1:]
        if question.several and (begin == 0 or cue in {":", "I", "K", "Y"}) and found.signs[end : end + 1] != "L":
            places = [at for at in range(begin, end) if found.signs[at] == "L"]
            strength = CONCLUDED if begin else MENTIONED
            candidates.append(Candidate(together(found, places), strength, "listed", places[0], places[-1]))
    return found._replace(signs=signs), candidates


def judged(found: Scan, question: OptionQuestion) -> Iterator[Candidate]:
    """Take the options that are said to hold, or to fail where that is asked; else a list, or a label that opens."""
    signs = found.signs
    held = {
        together(found, (at for at in range(*match.span()) if signs[at] == "L")): match.start()
        for match in (FAILS if question.wrong else HOLDS).pattern.finditer(signs)
        if not _denied(found, match.start(), match.end() - 1)
    }
    if question.several and len(held) > 1:
        yield Candidate("".join(sorted(set("".join(held)))), CONCLUDED, "each", *[min(held.values())] * 2)
    else:
        yield from (Candidate(value, CONCLUDED, "holds", at, at) for value, at in held.items())
    if not held:
        yield from _itemised(found, question)
        yield from _opening(found, question)


def _denied(found: Scan, first: int, last: int) -> bool:
    """Say whether what is said to hold is denied, before it or between."""
    between = found.prepared.text[found.ends[first] : found.starts[last]]
    return not NEGATIVE.isdisjoint(between) or not {"N", "M", "x"}.isdisjoint(before(found.signs, first))


def _itemised(found: Scan, question: OptionQuestion) -> Iterator[Candidate]:
    """Take a list that judges its items one by one, where each item is judged."""
    right, places, chosen = "M" if question.wrong else "YC", [], []
    for item in ITEM.pattern.finditer(found.signs):
        verdict = next((sign for sign in reversed(item[1]) if sign in "YMCN"), "")
        if not verdict:
            return
        places.append(item.start(1) - 1)
        if verdict in right:
            chosen.append(places[-1])
    if len(places) >= MANY and chosen and (question.several or len(chosen) == 1):
        yield Candidate(together(found, chosen), CONCLUDED, "each", places[0], places[0])


def _opening(found: Scan, question: OptionQuestion) -> Iterator[Candidate]:
    """Take lines that all begin with a label, where several are asked for; or the label that a text begins with."""
    signs = found.signs
    if LINES.pattern.match(signs):
        places = [at for at, sign in enumerate(signs) if sign == "L" and (at == 0 or signs[at - 1] in "naoO")]
        value = together(found, places)
        if question.several and 1 < len(value) < question.size:
            yield Candidate(value, CONCLUDED, "opening", places[0], places[0])
    elif opening := OPENING.pattern.match(signs):
        at = opening.end() - 1
        value = value_of(found, at)
        sentence = signs[at + 1 : clause(signs, at, at, "nSQ")[1]]
        items = sum(1 for _ in ITEM.pattern.finditer(signs))
        list_of_options = items > MANY if len(value) == 1 else len(value) == question.size and not question.several
        text = found.prepared.text[found.ends[at] :][:1]
        noun = sentence[:1] == "_" and (len(value) > 1 or text in NEGATIVE)  # these options, and what is said of them
        if not list_of_options and not noun and set("LMNHWFPZ").isdisjoint(sentence):
            yield Candidate(value, CONCLUDED, "opening", at, at)


def rejects(found: Scan, value: str, after: int) -> bool:
    """Say whether a text calls wrong, further on, what it chose."""
    return "M" in found.signs and any(
        set(value_of(found, match.start())) & set(value)
        for match in REJECTED.pattern.finditer(found.signs)
        if found.span(match.start()).start >= after
    )
