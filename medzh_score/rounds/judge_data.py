"""Examples to train judge models on: answers with people's scores, and statements made to be right or wrong."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from medzh_score.benchmark.judging import THRESHOLD, majority
from medzh_score.benchmark.question_split import SEED, SHARE, held_out
from medzh_score.data.checked_rows import laid_out
from medzh_score.messages.errors import MedzhError, printable, shown
from medzh_score.rounds.reading_items import check_judged, read_round

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from pathlib import Path

    from medzh_score.benchmark.config import Config
    from medzh_score.benchmark.judgements import Key
    from medzh_score.benchmark.judging import Judging
    from medzh_score.benchmark.layout import Record
    from medzh_score.benchmark.prompts import Prompt
    from medzh_score.benchmark.rounds import Round
    from medzh_score.data.records import Records
    from medzh_score.predictions.scored_answers import Answers

TRAIN, TEST, UNUSED = "train", "test", "unused"
BY_MODEL, BY_QUESTION = "model_disjoint", "question_disjoint"


@dataclass(frozen=True)
class ExampleOptions:
    """How examples are made.

    Without test models there is no split by models; None characters is all the evidence.
    """

    test_models: tuple[str, ...] = ()
    characters: int | None = None
    share: float = SHARE
    seed: int = SEED


@dataclass(frozen=True)
class Example:
    """One line of training data: the answer of a model, or a statement of that kind; and its side of each split."""

    id: str
    answered_by: str
    text: str
    label: float
    splits: Mapping[str, str]
    by_people: bool = False

    def as_line(self, aspect: str, prompt: str) -> dict[str, Any]:
        """Give the line of a JSONL file."""
        return {
            "id": self.id,
            "answered_by": self.answered_by,
            "round": aspect,
            "prompt": prompt,
            "text": self.text,
            "label": self.label,
            "label_from": "people" if self.by_people else "statement",
            **self.splits,
        }


def examples_of(  # noqa: PLR0913, PLR0917 - what an example is made of
    config: Config,
    records: Records,
    later: Round,
    judged: Sequence[Path],
    answers: Answers,
    prompt: Prompt,
    wishes: ExampleOptions,
) -> list[Example]:
    """Make the examples of one round."""
    judging = judging_of(config)
    layout = laid_out(config, records)
    found = read_round(later, judged, records.rows, layout, lambda _: answers.texts)
    if answers.several and found.unverified:
        raise MedzhError(
            f"{found.unverified} values do not say which model's answers they judge",
            file=judged[0],
            expected="the codes that were written beside ids",
            advice="where a sheet numbers the files as runs, give them without labels and with --file-per-run; else ask"
            " anew with --after LABEL=FILE",
        )
    check_judged([later], {later.name: found}, answers.runs)
    labels = judging.labels(found, later.name)
    tested = held_out({row["id"]: judging.texts(row) for row in records.rows}, wishes.share, wishes.seed)
    scored: dict[str, list[Key]] = {}
    for key in sorted(labels.keys() & answers.texts.keys()):
        scored.setdefault(key[0], []).append(key)
    made: list[Example] = []
    for row in sorted(records.rows, key=lambda record: str(record["id"])):
        held = row["id"] in tested
        for name, (text, label) in judging.statements(row).items():
            sides = {BY_MODEL: TRAIN, BY_QUESTION: UNUSED if held else TRAIN}
            made.append(Example(row["id"], name, _filled(judging, prompt, row, text, wishes), label, sides))
        for key in scored.get(row["id"], ()):
            model, filled = answers.models[key], _filled(judging, prompt, row, answers.texts[key], wishes)
            sides = {BY_MODEL: TEST if model in wishes.test_models else TRAIN, BY_QUESTION: TEST if held else TRAIN}
            made.append(Example(row["id"], model, filled, labels[key], sides, by_people=True))
    _refuse_absent(made, wishes)
    if wishes.test_models:
        return _without_repeats(made)
    return [replace(example, splits={BY_QUESTION: example.splits[BY_QUESTION]}) for example in made]


def _filled(judging: Judging, prompt: Prompt, record: Record, answer: str, wishes: ExampleOptions) -> str:
    return prompt.fill(**judging.fields(record, answer, wishes.characters))


def judging_of(config: Config) -> Judging:
    """Give what a config declares of judges."""
    if config.judging is None:
        raise MedzhError("has no judge models to train", field="CONFIG", found=config.name)
    return config.judging


def _refuse_absent(made: Sequence[Example], wishes: ExampleOptions) -> None:
    there = sorted({example.answered_by for example in made if example.by_people})
    for model in wishes.test_models:
        if model not in there:
            raise MedzhError(
                "has no answer that people scored",
                field="--test-model",
                expected=", ".join(map(shown, there)) or "scored answers",
                found=model,
            )


def _without_repeats(made: Sequence[Example]) -> list[Example]:
    """Take out of the training side what the test side asks in the same words."""
    asked = {example.text for example in made if example.splits[BY_MODEL] == TEST}
    return [
        replace(example, splits={**example.splits, BY_MODEL: UNUSED})
        if example.splits[BY_MODEL] == TRAIN and example.text in asked
        else example
        for example in made
    ]


def example_counts(later: Round, made: Sequence[Example], wishes: ExampleOptions) -> list[str]:
    """Say how many examples each side has, and what a baseline would reach that always says what most of train is.

    One line more where the questions drawn are not those of the score's table.
    """
    scored = sum(example.by_people for example in made)
    statements = len(made) - scored
    notes: list[str] = []
    if wishes.characters is None:
        notes.append(f"{later.name}: {scored:,} scored answers and {statements:,} statements, all evidence")
    else:
        notes.append(
            f"{later.name}: {scored:,} scored answers and {statements:,} statements, "
            f"at most {wishes.characters:,} characters of evidence"
        )
    for split in (BY_MODEL, BY_QUESTION):
        sides: dict[str, list[float]] = {TRAIN: [], TEST: [], UNUSED: []}
        for example in made:
            if split in example.splits:
                sides[example.splits[split]].append(example.label)
        if not any(sides.values()):
            continue
        models = f" ({', '.join(map(printable, wishes.test_models))})" if split == BY_MODEL else ""
        notes.append(_of_split(f"{later.name}, {split}{models}", sides))
    if (wishes.share, wishes.seed) != (SHARE, SEED):
        notes.append(f"{later.name}, {BY_QUESTION}: not the questions that score tests on ({SHARE} with seed {SEED})")
    return notes


def _of_split(name: str, sides: Mapping[str, Sequence[float]]) -> str:
    """Count the sides of a split, with the baseline."""
    counts = ", ".join(f"{len(labels):,} {side}" for side, labels in sides.items())
    label = majority(sides[TRAIN])
    if label is None or not sides[TEST]:
        return f"{name}: {counts}; no baseline"
    share = f"{sum((one >= THRESHOLD) == label for one in sides[TEST]) / len(sides[TEST]):.3f}"
    if label:
        return f"{name}: {counts}; always saying right, as most of train is, hits {share} of test"
    return f"{name}: {counts}; always saying wrong, as most of train is, hits {share} of test"
