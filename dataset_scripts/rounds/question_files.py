"""The files that a stage of a recipe sends out: prompts for a model or a sheet for a person, of what is missing."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeVar

from dataset_scripts.rounds.answer_files import FILLED, next_name
from medzh_score.benchmark.asking import Asker, Asking
from medzh_score.benchmark.prompts import Prompt
from medzh_score.benchmark.variants import Variants
from medzh_score.files.input_file import InputFile
from medzh_score.files.sheets import read_rows, sheet_bytes
from medzh_score.files.writing import open_for_writing, write_bytes
from medzh_score.messages.errors import MedzhError
from medzh_score.prompts.writing import batch_lines, encoded, parts_of, prompt_lines, write_batch
from medzh_score.rounds.filled_cells import asked_columns, filled

if TYPE_CHECKING:
    from collections.abc import Callable, Hashable, Mapping
    from pathlib import Path

    from medzh_score.benchmark.asking import Question

    K = TypeVar("K", bound=Hashable)

PROMPTS = "prompts.jsonl"
PARTS = "prompts-*-of-*.jsonl"
UNFINISHED = ".*.part"  # of a build that was killed while it wrote
SHEET = "sheet.csv"
BATCH = "openai-batch"
FORMS = ("chat", "text", BATCH)


@dataclass(frozen=True)
class PromptSettings:
    """How questions become prompts.

    Attributes
    ----------
    prompt : str
        The name of their wording.
    shots : int
        How many examples each of them holds.
    decoding : mapping
        Settings that the lines carry.
    form : {"chat", "text", "openai-batch"}
        How they are written.
    model : str or None
        The model's name, for batches.
    """

    prompt: str
    shots: int
    decoding: Mapping[str, float]
    form: str
    model: str | None


def write_prompts(folder: Path, questions: Mapping[str, Question], settings: PromptSettings) -> tuple[Path, ...]:
    """Write what is to be asked of a model; prompts that were written before are replaced."""
    asker = Asker(dict.fromkeys(questions, Variants()), lambda name, _: questions[name], {})
    asking = Asking(Prompt(settings.prompt, "", "this recipe"), settings.shots)
    paths: list[Path] = []
    if questions:
        folder.mkdir(parents=True, exist_ok=True)
        paths = parts_of(folder / PROMPTS, len(questions)) if settings.form == BATCH else [folder / PROMPTS]
    if settings.form == BATCH:
        write_batch(paths, batch_lines(asker, asking, settings.decoding, model=settings.model or ""))
    else:
        for path in paths:
            with open_for_writing(path) as stream:
                stream.writelines(map(encoded, prompt_lines(asker, asking, settings.decoding, form=settings.form)))
    for old in {folder / PROMPTS, *folder.glob(PARTS), *folder.glob(UNFINISHED)} - set(paths):
        old.unlink(missing_ok=True)
    return tuple(paths)


def write_sheet(
    folder: Path,
    rows: Mapping[str, Mapping[str, str]],
    values: Mapping[str, tuple[str, ...]],
    known: Mapping[K, Mapping[str, str]],
    key_of: Callable[[Mapping[str, str]], K],
) -> tuple[Path, ...]:
    """Write the sheet that is to be filled in; one that was written before is replaced."""
    path = folder / SHEET
    if path.is_file():
        _check_known(path, values, known, key_of)
    for old in folder.glob(UNFINISHED):
        old.unlink(missing_ok=True)
    if not rows:
        path.unlink(missing_ok=True)
        return ()
    folder.mkdir(parents=True, exist_ok=True)
    context = dict.fromkeys(name for row in rows.values() for name in row if name not in values)
    head = ("id", *context, *values, "rater")
    write_bytes(path, sheet_bytes(head, ({"id": name, **row} for name, row in rows.items())))
    return (path,)


def _check_known(
    path: Path,
    values: Mapping[str, tuple[str, ...]],
    known: Mapping[K, Mapping[str, str]],
    key_of: Callable[[Mapping[str, str]], K],
) -> None:
    with InputFile(path) as file:
        for number, row in read_rows(file, ("id",)):
            columns = asked_columns(row, values)
            written = any(row.get(column) for column in columns)
            if written and (key_of(row) not in known or known[key_of(row)] != filled(row, columns, path, number)):
                raise MedzhError(
                    "has been filled in, and would be written anew",
                    file=path,
                    line=number,
                    expected="a sheet saved under a name that begins with filled",
                    advice=f"rename it to {next_name(path.parent, FILLED).name}",
                )
