"""Where the data files of a package stand, in a checkout and in an installed wheel."""

from __future__ import annotations

from importlib.util import find_spec
from pathlib import Path


def package_file(package: str, relative: str) -> Path:
    """Find a data file that belongs to a package.

    In a wheel ``schemas`` and ``cards`` stand inside the package; in a checkout of medzh they stand beside it.
    A private package keeps them inside.

    Examples
    --------
    >>> package_file("medzh_score.configs.sdak", "paper.json").name
    'paper.json'
    """
    spec = find_spec(package)
    if spec is None or spec.origin is None:
        raise FileNotFoundError(f"no package {package}")
    folder = Path(spec.origin).parent
    for candidate in (folder / relative, folder.parent / relative):
        if candidate.exists():
            return candidate
    raise FileNotFoundError(f"{relative} is not among the files of {package}")
