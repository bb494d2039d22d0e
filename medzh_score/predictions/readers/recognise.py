"""Which reader a file needs: recognised by what the file begins with, or named by the user."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from medzh_score.messages.errors import MedzhError, printable
from medzh_score.messages.privacy import quotable_key
from medzh_score.predictions.readers import (
    batch,
    evalscope,
    inspect_log,
    lighteval,
    lm_eval,
    native,
    opencompass,
    sheet,
)
from medzh_score.predictions.readers.head import Head, head_of
from medzh_score.predictions.readers.names import NAMED, NAMES

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    from medzh_score.files.input_file import InputFile
    from medzh_score.predictions.readers.head import Head
    from medzh_score.predictions.readers.prediction import Prediction
    from medzh_score.prompts.codes import SentOrder

KEYS_SHOWN = 12
LONGEST_KEY = 30


class Reader(NamedTuple):
    """A format that can be read, by its name in ``--from``; its shape is a line of it, for messages."""

    name: str
    shape: str
    recognises: Callable[[Head], bool]
    read: Callable[[InputFile, SentOrder], Iterator[tuple[int, Prediction]]]


FORMS = {
    "batch": batch,
    "lm-eval": lm_eval,
    "inspect": inspect_log,
    "evalscope": evalscope,
    "opencompass": opencompass,
    "lighteval": lighteval,
    "native": native,
    "sheet": sheet,
}
READERS = tuple(Reader(name, FORMS[name].SHAPE, FORMS[name].recognises, FORMS[name].read) for name in NAMES)


def find_reader(file: InputFile, name: str | None) -> Reader:
    """Find the reader of a predictions file."""
    if name is not None:
        for reader in READERS:
            if reader.name == name:
                return reader
        raise MedzhError("no such reader", field="--from", expected=NAMED, found=name)
    head = head_of(file)
    for reader in READERS:
        if reader.recognises(head):
            return reader
    refuse_other_files(head, file.path)
    raise _unknown(head, file.path)


def _unknown(head: Head, path: Path) -> MedzhError:
    """Say which keys were seen, and what would have been read."""
    keys = [quotable_key(printable(key[:LONGEST_KEY])) for key in head.first if key]
    seen = ", ".join(keys[:KEYS_SHOWN]) + (", …" if len(keys) > KEYS_SHOWN else "")
    shapes = "; ".join(f"{reader.name}: {reader.shape}" for reader in READERS)
    problem = f"is of no known form; its keys are {seen}" if seen else "is of no known form; it has no keys"
    return MedzhError(problem, file=path, line=head.line, expected=f"one of these: {shapes}")


class Other(NamedTuple):
    """A kind of file that holds no predictions, and which file is wanted in its place."""

    is_it: Callable[[Head], bool]
    problem: str
    advice: str


OTHERS = (
    Other(
        lambda head: head.is_json and head.has("results", "config_general"),
        "is the results file of lighteval, which holds no answers",
        "run lighteval with --save-details and give details_<task>_<date>.parquet",
    ),
    Other(
        lambda head: head.is_json and head.has("results", "samples") and (head.has("versions") or head.has("configs")),
        "is the results of lm-evaluation-harness with the samples inside",
        "run lm_eval with --log_samples and give samples_<task>_<date>.jsonl, or write each sample as a line",
    ),
    Other(
        lambda head: head.is_json and head.has("results", "versions"),
        "is the results file of lm-evaluation-harness, which holds no answers",
        "run lm_eval with --log_samples and give samples_<task>_<date>.jsonl",
    ),
    Other(
        lambda head: head.is_json and head.has("idx", "prediction") and not head.has("id"),
        "is what an interrupted run of OpenCompass left",
        "let the run end (opencompass --reuse) and give predictions/<model>/<dataset>.json",
    ),
    Other(
        lambda head: head.is_json and head.has("accuracy", "details") and not head.has("metrics"),
        "is a results file of OpenCompass, which holds no answers by position",
        "give predictions/<model>/<dataset>.json",
    ),
    Other(
        lambda head: head.is_json and head.has("data_abbr", "prediction"),
        "is predictions of AISBench, which name no ids",
        'write a line for each: {"id": …, "prediction": …}, in the order of the prompts that were sent',
    ),
    Other(
        lambda head: head.form == "parquet" and head.has("full_prompt", "predictions"),
        "is details of an early lighteval, which name no ids",
        'run a lighteval that writes doc and model_response, or write a line for each: {"id": …, "prediction": …}',
    ),
    Other(
        lambda head: head.is_json and head.has("index", "sample_score"),
        "is a review of EvalScope, which holds scores",
        "give predictions/<model>/<dataset>.jsonl",
    ),
    Other(
        lambda head: head.is_json and head.has("dataset_name", "model_name", "metrics"),
        "is a report of EvalScope, which holds no answers",
        "give predictions/<model>/<dataset>.jsonl",
    ),
    Other(
        lambda head: head.is_json and head.has("config", "metrics", "coverage", "signature"),
        "is a report of medzh-score, which holds no answers",
        "give the predictions that it was made of",
    ),
    Other(
        lambda head: head.is_json and head.has("item", "run", "rules"),
        "is an items file of medzh-score, which holds answers as they were read",
        "give the predictions that it was made of",
    ),
    Other(
        lambda head: head.is_json and head.has("custom_id", "body") and not head.has("response"),
        "is the input of a batch: what is sent, not what came back",
        "give the output file of the batch",
    ),
    Other(
        lambda head: head.is_json and head.has("id", "prompt", "shots") and (head.has("messages") or head.has("text")),
        "is a prompts file: what is sent, not what came back",
        'give what the model answered, with the id of each prompt: {"id": …, "prediction": …}',
    ),
    Other(
        lambda head: head.is_json and head.has("choices") and not head.has("custom_id"),
        "is a response that does not say which prompt it answers",
        'write a line for each: {"id": …, "prediction": …}',
    ),
    Other(
        lambda head: head.form == "zip" and any(name.startswith("content.xml") for name in head.first),
        "is a workbook",
        'save it from the spreadsheet as "CSV UTF-8", with the columns id and prediction',
    ),
    Other(
        lambda head: head.form == "document" and not head.array and head.has("id", "prediction"),
        "is written over several lines",
        "write one JSON object a line (JSONL)",
    ),
    Other(
        lambda head: head.array,
        "is a JSON array",
        "write one object a line (JSONL)",
    ),
    Other(
        lambda head: head.form == "table" and any(";" in name and "prediction" in name for name in head.first),
        "its cells are separated by semicolons",
        'save it from the spreadsheet as "CSV UTF-8", with commas between the cells',
    ),
)


def refuse_other_files(head: Head, path: Path) -> None:
    """Refuse a file that is known to hold no predictions, or to hold them otherwise."""
    for other in OTHERS:
        if other.is_it(head):
            raise MedzhError(other.problem, file=path, line=head.line, advice=other.advice)
