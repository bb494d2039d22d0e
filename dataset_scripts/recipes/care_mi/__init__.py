"""How CARE-MI is built: its recipes, declared in ``dataset``."""
