from __future__ import annotations

from tables import case_tables, holds

from dataset_scripts.recipes.tcmd.groups import Group, SubQuestion
from dataset_scripts.recipes.tcmd.near_duplicates import near_duplicates
from dataset_scripts.recipes.tcmd.records import group_id

CASES = case_tables("tcmd_banks")
ORGANS = ("心", "肝", "脾", "肺", "肾")


def single(question, options=("甲", "乙"), kind="A1", stem=None):
    return Group(kind, stem, (SubQuestion(question, options, "A", None, ""),), "", "bank")


def test_twins_are_told_from_others():
    alone = single("五行中克木的是", ("金", "水"))

    def found(*texts):
        one, other = (single(question, tuple(options), kind, stem) for question, options, kind, stem in texts)
        alike = near_duplicates([one, alone, other])
        return [group_id(group) in alike for group in (one, alone, other)]

    holds([[*pair, [True, False, True]] for pair in CASES["twins"]], found)
    holds([[*pair, [False, False, False]] for pair in CASES["no_twins"]], found)


def test_order_does_not_matter_and_nothing_is_its_own_twin():
    groups = [
        single("小儿水肿反复发作的原因是"),
        single("小儿水肿反复发作是由于", ("丙", "丁")),
        single("阳邪是", ("戊", "己")),
    ]
    assert near_duplicates(groups) == near_duplicates(groups[::-1]) == set(map(group_id, groups[:2]))
    same = SubQuestion("主藏血的脏是哪一脏", ORGANS, "B", None, "")
    assert near_duplicates([Group("B1", None, (same, same), "", "bank")]) == set()
