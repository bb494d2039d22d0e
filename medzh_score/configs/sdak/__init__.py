"""SDAK: all of it, declared in ``config``."""
