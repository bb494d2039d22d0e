"""Metrics that scikit-learn has, on random cases: precision, recall, F1, balanced accuracy, accuracy of label sets.

No metric of a config is a kappa: agreement is Krippendorff's alpha, which is compared with its own library.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from sklearn.metrics import accuracy_score, balanced_accuracy_score, f1_score, precision_score, recall_score
from sklearn.preprocessing import MultiLabelBinarizer

from medzh_score.benchmark.answers import answer, answer_table
from medzh_score.benchmark.items import ItemIndex
from medzh_score.benchmark.registry import find_config
from medzh_score.benchmark.stages import Annotations, Source
from medzh_score.configs.cmhe_ce import metrics as cmhe_ce
from medzh_score.configs.cmhe_dd import metrics as cmhe_dd
from medzh_score.configs.cmhe_hd import metrics as cmhe_hd
from medzh_score.configs.pemebench import choice as pemebench_choice
from medzh_score.configs.pemebench import metrics as pemebench
from medzh_score.configs.sdak import metrics as sdak
from medzh_score.configs.tcmd import metrics as tcmd
from medzh_score.stats.overlap_metrics import REFERENCE

SEEDS = range(8)
# Written down by hand from the volumes of ICD-10: chapter, block, category of each code.
CODES = {
    "J30.401": ("X", "J30-J39", "J30"),
    "J30": ("X", "J30-J39", "J30"),
    "J31.0": ("X", "J30-J39", "J31"),
    "J45.900": ("X", "J40-J47", "J45"),
    "I10": ("IX", "I10-I15", "I10"),
    "I11.9": ("IX", "I10-I15", "I11"),
    "K29.5": ("XI", "K20-K31", "K29"),
    "E11.9": ("IV", "E10-E14", "E11"),
    "H66.9": ("VIII", "H65-H75", "H66"),
}
CHARACTERS = "甲乙丙丁戊己庚辛"


def layout_of(count, **more):
    members = np.arange(count)[:, None]
    return ItemIndex(tuple(map(str, range(count))), members, np.arange(count), more.pop("groups", {}), **more)


def table_of(*runs):
    columns = {
        (run, 0): [answer(value, "said" if value is not None else "nothing") for value in said]
        for run, said in enumerate(runs)
    }
    return answer_table(columns, np.ones((len(runs[0]), 1), bool), {})


def computed(config, counts):
    sums = counts.sum(axis=0)
    return {metric.name: metric.formula(sums).item() for metric in find_config(config).metrics}


@pytest.mark.parametrize("seed", SEEDS)
def test_cmhe_hd(seed):
    draw = np.random.default_rng(seed)
    gold = draw.choice(["Yes", "No"], 60)
    said = draw.choice(["Yes", "No", "neither"], 60, p=[0.45, 0.4, 0.15] if seed % 2 else [0.5, 0.5, 0])
    layout = layout_of(60, item_values={cmhe_hd.GOLD: np.array([cmhe_hd.CODES[word] for word in gold])})
    table = table_of([None if word == "neither" else str(word) for word in said])
    found = computed("cmhe_hd", cmhe_hd.statistics(layout, table, {}))
    assert found["accuracy"] == pytest.approx(100 * accuracy_score(gold, said))
    recall = recall_score(gold, said, labels=["Yes", "No"], average="macro")
    assert found["Balanced accuracy"] == pytest.approx(100 * recall)
    if not seed % 2:
        assert found["Balanced accuracy"] == pytest.approx(100 * balanced_accuracy_score(gold, said))
    expected = f1_score(gold, said, labels=["Yes"], average="micro")
    assert found["F1 on Yes"] == pytest.approx(100 * expected)


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("level", range(3))
def test_cmhe_dd(seed, level):
    draw = np.random.default_rng(seed)
    gold = [draw.choice(list(CODES), draw.integers(1, 4), replace=False).tolist() for _ in range(40)]
    said = [draw.choice(list(CODES), draw.integers(0, 5), replace=False).tolist() for _ in gold]
    facts = {cmhe_dd.EXAM: draw.integers(0, 2, 40)}
    layout = layout_of(40, item_values=facts, item_texts={cmhe_dd.GOLD: [tuple(codes) for codes in gold]})
    found = computed("cmhe_dd", cmhe_dd.statistics(layout, table_of(["；".join(one) or None for one in said]), {}))
    at_level = [[{CODES[code][level] for code in one} for one in many] for many in (gold, said)]
    binary = MultiLabelBinarizer().fit([*at_level[0], *at_level[1]])
    right, given = (binary.transform(one) for one in at_level)
    for name, metric in (("P", precision_score), ("R", recall_score), ("F1", f1_score)):
        expected = 100 * metric(right, given, average="micro", zero_division=0)
        assert found[f"{name}-level-{level}"] == pytest.approx(expected)
    parts = [f1_score(right[facts["exam"] == part], given[facts["exam"] == part], average="micro") for part in (1, 0)]
    assert found[f"gap-level-{level}"] == pytest.approx(100 * (parts[0] - parts[1]))


@pytest.mark.parametrize("seed", SEEDS)
def test_pemebench_entities(seed):
    """A question's entities are its labels; what it does not ask for is no label of it."""
    draw = np.random.default_rng(seed)
    asked = draw.random((30, len(CHARACTERS))) < 0.4
    asked[:, 0] |= ~asked.any(axis=1)
    named = draw.random(asked.shape) < 0.5
    texts = [["、".join(np.array(list(CHARACTERS))[row]) for row in rows] for rows in (asked, named)]
    entities = [tuple(text.split("、")) for text in texts[0]]
    layout = layout_of(30, item_texts={REFERENCE: [(text,) for text in texts[0]], pemebench.ENTITIES: entities})
    found = computed("pemebench", pemebench.statistics(layout, table_of(texts[1]), {}))
    for name, average in (("Recall_entity", "samples"), ("Recall_entity-micro", "micro")):
        assert found[name] == pytest.approx(100 * recall_score(asked, named & asked, average=average))


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("config", ["pemebench_cmexam", "pemebench_medqa"])
def test_choice_sets_are_right_as_sets(seed, config):
    draw = np.random.default_rng(seed)
    letters = np.array(list(pemebench_choice.LETTERS))
    gold = draw.random((50, 5)) < 0.35
    gold[:, 0] |= ~gold.any(axis=1)
    said = np.where(draw.random((50, 1)) < 0.5, gold, draw.random((50, 5)) < 0.35)
    facts = {pemebench_choice.GOLD: np.array([pemebench_choice.bits("".join(letters[row])) for row in gold])}
    table = table_of(["".join(letters[row]) or None for row in said])
    found = computed(config, pemebench_choice.statistics(layout_of(50, item_values=facts), table, {}))
    assert found["accuracy"] == pytest.approx(100 * accuracy_score(gold, said))


@pytest.mark.parametrize("seed", SEEDS)
def test_sdak_pairs_are_right_as_pairs(seed):
    draw = np.random.default_rng(seed)
    said = draw.choice(["correct", "incorrect", "none"], (40, 2), p=[0.5, 0.4, 0.1])
    table = table_of([None if word == "none" else str(word) for word in said.ravel()])
    layout = ItemIndex(tuple(map(str, range(40))), np.arange(80).reshape(40, 2), np.arange(40), {})
    found = computed("sdak", sdak.statistics(layout, table, {}))
    gold = np.tile([True, False, False, True], (40, 1))  # supported, not denied; not supported, denied
    given = np.stack([said[:, side] == word for side in (0, 1) for word in ("correct", "incorrect")], axis=1)
    assert found["FactAcc"] == pytest.approx(100 * accuracy_score(gold, given))


@pytest.mark.parametrize("seed", SEEDS)
def test_cmhe_ce(seed):
    """Concepts of one to four questions: each weighs the same in accuracy, each question in accuracy-questions."""
    draw = np.random.default_rng(seed)
    units = np.repeat(np.arange(15), draw.integers(1, 5, 15))
    gold, said = draw.integers(0, 4, len(units)), draw.integers(-1, 4, len(units))
    names, options = [("热",)] * len(units), [("热", "热", "寒", "虚", "实")] * len(units)
    layout = replace(
        layout_of(
            len(units), item_values={cmhe_ce.GOLD: gold}, item_texts={cmhe_ce.NAMES: names, cmhe_ce.OPTIONS: options}
        ),
        clusters=units,
    )
    values = {(str(item), 0): {cmhe_ce.CHOICE: "ABCD"[letter]} for item, letter in enumerate(said) if letter >= 0}
    judged = {cmhe_ce.CHOOSE: Annotations({Source("m", "model"): values})}
    found = computed("cmhe_ce", cmhe_ce.statistics(layout, table_of(["指体温升高"] * len(units)), judged))
    assert found["accuracy-questions"] == pytest.approx(100 * accuracy_score(gold, said))
    by_concept = accuracy_score(gold, said, sample_weight=1 / np.bincount(units)[units])
    assert found["accuracy"] == pytest.approx(100 * by_concept)


@pytest.mark.parametrize("seed", SEEDS)
def test_tcmd(seed):
    draw = np.random.default_rng(seed)
    gold, said = draw.integers(0, 5, 50), draw.integers(-1, 5, 50)
    layout = layout_of(50, item_values={"gold": gold, "options": np.full(50, 5)})
    table = table_of([None if letter < 0 else "ABCDE"[letter] for letter in said])
    found = computed("tcmd", tcmd.statistics(layout, table, {}))
    assert found["accuracy"] == pytest.approx(accuracy_score(gold, said))
