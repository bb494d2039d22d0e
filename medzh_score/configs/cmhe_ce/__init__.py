"""CMHE-CE: all of it, declared in ``config``."""
