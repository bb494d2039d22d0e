"""The wheels that a place without a network needs: medzh's own, and those of all that it stands on."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import sysconfig
from difflib import get_close_matches
from importlib.metadata import distribution
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING

from medzh_score.messages.errors import MedzhError

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

NAME = "medzh-score"
EARLIEST = "315532800"  # 1980, the first time that a wheel can hold: what is built here has no time of its own
PIP = (sys.executable, "-m", "pip", "--disable-pip-version-check", "wheel", "--quiet")


def gathered(extras: Sequence[str], folder: Path, lock: Path | None = None) -> list[Path]:
    """Put wheels of medzh, of these extras and of all that they need into a folder.

    Parameters
    ----------
    extras : sequence of str
        Names such as ``plot``.
    folder : Path
        An empty folder.
    lock : Path, optional
        A requirements file whose versions, and hashes where it has them, are kept to.

    Returns
    -------
    list of Path
        The wheels, sorted: for this Python and this kind of machine.

    Raises
    ------
    MedzhError
        If there is no such extra, or pip cannot find or build what is needed.
    """
    _refuse_unknown(extras)
    _pip("--no-deps", "--wheel-dir", str(folder), _origin())
    own = next(folder.glob("*.whl"))
    named = f"[{','.join(extras)}]" if extras else ""
    wanted = f"{NAME}{named} @ {own.as_uri()}"
    if lock is None:
        _pip("--wheel-dir", str(folder), wanted)
        return sorted(folder.glob("*.whl"))
    with TemporaryDirectory(prefix="medzh-locked-") as locked:
        _pip("--no-deps", "--wheel-dir", locked, "--requirement", str(lock))
        # As far as it is needed, and nothing from elsewhere, whatever pip is configured to look at.
        _pip(
            "--isolated",
            "--wheel-dir",
            str(folder),
            "--no-index",
            "--find-links",
            locked,
            wanted,
            PIP_CONFIG_FILE=os.devnull,
        )
    return sorted(folder.glob("*.whl"))


def this_machine() -> str:
    """Name the Python and the kind of machine that gathered wheels are for."""
    return f"Python {sys.version_info.major}.{sys.version_info.minor}, {sysconfig.get_platform()}"


def _refuse_unknown(extras: Sequence[str]) -> None:
    known = sorted(distribution(NAME).metadata.get_all("Provides-Extra") or ())
    for name in extras:
        if name not in known:
            nearest = get_close_matches(name, known, 1)
            advice = f"did you mean {nearest[0]}?" if nearest else None
            raise MedzhError("no such extra", field="--extras", expected=", ".join(known), found=name, advice=advice)


def _origin() -> str:
    """Write from where this medzh was installed, a checkout or a wheel, or else which version it is."""
    found = distribution(NAME)
    recorded = found.read_text("direct_url.json")
    return f"{NAME} @ {json.loads(recorded)['url']}" if recorded else f"{NAME}=={found.version}"


def _pip(*arguments: str, **variables: str) -> None:
    environment = {**os.environ, "SOURCE_DATE_EPOCH": EARLIEST, **variables}
    done = subprocess.run(  # noqa: S603 - pip, with what the user named
        [*PIP, *arguments], env=environment, capture_output=True, encoding="utf-8", check=False
    )
    if done.returncode:
        lines = done.stderr.splitlines() or ["no message"]
        first = next((line for line in lines if line.startswith("ERROR: ")), lines[-1])
        raise MedzhError(
            f"pip cannot gather the wheels: {first.removeprefix('ERROR: ')}",
            field="--wheels",
            advice="gather them where there is a network, and name their folder: --wheels FOLDER",
        )
