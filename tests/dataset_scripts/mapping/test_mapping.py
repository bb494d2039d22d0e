from __future__ import annotations

import json

import pytest

from dataset_scripts.mapping.answers import read_answer
from dataset_scripts.mapping.data_files import read_data_file
from dataset_scripts.mapping.mapping_file import read_mapping
from dataset_scripts.mapping.options import OptionsAt, read_options
from dataset_scripts.mapping.values import UnmappedError
from dataset_scripts.recipes.tcmd.own_reader import form
from medzh_score.messages.errors import MedzhError

ORGANS = ["心", "肝", "脾", "肺", "肾"]
TEXT = OptionsAt(("o",), "text")
LETTERED = OptionsAt(("o",), "text", labels=True)
LINES = OptionsAt(("o",), "text", separator="\n")
LETTERED_LINES = OptionsAt(("o",), "text", separator="\n", labels=True)
BACKSLASHES = OptionsAt(("o",), "text", separator="\\n", labels=True)
LIST = OptionsAt(("o",), "list")
LETTERED_LIST = OptionsAt(("o",), "list", labels=True)
OBJECT = OptionsAt(("o",), "object")
COLUMNS = OptionsAt(("a", "b", "c", "d", "e"), "columns")


@pytest.mark.parametrize(
    ("at", "values", "options"),
    [
        (LINES, ["心\n肝\n 脾 \n肺\n肾\n"], ORGANS),
        (OptionsAt(("o",), "text", separator="|"), ["心|肝|脾|肺|肾"], ORGANS),
        (LETTERED_LINES, ["A 心\nB 肝\nC 脾\nD 肺\nE 肾"], ORGANS),
        (BACKSLASHES, ["A 心\\nB 肝\\nC 脾"], ORGANS[:3]),
        (LETTERED, ["A．心\nB．肝\nC．脾\nD．肺\nE．肾"], ORGANS),
        (LETTERED, ["A. 心 B. 肝 C. 脾 D. 肺 E. 肾"], ORGANS),
        (LETTERED, ["A、心B、肝C、脾D、肺E、肾"], ORGANS),
        (LETTERED, ["（A）心；（B）肝；（C）脾"], ORGANS[:3]),
        (LETTERED, ["Ａ：心\r\nＢ：肝"], ORGANS[:2]),
        (LETTERED, ["a) 心\nb) 肝"], ORGANS[:2]),
        (LETTERED, ["A 心\nB 肝"], ORGANS[:2]),
        (LETTERED, ["A．维生素A缺乏 B．维生素 B 缺乏"], ["维生素A缺乏", "维生素 B 缺乏"]),
        (LETTERED, ["A．CT B．PPD试验"], ["CT", "PPD试验"]),
        (LIST, [ORGANS], ORGANS),
        (LIST, [["1", 2, 0.5, " 3 "]], ["1", "2", "0.5", "3"]),
        (LIST, [["心", "肝", "", None]], ["心", "肝"]),
        (LETTERED_LIST, [["A．心", "B. 肝", "(C)脾"]], ORGANS[:3]),
        (OBJECT, [{"A": "心", "B": "肝", "C": "脾"}], ORGANS[:3]),
        (OBJECT, [{"b": "肝", "ａ": "心", "C": "", "D": None}], ORGANS[:2]),
        (COLUMNS, ["心", "肝", "脾", "肺", "肾"], ORGANS),
        (COLUMNS, ["心", "肝", " 脾", "", None], ORGANS[:3]),
        # A gap is no option that can be left out: the schema refuses the empty text.
        (COLUMNS, ["心", "", "脾", "", ""], ["心", "", "脾"]),
    ],
)
def test_options_are_separated(at, values, options):
    assert read_options(at, values) == options


@pytest.mark.parametrize(
    ("at", "values", "words"),
    [
        (LETTERED, ["心 肝 脾"], "cannot be separated by letters"),
        (LETTERED, ["A．心 C．脾"], "cannot be separated by letters"),
        (LETTERED, ["B．肝 A．心"], "cannot be separated by letters"),
        (LETTERED, ["选项：A．心 B．肝"], "has a text before its options"),
        (LETTERED, ["A．心 B．肝 B．脾"], "cannot be separated by letters"),
        (LETTERED, [["A．心"]], "is no text"),
        (LETTERED_LINES, ["A 心\n肝"], "an option without its letter"),
        (LETTERED_LINES, ["A 心\nC 肝"], "an option without its letter"),
        (LETTERED_LIST, [["A．心", "维生素B"]], "an option without its letter"),
        (LINES, [{"A": "心"}], "is no text"),
        (LINES, [True], "is no text"),
        (LIST, ["心"], "is no list"),
        (LIST, [["心", ["肝"]]], "is no text"),
        (LIST, [["心", {"text": "肝"}]], "is no text"),
        (OBJECT, [ORGANS], "is no object"),
        (OBJECT, [{"A": "心", "C": "脾"}], "other letters"),
        (OBJECT, [{"A": "心", "ａ": "肝"}], "other letters"),
        (OBJECT, [{"甲": "心", "乙": "肝"}], "other letters"),
    ],
)
def test_options_that_cannot_be_separated_are_not_guessed(at, values, words):
    with pytest.raises(UnmappedError, match=words):
        read_options(at, values)


@pytest.mark.parametrize(
    ("value", "options", "index", "letter"),
    [
        ("B", ORGANS, None, "B"),
        ("ｂ", ORGANS, None, "B"),
        (" (B) ", ORGANS, None, "B"),
        ("Ｂ．", ORGANS, None, "B"),
        (["B"], ORGANS, None, "B"),
        ("肝", ORGANS, None, "B"),
        ("肝 ", ORGANS, None, "B"),
        ("B．肝", ORGANS, None, "B"),
        ("B 肝", ORGANS, None, "B"),
        ("ＣＴ", ["B超", "CT"], None, "B"),
        (2, ["1", "2"], None, "B"),
        (0, ORGANS, 0, "A"),
        ("4", ORGANS, 0, "E"),
        ("１", ORGANS, 1, "A"),
        ([1], ORGANS, 1, "A"),
        ("A型", ["A型", "B型", "AB型", "O型"], None, "A"),
        ("A", ["A", "B", "AB", "O"], None, "A"),
        (None, ORGANS, None, None),
        ("", ORGANS, None, None),
        ([], ORGANS, None, None),
    ],
)
def test_answers_are_read(value, options, index, letter):
    assert read_answer(value, options, index) == letter


@pytest.mark.parametrize(
    ("value", "options", "index", "words"),
    [
        ("F", ORGANS, None, "none of the options"),
        ("C", ORGANS[:2], None, "none of the options"),
        ("胃", ORGANS, None, "none of the options"),
        ("C．肝", ORGANS, None, "none of the options"),
        ("1", ORGANS, None, "none of the options"),
        ("5", ORGANS, 0, "none of the options"),
        ("0", ORGANS, 1, "none of the options"),
        ("-1", ORGANS, 0, "none of the options"),
        ("B", ORGANS, 0, "none of the options"),
        ("9" * 5000, ORGANS, 0, "none of the options"),
        ("A", [], None, "none of the options"),
        ("AB", ORGANS, None, "several letters"),
        ("A、C", ORGANS, None, "several letters"),
        ("Ａ，Ｂ", ORGANS, None, "several letters"),
        (["A", "B"], ORGANS, None, "several letters"),
        # The text of one option and the letter of another.
        ("B", ["A", "C", "B"], None, "may mean several options"),
        ("AB", ["A", "B", "AB", "O"], None, "may mean several options"),
        ({"letter": "A"}, ORGANS, None, "is no text"),
        (True, ORGANS, None, "is no text"),
    ],
)
def test_answers_that_mean_no_option_or_several_are_not_guessed(value, options, index, words):
    with pytest.raises(UnmappedError, match=words):
        read_answer(value, options, index)


FIELDS = '[fields]\nquestion = "题干"\nanswer = "答案"\n'
OPTIONS = '[options]\nfield = "选项"\n'


def mapping_of(tmp_path, text):
    path = tmp_path / "mapping.toml"
    path.write_bytes(text if isinstance(text, bytes) else text.encode("utf-8"))
    return read_mapping(path, form())


def test_a_mapping_file_is_read(tmp_path):
    text = """\
encoding = "gb18030"
format = "csv"
[fields]
question = "题干"
answer = "meta.答案"
[constants]
type = "A1"
[split]
field = "set"
[split.values]
"训练" = "train"
[values.subject]
"内经" = "黄帝内经"
[options]
columns = ["A", "B"]
[answer]
index = 1
"""
    made = mapping_of(tmp_path, b"\xef\xbb\xbf" + text.replace("\n", "\r\n").encode("utf-8"))
    assert dict(made.fields) == {"question": "题干", "answer": "meta.答案", "split": "set"}
    assert dict(made.constants) == {"type": "A1"}
    assert made.values == {"subject": {"内经": "黄帝内经"}, "split": {"训练": "train"}}
    assert made.options == OptionsAt(("A", "B"), "columns")
    assert (made.index, made.encoding, made.format, made.members) == (1, "gb18030", "csv", None)
    assert made.paths == ("题干", "meta.答案", "set", "A", "B")


@pytest.mark.parametrize(
    ("text", "field", "words"),
    [
        ("", "fields", "expected a value"),
        ("[fields", None, "no mapping file in TOML"),
        (b"[fields]\nquestion = '\xcc\xe2'\n", None, "no mapping file in TOML"),
        ("[fields]\nquestion = 1\n", "fields.question", "expected a text"),
        ("[fields]\nquestion = nan\n", None, "no mapping file in TOML"),
        ("[fields]\nquestions = 'q'\n", "fields.questions", "is no field of ours"),
        ("[fields]\nid = 'q'\n", "fields.id", "is no field of ours"),
        ("[fields]\noptions = 'q'\n", "fields.options", "is no field of ours"),
        (FIELDS + "[constants]\nanswer = 'A'\n", "constants.answer", r"\[fields\], too"),
        (FIELDS + "[values.colour]\nred = 'A'\n", "values.colour", "is no field of ours"),
        (FIELDS + "[colours]\n", "colours", "no such field"),
        ("encoding = 'latin-1'\n" + FIELDS, "encoding", "gb18030"),
        ("format = 'xlsx'\n" + FIELDS, "format", "jsonl"),
        (FIELDS + "[split]\n", "split", "either field or all"),
        (FIELDS + "[split]\nall = 'test'\nfield = 's'\n", "split", "either field or all"),
        (FIELDS + "[split]\nall = 'dev'\n", "split.all", "dev is no split"),
        (FIELDS + "[split]\nfield = 's'\n[split.values]\nval = 'dev'\n", "split.val", "dev is no split"),
        (FIELDS + "[split]\nall = 'test'\n[split.values]\nval = 'test'\n", "split.values", "values of no field"),
        (FIELDS + OPTIONS, "options", "how options are separated"),
        (FIELDS + OPTIONS + "labels = false\n", "options", "how options are separated"),
        (FIELDS + OPTIONS + "separator = ''\n", "options.separator", "a text of 1 or more characters"),
        (FIELDS + OPTIONS + "separator = '|'\nkind = 'list'\n", "options", "either separator or kind"),
        (FIELDS + OPTIONS + "kind = 'columns'\n", "options.kind", "object"),
        (FIELDS + OPTIONS + "columns = ['A', 'B']\n", "options", "either field or columns"),
        (FIELDS + "[options]\ncolumns = ['A', 'B']\nkind = 'list'\n", "options", "columns"),
        (FIELDS + "[options]\ncolumns = ['A']\n", "options.columns", "expected 2 columns or more"),
        (FIELDS + "[options]\ncolumns = ['A', 'A', 'B']\n", "options.columns", "names a column twice"),
        (FIELDS + "[answer]\nindex = 2\n", "answer.index", "0, 1"),
    ],
)
def test_a_mapping_file_that_says_something_else_is_refused(tmp_path, text, field, words):
    with pytest.raises(MedzhError, match=words) as caught:
        mapping_of(tmp_path, text)
    assert caught.value.field == field
    assert str(tmp_path / "mapping.toml") in str(caught.value)
    assert "\n" not in str(caught.value)


def test_a_mapping_file_that_is_not_there_is_named(tmp_path):
    with pytest.raises(MedzhError, match="cannot be read"):
        read_mapping(tmp_path / "none.toml", form())


ROWS = [{"题": "甲", "n": {"答": "A"}}, {"题": "乙\n丙", "n": {}}]
TABLE = '题,答\n甲,A\n"乙\n丙","B,C"\n\n丁,D\n'


@pytest.mark.parametrize("encoding", ["utf-8", "gb18030"])
@pytest.mark.parametrize(
    ("name", "text", "rows"),
    [
        ("a.jsonl", "\n".join(json.dumps(row, ensure_ascii=False) for row in ROWS), [(1, ROWS[0]), (2, ROWS[1])]),
        ("a.json", json.dumps(ROWS, ensure_ascii=False, indent=1), [(2, ROWS[0]), (8, ROWS[1])]),
        ("a.JSON", " [ ] \n", []),
        ("a.csv", TABLE, [(2, ("甲", "A")), (3, ("乙\n丙", "B,C")), (6, ("丁", "D"))]),
        ("a.tsv", "题\t答\n甲\tA\n", [(2, ("甲", "A"))]),
        ("a.csv", "", []),
    ],
)
def test_rows_come_with_the_line_on_which_they_begin(tmp_path, encoding, name, text, rows):
    path = tmp_path / name
    expected = [
        (line, row if isinstance(row, dict) else dict(zip(("题", "答"), row, strict=True))) for line, row in rows
    ]
    path.write_bytes(text.encode(encoding))
    assert list(read_data_file(path, None, encoding)) == expected


@pytest.mark.parametrize("name", ["a.csv", "a.jsonl", "a.json"])
def test_a_bom_and_crlf_change_nothing(tmp_path, name):
    text = {"a.csv": "题,答\n甲,A\n", "a.jsonl": '{"题": "甲", "答": "A"}\n', "a.json": '[\n{"题": "甲", "答": "A"}]'}[
        name
    ]
    path = tmp_path / name
    path.write_bytes(b"\xef\xbb\xbf" + text.replace("\n", "\r\n").encode("utf-8"))
    ((_, row),) = read_data_file(path, None)
    assert row == {"题": "甲", "答": "A"}


@pytest.mark.parametrize(
    ("name", "content", "line", "words"),
    [
        ("a.xlsx", b"PK", None, "its format is not known.*save the sheet as CSV"),
        ("a.csv", b"PK\x03\x04", None, "is a workbook or an archive.*save the sheet as CSV"),
        ("a.csv", "题,答\n甲\n".encode(), 2, "another number of cells"),
        ("a.csv", "题,答\n甲,A,B\n".encode(), 2, "another number of cells"),
        ("a.csv", "题,题\n甲,A\n".encode(), 1, "two columns have one name"),
        ("a.csv", "题,\n甲,A\n".encode(), 1, "a column has no name"),
        ("a.csv", '题,答\n甲,"A\n'.encode(), 2, "is no such table"),
        ("a.csv", '题,答\n甲,"A"B\n'.encode(), 2, "is no such table"),
        ("a.csv", "题,答\n甲,A\n".encode("gb18030"), 1, "is not UTF-8"),
        ("a.csv", b"\xe9,a\n", 1, "is not UTF-8"),
        ("a.json", b"{}", 1, "no JSON array"),
        ("a.json", b'[{"a": 1}', 1, "no JSON array"),
        ("a.json", b'[{"a": 1}\n{"a": 2}]', 2, "no JSON array"),
        ("a.json", b'[{"a": 1}] []', 1, "no JSON array"),
        ("a.json", b'[{"a": 1},\n]', 2, "is not JSON"),
        ("a.json", b'[\n{"a": NaN}]', 2, "NaN is no JSON number"),
        ("a.json", b'[{"a": 1, "a": 2}]', 1, "stands twice"),
        ("a.json", b'[{"a": "\\ud83d"}]', 1, "half a character"),
        ("a.json", b"[1]", 1, "is not a JSON object"),
        ("a.json", b"[" * 100_000, 1, "is not JSON"),
        ("a.jsonl", b'[{"a": 1}]', 1, "is not a JSON object"),
        ("a.jsonl", b'{"a": 1}\n{"a": "\\udc00"}', 2, "half a character"),
    ],
)
def test_files_of_another_format_are_refused(tmp_path, name, content, line, words):
    path = tmp_path / name
    path.write_bytes(content)
    with pytest.raises(MedzhError, match=words) as caught:
        list(read_data_file(path, None))
    assert caught.value.line == line
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("题,答\n甲,A\n", "does not have: 解; expected one of 题, 答"),
        ("题;答;解\n甲;A;乙\n", "the header has one cell alone; expected 题, 解; found '题;答;解'"),
    ],
)
def test_a_table_without_a_column_that_is_asked_for_is_refused(tmp_path, text, words):
    path = tmp_path / "a.csv"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(MedzhError, match=words) as caught:
        list(read_data_file(path, None, columns=("题", "解")))
    assert caught.value.line == 1


def test_a_file_that_is_not_there_is_named(tmp_path):
    with pytest.raises(MedzhError, match="cannot be read"):
        list(read_data_file(tmp_path / "none", "json"))
