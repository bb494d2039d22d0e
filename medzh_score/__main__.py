"""Run ``medzh-score`` as ``python -m medzh_score``."""

from medzh_score.command_line import console

console()
