"""CMHE-HD: all of it, declared in ``config``."""
