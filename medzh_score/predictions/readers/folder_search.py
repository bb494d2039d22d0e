"""A folder where a predictions file is expected: searched, and refused with what was found in it."""

from __future__ import annotations

from itertools import islice
from typing import TYPE_CHECKING

from medzh_score.files.input_file import InputFile
from medzh_score.files.named_files import LIKELY, in_natural_order
from medzh_score.messages.errors import NAMED, MedzhError, printable
from medzh_score.predictions.readers.recognise import find_reader

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

MOST = 200  # files that are looked at: a folder may be a whole disk


def refuse_folder(path: Path) -> None:
    """Refuse a folder, and name the files below it that can be read as predictions, each with its form."""
    if not path.is_dir():
        return
    names = in_natural_order(str(file.relative_to(path)) for file in islice(_likely(path), MOST))
    forms = {name: form for name in names if (form := _form_of(path / name)) is not None}
    listed = ", ".join(f"{printable(name)} ({form})" for name, form in list(forms.items())[:NAMED])
    more = ", …" if len(forms) > NAMED else ""
    if not forms:
        advice = f"no file in it holds predictions ({len(names)} looked at)"
    else:
        advice = f"name a file in it: {listed}{more}"
    raise MedzhError("is a folder", file=path, expected="a file", advice=advice)


def _likely(folder: Path) -> Iterator[Path]:
    """Go through the files that may hold predictions, as far as they may be seen."""
    return (file for file in folder.rglob("*") if file.name.removesuffix(".gz").endswith(LIKELY) and file.is_file())


def _form_of(path: Path) -> str | None:
    """Name the form in which a file is read; None where it holds no predictions."""
    try:
        with InputFile(path) as file:
            return find_reader(file, None).name
    except MedzhError:
        return None
