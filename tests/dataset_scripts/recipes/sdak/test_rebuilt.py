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
from tables import case_tables, holds

from dataset_scripts.recipe import SourceFile
from dataset_scripts.recipes.sdak import rebuilt, witnesses
from dataset_scripts.recipes.sdak.departments import Departments
from dataset_scripts.recipes.sdak.dictionaries import fits_department
from dataset_scripts.recipes.sdak.medical_json import enumerated
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

CASES = case_tables("sdak_cases")
DISEASES = {name: disease for name, disease, _ in CASES["diseases"]}
INFLUENZA, FRACTURE, SCURVY = DISEASES["influenza"], DISEASES["fracture"], DISEASES["scurvy"]


@pytest.fixture
def source(tmp_path):
    def make(name, content):
        file = tmp_path / name
        file.write_bytes(content)
        return {name: SourceFile(name, file, hashlib.sha256(content).hexdigest(), pinned=False)}

    return make


@pytest.fixture
def trusted(monkeypatch):
    """Let every list of the two tables be enough alone, a department's too, which needs kindred rows."""
    pairs = {(name, kind.name) for name in ("disease-csv", "medical-json") for kind in TYPES}
    monkeypatch.setattr(witnesses, "ALONE", witnesses.ALONE | pairs)
    monkeypatch.setattr(witnesses, "SILENT", frozenset())
    monkeypatch.setattr(Departments, "confirm", lambda *_: True)


@pytest.fixture
def build(source, trusted):  # noqa: ARG001 - for its effect
    """Give a function that rebuilds from diseases of the table and of the JSON lines."""

    def build(*csv_rows, medical=(), seed=0):
        files = {}
        if medical:
            text = "".join(json.dumps(disease, ensure_ascii=False) + "\n" for disease in medical)
            files = source("medical-json", text.encode("utf-8"))
        if csv_rows:
            files |= source("disease-csv", table([[one.get(column, "") for column in HEADER] for one in csv_rows]))
        return rebuild(files, seed)

    return build


def table(rows):
    stream = io.StringIO(newline="")
    csv.writer(stream).writerows([HEADER, *rows])
    return stream.getvalue().encode("gb18030")


def claims(built, polarity="factual"):
    return {record["claim"] for record in built.splits["test"] if record["polarity"] == polarity}


def counts(built):
    only = built.tables[0]
    return {row[0]: dict(zip(only.columns[1:], row[1:], strict=True)) for row in only.rows}


def test_sources_become_claims(build):
    def made(_, rows, medical):
        return claims(build(*rows, medical=medical))

    holds([(*given, set(expected.split())) for *given, expected in CASES["claims"]], made)
    expected = {name: set(own.split()) for name, _, own in CASES["diseases"]}
    assert claims(build(INFLUENZA, FRACTURE)) == expected["influenza"] | expected["fracture"]
    assert claims(build(medical=[SCURVY])) == expected["scurvy"]


def test_records_of_a_pair_share_all_but_the_claim(build):
    records = build({"name": "麻疹", "infection": "飞沫传播"}).splits["test"]
    factual, counterfactual = sorted(records, key=lambda record: record["polarity"], reverse=True)
    assert (factual["claim"], counterfactual["claim"]) == ("麻疹具有传染性", "麻疹不具有传染性")
    assert (factual["slot_names"], factual["object"]) == (["disease"], None)
    assert (factual["recipe"], factual["source"]) == ("rebuilt", "disease-csv")
    same = factual.keys() - {"id", "polarity", "label", "claim", "prompt", "answer"}
    assert all(factual[key] == counterfactual[key] for key in same)
    assert factual["upstream_key"] == "麻疹/Disease-Infectivity"


def test_ids_come_from_the_content(build):
    alone = {record["id"] for record in build({"name": "麻疹", "symptom": "发热"}).splits["test"]}
    digest = hashlib.sha256("disease-symptom\n麻疹\n发热".encode()).hexdigest()[:10]
    assert alone == {f"sdak-{digest}-f", f"sdak-{digest}-c"}
    among_others = build(INFLUENZA, {"name": "麻疹", "symptom": "皮疹 发热"}, seed=5).splits["test"]
    assert alone < {record["id"] for record in among_others}


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


def test_values_of_the_table_are_dropped(build):
    def dropped(column, cell, kind, reason):
        built = build({"name": "流行性感冒", "alias": "流感", column: cell})
        row = counts(built)[kind]
        return built.splits["test"], row["kept"], row[f"dropped: {reason}"] == row["found"] >= 1

    holds([(*row, ([], 0, True)) for row in CASES["csv_drops"]], dropped)


def test_values_of_the_json_lines_are_dropped(build):
    def dropped(field, value, kind, reason):
        row = counts(build(medical=[{"name": "感冒", field: value}]))[kind]
        return row["kept"], row[f"dropped: {reason}"] >= 1

    holds([(*row, (0, True)) for row in CASES["json_drops"]], dropped)


def test_what_stands_elsewhere_drops_a_value(build):
    def dropped(_, rows, medical, kind):
        built = build(*rows, medical=medical)
        found = {name.removeprefix("dropped: "): number for name, number in counts(built)[kind].items() if number}
        return built.splits["test"], found.pop("found"), found

    rows = [(*given, ([], sum(counted.values()), counted)) for *given, counted in CASES["elsewhere"]]
    holds(rows, dropped)


def test_a_food_listed_both_ways_is_counted(build):
    row = counts(build(medical=[{"name": "痛风", "do_eat": ["樱桃", "豆腐"], "not_eat": ["豆腐"]}]))["Disease-Food"]
    assert (row["dropped: contradicted"], row["dropped: negative"]) == (1, 1)


def test_a_row_that_reaches_under_no_column_is_misplaced(source):
    row = ["关节检查", "", "", "", "无传染性", "", "骨科", "", "肿胀", *[""] * 10, "跟骨骨折"]
    built = rebuild(source("disease-csv", table([row])), seed=0)
    assert built.splits["test"] == []
    assert counts(built)["Disease-Department"]["dropped: misplaced"] == 1


def test_one_fact_of_two_sources_is_one_pair(build):
    built = build({**INFLUENZA, "symptom": "高热"}, medical=[{"name": "流行性感冒", "symptom": ["高热"]}])
    records = [record for record in built.splits["test"] if record["object"] == "高热"]
    assert [record["source"] for record in records] == ["disease-csv", "disease-csv"]
    assert counts(built)["Disease-Symptom"]["dropped: duplicate"] == 1


def test_all_17_types_are_reported_in_the_order_of_table_11_with_notes_on_those_without_a_pair(build):
    built = build({**INFLUENZA, "infection": "无传染性"})
    only = built.tables[0]
    assert [row[0] for row in only.rows] == [*(kind.name for kind in TYPES), "all"]
    assert "no content for 10 of the 17 types: Metric-Effect, Disease-Cause, Chinese Medicine-Effect" in built.notes[0]
    assert "no pair came of what the sources have for Disease-Infectivity" in built.notes


def test_found_is_dropped_and_kept_and_no_claim_stands_with_both_polarities(build):
    built = build(INFLUENZA, FRACTURE, medical=[SCURVY])
    assert all(row[1] == sum(row[2:]) for row in built.tables[0].rows)
    assert counts(built)["all"]["kept"] * 2 == len(built.splits["test"])
    assert not claims(built) & claims(built, "counterfactual")
    assert {"坏血病忌吃鲜枣", "坏血病的病因不可能包括维生素C缺乏"} < claims(built, "counterfactual")


def test_the_order_of_the_rows_does_not_matter(build, monkeypatch):
    monkeypatch.setattr(rebuilt, "LIMIT", 2)
    medical = [SCURVY, {"name": "痛风", "do_eat": ["樱桃"]}]
    assert build(INFLUENZA, FRACTURE, medical=medical, seed=3) == build(
        FRACTURE, INFLUENZA, medical=medical[::-1], seed=3
    )


def test_the_draw_keeps_the_limit_and_is_by_sha256_of_seed_and_fact(build, monkeypatch):
    symptoms = "高热 头痛 乏力 鼻塞 咽痛 咳嗽 畏寒 肌痛"
    monkeypatch.setattr(rebuilt, "LIMIT", 2)
    for seed in range(8):
        texts = {name: f"{seed}:Disease-Symptom:流行性感冒:{name}" for name in symptoms.split()}
        drawn = sorted(texts, key=lambda name: hashlib.sha256(texts[name].encode("utf-8")).hexdigest())[:2]
        built = build({"name": "流行性感冒", "symptom": symptoms}, seed=seed)
        assert claims(built) == {f"流行性感冒的常见症状包括{name}" for name in drawn}
        assert counts(built)["Disease-Symptom"]["dropped: over the limit"] == 6


def test_only_an_enumeration_is_taken_from_prose():
    holds(CASES["enumerations"], enumerated)


MALFORMED = [
    ("medical-json", b'{"name": "\xe6\x84\x9f\xe5\x86\x92"}\n{"name": \n', r":2: not JSON in UTF-8: .*one JSON object"),
    ("medical-json", b"{}\n", r":1: field name: a disease has no name"),
    ("medical-json", '{"name": "感冒"}\n\n{"name": " "}\n'.encode(), r":3: field name: a disease has no name"),
    ("medical-json", '{"name": "感冒"}\n'.encode("gb18030"), r":1: not JSON in UTF-8"),
    ("medical-json", b"[]\n", r":1: not a disease; expected a JSON object"),
    ("medical-json", '{"name": "感冒", "check": [7]}\n'.encode(), r":1: field check: neither text nor list"),
    ("disease-csv", b"", r":1: field name: a column is missing"),
    ("disease-csv", b"name,alias\n", r":1: field infection: a column is missing"),
    ("disease-csv", table([]) + b"\xff\xff", r":2: not GB18030"),
    ("disease-csv", table([]) + "感冒\n流行性感冒\n".encode(), r": not GB18030; expected .*found 'UTF-8'"),
    ("disease-csv", table([[" ", *[""] * 19]]), r":2: field name: a disease has no name"),
    ("disease-csv", table([]) + b'"a"b,c\n', r":2: not CSV"),
]


@pytest.mark.parametrize(("name", "content", "message"), MALFORMED)
def test_malformed_sources_are_named_by_file_and_line(source, name, content, message):
    with pytest.raises(MedzhError, match=rf"{name}{message}"):
        rebuild(source(name, content), seed=0)


def test_the_sources_are_named(source):
    with pytest.raises(MedzhError, match="expected one or more of disease-csv, medical-json, kamed-graph-csv"):
        rebuild({}, seed=0)
    with pytest.raises(MedzhError, match="found 'official'"):
        rebuild(source("official", table([])), seed=0)


# Several sources.

KAMED = "HEAD,RELATION,TAIL\n肺炎,contains_symptom,咳嗽\n布洛芬片,to_treat,痛经\n痛经,treated_by,布洛芬片\n"
QIZHEN = "药品,药品适应症,医学专家标注的适应病症,instruction\n布洛芬片,略,痛经|发热,略\n"


def explained(*texts):
    stream = io.StringIO(newline="")
    rows = [("题", "A 甲\nB 乙", "A", text) for text in texts]
    csv.writer(stream).writerows([("Question", "Options", "Answer", "Explanation"), *rows])
    return stream.getvalue().encode()


@pytest.fixture
def several(source):
    """Give a function that rebuilds from several sources, with the recipe's own trust."""

    def several(settings="", **contents):
        files = {}
        for name, content in contents.items():
            files |= source(name.replace("_", "-"), content)
        if settings:
            files |= source("sdak-settings", settings.encode())
        return rebuild(files, seed=0)

    return several


PNEUMONIA = table([["肺炎" if head == "name" else "咳嗽 头痛" if head == "symptom" else "" for head in HEADER]])


def test_a_symptom_of_one_table_is_kept_where_an_examination_says_it(several):
    assert claims(several(disease_csv=PNEUMONIA)) == set()
    built = several(disease_csv=PNEUMONIA, cmexam_val=explained("肺炎的临床表现为咳嗽，咳痰。肺炎患者无头痛等症状。"))
    assert claims(built) == {"肺炎的常见症状包括咳嗽"}
    record = built.splits["test"][0]
    assert (record["sources"], record["n_sources"]) == (["cmexam-val", "disease-csv"], 2)


def test_what_is_said_of_a_wider_disease_vouches_for_no_narrower_one(several):
    cells = {"name": "慢性肺炎", "alias": "肺炎", "symptom": "咳嗽"}
    row = table([[cells.get(head, "") for head in HEADER]])
    assert claims(several(disease_csv=row, cmexam_val=explained("肺炎的临床表现为咳嗽，咳痰。"))) == set()
    said = explained("慢性肺炎的临床表现为咳嗽，咳痰。")
    assert claims(several(disease_csv=row, cmexam_val=said)) == {"慢性肺炎的常见症状包括咳嗽"}


def test_a_label_for_what_diseases_bring_about_names_no_indication(several):
    label = "用于下列疾病引起的发热"
    sources = {"kamed_graph_csv": KAMED.encode(), "qizhen_indications": QIZHEN.replace("略", label, 1).encode()}
    assert claims(several(**sources)) == set()


def test_two_tables_of_the_same_pages_are_one_source(several):
    assert claims(several(disease_csv=PNEUMONIA, kamed_graph_csv=KAMED.encode())) == set()


def test_the_settings_ask_for_sources(several):
    sources = {"kamed_graph_csv": KAMED.encode(), "qizhen_indications": QIZHEN.encode()}
    one, two = (several(settings=text, **sources) for text in ("", "min_sources = 2"))
    assert claims(one) == {"布洛芬片可用于痛经", "布洛芬片可用于发热"}
    assert claims(two) == {"布洛芬片可用于痛经"}  # that a label allows it does not make it common
    assert "settings of the user: min_sources 2 in place of 1" in two.notes
    for wrong in ("min_sources = 0", "min_sources = true", "sources = 2"):
        with pytest.raises(MedzhError, match="sdak-settings"):
            several(settings=wrong, **sources)


def test_explanations_list_effects_and_adverse_reactions(several):
    text = "桑枝（A错）【功效】祛风通络，利水。二甲双胍（B错）不良反应有恶心、腹泻等。"
    made = claims(several(cmexam_val=explained(text)))
    assert {"桑枝具有祛风通络的功效", "桑枝具有利水的功效", "二甲双胍的不良反应包括腹泻"} <= made


def test_a_denial_of_a_wider_disease_counts(build):
    rows = [{"name": "慢性黏膜念珠菌病", "infection": "接触传播"}, {"name": "念珠菌病", "infection": "无传染性"}]
    assert claims(build(*rows)) == set()


def test_a_complication_that_leads_to_the_disease_is_none(build):
    rows = [{"name": "肝性脑病", "complication": "肝硬化"}, {"name": "肝硬化", "complication": "肝性脑病"}]
    assert claims(build(*rows)) == set()


def test_a_department_needs_one_field_and_a_kindred_row(several):
    def rows(**departments):
        cells = {"name": "", "department": ""}
        lines = [{**cells, "name": name, "department": text} for name, text in departments.items()]
        return table([[line.get(head, "") for head in HEADER] for line in lines])

    listed = rows(
        肺炎="内科 呼吸内科",
        支原体肺炎="内科 呼吸内科",
        大叶性肺炎="内科 呼吸内科 消化内科",
        病毒性肺炎="血液科",
        银屑病="皮肤科",
    )
    assert claims(several(disease_csv=listed)) == {
        f"{name}常挂的科室包括{department}" for name in ("肺炎", "支原体肺炎") for department in ("内科", "呼吸内科")
    }


@pytest.mark.parametrize(
    ("disease", "department", "fits"),
    [
        ("小儿肺炎", "儿科", True),
        ("小儿肺炎", "呼吸内科", False),
        ("细菌性痢疾", "传染科", True),
        ("细菌性痢疾", "消化内科", False),
        ("痛风性关节炎", "风湿免疫科", True),
        ("痛风性关节炎", "骨科", False),
        ("血管瘤", "普外科", True),
        ("血管瘤", "肿瘤科", False),
        ("胃癌", "肿瘤科", True),
        ("老年性白内障", "老年科", False),
        ("老年性白内障", "眼科", True),
    ],
)
def test_a_department_sees_most_patients_of_a_disease(disease, department, fits):
    assert fits_department(disease, department) == fits


def test_infectivity_needs_a_sentence_beside_the_table(several):
    row = [["炭疽" if head == "name" else "接触传播" if head == "infection" else "" for head in HEADER]]
    assert claims(several(disease_csv=table(row))) == set()
    for text, expected in (("炭疽为乙类传染病。", {"炭疽具有传染性"}), ("炭疽不是传染病。", set())):
        assert claims(several(disease_csv=table(row), cmexam_val=explained(text))) == expected


# The real file, read again in the plainest way.


@pytest.fixture(scope="module")
def real_file(upstream_file):
    return upstream_file(DISEASE_CSV)


@pytest.fixture(scope="module")
def real_rows(real_file):
    with real_file.open(encoding="gb18030", newline="") as stream:
        return list(csv.DictReader(stream))


@pytest.fixture(scope="module")
def named(real_rows):
    """Give the rows of the file by the name of the disease."""
    rows = defaultdict(list)
    for row in real_rows:
        rows[plain(row["name"])].append(row)
    return rows


@pytest.fixture(scope="module")
def real(real_file):
    return rebuild({"disease-csv": SourceFile("disease-csv", real_file, "", pinned=True)}, seed=0)


def plain(text):
    return re.sub(r"\s", "", unicodedata.normalize("NFKC", text))


def test_real_every_pair_stands_in_the_file_and_no_object_is_an_alias_of_its_subject(real, named):
    for record in real.splits["test"]:
        rows = named[plain(record["subject"])]
        cells = [plain(row[COLUMN_OF[record["type"]]]) for row in rows]
        assert any(plain(record["object"] or "传") in cell for cell in cells), record["claim"]
        aliases = {part for row in rows for part in re.split("[,，、]", row["alias"])}
        assert record["object"] not in aliases - {""} | {record["subject"]}, record["claim"]


def test_real_every_value_is_counted(real, real_rows):
    assert len(real_rows) == 14336
    for kind, column in COLUMN_OF.items():
        split = r"[\s、，,；;]+" if kind == "Disease-Method" else r"\s+"
        cells = [re.split(split, row[column].replace("[详细]", "")) for row in real_rows]
        found = sum(max(1, sum(bool(part) for part in cell)) for cell in cells)
        assert counts(real)[kind]["found"] == (len(real_rows) if kind == "Disease-Infectivity" else found)
    assert all(row[1] == sum(row[2:]) for row in real.tables[0].rows)


def test_real_types_have_at_most_1000_pairs_and_only_these_have_content(real):
    kept = {kind: row["kept"] for kind, row in counts(real).items() if kind != "all" and row["kept"]}
    # The others are lists that are not trusted alone, as infectivity is: this is the one source, and no second says it.
    assert kept.keys() == {"Disease-Department"}
    assert set(kept.values()) == {1000}


def test_real_claims_are_clean_and_unique(real):
    records = real.splits["test"]
    texts = [record["claim"] for record in records]
    assert len(set(texts)) == len(texts) == len({record["id"] for record in records})
    assert not [text for text in texts if re.search(r"详细|\.\.|…|暂无|[。？?>;；]|\s$|^\s", text)]
    assert all(re.fullmatch(r"sdak-[0-9a-f]{10}-[fc]", record["id"]) for record in records)


def test_real_contagious_means_nowhere_denied_and_complications_have_no_filler(real, named):
    subjects = [record["subject"] for record in real.splits["test"] if record["type"] == "Disease-Infectivity"]
    said = {row["infection"] for name in subjects for row in named[plain(name)]}
    assert not [text for text in said if re.search(r"无传染|不传染|非传染|部分", text)]
    complications = {record["object"] for record in real.splits["test"] if record["type"] == "Diseases-Complication"}
    assert not complications & {"脑囊虫病", "颅咽管瘤", "副鼻窦炎", "新生儿泪囊炎", "垂体性侏儒症"}


def test_real_order_of_rows_does_not_matter(real, real_file, source):
    """More departments are confirmed than are drawn, so that the draw is tried, too."""
    header, *lines = list(csv.reader(io.StringIO(real_file.read_bytes().decode("gb18030"), newline="")))
    assert header == HEADER
    random.Random(1).shuffle(lines)  # noqa: S311
    assert rebuild(source("disease-csv", table(lines)), seed=0) == real
    departments = counts(real)["Disease-Department"]
    assert departments["kept"] == 1000
    assert departments["dropped: over the limit"] > 0
