"""Rules, named ways to read answers from texts: their names in signatures, and how people or models read instead."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass, field
from functools import cache
from typing import TYPE_CHECKING, Any

from medzh_score.io.paths import package_file
from medzh_score.text.fold import TRADITIONAL
from medzh_score.ui.errors import MedzhError
from medzh_score.ui.i18n import _

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence
    from pathlib import Path

    from medzh_score.benchmark.answers import Reading
    from medzh_score.benchmark.items import ItemIndex, Query, Record


DEFAULT_RULE = "medzh-1"  # the one rule of this package, in every config
# What rules were called before that one replaced them; those that are still there lost their number.
FORMER = dict.fromkeys(
    (
        *("strict-1", "strict-2", "simple-1", "lenient-1", "prepared-1", "codes-1", "names-1", "names-2"),
        *("tf-1", "score-2", "declines-1", "declines-2"),
    ),
    DEFAULT_RULE,
) | {"judge-1": "judge"}
DIGITS = 8


@dataclass(frozen=True)
class Rule:
    """A named extraction rule."""

    name: str  # as in the report
    summary: str  # one sentence on whose rule it is
    # from the raw text, the side of what was `Query` and the number of the variant to one `Reading` a member
    read: Callable[[str, Any, int], Sequence[Reading]]
    # what names of what decided mean, as a clause for people, beside those that many rules give
    meanings: Mapping[str, str] = field(default_factory=dict)
    # whether the answer is the whole text, not something that it says: of one that runs on its beginning counts then
    whole: bool = False


def record_alone(read: Callable[[str, Any], Reading]) -> Callable[[str, Any, int], Sequence[Reading]]:
    """Make the function of a rule from one that extracts the answer to a record; it has one option order."""

    def answers(text: str, side: object, _variant: int) -> tuple[Reading]:
        return (read(text, side),)

    return answers


def replaced_by(rules: Sequence[Rule], name: str | None) -> None:
    """Refuse a former name, and say what replaced it; a private package's rule may bear any."""
    names = [rule.name for rule in rules]
    if name in FORMER and name not in names:
        raise MedzhError(
            _("replaced by {former}", former=FORMER[name]),
            field="--rule",
            expected=", ".join(names),
            found=name,
        )


@dataclass(frozen=True)
class ResponsesOf:
    """A later round of the same model, each item a record: its responses are what is read, not the first answers."""

    stage: str  # its name
    # as `Config.queries`: each record alone, with what the rule needs to know of it
    queries: Callable[[Sequence[Record], ItemIndex], Sequence[Query]]
    rule: Rule  # ours, as it reads these responses


@dataclass(frozen=True)
class Reads:
    """The settings of fallback extraction and the audit."""

    # from a record with all its columns, what was `Query` and the number of the variant to what the reader is shown
    # of the question: its options as they were shown, never the gold
    question: Callable[[Record, Query, int], str]
    choices: str  # in Chinese, in which form the reader writes an answer
    # the rules of the config that read answers from texts: those that an audit counts the errors of
    rules: tuple[str, ...] = (DEFAULT_RULE,)
    # the metrics that are shares of items, records or groups, to which each answer gives at most its own part
    shares: tuple[str, ...] = ()
    second: bool = True  # whether there is a second reading; not where it is measured how well a form is followed
    completion_prefix: str = ""  # what stands before the reader's words when the rule reads them
    same: Callable[[str, str], bool] = str.__eq__  # from two values to whether they are one answer
    of: ResponsesOf | None = None  # of which responses the answers are read; None where it is the first


def same_set(separator: str) -> Callable[[str, str], bool]:
    """Make a comparison of values that are lists with a separator: their order does not matter."""

    def same(one: str, other: str) -> bool:
        return set(one.split(separator)) == set(other.split(separator))

    return same


def signed_rule(name: str) -> str:
    """Give a rule's name as it stands in a signature: with a plus sign and eight hex digits.

    The digest is of all that prepares and reads texts, for each rule of a result alike: by any of them results of two
    versions that read otherwise differ.
    """
    return f"{name}+{digest()[:DIGITS]}"


@cache
def digest() -> str:
    """Give the SHA-256 over all that reads: ``extraction``, the ``reading.py`` of single configs, and characters."""
    return digest_of(package_file("medzh_score", "extraction").parent)


def digest_of(package: Path) -> str:
    """Give the SHA-256 over the names and contents of the sources and vocabularies that read, sorted by name."""
    found_in = [file for file in (package / "extraction").rglob("*") if file.suffix in {".py", ".toml"}]
    found_in += package.glob("configs/*/reading.py")
    files = {file.relative_to(package).as_posix(): file for file in (*found_in, package / TRADITIONAL)}
    found = hashlib.sha256()
    for name, file in sorted(files.items()):
        content = file.read_bytes().replace(b"\r\n", b"\n")  # a checkout may have other line ends
        found.update(f"{name}\0{len(content)}\0".encode())
        found.update(content)
    return found.hexdigest()
