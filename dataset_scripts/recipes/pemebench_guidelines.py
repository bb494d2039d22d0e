"""The folder of guidelines that a user brings: which files are read, how, and of which department each one is."""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import PurePosixPath
from typing import TYPE_CHECKING

from dataset_scripts.folders import files_in
from dataset_scripts.recipes.pemebench_headings import bare
from dataset_scripts.recipes.pemebench_settings import settings
from medzh_score.configs.pemebench_words import DEPARTMENTS, department_named
from medzh_score.errors import MedzhError

if TYPE_CHECKING:
    from pathlib import Path

MARKDOWN = (".md", ".markdown")
PLAIN = (".txt",)
NO_TEXT = re.compile(r"[\x00-\x08\x0e-\x1f\x7f]")
# So many characters of three bytes before the first fault are no accident of another encoding.
SURELY_UTF_8 = 4
UNREAD = "\ufffd"
# Of Chinese text in gb18030 nearly all characters are of the first level of GB 2312, the 3,755 most frequent ones; of
# Big5 that is read as gb18030 few are.
FREQUENT = range(0xB0, 0xD8)
LEAST_FREQUENT = 0.7
NESTED = 2  # a folder of a department and a file
NUMBER = re.compile(r"\s*\d+\s*-\s*")  # of departments only: 21-羟化酶缺乏症 is a name
NAMES = frozenset(department.name for department in DEPARTMENTS)


@dataclass(frozen=True)
class Book:
    """A file of the folder.

    Attributes
    ----------
    file : str
        Its path from the folder on.
    department : str
        By the name that Table 1 prints.
    subject : str
        What it is about as a whole, by its name; empty where that is the department's.
    text : str
        Its content.
    markdown : bool
        Whether it is Markdown.
    heading : str
        The section that the whole file is of, where its name is a section's and the folder's is the subject's, as in
        新生儿疾病/新生儿黄疸/病因.md; else empty.
    """

    file: str
    department: str
    subject: str
    text: str
    markdown: bool
    heading: str = ""


def read_guidelines(folder: Path) -> tuple[list[Book], int]:
    """Read the texts of a folder.

    Parameters
    ----------
    folder : Path
        Of Markdown (``.md``) and plain text (``.txt``), UTF-8 or gb18030. Each department has a folder, or a file.

    Returns
    -------
    list of Book
        In the order of their paths.
    int
        How many files are neither, and were passed over.

    Raises
    ------
    MedzhError
        If nothing in it can be read, a name is no department's, or a file is no text.
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

    Parameters
    ----------
    path : Path
        The file; a byte order mark is passed over.

    Raises
    ------
    MedzhError
        If it is neither, or UTF-8 with a fault, or no text at all, or a character of it was lost; the line is named.
    """
    try:
        content = path.read_bytes()
    except OSError as error:
        raise MedzhError(f"cannot be read: {error.strerror}", file=path) from error
    try:
        text = content.decode("utf-8-sig")
    except UnicodeDecodeError as fault:
        if len(re.findall(r"[\u0800-\uffff]", content[: fault.start].decode("utf-8"))) >= SURELY_UTF_8:
            raise _no_text(path, content[: fault.start], "is UTF-8 with a fault", "mend the line") from fault
        try:
            text = content.decode("gb18030")
        except UnicodeDecodeError as error:
            raise _no_text(path, content[: error.start], "is neither UTF-8 nor gb18030", "convert it") from error
        if _frequent(text) < LEAST_FREQUENT:
            problem = "is not UTF-8, and read as gb18030 it is no simplified Chinese"
            raise _no_text(path, b"", problem, "convert it to UTF-8 from what it is, such as Big5") from fault
    if found := NO_TEXT.search(text):
        line = text.count("\n", 0, found.start()) + 1
        raise MedzhError("is no text", file=path, line=line, found=found.group(), advice="take it out of the folder")
    if UNREAD in text:
        line = text.count("\n", 0, text.index(UNREAD)) + 1
        advice = "write what stood there, or take the line out"
        raise MedzhError("holds a character that was lost, U+FFFD", file=path, line=line, advice=advice)
    return text


def _frequent(text: str) -> float:
    """Say which share of the Chinese characters of a text is of the first level of GB 2312."""
    listed = [character.encode("gb2312", "ignore")[:1] for character in re.findall(r"[\u3400-\u9fff]", text)]
    return sum(bool(lead) and lead[0] in FREQUENT for lead in listed) / len(listed) if listed else 1.0


def _no_text(path: Path, before: bytes, problem: str, advice: str) -> MedzhError:
    line = before.count(b"\n") + 1
    return MedzhError(problem, file=path, line=line, expected="UTF-8, or else gb18030", advice=advice)


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
