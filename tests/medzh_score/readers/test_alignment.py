"""Predictions for groups and variants: what an id may name, what is due, what is counted."""

from __future__ import annotations

import numpy as np
import pytest

from medzh_score.benchmark.answers import Reading, incomplete
from medzh_score.benchmark.items import ItemIndex, Query
from medzh_score.benchmark.rules import Rule
from medzh_score.benchmark.variants import Variants
from medzh_score.readers.align import collect
from medzh_score.readers.files import PredictionFiles
from medzh_score.scoring.missing import refuse_missing
from medzh_score.scoring.signature import written_variants
from medzh_score.ui.errors import MedzhError

# q: a single question of three options; g: a group of two records of three options; p: of two options.
IDS = ["q", "g-1", "g-2", "p"]
THREE, TWO = Variants(3), Variants(2)
ASKED = [
    Query("q", (0,), 1, THREE),
    Query("g", (1, 2), 2, THREE),
    Query("g-1", (1,), 1, THREE, part_of="g"),
    Query("g-2", (2,), 1, THREE, part_of="g"),
    Query("p", (3,), 1, TWO),
]


def read(text, side, variant):
    """Read one letter a member, and note the variant that the rule was given."""
    letters = [*text, *"?" * side][:side]
    return tuple(Reading(None if letter == "?" else letter, "letter", note=str(variant)) for letter in letters)


@pytest.fixture
def collected(tmp_path, write_lines):
    def run(lines, **options):
        reading = {name: options.pop(name) for name in ("reader", "file_per_run") if name in options}
        files = PredictionFiles((write_lines(tmp_path / "p.jsonl", lines),), **reading)
        return collect(IDS, ASKED, [Rule("letters", "one a member", read)], files, **options)

    return run


def line(name, text="AB", **more):
    return {"id": name, "prediction": text, **more}


def values(found, run=0, variant=0):
    column = found.tables["letters"].columns[run, variant]
    return [one if one is None else one.value for one in column]


def test_a_group_is_answered_as_a_whole(collected):
    found = collected([line("q"), line("g", "BA"), line("p")])
    assert values(found) == ["A", "B", "A", "A"]
    assert found.asked == "groups"
    coverage = found.coverage("letters")
    assert (coverage.expected, coverage.read, coverage.missing, coverage.unparsed) == (4, 4, 0, 0)


def test_or_by_its_records(collected):
    found = collected([line("g-2", "C"), line("q"), line("p"), line("g-1", "B")])
    assert values(found) == ["A", "B", "C", "A"]
    assert found.asked == "records"


@pytest.mark.parametrize("order", [(0, 1), (1, 0)])
@pytest.mark.parametrize("elsewhere", [{}, {"run": 1}, {"variant": 3}])
def test_never_both(collected, order, elsewhere):
    both = [line("g"), line("g-2", **elsewhere)]
    problem = "question group g is answered both as a whole and as single records"
    with pytest.raises(MedzhError, match=f':2: field "id": {problem}: expected one of the two'):
        collected([both[place] for place in order])


def test_groups_may_be_answered_in_different_ways(tmp_path, write_lines):
    asked = [*ASKED, Query("h", (4, 5), 2, THREE), Query("h-1", (4,), 1, THREE, "h"), Query("h-2", (5,), 1, THREE, "h")]
    path = write_lines(tmp_path / "p.jsonl", [line("g"), line("h-1"), line("h-2"), line("q"), line("p")])
    found = collect([*IDS, "h-1", "h-2"], asked, [Rule("letters", "one a member", read)], PredictionFiles((path,)))
    assert found.asked == "groups and records"
    assert found.coverage("letters").missing == 0


@pytest.mark.parametrize(
    ("name", "variant", "expected"),
    [("q", 6, "0 to 5"), ("g", 120, "0 to 5"), ("p", 2, "0 to 1"), ("g-1", 7, "0 to 5")],
)
def test_a_variant_that_an_id_does_not_have_is_refused(collected, name, variant, expected):
    with pytest.raises(
        MedzhError,
        match=rf":1: field \"variant\": '{name}' has no such option order: expected {expected}, found {variant}",
    ):
        collected([line(name, variant=variant)])


def test_shifts_are_listed(tmp_path, write_lines):
    asked = [Query("m", (0,), 1, Variants(3, shifts_only=True))]
    path = write_lines(tmp_path / "p.jsonl", [line("m", variant=1)])
    with pytest.raises(MedzhError, match="expected 0, 3, 4, found 1"):
        collect(["m"], asked, [Rule("letters", "one a member", read)], PredictionFiles((path,)))


def test_what_is_due_follows_from_the_variants_seen_of_alike_records(collected):
    found = collected([line("q", variant=3), line("q"), line("g"), line("p", variant=1), line("p")])
    table = found.tables["letters"]
    assert table.variants == (0, 1, 3)
    assert table.expected.astype(int).tolist() == [[1, 0, 1], [1, 0, 1], [1, 0, 1], [1, 1, 0]]
    coverage = found.coverage("letters")
    assert (coverage.expected, coverage.read, coverage.missing) == (8, 6, 2)
    with pytest.raises(
        MedzhError,
        match=r"2 of 8 predictions are missing \(g-1 \(run 1, option order 3\), g-2 \(run 1, option order 3\)\)",
    ):
        refuse_missing(found, IDS)
    assert written_variants(found.variants) == "2 options: 2 (0,1); 3 options: 2 (0,3)"


def test_records_that_no_prediction_names_are_due_in_the_identity(collected):
    """Leaving all questions of two options out must not make them vanish."""
    found = collected([line("q", variant=4), line("g", variant=4)])
    table = found.tables["letters"]
    assert table.variants == (0, 4)
    assert table.expected.astype(int).tolist() == [[0, 1], [0, 1], [0, 1], [1, 0]]
    coverage = found.coverage("letters")
    assert (coverage.expected, coverage.missing) == (4, 1)


def test_what_was_sent_is_due_whether_or_not_it_came_back(collected):
    """A variant that is lost as a whole must not leave the denominator."""
    found = collected([line("q"), line("g"), line("p")], sent={THREE: {0, 4}, TWO: {0}})
    assert found.tables["letters"].variants == (0, 4)
    coverage = found.coverage("letters")
    assert (coverage.expected, coverage.read, coverage.missing) == (7, 4, 3)
    assert written_variants(found.variants) == "2 options: 1 (0); 3 options: 2 (0,4)"


def test_what_was_not_sent_is_refused(collected):
    with pytest.raises(
        MedzhError, match=r':2: field "variant": .q. was not queried in this option order: expected 0, 4, found 3'
    ):
        collected([line("q"), line("q", variant=3), line("p")], sent={THREE: {0, 4}, TWO: {0}})


def test_a_failed_request_makes_its_variant_due(collected):
    lines = [line("q"), line("g"), line("p"), line("q", "", variant=2, error="timed out")]
    found = collected(lines)
    assert found.tables["letters"].expected[:, 1].tolist() == [True, True, True, False]
    assert found.failures == ["q: timed out"]
    assert found.coverage("letters").missing == 3


@pytest.mark.parametrize("again", ["g", "q"])
def test_a_repeated_prediction_is_refused(collected, again):
    with pytest.raises(MedzhError, match=r":4: .*duplicate prediction"):
        collected([line("q"), line("g"), line("p"), line(again)])


# Source: the interfaces of OpenAI, Anthropic, Google and its client, Amazon, Zhipu, Cohere; inspect.
@pytest.mark.parametrize("cut", ["length", "max_tokens", "MAX_TOKENS", "FinishReason.MAX_TOKENS", "max_output_tokens"])
@pytest.mark.parametrize("filtered", ["content_filter", "SAFETY", "FinishReason.SAFETY", "refusal", "sensitive"])
def test_empty_cut_off_and_refused_are_counted_in_records(collected, cut, filtered):
    lines = [line("q", finish_reason="STOP"), line("g", " ", finish_reason=cut), line("p", finish_reason=filtered)]
    coverage = collected(lines).coverage("letters")
    assert (coverage.empty, coverage.truncated, coverage.refused) == (2, 2, 1)


def test_a_unit_that_lacks_a_variant_is_incomplete(collected):
    layout = ItemIndex(tuple(IDS), np.arange(4)[:, None], np.array([0, 1, 1, 2]), {})
    lines = [line("q"), line("q", variant=1), line("g-1"), line("g-1", variant=1), line("g-2"), line("p")]
    found = collected(lines)
    assert incomplete(layout, found.tables["letters"])[:, 0].tolist() == [False, True, True, False]


def test_a_number_of_lines_is_no_number_of_runs(collected):
    with pytest.raises(MedzhError, match="more than 2000 runs"):
        collected([line("q", run=number) for number in range(2001)])
    with pytest.raises(MedzhError, match="invalid run number: expected an integer from 0 to 999999999"):
        collected([line("q", run=10**20)])
