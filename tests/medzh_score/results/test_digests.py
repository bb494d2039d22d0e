"""Digests of result folders, made again from the files by hashlib alone; and one answer checked against a file."""

from __future__ import annotations

import hashlib
import json

import pytest
from places import SAMPLES

from medzh_score.cli.main import main
from medzh_score.data.records import load_records
from medzh_score.results.result import Result
from medzh_score.scoring.pipeline import score


def sha256(text):
    return hashlib.sha256(text.encode("utf-8")).hexdigest()


def lines_of(path):
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]


def scored(folder, config, predictions, *more):
    words = ("score", config, predictions, "--data", "mini", "--bootstrap", "0", "--save", folder, "-q", *more)
    assert main([*map(str, words)]) == 0
    return Result.load(folder)


@pytest.fixture
def prompts(tmp_path):
    def write(config, *more):
        path = tmp_path / f"prompts{len(list(tmp_path.iterdir()))}.jsonl"
        assert main(["prompts", config, "--data", "mini", "-o", str(path), "-q", *more]) == 0
        return path

    return write


def queried(path):
    """Give the digest of each prompt of a file: of its messages, a line break between them, or of its text."""
    return {
        (line["id"], line.get("variant", 0)): sha256(
            line["text"] if "text" in line else "\n".join(one["content"] for one in line["messages"])
        )
        for line in lines_of(path)
    }


@pytest.mark.parametrize("config", ["sdak", "cmhe_hd", "cmhe_dd", "care_mi", "pemebench", "pemebench_medqa"])
def test_predictions_and_default_prompts_have_the_digests_of_their_texts(config, prompts, tmp_path):
    predictions = SAMPLES / config / "predictions.jsonl"
    rows = scored(tmp_path / "r", config, predictions, "--keep-reasoning").items().to_pylist()
    said = {(line["id"], line.get("variant", 0)): line["prediction"] for line in lines_of(predictions)}
    asked = queried(prompts(config))
    for row in rows:
        assert row["prediction_sha256"] == sha256(said[row["id"], row["variant"]])
        assert row["query_sha256"] == asked[row["id"], row["variant"]]
        assert row["label_sha256"] is None


@pytest.mark.parametrize(
    ("config", "options"),
    [
        ("sdak", ("--prompt", "paper-2")),
        ("sdak", ("--prompt", "paper-1", "--to", "text")),
        ("tcmd", ("--variants", "all", "--shots", "0")),
        ("tcmd", ("--shots", "2")),
    ],
)
def test_prompts_that_were_sent_have_the_digests_of_their_texts(config, options, prompts, tmp_path, minis, write_lines):
    sent = prompts(config, *options)
    answers = write_lines(
        tmp_path / "answers.jsonl",
        [
            {"id": line["id"], "variant": line.get("variant", 0), "prediction": f"答案是A。{place}"}
            for place, line in enumerate(lines_of(sent))
        ],
    )
    result = scored(tmp_path / "r", config, answers, "--prompts", sent)
    asked, owner = queried(sent), owners(config, minis)
    said = {(line["id"], line["variant"]): line["prediction"] for line in lines_of(answers)}
    rows = result.items().to_pylist()
    for row in rows:
        query = (owner.get(row["id"], row["id"]), row["variant"])
        assert (row["query_sha256"], row["prediction_sha256"]) == (asked[query], sha256(said[query]))
    assert {owner.get(row["id"], row["id"]) for row in rows} == {identifier for identifier, _ in asked}


def owners(config, minis):
    """Give the group under whose id a record is asked, by the records' own field."""
    rows = load_records(minis, config).rows
    return {row["id"]: row["group_id"] for row in rows if row.get("group_id")}


def test_reasoning_is_no_part_of_a_digest_unless_it_is_kept_and_a_missing_answer_has_none(tmp_path, write_lines):
    lines = lines_of(SAMPLES / "sdak" / "predictions.jsonl")
    first, second, last = lines[0]["id"], lines[1]["id"], lines[2]["id"]
    lines[0]["prediction"] = "<think>想一想</think>正确。"
    lines[1]["prediction"] = "正确。"
    path = write_lines(tmp_path / "p.jsonl", [line for line in lines if line["id"] != last])
    for options, expected in (((), "正确。"), (("--keep-reasoning",), "<think>想一想</think>正确。")):
        folder = tmp_path / f"r{len(options)}"
        rows = scored(folder, "sdak", path, "--missing", "wrong", *options).items().to_pylist()
        found = {row["id"]: row["prediction_sha256"] for row in rows}
        assert found[first] == sha256(expected)
        assert (found[second], found[last]) == (sha256("正确。"), None)


def test_labels_have_the_digest_of_their_canonical_json(tmp_path):
    sample, items = SAMPLES / "cmhe_dd", tmp_path / "items.jsonl"
    more = ("--stage", f"codes={sample / 'judge-codes.jsonl'}", "--items", items)
    rows = scored(tmp_path / "r", "cmhe_dd", sample / "predictions.jsonl", *more).items().to_pylist()
    written = {(line["item"], line["run"]): line["stages"]["codes"] for line in lines_of(items)}
    for row in rows:
        labels, expected = written[row["item"], row["run"]], None
        if labels is not None:
            said = {"codes": {"sample judge": labels}}
            expected = sha256(json.dumps(said, ensure_ascii=False, sort_keys=True, separators=(",", ":")))
        assert row["label_sha256"] == expected
    assert 0 < sum(labels is None for labels in written.values()) < len(written)


# One answer


@pytest.fixture
def two_runs(tmp_path, write_lines):
    """Score two runs of SDAK; give the folder, the lines and a writer of other files."""
    lines = [
        {**line, "run": run, "prediction": line["prediction"] + "。" * run}
        for run in (0, 1)
        for line in lines_of(SAMPLES / "sdak" / "predictions.jsonl")
    ]
    scored(tmp_path / "r", "sdak", write_lines(tmp_path / "p.jsonl", lines))
    return tmp_path / "r", lines


ITEM = "sdak-metric_effect-0001-f"
CHANGES = {
    "the file that was scored": (lambda lines: lines, 0, ["run 1: equal, SHA-256 {0}", "run 2: equal, SHA-256 {1}"]),
    "other lines changed": (
        lambda lines: [line if line["id"] == ITEM else {**line, "prediction": "?"} for line in lines],
        0,
        ["run 1: equal, SHA-256 {0}", "run 2: equal, SHA-256 {1}"],
    ),
    "one run answered otherwise": (
        lambda lines: [{**line, "prediction": "?"} if line["run"] else line for line in lines],
        1,
        ["run 1: equal, SHA-256 {0}", "run 2: different: expected SHA-256 {1}, found " + sha256("?")],
    ),
    "one run missing": (
        lambda lines: [line for line in lines if not line["run"]],
        1,
        ["run 1: equal, SHA-256 {0}", "run 2: missing in the file"],
    ),
    "one run more": (
        lambda lines: [*lines, {"id": ITEM, "run": 2, "prediction": "?"}],
        1,
        ["run 1: equal, SHA-256 {0}", "run 2: equal, SHA-256 {1}", "run 3: the result contains no prediction"],
    ),
    "runs exchanged": (
        lambda lines: [{**line, "run": 1 - line["run"]} for line in lines],
        1,
        ["run 1: different: expected SHA-256 {0}, found {1}", "run 2: different: expected SHA-256 {1}, found {0}"],
    ),
}


@pytest.mark.parametrize("case", CHANGES)
def test_one_answer_is_compared_run_by_run(case, two_runs, tmp_path, write_lines, capsys):
    folder, lines = two_runs
    change, status, expected = CHANGES[case]
    path = write_lines(tmp_path / "other.jsonl", change(lines))
    digests = [sha256(line["prediction"]) for line in lines if line["id"] == ITEM]
    capsys.readouterr()
    assert main(["verify", str(folder), str(path), "--data", "mini", "--item", ITEM, "-q"]) == status
    equal = [line.startswith("run") and ("equal" in line) for line in expected]
    assert capsys.readouterr().out.splitlines() == [
        f"{'matches' if one else 'differs'}: {ITEM}, {line.format(*digests)}"
        for one, line in sorted(zip(equal, expected, strict=True), key=lambda pair: not pair[0])
    ]


def test_an_answer_is_found_in_any_format_and_under_its_group(tmp_path, minis, write_lines, capsys):
    folder, predictions = tmp_path / "r", SAMPLES / "tcmd" / "predictions.jsonl"
    rows = scored(folder, "tcmd", predictions).items().to_pylist()
    batch = write_lines(
        tmp_path / "batch.jsonl",
        [
            {
                "custom_id": line["id"] + (f"#v{line['variant']}" if line.get("variant") else ""),
                "response": {
                    "status_code": 200,
                    "body": {"choices": [{"message": {"role": "assistant", "content": line["prediction"]}}]},
                },
                "error": None,
            }
            for line in lines_of(predictions)
        ],
    )
    groups = [row["id"] for row in rows if row["id"] in owners("tcmd", minis)]
    assert groups
    for item in (rows[0]["id"], groups[0]):
        capsys.readouterr()
        assert main(["verify", str(folder), str(batch), "--data", "mini", "--item", item, "-q"]) == 0
        expected = {row["variant"] for row in rows if row["id"] == item}
        assert len(capsys.readouterr().out.splitlines()) == len(expected)


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (("{folder}", "{file}", "--item", ITEM[:-1] + "x"), f"no record has this id; did you mean {ITEM[:-1]}"),
        (("{folder}", "{file}", "--item", "nothing"), "no record has this id: expected an id such as sdak-"),
        (("{folder}", "--item", ITEM), "no predictions file is specified: expected at least one"),
        (
            ("{folder}/report.json", "{file}", "--item", ITEM),
            "a report does not contain the answers to the items: expected a result folder",
        ),
        (("{folder}", "{twice}", "--item", ITEM), "duplicate prediction"),
    ],
)
def test_what_cannot_be_compared_is_refused(words, message, two_runs, tmp_path, write_lines, capsys):
    folder, lines = two_runs
    twice = write_lines(tmp_path / "twice.jsonl", [line for line in lines if line["id"] == ITEM] * 2)
    named = {"folder": folder, "file": tmp_path / "p.jsonl", "twice": twice}
    words = [word.format(**named) for word in words]
    capsys.readouterr()
    assert main(["verify", *words, "--data", "mini", "-q"]) == 2
    said = capsys.readouterr().err
    assert message in said
    assert "Traceback" not in said


def test_one_answer_is_checked_without_data_and_where_no_digests_are_kept(tmp_path, write_lines, monkeypatch, capsys):
    predictions = SAMPLES / "sdak" / "predictions.jsonl"
    first = lines_of(predictions)[0]["id"]
    scored(tmp_path / "r", "sdak", predictions)
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("MEDZH_DATA", raising=False)
    assert main(["verify", "r", str(predictions), "--item", first]) == 0
    twice = write_lines(tmp_path / "twice.jsonl", lines_of(predictions)[:1] * 2)
    score("sdak", str(predictions), "mini", save=tmp_path / "without", digests=False)
    assert main(["verify", "without", str(predictions), "--data", "mini"]) == 0
    for folder, file, problem in (
        ("r", twice, f"duplicate prediction: found {first} (run 1)"),
        ("without", predictions, "without: option --item: the result contains no digests of predictions"),
    ):
        capsys.readouterr()
        assert main(["verify", folder, str(file), "--data", "mini", "--item", first]) == 2
        assert problem in capsys.readouterr().err
