"""Stems of examination questions: mended where the loss can be seen, refused where it cannot be mended."""

from __future__ import annotations

import pytest

from dataset_scripts.recipes.banks.stems import begins_with_a_patient, is_sound, mended, wrong_keys


@pytest.mark.parametrize(
    ("stem", "whole"),
    [
        ("（104～105题共用题干）女，26岁。", "女，26岁。"),
        ("3．男，5岁。2．诊断是（  ）", "男，5岁。诊断是"),
        ("患儿发热。5岁起病", "患儿发热。5岁起病"),
        ("RBC 3.5×1012/L，WBC 16×109/L", "RBC 3.5×10¹²/L，WBC 16×10⁹/L"),
        ("红细胞体积63μm3，大小2cm3", "红细胞体积63μm³，大小2cm³"),
        ("食欲减退.查体无异常", "食欲减退。查体无异常"),
        ("肝肋下2.5cm", "肝肋下2.5cm"),
    ],
)
def test_stems_are_mended(stem, whole):
    assert mended(stem) == whole


@pytest.mark.parametrize(
    "text",
    [
        *(
            "肿物2cm×l.0cm",
            "血压150/lOOmmHg",
            "肝肋下1.Ocm",
            "HbAlc7.5%",
            "中性粒细胞NO.70",
            "白细胞2.5×10/L",
            "血小板130×10⁹g/L",
            "胆红素170gμmol/L",
        ),
        *("红细胞～1个/HP", "TBil320µmoI/L", "肌酐620umo/L", "PaCO2 10.7kPa（50mmHg）", "维生素D 0.5万1～1万IU"),
        *("症状末见好转", "称自已是大仙", "曈孔针尖大小", "超声检查见图1", "面色发绀,,咳嗽"),
    ],
)
def test_what_lost_something_is_not_sound(text):
    assert not is_sound(text)


@pytest.mark.parametrize(
    "text",
    [
        *("BP 180～210/110～130mmHg", "WBC 16×10⁹/L，N 0.70", "PaCO2 6.7kPa（50mmHg）", "黑矇，湿啰音", "O型血"),
        *("每日1～2次，每次20～30s", "肌酐130μmol/L", "蛋白2g/l，体温38.5～41.2℃", "未经治疗，自己好转"),
    ],
)
def test_what_is_whole_is_sound(text):
    assert is_sound(text)


def test_a_case_begins_with_a_person():
    assert begins_with_a_patient("某男，20岁")
    assert begins_with_a_patient("3个月婴儿")
    assert not begins_with_a_patient("某水产养殖场")
    assert not begins_with_a_patient("64次/分，律齐")


def test_wrong_keys_are_digests():
    assert wrong_keys()
    assert all(len(digest) == 10 and set(digest) <= set("0123456789abcdef") for digest in wrong_keys())
