"""Labels of options in a text: letters that stand alone or in a row, and the words near them."""

from __future__ import annotations

from bisect import bisect_left
from functools import cache, lru_cache
from typing import TYPE_CHECKING, NamedTuple

from medzh_score.extraction.engine import CONCLUDED, LABELLED, MENTIONED, Candidate, clause
from medzh_score.extraction.normalize import prepare_options
from medzh_score.extraction.vocabulary import automaton, expression, lexicon_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from ahocorasick_rs import AhoCorasick

    from medzh_score.extraction.engine import Found, Match, Scan


LEADING = " \t\n。-*#([<"  # signs that may stand before a label in its line
SHORT = 80  # characters of a text that may be labels alone
# It begins with a set of letters, which Python's `re` skips to.
LABELS = expression(
    "labels",
    r"[A-Z](?<![A-Za-z0-9_%素].)"
    r"(?:(?![A-Za-z0-9_'’%]|[ ]?(?:[级型药期类组超族区]|-[\u4e00-\u9fff]|反应蛋白|二聚体)|\. ?coli)"
    r"(?:[ \t]*(?:[,、/&+;~到至-]|—+)?[ \t]*(?:[和与及]|以及|and)?[ \t]*[A-Z](?![A-Za-z0-9_'’%]))*"
    r"|[A-Z]+(?![A-Za-z0-9_%-]))",
    matches="选A、C",
    misses="mRNA",
)
SPACED = expression("spaced labels", r"\A\s*([A-Z](?:[\s.。;|]+[A-Z])+)[\s.。]*\Z", matches="A.B.C", misses="A.肝 B.脾")
# A comma before labels that are judged otherwise ends a clause: 选B,C、D不符合.
JUDGED = expression(
    "judged otherwise",
    r"(?:选?项)?(?:[均都也是为的]|说法|描述|表述)*(?:错|不|有误|用于|属于)",
    matches="均不符合",
    misses="正确",
)
RANGE = expression("range", r"([A-Z])[ \t]*(?:[~到至-]|—+)[ \t]*([A-Z])", matches="A到D", misses="A、D")
LOWER = expression(
    "small label",
    r"(?<![A-Za-z])[(\[<]([a-z])[)\]>]|(?:option|choice|answer|选|答案[是为]?|:)[ \t]*([a-z])(?![A-Za-z'])"
    r"|\A\s*([a-z])(?=[).:])|\A\s*([a-z]{1,8})\s*[.。]?\s*\Z",
    matches="the answer is (b)",
    misses="is b",
)


def label_places(text: str, count: int) -> Iterator[Found]:
    """Find the labels of a number of options; small letters where there is no large one."""
    last = chr(64 + count)
    if len(text) < SHORT and (spaced := SPACED.pattern.match(text)) and max(spaced[1]) <= last:
        yield *spaced.span(1), "L"
        return
    some = False
    for match in LABELS.pattern.finditer(text):
        start, end = match.span()
        letters = match[0]
        if end - start > 1:
            comma = letters.find(",")
            if comma > 0 and ("、" in letters or JUDGED.pattern.match(text, end)):
                yield from _apart(text, start, end, last)
                some = True
                continue
            letters = letters_in(letters)
            if not letters or max(letters) > last or len(set(letters)) < len(letters):
                continue
        if letters[0] <= last and not _is_word(text, start, end):
            some = True
            yield start, end, "L"
    if not some:
        for match in LOWER.pattern.finditer(text):
            small = match[match.lastindex or 0].upper()
            if max(small) <= last and list(small) == sorted(set(small)):
                yield *match.span(match.lastindex or 0), "L"


def _apart(text: str, start: int, end: int, last: str) -> Iterator[Found]:
    """Take apart what only a comma joins."""
    for part in text[start:end].split(","):
        own = len(part) - len(part.lstrip())
        if letters_in(part) and max(letters_in(part)) <= last:
            yield start + own, start + len(part.rstrip()), "L"
        start += len(part) + 1


def letters_in(text: str) -> str:
    """Give the letters of labels, a range with all between."""
    if spanned := RANGE.pattern.search(text.upper()):
        return "".join(map(chr, range(ord(spanned[1]), ord(spanned[2]) + 1)))
    return "".join(sign for sign in text.upper() if "A" <= sign <= "Z")


def _is_word(text: str, start: int, end: int) -> bool:
    """Say whether letters are a word: an article, or an abbreviation before Chinese."""
    rest = text[end : end + 2]
    if end - start == 1:
        word = rest[1:].isascii() and (rest[1:].islower() or rest[1:].isdigit())
        return rest[:1] == " " and word and text[end + 1 : end + 3] != "is"
    return text[start:end].isalpha() and ("\u4e00" <= rest[:1] <= "\u9fff") and rest[:1] not in "和与选项是为,都均符正"


def value_of(found: Scan, sign: int) -> str:
    """Give the letters of a label, or of a row of labels."""
    text = found.text(sign)
    return text.upper() if len(text) == 1 else "".join(sorted(set(letters_in(text))))


def together(found: Scan, places: Iterable[int]) -> str:
    """Join the letters of several labels."""
    return "".join(sorted({letter for at in places for letter in value_of(found, at)}))


def words_near(text: str, own: Sequence[Found]) -> list[Match] | None:
    """Find all words in sentences that hold a label or an option, and signs of doubt in all others."""
    if len(text) < SHORT or not own:
        return None
    near, far = lexicon_of("letters").automaton, _doubts()
    matches: list[Match] = []
    first = stop = 0
    for start, end, _ in own:
        if start < stop:
            continue
        begin = max(text.rfind("\n", stop, start), text.rfind("。", stop, start), stop)
        while begin > stop and not text[begin:start].strip(LEADING):  # the line above may say what it is
            begin = max(text.rfind("\n", stop, begin), text.rfind("。", stop, begin), stop)
        if begin > stop:  # else the sentence goes on where the last one ended
            matches += _shifted(near, text, first, stop)
            matches += _shifted(far, text, stop, begin)
            first = begin
        stop = min(_end(text, "\n", end), _end(text, "。", end))
        while text[stop : stop + 1] in {" ", "\n"}:  # that a line ends is a sign, too
            stop += 1
    return [*matches, *_shifted(near, text, first, stop), *_shifted(far, text, stop, len(text))]


def _end(text: str, stop: str, after: int) -> int:
    at = text.find(stop, after)
    return len(text) if at < 0 else at + 1


def _shifted(words: AhoCorasick, text: str, begin: int, end: int) -> list[Match]:
    """Find words in a part of a text, with their places in the whole."""
    if begin == end:
        return []
    found = words.find_matches_as_indexes(text[begin:end])
    return [(number, at + begin, to + begin) for number, at, to in found] if begin else found


@cache
def _doubts() -> AhoCorasick:
    """Give an automaton whose numbers are those of the whole lexicon: words that are no doubt are never found."""
    lexicon = lexicon_of("letters")
    return automaton([word.word if word.sign in "RHFWZ" else "\0" for word in lexicon.words])


def beside_texts(labels: Iterable[Found], texts: Sequence[Found]) -> Sequence[Found]:
    """Put labels and texts of options in order; a label within a text is none."""
    if not texts:
        return list(labels)
    own, place = [], 0
    for label in labels:
        while place < len(texts) and texts[place][1] <= label[0]:
            own.append(texts[place])
            place += 1
        if place == len(texts) or label[1] <= texts[place][0]:
            own.append(label)
    return own + list(texts[place:])


class OptionQuestion(NamedTuple):
    """What of a question its answers are read by: its options, prepared, how many, and what may be asked for."""

    shown: tuple[str, ...]
    size: int
    several: bool
    wrong: bool


TRIMMED = " \n。.,;:!?()[]<>\"'“”"
BARRED = frozenset("NMHFPWQEZ")  # signs with which a sentence names no option as its conclusion


@lru_cache(maxsize=4096)
def shown_texts(options: tuple[str, ...]) -> tuple[str, ...]:
    """Prepare the texts of options as responses show them; one that is a letter itself is none."""
    texts = tuple(text.strip(TRIMMED) for text in prepare_options(options))
    return tuple("" if len(text) == 1 and text.isascii() and text.isalpha() else text for text in texts)


def text_places(folded: str, shown: Sequence[str]) -> list[Found]:
    """Find the texts of options; where one is part of another, the longer."""
    taken: list[Found] = []
    for text in shown:
        at = folded.find(text) if text else -1
        while at >= 0:
            end = at + len(text)
            if not (text[0].isdigit() and folded[at - 1 : at].isdigit()):
                taken.append((at, end, "T"))
            at = folded.find(text, end)
    if len(taken) < 2:  # noqa: PLR2004 - nothing to overlap
        return taken
    taken.sort(key=lambda place: (place[0], -place[1]))
    kept = taken[:1]
    for place in taken[1:]:
        if place[0] >= kept[-1][1]:
            kept.append(place)
        elif place[1] - place[0] > kept[-1][1] - kept[-1][0]:
            kept[-1] = place
    return kept


def option_of(found: Scan, sign: int, shown: Sequence[str]) -> str:
    """Give the letter of an option's text."""
    return chr(65 + shown.index(found.prepared.folded[found.starts[sign] : found.ends[sign]]))


def _ends(signs: str, at: int, begin: int) -> bool:
    """Say whether a text of one character, which may be a part of any word, ends a conclusion behind 是 or 为."""
    return signs[at - 1] == "I" and "V" in signs[begin:at] and signs[at + 1 : at + 2] in {"S", "n", ""}


def named(found: Scan, question: OptionQuestion) -> Iterator[Candidate]:
    """Take an option's text that is all that is said, a line that is one, or the conclusion of a sentence."""
    signs = found.signs
    places = [at for at, sign in enumerate(signs) if sign == "T"]
    options = {at: option_of(found, at, question.shown) for at in places}
    if question.several and len(places) > 1 and not signs.strip("TdDSnac:"):
        yield Candidate("".join(sorted(set(options.values()))), LABELLED, "texts", places[0], places[-1])
        return
    head = len(signs) - len(signs.lstrip("TdaocD"))
    if question.several and signs.count("T", 0, head) > 1 and signs[head : head + 1] in {"S", "n"}:
        letters = {options[at] for at in places if at < head}
        if len(letters) < question.size:
            yield Candidate("".join(sorted(letters)), MENTIONED, "texts", places[0], head - 1)
            return
    only = len(set(options.values())) == 1
    for at in places:
        begin, end = clause(signs, at, at, "nSQ")
        sentence = signs[begin:end]
        near = places[bisect_left(places, begin) : bisect_left(places, end)]
        others = {options[other] for other in near} != {options[at]}
        of_it = found.prepared.folded.startswith("的", found.ends[at])  # what is said to be of the option
        if others or of_it or not BARRED.isdisjoint(sentence):
            continue
        last = not signs[end:].strip("nSaoc")
        touched = signs[at + 1 : at + 2] == "_" and found.starts[at + 1] == found.ends[at]  # part of a longer name
        whole = not sentence.strip("aocSn:T")
        announced = signs[begin:at].rstrip("aoc:")[-1:] in {"I", "K", "C"} and (
            (last and only) or "V" in signs[begin:at]
        )
        if whole and only:
            yield Candidate(options[at], CONCLUDED if begin else LABELLED, "text", at, at)
        elif not whole and announced and not touched and (len(found.text(at)) > 1 or _ends(signs, at, begin)):
            yield Candidate(options[at], MENTIONED, "text", at, at)
