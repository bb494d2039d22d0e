"""Option letters: to which option, or options, does a response commit itself?"""

from __future__ import annotations

from typing import TYPE_CHECKING

from medzh_score.extraction.commitments import CONCLUDED, LABELLED, MENTIONED, Commitment, clause, resolve
from medzh_score.extraction.expressions import expression
from medzh_score.extraction.option_texts import named, option_of, shown_texts, text_places
from medzh_score.extraction.preparation import PART, prepare
from medzh_score.extraction.reading import Reading
from medzh_score.extraction.signs import scan
from medzh_score.extraction.words import lexicon_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from medzh_score.extraction.preparation import Prepared
    from medzh_score.extraction.signs import Found, Scan

MOST = 26
MANY = 2  # items with which a text goes through the options
LABELS = expression(
    "labels",
    r"(?<![A-Za-z0-9_%素])(?:[A-Z](?![A-Za-z0-9_'’%]|[ ]?[级型药期类组超族])(?:[ \t]*(?:[,、/&+;~到至-]|—+)?[ \t]*(?:[和与及]|以及|and)?[ \t]*"
    r"[A-Z](?![A-Za-z0-9_'’%]))*|[A-Z]{2,}(?![A-Za-z0-9_%-]))",
    matches="选A、C",
    misses="HBV-DNA",
)
RANGE = expression("range", r"([A-Z])[ \t]*(?:[~到至-]|—+)[ \t]*([A-Z])", matches="A到D", misses="A、D")
LOWER = expression(
    "small label",
    r"(?<![A-Za-z])[(\[<]([a-z])[)\]>]|(?:option|choice|answer|选|答案[是为]?|:)[ \t]*([a-z])(?![A-Za-z'])|\A\s*([a-z])(?=[).:])"
    r"|\A\s*([a-z]{1,8})\s*[.。]?\s*\Z",
    matches="the answer is (b)",
    misses="is b",
)
ANSWER = expression("answer", r"(?:K[aIKOX:ocnCY]{0,9}|O:o?)L", matches="K:oL", misses="KNL", over="signs")
CHOICE = expression("choice", r"C[aIO:ocn]{0,5}L", matches="CL", misses="C_L", over="signs")
MORE = expression("more labels", r"(?:[:aoc]*[T_]?[aoc]*d[ao]*O?L|[:aoc]*T[aoc]*D[ao]*O?L|[:aoc]*T[aocSn]*O?L(?=[:aoc]*T[aoc]*(?:[SnD]|\Z)))+", matches=":TdL", misses="DOLM", over="signs")
NEXT_LINES = expression("more lines", r"[^nYM]*(?:n+[aoc]*L[^nYML]*)+(?=n|\Z)", matches=":_nL:_nL:_", misses="nXL", over="signs")
CORRECTED = expression("corrected", r"R[aI:o]{0,4}O?L", matches="RIL", misses="R_L", over="signs")
ALONE = expression("alone", r"(?:(?<=[nS])|\A)[aoc:SY]*O?L[aocd:]*T?O?[aocSD]*(?<!:)(?=n|\Z)", matches="_noLcn", misses="nL_", over="signs")
AT_END = expression("bracket at the end", r"oLc[aS]*\Z", matches="_oLcS", misses="_oLc_", over="signs")
OPENING = expression("opening", r"\A[anoc]*L(?=[:dDaScnTX_I])(?!O)", matches="L:_", misses="OL_", over="signs")
IS = expression("is", r"[IV][a:ocn]{0,4}O?L(?![O_]*[MY])(?=[aocSnD:dTXO]|\Z)", matches="_ILS", misses="_IL_", over="signs")
HOLDS = expression("holds", r"L[OaIocT_:d]{0,7}?Y", matches="OL_Y", misses="LOM", over="signs")
FAILS = expression("fails", r"L[OaIocT_:d]{0,7}?M", matches="OL_M", misses="LOY", over="signs")
REJECTED = expression("rejected", r"LO?a?M", matches="LOM", misses="LOY", over="signs")
NAMED = expression("named", r"L[:aoc]{0,3}T", matches="L:T", misses="L_T", over="signs")
LISTED = expression("listed", r"[IKY]a*:?n+((?:[aoc]*L[^n]*n*){2,})", matches="_I:nL_nL_", misses="_nL_nL_", over="signs")
COPIED = expression("copied", r"(?:O?L[:adoc]*T[aocSDnd]*){2,}", matches="oLcTSoLcTS", misses="LTML", over="signs")
LINES = expression("lines", r"\A[an]*(?:[aoc]*O?L[^n]*n+)+[aoc]*O?L[^n]*n*\Z", matches="L_nL_", misses="_nL_", over="signs")
ITEM = expression("item", r"(?:(?<=[nSD])|\A)[aoc]*O?[Ll]([^nS]*)", matches="nL_DM", misses="n_L", over="signs")
ASKS_FOR_WRONG = expression(
    "asks for wrong",
    r"(?:不正确|错误|不对|不符合|不属于|不包括|不是|不恰当|不合适|不适|不宜|不应|不能|不会|有误|不准确|不含|不成立|无关|除外|除了|不需|不可|不必|不支持|不考虑|不常见|不出现|无)[^。?]{0,24}[?。: _()（）]*$"
    r"|(?:不正确|错误|不恰当|有误|不符合)的(?:是|说法|描述|表述|一项)|incorrect|not true|except",
    matches="关于脾，不正确的是",
    misses="关于脾，正确的是",
)


def asks_for_wrong(question: str) -> bool:
    """Say whether a question asks which option does *not* hold.

    Parameters
    ----------
    question : str
        Without its options.

    Examples
    --------
    >>> asks_for_wrong("关于痔的说法，不正确的是"), asks_for_wrong("治疗痔首选")
    (True, False)
    """
    return ASKS_FOR_WRONG.pattern.search(question) is not None


def read_letters(text: str, options: Sequence[str] | None, several: bool = False, wrong: bool = False) -> Reading:  # noqa: FBT001, FBT002 - said by name
    """Read to which options a response commits itself.

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
    >>> read_letters("脾为后天之本。\\n\\n答：<B>", ["肝", "脾"]).value
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
    shown = shown_texts(tuple(options or ()))
    own = _beside(_labels(prepared.text, count), text_places(prepared.folded, shown))
    found = scan(prepared, lexicon_of("letters"), own)
    reading = resolve(found, list(_commitments(found, count, several=several, wrong=wrong)))
    if reading.value is None and reading.why == "nothing" and options:
        reading = resolve(found, list(named(found, shown, several=several)))
    if reading.value is not None and _beside_another(found, shown, str(reading.value)):
        return Reading(None, "contradiction", reading.spans)
    if reading.value is not None and not wrong and _rejects(found, reading):
        return Reading(None, "contradiction", reading.spans)
    if reading.value is not None and len(str(reading.value)) > 1 and not several:
        return reading._replace(why="several", clear=False)
    return reading


def _beside_another(found: Scan, shown: Sequence[str], value: str) -> bool:
    """Say whether, wherever the letter is given an option's text, it is another option's."""
    named = [
        option_of(found, match.end() - 1, shown)
        for match in NAMED.pattern.finditer(found.signs)
        if _value(found, match.start()) == value
    ]
    return bool(named) and value not in named


def _rejects(found: Scan, reading: Reading) -> bool:
    """Say whether a text calls wrong, further on, what it chose."""
    return any(
        set(_value(found, match.start())) & set(str(reading.value))
        for match in REJECTED.pattern.finditer(found.signs)
        if found.span(match.start()).start >= reading.spans[-1].end
    )


def _beside(labels: Iterable[Found], texts: Iterable[Found]) -> list[Found]:
    """Put labels and texts of options in order; a label within a text is none."""
    inside = list(texts)
    if not inside:
        return list(labels)
    own = [one for one in labels if not any(start <= one[0] < end for start, end, _ in inside)]
    return sorted(own + inside)


def _labels(text: str, count: int) -> Iterator[Found]:
    last = chr(64 + count)
    some = False
    for match in LABELS.pattern.finditer(text):
        letters = _letters(match[0])
        if letters and max(letters) <= last and len(set(letters)) == len(letters) and not _is_word(text, match.start(), match.end()):
            some = True
            yield match.start(), match.end(), "L"
    if not some:
        for match in LOWER.pattern.finditer(text):
            small = match[match.lastindex or 0].upper()
            if max(small) <= last and list(small) == sorted(set(small)):
                yield *match.span(match.lastindex or 0), "L"


def _letters(text: str) -> str:
    if spanned := RANGE.pattern.search(text.upper()):
        return "".join(map(chr, range(ord(spanned[1]), ord(spanned[2]) + 1)))
    return "".join(sign for sign in text.upper() if "A" <= sign <= "Z")


def _is_word(text: str, start: int, end: int) -> bool:
    """Say whether letters are a word: an article, or an abbreviation before Chinese."""
    rest = text[end : end + 2]
    if end - start == 1:
        return rest[:1] == " " and rest[1:].isascii() and rest[1:].islower() and text[end + 1 : end + 3] != "is"
    return text[start:end].isalpha() and ("\u4e00" <= rest[:1] <= "\u9fff") and rest[:1] not in "和与选项是为,都均符正"


def _value(found: Scan, sign: int) -> str:
    return "".join(sorted(set(_letters(found.text(sign)))))


def _commitments(found: Scan, count: int, *, several: bool, wrong: bool) -> Iterator[Commitment]:
    signs = found.signs
    copied = [place.span() for place in COPIED.pattern.finditer(signs)] if "T" in signs else []
    copied = [(begin, end) for begin, end in copied if signs.count("L", begin, end + 1) >= min(count, MANY + 1)]
    for begin, end in copied:
        signs = signs[:begin] + signs[begin:end].replace("L", "l") + signs[end:]
    if copied and several:
        yield from _whole_list(found, copied)
    found = found._replace(signs=signs)
    if "L" not in signs:
        if several and "U" in signs and set("ZNM").isdisjoint(signs):
            at = signs.index("U")
            yield Commitment("".join(map(chr, range(65, 65 + count))), CONCLUDED, "all", at, at)
        return
    strong = False
    for expr, strength in ((ANSWER, LABELLED), (CHOICE, LABELLED), (CORRECTED, LABELLED), (AT_END, LABELLED)):
        for match in expr.pattern.finditer(signs):
            first, last = match.start(), match.end() - (1 if expr is not AT_END else len(match[0]) - 1)
            if expr is AT_END:
                last = match.start() + 1
            if not wrong and signs[last + 1 : last + 2] == "M":
                continue
            strong = True
            yield Commitment(_with_more(found, last), strength, expr.name, first, last)
    listing = sum(1 for _ in ITEM.pattern.finditer(signs)) > MANY
    alone = [
        signs.index("L", match.start())
        for match in ALONE.pattern.finditer(signs)
        if not (listing and "T" in match[0])  # an item of a list
    ]
    alone = [at for at in alone if not _goes_on(found, at)]
    if alone:
        yield from _alone(found, alone)
        strong = True
    for match in IS.pattern.finditer(signs):
        last = match.end() - 1
        value = _value(found, last)
        if len(value) < count:
            yield Commitment(value, CONCLUDED, "is", match.start(), last)
    yield from _judged(found, count, several=several, wrong=wrong, strong=strong)


def _with_more(found: Scan, sign: int) -> str:
    """Give the label that is announced with those that are listed after it: a set is never cut to its first."""
    signs = found.signs
    if more := MORE.pattern.match(signs, sign + 1):
        places = [at for at in range(sign, more.end()) if signs[at] == "L"]
    elif lines := NEXT_LINES.pattern.match(signs, sign + 1):
        places = [at for at in range(sign, lines.end()) if signs[at] == "L"]
    else:
        return _value(found, sign)
    return "".join(sorted({letter for at in places for letter in _value(found, at)}))


def _whole_list(found: Scan, copied: Sequence[tuple[int, int]]) -> Iterator[Commitment]:
    """Take options that are listed as the answer: after a cue that the list follows, or with nothing else said."""
    for begin, end in copied:
        before = found.signs[max(0, begin - 3) : begin].rstrip("nao")
        if found.signs[end : end + 1] == "L":
            continue  # the list goes on
        if begin == 0 or before[-1:] in {":", "I", "K", "Y"}:
            places = [at for at in range(begin, end) if found.signs[at] == "L"]
            value = "".join(sorted({letter for at in places for letter in _value(found, at)}))
            yield Commitment(value, CONCLUDED if begin else MENTIONED, "listed", places[0], places[-1])


def _alone(found: Scan, alone: list[int]) -> Iterator[Commitment]:
    """Take labels that stand alone in a line: all together where nothing else stands in the text."""
    lines = found.prepared.text.strip().count("\n") + 1
    if len(alone) > 1 and len(alone) >= lines:
        value = "".join(sorted({letter for at in alone for letter in _value(found, at)}))
        yield Commitment(value, LABELLED, "alone", alone[0], alone[-1])
        return
    for at in alone:
        yield Commitment(_value(found, at), LABELLED, "alone", at, at)


def _goes_on(found: Scan, sign: int) -> bool:
    """Say whether a label is the next of a list of options."""
    before = [_value(found, item.start(1) - 1) for item in ITEM.pattern.finditer(found.signs, 0, sign)]
    return len(before) > MANY - 1 and ord(before[-1][-1]) + 1 == ord(_value(found, sign)[0])


def _itemised(found: Scan, *, several: bool, wrong: bool) -> Iterator[Commitment]:
    """Take a list that judges its items one by one, where each item is judged."""
    signs = found.signs
    right, places, values = ("M", [], []) if wrong else ("YC", [], [])
    for item in ITEM.pattern.finditer(signs):
        at = item.start(1) - 1
        verdict = next((sign for sign in reversed(item[1]) if sign in "YMCN"), "")
        if not verdict:
            return
        places.append(at)
        if verdict in right:
            values.append(_value(found, at))
    if len(places) > MANY - 1 and values and (several or len(values) == 1):
        letters = "".join(sorted(set("".join(values))))
        yield Commitment(letters, CONCLUDED, "each", places[0], places[0])


def _judged(found: Scan, count: int, *, several: bool, wrong: bool, strong: bool) -> Iterator[Commitment]:
    """Take what is said of options one by one: which holds, which fails; and a label that opens the text."""
    signs = found.signs
    fits, fails = ("M", HOLDS) if wrong else ("Y", FAILS)
    chosen: dict[str, tuple[int, int]] = {}
    rejected: set[str] = set()
    for match in (FAILS if wrong else HOLDS).pattern.finditer(signs):
        chosen.setdefault(_value(found, match.start()), (match.start(), match.end() - 1))
    for match in fails.pattern.finditer(signs):
        rejected.add(_value(found, match.start()))
    if several and len(chosen) > 1:
        letters = "".join(sorted({letter for value in chosen for letter in value}))
        first, last = min(chosen.values())[0], max(chosen.values())[1]
        yield Commitment(letters, CONCLUDED, "each", first, first)
    else:
        for value, (first, last) in chosen.items():
            yield Commitment(value, CONCLUDED, "holds", first, first)
    if not chosen:
        yield from _itemised(found, several=several, wrong=wrong)
    if listed := LISTED.pattern.search(signs):
        places = [at for at in range(listed.start(1), listed.end(1)) if signs[at] == "L" and signs[at - 1] in "nao"]
        value = "".join(sorted({letter for at in places for letter in _value(found, at)}))
        if several:
            yield Commitment(value, CONCLUDED, "listed", places[0], places[0])
    if strong or chosen:
        return
    if lines := LINES.pattern.match(signs):
        places = [at for at in range(len(signs)) if signs[at] == "L" and (at == 0 or signs[at - 1] in "naoO")]
        values = {letter for at in places for letter in _value(found, at)}
        if several and 1 < len(set("".join(values))) < count:
            yield Commitment("".join(sorted(values)), CONCLUDED, "opening", places[0], places[0])
        return
    if opening := OPENING.pattern.match(signs):
        at = opening.end() - 1
        value = _value(found, at)
        sentence = signs[at + 1 : clause(signs, at, at, "nSQ")[1]]
        if len(value) == 1 and len(list(ITEM.pattern.finditer(signs))) > MANY:
            return  # a list of options, gone through or copied
        touching = sentence[:1] == "_" and len(value) > 1
        if not touching and set("LMNHWFPZ").isdisjoint(sentence):
            yield Commitment(value, CONCLUDED, "opening", at, at)
