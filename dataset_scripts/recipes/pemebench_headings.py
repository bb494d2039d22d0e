"""The headings of a guideline: a Markdown or plain text as a tree of headings with the paragraphs beneath them."""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

LONGEST_TITLE = 30  # of a numbered line of plain text that is a heading and not a sentence
CHINESE = "一二三四五六七八九十"
ATX = re.compile(r" {0,3}(?P<marks>#{1,6})(?:[ \t]+(?P<title>.*?))?(?:[ \t]+#+)?[ \t]*")
SETEXT = re.compile(r" {0,3}(?P<mark>=+|-+)[ \t]*")
FENCE = re.compile(r" {0,3}(?:```|~~~)")
NO_PARAGRAPH = re.compile(
    r"\s*(?:[-*+>|]|\d+[.)])"
)  # lists, quotes and tables: a line of dashes under them is no heading
# Numbered headings of plain text. Divisions stand in their order; of the others the book decides.
DIVISION = re.compile(rf"第\s*[{CHINESE}百零〇\d]+\s*(?P<form>[编篇卷章节]|部分)[\s、:]*(?P<title>.+)")
DIVISIONS = {"编": 1, "篇": 1, "卷": 1, "部分": 1, "章": 2, "节": 3}
BRACKETED = re.compile(r"[【〖](?P<title>[^】〗]{1,30})[】〗]\s*(?P<rest>.*)")
NUMBERED = (
    re.compile(rf"[{CHINESE}]{{1,3}}[、.]\s*(?P<title>.+)"),
    re.compile(rf"\([{CHINESE}]{{1,3}}\)[、.]?\s*(?P<title>.+)"),
    re.compile(r"\d{1,2}[、.]\s*(?P<title>[^\d\s].*)"),
)
SENTENCE = re.compile(r"[。;!?,]|:.")
ORDER = re.compile(
    rf"\s*(?:第\s*[{CHINESE}百零〇\d]+\s*(?:[编篇卷章节]|部分)[\s、:]*|[{CHINESE}]{{1,3}}[、.]\s*|\([{CHINESE}\d]{{1,3}}\)[、.]?\s*"
    r"|\d{1,3}(?:\.\d{1,3})*[、.]\s*(?!\d)|\d{1,3}(?:\.\d{1,3})*\s+|\d{1,3}_)"
)
FOREIGN_NAME = re.compile(r"\s*\([^()]*[A-Za-z][^()]*\)$")


@dataclass
class Node:
    """A heading.

    Attributes
    ----------
    title : str
        As it stands, with its number; empty for the whole text.
    numbered : bool
        Whether it is a numbered line of plain text, which may be an item of a list.
    paragraphs : list of str
        What stands under it, before the headings beneath it.
    children : list of Node
        The headings beneath it.
    """

    title: str = ""
    numbered: bool = False
    paragraphs: list[str] = field(default_factory=list)
    children: list[Node] = field(default_factory=list)


@dataclass(frozen=True)
class Line:
    """A line of a text: a heading, or a part of what stands under one.

    Attributes
    ----------
    text : str
        Without white space around it.
    rank : int
        Of a heading that has a fixed place, from 1; 0 for one whose place the book decides, and for text.
    form : str
        Which heading it is; empty for text.
    """

    text: str
    rank: int = 0
    form: str = ""


def outline(text: str, *, markdown: bool) -> Node:
    r"""Read a text as a tree of headings.

    Parameters
    ----------
    text : str
        The text.
    markdown : bool
        Whether headings are those of Markdown, with ``#`` or underlined; else those of plain text: 第一章, 第一节,
        【…】, 一、, （一） and 1., a numbered line only where it is short and no sentence.

    Returns
    -------
    Node
        The whole text. Of the headings of plain text 编, 章 and 节 stand in this order; any other stands under those
        that were there when its form was first met.

    Examples
    --------
    >>> tree = outline("第一节 麻疹\n【病因】麻疹病毒。", markdown=False)
    >>> tree.children[0].title, tree.children[0].children[0].paragraphs
    ('第一节 麻疹', ['麻疹病毒。'])
    """
    root = Node()
    open_headings: list[tuple[Line, Node]] = []
    for line in _markdown(text.splitlines()) if markdown else _plain(text.splitlines()):
        if not line.form:
            (open_headings[-1][1] if open_headings else root).paragraphs.append(line.text)
            continue
        _close(open_headings, line)
        node = Node(line.text, numbered=line.form.startswith("numbered"))
        (open_headings[-1][1] if open_headings else root).children.append(node)
        open_headings.append((line, node))
    return root


def bare(title: str) -> str:
    """Take order number, brackets, a final colon and a foreign name in brackets off a heading or a file's name.

    Parameters
    ----------
    title : str
        As it stands.

    Returns
    -------
    str
        In NFKC.

    Examples
    --------
    >>> bare("第二节　支气管肺炎（bronchopneumonia）"), bare("【诊 断】"), bare("21-三体综合征"), bare("03_新生儿疾病")
    ('支气管肺炎', '诊断', '21-三体综合征', '新生儿疾病')
    """
    text = unicodedata.normalize("NFKC", title).strip().strip("*_# \t")
    while order := ORDER.match(text):
        if order.end() == len(text):
            break
        text = text[order.end() :]
    text = text.strip("【】〖〗[]《》 \t").rstrip(":")
    text = FOREIGN_NAME.sub("", text)
    # A space between two Chinese characters is typography, as in 诊 断.
    return re.sub(r"(?<=[^\x00-\x7f])\s+(?=[^\x00-\x7f])", "", text).strip()


def _close(open_headings: list[tuple[Line, Node]], line: Line) -> None:
    """Close the headings under which a new one cannot stand."""
    if line.rank:
        while open_headings and not 0 < open_headings[-1][0].rank < line.rank:
            open_headings.pop()
    elif any(above.form == line.form for above, _ in open_headings):
        while open_headings.pop()[0].form != line.form:
            pass


def _markdown(lines: Iterable[str]) -> Iterator[Line]:
    """Go through Markdown: headings with # or underlined, none in fenced code; front matter is left out."""
    listed = _without_front_matter(list(lines))
    fenced = False
    before = ""  # a line that is a heading if the next one underlines it
    for written in listed:
        underline = SETEXT.fullmatch(written)
        if underline and before and not fenced and not NO_PARAGRAPH.match(before):
            level = 1 if underline["mark"][0] == "=" else 2
            yield Line(before, level, "heading")
            before = ""
            continue
        if before:
            yield Line(before)
            before = ""
        if FENCE.match(written):
            fenced = not fenced
        elif (heading := ATX.fullmatch(written)) and not fenced:
            if title := (heading["title"] or "").strip():
                yield Line(title, len(heading["marks"]), "heading")
        elif not (underline and not fenced):
            before = written.strip()
    if before:
        yield Line(before)


def _without_front_matter(lines: list[str]) -> list[str]:
    if lines and lines[0].strip() == "---" and "---" in (ends := [line.strip() for line in lines[1:]]):
        return lines[ends.index("---") + 2 :]
    return lines


def _plain(lines: Iterable[str]) -> Iterator[Line]:
    for written in lines:
        text = written.strip()
        if not text:
            continue
        line = unicodedata.normalize("NFKC", text)
        if (division := DIVISION.fullmatch(line)) and _is_title(division["title"]):
            yield Line(text, DIVISIONS[division["form"]], "division")
        elif bracketed := BRACKETED.fullmatch(line):
            yield Line(bracketed["title"], 0, "bracketed")
            if bracketed["rest"]:
                yield Line(text[max(text.find("】"), text.find("〗")) + 1 :].strip())
        elif form := _numbered(line):
            yield Line(text, 0, form)
        else:
            yield Line(text)


def _numbered(line: str) -> str:
    for number, pattern in enumerate(NUMBERED):
        if (found := pattern.fullmatch(line)) and _is_title(found["title"]):
            return f"numbered {number}"
    return ""


def _is_title(text: str) -> bool:
    return len(text) <= LONGEST_TITLE and not SENTENCE.search(text.rstrip(":"))
