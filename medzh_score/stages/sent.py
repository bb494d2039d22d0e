"""What was sent in a stage, read back from its prompts file: it enters the signature beside the first prompt."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import msgspec

from medzh_score.benchmark.columns import pick
from medzh_score.benchmark.stages import AUDIT, SECOND
from medzh_score.io.jsonl import decoded, numbered_lines
from medzh_score.io.open_input import InputFile
from medzh_score.prompting.ids import JUDGED_ID, MARK, AnswerKey, check_code, code_of, key_text, split_judged_id
from medzh_score.prompting.sent import UNKNOWN, refuse_other_settings, sent_lines, written_asking, written_generation
from medzh_score.stages.binding import TaskRef, bind
from medzh_score.stages.write_tasks import answer_context
from medzh_score.ui.errors import MedzhError
from medzh_score.ui.i18n import _
from medzh_score.ui.privacy import Worded

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence
    from pathlib import Path

    from medzh_score.benchmark.config import Config
    from medzh_score.benchmark.items import Record
    from medzh_score.benchmark.prompts import PromptTemplate
    from medzh_score.benchmark.stages import JudgeSpec, Stage
    from medzh_score.prompting.sent import SentLine
    from medzh_score.stages.binding import AvailableAnswers, StageItems

    Members = Mapping[str, Sequence[Record]]

LATER = "\0"  # where something of a first answer was shown, which the records do not tell


@dataclass(frozen=True, slots=True)
class SentTask(TaskRef):
    """A line of a prompts file: where it stands, what it asks about, and what it says."""

    line: SentLine


def files_by_round(
    paths: Iterable[Path], config: Config, items: StageItems, *, second: bool = False
) -> tuple[list[Path], dict[str, list[Path]]]:
    """Separate the prompts files of stages from those of the first prompts."""
    first: list[Path] = []
    later: dict[str, list[Path]] = {}
    decoder = msgspec.json.Decoder(dict[str, Any])
    for path in paths:
        with InputFile(path) as file:
            number, raw = next(numbered_lines(file), (0, b"{}"))
            line = decoded(decoder, raw, file, number) if number else {"stage": SECOND} if second else {}
        name = _of_batch(path, config, line, items.members) if "custom_id" in line else line.get("stage")
        (first if name is None else later.setdefault(str(name), [])).append(path)
    return first, later


def _of_batch(path: Path, config: Config, first: Mapping[str, Any], members: Members) -> str | None:
    for one in config.stages:
        if one.model is not None:
            sent = next(_sent(path, one.model))
            if sent.key.id in members and _fitting(sent, list(one.model.prompts), one, members[sent.key.id]):
                return one.name
    if config.reads is not None and JUDGED_ID.fullmatch(str(first["custom_id"])):
        # Only a second reading's prompt is signed; a code says whether it is one.
        return SECOND if config.reads.second else AUDIT
    return None


def _sent(path: Path, respondent: JudgeSpec) -> Iterator[SentTask]:
    for number, line in sent_lines(path, respondent.generation_kwargs):
        key, code = split_judged_id(line.id, path, number) if MARK in line.id else (AnswerKey(line.id), "")
        # A stage about items is asked in no variants: a line in one is of another.
        asked = AnswerKey(line.id if key.variant else key.id, key.run or line.run)
        yield SentTask(path, number, asked, code, line)


def sent_stages(files: Mapping[str, Sequence[Path]], config: Config, items: StageItems) -> dict[str, str]:
    """Read with which prompt and settings stages about items were asked, and check that the lines are such prompts."""
    found = {stage.name: UNKNOWN for stage in config.stages if stage.of_same_model}
    for name, paths in files.items():
        stage = pick("stage", config.stages, name)
        if stage.model is None:
            raise MedzhError(
                _("stage {later_name} is annotated by a person", later_name=stage.name),
                file=paths[0],
                advice=_("omit the file, because this stage has no prompts"),
            )
        lines = [sent for path in paths for sent in _sent(path, stage.model)]
        if not lines:
            raise MedzhError(_("the file contains no prompts"), file=paths[0])
        prompt = _prompt_of(lines, stage, stage.model, items.members)
        asked = {sent.key.id for sent in lines}
        answers, codes = items.answers(asked) if stage.about == "answers" else {}, items.codes(stage, asked)
        for sent, keys in zip(lines, bind(lines, stage, codes), strict=True):
            for item, run in keys:
                if run in answers.get(item, {}):
                    _check_text(sent, stage, prompt, items.members[item], answers[item][run])
        found[name] = written_asking(prompt.name, lines[0].line)
    return found


def sent_about(
    name: str, paths: Sequence[Path], config: Config, records: Sequence[Record], available: AvailableAnswers
) -> str:
    """Read with which prompt and settings a stage about predictions was asked, and check that the lines ask that."""
    if not paths:
        return UNKNOWN
    reads, respondent = config.reads, pick("stage", config.every_stage, name).model
    assert reads is not None  # noqa: S101 - the stage is declared with it
    assert respondent is not None  # noqa: S101 - a model answers both
    lines = [(path, *one) for path in paths for one in sent_lines(path, respondent.generation_kwargs)]
    keys = [split_judged_id(line.id, path, number) for path, number, line in lines]
    rows = {record["id"]: record for record in records}
    asked, texts = available.with_text(), available.texts(key for key, _unused in keys)
    if not lines:  # who had nothing to read is signed as who had
        return f"{respondent.prompts[0].name} {written_generation(respondent.generation_kwargs)}"
    settings = set()
    for (path, number, line), (key, code) in zip(lines, keys, strict=True):
        check_code(key, code, code_of(name, [texts[key]]) if key in texts else None, path, number)
        shown = answer_context(reads, rows[key.id], asked[key], available.places[key.id], key.variant, texts[key])
        text = "".join(line.turns or (line.text or "",))
        prompt = next((prompt.name for prompt in respondent.prompts if prompt.fill(**shown) == text), None)
        settings.add(written_asking(str(prompt), line))
        if prompt is None or len(settings) > 1:
            raise MedzhError(
                _(
                    "the text matches no prompt of the stage for this answer, or the prompt or generation settings "
                    "differ from the previous lines"
                ),
                file=path,
                line=number,
                expected=", ".join(prompt.name for prompt in respondent.prompts),
            )
    return settings.pop()


def _prompt_of(lines: Sequence[SentTask], stage: Stage, respondent: JudgeSpec, members: Members) -> PromptTemplate:
    """Give the one prompt of all lines: what they name or, as a batch file names nothing, the first that fits all."""
    first = lines[0].line
    named = first.named.get("prompt")
    fitting = list(respondent.prompts) if named is None else [pick("prompt", respondent.prompts, str(named))]
    for sent in lines:
        refuse_other_settings(sent.line, first, sent.path, sent.number)
        if sent.key.id not in members:
            raise sent.row_error(_("no item has this id"), found=sent.key.id)
        left = _fitting(sent, fitting, stage, members[sent.key.id])
        if not left:
            problem = _("the text matches no prompt for this id")
            raise sent.row_error(problem, None, expected=", ".join(one.name for one in fitting))
        fitting = left
    return fitting[0]


def _fitting(
    sent: SentTask, prompts: Sequence[PromptTemplate], stage: Stage, members: Sequence[Record]
) -> list[PromptTemplate]:
    """Keep those prompts of which a line is one about these records, whatever it shows of the first answers."""
    shown = stage.context(members, ())
    return [prompt for prompt in prompts if _is_filled(_text_of(sent.line, prompt), prompt, shown)]


def _text_of(line: SentLine, prompt: PromptTemplate) -> str:
    """Give what was sent, without what leads a base model on."""
    if line.turns is not None:
        return "".join(line.turns)
    return (line.text or "").removesuffix(prompt.completion_prefix)


def _is_filled(text: str, prompt: PromptTemplate, shown: Mapping[str, str]) -> bool:
    head, *rest = prompt.fill(**{**dict.fromkeys(prompt.fields, LATER), **shown}).split(LATER)
    if not rest:
        return text == head
    return len(text) >= len(head) + len(rest[-1]) and text.startswith(head) and text.endswith(rest[-1])


def _check_text(
    sent: SentTask, stage: Stage, prompt: PromptTemplate, members: Sequence[Record], texts: Sequence[str]
) -> None:
    """Refuse a prompt that shows another text than that of the answer it names: what came back says nothing of this."""
    if _text_of(sent.line, prompt) != prompt.fill(**stage.context(members, texts)):
        raise sent.row_error(
            _("the prompt contains a different answer from the one in the predictions file"),
            None,
            expected=_("the prompt of stage {stage_name} for this answer", stage_name=stage.name),
            found=Worded(key_text(sent.key)),
            advice=_(
                "pass the predictions from which the prompts were written, or write the prompts again with "
                "--predictions"
            ),
        )
