from __future__ import annotations

import pytest

from dataset_scripts.recipes.tcmd.groups import Group, SubQuestion
from dataset_scripts.recipes.tcmd.near_duplicates import near_duplicates
from dataset_scripts.recipes.tcmd.records import group_id

CASE = "某女，25岁。小便频数短涩，灼热刺痛，尿色黄赤，少腹拘急胀痛，时作寒热，"
ORGANS = ("心", "肝", "脾", "肺", "肾")


def single(question, options=("甲", "乙"), kind="A1", stem=None):
    return Group(kind, stem, (SubQuestion(question, options, "A", None, ""),), "", "bank")


@pytest.mark.parametrize(
    ("one", "other"),
    [
        (single("与肝关系密切的情志是", ("怒", "喜")), single("与肝关系皆密切的情志是", ("怒", "忧"))),
        (single("小儿水肿反复发作的原因是"), single("小儿水肿反复发作是由于", ("丙", "丁"))),
        (single("昏谵舌謇属于中风重证"), single("昏谵舌謇为中风重症", ("丙", "丁"))),
        (single(f"{CASE}便秘。其证候是"), single(f"{CASE}大便秘结。治宜选用", ("丙", "丁"), "A2")),
        (single("其证候是", stem=f"{CASE}便秘。", kind="A3"), single(f"{CASE}大便秘结。治宜选用", ("丙", "丁"), "A2")),
        (single("其证候是", stem=CASE, kind="A3"), single("其治法是", ("丙", "丁"), "A3", CASE)),
        (single("主藏血的脏是", ORGANS, "B1"), single("开窍于耳的脏是", ORGANS, "B1")),
        (single("阳邪是"), single("阳邪是（  ）。", ("丙", "丁"))),
    ],
)
def test_twins(one, other):
    alone = single("五行中克木的是", ("金", "水"))
    assert near_duplicates([one, alone, other]) == {group_id(one), group_id(other)}


@pytest.mark.parametrize(
    ("one", "other"),
    [
        (single("主藏血的脏是", ORGANS), single("主藏血的脏是哪一个", ORGANS[:4])),
        (single("属于肝之表里的腑是"), single("不属于肝之表里的腑是", ("丙", "丁"))),
        (single("其病位在", ("心", "肾"), "B1"), single("其病位在", ("肝", "肾"), "B1")),
        (
            single("患者，男，30岁。咳嗽。其病位在", kind="A2"),
            single("患者，男，30岁。呕吐。其病位在", ("丙", "丁"), "A2"),
        ),
    ],
)
def test_no_twins(one, other):
    # The first pair has five characters left, too few to be recognised by.
    assert near_duplicates([one, other]) == set()


def test_order_does_not_matter_and_nothing_is_its_own_twin():
    groups = [
        single("小儿水肿反复发作的原因是"),
        single("小儿水肿反复发作是由于", ("丙", "丁")),
        single("阳邪是", ("戊", "己")),
    ]
    assert near_duplicates(groups) == near_duplicates(groups[::-1]) == set(map(group_id, groups[:2]))
    same = SubQuestion("主藏血的脏是哪一脏", ORGANS, "B", None, "")
    assert near_duplicates([Group("B1", None, (same, same), "", "bank")]) == set()
