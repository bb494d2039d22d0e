"""What a reader of a report should know before quoting it."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from medzh_score.benchmark.columns import pick
from medzh_score.extraction.length import LONGEST
from medzh_score.messages.errors import NAMED, MedzhError, printable
from medzh_score.messages.privacy import quotable
from medzh_score.report.numbers import DECIMALS, rounded

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from numpy.typing import NDArray

    from medzh_score.benchmark.config import Config
    from medzh_score.benchmark.judgements import Judgements
    from medzh_score.benchmark.layout import Layout
    from medzh_score.benchmark.rounds import Round
    from medzh_score.benchmark.rules import Rule
    from medzh_score.data.records import Records
    from medzh_score.predictions.collected import Collected, Coverage
    from medzh_score.predictions.missing import Kept
    from medzh_score.statistics.values import Value


NOT_PINNED = "made from a file that is not pinned"
MUCH_UNREAD = 0.20
MUCH_TRUNCATED = 0.05


def notes_on_kept(kept: Kept | None) -> list[str]:
    """Say how many units count where ``skip`` dropped the others."""
    if kept is None or kept.units == kept.of:
        return []
    dropped = kept.of - kept.units
    return [
        f"{dropped} of {kept.of} units lack a prediction or a due judgement in some run and are dropped from all runs."
    ]


def notes_on_missing(
    config: Config, coverage: Coverage, lacking: Mapping[str, NDArray[np.bool_]], values: Mapping[str, Value]
) -> list[str]:
    """Say what ``wrong`` counts as wrong, and which of the metrics that are shown know nothing of it."""
    notes = [
        f"{count} responses of round {name} are missing and count as wrong."
        for name, cells in lacking.items()
        if pick("--round", config.rounds, name).of_same_model and (count := int(cells.sum()))
    ]
    if coverage.missing:
        notes = [f"{coverage.missing} of {coverage.expected} predictions are missing and count as wrong.", *notes]
    blind = [
        metric.name
        for metric in config.metrics
        if metric.of_answers
        and (not config.shown or metric.name in config.shown)
        and values[metric.name].value is not None
    ]
    if notes and blind:
        notes.append(
            f"The denominators of {', '.join(blind)} come from the answers: these metrics do not say what would have"
            " become of what is missing, and leaving out bad answers raises them."
        )
    return notes


def notes_on(records: Records, collected: Collected, coverage: Coverage) -> list[str]:
    """Say what is unusual about a scoring run."""
    notes = []
    if records.origin.edited is not None:
        notes.append(
            f"The rows are not those of a build by the recipe {records.origin.recipe}, but edited or made by hand, and "
            "no benchmark: compare with no paper."
        )
    elif not records.origin.official:
        made = records.origin.recipe if records.origin.recipe != "official" else NOT_PINNED
        notes.append(f"The data are {made}, not the official benchmark: compare with no paper.")
    elif (part := published_part(records.config)) is not None:
        notes.append(f"The data are what is published of the benchmark, {part}: compare with no paper.")
    if collected.failures:
        notes.append(f"{len(collected.failures)} requests failed and count as missing; first {collected.failures[0]}.")
    if coverage.unread > MUCH_UNREAD * coverage.read:
        notes.append(f"No answer was found in {coverage.unread} of {coverage.read} predictions; look at --items.")
    if coverage.truncated > MUCH_TRUNCATED * coverage.read:
        notes.append(f"{coverage.truncated} of {coverage.read} predictions were cut off at the length limit.")
    return notes


def notes_on_bounds(name: str, value: Value) -> list[str]:
    """Say of the primary metric between what it lies, whatever answers are left open, unparsed or missing."""
    if value.least is None or value.most is None:
        return []
    ends = (value.most, value.least) if value.direction == "lower" else (value.least, value.most)
    worst, best = (rounded(end, DECIMALS[value.unit]) for end in ends)
    return [f"Were all answers that are left open wrong, {name} would be {worst}; were all of them right, {best}."]


def notes_on_length(rule: Rule, collected: Collected) -> list[str]:
    """Name what runs on for longer than is read, and say what becomes of it."""
    if not collected.too_long:
        return []
    lines = [f"{printable(one.file)}:{one.line} {quotable(printable(one.id))}" for one in collected.too_long[:NAMED]]
    named = ", ".join(lines) + (", …" if len(collected.too_long) > NAMED else "")
    count, most = collected.coverage(rule.name).too_long, f"{LONGEST:,}"
    notes: list[str] = []
    if rule.whole:
        notes.append(
            f"Caution: {count} predictions run on, past {most} characters; only the beginning counts: {named}."
        )
    else:
        notes.append(f"Caution: {count} predictions run on, past {most} characters; they are unread: {named}.")
    return notes


def notes_on_names(collected: Collected) -> list[str]:
    """Say where nothing but the user's word tells that several files are runs of one model."""
    if not collected.unnamed:
        return []
    some, files, first = len(collected.unnamed), len(collected.inputs), collected.unnamed[0]
    return [f"{some} of {files} files that count as runs name no model, such as {first}: taken to be of one model."]


def published_part(config: str) -> str | None:
    """Say what the authors published of a benchmark, where that is not the whole."""
    from medzh_score.report.paper import load_paper

    try:
        return load_paper(config).published
    except MedzhError:
        return None


def notes_on_rounds(  # noqa: PLR0913, PLR0917 - all that a note counts
    rounds: Sequence[Round],
    judged: Mapping[str, Judgements],
    statistics: NDArray[np.float64],
    rule: str,
    lacking: Mapping[str, NDArray[np.bool_]] | None = None,
    undrawn: Mapping[str, int] | None = None,
) -> list[str]:
    """Say of each later round how much came back, what came back without a value, and how many items count."""
    notes = []
    for later in rounds:
        if later.name not in judged:
            continue
        who = judged[later.name]
        said = f"Round {later.name}: " + (
            _answered(who) if later.of_same_model else _judged(later, who, len(statistics))
        )
        missing = int(lacking[later.name].sum()) if lacking and later.name in lacking else 0
        said += f", {missing} {'missing' if later.of_same_model else 'lacking'}" if missing else ""
        said += f", {who.overridden} replaced by a later file" if who.overridden else ""
        not_drawn = (undrawn or {}).get(later.name, 0)
        said += (
            f"; {not_drawn} not drawn, which count nothing: --round-sample {later.name}=N:SEED says what was drawn"
            if not_drawn
            else ""
        )
        left_out = len(who.values) - not_drawn - _counted(later, statistics)
        why = "whose first answer is missing or whose unit was dropped"
        why = why if later.of_same_model else f"which rule {rule} does not read as the round needs"
        said += f"; {left_out} left out, {why}" if left_out else ""
        notes.append(said + ".")
        if who.unnamed:
            notes.append(
                f'{who.unnamed} of the responses of round {later.name} name no model: add "model" to their lines.'
            )
    return notes


def cautions_on_lacking(
    rounds: Sequence[Round], lacking: Mapping[str, Mapping[str, NDArray[np.bool_]]], missing: str
) -> list[str]:
    """Caution where what lacks in a round stands as its worst value, or not at all."""
    notes = []
    for later in rounds if missing == "wrong" else ():
        count = max((int(cells.sum()) for cells in lacking.get(later.name, {}).values()), default=0)
        if count and not later.of_same_model:
            notes.append(
                f"Caution: {count} due judgements of round {later.name} lack and count as the worst value."
                if later.worst
                else f"Caution: {count} due judgements of round {later.name} lack; there is no worst value to count."
            )
    return notes


def notes_on_others(others: Mapping[str, str], model: str | None) -> list[str]:
    """Say where a round that tests a model on its own first answers was answered by another."""
    return [
        f"Round {name} was answered by {said}, the first round by {model}: a control, no test of a model on itself."
        for name, said in others.items()
    ]


def _judged(later: Round, who: Judgements, items: int) -> str:
    named = [f"{name} ({count})" for name, count in zip(who.raters, who.by_rater, strict=True)]
    by = f" by {', '.join(named)}" if later.many else ""
    of = f" of {items} (the others count by their records)" if later.about == "records" else ""
    said = f"{len(who.values)}{of} judged{by}, {who.unrated} left blank"
    return said + _lacking(who.unreadable, "unreadable") + _lacking(who.unanswered, "empty or failed")


def _answered(who: Judgements) -> str:
    """Count what cannot be read and what is empty as wrong answers; what failed is among the missing."""
    said = f"{len(who.values)} read" + _lacking(who.unreadable, "unreadable") + _lacking(who.empty, "empty")
    return said + (f", {who.unrated} left blank" if who.unrated else "")


def _lacking(keys: Sequence[tuple[str, int]], why: str) -> str:
    """Count what came back without a value, and name the first few."""
    if not keys:
        return ""
    named = ", ".join(f"{item} run {run}" if run else item for item, run in keys[:NAMED])
    return f", {len(keys)} {why} ({named}{', …' if len(keys) > NAMED else ''})"


def _counted(later: Round, statistics: NDArray[np.float64]) -> int:
    """Count the judged items that count: of a round about records each once, whatever the number of runs."""
    counted = statistics[..., list(later.columns)].sum(axis=-1)
    return int((counted.any(axis=1) if later.about == "records" else counted).sum())


FEWEST = 100  # answers, below which chance alone may set the identity apart
TIMES = 2  # as often as the others: permuted options cost a model that reads them far less


def notes_on_variants(config: Config, layout: Layout, collected: Collected, rule: str) -> list[str]:
    """Caution where the order as it stands is answered far better than all others, and nothing says what was asked.

    Letters are mapped back by the number of the variant. Where it is another than the rank of the permutation that was
    shown, they are mapped to other options, and all variants but the identity are right by chance alone.
    """
    table = collected.tables[rule]
    if collected.variants_stated or config.right is None or 0 not in table.variants or len(table.variants) == 1:
        return []
    came = right = np.zeros(len(table.variants), np.int64)
    for one in table.by_run():
        there = (table.due[:, np.newaxis] & ~one.missing)[layout.members[:, 0]]
        came = came + there.sum(axis=(0, 1))
        right = right + (config.right(layout, one) & there).sum(axis=(0, 1))
    identity = np.array(table.variants) == 0
    answers, others = int(came[identity].sum()), int(came[~identity].sum())
    if not answers or not others or answers + others < FEWEST:
        return []
    first, rest = right[identity].sum() / answers, right[~identity].sum() / others
    if not first or first < TIMES * rest:
        return []
    return [
        (
            f"Variant 0 is right in {100 * first:.1f} % of {answers} answers, the other variants in {100 * rest:.1f} % "
            f"of {others}, and nothing says which were asked: numbered otherwise than by the rank of the permutation, "
            "they are read wrongly. Name them with --variants, or the prompts file with --prompts."
        )
    ]
