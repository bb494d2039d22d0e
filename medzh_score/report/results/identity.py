"""What a result folder is of: read faster than the whole of it, and as sure."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from typing import TYPE_CHECKING

import msgspec

from medzh_score.files.json_text import NO_JSON
from medzh_score.files.zipping import SUMS
from medzh_score.messages.errors import MedzhError
from medzh_score.messages.privacy import quotable
from medzh_score.report.results.folder import AGAIN, REPORT, read_files
from medzh_score.report.results.report_file import read_report

if TYPE_CHECKING:
    from pathlib import Path

    from medzh_score.report.signature import Signature


@dataclass(frozen=True)
class Identity:
    """What a result folder is of.

    Attributes
    ----------
    folder : Path
        Where it stands.
    digest : str
        Of all that it holds.
    config, chosen : str
        The config, and the rule that the report chose.
    rules : tuple of str
        All by which it was read.
    signature : dict of str to str
        As the report has it.
    model : str or None
        As the report has it.
    """

    folder: Path
    digest: str
    config: str
    chosen: str
    rules: tuple[str, ...]
    signature: Signature
    model: str | None


class _Written(msgspec.Struct, frozen=True):
    """The parts of a report that say what it is of."""

    config: str
    rule: str
    rules: dict[str, msgspec.Raw]
    signature: dict[str, str]
    model: str | None


def identity_of(folder: Path) -> Identity:
    """Read what a result folder is of; what it holds must have the hashes that are written there."""
    content = read_files(folder)[REPORT]
    try:
        written = msgspec.json.decode(content, type=_Written)
    except NO_JSON as error:
        read_report(folder / REPORT)  # says what is wrong with it
        raise MedzhError(f"is no report: {quotable(error)}", file=folder / REPORT, advice=AGAIN) from error
    digest = hashlib.sha256((folder / SUMS).read_bytes()).hexdigest()
    rules = (written.rule, *written.rules)
    return Identity(folder, digest, written.config, written.rule, rules, written.signature, written.model)
