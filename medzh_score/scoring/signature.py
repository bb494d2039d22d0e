"""The signature: how exactly a number came to be, as a mapping that is written out last."""

from __future__ import annotations

import hashlib
import json
from typing import TYPE_CHECKING

from medzh_score.benchmark.registry import data_name
from medzh_score.benchmark.rules import DEFAULT_RULE, signed_rule
from medzh_score.benchmark.stages import RecordStage
from medzh_score.extraction.whole_text import SIGNED
from medzh_score.prompting.sent import UNKNOWN
from medzh_score.stats.values import GENERATOR
from medzh_score.stats.values import SIGNED as SMALL_GROUPS
from medzh_score.ui.i18n import pgettext
from medzh_score.version import VERSION

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence
    from pathlib import Path

    from medzh_score.benchmark.items import ItemIndex
    from medzh_score.benchmark.stages import Annotations, Stage
    from medzh_score.benchmark.variants import Variants
    from medzh_score.readers.align import AlignedAnswers
    from medzh_score.scoring.inputs import ScoringInputs
    from medzh_score.scoring.missing import CompleteClusters
    from medzh_score.scoring.options import ScoringOptions
    from medzh_score.stages.sampling import StageSample

    Files = Mapping[str, Sequence[Path]]


Signature = dict[str, str]
LISTED = 10  # variants that are written out
# What moves only how values are shown; every other key moves values, be it declared by a config.
WITHHELD_KEY = "withheld"  # which only reports of private configs have
DISPLAY = frozenset({"runs", "ddof", WITHHELD_KEY, "interval", "medzh_score"})


def signature_of(
    read: ScoringInputs, kept: CompleteClusters | None, own: Mapping[str, str], options: ScoringOptions
) -> Signature:
    """Put together how a report's numbers came to be; ``own`` says who answered rounds of the same model."""
    config, records, collected, sent, table = read.config, read.records, read.collected, read.sent, read.table
    judges = _signed_judges(config.stages, read.judged, read.layout, read.samples, read.asked_again)
    by_model = any(later.model and later.name in read.judged for later in config.stages)
    whose = [
        pgettext("titles", "{metric} by {breakdown}", metric=name, breakdown=pgettext("heads", said))
        for name, said in _signed_own(own, read.judged).items()
    ]
    again = [f"{name} {said}" for name, said in read.asked_again.items() if name in own]
    return {
        "config": data_name(records.config, records.origin.recipe),
        "split": records.split,
        "data": str(records.origin),
        "items": str(len(read.layout.items)),
        "prompt": sent.prompt,
        "format": sent.form,
        **({"system": sent.system} if sent.system else {}),
        "shots": sent.shots,
        "generation": sent.generation,
        **({"query_unit": collected.asked} if collected.asked else {}),
        **({"variants": _variants(collected)} if table.variants != (0,) else {}),
        "rule": signed_rule(read.rule.name),
        "reasoning": "kept" if options.keep_reasoning else "removed",
        "max_chars": SIGNED,
        **(
            {"fallback extractor": _second(options, read.second_prompt)}
            if options.fallback_extractor is not None
            else {}
        ),
        **config.reporting.signature_entries(),
        **({"stages": "; ".join(whose)} if own else {}),
        **({"queried again": "; ".join(again)} if again else {}),
        **({"annotators": judges} if judges else {}),
        **({"responses": signed_rule(DEFAULT_RULE)} if by_model else {}),
        "missing": kept.signed if kept else options.missing,
        "runs": str(len(table.runs)),
        "ddof": str(options.ddof),
        **({WITHHELD_KEY: SMALL_GROUPS} if config.private else {}),
        "interval": _interval(options),
        "medzh_score": VERSION,
    }


def _variants(collected: AlignedAnswers) -> str:
    written = written_variants(collected.variants)
    return written if collected.variants_stated else f"unknown, {written}"


def _second(options: ScoringOptions, prompt: str) -> str:
    what = "unparsed and ambiguous" if options.include_ambiguous else "unparsed"
    return f"{options.fallback_extractor} ({what}, prompt {prompt})"


def _interval(options: ScoringOptions) -> str:
    drawn = options.bootstrap
    percentile = f"bootstrap {drawn.resamples} percentile 95% {GENERATOR} seed {drawn.seed}"
    resampled = percentile if drawn.resamples else "none"
    return resampled if options.interval == "bootstrap" else f"of shares wilson 95%, else {resampled}"


def written_variants(asked: Iterable[tuple[Variants, tuple[int, ...]]]) -> str:
    """Write which variants were asked."""
    kinds = sorted(asked, key=lambda kind: (kind[0].size, kind[0].shifts_only))
    return "; ".join(f"{_named(kind)}: {len(numbers)} ({_written_numbers(numbers)})" for kind, numbers in kinds)


def _named(variants: Variants) -> str:
    return f"shifts of {variants.size} options" if variants.shifts_only else f"{variants.size} options"


def _written_numbers(numbers: tuple[int, ...]) -> str:
    listed = ",".join(map(str, numbers))
    if len(numbers) > 2 and numbers == tuple(range(len(numbers))):  # noqa: PLR2004 - a range of two is a list
        return f"0-{numbers[-1]}"
    return listed if len(numbers) <= LISTED else hashlib.sha256(listed.encode("ascii")).hexdigest()[:8]


def written(signature: Mapping[str, str]) -> str:
    """Write a signature as one line."""
    return "|".join(f"{key}:{value}".replace("|", "/") for key, value in signature.items())


def value_differences(one: Mapping[str, str], other: Mapping[str, str]) -> list[str]:
    """Name the keys that move values in which two signatures differ; reports are comparable when there are none."""
    return [key for key in _differing(one, other) if key not in DISPLAY]


def display_differences(one: Mapping[str, str], other: Mapping[str, str]) -> list[str]:
    """Name the keys that move only how values are shown in which two signatures differ: to be noted, not refused."""
    return [key for key in _differing(one, other) if key in DISPLAY]


def differences_written(keys: Iterable[str], one: Mapping[str, str], other: Mapping[str, str]) -> str:
    """Write what two signatures say under some keys."""
    return "; ".join(f"{key}: {one.get(key, 'none')} and {other.get(key, 'none')}" for key in keys)


def _differing(one: Mapping[str, str], other: Mapping[str, str]) -> list[str]:
    return [key for key in {**one, **other} if one.get(key) != other.get(key)]


DIGITS = 8
NOBODY = "nobody"


def _signed_judges(
    stages: Iterable[Stage],
    judged: Mapping[str, Annotations],
    layout: ItemIndex,
    samples: Mapping[str, StageSample],
    prompts: Mapping[str, str],
) -> str:
    return "; ".join(
        _of_records(later, judged, layout)
        if isinstance(later, RecordStage)
        else _of_answers(later, judged, _sample(later, samples[later.name], layout), prompts)
        for later in stages
        if later.name in judged and not later.of_same_model
    )


def _signed_own(own: Mapping[str, str], judged: Mapping[str, Annotations]) -> dict[str, str]:
    return {name: f"{whose} ({_verified(judged[name])})" for name, whose in own.items()}


def _sample(later: Stage, drawn: StageSample, layout: ItemIndex) -> StageSample:
    whole = not later.sampling.eligible_only and drawn.size is not None and drawn.size >= len(layout.items)
    return type(drawn)(None) if whole else drawn


def _of_answers(later: Stage, judged: Mapping[str, Annotations], drawn: StageSample, prompts: Mapping[str, str]) -> str:
    who = judged[later.name]
    asked = [f"prompt {prompts.get(later.name, UNKNOWN)}"] if "model" in who.kinds else []
    how = ", ".join([*asked, f"sample {drawn}", _verified(who)])
    names = who.annotators if later.panel is None or later.panel.signed_by is None else later.panel.signed_by(who)
    return f"{later.name} by {', '.join(sorted(names)) or NOBODY} ({how})"


def _verified(found: Annotations) -> str:
    return "unverified" if found.unverified else "verified"


def _of_records(later: RecordStage, judged: Mapping[str, Annotations], layout: ItemIndex) -> str:
    if later.effective_labels is None:
        said = judged[later.name].values
        values = [[f"{column}={value}" for column, value in said.get((item, 0), {}).items()] for item in layout.items]
    else:
        values = [list(mine) for mine in later.effective_labels(layout, judged)]
    lines = sorted((item, sorted(mine)) for item, mine in zip(layout.items, values, strict=True))
    content = json.dumps(lines, ensure_ascii=False, separators=(",", ":")).encode()
    return f"{later.name} {hashlib.sha256(content).hexdigest()[:DIGITS]}"
