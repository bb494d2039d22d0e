"""Lines of a response that are a choice as they stand: labels, labels with their texts, texts."""

from __future__ import annotations

import re
from itertools import takewhile
from typing import TYPE_CHECKING

from medzh_score.extraction.letters_listed import item_at, listed_at
from medzh_score.extraction.letters_runs import run_at
from medzh_score.extraction.letters_said import BARE, EXPLICIT, Said
from medzh_score.extraction.letters_whole import chosen, said_of_list, terse
from medzh_score.extraction.option_wordings import DENIED_AFTER, LETTERS
from medzh_score.extraction.tcmd_lines import (
    AFFIRMED,
    CONCLUDING_LINE,
    EXPLAINED,
    HEADING,
    JUDGED,
    LINE,
    WRONG_ONES,
    line_choice,
)

if TYPE_CHECKING:
    from collections.abc import Iterator

    from medzh_score.extraction.tcmd_choice import Question

OPENS_LINE = re.compile(
    r"(?:[-•·>]\s*+)?(?:选项[：:]?)?[\s“\"「『（(【\[]*+(?=[A-H](?![A-Za-z0-9])|[A-H]{2,}(?![A-Za-z0-9]))"
)
STOPS = re.compile(r"[”\"’'」』）)】\]]*\s*(?:选?项)?\s*(?:[。.！!；;，,：:（(]|\Z)")
FULL_STOP = re.compile(r"\s*(?:[。！!]|\.(?:\s|\Z)|\Z)")
TEXT_ENDS = re.compile(r"[^\S\n]*(?:[。！!]|[，,（(]\s*(?:因为|由于|理由|因|符合|依据|根据))")
TRAILING = re.compile(
    r"\n+[^\S\n]*(?:希望|祝|如有|如果(?:您|你|还)|以上(?:是|为|仅|分析|内容)|请注意|[（(]?注[：:]|仅供参考|谢谢|感谢"
    r"|Hope|Let me know|I hope|Note)[^\n]*\Z"
)
AMONG = re.compile(r"[，,]?(?:都|均|皆|中|之间|这)")
HEADED = re.compile(r"(?:(?:以下是|下列)?(?:备选)?选项(?:如下|有|包括)?|[Oo]ptions?)[：:]\s*")
REJECTED_AT_ONCE = re.compile(  # A。错。and C（小青龙汤）不对
    r"[（(]?[A-H][)）]?(?:选?项)?(?:[。，,.\s]{1,3}(?:错误?|不对|不正确|有误)了?[。，,！；]"
    r"|\s?[（(【][^（()）\n]{1,40}[)）】]\s*[（(]?(?:选?项)?(?:的?说法)?[是为]?(?:不(?![是选])|不[应能]?选|错|误|×|有误|排除))"
)
BECAUSE = re.compile(r"[（(]?([A-H])[)）]?,? (?:because|since|as) ")
IS = re.compile(
    r"(?:[就应]|应该|应当|大概率?|多半|很可能|最可能)?是([A-H])(?:选?项)?(?=[，,]?而?(?:不是|非)|[，,。])(?![，,]?(?:也可|或|还是))"
)
JOINED = re.compile(r"\W*[A-H](?:选?项)?\s*[、，,和与及或/]\s*(?:选项)?[A-H](?![A-Za-z0-9])")
NOT_A_BRACKET = r"[^A-Za-z0-9（()）\n]"
GLOSSED = re.compile(
    rf"([A-H])(?:[.、．:：)）]\s?(?P<name>[A-Za-z][A-Za-z -]{{2,40}})|{NOT_A_BRACKET}{{1,41}})?\s?"
    r"[（(](?P<gloss>[^（()）\n]{1,60})[)）]"
)
JUDGES = "(?:Inc|C)orrect|Wrong|Right|True|False|Not?\\b|Yes|This|Best|Likely|Unlikely"
IN_ENGLISH = re.compile(rf"([A-H])[)）:：] ?(?!{JUDGES})[A-Z][a-z]{{2,}}(?: [A-Za-z-]+){{0,4}}\.?")
UNFIT = re.compile(
    r"[A-H](?![A-Za-z0-9])|错|不对|不正确|不符|不是|不选|非|存疑|[？?]|排除|有误|×|wrong|false|incorrect|not "
)
OTHER_LABEL = re.compile(r"(?<![A-Za-z0-9])[A-H](?![A-Za-z0-9])")
OPENS_WITH = frozenset("ABCDEFGHabcdefgh0123456789选以下备应就是Oo-•·答第题可那我大多很最")  # or no letter at all
LAST_SENTENCE = re.compile(r"[。！!]\s?(?:选|就?是|是)?([A-H])[。！!]\Z")
NEAR = 8  # characters in which such a sentence stands
FEW = 2


def lines(text: str, question: Question) -> Iterator[Said]:
    """Read the first line, the last, and any that is a label alone.

    Lines of a list of the options are none.

    Parameters
    ----------
    text : str
        The prepared response.
    question : Question
        What was asked.
    """
    ending = TRAILING.search(text) if "\n" in text else None
    text = text[: ending.start()].rstrip() if ending else text
    first_end = text.find("\n")
    if first_end < 0:
        said = opening(text, question)
        if said:
            yield said
        return
    spots = list(_spots(text, question))
    labels = list(takewhile(lambda spot: spot.alone, spots))
    if len({spot.letter for spot in labels}) > 1:  # labels one below the other
        letters = "".join(sorted({spot.letter for spot in labels}))
        yield Said(letters, "labels", labels[0].start, labels[-1].end, EXPLICIT)
        spots = spots[len(labels) :]
        if spots and (said := _last(text, [labels[-1], *spots], question)):
            yield said
        return
    if spots[0].end == first_end or text[spots[0].end : first_end].isspace():
        said = opening(text[:first_end].rstrip(), question)
        first = spots[0].line
        goes_on = (
            said and said.rule in {"label and text", "text"} and (_goes_on(spots, 0) or IN_ENGLISH.fullmatch(first))
        )
        if said and not goes_on:
            yield said
    for number, spot in enumerate(spots[1:-1], 1):
        if spot.alone and not _between_alike(spots, number):
            yield Said(spot.letter, "label", spot.start, spot.end, EXPLICIT)
    said = _last(text, spots, question)
    if said:
        yield said


class _Spot:
    """A line that begins as an option does, or not."""

    __slots__ = ("alone", "end", "letter", "line", "option", "start")

    def __init__(self, line: str, start: int, question: Question) -> None:
        stripped = line.strip()
        self.start = start + len(line) - len(line.lstrip())
        self.end = self.start + len(stripped)
        self.line = stripped
        self.letter, self.option, self.alone = "", None, False
        found = LINE.match(stripped)
        if found:
            rest = stripped[found.end() :]
            if not rest:
                self.letter, self.alone = found[1].upper(), found[1].isupper()
            elif found[2].strip() or question.texts.leading(rest) is not None:
                self.letter = found[1].upper()
        elif (option := question.texts.whole(stripped)) is not None:
            self.option = option


def _spots(text: str, question: Question) -> Iterator[_Spot]:
    start = 0
    for line in text.split("\n"):
        if line.strip():
            yield _Spot(line, start, question)
        start += len(line) + 1


def _goes_on(spots: list[_Spot], number: int) -> bool:
    """Say whether a later line is the next of a list that this one begins."""
    spot = spots[number]
    if spot.option is not None:
        return spots[number + 1].option is not None and spots[number + 1].option != spot.option
    following = next((other for other in spots[number + 1 :] if other.letter and not other.alone), None)
    return following is not None and following.letter > spot.letter


def _between_alike(spots: list[_Spot], number: int) -> bool:
    """Say whether the line before or after is such a line with another label."""
    neighbours = (spots[number - 1], spots[number + 1])
    return any(other.letter and other.letter != spots[number].letter for other in neighbours)


def _last(text: str, spots: list[_Spot], question: Question) -> Said | None:
    last, previous = spots[-1], spots[-2]
    if WRONG_ONES.search(previous.line[-HEADING:]):
        return None
    if last.line[:1].isdigit() and question.texts.whole(last.line) is None:
        return None
    headed = CONCLUDING_LINE.search(previous.line[-HEADING:]) is not None
    apart = headed or ("\n\n" in text[previous.end : last.start] and not previous.line.endswith(("：", ":")))
    options = [spot for spot in spots[:-1] if spot.letter and not spot.alone]
    if not headed and not last.alone and options and options[-1].letter < last.letter:
        return None
    if previous.option is not None and last.option is not None and previous.option != last.option:
        return None
    run = _run(last.line, last.start, question, opens=False)
    if run:
        return run
    choice = line_choice(last.line, question)
    weight = EXPLICIT if apart or last.alone else BARE
    return chosen(choice, last.start, last.end, weight) if choice else None


def _run(line: str, start: int, question: Question, *, opens: bool) -> Said | None:
    """Read a line that is several labels, or that opens with them."""
    begins = OPENS_LINE.match(line)
    if not begins:
        return None
    run = run_at(line, begins.end(), question)
    if run is None or run.rule == "no labels" or (len(run.letters) < FEW and not run.rule):
        return None
    stop = STOPS.match(line, run.end)
    rest = line[run.end :]
    if rest.strip(' 。.”"」』）)】]') in {"", "项", "选项"} or AFFIRMED.fullmatch(rest.strip()):
        return Said("" if run.rule else run.letters, run.rule or "labels", start, start + run.end, EXPLICIT)
    goes_on = stop is not None and not JUDGED.match(line[stop.end() :].lstrip())
    if opens and (goes_on or EXPLAINED.match(rest)) and not AMONG.match(rest):
        return Said("" if run.rule else run.letters, run.rule or "labels", start, start + run.end, EXPLICIT)
    return None


def opening(line: str, question: Question) -> Said | None:
    """Read the first line of a response.

    Parameters
    ----------
    line : str
        The line, without white space behind it.
    question : Question
        What was asked.
    """
    if line[:1] not in OPENS_WITH and not question.texts.may_begin(line, 0):
        return None
    return terse(line) or _list(line, question) or _labels(line, question) or _label_or_text(line, question)


def _list(line: str, question: Question) -> Said | None:
    headed = HEADED.match(line)
    listed = listed_at(line, headed.end() if headed else 0, question)
    return said_of_list(listed[0], listed[1], question) if listed and FULL_STOP.match(line, listed[1]) else None


def _labels(line: str, question: Question) -> Said | None:
    """Read several labels, unless one of the options reads like that."""
    if not question.texts.listed_letters:
        return _run(line, 0, question, opens=True)
    item = item_at(line, 0, question)
    return (
        Said(item[0], "label and text", 0, item[1], EXPLICIT) if item and FULL_STOP.fullmatch(line, item[1]) else None
    )


def _label_or_text(line: str, question: Question) -> Said | None:
    if not question.texts.listed_letters and JOINED.match(line):
        return None
    if explained := IS.match(line) or BECAUSE.match(line):
        return Said(explained[1], "label", 0, explained.end(1), EXPLICIT)
    choice = line_choice(line, question, opens=True)
    if choice and (
        REJECTED_AT_ONCE.match(line) or (choice.rule == "label" and DENIED_AFTER.match(line, _label_end(line)))
    ):
        return Said("", "negated", 0, _label_end(line), 0)
    if choice and not (choice.rule == "label and text" and _next_follows(line, question)):
        return chosen(choice, 0, len(line) if choice.rule in {"text", "label and text"} else _label_end(line))
    return _glossed(line, question) or _leading(line, question)


def last_sentence(text: str) -> Said | None:
    """Read a last sentence that is a label alone, as A in 天王补心丹不健脾。A。 is.

    Parameters
    ----------
    text : str
        A prepared response.
    """
    found = LAST_SENTENCE.search(text, max(0, len(text) - NEAR))
    return Said(found[1], "label", found.start(1), found.end(1), EXPLICIT) if found else None


def _leading(line: str, question: Question) -> Said | None:
    """Read an option's text that opens the line, and ends or is explained."""
    met = question.texts.leading(line)
    if met and TEXT_ENDS.match(met.rest) and not question.texts.repeated(met.option):
        return chosen(question.told(met.option, "text"), 0, len(line) - len(met.rest))
    return None


def _glossed(line: str, question: Question) -> Said | None:
    """Read a label with its own text in brackets, or with a remark there: C（不太有把握）, D 麻黄汤 （君药）."""
    label = GLOSSED.match(line)
    own = question.own(line[0]) if line[0] in LETTERS else None
    if own is not None and not question.texts.texts[own].isascii() and (foreign := IN_ENGLISH.fullmatch(line)):
        return Said(foreign[1], "label and text", 0, len(line), EXPLICIT)
    if label is None or own is None:
        return None
    end = label.end(1)
    if label["name"] is not None:
        named = question.texts.whole(label["gloss"])
        fits = named is not None and question.texts.same(own, named) and not OTHER_LABEL.search(line, label.end(1))
    elif not line[label.end() :].strip("。.") and not UNFIT.search(label["gloss"]):
        gap = line[end : label.start("gloss")].strip("（( ")
        fits = not gap or question.texts.whole(gap) == own
    else:
        fits = False
    return Said(label[1], "label", 0, end, EXPLICIT) if fits else None


def _next_follows(line: str, question: Question) -> bool:
    """Say whether the next option is listed on the same line, as where the question is repeated."""
    found = LINE.match(line)
    letter = chr(ord(found[1].upper()) + 1) if found else ""
    place = line.find(letter, 1)
    following = LINE.match(line, place) if place > 0 else None
    own = question.own(letter) if following and letter in LETTERS else None
    if following is None or own is None or not following[2]:
        return False
    met = question.texts.leading(line, following.end())
    return met is not None and question.texts.same(own, met.option)


def _label_end(line: str) -> int:
    found = LINE.match(line)
    return found.end(1) if found else len(line)
