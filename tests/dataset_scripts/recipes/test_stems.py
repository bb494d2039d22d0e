"""Stems of examination questions: mended where the loss can be seen, refused where it cannot be mended."""

from __future__ import annotations

import pytest

from dataset_scripts.recipes.banks.stems import (
    begins_with_a_patient,
    is_examined,
    is_sound,
    is_torn,
    mended,
    with_numbers_mended,
    wrong_keys,
)


@pytest.mark.parametrize(
    ("stem", "whole"),
    [
        ("（104～105题共用题干）女，26岁。", "女，26岁。"),
        ("3．男，5岁。2．诊断是（  ）", "男，5岁。诊断是"),
        ("患儿发热。5岁起病", "患儿发热。5岁起病"),
        ("RBC 3.5×1012/L，WBC 16×109/L", "RBC 3.5×10¹²/L，WBC 16×10⁹/L"),
        ("红细胞体积63μm3，大小2cm3", "红细胞体积63μm³，大小2cm³"),
        ("食欲减退.查体无异常", "食欲减退。查体无异常"),
        ("头围48cm.乳牙20枚", "头围48cm。乳牙20枚"),
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
        *("血压160/110mmlHg", "5岁男婴，体重5kg", "红细胞3.8×10⁹/L", "红细胞20×10¹²/L", "苯巴比妥负荷量20ml/kg"),
        *(
            "MCV74pg",
            "MCH26fl",
            "未破膜，S＋，骨盆正常",
            "pH7.24，BE 6mmol/L",
            "2∶3∶l含钠液",
            "硫酸镁及与肼屈嗪",
            "脑脊液白细胞5000×10⁹/L",
        ),
        *("症状末见好转", "称自已是大仙", "曈孔针尖大小", "超声检查见图1", "面色发绀,,咳嗽"),
        *("上颌21|12釉质缺损", "最大胃酸分泌量（MAO）为60mmol/L", "血清淀粉酶500U"),
    ],
)
def test_what_lost_something_is_not_sound(text):
    assert not is_sound(text)


@pytest.mark.parametrize(
    "text",
    [
        *("BP 180～210/110～130mmHg", "WBC 16×10⁹/L，N 0.70", "PaCO2 6.7kPa（50mmHg）", "黑矇，湿啰音", "O型血"),
        *("1岁男婴，红细胞3.8×10¹²/L", "白细胞25×10⁹/L，补液150ml/kg", "48小时～72小时", "中和与之结合的毒素"),
        *(
            "600μgDFE/d",
            "MCV74fl，MCH26pg",
            "胎头S+4，先露S－2",
            "BE -6mmol/L",
            "HBeAg阳性",
            "年出生总数×1000‰",
            "脑脊液WBC 0.01×10⁹/L",
        ),
        *("每日1～2次，每次20～30s", "肌酐130μmol/L", "蛋白2g/l，体温38.5～41.2℃", "未经治疗，自己好转"),
        *("最大胃酸分泌量（MAO）为60mmol/h", "血清淀粉酶500U/L"),
    ],
)
def test_what_is_whole_is_sound(text):
    assert is_sound(text)


@pytest.mark.parametrize(
    ("option", "whole"),
    [
        ("WBC25×109/L，RBC3.1×1012/L", "WBC25×10⁹/L，RBC3.1×10¹²/L"),
        ("PaCO248mmHg，PaO260mmHg", "PaCO₂48mmHg，PaO₂60mmHg"),
        ("第l胎，l小时", "第1胎，l小时"),
        ("3、4个月，血压120/80mmHg，体重3.5kg", "3、4个月，血压120/80mmHg，体重3.5kg"),
    ],
)
def test_numbers_of_options_are_mended_and_nothing_else(option, whole):
    assert with_numbers_mended(option) == whole


@pytest.mark.parametrize("stem", ["160/110mmHg，尿蛋白（++）", "0.90。该患者最可能的诊断为", "外周血白细3．若脱水纠正"])
def test_a_stem_that_lost_a_part_is_torn(stem):
    assert is_torn(stem)


@pytest.mark.parametrize("stem", ["25岁初产妇，宫口开大3cm", "3个月婴儿，体重5.5kg"])
def test_a_stem_that_lost_none_is_not_torn(stem):
    assert not is_torn(stem)


def test_a_case_begins_with_a_person():
    assert begins_with_a_patient("某男，20岁")
    assert begins_with_a_patient("3个月婴儿")
    assert not begins_with_a_patient("某水产养殖场")
    assert not begins_with_a_patient("64次/分，律齐")


def test_what_a_woman_measures_at_home_is_no_examination():
    assert is_examined("女，24岁，停经40天，体温37.2℃")
    assert not is_examined("女，24岁，停经40天，基础体温双相")


def test_wrong_keys_are_digests():
    assert wrong_keys()
    assert all(len(digest) == 10 and set(digest) <= set("0123456789abcdef") for digest in wrong_keys())
