"""What every reader makes of a line."""

from __future__ import annotations

from typing import Annotated

import msgspec


class Prediction(msgspec.Struct, frozen=True, gc=False):
    """What came back for one prompt; also the native line, ``{"id": …, "prediction": …}``.

    Attributes
    ----------
    id : str
        The id of what was prompted.
    prediction : str
        The text, untouched.
    run, variant : int
        From 0.
    model : str or None
        Who answered, where the file says it.
    finish_reason : str or None
        Why generation ended, in the words of the OpenAI interface: ``length`` is truncated, ``content_filter``
        refused.
    error : str or None
        Why there is no text: the request failed, and the prediction counts as missing.
    """

    id: str
    prediction: str
    run: Annotated[int, msgspec.Meta(ge=0)] = 0
    variant: Annotated[int, msgspec.Meta(ge=0)] = 0
    model: str | None = None
    finish_reason: str | None = None
    error: str | None = None
