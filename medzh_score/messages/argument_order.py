"""Arguments in the order that argparse understands: it takes several files only where they stand side by side."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import argparse
    from collections.abc import Mapping, Sequence


def words_first(arguments: Sequence[str], options: Mapping[str, argparse.Action]) -> list[str]:
    """Put words before options with their values, in their order; leave all with --, or with what is no option.

    Examples
    --------
    >>> from argparse import ArgumentParser
    >>> parser = ArgumentParser()
    >>> _ = parser.add_argument("--data")
    >>> words_first(["DIR", "--data", "mini", "FILE"], parser._option_string_actions)
    ['DIR', 'FILE', '--data', 'mini']
    """
    words: list[str] = []
    others: list[str] = []
    taken = 0
    for place, argument in enumerate(arguments):
        if place < taken:
            others.append(argument)
        elif not _is_option(argument):
            words.append(argument)
        elif not _is_known(argument, options):
            return list(arguments)
        else:
            others.append(argument)
            taken = place + 1 + _values(arguments[place + 1 :], _last_of(argument, options))
    return words + others


def _is_option(argument: str) -> bool:
    return argument.startswith("-") and argument != "-"


def _is_known(argument: str, options: Mapping[str, argparse.Action]) -> bool:
    """Say whether it is an option, with its value or other letters behind it or without; -- is none."""
    short = not argument.startswith("--") and argument[:2] in options
    return short or argument.partition("=")[0] in options


def _last_of(argument: str, options: Mapping[str, argparse.Action]) -> argparse.Action | None:
    """Find the option that takes what follows: of letters that stand together the last, if no value stands there."""
    letters = argument[1:] if not argument.startswith("--") and argument not in options else ""
    for number, letter in enumerate(letters, 1):
        found = options.get(f"-{letter}")
        if found is None or found.nargs != 0:
            return found if number == len(letters) else None
    return options.get(argument)


def _values(following: Sequence[str], option: argparse.Action | None) -> int:
    """Count the values of an option: one, or all up to the next option."""
    if option is None or option.nargs == 0:
        return 0
    until = next((n for n, one in enumerate(following) if _is_option(one)), len(following))
    return until if option.nargs in {"+", "*"} else min(1, len(following))
