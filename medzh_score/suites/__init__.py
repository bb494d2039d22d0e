"""Suites: many models, configs and rounds, from one plan to their results."""
