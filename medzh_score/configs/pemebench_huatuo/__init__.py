"""PeMeBench's questions from Huatuo: all of it, declared in ``config``."""
