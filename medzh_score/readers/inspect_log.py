"""Logs of inspect: ``.json`` is read as it is, ``.eval`` by inspect's own library, which alone knows that form."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Annotated, Any

import msgspec

from medzh_score.io.archive import BoundedZip
from medzh_score.io.documents import read_document, wrong_type
from medzh_score.prompting.ids import AskedFields
from medzh_score.prompting.positions import no_order
from medzh_score.readers.detect import SHAPES, head_of
from medzh_score.readers.prediction import Response, StoredQuestion, content_text, predictions_of, role_named
from medzh_score.ui.errors import MedzhError
from medzh_score.ui.i18n import _
from medzh_score.ui.privacy import quotable

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from inspect_ai.log import EvalLog

    from medzh_score.io.open_input import InputFile
    from medzh_score.prompting.ids import AnswerKey
    from medzh_score.prompting.positions import SentOrder
    from medzh_score.readers.prediction import Content, Messages, Prediction


ATTACHMENT = re.compile(r"attachment://([0-9A-Za-z]+)")
UNPARSED = {"events", "store"}  # most of a log's size
# Of a log's settings those that move what is generated.
SETTINGS = (
    *("max_tokens", "temperature", "top_p", "top_k", "min_p", "seed", "stop_seqs", "frequency_penalty"),
    *("presence_penalty", "repetition_penalty", "reasoning_effort", "reasoning_tokens", "extra_body"),
)


class ToolMessage(msgspec.Struct):
    """What a model said: a text, or parts of which some are texts."""

    content: str | list[dict[str, Any]] | None = None
    role: str = "user"


class ToolChoice(msgspec.Struct):
    """One of a model's answers; inspect looks at the first."""

    message: ToolMessage
    stop_reason: str | None = None


class ToolOutput(msgspec.Struct):
    """What came back for a sample."""

    completion: str | None = None
    choices: list[ToolChoice] = []
    model: str | None = None
    error: str | None = None


class Failure(msgspec.Struct):
    """Why a sample came to no end; its traceback is not looked at."""

    message: str = ""


class Limit(msgspec.Struct):
    """Which limit ended a sample."""

    type: str


class InspectSample(msgspec.Struct):
    """A sample in one epoch."""

    id: int | str
    epoch: Annotated[int, msgspec.Meta(ge=1)] = 1
    input: str | list[ToolMessage] = ""
    messages: list[ToolMessage] = []
    output: ToolOutput | None = None
    metadata: AskedFields | None = None
    error: Failure | None = None
    limit: Limit | None = None
    attachments: dict[str, str] = {}


class Eval(msgspec.Struct):
    """What was evaluated."""

    model: str | None = None
    model_generate_config: dict[str, Any] = {}


class InspectPlan(msgspec.Struct):
    """How it was evaluated."""

    config: dict[str, Any] = {}


class Log(msgspec.Struct):
    """A log; one whose evaluation broke off holds the samples that had ended by then."""

    samples: list[InspectSample] | None = None
    eval: Eval | None = None
    plan: InspectPlan | None = None

    @property
    def settings(self) -> dict[str, Any]:
        """The settings of generation that it states: the model's own, then those of the task."""
        stated = [*([self.eval.model_generate_config] if self.eval else []), *([self.plan.config] if self.plan else [])]
        return {name: one[name] for one in stated for name in SETTINGS if one.get(name) is not None}


READ = set(InspectSample.__struct_fields__)


def read(file: InputFile, _order: SentOrder = no_order) -> Iterator[tuple[int, Prediction]]:
    """Read the samples of a log, of a broken off one those that are there."""
    log = _unzipped(file) if head_of(file).form == "zip" else _plain(file)
    samples, settings = log.samples or [], log.settings
    named = any(sample.output and sample.output.model for sample in samples)
    model = None if named or log.eval is None else log.eval.model
    for number, sample in enumerate(samples, 1):
        output, responses, error = sample.output or ToolOutput(), list[Response](), ""
        if sample.error is not None:
            error = " ".join(sample.error.message.split()) or _("no reason given")
        elif not (output.choices or output.completion):
            error = "no output" if sample.limit is None else f"no output: {sample.limit.type} limit"
        else:
            # Logs without a completion have the first choice's message, whose texts inspect joins by lines.
            first = output.choices[0] if output.choices else None
            text = output.completion or (_joined(first.message.content) if first else "")
            responses = [Response(_attached(sample, text), first.stop_reason if first else None, output.error)]
        found = predictions_of(
            _key(sample, file.path, number),
            responses,
            error=error,
            model=model or (output.model if responses else None) or None,
            question=StoredQuestion(_asked_with(sample), settings),
        )
        yield from ((number, one) for one in found)


def _plain(file: InputFile) -> Log:
    log: Log = read_document(file, Log, SHAPES["inspect"], constants=True)
    if log.samples is None:
        raise MedzhError(
            _("the log contains no samples"),
            file=file.path,
            field="/samples",
            expected=SHAPES["inspect"],
            advice=_("use the full log, not its header or summary"),
        )
    return log


def eval_log(file: InputFile) -> EvalLog:
    """Load a log by inspect's own library."""
    path, is_zip = file.path, head_of(file).form == "zip"
    try:
        from inspect_ai.log import read_eval_log
    except ImportError as error:
        problem, advice = (
            _("this requires inspect_ai, which is not installed"),
            _("run `pip install 'medzh-score[inspect]'`"),
        )
        if is_zip:
            problem = _(".eval files require inspect_ai, which is not installed")
            advice = _(
                "run `pip install 'medzh-score[inspect]'`, or convert the log: `inspect log convert LOG.eval --to "
                "json --output-dir json`"
            )
        raise MedzhError(problem, file=path, advice=advice) from error
    if is_zip:
        BoundedZip(path, file.stored())
    try:
        return read_eval_log(file.stored(), format="eval" if is_zip else "json", exclude_fields=UNPARSED)
    except Exception as error:  # a broken log lets it raise anything
        raise _not_loaded(path, error) from error


def _not_loaded(path: Path, error: Exception) -> MedzhError:
    reason = " ".join(str(error).split()) or type(error).__name__
    return MedzhError(
        _("inspect cannot load the log: {reason}", reason=quotable(reason)),
        file=path,
        advice=_("copy or download it again"),
    )


def _unzipped(file: InputFile) -> Log:
    path, log = file.path, eval_log(file)
    try:
        samples = [sample.model_dump(include=READ, warnings="none") for sample in log.samples or []]
    except Exception as error:  # a broken log lets it raise anything
        raise _not_loaded(path, error) from error
    try:
        stated = log.eval.model_generate_config.model_dump(), log.plan.config.model_dump()
        return Log(
            msgspec.convert(samples, list[InspectSample]), Eval(log.eval.model, stated[0]), InspectPlan(stated[1])
        )
    except msgspec.ValidationError as error:
        raise wrong_type(str(error).replace("`$", "`$.samples", 1), path, SHAPES["inspect"]) from error


def _key(sample: InspectSample, path: Path, number: int) -> AnswerKey:
    fields = sample.metadata or AskedFields()
    if not fields.id:
        if isinstance(sample.id, int):
            raise MedzhError(
                _("the sample id is only a number"),
                file=path,
                field=f"/samples/{number - 1}/id",
                expected=_("the id of the prompt"),
                found=sample.id,
                advice=_('include the id in the task: FieldSpec(…, metadata=["id"])'),
            )
        fields.id = sample.id
    key = fields.key
    if key.run and sample.epoch > 1:
        problem, field = _("the sample specifies a run but has several epochs"), f"/samples/{number - 1}/epoch"
        raise MedzhError(problem, file=path, field=field, expected=_("one of the two"), found=key.id)
    return key._replace(run=key.run or sample.epoch - 1)


def _attached(sample: InspectSample, text: str) -> str:
    return ATTACHMENT.sub(lambda found: sample.attachments.get(found[1], found[0]), text)


def _asked_with(sample: InspectSample) -> Messages:
    last = max((place for place, one in enumerate(sample.messages) if one.role == "assistant"), default=None)
    given = [ToolMessage(sample.input)] if isinstance(sample.input, str) else sample.input
    return tuple(
        (role_named(one.role), _attached(sample, _joined(one.content))) for one in sample.messages[:last] or given
    )


def _joined(content: Content) -> str:
    return content_text(content, "\n")
