"""What was sent to the model, read back from the prompts file: it enters the signature."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import msgspec

from medzh_score.errors import MedzhError
from medzh_score.prompts.writing import BATCH_NAMES
from medzh_score.readers.batch import CUSTOM_ID
from medzh_score.readers.lines import decoded, numbered_lines

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

    from medzh_score.config import Config
    from medzh_score.records import Records

UNSTATED = "unstated"
NOT_DECODING = ("model", "messages")
OUR_NAMES = {theirs: ours for ours, theirs in BATCH_NAMES.items()}


@dataclass(frozen=True)
class SentPrompt:
    """The prompt, examples and decoding settings that a prompts file names, as the signature writes them."""

    prompt: str
    shots: str
    decoding: str


UNSTATED_PROMPT = SentPrompt(UNSTATED, UNSTATED, UNSTATED)


def written_decoding(decoding: Mapping[str, object]) -> str:
    """Write decoding settings for the signature, in alphabetical order.

    Parameters
    ----------
    decoding : mapping
        Names and values.

    Examples
    --------
    >>> written_decoding({"top_k": 5, "temperature": 0.3})
    'temperature=0.3,top_k=5'
    """
    return ",".join(f"{name}={_plain(decoding[name])}" for name in sorted(decoding)) or UNSTATED


def _plain(value: object) -> object:
    """Write 5.0 as 5: a tool on the way may have turned one into the other."""
    return int(value) if isinstance(value, float) and value.is_integer() else value


def sent_prompt(path: Path, config: Config, records: Records) -> SentPrompt:
    """Read which prompt, examples and settings a prompts file holds.

    Parameters
    ----------
    path : Path
        What ``medzh-score prompts`` wrote: chat, text or openai-batch.
    config : Config
        Whose prompts they are; the wording of each line is compared with the prompt of that name.
    records : Records
        What was asked about.

    Raises
    ------
    MedzhError
        If a line's wording is none of the config's prompts, lines differ in prompt or settings, or ids are unknown.
    """
    rows = {record["id"]: record for record in records.rows}
    decoder = msgspec.json.Decoder(dict[str, Any])
    found: SentPrompt | None = None
    seen: set[str] = set()
    for number, raw in numbered_lines(path):
        line = decoded(decoder, raw, path, number)
        identifier, text, settings = _parts(line, path, number)
        if identifier not in rows:
            raise MedzhError("no record has this id", file=path, line=number, field="id", found=identifier)
        seen.add(identifier)
        here = SentPrompt(
            _named(text, config, rows[identifier], path, number),
            str(_shots(line, path, number)),
            written_decoding(settings),
        )
        if found is not None and here != found:
            raise MedzhError(
                "differs from the lines before it in prompt, shots or decoding", file=path, line=number, found=here
            )
        found = here
    if found is None:
        raise MedzhError("holds no prompts", file=path)
    if seen != rows.keys():
        lacking = min(rows.keys() - seen)
        raise MedzhError(
            f"holds no prompt for {len(rows) - len(seen)} records",
            file=path,
            found=lacking,
            advice="name the whole file",
        )
    return found


def _shots(line: dict[str, Any], path: Path, number: int) -> int:
    shots = line.get("shots", 0)
    if not isinstance(shots, int) or shots < 0:
        raise MedzhError("is wrong", file=path, line=number, field="shots", expected="a whole number", found=shots)
    return shots


def _only_user_text(messages: list[dict[str, Any]]) -> str:
    """Take the text of the only message; with others beside it, something else was sent than the prompt."""
    (message,) = messages
    if message["role"] != "user":
        raise ValueError(message["role"])
    content: str = message["content"]
    return content


def _parts(line: dict[str, Any], path: Path, number: int) -> tuple[str, str, dict[str, Any]]:
    problem = MedzhError(
        "is no prompt line", file=path, line=number, expected="what medzh-score prompts writes, one message"
    )
    try:
        if "custom_id" in line:
            match = CUSTOM_ID.fullmatch(line["custom_id"])
            identifier, text = match["id"] if match else "", _only_user_text(line["body"]["messages"])
            settings = {OUR_NAMES.get(name, name): line["body"][name] for name in line["body"].keys() - NOT_DECODING}
        else:
            identifier, settings = line["id"], line.get("decoding") or {}
            text = line["text"] if "text" in line else _only_user_text(line["messages"])
    except (KeyError, IndexError, TypeError, AttributeError, ValueError) as error:
        raise problem from error
    if not (isinstance(identifier, str) and isinstance(text, str) and isinstance(settings, dict)):
        raise problem
    return identifier, text, settings


def _named(text: str, config: Config, record: dict[str, Any], path: Path, number: int) -> str:
    for prompt in config.prompts:
        if prompt.fill(**record) == text:
            return prompt.name
    names = ", ".join(prompt.name for prompt in config.prompts)
    raise MedzhError(
        "the wording is none of the config's prompts", file=path, line=number, expected=names, found=text[:40]
    )
