"""How CMHE-HD is built: its recipes, declared in ``dataset``."""
