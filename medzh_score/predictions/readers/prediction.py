"""What every reader makes of a line."""

from __future__ import annotations

from typing import Annotated

import msgspec


class Prediction(msgspec.Struct, frozen=True, gc=False):
    """What came back for one prompt; also the native line, ``{"id": …, "prediction": …}``.

    The text is untouched; run and variant count from 0. Why generation ended stands in the words of the OpenAI
    interface: ``length`` is truncated, ``content_filter`` refused. With an error there is no text, and the prediction
    is missing.
    """

    id: str
    prediction: str
    run: Annotated[int, msgspec.Meta(ge=0)] = 0
    variant: Annotated[int, msgspec.Meta(ge=0)] = 0
    model: str | None = None
    finish_reason: str | None = None
    error: str | None = None
