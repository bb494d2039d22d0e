"""Run ``medzh-score`` as ``python -m medzh_score``."""

from medzh_score.cli.main import console

console()
