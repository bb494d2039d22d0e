"""PeMeBench's questions from MedQA: all of it, declared in ``config``."""
