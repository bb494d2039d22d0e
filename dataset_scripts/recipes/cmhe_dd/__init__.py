"""How CMHE-DD is built: its recipes, declared in ``dataset``."""
