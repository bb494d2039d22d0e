"""The two corpora that a user brings for CARE-MI: plain paragraphs, one a line."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING

from dataset_scripts.files.encodings import UTF_8, encoding_of
from dataset_scripts.user_files.values import DAMAGE
from medzh_score.files.input_file import InputFile
from medzh_score.files.lines import numbered_lines
from medzh_score.messages.errors import MedzhError

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from pathlib import Path

CORPORA = ("textbooks", "wikipedia")
FEWEST = 11  # characters: the released code drops what has 10 or less
MOST = 32_767  # characters that a cell of a spreadsheet holds, in which experts read them
SHORT, LONG = "of 10 characters or less", f"of more than {MOST:,} characters"
DAMAGED, REPEATED = "with characters that were lost", "that stood before"


@dataclass(frozen=True)
class Corpus:
    """What a corpus holds."""

    paragraphs: tuple[str, ...]  # in order, each once, without blanks around it
    left_out: Counter[str]  # how many others, by reason
    encoding: str = UTF_8


def read_corpus(path: Path) -> Corpus:
    """Read a corpus, one paragraph a line, UTF-8 or else gb18030, gzip is fine; it is read line by line, twice.

    Left out are paragraphs of 10 characters or less, as in the released code, those that no cell of a sheet holds,
    those with lost characters, and repetitions: evidence is counted.
    """
    found: dict[str, None] = {}
    left_out: Counter[str] = Counter()
    with InputFile(path) as file:
        encoding = encoding_of(lambda: numbered_lines(file), path)
        for text in _texts(file, encoding):
            reason = _reason(text)
            if reason or text in found:
                left_out[reason or REPEATED] += 1
            else:
                found[text] = None
    if not found:
        paragraphs = f"at least one paragraph of {FEWEST} to {MOST:,} characters, one a line"
        counts = _counts(left_out) or "no lines"
        raise MedzhError("holds no paragraph to search in", file=path, expected=paragraphs, found=counts)
    return Corpus(tuple(found), left_out, encoding)


def corpus_notes(corpora: Mapping[str, Corpus]) -> tuple[str, ...]:
    """Say what each corpus holds, one line each.

    >>> corpus_notes({"textbooks": Corpus(("胎盘早剥是产科急症之一。",), Counter({SHORT: 2}))})
    ('corpus textbooks: 1 paragraphs; left out: 2 of 10 characters or less',)
    """
    return tuple(
        f"corpus {name}: {len(corpus.paragraphs):,} paragraphs"
        + (f", read as {corpus.encoding}" if corpus.encoding != UTF_8 else "")
        + (f"; left out: {_counts(corpus.left_out)}" if corpus.left_out else "")
        for name, corpus in corpora.items()
    )


def _texts(file: InputFile, encoding: str) -> Iterator[str]:
    for number, line in numbered_lines(file):
        if b"\0" in line:
            advice = "name the text file, one paragraph a line"
            raise MedzhError("is no text", file=file.path, line=number, found="\0", advice=advice)
        yield from filter(None, map(str.strip, line.decode(encoding).split("\r")))


def _reason(text: str) -> str:
    if len(text) < FEWEST:
        return SHORT
    if len(text) > MOST:
        return LONG
    return DAMAGED if DAMAGE.search(text) else ""


def _counts(left_out: Counter[str]) -> str:
    return ", ".join(f"{count:,} {reason}" for reason, count in sorted(left_out.items()))
