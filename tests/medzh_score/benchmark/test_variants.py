"""Variants are numbered by their lexicographic rank: against the order of itertools, and by hand."""

from __future__ import annotations

import json
from itertools import permutations
from math import factorial

import pytest
from places import SAMPLES

from medzh_score.benchmark.variants import ONE, Variants, chosen_variants, number_of, order_numbered, order_of
from medzh_score.cli.main import main
from medzh_score.data.records import Origin, Records, load_records
from medzh_score.scoring.pipeline import score
from medzh_score.ui.errors import MedzhError


def _orders(size):
    """Source: itertools, which lists permutations in lexicographic order."""
    return tuple(permutations(range(size)))


@pytest.mark.parametrize("size", range(1, 7))
def test_the_number_of_a_permutation_is_its_place_among_all(size):
    numbers = range(factorial(size))
    assert [order_numbered(number, size) for number in numbers] == list(_orders(size))
    assert [order_of(number, size, size) for number in numbers] == list(_orders(size))
    assert [number_of(order) for order in _orders(size)] == list(numbers)


@pytest.mark.parametrize("size", [1, 2, 3, 4, 5])
def test_cyclic_shifts_put_each_option_once_at_each_place(size):
    shifts = Variants(size).shifts
    assert len(shifts) == size
    assert list(shifts) == sorted(shifts)
    assert shifts[0] == 0
    shown = [_orders(size)[number] for number in shifts]
    assert all(sorted(place) == list(range(size)) for place in zip(*shown, strict=True))
    assert all((order[place] - order[0]) % size == place for order in shown for place in range(size))


@pytest.mark.parametrize(("size", "largest"), [(2, 3), (2, 5), (3, 4), (3, 5), (4, 5)])
def test_a_smaller_question_of_a_group_is_shifted_too(size, largest):
    for variant in Variants(largest, shifts_only=True).numbers:
        start = _orders(largest)[variant][0]
        expected = tuple(place % size for place in range(start, start + size))
        assert order_of(variant, size, largest) == expected
        assert sorted(expected) == list(range(size))


def test_which_numbers_there_are():
    assert list(Variants(5).numbers) == list(range(120))
    assert list(ONE.numbers) == [0]
    shifted = Variants(4, shifts_only=True)
    by_hand = [n for n, order in enumerate(permutations(range(4))) if "".join(map(str, order)) in "0123012"]
    assert list(shifted.numbers) == by_hand == [0, 9, 16, 18]
    assert 1 not in shifted.numbers
    assert (str(Variants(5)), str(shifted)) == ("120 permutations of 5 options", "4 cyclic shifts of 4 options")


@pytest.mark.parametrize("variants", [ONE, Variants(2), Variants(4), Variants(5), Variants(5, shifts_only=True)])
def test_what_is_chosen(variants):
    every = tuple(variants.numbers)
    assert chosen_variants(variants, "all", 7) == every
    assert chosen_variants(variants, "cyclic", 7) == variants.shifts
    assert chosen_variants(variants, "1", 7) == (0,)
    assert chosen_variants(variants, "1000", 7) == every
    for count in range(2, min(len(every), 9)):
        chosen = chosen_variants(variants, str(count), 7)
        assert len(chosen) == len(set(chosen)) == count
        assert list(chosen) == sorted(chosen)
        assert chosen[0] == 0
        assert set(chosen) <= set(every)
        # A larger set holds the smaller one, so that more can be asked later.
        assert set(chosen) <= set(chosen_variants(variants, str(count + 1), 7))


def test_a_draw_is_its_seeds():
    """Source: `printf 0:N | sha256sum` for N from 1 to 119, sorted, begins with 87, 46, 15."""
    assert chosen_variants(Variants(5), "4", 0) == (0, 15, 46, 87)
    assert len({chosen_variants(Variants(5), "4", seed) for seed in range(6)}) == 6


@pytest.mark.parametrize("which", ["", "0", "-1", "1.5", "some", "ALL", "１", "²", " 3"])
def test_other_sets_are_refused(which):
    with pytest.raises(MedzhError, match="invalid set of option orders"):
        chosen_variants(Variants(5), which, 0)


LETTERS = "ABCDE"
CYCLIC = Variants(5).shifts
SAMPLE = SAMPLES / "tcmd" / "predictions.jsonl"
CAUTION = (
    "The queried option orders are unknown. If they are not numbered by permutation rank, answers are extracted "
    "incorrectly. Specify the option orders with --variants, or the prompts file with --prompts."
)


@pytest.fixture(scope="module")
def questions(minis):
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
    assert "number option orders by permutation rank, as medzh-score prompts does" in found.advice
    misread = score("tcmd", path, records, bootstrap=0)
    assert misread.metrics["accuracy"].value < 0.4
    assert misread.signature["variants"] == "unknown, 5 options: 5 (0-4)"
    (caution,) = cautions(misread)
    assert caution.startswith("With option order 0, 64.0% of 25 answers are correct; with the other option orders, ")


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


def test_a_variant_that_did_not_come_is_missing(questions, answers):
    records = questions(10)
    path = answers(records, [10] * 4, numbers=CYCLIC[:4], ranks=CYCLIC[:4])
    assert score("tcmd", path, records, bootstrap=0).metrics["accuracy"].value == 1
    with pytest.raises(MedzhError, match=r"10 of 50 predictions are missing \(q-0 \(run 1, option order 96\)"):
        score("tcmd", path, records, bootstrap=0, variants="cyclic")
    wrong = score("tcmd", path, records, bootstrap=0, variants="cyclic", missing="wrong")
    assert wrong.metrics["accuracy"].value == pytest.approx(0.8)


@pytest.mark.parametrize(
    "which", ["some", "0", "", "3:", ":7", "3:x", "all:1", "cyclic:0", "３:1", "9" * 5000, "3:" + "9" * 5000]
)
def test_what_is_no_set_is_refused(questions, answers, which):
    records = questions(2)
    with pytest.raises(MedzhError, match="option --variants: invalid set of option orders"):
        score("tcmd", answers(records, [2] * 5), records, bootstrap=0, variants=which)


def test_a_prompts_file_must_hold_the_same(minis, tmp_path, capfd):
    sent = tmp_path / "sent.jsonl"
    ask = ["prompts", "tcmd", "--data", str(minis), "--shots", "0", "--variants", "cyclic", "--output", str(sent)]
    assert main(ask) == 0
    command = ["score", "tcmd", str(SAMPLE), "--data", str(minis), "--bootstrap", "0", "--prompts", str(sent)]
    assert main([*command, "--to", "json", "--variants", "cyclic"]) == 0
    report = json.loads(capfd.readouterr().out)
    assert not report["signature"]["variants"].startswith("unknown")
    assert main([*command, "--variants", "2:5"]) == 2
    assert "permutations of 5 options) do not match the prompts file" in capfd.readouterr().err


def test_a_stray_answer_in_another_variant_drops_no_groups(minis, tmp_path, write_lines):
    """Under ``skip`` the one group that was also asked in variant 33 would be all that is left of its kind."""
    lines = [json.loads(line) for line in SAMPLE.read_text(encoding="utf-8").splitlines()]
    plain, stray = [[line for line in lines if bool(line.get("variant")) == moved] for moved in (False, True)]
    path = write_lines(tmp_path / "p.jsonl", plain + stray[:1])
    with pytest.raises(MedzhError, match="option order 33 of run 1 is incomplete: 44 of 45 predictions are missing"):
        score("tcmd", path, minis, bootstrap=0, missing="skip")
    kept = score("tcmd", path, minis, bootstrap=0, missing="skip", allow_partial_runs=True)
    assert kept.signature["missing"].startswith("skip, 7 of 39 units")
    whole = score("tcmd", write_lines(tmp_path / "q.jsonl", lines[:-1]), minis, bootstrap=0, missing="skip")
    assert whole.signature["missing"].startswith("skip, 38 of 39 units")
