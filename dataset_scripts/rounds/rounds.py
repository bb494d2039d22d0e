"""The desk at which a recipe asks models and people: what it sends out, what comes back, and who answered."""

from __future__ import annotations

import json
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

from dataset_scripts.files.locking import locked
from dataset_scripts.rounds.answer_files import ANSWERS, FILLED, next_name
from dataset_scripts.rounds.pending import Due, Waiting
from dataset_scripts.rounds.question_files import send_prompts, send_sheet
from dataset_scripts.rounds.question_ids import asked_id
from dataset_scripts.rounds.responses import CameBack, rating_of, read_answers, read_ratings, read_sheets, row_of
from dataset_scripts.rounds.stage_summary import Account
from medzh_score.writing import write_bytes

if TYPE_CHECKING:
    from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping

    from medzh_score.prompts.asking import Question

    K = TypeVar("K", bound=Hashable)
T = TypeVar("T")

Files = tuple[Path, ...]
ROUNDS = Path("build/rounds")
LOCK = ".lock"


def _silent(_line: str) -> None:
    pass


@dataclass(frozen=True)
class Desk:
    """Where a recipe asks: each stage has a folder, in which prompts or a sheet go out and answers come back.

    A recipe is run from its beginning each time. What it asks depends only on its sources, its seed and earlier
    answers, so a stage whose answers are there gives them at once; one that lacks some writes what is missing and
    raises `Waiting`. Ids on the files are hashes of what is asked: an answer to a text that has changed since is no
    answer. While a stage reads and writes, no other build can in the same folder.

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
    accounts : dict of str to Account
        What became of each stage that was asked, by name; filled by `ask` and `sheet`.
    """

    folder: Path
    form: str = "chat"
    model: str | None = None
    accept_missing: bool = False
    say: Callable[[str], None] = _silent
    accounts: dict[str, Account] = field(default_factory=dict, compare=False)

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
        """Ask a model, and give what it answered.

        Parameters
        ----------
        stage : str
            The stage's name: lower-case letters, digits and hyphens, at most 23.
        questions : mapping of K to Question
            What is asked, by the recipe's own keys; equal questions are sent once. They go out in this order.
        prompt : str
            The name of their wording, such as ``medzh-zh-1``.
        read : callable
            From the text that came back and the key to a value, or None where the text is unreadable; then it is asked
            again.
        shots : int
            How many examples each question holds.
        decoding : mapping, optional
            Settings that the prompts carry.

        Returns
        -------
        dict of K to T
            The values in the order of the questions: of all of them, or where missing ones are accepted of those that
            came back.

        Raises
        ------
        Waiting
            If answers are missing. What is to be sent was written.
        MedzhError
            If a file that came back is faulty.
        """
        asked: dict[str, list[K]] = {}
        for key, question in questions.items():
            asked.setdefault(asked_id(stage, *question.turns), []).append(key)

        def read_each(text: str, identifier: str) -> list[T] | None:
            values = [read(text, key) for key in asked[identifier]]
            known = [value for value in values if value is not None]
            return known if len(known) == len(values) else None

        with self._alone(needed=bool(questions)):
            found = read_answers(self.folder / stage, asked, read_each) if asked else CameBack[str, list[T]]()
            if asked:
                self._enter(stage, "prompts", prompt, asked, found)
            missing = {name: questions[keys[0]] for name, keys in asked.items() if name not in found.values}
            if not self._goes_on_without(missing, found):
                send = partial(send_prompts, prompt=prompt, shots=shots, decoding=decoding or {})
                self._send(stage, missing, partial(send, form=self.form, model=self.model))
        by_key = {
            key: value for name, values in found.values.items() for key, value in zip(asked[name], values, strict=True)
        }
        return {key: by_key[key] for key in questions if key in by_key}

    def sheet(
        self, stage: str, rows: Mapping[K, Mapping[str, str]], values: Mapping[str, tuple[str, ...]]
    ) -> dict[K, dict[str, str]]:
        """Ask a person by a sheet, and give what was filled in.

        Parameters
        ----------
        stage : str
            The stage's name: lower-case letters, digits and hyphens, at most 23.
        rows : mapping of K to mapping of str to str
            The read-only columns of each row, by the recipe's own keys. A row that asks nothing in a column to fill in
            holds `medzh_score.sheets.NOT_ASKED` there.
        values : mapping of str to tuple of str
            The columns to fill in, with what they may hold; nothing where that is any text.

        Returns
        -------
        dict of K to dict of str to str
            The value of each column that a row asks for, in the order of the rows; where missing ones are accepted, of
            those that were filled in.

        Raises
        ------
        Waiting
            If rows are blank. The sheet was written.
        MedzhError
            If a filled sheet is faulty, or the sheet itself was filled in under its own name.
        """
        names = {key: asked_id(stage, *(part for cell in row.items() for part in cell)) for key, row in rows.items()}
        asked = {names[key]: row for key, row in rows.items()}
        with self._alone(needed=bool(rows)):
            found = read_sheets(self.folder / stage, asked, values) if asked else CameBack[str, dict[str, str]]()
            if asked:
                self._enter(stage, "rows", "", asked, found)
            missing = {name: row for name, row in asked.items() if name not in found.values}
            if not self._goes_on_without(missing, found):
                self._say(stage, missing, "")
                files = send_sheet(self.folder / stage, missing, values, found.values, row_of)
                self._wait(stage, files, FILLED, values)
        return {key: found.values[name] for key, name in names.items() if name in found.values}

    def ratings(
        self, stage: str, rows: Mapping[K, Mapping[str, str]], values: Mapping[str, tuple[str, ...]], *, raters: int
    ) -> dict[K, dict[str, dict[str, str]]]:
        """Ask several people side by side by a sheet, each under a name of their own, and give what each filled in.

        The sheet's column ``rated_by`` says who has rated a row before, for it goes out until enough have. Files of all
        raters stand beside each other, in any order; two raters may share one.

        Parameters
        ----------
        stage : str
            The stage's name: lower-case letters, digits and hyphens, at most 23.
        rows : mapping of K to mapping of str to str
            The read-only columns of each row, by the recipe's own keys. A row that asks nothing in a column to fill in
            holds `medzh_score.sheets.NOT_ASKED` there.
        values : mapping of str to tuple of str
            The columns to fill in, with what they may hold.
        raters : int
            How many must rate each row, at least 1.

        Returns
        -------
        dict of K to dict of str to dict of str to str
            Of each row the values of the columns that it asks for by rater, the raters in alphabetical order; where
            missing ones are accepted, of the rows that enough raters filled in.

        Raises
        ------
        Waiting
            If rows have too few raters. The sheet was written.
        MedzhError
            As `sheet`, and if a filled row does not name its rater.
        """
        names = {key: asked_id(stage, *(part for cell in row.items() for part in cell)) for key, row in rows.items()}
        asked = {names[key]: row for key, row in rows.items()}
        with self._alone(needed=bool(rows)):
            nothing = CameBack[tuple[str, str], dict[str, str]]()
            found = read_ratings(self.folder / stage, asked, values) if asked else nothing
            by_row: dict[str, dict[str, dict[str, str]]] = {name: {} for name in asked}
            for name, rater in sorted(found.values):
                by_row[name][rater] = found.values[name, rater]
            enough = {name for name, rated in by_row.items() if len(rated) >= raters}
            if asked:
                self._enter(stage, "rows", "", asked, found)
                self.accounts[stage] = replace(self.accounts[stage], answered=len(enough), raters=raters)
            missing = {
                name: {**row, "rated_by": ", ".join(found.by[name, rater] for rater in by_row[name])}
                for name, row in asked.items()
                if name not in enough
            }
            if not self._goes_on_without(missing, found):
                self._say(stage, missing, f" by at least {raters} raters each" if raters > 1 else "")
                files = send_sheet(self.folder / stage, missing, values, found.values, rating_of)
                self._wait(stage, files, FILLED, values)
        return {key: by_row[name] for key, name in names.items() if name in enough}

    def keep(self, step: str, rows: Iterable[Mapping[str, Any]]) -> None:
        """Keep what a step made, for people to look at: nothing is ever read from there.

        Parameters
        ----------
        step : str
            The file's name without its ending.
        rows : iterable of mapping
            One JSON object a line, in this order.
        """
        content = "".join(f"{json.dumps(row, ensure_ascii=False)}\n" for row in rows).encode("utf-8", "surrogatepass")
        with self._alone(needed=True):
            write_bytes(self.folder / f"{step}.jsonl", content)

    @property
    def notes(self) -> tuple[str, ...]:
        """What the card says of the stages, one line each, in the order in which they were asked."""
        return tuple(account.note for account in self.accounts.values())

    @property
    def sources(self) -> list[dict[str, Any]]:
        """The manifest's account of the files that came back, as `choosing.provenance` gives it of sources."""
        return [
            {
                "name": f"rounds/{account.stage}/{name}",
                "sha256": digest,
                "pinned": False,
                "licence": "unknown",
                "redistributable": False,
                "citation": f"what {', '.join(account.by) or 'nobody'} answered in the stage {account.stage}",
                "url": None,
            }
            for account in self.accounts.values()
            for name, digest in account.files
        ]

    def _goes_on_without(self, missing: Mapping[str, object], found: CameBack[Any, Any]) -> bool:
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
        self, stage: str, things: str, prompt: str, asked: Mapping[str, object], found: CameBack[Any, Any]
    ) -> None:
        by = tuple(sorted({found.by[name] for name in found.values}))
        counts = (len(asked), len(found.values), len(found.unreadable), found.replaced, found.stale, found.backups)
        self.accounts[stage] = Account(stage, things, prompt, *counts, by, tuple(found.files))

    def _send(
        self,
        stage: str,
        missing: Mapping[str, Question],
        send: Callable[[Path, Mapping[str, Question]], tuple[Path, ...]],
    ) -> None:
        characters = sum(len(turn) for question in missing.values() for turn in question.turns)
        self._say(stage, missing, f": {characters:,} characters")
        self._wait(stage, send(self.folder / stage, missing), ANSWERS, {})

    def _say(self, stage: str, missing: Mapping[str, object], size: str) -> None:
        if not missing:
            return
        account = self.accounts[stage]
        counts = {
            "of them again: what came back was unreadable": account.unreadable,
            "answers to what is no longer asked were passed over": account.stale,
            "files were passed over as backups": account.backups,
        }
        more = "".join(f"; {count:,} {words}" for words, count in counts.items() if count)
        self.say(f"{stage}: {len(missing):,} of {account.asked:,} {account.things} to be answered{size}{more}")

    def _wait(self, stage: str, files: tuple[Path, ...], kind: str, fill: Mapping[str, tuple[str, ...]]) -> None:
        if files:
            raise Waiting(Due(stage, files, next_name(self.folder / stage, kind), dict(fill)))
