"""What was sent to the model, read back from the prompts file: it enters the signature."""

from __future__ import annotations

import hashlib
import json
import re
from dataclasses import dataclass, field
from functools import cache
from itertools import product
from typing import TYPE_CHECKING

from medzh_score.benchmark.asking import Asking
from medzh_score.messages.errors import MedzhError
from medzh_score.prompts.sent_positions import refuse_other_settings, sent_lines
from medzh_score.text.tokens import TOKENS

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence
    from pathlib import Path

    from medzh_score.benchmark.asking import Asker
    from medzh_score.benchmark.config import Config
    from medzh_score.benchmark.layout import Record
    from medzh_score.benchmark.variants import Variants
    from medzh_score.data.records import Records
    from medzh_score.prompts.sent_positions import SentLine

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
    """Write decoding settings for the signature, in alphabetical order.

    Examples
    --------
    >>> written_decoding({"top_k": 5, "temperature": 0.3})
    'temperature=0.3,top_k=5'
    >>> written_decoding({"chat_template_kwargs": {"enable_thinking": False}})
    'chat_template_kwargs={"enable_thinking":false}'
    """
    return ",".join(f"{_name(name)}={_written(decoding[name])}" for name in sorted(decoding)) or UNKNOWN


def written_system(system: str | None) -> str:
    """Write a system message for the signature: as a digest, for it may be long.

    Examples
    --------
    >>> written_system("你是一名医生。"), written_system(None)
    ('sha256 13f8a728', '')
    """
    return "" if system is None else f"sha256 {hashlib.sha256(system.encode('utf-8')).hexdigest()[:8]}"


def written_asking(prompt: str, line: SentLine) -> str:
    """Write how a later round was asked: with which prompt and settings, and behind which system message."""
    system = f" system {written_system(line.system)}" if line.system is not None else ""
    return f"{prompt} {written_decoding(line.decoding)}{system}"


def _name(name: str) -> str:
    """Write a name so that no other setting could be read into it."""
    return name if NAME.fullmatch(name) else json.dumps(name, ensure_ascii=False)


def _written(value: object) -> str:
    """Write a number or truth value as it is, and what could be taken for one, or for another setting, as JSON."""
    plain = _whole(value)
    if isinstance(plain, dict | list | str):
        return json.dumps(plain, ensure_ascii=False, sort_keys=True, separators=(",", ":"))
    return str(plain)


def _whole(value: object) -> object:
    """Write 5.0 as 5: a tool on the way may have turned one into the other."""
    if isinstance(value, dict):
        return {name: _whole(one) for name, one in value.items()}
    if isinstance(value, list):
        return [_whole(one) for one in value]
    return int(value) if isinstance(value, float) and value.is_integer() else value


def written_shots(settings: Settings) -> str:
    """Write the examples for the signature.

    Examples
    --------
    >>> written_shots(Settings("medzh-zh-1", 3, "paper", "characters"))
    '3 (icl paper, bm25-okapi, characters)'
    """
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
) -> Callable[[Settings], Asker]:
    """Make the function that gives the prompts of some settings; the train split is loaded once, if at all."""
    examples = cache(train)
    prompts = {prompt.name: prompt for prompt in config.prompts}
    tokens = {str(named): named.name for named in TOKENS}

    @cache
    def asker(settings: Settings) -> Asker:
        prompt = prompts[settings.prompt]
        if not settings.shots:
            return config.asker(records, Asking(prompt))
        asking = Asking(prompt, settings.shots, settings.icl, tokens[settings.tokens], examples())
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
    line: SentLine, settings: list[Settings], askers: Callable[[Settings], Asker], path: Path, number: int
) -> list[Settings]:
    """Keep those settings that make this line."""
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


def _check_known(line: SentLine, plain: Asker, path: Path, number: int) -> None:
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


def _check_all(seen: Mapping[str, set[int]], plain: Asker, config: Config, records: Records, named: str) -> None:
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


def _check_alike(seen: Mapping[str, set[int]], plain: Asker, named: str) -> None:
    """Refuse files in which ids with the same variants are asked in different ones."""
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
