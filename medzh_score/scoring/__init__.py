"""Scoring: from predictions to a report."""
