"""Options for as many concepts as the paper has, beside a plain loop over all pairs for a part of them."""

from __future__ import annotations

import random

import timing

from dataset_scripts.recipes.cmhe_ce.concepts import Concept, classes
from dataset_scripts.recipes.cmhe_ce.mesh import FAR, NEAR, NEAR_OPTIONS, choose
from medzh_score.benchmark.variants import draw_first, draw_one

SIZES = {"medicine": 1_753, "disease": 7_096, "test": 1_060}  # Table 1
ROOTS = {"medicine": "D", "disease": "C", "test": "E01"}
SUBTREES = {"medicine": 27, "disease": 26}
SEED, PART, REPEATS, DEEPEST = 7, 90, 3, 9


def main() -> None:
    """Measure and print."""
    concepts = grown()
    part = random.Random(SEED).sample(concepts, PART)  # noqa: S311 - a benchmark
    made, _ = choose(concepts, SEED)
    found = {one.identifier: made[one.identifier] for one in part}
    equal = all(
        ([other.identifier for other in own.near], own.far.identifier, own.distances)
        == plain(one, [other for other in concepts if other.kind == one.kind])
        for one, own in zip(part, found.values(), strict=True)
        if own.widened == 0
    )

    def ours() -> object:
        return choose(concepts, SEED)

    def rival() -> object:
        return [plain(one, [other for other in concepts if other.kind == one.kind]) for one in part]

    ours_s, rival_s, ratio = timing.interleaved(ours, rival, REPEATS)
    scale = len(concepts) / PART
    compared = sum(own.widened == 0 for own in found.values())
    words = f"a plain loop over all pairs, {PART} concepts scaled"
    more = {"concepts": len(concepts), "with_options": len(made), "compared": compared}
    timing.report(
        "concept_options",
        ours_s,
        [timing.Rival(words, rival_s * scale, ratio * scale)],
        equal=equal and compared > 0,
        **more,
    )


def grown() -> list[Concept]:
    """Let a tree grow as deep and as bushy as MeSH, with one to four places a concept; more of them are single."""
    draw = random.Random(SEED)  # noqa: S311 - a benchmark
    concepts = []
    for kind in classes():
        root = ROOTS[kind.name]
        nodes = [f"{root}{number:02d}" for number in range(1, SUBTREES[kind.name] + 1)] if len(root) == 1 else [root]
        children = dict.fromkeys(nodes, 0)
        for number in range(SIZES[kind.name]):
            own = []
            for _ in range(draw.choice((1, 1, 1, 2, 2, 3, 4))):
                above = draw.choice(nodes)
                while above.count(".") >= DEEPEST or children[above] >= 999:
                    above = draw.choice(nodes)
                children[above] += 1
                own.append(f"{above}.{children[above]:03d}")
            nodes += own
            children |= dict.fromkeys(own, 0)
            identifier = f"{kind.name}-{number:05d}"
            concepts.append(Concept(identifier, f"名{identifier}", identifier, (), kind, tuple(sorted(own))))
    return concepts


def plain(concept: Concept, others: list[Concept]) -> tuple[list[str], str | None, dict[str, int]]:
    """Go from the concept to all others of its class, over all pairs of their numbers, and draw as the paper's mode."""
    steps = {
        other.identifier: min(between(one, another) for one in concept.numbers for another in other.numbers)
        for other in others
    }
    name = concept.identifier
    own = draw_first(concept.numbers, lambda number: f"{name}:{number}", 1, SEED)[0]
    around = [
        other.identifier
        for other in others
        if other is not concept and min(between(own, number) for number in other.numbers) <= NEAR
    ]
    near = draw_first(around, lambda other: f"{name}:{other}", NEAR_OPTIONS, SEED)
    ordered = sorted(steps)
    far = draw_one(ordered, lambda other: steps[other] >= FAR, f"{name}:far", SEED)
    return near, far, {other: steps[other] for other in (*near, far) if other is not None}


def between(one: str, other: str) -> int:
    """Count the steps between two numbers: up to the letter and the parts that they share."""
    mine, theirs = [one[0], *one[1:].split(".")], [other[0], *other[1:].split(".")]
    shared = 0
    while shared < min(len(mine), len(theirs)) and mine[shared] == theirs[shared]:
        shared += 1
    return len(mine) + len(theirs) - 2 * shared


if __name__ == "__main__":
    main()
