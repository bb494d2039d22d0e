"""CMHE-CE scored: metrics against loops, missing answers, another model, second readings of choices."""

from __future__ import annotations

import json
import random
from fractions import Fraction

import pytest
from round_cases import NONE, case_of, found_in, key_of

from dataset_scripts.recipes.cmhe_ce.records import record_of
from medzh_score.configs.cmhe_ce.config import CONFIG, read_choice
from medzh_score.data.records import Origin, Records
from medzh_score.scoring.options import ScoringOptions
from medzh_score.scoring.pipeline import score_with
from medzh_score.stats.values import Bootstrap
from medzh_score.ui.errors import MedzhError

ASPECTS = {
    "medicine": ("pharmacokinetics", "indication", "side effect", "interaction"),
    "disease": ("cause", "symptom", "treatment", "screening"),
    "test": ("procedure", "screened disease"),
}
SCORES = ("accuracy", "accuracy-questions", "accuracy-strict", "accuracy-refusals-wrong")
SAID = {"explains": "这是一段解释。", "declines": "抱歉，我无法回答。", "is blank": " "}


def records(sizes, seed=0):
    """Make so many concepts of each class; the answer's letter is drawn."""
    draw = random.Random(seed)  # noqa: S311
    rows = []
    for kind, size in sizes.items():
        for number in range(size):
            concept = f"{kind}概念{number}号"
            options = [concept, *(f"别的{place}" for place in range(3))]
            for aspect in ASPECTS[kind]:
                draw.shuffle(options)
                fields = {
                    "concept": concept,
                    "concept_class": kind,
                    "aspect": aspect,
                    "question": f"{concept}的{aspect}？",
                    "options": list(options),
                    "answer": "ABCD"[options.index(concept)],
                    "distances": [0 if option == concept else draw.randint(2, 6) for option in options],
                }
                rows.append(record_of(fields, source="own", recipe="official"))
    draw.shuffle(rows)
    return Records("cmhe_ce", "test", rows, Origin("0.0.0", "official", "0" * 64))


def scored(tmp_path, write_lines, data, explained, chosen, **options):
    """Score explanations and choices, each a mapping from (id, run) to a text; None is a failed request."""
    files = []
    for name, texts in (("explained", explained), ("chosen", chosen)):
        lines = [
            {"id": item, "run": run, "model": "m", **({"prediction": text} if text is not None else FAILED)}
            for (item, run), text in texts.items()
        ]
        files.append(write_lines(tmp_path / f"{name}.jsonl", lines))
    options = ScoringOptions(**{"bootstrap": Bootstrap(0), "stages": {"choose": files[1:]}, **options})
    return score_with(CONFIG, files[:1], data, options)


FAILED = {"prediction": "", "error": "timeout"}


def restated(rows, explained, chosen, run, *, skip=False):
    """Count with loops: the four accuracies in percent, by concept and by question; skip keeps what both runs have."""
    concepts = {}
    lacking = {
        row["concept_id"]
        for row in rows
        for said in (explained, chosen)
        for one in (0, 1)
        if skip and said.get((row["id"], one)) is None
    }
    for row in rows:
        text, choice = explained.get((row["id"], run)), chosen.get((row["id"], run))
        right = text is not None and choice == row["answer"]
        unrefused = right and text == SAID["explains"]
        concepts.setdefault(row["concept_id"], []).append((right, unrefused, text is None or choice is None))
    if skip:
        concepts = {name: found for name, found in concepts.items() if name not in lacking}
    if not concepts:
        return [None] * 4
    every = list(concepts.values())
    questions = [right for found in every for right, *_ in found]
    shares = [Fraction(sum(right for right, *_ in found), len(found)) for found in every]
    unrefused = [Fraction(sum(one for _, one, _ in found), len(found)) for found in every]
    exact = [all(right for right, *_ in found) for found in every]
    means = [Fraction(sum(values), 1) / len(values) for values in (shares, questions, exact, unrefused)]
    return [float(100 * mean) for mean in means]


def drawn(data, seed, runs=2, lacking=0.1):
    """Draw what was said and chosen; some of either did not come or failed, and some choices cannot be read."""
    draw = random.Random(seed)  # noqa: S311
    explained, chosen = {}, {}
    for run in range(runs):
        for row in data.rows:
            key = row["id"], run
            explained[key] = draw.choices([*SAID.values(), None], [6, 1, 1, 10 * lacking])[0]
            wrong = draw.choice([letter for letter in "ABCD" if letter != row["answer"]])
            weights = [6, 2, 1, 1, 10 * lacking]
            chosen[key] = draw.choices([row["answer"], wrong, "看不出来", "", None], weights)[0]
            if draw.random() < lacking / 2:
                del explained[key]
            if explained.get(key) is None or draw.random() < lacking / 2:
                del chosen[key]
    return explained, chosen


@pytest.mark.parametrize("missing", ["wrong", "skip"])
@pytest.mark.parametrize("seed", range(2))
def test_accuracies_are_those_of_loops_in_all_and_by_group(seed, missing, tmp_path, write_lines):
    data = records({"medicine": 3, "disease": 5, "test": 4}, seed)
    explained, chosen = drawn(data, seed, lacking=0.05)
    report = scored(tmp_path, write_lines, data, explained, chosen, missing=missing, allow_partial_runs=True)
    parts = [(report.metrics, data.rows)]
    for kind, named in report.groups["class"].items():
        parts.append((named, [row for row in data.rows if row["concept_class"] == kind]))
    for found, rows in parts:
        for run in range(2):
            expected = restated(rows, explained, chosen, run, skip=missing == "skip")
            values = [found[name].per_run[run] for name in SCORES]
            assert values == pytest.approx(expected, abs=1e-9)
    table = report.tables["table_4"]
    assert table.columns == ("run", "Medicine", "Disease", "Test", "All")
    for run, row in enumerate(table.rows):
        by_class = [report.groups["class"][kind]["accuracy"].per_run[run] for kind in ("medicine", "disease", "test")]
        assert row == (run, *by_class, report.metrics["accuracy"].per_run[run])


def nearest(row):
    return str(sorted(row["distances"])[1])


def everything(data, text="explains"):
    keys = [(row["id"], 0) for row in data.rows]
    return dict.fromkeys(keys, SAID[text]), {(row["id"], 0): row["answer"] for row in data.rows}


@pytest.mark.parametrize(
    ("text", "rates"), [("explains", (100, 0, 100)), ("declines", (0, 100, 100)), ("is blank", (0, 0, None))]
)
def test_after_a_refusal_and_an_empty_explanation_the_choice_counts_all_the_same(text, rates, tmp_path, write_lines):
    data = records({"disease": 3, "test": 2})
    found = scored(tmp_path, write_lines, data, *everything(data, text)).metrics
    assert [found[name].value for name in SCORES[:3]] == [100] * 3
    names = ("accuracy-refusals-wrong", "Refusal rate", "Unnamed rate")
    assert tuple(found[name].value for name in names) == rates


def test_a_choice_that_cannot_be_read_is_wrong_and_not_missing(tmp_path, write_lines):
    data = records({"disease": 2})
    explained, chosen = everything(data)
    unparsed = ("", "看不出来", "A或B", "<think>A")
    chosen = {key: unparsed[place % 4] for place, key in enumerate(chosen)}
    report = scored(tmp_path, write_lines, data, explained, chosen)
    assert [report.metrics[name].value for name in SCORES] == [0] * 4
    assert report.metrics["accuracy"].n == 8
    assert report.tables["choices"].rows[1] == ("disease", 0, 0, 0, 8, 0)


def test_no_denominator_changes_in_silence(tmp_path, write_lines):
    """Source: counted by hand: of three concepts of two questions one lacks a choice, another an explanation."""
    data = records({"test": 3})
    explained, chosen = everything(data)
    by_concept = {}
    for row in data.rows:
        by_concept.setdefault(row["concept_id"], []).append(row["id"])
    (one, _), (other, _), _ = by_concept.values()
    del chosen[one, 0]
    del explained[other, 0]  # what was chosen there was chosen after nothing
    wrong = scored(tmp_path, write_lines, data, explained, chosen, missing="wrong")
    assert [wrong.metrics[name].value for name in SCORES] == pytest.approx([200 / 3, 200 / 3, 100 / 3, 200 / 3])
    assert wrong.metrics["accuracy"].n == 6
    assert wrong.tables["choices"].rows[2] == ("test", 0, 4, 0, 0, 2)
    because = "excluded because the prediction is missing or the cluster was dropped"
    assert f"Stage choose: 5 parsed, 1 missing; 1 {because}." in wrong.notes
    skip = scored(tmp_path, write_lines, data, explained, chosen, missing="skip")
    assert [skip.metrics[name].value for name in SCORES] == [100] * 4
    assert skip.metrics["accuracy"].n == 2
    assert f"Stage choose: 5 parsed, 1 missing; 3 {because}." in skip.notes


MODELS = {
    "the same": ("m", "m", "choose by the same model", "m"),
    "another": ("scope notes", "m", "choose by another model", "scope notes; choose: m"),
    "no name first": (None, "m", "choose by an unknown model", None),
    "no name second": ("m", None, "choose by an unknown model", "m"),
}


@pytest.mark.parametrize(("explains", "chooses", "signed", "model"), MODELS.values(), ids=MODELS)
def test_the_signature_says_whether_the_model_knew_its_own_words(
    explains, chooses, signed, model, tmp_path, write_lines
):
    data = records({"test": 2})
    explained, chosen = (
        write_lines(
            tmp_path / name, [{"id": item, "prediction": text, "model": by} for (item, _), text in said.items()]
        )
        for name, by, said in zip(("e", "c"), (explains, chooses), everything(data), strict=True)
    )
    report = score_with(CONFIG, [explained], data, ScoringOptions(bootstrap=Bootstrap(0), stages={"choose": [chosen]}))
    assert (report.signature["stages"], report.model) == (f"{signed} (unverified)", model)
    assert "annotators" not in report.signature
    control = (
        "Stage choose was answered by m, the first prompts by scope notes. This is a control, not a test of "
        "a model on its own answers."
    )
    assert (control in report.notes) == (explains == "scope notes")


def test_leakage_and_names_are_counted_of_explanations_with_a_text(tmp_path, write_lines):
    """Source: counted by hand: 概念 and the concept's number stand in no other option."""
    data = records({"disease": 1})
    row = data.rows[0]
    texts = [row["concept"], f"{row['concept']}即某种概念", "别的解释", ""]
    explained = {(one["id"], 0): text for one, text in zip(data.rows, texts, strict=True)}
    found = scored(tmp_path, write_lines, data, explained, everything(data)[1])
    assert found.metrics["Leakage"].value == pytest.approx(100 / 3)
    assert found.metrics["Unnamed rate"].value == pytest.approx(100 / 3)
    assert found.tables["explanations"].rows[1] == ("disease", 0, 1, 4, 4, 3, 0, 1, 1)


def test_a_record_with_another_answer_is_refused():
    row = records({"test": 1}).rows[0]
    for change in ({"answer": "E"}, {"options": row["options"][:3]}):
        with pytest.raises(MedzhError, match="is not one of its options"):
            CONFIG.layout([row | change])
    assert CONFIG.layout([row | {"distances": None}]).groups["nearest option"] == ["unknown"]


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


def test_choices_that_are_read_again_count_as_if_the_model_had_said_so(case):
    """Right choices, counted by hand: of the 40 questions those that were right before, and all that was due."""
    before, expected = case.score(), case.keys_expected()
    report = case.second({row["id"]: case.reply(row) for row in case.rows("fallback")})
    share = before.metrics["accuracy-questions"].value
    assert report.metrics["accuracy-questions"].value == pytest.approx(share + 100 * len(expected) / 40)
    unreadable = {name: sum(row[4] for row in one.tables["choices"].rows) for name, one in report.results.items()}
    assert unreadable["medzh-1"] == unreadable["medzh-1 without fallback"] - len(expected)
    noted = next(note for note in report.notes if note.startswith("Stage choose: "))
    assert noted == next(note for note in before.notes if note.startswith("Stage choose: "))


def test_a_choice_that_a_second_reader_takes_away_cannot_be_read(case):
    path = choices(case, "unclear.jsonl")
    lines = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]
    lines[0]["prediction"] = f"唔唔哪哪，{lines[0]['prediction']}"
    path = case.write("unclear.jsonl", lines)
    rows = case.rows("fallback", "--include-ambiguous", after=path)
    items = case.folder / "items.jsonl"
    replies = {row["id"]: NONE if key_of(row)[0] == lines[0]["id"] else case.reply(row) for row in rows}
    report = case.second(replies, predictions=path, include_ambiguous=True, items=items)
    assert report.fallback.expected == 1
    found = found_in(items, case)
    assert found[lines[0]["id"], 0, 0] == (None, "fallback")
    assert sum(row[4] for row in report.tables["choices"].rows) == 1
    assert sum(row[5] for row in report.tables["choices"].rows) == 0


def test_the_choice_that_counts_goes_out(case):
    """A later readable file wins; one that cannot be read takes nothing away, and a failed one neither."""
    unparsed, read = choices(case, "unread.jsonl", "B或D"), choices(case, "read.jsonl")
    other = choices(case, "other.jsonl", "A或C")
    failed = case.write("failed.jsonl", [{"id": one, "error": "timeout"} for one in case.gold])
    for files, response in (
        ((unparsed, read), None),
        ((read, unparsed), None),
        ((read, failed), None),
        ((unparsed, other), "A或C"),
        ((failed, unparsed, unparsed), "B或D"),
    ):
        status, printed, errors = case.call("prompts", "cmhe_ce", "--stage", "fallback", "--predictions", *files)
        assert status == 0, errors
        texts = [json.loads(line)["messages"][0]["content"] for line in printed.splitlines()]
        assert len(texts) == (0 if response is None else 40)
        assert all(f"【回答】\n{response}\n" in text for text in texts)
        assert "the items are responses of stage choose" in errors
        ids = [json.loads(line)["id"] for line in printed.splitlines()]
        back = case.write("back.jsonl", [{"id": one, "prediction": case.readable(key_of(one)[0])} for one in ids])
        stages = {"choose": list(files), **({"fallback": back} if ids else {})}
        report = case.score(stages=stages, fallback_extractor="x")
        assert report.fallback.expected == report.fallback.read == len(ids)
        assert report.metrics["accuracy-questions"].value == 100
