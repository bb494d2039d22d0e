"""What was sent to the model, read back from the prompts file: it enters the signature."""

from __future__ import annotations

import hashlib
import json
import re
from dataclasses import dataclass, field
from functools import cache
from itertools import product
from typing import TYPE_CHECKING, Annotated, Any

import msgspec

from medzh_score.benchmark.prompts import PromptSettings
from medzh_score.io.jsonl import decoded, numbered_lines
from medzh_score.io.open_input import InputFile
from medzh_score.prompting.ids import split_id
from medzh_score.prompting.write import ROLES, SYSTEM, our_settings
from medzh_score.text.tokens import TOKENS
from medzh_score.ui.errors import MedzhError
from medzh_score.ui.i18n import _
from medzh_score.ui.privacy import quotable

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence
    from pathlib import Path

    from medzh_score.benchmark.config import Config
    from medzh_score.benchmark.items import Record
    from medzh_score.benchmark.prompts import FilledPrompt, PromptBuilder
    from medzh_score.benchmark.variants import Variants
    from medzh_score.data.records import Records


UNKNOWN = "unknown"
NAME = re.compile(r"\w+")


@dataclass(frozen=True)
class SentPrompt:
    """What a prompts file says, as the signature writes it, and which variants it asks; None without a file.

    Of a system message, empty where there is none, the signature has a digest.
    """

    prompt: str
    form: str
    shots: str
    generation: str
    system: str = ""
    variants: Mapping[Variants, set[int]] | None = field(default=None, compare=False)


UNKNOWN_PROMPT = SentPrompt(UNKNOWN, UNKNOWN, UNKNOWN, UNKNOWN)


@dataclass(frozen=True)
class Settings:
    """With what prompts can have been made: the names of the wording, the choice of examples and the tokens."""

    prompt: str
    shots: int
    shot_selection: str = ""
    tokens: str = ""


def written_generation(generation: Mapping[str, object]) -> str:
    """Write decoding settings for the signature, in alphabetical order."""
    names = {
        name: name if NAME.fullmatch(name) else json.dumps(name, ensure_ascii=False) for name in sorted(generation)
    }
    return ",".join(f"{shown}={_written(generation[name])}" for name, shown in names.items()) or UNKNOWN


def written_system(system: str | None) -> str:
    """Write a system message for the signature: as a digest, for it may be long."""
    return "" if system is None else f"sha256 {hashlib.sha256(system.encode('utf-8')).hexdigest()[:8]}"


def written_asking(prompt: str, line: SentLine) -> str:
    """Write how a later round was asked: with which prompt and settings, and behind which system message."""
    system = f" system {written_system(line.system)}" if line.system is not None else ""
    return f"{prompt} {written_generation(line.generation)}{system}"


def _written(value: object) -> str:
    """Write a number or truth value as it is, and what could be taken for one, or for another setting, as JSON."""
    plain = _whole(value)
    if isinstance(plain, dict | list | str):
        return json.dumps(plain, ensure_ascii=False, sort_keys=True, separators=(",", ":"))
    return str(plain)


def _whole(value: object) -> object:
    if isinstance(value, dict):
        return {name: _whole(one) for name, one in value.items()}
    if isinstance(value, list):
        return [_whole(one) for one in value]
    return int(value) if isinstance(value, float) and value.is_integer() else value


def written_shots(settings: Settings) -> str:
    """Write the examples for the signature."""
    from medzh_score.text.bm25 import NAME

    return f"{settings.shots} (icl {settings.shot_selection}, {NAME}, {settings.tokens})" if settings.shots else "0"


def sent_prompt(
    paths: Sequence[Path], config: Config, records: Records, train: Callable[[], Sequence[Record]]
) -> SentPrompt:
    """Read which prompt, examples and settings a prompts file holds, and check that it holds just these.

    Of what the lines name; where they name nothing, as in a batch file, of the first wording, choice of examples and
    tokens that make all of them.
    """
    askers = _askers(config, records.rows, train)
    plain = askers(Settings(config.prompting.templates[0].name, 0))
    first: SentLine | None = None
    fitting: list[Settings] = []
    seen: dict[str, set[int]] = {}
    lines = (
        (path, number, line) for path in paths for number, line in sent_lines(path, config.prompting.generation_kwargs)
    )
    for path, number, line in lines:
        if first is None:
            first, fitting = line, _possible(line, config, path, number)
        refuse_other_settings(line, first, path, number)
        if line.form != first.form:
            raise MedzhError(
                _(
                    "the prompt format differs from that of the previous lines, so the model receives a different "
                    "input for the same prompt"
                ),
                file=path,
                line=number,
                field="messages or text",
                expected=first.form,
                found=line.form,
                advice=_("score the predictions of each prompt format separately"),
            )
        _check_known(line, plain, path, number)
        seen.setdefault(line.id, set()).add(line.variant)
        fitting = _fitting(line, fitting, askers, path, number)
    named = ", ".join(str(path) for path in paths)
    if first is None:
        raise MedzhError(_("the file contains no prompts"), file=named)
    _check_all(seen, plain, config, records, named)
    _check_alike(seen, plain, named)
    asked = {(plain.variants.get(name) or plain.alone[name]): numbers for name, numbers in seen.items()}
    shots, generation = written_shots(fitting[0]), written_generation(first.generation)
    return SentPrompt(fitting[0].prompt, first.form, shots, generation, written_system(first.system), asked)


def _askers(
    config: Config, records: Sequence[Record], train: Callable[[], Sequence[Record]]
) -> Callable[[Settings], PromptBuilder]:
    """Make the function that gives the prompts of some settings; the train split is loaded once, if at all."""
    examples = cache(train)
    prompts = {prompt.name: prompt for prompt in config.prompting.templates}
    tokens = {str(named): named.name for named in TOKENS}

    @cache
    def asker(settings: Settings) -> PromptBuilder:
        prompt = prompts[settings.prompt]
        if not settings.shots:
            return config.prompting.builder(records, PromptSettings(prompt))
        asking = PromptSettings(prompt, settings.shots, settings.shot_selection, tokens[settings.tokens], examples())
        return config.prompting.builder(records, asking)

    return asker


def _possible(line: SentLine, config: Config, path: Path, number: int) -> list[Settings]:
    """List with what a file's prompts can have been made, judging by what its first line names."""
    counts = {config.prompting.shots, 0} if line.turns is None else {len(line.turns) // 2}
    known = {
        "prompt": [prompt.name for prompt in config.prompting.templates],
        "shot_selection": list(config.prompting.shot_selections),
        "tokens": [str(tokens) for tokens in TOKENS],
    }
    for name, choice in known.items():
        stated = line.named.get(name)
        if stated is not None and stated not in choice:
            expected = ", ".join(choice) or "none"
            raise MedzhError(_("invalid value"), file=path, line=number, field=name, expected=expected, found=stated)
    choices = {name: [line.named[name]] if name in line.named else choice for name, choice in known.items()}
    shots = [line.named["shots"]] if "shots" in line.named else sorted(counts, reverse=True)
    if not config.prompting.shot_selections and any(shots):
        raise MedzhError(_("invalid value"), file=path, line=number, field="shots", expected="0", found=max(shots))
    with_examples = [count for count in shots if count]
    return [
        *(
            Settings(*one)
            for one in product(choices["prompt"], with_examples, choices["shot_selection"], choices["tokens"])
        ),
        *(Settings(prompt, 0) for prompt in choices["prompt"] if 0 in shots),
    ]


def _fitting(
    line: SentLine, settings: list[Settings], askers: Callable[[Settings], PromptBuilder], path: Path, number: int
) -> list[Settings]:
    found = [one for one in settings if line.is_of(askers(one).ask(line.id, line.variant))]
    if not found:
        raise MedzhError(
            _("the text matches no prompt for this id, option order and examples"),
            file=path,
            line=number,
            expected=", ".join(dict.fromkeys(one.prompt for one in settings)),
            found=(line.text or (line.turns or ("",))[-1])[:40],
        )
    return found


def _check_known(line: SentLine, plain: PromptBuilder, path: Path, number: int) -> None:
    variants = plain.variants.get(line.id) or plain.alone.get(line.id)
    if variants is None:
        raise MedzhError(_("no record has this id"), file=path, line=number, field="id", found=line.id)
    if line.variant not in variants.numbers:
        raise MedzhError(
            _("the option order does not exist"),
            file=path,
            line=number,
            field="variant",
            expected=_("one of the {variants}", variants=str(variants)),
            found=line.variant,
        )


def _check_all(
    seen: Mapping[str, set[int]], plain: PromptBuilder, config: Config, records: Records, named: str
) -> None:
    """Refuse files that lack a prompt, or asks a group both as a whole and in its parts."""
    wanted = set(plain.variants)
    if not seen.keys().isdisjoint(plain.alone):
        parts = config.queries(records.rows, config.layout(records.rows))
        wanted = (wanted | plain.alone.keys()) - {one.part_of for one in parts}
    lacking = wanted - seen.keys()
    if lacking:
        raise MedzhError(
            _("prompts for {n_lacking} of {n_wanted} ids are missing", n_lacking=len(lacking), n_wanted=len(wanted)),
            file=named,
            found=min(lacking),
            advice=_("pass the complete file, or all files that it was split into"),
        )
    twice = seen.keys() - wanted
    if twice:
        raise MedzhError(
            _("the file queries a question group both in one prompt and in separate prompts"),
            file=named,
            found=min(twice),
        )


def _check_alike(seen: Mapping[str, set[int]], plain: PromptBuilder, named: str) -> None:
    first: dict[Variants, str] = {}
    for identifier, numbers in seen.items():
        variants = plain.variants.get(identifier) or plain.alone[identifier]
        other = first.setdefault(variants, identifier)
        if seen[other] != numbers:
            missing = _("{count} differ", count=len(seen[other] ^ numbers))
            raise MedzhError(
                _(
                    "the prompts of two ids with {variants} have different option orders: {missing}",
                    variants=str(variants),
                    missing=missing,
                ),
                file=named,
                expected=_("the option orders of {other}", other=other),
                found=identifier,
                advice=_("pass the complete file"),
            )


class SentMessage(msgspec.Struct):
    """A message of a conversation."""

    role: str
    content: str


class SentRequest(msgspec.Struct):
    """A line of a batch file, which names neither prompt nor examples."""

    custom_id: str
    body: dict[str, Any]


class SentFields(msgspec.Struct):
    """A prompt line."""

    id: str
    run: Annotated[int, msgspec.Meta(ge=0)] = 0
    variant: Annotated[int, msgspec.Meta(ge=0)] = 0
    messages: list[SentMessage] = []
    text: str | None = None
    prompt: str | None = None
    shots: Any = None
    shot_selection: str | None = None
    tokens: str | None = None
    generation: dict[str, Any] | None = None
    extra_body: dict[str, Any] | None = None


NAMED = ("prompt", "shots", "shot_selection", "tokens")


@dataclass(frozen=True)
class SentLine:
    """One line: a conversation, be it behind a system message, or a plain text.

    In a later round the run is that which the line asks about. A batch line names neither prompt nor examples.
    """

    id: str
    run: int
    variant: int
    turns: tuple[str, ...] | None
    text: str | None
    named: Mapping[str, Any]
    generation: Mapping[str, Any]
    system: str | None = None

    @property
    def form(self) -> str:
        """How it was sent: as a conversation, or as text to go on with."""
        return "text" if self.turns is None else "chat"

    def is_of(self, question: FilledPrompt) -> bool:
        """Say whether this is what was to be sent."""
        return self.text == question.text if self.turns is None else self.turns == question.turns


def sent_lines(path: Path, generation: Mapping[str, float]) -> Iterator[tuple[int, SentLine]]:
    """Read a prompts file."""
    decoder = msgspec.json.Decoder(dict[str, Any])
    with InputFile(path) as file:
        for number, raw in numbered_lines(file):
            yield number, _sent(decoded(decoder, raw, file, number), path, number, generation)


def _sent(line: dict[str, Any], path: Path, number: int, generation: Mapping[str, float]) -> SentLine:
    try:
        sent = _of_request(line, generation) if "custom_id" in line else _of_fields(line)
    except (msgspec.ValidationError, LookupError, ValueError) as error:
        problem, expected = _("invalid line in a prompts file"), _("a line written by medzh-score prompts")
        raise MedzhError(problem, file=path, line=number, expected=expected) from error
    shots = sent.named.get("shots", 0)
    if not isinstance(shots, int) or isinstance(shots, bool) or shots < 0:
        raise MedzhError(
            _("invalid value"), file=path, line=number, field="shots", expected=_("an integer"), found=shots
        )
    return sent


def _of_request(line: dict[str, Any], generation: Mapping[str, float]) -> SentLine:
    request = msgspec.convert(line, SentRequest)
    settings = {name: value for name, value in request.body.items() if name not in {"model", "messages"}}
    system, turns = _conversation(msgspec.convert(request.body["messages"], list[SentMessage]))
    return SentLine(*split_id(request.custom_id), turns, None, {}, our_settings(settings, generation), system)


def _of_fields(line: dict[str, Any]) -> SentLine:
    fields = msgspec.convert(line, SentFields)
    system, turns = _conversation(fields.messages) if fields.text is None else (None, None)
    named = {name: value for name in NAMED if (value := getattr(fields, name)) is not None}
    settings, extra = fields.generation or {}, fields.extra_body or {}
    if settings.keys() & extra.keys():  # of two values of a setting nobody knows which was heeded
        raise ValueError(line)
    return SentLine(fields.id, fields.run, fields.variant, turns, fields.text, named, {**settings, **extra}, system)


def refuse_other_settings(line: SentLine, first: SentLine, path: Path, number: int) -> None:
    """Refuse a line that names another prompt, other examples or another decoding than the first one."""
    here, before = _settings(line), _settings(first)
    for name in sorted({*here, *before}):
        if here.get(name) != before.get(name):
            raise MedzhError(
                _("the value differs from that in the previous lines"),
                file=path,
                line=number,
                field=name,
                expected=quotable(before.get(name, "nothing")),
                found=here.get(name),
                advice=_("score the predictions of each setting separately"),
            )


def _settings(line: SentLine) -> dict[str, Any]:
    system = {} if line.system is None else {SYSTEM: line.system}
    return {**line.named, **system, **{f"generation.{name}": value for name, value in line.generation.items()}}


def _conversation(messages: list[SentMessage]) -> tuple[str | None, tuple[str, ...]]:
    """Take the texts of a conversation, and of a system message before it, which is no part of the prompt."""
    system = messages[0].content if messages[0].role == SYSTEM else None
    turns = messages if system is None else messages[1:]
    if len(turns) % 2 == 0 or [turn.role for turn in turns] != [ROLES[place % 2] for place in range(len(turns))]:
        raise ValueError(messages)
    return system, tuple(turn.content for turn in turns)
