"""A parser of the command line that helps and complains in the language that was chosen."""

from __future__ import annotations

import argparse
import sys
from typing import TYPE_CHECKING, NoReturn

from medzh_score.messages.catalogue import translated
from medzh_score.messages.languages import LANGUAGES, OPTION

if TYPE_CHECKING:
    from typing import Any

HEADS = ("usage: ", "positional arguments:", "options:")  # of argparse's own


class Parser(argparse.ArgumentParser):
    """As argparse's, with ``--lang``; subcommands get the same."""

    def __init__(self, **given: Any) -> None:  # noqa: ANN401 - as argparse's own
        super().__init__(**given)
        self.add_argument(
            OPTION,
            choices=LANGUAGES,
            default=argparse.SUPPRESS,
            help="of messages and results: English or Chinese (default: messages by the locale, results in English)",
        )

    def format_help(self) -> str:
        """Give the help; the command's own words are translated before lines are broken."""
        self.description, self.epilog = _prose(self.description), _prose(self.epilog)
        for action in self._actions:
            if action.help and action.help != argparse.SUPPRESS:
                action.help = translated(action.help)
            for chosen in getattr(action, "_choices_actions", ()):
                chosen.help = translated(chosen.help)
        return _heads(super().format_help())

    def format_usage(self) -> str:
        """Give the line of usage."""
        return _heads(super().format_usage())

    def error(self, message: str) -> NoReturn:
        """End with status 2 after the usage and what is wrong."""
        self.print_usage(sys.stderr)
        self.exit(2, f"{self.prog}: {translated('error: ')}{translated(message)}\n")


def _prose(text: str | None) -> str | None:
    """Translate a paragraph; where there is nothing to translate it keeps its lines."""
    plain = " ".join((text or "").split())
    chosen = translated(plain)
    return text if chosen == plain else chosen


def _heads(text: str) -> str:
    for head in HEADS:
        text = text.replace(f"\n{head}", f"\n{translated(head)}")
        text = translated(head) + text.removeprefix(head) if text.startswith(head) else text
    return text
