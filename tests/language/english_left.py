"""English in a Chinese text: two words or more in a row, names that the registry and the papers know aside."""

from __future__ import annotations

import re
from functools import cache

from medzh_score.benchmark.registry import config_names, find_config
from medzh_score.scoring.explain import ANSWERS, NO_ANSWER
from medzh_score.scoring.paper import load_paper

RUN = re.compile(r"(?<![\w\\/.{-])[A-Za-z][A-Za-z'’-]*[A-Za-z](?:,? [A-Za-z][A-Za-z'’-]*[A-Za-z])+(?![\w/}-])")
# What is typed as it stands: a command with its subcommand, options, places, code between backticks, shell.
TYPED = re.compile(
    r"`[^`]*`|medzh-(?:score|build)(?: suite)?(?: [a-z][a-z-]*)?|--[\w-]+|-[a-z]\b|\w+=\S+|\S*/\S*|\w+\.[a-z]{2,5}\b"
    r"|sha256 \w+|\{[^{}]*\}|\\[a-z]+"
)
# Commands and names of others, as their authors write them.
OTHERS = (
    *("pip install", "pip wheel", "git lfs pull", "Git LFS", "hf auth login", "hf auth whoami", "inspect log convert"),
    *("dask scheduler", "dask worker", "make docs", "suite add", "suite prompts"),
    *("ACL Anthology", "Quantifying Self-diagnostic Atomic Knowledge in Chinese Medical Foundation Model"),
    *("A Computational Analysis", "CONFIG records", "language model"),
    *("JSON Lines", "Python pickle", "git blob", "scope note", "Tree Number", "Desc Ui", "single choice"),
    *("McNemar mid",),
    "Every Eval Ever",
)
FOLDED = re.compile(r"(?<=\S)\n {2}(?=\S)")  # a line that goes on
LATEX = re.compile(r"\\allowbreak\{\}|\\text(?:bar|dagger|asciitilde)\{\}|\\(?=[_&%#$])")
SIGNED = re.compile(
    r"^\s*(?:% |\\noindent(?:\\texttt)?\{?)?复现签名：.*?(?:\n\n|\n(?=\S)|\Z)", re.DOTALL | re.MULTILINE
)


def english_left(text, also=()):
    """Find runs of English words; ``also`` are names of the user's."""
    whole = FOLDED.sub(" ", SIGNED.sub("", text))
    plain = TYPED.sub("·", LATEX.sub("", whole))
    for name in sorted({*names(), *config_names(), *OTHERS, *also}, key=len, reverse=True):
        plain = plain.replace(name, "·")
    return RUN.findall(plain)


@cache
def names():
    """Gather names of several words: of metrics, wordings, papers, and of what papers print."""
    found = {*ANSWERS, *NO_ANSWER}
    for name in config_names():
        config, paper = find_config(name), load_paper(name)
        found |= {metric.name for metric in config.metrics}
        found |= {name for rule in config.rules for name in rule.meanings}
        found |= {paper.benchmark, *paper.reference.fields.values()}
        for table in paper.tables:
            found |= {column.head for column in table.columns}
            found |= {cell for row in table.rows for cell in row.values() if isinstance(cell, str)}
    return frozenset(name for name in found if " " in name)
