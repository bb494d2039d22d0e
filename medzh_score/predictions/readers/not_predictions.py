"""Files that stand beside predictions and are none: what each is, and which file is wanted in its place."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from medzh_score.messages.errors import MedzhError

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from medzh_score.predictions.readers.head import Head


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
