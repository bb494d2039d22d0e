"""What every reader makes of a line."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Annotated, Any, Self

import msgspec

from medzh_score.io.jsonl import NO_JSON

if TYPE_CHECKING:
    from pathlib import Path

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


class Prediction(msgspec.Struct, frozen=True, gc=False):
    """What came back for one prompt; also the native line, ``{"id": …, "prediction": …}``.

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
        return _word(self.finish_reason) in CUT_OFF

    @property
    def is_filtered(self) -> bool:
        """Whether a filter of the server, not the model, ended it."""
        return _word(self.finish_reason) in FILTERED


def stated(text: str | None) -> str | None:
    """Give what a field says, on one line; None where it says nothing, in whatever words."""
    said = " ".join((text or "").split())
    return None if said.lower() in NOTHING else said


def settled(one: Prediction) -> Prediction:
    """Take a prediction by the one table of all readers: what is stated as an error failed, and is missing."""
    error = stated(one.error)
    if error is None and _word(one.finish_reason) in FAILED:
        error = "generation ended in an error"
    text = one.prediction if error is None else ""
    if (error, text) == (one.error, one.prediction):
        return one
    return msgspec.structs.replace(one, error=error, prediction=text)


class StoredQuestion(msgspec.Struct, frozen=True):
    """What a file says was asked: messages as role and text, or one text whose role is empty; settings where stated.

    Of a choice by ``likelihood`` nothing was generated.
    """

    messages: tuple[tuple[str, str], ...]
    settings: dict[str, Any] | None = None
    likelihood: bool = False


class WithQuestion(Prediction, frozen=True):
    """A prediction of a file that holds the question beside the answer."""

    question: StoredQuestion | None = None


def with_question(prediction: Prediction, question: StoredQuestion | None) -> Prediction:
    """Put the question beside an answer, where the file holds it."""
    if question is None or not any(text.strip() for _, text in question.messages):
        return prediction
    return WithQuestion(**msgspec.structs.asdict(prediction), question=question)


ROLES = {"human": "user", "bot": "assistant", "developer": "system"}


def role_named(role: str) -> str:
    """Give the role of a message the name that chat messages have for it."""
    return ROLES.get(role.lower(), role.lower())


def messages_of(sent: object) -> tuple[tuple[str, str], ...]:
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


def _word(reason: str | None) -> str:
    """Write a reason as the tables have it; some clients write the name of an enum, ``FinishReason.MAX_TOKENS``."""
    return (reason or "").strip().rpartition(".")[2].lower()


DATE = r"\d{4}-\d\d-\d\dT\d\d-\d\d-\d\d(?:\.\d+)?"
# What people call the folders of runs into which they sort files: those name no model. Epochs are checkpoints.
OF_A_RUN = re.compile(
    r"(?:(?:run|rep(?:eat)?|trial|try|sampl(?:e|ing)|part|第|采样)?[-_ .]?\d{1,3}[次轮]?|seed[-_ .]?\d+"
    r"|20\d\d[-_.]?[01]\d[-_.]?[0-3]\d(?:[-_ T][\d-]+)?)",
    re.IGNORECASE,
)


def in_predictions(path: Path) -> str | None:
    """Name the model of OpenCompass's and EvalScope's files, ``predictions/<model>/<dataset>.json``."""
    folders = path.absolute().parents
    return model_of_folder(folders[0].name) if len(folders) > 1 and folders[1].name == "predictions" else None


def model_of_folder(name: str) -> str | None:
    """Name the model after its folder; None of a folder of a run."""
    return None if not name or OF_A_RUN.fullmatch(name) else name


class Shuffled(str):
    """The text of an answer to shuffled options; ``orders``: for each question, the record's option at each place."""

    __slots__ = ("orders",)
    orders: Orders

    def __new__(cls, text: str, orders: Orders) -> Self:
        """Make one of the text that came back."""
        made = super().__new__(cls, text)
        made.orders = orders
        return made
