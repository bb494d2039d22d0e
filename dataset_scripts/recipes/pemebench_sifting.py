"""The paper's three rules for pairs, as far as they can be computed; people decide about the rest."""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass
from typing import TYPE_CHECKING

from dataset_scripts.recipes.pemebench_generation import NO_ANSWER
from dataset_scripts.recipes.pemebench_settings import settings
from dataset_scripts.recipes.pemebench_support import share, unknown_numbers

if TYPE_CHECKING:
    from collections.abc import Iterator

    from dataset_scripts.recipes.pemebench_blocks import Block

# What fires, with its meaning. Those of the first group drop a pair, those of the second send it to a person.
DROPS = {
    "about the book": "rule 1: the question is about the book, not about pediatrics",
    "points outside": "rule 2: the question points to a text that it does not bring along",
    "nothing before": "rule 2: a pronoun of the question has nothing before it",
    "names nothing": "rule 2: the question names no disease, finding, medicine or method",
    "no answer": "rule 3: the model found no answer in the text",
    "unsupported": "rule 3: too few of the answer's pairs of characters stand in the text",
    "unknown number": "rule 3: a number of the answer stands nowhere in the text",
}
REVIEWS = {
    "adults": "rule 1: the question speaks of adults and of no children",
    "unclear pronoun": "rule 2: a pronoun of the question does not follow the subject's name",
    "partly supported": "rule 3: some of the answer's pairs of characters do not stand in the text",
    "unsure number": "rule 3: a number has another unit in the text, counts a list or is spelled in Chinese",
}
BRACKETS = re.compile(r"[(（\[【](?P<inside>[^)）\]】]*)[)）\]】]")
WHOSE = re.compile(r"^(?:小儿|儿童|婴幼儿|婴儿|儿科)")
NAMING = 2  # characters that a name has at least


@dataclass(frozen=True)
class Pair:
    """A question with its answer and the text that both come from.

    Attributes
    ----------
    block : Block
        The text.
    way : str
        ``zero-shot``, or the few-shot template: ``definition``, ``solution``, ``reason``.
    question, answer : str
        As the model wrote them.
    """

    block: Block
    way: str
    question: str
    answer: str


@dataclass(frozen=True)
class Finding:
    """A rule that fires.

    Attributes
    ----------
    name : str
        A key of `DROPS` or `REVIEWS`.
    why : str
        What it found, for the person who looks.
    """

    name: str
    why: str

    @property
    def drops(self) -> bool:
        """Whether the pair is dropped without anybody's looking."""
        return self.name in DROPS


def sift_question(question: str, block: Block) -> list[Finding]:
    """Hold a question against rules 1 and 2: it is about pediatrics, and understood by itself.

    Parameters
    ----------
    question : str
        The question.
    block : Block
        The text that it comes from.

    Returns
    -------
    list of Finding
        All that fires; empty where it passes.
    """
    return [*_about_pediatrics(question), *_understood(question, block)]


def sift(pair: Pair) -> list[Finding]:
    """Hold a pair against all three rules.

    Parameters
    ----------
    pair : Pair
        The pair.

    Returns
    -------
    list of Finding
        All that fires, by rule; empty where it passes.
    """
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
    names = _names(block.subject)
    if found := words.demonstrative.search(question):
        before = _folded(question[: found.start()])
        if not any(name in before for name in names):
            yield Finding("unclear pronoun" if _naming(before) else "nothing before", found.group())
    elif not _naming(question) and not any(name in _folded(question) for name in names):
        yield Finding("names nothing", question)


def _supported(pair: Pair) -> Iterator[Finding]:
    limits = settings()
    if pair.answer == NO_ANSWER:
        yield Finding("no answer", pair.answer)
        return
    text = "\n".join([*pair.block.path, pair.block.subject, pair.block.text])
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
    return [folded for name in names if len(folded := _folded(name)) >= NAMING]


def _naming(text: str) -> bool:
    """Say whether words are left when general ones are taken away."""
    rest = settings().general.sub(" ", _folded(text))
    return any(len(run) >= NAMING for run in re.findall(r"[^\W\d_]+", rest))


def _folded(text: str) -> str:
    return "".join(unicodedata.normalize("NFKC", text).casefold().split())
