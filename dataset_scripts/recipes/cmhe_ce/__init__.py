"""How CMHE-CE is built: its recipes, declared in ``dataset``."""
