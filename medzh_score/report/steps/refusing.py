"""Second step of scoring: what is missing or lacks is refused, or it is settled which units count."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from medzh_score.predictions.missing import kept_by_skip, refuse_fragments, refuse_missing
from medzh_score.rounds.lacking import (
    Setting,
    any_of,
    lacking_in_rounds,
    refuse_fragments_of_rounds,
    refuse_lacking,
)

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

    import numpy as np
    from numpy.typing import NDArray

    from medzh_score.data.records import Records
    from medzh_score.predictions.missing import Kept
    from medzh_score.predictions.options import Options
    from medzh_score.report.steps.reading import Read
    from medzh_score.rounds.lacking import Cells


@dataclass(frozen=True)
class Settled:
    """What is due and has no value, by rule and by the chosen one without second readings, and what counts."""

    lacking: Mapping[str, Cells]
    plain: Mapping[str, NDArray[np.bool_]]
    kept: Kept | None


def settle(read: Read, data: str | Path | Records, options: Options) -> Settled:
    """Refuse what is missing as the user asked for it, or say what is kept."""
    lacking = lacking_in_rounds(read.config.rounds, read.came.judged, read.layout, read.collected.tables)
    plain = {name: by_rule[read.plain] for name, by_rule in lacking.items()}
    setting = Setting(read.config, read.files.paths, data, options, read.samples)
    if options.missing == "error":
        refuse_missing(read.collected, read.ids)
        refuse_lacking(lacking, read.layout, read.table.runs, setting)
    if options.missing != "skip":
        return Settled(lacking, plain, None)
    if not options.allow_fragments:
        refuse_fragments(read.table, [file.name for file in read.collected.inputs])
        refuse_fragments_of_rounds(read.came.judged[read.plain], plain, read.layout, read.table, setting)
    return Settled(lacking, plain, kept_by_skip(read.layout, read.table, map(any_of, lacking.values())))
