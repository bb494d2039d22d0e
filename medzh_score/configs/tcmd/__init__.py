"""TCMD: all of it, declared in ``config``."""
