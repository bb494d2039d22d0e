"""PeMeBench's pediatric subsets: readers, patterns, real files by loops, hostile files, minis never published."""

from __future__ import annotations

import csv
import io
import json
import re
import shutil
from collections import defaultdict
from contextlib import closing
from dataclasses import replace
from hashlib import sha256

import pytest
from openpyxl import load_workbook
from places import CASE_FILES, ROOT
from tables import case_tables, holds
from tool_runs import lines_of

from dataset_scripts.building.build import build
from dataset_scripts.building.check import check
from dataset_scripts.inputs.question_banks import REASONS, Question, read_cmexam, read_medqa, settle
from dataset_scripts.packaging.schema import read_schema
from dataset_scripts.recipe import dataset, dataset_names
from dataset_scripts.recipes.pemebench.pediatric import MEASURED, PATTERNS, TABLE, matched, published_list, read_list
from dataset_scripts.recipes.pemebench.subsets import read_huatuo, subset
from medzh_score.benchmark.variants import draw_first
from medzh_score.data.records import load_records
from medzh_score.ui.errors import MedzhError

FIVE = ("肺炎", "喉炎", "脑炎", "心肌炎", "尿路结石")
HEAD = ("Question", "Options", "Answer", "Explanation")


def cmexam_row(question, options=FIVE, answer="A"):
    return (question, "\n".join(f"{letter} {text}" for letter, text in zip("ABCDE", options, strict=False)), answer, "")


@pytest.fixture
def write_csv(tmp_path):
    def write(*rows, name="test.csv", head=HEAD):
        path = tmp_path / name
        with path.open("w", encoding="utf-8-sig", newline="") as stream:
            csv.writer(stream).writerows([head, *rows])
        return path

    return write


def test_a_row_is_a_question_or_has_a_reason():
    holds(case_tables("pemebench_cases")["rows_of_a_choice_set"], settled)


def settled(question, options, answer):
    found = settle("own", question, tuple(map(tuple, options)), answer)
    assert isinstance(found, Question) or found in REASONS
    return found.answer if isinstance(found, Question) else found


def test_ids_come_from_question_and_options_alone():
    first = Question("a", "小儿 贫血", "A", ("维生素Ａ", "铁"))
    assert first.digest == Question("b", "小儿贫血", "AB", ("维生素A", "铁 "), "7").digest
    assert first.digest != Question("a", "小儿贫血", "A", ("铁", "维生素A")).digest
    assert len(first.digest) == 10


def test_of_equal_questions_the_first_is_kept_and_of_contradicting_ones_none():
    rows = [
        Question("x", "小儿贫血", "A", FIVE),
        Question("x", "小儿 贫血", "A", FIVE),  # the same
        Question("x", "小儿贫血", "A", ("肺炎", "水痘")),  # the same question and right text, other wrong options
        Question("x", "小儿贫血", "B", ("水痘", "喉炎")),  # another right text
        Question("x", "小儿贫血吗", "A", FIVE),  # worded like it, with the same right text
        Question("x", "小儿发热", "A", FIVE),
        Question("x", "小儿发热", "B", FIVE),  # contradicts it
        Question("x", "成人发热", "A", FIVE),
    ]
    found = subset(iter(rows), "x")
    assert [(question.text, question.answer) for question, _ in found.kept] == [("小儿贫血", "A"), ("小儿贫血", "B")]
    assert (found.found, found.repeated, found.contradicted, found.others) == (8, 3, 2, 1)


@pytest.mark.parametrize("damage", ["\x00", "\ufffd", "\ue5e5", "\u2f00", "\u2fd5"])
def test_a_row_with_a_damaged_text_is_dropped_and_counted(damage):
    sound = Question("x", "小儿贫血", "A", FIVE)
    damaged = [Question("x", f"小儿{damage}发热", "A", FIVE), Question("x", "小儿咳嗽", "A", ("肺炎", f"喉{damage}"))]
    found = subset(iter([sound, *damaged]), "x")
    assert ([question for question, _ in found.kept], found.dropped) == ([sound], {"damaged": 2})


@pytest.mark.parametrize(
    ("rows", "problem"),
    [
        ([], "no question of this source is about children"),
        (["no text"], "no row of this source can be used as a question and scored"),
        ([Question("x", "成人发热", "A", FIVE)], "no question of this source is about children"),
        (
            [Question("x", "小儿发热", "A", FIVE), Question("x", "小儿发热", "B", FIVE)],
            "no question about children remains, because identical questions have different answers",
        ),
    ],
)
def test_a_file_of_which_nothing_is_left_is_refused(rows, problem):
    with pytest.raises(MedzhError, match=problem):
        subset(iter(rows), "x")


def test_cmexam_from_csv_to_records(write_csv, selected):
    path = write_csv(
        cmexam_row("小儿肺炎的并发症有", answer="ABC"),
        cmexam_row("女，3岁，犬吠样咳嗽，诊断是", answer="B"),
        cmexam_row("成人肺炎的病因是"),
        cmexam_row("小儿贫血", answer="nan"),
        cmexam_row("小儿贫血", ("甲", "甲")),
    )
    made, rows = selected("pemebench_cmexam", path)
    assert {text: (row["answer"], row["matched"]) for text, row in rows.items()} == {
        "小儿肺炎的并发症有": ("ABC", ["child"]),
        "女，3岁，犬吠样咳嗽，诊断是": ("B", ["age-years"]),
    }
    for row in rows.values():
        assert row["id"] == row["upstream_key"]
        assert row["options"] == list(FIVE)
        assert (row["source"], row["recipe"]) == ("cmexam", "official")
        assert "多个正确选项" in row["prompt"]
    beside, by_source, by_reason, by_pattern = made.tables
    assert [row[1:] for row in beside.rows] == [("5", "2"), ("60,000", "2,936"), ("not stated", "265 (inferred)")]
    assert by_source.rows == (("cmexam", 5, 2, 1, 0, 0, 2),)
    assert [(row[0], row[2]) for row in by_reason.rows] == [("equal options", 1), ("no answer", 1)]
    assert {row[0]: row[2:] for row in by_pattern.rows if row[2]} == {"child": (1, 1), "age-years": (1, 1)}
    assert made.sources[0]["redistributable"] is False


def medqa_row(question, answer="A", **more):
    options = dict(zip("ABCD", FIVE, strict=False))
    return {"question": question, "options": options, "answer": options[answer], "answer_idx": answer, **more}


def test_medqa_from_json_lines(write_lines, selected, tmp_path):
    rows = [medqa_row("8个月女婴，喘息", "B", meta_info="儿科"), medqa_row("男，40岁，喘息")]
    (row,) = selected("pemebench_medqa", write_lines(tmp_path / "test.jsonl", rows))[1].values()
    assert (row["answer"], row["options"], row["source"]) == ("B", list(FIVE[:4]), "medqa")
    assert row["id"].startswith("pmmedqa-")
    assert "多个" not in row["prompt"]
    assert "只有一个正确选项" in row["prompt"]


def fault(read, path):
    """Give what a reader says of the second line of a file."""
    with pytest.raises(MedzhError) as caught:
        list(read("own", path))
    return caught.value.problem, caught.value.line, caught.value.field


def test_what_is_no_question_of_medqa_is_named(write_lines, tmp_path):
    def of(change):
        rows = [medqa_row("小儿肺炎是"), medqa_row("小儿喉炎是") | change]
        return fault(read_medqa, write_lines(tmp_path / "m.jsonl", rows))

    faults = [
        ({"question": None}, "question"),
        ({"options": ["肺炎"]}, "options"),
        ({"options": {"A": 1}}, "options"),
        ({"options": None}, "options"),
        ({"answer_idx": 1}, "answer_idx"),
        ({"answer_idx": "AB", "answer": None}, "answer_idx"),
        ({"answer": "喉炎"}, "answer"),
    ]
    holds([(change, ("the line is not a MedQA question", 2, field)) for change, field in faults], of)


def test_huatuo_in_all_its_shapes(write_lines, selected, tmp_path):
    lines = [
        {"questions": [["宝宝发热怎么办？", "小孩发烧怎么办？"]], "answers": ["多饮水。", "就医。"]},
        {"questions": ["婴儿腹泻怎么办？"], "answers": [["补液。"]]},
        {"id": 7, "question": "新生儿黄疸要紧吗？", "answer": "多数不要紧。", "label": "x"},
        {"questions": "成人发热怎么办？", "answers": "休息。"},
        {"questions": [], "answers": ["无"]},
        {"questions": "小儿咳嗽怎么办？", "answers": []},
        {"questions": "小儿咳嗽怎么办？", "answers": ["https://example.org/1"]},
        {"questions": "宝宝发热怎么办？", "answers": "另一种回答。"},
    ]
    made, rows = selected("pemebench_huatuo", write_lines(tmp_path / "h.jsonl", lines))
    assert {text: row["answer"] for text, row in rows.items()} == {
        "宝宝发热怎么办？": "多饮水。",
        "婴儿腹泻怎么办？": "补液。",
        "新生儿黄疸要紧吗？": "多数不要紧。",
    }
    assert rows["新生儿黄疸要紧吗？"]["upstream_key"] == "7"
    assert all(row["prompt"] == text for text, row in rows.items())
    assert made.notes[0] == (
        "Only the first question text and the first answer of each question were used. 2 other texts were discarded."
    )
    assert made.tables[1].rows == (("huatuo", 8, 3, 1, 1, 0, 3),)
    assert [(row[0], row[2]) for row in made.tables[2].rows] == [("no text", 1), ("no answer", 1), ("link", 1)]


def test_what_is_no_line_of_huatuo_is_named(write_lines, tmp_path):
    def of(line):
        return fault(read_huatuo, write_lines(tmp_path / "h.jsonl", [{"question": "小儿", "answer": "甲"}, line]))

    faults = [
        ({"answers": "甲"}, "the field is missing", "questions"),
        ({"questions": "小儿"}, "the field is missing", "answers"),
        ({"questions": 1, "answers": "甲"}, "wrong type", "questions"),
        ({"questions": ["小儿", {"a": 1}], "answers": "甲"}, "wrong type", "questions"),
        ({"questions": "小儿", "answers": [True]}, "wrong type", "answers"),
    ]
    holds([(line, (problem, 2, field)) for line, problem, field in faults], of)


def test_the_spreadsheet_and_the_csv_give_the_same_questions(write_csv, tmp_path):
    from openpyxl import Workbook

    rows = [cmexam_row("小儿肺炎的并发症有", answer="AB"), cmexam_row("小儿喉炎是", FIVE[:4], "D")]
    book = Workbook()
    for row in [HEAD, *rows]:
        book.active.append([cell.replace("\n", "\\n") for cell in row])
    book.save(tmp_path / "val.xlsx")
    of_sheet = list(read_cmexam("cmexam", tmp_path / "val.xlsx"))
    of_csv = list(read_cmexam("cmexam", write_csv(*rows)))
    assert [one.digest for one in of_sheet] == [one.digest for one in of_csv]
    assert [one.answer for one in of_sheet] == ["AB", "D"]


PREFIXES = {"pemebench_cmexam": "pmcmexam", "pemebench_medqa": "pmmedqa", "pemebench_huatuo": "pmhuatuo"}
CHOICE = ("pemebench_cmexam", "pemebench_medqa")
CONFIGS = tuple(PREFIXES)


@pytest.mark.parametrize("config", CONFIGS)
def test_none_of_them_is_ever_published_and_the_card_says_why(config, minis):
    declared = dataset(config)
    assert declared.never_published
    assert [recipe.name for recipe in declared.recipes] == ["official", "mini"]
    card = " ".join((minis / "README.md").read_text(encoding="utf-8").split())
    section = card.split(f"## `{config}`")[1]
    assert f"never published here, because {declared.never_published}" in section
    for said in ("paper", "pemebench/pediatric.toml", "320", "94%", "one reader, a language model and no physician"):
        assert said in section
    assert PATTERNS.replace("_", "\\_") in card or PATTERNS in card
    assert MEASURED in card


def test_other_configs_may_be_published_where_their_sources_allow_it():
    assert {name for name in dataset_names() if dataset(name).never_published} == set(CONFIGS)


@pytest.mark.parametrize("config", CHOICE)
def test_letters_beyond_the_options_are_refused_by_the_schema(config):
    from jsonschema import Draft202012Validator

    schema = read_schema(dataset(config).schema)
    row = {
        "id": f"{PREFIXES[config]}-0123456789",
        "question": "小儿肺炎是",
        "options": ["甲", "乙"],
        "answer": "AB",
        "matched": ["child"],
        "prompt": "p",
        "source": "s",
        "recipe": "mini",
        "upstream_key": "k",
    }
    validator = Draft202012Validator(schema)
    assert validator.is_valid(row)
    for wrong in (
        {"answer": "BA"},
        {"answer": "AA"},
        {"answer": "C"},
        {"answer": ""},
        {"answer": "a"},
        {"options": ["甲", "乙", "丙"], "answer": "D"},
        {"options": ["甲", "乙", "丙", "丁"], "answer": "E"},
        {"options": list("甲乙丙丁戊己")},
        {"options": ["甲"], "answer": "A"},
        {"matched": []},
        {"recipe": "open"},
        {"id": f"{PREFIXES[config]}-0123"},
    ):
        assert not validator.is_valid(row | wrong), wrong
    assert validator.is_valid(row | {"options": list("甲乙丙丁戊"), "answer": "ABCDE"})


CMEXAM = "kyre-99/CMExam-Dataset/303a45e554c059c773be4cb951acb7247b405f74/val.xlsx"
APOLLO = "FreedomIntelligence/Apollo/505c48e82207b36cf3921df61fcd58895fb6ca4e/metadata/test/zh.json"


def cmexam(upstream_file, folder):
    """Give CMExam's validation split as it is, and its rows: question, options with their letters, right letters."""
    file = shutil.copy(upstream_file(CMEXAM), folder / "val.xlsx")
    with closing(load_workbook(file, read_only=True)) as opened:
        _, *rows = opened.worksheets[0].iter_rows(values_only=True)
    pairs = [(str(question), str(options).split("\\n"), str(answer)) for question, options, answer, *_ in rows]
    return file, [
        (question, [option[1:].strip(" .、") for option in options], answer) for question, options, answer in pairs
    ]


def medqa(upstream_file, folder):
    """Write MedQA's test questions of mainland China, which Apollo holds, as MedQA does."""
    rows = [row for row in json.loads(upstream_file(APOLLO).read_bytes()) if row["source"] == "medqa-mcmle"]
    shown = [
        (row["question"], [line[4:].removesuffix(".").strip() for line in row["options"].split("\n")], row["answer"][1])
        for row in rows
    ]
    file = folder / "test.jsonl"
    lines = [
        {"question": question, "options": dict(zip("ABCDE", options, strict=False)), "answer_idx": answer}
        for question, options, answer in shown
    ]
    file.write_text("".join(json.dumps(line, ensure_ascii=False) + "\n" for line in lines), encoding="utf-8")
    assert len(lines_of(file)) == len(rows)
    return file, shown


def folded(text):
    return re.sub(r"\s", "", text)


@pytest.mark.parametrize(
    ("config", "write", "found", "selected"),
    [("pemebench_cmexam", cmexam, 6811, 319), ("pemebench_medqa", medqa, 3426, 425)],
)
def test_what_the_patterns_select_is_kept_as_it_stands_or_counted(
    config, write, found, selected, upstream_file, tmp_path
):
    """The paper counts 4.9 % of CMExam and 6.3 % of MedQA in all languages."""
    file, rows = write(upstream_file, tmp_path)
    made = build(config, "official", tmp_path / "out", given=[str(file)])
    assert check(tmp_path / "out").problems == []
    records = load_records(tmp_path / "out", config).rows
    assert len(rows) == found
    children = [row for row in rows if matched(row[0])]
    assert len(children) == selected
    there = defaultdict(set)
    for question, options, answer in children:
        there[folded(question)].add((tuple(map(folded, options)), answer))
    for record in records:
        shown = (tuple(map(folded, record["options"])), record["answer"])
        assert shown in there[folded(record["question"])]
        assert record["matched"] == matched(record["question"])
    (account,) = (table.rows[0] for table in made.tables if table.columns[:2] == ("source", "found"))
    _, total, broken, others, repeated, contradicted, kept = account
    assert (total, total - broken - others - repeated - contradicted) == (found, kept) == (found, len(records))
    assert selected - kept <= repeated + contradicted + broken
    assert 0.9 * selected < kept
    counts = {name: (many, alone) for name, _, many, alone in made.tables[-1].rows}
    names = [record["matched"] for record in records]
    assert counts == {name: (sum(name in one for one in names), sum([name] == one for one in names)) for name in counts}


LABELS = lines_of(CASE_FILES / "pemebench_pediatric_labels.jsonl")
PARENTS = lines_of(CASE_FILES / "pemebench_pediatric_parents.jsonl")
CARD = ROOT / "cards" / "pemebench_huatuo.md.jinja"
SAMPLE = "Toyhom/Chinese-medical-dialogue-data/26724a4357fcd142f0cab81188cacf1a2dd8a827/样例_内科5000-6000.csv"


def test_it_finds_children_and_leaves_others_alone():
    rows = case_tables("pemebench_cases")["children"]
    holds(rows, matched)
    assert {name for _, names in rows for name in names} == {pattern.name for pattern in published_list().patterns}


def test_only_the_question_is_looked_at_in_half_width_without_spaces():
    listed = published_list()
    assert listed.looked_at("女，　３ 岁：\n发热") == "女,3岁:发热"
    assert matched("女，３\n岁") == matched("女,3岁") != []


def test_the_digest_is_that_of_the_file():
    content = TABLE.read_bytes().replace(b"\r\n", b"\n")
    assert f"pemebench/pediatric.toml, SHA-256 {sha256(content).hexdigest()}" == PATTERNS


def test_terms_expressions_blanks_and_exceptions_work_as_described(tmp_path):
    file = tmp_path / "list.toml"
    file.write_text(
        '[terms]\nbaby = "婴 婴儿"\n[expressions]\nfew = "[1-3]"\n[blank]\nb = ["试管婴儿"]\n'
        '[[pattern]]\nname = "a"\nmeaning = "m"\nfound = ["@baby", "@few岁"]\nunless = ["成人"]\n',
        encoding="utf-8",
    )
    listed = read_list(file)
    texts = {"婴儿": ["a"], "2岁": ["a"], "4岁": [], "试管婴儿": [], "成人与婴儿": [], "试管婴儿，2岁": ["a"]}
    assert {text: listed.matched(text) for text in texts} == texts


def test_what_is_stated_of_precision_and_recall_follows_from_the_labels():
    selected = [row["children"] for row in LABELS if row["selected"]]
    others = [row["children"] for row in LABELS if not row["selected"]]
    stated = [int(number) for number in re.findall(r"\d+", MEASURED)]
    assert (stated[0] + stated[2], stated[1] + stated[3]) == (sum(selected), len(selected)) == (320, 339)
    assert stated[4:] == [sum(others), len(others)] == [2, 600]


def test_what_the_card_states_of_parents_questions_follows_from_the_labels_and_a_seeded_draw(upstream_file):
    """The sample has few questions of parents, so that it is a hard case; its texts are not repeated here."""
    content = upstream_file(SAMPLE).read_bytes().decode("gb18030")
    rows = csv.DictReader(io.StringIO(content))
    texts = {f"{row['title'].strip()} {row['ask'].strip()}" for row in rows}
    selected = {text for text in texts if matched(text)}
    drawn = {True: draw_first(selected, str, 60, 20261), False: draw_first(texts - selected, str, 120, 20261)}
    for chosen, some in drawn.items():
        assert {sha256(text.encode("utf-8")).hexdigest()[:10] for text in some} == {
            row["id"] for row in PARENTS if row["selected"] is chosen
        }
    counts = [sum(row["children"] for row in PARENTS if row["selected"] is chosen) for chosen in drawn]
    card = " ".join(CARD.read_text(encoding="utf-8").split())
    assert f"{len(texts):,} different questions" in card
    assert f"{len(selected)} are selected. Of 60 of these" in card
    assert f"{counts[0]} are about children, a precision of {counts[0] / 60:.0%}" in card
    assert f"Of 120 sampled from the rest {counts[1]} is" in card


def test_the_share_that_the_card_states_is_that_of_the_validation_split(upstream_file):
    questions = [row for row in read_cmexam("cmexam", upstream_file(CMEXAM)) if isinstance(row, Question)]
    selected = sum(bool(matched(question.text)) for question in questions)
    card = " ".join((ROOT / "cards" / "pemebench_cmexam.md.jinja").read_text(encoding="utf-8").split())
    share = f"{selected} are selected, {selected / len(questions):.1%}"
    assert f"Of the {len(questions):,} usable questions of the validation split {share}." in card


def test_the_labels_are_of_what_the_list_selects_and_of_a_seeded_draw_of_the_rest(upstream_file):
    rows = read_cmexam("cmexam", upstream_file(CMEXAM))
    questions = {row.digest: row for row in rows if isinstance(row, Question)}
    patterns = replace(published_list(), aside=None)
    selected = {digest for digest, question in questions.items() if patterns.matched(question.text)}
    aside = {digest for digest in selected if not matched(questions[digest].text)}
    of_children = {row["id"].removeprefix("pmcmexam-") for row in LABELS if row["children"]}
    assert f" {len(aside & of_children)} of {len(aside)} set aside" in MEASURED
    labelled = {row["id"].removeprefix("pmcmexam-"): row["selected"] for row in LABELS}
    drawn = draw_first(questions.keys() - selected, str, 600, 20260)
    assert {digest for digest, chosen in labelled.items() if chosen} == selected
    assert {digest for digest, chosen in labelled.items() if not chosen} == set(drawn)
    assert len(questions) - len(selected) == 6460
