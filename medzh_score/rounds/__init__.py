"""Rounds after the first answers: asking, binding what comes back to what it judged, second readings and audits."""
