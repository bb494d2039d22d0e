"""Distances in the tree of MeSH: by hand, by networkx and scipy on a graph made apart, and Figure 7's example."""

from __future__ import annotations

import csv
import random

import networkx as nx
import pytest
from amounts import one_in
from scipy.sparse.csgraph import dijkstra

from dataset_scripts.terminology.mesh_distance import Places, distance, place_of, steps

TREE = "jzsh2000/pubmed/85950f69240e6de441cbb38b0b0d4faf58baf25a/data/mesh/2017MeshTree.txt"
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


def test_figure_7s_near_options_are_not_the_nearest(numbers, graph):
    """66 concepts that are no relatives stand at two steps (spec, section 2.3), 55 of them by one place alone."""
    own = numbers["POEMS Syndrome"]
    lengths = nx.multi_source_dijkstra_path_length(graph, set(own), cutoff=2)
    kin = {number for one in own for number in (*nx.shortest_path(graph, "root", one),)}
    at_two = {
        name
        for name, others in numbers.items()
        if min(lengths.get(other, 9) for other in others) == 2 and not kin & set(others)
    }
    assert len(at_two) == 66
    abnormal = [
        name for name in at_two if not any(map(_near(graph, [n for n in own if n[:3] != "C16"]), numbers[name]))
    ]
    assert len(abnormal) == 55
    assert not {"Immunoproliferative Small Intestinal Disease"} & at_two


def _near(graph, own):
    lengths = nx.multi_source_dijkstra_path_length(graph, set(own), cutoff=2)
    return lengths.__contains__


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
