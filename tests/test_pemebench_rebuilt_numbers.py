"""The numbers of a text and of an answer: magnitudes, units, signs, Chinese numerals, and which go to a person."""

from __future__ import annotations

from decimal import Decimal

import pytest

from dataset_scripts.recipes.pemebench.numbers import quantities
from dataset_scripts.recipes.pemebench.support import unknown_numbers

KEPT, REVIEWED, DROPPED = "kept", "reviewed", "dropped"


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("10～20mg/(kg·d)", [("10", "mg kg d"), ("20", "mg kg d")]),
        ("每次 5 毫升，每日3次", [("5", "ml"), ("3", "次")]),
        ("呼吸＞60次/分", [("60", "次 min")]),
        ("体温39℃持续三天", [("39", "°c"), ("3", "d")]),
        ("血小板低于1,000个，占0.50%", [("1000", "个"), ("0.5", "%")]),
        ("十二个月至二十岁", [("12", "月"), ("20", "岁")]),
        ("① 禁食；② 补液。（3）吸氧\n4. 抗感染", []),
        ("CD4、IgA1和维生素B12", []),
        ("21-三体综合征", [("21", "")]),
        ("1/3的患儿", [("1", ""), ("3", "")]),
        ("1∶10 000的肾上腺素，1：1000", [("1", ""), ("10000", ""), ("1", ""), ("1000", "")]),
        ("1 500 ml、1,500ml和1500毫升", [("1500", "ml")] * 3),
        ("20万U/kg", [("200000", "u kg")]),
        ("5～10万单位", [("50000", "u"), ("100000", "u")]),
        ("二十万单位", [("200000", "u")]),
        ("1.5×10⁹/L，1.5×10^9/L，1.5*109/L", [("1500000000", " l")] * 3),
        ("青霉素G10万U", [("100000", "u")]),
        ("维生素K1 1mg，B12 500μg，O₂100mmHg", [("1", "mg"), ("500", "μg"), ("100", "mmhg")]),
        ("Ⅲ期100mg，因子Ⅷ100U", [("3", "期"), ("100", "mg"), ("8", ""), ("100", "u")]),
        ("PaO₂60mmHg", [("60", "mmhg")]),
        ("pH7.35～7.45", [("7.35", ""), ("7.45", "")]),
        ("2 J/kg，100kcal，1支", [("2", "j kg"), ("100", "kcal"), ("1", "支")]),
        ("7 furlong，9格", [("7", "furlong"), ("9", "格")]),  # no known units
        ("60 mm Hg，3 个 月", [("60", "mmhg"), ("3", "月")]),
        ("10mg·kg⁻¹·d⁻¹，60mg/m²", [("10", "mg kg d"), ("60", "mg m2")]),
        ("每日两次，每次十毫升", [("2", "次"), ("10", "ml")]),
        ("三岁半，3.5岁，半片，两个半月", [("3.5", "岁"), ("3.5", "岁"), ("0.5", "片"), ("2.5", "月")]),
        ("百分之五，一百二十次/分", [("5", "%"), ("120", "次 min")]),
        ("Ⅲ度，三度，3度", [("3", "度")] * 3),
        ("一种十分常见的疾病，百日咳，十二指肠", []),
    ],
)
def test_numbers_are_read_with_their_units(text, expected):
    found = [(quantity.value, " ".join(quantity.unit)) for quantity in quantities(text)]
    assert found == [(Decimal(value), unit) for value, unit in expected]


@pytest.mark.parametrize(
    ("text", "sign"),
    [("均值-2SD", "-"), ("均值－2SD", "-"), ("均值+2SD", ""), ("±2SD", "±"), ("1-2SD", ""), ("IL-2", "")],
)
def test_a_sign_is_none_in_ranges_and_names(text, sign):
    assert quantities(text)[-1].sign == sign


# What a wrong answer says is false on purpose.
@pytest.mark.parametrize(
    ("answer", "text", "fate"),
    [
        ("用1∶10000的肾上腺素。", "用1∶10 000的肾上腺素。", KEPT),
        ("用1∶1 000的肾上腺素。", "用1∶10 000的肾上腺素。", REVIEWED),
        ("用1∶1000的肾上腺素。", "用1∶10000的肾上腺素。", DROPPED),
        ("每次5万U/kg。", "每次20万U/kg，疗程5天。", DROPPED),
        ("每次5万U/kg。", "每次5U/kg。", DROPPED),
        ("每次5U/kg。", "每次5万U/kg。", REVIEWED),
        ("每次200000U/kg。", "每次20万U/kg。", KEPT),
        ("青霉素G100万U/kg。", "青霉素G10万U/kg。", DROPPED),
        ("首次4 J/kg。", "首次2 J/kg，4分钟后评估。", REVIEWED),
        ("每日100kcal/kg。", "每日110kcal/kg，100ml/kg。", REVIEWED),
        ("每次2支。", "每次1支，共2天。", REVIEWED),
        ("每次7格。", "每次7匙。", REVIEWED),  # two units of which neither is known
        ("每日三次。", "每日两次。", REVIEWED),
        ("每日2次。", "每日两次。", KEPT),
        ("分三次服用。", "分两次服用，共三次复查。", REVIEWED),
        ("低于均值+2SD。", "低于均值-2SD。", REVIEWED),
        ("低于1.5×10^9/L。", "低于1.5×10⁹/L。", KEPT),
        ("低于1.5×10^8/L。", "低于1.5×10⁹/L。", DROPPED),
        ("每日1 500 ml。", "每日1500 ml。", KEPT),
        ("3.5岁。", "三岁半。", KEPT),
        ("每次10mg，共5天。", "每次10mg，共3天；重症每日5次。", REVIEWED),
        # Both numbers stand in the text, each behind the other's words.
        ("首剂5mg。", "首剂10mg，以后5mg。", REVIEWED),
        ("每次5～20mg。", "每次5～10mg，总量20mg。", REVIEWED),
        ("包括1、禁食。", "包括禁食。", REVIEWED),
    ],
)
def test_a_number_that_is_not_the_texts_is_never_kept(answer, text, fate):
    absent, doubtful = unknown_numbers(answer, "如何处理？", text)
    assert (DROPPED if absent else REVIEWED if doubtful else KEPT) == fate


def test_a_number_may_repeat_the_question():
    assert unknown_numbers("3岁以上可用。", "3岁以上可以用吗？", "可用。") == ([], [])
