"""A unit of scoring: one model on one config, of which everything came back; and whether it was done before."""

from __future__ import annotations

from collections.abc import Mapping, Sequence  # noqa: TC003 - msgspec looks the types of the fields up
from pathlib import Path
from typing import TYPE_CHECKING

import msgspec

from medzh_score.benchmark.about_predictions import SECOND
from medzh_score.benchmark.config import rule_of
from medzh_score.benchmark.registry import find_config
from medzh_score.benchmark.rules import OURS
from medzh_score.benchmark.signed_rule import signed_rule
from medzh_score.data.records import load_records
from medzh_score.extraction.length import SIGNED
from medzh_score.files.input_file import input_of
from medzh_score.messages.errors import NAMED, MedzhError
from medzh_score.predictions.options import Options
from medzh_score.report.results.columns import TEXTS
from medzh_score.report.results.folder import ITEMS
from medzh_score.report.signature import stated as arguments_stated
from medzh_score.rounds.drawn import Sample, scored_by_a_sample
from medzh_score.suites.asked_so_far import stated_in
from medzh_score.suites.first_prompts import first_file
from medzh_score.suites.kept import has_answers
from medzh_score.suites.places import FIRST, Place, result_of, results_of
from medzh_score.suites.standings import later_places_of
from medzh_score.version import VERSION

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator

    from medzh_score.benchmark.config import Config
    from medzh_score.suites.asked_so_far import StatedResult
    from medzh_score.suites.plan import Plan


class Work(msgspec.Struct, frozen=True):
    """All that scoring one model on one config needs."""

    model: str
    config: str
    data: str
    predictions: str
    prompts: tuple[str, ...]
    rounds: Mapping[str, Sequence[str]]
    samples: Mapping[str, str]
    second_reader: str | None
    result: str

    @property
    def inputs(self) -> Iterator[Path]:
        """List the files that are read."""
        yield Path(self.predictions)
        yield from (Path(name) for name in self.prompts)
        yield from (Path(name) for names in self.rounds.values() for name in names)

    @property
    def options(self) -> Options:
        """Say how it is scored."""
        return Options(
            rounds={name: [Path(one) for one in files] for name, files in self.rounds.items()},
            prompts=[Path(name) for name in self.prompts],
            model=self.model,
            second_reader=self.second_reader,
            round_sample=self.samples,
        )


def work_of(suite: Path, plan: Plan, model: str, config_name: str) -> Work:
    """Put together what scoring a model on a config reads, as it lies there."""
    config, first = find_config(config_name), Place(config_name, FIRST, model)
    rounds: dict[str, list[str]] = {}
    later = later_places_of(suite, plan, config, model)
    for one in later:
        files = [*one.sheets(suite), one.answers(suite)]
        rounds.setdefault(one.round, []).extend(str(path) for path in files if path.exists())
    models = {one.name for one in config.every_round if one.model is not None}
    second = plan.judge(f"{config.name}/{SECOND}")
    return Work(
        model,
        config.name,
        plan.data,
        str(first.answers(suite)),
        (
            str(first_file(suite, plan.model(model), config.name)),
            *dict.fromkeys(str(one.prompts(suite)) for one in later if one.round in models),
        ),
        rounds,
        dict(_samples(plan, config, rounds)),
        second.label if second else None,
        str(result_of(suite, model, config.name)),
    )


def _samples(plan: Plan, config: Config, rounds: Collection[str]) -> Iterator[tuple[str, str]]:
    """Say of which rounds another sample was drawn than their own."""
    for later in scored_by_a_sample(config):
        judge = plan.judge(f"{config.name}/{later.name}")
        if later.name in rounds and judge is not None:
            size = judge.sample or later.sample
            if size is not None and (size, judge.seed) != (later.sample, 0):
                yield later.name, str(Sample(size, judge.seed))


def unread_where_done(work: Work) -> int | None:
    """Give how many answers of a result are unread; None where there is none, or one that would now be another."""
    stated = stated_in(Path(work.result))
    if stated is None or not is_of_inputs(work, stated):
        return None
    try:
        signed = {"data": str(load_records(work.data, work.config).origin), "reasoning": "removed"}
    except (OSError, MedzhError):
        return None
    signed |= {"longest": SIGNED, "medzh_score": VERSION}
    signed["rule"] = signed_rule(rule_of(find_config(work.config), work.options.rule).name)
    same = {**stated.signature, **signed} == stated.signature
    same = same and stated.signature.get("responses") in {None, signed_rule(OURS)}
    return stated.coverage.unread if same else None


def is_of_inputs(work: Work, stated: StatedResult) -> bool:
    """Say whether a result is of what is there, and scored as the plan has it."""
    try:
        here = sorted(input_of(one, "").sha256 for one in work.inputs)
    except (OSError, MedzhError):
        return False
    return sorted(one.sha256 for one in stated.inputs) == here and stated.arguments == arguments_stated(work.options)


def texts_held(work: Work) -> str:
    """Say how much of the texts a whole result holds."""
    from pyarrow import parquet

    found: bytes = parquet.read_metadata(Path(work.result) / ITEMS).metadata[TEXTS.encode("ascii")]
    return found.decode("ascii")


def results_there(suite: Path, plan: Plan, config: str | None = None) -> dict[Path, str]:
    """List result folders with the labels of their models, and refuse those of other answers than are there.

    Results that were brought from elsewhere, without answers or prompts, stand for themselves.
    """
    found = results_of(suite, config)
    others = [f"{model} {folder.name}" for folder, model in found.items() if _is_of_others(suite, plan, folder, model)]
    if others:
        problem = f"holds results of other answers than are there now ({', '.join(others[:NAMED])})"
        advice = f"score again: medzh-score suite score {suite}; what lacks before: medzh-score suite status {suite}"
        raise MedzhError(problem, file=suite, advice=advice)
    return found


def _is_of_others(suite: Path, plan: Plan, folder: Path, label: str) -> bool:
    """Say whether a result is of other inputs; one that was damaged is named where it is read."""
    if not has_answers(suite, folder.name, label):
        return False
    work, stated = work_of(suite, plan, label, folder.name), stated_in(folder)
    return stated is not None and Path(work.prompts[0]).exists() and not is_of_inputs(work, stated)
