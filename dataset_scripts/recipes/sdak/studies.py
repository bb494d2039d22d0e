"""The two studies of SDAK that people make: types of queries (section 3.1) and evidence for claims (section 3.3)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from dataset_scripts.recipes.sdak import thematic_study, verification_study

if TYPE_CHECKING:
    from dataset_scripts.study import Study

STUDIES: dict[str, Study] = {study.name: study for study in (thematic_study.STUDY, verification_study.STUDY)}
