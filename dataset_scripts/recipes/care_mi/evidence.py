"""CARE-MI's evidence: the paragraphs of each corpus that are nearest to a question by BM25 (paper, section 3)."""

from __future__ import annotations

import tomllib
from dataclasses import dataclass
from functools import cache
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from medzh_score.messages.errors import MedzhError
from medzh_score.text.bm25 import NAME, bm25_index, highest, scores
from medzh_score.text.segmentation import segmented
from medzh_score.text.tokens import TOKENS

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

    from dataset_scripts.recipes.care_mi.samples import Sample

FROM_EACH = 3  # paragraphs of each corpus (section 3)
PAPER, CODE = "paper", "code"
OURS, NONE = "ours", "none"
QUERIES: dict[str, Callable[[Sample], str]] = {
    PAPER: lambda sample: sample.question + sample.true_statement,
    CODE: lambda sample: sample.context + sample.true_statement,
}
STOP_WORDS = (OURS, NONE)
STOP_LIST = Path(__file__).with_name("stop_words.toml")
BATCH = 1_000  # texts that are cut at once


@dataclass(frozen=True)
class Retrieval:
    """How evidence is searched for, where paper and released code differ or the paper is silent."""

    query: str = PAPER  # paper: the question with its context, and the true statement; code: context and true statement
    # ours: our list and tokens without letter or digit go; the paper is silent, the code takes four lists
    stop_words: str = OURS


DEFAULT = Retrieval()


class Evidence(NamedTuple):
    """A paragraph that was found for a sample."""

    corpus: str
    rank: int  # among those of its corpus, from 1
    text: str


def evidence_of(
    samples: Sequence[Sample], corpora: Mapping[str, Sequence[str]], retrieval: Retrieval = DEFAULT
) -> dict[str, tuple[Evidence, ...]]:
    """Find the evidence of each sample: the three best paragraphs of each corpus.

    By sample key, corpus by corpus, the best first by BM25Okapi, of equal scores the one that stands first. A paragraph
    with no positive score is no evidence, and one of an earlier corpus is not given again.
    """
    if not samples:
        return {}
    ask = QUERIES[retrieval.query]
    queries = list(words_of((ask(sample) for sample in samples), retrieval))
    found: dict[str, dict[str, Evidence]] = {sample.key: {} for sample in samples}
    for name, paragraphs in corpora.items():
        for sample, places in zip(samples, _best(name, paragraphs, queries, retrieval), strict=True):
            for rank, place in enumerate(places, 1):
                text = paragraphs[place]
                found[sample.key].setdefault(text, Evidence(name, rank, text))
    return {key: tuple(texts.values()) for key, texts in found.items()}


def words_of(texts: Iterable[str], retrieval: Retrieval) -> Iterator[list[str]]:
    """Cut texts into the words by which they are searched.

    >>> for setting in STOP_WORDS:
    ...     print(*words_of(["叶酸是什么？"], Retrieval(stop_words=setting)))
    ['叶酸']
    ['叶酸', '是', '什么', '？']
    """
    rest = iter(texts)
    while batch := list(islice(rest, BATCH)):
        for words in segmented(batch):
            if retrieval.stop_words == OURS:
                yield [word for word in words if word not in stop_words() and any(map(str.isalnum, word))]
            else:
                yield [word for word in words if not word.isspace()]


@cache
def stop_words() -> frozenset[str]:
    """Give the words of our own list."""
    groups = tomllib.loads(STOP_LIST.read_text(encoding="utf-8"))
    return frozenset(word for group in groups.values() for word in group)


def retrieval_notes(
    evidence: Mapping[str, Sequence[Evidence]], corpora: Iterable[str], retrieval: Retrieval
) -> tuple[str, ...]:
    """Say how evidence was searched for, and of how many samples there is how much."""
    names = list(corpora)
    if not names:
        return ("no corpus was given: there is no evidence",)
    query = {
        PAPER: "question and true statement (the paper)",
        CODE: "context and true statement (the released code)",
    }
    out = {OURS: "stop words of our own list taken out", NONE: "no stop words taken out"}
    how = (
        f"evidence: {NAME}, the best {FROM_EACH} of each corpus ({', '.join(names)}); query: "
        f"{query[retrieval.query]}; words cut by {TOKENS[0]} instead of stanza; {out[retrieval.stop_words]}"
    )
    lacking = sum(len(found) < FROM_EACH for found in evidence.values())
    few = (f"{lacking:,} samples have fewer than {FROM_EACH} paragraphs with a positive score",) if lacking else ()
    one = (f"only one corpus, {names[0]}: at most {FROM_EACH} paragraphs a sample",) if len(names) == 1 else ()
    return (how, *few, *one)


def _best(
    name: str, paragraphs: Sequence[str], queries: Sequence[Sequence[str]], retrieval: Retrieval
) -> list[list[int]]:
    """Search one corpus for all queries; its index is not kept, so that there is never more than one."""
    try:
        index = bm25_index(words_of(paragraphs, retrieval))
    except MedzhError as error:
        raise MedzhError("the corpus has no words to search by", field=name, expected="paragraphs of text") from error
    scored = (scores(index, query) for query in queries)
    return [highest(values, FROM_EACH, values > 0).tolist() for values in scored]
