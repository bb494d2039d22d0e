"""Comparing systems on the same units: differences, tests, ranks, and what is left open."""
