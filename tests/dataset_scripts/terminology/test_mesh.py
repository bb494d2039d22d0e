"""Files of MeSH: read by their content, refused where they smuggle, and distances in the tree by scipy and networkx."""

from __future__ import annotations

import csv
import gzip
import hashlib
import random
import re

import networkx as nx
import pytest
from amounts import one_in
from scipy.sparse.csgraph import dijkstra

from dataset_scripts.terminology.mesh import LONGEST, Places, distance, place_of, read_mesh, steps
from medzh_score.ui.errors import MedzhError

TREE = "jzsh2000/pubmed/85950f69240e6de441cbb38b0b0d4faf58baf25a/data/mesh/2017MeshTree.txt"
NUMBERS = ("C10.668.829.800.700", "C15.378.147.780.750")
TABLE = f"Tree Number\tDesc Ui\tTerm\n{NUMBERS[0]}\tD016878\tPOEMS Syndrome\n{NUMBERS[1]}\tD016878\tPOEMS Syndrome\n"
LINES = f"POEMS Syndrome;{NUMBERS[1]}\nPOEMS Syndrome;{NUMBERS[0]}\nBody Regions;A01\n"
TYPE = (
    '<!DOCTYPE DescriptorRecordSet SYSTEM "https://www.nlm.nih.gov/databases/dtd/nlmdescriptorrecordset_20250101.dtd">'
)
RECORD = """\
<DescriptorRecord DescriptorClass="1">
  <DescriptorUI>D016878</DescriptorUI>
  <DescriptorName><String>POEMS Syndrome</String></DescriptorName>
  <TreeNumberList><TreeNumber>C15.378.147.780.750</TreeNumber><TreeNumber>C10.668.829.800.700</TreeNumber></TreeNumberList>
  <ConceptList>
    <Concept PreferredConceptYN="N">
      <ConceptName><String>Takatsuki's Syndrome</String></ConceptName>
      <ScopeNote>Not this one.</ScopeNote>
      <TermList><Term><String>Takatsuki's Syndrome</String></Term></TermList>
    </Concept>
    <Concept PreferredConceptYN="Y">
      <ConceptName><String>POEMS Syndrome</String></ConceptName>
      <ScopeNote>Nerves, organs, glands, M-protein
        &amp; skin.
    </ScopeNote>
      <TermList>
        <Term><String>POEMS Syndrome</String></Term><Term><String>Crow-Fukase Syndrome</String></Term>
      </TermList>
    </Concept>
  </ConceptList>
</DescriptorRecord>
"""
OUTSIDE = (
    "<DescriptorRecord><DescriptorUI>D008297</DescriptorUI><DescriptorName><String>Male</String></DescriptorName>"
    "</DescriptorRecord>"
)
ROOT = '<DescriptorRecordSet LanguageCode = "eng">'
XML = f'<?xml version="1.0"?>\n{TYPE}\n{ROOT}\n{RECORD}{OUTSIDE}</DescriptorRecordSet>'


def written(tmp_path, content, name="own.txt"):
    path = tmp_path / name
    path.write_bytes(content if isinstance(content, bytes) else content.encode())
    return path


@pytest.mark.parametrize("content", [TABLE, LINES, XML])
def test_what_is_zipped_is_read_alike(tmp_path, content):
    plain, zipped = written(tmp_path, content), written(tmp_path, gzip.compress(content.encode(), mtime=0), "zipped")
    assert read_mesh(zipped).descriptors == read_mesh(plain).descriptors


@pytest.mark.parametrize(
    ("type_", "name", "year"),
    [
        (TYPE, "desc2099.xml", "2025"),
        ('<!DOCTYPE DescriptorRecordSet SYSTEM "desc2011.dtd">', "a.xml", "2011"),
        ("", "desc2024.xml", "2024"),
        ("", "mine.xml", ""),
        ("", "file-12024.xml", ""),
    ],
)
def test_the_year_is_what_the_document_type_says_or_else_the_name(tmp_path, type_, name, year):
    assert read_mesh(written(tmp_path, XML.replace(TYPE, type_), name)).year == year


BOMB = '<!DOCTYPE DescriptorRecordSet [<!ENTITY a "ha"><!ENTITY b "&a;&a;">]>'
FETCHED = '<!DOCTYPE DescriptorRecordSet [<!ENTITY own SYSTEM "file:///etc/hostname">]>'
PARAMETER = '<!DOCTYPE DescriptorRecordSet SYSTEM "a.dtd" [<!ENTITY % p SYSTEM "b.dtd"> %p;]>'
HIDDEN = f"<!-- <DescriptorRecordSet > -->{BOMB}"
OTHER = '<!DOCTYPE Other [<!ENTITY a "ha">]>'


@pytest.mark.parametrize("declared", [BOMB, FETCHED, PARAMETER, HIDDEN, OTHER, TYPE + BOMB])
def test_xml_that_declares_anything_is_refused_before_it_is_parsed(tmp_path, declared):
    path = written(tmp_path, XML.replace(TYPE, declared))
    with pytest.raises(MedzhError, match=":1: the file is not a MeSH descriptor file, or it declares XML entities"):
        read_mesh(path)


def test_xml_in_utf_16_cannot_hide_a_declaration(tmp_path):
    text = XML.replace(TYPE, BOMB)
    for content in (text.encode("utf-16"), b"<" + text.encode("utf-16-le")):
        with pytest.raises(MedzhError):
            read_mesh(written(tmp_path, content))


def test_the_document_type_is_never_fetched_and_an_unknown_entity_is_an_error(tmp_path):
    text = XML.replace(TYPE, '<!DOCTYPE DescriptorRecordSet SYSTEM "file:///no/such.dtd">')
    assert len(read_mesh(written(tmp_path, text)).descriptors) == 1
    with pytest.raises(MedzhError, match="entity"):
        read_mesh(written(tmp_path, text.replace("Nerves", "&nerves;")))


def test_a_comment_before_the_root_is_fine_and_an_endless_one_is_refused(tmp_path):
    assert read_mesh(written(tmp_path, XML.replace(TYPE, f"<!-- ours -->\n{TYPE}<!---->"))).year == "2025"
    with pytest.raises(MedzhError, match="declares XML entities"):
        read_mesh(written(tmp_path, XML.replace(TYPE, f"<!--{' ' * LONGEST}-->{TYPE}")))


@pytest.mark.parametrize(
    ("content", "problem"),
    [
        ("", "the file contains no descriptor with a tree number"),
        ("Tree Number\tDesc Ui\tTerm\n", "the file contains no descriptor with a tree number"),
        ("no tree at all\n", ":1: the file is not a MeSH file"),
        (
            TABLE + "A01\tD1\n",
            ":4: the row and the header differ in the number of cells: expected 3 cells, as in the header, found 2",
        ),
        (TABLE + "A01\tX01829\tBody Regions\n", ":4: invalid identifier"),
        (TABLE + "A01.1\tD001829\tBody Regions\n", ":4: invalid tree number"),
        (TABLE + f"{NUMBERS[0]}\tD001829\tBody Regions\n", ":4: duplicate tree number"),
        (TABLE + "A01\tD016878\tBody Regions\n", "a descriptor occurs twice with different names"),
        (TABLE + "A01\tD001829\t\n", ":4: the term is missing"),
        ("Body Regions;a01\n", ":1: invalid tree number"),
        (";A01\n", ":1: the term is missing"),
        ("体;A01\n".encode("gb18030"), "the file is not UTF-8 text"),
        (gzip.compress(TABLE.encode(), mtime=0)[:-12], "the file cannot be decompressed"),
        (gzip.compress(TABLE.encode(), mtime=0)[:-12] + b"\0" * 12, "cannot read the file: CRC check failed"),
        (XML[:-30], "invalid XML: "),
        (
            XML.replace("DescriptorRecordSet", "Set"),
            "the file is not a MeSH descriptor file, or it declares XML entities",
        ),
        (XML.replace("<DescriptorUI>D016878</DescriptorUI>", ""), "a descriptor has no identifier or no name"),
        (XML.replace("<DescriptorUI>D016878<", "<DescriptorUI>16878<"), "invalid identifier"),
        (XML.replace(NUMBERS[0], "C10.6"), "invalid tree number"),
        (XML.replace("</DescriptorRecordSet>", RECORD + "</DescriptorRecordSet>"), "duplicate tree number"),
        (XML.replace(RECORD, ""), "the file contains no descriptor with a tree number"),
        (XML.replace('"1.0"', '"1.0" encoding="no-such"'), "the XML cannot be parsed: unknown encoding"),
    ],
)
def test_other_files_are_refused(tmp_path, content, problem):
    path = written(tmp_path, content)
    with pytest.raises(MedzhError, match=re.escape(problem)) as caught:
        read_mesh(path)
    assert str(path) in str(caught.value)


def test_the_real_tree_is_read_whole(upstream_file):
    """Its 57,840 places are counted here line by line, and the descriptors by their identifiers."""
    path = upstream_file(TREE)
    mesh = read_mesh(path)
    rows = [line.split("\t") for line in path.read_text(encoding="utf-8-sig").splitlines()[1:]]
    assert len(rows) == 57_840  # as the list of upstream files says
    assert {(number, one.identifier, one.name) for one in mesh.descriptors for number in one.numbers} == {
        (number, identifier, name.strip()) for number, identifier, name in rows
    }
    assert len(mesh.descriptors) == len({identifier for _, identifier, _ in rows}) == 28_470
    assert mesh.year == "2017"
    assert hashlib.sha256(path.read_bytes()).hexdigest().startswith("d317c969")


FIGURE_7 = {"Cryoglobulinemia": 2, "Immunoproliferative Small Intestinal Disease": 3, "Acrocephalosyndactylia": 6}


@pytest.fixture(scope="module")
def numbers(upstream_file):
    """The tree numbers of each English name, read by the csv module."""
    found: dict[str, list[str]] = {}
    with upstream_file(TREE).open(encoding="utf-8-sig", newline="") as stream:
        for row in csv.DictReader(stream, delimiter="\t"):
            found.setdefault(row["Term"], []).append(row["Tree Number"])
    return found


def forest(numbers):
    """Hang each tree number under the number that is left when its end is cut off, and the letters under one root."""
    graph = nx.Graph()
    for number in numbers:
        while "." in number:
            above = number[: number.rindex(".")]
            graph.add_edge(above, number)
            number = above  # noqa: PLW2901 - up the tree
        graph.add_edge(number[0], number)
        graph.add_edge("root", number[0])
    return graph


@pytest.fixture(scope="module")
def graph(numbers):
    return forest(number for own in numbers.values() for number in own)


def between(numbers, one, other):
    return distance(list(map(place_of, numbers[one])), list(map(place_of, numbers[other])))


@pytest.mark.parametrize(
    ("one", "other", "count"),
    [
        ("C10.668", "C10.668", 0),
        ("C10.668", "C10.668.829", 1),
        ("C10.668.829", "C10", 2),
        ("C10.668", "C10.669", 2),
        ("C10", "C11", 2),  # under the letter
        ("C10", "F03", 4),  # under the root
        ("C10.668", "F03.080.600", 7),
        ("C10.668", "C10.66", 2),  # a number is no prefix of digits
    ],
)
def test_steps_go_up_to_the_common_node_and_down(one, other, count):
    assert steps(place_of(one), place_of(other)) == steps(place_of(other), place_of(one)) == count
    assert nx.shortest_path_length(forest([one, other]), one, other) == count


def test_the_nearest_pair_of_places_counts():
    ones, others = (["A01.111", "C10.668"], ["C10.668.829.100", "D03", "A02"])
    assert distance(list(map(place_of, ones)), list(map(place_of, others))) == 2


def test_the_way_never_leads_through_another_place_of_a_concept_between():
    """In a graph of descriptors in place of numbers, B would be a bridge from A's branch to C's."""
    numbers = {"A": ["C10.100"], "B": ["C10.100.200", "D03.300"], "C": ["D03.300.400"]}
    merged = nx.Graph([("C10.100", "B"), ("B", "C"), ("C10", "C10.100"), ("D03", "B")])
    assert nx.shortest_path_length(merged, "C10.100", "C") == 2
    assert between(numbers, "A", "C") == 7


def test_figure_7_has_the_distances_that_the_card_states(numbers):
    assert {name: between(numbers, "POEMS Syndrome", name) for name in FIGURE_7} == FIGURE_7


def test_distances_are_those_of_scipy_on_the_real_tree(numbers, graph):
    draw = random.Random(5)  # noqa: S311 - a sample
    names, edges = sorted(numbers), nx.to_scipy_sparse_array(graph)
    places = {number: place for place, number in enumerate(graph)}
    for one in [*draw.sample(names, 40 // one_in(4)), "POEMS Syndrome"]:
        lengths = dijkstra(edges, unweighted=True, indices=[places[number] for number in numbers[one]])
        for other in draw.sample(names, 100):
            expected = min(own[places[number]] for own in lengths for number in numbers[other])
            assert between(numbers, one, other) == expected, (one, other)


def test_what_is_near_a_place_is_what_networkx_reaches(numbers, graph):
    draw = random.Random(6)  # noqa: S311 - a sample
    names = sorted(numbers)
    tree = Places.of([map(place_of, numbers[name]) for name in names])
    every = [(name, number) for name in names for number in numbers[name]]
    standing = {number: set() for _, number in every}
    for index, name in enumerate(names):
        for number in numbers[name]:
            standing[number].add(index)
    for name, number in draw.sample(every, 60):
        for farthest in (0, 1, 3, 5):
            reached = nx.single_source_shortest_path_length(graph, number, cutoff=farthest)
            expected = set().union(*(standing.get(other, ()) for other in reached))
            assert tree.near(place_of(number), farthest) == expected, (name, number, farthest)


def test_nothing_is_near_a_place_that_nothing_shares():
    assert Places.of([[place_of("C10.668")]]).near(place_of("D03.383"), 3) == set()
    assert Places.of([[place_of("C10.668")]]).near(place_of("D03"), 5) == {0}
