"""How a config's prompts are asked: which wording, how many examples, found how; and what is then sent."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from string import ascii_uppercase
from typing import TYPE_CHECKING

from medzh_score.benchmark.variants import Variants
from medzh_score.ui.errors import MedzhError
from medzh_score.ui.i18n import _
from medzh_score.ui.privacy import quotable

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence

    from medzh_score.benchmark.items import Record
FIELD = re.compile(r"\{(\w+)\}")
LETTERS = ascii_uppercase


@dataclass(frozen=True)
class PromptSettings:
    """The settings of prompts.

    Attributes
    ----------
    prompt : PromptTemplate
        The prompt template.
    shots : int
        The number of few-shot examples before each question.
    shot_selection : str
        The example selection from ``train``; empty without examples, or if the template contains them.
    tokens : str
        The tokenizer of the example selection; empty without one.
    train : sequence of dict
        The records to choose from.
    """

    prompt: PromptTemplate
    shots: int = 0
    shot_selection: str = ""
    tokens: str = ""
    train: Sequence[Record] = ()


@dataclass(frozen=True)
class FilledPrompt:
    """A prompt for one id and option order."""

    turns: tuple[str, ...]  # a conversation: user, assistant, user, …; the last is the user's
    text: str  # the same for plain completion by base models


@dataclass(frozen=True)
class PromptBuilder:
    """Build the prompts of a config, one at a time."""

    variants: Mapping[str, Variants]  # for each id that is prompted, in order, the variants in which it can be asked
    ask: Callable[[str, int], FilledPrompt]  # from an id and the number of a variant to a `FilledPrompt`
    alone: Mapping[str, Variants]  # ids that are not prompted but may be: single records of what is prompted as a whole
    notes: tuple[str, ...] = ()  # what the user should know


def one_a_record(records: Sequence[Record], asking: PromptSettings) -> PromptBuilder:
    """Prompt each record separately, in one option order and without examples.

    Parameters
    ----------
    records : sequence of dict
        The records.
    asking : PromptSettings
        The settings; ``shots`` must be 0.

    Raises
    ------
    MedzhError
        If ``shots`` is not 0.
    """
    if asking.shots:
        raise MedzhError(_("this config has no few-shot examples"), field="--shots", expected="0", found=asking.shots)
    rows = {record["id"]: record for record in records}

    def ask(identifier: str, _variant: int) -> FilledPrompt:
        turn = asking.prompt.fill(**rows[identifier])
        return FilledPrompt((turn,), turn + asking.prompt.completion_prefix)

    return PromptBuilder(dict.fromkeys(rows, Variants()), ask, {})


def with_fields(
    fields: Callable[[Record], Mapping[str, object]],
) -> Callable[[Sequence[Record], PromptSettings], PromptBuilder]:
    """Make a prompt builder that prompts each record separately, with additional fields.

    Parameters
    ----------
    fields : callable
        A function from a record to fields that are added to, or replace, its own.

    Examples
    --------
    >>> from medzh_score.benchmark.prompts import PromptTemplate
    >>> asker = with_fields(lambda record: {"role": "儿科" if record["age"] < 14 else "内科"})
    >>> settings = PromptSettings(PromptTemplate("p", "{role}：{question}", ""))
    >>> asker([{"id": "q1", "age": 3, "question": "怎样退热？"}], settings).ask("q1", 0).text
    '儿科：怎样退热？'
    """

    def asker(records: Sequence[Record], asking: PromptSettings) -> PromptBuilder:
        return one_a_record([{**record, **fields(record)} for record in records], asking)

    return asker


@dataclass(frozen=True)
class PromptTemplate:
    """A named prompt."""

    name: str  # ``paper-1``, ``paper-2`` where a paper prints it, ``medzh-zh-1`` where we wrote it
    text: str  # the wording, with ``{field}`` where a field of the record goes
    printed_in: str  # where the wording stands
    completion_prefix: str = ""  # what leads a base model on to its answer, behind the wording

    @property
    def fields(self) -> tuple[str, ...]:
        """The fields of the record in the template, in order."""
        return tuple(FIELD.findall(self.text))

    def fill(self, **fields: object) -> str:
        """Fill the template with the fields of a record.

        Examples
        --------
        >>> PromptTemplate("p", "是否正确？{claim}", "here").fill(claim="水{H2O}是药")
        '是否正确？水{H2O}是药'
        """
        return FIELD.sub(lambda name: str(fields[name.group(1)]), self.text)


@dataclass(frozen=True)
class Prompting:
    """The prompts of a config: templates, builder and generation settings."""

    templates: tuple[PromptTemplate, ...]  # the first is the default
    # from the records and how they are asked to the prompts
    builder: Callable[[Sequence[Record], PromptSettings], PromptBuilder] = one_a_record
    generation_kwargs: Mapping[str, float] = field(default_factory=dict)  # the paper's settings
    shot_selections: tuple[str, ...] = ()  # how examples can be chosen, the default first; empty without examples
    shots: int = 0  # how many examples stand before each question where ``--shots`` is not given
    permutes_options: bool = False  # whether the options of a question can be shown in other orders


def lettered(options: Sequence[str], order: Iterable[int] | None = None) -> str:
    """Format options with letters, one per line.

    Parameters
    ----------
    options : sequence of str
        At most 26.
    order : iterable of int, optional
        The index of the option at each position.

    Examples
    --------
    >>> print(lettered(["1岁", "2岁"]))
    A. 1岁
    B. 2岁
    """
    places = range(len(options)) if order is None else order
    return "\n".join([f"{LETTERS[position]}. {options[place]}" for position, place in enumerate(places)])


def numbered(letters: Sequence[str]) -> str:
    """Format the answers to the questions of a group.

    Examples
    --------
    >>> numbered("ACB")
    '1.A 2.C 3.B'
    """
    return " ".join(f"{number}.{letter}" for number, letter in enumerate(letters, start=1))


def gold_place(record: Record, letters: str = LETTERS) -> int:
    """Return the index of the correct option of a record; reject a letter that is not an option.

    Examples
    --------
    >>> gold_place({"id": "q1", "options": ["肝", "脾"], "answer": "B"})
    1
    """
    held = letters[: len(record["options"])]
    if len(record["answer"]) != 1 or record["answer"] not in held:
        raise _none_of_its_options(record, " or ".join(held))
    return held.index(record["answer"])


def gold_letters(record: Record, letters: str = LETTERS) -> str:
    """Return the letters of the correct options of a record; reject letters that are not options.

    Examples
    --------
    >>> gold_letters({"id": "q1", "options": ["肝", "脾", "肾"], "answer": "AC"})
    'AC'
    """
    held, answer = letters[: len(record["options"])], str(record["answer"])
    if not answer or [*answer] != sorted({*answer} & {*held}):
        raise _none_of_its_options(record, _("distinct letters from {held}, in alphabetical order", held=held))
    return answer


def _none_of_its_options(record: Record, expected: str) -> MedzhError:
    problem = _("the answer of record {record} is not one of its options", record=quotable(record["id"]))
    return MedzhError(problem, field="answer", expected=expected, found=record["answer"])
