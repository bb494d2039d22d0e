"""The subcommands of medzh-build, one module each."""
