"""From what a user wishes to how a config's prompts are asked, and in which variants."""

from __future__ import annotations

from typing import TYPE_CHECKING

from medzh_score.benchmark.asking import Asking
from medzh_score.benchmark.columns import pick
from medzh_score.benchmark.variants import ONE, chosen_of_each
from medzh_score.data.records import load_records
from medzh_score.messages.errors import MedzhError
from medzh_score.prompts.writing import every_id
from medzh_score.text.tokens import TOKENS

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from pathlib import Path

    from medzh_score.benchmark.asking import Asker, Prompt
    from medzh_score.benchmark.config import Config
    from medzh_score.benchmark.layout import Record
    from medzh_score.benchmark.variants import Variants
    from medzh_score.prompts.writing import Chosen


def asking_of(  # noqa: PLR0913 - one option each
    config: Config,
    prompt: Prompt,
    train: Callable[[], Sequence[Record]],
    *,
    shots: int | None = None,
    icl: str | None = None,
    tokens: str | None = None,
) -> Asking:
    """Settle how a config's prompts are asked."""
    wishes = {"--shots": shots, "--icl": icl, "--tokens": tokens}
    count = config.shots if shots is None else shots
    for option, wish in wishes.items():
        if wish is not None and not config.icl:
            raise MedzhError(f"prompts of {config.name} have no examples", field=option, found=wish)
        if wish is not None and option != "--shots" and not count:
            raise MedzhError("goes with examples", field=option, found=wish, advice="ask for some with --shots")
    if not count:
        return Asking(prompt)
    if icl is not None and icl not in config.icl:
        raise MedzhError("there is none of that name", field="--icl", expected=", ".join(config.icl), found=icl)
    return Asking(prompt, count, icl or config.icl[0], pick("--tokens", TOKENS, tokens).name, train())


def train_records(config: str, data: str | Path) -> list[Record]:
    """Load the records that examples are taken from."""
    try:
        return load_records(data, config, split="train").rows
    except MedzhError as error:
        raise MedzhError(
            f"there are no train records to take examples from: {error.problem}",
            file=error.file,
            expected=error.expected,
            found=error.found,
            advice="build them, or ask without examples: --shots 0",
        ) from error


def variants_asked(asker: Asker, which: str | None, seed: int) -> Chosen:
    """Choose the variants in which each id is asked."""
    if which is None:
        return every_id(asker)
    kinds = chosen_of_each(asker.variants.values(), which, seed)
    return {identifier: kinds[kind] for identifier, kind in asker.variants.items()}


def prompt_counts(asker: Asker, chosen: Chosen, runs: int) -> list[str]:
    """Say how many prompts there are, and of each kind of variants; nothing of a config that has none."""
    kinds: dict[Variants, list[str]] = {}
    for identifier in chosen:
        kinds.setdefault(asker.variants[identifier], []).append(identifier)
    if kinds.keys() <= {ONE}:
        return []
    prompts = runs * sum(map(len, chosen.values()))
    notes = [f"{prompts} prompts for {len(chosen)} ids"]
    if runs > 1:
        notes = [f"{prompts} prompts for {len(chosen)} ids, {runs} runs"]
    for kind, ids in kinds.items():
        notes.append(_permuted(kind, len(ids), len(chosen[ids[0]])))
    return notes


def _permuted(kind: Variants, ids: int, asked: int) -> str:
    every, size = len(kind.numbers), kind.size
    if kind.shifts_only:
        one = f"1 id in {asked} of {every} cyclic shifts of {size} options"
        return one if ids == 1 else f"{ids} ids in {asked} of {every} cyclic shifts of {size} options"
    one = f"1 id in {asked} of {every} permutations of {size} options"
    return one if ids == 1 else f"{ids} ids in {asked} of {every} permutations of {size} options"
