"""CMHE-CE's records, files and tables of names that users bring, and options of its sample on the real tree."""

from __future__ import annotations

import csv
import hashlib
import io
import json
import unicodedata
from functools import partial

import pytest
from places import SAMPLES
from recipe_work import bring, problems_of, sample_records
from tables import case_tables

from dataset_scripts.packaging.schema import invalid, read_schema
from dataset_scripts.recipe import SourceFile
from dataset_scripts.recipes.cmhe_ce.concepts import NAMES, read_named
from dataset_scripts.recipes.cmhe_ce.dataset import MINI_SOURCE, read_own
from dataset_scripts.recipes.cmhe_ce.records import check, record_of
from dataset_scripts.terminology.mesh import Descriptor
from medzh_score.data.records import load_records
from medzh_score.io.paths import package_file
from medzh_score.ui.errors import MedzhError

SCHEMA = read_schema(package_file("medzh_score", "schemas/cmhe_ce.schema.json"))
GOUT = {
    "concept": "痛风",
    "concept_class": "disease",
    "aspect": "symptom",
    "question": "痛风患者通常有哪些症状？",
    "options": ["假性痛风", "痛风", "骨关节炎", "白内障"],
    "answer": "B",
}
CT = {
    "concept": "计算机断层扫描",
    "concept_en": "Tomography, X-Ray Computed",
    "aliases": ["CT"],
    "concept_class": "test",
    "aspect": "procedure",
    "question": "计算机断层扫描是怎样进行的？",
    "options": ["计算机断层扫描", "磁共振成像", "超声检查", "肺功能检查"],
    "answer": "A",
}


def made(base=GOUT, **changes):
    return record_of(base | changes, source="own", recipe="official")


@pytest.fixture
def brought(tmp_path):
    return partial(bring, tmp_path, "cmhe_ce")


def rows(tmp_path):
    return {row["question"]: row for row in load_records(tmp_path / "build" / "medzh", "cmhe_ce").rows}


def test_a_record_is_valid_and_its_ids_follow_from_its_texts():
    record = made()
    assert invalid([record], SCHEMA) == []
    texts = [unicodedata.normalize("NFKC", text) for text in (GOUT["concept"], GOUT["question"], *GOUT["options"])]
    digest = hashlib.sha256(json.dumps(texts, ensure_ascii=False).encode("utf-8")).hexdigest()
    assert record["id"] == f"ce-{digest[:10]}" == record["upstream_key"]
    assert record["concept_id"] == hashlib.sha256('"痛风"'.encode()).hexdigest()[:10]
    assert (record["options_mode"], record["distances"], record["widened"]) == ("given", None, None)
    assert record["prompt"] == GOUT["question"]


@pytest.mark.parametrize(
    ("changes", "pointer"),
    [
        ({"aspect": "procedure"}, "/aspect"),
        ({"concept_class": "test"}, "/aspect"),
        ({"concept_class": "medicine", "aspect": "screening"}, "/aspect"),
        ({"options": ["甲", "乙", "丙"]}, "/options"),
        ({"options": ["甲", "乙", "乙", "丙"]}, "/options"),
        ({"answer": "E"}, "/answer"),
        ({"distances": [0, 1, 2]}, "/distances"),
        ({"distances": [0, 1, 2, -1]}, "/distances/3"),
        ({"concept_id": "C10.668"}, "/concept_id"),
        ({"tree_numbers": ["C10.66"]}, "/tree_numbers/0"),
        ({"options_mode": "nearest"}, "/options_mode"),
    ],
)
def test_the_schema_refuses_other_values(changes, pointer):
    assert [problem.pointer for problem in invalid([made(**changes)], SCHEMA)] == [pointer]


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"id": "ce-0000000000"}, "expected the id of its content"),
        ({"answer": "A"}, "/answer: is not the letter of the concept"),
        ({"distances": [2, 0, 3, 0]}, "/distances: are not 0 at the answer, and only there"),
        ({"distances": [2, 1, 3, 7]}, "/distances: are not 0 at the answer"),
        ({"options_mode": "strict"}, "/distances: are missing, though the options were chosen by a rule"),
    ],
)
def test_what_no_schema_sees_is_found(change, words):
    (problem,) = check({"test": [made() | change]})
    assert words in problem
    assert check({"test": [made(), made(CT), made(distances=[2, 0, 3, 7], question="痛风是什么？")]}) == []


def test_alike_options_a_question_that_stands_twice_and_a_concept_with_two_names_are_found():
    (problem,) = check({"test": [made(options=["ＣＴ", "痛风", "ct", "白内障"])]})
    assert "/options: two options are alike" in problem
    (problem,) = check({"test": [made(), made(options=["近视", "痛风", "骨关节炎", "白内障"])]})
    assert "the question occurs twice" in problem
    other = made(CT, concept_id=made()["concept_id"])
    assert [problem.split(": ")[1] for problem in check({"test": [made(), other]})] == ["/concept", "/concept_class"]


def test_the_interchange_form_is_read(brought, tmp_path):
    built = brought([GOUT, CT])
    assert built.records == {"test": 2}
    assert built.notes == ("1 question has no alias and no English name: only the Chinese name can be masked",)
    found = rows(tmp_path)
    assert found[CT["question"]]["aliases"] == ["CT"]
    assert {row["source"] for row in found.values()} == {"cmhe_ce"}
    assert problems_of(tmp_path / "build" / "medzh") == []
    card = " ".join((tmp_path / "build" / "medzh" / "README.md").read_text(encoding="utf-8").split())
    for words in (
        "a folder on a shared drive, and its format is not documented",
        "Nothing shows that the file is CMHE-CE",
        "Nothing shows that this data is the benchmark",
        "38,576",
    ):
        assert words in card


@pytest.mark.parametrize(
    ("lines", "problem"),
    [
        ([{**GOUT, "answer": "A"}], 'own\\.jsonl:1: field "answer": is not the letter of the concept'),
        ([GOUT, GOUT], r'own\.jsonl:2: field "question": the row repeats another row: .*only once \(first: line 1\)'),
        (
            [GOUT, GOUT | {"options": [*GOUT["options"][:3], "近视"]}],
            ':2: field "question": the row repeats another row',
        ),
        ([GOUT | {"options": GOUT["options"][:3]}], ':1: field "options": the value does not match the schema'),
        ([GOUT | {"aspect": "procedure"}], ':1: field "aspect": the value does not match the schema'),
        (
            [{name: value for name, value in GOUT.items() if name != "concept"}],
            ':1: field "concept": the value is missing: expected a value',
        ),
        (
            [GOUT | {"question": "痛风\ufffd？"}],
            r':1: field "question": character 3 is U\+FFFD: expected text without control characters',
        ),
        (
            [GOUT | {"aliases": ["a\x00"]}],
            r':1: field "aliases/0": character 2 is U\+0000: expected text without control characters',
        ),
        ([GOUT | {"distances": [1, 1, 1, 1]}], ':1: field "distances": are not 0 at the answer'),
        ("[]", r"the file is a JSON array: expected one JSON object per line, or a \.csv or \.xlsx file"),
    ],
)
def test_faulty_files_are_refused(brought, lines, problem):
    with pytest.raises(MedzhError, match=problem):
        brought(lines)


DESCRIPTORS = (
    Descriptor("D018798", "Anemia, Iron-Deficiency", ("C15.1",), ("Anemias, Iron-Deficiency",)),
    Descriptor("D006073", "Gout", ("C05.1",), ("Gouts", "Shared Term", "Anemia")),
    Descriptor("D000740", "Anemia", ("C15",), ("Anemias", "Shared Term")),
)
TABLE = ("concept", "name", "aliases")


@pytest.fixture
def table(tmp_path):
    def write(rows, head=TABLE[:2], name="names.csv"):
        text = io.StringIO(newline="")
        csv.writer(text, lineterminator="\n").writerows([head, *rows])
        (tmp_path / name).write_text(text.getvalue(), encoding="utf-8")
        return tmp_path / name

    return write


def named(path):
    own = {NAMES: SourceFile(NAMES, path, "0" * 64, pinned=False)}
    found = read_named(own, DESCRIPTORS)
    return {DESCRIPTORS[index].name: names for index, names in found.names.items()}, found


def test_tables_have_aliases_and_several_rows_for_one_concept(table):
    rows = [
        ("D018798", "缺铁性贫血", "缺铁贫血|IDA ｜ 小细胞低色素性贫血|"),
        ("D018798", "缺鐵性貧血", ""),
        ("Gout", "", "x"),
    ]
    names, found = named(table(rows, TABLE))
    expected = ["缺铁性贫血", "缺铁贫血", "IDA", "小细胞低色素性贫血", "缺鐵性貧血"]
    assert names == {"Anemia, Iron-Deficiency": expected}
    assert (found.rows, found.left_out) == (3, {"no Chinese name": 1})


@pytest.mark.parametrize(
    ("concept", "name"),
    [
        ("d018798", "Anemia, Iron-Deficiency"),
        ("ＧＯＵＴ", "Gout"),
        ("Anemia,  Iron-Deficiency ", "Anemia, Iron-Deficiency"),
        ("anemias, iron-deficiency", "Anemia, Iron-Deficiency"),
        ("Anemia", "Anemia"),  # a heading comes before an entry term of another one
        ("Shared Term", None),
        ("Anaemia", None),
    ],
)
def test_identifiers_headings_and_terms_of_one_heading_alone_are_found(table, concept, name):
    names, found = named(table([(concept, "某病"), ("Gouts", "痛风")]))
    assert ("某病" in names.get(name, [])) == (name is not None)
    assert sum(found.left_out.values()) == (name is None)


@pytest.mark.parametrize(
    ("rows", "head", "problem"),
    [
        ([("Gout", "痛风\ufffd")], TABLE[:2], r'names\.csv:2: field "name": character 3 is U\+FFFD'),
        ([("Gout", "痛风", "x\ufffd")], TABLE, r'names\.csv:2: field "aliases/0": character 2 is U\+FFFD'),
        ([("", "痛风")], TABLE[:2], r'names\.csv:2: field "concept": the value is missing'),
        ([("Gout", "痛风")], ("english", "name"), 'field "english": unknown column'),
        ([("Gout", "痛风", "x")], TABLE[:2], "the row and the header differ in the number of cells"),
        (
            [("Nothing", "没有")],
            TABLE[:2],
            "no row of the table refers to a MeSH descriptor: .*1 row: the identifier or English name",
        ),
        ([("Gout", "Gicht")], TABLE[:2], "1 row: the name has no Chinese character"),
        ([], TABLE[:2], "no row of the table refers to a MeSH descriptor: .*no rows"),
    ],
)
def test_faulty_tables_are_refused(table, rows, head, problem):
    with pytest.raises(MedzhError, match=problem):
        named(table(rows, head))


TREE = "jzsh2000/pubmed/85950f69240e6de441cbb38b0b0d4faf58baf25a/data/mesh/2017MeshTree.txt"
SAMPLE = SAMPLES / "cmhe_ce"
README = (SAMPLE / "README.md").read_text(encoding="utf-8")
# The headings of those options that are no concepts of the sample.
ENGLISH = dict(case_tables("cmhe_ce_headings")["headings"])


@pytest.fixture(scope="module")
def records():
    return sample_records(SAMPLE / "CMHE-CE.jsonl", MINI_SOURCE, read_own)


def test_options_keep_the_rule_strict_on_the_real_tree(records, upstream_file):
    """Identifiers, tree numbers and distances, read by the csv module and counted by sets of nodes."""
    numbers: dict[str, list[str]] = {}
    identifiers = {}
    with upstream_file(TREE).open(encoding="utf-8-sig", newline="") as stream:
        for row in csv.DictReader(stream, delimiter="\t"):
            numbers.setdefault(row["Term"], []).append(row["Tree Number"])
            identifiers[row["Term"]] = row["Desc Ui"]
    english = ENGLISH | {one["concept"]: one["concept_en"] for one in records.values()}
    for one in records.values():
        own = numbers[one["concept_en"]]
        assert (one["concept_id"], one["tree_numbers"]) == (identifiers[one["concept_en"]], own)
        assert (one["options_mode"], one["widened"]) == ("strict", 0)
        others = [numbers[english[option]] for option in one["options"]]
        assert one["distances"] == [min(_steps(a, b) for a in own for b in other) for other in others]
        assert [steps <= 3 for steps in sorted(one["distances"])] == [True, True, True, False]
        assert max(one["distances"]) >= 6
        wrong = [other for other in others if other != own]
        assert len(wrong) == 3
        assert not any(_above(a) <= _above(b) or _above(b) <= _above(a) for other in wrong for a in own for b in other)
        far = others[one["distances"].index(max(one["distances"]))]
        assert not _branches(own) & _branches(far)
        near = [other for other, steps in zip(others, one["distances"], strict=True) if 0 < steps <= 3]
        assert any(all(min(_steps(number, b) for b in other) <= 3 for other in near) for number in own)


def _above(number):
    parts = number.split(".")
    return {number[0], *(".".join(parts[:count]) for count in range(1, len(parts) + 1))}


def _steps(one, other):
    return len(_above(one) ^ _above(other))


def _branches(numbers):
    """Of diseases and medicines the subtrees; of tests the level below E01.370."""
    found = {number[:3] for number in numbers if number[0] in "CD" or number.startswith("F03")}
    return found | {".".join(number.split(".")[:3]) for number in numbers if number.startswith("E01")}
