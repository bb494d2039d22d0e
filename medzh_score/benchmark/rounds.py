"""What a config declares of a later round: what is asked about items after the first answers, and of whom."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from decimal import Decimal
from typing import TYPE_CHECKING, Literal

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    import numpy as np
    from numpy.typing import NDArray

    from medzh_score.benchmark.answer_table import AnswerTable
    from medzh_score.benchmark.asking import Prompt
    from medzh_score.benchmark.judgements import Judgements
    from medzh_score.benchmark.layout import Layout, Record

Reader = Callable[[str, Mapping[str, str]], Mapping[str, str] | None]
About = tuple["Sequence[Record]", "Sequence[str]"]  # an item's records, and the texts that are asked about


def nothing_more(_asked: Iterable[About]) -> tuple[str, ...]:
    """Say nothing beside how many are asked."""
    return ()


@dataclass(frozen=True)
class Respondent:
    """A model that answers a later round: how it is asked, how its text is read, and which model it is.

    Attributes
    ----------
    prompts : tuple of Prompt
        The first is the default; their fields are columns of the round's context.
    read : callable
        From a text and the context that it answers to a value for each column of the round, or None: the text is
        unreadable, which is never a value.
    decoding : mapping
        The settings that prompts carry.
    same : bool
        Whether it must be the very model that gave the first answers. Then what it says is its own second answer, not
        a judgement: every first answer is asked about, none is drawn, and what does not come back is a missing
        prediction.
    """

    prompts: tuple[Prompt, ...]
    read: Reader
    decoding: Mapping[str, float] = field(default_factory=dict)
    same: bool = False


@dataclass(frozen=True)
class Round:
    """A question that is asked about items after the first answers, of a person or of a model.

    Attributes
    ----------
    name : str
        As in ``--round NAME``.
    summary : str
        One sentence on what is asked.
    values : mapping of str to tuple of str or Between
        The columns to be filled in, each with the values that it may hold, none of them where it may hold any text, or
        with the range of its number.
    eligible : callable
        From the layout and an `AnswerTable` to an array of bool, shape (items, runs): which answers are really asked
        about, of those that are due. Of a round about records it is not called: it asks about all of them.
    context : callable
        From an item's records and its texts to the read-only columns of its row; no texts where the round is about
        records.
    sample : int or None
        How many are drawn where ``--sample`` is not given; None is all.
    columns : tuple of int
        The statistics in which a judged item is counted, one of them once.
    about : {"answers", "records"}
        Whether it asks about what a model answered, or about the records alone: then one value serves all runs.
    model : Respondent or None
        The model that answers it; None where only a person can.
    strata : str or None
        The breakdown over whose groups a sample is spread evenly.
    many : bool
        Whether several people and models are asked the same: what each said stands side by side, under its name, and a
        later file replaces what the same source said before. Otherwise it replaces whatever was said.
    blind : bool
        Whether a person is not to know which run, and so which model, an answer is of: rows are shuffled, and a code
        stands in the place of the run.
    unshown : tuple of str
        Columns of the context that judges' prompts are made of and sheets do not show.
    pool : callable or None
        From the layout and an `AnswerTable` to an array of bool, shape (items, runs): from what a sample is drawn, be
        it asked about or not. None is everything: then what a model left empty changes no draw.
    worst : bool
        Whether there is a worst value, with which what is due and lacks counts where missing is wrong.
    in_force : callable or None
        Of a round about records: from the layout and the judgements by round to the values of each item that count,
        whether they came back or stand in the records.
    signed_by : callable or None
        From what came back to who judged, as it is signed, where that is not all whose values stand: who is asked only
        where others dispute follows from the answers.
    keyed : {"item", "prediction"}
        What a value is of: an item and run, or a single prediction, by record, run and variant. What is asked about
        predictions follows from the config's `Reads`; ``eligible`` and ``context`` are not called.
    account : callable
        From the records and texts of all that is asked about now to what the user should know of them, a sentence
        each.
    """

    name: str
    summary: str
    values: Mapping[str, Allowed]
    eligible: Callable[[Layout, AnswerTable], NDArray[np.bool_]]
    context: Callable[[Sequence[Record], Sequence[str]], Mapping[str, str]]
    sample: int | None
    columns: tuple[int, ...]
    about: Literal["answers", "records"] = "answers"
    model: Respondent | None = None
    strata: str | None = None
    many: bool = False
    blind: bool = False
    unshown: tuple[str, ...] = ()
    pool: Callable[[Layout, AnswerTable], NDArray[np.bool_]] | None = None
    worst: bool = True
    in_force: Callable[[Layout, Mapping[str, Judgements]], Sequence[Sequence[str]]] | None = None
    signed_by: Callable[[Judgements], Sequence[str]] | None = None
    keyed: Literal["item", "prediction"] = "item"
    account: Callable[[Iterable[About]], Sequence[str]] = nothing_more

    @property
    def of_same_model(self) -> bool:
        """Whether the model that gave the first answers must answer it."""
        return self.model is not None and self.model.same

    @property
    def answered_by(self) -> str:
        """Who answers it, in words."""
        if self.model is None:
            return "a person"
        return "the model that gave the first answers" if self.model.same else "a judge model"


# Digits and a point: no sign, exponent, percent or comma, of which each rater would mean another thing.
NUMBER = re.compile(r"(?:0|[1-9][0-9]{0,8})(?:\.[0-9]{1,18})?|\.[0-9]{1,18}")
_WIDE = str.maketrans("０１２３４５６７８９．", "0123456789.")


@dataclass(frozen=True, slots=True)
class Between:
    """The numbers that a column may hold.

    Attributes
    ----------
    low, high : int
        Both ends belong to the range.
    """

    low: int
    high: int

    def read(self, written: str) -> str | None:
        """Read a number that a person or a judge wrote.

        Parameters
        ----------
        written : str
            Full-width digits and points are those of half width.

        Returns
        -------
        str or None
            The number in its shortest decimal form, so that equal ones are equal texts; None where this is no number
            in plain decimal notation, or one outside the range. ``75%`` is none: whether ``1%`` means one percent or
            one must not be guessed.

        Examples
        --------
        >>> [Between(0, 1).read(text) for text in ("0.750", ".75", "１", "75%", "1.5")]
        ['0.75', '0.75', '1', None, None]
        """
        plain = written.translate(_WIDE)
        if not NUMBER.fullmatch(plain):
            return None
        number = Decimal(plain)
        if not self.low <= number <= self.high:
            return None
        shortest = f"{number:f}"
        return shortest.rstrip("0").removesuffix(".") if "." in shortest else shortest

    def __str__(self) -> str:
        """Say what is expected."""
        return f"a number from {self.low} to {self.high}, such as {self.low} or .5"


Allowed = tuple[str, ...] | Between


def expected(allowed: Allowed) -> str:
    """Say what a column may hold, for messages; no values are any text.

    Examples
    --------
    >>> expected(("yes", "no")), expected(())
    ('yes or no', 'a text')
    """
    return str(allowed) if isinstance(allowed, Between) else " or ".join(allowed) or "a text"
