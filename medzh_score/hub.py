"""Where the files of a build stand: in a folder, in a bundle, or on a hub, and then of which commit they are."""

from __future__ import annotations

import re
import sys
import zipfile
from dataclasses import dataclass
from pathlib import Path

from medzh_score.errors import MedzhError

HUB_TAG = re.compile(r"(?P<repo>[A-Za-z0-9][\w.-]*/[\w.-]+)(?:@(?P<tag>[\w.+-]+))?", re.ASCII)
EXPECTED = "a build folder, a bundle, or a tag on the hub such as org/medzh@v1.0.0"
COMMIT = re.compile(r"[0-9a-f]{40}")


@dataclass(frozen=True)
class Place:
    """Where the files of a build stand.

    Attributes
    ----------
    folder : Path or zipfile.Path
        The folder with the manifest; a zipfile.Path inside a bundle, which is read without being unpacked.
    commit : str or None
        Of the hub's repository, 40 hex digits; None of a folder that the user named.
    """

    folder: Path | zipfile.Path
    commit: str | None = None


def is_hub_tag(data: str | Path | zipfile.Path) -> bool:
    """Say whether data names a repository on the hub rather than a folder; a folder that is there wins.

    Parameters
    ----------
    data : str or Path
        As given with ``--data``.

    Examples
    --------
    >>> is_hub_tag("org/medzh@v1.0.0"), is_hub_tag("build/no/such/folder"), is_hub_tag("./org/medzh@v1.0.0")
    (True, False, False)
    """
    found = HUB_TAG.fullmatch(data) if isinstance(data, str) else None
    return found is not None and found["tag"] is not None and not Path(found[0]).exists()


def place_of(data: str | Path | zipfile.Path, config: str | None = None) -> Place:
    """Find the folder of a build; that of a tag on the hub is downloaded, or taken from the cache without a connection.

    ``datasets`` gives the rows of another revision where the hub cannot be reached; here a tag stands for the commit
    that it named when the hub was last asked, and for nothing else.

    Parameters
    ----------
    data : str or Path
        A folder, a bundle (a .zip file), or ``org/name@tag``.
    config : str, optional
        The config whose files are needed; those of all when not given.

    Returns
    -------
    Place
        The folder; with the commit where it is a tag's.

    Raises
    ------
    MedzhError
        If a file is no bundle; if the hub has no such repository or tag, or cannot be reached and the cache does not
        hold the tag.
    """
    if isinstance(data, zipfile.Path):
        return Place(data)
    if not is_hub_tag(data):
        return Place(_inside(Path(data)))
    found = HUB_TAG.fullmatch(str(data))
    assert found is not None  # noqa: S101 - is_hub_tag says so
    folder = _snapshot(found["repo"], found["tag"], config)
    if COMMIT.fullmatch(folder.name) is None:
        raise MedzhError("the hub names no commit", field="--data", expected="40 hex digits", found=folder.name)
    return Place(folder, folder.name)


def _inside(path: Path) -> Path | zipfile.Path:
    """Give the folder, or the root of the bundle."""
    if not path.is_file():
        return path
    try:
        return zipfile.Path(zipfile.ZipFile(path))
    except (OSError, zipfile.BadZipFile) as error:
        raise MedzhError(f"is no bundle: {error}", file=path, field="--data", expected=EXPECTED) from error


def _snapshot(repo: str, tag: str, config: str | None) -> Path:
    from huggingface_hub import snapshot_download

    keep_bars_to_terminals()
    wanted = None if config is None else ["manifest.json", f"{config}/*"]
    try:
        return Path(snapshot_download(repo, repo_type="dataset", revision=tag, allow_patterns=wanted))
    except Exception as error:
        raise _explained(error, repo, tag) from error


def keep_bars_to_terminals() -> None:
    """Show the hub client's progress only where somebody looks on: a log is to hold messages."""
    from huggingface_hub.utils.tqdm import disable_progress_bars

    if not sys.stderr.isatty():
        disable_progress_bars()


def _explained(error: Exception, repo: str, tag: str) -> MedzhError:
    """Say what went wrong in one line."""
    from huggingface_hub.constants import ENDPOINT
    from huggingface_hub.errors import LocalEntryNotFoundError, RepositoryNotFoundError, RevisionNotFoundError

    named = f"{repo}@{tag}"
    if isinstance(error, RevisionNotFoundError):
        advice = f"look at the tags on {ENDPOINT}/datasets/{repo}"
        return MedzhError("the hub's repository has no such tag", field="--data", found=named, advice=advice)
    if isinstance(error, RepositoryNotFoundError):
        advice = "mind the spelling; a private one needs a token (hf auth login)"
        return MedzhError(f"{ENDPOINT} has no such repository", field="--data", found=named, advice=advice)
    cause = error.__cause__ or error
    why = str(cause).splitlines()[0] if str(cause) else type(cause).__name__
    problem = f"cannot be loaded from {ENDPOINT}"
    if isinstance(error, LocalEntryNotFoundError):
        problem += ", and the cache does not hold it"
    advice = "try again with a connection, or name a mirror in HF_ENDPOINT"
    return MedzhError(problem, field="--data", found=f"{named} ({why})", advice=advice)
