"""The generated tables of the manual: ``python docs/declared.py`` writes them into the pages of both languages.

A table is between ``<!-- declared: SUBJECT -->`` and ``<!-- end -->``. The subject is a config with one of `SUBJECTS`,
``options`` with a program or ``general``, ``terms``, or ``benchmarks``. A test compares the pages with them.
"""

from __future__ import annotations

import json
import re
import tomllib
from pathlib import Path
from typing import TYPE_CHECKING

from dataset_scripts.cli import main as building
from medzh_score.benchmark.registry import find_config
from medzh_score.cli import main as scoring
from medzh_score.render.tables import markdown_escaped, translated_heads
from medzh_score.scoring.paper import load_paper
from medzh_score.ui.cli import GENERAL
from medzh_score.ui.i18n import LANGUAGES, _, current, joined, language, pgettext, translated

if TYPE_CHECKING:
    import argparse
    from collections.abc import Iterator, Sequence

    from medzh_score.benchmark.config import Config
    from medzh_score.ui.cli import Parser

DOCS = Path(__file__).resolve().parent
TERMS = DOCS / "terms.toml"
PROGRAMS = {"medzh-score": scoring.parser, "medzh-build": building.parser}
BLOCK = re.compile(r"(<!-- declared: (.+) -->\n)(?:.*\n)*?(<!-- end -->\n)")
CODE = re.compile(r"(`[^`]*`)")
OPTION = re.compile(r"(?<![\w-])--[a-z][a-z-]*")


def pages() -> Iterator[tuple[Path, str]]:
    """Give the pages that have generated tables, as they should be."""
    for name in LANGUAGES:
        with language(name):
            for path in sorted((DOCS / name).rglob("*.md")):
                text = path.read_text(encoding="utf-8")
                if BLOCK.search(text):
                    yield path, BLOCK.sub(lambda found: f"{found[1]}\n{content(found[2])}\n\n{found[3]}", text)


def content(subject: str) -> str:
    """Write what is between the markers of a subject, in the current language."""
    first, _space, second = subject.partition(" ")
    if first == "terms":
        return terms()
    if first == "benchmarks":
        return benchmarks()
    if first == "options":
        return general_options() if second == GENERAL else options(second)
    return SUBJECTS[second](find_config(first))


def metrics(config: Config) -> str:
    """List the metrics in the order of the paper."""
    directions = {"higher": _("higher is better"), "lower": _("lower is better"), None: "–"}
    kinds = (_("bootstrap"), _("Wilson interval"))
    rows = [(one.name, one.summary, directions[one.direction], kinds[one.share is not None]) for one in config.metrics]
    heads = (
        pgettext("heads", "metric"),
        pgettext("heads", "meaning"),
        pgettext("heads", "direction"),
        pgettext("heads", "interval"),
    )
    return titled(_("Metrics"), table(heads, rows))


def rules(config: Config) -> str:
    """List the extraction rules."""
    rows = [(rule.name, rule.summary) for rule in config.rules]
    return titled(
        _("Extraction rules (default first)"), table((pgettext("heads", "rule"), pgettext("heads", "meaning")), rows)
    )


def prompts(config: Config) -> str:
    """Write the prompt templates in full."""
    shown = [
        translated(joined([f"`{prompt.name}`", prompt.printed_in], ": ")) + f"\n\n```text\n{prompt.text}\n```"
        for prompt in config.prompting.templates
    ]
    return titled(_("Prompt templates (default first)"), "\n\n".join(shown))


def generation(config: Config) -> str:
    """List the generation settings of the paper."""
    rows = [(key, f"{value}") for key, value in config.prompting.generation_kwargs.items()]
    return titled(
        _("Generation settings of the paper"), table((pgettext("heads", "setting"), pgettext("heads", "value")), rows)
    )


def stages(config: Config) -> str:
    """List the stages."""
    rows = [(stage.name, stage.summary) for stage in config.every_stage]
    return titled(_("Stages"), table((pgettext("heads", "stage"), pgettext("heads", "question")), rows))


def errata(config: Config) -> str:
    """List the errata of the paper."""
    found = load_paper(config.name).errata
    rows = [(one.id, one.grade, joined(map(str, one.tables)) or "–", one.finding) for one in found]
    return table(
        (
            pgettext("heads", "erratum"),
            pgettext("heads", "grade"),
            pgettext("heads", "tables"),
            pgettext("heads", "finding"),
        ),
        rows,
    )


def benchmarks() -> str:
    """List what benchmarks measured beside other ways of doing the same work."""
    words = tomllib.loads((DOCS / "benchmarks.toml").read_text(encoding="utf-8"))
    written = json.loads((DOCS.parent / "benchmarks" / "results.json").read_text(encoding="utf-8"))
    measured = {line["name"]: line for line in written["benchmarks"]}
    chinese = current.get() == "zh"
    rows = [
        (
            work["zh" if chinese else "en"],
            f"{measured[work['name']]['ours_s']:.3g}",
            words["rivals"][one["rival"]] if chinese else one["rival"],
            f"{one['seconds']:.3g}",
            f"{one['ratio']:.3g}",
        )
        for work in words["work"]
        for one in measured[work["name"]]["rivals"]
    ]
    heads = (
        pgettext("heads", "task"),
        pgettext("heads", "medzh, seconds"),
        pgettext("heads", "compared with"),
        pgettext("heads", "seconds"),
        pgettext("heads", "ratio"),
    )
    machine = written["machine"]
    measured_on = _(
        "Measured on {processor}, {cores} cores, Python {python}.",
        processor=machine["processor"],
        cores=machine["cores"],
        python=machine["python"],
    )
    return f"{table(heads, rows)}\n\n{translated(measured_on)}"


SUBJECTS = {
    "metrics": metrics,
    "rules": rules,
    "prompts": prompts,
    "generation": generation,
    "stages": stages,
    "errata": errata,
}


def options(program: str) -> str:
    """List the arguments of each command of a program, without those that all commands have."""
    parts = []
    for parser, summary in commands(PROGRAMS[program]()):
        general = parser.group(GENERAL)
        groups = [group for group in parser._action_groups if group is not general]
        about = translated(" ".join(parser.description.split())) if parser.description else translated(summary)
        parts += [f"### `{parser.prog}`", marked_up(about), described(parser, groups)]
    return "\n\n".join(parts)


def commands(parser: Parser) -> Iterator[tuple[Parser, str]]:
    """Give the parsers of all commands with their summaries; a group of commands is not one itself."""
    for action in parser.complete()._actions:
        for chosen in getattr(action, "_choices_actions", ()):
            inner = action.choices[chosen.dest]
            yield from list(commands(inner)) or [(inner, chosen.help)]


def general_options() -> str:
    """List the options that all commands have."""
    parser = scoring.parser().complete()
    return described(parser, [parser.group(GENERAL)])


def described(parser: Parser, groups: Sequence[argparse._ArgumentGroup]) -> str:
    """List arguments with their help."""
    rows = [
        (invocation(action), marked_up(translated(action.help or "") % {**vars(action), "prog": parser.prog}))
        for group in groups
        for action in group._group_actions
    ]
    return table((pgettext("heads", "argument"), pgettext("heads", "meaning")), rows, raw=True)


def invocation(action: argparse.Action) -> str:
    """Write an argument as it is typed."""
    value = "{" + ",".join(map(str, action.choices)) + "}" if action.choices and not action.metavar else ""
    value = value or str(action.metavar or action.dest.upper())
    value = {0: "", "+": f"{value} …", "*": f"[{value} …]", "?": f"[{value}]"}.get(action.nargs, value)
    return f"{', '.join(action.option_strings)} {value}".strip()


def terms() -> str:
    """List the terms, in the order of the file."""
    heads = (pgettext("heads", "English"), pgettext("heads", "Chinese"), pgettext("heads", "meaning"))
    parts = []
    for part in tomllib.loads(TERMS.read_text(encoding="utf-8"))["parts"]:
        rows = [(term["english"], term["chinese"], term["means"][current.get()]) for term in part["terms"]]
        parts.append(titled(part["title"][current.get()], table(heads, rows, code=False, raw=True)))
    return "\n\n".join(parts)


def titled(title: str, text: str) -> str:
    """Put a title above a table."""
    return f"**{translated(title)}**\n\n{text}"


def table(heads: Sequence[str], rows: Sequence[Sequence[str]], *, code: bool = True, raw: bool = False) -> str:
    """Write a table; its first column is code, and the others are escaped unless they are Markdown."""
    written = [
        [f"`{first}`" if code else first] + [cell if raw else markdown_escaped(translated(cell)) for cell in others]
        for first, *others in rows
    ]
    return "\n".join(f"| {' | '.join(row)} |" for row in [translated_heads(heads), ["---"] * len(heads), *written])


def marked_up(text: str) -> str:
    """Escape a help text as Markdown, and write options as code."""
    return "".join(
        part if part.startswith("`") else OPTION.sub(r"`\g<0>`", markdown_escaped(part)) for part in CODE.split(text)
    )


if __name__ == "__main__":
    for changed, current_text in pages():
        changed.write_text(current_text, encoding="utf-8")
