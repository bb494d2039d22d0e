"""Where everything of a suite lies, and what a file that comes back can be an answer to."""

from __future__ import annotations

from dataclasses import dataclass
from glob import escape
from typing import TYPE_CHECKING, Any, NamedTuple

import msgspec

from medzh_score.benchmark.registry import find_config
from medzh_score.io.atomic import open_for_writing, write_bytes
from medzh_score.io.jsonl import decoded, decoded_lines
from medzh_score.io.open_input import InputFile
from medzh_score.io.tables import number_in, read_rows
from medzh_score.prompting.ids import CODE, MARK, AnswerKey, judged_id
from medzh_score.readers.detect import head_of
from medzh_score.readers.prediction import Prediction
from medzh_score.stages.read_labels import filled
from medzh_score.ui.errors import MedzhError, shown
from medzh_score.ui.privacy import quotable

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
    round: str
    model: str = SHARED
    judge: str = ""

    def __str__(self) -> str:
        """Name it for people."""
        whose = "" if self.model == SHARED else f" of {self.model}"
        by = f" by {self.judge}" if self.judge else ""
        return f"{self.config} {self.round}{whose}{by}"

    def prompts(self, suite: Path) -> Path:
        """Name the file of what is asked there; who answers changes nothing."""
        name = self.round if self.model == SHARED else f"{self.round}{JUDGED_BY}{self.model}"
        return suite / "prompts" / self.config / f"{name}.jsonl"

    def answers(self, suite: Path) -> Path:
        """Name the file of what came back."""
        name = f"{self.round}{JUDGED_BY}{self.judge}" if self.judge else self.round
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


BACKUP = ".bak"  # after the name of answers, as they were before some were replaced or asked no more
PART = ".part"  # after the name of answers, of which a server still sends some
LONGEST_REASON = 300  # characters of why a request failed


@dataclass(frozen=True)
class MergedResponses:
    """All answers of a place after some were added: how many are new, were there already, or replace others."""

    answers: Mapping[AnswerKey, Prediction]
    new: int
    same: int
    replaced: int


def kept_answers(path: Path) -> dict[AnswerKey, Prediction]:
    """Read what is kept, and what comes in from a server just now; nothing where nothing came."""
    found: dict[AnswerKey, Prediction] = {}
    if path.exists():
        found = {key_of(one): one for one in decoded_lines(path, msgspec.json.Decoder(Prediction))}
    if part_of(path).exists():
        for one in arriving(part_of(path), msgspec.json.Decoder(Prediction)).lines:
            known = found.get(key_of(one))
            if known is None or known.error is not None:
                found[key_of(one)] = one
    return found


def has_answers(suite: Path, config: str, model: str) -> bool:
    """Say whether first answers of a model came, or come just now."""
    answers = TaskKey(config, FIRST, model).answers(suite)
    return answers.exists() or part_of(answers).exists()


def part_of(answers: Path) -> Path:
    """Name the file in which answers of a server stand for as long as some are missing."""
    return answers.with_name(answers.name + PART)


@dataclass(frozen=True)
class PartialResponses:
    """The whole lines of a file that is still written, and how many bytes they have."""

    lines: Sequence[Any]
    length: int


def arriving(part: Path, decoder: msgspec.json.Decoder[Any]) -> PartialResponses:
    """Read a file that is still written; a last line without its end is none."""
    with InputFile(part) as file:
        content = file.stored().read()
        length = content.rfind(b"\n") + 1
        whole = content[:length].splitlines(keepends=True)
        return PartialResponses([decoded(decoder, raw, file, number) for number, raw in enumerate(whole, 1)], length)


def key_of(prediction: Prediction) -> AnswerKey:
    """Give the key of an answer."""
    return AnswerKey(prediction.id, prediction.run, prediction.variant)


def merged(
    path: Path, before: Mapping[AnswerKey, Prediction], came: Iterable[tuple[int, Prediction]], *, replace: bool
) -> MergedResponses:
    """Put what came in a file to what is kept: an answer stands before a failure, and never against another answer."""
    after, new, same, replaced = dict(before), 0, 0, 0
    for number, one in came:
        known = after.get(key := key_of(one))
        if known is None or known.error is not None:
            after[key] = one
            new += one.error is None
        elif one.error is not None or one.prediction == known.prediction:
            same += one.error is None
        elif replace and before.get(key) is known:
            after[key] = one
            replaced += 1
        else:
            raise _other(path, number, one, known, here=before.get(key) is not known)
    return MergedResponses(after, new, same, replaced)


def _other(path: Path, number: int, one: Prediction, known: Prediction, *, here: bool) -> MedzhError:
    key = key_of(one)
    if here:
        problem, advice = f"answers {quotable(key)} twice, and not alike", "keep the one that is meant"
    else:
        problem, advice = (
            f"holds another answer to {quotable(key)} than the one that is kept",
            "give --replace if this one is meant",
        )
    expected, found = shown(known.prediction), one.prediction
    return MedzhError(problem, file=path, line=number, expected=expected, found=found, advice=advice)


def replace_kept(path: Path, answers: Mapping[AnswerKey, Prediction]) -> None:
    """Write what is kept from now on, and leave beside it once what was kept before."""
    if path.exists():
        write_bytes(path.with_name(path.name + BACKUP), path.read_bytes())
    write_kept(path, answers)


def write_kept(path: Path, answers: Mapping[AnswerKey, Prediction]) -> None:
    """Write what is kept, in an order that does not depend on that in which it came."""
    path.parent.mkdir(parents=True, exist_ok=True)
    encoder = msgspec.json.Encoder()
    with open_for_writing(path) as stream:
        for key in sorted(answers):
            stream.write(encoder.encode(_stated(answers[key])) + b"\n")


def _stated(one: Prediction) -> dict[str, object]:
    """Leave out what a line does not say."""
    line: dict[str, object] = {"id": one.id}
    if one.run:
        line["run"] = one.run
    if one.variant:
        line["variant"] = one.variant
    line["prediction"] = one.prediction
    if one.model is not None:
        line["model"] = one.model
    if one.finish_reason is not None:
        line["finish_reason"] = one.finish_reason
    if one.error is not None:
        line["error"] = one.error[:LONGEST_REASON]
    return line


RATER = "rater"


def is_filled_sheet(path: Path, plan: Plan) -> bool:
    """Say whether a file is a sheet of a round of the plan: a table with the columns that people fill in."""
    with InputFile(path) as file:
        head = head_of(file)
    return (
        head.form == "table"
        and not head.has("prediction")
        and any(head.has(*later.values) for _, later in _rounds(plan))
    )


def _rounds(plan: Plan) -> Iterator[tuple[str, Stage]]:
    return ((asked.config, later) for asked in plan.configs for later in find_config(asked.config).every_round)


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
    (later,) = (one for one in find_config(place.config).every_round if one.name == place.round)
    for number, named, cells in filled_rows(path, list(later.values)):
        judged = filled(cells, later.values, path, number)
        yield number, Prediction(named, "; ".join(f"{name}: {value}" for name, value in judged.items()))


def kept_rows(suite: Path, place: TaskKey) -> dict[AnswerKey, Prediction]:
    """Give what the sheets of a place say; where two judge the same, the later one stands."""
    rows = (row for sheet in place.sheets(suite) for _, row in rows_as_answers(sheet, place))
    return {key_of(row): row for row in rows}


def places_of_sheet(path: Path, plan: Plan, known: Mapping[str, Sequence[TaskKey]]) -> dict[TaskKey, str | None]:
    """Find the rounds that a sheet is of, and its one rater; all its rows must have been asked there."""
    with InputFile(path) as file:
        columns = head_of(file)
    fitting = [(config, later) for config, later in _rounds(plan) if columns.has(*later.values)]
    values = {name for _, later in fitting for name in later.values}
    found: set[TaskKey] | None = None
    raters: dict[str, int] = {}
    for number, named, cells in filled_rows(path, sorted(name for name in values if columns.has(name))):
        able = {(config, later.name) for config, later in fitting}
        here = {place for place in known.get(named, ()) if (place.config, place.round) in able}
        found = here if found is None else found & here
        raters.setdefault(cells.get(RATER, "").strip(), number)
        if not found:
            problem = "judges what this suite did not ask, or not in one round" if here else "judges what was not asked"
            raise MedzhError(problem, file=path, line=number, field="id", found=named)
    if not found:
        raise MedzhError("holds no row that is filled in", file=path, expected=", ".join(sorted(values)))
    if len(raters) > 1:
        problem, lines = "is filled in by several people", ", ".join(filter(None, raters))
        raise MedzhError(problem, file=path, field=RATER, expected="a sheet for each", found=lines)
    return dict.fromkeys(sorted(found), next(iter(raters)) or None)
