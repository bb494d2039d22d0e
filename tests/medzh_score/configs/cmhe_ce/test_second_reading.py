"""Second readings and audits of CMHE-CE: they are about the choices that count, and leave explanations alone."""

from __future__ import annotations

import json

import pytest
from places import SAMPLES
from round_cases import NONE, case_of, found_in, key_of

from medzh_score.configs.cmhe_ce.config import CONFIG, read_choice
from medzh_score.messages.errors import MedzhError

EXPLAINED = SAMPLES / "cmhe_ce" / "predictions.jsonl"
SHOWN = {"option_a": "哮喘", "option_b": "痛风", "option_c": "贫血", "option_d": "白内障"}


@pytest.fixture
def case(minis, tmp_path, capfdbinary):
    return case_of("cmhe_ce", minis, tmp_path, capfdbinary)


def choices(case, name, text=None, run=0):
    """Write choices: gold, or one text for all."""
    more = {"run": run} if run else {}
    return case.write(name, [{"id": one, "prediction": text or letter, **more} for one, letter in case.gold.items()])


@pytest.mark.parametrize(("text", "letter"), [("A", "A"), ("选择A和C", None), ("ABCD", None), ("A或B", None)])
def test_several_letters_are_no_choice(text, letter):
    """Else the first of them would count, and who names all options would always be right."""
    assert read_choice(text, SHOWN) == (None if letter is None else {"choice": letter})


def test_shown_are_the_options_and_the_choice_but_no_explanation(case):
    by_id = {record["id"]: record for record in case.records}
    explained = [json.loads(line)["prediction"] for line in EXPLAINED.read_text(encoding="utf-8").splitlines()]
    rows = case.rows("audit", "--sample", 1000)
    assert len(rows) == len(case.records)
    for row in rows:
        options = by_id[key_of(row)[0]]["options"]
        lettered = zip("ABCD", options, strict=True)
        assert row["question"].splitlines()[1:] == [f"{letter}. {text}" for letter, text in lettered]
        assert not any(len(text) > 30 and text[:30] in row["question"] for text in explained)


def test_choices_that_are_read_again_count_as_if_the_model_had_said_so(case):
    """Right choices, counted by hand: of the 40 questions those that were right before, and all that was due."""
    before, due = case.score(), case.keys_due()
    report = case.second({row["id"]: case.reply(row) for row in case.rows("second-reading")})
    share = before.metrics["accuracy-questions"].value
    assert report.metrics["accuracy-questions"].value == pytest.approx(share + 100 * len(due) / 40)
    unreadable = {name: sum(row[4] for row in one.tables["choices"].rows) for name, one in report.results.items()}
    assert unreadable["medzh-1"] == unreadable["medzh-1 without second readings"] - len(due)
    noted = next(note for note in report.notes if note.startswith("Round choose"))
    assert noted == next(note for note in before.notes if note.startswith("Round choose"))


def test_a_choice_that_a_second_reader_takes_away_cannot_be_read(case):
    path = choices(case, "unclear.jsonl")
    lines = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]
    lines[0]["prediction"] = f"唔唔哪哪，{lines[0]['prediction']}"
    path = case.write("unclear.jsonl", lines)
    rows = case.rows("second-reading", "--unclear", after=path)
    items = case.folder / "items.jsonl"
    replies = {row["id"]: NONE if key_of(row)[0] == lines[0]["id"] else case.reply(row) for row in rows}
    report = case.second(replies, predictions=path, unclear=True, items=items)
    assert report.second_reading.due == 1
    found = found_in(items, case)
    assert found[lines[0]["id"], 0, 0] == (None, "second reading")
    assert sum(row[4] for row in report.tables["choices"].rows) == 1
    assert sum(row[5] for row in report.tables["choices"].rows) == 0


def test_the_choice_that_counts_goes_out(case):
    """A later readable file wins; one that cannot be read takes nothing away, and a failed one neither."""
    unread, read = choices(case, "unread.jsonl", "B或D"), choices(case, "read.jsonl")
    other = choices(case, "other.jsonl", "A或C")
    failed = case.write("failed.jsonl", [{"id": one, "error": "timeout"} for one in case.gold])
    for files, response in (
        ((unread, read), None),
        ((read, unread), None),
        ((read, failed), None),
        ((unread, other), "A或C"),
        ((failed, unread, unread), "B或D"),
    ):
        status, printed, errors = case.call("prompts", "cmhe_ce", "--round", "second-reading", "--after", *files)
        assert status == 0, errors
        texts = [json.loads(line)["messages"][0]["content"] for line in printed.splitlines()]
        assert len(texts) == (0 if response is None else 40)
        assert all(f"【回答】\n{response}\n" in text for text in texts)
        assert "about the responses of round choose" in errors
        ids = [json.loads(line)["id"] for line in printed.splitlines()]
        back = case.write("back.jsonl", [{"id": one, "prediction": case.readable(key_of(one)[0])} for one in ids])
        rounds = {"choose": list(files), **({"second-reading": back} if ids else {})}
        report = case.score(rounds=rounds, second_reader="x")
        assert report.second_reading.due == report.second_reading.read == len(ids)
        assert report.metrics["accuracy-questions"].value == 100


def test_runs_are_told_apart(case):
    lines = [json.loads(line) for line in EXPLAINED.read_text(encoding="utf-8").splitlines()]
    first = case.write("first.jsonl", [{**line, "run": run} for run in (0, 3) for line in lines])
    files = [choices(case, "zero.jsonl"), choices(case, "three.jsonl", "B或D", run=3)]
    status, printed, errors = case.call("prompts", "cmhe_ce", "--round", "second-reading", "--after", *files)
    assert status == 0, errors
    ids = [json.loads(line)["id"] for line in printed.splitlines()]
    assert sum("#r3~" in one for one in ids) == 40
    replies = [{"id": one, "prediction": "A"} for one in ids]
    rounds = [f"choose={file}" for file in files] + [f"second-reading={case.write('replies.jsonl', replies)}"]
    given = [part for one in rounds for part in ("--round", one)]
    status, printed, errors = case.call(
        "score", "cmhe_ce", first, *given, "--second-reader", "x", "--to", "json", "--bootstrap", 20
    )
    assert status == 0, errors
    found = json.loads(printed)
    right = 100 * sum(letter == "A" for letter in case.gold.values()) / 40
    assert found["metrics"]["accuracy-questions"]["per_run"] == pytest.approx([100, right])
    without = found["rules"]["medzh-1 without second readings"]["metrics"]["accuracy-questions"]
    assert without["per_run"] == pytest.approx([100, 0])


def test_what_a_person_chose_is_no_response(case):
    status, printed, errors = case.call(
        "prompts", "cmhe_ce", "--round", "choose", "--after", EXPLAINED, "--to", "sheet", "--quiet"
    )
    assert status == 0, errors
    head, *rows = printed.splitlines()
    assert head.endswith("choice,rater")
    one = next(name for name, _, _ in case.keys_due())
    row = next(row for row in rows if row.startswith(one))
    sheet = case.folder / "sheet.csv"
    sheet.write_text(f"{head}\n{row.removesuffix(',,')},{case.gold[one]},Anna\n", encoding="utf-8", newline="")
    status, printed, errors = case.call(
        "prompts", "cmhe_ce", "--round", "second-reading", "--after", case.predictions, sheet
    )
    assert status == 0, errors
    asked = {key_of(json.loads(line)["id"]) for line in printed.splitlines()}
    assert (one, 0, 0) not in asked
    assert len(asked & case.keys_due()) == len(case.keys_due()) - 1
    status, printed, errors = case.call("prompts", "cmhe_ce", "--round", "audit", "--after", sheet)
    assert (status, printed) == (2, "")
    assert "sheet.csv: holds nothing that can be asked about" in errors


def test_second_readings_need_the_choices(case):
    for options in ({"second_reader": "x"}, {"rounds": {"audit": choices(case, "audit.jsonl")}}):
        with pytest.raises(MedzhError, match="expected choose=FILE"):
            case.score(**{**options, "rounds": {"choose": [], **options.get("rounds", {})}})


@pytest.mark.parametrize("option", [("--from", "native"), ("--file-per-run",)])
def test_options_of_first_answers_are_refused(case, option):
    status, printed, errors = case.call("prompts", "cmhe_ce", "--round", "audit", "--after", case.predictions, *option)
    assert (status, printed) == (2, "")
    assert "goes with first answers, and round audit is about responses of round choose" in errors


def test_explanations_are_not_taken_for_choices_when_scored(case):
    """Whoever asked about the explanations by mistake is told so: their codes are those of other texts."""
    rows = case.rows("audit", "--sample", 3, after=EXPLAINED)
    with pytest.raises(MedzhError, match="judges another answer than the one in the predictions"):
        case.second({row["id"]: NONE for row in rows}, name="audit")


def test_what_is_read_again_is_declared():
    assert CONFIG.reads.of.round in {later.name for later in CONFIG.rounds}
    assert CONFIG.reads.of.rule.name == "medzh-1"
