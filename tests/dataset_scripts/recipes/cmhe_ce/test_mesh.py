"""CMHE-CE by the recipe mesh: from MeSH and names to a build; small trees are made here."""

from __future__ import annotations

import csv
import io
import json
from collections import Counter

import pytest
from places import ROOT
from recipe_work import Work, problems_of

from dataset_scripts.cli.main import main
from medzh_score.data.records import load_records

# Real descriptors with their names; their places here are made up, but for the classes.
PLACES = {
    "Anemia": ("D000740", "C15.378.071"),
    "Anemia, Iron-Deficiency": ("D018798", "C15.378.071.196"),
    "Anemia, Aplastic": ("D000741", "C15.378.071.085"),
    "Anemia, Hemolytic": ("D000743", "C15.378.071.141"),
    "Gout": ("D006073", "C05.550.114.423"),
    "Arthritis": ("D001168", "C05.550.114"),
    "Tendinopathy": ("D052256", "C05.651.869"),
    "Metformin": ("D008687", "D02.078.370"),
    "Body Regions": ("D001829", "A01"),
}
CHINESE = {
    "Anemia": "贫血",
    "D018798": "缺铁性贫血",
    "anemia,  aplastic": "再生障碍性贫血",
    "Anemia, Hemolytic": "溶血性贫血",
    "Gout": "痛风",
    "Arthritis": "关节炎",
    "Body Regions": "身体部位",
    "No Such Thing": "没有",
}
RECORD = (
    "<DescriptorRecord><DescriptorUI>{}</DescriptorUI><DescriptorName><String>{}</String></DescriptorName>"
    "<TreeNumberList><TreeNumber>{}</TreeNumber></TreeNumberList><ConceptList><Concept PreferredConceptYN='Y'>"
    "<ScopeNote>{}</ScopeNote><TermList><Term><String>{}, Other</String></Term></TermList></Concept></ConceptList>"
    "</DescriptorRecord>"
)


def names(work, rows):
    text = io.StringIO(newline="")
    csv.writer(text, lineterminator="\n").writerows([("concept", "name"), *rows])
    work.write("names.csv", text.getvalue().rstrip("\n"))


def xml(work, without=()):
    """Bring the tree as XML, with notes on all but some."""
    records = "".join(
        RECORD.format(identifier, name, number, "" if name in without else f"What {name} is.", name)
        for name, (identifier, number) in PLACES.items()
    )
    work.write("desc2025.xml", f"<?xml version='1.0'?><DescriptorRecordSet>{records}</DescriptorRecordSet>")
    work.sources["mesh"] = "desc2025.xml"


@pytest.fixture
def work(tmp_path):
    work = Work("cmhe_ce", "mesh", tmp_path)
    rows = [f"{number}\t{identifier}\t{name}" for name, (identifier, number) in PLACES.items()]
    work.write("tree.txt", "\n".join(["Tree Number\tDesc Ui\tTerm", *rows]))
    names(work, CHINESE.items())
    work.sources = {"mesh-names": "names.csv", "mesh": "tree.txt"}
    return work


def test_what_has_a_name_a_class_and_options_is_asked_about(work, capsys):
    assert work.build() == 0
    records = work.records()
    assert problems_of(work.out) == []
    # Gout and Arthritis have no two near options, and nothing else is a disease with a name.
    assert Counter(one["concept"] for one in records) == dict.fromkeys(
        ("贫血", "缺铁性贫血", "再生障碍性贫血", "溶血性贫血"), 4
    )
    assert {one["options_mode"] for one in records} == {"paper"}
    assert {one["source"] for one in records} == {"mesh"}
    assert Counter(one["answer"] for one in records) == dict.fromkeys("ABCD", 4)
    iron = next(one for one in records if one["concept_id"] == "D018798")
    assert (iron["concept_en"], iron["aliases"]) == ("Anemia, Iron-Deficiency", ["Iron-Deficiency Anemia"])
    assert (iron["tree_numbers"], iron["scope_note"], iron["upstream_key"]) == (["C15.378.071.196"], "", "D018798")
    out = capsys.readouterr().out
    for line in (
        "Note: MeSH of an unknown year (mesh): 9 descriptors; 0 of them are not in the tree",
        "Note: 2 descriptors that belong to a class have no Chinese name in the table and were excluded",
        "Note: 1 descriptors with a Chinese name belong to no class",
        "Note: table of names: 1 row was excluded: the identifier or English name is not in MeSH",
        "Note: the concepts were not selected by an expert; all concepts with a Chinese name were used",
        "this gives 37,516, but the paper states 38,576 (erratum C1)",
    ):
        assert line in out
    rows = {tuple(line.split()) for line in out.splitlines()}
    assert ("disease", "7", "6", "4", "7,096") in rows  # in MeSH, named, with options, the paper's
    assert ("medicine", "1", "0", "0", "1,753") in rows
    assert ("disease", "excluded:", "fewer", "than", "two", "options", "within", "5", "steps", "2") in rows


def test_equal_sources_and_seed_give_equal_records_and_another_seed_others(work):
    built = {}
    for name, seed in (("a", "0"), ("b", "0"), ("c", "1")):
        work.out = work.place / name / "medzh"
        assert work.build("--seed", seed) == 0
        built[name] = work.records()
    assert built["a"] == built["b"] != built["c"]


def noted(work, capsys, name="notes.jsonl"):
    """Write notes as predictions: status, what is said, and the file."""
    out = work.place / name
    status = main(["scope-notes", "cmhe_ce", "--data", str(work.out), "--output", str(out)])
    return status, capsys.readouterr().err, out


def test_xml_brings_aliases_the_year_and_scope_notes_which_are_written_as_predictions(work, capsys):
    xml(work)
    assert work.build() == 0
    assert "Note: MeSH 2025 (mesh): 9 descriptors" in capsys.readouterr().out
    records = work.records()
    iron = next(one for one in records if one["concept_id"] == "D018798")
    assert iron["aliases"] == ["Iron-Deficiency Anemia", "Anemia, Iron-Deficiency, Other"]
    assert iron["scope_note"] == "What Anemia, Iron-Deficiency is."
    status, said, out = noted(work, capsys)
    assert (status, said) == (0, "Wrote scope notes for 16 of 16 questions.\n")
    lines = [json.loads(line) for line in out.read_text(encoding="utf-8").splitlines()]
    assert {line["id"]: line["prediction"] for line in lines} == {one["id"]: one["scope_note"] for one in records}
    assert {line["model"] for line in lines} == {"scope notes"}


def test_questions_without_a_note_are_left_out_and_a_build_without_any_is_refused(work, capsys):
    xml(work, without=["Anemia, Aplastic"])
    work.build()
    status, said, _ = noted(work, capsys)
    assert status == 0
    assert said == "Wrote scope notes for 12 of 16 questions.\n4 questions have no scope note and were excluded.\n"
    work.sources["mesh"] = "tree.txt"
    work.build()
    status, said, out = noted(work, capsys, "none.jsonl")
    assert (status, out.exists()) == (2, False)
    assert "no record has a scope note" in said
    assert main(["scope-notes", "cmhe_ce", "--data", str(work.out), "--output", str(work.out / "notes.jsonl")]) == 2
    assert main(["scope-notes", "sdak", "--data", str(work.out)]) == 2


@pytest.mark.parametrize(
    ("missing", "problem"),
    [("mesh-names", "the Chinese names of concepts are missing"), ("mesh", "the MeSH tree is missing")],
)
def test_both_sources_are_needed(work, capsys, missing, problem):
    del work.sources[missing]
    assert work.build() == 2
    assert problem in capsys.readouterr().err


def test_concepts_that_share_a_chinese_name_are_counted_and_never_meet(work, capsys):
    names(work, [*CHINESE.items(), ("Tendinopathy", "痛 风")])
    assert work.build() == 0
    said = capsys.readouterr().out
    assert "Note: 2 concepts have the same Chinese name as another concept of their class" in said
    assert not any({"痛风", "痛 风"} <= set(one["options"]) for one in work.records())


def test_the_real_tree_is_built_with_dozens_of_names(work, upstream_root, monkeypatch, capsys):
    """The options of real concepts, by names of ours."""
    monkeypatch.setenv("MEDZH_SOURCES", str(upstream_root))
    pairs = (
        "D016878 POEMS综合征|D003449 冷球蛋白血症|D007161 免疫增生性小肠病|D000168 尖头并指畸形|D009101 多发性骨髓瘤|"
        "D018798 缺铁性贫血|D000741 再生障碍性贫血|D000743 溶血性贫血|D006073 痛风|D002386 白内障|D001249 哮喘|"
        "D008687 二甲双胍|D010629 苯乙双胍|D002026 丁双胍|D003975 地西泮|D004562 心电图|D004452 超声心动图|"
        "D005080 运动试验|D005773 胃镜检查|D003113 结肠镜检查|D004384 十二指肠镜检查"
    )
    names(work, [tuple(pair.split()) for pair in pairs.split("|")])
    del work.sources["mesh"]
    assert work.build() == 0
    assert problems_of(work.out) == []
    records = {one["concept"]: one for one in work.records()}
    assert set(records["缺铁性贫血"]["options"]) >= {"缺铁性贫血", "再生障碍性贫血", "溶血性贫血"}
    assert set(records["二甲双胍"]["options"]) == {"二甲双胍", "苯乙双胍", "丁双胍", "地西泮"}
    assert sorted(records["二甲双胍"]["distances"]) == [0, 2, 2, 12]
    poems = records["POEMS综合征"]
    assert {"冷球蛋白血症", "免疫增生性小肠病"} < set(poems["options"])
    out = capsys.readouterr().out
    assert "source: mesh-tree-2017 (pinned, verified)" in out
    assert ("disease", "4,860", "11") in {tuple(line.split())[:3] for line in out.splitlines()}


def test_the_names_of_the_open_set_are_a_table_of_names(work, upstream_root, monkeypatch, capsys):
    monkeypatch.setenv("MEDZH_SOURCES", str(upstream_root))
    table = ROOT / "dataset_scripts/recipes/cmhe_ce/open/names.jsonl"
    work.write("names.jsonl", table.read_text(encoding="utf-8").rstrip("\n"))
    work.sources["mesh-names"] = "names.jsonl"
    del work.sources["mesh"]
    assert work.build() == 0
    named = {one["concept_en"]: one["concept"] for one in work.records()}
    assert {one["concept_en"] for one in load_records("open", "cmhe_ce").rows} <= named.keys()
    assert named["Psoriasis"] == "银屑病"
    assert len(named) > 1_100
    assert "mesh-tree-2017 (pinned, verified)" in capsys.readouterr().out
