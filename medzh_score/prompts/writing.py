"""Prompts as lines for the tools that send them, and as sheets for people."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import msgspec

from medzh_score.readers.batch import batch_id
from medzh_score.sheets import sheet_bytes

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence
    from pathlib import Path

    from medzh_score.config import Record
    from medzh_score.prompts.template import Prompt

FORMS = ("chat", "text", "openai-batch", "sheet")
BATCH_LINES = 50_000  # of one batch file, by the interface's own limit
URL = "/v1/chat/completions"
# What the batch interface calls our settings; the others keep their names, which vLLM reads as they are.
BATCH_NAMES = {"max_new_tokens": "max_tokens"}


def prompt_lines(
    records: Sequence[Record], prompt: Prompt, decoding: Mapping[str, float], *, form: str = "chat", runs: int = 1
) -> Iterator[dict[str, Any]]:
    """Make the lines of a prompts file.

    Parameters
    ----------
    records : sequence of dict
        What is asked about.
    prompt : Prompt
        The wording.
    decoding : mapping
        The paper's settings; every line carries them.
    form : {"chat", "text"}
        ``messages`` for chat models, ``text`` for plain completion by base models.
    runs : int
        How often each prompt is asked; lines name their run where it is more than once.

    Yields
    ------
    dict
        ``id``, ``messages`` or ``text``, ``prompt``, ``shots``, ``decoding``, and ``run`` where there are several.

    Examples
    --------
    >>> from medzh_score.prompts.sdak import PAPER_2
    >>> line = next(prompt_lines([{"id": "a", "claim": "麻疹具有传染性"}], PAPER_2, {"temperature": 0.3}))
    >>> line["id"], line["prompt"], line["shots"]
    ('a', 'paper-2', 0)
    """
    for run in range(runs):
        for record in records:
            text = prompt.fill(**record)
            asked = {"messages": [{"role": "user", "content": text}]} if form == "chat" else {"text": text}
            numbered = {"run": run} if runs > 1 else {}
            yield {
                "id": record["id"],
                **numbered,
                **asked,
                "prompt": prompt.name,
                "shots": 0,
                "decoding": dict(decoding),
            }


def batch_lines(
    records: Sequence[Record], prompt: Prompt, decoding: Mapping[str, float], *, model: str, runs: int = 1
) -> Iterator[dict[str, Any]]:
    """Make the lines of an OpenAI batch file, which vLLM's ``run-batch`` reads too.

    Parameters
    ----------
    records : sequence of dict
        What is asked about.
    prompt : Prompt
        The wording.
    decoding : mapping
        The paper's settings; they stand in the body of each request.
    model : str
        The model's name, as the server knows it.
    runs : int
        How often each prompt is asked.

    Yields
    ------
    dict
        ``custom_id``, ``method``, ``url`` and ``body``.
    """
    settings = {BATCH_NAMES.get(name, name): value for name, value in decoding.items()}
    for line in prompt_lines(records, prompt, decoding, runs=runs):
        yield {
            "custom_id": batch_id(line["id"], line.get("run", 0), 0),
            "method": "POST",
            "url": URL,
            "body": {"model": model, "messages": line["messages"], **settings},
        }


def prompt_sheet(records: Sequence[Record], prompt: Prompt, *, runs: int = 1) -> bytes:
    """Make a sheet in which a person answers the prompts, read back like any predictions file.

    Parameters
    ----------
    records : sequence of dict
        What is asked about.
    prompt : Prompt
        The wording.
    runs : int
        How often each prompt is asked.
    """
    rows = (
        {"id": record["id"], "run": run, "prompt": prompt.fill(**record)} for run in range(runs) for record in records
    )
    return sheet_bytes(("id", "run", "prompt", "prediction", "rater"), rows)


def parts_of(path: Path, count: int) -> list[Path]:
    """Name the files over which batch lines are split: the path itself, or numbered ones.

    Parameters
    ----------
    path : Path
        What the user named.
    count : int
        How many lines there are.

    Examples
    --------
    >>> from pathlib import Path
    >>> [part.name for part in parts_of(Path("b.jsonl"), 120_000)]
    ['b-1-of-3.jsonl', 'b-2-of-3.jsonl', 'b-3-of-3.jsonl']
    """
    files = max(1, -(-count // BATCH_LINES))
    if files == 1:
        return [path]
    return [path.with_name(f"{path.stem}-{number}-of-{files}{path.suffix}") for number in range(1, files + 1)]


def encoded(line: Mapping[str, Any]) -> bytes:
    """Write a line of JSON, UTF-8, with its line end.

    Parameters
    ----------
    line : mapping
        What it says.
    """
    return msgspec.json.encode(line) + b"\n"
