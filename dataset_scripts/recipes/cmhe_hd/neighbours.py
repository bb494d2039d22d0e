"""Answers of which the key is the better one and the other is not false: it goes with it, or no case tells them apart.

An exchange must make a statement false. Whether an option is the best of five is the examiners' to say; but that a
patient with cholera has no food poisoning, or that one with Cushing's syndrome has no diabetes, no key says.
"""

from __future__ import annotations

import re

# Words of the one answer, and of others that cannot take its place, nor it theirs.
NEIGHBOURS: tuple[tuple[str, str], ...] = (
    # Of the bowel: watery stools, and what is seen of the right lower belly.
    ("霍乱|细菌性痢疾", "胃肠炎|急性肠炎|食物中毒"),
    ("克罗恩病", "肠结核|结肠癌|阑尾"),
    ("阑尾周围脓肿", "阑尾炎"),
    ("肠扭转", "肠梗阻|缺血性肠病"),
    ("胃癌", "胃溃疡"),
    # Of the liver and what lies on it.
    ("膈下脓肿", "肝脓肿"),
    ("肝硬化|肝癌", "型肝炎"),
    ("自发性腹膜炎", "肝癌|肾功能|痢疾"),
    # Of the chest: shadows, blood and a wheeze.
    ("肺癌|支气管扩张|支原体肺炎", "肺结核"),
    ("肺癌", "^肺炎|支气管扩张"),
    ("大叶性肺炎|肺炎链球菌|金黄色葡萄球菌", "肺脓肿|克雷伯|军团"),
    ("支原体", "军团"),
    ("支气管哮喘", "反流|慢性阻塞性肺"),
    # Of hormones and kidneys: what the one brings with it.
    ("库欣|皮质醇", "糖尿病$"),
    ("糖尿病肾病", "慢性肾|肾病综合征"),
    ("IgA肾", "慢性肾"),
    ("尿毒症", "高血压脑病|低钙|脑血管病"),
    ("酮症", "休克"),
    # Of women and their newborns.
    ("子宫腺肌病", "内膜异位|子宫肥大"),
    ("输卵管妊娠", "黄体"),
    ("胎盘早剥", "先兆早产"),
    ("新生儿败血症", "脑膜炎"),
    # Of the head: pressure on its water.
    ("脑肿瘤", "脑积水"),
    # Of heat, of an anastomosis, and of a tooth that aches.
    ("热痉挛|热射病", "热衰竭|脱水"),
    ("残胃", "吻合口"),
    ("畸形中央尖", "牙隐裂|隐匿龋"),
    # Where crackles of the same lobes are heard.
    ("肩胛间", "肺尖"),
)


def are_neighbours(one: str, other: str) -> bool:
    """Tell whether neither of two answers makes the other false.

    >>> are_neighbours("食物中毒", "霍乱"), are_neighbours("霍乱", "伤寒")
    (True, False)
    """
    return any(
        (re.search(left, one) and re.search(right, other)) or (re.search(left, other) and re.search(right, one))
        for left, right in NEIGHBOURS
    )
