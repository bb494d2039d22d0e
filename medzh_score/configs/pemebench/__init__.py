"""PeMeBench: all of it, declared in ``config``."""
