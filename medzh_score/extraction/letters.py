"""Option letters: to which option, or options, does a response commit itself?"""

from __future__ import annotations

from typing import TYPE_CHECKING

from medzh_score.extraction.commitments import CONCLUDED, FINAL, LABELLED, MENTIONED, Commitment, resolve
from medzh_score.extraction.expressions import expression
from medzh_score.extraction.option_texts import named_in_last_sentence
from medzh_score.extraction.preparation import prepare
from medzh_score.extraction.reading import Reading
from medzh_score.extraction.signs import scan
from medzh_score.extraction.words import lexicon_of

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from medzh_score.extraction.signs import Found, Scan

MOST = 26
LABELS = expression(
    "labels",
    r"(?<![A-Za-z0-9_%])(?:[A-Z](?![A-Za-z0-9_'’%+-])(?:[ \t]*(?:[,、/&+;]|[和与及]|以及)?[ \t]*[A-Z](?![A-Za-z0-9_'’%+-]))*"
    r"|[A-Z]{2,}(?![A-Za-z0-9_%-]))",
    matches="选A、C",
    misses="HBV-DNA",
)
LOWER = expression("small label", r"\s*[\[(<:]*\s*([a-z])\s*[\])>.。]*\s*", matches="(b)", misses="is b")
ANSWER = expression("answer", r"K[aIKOX:ocnCY]{0,9}L", matches="K:oL", misses="KNL", over="signs")
CHOICE = expression("choice", r"C[aIO:ocn]{0,5}L", matches="CL", misses="C_L", over="signs")
ALONE = expression("alone", r"(?:(?<=n)|\A)[aoc:S]*O?L[aoc:S]*O?[aocSD]*(?=n|\Z)", matches="_noLcn", misses="nL_", over="signs")
AT_END = expression("bracket at the end", r"oLc[aS]*\Z", matches="_oLcS", misses="_oLc_", over="signs")
OPENING = expression("opening", r"\A[anoc]*L(?=[:dDaScnTX_I])(?!O)", matches="L:_", misses="OL_", over="signs")
IS = expression("is", r"I[a:ocn]{0,4}O?L(?![O_]*[MY])(?=[aocSnD:dTXO]|\Z)", matches="_ILS", misses="_IL_", over="signs")
HOLDS = expression("holds", r"L[OaIocT_:d]{0,5}?Y", matches="OL_Y", misses="LOM", over="signs")
FAILS = expression("fails", r"L[OaIocT_:d]{0,5}?M", matches="OL_M", misses="LOY", over="signs")
LISTED = expression("listed", r"[IKY]a*:?n+((?:[aoc]*L[^n]*n*){2,})", matches="_I:nL_nL_", misses="_nL_nL_", over="signs")
LINES = expression("lines", r"\A[an]*(?:[aoc]*O?L[^n]*(?:n+|\Z))+\Z", matches="L_nL_", misses="_nL_", over="signs")
ITEM = expression("item", r"(?:(?<=[nSD])|\A)[aoc]*O?L([^nS]*)", matches="nL_DM", misses="n_L", over="signs")
ASKS_FOR_WRONG = expression(
    "asks for wrong",
    r"(?:不正确|错误|不对|不符合|不属于|不包括|不是|不恰当|不合适|不适|不宜|不应|不能|不会|有误|不准确|不含|不成立|无关|除外|除了|不需|不可|不必|不支持|不考虑|不常见|不出现|无)[^。?]{0,24}$"
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
    prepared = prepare(text)
    if prepared.lacks:
        return Reading(None, prepared.lacks)
    count = MOST if options is None else len(options)
    found = scan(prepared, lexicon_of("letters"), _labels(prepared.text, count))
    commitments = list(_commitments(found, count, several=several, wrong=wrong))
    reading = resolve(found, commitments)
    if reading.value is None and reading.why == "nothing" and options:
        reading = named_in_last_sentence(found, options) or reading
    if reading.value is not None and len(str(reading.value)) > 1 and not several:
        return reading._replace(why="several", clear=False)
    return reading


def _labels(text: str, count: int) -> Iterator[Found]:
    last = chr(64 + count)
    some = False
    for match in LABELS.pattern.finditer(text):
        letters = _letters(match[0])
        if max(letters) <= last and len(set(letters)) == len(letters) and not _is_word(text, match.start(), match.end()):
            some = True
            yield match.start(), match.end(), "L"
    if not some and (small := LOWER.pattern.fullmatch(text)) and small[1].upper() <= last:
        yield small.start(1), small.end(1), "L"


def _letters(text: str) -> str:
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
    if "L" not in signs:
        if several and "U" in signs:
            at = signs.index("U")
            yield Commitment("".join(map(chr, range(65, 65 + count))), CONCLUDED, "all", at, at)
        return
    strong = False
    for expr, strength in ((ANSWER, LABELLED), (CHOICE, LABELLED), (AT_END, LABELLED)):
        for match in expr.pattern.finditer(signs):
            first, last = match.start(), match.end() - (1 if expr is not AT_END else len(match[0]) - 1)
            if expr is AT_END:
                last = match.start() + 1
            if not wrong and signs[last + 1 : last + 2] == "M":
                continue
            final = "最终" in found.text(first) or found.text(first).lower().startswith("final")
            strong = True
            yield Commitment(_value(found, last), FINAL if final else strength, expr.name, first, last)
    alone = [signs.index("L", match.start()) for match in ALONE.pattern.finditer(signs)]
    if alone:
        yield from _alone(found, alone)
        strong = True
    for match in IS.pattern.finditer(signs):
        last = match.end() - 1
        value = _value(found, last)
        if len(value) < count:
            yield Commitment(value, CONCLUDED, "is", match.start(), last)
    yield from _judged(found, count, several=several, wrong=wrong, strong=strong)


def _alone(found: Scan, alone: list[int]) -> Iterator[Commitment]:
    """Take labels that stand alone in a line: all together where nothing else stands in the text."""
    lines = found.prepared.text.strip().count("\n") + 1
    if len(alone) > 1 and len(alone) >= lines:
        value = "".join(sorted({letter for at in alone for letter in _value(found, at)}))
        yield Commitment(value, LABELLED, "alone", alone[0], alone[-1])
        return
    for at in alone:
        yield Commitment(_value(found, at), LABELLED, "alone", at, at)


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
        if len(places) == 1 or (several and len(values) > 1):
            yield Commitment("".join(sorted(values)), CONCLUDED, "opening", places[0], places[0])
        return
    if opening := OPENING.pattern.match(signs):
        others = {_value(found, match.end() - 1) for match in ITEM.pattern.finditer(signs)}
        at = opening.end() - 1
        yield Commitment(_value(found, at), CONCLUDED, "opening", at, at)
