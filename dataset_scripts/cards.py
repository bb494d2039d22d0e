"""The card of a build, and its licence file: everything in them follows from the manifest."""

from __future__ import annotations

from dataclasses import dataclass
from importlib.metadata import distribution
from typing import TYPE_CHECKING, Any

from dataset_scripts.card_head import common_licence, head
from dataset_scripts.features import read_schema
from dataset_scripts.recipe import dataset
from medzh_score.package_files import package_file
from medzh_score.rendering.tables import as_markdown
from medzh_score.table import Table

if TYPE_CHECKING:
    from collections.abc import Mapping

    import jinja2

    from dataset_scripts.recipe import Dataset

Entry = dict[str, Any]


@dataclass(frozen=True)
class View:
    """What the templates see of a config.

    Attributes
    ----------
    name : str
        The config's name.
    entry : dict
        The manifest's account of it.
    standing : str
        One sentence: by which recipe it was built, and whether it is the official benchmark.
    fields : tuple of (str, str, str)
        Name, type and meaning of each column.
    section : str
        The config's own section, rendered.
    """

    name: str
    entry: Entry
    standing: str
    fields: tuple[tuple[str, str, str], ...]
    section: str


def card(configs: Mapping[str, Entry]) -> str:
    """Write the card of a build.

    Parameters
    ----------
    configs : mapping of str to dict
        The manifest's account of each config, sorted by name.

    Returns
    -------
    str
        README.md. Its first line of text says by which recipe each config was built.

    Raises
    ------
    MedzhError
        If no installed package declares one of the configs.
    """
    import yaml

    template = _environment().from_string(_read("cards/README.md.jinja"))
    front = yaml.safe_dump(head(configs), allow_unicode=True, sort_keys=False, width=1_000)
    return template.render(head=front, views=[_view(name, entry) for name, entry in configs.items()])


def licence_text(configs: Mapping[str, Entry]) -> str:
    """Write the licence file of a build.

    Parameters
    ----------
    configs : mapping of str to dict
        The manifest's account of each config.

    Returns
    -------
    str
        The text of Apache-2.0 where that is the licence of all sources; else the licence of each source, by name.
    """
    common = common_licence(configs)
    if common == "Apache-2.0":
        text = distribution("medzh-score").read_text("licenses/LICENSE")
        if text is not None:
            return text
    return _environment().from_string(_read("cards/LICENSE.jinja")).render(common=common, configs=configs)


def standing(name: str, entry: Entry) -> str:
    """Say in one sentence by which recipe a config was built, and whether it is the official benchmark.

    Parameters
    ----------
    name : str
        The config's name.
    entry : dict
        The manifest's account of it.
    """
    recipe, summary = entry["recipe"], entry["summary"]
    built = f"`{name}` was built by the recipe `{recipe}`: {summary}"
    if recipe != "official":
        return f"{built}. It is NOT the official benchmark; do not report scores on it as the benchmark's."
    if dataset(name).recipe(recipe).own:
        return (
            f"{built}. It was NOT verified against a pinned file: there is none, for the benchmark has not been "
            "released, and nothing shows that this data is the benchmark."
        )
    if not all(source["pinned"] for source in entry["sources"]):
        return f"{built}. It was NOT verified against a pinned file, and may differ from the official benchmark."
    return f"{built}. It is the official data, verified by hash."


def _view(name: str, entry: Entry) -> View:
    chosen = dataset(name)
    fields = _fields(chosen, entry)
    template = _environment().from_string(chosen.card.read_text(encoding="utf-8"))
    return View(name, entry, standing(name, entry), fields, template.render(name=name, entry=entry).strip())


def _fields(chosen: Dataset, entry: Entry) -> tuple[tuple[str, str, str], ...]:
    declared = read_schema(chosen.schema)["properties"]
    return tuple(
        (column["name"], column["type"], declared.get(column["name"], {}).get("description", ""))
        for column in entry["features"]
    )


def _environment() -> jinja2.Environment:
    from jinja2 import Environment, StrictUndefined

    environment = Environment(  # noqa: S701 - Markdown, not HTML; cells are escaped by the filter
        undefined=StrictUndefined, trim_blocks=True, lstrip_blocks=True, keep_trailing_newline=True
    )
    environment.filters["cell"] = _cell
    environment.filters["table"] = _markdown
    return environment


def _cell(value: object) -> str:
    """Write a value so that it stays in its cell of a Markdown table."""
    text = f"{value:,}" if isinstance(value, int) and not isinstance(value, bool) else str(value)
    return " ".join(text.split()).replace("\\", "\\\\").replace("|", "\\|").replace("<", "&lt;")


def _markdown(table: Mapping[str, Any]) -> str:
    rows = tuple(tuple(row) for row in table["rows"])
    return as_markdown(Table(table["title"], tuple(table["columns"]), rows)).strip()


def _read(relative: str) -> str:
    return package_file("dataset_scripts", relative).read_text(encoding="utf-8")
