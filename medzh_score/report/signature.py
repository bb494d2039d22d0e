"""The signature: how exactly a number came to be, as a mapping that is written out last."""

from __future__ import annotations

import hashlib
import json
from dataclasses import fields
from typing import TYPE_CHECKING, Any, get_type_hints

import msgspec

from medzh_score.benchmark.registry import data_name
from medzh_score.benchmark.rules import OURS
from medzh_score.benchmark.signed_rule import signed_rule
from medzh_score.extraction.length import SIGNED
from medzh_score.messages.errors import MedzhError, printable
from medzh_score.predictions.options import Options
from medzh_score.prompts.sent_prompts import UNKNOWN
from medzh_score.statistics.small_groups import SIGNED as SMALL_GROUPS
from medzh_score.statistics.values import GENERATOR, Bootstrap
from medzh_score.version import VERSION

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence
    from pathlib import Path

    from medzh_score.benchmark.judgements import Judgements
    from medzh_score.benchmark.layout import Layout
    from medzh_score.benchmark.rounds import Round
    from medzh_score.benchmark.variants import Variants
    from medzh_score.predictions.collected import Collected
    from medzh_score.predictions.missing import Kept
    from medzh_score.report.steps.reading import Read
    from medzh_score.rounds.drawn import Sample

    Files = Mapping[str, Sequence[Path]]

Signature = dict[str, str]
LISTED = 10  # variants that are written out
# What moves only how values are shown; every other key moves values, be it declared by a config.
WITHHELD_KEY = "withheld"  # which only reports of private configs have
DISPLAY = frozenset({"runs", "ddof", WITHHELD_KEY, "interval", "medzh_score"})


def signature_of(read: Read, kept: Kept | None, own: Mapping[str, str], options: Options) -> Signature:
    """Put together how a report's numbers came to be; ``own`` says who answered rounds of the same model."""
    config, records, collected, sent, table = read.config, read.records, read.collected, read.sent, read.table
    judges = signed_judges(config.rounds, read.judged, read.layout, read.samples, read.asked_again)
    by_model = any(later.model and later.name in read.judged for later in config.rounds)
    whose = [f"{name} by {said}" for name, said in signed_own(own, read.judged).items()]
    again = [f"{name} {said}" for name, said in read.asked_again.items() if name in own]
    return {
        "config": data_name(records.config, records.origin.recipe),
        "split": records.split,
        "data": str(records.origin),
        "items": str(len(read.layout.items)),
        "prompt": sent.prompt,
        "form": sent.form,
        **({"system": sent.system} if sent.system else {}),
        "shots": sent.shots,
        "decoding": sent.decoding,
        **({"asked": collected.asked} if collected.asked else {}),
        **({"variants": _variants(collected)} if table.variants != (0,) else {}),
        "rule": signed_rule(read.rule.name),
        "reasoning": "kept" if options.keep_reasoning else "removed",
        "longest": SIGNED,
        **({"second reader": _second(options, read.second_prompt)} if options.second_reader is not None else {}),
        **config.signed(),
        **({"rounds": "; ".join(whose)} if own else {}),
        **({"asked again": "; ".join(again)} if again else {}),
        **({"judges": judges} if judges else {}),
        **({"responses": signed_rule(OURS)} if by_model else {}),
        "missing": kept.signed if kept else options.missing,
        "runs": str(len(table.runs)),
        "ddof": str(options.ddof),
        **({WITHHELD_KEY: SMALL_GROUPS} if config.private else {}),
        "interval": _interval(options),
        "medzh_score": VERSION,
    }


def _variants(collected: Collected) -> str:
    """Write which variants were asked, or what came where nothing says it."""
    written = written_variants(collected.variants)
    return written if collected.variants_stated else f"unknown, {written}"


def _second(options: Options, prompt: str) -> str:
    """Say who reads again, what, and by which prompt: never how much it was, which follows from the answers."""
    what = "unread and unclear" if options.unclear else "unread"
    return f"{options.second_reader} ({what}, prompt {prompt})"


def _interval(options: Options) -> str:
    """Say of which kinds the intervals are."""
    drawn = options.bootstrap
    percentile = f"bootstrap {drawn.resamples} percentile 95% {GENERATOR} seed {drawn.seed}"
    resampled = percentile if drawn.resamples else "none"
    return resampled if options.interval == "bootstrap" else f"of shares wilson 95%, else {resampled}"


def written_variants(asked: Iterable[tuple[Variants, tuple[int, ...]]]) -> str:
    """Write which variants were asked.

    Examples
    --------
    >>> from medzh_score.benchmark.variants import Variants
    >>> written_variants([(Variants(3), (0, 3, 4)), (Variants(2), (0,))])
    '2 options: 1 (0); 3 options: 3 (0,3,4)'
    """
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
    """Write a signature as one line.

    Examples
    --------
    >>> written({"config": "sdak", "rule": "official"})
    'config:sdak|rule:official'
    """
    return "|".join(f"{key}:{value}".replace("|", "/") for key, value in signature.items())


def signed_by(rule: str, signature: Mapping[str, str]) -> Signature:
    """Give a signature as it is of another of the report's rules, which all have one digest.

    Examples
    --------
    >>> signed_by("official", {"rule": "medzh-1+0a1b2c3d"})
    {'rule': 'official+0a1b2c3d'}
    """
    _, plus, digest = signature["rule"].partition("+")
    return {**signature, "rule": f"{rule}{plus}{digest}"}


def value_differences(one: Mapping[str, str], other: Mapping[str, str]) -> list[str]:
    """Name the keys that move values in which two signatures differ; reports are comparable when there are none.

    Examples
    --------
    >>> value_differences({"rule": "official", "runs": "3"}, {"rule": "judge", "runs": "1"})
    ['rule']
    """
    return [key for key in _differing(one, other) if key not in DISPLAY]


def display_differences(one: Mapping[str, str], other: Mapping[str, str]) -> list[str]:
    """Name the keys that move only how values are shown in which two signatures differ: to be noted, not refused.

    Examples
    --------
    >>> display_differences({"rule": "official", "runs": "3"}, {"rule": "judge", "runs": "1"})
    ['runs']
    """
    return [key for key in _differing(one, other) if key in DISPLAY]


def differences_written(keys: Iterable[str], one: Mapping[str, str], other: Mapping[str, str]) -> str:
    """Write what two signatures say under some keys.

    Examples
    --------
    >>> differences_written(["rule"], {"rule": "official"}, {})
    'rule: official and none'
    """
    return "; ".join(f"{key}: {one.get(key, 'none')} and {other.get(key, 'none')}" for key in keys)


def _differing(one: Mapping[str, str], other: Mapping[str, str]) -> list[str]:
    return [key for key in {**one, **other} if one.get(key) != other.get(key)]


DIGITS = 8
NOBODY = "nobody"


def signed_judges(
    rounds: Iterable[Round],
    judged: Mapping[str, Judgements],
    layout: Layout,
    samples: Mapping[str, Sample],
    prompts: Mapping[str, str],
) -> str:
    """Write who judged in the rounds that came back, those of the same model aside."""
    return "; ".join(
        _of_records(later, judged, layout)
        if later.about == "records"
        else _of_answers(later, judged, _sample(later, samples[later.name], layout), prompts)
        for later in rounds
        if later.name in judged and not later.of_same_model
    )


def signed_own(own: Mapping[str, str], judged: Mapping[str, Judgements]) -> dict[str, str]:
    """Write whose answers came back in rounds of the same model, and whether each says what it was asked about."""
    return {name: f"{whose} ({_verified(judged[name])})" for name, whose in own.items()}


def _sample(later: Round, drawn: Sample, layout: Layout) -> Sample:
    """Call all what draws as many as there are, from what does not depend on answers."""
    whole = later.pool is None and drawn.size is not None and drawn.size >= len(layout.items)
    return type(drawn)(None) if whole else drawn


def _of_answers(later: Round, judged: Mapping[str, Judgements], drawn: Sample, prompts: Mapping[str, str]) -> str:
    who = judged[later.name]
    asked = [f"prompt {prompts.get(later.name, UNKNOWN)}"] if "model" in who.kinds else []
    how = ", ".join([*asked, f"sample {drawn}", _verified(who)])
    names = who.raters if later.signed_by is None else later.signed_by(who)
    return f"{later.name} by {', '.join(sorted(names)) or NOBODY} ({how})"


def _verified(found: Judgements) -> str:
    """Say whether each value came with the code of what it is about."""
    return "unverified" if found.unverified else "verified"


def _of_records(later: Round, judged: Mapping[str, Judgements], layout: Layout) -> str:
    """Write a digest of the values of all items, those that stand in the records included."""
    if later.in_force is None:
        said = judged[later.name].values
        values = [[f"{column}={value}" for column, value in said.get((item, 0), {}).items()] for item in layout.items]
    else:
        values = [list(mine) for mine in later.in_force(layout, judged)]
    lines = sorted((item, sorted(mine)) for item, mine in zip(layout.items, values, strict=True))
    content = json.dumps(lines, ensure_ascii=False, separators=(",", ":")).encode()
    return f"{later.name} {hashlib.sha256(content).hexdigest()[:DIGITS]}"


FILES = ("prompts", "dictionary")  # read as what they are called
ROUND = "round "  # before the round's name: as what its files are read
MOVES_NOTHING = ("items",)  # says where something is written
RENAMED = {"reader": "from"}  # as the command has it


def stated(options: Options) -> dict[str, object]:
    """Give what a report says was asked for; files by their names only."""
    said: dict[str, object] = {}
    for name in _stated_fields():
        value = getattr(options, name)
        if name == "bootstrap":
            said |= {"bootstrap": value.resamples, "seed": value.seed}
        elif name == "rounds":
            said[name] = {round_name: _names(paths) for round_name, paths in value.items()}
        else:
            said[RENAMED.get(name, name)] = _names(value) if name in FILES else msgspec.to_builtins(value)
    return said


def options_again(said: Mapping[str, Any], files: Files) -> Options:
    """Make options of what a report states."""
    hints = get_type_hints(Options)
    found: dict[str, Any] = {}
    for name in _stated_fields():
        if name == "bootstrap":
            found[name] = Bootstrap(_said(said, "bootstrap", int), _said(said, "seed", int))
        elif name == "rounds":
            named = _said(said, name, dict[str, list[str]])
            found[name] = {one: tuple(files.get(ROUND + one, ())) for one in named}
        elif name in FILES:
            found[name] = tuple(files.get(name, ()))
        else:
            found[name] = _said(said, RENAMED.get(name, name), hints[name])
    return Options(**found)


def _stated_fields() -> list[str]:
    return [one.name for one in fields(Options) if one.name not in MOVES_NOTHING]


def _names(paths: Sequence[Path]) -> list[str]:
    return [printable(path.name) for path in paths]


def _said(said: Mapping[str, Any], name: str, kind: Any) -> Any:  # noqa: ANN401 - as the field is declared
    advice = "score again with this version: the report does not say all that moves its numbers"
    if name not in said:
        raise MedzhError("the report lacks an argument", field=f"arguments.{name}", advice=advice)
    try:
        return msgspec.convert(said[name], kind)
    except msgspec.ValidationError as error:
        raise MedzhError(
            "is of the wrong kind", field=f"arguments.{name}", found=said[name], expected=str(error), advice=advice
        ) from error
