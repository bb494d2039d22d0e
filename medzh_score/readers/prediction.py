"""A prediction, as every reader gives it, and what readers of other tools' files share."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Annotated, Any, NamedTuple, Self

import msgspec

from medzh_score.io.jsonl import NO_JSON

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from pathlib import Path

    from medzh_score.prompting.ids import AnswerKey
    from medzh_score.ui.errors import MedzhError

    Content = str | list[dict[str, Any]] | None
    Messages = tuple[tuple[str, str], ...]
    Orders = tuple[tuple[int, ...], ...]


# Why generation ended, in the words of OpenAI, Anthropic, Google, Amazon, Cohere, Zhipu and inspect; small letters.
CUT_OFF = {"length", "max_tokens", "max_output_tokens", "model_length", "model_context_window_exceeded"}
FILTERED = {
    *("content_filter", "content_filtered", "guardrail_intervened", "refusal", "sensitive", "error_toxic"),
    *("safety", "image_safety", "blocklist", "prohibited_content", "recitation", "spii"),
}

FAILED = {"error"}  # nothing can be said of what came before
# How tools write into a field or a cell that nothing stands there; for a spreadsheet ``#N/A`` is no value.
NOTHING = {"", "nan", "none", "null", "n/a", "#n/a", "<na>"}
TEXT_PARTS = {"text", "output_text"}  # of a message: its answer; reasoning is none of them
ROLES = {"human": "user", "bot": "assistant", "developer": "system"}
DATE = r"\d{4}-\d\d-\d\dT\d\d-\d\d-\d\d(?:\.\d+)?"
# What people call the folders of runs into which they sort files: those name no model. Epochs are checkpoints.
RUN_FOLDER = re.compile(
    r"(?:(?:run|rep(?:eat)?|trial|try|sampl(?:e|ing)|part|第|采样)?[-_ .]?\d{1,3}[次轮]?|seed[-_ .]?\d+"
    r"|20\d\d[-_.]?[01]\d[-_.]?[0-3]\d(?:[-_ T][\d-]+)?)",
    re.IGNORECASE,
)


class Prediction(msgspec.Struct, frozen=True, gc=False):
    """The response to one prompt; also the native line, ``{"id": …, "prediction": …}``.

    The text is untouched; run and variant count from 0. Why generation ended stands in the words of the server. With an
    error there is no text, and the prediction is missing.
    """

    id: str
    prediction: str
    run: Annotated[int, msgspec.Meta(ge=0)] = 0
    variant: Annotated[int, msgspec.Meta(ge=0)] = 0
    model: str | None = None
    finish_reason: str | None = None
    error: str | None = None

    @property
    def is_cut_off(self) -> bool:
        """Whether generation ended because there was no room for more."""
        return _reason(self.finish_reason) in CUT_OFF

    @property
    def is_filtered(self) -> bool:
        """Whether a filter of the server, not the model, ended it."""
        return _reason(self.finish_reason) in FILTERED


def _reason(reason: str | None) -> str:
    """Write a reason as the tables have it; some clients write the name of an enum, ``FinishReason.MAX_TOKENS``."""
    return (reason or "").strip().rpartition(".")[2].lower()


def text_or_none(text: str | None) -> str | None:
    """Give what a field says, on one line; None where it says nothing, in whatever words."""
    said = " ".join((text or "").split())
    return None if said.lower() in NOTHING else said


def without_failed_text(one: Prediction) -> Prediction:
    """Take a prediction with an error, or one that ended in an error, as failed: it has a reason and no text."""
    error = text_or_none(one.error)
    if error is None and _reason(one.finish_reason) in FAILED:
        error = "generation ended in an error"
    text = one.prediction if error is None else ""
    if (error, text) == (one.error, one.prediction):
        return one
    return msgspec.structs.replace(one, error=error, prediction=text)


class StoredQuestion(msgspec.Struct, frozen=True):
    """What a file says was asked: messages as role and text, or one text whose role is empty; settings where stated.

    Of a choice by ``likelihood`` nothing was generated.
    """

    messages: Messages
    settings: dict[str, Any] | None = None
    likelihood: bool = False


class WithQuestion(Prediction, frozen=True):
    """A prediction of a file that holds the question beside the answer."""

    question: StoredQuestion | None = None


class Response(NamedTuple):
    """One of the responses to a prompt; the error may only say that a filter ended it."""

    text: str
    finish_reason: str | None = None
    error: str | None = None


def predictions_of(  # noqa: PLR0913 - what came, and what is known of it
    key: AnswerKey,
    responses: Sequence[Response],
    *,
    several: MedzhError | None = None,
    error: str = "",
    model: str | None = None,
    question: StoredQuestion | None = None,
) -> Iterator[Prediction]:
    """Give the predictions of one prompt: several responses are its runs, unless it names its run; none is an error.

    ``several`` is raised where a prompt that names its run has several responses.
    """
    if len(responses) > 1 and key.run and several is not None:
        raise several
    asked = question is not None and any(text.strip() for _, text in question.messages)
    for place, (text, reason, stated) in enumerate(responses or [Response("", error=error)]):
        said = None if _reason(reason) in FILTERED else stated
        found = without_failed_text(Prediction(key.id, text, key.run or place, key.variant, model, reason, said))
        yield WithQuestion(**msgspec.structs.asdict(found), question=question) if asked else found


def role_named(role: str) -> str:
    """Give the role of a message the name that chat messages have for it."""
    return ROLES.get(role.lower(), role.lower())


def content_text(content: Content, between: str = "") -> str:
    """Give the text of a message, which is a text or a list of parts; reasoning and images are left out."""
    if not isinstance(content, list):
        return content or ""
    return between.join(str(part.get("text") or "") for part in content if part.get("type", "text") in TEXT_PARTS)


def messages_of(sent: object) -> Messages:
    """Give what was sent as messages: chat messages, also as JSON, or one text without a role; nothing of the rest."""
    if isinstance(sent, str):
        try:
            decoded = msgspec.json.decode(sent) if sent.startswith("[{") else None
        except NO_JSON:
            decoded = None
        return (isinstance(decoded, list) and messages_of(decoded)) or (("", sent),)
    if not isinstance(sent, list) or not all(isinstance(one, dict) for one in sent):
        return ()
    return tuple((role_named(str(one.get("role", "user"))), str(one.get("content"))) for one in sent)


def model_by_predictions_folder(path: Path) -> str | None:
    """Name the model of OpenCompass's and EvalScope's files, ``predictions/<model>/<dataset>.json``."""
    folders = path.absolute().parents
    return model_of_folder(folders[0].name) if len(folders) > 1 and folders[1].name == "predictions" else None


def model_of_folder(name: str) -> str | None:
    """Name the model after its folder; None of a folder of a run."""
    return None if not name or RUN_FOLDER.fullmatch(name) else name


class Shuffled(str):
    """The text of an answer to shuffled options; ``orders``: for each question, the record's option at each place."""

    __slots__ = ("orders",)
    orders: Orders

    def __new__(cls, text: str, orders: Orders) -> Self:
        """Make one of the text that came back."""
        made = super().__new__(cls, text)
        made.orders = orders
        return made
