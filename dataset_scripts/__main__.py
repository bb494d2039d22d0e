"""``python -m dataset_scripts`` is ``medzh-build``."""

from dataset_scripts.cli.main import console

console()
