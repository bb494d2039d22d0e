"""PeMeBench from predictions and a judge's responses to a report, restated from the items file alone."""

from __future__ import annotations

import json
import logging
import random

import numpy as np
import pytest
from rouge_chinese import Rouge
from written_tables import cells_of

from medzh_score.benchmark.registry import find_config
from medzh_score.configs.pemebench.prompts import DEPARTMENTS, TASKS, default_prompt
from medzh_score.files.sheets import sheet_bytes
from medzh_score.report.scoring import score
from medzh_score.show.reports import rendered
from medzh_score.statistics.formulas import overlap_counts
from medzh_score.text.overlap import counting
from medzh_score.text.tokens import words

CONFIG = find_config("pemebench")
# Reference, entities, an answer. What an answer says against its reference is false on purpose.
TEXTS = [
    ("麻疹由麻疹病毒引起，经呼吸道飞沫传播。", ["麻疹病毒", "呼吸道"], "麻疹由麻疹病毒引起，经呼吸道传播。"),
    ("首选口服补液盐，重度脱水时静脉补液。", ["口服补液盐", "静脉补液"], "口服补液盐，少量多次。"),
    ("足月儿生后肌内注射维生素K1，预防出血。", ["维生素K1"], "不必补充任何维生素。"),
    (
        "川崎病急性期用静脉丙种球蛋白和阿司匹林。",
        ["静脉丙种球蛋白", "阿司匹林"],
        "用静脉丙种球蛋白。\n\n再加阿司匹林。",
    ),
    ("缺铁性贫血补充铁剂，同时补充维生素C。", ["铁剂", "维生素C"], "补充铁剂。"),
    ("水痘患儿应隔离至疱疹全部结痂。", [], "<think>何时解除隔离？</think>隔离至疱疹全部结痂。"),
    ("热性惊厥时侧卧，保持呼吸道通畅。", ["侧卧", "呼吸道通畅"], "用力按住患儿，往口中塞入硬物。"),
    ("哮喘急性发作首选吸入短效β2受体激动剂。", ["短效β2受体激动剂"], "吸入短效β2受体激动剂。"),
]
ROWS = [
    {
        "id": f"pemebench-{0xABC - 7 * place:010x}",
        "question": f"第{place}问？",
        "answer": reference,
        "department": DEPARTMENTS[place % 3].name,
        "task": TASKS[place % 5],
        "kind": ("solution", "reason")[place % 2],
        "entities": entities,
        "source": "mini",
        "recipe": "mini",
        "upstream_key": str(place),
    }
    for place, (reference, entities, _) in enumerate(TEXTS)
]
IDS = [row["id"] for row in ROWS]
LINES = [{"id": name, "prediction": text} for name, (_, _, text) in zip(IDS, TEXTS, strict=True)]


@pytest.fixture(scope="module")
def data(tmp_path_factory, write_build):
    rows = [{**row, "prompt": default_prompt(row)} for row in ROWS]
    return write_build(tmp_path_factory.mktemp("build") / "medzh", rows, config="pemebench")


@pytest.fixture
def scored(data, tmp_path, write_lines):
    def run(lines=LINES, **options):
        path = write_lines(tmp_path / "p.jsonl", lines)
        return score("pemebench", path, data, **{"bootstrap": 0, **options})

    return run


def items_of(path):
    return [json.loads(text) for text in path.read_text(encoding="utf-8").splitlines()]


def cut(text):
    words("先载入")  # quietly
    import jieba

    logging.getLogger("jieba").setLevel(logging.CRITICAL)
    return jieba.lcut(text)


def rouge_1_f(said, held):
    if not said:
        return 0
    return Rouge(metrics=["rouge-1"]).get_scores(" ".join(cut(said)), " ".join(cut(held)))[0]["rouge-1"]["f"]


def test_what_a_user_reads_equals_a_count_from_the_items_file(scored, tmp_path):
    """Values, breakdowns and the interval over questions, drawn in a plain loop."""
    lines = [*LINES[:4], LINES[4] | {"prediction": " "}, *LINES[5:]]
    report = scored(lines, items=tmp_path / "items.jsonl", bootstrap=200, seed=5, rule="medzh-1")
    items = items_of(tmp_path / "items.jsonl")
    held = {row["id"]: row["answer"] for row in ROWS}
    for rule in ("raw", "medzh-1"):
        shares = {
            line["item"]: 100 * rouge_1_f(line["rules"][rule]["answers"][0]["answer"], held[line["item"]])
            for line in items
        }
        value = report.results[rule].metrics["R-1-F"]
        assert value.value == pytest.approx(np.mean(list(shares.values())))
        assert value.n == len(ROWS)
        for breakdown in ("department", "task", "kind"):
            for label, named in report.results[rule].groups[breakdown].items():
                members = [shares[row["id"]] for row in ROWS if row[breakdown] == label]
                assert named["R-1-F"].value == pytest.approx(np.mean(members))
                assert named["R-1-F"].n == len(members)
        generator = np.random.Generator(np.random.PCG64(5))
        listed = [shares[name] for name in sorted(shares)]
        drawn = [np.mean([listed[place] for place in generator.integers(0, 8, 8)]) for _ in range(200)]
        assert (value.low, value.high) == pytest.approx(tuple(np.percentile(drawn, [2.5, 97.5])))
        for line in items:
            assert line["rules"][rule]["scores"]["R-1-F"] == pytest.approx(shares[line["item"]])


def test_the_items_file_has_scores_in_the_place_of_right(scored, tmp_path):
    scored([*LINES[:3], LINES[3] | {"prediction": ""}, *LINES[4:]], items=tmp_path / "i", rule="medzh-1")
    lines = {line["item"]: line for line in items_of(tmp_path / "i")}
    assert list(lines) == sorted(IDS)
    for line in lines.values():
        assert "right" not in line
        assert tuple(line["scores"]) == CONFIG.item_metrics
        assert line["scores"] == line["rules"]["medzh-1"]["scores"]
        assert line["scores"]["Hall_sentence"] is None
    assert lines[IDS[5]]["scores"]["Recall_entity"] is None
    assert lines[IDS[1]]["scores"]["Recall_entity"] == 50
    assert lines[IDS[5]]["scores"]["BLEU"] == lines[IDS[5]]["rules"]["raw"]["scores"]["BLEU"] == 100
    assert lines[IDS[3]]["rules"]["raw"]["verdict"] == "empty"
    assert lines[IDS[3]]["scores"]["R-1-F"] == 0


def test_a_config_of_right_and_wrong_keeps_its_items_file(sdak_build, sdak_sample, tmp_path):
    score("sdak", sdak_sample / "predictions.jsonl", sdak_build, items=tmp_path / "i", bootstrap=0)
    for line in items_of(tmp_path / "i"):
        assert list(line) == ["item", "run", "groups", "rule", "right", "rules"]
        assert all(set(by_rule) == {"verdict", "answers"} for by_rule in line["rules"].values())


def test_breakdowns_stand_in_the_order_of_the_paper(scored):
    groups = scored().groups
    assert list(groups["department"]) == [department.name for department in DEPARTMENTS[:3]]
    assert list(groups["task"]) == list(TASKS)
    assert list(groups["kind"]) == ["reason", "solution"]


def test_a_page_shows_few_metrics_of_groups_and_of_the_other_rule_and_json_all(scored):
    report = scored(rule="medzh-1")
    page = rendered(report, "markdown")
    mine, beside = [], []
    for line in page.splitlines():
        cells = cells_of(line)
        if len(cells) > 2 and cells[0].startswith("medzh-1"):
            mine.append(cells[1])
        if len(cells) > 2 and cells[0].startswith("raw"):
            beside.append(cells[1])
    values = [report.metrics[metric.name].value for metric in CONFIG.metrics]
    named = [metric.name for metric in CONFIG.metrics]
    assert mine == [
        name for _, name in sorted(zip([one is None for one in values], named, strict=True), key=lambda one: one[0])
    ]
    assert beside == [name for name in mine if name in CONFIG.shown]
    assert "| department | metric | value | 95% interval | n |" in page
    assert "R-1-recall" in mine
    full = report.as_dict()
    for named in (full["metrics"], full["rules"]["raw"]["metrics"], *full["groups"]["task"].values()):
        assert sorted(named) == sorted(mine)
    assert full["shown"] == list(CONFIG.shown)


def test_texts_that_both_rules_read_alike_are_counted_once(scored, monkeypatch):
    calls, count = [], counting.overlap

    def noted(predictions, references):
        calls.append(len(predictions))
        return count(predictions, references)

    monkeypatch.setattr(counting, "overlap", noted)
    overlap_counts._counted.cache_clear()
    alike = [line for line in LINES if "<" not in line["prediction"]]
    scored(alike, missing="skip", rule="medzh-1")
    assert len(calls) == 1
    scored(LINES, rule="medzh-1")
    assert len(calls) == 2
    scored(LINES, rule="medzh-1", keep_reasoning=True)
    assert len(calls) == 3


def test_the_references_as_answers_are_perfect_and_oppose_nothing(scored, tmp_path):
    """But for the F of rouge-chinese, which of identical texts is a little less than 1."""
    verdicts = tmp_path / "h.csv"
    verdicts.write_bytes(sheet_bytes(("id", "opposed"), [{"id": name, "opposed": "no"} for name in IDS]))
    lines = [{"id": row["id"], "prediction": row["answer"]} for row in ROWS]
    report = scored(lines, rounds={"hallucination": [verdicts]}, bootstrap=50)
    for name in ("S_total-rouge-recall", "BLEU", "R-2-recall", "Recall_entity", "Recall_entity-micro"):
        value = report.metrics[name]
        assert (value.value, value.low, value.high) == (100, None, None)
        assert value.why == "all resamples give the same value"
    assert report.metrics["Hall_sentence"].low == 0 < report.metrics["Hall_sentence"].high
    assert report.metrics["Hall_sentence"].value == 0
    assert 99.999999 < report.metrics["S_total-paper"].value < 100


def test_s_total_of_several_runs_is_the_mean_of_theirs(scored, tmp_path):
    runs = [line | {"run": run} for run in range(2) for line in random.Random(run).sample(LINES, 8)]  # noqa: S311
    runs[3]["prediction"] = "多休息。"
    verdicts = tmp_path / "h.csv"
    rows = [
        {"id": name, "run": run, "opposed": "yes" if (place + run) % 3 else "no", "rater": "甲"}
        for run in range(2)
        for place, name in enumerate(IDS)
    ]
    verdicts.write_bytes(sheet_bytes(("id", "run", "opposed", "rater"), rows))
    report = scored(runs, rounds={"hallucination": [verdicts]}, bootstrap=100)
    for name in ("S_total", "S_total-paper", "S_total-rouge-recall"):
        total = report.metrics[name]
        assert total.value == pytest.approx(sum(total.per_run) / 2)
        assert total.low < total.value < total.high
        for named in report.groups["department"].values():
            assert named[name].value is not None
