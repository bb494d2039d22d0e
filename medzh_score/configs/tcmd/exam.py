"""The examination that TCMD follows: 5 realms, 18 subjects, and how many test questions each realm has (Figure 1)."""

from __future__ import annotations

from typing import NamedTuple

LETTERS = "ABCDE"  # of the options, by position
TYPES = ("A1", "A2", "A3", "B1")
PASS_LINE = 0.60


class Subject(NamedTuple):
    """A subject of the examination, as Figure 1 prints it, without the mark of a footnote."""

    name: str
    english: str


class Realm(NamedTuple):
    """A realm of the examination, as Figure 1 and Table 2 print it."""

    name: str
    english: str
    short: str
    test: int  # how many of the 600 test questions belong to it: 23.33, 3.33, 50, 20 and 3.33 %
    subjects: tuple[Subject, ...]


# Each realm, and below it its subjects.
_FIGURE_1 = """\
中医基础 | Foundation of TCM | FoT | 140
中医基础理论 | Fundamental Theory of TCM
中医诊断学 | Diagnostic Theory of TCM
中药学 | Chinese Herbal Medicine
方剂学 | Prescription Formulation Studies for TCM

中医经典 | Classics of TCM | CoT | 20
黄帝内经 | Huangdi's Internal Classic
伤寒论 | Treatise on Febrile Diseases
金匮要略 | Synopsis of the Golden Chamber
温病学 | Epidemic Febrile Diseases

中医临床 | Clinical Practice of TCM | CPoT | 300
中医内科学 | Internal Medicine of TCM
中医外科学 | Surgical Medicine of TCM
中医妇科学 | Gynecology of TCM
中医儿科学 | Pediatrics of TCM
针灸学 | Acupuncture and Moxibustion

西医综合 | Integrated Western Medicine | IWM | 120
内科学 | Internal Medicine
诊断学基础 | Fundamentals of Diagnostic Medicine
传染病学 | Infectious Disease Epidemiology

医学人文 | Medical Humanities | MH | 20
医学伦理学 | Medical Ethics
卫生法规 | Health Regulations and Legislation
"""


def _realm(block: str) -> Realm:
    (name, english, short, test), *subjects = (line.split(" | ") for line in block.splitlines())
    return Realm(name, english, short, int(test), tuple(Subject(*subject) for subject in subjects))


REALMS = tuple(map(_realm, _FIGURE_1.strip().split("\n\n")))
REALM_OF = {subject.name: realm for realm in REALMS for subject in realm.subjects}
SUBJECTS = {subject.name: subject for realm in REALMS for subject in realm.subjects}
