"""Stages: questions about answers or records, put to people and models after the first answers."""
