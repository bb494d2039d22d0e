"""How a config's prompts are asked: which wording, how many examples, found how; and what is then sent."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from medzh_score.benchmark.variants import Variants
from medzh_score.messages.errors import MedzhError

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from medzh_score.benchmark.layout import Record


@dataclass(frozen=True)
class Asking:
    """How records are asked.

    Attributes
    ----------
    prompt : Prompt
        The wording.
    shots : int
        How many solved examples stand before each question.
    icl : str
        How the examples are chosen from ``train``; empty without any, or where the wording holds them already.
    tokens : str
        The tokens by which they are found; empty without any.
    train : sequence of dict
        The records to choose from.
    """

    prompt: Prompt
    shots: int = 0
    icl: str = ""
    tokens: str = ""
    train: Sequence[Record] = ()


@dataclass(frozen=True)
class Question:
    """What is sent for one id and variant.

    Attributes
    ----------
    turns : tuple of str
        A conversation: user, assistant, user, …; the last is the user's.
    text : str
        The same for plain completion by base models.
    """

    turns: tuple[str, ...]
    text: str


@dataclass(frozen=True)
class Asker:
    """The prompts of a config, made one at a time.

    Attributes
    ----------
    variants : mapping of str to Variants
        For each id that is prompted, in order, the variants in which it can be asked.
    ask : callable
        From an id and the number of a variant to a `Question`.
    alone : mapping of str to Variants
        Ids that are not prompted but may be: single records of what is prompted as a whole.
    notes : tuple of str
        What the user should know.
    """

    variants: Mapping[str, Variants]
    ask: Callable[[str, int], Question]
    alone: Mapping[str, Variants]
    notes: tuple[str, ...] = ()


def one_a_record(records: Sequence[Record], asking: Asking) -> Asker:
    """Ask each record by itself, in one variant and without examples.

    Parameters
    ----------
    records : sequence of dict
        What is asked about.
    asking : Asking
        The wording; ``shots`` must be 0.

    Raises
    ------
    MedzhError
        If examples are asked for.
    """
    if asking.shots:
        raise MedzhError("this config has no examples", field="--shots", expected="0", found=asking.shots)
    rows = {record["id"]: record for record in records}

    def ask(identifier: str, _variant: int) -> Question:
        turn = asking.prompt.fill(**rows[identifier])
        return Question((turn,), turn + asking.prompt.lead)

    return Asker(dict.fromkeys(rows, Variants()), ask, {})


def with_fields(fields: Callable[[Record], Mapping[str, object]]) -> Callable[[Sequence[Record], Asking], Asker]:
    """Make an asker that asks each record by itself, with a wording of its own.

    Parameters
    ----------
    fields : callable
        From a record to what stands in the fields of the prompt beside, or in the place of, those of the record.

    Examples
    --------
    >>> from medzh_score.benchmark.asking import Prompt
    >>> asker = with_fields(lambda record: {"role": "儿科" if record["age"] < 14 else "内科"})
    >>> asked = asker([{"id": "q1", "age": 3, "question": "怎样退热？"}], Asking(Prompt("p", "{role}：{question}", "")))
    >>> asked.ask("q1", 0).text
    '儿科：怎样退热？'
    """

    def asker(records: Sequence[Record], asking: Asking) -> Asker:
        return one_a_record([{**record, **fields(record)} for record in records], asking)

    return asker


FIELD = re.compile(r"\{(\w+)\}")


@dataclass(frozen=True)
class Prompt:
    """A named prompt.

    Attributes
    ----------
    name : str
        ``paper-1``, ``paper-2`` where a paper prints it, ``medzh-zh-1`` where we wrote it.
    text : str
        The wording, with ``{field}`` where a field of the record goes.
    printed_in : str
        Where the wording stands.
    lead : str
        What leads a base model on to its answer, behind the wording.
    """

    name: str
    text: str
    printed_in: str
    lead: str = ""

    @property
    def fields(self) -> tuple[str, ...]:
        """The fields of the record that the wording names, in its order."""
        return tuple(FIELD.findall(self.text))

    def fill(self, **fields: object) -> str:
        """Put a record's fields into the wording.

        Parameters
        ----------
        **fields : object
            The record; fields that the wording does not name are passed over, and braces inside values stay.

        Returns
        -------
        str
            The prompt as it is sent.

        Examples
        --------
        >>> Prompt("p", "是否正确？{claim}", "here").fill(claim="水{H2O}是药")
        '是否正确？水{H2O}是药'
        """
        return FIELD.sub(lambda name: str(fields[name.group(1)]), self.text)
