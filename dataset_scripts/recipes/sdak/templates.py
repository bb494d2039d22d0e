"""The claim templates of SDAK's 17 atomic types (paper, Table 11)."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Template:
    """How a type's structured content becomes a pair of claims."""

    kind: str
    slots: tuple[str, ...]  # the subject, then, if there is one, the object
    factual: str  # with {slot} where a value goes, as is the counterfactual
    counterfactual: str

    def values(self, subject: str, obj: str) -> tuple[tuple[str, str], ...]:
        """Pair the slot names with their values; a type of one slot has no object."""
        return tuple(zip(self.slots, (subject, obj), strict=False))

    def fill(self, subject: str, obj: str) -> tuple[str, str]:
        """Write the factual and the counterfactual claim (paper, section 3.2).

        Braces inside the values stay.

        >>> BY_KIND["Disease-Food"].fill("牙周萎缩", "钙质丰富的食物")
        ('牙周萎缩宜吃钙质丰富的食物', '牙周萎缩忌吃钙质丰富的食物')
        """
        values = dict(self.values(subject, obj))
        return self.factual.format(**values), self.counterfactual.format(**values)


# Table 11 prints one example a type, the negation in brackets: 喉囊肿(不)具有传染性. Where it departs from the released
# file (Disease-Cause: 可能包括, 不可能包括) the file's wording stands, and the full stop that only the example of
# Metric-Effect has is left out: it would tell that type's claims from all others.
TEMPLATES = (
    Template(
        "Metric-Effect",
        ("metric", "disease"),
        "{metric}可用于{disease}患者",
        "{metric}不可用于{disease}患者",
    ),
    Template(
        "Disease-Infectivity",
        ("disease",),
        "{disease}具有传染性",
        "{disease}不具有传染性",
    ),
    Template(
        "Disease-Department",
        ("disease", "department"),
        "{disease}常挂的科室包括{department}",
        "{disease}常挂的科室不包括{department}",
    ),
    Template(
        "Disease-Method",
        ("disease", "method"),
        "{disease}常见治疗方法包括{method}",
        "{disease}常见治疗方法不包括{method}",
    ),
    Template(
        "Disease-Cause",
        ("disease", "cause"),
        "{disease}的病因可能包括{cause}",
        "{disease}的病因不可能包括{cause}",
    ),
    Template(
        "Chinese Medicine-Effect",
        ("medicine", "effect"),
        "{medicine}具有{effect}的功效",
        "{medicine}不具有{effect}的功效",
    ),
    Template(
        "Chinese Medicine-SideEffect",
        ("medicine", "side_effect"),
        "{medicine}的不良反应包括{side_effect}",
        "{medicine}的不良反应不包括{side_effect}",
    ),
    Template(
        "Western Medicine-Effect",
        ("medicine", "effect"),
        "{medicine}可用于{effect}",
        "{medicine}不可用于{effect}",
    ),
    Template(
        "Western Medicine-SideEffect",
        ("medicine", "side_effect"),
        "{medicine}的不良反应包括{side_effect}",
        "{medicine}的不良反应不包括{side_effect}",
    ),
    Template(
        "Food-Effect",
        ("food", "effect"),
        "{food}具有{effect}作用",
        "{food}不具有{effect}作用",
    ),
    Template(
        "Disease-Examination",
        ("disease", "examination"),
        "{disease}常做的检查项目包括{examination}",
        "{disease}常做的检查项目不包括{examination}",
    ),
    Template(
        "Disease-Prevention",
        ("disease", "prevention"),
        "预防{disease}的方法包括{prevention}",
        "预防{disease}的方法不包括{prevention}",
    ),
    Template(
        "Diseases-Complication",
        ("disease", "complication"),
        "{disease}可能引发的疾病包括{complication}",
        "{disease}可能引发的疾病不包括{complication}",
    ),
    Template(
        "Disease-Symptom",
        ("disease", "symptom"),
        "{disease}的常见症状包括{symptom}",
        "{disease}的常见症状不包括{symptom}",
    ),
    Template(
        "Examination-Range",
        ("examination", "range"),
        "{examination}的正常参考区间通常是{range}",
        "{examination}的异常参考区间通常是{range}",
    ),
    Template(
        "Disease-Food",
        ("disease", "food"),
        "{disease}宜吃{food}",
        "{disease}忌吃{food}",
    ),
    Template(
        "Disease-Medicine",
        ("disease", "medicine"),
        "{disease}的常用药物包括{medicine}",
        "{disease}的常用药物不包括{medicine}",
    ),
)

BY_KIND = {template.kind: template for template in TEMPLATES}
