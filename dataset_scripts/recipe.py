"""The declarations of a config for building its data: recipes, sources and the metadata of its dataset card."""

from __future__ import annotations

import tomllib
from dataclasses import dataclass, field, replace
from operator import itemgetter
from pathlib import Path
from typing import TYPE_CHECKING, Any

from medzh_score.benchmark.registry import declared, load, provider
from medzh_score.ui.errors import MedzhError
from medzh_score.ui.i18n import _

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    Make = Callable[[Mapping[str, "SourceFile"], int], "Built"]


# The values that the hub allows for a key of the YAML metadata, in its order.
HUB_LISTS: dict[str, list[str]] = {
    key: words.split()
    for key, words in tomllib.loads(Path(__file__).with_name("hub_lists.toml").read_text(encoding="utf-8")).items()
}

# The availability of the original data of a benchmark, with its Chinese.
AVAILABILITY = {"released": "已公开", "on request": "需向作者申请", "not released": "未公开"}


@dataclass(frozen=True)
class CardMetadata:
    """Metadata of a config for the dataset card.

    Attributes
    ----------
    availability : str
        Whether the original data is ``released``, available ``on request`` or ``not released``.
    summary_zh : str
        A description of the config in one or two Chinese sentences.
    task_categories, task_ids : tuple of str
        The tasks, by the names of the hub.

    Raises
    ------
    MedzhError
        If a value is not in the list of the hub.

    Examples
    --------
    >>> CardMetadata(availability="soon")
    Traceback (most recent call last):
    medzh_score.ui.errors.MedzhError: ...
    """

    availability: str = "not released"
    summary_zh: str = ""
    task_categories: tuple[str, ...] = ("question-answering",)
    task_ids: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        """Reject values that are not in the lists."""
        for name, words, known in (
            ("availability", (self.availability,), AVAILABILITY),
            ("task_categories", self.task_categories, HUB_LISTS["task_categories"]),
            ("task_ids", self.task_ids, HUB_LISTS["task_ids"]),
        ):
            for word in words:
                if word not in known:
                    expected = ", ".join(sorted(known))
                    raise MedzhError(
                        _("the value is not allowed in a dataset card"), field=name, expected=expected, found=word
                    )


def size_category(records: int) -> str:
    """Return the size category of the hub for a number of records.

    Examples
    --------
    >>> size_category(204), size_category(28_096)
    ('n<1K', '10K<n<100K')
    """
    sizes = HUB_LISTS["size_categories"]  # below 1,000, then one per additional digit
    return sizes[min(max(len(str(records)) - 3, 0), len(sizes) - 1)]


def licence_id(spdx: str) -> str | None:
    """Return the name of an SPDX license on the hub; None for unknown licenses and expressions.

    Examples
    --------
    >>> licence_id("Apache-2.0"), licence_id("GPL-3.0-only"), licence_id("unknown")
    ('apache-2.0', 'gpl-3.0', None)
    """
    name = spdx.lower().removesuffix("-only").removesuffix("-or-later")
    return name if name in HUB_LISTS["license"] and name not in {"unknown", "other"} else None


Record = dict[str, Any]
RECIPES = "dataset_scripts.recipes"


@dataclass(frozen=True)
class SourceFile:
    """A source of a recipe: a file or a folder.

    Attributes
    ----------
    name : str
        The name in ``sources.toml`` and ``--source NAME=FILE``.
    path : Path
        The file or folder.
    sha256 : str
        The hash of its content; for a folder, of the names and contents of its files.
    pinned : bool
        Whether it has the content that is pinned in ``sources.toml``.
    """

    name: str
    path: Path
    sha256: str
    pinned: bool


@dataclass(frozen=True)
class BuildTable:
    """A table of counts for the terminal and the card.

    Attributes
    ----------
    title : str
        The title.
    columns : tuple of str
        The headings.
    rows : tuple of tuple
        Texts and integers, one tuple per row.
    """

    title: str
    columns: tuple[str, ...]
    rows: tuple[tuple[str | int, ...], ...]


@dataclass(frozen=True)
class Built:
    """The output of a recipe.

    Attributes
    ----------
    splits : mapping of str to sequence of dict
        The records of each split, in any order.
    notes : tuple of str
        Notes for the user, such as excluded rows and empty fields.
    tables : tuple of BuildTable
        Tables of counts.
    left_out : tuple of str
        Sources that were available but not used; the manifest does not contain them.
    """

    splits: Mapping[str, Sequence[Record]]
    notes: tuple[str, ...] = ()
    tables: tuple[BuildTable, ...] = ()
    left_out: tuple[str, ...] = ()


@dataclass(frozen=True)
class ReviewForm:
    """The fields of an item that its reviewers see."""

    key: Callable[[Record], str]  # the name of an item
    asked: tuple[str, ...]  # the fields shown for answering
    label: Callable[[Record], str | None] = lambda _unused: None  # the correct answer; None for a phrase
    same: Callable[[str, str], bool] = str.__eq__  # whether an answer equals a label
    answers: tuple[str, ...] = ()  # the possible answers of a closed question
    topic: Callable[[Record], str] = itemgetter("topic")


@dataclass(frozen=True)
class Recipe:
    """A procedure that makes the records of a config.

    Attributes
    ----------
    name : str
        ``official``, ``open``, ``mini`` or the recipe of one config: ``mesh``, ``pediabench``.
    summary : str
        A clause for the card and the terminal.
    sources : tuple of str
        The names of its sources. ``--source FILE`` without a name is the first one.
    make : callable
        A function from the source files by name and a random seed to a `Built`.
    embedded : mapping of str to Path
        Sources that are included in the package.
    embedded_licence : str
        The SPDX expression of the embedded sources. Sources with ``unknown`` may not be redistributed.
    embedded_citation : str
        The authors of the embedded sources.
    derived : bool
        Whether the records are selected from the sources or changed, so that they are never the benchmark.
    requires_all : bool
        Whether every source is required, or only one of them.
    own : tuple of str
        Sources that only the user can provide, because they are not released.
    bring : str
        The advice to a user who provides none of them.
    parameters : mapping of str to int or str
        Parameters that the card states.
    limits, biases : tuple of str
        Limits and biases of the records, for the card.
    review_form : ReviewForm or None
        The fields that reviewers of open data see.
    read_by : str
        The reviewers of the records, in English and Chinese.
    annotated, worded : tuple of str
        The creators of the annotations and of the texts, by the names of the hub.
    """

    name: str
    summary: str
    sources: tuple[str, ...]
    make: Make
    embedded: Mapping[str, Path] = field(default_factory=dict)
    embedded_licence: str = "unknown"
    embedded_citation: str = "the package that ships it"
    derived: bool = False
    requires_all: bool = True
    own: tuple[str, ...] = ()
    bring: str = "provide your file with `--source FILE`"
    parameters: Mapping[str, int | str] = field(default_factory=dict)
    limits: tuple[str, ...] = ()
    biases: tuple[str, ...] = ()
    review_form: ReviewForm | None = None
    read_by: str = "nobody except its authors / 仅由作者核对"
    annotated: tuple[str, ...] = ("other",)
    worded: tuple[str, ...] = ("other",)


@dataclass(frozen=True)
class Dataset:
    """The declaration of the data of a config.

    Attributes
    ----------
    config : str
        The name of the config.
    schema : Path
        The JSON Schema of the records, which determines the columns of the dataset.
    card : Path
        The template of its section of the card.
    sources : Path
        The ``sources.toml`` of its upstream files.
    recipes : tuple of Recipe
        The recipes of the config.
    order : callable
        A function from a record to its sort key; ties are sorted by id.
    check : callable
        A function from all records by split to the problems that the schema cannot detect, one line per problem.
    breakdown : str or None
        The column of the counts in the card.
    never_published : str
        The reason why no build of the config may be published; empty if that depends on its sources.
    metadata : CardMetadata
        The metadata for the card.
    """

    config: str
    schema: Path
    card: Path
    sources: Path
    recipes: tuple[Recipe, ...]
    order: Callable[[Record], Any] = itemgetter("id")
    check: Callable[[Mapping[str, Sequence[Record]]], list[str]] = lambda _unused: []
    breakdown: str | None = None
    never_published: str = ""
    metadata: CardMetadata = field(default_factory=CardMetadata)

    def recipe(self, name: str) -> Recipe:
        """Find a recipe by its name."""
        for recipe in self.recipes:
            if recipe.name == name:
                return recipe
        names = ", ".join(recipe.name for recipe in self.recipes)
        raise MedzhError(
            _("unknown recipe {name}; recipes of {config}: {names}", name=name, config=self.config, names=names),
            field="--recipe",
        )


def sample(form: str, source: str, file: Path, make: Make, **others: Any) -> Recipe:  # noqa: ANN401 - of `Recipe`
    """Declare the recipe ``mini`` of a small sample, such as "in the form of TCMD", in its package."""
    return Recipe("mini", f"a small sample {form}", (source,), make, embedded={source: file}, **others)


def with_table(table: Callable[[Mapping[str, Sequence[Record]]], BuildTable], make: Make) -> Make:
    """Add a table of the records before the tables of a recipe."""

    def with_it(files: Mapping[str, SourceFile], seed: int) -> Built:
        built = make(files, seed)
        return replace(built, tables=(table(built.splits), *built.tables))

    return with_it


def dataset_names() -> list[str]:
    """List the configs that can be built, in alphabetical order."""
    return sorted(declared(RECIPES))


def dataset(config: str) -> Dataset:
    """Load the declaration of the data of a config."""
    if config not in declared(RECIPES):
        raise MedzhError(_("unknown config"), field="CONFIG", expected=", ".join(dataset_names()), found=config)
    loaded = load(RECIPES, config, declared(RECIPES)[config])
    if not isinstance(loaded, Dataset) or loaded.config != config:
        found = getattr(loaded, "config", type(loaded).__name__)
        problem, place = _("the object is not the Dataset of this config"), provider(config, RECIPES)
        raise MedzhError(problem, file=place, field=f"{config}: DATASET", expected=config, found=found)
    return loaded
