"""Upstream files: where they stand, how they are fetched and how they are verified."""
