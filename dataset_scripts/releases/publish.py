"""Publish a build on a hub: check it, compare it with the last release, upload it, verify it and then tag it."""

from __future__ import annotations

import shutil
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any

from dataset_scripts.building.check import check
from dataset_scripts.digests import holds_private
from dataset_scripts.packaging.build_files import write_rest
from dataset_scripts.packaging.card import PLACEHOLDER
from dataset_scripts.packaging.licences import unpublishable
from dataset_scripts.releases.checks import faults_of, wrong_repository, wrong_version
from dataset_scripts.releases.diff import change_lines, changes_between
from dataset_scripts.releases.versions import version_of_tag
from medzh_score.benchmark.registry import data_name
from medzh_score.data.hub import KIND, MANIFEST, BuildLocation, folder_of, hub_place, prepare_client
from medzh_score.data.records import load_records, read_manifest
from medzh_score.io.archive import write_zip
from medzh_score.ui.errors import MedzhError, error_text
from medzh_score.ui.i18n import _
from medzh_score.ui.privacy import Unredacted

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterator, Mapping, Sequence

    from huggingface_hub import HfApi

    from dataset_scripts.releases.diff import Changes
    from dataset_scripts.releases.versions import Version


TIMEOUT = 300.0  # seconds without a byte; a hub may need minutes for a large commit


@dataclass(frozen=True)
class Published:
    """The releases of a repository on the hub."""

    tags: dict[Version, str]  # the commit of each release
    head: str | None  # the last commit; None if the repository does not exist
    private: bool


def publish(  # noqa: PLR0913 - what is published, where, and how far it goes
    folder: Path,
    repo: str,
    version: Version,
    *,
    dry_run: bool,
    say: Callable[[str], None],
    only: Sequence[str] = (),
    private: bool = False,
) -> list[str]:
    """Publish a build, or ``only`` some of its configs, as a version, and name the configs that are excluded.

    A ``private`` release is written to a private repository, which is created if it does not exist. It may contain
    configs whose sources may not be redistributed, and is never made public by a later release.
    Return the reasons against publishing; an empty list if the build was, or would be, published.
    """
    prepare_client()
    folder = folder_of(folder).resolve()  # a build that is made in the meantime is not published
    configs, reasons = _publishable(folder, only, private=private, say=say)
    published = _published(repo, dry_run=dry_run, say=say)
    if published is not None:
        reasons += _conflicts(repo, published, private=private)
        # A build that is rejected is compared as far as possible, so that all reasons are listed at once.
        changes = _changes(BuildLocation(folder), configs, repo, published, must=not (dry_run or reasons), say=say)
        reasons += wrong_version(version, list(published.tags), changes)
    if reasons:
        return reasons
    with staged(folder, configs, version, private=private, repo=repo) as copy:
        _list_content(copy, configs, version, say)
        if dry_run or published is None:
            say(_("dry run: nothing was uploaded"))
            return []
        commit = _upload(copy, repo, version, published, private=private, say=say)
        _verify(copy, repo, version, commit, say)
        _tag(repo, version, commit, say)
    return []


def _publishable(
    folder: Path, only: Sequence[str], *, private: bool, say: Callable[[str], None]
) -> tuple[dict[str, Any], list[str]]:
    """Return the configs to publish and the problems of the build."""
    configs = _chosen(read_manifest(folder)["configs"], only)
    reasons = list(faults_of(folder, private=private))
    reasons += [
        _("{name}: private configs are never published", name=name)
        for name in only
        if holds_private(name, configs[name])
    ]
    if reasons:  # the sources in a damaged manifest are not evaluated
        return configs, reasons
    excluded = dict(unpublishable(configs, private=private))
    for name, why in excluded.items():
        say(_("{name}: excluded: {why}", name=name, why=why))
    configs = {name: entry for name, entry in configs.items() if name not in excluded}
    return configs, [] if configs else [_("the build has no config that can be published")]


def _conflicts(repo: str, published: Published, *, private: bool) -> list[str]:
    """Return the reasons against the visibility of the repository and of its last release."""
    last = max(published.tags, default=None)
    closed = last.tag if last and _is_private_release(repo, published.tags[last]) else None
    is_public = published.head is not None and not published.private
    return list(wrong_repository(repo, private=private, is_public=is_public, private_release=closed))


def _list_content(copy: Path, configs: dict[str, Any], version: Version, say: Callable[[str], None]) -> None:
    for path in sorted(path for path in copy.rglob("*") if path.is_file()):
        say(_("  {path}: {st_size:,} bytes", path=path.relative_to(copy).as_posix(), st_size=path.stat().st_size))
    for name, entry in configs.items():
        say(
            _(
                "{known} {version}: recipe {recipe}, fingerprint {fingerprint}",
                known=data_name(name, entry["recipe"]),
                version=version,
                recipe=entry["recipe"],
                fingerprint=entry["fingerprint"][:8],
            )
        )


def _client() -> HfApi:
    from huggingface_hub import HfApi
    from huggingface_hub.utils import get_session  # type: ignore[attr-defined]

    # Since huggingface_hub 1, all requests share this client, which has no timeout of its own.
    get_session().timeout = TIMEOUT
    return HfApi()


def _published(repo: str, *, dry_run: bool, say: Callable[[str], None]) -> Published | None:
    """Query the releases on the hub; None if it cannot be reached in a dry run."""
    from huggingface_hub.errors import HFValidationError, RepositoryNotFoundError

    try:
        refs = _client().list_repo_refs(repo, repo_type=KIND)
    except RepositoryNotFoundError:
        say(_("{repo}: the repository does not exist yet", repo=repo))
        return Published({}, None, private=False)
    except HFValidationError as error:
        raise MedzhError(
            _("invalid repository name: {first_line}", first_line=_first_line(error)), field="ORG/NAME", found=repo
        ) from error
    except Exception as error:
        if not dry_run:
            raise _failed(_("the content of the repository cannot be queried"), repo, error) from error
        say(_("{repo}: not compared: {first_line}", repo=repo, first_line=_first_line(error)))
        return None
    try:
        closed = bool(_client().repo_info(repo, repo_type=KIND).private)
    except Exception as error:
        raise _failed(_("the visibility of the repository cannot be queried"), repo, error) from error
    versions = {version: tag.target_commit for tag in refs.tags if (version := version_of_tag(tag.name))}
    head = next((branch.target_commit for branch in refs.branches if branch.name == "main"), None)
    return Published(versions, head, closed)


def _is_private_release(repo: str, commit: str) -> bool:
    """Return whether the manifest of a release marks it as private; False without a readable manifest."""
    from huggingface_hub import hf_hub_download
    from huggingface_hub.errors import EntryNotFoundError

    try:
        with TemporaryDirectory(prefix="medzh-manifest-") as cache:
            hf_hub_download(repo, MANIFEST, repo_type=KIND, revision=commit, local_dir=cache)
            return bool(read_manifest(Path(cache)).get("private"))
    except (EntryNotFoundError, MedzhError):
        return False
    except Exception as error:
        raise _failed(_("the last release of the repository cannot be queried"), repo, error) from error


def _chosen(configs: dict[str, Any], only: Sequence[str]) -> dict[str, Any]:
    for name in only:
        if name not in configs:
            known = ", ".join(configs) or "none"
            raise MedzhError(_("the build does not contain the config"), field="--configs", expected=known, found=name)
    return {name: entry for name, entry in configs.items() if not only or name in only}


def _changes(  # noqa: PLR0913 - both sides of the comparison and its output
    build: BuildLocation,
    chosen: Collection[str],
    repo: str,
    published: Published,
    *,
    must: bool,
    say: Callable[[str], None],
) -> list[Changes] | None:
    last = max(published.tags, default=None)
    if last is None:
        say(_("{repo}: no release has been published yet", repo=repo))
        return None
    try:
        released = hub_place(repo, last.tag)
        changes = changes_between(released, build, chosen)
    except MedzhError as error:
        if must:
            raise
        say(_("{repo}: not compared: {first_line}", repo=repo, first_line=error_text(error)))
        return None
    say(_("{repo}: compared with {tag}, commit {commit}", repo=repo, tag=last.tag, commit=str(released.commit)[:12]))
    for line in change_lines(changes):
        say(line)
    return changes


def _upload(  # noqa: PLR0913 - the upload and its target
    copy: Path, repo: str, version: Version, published: Published, *, private: bool, say: Callable[[str], None]
) -> str:
    """Upload in one commit on top of the last commit that was seen."""
    client = _client()
    try:
        if published.head is None:
            client.create_repo(repo, repo_type=KIND, private=private, exist_ok=True)
            if private:
                _check_private(client, repo)
        done = client.upload_folder(
            repo_id=repo,
            repo_type=KIND,
            folder_path=copy,
            commit_message=f"Release {version}",
            parent_commit=published.head or _made(repo),
            delete_patterns="*",
        )
    except MedzhError:
        raise
    except Exception as error:
        raise _failed(
            _("the upload failed, and no tag was created; run the command again to finish"), repo, error
        ) from error
    say(_("{repo}: uploaded as commit {oid}", repo=repo, oid=done.oid))
    return str(done.oid)


def _check_private(client: HfApi, repo: str) -> None:
    """Reject a repository that was not created as private."""
    if not client.repo_info(repo, repo_type=KIND).private:
        problem, expected = (
            _("the repository was not created as private, and nothing was uploaded"),
            _("a private repository"),
        )
        raise MedzhError(problem, field=repo, expected=expected)


def _made(repo: str) -> str:
    """Return the head of a new repository; reject it if it has a release already."""
    refs = _client().list_repo_refs(repo, repo_type=KIND)
    if taken := [tag.name for tag in refs.tags if version_of_tag(tag.name)]:
        raise MedzhError(_("another release was published in the meantime"), field=repo, found=", ".join(taken))
    return next(branch.target_commit for branch in refs.branches if branch.name == "main")


def _verify(copy: Path, repo: str, version: Version, commit: str, say: Callable[[str], None]) -> None:
    """Download the commit into an empty folder, and compare all files and fingerprints."""
    from huggingface_hub import snapshot_download

    with TemporaryDirectory(prefix="medzh-verify-") as cache:
        try:
            downloaded = Path(snapshot_download(repo, repo_type=KIND, revision=commit, cache_dir=cache))
        except Exception as error:
            raise _failed(
                _("the upload cannot be verified, and no tag was created; run the command again to finish"), repo, error
            ) from error
        for problem in _differences(copy, downloaded):
            raise MedzhError(
                _("the content on the hub differs from the upload: {problem}", problem=problem),
                field=repo,
                found=commit,
            )
        for config, entry in read_manifest(downloaded)["configs"].items():
            for split in entry["splits"]:
                load_records(BuildLocation(downloaded, commit, version.tag), config, split=split)
    say(_("{repo}: downloaded again, and all files and fingerprints match", repo=repo))


def _differences(copy: Path, downloaded: Path) -> Iterator[str]:
    there = {path.relative_to(downloaded).as_posix() for path in downloaded.rglob("*") if path.is_file()}
    sent = {path.relative_to(copy).as_posix() for path in copy.rglob("*") if path.is_file()}
    for path in sorted(sent):
        if path not in there:
            yield _("{path} is missing", path=path)
        elif (downloaded / path).read_bytes() != (copy / path).read_bytes():
            yield _("the content of {path} differs", path=path)
    for path in sorted(there - sent - {".gitattributes"}):
        yield _("{path} was not part of the upload", path=path)


def _tag(repo: str, version: Version, commit: str, say: Callable[[str], None]) -> None:
    """Create the tag, and check it, because it may exist although the response of the hub was lost."""
    from huggingface_hub.errors import RevisionNotFoundError

    client, failed = _client(), None
    try:
        client.create_tag(repo, repo_type=KIND, tag=version.tag, revision=commit, tag_message=f"Release {version}")
    except Exception as error:  # noqa: BLE001 - looked at below
        failed = error
    try:
        found = client.repo_info(repo, repo_type=KIND, revision=version.tag).sha
    except RevisionNotFoundError as error:
        raise _failed(
            _("tag {tag} was not created; run the command again to finish", tag=version.tag), repo, failed or error
        ) from error
    except Exception as error:
        raise _failed(
            _("it is unknown whether tag {tag} was created; run the command again to check", tag=version.tag),
            repo,
            failed or error,
        ) from error
    if found != commit:
        raise MedzhError(
            _("tag {tag} refers to another commit", tag=version.tag), field=repo, expected=commit, found=found
        )
    say(
        _(
            "{repo}: created tag {tag}; load the data with `--data {repo}@{tag}`",
            repo=repo,
            tag=version.tag,
        )
    )


def _failed(problem: str, repo: str, error: Exception) -> MedzhError:
    advice = _("check the connection, HF_ENDPOINT and the token (`hf auth whoami`)")
    return MedzhError(problem, field=repo, found=_first_line(error), advice=advice)


def _first_line(error: Exception) -> str:
    text = str(error.__cause__ or error).strip() or type(error).__name__
    return text.splitlines()[0]


@contextmanager
def staged(
    folder: Path,
    configs: Mapping[str, Mapping[str, Any]],
    version: Version,
    *,
    private: bool,
    repo: str = PLACEHOLDER,
) -> Iterator[Path]:
    """Copy a build with a version for every config, and write its card and manifest for the repository."""
    with TemporaryDirectory(prefix="medzh-release-") as name:
        copy = Path(name)
        try:
            for entry in configs.values():
                for file in (file for split in entry["splits"].values() for file in split["files"]):
                    (copy / file["path"]).parent.mkdir(exist_ok=True)
                    shutil.copyfile(folder / file["path"], copy / file["path"])
            stamped = {config: {**entry, "version": str(version)} for config, entry in configs.items()}
            write_rest(copy, stamped, before=folder, private=private, repo=repo)
        except OSError as error:
            raise MedzhError(
                _("the build cannot be copied: {strerror}", strerror=_(error.strerror or str(error))),
                file=folder,
                field="build",
            ) from error
        yield copy


def bundle(build: Path, out: Path, dictionaries: Sequence[Path] = ()) -> dict[str, str]:
    """Write an offline bundle of a build and dictionaries; equal content gives equal bytes."""
    build = folder_of(build)
    _refuse_private(build)
    for problem in check(build).problems:
        raise MedzhError(
            _("the build has a problem: {problem}", problem=problem),
            file=build,
            advice=_("run `medzh-build check` to list all problems"),
        )
    files = (path for path in sorted(build.rglob("*")) if path.is_file())
    members: dict[str, bytes | Path] = {path.relative_to(build).as_posix(): path for path in files}
    for file in dictionaries:
        name = f"dictionaries/{file.name}"
        if name in members or not file.is_file():
            problem = _("the file name is used twice") if name in members else _("the path is not a file")
            raise MedzhError(problem, file=file, field="--dictionaries")
        members[name] = file
    return write_zip(out, members)


def _refuse_private(build: Path) -> None:
    """Reject a build with a private config, because a bundle is passed on."""
    for name, entry in read_manifest(build)["configs"].items():
        if holds_private(name, entry):
            advice = _("build the other configs into a separate folder with `--output`, and bundle that folder")
            raise MedzhError(
                _("the build contains a private config, which cannot be bundled"), found=Unredacted(name), advice=advice
            )
