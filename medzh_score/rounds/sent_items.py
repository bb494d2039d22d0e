"""What was sent in a later round, read back from its prompts file: it enters the signature beside the first prompt."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import msgspec

from medzh_score.benchmark.about_predictions import AUDIT, SECOND
from medzh_score.benchmark.columns import pick
from medzh_score.files.input_file import InputFile
from medzh_score.files.lines import decoded, numbered_lines
from medzh_score.messages.errors import MedzhError
from medzh_score.prompts.codes import JUDGED_ID, MARK, Key, split_judged_id
from medzh_score.prompts.sent_positions import refuse_other_settings, sent_lines
from medzh_score.prompts.sent_prompts import UNKNOWN, written_asking
from medzh_score.rounds.binding import Named, fault_in, judged_by, refuse_strangers

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence
    from pathlib import Path

    from medzh_score.benchmark.asking import Prompt
    from medzh_score.benchmark.config import Config
    from medzh_score.benchmark.layout import Record
    from medzh_score.benchmark.rounds import Respondent, Round
    from medzh_score.prompts.sent_positions import SentLine
    from medzh_score.rounds.first_answers import Items

    Members = Mapping[str, Sequence[Record]]

LATER = "\0"  # where something of a first answer was shown, which the records do not tell


@dataclass(frozen=True, slots=True)
class Sent(Named):
    """A line of a prompts file: where it stands, what it asks about, and what it says."""

    line: SentLine


def files_by_round(
    paths: Iterable[Path], config: Config, items: Items, *, second: bool = False
) -> tuple[list[Path], dict[str, list[Path]]]:
    """Tell the prompts files of later rounds from those of the first."""
    first: list[Path] = []
    later: dict[str, list[Path]] = {}
    decoder = msgspec.json.Decoder(dict[str, Any])
    for path in paths:
        with InputFile(path) as file:
            number, raw = next(numbered_lines(file), (0, b"{}"))
            line = decoded(decoder, raw, file, number) if number else {"round": SECOND} if second else {}
        name = _of_batch(path, config, line, items.members) if "custom_id" in line else line.get("round")
        (first if name is None else later.setdefault(str(name), [])).append(path)
    return first, later


def _of_batch(path: Path, config: Config, first: Mapping[str, Any], members: Members) -> str | None:
    for one in config.rounds:
        if one.model is not None:
            sent = next(_sent(path, one.model))
            if sent.key.id in members and _fitting(sent, list(one.model.prompts), one, members[sent.key.id]):
                return one.name
    if config.reads is not None and JUDGED_ID.fullmatch(str(first["custom_id"])):
        # Only a second reading's prompt is signed; a code says whether it is one.
        return SECOND if config.reads.second else AUDIT
    return None


def _sent(path: Path, respondent: Respondent) -> Iterator[Sent]:
    for number, line in sent_lines(path, respondent.decoding):
        key, code = split_judged_id(line.id, path, number) if MARK in line.id else (Key(line.id), "")
        # A later round about items is asked in no variants: a line in one is of another.
        asked = Key(line.id if key.variant else key.id, key.run or line.run)
        yield Sent(path, number, asked, code, line)


def sent_rounds(files: Mapping[str, Sequence[Path]], config: Config, items: Items) -> dict[str, str]:
    """Read with which prompt and settings later rounds were asked, and check that the lines are such prompts."""
    found = {later.name: UNKNOWN for later in config.rounds if later.of_same_model}
    for name, paths in files.items():
        later = pick("round", config.rounds, name)
        if later.model is None:
            raise MedzhError(f"round {later.name} is a person's", file=paths[0], advice="it has no prompts")
        lines = [sent for path in paths for sent in _sent(path, later.model)]
        if not lines:
            raise MedzhError("holds no prompts", file=paths[0])
        prompt = _prompt_of(lines, later, later.model, items.members)
        asked = {sent.key.id for sent in lines}
        answers, codes = items.answers(asked) if later.about == "answers" else {}, items.codes(later, asked)
        about = [judged_by(sent, later, codes) for sent in lines]
        refuse_strangers(lines, about, codes)
        for sent, keys in zip(lines, about, strict=True):
            for item, run in keys:
                if run in answers.get(item, {}):
                    _check_text(sent, later, prompt, items.members[item], answers[item][run])
        found[name] = written_asking(prompt.name, lines[0].line)
    return found


def _prompt_of(lines: Sequence[Sent], later: Round, respondent: Respondent, members: Members) -> Prompt:
    """Give the one prompt of all lines: what they name or, as a batch file names nothing, the first that fits all."""
    first = lines[0].line
    named = first.named.get("prompt")
    fitting = list(respondent.prompts) if named is None else [pick("prompt", respondent.prompts, str(named))]
    for sent in lines:
        refuse_other_settings(sent.line, first, sent.path, sent.number)
        if sent.key.id not in members:
            raise fault_in(sent, "no item has this id", found=sent.key.id)
        left = _fitting(sent, fitting, later, members[sent.key.id])
        if not left:
            problem = "is not what the prompt of this name asks about this id"
            raise fault_in(sent, problem, None, expected=", ".join(one.name for one in fitting))
        fitting = left
    return fitting[0]


def _fitting(sent: Sent, prompts: Sequence[Prompt], later: Round, members: Sequence[Record]) -> list[Prompt]:
    """Keep those prompts of which a line is one about these records, whatever it shows of the first answers."""
    shown = later.context(members, ())
    return [prompt for prompt in prompts if _is_filled(_text_of(sent.line, prompt), prompt, shown)]


def _text_of(line: SentLine, prompt: Prompt) -> str:
    """Give what was sent, without what leads a base model on."""
    if line.turns is not None:
        return "".join(line.turns)
    return (line.text or "").removesuffix(prompt.lead)


def _is_filled(text: str, prompt: Prompt, shown: Mapping[str, str]) -> bool:
    head, *rest = prompt.fill(**{**dict.fromkeys(prompt.fields, LATER), **shown}).split(LATER)
    if not rest:
        return text == head
    return len(text) >= len(head) + len(rest[-1]) and text.startswith(head) and text.endswith(rest[-1])


def _check_text(sent: Sent, later: Round, prompt: Prompt, members: Sequence[Record], texts: Sequence[str]) -> None:
    """Refuse a prompt that shows another text than that of the answer it names: what came back says nothing of this."""
    if _text_of(sent.line, prompt) != prompt.fill(**later.context(members, texts)):
        item, run, _ = sent.key
        raise fault_in(
            sent,
            "asks about another answer than the one that was given",
            None,
            expected=f"what round {later.name} asks about this answer",
            found=f"{item} run {run}" if run else item,
            advice="give the answers that it was written after, or ask anew with --after",
        )
