from __future__ import annotations

import csv
import hashlib
import io
import json
import random
import re
import unicodedata
from collections import defaultdict

import pytest

from dataset_scripts.recipe import SourceFile
from dataset_scripts.recipes.sdak import rebuilt
from dataset_scripts.recipes.sdak.medical_json import enumerated
from dataset_scripts.recipes.sdak.pairs import Pair
from dataset_scripts.recipes.sdak.rebuilt import rebuild
from dataset_scripts.recipes.sdak.templates import TEMPLATES
from dataset_scripts.recipes.sdak.types import TYPES
from medzh_score.messages.errors import MedzhError

DISEASE_CSV = "zhihao-chen/QASystemOnMedicalGraph/384370dbc055b6e919efa53218dca4dbc153863e/data/disease.csv"
COLUMN_OF = {
    "Disease-Infectivity": "infection",
    "Disease-Department": "department",
    "Disease-Examination": "checklist",
    "Disease-Symptom": "symptom",
    "Diseases-Complication": "complication",
    "Disease-Method": "treatment",
    "Disease-Medicine": "drug",
}
BEFORE = ["name", "alias", "part", "age", "infection", "insurance"]
HEADER = [*BEFORE, *list(COLUMN_OF.values())[1:], "period", "rate", "money", *[""] * 5]

INFLUENZA = {
    "name": "流行性感冒",
    "alias": "流感，时行感冒",
    "infection": "呼吸道传播",
    "department": "呼吸内科 传染科",
    "checklist": "血常规 [详细]",
    "symptom": "高热 肌肉酸痛 [详细]",
    "complication": "肺炎 心肌炎 [详细]",
    "treatment": "药物治疗、支持性治疗 [详细]",
    "drug": "奥司他韦胶囊 [详细]",
}
FRACTURE = {"name": "锁骨骨折", "infection": "无传染性", "department": "骨科", "symptom": "局部疼痛"}
SCURVY = {
    "name": "坏血病",
    "cause": "维生素C缺乏",
    "prevent": "1、多吃新鲜蔬菜；2、多吃新鲜水果。",
    "get_way": "无传染性",
    "cure_department": ["营养科"],
    "symptom": ["牙龈出血"],
    "acompany": ["贫血"],
    "cure_way": ["药物治疗"],
    "common_drug": ["维生素C片"],
    "recommand_drug": ["维生素C片"],
    "check": ["血常规"],
    "do_eat": ["鲜枣"],
    "recommand_eat": ["番茄炒蛋"],
    "not_eat": ["白酒"],
}


@pytest.fixture
def source(tmp_path):
    def make(name, content):
        file = tmp_path / name
        file.write_bytes(content)
        return {name: SourceFile(name, file, hashlib.sha256(content).hexdigest(), pinned=False)}

    return make


@pytest.fixture
def disease_csv(source):
    def make(*diseases):
        return source("disease-csv", table([[disease.get(column, "") for column in HEADER] for disease in diseases]))

    return make


@pytest.fixture
def medical_json(source):
    def make(*diseases):
        lines = [json.dumps(disease, ensure_ascii=False) + "\n" for disease in diseases]
        return source("medical-json", "".join(lines).encode("utf-8"))

    return make


def table(rows):
    stream = io.StringIO(newline="")
    csv.writer(stream).writerows([HEADER, *rows])
    return stream.getvalue().encode("gb18030")


def claims(built, polarity="factual"):
    return {record["claim"] for record in built.splits["test"] if record["polarity"] == polarity}


def counts(built):
    (only,) = built.tables
    return {row[0]: dict(zip(only.columns[1:], row[1:], strict=True)) for row in only.rows}


def test_disease_csv_becomes_pairs(disease_csv):
    built = rebuild(disease_csv(INFLUENZA, FRACTURE), seed=0)
    assert claims(built) == {
        "流行性感冒具有传染性",
        "流行性感冒常挂的科室包括呼吸内科",
        "流行性感冒常挂的科室包括传染科",
        "流行性感冒常做的检查项目包括血常规",
        "流行性感冒的常见症状包括高热",
        "流行性感冒的常见症状包括肌肉酸痛",
        "流行性感冒可能引发的疾病包括肺炎",
        "流行性感冒可能引发的疾病包括心肌炎",
        "流行性感冒常见治疗方法包括药物治疗",
        "流行性感冒常见治疗方法包括支持性治疗",
        "流行性感冒的常用药物包括奥司他韦胶囊",
        "锁骨骨折常挂的科室包括骨科",
        "锁骨骨折的常见症状包括局部疼痛",
    }


def test_medical_json_becomes_pairs(medical_json):
    built = rebuild(medical_json(SCURVY), seed=0)
    assert claims(built) == {
        "坏血病的病因可能包括维生素C缺乏",
        "预防坏血病的方法包括多吃新鲜蔬菜",
        "预防坏血病的方法包括多吃新鲜水果",
        "坏血病常挂的科室包括营养科",
        "坏血病的常见症状包括牙龈出血",
        "坏血病可能引发的疾病包括贫血",
        "坏血病常见治疗方法包括药物治疗",
        "坏血病的常用药物包括维生素C片",
        "坏血病常做的检查项目包括血常规",
        "坏血病宜吃鲜枣",
        "坏血病宜吃番茄炒蛋",
    }
    assert "坏血病忌吃鲜枣" in claims(built, "counterfactual")
    assert "坏血病的病因不可能包括维生素C缺乏" in claims(built, "counterfactual")


def test_records_of_a_pair_share_all_but_the_claim(disease_csv):
    records = rebuild(disease_csv({"name": "麻疹", "infection": "飞沫传播"}), seed=0).splits["test"]
    factual, counterfactual = sorted(records, key=lambda record: record["polarity"], reverse=True)
    assert factual["claim"] == "麻疹具有传染性"
    assert counterfactual["claim"] == "麻疹不具有传染性"
    assert factual["slot_names"] == ["disease"]
    assert factual["object"] is None
    assert factual["recipe"] == "rebuilt"
    assert factual["source"] == "disease-csv"
    same = factual.keys() - {"id", "polarity", "label", "claim", "prompt", "answer"}
    assert all(factual[key] == counterfactual[key] for key in same)
    assert factual["upstream_key"] == "麻疹/Disease-Infectivity"


def test_ids_come_from_the_content(disease_csv):
    alone = rebuild(disease_csv({"name": "麻疹", "symptom": "发热"}), seed=0).splits["test"]
    digest = hashlib.sha256("disease-symptom\n麻疹\n发热".encode()).hexdigest()[:10]
    assert {record["id"] for record in alone} == {f"sdak-{digest}-f", f"sdak-{digest}-c"}
    among_others = rebuild(disease_csv(INFLUENZA, {"name": "麻疹", "symptom": "皮疹 发热"}), seed=5).splits["test"]
    assert {record["id"] for record in alone} < {record["id"] for record in among_others}


def test_a_numbered_pair_keeps_its_id():
    pair = Pair(TYPES[4], 1, "", "", (("disease", "乳核"), ("cause", "痰浊凝结所致")), ("pos_1", "neg_1"))
    assert pair.pair_id == "sdak-disease_cause-0001"


def test_the_17_templates_are_those_of_table_11():
    assert [template.kind for template in TEMPLATES] == [kind.name for kind in TYPES]
    for template in TEMPLATES:
        for text in (template.factual, template.counterfactual):
            assert re.findall(r"\{(\w+)\}", text) == list(template.slots)
        swap = {"Examination-Range": ("正常", "异常"), "Disease-Food": ("宜", "忌")}.get(template.kind)
        if swap:
            assert template.factual.replace(*swap) == template.counterfactual
        else:
            negated = template.counterfactual
            without = {negated[:i] + negated[i + 1 :] for i, character in enumerate(negated) if character == "不"}
            assert template.factual in without


# Column, cell, type, reason. The disease is 流行性感冒 with the alias 流感.
CSV_DROPS = [
    ("symptom", "", "Disease-Symptom", "no value"),
    ("complication", "暂无相关资料", "Diseases-Complication", "no value"),
    ("drug", "应该如何用药？用什么药？ [详细]", "Disease-Medicine", "no value"),
    ("drug", "盐酸左氧氟沙星...", "Disease-Medicine", "elided"),
    ("checklist", "结核菌素试验（OT", "Disease-Examination", "unreadable"),
    ("treatment", "1、2", "Disease-Method", "unreadable"),
    ("drug", "盐酸地尔硫\ue006片", "Disease-Medicine", "unreadable"),
    ("drug", "维生素B12注射", "Disease-Medicine", "unreadable"),
    ("symptom", "眼干涩酸胀，易疲劳", "Disease-Symptom", "prose"),
    ("symptom", "机械地重复周围人说过的言语或做过的行为", "Disease-Symptom", "over-long"),
    ("drug", "球囊扩张导管", "Disease-Medicine", "wrong kind"),
    ("department", "其他科室", "Disease-Department", "wrong kind"),
    ("department", "不孕不育", "Disease-Department", "wrong kind"),
    ("treatment", "无需治疗", "Disease-Method", "wrong kind"),
    ("treatment", "手术治疗化疗", "Disease-Method", "wrong kind"),
    ("checklist", "血液分析仪", "Disease-Examination", "wrong kind"),
    ("infection", "病菌感染", "Disease-Infectivity", "wrong kind"),
    ("complication", "颅咽管瘤", "Diseases-Complication", "filler"),
    ("complication", "脓毒症和菌血症 [详细]", "Diseases-Complication", "filler"),
    ("complication", "流感", "Diseases-Complication", "names the subject"),
    ("complication", "重症流行性感冒", "Diseases-Complication", "names the subject"),
    ("symptom", "流行性感冒", "Disease-Symptom", "names the subject"),
    ("symptom", "流行性感冒（轻型）", "Disease-Symptom", "names the subject"),
    ("symptom", "感冒", "Disease-Symptom", "names the subject"),
    ("infection", "无传染性", "Disease-Infectivity", "negative"),
    ("infection", "非传染性疾病", "Disease-Infectivity", "negative"),
    ("infection", "部分有传染性", "Disease-Infectivity", "hedged"),
    ("infection", "急慢性肝炎有传染性，其他无传染性", "Disease-Infectivity", "hedged"),
]


@pytest.mark.parametrize(("column", "cell", "kind", "reason"), CSV_DROPS)
def test_disease_csv_drops(disease_csv, column, cell, kind, reason):
    built = rebuild(disease_csv({"name": "流行性感冒", "alias": "流感", column: cell}), seed=0)
    row = counts(built)[kind]
    assert row["kept"] == 0
    assert row[f"dropped: {reason}"] == row["found"] >= 1
    assert built.splits["test"] == []


# Field, value, type, reason.
JSON_DROPS = [
    ("cause", "本病病因尚不明确，可能与遗传因素有关。", "Disease-Cause", "prose"),
    ("cause", "病毒感染、细菌感染、" * 10, "Disease-Cause", "prose"),
    ("prevent", "不要熬夜", "Disease-Prevention", "prose"),
    ("cause", "", "Disease-Cause", "no value"),
    ("not_eat", ["白酒"], "Disease-Food", "negative"),
    ("get_way", "无传染性", "Disease-Infectivity", "negative"),
    ("acompany", [""], "Diseases-Complication", "no value"),
    ("symptom", None, "Disease-Symptom", "no value"),
]


@pytest.mark.parametrize(("field", "value", "kind", "reason"), JSON_DROPS)
def test_medical_json_drops(medical_json, field, value, kind, reason):
    row = counts(rebuild(medical_json({"name": "感冒", field: value}), seed=0))[kind]
    assert row["kept"] == 0
    assert row[f"dropped: {reason}"] >= 1


def test_an_elided_name_makes_its_facts_useless(disease_csv):
    built = rebuild(disease_csv({"name": " 小儿急性上呼...", "symptom": "鼻塞 畏寒"}), seed=0)
    assert counts(built)["Disease-Symptom"] == {
        "found": 2,
        "dropped: no value": 0,
        "dropped: elided": 2,
        "kept": 0,
    }


def test_a_row_that_reaches_under_no_column_is_misplaced(source):
    row = ["关节检查", "", "", "", "无传染性", "", "骨科", "", "肿胀", *[""] * 10, "跟骨骨折"]
    built = rebuild(source("disease-csv", table([row])), seed=0)
    assert built.splits["test"] == []
    assert counts(built)["Disease-Department"]["dropped: misplaced"] == 1


def test_a_filler_spoils_its_whole_cell(disease_csv):
    # 痰火 merely shares a character with 痰厥; so filled cells are searched for by the site, not written by a doctor.
    built = rebuild(disease_csv({"name": "痰厥", "complication": "脑血管瘤 流痰 痰火 发作性睡病 [详细]"}), seed=0)
    assert counts(built)["Diseases-Complication"]["dropped: filler"] == 4


def test_cells_are_cleaned(disease_csv):
    dirty = {"name": " 维生素Ａ缺乏病", "symptom": "夜盲。 第２肋软骨痛 [详细]", "treatment": "1、补液治疗；中医治疗。"}
    assert claims(rebuild(disease_csv(dirty), seed=0)) == {
        "维生素A缺乏病的常见症状包括夜盲",
        "维生素A缺乏病的常见症状包括第2肋软骨痛",
        "维生素A缺乏病常见治疗方法包括补液治疗",
        "维生素A缺乏病常见治疗方法包括中医治疗",
    }


def test_gb18030_of_four_bytes_is_read(disease_csv):
    # 䓬 is four bytes in GB18030 and cannot be written in GBK.
    with pytest.raises(UnicodeEncodeError):
        "䓬".encode("gbk")
    built = rebuild(disease_csv({"name": "心绞痛", "drug": "盐酸地尔硫䓬片"}), seed=0)
    assert claims(built) == {"心绞痛的常用药物包括盐酸地尔硫䓬片"}


def test_a_food_listed_both_ways_is_neither(medical_json):
    built = rebuild(medical_json({"name": "痛风", "do_eat": ["樱桃", "豆腐"], "not_eat": ["豆腐"]}), seed=0)
    assert claims(built) == {"痛风宜吃樱桃"}
    assert counts(built)["Disease-Food"]["dropped: contradicted"] == 1
    assert counts(built)["Disease-Food"]["dropped: negative"] == 1


def test_a_denial_counts_from_the_other_source_and_under_the_alias(disease_csv, medical_json):
    files = disease_csv({"name": "肺结核", "alias": "肺痨", "infection": "飞沫传播"})
    files |= medical_json({"name": "肺痨", "get_way": "无传染性"})
    built = rebuild(files, seed=0)
    assert built.splits["test"] == []
    assert counts(built)["Disease-Infectivity"]["dropped: contradicted"] == 1


def test_what_says_nothing_contradicts_nothing(disease_csv):
    rows = ({"name": "疟疾", "infection": "虫媒传播"}, {"name": "疟疾", "infection": "蚊虫叮咬"})
    assert claims(rebuild(disease_csv(*rows), seed=0)) == {"疟疾具有传染性"}


def test_no_claim_stands_with_both_polarities(disease_csv, medical_json):
    built = rebuild(disease_csv(INFLUENZA, FRACTURE) | medical_json(SCURVY), seed=0)
    assert not claims(built) & claims(built, "counterfactual")


def test_one_fact_of_two_sources_is_one_pair(disease_csv, medical_json):
    files = medical_json({"name": "流行性感冒", "symptom": ["高热"]}) | disease_csv({**INFLUENZA, "symptom": "高热"})
    built = rebuild(files, seed=0)
    records = [record for record in built.splits["test"] if record["object"] == "高热"]
    assert [record["source"] for record in records] == ["disease-csv", "disease-csv"]
    assert counts(built)["Disease-Symptom"]["dropped: duplicate"] == 1


def test_lists_may_be_written_as_one_text(medical_json):
    as_text = {**SCURVY, "symptom": "牙龈出血、皮下出血", "do_eat": "鲜枣 橙子", "cure_way": ["药物治疗、饮食治疗"]}
    built = claims(rebuild(medical_json({"_id": {"$oid": "5bb5"}, **as_text}), seed=0))
    assert {"坏血病的常见症状包括皮下出血", "坏血病宜吃橙子", "坏血病常见治疗方法包括饮食治疗"} <= built


def test_all_17_types_are_reported_in_the_order_of_table_11(disease_csv):
    built = rebuild(disease_csv(INFLUENZA), seed=0)
    (only,) = built.tables
    assert [row[0] for row in only.rows] == [*(kind.name for kind in TYPES), "all"]
    assert "no content for 10 of the 17 types: Metric-Effect, Disease-Cause, Chinese Medicine-Effect" in built.notes[0]


def test_a_type_all_of_whose_values_are_dropped_is_named(disease_csv):
    built = rebuild(disease_csv({**INFLUENZA, "infection": "无传染性"}), seed=0)
    assert "no pair came of what the sources have for Disease-Infectivity" in built.notes


def test_found_is_dropped_and_kept(disease_csv, medical_json):
    built = rebuild(disease_csv(INFLUENZA, FRACTURE) | medical_json(SCURVY), seed=0)
    for row in built.tables[0].rows:
        assert row[1] == sum(row[2:])
    assert counts(built)["all"]["kept"] * 2 == len(built.splits["test"])


def test_the_order_of_the_rows_does_not_matter(disease_csv, medical_json, monkeypatch):
    monkeypatch.setattr(rebuilt, "LIMIT", 2)
    forth = rebuild(disease_csv(INFLUENZA, FRACTURE) | medical_json(SCURVY, {"name": "痛风", "do_eat": ["樱桃"]}), 3)
    back = rebuild(medical_json({"name": "痛风", "do_eat": ["樱桃"]}, SCURVY) | disease_csv(FRACTURE, INFLUENZA), 3)
    assert forth == back


def test_the_draw_depends_on_the_seed_and_keeps_the_limit(disease_csv, monkeypatch):
    monkeypatch.setattr(rebuilt, "LIMIT", 2)
    files = disease_csv({"name": "流行性感冒", "symptom": "高热 头痛 乏力 鼻塞 咽痛 咳嗽 畏寒 肌痛"})
    drawn = {seed: claims(rebuild(files, seed)) for seed in range(20)}
    assert all(len(some) == 2 for some in drawn.values())
    assert len(set.union(*drawn.values())) == 8
    assert drawn[0] == claims(rebuild(files, 0))
    assert counts(rebuild(files, 0))["Disease-Symptom"]["dropped: over the limit"] == 6


def test_the_draw_is_by_sha256_of_seed_and_fact(disease_csv, monkeypatch):
    monkeypatch.setattr(rebuilt, "LIMIT", 1)
    symptoms = ["高热", "头痛", "乏力", "鼻塞"]
    built = rebuild(disease_csv({"name": "流行性感冒", "symptom": " ".join(symptoms)}), seed=11)
    texts = {name: f"11:Disease-Symptom:流行性感冒:{name}" for name in symptoms}
    first = min(symptoms, key=lambda name: hashlib.sha256(texts[name].encode("utf-8")).hexdigest())
    assert claims(built) == {f"流行性感冒的常见症状包括{first}"}


@pytest.mark.parametrize(
    ("prose", "phrases"),
    [
        ("病毒感染、细菌感染。", ["病毒感染", "细菌感染"]),
        ("1、病毒感染；2、细菌感染。", ["病毒感染", "细菌感染"]),
        ("缺碘", ["缺碘"]),
        ("", []),
        ("病毒", ["病毒"]),
        ("病毒感染、多由细菌感染引起", []),
        ("由甲型流感病毒引起的急性呼吸道传染病", []),
        ("预防本病要从小做起", []),
    ],
)
def test_only_an_enumeration_is_taken_from_prose(prose, phrases):
    assert enumerated(prose) == phrases


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b'{"name": "\xe6\x84\x9f\xe5\x86\x92"}\n{"name": \n', r"medical-json:2: not JSON in UTF-8: .*one JSON object"),
        (b"{}\n", r"medical-json:1: field name: a disease has no name"),
        ('{"name": "感冒"}\n\n{"name": " "}\n'.encode(), r"medical-json:3: field name: a disease has no name"),
        ('{"name": "感冒"}\n'.encode("gb18030"), r"medical-json:1: not JSON in UTF-8"),
        (b"[]\n", r"medical-json:1: not a disease; expected a JSON object"),
        ('{"name": "感冒", "check": [7]}\n'.encode(), r"medical-json:1: field check: neither text nor list"),
    ],
)
def test_malformed_medical_json_is_named_by_file_and_line(source, content, message):
    with pytest.raises(MedzhError, match=message):
        rebuild(source("medical-json", content), seed=0)


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"", r"disease-csv:1: field name: a column is missing"),
        (b"name,alias\n", r"disease-csv:1: field infection: a column is missing"),
        (table([]) + b"\xff\xff", r"disease-csv:2: not GB18030"),
        (table([]) + "感冒\n流行性感冒\n".encode(), r"disease-csv: not GB18030; expected .*found 'UTF-8'"),
        (table([[" ", *[""] * 19]]), r"disease-csv:2: field name: a disease has no name"),
        (table([]) + b'"a"b,c\n', r"disease-csv:2: not CSV"),
    ],
)
def test_malformed_disease_csv_is_named_by_file_and_line(source, content, message):
    with pytest.raises(MedzhError, match=message):
        rebuild(source("disease-csv", content), seed=0)


def test_the_sources_are_named(disease_csv):
    with pytest.raises(MedzhError, match="expected disease-csv or medical-json, or both"):
        rebuild({}, seed=0)
    with pytest.raises(MedzhError, match="found 'official'"):
        rebuild({"official": disease_csv()["disease-csv"]}, seed=0)


# The real file, read again in the plainest way.


@pytest.fixture(scope="module")
def real_file(upstream_file):
    return upstream_file(DISEASE_CSV)


@pytest.fixture(scope="module")
def real_rows(real_file):
    with real_file.open(encoding="gb18030", newline="") as stream:
        return list(csv.DictReader(stream))


@pytest.fixture(scope="module")
def real(real_file):
    return rebuild({"disease-csv": SourceFile("disease-csv", real_file, "", pinned=True)}, seed=0)


def plain(text):
    return re.sub(r"\s", "", unicodedata.normalize("NFKC", text))


def by_name(rows):
    named = defaultdict(list)
    for row in rows:
        named[plain(row["name"])].append(row)
    return named


def test_real_every_pair_stands_in_the_file(real, real_rows):
    named = by_name(real_rows)
    for record in real.splits["test"]:
        rows = named[plain(record["subject"])]
        cells = [plain(row[COLUMN_OF[record["type"]]]) for row in rows]
        assert any(plain(record["object"] or "传") in cell for cell in cells), record["claim"]


def test_real_every_value_is_counted(real, real_rows):
    assert len(real_rows) == 14336
    for kind, column in COLUMN_OF.items():
        if kind == "Disease-Infectivity":
            found = len(real_rows)
        elif kind == "Disease-Method":
            cells = [re.split(r"[\s、，,；;]+", row[column].replace("[详细]", "")) for row in real_rows]
            found = sum(max(1, sum(bool(part) for part in cell)) for cell in cells)
        else:
            found = sum(max(1, len(row[column].replace("[详细]", "").split())) for row in real_rows)
        assert counts(real)[kind]["found"] == found
    for row in real.tables[0].rows:
        assert row[1] == sum(row[2:])


def test_real_types_have_at_most_1000_pairs_and_only_these_have_content(real):
    kept = {kind: row["kept"] for kind, row in counts(real).items() if kind != "all" and row["kept"]}
    assert kept.keys() == COLUMN_OF.keys()
    assert all(number == 1000 for kind, number in kept.items() if kind != "Disease-Infectivity")
    assert 0 < kept["Disease-Infectivity"] < 1000


def test_real_claims_are_clean_and_unique(real):
    records = real.splits["test"]
    texts = [record["claim"] for record in records]
    assert len(set(texts)) == len(texts)
    assert len({record["id"] for record in records}) == len(records)
    assert not [text for text in texts if re.search(r"详细|\.\.|…|暂无|[。？?>;；]|\s$|^\s", text)]
    assert all(re.fullmatch(r"sdak-[0-9a-f]{10}-[fc]", record["id"]) for record in records)


def test_real_contagious_means_nowhere_denied(real, real_rows):
    named = by_name(real_rows)
    subjects = [record["subject"] for record in real.splits["test"] if record["type"] == "Disease-Infectivity"]
    said = {row["infection"] for name in subjects for row in named[plain(name)]}
    assert not [text for text in said if re.search(r"无传染|不传染|非传染|部分", text)]


def test_real_no_object_is_an_alias_of_its_subject(real, real_rows):
    named = by_name(real_rows)
    for record in real.splits["test"]:
        if record["object"]:
            aliases = {part for row in named[plain(record["subject"])] for part in re.split("[,，、]", row["alias"])}
            assert record["object"] not in aliases
            assert record["object"] != record["subject"]


def test_real_complications_have_no_filler(real):
    complications = {record["object"] for record in real.splits["test"] if record["type"] == "Diseases-Complication"}
    assert not complications & {"脑囊虫病", "颅咽管瘤", "副鼻窦炎", "新生儿泪囊炎", "垂体性侏儒症"}


def test_real_order_of_rows_does_not_matter(real, real_file, source):
    header, *lines = list(csv.reader(io.StringIO(real_file.read_bytes().decode("gb18030"), newline="")))
    assert header == HEADER
    random.Random(1).shuffle(lines)  # noqa: S311
    shuffled = rebuild(source("disease-csv", table(lines)), seed=0)
    assert shuffled == real
