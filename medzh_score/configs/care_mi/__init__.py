"""CARE-MI: all of it, declared in ``config``."""
