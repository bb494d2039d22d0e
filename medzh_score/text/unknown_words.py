"""Words that are not in jieba's dictionary: how its hidden Markov model joins characters, to the last bit."""

from __future__ import annotations

from functools import cache
from importlib.machinery import ModuleSpec, SourceFileLoader
from importlib.util import find_spec, module_from_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Mapping

    Emission = tuple[float, float, float, float]

NEVER = -3.14e100  # jieba's logarithm of a probability of zero


def joined_characters(run: str) -> list[str]:
    """Join Chinese characters to words as ``jieba.finalseg`` does.

    A character begins a word, stands in its middle, ends it or is a word. The sums of logarithms are jieba's in its
    order, and of equal ones it takes the state of the later name (B, E, M, S): another order, or rounded probabilities,
    would join some runs otherwise.

    Examples
    --------
    >>> joined_characters("杭研")
    ['杭研']
    """
    emission, start, (be, bm, eb, es, me, mm, sb, ss) = _model()
    unseen = (NEVER,) * 4
    first = emission.get(run[0], unseen)
    b, e, m, s = (start[state] + value for state, value in enumerate(first))
    # For each character and state the state before it.
    came_from: list[str] = []
    for character in run[1:]:
        emit_b, emit_e, emit_m, emit_s = emission.get(character, unseen)
        from_e, from_s = e + eb + emit_b, s + sb + emit_b
        to_b, before_b = (from_e, "E") if from_e > from_s else (from_s, "S")
        from_b, from_m = b + be + emit_e, m + me + emit_e
        to_e, before_e = (from_b, "B") if from_b > from_m else (from_m, "M")
        from_b, from_m = b + bm + emit_m, m + mm + emit_m
        to_m, before_m = (from_b, "B") if from_b > from_m else (from_m, "M")
        from_e, from_s = e + es + emit_s, s + ss + emit_s
        to_s, before_s = (from_e, "E") if from_e > from_s else (from_s, "S")
        b, e, m, s = to_b, to_e, to_m, to_s
        came_from.append(before_b + before_e + before_m + before_s)
    return _words(run, "E" if e > s else "S", came_from)


def _words(run: str, state: str, came_from: list[str]) -> list[str]:
    """Follow the states from the last character to the first, and end a word where one ends or is one."""
    states = [state]
    for before in reversed(came_from):
        state = before["BEMS".index(state)]
        states.append(state)
    words, begin = [], 0
    for place, state in enumerate(reversed(states)):
        if state in "BS":
            begin = place
        if state in "ES":
            words.append(run[begin : place + 1])
    return words


@cache
def _model() -> tuple[Mapping[str, Emission], tuple[float, ...], tuple[float, ...]]:
    """Read jieba's probabilities: of characters by state, of the first state, and of a state after another."""
    start, trans, emit = (_table(name) for name in ("prob_start", "prob_trans", "prob_emit"))
    by_state = [emit[state] for state in "BEMS"]
    emission = {
        character: tuple(of_state.get(character, NEVER) for of_state in by_state)
        for character in dict.fromkeys(character for of_state in by_state for character in of_state)
    }
    steps = tuple(trans[step[0]].get(step[1], NEVER) for step in ("BE", "BM", "EB", "ES", "ME", "MM", "SB", "SS"))
    return emission, tuple(start[state] for state in "BEMS"), steps


def _table(name: str) -> Any:  # noqa: ANN401 - a table of a package without types
    """Read a module of jieba alone: the package imports slowly, with what setuptools has declared obsolete."""
    package = find_spec("jieba")
    if package is None or not package.submodule_search_locations:
        raise ModuleNotFoundError("No module named 'jieba'", name="jieba")
    folder = Path(package.submodule_search_locations[0], "finalseg")
    loader = SourceFileLoader(f"jieba_{name}", str(folder / f"{name}.py"))
    module = module_from_spec(ModuleSpec(loader.name, loader, origin=loader.path))
    loader.exec_module(module)
    return module.P
