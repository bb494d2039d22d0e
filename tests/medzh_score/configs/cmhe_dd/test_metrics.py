"""CMHE-DD's metrics against sets of codes, its judges, and what its paper prints."""

from __future__ import annotations

import json
import random
from fractions import Fraction

import pytest

from dataset_scripts.recipes.cmhe_dd.dataset import record_of
from medzh_score.data.records import Origin, Records
from medzh_score.io.tables import sheet_bytes
from medzh_score.scoring.pipeline import score
from medzh_score.ui.errors import MedzhError

# Written down by hand from the volumes of ICD-10: category, block, chapter.
TREE = {
    "J30": ("J30-J39", "X"), "J31": ("J30-J39", "X"), "J40": ("J40-J47", "X"), "J45": ("J40-J47", "X"),
    "K29": ("K20-K31", "XI"), "K21": ("K20-K31", "XI"), "I10": ("I10-I15", "IX"), "E11": ("E10-E14", "IV"),
    "H10": ("H10-H13", "VII"), "H66": ("H65-H75", "VIII"), "I84": ("I80-I89", "IX"), "A90": ("A92-A99", "I"),
    "A97": ("A92-A99", "I"), "C50": ("C50-C50", "II"), "C16": ("C15-C26", "II"),
}  # fmt: skip
CODES = [*TREE, "E99.9", "U99.9"]  # two that ICD-10 does not have


def label(code, level):
    category = code[:3]
    block, chapter = TREE.get(category, (category, category))
    return (chapter, block, category)[level]


def by_hand(cases, level):
    """Pool over cases: (gold, said) of lists of codes."""
    pairs = [({label(code, level) for code in gold}, {label(code, level) for code in said}) for gold, said in cases]
    hits = sum(len(gold & said) for gold, said in pairs)
    right, found = sum(len(gold) for gold, _ in pairs), sum(len(said) for _, said in pairs)
    precision = Fraction(100 * hits, found) if found else Fraction(0)
    recall = Fraction(100 * hits, right)
    both = precision + recall
    return {"P": precision, "R": recall, "F1": 2 * precision * recall / both if both else Fraction(0)}


def records(cases):
    """Make records of (part, gold codes)."""
    rows = [
        record_of({"description": f"患者{number}。", "codes": codes, "part": part}, source="own", recipe="mini")
        for number, (part, codes) in enumerate(cases)
    ]
    return Records("cmhe_dd", "test", rows, Origin("0.0.0", "mini", "0" * 64, pinned=True))


@pytest.fixture
def scored(tmp_path, write_lines):
    """Give a function that scores what is said of each record in each run: codes."""

    def scored(data, said, **options):
        lines = [
            {"id": row["id"], "prediction": "；".join(codes), "run": run}
            for run, answers in enumerate(said)
            for row, codes in zip(data.rows, answers, strict=True)
        ]
        path = write_lines(tmp_path / "p.jsonl", lines)
        return score("cmhe_dd", path, data, **{"rule": "medzh-1", "bootstrap": 50, **options})

    return scored


def drawn(seed, count=40):
    draw = random.Random(seed)  # noqa: S311
    cases = [(draw.choice(["chat", "exam"]), draw.choices(list(TREE), k=draw.randint(1, 3))) for _ in range(count)]
    said = [[draw.choices(CODES, k=draw.randint(0, 4)) for _ in cases] for _ in range(2)]
    said[0][:5] = [codes for _, codes in cases[:5]]
    return cases, said


@pytest.mark.parametrize("seed", range(2))
def test_values_are_those_of_sets_in_all_and_by_part(seed, scored):
    cases, said = drawn(seed)
    report = scored(records(cases), said)
    parts = {"": [True] * len(cases), **{name: [part == name for part, _ in cases] for name in ("chat", "exam")}}
    for part, chosen in parts.items():
        found = report.metrics if not part else report.groups["part"][part]
        for level in range(3):
            for run, answers in enumerate(said):
                pairs = [(gold, mine) for (_, gold), mine, is_in in zip(cases, answers, chosen, strict=True) if is_in]
                for name, value in by_hand(pairs, level).items():
                    assert found[f"{name}-level-{level}"].per_run[run] == pytest.approx(float(value), abs=1e-9)


def test_the_gap_is_the_difference_of_the_parts_with_an_interval(scored):
    cases, said = drawn(9)
    report = scored(records(cases), said, bootstrap=400)
    for level in range(3):
        gap = report.metrics[f"gap-level-{level}"]
        exam, chat = (report.groups["part"][part][f"F1-level-{level}"] for part in ("exam", "chat"))
        assert gap.per_run == pytest.approx(
            [one - other for one, other in zip(exam.per_run, chat.per_run, strict=True)]
        )
        assert gap.low < gap.value < gap.high
        assert report.groups["part"]["chat"][f"gap-level-{level}"].value is None


# Gold codes of each case, those that are said, and values by level: the chapter, the block, the category.
COUNTED = {
    "Figure 5, near": ([["J30.401"]], [["J31.0"]], {"F1": (100, 100, 0)}),
    "Figure 5, far": ([["J30.401"]], [["J40"]], {"F1": (100, 0, 0)}),
    "what is equal after truncation counts once": (
        [["J30.4", "J31.0", "J45.9"]],
        [["J30.1", "J31.9"]],
        {"P": (100, 100, 100), "R": (100, 50, 200 / 3)},
    ),
    "a case without codes costs recall and no precision": (
        [["J30.4"], ["I10"]],
        [["J30.4"], []],
        {"P": (100, 100, 100), "R": (50, 50, 50)},
    ),
    "nothing at all": ([["J30.4"], ["I10"]], [[], []], {"P": (0, 0, 0), "F1": (0, 0, 0)}),
    "retired and current codes of one disease are not translated": ([["A90"]], [["A97.0"]], {"F1": (100, 100, 0)}),
    "eye and ear": ([["H10.3"]], [["H66.0"]], {"F1": (0, 0, 0)}),
    "a code that ICD-10 does not have counts as said": (
        [["J30.4"], ["I10"]],
        [["J30.4", "E99.1"], ["E99.1", "U99"]],
        {"P": (25, 25, 25)},
    ),
}


@pytest.mark.parametrize(("gold", "said", "values"), COUNTED.values(), ids=COUNTED)
def test_what_counts(gold, said, values, scored):
    found = scored(records([("chat", codes) for codes in gold]), [said], bootstrap=0).metrics
    for name, by_level in values.items():
        assert [found[f"{name}-level-{level}"].value for level in range(3)] == pytest.approx(by_level), name


def test_eye_and_ear_are_one_chapter_in_the_figure_alone(scored):
    rows = {row[0]: row[2:] for row in scored(records([("chat", ["H10.3"])]), [[["H66.0"]]]).tables["chapters"].rows}
    assert rows["VII+VIII"] == (1, 100.0, 1, 100.0)
    assert len(rows) == 22  # the last one holds what is no category
    assert rows["none"] == (0, 0.0, 0, 0.0)


def test_the_chapters_count_categories_once_a_case_and_run_on_both_sides(scored):
    data = records([("chat", ["J30.4", "J30.1", "I10"]), ("exam", ["J30.4"])])
    said = [[["J30.1", "J30.9", "E99"], []], [["I10.x00"], ["I11", "I10"]]]
    rows = {row[0]: row[2:] for row in scored(data, said).tables["chapters"].rows}
    assert rows["X"] == (2, pytest.approx(200 / 3), 1, 20.0)
    assert rows["IX"] == (1, pytest.approx(100 / 3), 3, 60.0)
    assert rows["none"] == (0, 0.0, 1, 20.0)
    assert sum(row[1] for row in rows.values()) == sum(row[3] for row in rows.values()) == pytest.approx(100)


def test_a_wrong_gold_code_is_refused(scored):
    data = records([("chat", ["J30.4"])])
    data.rows[0]["codes"] = ["E99"]
    with pytest.raises(MedzhError, match=r"has an invalid code.*found 'E99'"):
        scored(data, [[["J30.4"]]])


@pytest.fixture
def three(tmp_path, write_lines):
    data = records([("chat", ["J30.4"]), ("exam", ["I10"]), ("exam", ["K29.5"])])
    path = write_lines(
        tmp_path / "p.jsonl",
        [{"id": row["id"], "prediction": text} for row, text in zip(data.rows, ["鼻炎", "高血压", ""], strict=True)],
    )

    def run(said, **options):
        lines = [{"id": data.rows[place]["id"], "prediction": text, "model": "judge"} for place, text in said.items()]
        stages = {"codes": write_lines(tmp_path / "codes.jsonl", lines)} if said else {}
        options = {"rule": "judge", "stages": stages, **options}
        return score("cmhe_dd", path, data, bootstrap=0, **options)

    return data, run


def test_without_the_round_the_papers_rule_has_no_value(three):
    report = three[1]({})
    assert report.rule == "judge"
    assert all(value.value is None for value in report.metrics.values())
    reason = "no case has been counted, because rule `judge` needs annotations of stage `codes`"
    assert reason in report.metrics["F1-level-0"].unavailable_reason
    ours = three[1]({}, rule="medzh-1")
    assert ours.metrics["F1-level-0"].value > 0
    assert ours.results["judge"] == report.results["judge"]


def test_the_judges_codes_are_scored_and_an_empty_answer_names_nothing(three):
    report = three[1]({0: "J30.4", 1: "I11.9"})
    assert [report.metrics[f"P-level-{level}"].value for level in range(3)] == [100, 100, 50]
    assert (report.metrics["R-level-2"].value, report.metrics["R-level-2"].n) == (pytest.approx(100 / 3), 3)
    assert report.signature["annotators"] == "codes by judge (prompt unknown, sample all, unverified)"
    ours = [three[1](said, rule="medzh-1") for said in ({0: "J30.4", 1: "I11.9"}, {})]
    assert ours[0].results["judge"] == report.results["judge"]
    assert ours[0].results["medzh-1"] == ours[1].results["medzh-1"]  # the ways are never mixed


@pytest.mark.parametrize(
    ("said", "precision"),
    [({0: "J30.4", 1: "高血压"}, 100), ({0: "J30.4"}, 100), ({0: "J30.4", 1: "无"}, 100)],
    ids=["unreadable", "not judged", "no disease"],
)
def test_what_a_judge_does_not_code_names_nothing_and_stays_in_recall(said, precision, three):
    report = three[1](said, missing="wrong")
    assert report.metrics["P-level-2"].value == precision
    assert (report.metrics["R-level-2"].value, report.metrics["R-level-2"].n) == (pytest.approx(100 / 3), 3)
    assert any("1 unreadable" in note for note in report.notes) == (said.get(1) == "高血压")


def test_a_persons_sheet_overrides_the_judge_and_its_wrong_codes_are_named(three, tmp_path):
    data, run = three
    rows = [{"id": data.rows[0]["id"], "run": 0, "codes": "j30.401、i10", "rater": "a"}]
    sheet = tmp_path / "sheet.csv"
    sheet.write_bytes(sheet_bytes(("id", "run", "codes", "rater"), rows))
    report = run({}, stages={"codes": sheet}, missing="wrong")
    assert report.metrics["P-level-2"].value == 50
    sheet.write_bytes(sheet_bytes(("id", "run", "codes", "rater"), [{**rows[0], "codes": "鼻炎"}]))
    with pytest.raises(MedzhError, match=r"sheet\.csv:2: field \"codes\": invalid ICD-10 codes.*found '鼻炎'"):
        run({}, stages={"codes": sheet}, missing="wrong")


@pytest.mark.parametrize(
    ("gold", "said", "word"),
    [
        *(("J30.4", "J30.1", "right"), ("J30.4", "J30.1；I10", "category"), ("J30.4；I10", "J30.4", "category")),
        *(("J30.4", "J31", "block"), ("J30.4", "J45", "chapter"), ("J30.4", "I10", "wrong"), ("J30.4", "", "nothing")),
    ],
)
def test_the_items_file_says_what_became_of_a_case(gold, said, word, scored, tmp_path):
    items = tmp_path / "items.jsonl"
    scored(records([("chat", gold.split("；"))]), [[[said]]], items=items)
    (line,) = [json.loads(line) for line in items.read_text("utf-8").splitlines()]
    assert line["rules"]["medzh-1"]["verdict"] == word
