"""The command ``medzh-score``, and a module for each group of its subcommands."""
