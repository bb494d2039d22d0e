"""The folder of guidelines that a user brings: which files are read, how, and of which department each one is."""

from __future__ import annotations

import re
from codecs import BOM_UTF8
from dataclasses import dataclass
from pathlib import PurePosixPath
from typing import TYPE_CHECKING

from dataset_scripts.files.encodings import encoding_of
from dataset_scripts.recipes.pemebench.headings import bare
from dataset_scripts.recipes.pemebench.settings import settings
from dataset_scripts.sources.folders import files_in
from medzh_score.configs.pemebench.words import DEPARTMENTS, department_named
from medzh_score.messages.errors import MedzhError

if TYPE_CHECKING:
    from pathlib import Path

MARKDOWN = (".md", ".markdown")
PLAIN = (".txt",)
NO_TEXT = re.compile(r"[\x00-\x08\x0e-\x1f\x7f]")
UNREAD = "\ufffd"
NESTED = 2  # a folder of a department and a file
NUMBER = re.compile(r"\s*\d+\s*-\s*")  # of departments only: 21-羟化酶缺乏症 is a name
NAMES = frozenset(department.name for department in DEPARTMENTS)


@dataclass(frozen=True)
class Book:
    """A file of the folder."""

    file: str  # its path from the folder on
    department: str  # by the name that Table 1 prints
    subject: str  # what it is about as a whole, by its name; empty where that is the department's
    text: str
    markdown: bool
    # a section's where the file's name is one and its folder's the subject's: 新生儿黄疸/病因.md; else empty
    heading: str = ""


def read_guidelines(folder: Path) -> tuple[list[Book], int]:
    """Read the ``.md`` and ``.txt`` of a folder in the order of their paths, and count other files.

    Each department has a folder, or a file; texts are UTF-8 or gb18030.
    """
    files = files_in(folder)
    suffixes = (*MARKDOWN, *PLAIN)
    texts = {name: path for name, path in files.items() if path.suffix.lower() in suffixes}
    if not texts:
        raise MedzhError("holds no guidelines", file=folder, expected="files that end in .md or .txt")
    books = []
    for name, path in texts.items():
        department, subject, heading = _department(PurePosixPath(name), path)
        books.append(Book(name, department, subject, decoded(path), path.suffix.lower() in MARKDOWN, heading))
    return books, len(files) - len(texts)


def decoded(path: Path) -> str:
    """Read a text that is UTF-8 or, where it is not, gb18030.

    What lost a character is refused, too.
    """
    try:
        content = path.read_bytes()
    except OSError as error:
        raise MedzhError(f"cannot be read: {error.strerror}", file=path) from error
    content = content.removeprefix(BOM_UTF8)
    text = content.decode(encoding_of(lambda: enumerate(content.splitlines(), 1), path))
    if found := NO_TEXT.search(text):
        line = text.count("\n", 0, found.start()) + 1
        raise MedzhError("is no text", file=path, line=line, found=found.group(), advice="take it out of the folder")
    if UNREAD in text:
        line = text.count("\n", 0, text.index(UNREAD)) + 1
        advice = "write what stood there, or take the line out"
        raise MedzhError("holds a character that was lost, U+FFFD", file=path, line=line, advice=advice)
    return text


def _department(name: PurePosixPath, path: Path) -> tuple[str, str, str]:
    """Give department, subject and section of a file: its top folder names the department, or its own name does."""
    nested = len(name.parts) > 1
    department = department_named(bare(NUMBER.sub("", name.parts[0] if nested else name.stem)))
    if department not in NAMES:
        raise MedzhError(
            "is in no department",
            file=path,
            expected="a folder or a file named " + ", ".join(known.name for known in DEPARTMENTS),
            found=name.parts[0],
        )
    if not nested:
        return department, "", ""
    own = bare(name.stem)
    if own not in settings().headings:
        return department, own, ""
    above = bare(name.parts[-2])
    return department, above if len(name.parts) > NESTED else "", own
