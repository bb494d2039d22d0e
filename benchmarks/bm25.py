"""BM25 in two sizes, beside rank-bm25: index, then the three best texts of each query.

Three examples for each of 600 questions of TCMD from 2,851 texts; and three paragraphs for each of 1,612 questions of
CARE-MI from 200,000, where rank-bm25 answers 16 of them and its time for these is scaled. Texts are made of clauses of
the hand-written sample. Cutting them into words is timed for neither. The ratio is the smaller of the two.
"""

from __future__ import annotations

import json
import random
import re
import sys
from collections.abc import Iterator  # noqa: TC003 - scripts are read as they are run
from dataclasses import dataclass
from itertools import islice
from pathlib import Path

import numpy as np
import timing
from rank_bm25 import BM25Okapi

from medzh_score.text.bm25 import bm25_index, scores, top
from medzh_score.text.tokens import segmented

BEST, SEED, REPEATS = 3, 7, 3
APART = 4e-13  # how far scores may be from those of rank-bm25
SAMPLE = Path(__file__).resolve().parent.parent / "dataset_scripts" / "mini" / "tcmd" / "TCMD.jsonl"
PEAK = "peak"
BATCH = 1_000


@dataclass(frozen=True)
class Size:
    """How many texts and queries there are, how many queries the rival answers, and the mean number of characters."""

    texts: int
    queries: int
    rivals: int
    length: int


SMALL, LARGE = Size(2_851, 600, 600, 35), Size(200_000, 1_612, 16, 60)


def main() -> None:
    """Measure and print."""
    small, large = measured(SMALL, REPEATS), measured(LARGE, 1)
    timing.report(
        "bm25",
        small["ours_s"],
        [timing.Rival("rank-bm25", small["rival_s"], min(small["ratio"], large["ratio"]))],
        equal=all(size["top"] and size["apart"] <= APART for size in (small, large)),
        scores_apart=max(small["apart"], large["apart"]),
        small_ratio=round(small["ratio"], 1),
        large={name: round(large[name], 3) for name in ("ours_s", "index_s", "retrieval_s", "rival_s", "ratio")},
        large_peak_mb=timing.peak_mb(__file__, PEAK),
    )


def measured(size: Size, repeats: int) -> dict[str, float]:
    """Time both, each as a whole and our index alone, and compare what they find."""
    drawn = list(tokens(size))
    documents, queries = drawn[: size.texts], drawn[size.texts :]
    found: dict[str, list[list[int]]] = {}
    values: list[np.ndarray] = []
    scaled = size.queries / size.rivals

    def ours() -> None:
        index = bm25_index(documents)
        found["ours"] = [top(index, query, BEST).tolist() for query in queries]

    def rival() -> None:
        values[:] = (reference.get_scores(query) for query in queries[: size.rivals])
        found["rival"] = [np.argsort(-scored, kind="stable")[:BEST].tolist() for scored in values]

    times = []
    for _ in range(repeats):
        index_s, ours_s = timing.seconds(lambda: bm25_index(documents)), timing.seconds(ours)
        reference = BM25Okapi(documents)
        rival_s = timing.seconds(lambda: BM25Okapi(documents)) + scaled * timing.seconds(rival)
        times.append((ours_s, index_s, ours_s - index_s, rival_s, rival_s / ours_s))
    index = bm25_index(documents)
    apart = [np.abs(scores(index, query) - scored).max() for query, scored in zip(queries, values, strict=False)]
    medians = dict(zip(("ours_s", "index_s", "retrieval_s", "rival_s", "ratio"), np.median(times, axis=0), strict=True))
    return {**medians, "top": found["ours"][: size.rivals] == found["rival"], "apart": float(max(apart))}


def tokens(size: Size) -> Iterator[list[str]]:
    """Make texts of clauses of the sample's stems and questions, and cut them into words; the queries come last."""
    made = texts(size)
    while batch := list(islice(made, BATCH)):
        yield from segmented(batch)


def texts(size: Size) -> Iterator[str]:
    """Draw clauses until a text is as long as its drawn length."""
    rows = [json.loads(line) for line in SAMPLE.read_text(encoding="utf-8").splitlines()]
    whole = dict.fromkeys(text for row in rows for text in (row["stem"], row["question"]) if text)
    clauses = [clause for text in whole for clause in re.split(r"(?<=[，。；、？])", text) if clause]
    draw = random.Random(SEED)  # noqa: S311 - a benchmark
    for _ in range(size.texts + size.queries):
        text, length = "", draw.randint(size.length // 2, size.length * 3 // 2)
        while len(text) < length:
            text += draw.choice(clauses)
        yield text


def search_large() -> None:
    """Index the large size from a stream of tokens and answer its queries, as evidence is searched for."""
    stream = tokens(LARGE)
    index = bm25_index(islice(stream, LARGE.texts))
    for query in stream:
        top(index, query, BEST)


if __name__ == "__main__":
    if sys.argv[1:] == [PEAK]:
        timing.print_rise(search_large)
    else:
        main()
