"""Which variants were asked: answers numbered otherwise than by rank are refused, or at least cautioned of."""

from __future__ import annotations

import json

import pytest
from places import SAMPLES

from medzh_score.benchmark.variants import Variants, chosen_variants, order_numbered
from medzh_score.command_line import main
from medzh_score.data.records import Origin, Records, load_records
from medzh_score.messages.errors import MedzhError
from medzh_score.report.check import check
from medzh_score.report.scoring import score

LETTERS = "ABCDE"
CYCLIC = Variants(5).shifts
SAMPLE = SAMPLES / "tcmd" / "predictions.jsonl"
CAUTION = "and nothing says which were asked"


@pytest.fixture(scope="module")
def questions(minis):
    """Give as many single questions of five options as wanted, under ids of their own."""
    samples = [row for row in load_records(minis, "tcmd").rows if len(row["options"]) == 5]

    def make(count):
        rows = [
            {**samples[number % len(samples)], "id": f"q-{number}", "group_id": f"q-{number}", "position": 1}
            for number in range(count)
        ]
        return Records("tcmd", "test", rows, Origin("0.0.0", "mini", "0" * 64))

    return make


@pytest.fixture
def answers(tmp_path, write_lines):
    """Write letters: the right option of the first few questions in a variant, the option after it of all others."""

    def write(records, right, numbers=CYCLIC, ranks=CYCLIC):
        lines = []
        for number, rank, count in zip(numbers, ranks, right, strict=True):
            for index, row in enumerate(records.rows):
                option = (LETTERS.index(row["answer"]) + (index >= count)) % 5
                letter = LETTERS[order_numbered(rank, 5).index(option)]
                lines.append({"id": row["id"], "variant": number, "prediction": letter})
        return write_lines(tmp_path / "p.jsonl", lines)

    return write


def cautions(report):
    return [note for note in report.notes if CAUTION in note]


def test_variants_that_are_no_ranks(questions, answers):
    """The shifts numbered from 0 to 4 take a model that is right in 16 of 25 to about a third."""
    records = questions(25)
    sound = score("tcmd", answers(records, [16] * 5), records, bootstrap=0, variants="cyclic")
    assert sound.metrics["accuracy"].value == 0.64
    assert (sound.signature["variants"], cautions(sound)) == ("5 options: 5 (0,33,64,90,96)", [])
    path = answers(records, [16] * 5, numbers=range(5))
    with pytest.raises(MedzhError) as refusal:
        score("tcmd", path, records, bootstrap=0, variants="cyclic")
    found = refusal.value
    assert (found.file, found.line, found.field, found.found) == (str(path), 26, "variant", 1)
    assert found.expected == "0, 33, 64, 90, 96"
    assert "rank of its permutation" in found.advice
    misread = score("tcmd", path, records, bootstrap=0)
    assert misread.metrics["accuracy"].value < 0.4
    assert misread.signature["variants"] == "unknown, 5 options: 5 (0-4)"
    (caution,) = cautions(misread)
    assert caution.startswith("Variant 0 is right in 64.0 % of 25 answers, the other variants in ")


@pytest.mark.parametrize(
    ("count", "right", "cautioned"),
    [
        (20, [20, 10, 10, 10, 10], True),  # just twice as often, over just 100 answers
        (20, [20, 10, 10, 10, 11], False),
        (20, [16, 9, 9, 9, 9], False),  # a model that favours a place
        (19, [19, 1, 1, 1, 1], False),
        (20, [0, 0, 0, 0, 0], False),
        (20, [1, 0, 0, 0, 0], True),
    ],
)
def test_the_caution_has_a_threshold(questions, answers, count, right, cautioned):
    records = questions(count)
    path = answers(records, right)
    unstated = score("tcmd", path, records, bootstrap=0)
    assert unstated.metrics["accuracy"].value == pytest.approx(sum(right) / (5 * count))
    assert bool(cautions(unstated)) is cautioned
    assert not cautions(score("tcmd", path, records, bootstrap=0, variants="cyclic"))


def test_what_did_not_come_is_neither_right_nor_wrong(questions, answers, tmp_path, write_lines):
    records = questions(30)
    lines = [json.loads(line) for line in answers(records, [20] * 5).read_text(encoding="utf-8").splitlines()]
    some = [line for line in lines if line["variant"] in {0, 33, 64, 90} or line["id"] == "q-0"]
    path = write_lines(tmp_path / "some.jsonl", some)
    report = score("tcmd", path, records, bootstrap=0, missing="wrong")
    assert report.coverage.missing == 29
    assert not cautions(report)


def test_a_variant_that_did_not_come_is_missing(questions, answers):
    records = questions(10)
    path = answers(records, [10] * 4, numbers=CYCLIC[:4], ranks=CYCLIC[:4])
    assert score("tcmd", path, records, bootstrap=0).metrics["accuracy"].value == 1
    with pytest.raises(MedzhError, match=r"10 of 50 predictions are missing \(q-0 run 0 variant 96"):
        score("tcmd", path, records, bootstrap=0, variants="cyclic")
    wrong = score("tcmd", path, records, bootstrap=0, variants="cyclic", missing="wrong")
    assert wrong.metrics["accuracy"].value == pytest.approx(0.8)


def test_drawn_variants_are_named_with_their_seed(questions, answers):
    records = questions(10)
    drawn = chosen_variants(Variants(5), "3", 7)
    path = answers(records, [10] * 3, numbers=drawn, ranks=drawn)
    report = score("tcmd", path, records, bootstrap=0, variants="3:7")
    assert report.signature["variants"] == f"5 options: 3 ({','.join(map(str, drawn))})"
    assert report.arguments["variants"] == "3:7"
    with pytest.raises(MedzhError, match="was not asked in this variant"):
        score("tcmd", path, records, bootstrap=0, variants="3")


@pytest.mark.parametrize(
    "which", ["some", "0", "", "3:", ":7", "3:x", "all:1", "cyclic:0", "３:1", "9" * 5000, "3:" + "9" * 5000]
)
def test_what_is_no_set_is_refused(questions, answers, which):
    records = questions(2)
    with pytest.raises(MedzhError, match="field --variants: is no set of variants"):
        score("tcmd", answers(records, [2] * 5), records, bootstrap=0, variants=which)


def test_where_there_is_one_variant_none_can_be_named(sdak_build, sdak_sample):
    with pytest.raises(MedzhError, match="field --variants: each prompt has one variant"):
        score("sdak", sdak_sample / "predictions.jsonl", sdak_build, bootstrap=0, variants="all")


def test_a_prompts_file_must_hold_the_same(minis, tmp_path, capfd):
    sent = tmp_path / "sent.jsonl"
    ask = ["prompts", "tcmd", "--data", str(minis), "--shots", "0", "--variants", "cyclic", "--out", str(sent)]
    assert main(ask) == 0
    command = ["score", "tcmd", str(SAMPLE), "--data", str(minis), "--bootstrap", "0", "--prompts", str(sent)]
    assert main([*command, "--to", "json", "--variants", "cyclic"]) == 0
    report = json.loads(capfd.readouterr().out)
    assert not report["signature"]["variants"].startswith("unknown")
    assert main([*command, "--variants", "2:5"]) == 2
    assert "field --variants: is not what the prompts file holds" in capfd.readouterr().err


def test_a_report_is_made_again_with_them(minis, tmp_path, capfd):
    report = tmp_path / "report.json"
    command = ["score", "tcmd", str(SAMPLE), "--data", str(minis), "--bootstrap", "0", "--to", "json"]
    assert main([*command, "--variants", "cyclic", "--out", str(report)]) == 0
    assert json.loads(report.read_text(encoding="utf-8"))["arguments"]["variants"] == "cyclic"
    assert main(["verify", str(report), str(SAMPLE), "--data", str(minis)]) == 0
    assert "are the same" in capfd.readouterr().out


def test_check_says_what_scoring_would(questions, answers, minis, capfd):
    records = questions(25)
    path = answers(records, [16] * 5, numbers=range(5))
    found = check("tcmd", [path], records, variants="cyclic")
    assert (found.status, found.error.line, found.error.field) == (2, 26, "variant")
    assert check("tcmd", [answers(records, [16] * 5)], records, variants="cyclic").sound
    assert main(["check", "tcmd", str(SAMPLE), "--data", str(minis), "--variants", "1"]) == 2
    assert "was not asked in this variant" in capfd.readouterr().err


def test_a_stray_answer_in_another_variant_drops_no_groups(minis, tmp_path, write_lines):
    """Under ``skip`` the one group that was also asked in variant 33 would be all that is left of its kind."""
    lines = [json.loads(line) for line in SAMPLE.read_text(encoding="utf-8").splitlines()]
    plain, stray = [[line for line in lines if bool(line.get("variant")) == moved] for moved in (False, True)]
    path = write_lines(tmp_path / "p.jsonl", plain + stray[:1])
    with pytest.raises(MedzhError, match="variant 33 of run 0 is a fragment: it lacks 44 of 45 predictions"):
        score("tcmd", path, minis, bootstrap=0, missing="skip")
    kept = score("tcmd", path, minis, bootstrap=0, missing="skip", allow_fragments=True)
    assert kept.signature["missing"].startswith("skip, 7 of 39 units")
    whole = score("tcmd", write_lines(tmp_path / "q.jsonl", lines[:-1]), minis, bootstrap=0, missing="skip")
    assert whole.signature["missing"].startswith("skip, 38 of 39 units")
