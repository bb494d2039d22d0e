"""The metadata of a dataset card: the closed lists of the Hugging Face hub, and what a config declares of itself."""

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


# The values that the hub allows for a key of a card's head, in its order.
HUB_LISTS: dict[str, list[str]] = {
    key: words.split()
    for key, words in tomllib.loads(Path(__file__).with_name("hub_lists.toml").read_text(encoding="utf-8")).items()
}

# How the benchmark's own data can be had, with the Chinese for it.
AVAILABILITY = {"released": "已公开", "on request": "需向作者申请", "not released": "未公开"}


@dataclass(frozen=True)
class CardMetadata:
    """What a card says of a config that neither its records nor its scoring nor its paper hold.

    Attributes
    ----------
    availability : str
        How the benchmark's own data can be had: ``released``, ``on request`` or ``not released``.
    summary_zh : str
        What the config is, in one or two Chinese sentences.
    task_categories, task_ids : tuple of str
        The hub's words for what is asked.

    Raises
    ------
    MedzhError
        If a word is on none of the closed lists.

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
        """Refuse words that are on no list: a card would be wrong without anybody noticing."""
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
    """Name the hub's size category of a number of records.

    Examples
    --------
    >>> size_category(204), size_category(28_096)
    ('n<1K', '10K<n<100K')
    """
    sizes = HUB_LISTS["size_categories"]  # below 1,000, and then each for a digit more
    return sizes[min(max(len(str(records)) - 3, 0), len(sizes) - 1)]


def licence_id(spdx: str) -> str | None:
    """Find the hub's name of an SPDX licence.

    Gives None where the hub knows none: also for ``unknown`` and for expressions.

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
    """A file that a recipe reads, or a folder of them.

    Attributes
    ----------
    name : str
        The name of the source, as in ``sources.toml`` and ``--source NAME=FILE``.
    path : Path
        The file or folder.
    sha256 : str
        64 hex digits of its content; of a folder over names and contents of its files.
    pinned : bool
        Whether its content is the one that ``sources.toml`` pins.
    """

    name: str
    path: Path
    sha256: str
    pinned: bool


@dataclass(frozen=True)
class BuildTable:
    """Counts of a build, for the terminal and the card.

    Attributes
    ----------
    title : str
        What is counted.
    columns : tuple of str
        The column heads.
    rows : tuple of tuple
        Texts and whole numbers, one tuple a row.
    """

    title: str
    columns: tuple[str, ...]
    rows: tuple[tuple[str | int, ...], ...]


@dataclass(frozen=True)
class Built:
    """What a recipe made.

    Attributes
    ----------
    splits : mapping of str to sequence of dict
        The records of each split, in any order: a list, or `Stored` where they may be too many for the memory.
    notes : tuple of str
        What the builder should know: what was dropped and why, what could not be filled.
    tables : tuple of BuildTable
        Counts, where one number a note would not do.
    left_out : tuple of str
        Sources that were there and that nothing was made from; the manifest does not name them.
    """

    splits: Mapping[str, Sequence[Record]]
    notes: tuple[str, ...] = ()
    tables: tuple[BuildTable, ...] = ()
    left_out: tuple[str, ...] = ()


@dataclass(frozen=True)
class ReviewForm:
    """What readers of an open set see of an item."""

    key: Callable[[Record], str]  # what an item is called
    asked: tuple[str, ...]  # the fields that are shown when an answer is asked for
    shown: tuple[str, ...] = ()  # those that are shown when all answers are fixed
    label: Callable[[Record], str | None] = lambda _unused: None  # the right answer; None where it is a phrase
    same: Callable[[str, str], bool] = str.__eq__  # whether an answer is a label
    answers: tuple[str, ...] = ()  # to choose from, where they are few: of these readers' agreement is stated
    topic: Callable[[Record], str] = itemgetter("topic")
    half: Callable[[Record], int] | None = None  # the half of the readers that sees an item, where none may see two


@dataclass(frozen=True)
class Recipe:
    """How records of a config come to be.

    Attributes
    ----------
    name : str
        ``official``, ``open``, ``mini`` or the recipe of one config: ``mesh``, ``pediabench``.
    summary : str
        One sentence for the card's first line and the terminal.
    sources : tuple of str
        The names of the sources it can read, the first of which a bare ``--source FILE`` gives.
    make : callable
        From the source files by name and a seed to what was built.
    embedded : mapping of str to Path
        Sources that ship with the package.
    embedded_licence : str
        SPDX expression of the embedded sources. What is under an unknown one may not be redistributed.
    embedded_citation : str
        How the authors of the embedded sources are named.
    derived : bool
        Whether its records are chosen or made by us of what the sources hold, so that they are never the benchmark.
    requires_all : bool
        Whether every source is needed; if not, any one of them is enough.
    own : tuple of str
        Those of the sources that only the user can bring: nobody has released them, so they are in no registry and
        never looked for in the cache.
    bring : str
        What the user is told who brings nothing, where all sources are such.
    parameters : mapping of str to int or str
        Numbers of the recipe that the card states.
    limits : tuple of str
        What users of the records should know, one sentence or more each, for the card.
    review_form : ReviewForm or None
        What readers of an open set see of an item.
    biases : tuple of str
        In what the records differ from what they stand for, one sentence or more each.
    read_by : str
        Who read the records beside those who made them, in English and Chinese, for the card.
    annotated, worded : tuple of str
        The hub's words for whoever gave the answers and wrote the texts, as the head of the card has them.
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
    """Everything that the building side knows of a config.

    Attributes
    ----------
    config : str
        The config's name.
    schema : Path
        JSON Schema of its records; types and columns of the dataset follow from it.
    card : Path
        Template of its section of the card.
    sources : Path
        The ``sources.toml`` that names its upstream files.
    recipes : tuple of Recipe
        By which it can be built.
    order : callable
        From a record to what its split is sorted by; the id breaks ties.
    check : callable
        From all records by split to what is wrong among them that no schema can say, one line a problem.
    breakdown : str or None
        The column by whose values the card counts.
    never_published : str
        Why no build of the config may be published, whatever its recipe; empty where that depends on its sources.
    metadata : CardMetadata
        What the card says of it.
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
    """Declare the recipe ``mini`` of a small sample, such as "in the form of TCMD", that ships with its package."""
    return Recipe("mini", f"a small sample {form}", (source,), make, embedded={source: file}, **others)


def with_table(table: Callable[[Mapping[str, Sequence[Record]]], BuildTable], make: Make) -> Make:
    """Set a table of the records before a recipe's own tables."""

    def with_it(files: Mapping[str, SourceFile], seed: int) -> Built:
        built = make(files, seed)
        return replace(built, tables=(table(built.splits), *built.tables))

    return with_it


def dataset_names() -> list[str]:
    """List the configs that can be built here, in alphabetical order."""
    return sorted(declared(RECIPES))


def dataset(config: str) -> Dataset:
    """Load what a config declares to be built."""
    if config not in declared(RECIPES):
        raise MedzhError(_("unknown config"), field="CONFIG", expected=", ".join(dataset_names()), found=config)
    loaded = load(RECIPES, config, declared(RECIPES)[config])
    if not isinstance(loaded, Dataset) or loaded.config != config:
        found = getattr(loaded, "config", type(loaded).__name__)
        problem, place = _("the object is not the Dataset of this config"), provider(config, RECIPES)
        raise MedzhError(problem, file=place, field=f"{config}: DATASET", expected=config, found=found)
    return loaded
