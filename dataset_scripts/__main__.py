"""``python -m dataset_scripts`` is ``medzh-build``."""

from dataset_scripts.command_line import console

console()
