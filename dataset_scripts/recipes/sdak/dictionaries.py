"""What a name is, by dictionaries: a disease, a symptom, or neither."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from dataset_scripts.files.json_lines import UTF_8, decoded_lines
from dataset_scripts.recipes.sdak.content import fold
from dataset_scripts.recipes.sdak.words import alternatives, table
from dataset_scripts.terminology.disease_names import NATIONAL, read_names

if TYPE_CHECKING:
    from collections.abc import Mapping

    from dataset_scripts.recipe import SourceFile
    from dataset_scripts.recipes.sdak.facts import Fact

DISEASES, SYMPTOMS = "dict-disease", "dict-symptom"
DICTIONARIES = (DISEASES, SYMPTOMS, NATIONAL)
OF_DISEASES = re.compile(f"(?:{alternatives('diseases')})$")
OF_SYMPTOMS = re.compile(f"(?:{alternatives('symptoms')})$")
SYNDROMES = re.compile(alternatives("syndromes"))
# A name that says what would be claimed of it.
CONTAGIOUS = re.compile("传染")
ENCLOSED = re.compile(alternatives("enclosed"))
VAGUE = frozenset(table()["vague"])
DEPARTMENTS = {name: re.compile(patients) for name, patients in table()["departments"].items()}
SENT = tuple((re.compile(row["diseases"]), re.compile(row["departments"])) for row in table()["sent"])
TREATMENTS = tuple(
    (re.compile(f"^(?:{row['treatment']})$"), re.compile("|".join(row["diseases"]))) for row in table()["treatments"]
)


@dataclass(frozen=True)
class Dictionaries:
    """Names by what they are, folded; a set is empty where its dictionary was not given."""

    diseases: frozenset[str] = frozenset()
    symptoms: frozenset[str] = frozenset()

    def knows(self, fact: Fact) -> bool:
        """Say whether the subject is a disease that a list of names has; types about medicines have none."""
        if not fact.kind.startswith("Disease") or not self.diseases:
            return True
        name = fold(fact.subject)
        return (
            name not in VAGUE
            and not SYNDROMES.search(name)
            and name in self.diseases
            and not (name in self.symptoms and OF_SYMPTOMS.search(name))
        )

    def fits(self, fact: Fact) -> bool:
        """Say whether the object is of the kind that the type asks for; nothing is refused without dictionaries."""
        obj = fold(fact.obj)
        a_disease, a_symptom = obj in self.diseases, obj in self.symptoms
        looks_like_a_disease = bool(OF_DISEASES.search(obj))
        fitting = {
            "Disease-Department": fits_department(fact.subject, obj),
            "Disease-Infectivity": not ENCLOSED.search(fact.subject) and not CONTAGIOUS.search(fact.subject),
            "Disease-Method": fits_treatment(fact.subject, obj),
            "Disease-Medicine": not a_disease and not a_symptom,
            "Disease-Symptom": a_symptom and not looks_like_a_disease,
            "Diseases-Complication": a_disease and not OF_SYMPTOMS.search(obj),
            "Disease-Examination": not a_disease and not a_symptom,
            "Western Medicine-Effect": (a_disease and not a_symptom) or looks_like_a_disease,
            "Disease-Cause": (a_disease and not a_symptom) or looks_like_a_disease,
        }
        return not self.diseases or (obj not in VAGUE and fitting.get(fact.kind, True))


def fits_department(subject: str, department: str) -> bool:
    """Say whether a department sees the disease for what it is, not for who has it, and no other has its patients.

    >>> fits_department("小儿肺炎", "儿科"), fits_department("视网膜炎", "中医科"), fits_department("肺炎", "呼吸内科")
    (True, False, True)
    >>> fits_department("小儿肺炎", "呼吸内科"), fits_department("反应性关节炎", "骨科")
    (False, False)
    """
    if any(diseases.search(subject) and not departments.search(department) for diseases, departments in SENT):
        return False
    return department not in DEPARTMENTS or bool(DEPARTMENTS[department].search(subject))


def fits_treatment(subject: str, treatment: str) -> bool:
    """Say whether a treatment says something, and is one of the disease beyond doubt.

    >>> fits_treatment("胫骨骨折", "牵引治疗"), fits_treatment("肺炎", "牵引治疗"), fits_treatment("肺炎", "药物治疗")
    (True, False, False)
    """
    return any(pattern.search(treatment) and diseases.search(subject) for pattern, diseases in TREATMENTS)


def read_dictionaries(files: Mapping[str, SourceFile]) -> Dictionaries:
    """Read those of the dictionaries that are there."""
    lists = {name: _lines(files[name]) for name in (DISEASES, SYMPTOMS) if name in files}
    national = {fold(name) for _, name in read_names({NATIONAL: files[NATIONAL]})} if NATIONAL in files else set()
    return Dictionaries(
        frozenset(lists.get(DISEASES, set()) | national),
        frozenset(lists.get(SYMPTOMS, set())),
    )


def _lines(file: SourceFile) -> set[str]:
    return {fold(line) for line in decoded_lines(file.path, UTF_8) if line.strip()}
