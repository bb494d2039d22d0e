"""CMHE-CE's recipe `mesh`: MeSH and Chinese names to questions with options, as in the paper's section 3.3."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from dataset_scripts.recipe import BuildTable, Built
from dataset_scripts.recipes.cmhe_ce.classes import in_several
from dataset_scripts.recipes.cmhe_ce.concepts import gather
from dataset_scripts.recipes.cmhe_ce.names import NAMES, read_named
from dataset_scripts.recipes.cmhe_ce.options import FAR, NEAR, SEARCHES, choose
from dataset_scripts.recipes.cmhe_ce.options_in_order import question_records
from dataset_scripts.recipes.cmhe_ce.questions import CLASSES, QUESTIONS
from dataset_scripts.recipes.cmhe_ce.records import PAPER
from dataset_scripts.terminology.mesh import read_mesh
from medzh_score.configs.cmhe_ce.words import LETTERS
from medzh_score.messages.errors import MedzhError
from medzh_score.text.folding import fold

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from dataset_scripts.recipe import Record, SourceFile
    from dataset_scripts.recipes.cmhe_ce.concepts import Concept, Gathered
    from dataset_scripts.recipes.cmhe_ce.names import Named
    from dataset_scripts.recipes.cmhe_ce.options import Chosen
    from dataset_scripts.terminology.mesh import Mesh

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
        expected = f"{TREE_2017} in the cache, or {MESH}=FILE"
        advice = f"medzh-build fetch {TREE_2017}"
        raise MedzhError("the tree of MeSH is missing", field="--source", expected=expected, advice=advice)
    mesh = read_mesh(files[source].path)
    named = read_named(files, mesh.descriptors)
    gathered = gather(mesh, named)
    concepts = gathered.concepts
    chosen, without = choose(concepts, seed)
    records = question_records(concepts, chosen, seed=seed, source=source, recipe=RECIPE)
    tables = (_counts(gathered, chosen), *_option_tables(concepts, chosen, without, records))
    if not records:
        found = f"{len(concepts):,} concepts of a class have a Chinese name"
        raise MedzhError("no question can be made", file=files[NAMES].path, found=found)
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
    return BuildTable("From descriptors of MeSH to concepts", heads, tuple(rows))


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
    rows += [(name, f"left out: {reason}", count) for (name, reason), count in sorted(without.items())]
    title = "How far near options were looked for"
    yield BuildTable(title, ("class", "two were found in", "concepts"), tuple(row for row in rows if row[2]))
    near = Counter(own.distances[other.identifier] for _, own in made for other in own.near)
    far = Counter(own.distances[own.far.identifier] for _, own in made)
    steps = tuple((count, near[count], far[count]) for count in sorted(near | far))
    yield BuildTable("Distances of options, over all concepts", ("steps", "near options", "far options"), steps)
    letters = Counter((record["concept_class"], record["answer"]) for record in records)
    present = [name for name in CLASSES if any(kind == name for kind, _ in made)]
    right: list[tuple[str | int, ...]] = [(name, *(letters[name, letter] for letter in LETTERS)) for name in present]
    yield BuildTable("Questions by right letter", ("class", *LETTERS), tuple(right))


def _notes(source: str, mesh: Mesh, named: Named, gathered: Gathered) -> Iterator[str]:
    year = f"of {mesh.year}" if mesh.year else "of a year that the file does not say"
    outside = f", and {mesh.outside:,} that stand nowhere in the tree" if mesh.outside else ""
    yield f"MeSH {year} ({source}): {len(mesh.descriptors):,} descriptors{outside}"
    if not any(one.scope_note for one in gathered.concepts):
        yield "no concept has a scope note: the file of MeSH has none, and a control run on them is not possible"
    if not any(one.terms for one in mesh.descriptors):
        yield "the file of MeSH has no entry terms: aliases are those of the table of names, and headings turned round"
    nameless = sum(gathered.descriptors.values()) - len(gathered.concepts)
    yield f"{nameless:,} descriptors of a class have no Chinese name in the table and were left out"
    if gathered.outside:
        yield f"{gathered.outside:,} descriptors with a Chinese name are of no class"
    for classes, count in sorted(in_several(mesh.descriptors).items()):
        first = next(name for name in classes.split(" and "))
        yield f"{count:,} descriptors are {classes}: they were taken as {first}"
    alike = Counter((one.kind.name, fold(one.name)) for one in gathered.concepts)
    if shared := sum(count for count in alike.values() if count > 1):
        yield f"{shared:,} concepts share their Chinese name with another of their class: never options of each other"
    for reason, count in sorted(named.left_out.items()):
        yield f"table of names: {count:,} rows with {reason} were passed over"
    yield "no expert selected the concepts: all that have a Chinese name were taken"
    questions = ", ".join(f"{len(QUESTIONS[name])} on each {name}" for name in CLASSES)
    yield f"questions are {questions}: with the paper's concepts that is 37,516, not the 38,576 that it prints (C1)"
