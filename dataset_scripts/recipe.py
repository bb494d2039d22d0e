"""The metadata of a dataset card: the closed lists of the Hugging Face hub, and what a config declares of itself."""

from __future__ import annotations

import re
from dataclasses import dataclass, field, replace
from operator import itemgetter
from typing import TYPE_CHECKING, Any

from medzh_score.benchmark.registry import declared, load, provider
from medzh_score.ui.errors import MedzhError
from medzh_score.ui.i18n import _

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence
    from pathlib import Path

    Make = Callable[[Mapping[str, "SourceFile"], int], "Built"]


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


# The page "Licenses" of the hub's documentation.
LICENCES = _words("""
    apache-2.0 mit openrail bigscience-openrail-m creativeml-openrail-m bigscience-bloom-rail-1.0 bigcode-openrail-m
    afl-3.0 artistic-2.0 bsl-1.0 bsd bsd-2-clause bsd-3-clause bsd-3-clause-clear c-uda cc cc0-1.0 cc-by-2.0 cc-by-2.5
    cc-by-3.0 cc-by-4.0 cc-by-sa-3.0 cc-by-sa-4.0 cc-by-nc-2.0 cc-by-nc-3.0 cc-by-nc-4.0 cc-by-nd-4.0 cc-by-nc-nd-3.0
    cc-by-nc-nd-4.0 cc-by-nc-sa-2.0 cc-by-nc-sa-3.0 cc-by-nc-sa-4.0 cdla-sharing-1.0 cdla-permissive-1.0
    cdla-permissive-2.0 wtfpl ecl-2.0 epl-1.0 epl-2.0 etalab-2.0 eupl-1.1 eupl-1.2 agpl-3.0 gfdl gpl gpl-2.0 gpl-3.0
    lgpl lgpl-2.1 lgpl-3.0 isc lppl-1.3c ms-pl mpl-2.0 odc-by odbl openrail++ osl-3.0 postgresql ofl-1.1 ncsa unlicense
    zlib pddl lgpl-lr deepfloyd-if-license llama2 gemma unknown other
    """)

# ISO 639-1, which the hub takes besides the three-letter codes of ISO 639-3.
LANGUAGES = _words("""
    aa ab ae af ak am an ar as av ay az ba be bg bh bi bm bn bo br bs ca ce ch co cr cs cu cv cy da de dv dz ee el en eo
    es et eu fa ff fi fj fo fr fy ga gd gl gn gu gv ha he hi ho hr ht hu hy hz ia id ie ig ii ik io is it iu ja jv ka kg
    ki kj kk kl km kn ko kr ks ku kv kw ky la lb lg li ln lo lt lu lv mg mh mi mk ml mn mr ms mt my na nb nd ne ng nl nn
    no nr nv ny oc oj om or os pa pi pl ps pt qu rm rn ro ru rw sa sc sd se sg si sk sl sm sn so sq sr ss st su sv sw ta
    te tg th ti tk tl tn to tr ts tt tw ty ug uk ur uz ve vi vo wa wo xh yi yo za zh zu
    """)

SIZES = (
    (1_000, "n<1K"),
    (10_000, "1K<n<10K"),
    (100_000, "10K<n<100K"),
    (1_000_000, "100K<n<1M"),
    (10_000_000, "1M<n<10M"),
    (100_000_000, "10M<n<100M"),
    (1_000_000_000, "100M<n<1B"),
    (10_000_000_000, "1B<n<10B"),
    (100_000_000_000, "10B<n<100B"),
    (1_000_000_000_000, "100B<n<1T"),
)
LARGEST = "n>1T"

CREATORS = frozenset({"found", "crowdsourced", "expert-generated", "machine-generated", "no-annotation", "other"})
MULTILINGUALITY = frozenset({"monolingual", "multilingual", "translation", "other"})
TASKS = _words("""
    text-classification token-classification table-question-answering question-answering zero-shot-classification
    translation summarization feature-extraction text-generation text2text-generation fill-mask sentence-similarity
    text-ranking text-retrieval multiple-choice table-to-text tabular-classification other
    """)

# The finer tasks of the hub's list of tasks, of those that are about text.
TASK_IDS = _words("""
    acceptability-classification entity-linking-classification fact-checking intent-classification
    language-identification multi-class-classification multi-label-classification multi-input-text-classification
    natural-language-inference semantic-similarity-classification sentiment-classification topic-classification
    semantic-similarity-scoring sentiment-scoring sentiment-analysis hate-speech-detection text-scoring
    named-entity-recognition part-of-speech parsing lemmatization word-sense-disambiguation coreference-resolution
    extractive-qa open-domain-qa closed-domain-qa news-articles-summarization news-articles-headline-generation
    dialogue-modeling dialogue-generation conversational language-modeling text-simplification explanation-generation
    abstractive-qa open-domain-abstractive-qa open-book-qa closed-book-qa slot-filling masked-language-modeling
    multiple-choice-qa multiple-choice-coreference-resolution document-retrieval utterance-retrieval
    entity-linking-retrieval fact-checking-retrieval
    """)

# Written by us, or made from what others wrote: then the name of that stands behind the bar.
SOURCE = re.compile(r"original|extended(\|[A-Za-z0-9][\w.-]*)?", re.ASCII)

LISTS = {
    "license": LICENCES,
    "language": LANGUAGES,
    "size_categories": frozenset({*(name for _unused, name in SIZES), LARGEST}),
    "task_categories": TASKS,
    "annotations_creators": CREATORS,
    "language_creators": CREATORS,
    "multilinguality": MULTILINGUALITY,
    "task_ids": TASK_IDS,
}
FREE = _words("pretty_name tags license_name license_link source_datasets configs dataset_info viewer")

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
            ("task_categories", self.task_categories, TASKS),
            ("task_ids", self.task_ids, TASK_IDS),
        ):
            for word in words:
                if word not in known:
                    expected = ", ".join(sorted(known))
                    raise MedzhError(_("is none of the words of a card"), field=name, expected=expected, found=word)


def size_category(records: int) -> str:
    """Name the hub's size category of a number of records.

    Examples
    --------
    >>> size_category(204), size_category(28_096)
    ('n<1K', '10K<n<100K')
    """
    return next((name for limit, name in SIZES if records < limit), LARGEST)


def licence_id(spdx: str) -> str | None:
    """Find the hub's name of an SPDX licence.

    Gives None where the hub knows none: also for ``unknown`` and for expressions.

    Examples
    --------
    >>> licence_id("Apache-2.0"), licence_id("GPL-3.0-only"), licence_id("unknown")
    ('apache-2.0', 'gpl-3.0', None)
    """
    name = spdx.lower().removesuffix("-only").removesuffix("-or-later")
    return name if name in LICENCES - {"unknown", "other"} else None


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
    """What readers of a config see of an item.

    Attributes
    ----------
    key : callable
        From an item to what it is called.
    asked : tuple of str
        The fields that are shown when an answer is asked for.
    shown : tuple of str
        Those that are shown when all answers are fixed.
    label : callable
        From an item to the answer that a reader should give; None where it is a phrase.
    same : callable
        Whether an answer is a label.
    answers : tuple of str
        The answers among which a reader chooses, where they are few: of these readers' agreement is stated.
    topic : callable
        From an item to its topic.
    half : callable
        From an item to the half of the readers that sees it, 0 or 1, where no reader may see two items; else None.
    """

    key: Callable[[Record], str]
    asked: tuple[str, ...]
    shown: tuple[str, ...] = ()
    label: Callable[[Record], str | None] = lambda _unused: None
    same: Callable[[str, str], bool] = str.__eq__
    answers: tuple[str, ...] = ()
    topic: Callable[[Record], str] = itemgetter("topic")
    half: Callable[[Record], int] | None = None


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
    bring: str = "bring your own file with --source FILE"
    parameters: Mapping[str, int | str] = field(default_factory=dict)
    limits: tuple[str, ...] = ()
    biases: tuple[str, ...] = ()
    review_form: ReviewForm | None = None
    read_by: str = "nobody but who made it / 除制作者外无人"
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
            _("there is no recipe {name}; recipes of {config}: {names}", name=name, config=self.config, names=names),
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
        raise MedzhError(_("no such config"), field="CONFIG", expected=", ".join(dataset_names()), found=config)
    loaded = load(RECIPES, config, declared(RECIPES)[config])
    if not isinstance(loaded, Dataset) or loaded.config != config:
        found = getattr(loaded, "config", type(loaded).__name__)
        problem, place = _("is no Dataset of that name"), provider(config, RECIPES)
        raise MedzhError(problem, file=place, field=f"{config}: DATASET", expected=config, found=found)
    return loaded
