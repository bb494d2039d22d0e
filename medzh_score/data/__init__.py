"""The records of a build: found, checked, loaded."""
