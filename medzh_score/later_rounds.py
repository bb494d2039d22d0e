"""The sheets of later rounds: which items a person is asked about, and what stands on the sheet."""

from __future__ import annotations

from typing import TYPE_CHECKING

from medzh_score.collecting import collect
from medzh_score.config import pick
from medzh_score.drawing import draw_first
from medzh_score.errors import MedzhError
from medzh_score.readers.several import predictions_of
from medzh_score.sheets import read_judgements, sheet_bytes

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from pathlib import Path

    from medzh_score.config import Config, Layout
    from medzh_score.records import Records
    from medzh_score.round import Round
    from medzh_score.sheets import Judgements


def round_sheet(  # noqa: PLR0913 - the options of the command
    config: Config,
    records: Records,
    later: Round,
    predictions: Sequence[Path],
    *,
    rule: str | None = None,
    reader: str | None = None,
    file_per_run: bool = False,
    sample: int | None = None,
    seed: int = 0,
) -> tuple[bytes, int]:
    """Make the sheet of a later round from the first round's predictions.

    Parameters
    ----------
    config : Config
        The benchmark.
    records : Records
        What was asked about.
    later : Round
        The round.
    predictions : sequence of Path
        What the model answered; only the first run is asked about.
    rule : str, optional
        By which answers are read; the paper's when not given.
    reader : str, optional
        The form of the files; recognised when not given.
    file_per_run : bool
        Number the files as runs.
    sample : int, optional
        How many items are drawn; the paper's number when not given.
    seed : int
        Of the draw, which is by SHA-256 of seed and id.

    Returns
    -------
    (bytes, int)
        The sheet and how many items stand on it: all that are eligible where they are fewer.

    Raises
    ------
    MedzhError
        If no item is eligible.
    """
    layout = config.layout(records.rows)
    ids = [record["id"] for record in records.rows]
    asked = config.asked(records.rows, layout)
    chosen = pick("--rule", config.rules, rule)
    collected = collect(ids, asked, [chosen], predictions, reader=reader, file_per_run=file_per_run)
    table = collected.tables[chosen.name]
    eligible = [
        item for item, fits in zip(layout.items, later.eligible(layout, table)[:, 0].tolist(), strict=True) if fits
    ]
    if not eligible:
        raise MedzhError(f"no item of the first run can be asked about in round {later.name}", file=predictions[0])
    drawn = draw_first(eligible, str, (later.sample or len(eligible)) if sample is None else sample, seed)
    texts = _texts(layout, ids, drawn, predictions, reader, table.runs[0], file_per_run=file_per_run)
    rows = []
    items = {item: index for index, item in enumerate(layout.items)}
    for item in drawn:
        members = [records.rows[member] for member in layout.members[items[item]]]
        shown = later.context(members, [texts.get(member["id"], "") for member in members])
        rows.append({"id": item, "run": table.runs[0], **shown})
    columns = (*rows[0], *later.values, "rater")
    return sheet_bytes(columns, rows), len(rows)


def _texts(  # noqa: PLR0913, PLR0917 - the options of the command
    layout: Layout,
    ids: Sequence[str],
    drawn: Sequence[str],
    predictions: Sequence[Path],
    reader: str | None,
    run: int,
    *,
    file_per_run: bool,
) -> dict[str, str]:
    """Read the files once more, and keep the texts of the drawn items only."""
    chosen = set(drawn)
    wanted = {
        ids[member]
        for item, members in zip(layout.items, layout.members, strict=True)
        if item in chosen
        for member in members
    }
    return {
        prediction.id: prediction.prediction
        for _, numbered in predictions_of(predictions, reader, file_per_run=file_per_run)
        for _, prediction in numbered
        if prediction.run == run and prediction.id in wanted and prediction.error is None
    }


def read_rounds(config: Config, rounds: Mapping[str, Sequence[Path]]) -> dict[str, Judgements]:
    """Read the filled sheets of all later rounds.

    Parameters
    ----------
    config : Config
        The benchmark.
    rounds : mapping of str to sequence of Path
        The files by round.

    Raises
    ------
    MedzhError
        If there is no such round, or a sheet is faulty.
    """
    return {
        name: read_judgements(list(paths), pick("--round", config.rounds, name).values)
        for name, paths in rounds.items()
    }


def check_judged(judged: Mapping[str, Judgements], layout: Layout, runs: Sequence[int]) -> None:
    """Refuse a sheet that judges what was not scored: of another build, or of another set of runs.

    Parameters
    ----------
    judged : mapping of str to Judgements
        By round.
    layout : Layout
        The items.
    runs : sequence of int
        Those of which predictions were read.

    Raises
    ------
    MedzhError
        Names the sheet and the line.
    """
    items = set(layout.items)
    for who in judged.values():
        for (item, run), (file, line) in who.places.items():
            if item not in items:
                raise MedzhError("no item has this id", file=file, line=line, field="id", found=item)
            if run not in runs:
                expected = ", ".join(map(str, runs))
                raise MedzhError(
                    "is judged, but no prediction of this run was read",
                    file=file,
                    line=line,
                    field="run",
                    expected=expected,
                    found=run,
                )
