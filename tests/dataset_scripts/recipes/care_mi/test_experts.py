"""CARE-MI's experts: sheets out and back, two raters, an arbiter for what they dispute, and what both leave."""

from __future__ import annotations

import pytest
from sheet_files import save_sheet, sheet_rows

from dataset_scripts.recipes.care_mi.evidence import Evidence
from dataset_scripts.recipes.care_mi.experts import review
from dataset_scripts.recipes.care_mi.filter import FEW, OPEN, UNFLUENT, Rule
from dataset_scripts.recipes.care_mi.samples import Sample
from dataset_scripts.rounds.pending import AnswersPending
from dataset_scripts.rounds.rounds import Rounds
from medzh_score.messages.errors import MedzhError

TRUE = ("孕前补充叶酸可预防胎儿神经管畸形。", "母乳可提供婴儿所需的抗体。", "新生儿出生后应注射维生素K。")
SAMPLES = tuple(
    Sample(str(place), "MEDQA", "tf", "", f"{text[:-1]}吗？", text, f"{text[:-1]}是错误的。", "negation", (), "")
    for place, text in enumerate(TRUE)
)
EVIDENCE = {
    sample.key: tuple(
        Evidence(("textbooks", "wikipedia")[place // 3], place % 3 + 1, f"{sample.true_statement}另见第{place + 1}节。")
        for place in range(6 - int(sample.key))
    )
    for sample in SAMPLES
}
CRITERIA = ("single_answer", "medical_norms", "right_and_direct")
COLUMNS = (*CRITERIA, *(f"evidence_{place}" for place in range(1, 7)), "fluent")


@pytest.fixture
def rounds(tmp_path):
    return tmp_path / "rounds"


def rows_of(path):
    return sheet_rows(path.read_text(encoding="utf-8"))


def fill_in(rounds, stage, *rows, name="filled.csv"):
    return save_sheet(rounds / stage / name, rows)


def found_in(rounds, **options):
    return review(SAMPLES, EVIDENCE, Rounds(rounds, **options))


def waited(rounds, stage, samples=SAMPLES, evidence=EVIDENCE):
    """Have a sheet written, and give its rows."""
    with pytest.raises(AnswersPending) as caught:
        review(samples, evidence, Rounds(rounds))
    assert [due.stage for due in caught.value.stages] == [stage]
    return rows_of(rounds / stage / "sheet.csv")


def rated(rows, rater, changes=()):
    """Fill in every open cell with a yes, but for changes by row and column."""
    done = []
    for place, row in enumerate(rows):
        yes = {name: "yes" if name == "fluent" else "1" for name in COLUMNS if row.get(name) == ""}
        done.append({**row, **yes, "rater": rater, **dict(changes).get(place, {})})
    return done


def judged(rounds, first=(), second=()):
    sent = waited(rounds, "experts")
    fill_in(rounds, "experts", *rated(sent, "Li", first), *rated(sent, "Wang", second), name="filled-01.csv")


def test_the_sheet_asks_four_criteria_in_order_and_of_each_paragraph(rounds):
    sent = waited(rounds, "experts")
    context = ("id", "source", "type", "question", "true_statement", "false_statement")
    paragraphs = tuple(f"paragraph_{place}" for place in range(1, 7))
    assert tuple(sent[0]) == (*context, *paragraphs, "rated_by", *COLUMNS, "rater")
    shown = ["".join(row[name] or "." for name in COLUMNS) for row in sent]
    assert shown == ["..........", "......../.", ".......//."]
    assert sent[2]["paragraph_4"] == EVIDENCE["2"][3].text
    assert sent[2]["paragraph_5"] == ""


def test_where_raters_agree_no_arbiter_is_asked(rounds):
    no = {"evidence_2": "0", "evidence_4": "0"}
    judged(rounds, {0: no}, {0: no})
    desk = Rounds(rounds)
    found = review(SAMPLES, EVIDENCE, desk)
    assert found.kept == SAMPLES
    places = [(one.corpus, one.rank) for one in found.evidence["0"]]
    assert places == [("textbooks", 1), ("textbooks", 3), ("wikipedia", 2), ("wikipedia", 3)]
    assert list(desk.summaries) == ["experts"]
    assert not (rounds / "arbiter").exists()
    assert desk.notes == ("stage experts: 3 rows, 3 answered, each by 2 or more, by Li, Wang",)


def test_the_arbiter_is_asked_what_is_disputed_and_nothing_else(rounds):
    judged(rounds, {0: {"single_answer": "0", "evidence_1": "0"}}, {1: {"fluent": "no"}})
    sent = waited(rounds, "arbiter")
    assert [row["question"] for row in sent] == [sample.question for sample in SAMPLES[:2]]
    asked = [[name for name in COLUMNS if row[name] == ""] for row in sent]
    assert asked == [["single_answer", "evidence_1"], ["fluent"]]
    assert "rated_by" not in sent[0]
    ruled = {0: {"single_answer": "1", "evidence_1": "0"}, 1: {"fluent": "no"}}
    fill_in(rounds, "arbiter", *rated(sent, "Zhao", ruled))
    found = found_in(rounds)
    assert [sample.key for sample in found.kept] == ["0", "2"]
    assert len(found.evidence["0"]) == 5
    tables = {table.title: table for table in found.tables}
    steps = tables["What the experts left, by the rule appendix"]
    assert [row[2] for row in steps.rows] == [3, 3, 1, 2]
    assert tables["What the experts left, by source and type"].rows == (("MEDQA", "tf", 3, 2),)
    sweep = tables["Samples that remain, by criteria and threshold (Figure 5)"]
    assert sweep.rows[-1] == ("1, 2, 3 and fluent", 2, 2, 2, 2, 2, 1, 0)
    (lost,) = rows_of(rounds / "experts" / "dropped.csv")
    assert (lost["key"], lost["reason"], lost["relevant_paragraphs"]) == ("1", UNFLUENT, "5")


def test_both_rules_are_decided_by_the_same_sheets(rounds):
    no = {"medical_norms": "0", "evidence_1": "0", "evidence_2": "0", "evidence_3": "0", "evidence_4": "0"}
    judged(rounds, {0: no}, {2: {"fluent": "no"}})
    fill_in(rounds, "arbiter", *rated(waited(rounds, "arbiter"), "Zhao"))
    assert [one.key for one in found_in(rounds).kept] == ["0", "1", "2"]
    text = review(SAMPLES, EVIDENCE, Rounds(rounds), Rule("text"))
    assert [one.key for one in text.kept] == ["1", "2"]
    assert text.notes[0].startswith("expert filter: the main text's rule")
    strict = review(SAMPLES, EVIDENCE, Rounds(rounds), Rule(evidence=5))
    assert [one.key for one in strict.kept] == ["0", "1"]
    assert strict.tables[1].rows[4] == (FEW, 1)


def test_one_person_is_not_enough(rounds):
    fill_in(rounds, "experts", *rated(waited(rounds, "experts"), "Li"))
    again = waited(rounds, "experts")
    assert [row["rated_by"] for row in again] == ["Li"] * 3


def test_of_three_raters_all_must_agree(rounds):
    sent = waited(rounds, "experts")
    third = rated(sent, "Chen", {1: {"medical_norms": "0"}})
    fill_in(rounds, "experts", *rated(sent, "Li"), *rated(sent, "Wang"), *third)
    asked = waited(rounds, "arbiter")
    assert [name for name in COLUMNS if asked[0][name] == ""] == ["medical_norms"]
    fill_in(rounds, "arbiter", *rated(asked, "Zhao"))
    found = found_in(rounds)
    assert len(found.kept) == 3
    assert found.notes[1].startswith("3 samples were rated by more than 2")


def test_an_arbiter_who_rated_is_noted(rounds):
    judged(rounds, {0: {"fluent": "no"}})
    fill_in(rounds, "arbiter", *rated(waited(rounds, "arbiter"), "Li"))
    assert "the arbiter was also one of the raters: Li" in found_in(rounds).notes


def test_what_was_left_blank_is_not_kept_where_that_is_accepted(rounds):
    sent = waited(rounds, "experts")
    first = rated(sent[:2], "Li", {0: {"single_answer": "0"}})
    fill_in(rounds, "experts", *first, *rated(sent[:2], "Wang", {1: {"single_answer": "0"}}))
    desk = Rounds(rounds, accept_missing=True)
    with pytest.raises(AnswersPending):
        review(SAMPLES, EVIDENCE, desk)  # nothing came back of the arbiter yet
    asked = rows_of(rounds / "arbiter" / "sheet.csv")
    fill_in(rounds, "arbiter", *rated(asked[:1], "Zhao"))
    found = review(SAMPLES, EVIDENCE, desk)
    assert [one.key for one in found.kept] == ["0"]
    assert f"1 samples were left out because {OPEN}" in found.notes
    said = "stage experts: 3 rows, 2 answered, each by 2 or more, by Li, Wang; 1 left out because too few"
    assert said in desk.notes[0]


@pytest.mark.parametrize(
    ("line", "change", "words"),
    [
        (2, {"single_answer": "2"}, "field single_answer: not a value of this column; expected 1 or 0; found '2'"),
        (2, {"single_answer": "0.5"}, "field single_answer: not a value of this column"),
        (2, {"evidence_1": "yes"}, "field evidence_1: not a value of this column"),
        (2, {"fluent": "maybe"}, "field fluent: not a value of this column; expected yes or no"),
        (2, {"medical_norms": ""}, "field medical_norms: is blank while the row's other values are filled in"),
        (2, {"evidence_6": ""}, "field evidence_6: is blank while the row's other values are filled in"),
        (2, {"rater": ""}, "field rater: is blank"),
        (2, {"paragraph_2": "另一段"}, "field paragraph_2: is a read-only column, and was changed"),
        (3, {"evidence_6": "1"}, "field evidence_6: is a read-only column, and was changed"),  # it has five
    ],
)
def test_faulty_sheets_are_refused(rounds, line, change, words):
    fill_in(rounds, "experts", *rated(waited(rounds, "experts"), "Li", {line - 2: change}))
    with pytest.raises(MedzhError) as caught:
        found_in(rounds)
    assert f"filled.csv:{line}: {words}" in str(caught.value)


def test_a_row_that_stands_twice_is_refused(rounds):
    rows = rated(waited(rounds, "experts"), "Li")
    fill_in(rounds, "experts", *rows, rows[0])
    with pytest.raises(MedzhError, match=r"filled\.csv:5: field id: is answered twice in one file"):
        found_in(rounds)


def test_an_arbiter_who_says_what_nobody_disputed_is_refused(rounds):
    judged(rounds, {0: {"fluent": "no"}})
    asked = waited(rounds, "arbiter")
    fill_in(rounds, "arbiter", *rated(asked, "Zhao", {0: {"single_answer": "0"}}))
    with pytest.raises(MedzhError, match="field single_answer: is a read-only column, and was changed"):
        found_in(rounds)
    (row,) = rated(asked, "Zhao")
    fill_in(rounds, "arbiter", {**row, "id": "arbiter-0123456789abcdef"})
    assert [row["id"] for row in waited(rounds, "arbiter")] == [asked[0]["id"]]
    fill_in(rounds, "arbiter", {**row, "id": "experts-0123456789abcdef"})
    with pytest.raises(MedzhError, match="answers nothing that is asked here"):
        found_in(rounds)


def test_what_a_killed_build_left_does_no_harm(rounds):
    sent = waited(rounds, "experts")
    before = (rounds / "experts" / "sheet.csv").read_bytes()
    (rounds / "experts" / ".sheet.csv.1.0.part").write_bytes(before[:99])
    (rounds / "experts" / ".dropped.csv.1.0.part").write_bytes(b"key")
    assert waited(rounds, "experts") == sent
    assert (rounds / "experts" / "sheet.csv").read_bytes() == before
    assert sorted(path.name for path in (rounds / "experts").iterdir()) == ["sheet.csv"]


def test_the_list_of_what_was_dropped_goes_when_nothing_is(rounds):
    judged(rounds, *({0: {"fluent": "no"}},) * 2)
    assert len(found_in(rounds).kept) == 2
    assert (rounds / "experts" / "dropped.csv").exists()
    right = [{**row, "fluent": "yes"} for row in rows_of(rounds / "experts" / "filled-01.csv")]
    fill_in(rounds, "experts", *right, name="filled-02.csv")
    assert len(found_in(rounds).kept) == 3
    assert not (rounds / "experts" / "dropped.csv").exists()


# How many samples of each source and type the paper's Table 3 counts, 5,779 in all.
TABLE_3 = {
    ("BIOS", "tf"): 79,
    ("CPubMed", "tf"): 497,
    ("MEDQA", "tf"): 1_617,
    ("MEDQA", "open"): 1_346,
    ("MLEC-QA", "tf"): 1_333,
    ("MLEC-QA", "open"): 907,
}
PASS, UNFLUENT_ONES = 1_612, 12


def test_the_papers_counts_through_both_sheets(rounds):
    """Of 5,779 samples 1,624 pass and 1,612 are fluent, too (A.1); a fifth of all votes is settled by the arbiter."""
    groups = [group for group, count in TABLE_3.items() for _ in range(count)]
    samples = [
        Sample(f"{place}", *group, "", f"问{place}", f"真{place}", f"假{place}", "negation", (), "")
        for place, group in enumerate(groups)
    ]
    evidence = {
        one.key: tuple(Evidence("textbooks", rank, f"{one.key}{rank}") for rank in (1, 2, 3)) for one in samples
    }
    sent = waited(rounds, "experts", samples, evidence)
    bad = [{CRITERIA[0]: "0"}, {CRITERIA[1]: "0"}, {CRITERIA[2]: "0"}, {"evidence_2": "0"}]
    last = {PASS + place: {"fluent": "no"} for place in range(UNFLUENT_ONES)}
    changes = {place: last.get(place, bad[place % 4]) for place in range(PASS, len(samples))}
    doubts = {place: {CRITERIA[place % 3]: "0"} for place in range(0, PASS, 5)}
    agreed = {place: change for place, change in changes.items() if place % 5}
    fill_in(rounds, "experts", *rated(sent, "Li", {**changes, **doubts}), *rated(sent, "Wang", agreed))
    asked = waited(rounds, "arbiter", samples, evidence)
    assert len(asked) == len(range(0, len(samples), 5))
    ruled = {place: changes.get(int(row["question"][1:]), {}) for place, row in enumerate(asked)}
    fill_in(rounds, "arbiter", *rated(asked, "Zhao", ruled))
    found = review(samples, evidence, Rounds(rounds))
    assert found.tables[0].columns == ("samples", "the paper", "here")
    assert found.tables[0].rows == (
        ("evaluated by enough experts", "5,779", 5_779),
        ("criteria 1 to 3 hold and N_E is at least 3", "1,624", 1_624),
        ("of these not linguistically fluent", "12", 12),
        ("kept", "1,612", 1_612),
    )
    reasons = dict(found.tables[1].rows)
    few = sum(place % 4 == 3 for place in range(PASS + UNFLUENT_ONES, len(samples)))
    assert [reasons[name] for name in (FEW, UNFLUENT, OPEN)] == [few, 12, 0]
    assert sum(reasons.values()) == len(samples) - PASS
    assert [row[:3] for row in found.tables[2].rows] == [(*group, count) for group, count in TABLE_3.items()]
    assert len(found.kept) == PASS
