"""Three examples for each of 600 questions from 2,851 texts: index and retrieval, beside rank-bm25."""

from __future__ import annotations

import json
import random
import re
from pathlib import Path

import numpy as np
import timing
from rank_bm25 import BM25Okapi

from medzh_score.retrieval.bm25 import bm25_index, scores, top
from medzh_score.retrieval.tokens import words

TEXTS, QUERIES, SHOTS, SEED, REPEATS = 2_851, 600, 3, 7, 3
LENGTH = 35  # characters, of a text on average
SAMPLE = Path(__file__).resolve().parent.parent / "dataset_scripts" / "mini" / "tcmd" / "TCMD.jsonl"


def main() -> None:
    """Measure and print."""
    drawn = tokens(TEXTS + QUERIES)
    documents, queries = drawn[:TEXTS], drawn[TEXTS:]

    def ours() -> list[list[int]]:
        index = bm25_index(documents)
        return [top(index, query, SHOTS).tolist() for query in queries]

    def rival() -> list[list[int]]:
        index = BM25Okapi(documents)
        found = (index.get_scores(query) for query in queries)
        return [np.argsort(-values, kind="stable")[:SHOTS].tolist() for values in found]

    index, reference = bm25_index(documents), BM25Okapi(documents)
    apart = max(float(np.abs(scores(index, query) - reference.get_scores(query)).max()) for query in queries)
    equal = ours() == rival() and apart <= 4e-13
    ours_s, rival_s, ratio = timing.interleaved(ours, rival, REPEATS)
    timing.report("bm25", ours_s, "rank-bm25", rival_s, ratio, equal=equal, scores_apart=apart)


def tokens(count: int) -> list[list[str]]:
    """Make texts of clauses of the sample's stems and questions, and cut them into words."""
    rows = [json.loads(line) for line in SAMPLE.read_text(encoding="utf-8").splitlines()]
    texts = dict.fromkeys(text for row in rows for text in (row["stem"], row["question"]) if text)
    clauses = [clause for text in texts for clause in re.split(r"(?<=[，。；、？])", text) if clause]
    draw = random.Random(SEED)  # noqa: S311 - a benchmark
    made = []
    for _ in range(count):
        text, length = "", draw.randint(LENGTH // 2, LENGTH * 3 // 2)
        while len(text) < length:
            text += draw.choice(clauses)
        made.append(words(text))
    return made


if __name__ == "__main__":
    main()
