"""CMHE-CE's recipe `mesh`: MeSH and Chinese names to questions with options, as in the paper's section 3.3."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

from dataset_scripts.recipe import BuildTable, Built
from dataset_scripts.recipes.cmhe_ce.concepts import NAMES, gather, in_several, places, read_named
from dataset_scripts.recipes.cmhe_ce.records import CLASSES, PAPER, QUESTIONS, question_on, record_of
from dataset_scripts.terminology.mesh import Places, distance, read_mesh
from medzh_score.benchmark.variants import draw_first, draw_one
from medzh_score.configs.cmhe_ce.prompts import LETTERS
from medzh_score.text.fold import fold
from medzh_score.ui.errors import MedzhError
from medzh_score.ui.i18n import _, _n, joined

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from dataset_scripts.recipe import Record, SourceFile
    from dataset_scripts.recipes.cmhe_ce.concepts import Concept, Gathered, Named
    from dataset_scripts.terminology.mesh import Mesh

    ConceptAspect = tuple[Concept, str]

    from dataset_scripts.recipes.cmhe_ce.concepts import Concept
    from dataset_scripts.terminology.mesh import Place


NEAR, FAR = 3, 6  # steps in the tree: near options are at most so far, far ones at least
NEAR_OPTIONS = 2
# The searches for near options until there are two: all branches or the sampled one, and the distance.
SEARCHES = ((False, NEAR), (True, NEAR), (True, NEAR + 1), (True, NEAR + 2))
NO_NEAR = f"fewer than two options within {SEARCHES[-1][1]} steps"
NO_FAR = f"no option {FAR} or more steps away"


@dataclass(frozen=True)
class Chosen:
    """The other options of a concept."""

    near: tuple[Concept, ...]  # two
    far: Concept  # the one that is easily ruled out
    distances: Mapping[str, int]  # from the concept, by identifier
    widened: int  # how often the search for near ones was widened


@dataclass(frozen=True)
class Pool:
    """The concepts of one class that can be options for each other."""

    concepts: tuple[Concept, ...]  # by identifier

    @cached_property
    def stands(self) -> tuple[tuple[Place, ...], ...]:
        """The places of each concept."""
        return tuple(places(one.numbers) for one in self.concepts)

    @cached_property
    def tree(self) -> Places:
        """The places, to be found from one."""
        return Places.of(self.stands)

    @cached_property
    def shown(self) -> tuple[str, ...]:
        """The folded Chinese name of each concept, which options must not share."""
        return tuple(fold(one.name).casefold() for one in self.concepts)

    @cached_property
    def positions(self) -> dict[str, int]:
        """Where each concept is, by identifier."""
        return {one.identifier: index for index, one in enumerate(self.concepts)}

    def near(self, index: int, branch: str, farthest: int) -> set[int]:
        """Find the positions of near options: within some steps of one of the right concept's tree numbers."""
        (place,) = places([branch])
        return {other for other in self.tree.near(place, farthest) if self.shown[index] != self.shown[other]}

    def is_far(self, index: int, other: int) -> bool:
        """Return whether a concept can be the far option."""
        return self.shown[index] != self.shown[other] and self.distance(index, other) >= FAR

    def distance(self, index: int, other: int) -> int:
        """Count the steps between two concepts, over all places of both."""
        return distance(self.stands[index], self.stands[other])


def choose(concepts: Sequence[Concept], seed: int) -> tuple[dict[str, Chosen], Counter[tuple[str, str]]]:
    """Choose options for concepts (paper, section 3.3), and count those without, by class and reason.

    Near ones are drawn from those within three steps of one of the concept's tree numbers, itself drawn; where there
    are fewer than two, from all of its tree numbers, then within four steps, then five. The far one is drawn from those
    of the class that are six or more steps away from it, over all tree numbers of both.
    """
    pools: dict[str, list[Concept]] = {}
    for one in sorted(concepts, key=lambda one: one.identifier):
        pools.setdefault(one.kind.name, []).append(one)
    ready = {name: Pool(tuple(own)) for name, own in pools.items()}
    chosen: dict[str, Chosen] = {}
    without: Counter[tuple[str, str]] = Counter()
    for concept in concepts:
        found = _for_one(concept, ready[concept.kind.name], seed)
        if isinstance(found, str):
            without[concept.kind.name, found] += 1
        else:
            chosen[concept.identifier] = found
    return chosen, without


def _for_one(concept: Concept, pool: Pool, seed: int) -> Chosen | str:
    index = pool.positions[concept.identifier]
    near, widened = _near(index, pool, seed)
    if len(near) < NEAR_OPTIONS:
        return NO_NEAR
    taken = {pool.shown[one] for one in near}
    far = draw_one(
        range(len(pool.concepts)),
        lambda other: pool.shown[other] not in taken and pool.is_far(index, other),
        f"{concept.identifier}:far",
        seed,
    )
    if far is None:
        return NO_FAR
    distances = {pool.concepts[other].identifier: pool.distance(index, other) for other in (*near, far)}
    return Chosen(tuple(pool.concepts[one] for one in near), pool.concepts[far], distances, widened)


def _near(index: int, pool: Pool, seed: int) -> tuple[list[int], int]:
    """Sample near options in wider and wider searches until there are two."""
    found: list[int] = []
    for widened, branches, farthest in _searches(pool.concepts[index], seed):
        there = set().union(*(pool.near(index, branch, farthest) for branch in branches))
        for other in _drawn(there, index, pool, seed):
            if pool.shown[other] not in {pool.shown[one] for one in found}:
                found.append(other)
            if len(found) == NEAR_OPTIONS:
                return found, widened
    return found, len(SEARCHES)


def _searches(concept: Concept, seed: int) -> Iterator[tuple[int, Sequence[str], int]]:
    own = [number for number in concept.numbers if concept.kind.holds(number)]
    drawn = draw_first(own, lambda number: f"{concept.identifier}:{number}", 1, seed)
    for widened, (everywhere, farthest) in enumerate(SEARCHES):
        yield widened, own if everywhere else drawn, farthest


def _drawn(there: set[int], index: int, pool: Pool, seed: int) -> list[int]:
    identifier = pool.concepts[index].identifier
    return draw_first(there, lambda other: f"{identifier}:{pool.concepts[other].identifier}", len(there), seed)


RECIPE = "mesh"
MESH, TREE_2017 = "mesh", "mesh-tree-2017"
SOURCES = (NAMES, MESH, TREE_2017)
PARAMETERS: dict[str, int | str] = {
    "options": f"the paper's rule: near ones at most {NEAR} steps away, far ones {FAR} or more",
    "concepts": "all of a class that have a Chinese name; in the paper three experts selected them",
}


def from_mesh(files: Mapping[str, SourceFile], seed: int) -> Built:
    """Make questions on the descriptors of MeSH that have a Chinese name (paper, section 3.3)."""
    source = next((name for name in (MESH, TREE_2017) if name in files), None)
    if source is None:
        expected = _("{tree_2017} in the cache, or {mesh}=FILE", tree_2017=TREE_2017, mesh=MESH)
        advice = _("run `medzh-build fetch {tree_2017}`", tree_2017=TREE_2017)
        raise MedzhError(_("the MeSH tree is missing"), field="--source", expected=expected, advice=advice)
    mesh = read_mesh(files[source].path)
    named = read_named(files, mesh.descriptors)
    gathered = gather(mesh, named)
    concepts = gathered.concepts
    chosen, without = choose(concepts, seed)
    records = question_records(concepts, chosen, seed=seed, source=source, recipe=RECIPE)
    tables = (_counts(gathered, chosen), *_option_tables(concepts, chosen, without, records))
    if not records:
        found = _("{count:,} concepts have a class and a Chinese name", count=len(concepts))
        raise MedzhError(_("no question can be created"), file=files[NAMES].path, found=found)
    left_out = tuple(name for name in (MESH, TREE_2017) if name in files and name != source)
    notes = tuple(_notes(source, mesh, named, gathered))
    return Built({"test": records}, notes=notes, tables=tables, left_out=left_out)


def _counts(gathered: Gathered, chosen: Mapping[str, Chosen]) -> BuildTable:
    named = Counter(one.kind.name for one in gathered.concepts)
    asked = Counter(one.kind.name for one in gathered.concepts if one.identifier in chosen)
    rows: list[tuple[str | int, ...]] = [
        (name, gathered.descriptors[name], named[name], asked[name], PAPER[name][0]) for name in CLASSES
    ]
    heads = ("class", "in MeSH", "with a Chinese name", "with options", "paper")
    return BuildTable("MeSH descriptors and concepts", heads, tuple(rows))


def _option_tables(
    concepts: Sequence[Concept],
    chosen: Mapping[str, Chosen],
    without: Mapping[tuple[str, str], int],
    records: Sequence[Record],
) -> Iterator[BuildTable]:
    searches = [f"{'all branches' if everywhere else 'one branch'}, {steps} steps" for everywhere, steps in SEARCHES]
    made = [(one.kind.name, chosen[one.identifier]) for one in concepts if one.identifier in chosen]
    found = Counter((name, own.widened) for name, own in made)
    rows = [(name, searches[widened], found[name, widened]) for name in CLASSES for widened in range(len(SEARCHES))]
    rows += [(name, f"excluded: {reason}", count) for (name, reason), count in sorted(without.items())]
    title = "Search distance for near options"
    yield BuildTable(title, ("class", "search", "concepts"), tuple(row for row in rows if row[2]))
    near = Counter(own.distances[other.identifier] for _unused, own in made for other in own.near)
    far = Counter(own.distances[own.far.identifier] for _unused, own in made)
    steps = tuple((count, near[count], far[count]) for count in sorted(near | far))
    yield BuildTable(
        "Distances of the options from the concept, over all concepts", ("steps", "near options", "far options"), steps
    )
    letters = Counter((record["concept_class"], record["answer"]) for record in records)
    present = [name for name in CLASSES if any(kind == name for kind, _unused in made)]
    right: list[tuple[str | int, ...]] = [(name, *(letters[name, letter] for letter in LETTERS)) for name in present]
    yield BuildTable("Questions by correct letter", ("class", *LETTERS), tuple(right))


def _notes(source: str, mesh: Mesh, named: Named, gathered: Gathered) -> Iterator[str]:
    count = len(mesh.descriptors)
    yield _(
        "MeSH {year} ({source}): {count:,} descriptors; {outside:,} of them are not in the tree",
        year=mesh.year or _("of an unknown year"),
        source=source,
        count=count,
        outside=mesh.outside,
    )
    if not any(one.scope_note for one in gathered.concepts):
        yield _(
            "no concept has a scope note, because the MeSH file contains no scope notes; questions with scope "
            "notes as a control are not possible"
        )
    if not any(one.terms for one in mesh.descriptors):
        yield _("the MeSH file has no entry terms; aliases come from the table of names and from inverted headings")
    nameless = sum(gathered.descriptors.values()) - len(gathered.concepts)
    yield _(
        "{nameless:,} descriptors that belong to a class have no Chinese name in the table and were excluded",
        nameless=nameless,
    )
    if gathered.outside:
        yield _("{outside:,} descriptors with a Chinese name belong to no class", outside=gathered.outside)
    for classes, number in sorted(in_several(mesh.descriptors).items()):
        yield _(
            "{count:,} descriptors belong to several classes ({classes}) and were assigned to {first}",
            count=number,
            classes=joined(classes),
            first=classes[0],
        )
    alike = Counter((one.kind.name, fold(one.name)) for one in gathered.concepts)
    if shared := sum(number for number in alike.values() if number > 1):
        yield _(
            (
                "{shared:,} concepts have the same Chinese name as another concept of their class; concepts with "
                "the same name are never options of the same question"
            ),
            shared=shared,
        )
    for reason, number in sorted(named.left_out.items()):
        yield _n(
            "table of names: {n:,} row was excluded: {reason}",
            "table of names: {n:,} rows were excluded: {reason}",
            number,
            reason=reason,
        )
    yield _("the concepts were not selected by an expert; all concepts with a Chinese name were used")
    questions = joined([f"{name} {len(QUESTIONS[name])}" for name in CLASSES])
    yield _(
        (
            "questions per concept: {questions}; for the concepts of the paper, this gives 37,516, but the "
            "paper states 38,576 (erratum C1)"
        ),
        questions=questions,
    )


def question_records(
    concepts: Sequence[Concept], chosen: Mapping[str, Chosen], *, seed: int, source: str, recipe: str
) -> list[Record]:
    """Make the questions of concepts; those without options are skipped."""
    letters = balanced([one for one in concepts if one.identifier in chosen], seed)
    return [
        record_of(_fields(concept, aspect, chosen[concept.identifier], letter, seed), source=source, recipe=recipe)
        for (concept, aspect), letter in letters.items()
    ]


def balanced(concepts: Sequence[Concept], seed: int) -> dict[ConceptAspect, str]:
    """Assign the gold letter of each question.

    Letters in turn over the questions of each class and aspect, drawn into an order: over all of them and over each
    aspect no letter is right more than once more often than another.
    """
    every = [
        [(one, aspect) for one in concepts if one.kind.name == name] for name in CLASSES for aspect in QUESTIONS[name]
    ]
    drawn = [draw_first(own, lambda pair: f"{pair[0].identifier}:{pair[1]}", len(own), seed) for own in every]
    ordered = [pair for own in drawn for pair in own]
    return {pair: LETTERS[number % len(LETTERS)] for number, pair in enumerate(ordered)}


def _fields(concept: Concept, aspect: str, chosen: Chosen, letter: str, seed: int) -> dict[str, object]:
    others = [*chosen.near, chosen.far]
    key = f"{concept.identifier}:{aspect}"
    options = draw_first(others, lambda other: f"{key}:{other.identifier}", len(others), seed)
    options.insert(LETTERS.index(letter), concept)
    return {
        "concept_id": concept.identifier,
        "concept": concept.name,
        "concept_en": concept.english,
        "aliases": concept.aliases,
        "concept_class": concept.kind.name,
        "aspect": aspect,
        "question": question_on(concept.name, concept.kind.name, aspect),
        "options": [other.name for other in options],
        "answer": letter,
        "distances": [chosen.distances.get(other.identifier, 0) for other in options],
        "options_mode": "paper",
        "widened": chosen.widened,
        "tree_numbers": concept.numbers,
        "scope_note": concept.scope_note,
        "upstream_key": concept.identifier,
    }
