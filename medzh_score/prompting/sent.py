"""What was sent to the model, read back from the prompts file: it enters the signature."""

from __future__ import annotations

import hashlib
import json
import re
from dataclasses import dataclass, field
from functools import cache
from itertools import product
from typing import TYPE_CHECKING, Any

import msgspec

from medzh_score.benchmark.prompts import PromptSettings
from medzh_score.io.jsonl import decoded, numbered_lines
from medzh_score.io.open_input import InputFile
from medzh_score.prompting.ids import PROMPT_ID
from medzh_score.prompting.write import EXTRA, ROLES, SYSTEM, our_settings
from medzh_score.text.tokens import TOKENS
from medzh_score.ui.errors import MedzhError
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
    decoding: str
    system: str = ""
    variants: Mapping[Variants, set[int]] | None = field(default=None, compare=False)


UNKNOWN_PROMPT = SentPrompt(UNKNOWN, UNKNOWN, UNKNOWN, UNKNOWN)


@dataclass(frozen=True)
class Settings:
    """With what prompts can have been made: the names of the wording, the choice of examples and the tokens."""

    prompt: str
    shots: int
    icl: str = ""
    tokens: str = ""


def written_decoding(decoding: Mapping[str, object]) -> str:
    """Write decoding settings for the signature, in alphabetical order."""
    return ",".join(f"{_name(name)}={_written(decoding[name])}" for name in sorted(decoding)) or UNKNOWN


def written_system(system: str | None) -> str:
    """Write a system message for the signature: as a digest, for it may be long."""
    return "" if system is None else f"sha256 {hashlib.sha256(system.encode('utf-8')).hexdigest()[:8]}"


def written_asking(prompt: str, line: SentLine) -> str:
    """Write how a later round was asked: with which prompt and settings, and behind which system message."""
    system = f" system {written_system(line.system)}" if line.system is not None else ""
    return f"{prompt} {written_decoding(line.decoding)}{system}"


def _name(name: str) -> str:
    return name if NAME.fullmatch(name) else json.dumps(name, ensure_ascii=False)


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

    return f"{settings.shots} (icl {settings.icl}, {NAME}, {settings.tokens})" if settings.shots else "0"


def sent_prompt(
    paths: Sequence[Path], config: Config, records: Records, train: Callable[[], Sequence[Record]]
) -> SentPrompt:
    """Read which prompt, examples and settings a prompts file holds, and check that it holds just these.

    Of what the lines name; where they name nothing, as in a batch file, of the first wording, choice of examples and
    tokens that make all of them.
    """
    askers = _askers(config, records.rows, train)
    plain = askers(Settings(config.prompts[0].name, 0))
    first: SentLine | None = None
    fitting: list[Settings] = []
    seen: dict[str, set[int]] = {}
    for path, number, line in _lines(paths, config):
        if first is None:
            first, fitting = line, _possible(line, config, path, number)
        refuse_other_settings(line, first, path, number)
        if line.form != first.form:
            raise MedzhError(
                "is in another form than the lines before it: the same prompt is then another input",
                file=path,
                line=number,
                field="messages or text",
                expected=first.form,
                found=line.form,
                advice="score what was sent in each form by itself",
            )
        _check_known(line, plain, path, number)
        seen.setdefault(line.id, set()).add(line.variant)
        fitting = _fitting(line, fitting, askers, path, number)
    named = ", ".join(str(path) for path in paths)
    if first is None:
        raise MedzhError("holds no prompts", file=named)
    _check_all(seen, plain, config, records, named)
    _check_alike(seen, plain, named)
    asked = {(plain.variants.get(name) or plain.alone[name]): numbers for name, numbers in seen.items()}
    shots, decoding = written_shots(fitting[0]), written_decoding(first.decoding)
    return SentPrompt(fitting[0].prompt, first.form, shots, decoding, written_system(first.system), asked)


def _lines(paths: Sequence[Path], config: Config) -> Iterator[tuple[Path, int, SentLine]]:
    for path in paths:
        for number, line in sent_lines(path, config.decoding):
            yield path, number, line


def _askers(
    config: Config, records: Sequence[Record], train: Callable[[], Sequence[Record]]
) -> Callable[[Settings], PromptBuilder]:
    """Make the function that gives the prompts of some settings; the train split is loaded once, if at all."""
    examples = cache(train)
    prompts = {prompt.name: prompt for prompt in config.prompts}
    tokens = {str(named): named.name for named in TOKENS}

    @cache
    def asker(settings: Settings) -> PromptBuilder:
        prompt = prompts[settings.prompt]
        if not settings.shots:
            return config.asker(records, PromptSettings(prompt))
        asking = PromptSettings(prompt, settings.shots, settings.icl, tokens[settings.tokens], examples())
        return config.asker(records, asking)

    return asker


def _possible(line: SentLine, config: Config, path: Path, number: int) -> list[Settings]:
    """List with what a file's prompts can have been made, judging by what its first line names."""
    counts = {config.shots, 0} if line.turns is None else {len(line.turns) // 2}
    known = {
        "prompt": [prompt.name for prompt in config.prompts],
        "icl": list(config.icl),
        "tokens": [str(tokens) for tokens in TOKENS],
    }
    for name, choice in known.items():
        stated = line.named.get(name)
        if stated is not None and stated not in choice:
            expected = ", ".join(choice) or "none"
            raise MedzhError("is wrong", file=path, line=number, field=name, expected=expected, found=stated)
    choices = {name: [line.named[name]] if name in line.named else choice for name, choice in known.items()}
    shots = [line.named["shots"]] if "shots" in line.named else sorted(counts, reverse=True)
    if not config.icl and any(shots):
        raise MedzhError("is wrong", file=path, line=number, field="shots", expected="0", found=max(shots))
    with_examples = [count for count in shots if count]
    return [
        *(Settings(*one) for one in product(choices["prompt"], with_examples, choices["icl"], choices["tokens"])),
        *(Settings(prompt, 0) for prompt in choices["prompt"] if 0 in shots),
    ]


def _fitting(
    line: SentLine, settings: list[Settings], askers: Callable[[Settings], PromptBuilder], path: Path, number: int
) -> list[Settings]:
    found = [one for one in settings if line.is_of(askers(one).ask(line.id, line.variant))]
    if not found:
        raise MedzhError(
            "is not what the prompt of this name asks about this id, in this variant and with these examples",
            file=path,
            line=number,
            expected=", ".join(dict.fromkeys(one.prompt for one in settings)),
            found=(line.text or (line.turns or ("",))[-1])[:40],
        )
    return found


def _check_known(line: SentLine, plain: PromptBuilder, path: Path, number: int) -> None:
    variants = plain.variants.get(line.id) or plain.alone.get(line.id)
    if variants is None:
        raise MedzhError("no record has this id", file=path, line=number, field="id", found=line.id)
    if line.variant not in variants.numbers:
        raise MedzhError(
            "there is no such variant",
            file=path,
            line=number,
            field="variant",
            expected=f"of {variants}",
            found=line.variant,
        )


def _check_all(
    seen: Mapping[str, set[int]], plain: PromptBuilder, config: Config, records: Records, named: str
) -> None:
    """Refuse files that lack a prompt, or asks a group both as a whole and in its parts."""
    wanted = set(plain.variants)
    if not seen.keys().isdisjoint(plain.alone):
        parts = config.asked(records.rows, config.layout(records.rows))
        wanted = (wanted | plain.alone.keys()) - {one.part_of for one in parts}
    lacking = wanted - seen.keys()
    if lacking:
        raise MedzhError(
            f"holds no prompt for {len(lacking)} of {len(wanted)} ids",
            file=named,
            found=min(lacking),
            advice="name the whole file, or all that it was split into",
        )
    twice = seen.keys() - wanted
    if twice:
        raise MedzhError("asks a group as a whole and in its parts", file=named, found=min(twice))


def _check_alike(seen: Mapping[str, set[int]], plain: PromptBuilder, named: str) -> None:
    first: dict[Variants, str] = {}
    for identifier, numbers in seen.items():
        variants = plain.variants.get(identifier) or plain.alone[identifier]
        other = first.setdefault(variants, identifier)
        if seen[other] != numbers:
            missing = f"{len(seen[other] ^ numbers)} differ"
            raise MedzhError(
                f"asks two ids of {variants} in different ones: {missing}",
                file=named,
                expected=f"the variants of {other}",
                found=identifier,
                advice="name the whole file",
            )


NOT_DECODING = ("model", "messages")
NAMED = ("prompt", "shots", "icl", "tokens")
WORDS = ("prompt", "icl", "tokens")


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
    decoding: Mapping[str, Any]
    system: str | None = None

    @property
    def form(self) -> str:
        """How it was sent: as a conversation, or as text to go on with."""
        return "text" if self.turns is None else "chat"

    def is_of(self, question: FilledPrompt) -> bool:
        """Say whether this is what was to be sent."""
        return self.text == question.text if self.turns is None else self.turns == question.turns


def sent_lines(path: Path, decoding: Mapping[str, float]) -> Iterator[tuple[int, SentLine]]:
    """Read a prompts file."""
    decoder = msgspec.json.Decoder(dict[str, Any])
    with InputFile(path) as file:
        for number, raw in numbered_lines(file):
            yield number, _sent(decoded(decoder, raw, file, number), path, number, decoding)


def _sent(line: dict[str, Any], path: Path, number: int, decoding: Mapping[str, float]) -> SentLine:
    try:
        sent = _batch_line(line, decoding) if "custom_id" in line else _line(line)
    except (KeyError, IndexError, TypeError, AttributeError, ValueError) as error:
        raise MedzhError(
            "is no prompt line", file=path, line=number, expected="what medzh-score prompts writes"
        ) from error
    shots = sent.named.get("shots", 0)
    if not _is_count(shots):
        raise MedzhError("is wrong", file=path, line=number, field="shots", expected="a whole number", found=shots)
    return sent


def _batch_line(line: dict[str, Any], decoding: Mapping[str, float]) -> SentLine:
    match = PROMPT_ID.fullmatch(line["custom_id"])
    if match is None:
        raise ValueError(line["custom_id"])
    body = line["body"]
    settings = {name: value for name, value in body.items() if name not in NOT_DECODING}
    run, variant = int(match["run"] or 0), int(match["variant"] or 0)
    system, turns = _conversation(body["messages"])
    return SentLine(match["id"], run, variant, turns, None, {}, our_settings(settings, decoding), system)


def _line(line: dict[str, Any]) -> SentLine:
    identifier, settings, extra = line["id"], line.get("decoding") or {}, line.get(EXTRA) or {}
    run, variant = line.get("run", 0), line.get("variant", 0)
    text = line.get("text")
    system, turns = _conversation(line["messages"]) if text is None else (None, None)
    named = {name: line[name] for name in NAMED if line.get(name) is not None}
    texts = [identifier, *(named[name] for name in WORDS if name in named), *([] if text is None else [text])]
    if not (
        all(isinstance(one, str) for one in texts)
        and isinstance(settings, dict)
        and isinstance(extra, dict)
        and _is_count(run)
        and _is_count(variant)
    ):
        raise TypeError(line)
    if settings.keys() & extra.keys():  # of two values of a setting nobody knows which was heeded
        raise ValueError(line)
    return SentLine(identifier, run, variant, turns, text, named, {**settings, **extra}, system)


def refuse_other_settings(line: SentLine, first: SentLine, path: Path, number: int) -> None:
    """Refuse a line that names another prompt, other examples or another decoding than the first one."""
    here, before = _settings(line), _settings(first)
    for name in sorted({*here, *before}):
        if here.get(name) != before.get(name):
            raise MedzhError(
                "differs from the lines before it",
                file=path,
                line=number,
                field=name,
                expected=quotable(before.get(name, "nothing")),
                found=here.get(name),
                advice="score what was sent in each way by itself",
            )


def _settings(line: SentLine) -> dict[str, Any]:
    system = {} if line.system is None else {SYSTEM: line.system}
    return {**line.named, **system, **{f"decoding.{name}": value for name, value in line.decoding.items()}}


def _is_count(value: object) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and value >= 0


def _conversation(messages: list[dict[str, Any]]) -> tuple[str | None, tuple[str, ...]]:
    """Take the texts of a conversation, and of a system message before it, which is no part of the prompt."""
    first = messages[0]
    system = first["content"] if first["role"] == SYSTEM else None
    turns = messages if system is None else messages[1:]
    contents = tuple(message["content"] for message in turns)
    roles = [message["role"] for message in turns]
    texts = contents if system is None else (system, *contents)
    if len(contents) % 2 == 0 or not all(isinstance(content, str) for content in texts):
        raise ValueError(messages)
    if roles != [ROLES[place % 2] for place in range(len(contents))]:
        raise ValueError(roles)
    return system, contents
