"""How TCMD is built: its recipes, declared in ``dataset``."""
