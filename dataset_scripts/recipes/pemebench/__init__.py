"""How PeMeBench and its three pediatric subsets is built: its recipes, declared in ``dataset``."""
