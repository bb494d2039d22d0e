"""What a judged metric counts is what was due: never what else came back. Each value is restated by a plain loop."""

from __future__ import annotations

import hashlib
import json
import random
import re
from dataclasses import dataclass
from itertools import zip_longest
from statistics import mean

import pytest
from places import SAMPLES
from sheet_files import sheet_rows
from tool_runs import lines_of
from uncoded import answer_in, item_of

from medzh_score.benchmark.registry import find_config
from medzh_score.cli.main import main
from medzh_score.configs.cmhe_dd.reading import read_judged
from medzh_score.configs.pemebench.reading import read_opposed
from medzh_score.data.records import load_records
from medzh_score.io.tables import sheet_bytes
from medzh_score.scoring.pipeline import score
from medzh_score.ui.errors import MedzhError

# The metrics in plain loops: from what was said of each item (None: nothing), its text (None: it did not come), and the
# items that are counted.


def hall(said, texts, items, _rows):
    opposed = [texts[item] is None or (texts[item].strip() and said.get(item) != "no") for item in items]
    return 100 * sum(map(bool, opposed)) / len(items)


def hall_strict(said, texts, items, _rows):
    opposed = [not (texts[item] or "").strip() or said.get(item) != "no" for item in items]
    return 100 * sum(opposed) / len(items)


def correctness(said, texts, items, _rows):
    scores = [float(said.get(item) or 0) if (texts[item] or "").strip() else 0.0 for item in items]
    return mean(scores)


def f1(said, texts, items, rows):
    hits = mine = right = 0
    for item in items:
        gold = {code[:3] for code in rows[item]["codes"]}
        written = said.get(item) if (texts[item] or "").strip() else None
        codes = {code[:3] for code in (written or "无").split("；") if code != "无"}
        hits, mine, right = hits + len(gold & codes), mine + len(codes), right + len(gold)
    return 200 * hits / (mine + right)


def choices(said, texts, items, rows):
    """Weigh each question so that its concept counts once."""
    of = [rows[item]["concept_id"] for item in items]
    right = [
        (texts[item] is not None and said.get(item) == rows[item]["answer"]) / of.count(concept)
        for item, concept in zip(items, of, strict=True)
    ]
    return 100 * sum(right) / len(set(of))


@dataclass(frozen=True)
class Case:
    """A round of a config: its files, its column, its metric and the loop that restates it."""

    config: str
    stage: str
    files: tuple[str, ...]
    column: str
    metric: str
    loop: object
    read: object
    strata: str | None = None
    unit: str = "id"
    lower: bool = False


CASES = {
    "pemebench": Case(
        "pemebench", "hallucination", ("judge-hallucination.jsonl", "judge-hallucination-again.jsonl"), "opposed",
        "Hall_sentence", hall, lambda text: (read_opposed(text, {}) or {}).get("opposed"), "department", lower=True,
    ),
    "cmhe_dd": Case(
        "cmhe_dd", "codes", ("judge-codes.jsonl", "judge-codes-again.jsonl"), "codes", "F1-level-2", f1,
        lambda text: (read_judged(text, {}) or {}).get("codes"), "part",
    ),
    "care_mi": Case(
        "care_mi", "correctness", ("judge-correctness.jsonl", "judge-correctness-again.jsonl"), "correctness",
        "correctness-judge", correctness, lambda text: (re.findall(r"\d(?:\.\d+)?", text) or [None])[0], "source",
    ),
    "cmhe_ce": Case(
        "cmhe_ce", "choose", ("choose.jsonl",), "choice", "accuracy", choices, None, unit="concept_id",
    ),
}  # fmt: skip
JUDGED = [name for name in CASES if name != "cmhe_ce"]


class Setting:
    """A config's sample with values that are all readable, to be written with gaps and scored."""

    def __init__(self, case, minis, folder, write_lines):
        self.case, self.builds, self.folder, self.write_lines = case, minis, folder, write_lines
        self.config = find_config(case.config)
        self.rows = {row["id"]: row for row in load_records(minis, case.config).rows}
        lines = lines_of(SAMPLES / case.config / "predictions.jsonl")
        self.texts = {line["id"]: answer_in(line["prediction"]) for line in lines}
        if case.read is None:  # choices: one letter each, of which two in three are right
            letters = [
                row["answer"] if place % 3 else "ABCD"[("ABCD".index(row["answer"]) + 1) % 4]
                for place, row in enumerate(self.rows.values())
            ]
            self.said = dict(zip(self.rows, letters, strict=True))
        else:
            told = [one for name in case.files for one in lines_of(SAMPLES / case.config / name)]
            read = [(item_of(one["id"]), case.read(one["prediction"])) for one in told]
            self.said = {item: value for item, value in read if value is not None}
        self.items = sorted(self.rows)

    def files(self, said=None, texts=None, form="jsonl"):
        texts = self.texts if texts is None else texts
        said = self.said if said is None else said
        given = [{"id": item, "prediction": text} for item, text in texts.items() if text is not None]
        predictions = self.write_lines(self.folder / "predictions.jsonl", given)
        if form == "csv":
            path = self.folder / "judged.csv"
            rows = [{"id": item, "run": 0, self.case.column: value, "annotator": "甲"} for item, value in said.items()]
            path.write_bytes(sheet_bytes(("id", "run", self.case.column, "annotator"), rows))
        else:
            path = self.folder / "judged.jsonl"
            words = {"yes": "结论：有", "no": "结论：无"}
            told = [{"id": item, "prediction": words.get(value, value or "？")} for item, value in said.items()]
            self.write_lines(path, [{**one, "model": "judge-1"} for one in told])
        return predictions, path

    def score(self, said=None, texts=None, form="jsonl", **options):
        predictions, path = self.files(said, texts, form)
        options = {"rule": self.config.paper_rule.name, "bootstrap": 0, "stages": {self.case.stage: path}, **options}
        return score(self.case.config, predictions, self.builds, **options)

    def value(self, *given, **options):
        metric = options.pop("metric", self.case.metric)
        return self.score(*given, **options).metrics[metric].value

    def restated(self, said=None, texts=None, items=None, loop=None):
        texts = self.texts if texts is None else texts
        texts = {item: texts.get(item) for item in self.items}
        loop = loop or self.case.loop
        return loop(self.said if said is None else said, texts, items or self.items, self.rows)

    def without(self, *items):
        return {item: value for item, value in self.said.items() if item not in items}

    def unit_of(self, item):
        return self.rows[item][self.case.unit]


@pytest.fixture(params=CASES)
def setting(request, minis, tmp_path, write_lines):
    return Setting(CASES[request.param], minis, tmp_path, write_lines)


@pytest.fixture
def setting_of(minis, tmp_path, write_lines):
    return lambda name: Setting(CASES[name], minis, tmp_path, write_lines)


def some(items, count, seed=0):
    return random.Random(seed).sample(sorted(items), count)  # noqa: S311 - data of a test


def test_whole_rounds_are_those_of_plain_loops(setting):
    assert setting.value() == pytest.approx(setting.restated())


def test_a_judgement_that_lacks_is_refused_with_the_command_that_asks_it_anew(setting, capsys):
    (gone,) = some(setting.said, 1)
    with pytest.raises(MedzhError, match=re.escape(f"({gone} (run 1))")) as error:
        setting.score(setting.without(gone))
    command = re.search(r"(?:annotations|responses) again: (medzh-score prompts .*?);", str(error.value))[1].split()
    assert command[2:5] == [setting.case.config, "--stage", setting.case.stage]
    assert main([*command[1:], "--output", str(setting.folder / "rest.jsonl"), "--to", "chat"]) == 0
    assert [item_of(line["id"]) for line in lines_of(setting.folder / "rest.jsonl")] == [gone]
    capsys.readouterr()


@pytest.mark.parametrize("seed", range(2))
def test_a_judgement_that_lacks_is_worth_the_worst_of_its_one_item(setting, seed):
    (gone,) = some(setting.said, 1, seed)
    found = setting.score(setting.without(gone), missing="wrong")
    value, whole = found.metrics[setting.case.metric], setting.score().metrics[setting.case.metric]
    assert value.value == pytest.approx(setting.restated(setting.without(gone)))
    assert value.n == whole.n
    if setting.case.metric != "F1-level-2":  # precision is over what is said: less may be more
        assert (value.value >= whole.value) if setting.case.lower else (value.value <= whole.value)
    if setting.case.metric in {"Hall_sentence", "correctness-judge"}:
        scale = 100 if setting.case.lower else 1
        assert abs(value.value - whole.value) <= scale / len(setting.items) + 1e-9
    worst = f"1 annotation of stage {setting.case.stage} is missing and scored with the worst value."
    cautions = [note for note in found.notes if note == worst]
    assert len(cautions) == (setting.case.config != "cmhe_ce")


@pytest.mark.parametrize("seed", [0])
def test_under_skip_its_unit_is_dropped(setting, seed):
    gone = some(setting.said, 2, seed)
    units = {setting.unit_of(item) for item in gone}
    kept = [item for item in setting.items if setting.unit_of(item) not in units]
    report = setting.score(setting.without(*gone), missing="skip")
    assert report.metrics[setting.case.metric].value == pytest.approx(setting.restated(items=kept))
    of = len({setting.unit_of(item) for item in setting.items})
    assert report.signature["missing"].startswith(f"skip, {of - len(units)} of {of} units (")
    assert f"{len(units)} of {of} clusters have a missing" in " ".join(report.notes)


@pytest.mark.parametrize("name", JUDGED)
def test_unreadable_blank_and_absent_judgements_are_all_the_same(setting_of, name):
    setting = setting_of(name)
    (gone,) = some(setting.said, 1, 7)
    expected = setting.restated(setting.without(gone))
    for said, form in (({**setting.said, gone: None}, "jsonl"), (setting.without(gone), "jsonl")):
        with pytest.raises(MedzhError, match="1 expected annotation of stage"):
            setting.score(said, form=form)
        assert setting.value(said, form=form, missing="wrong") == pytest.approx(expected)
    sheet = {**setting.said, gone: ""}
    metric = setting.case.metric.removesuffix("-judge")  # by a person
    with pytest.raises(MedzhError, match="1 expected annotation of stage"):
        setting.score(sheet, form="csv")
    assert setting.value(sheet, form="csv", missing="wrong", metric=metric) == pytest.approx(expected)


@pytest.mark.parametrize("seed", [0])
@pytest.mark.parametrize("name", JUDGED)
def test_empty_answers_count_alike_whatever_else_came_back_and_was_said_of_them(setting_of, name, seed):
    setting = setting_of(name)
    emptied = some(setting.said, 5, seed)
    texts = {item: " " if item in emptied else text for item, text in setting.texts.items()}
    expected = setting.restated(setting.without(*emptied), texts)
    assert setting.value(setting.without(*emptied), texts) == pytest.approx(expected)
    assert setting.value(setting.said, texts) == pytest.approx(expected)
    (gone,) = some(set(setting.said) - set(emptied), 1, seed)
    left = setting.without(*emptied, gone)
    assert setting.value(left, texts, missing="wrong") == pytest.approx(setting.restated(left, texts))


def test_after_an_empty_explanation_a_choice_is_due_and_after_none_it_is_wrong(setting_of):
    setting = setting_of("cmhe_ce")
    empty, gone = some(setting.said, 2)
    texts = {**setting.texts, empty: ""}
    assert setting.value(None, texts) == pytest.approx(setting.restated(None, texts))
    with pytest.raises(MedzhError, match="1 response of stage choose is missing"):
        setting.score(setting.without(empty), texts)
    texts = {item: text for item, text in setting.texts.items() if item != gone}
    assert setting.value(None, texts, missing="wrong") == pytest.approx(setting.restated(None, texts))


# PeMeBench: the other reading of an empty answer


def test_strict_counts_empty_answers_as_opposed(setting_of):
    setting = setting_of("pemebench")
    emptied = some(setting.said, 7)
    texts = {item: "" if item in emptied else text for item, text in setting.texts.items()}
    found = setting.score(setting.without(*emptied), texts).metrics
    nothing = sum(not text.strip() for text in texts.values())
    assert found["Hall_sentence"].value == pytest.approx(setting.restated(None, texts))
    strict = setting.restated(None, texts, loop=hall_strict)
    assert found["Hall_sentence-strict"].value == pytest.approx(strict)
    assert strict - found["Hall_sentence"].value == pytest.approx(100 * nothing / 60)
    assert found["Empty rate"].value == pytest.approx(100 * nothing / 60)
    for lenient, strict in (("-paper", ""), ("-rouge-recall", "-rouge-recall-strict-empty")):
        more = found[f"S_total{lenient}"].value - found[f"S_total{strict}"].value
        assert more == pytest.approx(100 * nothing / 60 / 3)


@pytest.mark.parametrize("seed", [0, 4])
def test_removing_predictions_never_makes_a_judged_metric_better(setting_of, seed):
    better = {
        "pemebench": ("Hall_sentence", "Hall_sentence-strict"),
        "care_mi": ("correctness-judge",),
        "cmhe_dd": ("R-level-0", "R-level-1", "R-level-2"),
        "cmhe_ce": ("accuracy", "accuracy-strict", "accuracy-questions"),
    }
    for name, metrics in better.items():
        setting = setting_of(name)
        whole = setting.score().metrics
        gone = some(setting.texts, 1 + 3 * seed, seed)
        texts = {item: text for item, text in setting.texts.items() if item not in gone}
        fewer = setting.score(None, texts, missing="wrong").metrics
        for metric in metrics:
            worse = fewer[metric].value - whole[metric].value
            assert worse >= -1e-9 if setting.case.lower else worse <= 1e-9, (name, metric)


# Samples


def drawn(setting, size, seed):
    """Draw by SHA-256 of seed and id, in turn from each group, as many as asked for."""
    column = setting.case.strata
    order = setting.config.layout(list(setting.rows.values())).orders[column]
    turns = [
        sorted(
            (item for item in setting.items if setting.rows[item][column] == label),
            key=lambda item: hashlib.sha256(f"{seed}:{item}".encode()).hexdigest(),
        )
        for label in order
    ]
    return [item for turn in zip_longest(*turns) for item in turn if item is not None][:size]


@pytest.mark.parametrize(("size", "seed"), [(9, 0), (14, 3)])
@pytest.mark.parametrize("name", JUDGED)
def test_of_a_sample_what_was_drawn_counts_and_nothing_else(setting_of, name, size, seed):
    setting = setting_of(name)
    mine = drawn(setting, size, seed)
    emptied = mine[:2]
    texts = {item: "" if item in emptied else text for item, text in setting.texts.items()}
    said = {item: setting.said[item] for item in mine[2:] if item in setting.said}
    options = {"stage_sample": {setting.case.stage: f"{size}:{seed}"}}
    expected = setting.restated(said, texts, mine)
    report = setting.score(said, texts, **options)
    assert report.metrics[setting.case.metric].value == pytest.approx(expected)
    assert report.metrics[setting.case.metric].n == size
    assert f"sample {size}:{seed}" in report.signature["annotators"]
    more = setting.score(setting.said, texts, **options)
    assert more.metrics[setting.case.metric].value == pytest.approx(expected)
    outside = len(setting.said.keys() - set(mine))
    assert (
        f"{outside} not sampled and not scored (set the sample with --stage-sample {setting.case.stage}=N:SEED)"
        in " ".join(more.notes)
    )
    assert not any("not sampled" in note for note in report.notes)
    with pytest.raises(
        MedzhError, match=f"[0-9]+ expected annotations of stage {setting.case.stage} are missing or unparsed"
    ):
        setting.score(said, texts)
    with pytest.raises(MedzhError, match=rf"--sample {size} --seed {seed} --skip-answered"):
        setting.score(dict(list(said.items())[1:]), texts, **options)
    lacking = dict(list(said.items())[1:])
    half = setting.score(lacking, texts, missing="wrong", **options).metrics[setting.case.metric]
    assert half.value == pytest.approx(setting.restated(lacking, texts, mine))


@pytest.mark.parametrize("name", JUDGED)
def test_what_is_asked_is_what_is_due_whatever_a_model_left_empty(setting_of, name, capsys):
    setting = setting_of(name)
    out = setting.folder / "asked.jsonl"
    asked = []
    for emptied in ((), some(setting.said, 10)):
        texts = {item: "" if item in emptied else text for item, text in setting.texts.items()}
        predictions, _ = setting.files(None, texts)
        words = ["prompts", setting.case.config, "--stage", setting.case.stage, "--predictions", str(predictions)]
        words += ["--data", str(setting.builds), "--to", "chat", "--sample", "12", "--seed", "5", "--output", str(out)]
        assert main(words) == 0
        said = capsys.readouterr().err
        assert f"score with --stage-sample {setting.case.stage}=12:5" in said
        asked.append({item_of(line["id"]) for line in lines_of(out)})
        mine = {item for item in drawn(setting, 12, 5) if texts[item].strip()}
        assert asked[-1] == mine
        report = setting.score({item: setting.said[item] for item in mine}, texts, stage_sample={
            setting.case.stage: "12:5"
        })  # fmt: skip
        assert report.metrics[setting.case.metric].n == 12


def test_the_command_takes_the_sample_and_a_report_is_verified_with_it(setting_of, capsys):
    setting = setting_of("pemebench")
    mine = drawn(setting, 10, 2)
    said = {item: setting.said[item] for item in mine if item in setting.said}
    predictions, path = setting.files(said)
    out = setting.folder / "report.json"
    words = ["score", "pemebench", str(predictions), "--data", str(setting.builds), "--bootstrap", "0", "--to", "json"]
    words += ["--stage", f"hallucination={path}", "--output", str(out), "--model", "m"]
    assert main([*words, "--stage-sample", "hallucination=10:2"]) == 0
    report = json.loads(out.read_text(encoding="utf-8"))
    assert report["metrics"]["Hall_sentence"]["value"] == pytest.approx(setting.restated(said, None, mine))
    assert report["arguments"]["stage_sample"] == {"hallucination": "10:2"}
    capsys.readouterr()
    assert main(["verify", str(out), str(predictions), str(path), "--data", str(setting.builds)]) == 0
    assert re.search(r"^matches: numbers: all \d+ match$", capsys.readouterr().out, re.MULTILINE)
    assert main([*words, "--stage-sample", "hallucination=all"]) == 2
    assert "expected annotations of stage hallucination are missing or unparsed" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ("hallucination", "invalid value"),
        ("hallucination=0", "invalid value"),
        ("hallucination=5:x", "invalid value"),
        ("hallucination=5:", "invalid value"),
        ("hallucination=all:3", "invalid value"),
        ("hallucination=" + "9" * 5000, "invalid value"),
        ("nothing=5", "unknown name: expected hallucination, found"),
        ("entities=5", "stage entities does not use a sample"),
    ],
)
def test_what_is_no_sample_is_refused(setting_of, given, message, capsys):
    setting = setting_of("pemebench")
    predictions, path = setting.files()
    words = ["score", "pemebench", str(predictions), "--data", str(setting.builds), "--stage", f"hallucination={path}"]
    assert main([*words, "--stage-sample", given]) == 2
    assert message in capsys.readouterr().err


def test_a_sample_of_a_round_that_did_not_come_or_twice_is_refused(setting_of, capsys):
    setting = setting_of("pemebench")
    predictions, path = setting.files()
    words = ["score", "pemebench", str(predictions), "--data", str(setting.builds)]
    assert main([*words, "--stage-sample", "hallucination=5"]) == 2
    assert "no file is specified for stage hallucination" in capsys.readouterr().err
    words += ["--stage", f"hallucination={path}"]
    assert main([*words, "--stage-sample", "hallucination=5", "--stage-sample", "hallucination=6"]) == 2
    assert "stage hallucination is specified twice" in capsys.readouterr().err
    with pytest.raises(MedzhError, match="stage choose does not use a sample"):
        setting_of("cmhe_ce").score(stage_sample={"choose": "5"})


# SDAK: what is drawn are right and wrong pairs


@pytest.fixture
def pairs(minis, tmp_path, capsys):
    """Give right and wrong pairs of the sample by the rule official, from the sheets, and what scores a filled one."""
    predictions = SAMPLES / "sdak" / "predictions.jsonl"

    def rows(name, *words):
        out = tmp_path / f"{name}.csv"
        asked = ["prompts", "sdak", "--stage", name, "--predictions", str(predictions), "--data", str(minis), *words]
        assert main([*asked, "--output", str(out)]) == 0
        capsys.readouterr()
        return sheet_rows(out.read_text(encoding="utf-8"))

    def scored(name, said, **options):
        columns = tuple(find_config("sdak").stages[name == "error"].values)
        sheet = tmp_path / "filled.csv"
        told = [
            {"id": item, **dict(zip(columns, values, strict=True)), "annotator": "a"} for item, values in said.items()
        ]
        sheet.write_bytes(sheet_bytes(("id", *columns, "annotator"), told))
        return score("sdak", predictions, minis, bootstrap=0, stages={name: sheet}, **options)

    return rows, scored


def test_reasons_that_lack_are_not_reliable_and_their_pairs_stay(pairs):
    rows, scored = pairs
    right = [row["id"] for row in rows("reason")]
    said = {item: ("yes", "no" if place % 4 == 0 else "yes") for place, item in enumerate(right)}
    reliable = sum(values == ("yes", "yes") for values in said.values())
    assert scored("reason", said).metrics["AccR"].value == pytest.approx(100 * reliable / len(right))
    gone = right[1]
    fewer = {item: values for item, values in said.items() if item != gone}
    with pytest.raises(
        MedzhError, match=rf"1 expected annotation of stage reason is missing or unparsed \({gone} \(run 1\)\)"
    ):
        scored("reason", fewer)
    wrong, skipped = (scored("reason", fewer, missing=missing) for missing in ("wrong", "skip"))
    assert wrong.metrics["AccR"].value == pytest.approx(100 * (reliable - 1) / len(right))
    assert wrong.metrics["FactAcc"].value == pytest.approx(100 * len(right) / 102)
    assert skipped.metrics["AccR"].value == pytest.approx(100 * (reliable - 1) / (len(right) - 1))
    assert skipped.metrics["FactAcc"].value == pytest.approx(100 * (len(right) - 1) / 101)
    drawn_pairs = [row["id"] for row in rows("reason", "--sample", "12", "--seed", "4")]
    mine = {item: said[item] for item in drawn_pairs}
    report = scored("reason", mine, stage_sample={"reason": "12:4"})
    expected = 100 * sum(values == ("yes", "yes") for values in mine.values()) / 12
    assert report.metrics["AccR"].value == pytest.approx(expected)
    lacking = len(right) - 12
    with pytest.raises(MedzhError, match=f"{lacking} expected annotations of stage reason are missing or unparsed"):
        scored("reason", mine)


def test_an_error_type_that_lacks_has_no_worst_value_and_the_report_says_so(pairs):
    rows, scored = pairs
    wrong = [row["id"] for row in rows("error")]
    said = {item: ("sycophancy" if place % 2 else "safety",) for place, item in enumerate(wrong)}
    whole = {row[0]: row[1] for row in scored("error", said).tables["error_types"].rows}
    assert whole["sycophancy"] + whole["safety"] == len(wrong)
    fewer = dict(list(said.items())[1:])
    with pytest.raises(MedzhError, match="1 expected annotation of stage"):
        scored("error", fewer)
    report = scored("error", fewer, missing="wrong")
    counts = {row[0]: row[1] for row in report.tables["error_types"].rows}
    assert counts == {**whole, "safety": whole["safety"] - 1}
    assert "1 annotation of stage error is missing. The stage has no worst value to score it with." in report.notes
    assert scored("error", fewer, missing="skip").metrics["IFR"].n == 101


# CARE-MI: people and judges side by side


def test_each_model_that_judged_is_due_all_and_people_may_share_the_work(setting_of):
    setting = setting_of("care_mi")
    ids = setting.items
    predictions, one = setting.files(dict.fromkeys(ids, "0.5"))
    two = setting.write_lines(
        setting.folder / "two.jsonl", [{"id": item, "prediction": "1", "model": "judge-2"} for item in ids[1:]]
    )
    sheet = setting.folder / "people.csv"
    rows = [
        {"id": item, "correctness": "1", "annotator": "甲" if place % 2 else "乙"} for place, item in enumerate(ids)
    ]
    sheet.write_bytes(sheet_bytes(("id", "correctness", "annotator"), rows))

    def scored(*files, **options):
        return score("care_mi", predictions, setting.builds, bootstrap=0, stages={"correctness": files}, **options)

    assert scored(one, sheet).metrics["correctness"].value == 1
    with pytest.raises(
        MedzhError, match=rf"1 expected annotation of stage correctness is missing or unparsed \({ids[0]} \(run 1\)\)"
    ):
        scored(one, two)
    report = scored(one, two, missing="wrong")
    assert report.metrics["correctness-judge"].value == pytest.approx((27 * 0.75 + 0.25) / 28)
    sheet.write_bytes(sheet_bytes(("id", "correctness", "annotator"), rows[1:]))
    with pytest.raises(
        MedzhError, match=rf"1 expected annotation of stage correctness is missing or unparsed \({ids[0]} \(run 1\)\)"
    ):
        scored(one, sheet)
    report = scored(one, sheet, missing="wrong")
    assert report.metrics["correctness"].value == pytest.approx(27 / 28)
    assert report.metrics["correctness-judge"].value == 0.5
    note = next(note for note in report.notes if note.startswith("Stage correctness"))
    assert "28 annotated by judge-1 (28), 乙 (13), 甲 (14)" in note


# What is signed


@pytest.mark.parametrize("name", JUDGED)
def test_two_models_by_one_judge_have_one_signature_whatever_they_left_empty(setting_of, name):
    setting = setting_of(name)
    full = {item: text if text.strip() else "不知道。" for item, text in setting.texts.items()}
    judged_all = {item: setting.said.get(item, "0" if name == "care_mi" else "无" if name == "cmhe_dd" else "no")
                  for item in full}  # fmt: skip
    emptied = some(full, len(full) // 2)
    texts = {item: "" if item in emptied else text for item, text in full.items()}
    one = setting.score(judged_all, full).signature
    other = setting.score({item: value for item, value in judged_all.items() if item not in emptied}, texts).signature
    assert one == other
    assert one["annotators"] == f"{setting.case.stage} by judge-1 (prompt unknown, sample all, unverified)"


def test_who_judged_by_which_prompt_and_of_what_sample_is_signed(setting_of, capsys):
    setting = setting_of("pemebench")
    predictions, _ = setting.files()
    sent = setting.folder / "sent.jsonl"
    words = ["prompts", "pemebench", "--stage", "hallucination", "--predictions", str(predictions)]
    assert main([*words, "--output", str(sent), "--data", str(setting.builds)]) == 0
    capsys.readouterr()
    stated = setting.score(prompts=sent).signature
    assert re.fullmatch(r"hallucination by judge-1 \(prompt \S+-1 .*, sample all, unverified\)", stated["annotators"])
    assert "queried again" not in stated
    by_hand = setting.score(form="csv").signature["annotators"]
    assert by_hand == "hallucination by 甲 (sample all, unverified)"


def test_of_entities_the_values_that_count_are_signed_and_not_who_gave_them(setting_of):
    setting = setting_of("pemebench")
    rows = [setting.rows[item] for item in setting.items]

    def signed(listed, model="judge-1"):
        told = [{"id": item, "prediction": json.dumps(values, ensure_ascii=False), "model": model}
                for item, values in listed.items()]  # fmt: skip
        entities = setting.write_lines(setting.folder / "entities.jsonl", told)
        predictions, path = setting.files()
        stages = {"entities": entities, "hallucination": path}
        report = score("pemebench", predictions, setting.builds, bootstrap=0, stages=stages)
        return report.signature["annotators"].partition(";")[0]

    own = {row["id"]: row["entities"] for row in rows}
    first, *_ = own
    assert re.fullmatch("entities [0-9a-f]{8}", signed(own))
    assert signed(own) == signed({first: own[first]}) == signed(own, "judge-2")  # the records' own stand for the rest
    assert signed({**own, first: own[first][::-1]}) == signed(own)
    assert signed({**own, first: own[first][:1]}) != signed(own)
