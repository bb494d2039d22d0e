"""The headings of a guideline: a Markdown or plain text as a tree of headings with the paragraphs beneath them."""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from dataset_scripts.recipes.pemebench.settings import settings

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

LONGEST_TITLE = 30  # of a numbered line of plain text that is a heading and not a sentence
CHINESE = "一二三四五六七八九十"
# What follows a number that is a part of a name or a quantity, as in 1 型糖尿病 and 21 三体综合征.
OF_A_NAME = (
    r"型|三体|四体|单体|号|期|度|级|价|岁|月|周|天|日|年|个|次|例|小时|分钟|羟|α|β|γ|[a-zA-Z%℃°]{1,3}(?![a-zA-Z])"
)
ATX = re.compile(r" {0,3}(?P<marks>#{1,6})(?:[ \t]+(?P<title>.*?))?(?:[ \t]+#+)?[ \t]*")
# As many write it, with no space or with the wide mark; a short title then, and no sentence.
LOOSE_ATX = re.compile(r"(?P<marks>[#＃]{1,6})\s*(?P<title>[^\s#＃!].*?)[ \t#＃]*")
BOLD = re.compile(r"(?P<bold>\*\*|__)(?P<title>[^*_]+)(?P=bold)[:：]?")
LINK = re.compile(r"!?\[([^\]]*)\]\([^)]*\)")
ATTRIBUTES = re.compile(r"\s*\{[#.:][^{}]*\}\s*$")
SETEXT = re.compile(r" {0,3}(?P<mark>=+|-+)[ \t]*")
FENCE = re.compile(r" {0,3}(?P<mark>`{3,}(?=[^`]*$)|~{3,})(?P<info>.*)")
NO_PARAGRAPH = re.compile(
    r"\s*(?:[-*+>|]|\d+[.)])"
)  # lists, quotes and tables: a line of dashes under them is no heading
# Numbered headings of plain text. Divisions stand in their order; of the others the book decides.
DIVISION = re.compile(
    rf"第\s*[{CHINESE}百零〇\d]+\s*(?P<form>[编篇卷章节]|部分)(?:[\s、:]+|(?![讲中里内所的已将我述介提]))(?P<title>.+)"
)
DIVISIONS = {"编": 1, "篇": 1, "卷": 1, "部分": 1, "章": 2, "节": 3}
BRACKETED = re.compile(
    rf"(?:[{CHINESE}\d]{{1,3}}[、.]\s*|\([{CHINESE}\d]{{1,3}}\)\s*)?(?:\*\*|__)?[【〖](?P<title>[^】〗]{{1,30}})[】〗](?:\*\*|__)?\s*(?P<rest>.*)"
)
# Brackets that stand for other things, too: around the name of a section only.
SQUARE = re.compile(r"[\[〔](?P<title>[^\]〕]{1,30})[\]〕]\s*(?P<rest>.*)")
NUMBERED = (
    re.compile(rf"[{CHINESE}]{{1,3}}(?:[、.]\s*|\s+(?!\S\s))(?P<title>.+)"),
    re.compile(rf"\([{CHINESE}]{{1,3}}\)[、.]?\s*(?P<title>.+)"),
    re.compile(r"\d{1,2}[、.]\s*(?P<title>[^\d\s].*)"),
    re.compile(rf"\d{{1,2}}\s+(?!{OF_A_NAME})(?P<title>[^\d\s\x00-\x40].*)"),
    re.compile(r"\d{1,2}\.\d{1,2}[、.]?\s+(?P<title>[^\d\s].*)"),
    re.compile(r"\d{1,2}(?:\.\d{1,2}){2,3}[、.]?\s+(?P<title>[^\d\s].*)"),
)
SENTENCE = re.compile(r"[。;!?,]|:.")
ORDER = re.compile(
    rf"\s*(?:第\s*[{CHINESE}百零〇\d]+\s*(?:[编篇卷章节]|部分)[\s、:]*"
    rf"|[{CHINESE}]{{1,3}}(?:[、.]\s*|\s+(?!\S\s))|\([{CHINESE}\d]{{1,3}}\)[、.]?\s*"
    rf"|\d{{1,3}}(?:\.\d{{1,3}})*[、.]\s*(?!\d)|\d{{1,3}}(?:\.\d{{1,3}})+\s+"
    rf"|\d{{1,3}}\s+(?!{OF_A_NAME})|\d{{1,3}}_)"
)
SPACED = re.compile(r"(?:(?<=[^\x00-\x7f])|(?<=^\d)|(?<=^\d\d))\s+(?=[^\x00-\x7f])")
CONTINUED = re.compile(r"\s*\(续\)$")
FOREIGN_NAME = re.compile(r"\s*\([^()]*[A-Za-z][^()]*\)$")


@dataclass
class Node:
    """A heading."""

    title: str = ""  # as it stands, with its number; empty for the whole text
    numbered: bool = False  # a numbered line of plain text, which may be an item of a list
    paragraphs: list[str] = field(default_factory=list)  # under it, before the headings beneath it
    children: list[Node] = field(default_factory=list)


@dataclass(frozen=True)
class Line:
    """A line of a text: a heading, or a part of what stands under one."""

    text: str  # without white space around it
    rank: int = 0  # of a heading with a fixed place, from 1; 0 where the book decides its place, and for text
    form: str = ""  # which heading it is; empty for text


def outline(text: str, *, markdown: bool) -> Node:
    r"""Read a text as a tree of headings.

    Those of Markdown are lines with ``#`` (also ＃, and without a space where the rest is short and no sentence),
    underlined ones, and lines of their own in 【…】 or bold, none in fenced code that ends. Those of plain text:
    第一章, 第一节, 【…】, 一、, （一）, 1., 1 and 1.1, numbered lines only if short and no sentence; and the name of a
    section, such as 病因 or ［病因］, alone on a line; 编, 章 and 节 stand in this order, any other under those that
    were there when its form was first met.

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
    """Take number, brackets, a final colon and a foreign name in brackets off a heading or file name, in NFKC.

    >>> bare("第二节　支气管肺炎（bronchopneumonia）"), bare("【诊 断】"), bare("21-三体综合征"), bare("03_新生儿疾病")
    ('支气管肺炎', '诊断', '21-三体综合征', '新生儿疾病')
    """
    text = unicodedata.normalize("NFKC", ATTRIBUTES.sub("", LINK.sub(r"\1", title))).strip().strip("*_# \t")
    while order := ORDER.match(text):
        if order.end() == len(text):
            break
        text = text[order.end() :]
    text = CONTINUED.sub("", text).strip("【】〖〗[]《》 \t").rstrip(":")
    text = FOREIGN_NAME.sub("", text)
    # A space between two Chinese characters is typography, as in 诊 断, and so is one in 1 型糖尿病.
    return SPACED.sub("", text).strip()


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
    until = 0  # where fenced code ends
    before = ""  # a line that is a heading if the next one underlines it
    for number, written in enumerate(listed):
        if number < until:
            if number < until - 1:
                yield Line(written.strip())
            continue
        underline = SETEXT.fullmatch(written)
        if underline and before and _is_title(before) and not NO_PARAGRAPH.match(before):
            yield Line(before, 1 if underline["mark"][0] == "=" else 2, "heading")
            before = ""
            continue
        if before:
            yield Line(before)
            before = ""
        until = _end_of_fence(listed, number)
        if until:
            continue
        if headings := list(_marked(written)):
            yield from headings
        elif not underline:
            before = written.strip()
    if before:
        yield Line(before)


def _marked(written: str) -> Iterator[Line]:
    """Read a line of Markdown that is a heading by itself: with #, in brackets, or bold."""
    text = unicodedata.normalize("NFKC", written.strip())
    if found := ATX.fullmatch(written):
        title = (found["title"] or "").strip()
        yield Line(title, len(found["marks"]) if title else 0, "heading" if title else "")
    elif (found := LOOSE_ATX.fullmatch(written.strip())) and _is_title(bare(found["title"])):
        yield Line(found["title"], len(found["marks"]), "heading")
    elif found := BRACKETED.fullmatch(text):
        yield from _bracketed(found, written)
    elif (found := BOLD.fullmatch(text)) and _is_title(found["title"]):
        yield Line(found["title"], 0, "numbered bold")


def _in_brackets(line: str) -> re.Match[str] | None:
    square = SQUARE.fullmatch(line)
    return BRACKETED.fullmatch(line) or (square if square and bare(square["title"]) in settings().headings else None)


def _bracketed(found: re.Match[str], written: str) -> Iterator[Line]:
    """Part a heading in brackets from what stands behind it on its line."""
    yield Line(found["title"], 0, "bracketed")
    if found["rest"]:
        yield Line(re.split(r"[】〗〕\]］]", written, maxsplit=1)[1].strip().removeprefix("**").strip())


def _end_of_fence(lines: list[str], start: int) -> int:
    """Give the number of the line after fenced code that begins on a line; 0 where none does, or it never ends."""
    opened = FENCE.fullmatch(lines[start])
    if not opened:
        return 0
    mark = opened["mark"]
    closing = re.compile(rf" {{0,3}}{mark[0]}{{{len(mark)},}}\s*")
    return next((n + 1 for n in range(start + 1, len(lines)) if closing.fullmatch(lines[n])), 0)


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
        elif found := _in_brackets(line):
            yield from _bracketed(found, text)
        elif bare(line) == line.rstrip(":") and line.rstrip(":") in settings().headings:
            yield Line(text, 0, "name of a section")
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
