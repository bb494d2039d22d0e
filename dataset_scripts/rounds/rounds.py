"""The rounds of a recipe: what it asks models and people, what they answer, and who they are."""

from __future__ import annotations

import json
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

from dataset_scripts.rounds.answer_files import ANSWERS, FILLED, next_name
from dataset_scripts.rounds.filled_sheets import rating_of, read_ratings, read_sheets, row_of
from dataset_scripts.rounds.model_answers import read_answers
from dataset_scripts.rounds.pending import AnswersPending, PendingStage
from dataset_scripts.rounds.question_files import PromptSettings, write_prompts, write_sheet
from dataset_scripts.rounds.question_ids import question_id
from dataset_scripts.rounds.responses import Responses
from dataset_scripts.rounds.stage_summary import StageSummary
from medzh_score.files.locking import locked
from medzh_score.files.writing import write_bytes

if TYPE_CHECKING:
    from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping

    from medzh_score.benchmark.asking import Question

    K = TypeVar("K", bound=Hashable)
T = TypeVar("T")

Files = tuple[Path, ...]
ROUNDS = Path("build/rounds")
LOCK = ".lock"


def _silent(_line: str) -> None:
    pass


@dataclass(frozen=True)
class Rounds:
    """Where a recipe asks: each stage has a folder, in which prompts or a sheet go out and answers come back.

    A recipe is run from its beginning each time. What it asks depends only on its sources, its seed and earlier
    answers, so a stage whose answers are there gives them at once; one that lacks some writes what is missing and
    raises `AnswersPending`. Ids on the files are hashes of what is asked: an answer to a text that has changed since is
    no answer. While a stage reads and writes, no other build can in the same folder.

    Attributes
    ----------
    folder : Path
        With a folder for each stage; made when something is sent out.
    form : {"chat", "text", "openai-batch"}
        How prompts are written.
    model : str or None
        The model's name in batches.
    accept_missing : bool
        Go on without what is missing or unreadable, in stages for which something came back.
    say : callable
        Takes a line on what is about to be written.
    summaries : dict of str to StageSummary
        What became of each stage that was asked, by name; filled by `ask` and `sheet`.
    """

    folder: Path
    form: str = "chat"
    model: str | None = None
    accept_missing: bool = False
    say: Callable[[str], None] = _silent
    summaries: dict[str, StageSummary] = field(default_factory=dict, compare=False)

    def ask(  # noqa: PLR0913 - what is asked, and what its prompts say of themselves
        self,
        stage: str,
        questions: Mapping[K, Question],
        *,
        prompt: str,
        read: Callable[[str, K], T | None],
        shots: int = 0,
        decoding: Mapping[str, float] | None = None,
    ) -> dict[K, T]:
        """Ask a model, and give what it answered."""
        keys_of: dict[str, list[K]] = {}
        for key, question in questions.items():
            keys_of.setdefault(question_id(stage, *question.turns), []).append(key)
        read_each = partial(_read_for_all, keys_of, read)
        with self._alone(needed=bool(questions)):
            found = read_answers(self.folder / stage, keys_of, read_each) if keys_of else Responses[str, list[T]]()
            if keys_of:
                self._enter(stage, "prompts", prompt, keys_of, found)
            missing = {name: questions[keys[0]] for name, keys in keys_of.items() if name not in found.values}
            if not self._goes_on_without(missing, found):
                characters = sum(len(turn) for question in missing.values() for turn in question.turns)
                self._announce(stage, missing, f": {characters:,} characters")
                settings = PromptSettings(prompt, shots, decoding or {}, self.form, self.model)
                self._wait(stage, write_prompts(self.folder / stage, missing, settings), ANSWERS, {})
        by_key = {key: one for name, ones in found.values.items() for key, one in zip(keys_of[name], ones, strict=True)}
        return {key: by_key[key] for key in questions if key in by_key}

    def sheet(
        self, stage: str, rows: Mapping[K, Mapping[str, str]], values: Mapping[str, tuple[str, ...]]
    ) -> dict[K, dict[str, str]]:
        """Ask a person by a sheet, and give what was filled in."""
        names = {key: question_id(stage, *(part for cell in row.items() for part in cell)) for key, row in rows.items()}
        sent = {names[key]: row for key, row in rows.items()}
        with self._alone(needed=bool(rows)):
            found = read_sheets(self.folder / stage, sent, values) if sent else Responses[str, dict[str, str]]()
            if sent:
                self._enter(stage, "rows", "", sent, found)
            missing = {name: row for name, row in sent.items() if name not in found.values}
            if not self._goes_on_without(missing, found):
                self._announce(stage, missing, "")
                files = write_sheet(self.folder / stage, missing, values, found.values, row_of)
                self._wait(stage, files, FILLED, values)
        return {key: found.values[name] for key, name in names.items() if name in found.values}

    def ratings(
        self, stage: str, rows: Mapping[K, Mapping[str, str]], values: Mapping[str, tuple[str, ...]], *, raters: int
    ) -> dict[K, dict[str, dict[str, str]]]:
        """Ask several people side by side by a sheet, each under a name of their own, and give what each filled in.

        The sheet's column ``rated_by`` says who has rated a row before, for it goes out until enough have. Files of all
        raters stand beside each other, in any order; two raters may share one.
        """
        names = {key: question_id(stage, *(part for cell in row.items() for part in cell)) for key, row in rows.items()}
        sent = {names[key]: row for key, row in rows.items()}
        with self._alone(needed=bool(rows)):
            nothing = Responses[tuple[str, str], dict[str, str]]()
            found = read_ratings(self.folder / stage, sent, values) if sent else nothing
            by_row: dict[str, dict[str, dict[str, str]]] = {name: {} for name in sent}
            for name, rater in sorted(found.values):
                by_row[name][rater] = found.values[name, rater]
            enough = {name for name, rated in by_row.items() if len(rated) >= raters}
            if sent:
                self._enter(stage, "rows", "", sent, found)
                self.summaries[stage] = replace(self.summaries[stage], answered=len(enough), raters=raters)
            missing = {
                name: {**row, "rated_by": ", ".join(found.by[name, rater] for rater in by_row[name])}
                for name, row in sent.items()
                if name not in enough
            }
            if not self._goes_on_without(missing, found):
                self._announce(stage, missing, f" by at least {raters} raters each" if raters > 1 else "")
                files = write_sheet(self.folder / stage, missing, values, found.values, rating_of)
                self._wait(stage, files, FILLED, values)
        return {key: by_row[name] for key, name in names.items() if name in enough}

    def keep(self, step: str, rows: Iterable[Mapping[str, Any]]) -> None:
        """Keep what a step made, for people to look at: nothing is ever read from there."""
        content = "".join(f"{json.dumps(row, ensure_ascii=False)}\n" for row in rows).encode("utf-8", "surrogatepass")
        with self._alone(needed=True):
            write_bytes(self.folder / f"{step}.jsonl", content)

    @property
    def notes(self) -> tuple[str, ...]:
        """What the card says of the stages, one line each, in the order in which they were asked."""
        return tuple(summary.note for summary in self.summaries.values())

    @property
    def sources(self) -> list[dict[str, Any]]:
        """The manifest's account of the files that came back."""
        return [source for summary in self.summaries.values() for source in summary.sources]

    def _goes_on_without(self, missing: Mapping[str, object], found: Responses[Any, Any]) -> bool:
        return self.accept_missing and bool(missing) and bool(found.files)

    @contextmanager
    def _alone(self, *, needed: bool) -> Iterator[None]:
        """Keep other builds from the folder, if there is one; one is made where something is asked."""
        if needed:
            self.folder.mkdir(parents=True, exist_ok=True)
        if not self.folder.is_dir():
            yield
            return
        with locked(self.folder / LOCK, self.folder, "wait until it ends, or name another place with --rounds"):
            yield

    def _enter(
        self, stage: str, things: str, prompt: str, sent: Mapping[str, object], found: Responses[Any, Any]
    ) -> None:
        by = tuple(sorted({found.by[name] for name in found.values}))
        counts = (len(sent), len(found.values), len(found.unreadable), found.replaced, found.stale, found.backups)
        self.summaries[stage] = StageSummary(stage, things, prompt, *counts, by, tuple(found.files))

    def _announce(self, stage: str, missing: Mapping[str, object], size: str) -> None:
        if missing:
            self.summaries[stage].announce(len(missing), size, self.say)

    def _wait(self, stage: str, files: tuple[Path, ...], kind: str, fill: Mapping[str, tuple[str, ...]]) -> None:
        if files:
            raise AnswersPending(PendingStage(stage, files, next_name(self.folder / stage, kind), dict(fill)))


def _read_for_all(
    keys_of: Mapping[str, list[K]], read: Callable[[str, K], T | None], text: str, identifier: str
) -> list[T] | None:
    """Read an answer for each key that asked it; None where one of them cannot read it."""
    values = [read(text, key) for key in keys_of[identifier]]
    known = [value for value in values if value is not None]
    return known if len(known) == len(values) else None
