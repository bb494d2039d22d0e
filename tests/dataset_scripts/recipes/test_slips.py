"""Slips of printed papers: put right where one thing alone can be meant, and left where another might be."""

from __future__ import annotations

import pytest

from dataset_scripts.recipes.banks.slips import put_right


@pytest.mark.parametrize(
    ("written", "meant"),
    [
        ("心率92/分，呼吸40／分", "心率92次/分，呼吸40次／分"),
        ("心率92次/分，尿量30ml/小时", "心率92次/分，尿量30ml/小时"),
        ("血红蛋白70g/ L", "血红蛋白70g/L"),
        ("2年来反复、咳嗽", "2年来反复咳嗽"),
        ("2年来反复、大量咯血", "2年来反复、大量咯血"),
        ("腰痛3天。且向腿部放射", "腰痛3天，且向腿部放射"),
        ("男，70岁、咳嗽3天，有5岁、9岁两孙", "男，70岁，咳嗽3天，有5岁、9岁两孙"),
        ("T38.2℃肝脾未触及，体温38℃以上", "T38.2℃，肝脾未触及，体温38℃以上"),
        ("体检检查巩膜黄染", "体格检查巩膜黄染"),
        ("心尖部全收缩杂音", "心尖部全收缩期杂音"),
        ("超声示肝内外肝管扩张", "超声示肝内外胆管扩张"),
        ("胸片示左侧肋脊角变钝，左肋脊角叩击痛", "胸片示左侧肋膈角变钝，左肋脊角叩击痛"),
        ("大汗淋滴，四肢末稍凉", "大汗淋漓，四肢末梢凉"),
        ("该患最可能的诊断是", "该患者最可能的诊断是"),
        ("该患者最可能，该患儿，该患肢", "该患者最可能，该患儿，该患肢"),
        ("用氨茶碱的治疗，最需要注意的是", "用氨茶碱治疗，最需要注意的是"),
    ],
)
def test_slips_are_put_right(written, meant):
    assert put_right(written) == meant
