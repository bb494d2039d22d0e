"""What was sent, recognised: once in a process for systems that were sent the same file."""

from __future__ import annotations

from typing import TYPE_CHECKING

import msgspec

from medzh_score.data.hub import place_of
from medzh_score.data.records import Records, read_manifest
from medzh_score.files.input_file import input_of
from medzh_score.messages.errors import MedzhError
from medzh_score.prompts.prompt_choices import train_records
from medzh_score.prompts.sent_prompts import sent_prompt

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from medzh_score.benchmark.config import Config
    from medzh_score.benchmark.layout import Record
    from medzh_score.prompts.sent_prompts import SentPrompt

MOST = 16  # of which a process keeps what they say
RECOGNISED: dict[tuple[object, ...], SentPrompt] = {}


def recognised(paths: Sequence[Path], config: Config, records: Records, data: str | Path | Records) -> SentPrompt:
    """Read what was sent; the records that examples came from are loaded only where there were some."""
    if isinstance(data, Records):  # which anybody may have edited, in columns that have no digest, too
        return sent_prompt(paths, config, records, _no_examples)
    # The digests of all splits: records that examples came from are not loaded to look whether they are the same.
    build = msgspec.json.encode(read_manifest(place_of(data, config.name).folder)["configs"][config.name])
    key = (config.name, config.prompts, records.split, build, tuple(input_of(path, "").sha256 for path in paths))
    if key not in RECOGNISED:
        RECOGNISED[key] = sent_prompt(paths, config, records, lambda: train_records(config.name, data))
        for oldest in list(RECOGNISED)[:-MOST]:
            del RECOGNISED[oldest]
    return RECOGNISED[key]


def _no_examples() -> Sequence[Record]:
    problem = "examples were sent, and these records come without those they were chosen from"
    raise MedzhError(problem, field="data", expected="a build folder")
