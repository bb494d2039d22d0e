"""Questions that files hold beside answers, compared with what was to be asked: what is signed of prompts follows."""

from __future__ import annotations

import hashlib
import re
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import TYPE_CHECKING, NamedTuple

from medzh_score.benchmark.prompts import PromptSettings
from medzh_score.data.integrity import canonical
from medzh_score.data.records import laid_out, records_of
from medzh_score.prompting.positions import plain
from medzh_score.prompting.sent import UNKNOWN, sent_lines, written_generation, written_system
from medzh_score.prompting.write import ROLES, SYSTEM, our_settings
from medzh_score.readers.align import can_be_shuffled
from medzh_score.readers.prediction import Prediction, Shuffled, WithQuestion
from medzh_score.ui.errors import MedzhError, shown
from medzh_score.ui.i18n import _

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence
    from pathlib import Path

    from medzh_score.benchmark.config import Config
    from medzh_score.benchmark.items import Query
    from medzh_score.benchmark.prompts import PromptBuilder
    from medzh_score.data.records import Records
    from medzh_score.prompting.sent import SentPrompt
    from medzh_score.readers.prediction import Orders, StoredQuestion

    Block = list[str]


DIGITS = 8
# What chat templates put around messages: tokens, and the names of roles.
TOKEN = re.compile(r"<[|｜][^<>]{1,30}[|｜]>|</?(?:s|bos|eos|start_of_turn|end_of_turn)>|\[/?INST\]|<</?SYS>>")
ROLE = re.compile(r"system|user|assistant|human|bot|model|[\s:：]", re.IGNORECASE)
# A chat turn that was sent without a chat template is neither a conversation nor the text form of the prompt.
CHAT, TEXT, TURN_AS_TEXT, LIKELIHOOD = "chat", "text", "chat turn as text", "likelihood"
# What tools call settings of ours.
SETTINGS = {"max_gen_toks": "max_new_tokens"}


class Expected(NamedTuple):
    """A question that was to be asked: its prompt, as a conversation, as text, or as either."""

    prompt: str
    turns: tuple[str, ...]
    text: str | None
    system: str | None = None


@dataclass
class SeenQuestions:
    """What was seen of the questions of all files: each sort once, however often files are read."""

    prompts: set[str] | None = None  # that fit all questions so far
    forms: set[str] = field(default_factory=set)
    systems: set[str] = field(default_factory=set)
    settings: set[str] = field(default_factory=set)
    modified: set[str] = field(default_factory=set)  # digests of what was asked otherwise


class AskedQuestions:
    """The questions of a config: those of the prompts files that were sent, or else by each of its prompts."""

    def __init__(self, config: Config, data: str | Path | Records, prompts: Sequence[Path] = ()) -> None:
        self._config, self._data, self._prompts = config, data, prompts
        self.compared = SeenQuestions()
        self.unasked = False  # whether some answers came without their questions

    @cached_property
    def _records(self) -> Records:
        return records_of(self._config, self._data)

    @cached_property
    def _asked(self) -> Mapping[str, Query]:
        return {one.id: one for one in self._config.queries(self._records.rows, laid_out(self._config, self._records))}

    @cached_property
    def _sent(self) -> Mapping[tuple[str, int], Expected]:
        return {
            (line.id, line.variant): Expected("", line.turns or (line.text or "",), line.text, line.system)
            for path in self._prompts
            for _unused, line in sent_lines(path, self._config.prompting.generation_kwargs)
        }

    @cached_property
    def _askers(self) -> Mapping[str, PromptBuilder]:
        rows = self._records.rows
        return {
            prompt.name: self._config.prompting.builder(rows, PromptSettings(prompt))
            for prompt in self._config.prompting.templates
        }

    @cached_property
    def _ids(self) -> Mapping[str, str]:
        if self._prompts:
            return {plain(one.turns[-1]): identifier for (identifier, _unused), one in self._sent.items()}
        return {
            plain(asker.ask(identifier, 0).turns[-1]): identifier
            for asker in self._askers.values()
            for identifier in asker.variants
        }

    def _of(self, identifier: str, variant: int) -> list[Expected]:
        """List what may have been asked of an id in a variant; nothing of one that is not known."""
        if self._prompts:
            return [self._sent[identifier, variant]] if (identifier, variant) in self._sent else []
        found = []
        for name, asker in self._askers.items():
            variants = asker.variants.get(identifier) or asker.alone.get(identifier)
            if variants is not None and variant in variants.numbers:
                question = asker.ask(identifier, variant)
                found.append(Expected(name, question.turns, question.text))
        return found

    def text_of(self, identifier: str, variant: int) -> str | None:
        """Give the messages that were sent or, where no file has them, would be, a line break between them.

        None where something else was sent, or the records cannot fill the prompt.
        """
        seen = self.compared
        try:
            known = self._of(identifier, variant)
        except LookupError:
            return None
        fitting = [one for one in known if seen.prompts is None or one.prompt in seen.prompts]
        if seen.modified or not fitting:
            return None
        return "\n".join([*([fitting[0].system] if fitting[0].system else []), *fitting[0].turns])

    def fits(self, one: Prediction) -> bool:
        """Say whether an answer is to what was to be asked, as far as its file says it."""
        expected = self._of(one.id, one.variant)
        if not (expected and isinstance(one, WithQuestion) and one.question is not None):
            return True
        return any(_form(one.question, known) is not None for known in expected)

    def passing(self, predictions: Iterable[tuple[int, Prediction]], path: Path) -> Iterator[tuple[int, Prediction]]:
        """Let predictions pass, each compared with what was to be asked."""
        for number, one in predictions:
            if not isinstance(one, WithQuestion) or one.question is None:
                self.unasked = True
                yield number, one
                continue
            expected = self._of(one.id, one.variant)
            orders = self._take(one.question, expected, one, path, number) if expected else None
            text = one.prediction if orders is None else Shuffled(one.prediction, orders)
            fields = {name: getattr(one, name) for name in Prediction.__struct_fields__}
            yield number, Prediction(**{**fields, "prediction": text})

    def _take(
        self, question: StoredQuestion, expected: Sequence[Expected], one: Prediction, path: Path, number: int
    ) -> Orders | None:
        """Note how a question was asked; give the order of its options where it is not the record's."""
        seen = self.compared
        fits = {known.prompt: form for known in expected if (form := _form(question, known)) is not None}
        system = _system(question)
        seen.settings.add(self._written(question))
        seen.systems.add(written_system(system))
        seen.prompts = {*fits} if seen.prompts is None else seen.prompts & {*fits}
        if fits:
            seen.forms.add(LIKELIHOOD if question.likelihood else next(iter(fits.values())))
            return None
        (role, content), *_unused = question.messages
        seen.forms.add(LIKELIHOOD if question.likelihood else CHAT if role or TOKEN.search(content) else TEXT)
        seen.modified.add(self._template(question, expected, one.id))
        last = expected[0].turns[-1]
        if plain(last) in plain(question.messages[-1][1]):
            return None
        asked = question.messages[-1][1]
        if (other := self._ids.get(plain(asked))) is not None:
            raise MedzhError(
                _("the question belongs to {other}, but the id is {id}", other=shown(other), id=shown(one.id)),
                file=path,
                line=number,
                expected=shown(last),
                found=asked,
                advice=_("configure the tool to keep each id with its question"),
            )
        return self._orders(asked, last, one, path, number)

    def _orders(self, asked: str, prompt: str, one: Prediction, path: Path, number: int) -> Orders | None:
        orders = order_shown(asked, prompt)
        if orders is None or (isinstance(orders, tuple) and all(order == (*range(len(order)),) for order in orders)):
            return None
        known = self._asked[one.id]
        mapped = isinstance(orders, tuple) and len(orders) == len(known.members) and can_be_shuffled(known.context)
        if isinstance(orders, tuple) and mapped and not one.variant:
            return orders
        raise MedzhError(
            _(
                "the options shown for {id} do not belong to it, or their order cannot be mapped back",
                id=shown(one.id),
            ),
            file=path,
            line=number,
            expected=shown(written_options(prompt)),
            found=orders if isinstance(orders, str) else written_options(asked),
            advice=_(
                "specify the data and the prompts that were sent, and configure the tool to keep the option order"
            ),
        )

    def _template(self, question: StoredQuestion, expected: Sequence[Expected], identifier: str) -> str:
        """Give a digest of how a question was asked, without what belongs to the one record."""
        turns = [turn for one in expected for turn in (*one.turns, *([one.text] if one.text else [])) if turn.strip()]
        rows = [self._records.rows[member] for member in self._asked[identifier].members]
        fields = {text for row in rows for value in row.values() for text in _texts(value)}
        wanted = [*sorted(map(plain, turns), key=len, reverse=True), *sorted(fields, key=len, reverse=True)]
        messages = []
        for role, content in question.messages:
            text = plain(content)
            for one in wanted:
                text = text.replace(one, "{}")
            messages.append((role, text))
        return hashlib.sha256(canonical(messages).encode("utf-8")).hexdigest()

    def _written(self, question: StoredQuestion) -> str:
        stated = {SETTINGS.get(name, name): value for name, value in (question.settings or {}).items()}
        return written_generation(our_settings(stated, self._config.prompting.generation_kwargs))

    def signed(self, sent: SentPrompt) -> SentPrompt:
        """Say what was sent, as far as the files' own questions and the prompts file show it."""
        seen = self.compared
        if seen.prompts is None or (self.unasked and not seen.modified and not self._prompts):
            return sent
        settings = next(iter(seen.settings)) if len(seen.settings) == 1 else UNKNOWN
        form = next(iter(seen.forms)) if len(seen.forms) == 1 else UNKNOWN
        system = next(iter(seen.systems)) if len(seen.systems) == 1 else ""
        one_way = len(seen.forms) == len(seen.systems) == 1
        if seen.prompts and not seen.modified and one_way:
            (name, *_unused) = (
                one for one in ("", *(one.name for one in self._config.prompting.templates)) if one in seen.prompts
            )
            known = replace(sent, form=form, generation=settings, system=system)
            return known if self._prompts else replace(known, prompt=name, shots="0")
        ways = sorted({*seen.modified, *(seen.prompts or ()), *seen.systems, *seen.forms})
        digest = hashlib.sha256(canonical(ways).encode("utf-8")).hexdigest()[:DIGITS]
        return replace(sent, prompt=f"modified({digest})", form=form, generation=settings, system=system)


def _form(question: StoredQuestion, known: Expected) -> str | None:
    (role, content), *_unused = question.messages
    if not role:
        text = plain(content)
        for form, whole in ((TEXT, known.text), (TURN_AS_TEXT, "\n".join(known.turns))):
            if known.system is None and whole is not None and text == plain(whole):
                # Of likelihoods one form is signed: of the text that is known.
                return None if question.likelihood and form == TURN_AS_TEXT else form
        return CHAT if _is_marked(text, known) else None
    turns = [(role, plain(content)) for role, content in question.messages if role != SYSTEM]
    wanted = [(ROLES[place % 2], plain(turn)) for place, turn in enumerate(known.turns)]
    return CHAT if turns == wanted and _system(question) == known.system else None


def _is_marked(text: str, known: Expected) -> bool:
    """Say whether a text is a conversation with the marks of a chat template, and nothing else."""
    rest = []
    for turn in (*([known.system] if known.system else []), *known.turns):
        before, found, text = text.partition(plain(turn))
        if not found:
            return False
        rest.append(before)
    marks = "\n".join([*rest, text])
    return TOKEN.search(marks) is not None and not ROLE.sub("", TOKEN.sub("", marks))


def _system(question: StoredQuestion) -> str | None:
    found = [content for role, content in question.messages if role == SYSTEM]
    return "\n".join(found) if found else None


def _texts(value: object) -> Iterator[str]:
    if isinstance(value, str) and len(value) > 1:
        yield plain(value)
    elif isinstance(value, list):
        for one in value:
            yield from _texts(one)


LINE = re.compile(r"[ \t]*[（(\[]?([A-Z])(?:[)）\].．、:：]+|[ \t])[ \t]*(\S.*)")
INLINE = re.compile(r"(?<![A-Za-z])[（(\[]?([A-Z])[)）\].．、:：]+[ \t]*")
LEAST = 2  # options of a question


def blocks_of(text: str) -> list[Block]:
    r"""Find the options that a text shows, a line each or one after the other on a line, question by question."""
    found: list[Block] = []
    going_on = False
    for line in text.splitlines():
        label = LINE.fullmatch(line)
        if label is None:
            going_on = going_on and not line.strip()
        elif label[1] == "A":
            found.append([_plain_option(label[2])])
            going_on = True
        elif going_on and ord(label[1]) - ord("A") == len(found[-1]):
            found[-1].append(_plain_option(label[2]))
    blocks = [block for block in found if len(block) >= LEAST]
    return blocks or [block for line in text.splitlines() if len(block := _inline(line)) >= LEAST and all(block)]


def written_options(text: str) -> str:
    r"""Write the options that a text shows, for a message."""
    return " / ".join(option for block in blocks_of(text) for option in block)


def _inline(line: str) -> Block:
    labels: list[re.Match[str]] = []
    for label in INLINE.finditer(line):
        if ord(label[1]) - ord("A") == len(labels):
            labels.append(label)
    ends = [label.start() for label in labels[1:]] + [len(line)] * bool(labels)
    return [_plain_option(line[label.end() : end]).rstrip("；;，,") for label, end in zip(labels, ends, strict=True)]


def _plain_option(option: str) -> str:
    return " ".join(option.split())


def order_shown(asked: str, prompt: str) -> Orders | str | None:
    r"""Say in which order a question shows the options of a prompt; a text of what it shows where they are others.

    None where it shows none of them with letters, or the prompt has none.
    """
    own, shown = blocks_of(prompt), blocks_of(asked)
    if not own:
        return None
    for start in range(len(shown) - len(own), -1, -1):
        orders = [_order(one, block) for one, block in zip(own, shown[start:], strict=False)]
        if all(orders):
            return tuple(order for order in orders if order)
    return written_options(asked) if shown else None


def _order(own: Block, shown: Sequence[str]) -> tuple[int, ...] | None:
    """Give for each place the option of the record that is shown there; of equal ones the first."""
    if sorted(own) != sorted(shown):
        return None
    left = list(enumerate(own))
    order = []
    for text in shown:
        one = next(one for one in left if one[1] == text)
        left.remove(one)
        order.append(one[0])
    return tuple(order)
