"""The subcommands of medzh-score, one module each."""
