"""Prompts that come back beside answers, as scripts and tools keep them: by these, another plan's answers are told."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, Any, NamedTuple

import msgspec

from medzh_score.files.constants import without_constants
from medzh_score.files.input_file import InputFile
from medzh_score.files.lines import decoded, decoded_lines, numbered_lines
from medzh_score.messages.errors import MedzhError
from medzh_score.messages.privacy import quotable
from medzh_score.prompts.writing import ROLES
from medzh_score.suites.asked_so_far import key_in
from medzh_score.suites.first_prompts import first_file
from medzh_score.suites.kept import key_of
from medzh_score.suites.outbox import CHAT, TEXT
from medzh_score.suites.places import FIRST

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from pathlib import Path

    from medzh_score.predictions.readers.prediction import Prediction
    from medzh_score.prompts.codes import Key
    from medzh_score.suites.places import Place
    from medzh_score.suites.plan import Plan


class Prompt(NamedTuple):
    """What a user asks in a chat, or the text that a model goes on with; tools may strip either."""

    form: str
    turns: Sequence[str]


class Carried(msgspec.Struct):
    """The fields of a prompt line; ``text`` alone, and beside messages, may be anything."""

    messages: Any = None
    text: Any = None
    decoding: Any = None

    @property
    def prompt(self) -> Prompt | None:
        """What was asked; None where the line does not say it."""
        if self.messages is None:
            is_prompt = isinstance(self.text, str) and isinstance(self.decoding, dict)
            return Prompt(TEXT, [self.text.strip()]) if is_prompt else None
        messages = self.messages if isinstance(self.messages, list) else []
        asked = [one.get("content") for one in messages if isinstance(one, dict) and one.get("role") == ROLES[0]]
        texts = [one.strip() for one in asked if isinstance(one, str)]
        return Prompt(CHAT, texts) if texts and len(texts) == len(asked) else None


class Sample(msgspec.Struct):
    """A line of lm-evaluation-harness, whose document is the prompt line."""

    doc: Carried

    @property
    def prompt(self) -> Prompt | None:
        """What the document says."""
        return self.doc.prompt


# By the name of the file's reader.
CARRIED: dict[str, msgspec.json.Decoder[Any]] = {
    "native": msgspec.json.Decoder(Carried),
    "lm-eval": msgspec.json.Decoder(Sample),
}


def refuse_other_prompts(
    suite: Path, plan: Plan, path: Path, reader: str, came: Mapping[Place, Sequence[tuple[int, Prediction]]]
) -> None:
    """Refuse a file whose lines carry other prompts than were sent: ids alone do not tell two plans of a config."""
    decoder = CARRIED.get(reader)
    if decoder is None:
        return
    sent_of = cache(_sent)
    places: dict[int, tuple[Place, Key]] = {}
    with InputFile(path) as file:
        for number, raw in numbered_lines(file):
            carried: Prompt | None = decoded(decoder, without_constants(raw), file, number).prompt
            if carried is None:
                continue
            places = places or {at: (place, key_of(one)) for place, lines in came.items() for at, one in lines}
            if number not in places:
                continue
            place, key = places[number]
            is_first = place.round == FIRST
            prompts = first_file(suite, plan.model(place.model), place.config) if is_first else place.prompts(suite)
            sent = sent_of(prompts).get(key, carried)
            if sent.turns != carried.turns:
                if sent.form != carried.form:
                    raise _in_another_form(path, number, key, sent.form)
                raise MedzhError(
                    f"carries another prompt than this suite sent: it answers another plan ({quotable(key)})",
                    file=path,
                    line=number,
                    expected=str(prompts),
                    advice="add it to the suite that sent its prompts",
                )


def _in_another_form(path: Path, number: int, key: Key, form: str) -> MedzhError:
    return MedzhError(
        f"carries the prompt in another form than this suite sent ({quotable(key)})",
        file=path,
        line=number,
        expected=form,
        advice="models[…].form in the plan says in which form each is asked",
    )


def _sent(prompts: Path) -> Mapping[Key, Prompt]:
    """Read what was sent, where it was; what is answered by the parts of a group stands under no key."""
    lines = decoded_lines(prompts, msgspec.json.Decoder(dict[str, Any])) if prompts.exists() else iter(())
    carried = ((key_in(line), msgspec.convert(line, Carried).prompt) for line in lines)
    return {key: prompt for key, prompt in carried if prompt is not None}
