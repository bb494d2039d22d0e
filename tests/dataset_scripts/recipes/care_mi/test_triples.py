"""Triples of BIOS and CPubMed: which are taken, and every wording beside the released one."""

from __future__ import annotations

import tomllib

import pytest
from tables import case_tables, holds

from dataset_scripts.recipe import SourceFile
from dataset_scripts.recipes.care_mi.negation import negated_as_released
from dataset_scripts.recipes.care_mi.relations import TABLE, Wording, state, wordings
from dataset_scripts.recipes.care_mi.topics import Topic
from dataset_scripts.recipes.care_mi.triples import NAMES, RELATIONS, TERMS, Triple, read_bios, read_cpubmed
from dataset_scripts.recipes.care_mi.true_statements import state_triples
from medzh_score.messages.errors import MedzhError

TOPIC = Topic(frozenset({"前置胎盘", "产前出血", "孕妇", "妊娠期妇女", "胎盘早剥", "胎儿窘迫"}), (), "made up")
BIOS = {
    TERMS: "C1|S1|前置胎盘|CHS\nC1|S2|placenta previa|ENG\nC2|S3|妊娠女性|CHS\nC2|S4|孕妇|CHS\nC3|S5|骨折|CHS\n"
    "C4|S6|产前出血|CHS\nC5|S7|antepartum|ENG\n",
    RELATIONS: "R1|C1|C4|K1\nR2|C1|C4|K1\nR3|C1|C3|K1\nR4|C2|C1|K2\nR5|C1|C4|K9\nR6|C1|C1|K1\nR7|C5|C1|K1\n",
    NAMES: "K1|CHS|可导致\nK1|ENG|may cause\nK2|CHS|禁忌用药\nK9|ENG|is a\n",
}
WORDINGS = case_tables("care_mi_rebuilt")["wordings"]


def source(name, path):
    return SourceFile(name, path, "0" * 64, pinned=False)


@pytest.fixture
def bios(tmp_path):
    def write(**changes):
        files = {}
        for name, text in (BIOS | {key.replace("_", "-"): value for key, value in changes.items()}).items():
            path = tmp_path / f"{name}.txt"
            path.write_bytes(text if isinstance(text, bytes) else text.encode())
            files[name] = source(name, path)
        return files

    return write


def test_bios_gives_triples_whose_concepts_both_have_a_word_of_the_topic(bios):
    found = read_bios(bios(), TOPIC)
    # A concept is called by its first Chinese term, and selected by any of them.
    assert found.triples == [
        Triple("BIOS", "前置胎盘", "可导致", "产前出血", "C1|K1|C4"),
        Triple("BIOS", "妊娠女性", "禁忌用药", "前置胎盘", "C2|K2|C1"),
    ]
    assert found.total == 7
    assert found.left_out == {
        "head or tail is not a word of the topic": 2,
        "the triple stands twice": 1,
        "the relation has no Chinese name": 1,
        "head and tail are the same": 1,
    }
    assert found.total == len(found.triples) + found.left_out.total()


def test_bios_with_marks_and_other_line_ends_is_the_same(bios):
    expected = read_bios(bios(), TOPIC)
    changed = {name.replace("-", "_"): f"\ufeff{text}".replace("\n", "\r\n") for name, text in BIOS.items()}
    assert read_bios(bios(**changed), TOPIC) == expected


@pytest.mark.parametrize(
    ("changes", "problem"),
    [
        ({"bios_relations": "R1|C1\n"}, "bios-relations.txt:1: is no row of the table"),
        ({"bios_concept_terms": "C1,S1,前置胎盘,CHS\n"}, "at least 4 cells"),
        ({"bios_concept_terms": "C1|S1|前置胎盘|CHS\n".encode("gb18030")}, "UTF-8"),
    ],
)
def test_faulty_tables_of_bios_are_refused(bios, changes, problem):
    with pytest.raises(MedzhError, match=problem):
        read_bios(bios(**changes), TOPIC)


def test_bios_without_one_of_its_tables_is_refused(bios):
    files = bios()
    del files[NAMES]
    with pytest.raises(MedzhError, match=r"BIOS is not complete.*give bios-relation-names"):
        read_bios(files, TOPIC)


def test_cpubmed_gives_triples_without_their_types(tmp_path):
    path = tmp_path / "cpubmed.tsv"
    rows = [
        "HEAD\tREL\tTAIL",
        "前置胎盘@@疾病\t相关（导致）\t产前出血@@疾病",
        "前置胎盘@@疾病\t相关（导致）\t产前出血@@症状",
        "胎盘早剥@@疾病\t鉴别诊断\t胎盘早剥@@疾病",
        "骨折@@疾病\t预防\t孕妇@@其他",
        "胎盘早剥\t\t胎儿窘迫",
        '"胎盘早剥@@疾病"\t"预防"\t"产前 ""检查"""',
        '"前置胎盘@@疾病"\t相关（导致）\t"产前出血@@症状"',
        "",
    ]
    path.write_bytes("\r\n".join(rows).encode("utf-8-sig"))
    found = read_cpubmed(path, TOPIC)
    assert found.triples == [
        Triple("CPubMed", "前置胎盘", "相关（导致）", "产前出血", "前置胎盘|相关（导致）|产前出血")
    ]
    assert found.left_out == {
        "the triple stands twice": 2,
        "head and tail are the same": 1,
        "head or tail is not a word of the topic": 2,
        "head, relation or tail is empty or damaged": 1,
    }


@pytest.mark.parametrize(
    ("content", "problem"),
    [
        ("头\t关系\t尾\n", "has another header"),
        ("", "has another header"),
        ("HEAD,REL,TAIL\n", "is no row of the table"),
        ("HEAD\tREL\tTAIL\n前置胎盘@@疾病\t预防\n", ":2: is no row of the table"),
    ],
)
def test_a_faulty_table_of_cpubmed_is_refused(tmp_path, content, problem):
    path = tmp_path / "cpubmed.tsv"
    path.write_text(content, encoding="utf-8")
    with pytest.raises(MedzhError, match=problem):
        read_cpubmed(path, TOPIC)


def test_every_wording_is_the_released_one_or_mended():
    def worded(label, relation):
        stated = state(Triple(label, "H", relation, "T", ""))
        released = wordings()[label, relation.replace("（", "(").replace("）", ")")].released
        texts = [released.format(head="H", relation=relation, tail="T"), stated.statement, stated.negated]
        return texts, any(rule.endswith("-mended") for rule in stated.rules)

    rows = [[label, relation, (texts, texts[0] != texts[1])] for label, relation, *texts in WORDINGS]
    holds(rows, worded)


def test_negations_are_those_of_the_released_rule_where_it_hits_the_verb():
    """It hits no verb where none of 应, 为, 是 and 可 is one; in 转化为 it hits the wrong one."""
    by_rule = {relation: (negated_as_released(released), negated) for _, relation, released, _, negated in WORDINGS}
    wrong = {by_rule.pop(relation)[0] for relation in ("相关（转化）", "鉴别诊断")}
    assert wrong == {"H可能会转化不为T", "H不可以鉴别诊断T"}
    assert {relation: texts for relation, texts in by_rule.items() if texts[0] not in {"", texts[1]}} == {}


def test_every_wording_of_the_table_has_a_case():
    tables = tomllib.loads(TABLE.read_text(encoding="utf-8"))["wording"]
    assert len(tables) == len(WORDINGS)
    relations = [(table["source"], relation) for table in tables for relation in table["relations"]]
    assert len(relations) == len(set(relations))
    assert {(source, relation) for source, relation, *_ in WORDINGS} <= set(relations)
    assert all(isinstance(wording, Wording) for wording in wordings().values())


@pytest.mark.parametrize(
    ("relation", "statement", "negated", "by"),
    [
        ("可导致", "H可导致T", "H不可导致T", "negation-可"),
        ("是一种", "H是一种T", "H不是一种T", "negation-是"),
        ("影响", "H影响T", "", ""),
    ],
)
def test_an_unknown_relation_of_bios_stands_in_a_row(relation, statement, negated, by):
    (made,) = state_triples([Triple("BIOS", "H", relation, "T", "k")]).statements
    assert (made.text, made.negated, made.negated_by) == (statement, negated, by)
    assert made.rules == ("wording-in-a-row",)


def test_an_unknown_relation_of_cpubmed_is_counted_and_left_out():
    made = state_triples([Triple("CPubMed", "H", "没见过", "T", ""), Triple("CPubMed", "H", "预防", "T", "k")])
    assert made.left_out == {("CPubMed", "the relation is unknown"): 1}
    assert [(one.text, one.key, one.answer) for one in made.statements] == [("T有助于预防H", "k", "")]


def test_braces_in_a_name_stay():
    assert state(Triple("BIOS", "{tail}", "包含", "{head}", "")).statement == "{tail}包含{head}"
