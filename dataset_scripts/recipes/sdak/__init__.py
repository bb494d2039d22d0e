"""How SDAK is built: its recipes, declared in ``dataset``."""
