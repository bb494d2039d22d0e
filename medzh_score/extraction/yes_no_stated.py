"""What a response states of the doctor's answer: first, or in conclusion, with nothing that could take it back."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING

from medzh_score.configs.cmhe_hd_words import NO
from medzh_score.extraction import yes_no_wordings as wordings
from medzh_score.extraction.cmhe_hd_cues import NEGATION as NEGATED
from medzh_score.extraction.yes_no_marks import NOT_FALSE
from medzh_score.extraction.yes_no_parts import CONTRAST, HEDGE, NEGATION, QUESTION, STATEMENT, UNSURE
from medzh_score.extraction.yes_no_reasons import EDGES, excepted, hedged, judged_before, stated, supports, takes_back
from medzh_score.extraction.yes_no_words import LASTS, Said, Verdict, is_unsure

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from collections.abc import Set as AbstractSet

    from medzh_score.extraction.yes_no_parts import Part
    from medzh_score.extraction.yes_no_words import Pair, Text

HEDGED, NOTHING = Verdict(None, "hedge"), Verdict(None, "nothing")
MARGIN = 170  # characters of space and quotes around it, and of what is blanked
LONGEST = 30  # characters in which a part can say nothing but a word


def of_statements(own: Text) -> Verdict:
    """Read a text by what it states of the answer.

    Parameters
    ----------
    own : Text
        The response's own words; none of them answers by itself.
    """
    text, parts, _ = own
    said = _statements(own)
    if not said:
        return _nothing(own)
    places = tuple(_trimmed(text, one.start, one.end) for one in said.values())
    words = {
        place: value
        for place, (start, end, *_) in enumerate(parts)
        if end - start <= LONGEST + MARGIN and (value := _word_in(text[start:end]))
    }
    if len({one.value for one in said.values()} | set(words.values())) > 1:
        return Verdict(None, "contradiction", places)
    first = next((place for place, one in said.items() if _leads(own, place, one)), None)
    if first is None:
        return _nothing(own)
    rule = _against(own, first, said, words)
    if rule:
        return Verdict(None, rule, places)
    return Verdict(said[first].value, said[first].name, places)


def _nothing(own: Text) -> Verdict:
    if own.cues & HEDGE and any(cues & HEDGE and hedged(own.text[start:end]) for start, end, cues, _ in own.parts):
        return HEDGED
    return NOTHING


def _against(own: Text, first: int, said: Mapping[int, Said], words: Mapping[int, str]) -> str:
    """Give the rule by which a statement is none, or nothing where it stands."""
    text, parts, cues = own
    begin, last = _sentence(parts, first)
    if cues & QUESTION or (cues & UNSURE and is_unsure(text, parts)):
        return "hedge"
    if cues & HEDGE and hedged(text[parts[begin][0] : parts[last][1]]):
        return "hedge"
    known = {*words, *said}
    if _is_denied(own, first, begin, said[first], known):
        return "contradiction"
    is_no = said[first].value == NO
    return "nothing" if is_no and _is_excepted(own, said[first].start, [*range(first + 1, last + 1)], known) else ""


def _statements(own: Text) -> dict[int, Said]:
    """Find the parts that are statements."""
    said: dict[int, Said] = {}
    if own.cues & STATEMENT:
        for place, (start, end, cues, _) in enumerate(own.parts):
            found = stated(own.text[start:end].strip(EDGES)) if cues & STATEMENT else None
            if found:
                said[place] = Said(start, end, *found)
    return said


def _leads(own: Text, place: int, one: Said) -> bool:
    """Tell whether a statement begins its sentence, or concludes what was said before."""
    if _concludes(own, one):
        return True
    begin, _ = _sentence(own.parts, place)
    before = (own.text[start:end].strip(EDGES) for start, end, *_ in own.parts[begin:place])
    return all(not words or wordings.PREFACE.fullmatch(words) or supports(words, one.value) for words in before)


def _concludes(own: Text, one: Said) -> bool:
    return wordings.CONCLUDING.match(own.text[one.start : one.end].strip(EDGES)) is not None


def _is_denied(own: Text, first: int, begin: int, one: Said, known: AbstractSet[int]) -> bool:
    """Tell whether anything after a statement could take it back, or anything before it judges otherwise."""
    text, parts = own.text, own.parts
    _, last = _sentence(parts, first)
    for place in range(first + 1, len(parts)):
        start, end, cues, _ = parts[place]
        if place not in known and takes_back(text[start:end], cues, one.value, same=place <= last):
            return True
    earlier = parts[: first if _concludes(own, one) else begin]
    return any(judged_before(text[start:end], cues, one.value) for start, end, cues, _ in earlier)


def _is_excepted(own: Text, start: int, beside: Sequence[int], known: AbstractSet[int]) -> bool:
    """Tell whether what follows No in its sentence could deny anything, or the text makes an exception of it."""
    if own.cues & CONTRAST and excepted(own.text[start:]):
        return True
    return any(
        cues & NEGATION and NEGATED.search(NOT_FALSE.sub("", own.text[start:end]))
        for start, end, cues, _ in (own.parts[place] for place in beside if place not in known)
    )


@lru_cache(maxsize=1 << 12)
def _word_in(part: str) -> str | None:
    """Read a part that is nothing but a word which answers, or says so: 因此答案为否."""
    words = part.strip(EDGES)
    if len(words) > LONGEST or words[-1:] not in LASTS:
        return None
    found = wordings.SAYING.fullmatch(words)
    return wordings.VALUES[found["word"].lower()] if found else None


def _trimmed(text: str, start: int, end: int) -> Pair:
    words = text[start:end]
    return start + len(words) - len(words.lstrip(EDGES)), end - len(words) + len(words.rstrip(EDGES))


def _sentence(parts: Sequence[Part], place: int) -> tuple[int, int]:
    """Give the first and the last part of a sentence."""
    begin = last = place
    while begin and not parts[begin - 1][3]:
        begin -= 1
    while last < len(parts) - 1 and not parts[last][3]:
        last += 1
    return begin, last
