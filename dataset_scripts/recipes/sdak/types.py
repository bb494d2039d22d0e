"""The 17 atomic types of SDAK, in the order of the paper's Table 3, and how their names are recognised."""

from __future__ import annotations

import hashlib
import re
from dataclasses import dataclass

LONGEST_SLUG = 28  # what is left of an id's 40 characters beside "sdak-", "-0001" and "-f"


@dataclass(frozen=True)
class AtomicType:
    """One type of atomic knowledge."""

    name: str  # as Table 11 prints it, or the file's own string where it matches none
    chinese: str  # ours, for the paper prints English names only; the name itself where unknown
    slug: str  # the form inside ids: lower case, words joined by underscores, at most 28 ASCII characters
    known: bool = True  # whether it is one of the 17


TYPES = (
    AtomicType("Metric-Effect", "指标-作用", "metric_effect"),
    AtomicType("Disease-Infectivity", "疾病-传染性", "disease_infectivity"),
    AtomicType("Disease-Department", "疾病-科室", "disease_department"),
    AtomicType("Disease-Method", "疾病-治疗方法", "disease_method"),
    AtomicType("Disease-Cause", "疾病-病因", "disease_cause"),
    AtomicType("Chinese Medicine-Effect", "中药-功效", "chinese_medicine_effect"),
    AtomicType("Chinese Medicine-SideEffect", "中药-不良反应", "chinese_medicine_side_effect"),
    AtomicType("Western Medicine-Effect", "西药-作用", "western_medicine_effect"),
    AtomicType("Western Medicine-SideEffect", "西药-不良反应", "western_medicine_side_effect"),
    AtomicType("Food-Effect", "食物-功效", "food_effect"),
    AtomicType("Disease-Examination", "疾病-检查", "disease_examination"),
    AtomicType("Disease-Prevention", "疾病-预防", "disease_prevention"),
    AtomicType("Diseases-Complication", "疾病-并发症", "disease_complication"),
    AtomicType("Disease-Symptom", "疾病-症状", "disease_symptom"),
    AtomicType("Examination-Range", "检查-参考区间", "examination_range"),
    AtomicType("Disease-Food", "疾病-饮食", "disease_food"),
    AtomicType("Disease-Medicine", "疾病-药物", "disease_medicine"),
)


def find_type(written: str) -> AtomicType:
    """Find the type that a file's string means, or make one of its own of it.

    Compared without case, hyphens, underscores, spaces and the plural s of Disease(s): only one of the 17 strings of
    the released file is known, and it differs from the paper's.

    >>> find_type("DiseaseCause").name
    'Disease-Cause'
    >>> find_type("Diseases_Complication").slug
    'disease_complication'
    >>> find_type("Diseases-Symptom").name, find_type("disease symptom").name
    ('Disease-Symptom', 'Disease-Symptom')
    >>> find_type("Disease-Hospital").known
    False
    """
    known = _BY_KEY.get(_key(written))
    return known if known is not None else AtomicType(written, written, _slug(written), known=False)


def _key(name: str) -> str:
    return re.sub(r"[-_\s]+", "", name).lower()


def _keys(name: str) -> set[str]:
    """Give the keys under which a name may be written, with and without the plural s of Disease(s)."""
    key = _key(name)
    rest = _key(name.replace("Diseases", "Disease")).removeprefix("disease")
    return {f"disease{rest}", f"diseases{rest}"} if key.startswith("disease") else {key}


def _slug(name: str) -> str:
    words = re.findall(r"[A-Z]?[a-z0-9]+|[A-Z]+(?![a-z])", name)
    slug = "_".join(words).lower()
    if name.isascii() and slug and len(slug) <= LONGEST_SLUG and find_clash(slug) is None:
        return slug
    return "type_" + hashlib.sha256(name.encode("utf-8")).hexdigest()[:10]


def find_clash(slug: str) -> AtomicType | None:
    """Find the known type that already has a slug, if any."""
    return next((kind for kind in TYPES if kind.slug == slug), None)


_BY_KEY = {key: kind for kind in TYPES for key in _keys(kind.name)}
