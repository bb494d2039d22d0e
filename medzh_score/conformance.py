"""Checks of a config with known answers: its layout, its prompts and its statistics."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import chain
from typing import TYPE_CHECKING, Any, TypeVar

import numpy as np

from medzh_score.benchmark.answers import AnswerTable, Reading, answer_table, answered
from medzh_score.benchmark.items import WITHHELD, ItemIndex
from medzh_score.benchmark.prompts import PromptSettings, numbered
from medzh_score.benchmark.registry import NEAR, TOP, config_fault, out_of_range, provider, sound_statistics
from medzh_score.ui.errors import MedzhError
from medzh_score.ui.i18n import _
from medzh_score.ui.privacy import quotable

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from numpy.typing import NDArray

    from medzh_score.benchmark.answers import Answer
    from medzh_score.benchmark.config import Config
    from medzh_score.benchmark.items import Query, Record
    from medzh_score.benchmark.metrics import Metric
    from medzh_score.benchmark.prompts import PromptTemplate
    from medzh_score.benchmark.rules import Rule

UNITS = 200  # that are tried where the whole would take long
GOLD, HALF, NONE, WRONG = range(4)  # the runs that are tried: all right, every other unit right, no answer, all wrong
Given = TypeVar("Given")


@dataclass(frozen=True)
class Tried:
    """A config with records and the output of its functions."""

    config: Config
    records: Sequence[Record]
    layout: ItemIndex
    asked: Sequence[Query]

    @property
    def unit_of(self) -> NDArray[np.int64]:
        """The unit of each record."""
        found = np.zeros(len(self.records), np.int64)
        found[self.layout.members] = self.layout.clusters[:, np.newaxis]
        return found


def check_quickly(config: Config, records: Sequence[Record]) -> None:
    """Reject a config at the first error in the output of its functions.

    Parameters
    ----------
    config : Config
        The config.
    records : sequence of dict
        The records of a split, with all columns.

    Raises
    ------
    MedzhError
        The error, with the package, the config and the function.
    """
    layout = laid_out(config, records)
    kept = np.isin(layout.clusters, np.arange(UNITS))
    part = [records[place] for place in sorted(layout.members[kept].ravel().tolist())]
    found = tried(config, part)
    for fault in chain(faults_of_prompts(found), faults_of_answers(found)):
        raise fault


def faults(config: Config, records: Sequence[Record]) -> Iterator[MedzhError]:
    """Return all problems of a config; see `check_quickly`."""
    try:
        found = tried(config, records)
        yield from faults_of_prompts(found)
        yield from faults_of_answers(found)
        yield from _faults_of_order(found)
    except MedzhError as error:
        yield error


def tried(config: Config, records: Sequence[Record]) -> Tried:
    """Make the layout and the queries of records; reject an invalid layout, and records without a query."""
    layout = laid_out(config, records)
    asked = list(_called(config, "queries", config.queries, records, layout))
    ids = [one.id for one in asked]
    if len(set(ids)) < len(ids):
        raise config_fault(
            config, "queries", _("an id occurs twice"), found=next(one for one in ids if ids.count(one) > 1)
        )
    members = [one.members for one in asked if one.part_of is None]
    covered = sorted(member for several in members for member in several)
    if covered != list(range(len(records))):
        problem = _("not every record is queried exactly once")
        raise config_fault(
            config, "queries", problem, _("the positions 0 to {n_records}", n_records=len(records) - 1), covered
        )
    return Tried(config, records, layout, asked)


def laid_out(config: Config, records: Sequence[Record]) -> ItemIndex:
    """Make the layout of records; reject gaps and wrong shapes."""
    layout = _called(config, "layout", config.layout, records)
    if not isinstance(layout, ItemIndex):
        raise config_fault(config, "layout", _("the return value is not an ItemIndex"), found=type(layout).__name__)
    items, members, units = len(layout.items), np.asarray(layout.members), np.asarray(layout.clusters)
    if not items or len(set(layout.items)) < items:
        raise config_fault(config, "layout.items", _("the items are empty or not unique"), found=list(layout.items)[:3])
    places = sorted(members.ravel().tolist())
    if members.ndim != 2 or len(members) != items or places != list(range(len(records))):  # noqa: PLR2004 - axes
        problem = _("not every record occurs exactly once")
        expected = _("{items} rows with the positions 0 to {n_records}", items=items, n_records=len(records) - 1)
        raise config_fault(config, "layout.members", problem, expected, members.tolist()[:5])
    if units.shape != (items,) or sorted(set(units.tolist())) != list(range(len(set(units.tolist())))):
        problem, expected = (
            _("the numbers have gaps or do not start at 0"),
            _("consecutive integers from 0, one per item"),
        )
        raise config_fault(config, "layout.clusters", problem, expected, sorted(set(units.tolist()))[:5])
    for function in ("groups", "item_values", "item_texts"):
        for name, known in getattr(layout, function).items():
            if len(known) != items:
                problem = _("the length differs from the number of items")
                raise config_fault(config, f"layout.{function}", problem, str(items), f"{name}: {len(known)}")
    if any(WITHHELD in labels for labels in layout.groups.values()):
        raise config_fault(
            config, "layout.groups", _("a group uses the name reserved for withheld groups"), found=WITHHELD
        )
    return layout


def faults_of_prompts(found: Tried) -> Iterator[MedzhError]:
    """Return the problems of the prompts."""
    yield from filter(None, (_fault_of_prompt(found, prompt) for prompt in found.config.prompting.templates))


def _fault_of_prompt(found: Tried, prompt: PromptTemplate) -> MedzhError | None:
    """Ask of each record in its first and last variant; of two variants not all may be asked by the same words."""
    config = found.config
    asker = _called(config, "prompting.builder", config.prompting.builder, found.records, PromptSettings(prompt))
    asked, moved = {**asker.variants, **asker.alone}, []
    if asked != {one.id: one.variants for one in found.asked}:
        return config_fault(
            config,
            "prompting.builder",
            _("the ids or option orders of {prompt_name} differ from those of queries", prompt_name=prompt.name),
        )
    for record in (one for one in found.records if one["id"] in asked):
        last = asked[record["id"]].last
        first, other = (_called(config, "prompting.builder", asker.ask, record["id"], at).turns for at in (0, last))
        if not all(turns and turns[-1].strip() for turns in (first, other)):
            return config_fault(
                config,
                "prompting.builder",
                _(
                    "prompt {prompt_name} is empty for record {record}",
                    prompt_name=prompt.name,
                    record=quotable(record["id"]),
                ),
            )
        if prompt is config.prompting.templates[0] and first != (record.get("prompt", first[-1]),):
            return config_fault(
                config,
                "prompting.builder",
                _("the prompt differs from the prompt in record {record}", record=quotable(record["id"])),
            )
        moved += [first != other] if last else []
    if moved and not any(moved):
        return config_fault(
            config,
            "prompting.builder",
            _("prompt {prompt_name} is the same in all option orders", prompt_name=prompt.name),
        )
    return None


def faults_of_answers(found: Tried) -> Iterator[MedzhError]:
    """Try right answers, right answers of every other unit, and none: say where numbers are not what these deserve."""
    for rule in found.config.rules:
        table = _answers(found, rule)
        statistics = checked_statistics(found.config, found.layout, table)
        yield from _faults_of_units(found, rule, statistics)
        half = answer_table({(0, 0): table.columns[HALF, 0]}, table.expected, {})
        if not np.allclose(checked_statistics(found.config, found.layout, half)[:, 0], statistics[:, HALF]):
            yield config_fault(
                found.config,
                "statistics",
                _("the values depend on answers of other runs (rule {rule_name})", rule_name=rule.name),
            )
        sums = statistics.sum(axis=0)
        alike = len({one and one.value for one in table.columns[GOLD, 0]}) == 1
        for metric in found.config.metrics:
            values = _values(found.config, metric, sums)
            yield from _faults_of_values(found.config, metric, rule, values, _first_unparsed(found, table))
            if metric.name == found.config.reporting.primary_metrics[0] and metric.direction and not alike:
                yield from _faults_of_others(found.config, metric, rule, values)
        verdicts = [
            _called(found.config, "reporting.verdict", found.config.reporting.verdict, row) for row in statistics[0]
        ]
        if not all(isinstance(word, str) and word for word in verdicts):
            yield config_fault(
                found.config, "reporting.verdict", _("the return value is not a non-empty string"), found=verdicts[0]
            )
        _called(found.config, "reporting.tables", found.config.reporting.tables, found.layout, table, statistics, {})


def checked_statistics(config: Config, layout: ItemIndex, table: AnswerTable) -> NDArray[np.float64]:
    """Compute the statistics; reject wrong shapes and values that are not numbers."""
    made = _called(config, "statistics", config.statistics, layout, table, {})
    return sound_statistics(config, made, (len(layout.items), len(table.runs)))


def _called(config: Config, function: str, call: Callable[..., Given], *arguments: Any) -> Given:  # noqa: ANN401
    """Call a function of a config; whatever it raises is a fault of it."""
    try:
        return call(*arguments)
    except MedzhError as error:
        error.file = error.file or provider(config.name)
        raise
    except Exception as error:  # the config is anybody's code
        text = f"{type(error).__name__}: {error}"
        raise config_fault(config, function, _("execution failed"), found=text) from error


def _answers(found: Tried, rule: Rule) -> AnswerTable:
    """Read by a rule the gold of each record, that of every other unit's, nothing, and the gold of another record."""
    texts = [_called(found.config, "answer", row.__getitem__, "answer") for row in found.records]
    gold, none = _read(found, rule, texts), _read(found, rule, [""] * len(texts))
    others = _of_others(gold)
    read = _read(found, rule, [texts[place] for place in others])
    wrong = [gold[place] if one.value is None else one for one, place in zip(read, others, strict=True)]
    even = (found.unit_of % 2 == 0).tolist()
    half = [right if chosen else left for right, left, chosen in zip(gold, none, even, strict=True)]
    columns = {(GOLD, 0): gold, (HALF, 0): half, (NONE, 0): none, (WRONG, 0): wrong}
    return answer_table(columns, np.ones((len(found.records), 1), bool), {})


def _of_others(gold: Sequence[Answer]) -> list[int]:
    """Give for each record the place of another with another answer; its own where all have the same."""
    places = {one.value: place for place, one in enumerate(gold)}
    following = dict(zip(places, [*places][1:] + [*places][:1], strict=True))
    return [places[following[one.value]] for one in gold]


def _read(found: Tried, rule: Rule, said: Sequence[str]) -> list[Answer]:
    alone = {one.members[0]: one for one in found.asked if len(one.members) == 1}
    whole = [one for one in found.asked if len(one.members) > 1 and not {*one.members} <= alone.keys()]
    read: dict[int, Answer] = {}
    for one in (*alone.values(), *whole):
        texts = [said[member] for member in one.members]
        text = texts[0] if len(texts) == 1 or not any(texts) else numbered(texts)
        for variant in (one.variants.last, 0):  # what the first was read as is kept
            readings = _called(found.config, f"rule {rule.name}", rule.read, text, one.context, variant)
            if len(readings) != len(one.members) or not all(isinstance(reading, Reading) for reading in readings):
                problem, expected = _("the return value does not contain one Reading per member"), str(len(one.members))
                raise config_fault(found.config, f"rule {rule.name}", problem, expected, list(readings))
            if not any(texts) and any(reading.value is not None for reading in readings):
                problem = _("an answer is extracted from empty text")
                raise config_fault(found.config, f"rule {rule.name}", problem, found=readings[0])
        read |= {
            member: _called(found.config, f"rule {rule.name}", answered, reading)
            for member, reading in zip(one.members, readings, strict=True)
        }
    return [read[place] for place in range(len(found.records))]


def _faults_of_units(found: Tried, rule: Rule, statistics: NDArray[np.float64]) -> Iterator[MedzhError]:
    """Say where the numbers of a unit depend on more than its own answers, such as on the order of items."""
    even = found.layout.clusters % 2 == 0
    expected = np.where(even[:, np.newaxis], statistics[:, GOLD], statistics[:, NONE])
    if not np.allclose(statistics[:, HALF], expected):
        item = found.layout.items[int(np.argmax(~np.isclose(statistics[:, HALF], expected).all(axis=1)))]
        problem = _("the values depend on answers of another cluster (rule {rule_name})", rule_name=rule.name)
        yield config_fault(found.config, "statistics", problem, found=item)


def _values(config: Config, metric: Metric, sums: NDArray[np.float64]) -> NDArray[np.float64]:
    """Compute a metric of each run; refuse a formula that gives something else for many runs than for one."""
    function = f"metrics: {metric.name}"
    values = np.asarray(_called(config, function, metric.formula, sums.copy()))
    apart = [np.asarray(_called(config, function, metric.formula, row.copy())) for row in sums]
    if values.shape != sums.shape[:-1] or not np.allclose(values, np.array(apart), equal_nan=True):
        raise config_fault(
            config,
            function,
            _("the return value does not contain one value per run"),
            str(sums.shape[:-1]),
            values.shape,
        )
    return values


def _first_unparsed(found: Tried, table: AnswerTable) -> str:
    """Name the first record whose gold no answer was read from; empty where all are read."""
    read = zip(found.records, table.columns[GOLD, 0], strict=True)
    return next((record["id"] for record, answer in read if answer is None or answer.value is None), "")


def _faults_of_values(
    config: Config, metric: Metric, rule: Rule, values: NDArray[np.float64], lost: str
) -> Iterator[MedzhError]:
    function, top = f"metrics: {metric.name}", TOP[config.unit]
    gold, _unused, none, _unused = values.tolist()
    for value in values.tolist():
        if out_of_range(config, metric, value):
            problem = _("the value is out of range (rule {rule_name})", rule_name=rule.name)
            expected = _("{least:g} to {most:g}", least=-top if metric.difference else 0, most=top)
            yield config_fault(config, function, problem, expected, value)
            return
    best = 0.0 if metric.difference else {"higher": top, "lower": 0.0, None: gold}[metric.direction]
    if not np.isnan(gold) and abs(gold - best) > NEAR * top:
        problem = _("the value is not the best one if all answers are correct (rule {rule_name})", rule_name=rule.name)
        lost_by = _(
            "the value is not the best one if all answers are correct (rule {rule_name}): no answer is extracted "
            "from the gold answer of record {lost}",
            rule_name=rule.name,
            lost=quotable(lost),
        )
        yield config_fault(config, function, lost_by if lost else problem, f"{best:g}", gold)
    if metric.direction == "higher" and not metric.difference and none > NEAR * top:
        yield config_fault(
            config,
            function,
            _("the value is not 0 if there are no answers (rule {rule_name})", rule_name=rule.name),
            "0",
            none,
        )


def _faults_of_others(config: Config, metric: Metric, rule: Rule, values: NDArray[np.float64]) -> Iterator[MedzhError]:
    """Say where answers that belong to other records are worth as much as right ones."""
    if np.isclose(values[WRONG], values[GOLD]):
        problem = _(
            "the value is the best one if each record has the answer of another record (rule {rule_name})",
            rule_name=rule.name,
        )
        yield config_fault(config, f"metrics: {metric.name}", problem, found=float(values[WRONG]))


def _faults_of_order(found: Tried) -> Iterator[MedzhError]:
    """Say where the order of the records moves the numbers of an item."""
    again = tried(found.config, found.records[::-1])
    places = {item: place for place, item in enumerate(again.layout.items)}
    if places.keys() != set(found.layout.items):
        yield config_fault(found.config, "layout.items", _("the values depend on the order of the records"))
        return
    order = [places[item] for item in found.layout.items]
    for rule in found.config.rules:
        one, other = (checked_statistics(one.config, one.layout, _answers(one, rule)) for one in (found, again))
        if not np.allclose(one[:, GOLD], other[order][:, GOLD]):
            yield config_fault(found.config, "statistics", _("the values depend on the order of the records"))
