"""Overlap of 12,068 predictions with their references, from JSON lines to all scores.

Beside the fastest libraries for each part, and beside the papers' (json, jieba, rouge-chinese and nltk called as their
documentation shows, on a slice whose time is scaled).
"""

from __future__ import annotations

import json
from dataclasses import replace
from typing import Any

import numpy as np
import timing

from medzh_score.text import tokens
from medzh_score.text.overlap import Overlap, corpus_bleu, overlap, rouge_chinese

SLICE, REPEATS = 600, 3
LONG = 20_000  # characters
PAPERS = "json, jieba, rouge-chinese, nltk: the papers'"
FAST = "msgspec, rjieba, rapidfuzz, sacrebleu"
APART = 1e-9
ROUGE = ("rouge-1", "rouge-2", "rouge-l")


def scores(counts: Overlap) -> dict[str, Any]:
    """Make all scores of counts."""
    sets = (counts.set_common, counts.set_predicted, counts.set_referenced)
    rouge = [rouge_chinese(*(count[:, place] for count in sets)) for place in (0, 1)]
    rouge.append(rouge_chinese(counts.chinese_lcs, counts.chinese_predicted, counts.chinese_referenced))
    lengths = counts.predicted[:, 0], counts.reference_length
    summed = [count.sum(axis=0) for count in (counts.clipped, counts.predicted, *lengths)]
    return {
        "rouge": np.array(rouge),
        "corpus_bleu": [float(corpus_bleu(*summed, order)) for order in (1, 2, 3, 4)],
    }


def ours(lines: list[bytes]) -> dict[str, Any]:
    """Score as the project does."""
    import msgspec

    items = [msgspec.json.decode(line) for line in lines]
    return scores(overlap([item["prediction"] for item in items], [item["reference"] for item in items]))


def rival(lines: list[bytes]) -> dict[str, Any]:
    """Score as the documentation of each library shows."""
    import jieba
    from nltk.translate.bleu_score import SmoothingFunction, corpus_bleu
    from rouge_chinese import Rouge

    rouge, smoothing = Rouge(), SmoothingFunction()
    found, predictions, references = [], [], []
    for line in lines:
        item = json.loads(line)
        prediction, reference = " ".join(jieba.lcut(item["prediction"])), " ".join(jieba.lcut(item["reference"]))
        found.append(rouge.get_scores(prediction, reference)[0])
        predictions.append(prediction.split())
        references.append([reference.split()])
    weights = [(1 / order,) * order for order in (1, 2, 3, 4)]
    return {
        "rouge": np.array([[[score[name][part] for score in found] for part in "prf"] for name in ROUGE]),
        "corpus_bleu": corpus_bleu(references, predictions, weights, smoothing.method2),
    }


def fast(lines: list[bytes]) -> dict[str, Any]:
    """Score by the fastest libraries that do each part: msgspec, rjieba, rapidfuzz, sacrebleu."""
    import msgspec
    import rjieba
    from rapidfuzz.distance import LCSseq
    from rouge_chinese import Rouge
    from sacrebleu.metrics import BLEU

    rouge = Rouge()  # whose sentences are cut as the papers' are
    found, predictions, references = [], [], []
    for line in lines:
        item = msgspec.json.decode(line)
        texts = [" ".join(rjieba.cut(item[name])) for name in ("prediction", "reference")]
        cut = [
            [token for part in rouge.cut_sent(text) if part for token in " ".join(part.split()).split(" ")]
            for text in texts
        ]
        grams = [[set(zip(*(one[at:] for at in range(n)), strict=False)) for one in cut] for n in (1, 2)]
        counts = [(len(one & other), len(one), len(other)) for one, other in grams]
        counts.append((LCSseq.similarity(*cut), *map(len, cut)))
        found.append([_prf(*count) for count in counts])
        predictions.append(" ".join(texts[0].split()))
        references.append(" ".join(texts[1].split()))
    bleu = [
        BLEU(tokenize="none", smooth_method="add-k", smooth_value=1, max_ngram_order=order, force=True)
        for order in (1, 2, 3, 4)
    ]
    return {
        "rouge": np.moveaxis(np.array(found), 0, 2),
        "corpus_bleu": [one.corpus_score(predictions, [references]).score / 100 for one in bleu],
    }


def _prf(common: int, predicted: int, referenced: int) -> tuple[float, float, float]:
    precision, recall = common / predicted if predicted else 0.0, common / referenced if referenced else 0.0
    return precision, recall, 2 * precision * recall / (precision + recall + 1e-8)


def furthest(one: dict[str, Any], other: dict[str, Any]) -> float:
    """Give the largest difference of corpus BLEU and of the means of all ROUGE values."""
    rouge = np.abs(one["rouge"].mean(axis=2) - np.nan_to_num(other["rouge"]).mean(axis=2))
    return float(max(rouge.max(), np.abs(np.array(one["corpus_bleu"]) - np.array(other["corpus_bleu"])).max()))


def equal(one: dict[str, Any], other: dict[str, Any]) -> bool:
    """Compare: to the last bit what is of an item, to 1e-12 what is of all, whose logarithms are summed otherwise."""
    rouge = np.array_equal(one["rouge"], other["rouge"])
    return rouge and bool(np.allclose(one["corpus_bleu"], other["corpus_bleu"], rtol=1e-12, atol=0))


def long_seconds(parts: list[str]) -> float:
    """Time ROUGE-L of two long texts."""
    import overlap_texts

    texts = ["".join(overlap_texts.drawn_clauses(parts, 3 * LONG, name))[:LONG] for name in ("one", "other")]

    def rouge_l() -> None:
        counts = overlap(texts[:1], texts[1:])
        rouge_chinese(counts.chinese_lcs, counts.chinese_predicted, counts.chinese_referenced)

    return float(np.median([timing.seconds(rouge_l) for _ in range(REPEATS)]))


def forget() -> None:
    """Empty what was remembered of words, so that each repeat starts as a user does."""
    tokens._joined.cache_clear()  # noqa: SLF001
    tokens._KINDS.clear()  # noqa: SLF001


def main() -> None:
    """Measure and print."""
    import overlap_texts

    lines = overlap_texts.lines()
    part = lines[:SLICE]
    values = ours(part)  # loads the dictionaries, as do the next lines
    same, apart = equal(values, rival(part)), furthest(values, fast(part))
    scale = len(lines) / SLICE
    ours_s, found = timing.beside(
        lambda: ours(lines), {PAPERS: lambda: rival(part), FAST: lambda: fast(lines)}, REPEATS, forget
    )
    timing.report(
        "overlap",
        ours_s,
        [
            replace(found[FAST], bound=3, note=f"values of {SLICE} pairs differ by at most {apart:.1e}"),
            replace(
                found[PAPERS],
                seconds=found[PAPERS].seconds * scale,
                ratio=found[PAPERS].ratio * scale,
                bound=30,
                note=f"{SLICE} pairs, scaled to {len(lines):,}",
            ),
        ],
        equal=same and apart < APART,
        rouge_l_20000_s=round(long_seconds(overlap_texts.clauses()), 5),
        engine=tokens.engine(),
    )


if __name__ == "__main__":
    main()
