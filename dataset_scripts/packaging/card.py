"""The dataset card and the license file of a build, both written from its manifest."""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from functools import cache
from importlib.metadata import distribution
from typing import TYPE_CHECKING, Any

from dataset_scripts.packaging.card_head import common_licence, head
from dataset_scripts.packaging.licences import statement, statement_zh, use_of
from dataset_scripts.packaging.schema import read_schema
from dataset_scripts.recipe import dataset, dataset_names
from medzh_score.benchmark.config import Table
from medzh_score.benchmark.registry import config_names, data_name, find_config
from medzh_score.io.paths import package_file
from medzh_score.render.tables import DECIMALS, as_markdown
from medzh_score.scoring.citation import release_bibtex
from medzh_score.scoring.paper import load_paper, reported_tables
from medzh_score.ui.errors import MedzhError
from medzh_score.ui.i18n import ENGLISH, _, language

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

    import jinja2

    from dataset_scripts.recipe import Dataset
    from medzh_score.benchmark.config import Config
    from medzh_score.benchmark.metrics import Metric
    from medzh_score.scoring.paper import Paper

Entry = dict[str, Any]

CARD = "README.md"
UNPUBLISHED = "0.0.0"
PLACEHOLDER = "ORG/medzh"  # the repository of a release, if it is not known
LOCAL = "build/medzh"  # the default folder of ``medzh-build build``
GENERAL = ("What it is / 内容", "Limits of all configs / 共同局限")  # headings of the template
LINE = 240  # characters of an erratum
FEW = 15  # metrics; of more, the summary metrics are listed


@dataclass(frozen=True)
class View:
    """The values of a config that the templates use."""

    name: str
    data_name: str  # in `load_dataset`
    entry: Entry  # of the manifest
    authenticity: str
    statement: str  # its recipe, and whether it is official data
    statement_zh: str  # the essentials in Chinese
    declared: Dataset
    fields: tuple[tuple[str, str, str], ...]  # name, type and meaning of each column
    heading: str
    section: str  # the text below the heading, rendered
    example: str | None  # a record as JSON; None if no record may be shown
    scoring: Config | None  # None if no package declares it
    metrics: tuple[Metric, ...]  # all, or the summary metrics if there are many
    paper: Paper | None
    main: Table | None  # the main results of the paper
    bibtex: str  # of the paper and of this build; empty without a paper


def card(
    configs: Mapping[str, Entry],
    folder: Path,
    *,
    before: Path | None = None,
    private: bool = False,
    repo: str = PLACEHOLDER,
) -> str:
    """Write the card of a build from manifest, declarations, papers and an example record of each config.

    The section of a config that is not installed is copied from the card in the folder `before`. The commands of a
    release name the hub repository `repo`.
    """
    with language(ENGLISH):  # the template has both languages
        import yaml

        installed = dataset_names()
        views = [_view(name, entry, folder) for name, entry in configs.items() if name in installed]
        kept = [_section(name, before) for name in configs if name not in installed]
        tag = _tag(configs)
        name, entry = next(iter(configs.items()))
        headings = [view.heading for view in views] + [section.partition("\n\n")[2] for section in kept]
        text = _template(_read("cards/README.md.jinja")).render(
            head=yaml.safe_dump(head(configs), allow_unicode=True, sort_keys=False, width=1_000),
            about=[(data_name(name, entry["recipe"]), entry) for name, entry in configs.items()],
            contents=[*GENERAL, *(heading.partition("\n")[0].lstrip("# ") for heading in headings)],
            scored=name,
            first=entry,
            views=views,
            kept=kept,
            uses=[use_of(name, entry) for name, entry in configs.items()],
            repo=repo,
            tag=tag,
            data=LOCAL if tag is None else f"{repo}@{tag}",
            private=private,
        )
        return re.sub(r"\n{3,}", "\n\n", text)


def _section(name: str, before: Path | None) -> str:
    """Extract the section of a config from an earlier card, with the comments around it."""
    text = "" if before is None else (before / CARD).read_text(encoding="utf-8")
    found = re.search(rf"<!-- {name} -->.*?<!-- end of {name} -->", text, re.DOTALL)
    if found is None:
        problem = _("the config is not installed, and the existing dataset card has no section for it")
        advice = _("install the package that declares the config, or choose another folder with `--output`")
        raise MedzhError(problem, file=before and before / CARD, field=name, advice=advice)
    return found[0]


def licence_text(configs: Mapping[str, Entry]) -> str:
    """Write the license file of a build."""
    common = common_licence(configs)
    if common == "Apache-2.0":
        text = distribution("medzh-score").read_text("licenses/LICENSE")
        if text is not None:
            return text
    return _template(_read("cards/LICENSE.jinja")).render(common=common, configs=configs)


def _tag(configs: Mapping[str, Entry]) -> str | None:
    """Return the tag of a release; None for a local build."""
    versions = {entry["version"] for entry in configs.values()}
    return f"v{versions.pop()}" if len(versions) == 1 and versions != {UNPUBLISHED} else None


def _view(name: str, entry: Entry, folder: Path) -> View:
    chosen, paper = dataset(name), _paper(name)
    scoring = find_config(name) if name in config_names() else None
    template = _template(chosen.card.read_text(encoding="utf-8"))
    heading, _unused, section = template.render(name=name, entry=entry, paper=paper).strip().partition("\n")
    return View(
        name=name,
        data_name=data_name(name, entry["recipe"]),
        entry=entry,
        authenticity=entry["authenticity"],
        statement=statement(name, entry),
        statement_zh=statement_zh(name, entry, _shown(scoring)),
        declared=chosen,
        fields=_fields(chosen, entry),
        heading=heading,
        section=section.strip(),
        example=example(folder, entry),
        scoring=scoring,
        metrics=_listed(scoring),
        paper=paper,
        main=None if paper is None or paper.main is None else reported_tables(paper, paper.main)[0],
        bibtex="" if paper is None else release_bibtex(paper, entry).strip(),
    )


def _shown(scoring: Config | None) -> tuple[str, ...]:
    if scoring is None:
        return ()
    return scoring.reporting.summary_metrics or tuple(metric.name for metric in scoring.metrics)


def _listed(scoring: Config | None) -> tuple[Metric, ...]:
    if scoring is None:
        return ()
    named = _shown(scoring)
    return tuple(one for one in scoring.metrics if len(scoring.metrics) <= FEW or one.name in named)


def _paper(name: str) -> Paper | None:
    """Load the facts of the paper; None if a package has none."""
    try:
        return load_paper(name)
    except MedzhError as error:
        if error.file is not None:  # the file exists and is damaged
            raise
        return None


def _fields(chosen: Dataset, entry: Entry) -> tuple[tuple[str, str, str], ...]:
    declared = read_schema(chosen.schema)["properties"]
    return tuple(
        (column["name"], column["type"], declared.get(column["name"], {}).get("description", ""))
        for column in entry["features"]
    )


@cache
def _template(text: str) -> jinja2.Template:
    from jinja2 import Environment, StrictUndefined

    environment = Environment(  # noqa: S701 - Markdown, not HTML; cells are escaped by the filter
        undefined=StrictUndefined, trim_blocks=True, lstrip_blocks=True, keep_trailing_newline=True
    )
    environment.filters["cell"] = _cell
    environment.filters["table"] = _markdown
    environment.filters["short"] = _short
    environment.filters["rows"] = _rows
    environment.filters["slug"] = _slug
    return environment.from_string(text)


def _cell(value: object) -> str:
    """Escape a value for a cell of a Markdown table."""
    text = f"{value:,}" if isinstance(value, int) and not isinstance(value, bool) else str(value)
    return " ".join(text.split()).replace("\\", "\\\\").replace("|", "\\|").replace("<", "&lt;")


def _markdown(table: Mapping[str, Any]) -> str:
    return _rows(Table(table["title"], tuple(table["columns"]), tuple(map(tuple, table["rows"]))), DECIMALS)


def _rows(table: Table, decimals: int) -> str:
    """Write a table in Markdown without its title."""
    return as_markdown(table, decimals).partition("\n\n")[2].strip()


def _slug(title: str) -> str:
    """Return the anchor that GitHub and the hub give a heading."""
    return re.sub(r"[^\w\- ]", "", title.lower()).replace(" ", "-")


def _short(text: str) -> str:
    """Return the first two sentences, because the first may be the refuted one, and further ones if they fit."""
    sentences = re.split(r"(?<=[.!?])\s+(?=[A-Z0-9])", text)
    kept = next((n for n in range(len(sentences), 2, -1) if len(" ".join(sentences[:n])) <= LINE), 2)
    return " ".join(sentences[:kept]) + (" …" if kept < len(sentences) else "")


def _read(relative: str) -> str:
    return package_file("dataset_scripts", relative).read_text(encoding="utf-8")


AMONG = 200  # records of which the shortest is shown
LONGEST, MOST = 100, 6  # characters of a value, values of a list
MARK = "…"


def example(folder: Path, entry: Mapping[str, Any]) -> str | None:
    """Write the shortest of the first 200 test records as JSON, with long values cut.

    Without a split ``test``, the first split is used. Return None if a source may not be redistributed or the config
    is private, because a card is passed on more easily than the data.
    """
    from pyarrow import parquet

    if "key" in entry or not all(source["redistributable"] for source in entry["sources"]):
        return None
    splits = entry["splits"]
    split = splits.get("test", next(iter(splits.values())))
    # Without threads: those of Arrow may abort a process that ends early.
    stored = parquet.ParquetFile(folder / split["files"][0]["path"], pre_buffer=False)
    rows = next(stored.iter_batches(AMONG, use_threads=False)).to_pylist()
    written = [json.dumps(row, ensure_ascii=False) for row in rows]
    shortest = min(range(len(rows)), key=lambda place: (len(written[place]), place))
    return json.dumps({name: _cut(value) for name, value in rows[shortest].items()}, ensure_ascii=False, indent=2)


def _cut(value: object) -> object:
    if isinstance(value, str) and len(value) > LONGEST:
        return value[:LONGEST] + MARK
    if isinstance(value, list):
        return [_cut(one) for one in value[:MOST]] + ([MARK] if len(value) > MOST else [])
    return value
