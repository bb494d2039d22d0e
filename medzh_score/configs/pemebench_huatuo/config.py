"""The pediatric questions of Huatuo-26M that a user selects from their own file: overlap alone (PeMeBench, Table 4)."""

from __future__ import annotations

from dataclasses import replace

from medzh_score.authoring import OVERLAP, Screen, open_config
from medzh_score.configs.pemebench.config import RULES
from medzh_score.configs.pemebench.prompts import PLAIN
from medzh_score.configs.pemebench.tables import length_lines, overlap_tables
from medzh_score.ui.i18n import Nn_, _

CONFIG = open_config(
    "pemebench_huatuo",
    "PeMeBench, Table 4: pediatric questions from Huatuo-26M; how much of the reference does an answer repeat?",
    (PLAIN,),
    rules=RULES,
    reporting=replace(
        OVERLAP,
        tables=overlap_tables,
        screen=Screen(
            _("How much of the reference does an answer repeat?"),
            Nn_("{n:,} question", "{n:,} questions"),
            lines=length_lines,
        ),
    ),
)
