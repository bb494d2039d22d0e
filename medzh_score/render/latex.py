r"""LaTeX that compiles as it stands: nothing in a name is a command, and what is long may break."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from medzh_score.ui.errors import printable
from medzh_score.ui.i18n import _, translated

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence


HASH = re.compile(r"[0-9A-Fa-f]{12,}")
PIECE = 4
CHINESE = re.compile("[\u2e80-\u9fff\uf900-\ufaff\uff00-\uffef]")
PACKAGES = r"% \usepackage{booktabs}"
CTEX = r"% \usepackage{ctex}"


def breaking(text: str) -> str:
    """Escape a line of keys and hashes so that it may break after its signs and inside its hashes."""
    pieces = HASH.sub(lambda found: "\1".join(re.findall(f".{{1,{PIECE}}}", found.group())), printable(text))
    pieces = re.sub(r"([:|/+;_@=])(?=\S)", "\\1\1", pieces)
    return r"\allowbreak{}".join(map(latex_escaped, pieces.split("\1")))


def numbers(text: str) -> str:
    """Escape a cell of numbers, whose hyphens are minus signs."""
    return re.sub(r"(?<![\w.])-(?=\d)", "$-$", latex_escaped(text))


def latex_table(
    caption: str, heads: Sequence[str], blocks: Iterable[Sequence[Sequence[str]]], label: str | None = None
) -> str:
    """Write a table whose texts are LaTeX already, with lines between blocks of rows; one for a paper has a label."""
    bodies = ["\n".join(" & ".join(row) + r" \\" for row in rows) for rows in blocks if rows]
    own = [rf"\label{{{label}}}", r"\small", r"\setlength{\tabcolsep}{4pt}"] if label is not None else []
    lines = [
        r"\begin{table}",
        r"\centering",
        rf"\caption{{{caption}}}",
        *own,
        rf"\begin{{tabular}}{{l{'r' * (len(heads) - 1)}}}",
        r"\toprule",
        " & ".join(heads) + r" \\",
        r"\midrule",
        *["\n\\midrule\n".join(bodies)][: len(bodies) or label is not None],
        r"\bottomrule",
        r"\end{tabular}",
        r"\end{table}",
    ]
    return "\n".join(lines) + "\n"


def with_comments(body: str, lines: Sequence[str]) -> str:
    """Precede what is compiled with comments: the packages that it needs, then other lines."""
    chinese = [f"{CTEX} % {translated(_('compile with xelatex'))}"] if CHINESE.search(body) else []
    comments = [
        f"% {translated(_('The preamble needs:'))}",
        PACKAGES,
        *chinese,
        *(f"% {printable(one)}" for one in lines),
    ]
    return "\n".join(comments) + "\n" + body


SPECIAL = {
    "\\": r"\textbackslash{}",
    "&": r"\&",
    "%": r"\%",
    "$": r"\$",
    "#": r"\#",
    "_": r"\_",
    "{": r"\{",
    "}": r"\}",
    "~": r"\textasciitilde{}",
    "^": r"\textasciicircum{}",
    "<": r"\textless{}",
    ">": r"\textgreater{}",
    "|": r"\textbar{}",
    '"': r"\texttt{\char34}",  # of typewriters in every encoding; \textquotedbl is in few
    "±": r"$\pm$",
    "†": r"\textdagger{}",
    "≈": r"$\approx$",
    "↑": r"$\uparrow$",
    "↓": r"$\downarrow$",
    "…": r"\ldots{}",
    "–": "--",
    "[": "{[}",  # at the beginning of a row these two would be an argument of the end of the row before
    "*": "{*}",
}
LIGATURES = re.compile(r"([-–`'!?,])(?=[-–`'!?,])")  # two of these become one character


def latex_escaped(text: str) -> str:
    """Escape what LaTeX would read as a command, and let nothing run together."""
    parts = LIGATURES.sub("\\1\0", printable(text)).split("\0")
    return "{}".join("".join(SPECIAL.get(character, character) for character in part) for part in parts)
