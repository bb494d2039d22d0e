from __future__ import annotations

import json
import re

import numpy as np
import pytest
from commands import called
from made_builds import made_build
from whole_reports import whole

from medzh_score import score
from medzh_score.commands import sensitivity as command
from medzh_score.configs.sdak.prompts import PAPER_1, PAPER_2
from medzh_score.messages.errors import MedzhError
from medzh_score.report.results.report_file import read_report
from medzh_score.report.sensitivity import compare
from medzh_score.report.sensitivity_interval import with_intervals
from medzh_score.statistics.values import Bootstrap

RUNS = 2
TYPES = {"p1": "Disease-Food", "p2": "Disease-Food", "p3": "Disease-Food", "p4": "Food-Effect", "p5": "Food-Effect"}
# By pair and run: right under the first and under the second prompt.
FIRST = {"p1": (1, 0), "p2": (0, 0), "p3": (1, 1), "p4": (0, 1), "p5": (1, 1)}
SECOND = {"p1": (1, 1), "p2": (0, 1), "p3": (1, 1), "p4": (0, 0), "p5": (0, 1)}
SIGNATURE = {"config": "sdak", "data": "0.0.0/mini/01234567", "items": "5", "prompt": "paper-1", "rule": "official"}
RESAMPLES = 200


def share(right, pairs):
    """Restate FactAcc: the mean over runs of right pairs in percent."""
    return sum(100 * sum(right[pair][run] for pair in pairs) / len(pairs) for run in range(RUNS)) / RUNS


def members(kind=None):
    return [pair for pair, its in TYPES.items() if kind in (None, its)]


def report(right, prompt, **changes):
    def value(kind=None):
        found = {"value": share(right, members(kind)), "n": len(members(kind)), "unit": "percent"}
        return {"FactAcc": {**found, "low": None, "per_run": []}, "IFR": {**found, "value": None, "why": "none"}}

    return {
        "config": "sdak",
        "metrics": value(),
        "groups": {"type": {kind: value(kind) for kind in sorted(set(TYPES.values()))}},
        "signature": {**SIGNATURE, "prompt": prompt},
        "model": None,
        "tables": {},
        **changes,
    }


def lines(right, skipped=()):
    return [
        {
            "item": pair,
            "run": run,
            "right": bool(right[pair][run]),
            "groups": {"type": TYPES[pair]},
            "rule": "official",
            "rules": {"official": {"verdict": "skipped" if (pair, run) in skipped else "-", "answers": []}},
        }
        for pair in right
        for run in range(RUNS)
    ]


@pytest.fixture
def write(tmp_path):
    def put(name, content):
        path = tmp_path / name
        rows = content if name.endswith("l") else [whole(content)]
        path.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
        return path

    return put


@pytest.fixture
def reports(write):
    return write("a.json", report(FIRST, "paper-1")), write("b.json", report(SECOND, "paper-2"))


@pytest.fixture
def items(write):
    return write("a.jsonl", lines(FIRST)), write("b.jsonl", lines(SECOND)[::-1])


def restated_interval(kind, seed):
    """Draw pairs with both prompts and all runs together, one resample after another."""
    generator = np.random.Generator(np.random.PCG64(seed))
    names, replicates = sorted(TYPES), []
    for _ in range(RESAMPLES):
        drawn = [names[index] for index in generator.integers(0, len(names), len(names))]
        inside = [pair for pair in drawn if kind in (None, TYPES[pair])]
        if inside:
            replicates.append(share(SECOND, inside) - share(FIRST, inside))
    return np.quantile(replicates, [0.025, 0.975])


def test_differences_are_second_minus_first(reports):
    found = compare(*map(read_report, reports))
    assert [row.group for row in found.rows] == ["", "Disease-Food", "Food-Effect"]
    for row in found.rows:
        pairs = members(row.group or None)
        assert row.n == len(pairs)
        assert row.difference == pytest.approx(share(SECOND, pairs) - share(FIRST, pairs))
    by_type = [share(SECOND, members(kind)) - share(FIRST, members(kind)) for kind in ("Disease-Food", "Food-Effect")]
    assert found.mean == pytest.approx(sum(by_type) / 2)
    assert found.mean_absolute == pytest.approx(sum(map(abs, by_type)) / 2)
    assert found.largest == ("Food-Effect", pytest.approx(-50.0))
    assert found.prompts == ("paper-1", "paper-2")
    assert "prompt" not in found.signature


def test_swapping_the_reports_turns_the_signs(reports):
    one, other = map(read_report, reports)
    there, back = compare(one, other), compare(other, one)
    assert [row.difference for row in there.rows] == [-row.difference for row in back.rows]
    assert there.mean_absolute == back.mean_absolute


@pytest.mark.parametrize("seed", [0, 7])
def test_interval_is_that_of_a_plain_loop(reports, items, seed):
    found = with_intervals(compare(*map(read_report, reports)), *items, Bootstrap(RESAMPLES, seed))
    for row in found.rows:
        low, high = restated_interval(row.group or None, seed)
        if high - low < 1e-9:  # both pairs of Food-Effect turn alike: an interval without width would say too much
            assert (row.low, row.high) == (None, None)
        else:
            assert [row.low, row.high] == pytest.approx([low, high])
    assert found.interval.endswith(f"PCG64 seed {seed}")


def test_equal_answers_have_no_interval(write):
    same = [read_report(write(f"{prompt}.json", report(FIRST, prompt))) for prompt in ("paper-1", "paper-2")]
    files = [write(f"{name}.jsonl", lines(FIRST)) for name in "ab"]
    found = with_intervals(compare(*same), *files, Bootstrap(RESAMPLES))
    assert {(row.difference, row.low, row.high) for row in found.rows} == {(0.0, None, None)}


def test_skipped_pairs_are_not_counted(write):
    kept = {"p1": (1, 1), "p2": (0, 0), "p3": (1, 1), "p4": (0, 1), "p5": (1, 1)}
    changed = {**report(kept, "paper-1")}
    # p2 is dropped in both runs: two pairs of three remain in its type, both right.
    changed["metrics"]["FactAcc"] |= {"value": (100 * 3 / 4 + 100 * 4 / 4) / 2, "n": 4}
    changed["groups"]["type"]["Disease-Food"]["FactAcc"] |= {"value": 100.0, "n": 2}
    other = {**changed, "signature": {**SIGNATURE, "prompt": "paper-2"}}
    found = compare(read_report(write("a.json", changed)), read_report(write("b.json", other)))
    files = [write(f"{name}.jsonl", lines(kept, skipped={("p2", 0), ("p2", 1)})) for name in "ab"]
    assert with_intervals(found, *files, Bootstrap(RESAMPLES)).rows[0].difference == 0.0


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"signature": {**SIGNATURE, "prompt": "paper-2", "rule": "medzh-1"}}, r"more than the prompt: rule \("),
        (
            {"signature": {**SIGNATURE, "prompt": "paper-2", "items": "6", "data": "x"}},
            r"data, items \(data: 0\.0\.0/mini/01234567 and x",
        ),
        ({"signature": {"prompt": "paper-2"}}, "config, data, items, rule"),
        ({"config": "tcmd"}, r"more than the prompt: config"),
        ({"signature": SIGNATURE}, "both reports are of the same prompt"),
        ({"groups": {}}, r"only one report has the group; found 'type Disease-Food'"),
    ],
)
def test_reports_that_are_not_comparable(changes, message, reports, write):
    other = write("b.json", report(SECOND, "paper-2", **changes))
    with pytest.raises(MedzhError, match=message):
        called(command, reports[0], other)


def test_unstated_prompts_are_asked_for(write):
    files = [write(name, report(FIRST, "unstated")) for name in ("a.json", "b.json")]
    with pytest.raises(MedzhError, match=r"same prompt; found 'unstated'; score with --prompts FILE"):
        called(command, *files)


def test_other_n_is_refused(reports, write):
    changed = report(SECOND, "paper-2")
    changed["groups"]["type"]["Food-Effect"]["FactAcc"]["n"] = 3
    with pytest.raises(MedzhError, match=r"type Food-Effect has n 2 and 3"):
        called(command, reports[0], write("b.json", changed))


def test_unknown_metric(reports):
    with pytest.raises(MedzhError, match=r"--metric: no such metric; expected FactAcc, IFR; found 'F1'"):
        called(command, *reports, "--metric", "F1")


def test_undefined_values_have_no_difference(reports, capsys):
    called(command, *reports, "--metric", "IFR", "--to", "json")
    found = json.loads(capsys.readouterr().out)
    assert [row["difference"] for row in found["rows"]] == [None] * 3
    assert (found["mean_difference"], found["largest_absolute_difference"]) == (None, None)
    assert called(command, *reports, "--metric", "IFR") == 0


@pytest.mark.parametrize("content", ["[]", "{", '{"config": "sdak"}', "\ufeff{}"])
def test_file_that_is_no_report(content, reports, tmp_path):
    path = tmp_path / "c.json"
    path.write_text(content, encoding="utf-8")
    with pytest.raises(MedzhError, match=r"c\.json.*a report as"):
        called(command, reports[0], path)


@pytest.mark.parametrize(
    ("other", "message"),
    [
        (lines(SECOND)[:-1], r"different items; found 'p5 run 1'"),
        (lines(SECOND) + lines(SECOND)[:1], r"b\.jsonl:11: field item: comes twice in a run"),
        (lines(FIRST), r"field type Disease-Food: the items files do not give the FactAcc of the reports"),
        ([], "holds no items"),
        ([{"item": "p1", "run": 0, "right": 1, "groups": {}}], r"b\.jsonl:1: field right"),
        ([{**line, "groups": {"type": "Food-Effect"}} for line in lines(SECOND)], "stands in another group"),
    ],
)
def test_items_of_something_else(other, message, reports, items, write):
    with pytest.raises(MedzhError, match=message):
        called(command, *reports, "--items", items[0], write("b.jsonl", other))


def test_items_of_another_metric_are_refused(reports, items):
    with pytest.raises(MedzhError, match="do not give the IFR of the reports"):
        called(command, *reports, "--metric", "IFR", "--items", *items)


def test_reports_and_items_of_the_scorer_are_read(tmp_path, capsys):
    """Score a hand-made build under both prompts of the paper, and compare what was written."""
    claims = [(number, kind, side) for number, kind in enumerate(("Disease-Food", "Food-Effect")) for side in "fc"]
    records = [
        {
            "id": f"sdak-{number}-{side}",
            "pair_id": f"sdak-{number}",
            "type": kind,
            "polarity": {"f": "factual", "c": "counterfactual"}[side],
            "claim": f"第{number}种做法{'不' if side == 'c' else ''}合适",
            "object": "合适",
        }
        for number, kind, side in claims
    ]
    made_build(tmp_path, {"sdak": {"test": records}}, fingerprint="ab" * 32)
    words = []
    for prompt, verdicts in ((PAPER_1, "正确 错误 正确 错误"), (PAPER_2, "正确 错误 正确 正确")):
        sent = [{"id": row["id"], "text": prompt.fill(**row), "prompt": prompt.name, "shots": 0} for row in records]
        answered = [
            {"id": row["id"], "prediction": verdict} for row, verdict in zip(records, verdicts.split(), strict=True)
        ]
        place = tmp_path / prompt.name
        for name, rows in (("sent", sent), ("answered", answered)):
            place.with_suffix(f".{name}").write_text("".join(json.dumps(row) + "\n" for row in rows))
        found = score(
            "sdak",
            place.with_suffix(".answered"),
            tmp_path,
            prompts=place.with_suffix(".sent"),
            items=place.with_suffix(".jsonl"),
        )
        place.with_suffix(".json").write_bytes(found.as_json())
        words.append(place)
    reports = [place.with_suffix(".json") for place in words]
    assert called(command, *reports, "--items", *(place.with_suffix(".jsonl") for place in words)) == 0
    shown = " ".join(capsys.readouterr().out.split())
    assert "paper-1 paper-2" in shown
    assert "all 2 100.00 50.00 -50.00 -100.00 to 0.00" in shown
    assert "Food-Effect 1 100.00 0.00 -100.00" in shown


def test_table_says_everything(reports, items, capsys):
    assert called(command, *reports, "--items", *items, "--seed", 3) == 0
    shown = " ".join(capsys.readouterr().out.split())
    assert re.search(r"type n paper-1 paper-2 difference 95% interval", shown)
    assert "all 5 60.00 60.00 0.00" in shown
    assert "Food-Effect 2 75.00 25.00 -50.00 -" in shown
    assert "largest absolute difference 50.00 (Food-Effect)" in shown
    assert "1000 resamples, percentile 95%, PCG64 seed 3" in shown
    assert "rule:official" in shown


@pytest.mark.parametrize("form", ["markdown", "latex", "json"])
def test_other_forms(form, reports, tmp_path):
    out = tmp_path / "out"
    called(command, *reports, "--to", form, "--out", out)
    shown = out.read_text(encoding="utf-8")
    if form == "json":
        found = json.loads(shown)
        assert found["largest_absolute_difference"] == {"group": "Food-Effect", "value": 50.0}
        assert found["rows"][2]["difference"] == -50.0
        assert found["interval"] is None
    else:
        assert "-50.00" in shown
        assert "interval" not in shown


def test_what_only_shows_values_is_noted_and_not_refused(reports, write, capsys):
    shown = {"runs": "3", "ddof": "1", "interval": "none", "medzh_score": "0.1"}
    first = write("one.json", report(FIRST, "paper-1", signature={**SIGNATURE, **shown, "runs": "1"}))
    signed = {**SIGNATURE, **shown, "prompt": "paper-2", "medzh_score": "0.2"}
    second = write("other.json", report(SECOND, "paper-2", signature=signed))
    found = compare(read_report(first), read_report(second))
    assert found.shown_otherwise == "runs: 1 and 3; medzh_score: 0.1 and 0.2"
    assert found.signature == {
        key: value for key, value in signed.items() if key not in {"prompt", "runs", "medzh_score"}
    }
    assert [row.difference for row in found.rows] == [
        row.difference for row in compare(*map(read_report, reports)).rows
    ]
    assert called(command, first, second) == 0
    assert "the reports differ in how values are shown (runs: 1 and 3; medzh_score: 0.1 and 0.2)" in " ".join(
        capsys.readouterr().out.split()
    )


def test_the_same_prompt_in_another_form_is_not_only_another_prompt(write):
    first, second = (
        read_report(
            write(f"{form}.json", report(FIRST, prompt, signature={**SIGNATURE, "prompt": prompt, "form": form}))
        )
        for form, prompt in (("chat", "paper-1"), ("text", "paper-2"))
    )
    with pytest.raises(MedzhError, match=r"differ in more than the prompt: form \(form: chat and text\)"):
        compare(first, second)
