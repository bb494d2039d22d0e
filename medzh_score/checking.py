"""What predictions files hold, before they are scored."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from medzh_score.collecting import collect
from medzh_score.config import find_config, pick
from medzh_score.notes import MUCH_TRUNCATED, MUCH_UNANSWERED
from medzh_score.readers.several import PredictionFiles
from medzh_score.records import DEFAULT_DATA, Records, load_records
from medzh_score.table import Table

if TYPE_CHECKING:
    from collections.abc import Sequence

    from medzh_score.answers import Coverage


@dataclass(frozen=True)
class Checked:
    """What predictions hold.

    Attributes
    ----------
    config, rule : str
        What was checked, and by which rule answers were read.
    runs, variants : tuple of int
        Those seen.
    coverage : Coverage
        How the predictions cover what was asked.
    failed : int
        Requests that failed; they are among the missing.
    """

    config: str
    rule: str
    runs: tuple[int, ...]
    variants: tuple[int, ...]
    coverage: Coverage
    failed: int

    @property
    def sound(self) -> bool:
        """Whether scoring would be sound: nothing is missing, little unanswered and little cut off."""
        return (
            not self.coverage.missing
            and self.coverage.unanswered <= MUCH_UNANSWERED * self.coverage.read
            and self.coverage.truncated <= MUCH_TRUNCATED * self.coverage.read
        )

    def as_table(self) -> Table:
        """Give the counts as a table."""
        rows = (
            ("runs", len(self.runs)),
            ("variants", len(self.variants)),
            *asdict(self.coverage).items(),
            ("failed requests", self.failed),
        )
        title = f"{self.config}: what the predictions hold, answers by rule {self.rule}"
        return Table(title, ("what", "count"), rows)


def check(  # noqa: PLR0913 - the options of the command, by keyword
    config: str,
    predictions: Sequence[str | Path],
    data: str | Path | Records = DEFAULT_DATA,
    *,
    rule: str | None = None,
    reader: str | None = None,
    file_per_run: bool = False,
) -> Checked:
    """Read predictions files as scoring does, and count.

    Parameters
    ----------
    config : str
        The config's name.
    predictions : sequence of path
        One set of predictions.
    data : path or Records
        A build folder, or records that were loaded from one.
    rule : str, optional
        By which answers are read; the paper's when not given.
    reader : str, optional
        The form of the files; recognised when not given.
    file_per_run : bool
        Number the files as runs.

    Returns
    -------
    Checked
        Counts, and whether scoring would be sound.

    Raises
    ------
    MedzhError
        Where scoring could not be done: a faulty file, an unknown id, a repeated key.

    Examples
    --------
    >>> check("sdak", ["predictions.jsonl"]).sound  # doctest: +SKIP
    True
    """
    found = find_config(config)
    chosen = pick("--rule", found.rules, rule)
    records = data if isinstance(data, Records) else load_records(data, found.name, columns=found.columns)
    layout = found.layout(records.rows)
    collected = collect(
        [record["id"] for record in records.rows],
        found.asked(records.rows, layout),
        [chosen],
        PredictionFiles(tuple(Path(path) for path in predictions), reader, file_per_run),
    )
    table = collected.tables[chosen.name]
    coverage = collected.coverage(chosen.name)
    return Checked(found.name, chosen.name, table.runs, table.variants, coverage, len(collected.failures))
