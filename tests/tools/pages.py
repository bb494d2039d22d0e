"""Pages in Markdown: their code, commands, numbers and links, and what holds a page and its Chinese equal."""

from __future__ import annotations

import re
from functools import cache

from places import ROOT

from dataset_scripts.cli import main as building
from medzh_score.cli import main as scoring

FENCED = re.compile(r"^```([^\n]*)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
HEADING = re.compile(r"^(#+) ", re.MULTILINE)
NUMBER = re.compile(r"\d+(?:[.,]\d+)*", re.ASCII)
LINK = re.compile(r"\[[^]]*]\(([^)]+)\)")
CODE = re.compile(r"`([^`\n]+)`")
OWN = re.compile(r"\b[A-Z][A-Z0-9-]+(?:\.(?:jsonl?|csv))?\b")  # a placeholder for the reader's own file or name
PROGRAMS = {"medzh-score": scoring, "medzh-build": building}
ENGLISH, CHINESE, CONTRIBUTING = "README.md", "README.zh-CN.md", "CONTRIBUTING.md"
MANUAL = sorted(path.relative_to(ROOT / "docs" / "en").as_posix() for path in (ROOT / "docs" / "en").rglob("*.md"))
# Each page of the manual with its Chinese.
PAIRS = [(f"docs/en/{page}", f"docs/zh/{page}") for page in MANUAL]


@cache
def text_of(name):
    """Read a page, by its path in the repository."""
    return (ROOT / name).read_text(encoding="utf-8")


def prose_of(name):
    """Give a page without its code blocks."""
    return FENCED.sub("", text_of(name))


def blocks_of(name):
    """Give the code blocks as language and lines: without comments, and of a `text` block what its lines begin with."""
    found = []
    for language, code in FENCED.findall(text_of(name)):
        lines = code.splitlines()
        if language in {"sh", "python"}:
            lines = [re.sub(r"(^|\s+)#.*", "", line) for line in lines]
        if language == "text":
            lines = [re.split(r"\s{2,}", line)[0] for line in lines]
        found.append((language, [line for line in lines if line and not line.startswith(":alt:")]))
    return found


def shell_lines(name):
    """Give the lines of a page's shell blocks."""
    return [line for language, lines in blocks_of(name) if language == "sh" for line in lines]


def commands_of(name):
    """Give the calls of our programs that a page shows."""
    return [line for line in shell_lines(name) if line.partition(" ")[0] in PROGRAMS]


def runnable(line):
    """Say whether a command needs neither the network nor a file of the reader's own."""
    return not OWN.search(line) and not re.search(" fetch (?!--list)|--recipe (official|mesh|pediabench)", line)


def numbers_of(name):
    """Give the numbers of each section."""
    return [sorted(NUMBER.findall(section)) for section in HEADING.split(prose_of(name))[::2]]


def links_of(name):
    """Give the links, without the anchors: headings differ between languages."""
    return [link.partition("#")[0] for link in LINK.findall(prose_of(name))]
