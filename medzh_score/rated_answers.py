"""Scores of a blind sheet go to the answers that it showed: other files, or another order of them, are refused."""

from __future__ import annotations

from typing import TYPE_CHECKING

from medzh_score.blinding import CODE, is_of
from medzh_score.errors import MedzhError

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable, Mapping, Sequence

    from medzh_score.config import Layout, Record
    from medzh_score.sheets import Judgements, Key


def check_answers(
    judged: Iterable[Judgements],
    records: Sequence[Record],
    layout: Layout,
    texts_of: Callable[[Collection[Key]], Mapping[Key, str]],
) -> None:
    """Refuse scores of an answer that is not the one in the predictions.

    Parameters
    ----------
    judged : iterable of Judgements
        Of any rounds.
    records : sequence of dict
        What was asked.
    layout : Layout
        Its items.
    texts_of : callable
        From ids and runs to the predictions' texts; not called where no blind sheet came back.

    Raises
    ------
    MedzhError
        Names the sheet and the line.
    """
    coded = [one for mine in judged for one in mine.coded]
    if not coded:
        return
    places = dict(zip(layout.items, layout.members.tolist(), strict=True))
    ids = {item: [records[member]["id"] for member in places[item]] for item in {item for (item, _), *_ in coded}}
    texts = texts_of({(name, run) for (item, run), *_ in coded for name in ids[item]})
    for (item, run), code, (file, line) in coded:
        if not is_of(code, "".join(texts.get((name, run), "") for name in ids[item])):
            raise MedzhError(
                f"was rated on another answer than that of run {run} in the predictions",
                file=file,
                line=line,
                field=CODE,
                expected="the predictions files of which the sheet was made, in the same order",
                found=f"{item} {code}",
            )
