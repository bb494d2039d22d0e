"""PeMeBench's questions from CMExam: all of it, declared in ``config``."""
