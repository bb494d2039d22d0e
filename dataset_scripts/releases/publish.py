"""How a build gets to a hub: refused or compared, uploaded, verified, and only then tagged."""

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
from dataset_scripts.releases.checks import faults_of, unpublishable, wrong_repository, wrong_version
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


PATIENCE = 300.0  # seconds without a byte; a hub that takes a large commit in may need minutes


@dataclass(frozen=True)
class Published:
    """What a hub's repository holds."""

    tags: dict[Version, str]  # the commit of each release
    head: str | None  # the last commit; None where the repository is still to be made
    private: bool  # whether it is closed to the public


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
    """Publish a build, or ``only`` some configs of it, as a version; what may not be published is left out and named.

    A ``private`` release goes to a private repository, which is made where there is none, and may hold configs whose
    sources may not be redistributed. What was released so is never published otherwise.
    Gives the reasons why it may not be published; empty where it was, or would be.
    """
    prepare_client()
    folder = folder_of(folder).resolve()  # whatever is built meanwhile, this build is meant
    configs = _chosen(read_manifest(folder)["configs"], only)
    reasons = list(faults_of(folder, private=private))
    reasons += [
        _("{name}: private configs are never published", name=name)
        for name in only
        if holds_private(name, configs[name])
    ]
    left_out = (
        {} if reasons else dict(unpublishable(configs, private=private))
    )  # a damaged manifest says nothing of sources
    for name, why in left_out.items():
        say(_("{name}: excluded: {why}", name=name, why=why))
    configs = {name: entry for name, entry in configs.items() if name not in left_out}
    reasons += [] if configs or reasons else [_("the build has no config that can be published")]
    published = _published(repo, dry_run=dry_run, say=say)
    if published is not None:
        last = max(published.tags, default=None)
        closed = last.tag if last and _is_private_release(repo, published.tags[last]) else None
        is_public = published.head is not None and not published.private
        reasons += wrong_repository(repo, private=private, is_public=is_public, private_release=closed)
        # What is refused anyway is compared as far as it can be, so that all reasons are seen at once.
        changes = _changes(BuildLocation(folder), configs, repo, published, must=not (dry_run or reasons), say=say)
        reasons += wrong_version(version, list(published.tags), changes)
    if reasons:
        return reasons
    with staged(folder, configs, version, private=private) as copy:
        for path in sorted(path for path in copy.rglob("*") if path.is_file()):
            say(_("  {path}: {st_size:,} bytes", path=path.relative_to(copy).as_posix(), st_size=path.stat().st_size))
        for name, entry in configs.items():
            known = data_name(name, entry["recipe"])
            say(
                _(
                    "{known} {version}: recipe {recipe}, fingerprint {fingerprint}",
                    known=known,
                    version=version,
                    recipe=entry["recipe"],
                    fingerprint=entry["fingerprint"][:8],
                )
            )
        if dry_run or published is None:
            say(_("dry run: nothing was uploaded"))
            return []
        commit = _upload(copy, repo, version, published, private=private, say=say)
        _verify(copy, repo, version, commit, say)
        _tag(repo, version, commit, say)
    return []


def _client() -> HfApi:
    from huggingface_hub import HfApi
    from huggingface_hub.utils import get_session  # type: ignore[attr-defined]

    # From huggingface_hub 1 on this is one client for all, which would wait for ever for a hub that stalls.
    get_session().timeout = PATIENCE
    return HfApi()


def _published(repo: str, *, dry_run: bool, say: Callable[[str], None]) -> Published | None:
    """Ask the hub what it has; None where it cannot be reached and nothing is to be uploaded."""
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
    """Read whether the manifest of a release says so; one without a manifest that can be read says nothing."""
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


def _changes(  # noqa: PLR0913 - what is compared with what, and how it is said
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
        say(_("{repo}: no release is published yet", repo=repo))
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


def _upload(  # noqa: PLR0913 - what is uploaded, over what, and how
    copy: Path, repo: str, version: Version, published: Published, *, private: bool, say: Callable[[str], None]
) -> str:
    """Upload in one commit, over what the hub was seen to have."""
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
    """Refuse a repository that was to be made private and is not."""
    if not client.repo_info(repo, repo_type=KIND).private:
        problem, expected = (
            _("the repository was not created as private, and nothing was uploaded"),
            _("a private repository"),
        )
        raise MedzhError(problem, field=repo, expected=expected)


def _made(repo: str) -> str:
    """Give the head of a repository that was just made; refuse one in which somebody else has published meanwhile."""
    refs = _client().list_repo_refs(repo, repo_type=KIND)
    if taken := [tag.name for tag in refs.tags if version_of_tag(tag.name)]:
        raise MedzhError(_("another release was published in the meantime"), field=repo, found=", ".join(taken))
    return next(branch.target_commit for branch in refs.branches if branch.name == "main")


def _verify(copy: Path, repo: str, version: Version, commit: str, say: Callable[[str], None]) -> None:
    """Download the commit into an empty place, and compare every file and every fingerprint."""
    from huggingface_hub import snapshot_download

    with TemporaryDirectory(prefix="medzh-verify-") as cache:
        try:
            came = Path(snapshot_download(repo, repo_type=KIND, revision=commit, cache_dir=cache))
        except Exception as error:
            raise _failed(
                _("the upload cannot be verified, and no tag was created; run the command again to finish"), repo, error
            ) from error
        for problem in _differences(copy, came):
            raise MedzhError(
                _("the content on the hub differs from the upload: {problem}", problem=problem),
                field=repo,
                found=commit,
            )
        for config, entry in read_manifest(came)["configs"].items():
            for split in entry["splits"]:
                load_records(BuildLocation(came, commit, version.tag), config, split=split)
    say(_("{repo}: downloaded again, and all files and fingerprints match", repo=repo))


def _differences(copy: Path, came: Path) -> Iterator[str]:
    for path in sorted(path.relative_to(copy) for path in copy.rglob("*") if path.is_file()):
        if not (came / path).is_file():
            yield f"{path.as_posix()} is not there"
        elif (came / path).read_bytes() != (copy / path).read_bytes():
            yield f"{path.as_posix()} is another file"
    there = {path.relative_to(came).as_posix() for path in came.rglob("*") if path.is_file()}
    for name in sorted(there - {path.relative_to(copy).as_posix() for path in copy.rglob("*")} - {".gitattributes"}):
        yield f"{name} is there too"


def _tag(repo: str, version: Version, commit: str, say: Callable[[str], None]) -> None:
    """Name the commit; where only the hub's answer was lost, the tag is there all the same."""
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
    folder: Path, configs: Mapping[str, Mapping[str, Any]], version: Version, *, private: bool
) -> Iterator[Path]:
    """Copy a build, stamp a version on every config, and write card and manifest anew; they say if it is private."""
    with TemporaryDirectory(prefix="medzh-release-") as name:
        copy = Path(name)
        try:
            for entry in configs.values():
                for file in (file for split in entry["splits"].values() for file in split["files"]):
                    (copy / file["path"]).parent.mkdir(exist_ok=True)
                    shutil.copyfile(folder / file["path"], copy / file["path"])
            stamped = {config: {**entry, "version": str(version)} for config, entry in configs.items()}
            write_rest(copy, stamped, before=folder, private=private)
        except OSError as error:
            raise MedzhError(
                _("the build cannot be copied: {strerror}", strerror=_(error.strerror or str(error))),
                file=folder,
                field="build",
            ) from error
        yield copy


def bundle(build: Path, out: Path, dictionaries: Sequence[Path] = ()) -> dict[str, str]:
    """Write a bundle, with dictionaries of names beside the build; equal content gives equal bytes."""
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
    """Refuse a build that holds a private config: a bundle is made to be carried away."""
    for name, entry in read_manifest(build)["configs"].items():
        if holds_private(name, entry):
            advice = _("build the other configs into a separate folder with `--output`, and bundle that folder")
            raise MedzhError(
                _("the build contains a private config, which cannot be bundled"), found=Unredacted(name), advice=advice
            )
