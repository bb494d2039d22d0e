"""The text blocks of guidelines: one for each section of a disease, technique or scale (paper, section 2.1)."""

from __future__ import annotations

import hashlib
import re
from collections import Counter
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from dataset_scripts.recipes.pemebench.headings import bare, outline
from dataset_scripts.recipes.pemebench.pieces import pieces_of, size
from dataset_scripts.recipes.pemebench.settings import OTHER, Section, section_named, settings
from medzh_score.configs.pemebench.words import DEPARTMENTS, department_named

if TYPE_CHECKING:
    from collections.abc import Iterable

    from dataset_scripts.recipes.pemebench.guidelines import Book
    from dataset_scripts.recipes.pemebench.headings import Node

JOINTS = re.compile(r"[与和及、/]|以及")
NAMES = frozenset(department.name for department in DEPARTMENTS)
DIGITS = 10
# Why text of the guidelines is in no block.
REASONS = {
    "short": "blocks of fewer characters than a question can be made of",
    "no subject": "blocks of which no heading and no file name says what they are about",
    "repeated": "blocks that say the same of the same subject as one before",
}
# For notes and errors.
UNDERSTOOD = (
    "headings that are understood: in .md those with #, underlined ones, and lines that are 【…】 or bold; in .txt "
    "第一章, 第一节, 【…】, 一、, （一）, 1. and 1.1, short and no sentences, and the names of sections "
    "alone on a line, such as 病因"
)


@dataclass(frozen=True)
class Block:
    """A piece of a guideline that questions are made from."""

    id: str  # 10 hex digits of the SHA-256 of department, subject, heading and text
    department: str  # by the name that Table 1 prints
    subject: str  # the disease, technique or scale: the heading above the section
    section: Section
    heading: str  # the section's as the book has it; empty for what stands before the first section
    path: tuple[str, ...]  # all headings above the text, from the book's on
    text: str  # its paragraphs and the headings inside, a line each
    file: str


@dataclass(frozen=True)
class Drop:
    """A piece of a guideline that became no block."""

    reason: str  # a name of REASONS
    file: str
    path: tuple[str, ...]  # all headings above it

    @property
    def place(self) -> str:
        """File and headings, for a note."""
        return " > ".join([self.file, *self.path])


@dataclass(frozen=True)
class Cut:
    """Guidelines cut into blocks."""

    blocks: tuple[Block, ...]
    drops: tuple[Drop, ...]
    split: int  # sections that were too long for one block

    @property
    def dropped(self) -> Counter[str]:
        """How much became no block, by the names of `REASONS`."""
        return Counter(drop.reason for drop in self.drops)

    def places(self, reason: str) -> list[str]:
        """Say where the text stands that became no block for a reason of `REASONS`."""
        return [drop.place for drop in self.drops if drop.reason == reason]


@dataclass
class _Draft:
    """A block while its lines are collected."""

    subject: str
    section: Section
    heading: str
    path: tuple[str, ...]
    lines: list[str] = field(default_factory=list)


@dataclass(frozen=True)
class _Place:
    """Under which heading something stands: what it is about, and the block that is open there."""

    subject: str
    path: tuple[str, ...]
    draft: _Draft
    has_sections: bool


def cut_blocks(books: Iterable[Book]) -> Cut:
    """Cut guidelines into blocks."""
    found: dict[str, Block] = {}
    drops: list[Drop] = []
    split = 0
    for book in books:
        for draft in _drafts(book):
            pieces = [piece for piece in pieces_of(draft.lines) if size(piece)]
            split += len(pieces) > 1
            for text in pieces:
                block = _block(book, draft, text)
                reason = _unusable(draft, text) or ("repeated" if block.id in found else "")
                if reason:
                    drops.append(Drop(reason, book.file, draft.path))
                else:
                    found[block.id] = block
    return Cut(tuple(found.values()), tuple(drops), split)


def section_of(title: str) -> Section | None:
    """Say by its heading of which kind a section is; of a heading that names several the first decides.

    >>> section_of("三、病因与发病机制").name, section_of("支气管肺炎") is None
    ('cause', True)
    """
    text = bare(title)
    headings = settings().headings
    if text in headings:
        return headings[text]
    parts = [headings.get(part) for part in JOINTS.split(text)]
    return parts[0] if all(parts) else None


def _drafts(book: Book) -> list[_Draft]:
    tree = outline(book.text, markdown=book.markdown)
    section = section_of(book.heading) if book.heading else None
    first = _Draft(book.subject, section or section_named(OTHER), book.heading, (), list(tree.paragraphs))
    drafts = [first]
    place = _Place(book.subject, (), first, _has_sections(tree))
    for child in tree.children:
        _visit(child, place, drafts)
    return drafts


def _visit(node: Node, place: _Place, drafts: list[_Draft]) -> None:
    """Add what stands under a heading to the block that is open, or to a new one."""
    title, section = bare(node.title), section_of(node.title)
    path = (*place.path, title)
    if _goes_on(node, section, place):
        place.draft.lines += [node.title, *node.paragraphs]
        inner = replace(place, path=path)
    else:
        # A heading that is no known section is one all the same where others beside it are; else it is a subject.
        # Under the name of a department they are subjects, too, as scales are beside their 概述.
        beside = place.has_sections and not _has_sections(node) and department_named(place.subject) not in NAMES
        is_section = section is not None or beside
        draft = _Draft(
            subject=place.subject if is_section else title,
            section=section or section_named(OTHER),
            heading=title if is_section else "",
            path=path,
            lines=list(node.paragraphs),
        )
        drafts.append(draft)
        inner = _Place(draft.subject, path, draft, not is_section and _has_sections(node))
    for child in node.children:
        _visit(child, inner, drafts)


def _goes_on(node: Node, section: Section | None, place: _Place) -> bool:
    """Say whether a heading stands inside the block that is open: under a section of its kind, or as an item of it."""
    if section is not None:
        return bool(place.draft.heading) and section == place.draft.section
    if _has_sections(node):
        return False
    return bool(place.draft.heading) or (node.numbered and bool(place.subject))


def _has_sections(node: Node) -> bool:
    """Say whether known sections stand right under a heading that is none itself."""
    return section_of(node.title) is None and any(section_of(child.title) for child in node.children)


def _unusable(draft: _Draft, text: str) -> str:
    if not draft.subject:
        return "no subject"
    return "short" if size(text) < settings().shortest else ""


def _block(book: Book, draft: _Draft, text: str) -> Block:
    content = f"{book.department}\n{draft.subject}\n{draft.heading}\n{text}"
    digest = hashlib.sha256(content.encode("utf-8")).hexdigest()[:DIGITS]
    return Block(digest, book.department, draft.subject, draft.section, draft.heading, draft.path, text, book.file)
