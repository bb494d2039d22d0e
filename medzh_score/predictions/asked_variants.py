"""Which variants were asked, where the user says it or the prompts file does: what else comes is refused."""

from __future__ import annotations

from typing import TYPE_CHECKING

from medzh_score.benchmark.draws import is_number
from medzh_score.benchmark.variants import chosen_of_each
from medzh_score.messages.errors import NAMED, MedzhError, shown

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping, Sequence

    from medzh_score.benchmark.layout import Asked
    from medzh_score.benchmark.variants import Variants
    from medzh_score.predictions.readers.several import PredictionFiles

    Sets = Mapping[Variants, Collection[int]]


def variants_due(which: str | None, sent: Sets | None, asked: Sequence[Asked]) -> Sets | None:
    """Settle which variants were asked, by what the user says and by the prompts file; None where neither says it.

    Examples
    --------
    >>> from medzh_score.benchmark.layout import Asked
    >>> from medzh_score.benchmark.variants import Variants
    >>> asked = [Asked("tcmd-000001", (0,), None, Variants(3))]
    >>> list(variants_due("cyclic", None, asked).values()), list(variants_due("2:7", None, asked).values())
    ([(0, 3, 4)], [(0, 4)])
    """
    if which is None:
        return sent
    size, colon, seed = which.partition(":")
    if colon and not (is_number(size) and is_number(seed)):
        raise MedzhError("is no set of variants", field="--variants", expected="N:SEED, two numbers", found=which)
    chosen = chosen_of_each((one.variants for one in asked), size, int(seed or 0))
    if sent is not None:
        _refuse_other(chosen, sent)
    return chosen


def _refuse_other(chosen: Sets, sent: Sets) -> None:
    """Refuse what the user says where the prompts file says otherwise."""
    for kind, numbers in chosen.items():
        if set(numbers) != set(sent[kind]):
            raise MedzhError(
                f"is not what the prompts file holds: {len(numbers)} of {kind}",
                field="--variants",
                expected=_listed(sent[kind]),
                found=_listed(numbers),
                advice="leave it out: the prompts file says which were asked",
            )


def refuse_not_asked(named: Sets, due: Sets, files: PredictionFiles, asked: Sequence[Asked]) -> None:
    """Refuse predictions of a variant that was not asked; the first of them is looked for only where there is one."""
    if all(set(due[kind]).issuperset(variants) for kind, variants in named.items()):
        return
    kinds = {one.id: one.variants for one in asked}
    for one in files.again():
        for number, prediction in one.lines:
            kind = kinds.get(prediction.id)
            if kind is not None and prediction.variant not in due[kind]:
                raise MedzhError(
                    f"{shown(prediction.id)} was not asked in this variant",
                    file=one.path,
                    line=number,
                    field="variant",
                    expected=_listed(due[kind]),
                    found=prediction.variant,
                    advice="a variant is numbered by the rank of its permutation, as medzh-score prompts writes it",
                )


def _listed(numbers: Collection[int]) -> str:
    """List numbers, the first few where they are many."""
    first = ", ".join(map(str, sorted(numbers)[:NAMED]))
    return f"{first}, …" if len(numbers) > NAMED else first
