"""One file that carries a suite's work over a boundary without a network, and what is taken out of it again."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

from medzh_score.benchmark.registry import find_config
from medzh_score.files.zipping import SUMS, write_zip
from medzh_score.messages.errors import MedzhError
from medzh_score.report.private import refuse_texts
from medzh_score.report.results.folder import HELD, ITEMS
from medzh_score.report.results.result import Result
from medzh_score.suites.outbox_files import OUTBOX
from medzh_score.suites.plan import PLAN
from medzh_score.suites.results_there import results_there

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from medzh_score.report.results.basis import Texts
    from medzh_score.suites.plan import Plan

Packed = Literal["prompts", "results"]
LEVELS: tuple[Texts, ...] = ("none", "spans", "full")


def pack(suite: Path, plan: Plan, out: Path, what: Packed, texts: Texts) -> list[str]:
    """Pack prompts with the plan, or results; answers go with these only where texts may go whole."""
    for config in (find_config(asked.config) for asked in plan.configs):
        refuse_texts(config.name, texts, private=config.private)
    members: dict[str, bytes | Path] = {PLAN: suite / PLAN}
    if what == "prompts":
        members |= _below(suite, "prompts") | _below(suite, OUTBOX)
    else:
        members |= dict(_results(suite, plan, texts))
        members |= _below(suite, "answers") if texts == "full" else {}
    if len(members) == 1:
        raise MedzhError(f"holds no {what} to pack", file=suite, advice="see medzh-score suite status")
    write_zip(out, members)
    return sorted(members)


def _below(suite: Path, name: str) -> dict[str, bytes | Path]:
    files = (path for path in sorted((suite / name).rglob("*")) if path.is_file() and not path.name.startswith("."))
    return {path.relative_to(suite).as_posix(): path for path in files}


def _results(suite: Path, plan: Plan, texts: Texts) -> Iterator[tuple[str, Path]]:
    """Give the files of all results, and refuse one that holds more of the texts than may go."""
    for folder in results_there(suite, plan):
        held = _texts_of(folder)
        if LEVELS.index(held) > LEVELS.index(texts):
            raise MedzhError(
                "holds more of the texts than may be packed",
                file=folder,
                field="--texts",
                expected=held,
                found=texts,
                advice=f"remove the folder and score again: medzh-score suite score SUITE --texts {texts}",
            )
        for name in (*HELD, SUMS):
            yield (folder / name).relative_to(suite).as_posix(), folder / name


def _texts_of(folder: Path) -> Texts:
    """Say how much of the texts a result holds."""
    from pyarrow import parquet

    Result.load(folder)  # which refuses what is not whole
    stated = parquet.read_metadata(folder / ITEMS).metadata[b"texts"].decode("ascii")
    return next(level for level in LEVELS if level == stated)
