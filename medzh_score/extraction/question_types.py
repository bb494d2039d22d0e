"""Kinds of questions: how one is shown, in which form it is answered, how answers are read, what a gold may be."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import chain
from typing import TYPE_CHECKING, Any, NamedTuple

from medzh_score.benchmark.answers import Reading
from medzh_score.benchmark.items import Query
from medzh_score.benchmark.prompts import LETTERS, gold_letters, gold_place, lettered, numbered
from medzh_score.extraction.groups import read_groups
from medzh_score.extraction.letters import asks_for_wrong, read_letters
from medzh_score.extraction.verdict import read_verdict
from medzh_score.ui.errors import MedzhError
from medzh_score.ui.i18n import _
from medzh_score.ui.privacy import Unredacted, quotable

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from medzh_score.benchmark.items import ItemIndex, Record


SINGLE_HOW = "请只回答正确选项的字母，不要解释。"
SEVERAL_HOW = "请只回答正确选项的字母，不要解释；有多个正确选项时，按顺序写出全部字母。"


@dataclass(frozen=True)
class QuestionType:
    """A kind of question; made by `true_false`, `letters` or `pairs`.

    Attributes
    ----------
    columns : tuple of str
        The fields of a record, beside id and answer, that it needs.
    shown : callable
        From a record to the question with its options.
    how : callable
        From a record to what is said of the form of the answer.
    written : str
        In Chinese, in which form a second reader writes an answer.
    side : callable
        From a record to what its rule needs to know.
    read : callable
        From a response and the side to a `Reading`, whose value equals the gold where the answer is right.
    gold : callable
        From a record to its gold; refuses a record whose ``answer`` is none.
    ours : bool
        Whether our rule reads it, and our signature holds of how it is read.
    """

    columns: tuple[str, ...]
    shown: Callable[[Record], str]
    how: Callable[[Record], str]
    written: str
    side: Callable[[Record], Any]
    read: Callable[[str, Any], Reading]
    gold: Callable[[Record], str]
    ours: bool = False


class OptionContext(NamedTuple):
    """What the rules know of a choice question; ``wrong`` is asked for where the question asks what does not hold."""

    texts: tuple[str, ...]
    several: bool
    wrong: bool

    def shuffled(self, orders: Sequence[Sequence[int]]) -> OptionContext:
        """Give the options as they were shown, by their places in the record."""
        (order,) = orders
        return self._replace(texts=tuple(self.texts[place] for place in order))


class Pairing(NamedTuple):
    """What the rules know of a pairing question."""

    texts: tuple[str, ...]
    parts: int


def with_values(read: Callable[[str], Reading], values: Mapping[str, str]) -> Callable[[str, object], Reading]:
    """Make a reader that gives the values of another in the words of a task.

    Examples
    --------
    >>> with_values(read_verdict, {"correct": "对", "incorrect": "错"})("这种说法不正确。", None).value
    '错'
    """

    def renamed(text: str, _side: object) -> Reading:
        found = read(text)
        return found if found.value is None else found._replace(value=values[str(found.value)])

    return renamed


def options_of(record: Record, *, several: bool) -> OptionContext:
    """Say what the rules need to know of a choice question."""
    return OptionContext(tuple(record["options"]), several, asks_for_wrong(record["question"]))


def read_options(text: str, side: OptionContext) -> Reading:
    """Read the options to which a response commits itself."""
    return read_letters(text, side.texts, several=side.several, wrong=side.wrong)


def read_pairs(text: str, side: Pairing) -> Reading:
    """Read a letter for each part; where one part has no answer, the question has none.

    Examples
    --------
    >>> read_pairs("1-B，2-A", Pairing(("2岁", "5岁"), 2)).value
    '1.B 2.A'
    """
    found = read_groups(text, [side.texts] * side.parts)
    spans = tuple(sorted(chain.from_iterable(one.spans for one in found)))
    lacking = next((one for one in found if not isinstance(one.value, str) or len(one.value) > 1), None)
    if lacking is not None:
        return Reading(None, lacking.reason, spans)
    return Reading(
        numbered([str(one.value) for one in found]), found[0].reason, spans, all(one.unambiguous for one in found)
    )


def true_false(noun: str = "说法", right: str = "对", wrong: str = "错") -> QuestionType:
    """Make the kind of questions whether a statement holds.

    Parameters
    ----------
    noun : str
        What the task calls the statement, such as 说法, 表述 or 做法.
    right, wrong : str
        The answers, as a record's ``answer`` has them.
    """
    form = f"“{right}”或“{wrong}”"

    def gold(record: Record) -> str:
        if record["answer"] not in {right, wrong}:
            problem = _("the answer of record {record} is invalid", record=quotable(record["id"]))
            raise MedzhError(
                problem,
                field="answer",
                expected=_("{right} or {wrong}", right=right, wrong=wrong),
                found=record["answer"],
            )
        return str(record["answer"])

    return QuestionType(
        columns=("question",),
        shown=lambda record: f"下列{noun}是否正确？\n{record['question']}",
        how=lambda _record: f"请只回答{form}，不要解释。",
        written=form,
        side=lambda _record: None,
        read=with_values(lambda text: read_verdict(text, noun), {"correct": right, "incorrect": wrong}),
        gold=gold,
        ours=True,
    )


def letters(*, several: bool = False) -> QuestionType:
    """Make the kind of questions with lettered options, to Z; with `several`, any number of them may be right."""

    def gold(record: Record) -> str:
        _refuse_unlettered(record)
        return gold_letters(record) if several else LETTERS[gold_place(record)]

    return QuestionType(
        columns=("question", "options"),
        shown=lambda record: f"{record['question']}\n{_lettered(record)}",
        how=lambda _record: SEVERAL_HOW if several else SINGLE_HOW,
        written="所选的全部字母（如“B”或“ACD”）" if several else "所选选项的字母（如“B”）",
        side=lambda record: options_of(record, several=several),
        read=read_options,
        gold=gold,
        ours=True,
    )


def pairs() -> QuestionType:
    """Make the kind of questions whose parts are each paired with one of shared options, which may be used again.

    A record has the texts of its ``parts`` beside its ``options``, and as ``answer`` the letters as ``1.B 2.A``.
    """
    return QuestionType(
        columns=("question", "options", "parts"),
        shown=_shown_pairs,
        how=lambda record: (
            f"请依次写出各小题所选选项的字母，形如“{numbered(['字母'] * len(record['parts']))}”，不要解释。"
        ),
        written="各小题所选选项的字母（如“1.B 2.A”）",
        side=lambda record: Pairing(tuple(record["options"]), len(record["parts"])),
        read=read_pairs,
        gold=_gold_pairs,
        ours=True,
    )


def _shown_pairs(record: Record) -> str:
    parts = (f"{number}. {part}" for number, part in enumerate(record["parts"], start=1))
    return "\n".join([record["question"], _lettered(record), *parts])


def _lettered(record: Record) -> str:
    _refuse_unlettered(record)
    return lettered(record["options"])


def _refuse_unlettered(record: Record) -> None:
    if not 0 < len(record["options"]) <= len(LETTERS):
        problem = _("record {record} has an invalid number of options", record=quotable(record["id"]))
        found = Unredacted(f"{len(record['options'])} options")
        raise MedzhError(problem, field="options", expected=_("1 to {n_letters}", n_letters=len(LETTERS)), found=found)


def _gold_pairs(record: Record) -> str:
    _refuse_unlettered(record)
    answer, held = str(record["answer"]), LETTERS[: len(record["options"])]
    chosen = answer[2::4] if len(record["parts"]) < 10 else ""  # noqa: PLR2004 - of one digit each
    if not chosen or answer != numbered(chosen) or len(chosen) != len(record["parts"]) or not {*chosen} <= {*held}:
        problem = _("the answer of record {record} is invalid", record=quotable(record["id"]))
        expected = _("{form}, with letters from {held}", form=numbered(["字母"] * len(record["parts"])), held=held)
        raise MedzhError(problem, field="answer", expected=expected, found=answer)
    return answer


KIND = "kind"  # the field of a record that names its kind, where there are several
SHOWN, HOW = "shown", "how"  # the fields of a prompt that a kind fills in


class TypedContext(NamedTuple):
    """The kind of a question, and what its rule needs to know."""

    kind: str
    side: Any

    def shuffled(self, orders: Sequence[Sequence[int]]) -> TypedContext:
        """Give it with the options as they were shown; only those of a choice question can be."""
        return self._replace(side=self.side.shuffled(orders))


@dataclass(frozen=True)
class QuestionTypes:
    """The kinds of a benchmark's questions by name; of one alone, records need not say which."""

    by_name: Mapping[str, QuestionType]

    @property
    def labels(self) -> dict[str, tuple[str, ...]]:
        """The names by the field of a record that holds one; empty where there is one kind."""
        return {KIND: tuple(self.by_name)} if len(self.by_name) > 1 else {}

    @property
    def columns(self) -> tuple[str, ...]:
        """The fields that one of them needs."""
        return tuple(dict.fromkeys(column for kind in self.by_name.values() for column in kind.columns))

    @property
    def written(self) -> str:
        """In which forms a second reader writes an answer."""
        return "；".join(dict.fromkeys(kind.written for kind in self.by_name.values()))

    def name_of(self, record: Record) -> str:
        """Name the kind of a record."""
        return str(record[KIND]) if self.labels else next(iter(self.by_name))

    def gold(self, record: Record) -> str:
        """Give the gold of a record as its kind has it."""
        return self.by_name[self.name_of(record)].gold(record)

    def fields(self, record: Record) -> dict[str, str]:
        """Fill in what a prompt takes of the kind."""
        kind = self.by_name[self.name_of(record)]
        return {SHOWN: kind.shown(record).strip(), HOW: kind.how(record)}

    def asked(self, records: Sequence[Record], _layout: ItemIndex) -> list[Query]:
        """Ask each record alone; its side holds the kind and what that needs to know."""
        names = [self.name_of(record) for record in records]
        return [
            Query(record["id"], (place,), TypedContext(name, self.by_name[name].side(record)))
            for place, (record, name) in enumerate(zip(records, names, strict=True))
        ]

    def read(self, text: str, side: tuple[str, object]) -> Reading:
        """Read an answer as its kind does."""
        name, known = side
        return self.by_name[name].read(text, known)
