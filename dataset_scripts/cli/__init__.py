"""The command ``medzh-build``, and a module for each group of its subcommands."""
