"""The pediatric questions of CMExam that a user selects from a file that they bring (PeMeBench, Table 4)."""

from __future__ import annotations

from medzh_score.configs.pemebench.choice import choice_config
from medzh_score.ui.i18n import _

CONFIG = choice_config(
    "pemebench_cmexam",
    "PeMeBench, Table 4: pediatric choice questions from CMExam, with strict and lenient extraction",
    _("Pediatric questions of CMExam, with one or more correct letters"),
)
