"""``python -m dataset_scripts`` is ``medzh-build``."""

from __future__ import annotations

import sys

from dataset_scripts.command_line import main

sys.exit(main())
