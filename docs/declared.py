"""Tables of what a config declares and its paper states, written where a page asks: ``{declared} sdak metrics``.

They come from ``CONFIG`` and ``paper.json`` each time the manual is built, so they cannot be stale. Their Chinese
stands in ``declared_zh.toml`` and ``findings_zh.toml``; what has none ends the build.
"""

from __future__ import annotations

import re
import tomllib
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

from docutils import nodes
from docutils.statemachine import StringList
from sphinx.errors import ExtensionError
from sphinx.util.docutils import SphinxDirective

from medzh_score.benchmark.config import Table
from medzh_score.benchmark.registry import find_config
from medzh_score.render.tables import as_markdown, markdown_escaped
from medzh_score.scoring.paper import load_paper

if TYPE_CHECKING:
    from collections.abc import Callable

    from sphinx.application import Sphinx

    from medzh_score.scoring.paper import Erratum

    Say = Callable[[str], str]

CHINESE = Path(__file__).parent / "declared_zh.toml"
FINDINGS = Path(__file__).parent / "findings_zh.toml"
GAP = re.compile(r"\{(\d+)\}")
NUMBER = re.compile(r"\d+(?:[.,]\d+)*", re.ASCII)


@cache
def catalogue() -> tuple[dict[str, str], list[tuple[str, str]]]:
    """Read the Chinese: whole texts, and texts with gaps, the longest first."""
    pairs = sorted(tomllib.loads(CHINESE.read_text(encoding="utf-8"))["texts"].items(), key=lambda pair: -len(pair[0]))
    whole = {english: chinese for english, chinese in pairs if not GAP.search(english)}
    return whole, [(english, chinese) for english, chinese in pairs if GAP.search(english)]


def in_english(text: str) -> str:
    """Leave a text as it is declared."""
    return text


def in_chinese(text: str) -> str:
    """Say a declared text in Chinese; what fills a gap may be one itself."""
    whole, templates = catalogue()
    if text in whole:
        return whole[text]
    for english, chinese in templates:
        pattern = re.sub(r"\\\{(\d+)\\\}", r"(?P<g\1>.*?)", re.escape(english))
        if found := re.fullmatch(pattern, text, re.DOTALL):
            return GAP.sub(lambda gap, found=found: whole.get(found[f"g{gap[1]}"], found[f"g{gap[1]}"]), chinese)
    raise ExtensionError(f"{CHINESE.name} has no Chinese of: {text}")


def metrics(name: str, say: Say) -> str:
    """List the metrics in the order of the paper."""
    rows = [
        (
            metric.name,
            say(metric.summary),
            say(metric.direction or "neither"),
            say("Wilson" if metric.share is not None else "bootstrap"),
        )
        for metric in find_config(name).metrics
    ]
    return as_markdown(
        Table(say("Metrics"), tuple(map(say, ("metric", "what it is", "better", "interval"))), tuple(rows))
    )


def rules(name: str, say: Say) -> str:
    """List the rules, the default first."""
    rows = [(rule.name, say(rule.summary)) for rule in find_config(name).rules]
    return as_markdown(Table(say("Rules, the default first"), (say("rule"), say("what it reads")), tuple(rows)))


def prompts(name: str, say: Say) -> str:
    """Write the wordings in full, the default first."""
    shown = [
        f"`{prompt.name}` · {markdown_escaped(say(prompt.printed_in))}\n\n```text\n{prompt.text}\n```\n"
        for prompt in find_config(name).prompting.templates
    ]
    return "\n".join([f"**{say('Prompts, the default first')}**\n", *shown])


def decoding(name: str, say: Say) -> str:
    """List the paper's settings."""
    rows = [(key, str(value)) for key, value in find_config(name).prompting.generation_kwargs.items()]
    return as_markdown(Table(say("The paper's decoding settings"), (say("setting"), say("value")), tuple(rows)))


def rounds(name: str, say: Say) -> str:
    """List the later rounds."""
    rows = [(later.name, say(later.summary)) for later in find_config(name).every_stage]
    return as_markdown(Table(say("Later rounds"), (say("round"), say("what is asked")), tuple(rows)))


def errata(name: str, say: Say) -> str:
    """List what was found about the paper."""
    rows = [
        (one.id, one.grade, ", ".join(map(str, one.tables)) or "-", _finding(name, one, say))
        for one in load_paper(name).errata
    ]
    heads = tuple(map(say, ("id", "grade", "tables", "finding")))
    return as_markdown(Table(say("Findings about the paper"), heads, tuple(rows)))


def _finding(name: str, erratum: Erratum, say: Say) -> str:
    if say is in_english:
        return erratum.finding
    chinese = findings()[name].get(erratum.id, "")
    if sorted(NUMBER.findall(chinese)) != sorted(NUMBER.findall(erratum.finding)):
        raise ExtensionError(f"{FINDINGS.name} has not {erratum.id} of {name} with its numbers")
    return chinese


@cache
def findings() -> dict[str, dict[str, str]]:
    """Read the Chinese of findings: by config and number."""
    return tomllib.loads(FINDINGS.read_text(encoding="utf-8"))


SUBJECTS = {
    "metrics": metrics,
    "rules": rules,
    "prompts": prompts,
    "decoding": decoding,
    "rounds": rounds,
    "errata": errata,
}


class Declared(SphinxDirective):
    """A table of one subject of a config."""

    required_arguments = 2

    def run(self) -> list[nodes.Node]:
        """Write the table."""
        config, subject = self.arguments
        if subject not in SUBJECTS:
            raise self.error(f"{subject}: one of {', '.join(SUBJECTS)}")
        say = in_chinese if self.config.language.startswith("zh") else in_english
        text = SUBJECTS[subject](config, say)
        return from_markdown(self, text, f"{config} {subject}")


def from_markdown(directive: SphinxDirective, text: str, source: str) -> list[nodes.Node]:
    """Let a page's own parser read what a directive wrote."""
    holder = nodes.container()
    directive.state.nested_parse(StringList(text.splitlines(), source=source), 0, holder)
    return holder.children


def setup(app: Sphinx) -> dict[str, bool]:
    """Let pages use the directive."""
    app.add_directive("declared", Declared)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
