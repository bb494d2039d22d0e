"""Where everything of a suite lies, and what a file that comes back can be an answer to."""

from __future__ import annotations

from dataclasses import dataclass
from glob import escape
from typing import TYPE_CHECKING, Any, NamedTuple

import msgspec

from medzh_score.benchmark.registry import find_config
from medzh_score.io.atomic import open_for_writing
from medzh_score.io.jsonl import NO_JSON, decoded, numbered_lines
from medzh_score.io.open_input import InputFile
from medzh_score.io.tables import number_in, read_rows
from medzh_score.prompting.ids import CODE, MARK, AnswerKey, judged_id, key_text
from medzh_score.readers.detect import head_of
from medzh_score.readers.prediction import Prediction
from medzh_score.stages.label_files import filled
from medzh_score.ui.errors import MedzhError, shown
from medzh_score.ui.i18n import _, in_chinese

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence
    from pathlib import Path

    from medzh_score.benchmark.stages import Stage
    from medzh_score.suites.plan import Plan


LOCK = ".lock"  # held while files are put in their places
FIRST = "answer"  # the round of first answers
SHARED = "_shared"  # of no model alone: rounds about records, and blind ones; no label begins so
NUMBERED = "~"  # before the number of a sheet; no character of labels, as all of these
JUDGED_BY = "--"  # before who answered a round that is not the model's own


class TaskKey(NamedTuple):
    """A round of a config as one model, or nobody alone, is asked it; whoever else answers it stands as ``judge``."""

    config: str
    stage: str
    model: str = SHARED
    judge: str = ""

    def __str__(self) -> str:
        """Name it for people."""
        return str(self._named())

    def in_chinese(self) -> str:
        """Name it for people."""
        return in_chinese(self._named())

    def _named(self) -> str:
        values = {"config": self.config, "stage": self.stage}
        if self.model == SHARED:
            return _("{config} {stage} by {judge}", **values, judge=self.judge) if self.judge else " ".join(self[:2])
        if self.judge:
            return _("{config} {stage} of {model} by {judge}", **values, model=self.model, judge=self.judge)
        return _("{config} {stage} of {model}", **values, model=self.model)

    def prompts(self, suite: Path) -> Path:
        """Name the file of what is asked there; who answers changes nothing."""
        name = self.stage if self.model == SHARED else f"{self.stage}{JUDGED_BY}{self.model}"
        return suite / "prompts" / self.config / f"{name}.jsonl"

    def answers(self, suite: Path) -> Path:
        """Name the file of what came back."""
        name = f"{self.stage}{JUDGED_BY}{self.judge}" if self.judge else self.stage
        return suite / "answers" / self.model / self.config / f"{name}.jsonl"

    def sheets(self, suite: Path) -> list[Path]:
        """List the files that people filled in, in the order in which they came."""
        answers = self.answers(suite)
        named = answers.parent.glob(f"{escape(answers.stem)}{NUMBERED}*.csv")
        return sorted(named, key=_number)

    def next_sheet(self, suite: Path) -> Path:
        """Name the file of the next sheet: it stands after all that are there."""
        answers = self.answers(suite)
        last = max(map(_number, self.sheets(suite)), default=0)
        return answers.with_name(f"{answers.stem}{NUMBERED}{last + 1}.csv")


def _number(sheet: Path) -> int:
    return int(sheet.stem.rpartition(NUMBERED)[2])


def result_of(suite: Path, model: str, config: str) -> Path:
    """Name a result folder."""
    return suite / "results" / model / config


def results_of(suite: Path, config: str | None = None) -> dict[Path, str]:
    """List the result folders of a suite, of all configs or of one, with the labels of their models."""
    found = sorted(path for path in (suite / "results").glob("[!.]*/[!.]*") if path.is_dir())
    return {folder: folder.parent.name for folder in found if config in {None, folder.name}}


LONGEST_REASON = 300  # characters of why a request failed
PREDICTION = msgspec.json.Decoder(Prediction)


@dataclass(frozen=True)
class MergedResponses:
    """All answers of a task after some were added: how many are new, were there already, or replace others."""

    answers: Mapping[AnswerKey, Prediction]
    new: int
    same: int
    replaced: int


def kept_answers(path: Path) -> dict[AnswerKey, Prediction]:
    """Read what is kept; a last line that was not written to its end is none, and where nothing came nothing is."""
    if not path.exists():
        return {}
    with InputFile(path) as file:
        lines = list(numbered_lines(file))
        if lines and not lines[-1][1].endswith(b"\n"):
            try:
                PREDICTION.decode(lines[-1][1])
            except NO_JSON:
                del lines[-1]
        return {key_of(one): one for one in (decoded(PREDICTION, raw, file, number) for number, raw in lines)}


def has_answers(suite: Path, config: str, model: str) -> bool:
    """Say whether first answers of a model came."""
    return TaskKey(config, FIRST, model).answers(suite).exists()


def key_of(prediction: Prediction) -> AnswerKey:
    """Give the key of an answer."""
    return AnswerKey(prediction.id, prediction.run, prediction.variant)


def key_in(line: Mapping[str, Any]) -> AnswerKey:
    """Give the key of a prompt line."""
    return AnswerKey(line["id"], line.get("run", 0), line.get("variant", 0))


def merged(
    path: Path, before: Mapping[AnswerKey, Prediction], came: Iterable[tuple[int, Prediction]], *, replace: bool
) -> MergedResponses:
    """Put what came in a file to what is kept: an answer goes before a failure, and never against another answer."""
    after, new, same, replaced = dict(before), 0, 0, 0
    for number, one in came:
        known, here = after.get(key := key_of(one)), before.get(key) is not after.get(key)
        if known is None or known.error is not None:
            after[key] = one
            new += one.error is None
        elif one.error is not None or one.prediction == known.prediction:
            same += one.error is None
        elif replace and not here:
            after[key] = one
            replaced += 1
        else:
            if here:
                problem = _("two different responses to {key}", key=key_text(key))
                advice = _("keep only the intended response")
            else:
                problem = _("the response to {key} differs from the stored response", key=key_text(key))
                advice = _("use --overwrite to replace the stored response")
            expected, found = shown(known.prediction), one.prediction
            raise MedzhError(problem, file=path, line=number, expected=expected, found=found, advice=advice)
    return MergedResponses(after, new, same, replaced)


def write_kept(path: Path, answers: Mapping[AnswerKey, Prediction]) -> None:
    """Write what is kept, in an order that does not depend on that in which it came."""
    path.parent.mkdir(parents=True, exist_ok=True)
    with open_for_writing(path) as stream:
        for key in sorted(answers):
            stream.write(msgspec.json.encode(stated(answers[key])) + b"\n")


def stated(one: Prediction) -> dict[str, object]:
    """Leave out what a line does not say."""
    line = {"id": one.id, "run": one.run or None, "variant": one.variant or None, "prediction": one.prediction}
    line |= {"model": one.model, "finish_reason": one.finish_reason, "error": one.error and one.error[:LONGEST_REASON]}
    return {name: value for name, value in line.items() if value is not None}


ANNOTATOR = "annotator"


def is_filled_sheet(path: Path, plan: Plan) -> bool:
    """Say whether a file is a sheet of a round of the plan: a table with the columns that people fill in."""
    with InputFile(path) as file:
        head = head_of(file)
    return (
        head.form == "table"
        and not head.has("prediction")
        and any(head.has(*later.values) for _unused, later in _stages(plan))
    )


def _stages(plan: Plan) -> Iterator[tuple[str, Stage]]:
    return ((asked.config, later) for asked in plan.configs for later in find_config(asked.config).every_stage)


def filled_rows(path: Path, values: Sequence[str]) -> Iterator[tuple[int, str, Mapping[str, str]]]:
    """Give line, id as it was sent, and cells of the rows in which anything is filled in."""
    with InputFile(path) as file:
        for number, cells in read_rows(file, ("id", *values)):
            if any(cells[name].strip() for name in values):
                code, run = cells.get(CODE, ""), number_in(cells, "run", path, number)
                named = cells["id"] if MARK in cells["id"] else judged_id(AnswerKey(cells["id"], run), code.lower())
                yield number, named, cells


def rows_as_answers(path: Path, place: TaskKey) -> Iterator[tuple[int, Prediction]]:
    """Give the filled rows of a sheet, with the cells that judge as the answer: as the scorer is to read them."""
    (later,) = (one for one in find_config(place.config).every_stage if one.name == place.stage)
    for number, named, cells in filled_rows(path, list(later.values)):
        judged = filled(cells, later.values, path, number)
        yield number, Prediction(named, "; ".join(f"{name}: {value}" for name, value in judged.items()))


def kept_rows(suite: Path, place: TaskKey) -> dict[AnswerKey, Prediction]:
    """Give what the sheets of a place say; where two judge the same, the later one stands."""
    rows = (row for sheet in place.sheets(suite) for _unused, row in rows_as_answers(sheet, place))
    return {key_of(row): row for row in rows}


def places_of_sheet(path: Path, plan: Plan, known: Mapping[str, Sequence[TaskKey]]) -> dict[TaskKey, str | None]:
    """Find the rounds that a sheet is of, and its one rater; all its rows must have been asked there."""
    with InputFile(path) as file:
        columns = head_of(file)
    fitting = [(config, later) for config, later in _stages(plan) if columns.has(*later.values)]
    values = {name for _unused, later in fitting for name in later.values}
    found: set[TaskKey] | None = None
    annotators: dict[str, int] = {}
    for number, named, cells in filled_rows(path, sorted(name for name in values if columns.has(name))):
        able = {(config, later.name) for config, later in fitting}
        here = {place for place in known.get(named, ()) if (place.config, place.stage) in able}
        found = here if found is None else found & here
        annotators.setdefault(cells.get(ANNOTATOR, "").strip(), number)
        if not found:
            problem = (
                _("the row does not belong to the same stage and model as the rows above")
                if here
                else _("the id is not from a prompt of this suite")
            )
            raise MedzhError(problem, file=path, line=number, field="id", found=named)
    if not found:
        raise MedzhError(_("the sheet has no filled rows"), file=path, expected=", ".join(sorted(values)))
    if len(annotators) > 1:
        problem, lines = _("several annotators filled in the sheet"), ", ".join(filter(None, annotators))
        raise MedzhError(problem, file=path, field=ANNOTATOR, expected=_("one sheet per annotator"), found=lines)
    return dict.fromkeys(sorted(found), next(iter(annotators)) or None)
