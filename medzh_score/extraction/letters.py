"""Option letters: the option, or the options, to which a response commits itself."""

from __future__ import annotations

from bisect import bisect_left
from itertools import islice
from typing import TYPE_CHECKING

from medzh_score.benchmark.answers import Reading
from medzh_score.extraction.engine import CONCLUDED, LABELLED, MENTIONED, Candidate, before, clause, resolve, scan
from medzh_score.extraction.engine import MOST as LOOKED_AT
from medzh_score.extraction.normalize import prepare
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
from medzh_score.extraction.vocabulary import expression, lexicon_of, over_signs

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from medzh_score.extraction.engine import Scan
    from medzh_score.extraction.normalize import Prepared


MOST = 26  # letters that there are
MOST_PARTS = 4  # ends of an answer that are looked at: what is copied of a prompt has one or two
# It begins with a set of characters, which Python's `re` skips to.
FIRST_OPTION = expression("first option", r"\n\s*[AaＡ]\s*[.、:：．)）]", matches="哪项错误\nA.脾", misses="哪项错误")
# It begins with a set, too. The negation must govern what is asked for at the end: a patient who is 不稳定 asks for
# nothing that is wrong.
ASKS_FOR_WRONG = expression(
    "asks for wrong",
    r"[不错有无禁没欠未为是于除iInNeE](?:(?<=不)(?:(?:正确|恰当|准确|合适|合理)(?=的|[是为]|一项|[?？。:：\s_()（）]*$)|符合|属于|包括|包含|含|是|宜|应|能|会|需|必|支持|考虑|可能|常见|出现|对)"
    r"[^,，。;；?？最首宜]{0,16}(?:的(?:是|有|说法|描述|表述|一项|选项|理解)?|[是为])?[?？。:：\s_()（）]*$"
    r"|(?:(?<=不)(?:正确|恰当|符合|[对妥])|(?<=[错有])误|(?<=无)关|(?<=禁)[用忌]|(?<=没)有|(?<=欠)妥)的?"
    r"(?:[^,，。;；?？最首宜]{0,8}[是为有]|说法|描述|一项)?[?？。:：\s_()（）]*$"
    r"|(?:(?<=不)(?:正确|恰当|符合)|(?<=[错有])误)的(?:是|说法|描述|一项)"
    r"|(?<=不)可(?:[使选应服]?用)[^,，。;；?？最首宜]{0,8}[的是为][是为有]?[?？。:：\s_()（）]*$"
    r"|(?:(?<=没)有|(?<=未))(?:体现|表现|反映|运用|使用|采用|涉及|提[及到]|包含|包括|说明)"
    r"[^,，。;；?？最首宜]{0,24}的(?:是|有|一[项组句个]|选项)[是为有]?[?？。:：\s_()（）]*$"
    r"|(?<=[为是于])非(?!特异|典型|器质|运动)[^,，。;；?？最首宜]{1,16}"
    r"(?:[证症]候?|症状|表现|特[点征]|[作功]用|功效|原因|内容|范围|职责)的(?:是|有|一项)[?？。:：\s_()（）]*$"
    r"|(?<=除)[^,，。?？]{0,12}[外均都][^?？]{0,16}[?？。:：\s_()（）]*$"
    r"|(?<=[iI])(?i:ncorrect)|(?<=\b[nN])(?i:ot true)|(?<=\b[eE])(?i:xcept)\b)",
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
    count = MOST if options is None else len(options)
    question = OptionQuestion(shown_texts(tuple(options or ())), count, several, wrong)
    ends = [found.start() for found in PART_END.pattern.finditer(prepared.text)][:MOST_PARTS]
    reading, begin = Reading(None, "example"), 0
    for ended in [*ends, len(prepared.text)]:
        if ended in ends and EXAMPLE.pattern.search(prepared.folded, begin, ended):
            begin = ended + 1
        elif prepared.text[begin:ended].strip() and reading.reason == "example":
            own = prepared.part(begin, ended) if ends else prepared
            reading = _read_part(_without_next(own, question), question)
    return reading


def _without_next(prepared: Prepared, question: OptionQuestion) -> Prepared:
    """Leave out a question with options of its own, none of which is of this question, that a text goes on with."""
    texts = [text for text in question.shown if len(text) > 1]
    if len(texts) < question.size:
        return prepared
    found = OTHER_QUESTION.pattern.search(prepared.folded)
    if not found or any(text in prepared.folded[found.start() :] for text in texts):
        return prepared
    own = prepared.part(0, found.start())
    return prepared if own.lacks else own


def _read_part(prepared: Prepared, question: OptionQuestion) -> Reading:
    count, several, wrong = question.size, question.several, question.wrong
    own = beside_texts(label_places(prepared.text, count), text_places(prepared.folded, question.shown))
    whole = _as_meant(wrong, scan(prepared, lexicon_of("letters"), own, words_near(prepared.folded, own)))
    found, lists = copied(whole, question) if "T" in whole.signs else (whole, [])
    reading = _read(found, lists, question)
    if reading.value is None:
        return reading
    value = str(reading.value)
    rejected = not wrong and rejects(found, value, reading.spans[-1].end)
    if rejected or _beside_another(found, question.shown, value):
        return Reading(None, "contradiction", reading.spans)
    return reading if several or len(value) == 1 else reading._replace(reason="several", unambiguous=False)


def _as_meant(wrong: bool, found: Scan) -> Scan:  # noqa: FBT001 - as asked
    """Put signs right that neighbours decide: 不对 judges where that is asked for, a forced choice is one."""
    signs = found.signs
    for at, sign in enumerate(signs) if wrong and "R" in signs else ():
        if sign == "R" and signs[:at].endswith(("L", "LO")) and found.text(at) in {"不对。", "不对!"}:
            signs = f"{signs[:at]}M{signs[at + 1 :]}"
    if "F" in signs:
        for forced in FORCED.pattern.finditer(found.prepared.folded):
            at = bisect_left(found.starts, forced.start())
            signs = f"{signs[:at]}a{signs[at + 1 :]}"
    return found if signs is found.signs else found._replace(signs=signs)


def _read(found: Scan, lists: Sequence[Candidate], question: OptionQuestion) -> Reading:
    """Resolve what is announced; else what is said of options one by one; else options named by their texts."""
    if "L" in found.signs:
        reading = resolve(found, [*lists, *islice(announced(found, question), LOOKED_AT)])
        if reading.value is not None or reading.reason == "contradiction":
            return reading
        reading = resolve(found, list(judged(found, question)), reading.reason)
        if reading.reason != "nothing":
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
    return bool(texts) and not any(text in value for text in texts)


PART_END = expression(
    "end of an answer",
    r"\f(?![\])”'\" ]{0,3}(?:[之中]间|之?中|里|的?前|的格式|[,。]?(?:例如|比如|如|样例|示例|格式)))",
    matches="[答案]B\f。",
    misses="写在[答案]与\f之间",
)
EXAMPLE = expression(
    "example above", r"(?:例子|示例|样例|例题)[^\n]{0,6}:\n", matches="下面是一个例子:\n题", misses="例如:b"
)
OTHER_QUESTION = expression(
    "other question",
    r"\n[ \t]{0,9}\[?(?:题目|问题|试题|例题|下一题|question)\]?[ \t]?\d{0,3}[ \t]?:"
    r"(?=[^\n]*\n[ \t]{0,9}a[ ]?[.、:)][^\n]*\n[ \t]{0,9}b[ ]?[.、:)])",
    matches="b\n问题:哪项?\na.脾\nb.肝",
    misses="b\n问题:哪项?",
)
FORCED = expression(
    "forced choice",
    r"(?:如果|若|要是|假如)[^,。;\n]{0,6}(?:必须|一定要|非要|非得|只能|硬要)(?:[在从][^,。;\n]{1,12})?选",
    matches="如果必须选一个,选b",
    misses="如果必须手术,选b",
)
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
SUBJECT = over_signs("labels spoken of", r"(?:[aocTO]*c)?[aO]{0,3}(?:_|I(?![^SnD]*[KY]))", "a_", "SY")
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
            said = before(signs, match.start())
            misnamed = not question.wrong and (
                "M" in said if signs[match.start()] == "O" else said.rstrip("aO")[-1:] == "M"
            )
            if not (denied or taken_back or misnamed or EXCEPTED.pattern.match(signs, match.end())):
                yield Candidate(_with_more(found, last), LABELLED, cue.name, match.start(), last)
    if ends := AT_END.pattern.search(signs):
        places = [at for at in range(*ends.span()) if signs[at] == "L"]
        yield Candidate(together(found, places), LABELLED, AT_END.name, places[0], places[-1])
    yield from _alone(found, question)
    if "V" in signs and "T" in signs:
        yield from _concluded(found, question)
    yield from _is(found, question)


def _is(found: Scan, question: OptionQuestion) -> Iterator[Candidate]:
    """Take labels behind 是 or a conclusion, unless a list of all options begins there, or they are spoken of."""
    signs = found.signs
    for match in IS.pattern.finditer(signs):
        first, last = match.start(), match.end() - 1
        more = MORE.pattern.match(signs, last + 1)
        value = _with_more(found, last) if more else value_of(found, last)
        spoken_of = (more or signs[first] == "V") and SUBJECT.pattern.match(signs, more.end() if more else last + 1)
        if spoken_of or _lists_options(found, last, question):
            continue
        said = set(before(signs, first))
        denials = {"N", "M"} & said
        excepted = "x" in said or (question.wrong and "Y" in said)
        if len(value) < question.size and not excepted and (not denials or (question.wrong and denials == {"M"})):
            yield Candidate(value, CONCLUDED, IS.name, first, last)


CONCLUDED_BY_TEXT = over_signs(
    "conclusion with its label", r"V[^SnNHFPWQ]*T_?oO?Lc(?=[ac]*(?:[SnD]|\Z))", "V_ToLcS", "V_LS"
)


def _lists_options(found: Scan, sign: int, question: OptionQuestion) -> bool:
    """Say whether a label begins a list of all options, as they are copied from a question."""
    if value_of(found, sign) != "A" or found.signs[sign + 1 : sign + 2] not in {":", "a"}:
        return False
    items = [item.start(1) - 1 for item in ITEM.pattern.finditer(found.signs, sign + 1)]
    return "".join(value_of(found, at) for at in items).startswith("".join(map(chr, range(66, 65 + question.size))))


def _concluded(found: Scan, question: OptionQuestion) -> Iterator[Candidate]:
    """Take the label that stands in brackets behind its option's text at the end of a conclusion."""
    for match in CONCLUDED_BY_TEXT.pattern.finditer(found.signs):
        last = match.end() - 2
        if question.wrong == ("M" in match[0]):
            yield Candidate(value_of(found, last), CONCLUDED, CONCLUDED_BY_TEXT.name, match.start(), last)


def _with_more(found: Scan, sign: int) -> str:
    """Give the label that is announced with those that are listed after it: a set is never cut to its first."""
    for listed in (MORE, NEXT_LINES):
        if more := listed.pattern.match(found.signs, sign + 1):
            return together(found, (at for at in range(sign, more.end()) if found.signs[at] == "L"))
    return value_of(found, sign)


def _alone(found: Scan, question: OptionQuestion) -> Iterator[Candidate]:
    """Take labels that stand alone in a line: all together where nothing else stands in the text."""
    signs = found.signs
    lines = [line for line in ALONE.pattern.finditer(signs) if _opens(signs, line.start())]
    lines = [line for line in lines if _led(signs, line.start(), question)]
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
    whole = together(found, alone)
    alone = [at for at in alone if value_of(found, at) == whole] or alone  # a set, and its letters one by one
    for at in alone:
        yield Candidate(value_of(found, at), LABELLED, ALONE.name, at, at)


def _opens(signs: str, at: int) -> bool:
    """Say whether nothing that says anything stands between the beginning of a line or sentence and a label."""
    before = signs[max(0, at - LEAD) : at].removesuffix("O")
    said = before.rstrip("aoc:SY")
    return said[-1:] == "n" or "S" in before[len(said) :] or (not said and at < LEAD)


def _led(signs: str, at: int, question: OptionQuestion) -> bool:
    """Say whether the line above a label, where it ends with a colon, announces an answer."""
    above = signs[max(0, at - LEAD) : at].rstrip("aocO")
    line = above.rstrip("n").rstrip("aoc")
    if above == line or line[-1:] != ":":
        return True
    said = set(line[line.rfind("n") + 1 :])
    denied = said & ({"N", "P", "E"} if question.wrong else {"N", "M", "P", "E"})
    return not denied and ("_" not in said or not said.isdisjoint("KCIYVRMZ"))


NEGATIVE = frozenset("不没无非未难")
MANY = 2  # items with which a text goes through the options
HOLDS = over_signs("holds", r"L(?:[Oa]{0,3}d[Oa]{0,3}L){0,25}(?:[OaIocT_:d]{0,7}?Y|:K(?=[SnD]|\Z))", "OL_Y", "LOM")
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
        if not _denied(found, match.start(), match.end() - 1) and not _towards(found, match.end() - 1)
    }
    if question.several and len(held) > 1:
        yield Candidate("".join(sorted(set("".join(held)))), CONCLUDED, "each", *[min(held.values())] * 2)
    else:
        yield from (Candidate(value, CONCLUDED, "holds", at, at) for value, at in held.items())
    if not held:
        yield from _itemised(found, question)
        yield from _opening(found, question)


def _towards(found: Scan, sign: int) -> bool:
    """Say whether 对 means towards: what it is about stands behind it."""
    behind = found.signs[sign + 1 : sign + 2]
    return found.text(sign) == "对" and (behind == "_" or (behind == "a" and found.text(sign + 1) in "此这该其"))


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
        others = {value_of(found, place) for place in range(at + 1, at + 1 + len(sentence)) if signs[place] == "L"}
        if not list_of_options and not noun and set("MNHWFPZ").isdisjoint(sentence) and others <= {value}:
            yield Candidate(value, CONCLUDED, "opening", at, at)


def rejects(found: Scan, value: str, after: int) -> bool:
    """Say whether a text calls wrong, further on, what it chose."""
    return "M" in found.signs and any(
        set(value_of(found, match.start())) & set(value)
        for match in REJECTED.pattern.finditer(found.signs)
        if found.span(match.start()).start >= after
    )
