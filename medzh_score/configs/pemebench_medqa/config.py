"""The pediatric questions of MedQA that a user selects from a file that they bring (PeMeBench, Table 4)."""

from __future__ import annotations

from medzh_score.configs.pemebench.choice import choice_config
from medzh_score.ui.i18n import _

CONFIG = choice_config(
    "pemebench_medqa",
    "PeMeBench, Table 4: pediatric choice questions from MedQA, with strict and lenient extraction",
    _("Pediatric questions of MedQA, with one correct letter"),
)
