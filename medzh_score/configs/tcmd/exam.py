"""The examination that TCMD follows: 5 realms, 18 subjects, and how many test questions each realm has (Figure 1)."""

from __future__ import annotations

from dataclasses import dataclass

LETTERS = "ABCDE"  # of the options, by position
TYPES = ("A1", "A2", "A3", "B1")
QUESTIONS = 600
PASS_LINE = 0.60


@dataclass(frozen=True)
class Subject:
    """A subject of the examination, as Figure 1 prints it, without the mark of a footnote."""

    name: str
    english: str


@dataclass(frozen=True)
class Realm:
    """A realm of the examination, as Figure 1 and Table 2 print it.

    ``test`` is how many of the 600 test questions belong to it: 23.33, 3.33, 50, 20 and 3.33 %.
    """

    name: str
    english: str
    short: str
    test: int
    subjects: tuple[Subject, ...]


REALMS = (
    Realm(
        "中医基础",
        "Foundation of TCM",
        "FoT",
        140,
        (
            Subject("中医基础理论", "Fundamental Theory of TCM"),
            Subject("中医诊断学", "Diagnostic Theory of TCM"),
            Subject("中药学", "Chinese Herbal Medicine"),
            Subject("方剂学", "Prescription Formulation Studies for TCM"),
        ),
    ),
    Realm(
        "中医经典",
        "Classics of TCM",
        "CoT",
        20,
        (
            Subject("黄帝内经", "Huangdi's Internal Classic"),
            Subject("伤寒论", "Treatise on Febrile Diseases"),
            Subject("金匮要略", "Synopsis of the Golden Chamber"),
            Subject("温病学", "Epidemic Febrile Diseases"),
        ),
    ),
    Realm(
        "中医临床",
        "Clinical Practice of TCM",
        "CPoT",
        300,
        (
            Subject("中医内科学", "Internal Medicine of TCM"),
            Subject("中医外科学", "Surgical Medicine of TCM"),
            Subject("中医妇科学", "Gynecology of TCM"),
            Subject("中医儿科学", "Pediatrics of TCM"),
            Subject("针灸学", "Acupuncture and Moxibustion"),
        ),
    ),
    Realm(
        "西医综合",
        "Integrated Western Medicine",
        "IWM",
        120,
        (
            Subject("内科学", "Internal Medicine"),
            Subject("诊断学基础", "Fundamentals of Diagnostic Medicine"),
            Subject("传染病学", "Infectious Disease Epidemiology"),
        ),
    ),
    Realm(
        "医学人文",
        "Medical Humanities",
        "MH",
        20,
        (
            Subject("医学伦理学", "Medical Ethics"),
            Subject("卫生法规", "Health Regulations and Legislation"),
        ),
    ),
)
REALM_OF = {subject.name: realm for realm in REALMS for subject in realm.subjects}
SUBJECTS = {subject.name: subject for realm in REALMS for subject in realm.subjects}
