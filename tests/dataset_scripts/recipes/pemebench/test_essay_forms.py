"""Sentences, lists and abbreviations that are open, and texts as they were printed: cases written for these tests."""

from __future__ import annotations

import pytest

from dataset_scripts.recipes.pemebench.essay_forms import is_broken
from dataset_scripts.recipes.pemebench.essay_mending import mended_answer, mended_question


@pytest.mark.parametrize(
    ("answer", "broken"),
    [
        ("脐炎是脐部的炎症(omphalitis)。", False),
        ("（1）病因：细菌。（2）表现：脐部红肿。", False),
        ("（1）病因：细菌。（2）脐带残端。（3）表现：红肿。", False),  # a bare item goes with any
        ("（1）病因：细菌。（2）脐部表现。", True),  # but does not end a list of others
        ("（1）消毒脐部，保持干燥。（2）对症治疗。", True),  # it says nothing
        ("①细菌检查；可培养血。②血象：白细胞升高。", True),
        ("血象有两种，轻者如常：重者，白细胞升高：血小板减少。", True),
        ("（1）病因：细菌。（2）表现为脐部红肿，可有脓性分泌物，伴臭味。", True),
        ("1、病因：细菌。2、脐部红肿，可有脓性分泌物。", True),
        ("脐炎（脐部的炎症。", True),
        ("1）脐部红肿；2）分泌物增多。", False),
        ("一旦脐部红肿，应予消毒。", True),
        ("包括消毒和包扎。", True),
        ("消毒脐部。帮助愈合。", True),
        ("血象有两种：白细胞升高：或降低。", True),
        ("血象：①白细胞：升高；②血小板：正常。", False),
        ("应注意以下几点。", True),
        ("检查：-血象；-尿。", True),  # a list whose marks are strokes
        ("脐部的特点：\n⑴红肿；⑵渗液。", True),  # a heading
        ("缺乏甲酶Ⅱ D相似。", True),
        ("脐部红肿需就诊脐部红肿。", True),
        ("先天性脐炎：先天性脐炎少见。", False),  # a head, and what begins with it
        ("新生儿脐炎或新生儿脐疝。", False),
        ("应与 Omphalitis neonatorum 鉴别。", True),
        ("消毒（碘伏、酒精、生理盐水）包扎、观察。", True),
        ("脐炎使" + "脐部周围的皮肤出现红肿热痛" * 4 + "。", True),  # no sign in forty characters
        ("DIC 时血小板减少，CRP 升高。", False),
        ("ABC 缺乏时 XQZ 升高。", True),
        ("缺乏甲酶(ABC)时乙酶(XQZ)升高，ABC 越少，XQZ 越高。", False),
        ("ABC 患儿常有发热。", False),  # one, of the disease that is asked about
    ],
)
def test_what_is_open_in_an_answer(answer, broken):
    assert is_broken("脐炎有哪些表现？", answer) is broken


@pytest.mark.parametrize(
    ("written", "printed"),
    [
        ("咳 嗽 3 天", "咳嗽3天"),
        ("应查① 血象；②尿", "应查：①血象；②尿"),
        ("见于（1）早产（2）窒息。", "见于：（1）早产；（2）窒息。"),
        ("符合以下①、②者", "符合以下①、②者"),
        ("（1）病因\n细菌感染。", "（1）病因：细菌感染。"),
        ("血小板 90×109/L,血红蛋白 90 g/L", "血小板90×10⁹/L，血红蛋白90 g/L"),
        ("血小板 90×10^9/L，2g/m2", "血小板90×10⁹/L，2g/m²"),
        ("维生素 B_{12}、PaCO_2、HCO_3^-", "维生素B12、PaCO2、HCO3⁻"),
        ("1gG、lgM 升高，0.1gA", "IgG、IgM升高，0.1gA"),
        ("脐炎(omphalitis neonatorum, ON)多见", "脐炎(ON)多见"),
        ("脐炎（omphalitis ）是炎症", "脐炎是炎症"),
        ("活性(Na⁺)升高", "活性(Na⁺)升高"),
        ("摄人不足，工作人员进人", "摄入不足，工作人员进入"),
        ("预防：保持干燥。。", "保持干燥。"),
        ("2 - 羟基戊二酸 < 5 ~ 10", "2-羟基戊二酸<5~10"),
        ("核型 47，XXY", "核型47,XXY"),
        ("（1）病原学检查；取脐部的分泌物培养细菌和真菌。", "（1）病原学检查：取脐部的分泌物培养细菌和真菌。"),
        ("起病隐匿体检时发现", "起病隐匿，体检时发现"),  # at the end of a line
        ("低于 2 g/ L， pH < 7", "低于2 g/L，pH<7"),
    ],
)
def test_an_answer_is_written_as_it_was_printed(written, printed):
    assert mended_answer(written) == printed


@pytest.mark.parametrize(
    ("written", "printed"),
    [
        ("脐炎是什么病", "什么是脐炎？"),
        ("什么是脐炎", "什么是脐炎？"),
        ("如何治疗 黄疽？", "如何治疗黄疸？"),
        ("试述脐炎的病因。", "试述脐炎的病因。"),
        ("", ""),
    ],
)
def test_a_question_is_written_as_it_was_printed(written, printed):
    assert mended_question(written) == printed
