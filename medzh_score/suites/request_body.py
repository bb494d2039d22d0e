"""What of a request to a server is not to be set by the user."""

from __future__ import annotations

from typing import TYPE_CHECKING

from medzh_score.messages.errors import MedzhError

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

RESERVED = ("model", "messages", "prompt", "n", "stream")


def refuse_reserved(settings: Mapping[str, object], field: str, path: Path | None = None) -> None:
    """Refuse settings that a request holds already, or of which one answer would become several or pieces."""
    for name in RESERVED:
        if name in settings:
            expected = f"none of {', '.join(RESERVED)}"
            raise MedzhError("cannot be set", file=path, field=field, expected=expected, found=name)
