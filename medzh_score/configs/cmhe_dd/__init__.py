"""CMHE-DD: all of it, declared in ``config``."""
