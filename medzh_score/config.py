"""What a config declares to be scored: how texts become answers, answers statistics, and statistics metrics."""

from __future__ import annotations

from dataclasses import dataclass, field
from importlib.metadata import entry_points
from typing import TYPE_CHECKING, Any, Literal, Protocol, TypeVar

import msgspec

from medzh_score.errors import MedzhError
from medzh_score.variants import ONE, Variants

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence
    from pathlib import Path

    import numpy as np
    from numpy.typing import NDArray

    from medzh_score.answers import AnswerTable
    from medzh_score.extraction.reading import Reading
    from medzh_score.holds import Holds
    from medzh_score.judging import Judging
    from medzh_score.plot import Bars, Plot, Radar, Scatter
    from medzh_score.prompts.asking import Asker, Asking
    from medzh_score.prompts.template import Prompt
    from medzh_score.round import Round
    from medzh_score.rounds.reads import Reads
    from medzh_score.sheets import Judgements
    from medzh_score.table import Table

    Formula = Callable[[NDArray[np.float64]], NDArray[np.float64]]

Record = dict[str, Any]
Direction = Literal["higher", "lower"]


class HasName(Protocol):
    """Anything that is chosen by its name."""

    @property
    def name(self) -> str:
        """The name."""


Named = TypeVar("Named", bound=HasName)
SHARED = 64  # characters of an answer that many predictions may give
OURS = "medzh-1"  # the one rule of this package, in every config
# What rules were called before that one replaced them; those that are still there lost their number.
FORMER = dict.fromkeys(
    (
        *("strict-1", "strict-2", "simple-1", "lenient-1", "prepared-1", "codes-1", "names-1", "names-2"),
        *("tf-1", "score-2", "declines-1", "declines-2"),
    ),
    OURS,
) | {"judge-1": "judge"}


@dataclass(frozen=True, slots=True, eq=False)
class Answer:
    """What was read from a prediction; made by `answer`, so that equal ones are the same object.

    Attributes
    ----------
    value : str or None
        The answer, or None: nothing was found, which is never a guess and stays in the denominator as not right.
    why : str
        The name of what decided, or of why nothing was found.
    note : str or None
        What else a config's rule saw in the text that its statistics need.
    clear : bool
        Whether what commits the text to the answer was understood whole, and nothing else casts doubt on it.
    """

    value: str | None
    why: str
    note: str | None = None
    clear: bool = False


class _Answers(dict[tuple[str | None, str, str | None, bool], Answer]):
    """Each `Answer` by its parts: a file has many answers and few different ones."""

    def __missing__(self, parts: tuple[str | None, str, str | None, bool]) -> Answer:
        """Make one, and keep it; a text that is an answer whole is no one else's."""
        made, value = Answer(*parts), parts[0]
        if value is not None and not isinstance(value, str):
            raise TypeError(f"a config's rule gave {value!r}, which is no text")
        if value is None or len(value) <= SHARED:
            self[parts] = made
        return made


ANSWERS = _Answers()


def answer(value: str | None, why: str, note: str | None = None, clear: bool = False) -> Answer:  # noqa: FBT001, FBT002
    """Give the one `Answer` with these parts.

    Parameters
    ----------
    value : str or None
        The answer.
    why : str
        The name of what decided.
    note : str or None
        What else was seen.
    clear : bool
        Whether it was understood whole.

    Examples
    --------
    >>> answer("correct", "正确") is answer("correct", "正确")
    True
    """
    return Answer(value, why, note, clear)


def answered(reading: Reading) -> Answer:
    """Keep of a reading what is scored: not where it was read.

    Parameters
    ----------
    reading : Reading
        By a config's rule, whose values are texts.

    Examples
    --------
    >>> from medzh_score.extraction.reading import Reading, Span
    >>> answered(Reading("A", "answer", (Span(3, 4),))) is answered(Reading("A", "answer", (Span(0, 1),)))
    True
    """
    value, why, _, clear, note = reading
    return ANSWERS[value, why, note, clear]  # type: ignore[index] # no text is refused there


@dataclass(frozen=True)
class Rule:
    """A named way to read answers.

    Attributes
    ----------
    name : str
        As in the report.
    summary : str
        One sentence on whose rule it is.
    read : callable
        From the raw text, the side of what was `Asked` and the number of the variant to one `Reading` a member.
    """

    name: str
    summary: str
    read: Callable[[str, Any, int], Sequence[Reading]]


class Asked(msgspec.Struct, frozen=True, gc=False):
    """What one prediction answers: a record, or a group of records that is prompted as a whole.

    Attributes
    ----------
    id : str
        The id that a prediction repeats.
    members : tuple of int
        The indices of the records that it answers, in the order in which they are asked.
    side : object
        What the rules need to know to read an answer.
    variants : Variants
        Those in which it can be asked.
    part_of : str or None
        The id of the group, where this is a record of a group that is asked alone: a group is answered as a whole or
        in its parts, never both.
    """

    id: str
    members: tuple[int, ...]
    side: Any
    variants: Variants = ONE
    part_of: str | None = None


@dataclass(frozen=True)
class Layout:
    """How the records of a config form items, units and groups.

    Attributes
    ----------
    items : tuple of str
        The id of each item, the thing that is counted.
    members : array of int, shape (items, members)
        The record indices of each item, in the order that the config's statistics expect.
    units : array of int, shape (items,)
        The unit, the thing that is resampled, that each item belongs to, from 0.
    groups : mapping of str to sequence of str
        For each breakdown the label of each item.
    orders : mapping of str to sequence of str
        The labels of a breakdown in their order, where it is not the alphabet's.
    facts : mapping of str to array of int, shape (items,)
        Numbers that the statistics need to know of each item, such as which option is right.
    texts : mapping of str to sequence of tuple of str
        Texts that the statistics need to know of each item, such as its reference answer.
    """

    items: tuple[str, ...]
    members: NDArray[np.int64]
    units: NDArray[np.int64]
    groups: Mapping[str, Sequence[str]]
    orders: Mapping[str, Sequence[str]] = field(default_factory=dict)
    facts: Mapping[str, NDArray[np.int64]] = field(default_factory=dict)
    texts: Mapping[str, Sequence[tuple[str, ...]]] = field(default_factory=dict)


@dataclass(frozen=True)
class Metric:
    """A formula over summed statistics.

    Attributes
    ----------
    name : str
        As the paper prints it.
    summary : str
        One sentence: what it counts, of what.
    formula : callable
        From an array whose last axis holds summed statistics to the metric, for any leading axes; nan where
        undefined.
    denominator : int
        The column that says over how many items it is counted.
    undefined : str
        Why it has no value where it has none.
    requires : int or None
        A column without which the metric says nothing: where it sums to 0 over all items and runs, the metric has no
        value, in no group either, whatever the formula gives. A group without any has the value of the formula, as long
        as there is some elsewhere. Resamples are not touched by it.
    difference : bool
        Whether it is a difference of two metrics: it may be negative, and is 0 where every answer is right.
    share : int or None
        Where it is a share, the column that counts the answers behind it: its formula is a `ratio`, to whose numerator
        each item gives 0 or 1 in each run and variant, and 1 to the denominator where it counts (or the same weight to
        both). None where it is none. It decides how its interval is made.
    direction : {"higher", "lower"} or None
        Which is better; None where neither is.
    of_answers : bool
        Whether its denominator comes from the answers, as that of a precision does. Of such a metric what is missing
        leaves the denominator, and removing a bad answer can raise it; in any other it stays there as the worst.
    """

    name: str
    summary: str
    formula: Formula
    denominator: int
    undefined: str
    requires: int | None = None
    difference: bool = False
    share: int | None = None
    direction: Direction | None = "higher"
    of_answers: bool = False


@dataclass(frozen=True)
class Config:
    """Everything that the scoring side knows of a benchmark.

    Attributes
    ----------
    name : str
        As in ``load_dataset`` and on the command line.
    title : str
        One line on what it measures.
    unit : {"percent", "fraction"}
        Of its metrics, as in the paper.
    columns : mapping of str to Holds
        The columns of a record that scoring reads, and what each must hold: it is refused where it does not.
    prompts : tuple of Prompt
        The first is the default.
    decoding : mapping
        The paper's settings.
    icl : tuple of str
        How examples can be chosen, the default first; empty where prompts have none.
    shots : int
        How many examples stand before each question where ``--shots`` is not given.
    rules : tuple of Rule
        The first is the default.
    layout : callable
        From the records to a `Layout`.
    asker : callable
        From the records and how they are asked to the prompts.
    asked : callable
        From the records and the layout to all that a prediction can answer.
    statistics : callable
        From the layout, an `AnswerTable` and the judgements of later rounds by name to an array, shape
        (items, runs, k).
    metrics : tuple of Metric
        In the order of the paper.
    verdict : callable
        From one item's statistics in one run, shape (k,), to a word for the items file; ``right`` where it is.
    rounds : tuple of Round
        Later rounds, in order.
    tables : callable
        From the layout, an `AnswerTable`, its statistics, shape (items, runs, k), and the judgements to the config's
        own tables.
    plots : tuple of Plot, Radar, Bars or Scatter
        Figures that are drawn from its reports.
    headline : str
        The metric by which systems are compared first.
    shown : tuple of str
        The metrics that a page shows of groups and of rules beside the chosen one; empty for all. JSON has all.
    item_metrics : tuple of str
        The metrics whose value for one item the items file shows, where an item is not simply right or wrong.
    signed : callable
        Gives what else enters the signature, such as the tokenizer with its version.
    with_dictionary : callable or None
        From the files of ``--dictionary`` to the config that reads answers by them; None where none can be given.
    judging : Judging or None
        What judge models are trained on; None where there are none to train.
    reads : Reads or None
        How answers can be read by somebody else than a rule; None where no rule reads any from the text.
    right : callable or None
        Of a config with variants: from the layout and an `AnswerTable` to which answers are right, an array of bool,
        shape (items, runs, variants); an item's first member is the record that was asked.
    """

    name: str
    title: str
    unit: Literal["percent", "fraction"]
    columns: Mapping[str, Holds]
    prompts: tuple[Prompt, ...]
    decoding: Mapping[str, float]
    rules: tuple[Rule, ...]
    layout: Callable[[Sequence[Record]], Layout]
    asker: Callable[[Sequence[Record], Asking], Asker]
    asked: Callable[[Sequence[Record], Layout], Sequence[Asked]]
    statistics: Callable[[Layout, AnswerTable, Mapping[str, Judgements]], NDArray[np.float64]]
    metrics: tuple[Metric, ...]
    tables: Callable[[Layout, AnswerTable, NDArray[np.float64], Mapping[str, Judgements]], Mapping[str, Table]]
    verdict: Callable[[NDArray[np.float64]], str]
    headline: str
    rounds: tuple[Round, ...] = ()
    plots: tuple[Plot | Radar | Bars | Scatter, ...] = ()
    icl: tuple[str, ...] = ()
    shots: int = 0
    shown: tuple[str, ...] = ()
    item_metrics: tuple[str, ...] = ()
    signed: Callable[[], Mapping[str, str]] = dict
    with_dictionary: Callable[[Sequence[Path]], Config] | None = None
    judging: Judging | None = None
    reads: Reads | None = None
    right: Callable[[Layout, AnswerTable], NDArray[np.bool_]] | None = None

    @property
    def every_round(self) -> tuple[Round, ...]:
        """All later rounds: its own, and those about single predictions."""
        from medzh_score.rounds.declared import rounds_about_predictions

        return (*self.rounds, *rounds_about_predictions(self.reads))


def record_alone(read: Callable[[str, Any], Reading]) -> Callable[[str, Any, int], Sequence[Reading]]:
    """Make a rule of a function that reads the answer to one record, which has no variants.

    Parameters
    ----------
    read : callable
        From the raw text and the side to a `Reading`.
    """

    def answers(text: str, side: object, _variant: int) -> tuple[Reading]:
        return (read(text, side),)

    return answers


def each_alone(records: Sequence[Record], _layout: Layout) -> list[Asked]:
    """Let each record be asked by itself, in one variant, with nothing that the rules need to know of it.

    Parameters
    ----------
    records : sequence of dict
        The records.
    _layout : Layout
        Not looked at.
    """
    return [Asked(record["id"], (index,), None) for index, record in enumerate(records)]


def rule_of(config: Config, name: str | None) -> Rule:
    """Choose a rule of a config by its name.

    Parameters
    ----------
    config : Config
        Whose rules they are.
    name : str or None
        The name; None takes the default.

    Raises
    ------
    MedzhError
        If there is none of that name; of a former name it says what replaced it.
    """
    replaced_by(config.rules, name)
    return pick("--rule", config.rules, name)


def by_dictionary(config: Config, paths: Sequence[Path]) -> Config:
    """Give the config that reads answers by names that the user brought.

    Parameters
    ----------
    config : Config
        Whose own names they replace.
    paths : sequence of Path
        What was given to ``--dictionary``.

    Raises
    ------
    MedzhError
        If it reads by none, or there are several.
    """
    if config.with_dictionary is None:
        raise MedzhError("reads no answers by a dictionary", field="--dictionary", found=config.name)
    if len(paths) > 1:
        raise MedzhError("is one file", field="--dictionary", found=", ".join(path.name for path in paths))
    return config.with_dictionary(paths)


def replaced_by(rules: Sequence[Rule], name: str | None) -> None:
    """Refuse a former name.

    Parameters
    ----------
    rules : sequence of Rule
        A private package's rule may bear any name.
    name : str or None
        What was asked for.

    Raises
    ------
    MedzhError
        Says what replaced it.
    """
    names = [rule.name for rule in rules]
    if name in FORMER and name not in names:
        raise MedzhError(f"replaced by {FORMER[name]}", field="--rule", expected=", ".join(names), found=name)


def rules_read(config: Config, chosen: Rule) -> tuple[Rule, ...]:
    """Name the rules that read when one is chosen, in the config's order: all, but ours only where it is chosen.

    Ours reads whole texts, which takes longer than all else that scoring does; the authors' rules stand beside it.

    Parameters
    ----------
    config : Config
        Whose rules they are.
    chosen : Rule
        One of them.
    """
    return tuple(rule for rule in config.rules if rule is chosen or rule.name != OURS)


def config_names() -> list[str]:
    """List the configs that can be scored here, in alphabetical order."""
    return sorted(point.name for point in entry_points(group="medzh_score.configs"))


def find_config(name: str) -> Config:
    """Load a config by its name.

    Parameters
    ----------
    name : str
        A name of the entry-point group ``medzh_score.configs``.

    Raises
    ------
    MedzhError
        If no installed package declares it.

    Examples
    --------
    >>> find_config("sdak").unit
    'percent'
    """
    for point in entry_points(group="medzh_score.configs", name=name):
        loaded: Config = point.load()
        return loaded
    raise MedzhError("no such config", field="CONFIG", expected=", ".join(config_names()), found=name)


def pick(kind: str, named: Sequence[Named], name: str | None) -> Named:
    """Choose one of a config's prompts, rules or rounds by name.

    Parameters
    ----------
    kind : str
        The option that was given, for the message.
    named : sequence
        What there is to choose from.
    name : str or None
        The name; None takes the first.

    Raises
    ------
    MedzhError
        If there is none of that name.
    """
    if name is None:
        return named[0]
    for candidate in named:
        if candidate.name == name:
            return candidate
    names = ", ".join(candidate.name for candidate in named)
    raise MedzhError("there is none of that name", field=kind, expected=names or "none", found=name)
