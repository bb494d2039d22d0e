"""What the papers state, print and get wrong: how the ``paper.json`` of a config is read."""

from medzh_score.papers.facts import Paper
from medzh_score.papers.paper import load_paper, reported_tables

__all__ = ["Paper", "load_paper", "reported_tables"]
