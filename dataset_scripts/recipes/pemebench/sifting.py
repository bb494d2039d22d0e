"""The paper's three rules for pairs, as far as they can be computed; people decide about the rest."""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass
from typing import TYPE_CHECKING

from dataset_scripts.recipes.pemebench.generation import NO_ANSWER
from dataset_scripts.recipes.pemebench.settings import settings
from dataset_scripts.recipes.pemebench.support import repeats, share, unknown_numbers, words_there

if TYPE_CHECKING:
    from collections.abc import Iterator

    from dataset_scripts.recipes.pemebench.blocks import Block

# What fires, with its meaning. Those of the first group drop a pair, those of the second send it to a person.
DROPS = {
    "about the book": "rule 1: the question is about the book, not about pediatrics",
    "points outside": "rule 2: the question points to a text that it does not bring along",
    "nothing before": "rule 2: a pronoun of the question has nothing before it",
    "names nothing": "rule 2: the question names no disease, finding, medicine or method",
    "unrelated": "rule 3: no word of the question stands in the text or its headings",
    "no answer": "rule 3: the model found no answer in the text",
    "unsupported": "rule 3: too few of the answer's pairs of characters stand in the text",
    "unknown number": "rule 3: a number of the answer stands nowhere in the text",
}
REVIEWS = {
    "adults": "rule 1: the question speaks of adults and of no children",
    "perhaps outside": "rule 2: the question may point to a text that it does not bring along",
    "unclear pronoun": "rule 2: a pronoun of the question does not follow the subject's name",
    "unclear name": "rule 2: what the question names is one character long, and not the subject",
    "hardly related": "rule 3: few words of the question stand in the text or its headings",
    "nothing new": "rule 3: the answer says nothing that the question does not say",
    "answer points outside": "rule 3: the answer points to a text that it does not bring along",
    "partly supported": "rule 3: some of the answer's pairs of characters do not stand in the text",
    "unsure number": "rule 3: a number has another unit, sign, magnitude or place in the text, or counts a list",
}
BRACKETS = re.compile(r"[(（\[【](?P<inside>[^)）\]】]*)[)）\]】]")
WHOSE = re.compile(r"^(?:小儿|儿童|婴幼儿|婴儿|儿科)")
NAMING = 2  # characters that a name has at least


@dataclass(frozen=True)
class Pair:
    """A question with its answer and the text that both come from."""

    block: Block
    way: str  # zero-shot, or the few-shot template: definition, solution, reason
    question: str  # as the model wrote it, as is the answer
    answer: str


@dataclass(frozen=True)
class Finding:
    """A rule that fires."""

    name: str  # a key of DROPS or REVIEWS
    why: str  # what it found, for the person who looks

    @property
    def drops(self) -> bool:
        """Whether the pair is dropped without anybody's looking."""
        return self.name in DROPS


def sift_question(question: str, block: Block) -> list[Finding]:
    """Hold a question against the rules: it is about pediatrics, understood by itself, and about its text."""
    found = [*_about_pediatrics(question), *_understood(question, block)]
    return found if any(finding.drops for finding in found) else [*found, *_related(question, block)]


def sift(pair: Pair) -> list[Finding]:
    """Hold a pair against all three rules."""
    return [*sift_question(pair.question, pair.block), *_supported(pair)]


def _about_pediatrics(question: str) -> Iterator[Finding]:
    words = settings()
    if found := words.foreign.search(question):
        yield Finding("about the book", found.group())
    elif (found := words.adult.search(question)) and not words.child.search(question):
        yield Finding("adults", found.group())


def _understood(question: str, block: Block) -> Iterator[Finding]:
    words = settings()
    if found := words.outside.search(question):
        yield Finding("points outside", found.group())
        return
    if found := words.perhaps_outside.search(question):
        yield Finding("perhaps outside", found.group())
    names = _names(block.subject)
    if found := words.demonstrative.search(question):
        before = _folded(question[: found.start()])
        if not any(name in before for name in names):
            yield Finding("unclear pronoun" if _naming(before) >= NAMING else "nothing before", found.group())
    elif (longest := _naming(question)) < NAMING and not any(name in _folded(question) for name in names):
        yield Finding("unclear name" if longest else "names nothing", question)


def _related(question: str, block: Block) -> Iterator[Finding]:
    words = settings()
    found = words_there(words.general.sub(" ", _folded(question)), _text(block))
    if found == 0:
        yield Finding("unrelated", question)
    elif found is not None and found < words.few:
        yield Finding("hardly related", f"{100 * found:.0f} %")


def _text(block: Block) -> str:
    return "\n".join([*block.path, block.subject, block.text])


def _supported(pair: Pair) -> Iterator[Finding]:
    limits = settings()
    if pair.answer == NO_ANSWER:
        yield Finding("no answer", pair.answer)
        return
    if repeats(pair.answer, pair.question):
        yield Finding("nothing new", pair.answer)
    if outside := limits.answer_outside.search(pair.answer):
        yield Finding("answer points outside", outside.group())
    text = _text(pair.block)
    found = share(pair.answer, pair.question, text)
    if found is None:
        yield Finding("partly supported", "-")
    elif found < limits.keep:
        yield Finding("unsupported" if found < limits.drop else "partly supported", f"{100 * found:.0f} %")
    absent, doubtful = unknown_numbers(pair.answer, pair.question, text)
    if absent:
        yield Finding("unknown number", ", ".join(absent))
    if doubtful:
        yield Finding("unsure number", ", ".join(doubtful))


def _names(subject: str) -> list[str]:
    """Give the names by which a question may call a subject: with and without what stands in brackets."""
    names = [subject, BRACKETS.sub("", subject), *(found["inside"] for found in BRACKETS.finditer(subject))]
    names += [WHOSE.sub("", name) for name in names]
    shortest = min(NAMING, len(_folded(subject)) or NAMING)  # 疖 and 疝 are names, too
    return [folded for name in names if len(folded := _folded(name)) >= shortest]


def _naming(text: str) -> int:
    """Say how long the longest word is that is left when general ones are taken away."""
    rest = settings().general.sub(" ", _folded(text))
    return max(map(len, re.findall(r"[^\W\d_]+", rest)), default=0)


def _folded(text: str) -> str:
    return "".join(unicodedata.normalize("NFKC", text).casefold().split())
