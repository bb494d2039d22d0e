"""The card of a build, and its licence file: everything in them follows from the manifest."""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from functools import cache
from importlib.metadata import distribution
from typing import TYPE_CHECKING, Any

from dataset_scripts.packaging.card_head import common_licence, head
from dataset_scripts.packaging.schema import read_schema
from dataset_scripts.packaging.use import statement, statement_zh, use_of
from dataset_scripts.recipe import dataset, dataset_names
from medzh_score.benchmark.config import Table
from medzh_score.benchmark.registry import config_names, data_name, find_config
from medzh_score.io.paths import package_file
from medzh_score.render.tables import as_markdown
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
LINE = 240  # characters of an erratum
FEW = 15  # metrics; where there are more, those that a page shows are listed


@dataclass(frozen=True)
class View:
    """What the templates see of a config."""

    name: str
    data_name: str  # what `load_dataset` calls it
    entry: Entry  # the manifest's account of it
    authenticity: str  # whether it is the official benchmark, in a word
    statement_zh: str  # the essentials in Chinese
    declared: Dataset  # its building side
    fields: tuple[tuple[str, str, str], ...]  # name, type and meaning of each column
    heading: str
    section: str  # what stands beneath its heading, rendered
    example: str | None  # a record as JSON; None where none may be shown
    scoring: Config | None  # its scoring side; None where no package declares one
    metrics: tuple[Metric, ...]  # all, or those that a page shows where they are many
    paper: Paper | None  # what is known of its paper
    main: Table | None  # the paper's main results
    bibtex: str  # of the paper and of this build; empty without a paper


def card(configs: Mapping[str, Entry], folder: Path, *, before: Path | None = None, private: bool = False) -> str:
    """Write the card of a build: from manifest, declarations and papers, and a record of each config as example.

    The section of a config that is not installed is taken from the card in the folder `before`, as it stands there.
    """
    with language(ENGLISH):  # the card has both languages of its own
        import yaml

        template = _template(_read("cards/README.md.jinja"))
        front = yaml.safe_dump(head(configs), allow_unicode=True, sort_keys=False, width=1_000)
        views = [_view(name, entry, folder) for name, entry in configs.items() if name in dataset_names()]
        kept = [_section(name, before) for name in configs if name not in dataset_names()]
        about = [(data_name(name, entry["recipe"]), entry) for name, entry in configs.items()]
        statements = " ".join(statement(name, entry) for name, entry in configs.items())
        uses = [use_of(name, entry) for name, entry in configs.items()]
        text = template.render(
            head=front,
            statements=statements,
            about=about,
            first=next(iter(configs)),
            views=views,
            kept=kept,
            uses=uses,
            tag=_tag(configs),
            private=private,
        )
        return re.sub(r"\n{3,}", "\n\n", text)


def _section(name: str, before: Path | None) -> str:
    """Cut the section of a config out of an earlier card, with the marks around it."""
    text = "" if before is None else (before / CARD).read_text(encoding="utf-8")
    found = re.search(rf"<!-- {name} -->.*?<!-- end of {name} -->", text, re.DOTALL)
    if found is None:
        problem = _("the config is not installed, and the existing dataset card has no section for it")
        advice = _("install the package that declares the config, or choose another folder with `--output`")
        raise MedzhError(problem, file=before and before / CARD, field=name, advice=advice)
    return found[0]


def licence_text(configs: Mapping[str, Entry]) -> str:
    """Write the licence file of a build."""
    common = common_licence(configs)
    if common == "Apache-2.0":
        text = distribution("medzh-score").read_text("licenses/LICENSE")
        if text is not None:
            return text
    return _template(_read("cards/LICENSE.jinja")).render(common=common, configs=configs)


def _tag(configs: Mapping[str, Entry]) -> str:
    """Name the tag of a release; a placeholder where the build is none."""
    versions = {entry["version"] for entry in configs.values()}
    return f"v{versions.pop()}" if len(versions) == 1 and versions != {UNPUBLISHED} else "vX.Y.Z"


def _view(name: str, entry: Entry, folder: Path) -> View:
    chosen, scoring, paper = dataset(name), _scoring(name), _paper(name)
    template = _template(chosen.card.read_text(encoding="utf-8"))
    own = template.render(name=name, entry=entry, paper=paper).strip()
    heading, _unused, section = own.partition("\n")
    return View(
        name=name,
        data_name=data_name(name, entry["recipe"]),
        entry=entry,
        authenticity=entry["authenticity"],
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


def _scoring(name: str) -> Config | None:
    return find_config(name) if name in config_names() else None


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
    """Load the facts of the paper; a package need not have any."""
    try:
        return load_paper(name)
    except MedzhError as error:
        if error.file is not None:  # there are facts, and they are damaged
            raise
        return None


def _fields(chosen: Dataset, entry: Entry) -> tuple[tuple[str, str, str], ...]:
    declared = read_schema(chosen.schema)["properties"]
    return tuple(
        (column["name"], column["type"], declared.get(column["name"], {}).get("description", ""))
        for column in entry["features"]
    )


@cache  # of a folder with all configs, those of the others stay
def _template(text: str) -> jinja2.Template:
    from jinja2 import Environment, StrictUndefined

    environment = Environment(  # noqa: S701 - Markdown, not HTML; cells are escaped by the filter
        undefined=StrictUndefined, trim_blocks=True, lstrip_blocks=True, keep_trailing_newline=True
    )
    environment.filters["cell"] = _cell
    environment.filters["table"] = _markdown
    environment.filters["short"] = _short
    environment.filters["rows"] = _rows
    return environment.from_string(text)


def _cell(value: object) -> str:
    """Write a value so that it stays in its cell of a Markdown table."""
    text = f"{value:,}" if isinstance(value, int) and not isinstance(value, bool) else str(value)
    return " ".join(text.split()).replace("\\", "\\\\").replace("|", "\\|").replace("<", "&lt;")


def _markdown(table: Mapping[str, Any]) -> str:
    rows = tuple(tuple(row) for row in table["rows"])
    return as_markdown(Table(table["title"], tuple(table["columns"]), rows)).strip()


def _rows(table: Table, decimals: int) -> str:
    """Write a table in Markdown without its title."""
    return as_markdown(table, decimals).partition("\n\n")[2].strip()


def _short(text: str) -> str:
    """Keep the first two sentences, for one alone may be what is refuted, and as many more as a line holds."""
    sentences = re.split(r"(?<=[.!?])\s+(?=[A-Z0-9])", text)
    kept = next((n for n in range(len(sentences), 2, -1) if len(" ".join(sentences[:n])) <= LINE), 2)
    return " ".join(sentences[:kept]) + (" …" if kept < len(sentences) else "")


def _read(relative: str) -> str:
    return package_file("dataset_scripts", relative).read_text(encoding="utf-8")


AMONG = 200  # records, of which the shortest is shown
LONGEST, MOST = 100, 6  # characters of a value, and values of a list
MARK = "…"


def example(folder: Path, entry: Mapping[str, Any]) -> str | None:
    """Choose a short record and write it as JSON, long values cut with a mark.

    Gives the shortest of the first 200 records of ``test``, or of the first split where there is no ``test``. None
    where a source may not be redistributed or the config is private: a card is passed on more easily than the data.
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
