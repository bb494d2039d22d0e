"""Reasons against publishing a release: problems of the build, the wrong repository, a wrong version."""

from __future__ import annotations

from typing import TYPE_CHECKING

from dataset_scripts.building.check import check
from dataset_scripts.releases.diff import step_of
from dataset_scripts.releases.versions import Step, step_between
from medzh_score.data.records import read_manifest
from medzh_score.ui.i18n import _, pgettext

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from pathlib import Path

    from dataset_scripts.releases.diff import Changes
    from dataset_scripts.releases.versions import Version


def faults_of(folder: Path, *, private: bool = False) -> Iterator[str]:
    """Return the problems of a build that prevent publishing any version: those of ``check``."""
    found = check(folder)
    yield from found.problems
    if not found.summary and not found.problems:
        yield _("the build contains no configs")
    if not found.problems and not private and read_manifest(folder).get("private"):
        note = _("the build is a release for one organization only; publish it with `--private`")
        yield note


def wrong_repository(repo: str, *, private: bool, is_public: bool, private_release: str | None) -> Iterator[str]:
    """Return why a repository may not get a release: it is public, or its last release is private."""
    if private and is_public:
        note = _("{repo} is public, but `--private` requires a private repository", repo=repo)
        yield note
    if not private and private_release is not None:
        note = _(
            "{repo} contains a release for one organization only ({private_release}); publish with `--private`",
            repo=repo,
            private_release=private_release,
        )
        yield note


def wrong_version(version: Version, tags: Sequence[Version], changes: list[Changes] | None) -> Iterator[str]:
    """Return the problems of a version."""
    if version in tags:
        yield _("{tag} is already published, and a release never changes", tag=version.tag)
        return
    last = max(tags, default=None)
    if last is None:
        return
    needed, taken = step_of(changes or []), step_between(last, version)
    if taken is Step.NONE:
        yield _("{version} is not higher than {last}, the last published version", version=version, last=last)
    elif taken < needed:
        yield _(
            (
                "the changes since {last} require version {after} or later ({needed}), but {version} is only a "
                "{taken} step"
            ),
            last=last,
            after=last.after(needed),
            needed=pgettext("build changes", str(needed)),
            version=version,
            taken=pgettext("build changes", str(taken)),
        )
