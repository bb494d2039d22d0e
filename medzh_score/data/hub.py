"""Where the files of a build stand: in a folder, in a bundle, or on a hub, and then of which commit they are."""

from __future__ import annotations

import errno
import re
import sys
import zipfile
from dataclasses import dataclass
from pathlib import Path

import msgspec

from medzh_score.benchmark.registry import package_of
from medzh_score.io.archive import BoundedZip
from medzh_score.io.jsonl import NO_JSON
from medzh_score.io.paths import package_file
from medzh_score.ui.errors import MedzhError, how_to_add
from medzh_score.ui.i18n import _
from medzh_score.ui.progress import is_quiet

HUB_TAG = re.compile(r"(?P<repo>[A-Za-z0-9][\w.-]*/[\w.-]+)(?:@(?P<tag>[\w.+-]+))?", re.ASCII)
EXPECTED = _("a build folder, an offline bundle, open, mini, or a hub tag such as org/medzh@v1.0.0")
COMMIT = re.compile(r"[0-9a-f]{40}")
MANIFEST = "manifest.json"
KIND = "dataset"
SAMPLE = "mini"  # the sample that every config brings along
OPEN = "open"  # the open set, which most configs bring along
SHIPPED = (OPEN, SAMPLE)  # a folder of such a name is ./mini or ./open
AGAIN = _("build the data again")
INSTALL_AGAIN = _("reinstall the package of the config")
LONGEST = 512  # bytes of a pointer file, at most
# What the disk says, rather than the hub.
OF_THE_DISK = frozenset({errno.ENOSPC, errno.EDQUOT, errno.EROFS, errno.EFBIG, errno.EACCES, errno.EPERM})


@dataclass(frozen=True)
class BuildLocation:
    """Where the files of a build stand; a bundle is read without being unpacked. Tag and commit are those of a hub.

    ``shipped`` is data that stand in the package of their config.
    """

    folder: Path | zipfile.Path
    commit: str | None = None
    tag: str | None = None
    shipped: bool = False

    @property
    def again(self) -> str:
        """What to do where a file is damaged."""
        if isinstance(self.folder, zipfile.Path):
            return _("copy the offline bundle again; it is damaged")
        if self.shipped:
            return INSTALL_AGAIN
        if self.commit is None:
            return AGAIN
        # Deleting the snapshot alone would not help: its files are links into the cache of the repository.
        return _("delete {parent} and load the data again", parent=self.folder.parent.parent)


def is_hub_tag(data: str | Path | zipfile.Path) -> bool:
    """Say whether data names a repository on the hub rather than a folder; a folder that is there wins."""
    found = HUB_TAG.fullmatch(data) if isinstance(data, str) else None
    return found is not None and found["tag"] is not None and not Path(found[0]).exists()


def place_of(data: str | Path | zipfile.Path | BuildLocation, config: str | None = None) -> BuildLocation:
    """Find the folder of a build; that of a tag on the hub is downloaded, or taken from the cache without a connection.

    ``datasets`` gives the rows of another revision where the hub cannot be reached; here a tag stands for the commit
    that it named when the hub was last asked, and for nothing else.
    """
    if isinstance(data, BuildLocation):
        return data
    if isinstance(data, zipfile.Path):
        return BuildLocation(data)
    if data in SHIPPED and config is not None:
        return _shipped(config, str(data))
    if is_hub_tag(data):
        repo, _unused, tag = str(data).partition("@")
        return hub_place(repo, tag, config)
    return BuildLocation(_inside(Path(data)))


def _shipped(config: str, name: str) -> BuildLocation:
    """Find the sample or the open set beside the module that declares a config."""
    package = package_of(config)
    try:
        return BuildLocation(package_file(package, name), shipped=True)
    except FileNotFoundError as error:
        problem = (
            _("{config} has no open data", config=config)
            if name == OPEN
            else _("{config} has no mini sample", config=config)
        )
        advice = (
            _("specify a build folder with --data")
            if name == SAMPLE
            else _("specify a build folder with --data, or use --data mini")
        )
        raise MedzhError(
            problem,
            field="--data",
            expected=_("{name} in the package {package}", name=name, package=package),
            advice=advice,
        ) from error


def folder_of(path: Path) -> Path:
    """Follow the pointer file that stands in the place of a link to a build where links cannot be made."""
    if not path.is_file():
        return path
    with path.open("rb") as stream:
        start = stream.read(LONGEST).decode("utf-8", "replace")
    named = re.fullmatch(rf"({re.escape(path.name)}\.\d{{6,}})\r?\n?", start, re.ASCII)
    return path.with_name(named[1]) if named else path


def hub_place(repo: str, revision: str, config: str | None = None) -> BuildLocation:
    """Download the files of a revision that the cache lacks, and find their folder in the cache."""
    prepare_client()
    try:
        # File by file rather than by snapshot_download, which waits for ever for a hub that stalls, and before
        # huggingface_hub 2 takes a cache that lacks files for whole.
        manifest = _fetched(repo, MANIFEST, revision)
        commit = manifest.parent.name
        if COMMIT.fullmatch(commit):
            for path in _files(manifest, config):
                _fetched(repo, path, commit)
    except Exception as error:
        raise _explained(error, repo, revision) from error
    if COMMIT.fullmatch(commit) is None:
        raise MedzhError(
            _("the hub returned an invalid commit"), field="--data", expected=_("40 hex digits"), found=commit
        )
    return BuildLocation(manifest.parent, commit, revision)


def hub_address(repo: str, commit: str) -> str:
    """Give the address of a page that shows a commit, on the hub that is asked."""
    from huggingface_hub.constants import ENDPOINT

    return f"{ENDPOINT}/datasets/{repo}/tree/{commit}"


def _inside(path: Path) -> Path | zipfile.Path:
    """Give the folder, or the root of the bundle."""
    path = folder_of(path)
    if not path.is_file():
        return path
    try:
        return zipfile.Path(BoundedZip(path))
    except (OSError, zipfile.BadZipFile, NotImplementedError) as error:
        raise MedzhError(
            _("invalid offline bundle: {error}", error=error), file=path, field="--data", expected=EXPECTED
        ) from error


def _fetched(repo: str, path: str, revision: str) -> Path:
    """Give a file in the cache; where the hub is not to be had, as it was when the hub was last asked."""
    from huggingface_hub import hf_hub_download
    from huggingface_hub.errors import EntryNotFoundError, RepositoryNotFoundError, RevisionNotFoundError

    try:
        return Path(hf_hub_download(repo, path, repo_type=KIND, revision=revision))
    except (EntryNotFoundError, RepositoryNotFoundError, RevisionNotFoundError):
        raise
    except Exception as error:  # noqa: BLE001 - raised again where the cache does not help
        # A proxy that refuses, or a connection that breaks off: the client looks into its cache for other faults only.
        try:
            return Path(hf_hub_download(repo, path, repo_type=KIND, revision=revision, local_files_only=True))
        except EntryNotFoundError:
            raise error from None


def _files(manifest: Path, config: str | None) -> list[str]:
    """Give the files of a config, or of all; none of what is no manifest, which its reader will say."""
    try:
        configs = msgspec.json.decode(manifest.read_bytes())["configs"]
        wanted = configs.values() if config is None else [configs[config]] if config in configs else []
        return [file["path"] for one in wanted for split in one["splits"].values() for file in split["files"]]
    except (*NO_JSON, LookupError, TypeError, AttributeError):
        return []


def prepare_client() -> None:
    """Refuse where the hub's client is not installed; let it show progress only where somebody looks on."""
    try:
        from huggingface_hub.utils.tqdm import disable_progress_bars
    except ImportError as error:
        problem = _("the hub client is not installed")
        raise MedzhError(problem, field="huggingface_hub", advice=how_to_add("hub")) from error
    if is_quiet() or not sys.stderr.isatty():
        disable_progress_bars()


def _explained(error: Exception, repo: str, tag: str) -> MedzhError:
    """Say what went wrong in one line."""
    from huggingface_hub import errors
    from huggingface_hub.constants import ENDPOINT

    named, where = f"{repo}@{tag}", f"{ENDPOINT}/datasets/{repo}"
    advice = _("retry with a network connection, or set HF_ENDPOINT to a mirror")
    found, problem = f"{named} ({_first_line(error)})", _("cannot load the data from {endpoint}", endpoint=ENDPOINT)
    if isinstance(error, errors.LocalEntryNotFoundError):
        problem = _("cannot load the data from {endpoint}, and the cache does not contain it", endpoint=ENDPOINT)
    elif isinstance(error, errors.RevisionNotFoundError):
        problem = _("the repository on the hub has no such tag")
        found = named
        advice = _("check the tags at {where}", where=where)
    elif isinstance(error, errors.GatedRepoError):
        problem = _("access to the repository on {endpoint} must be requested", endpoint=ENDPOINT)
        found = named
        advice = _("request access at {where}, then run hf auth login", where=where)
    elif isinstance(error, errors.RepositoryNotFoundError):
        advice = _("check the spelling; a private repository requires a token (hf auth login)")
        problem, found = _("{endpoint} has no such repository", endpoint=ENDPOINT), named
    elif isinstance(error, errors.EntryNotFoundError):
        problem, advice = (
            _("the release is incomplete: a file is missing"),
            _("check the files at {where}", where=where),
        )
    elif isinstance(error, errors.HFValidationError):
        problem, advice = _("invalid repository name"), _("use {expected}", expected=EXPECTED)
    elif isinstance(error, OSError) and error.errno in OF_THE_DISK:
        problem, advice = (
            _("cannot write the data to the cache"),
            _("free disk space, or set HF_HOME to another folder"),
        )
    return MedzhError(problem, field="--data", found=found, advice=advice)


def _first_line(error: Exception) -> str:
    text = str(error.__cause__ or error).strip() or type(error).__name__
    return text.splitlines()[0]
