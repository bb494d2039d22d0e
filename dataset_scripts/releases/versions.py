"""Version numbers of releases, and the rule by which they grow."""

from __future__ import annotations

import re
from enum import IntEnum
from typing import NamedTuple

from medzh_score.ui.errors import MedzhError
from medzh_score.ui.i18n import _

FORM = re.compile(r"(0|[1-9]\d{0,5})\.(0|[1-9]\d{0,5})\.(0|[1-9]\d{0,5})", re.ASCII)


class Step(IntEnum):
    """The step of a version.

    A changed, removed or re-labelled record is major, added records or columns are minor, the same records stored or
    described anew are a patch.
    """

    NONE = 0
    PATCH = 1
    MINOR = 2
    MAJOR = 3

    def __str__(self) -> str:
        """Return the name of the step."""
        return self.name.lower()


class Version(NamedTuple):
    """A version, ordered as numbers."""

    major: int
    minor: int
    patch: int

    def __str__(self) -> str:
        """Write it without the v of its tag."""
        return f"{self.major}.{self.minor}.{self.patch}"

    @property
    def tag(self) -> str:
        """The tag on a hub."""
        return f"v{self}"

    def after(self, step: Step) -> Version:
        """Return the next version after a step.

        >>> str(Version(1, 2, 3).after(Step.MINOR))
        '1.3.0'
        """
        return {
            Step.NONE: self,
            Step.PATCH: Version(self.major, self.minor, self.patch + 1),
            Step.MINOR: Version(self.major, self.minor + 1, 0),
            Step.MAJOR: Version(self.major + 1, 0, 0),
        }[step]


def read_version(text: str) -> Version:
    """Parse a version.

    >>> read_version("1.10.0") > read_version("1.9.9")
    True
    """
    found = FORM.fullmatch(text)
    if found is None or text == "0.0.0":
        raise MedzhError(
            _("invalid version"), field="--version", expected=_("three numbers, such as 1.0.0"), found=text
        )
    return Version(*map(int, found.groups()))


def version_of_tag(tag: str) -> Version | None:
    """Return the version of a tag; None for other tags."""
    found = FORM.fullmatch(tag.removeprefix("v")) if tag.startswith("v") else None
    return Version(*map(int, found.groups())) if found else None


def step_between(before: Version, after: Version) -> Step:
    """Return the step between two versions.

    >>> str(step_between(Version(1, 0, 0), Version(1, 2, 0)))
    'minor'
    """
    if after <= before:
        return Step.NONE
    if after.major > before.major:
        return Step.MAJOR
    return Step.MINOR if after.minor > before.minor else Step.PATCH
