from __future__ import annotations

import pytest

from dataset_scripts.mapping.interchange import Form
from dataset_scripts.mapping.mapped_rows import map_rows
from dataset_scripts.mapping.mapping_file import read_mapping
from dataset_scripts.mapping.values import UnmappedError, as_list
from medzh_score.messages.errors import MedzhError

TEXT = {"type": "string", "minLength": 1}
SCHEMA = {
    "type": "object",
    "additionalProperties": False,
    "required": ["question", "split"],
    "properties": {
        "question": TEXT,
        "signs": {"type": "array", "uniqueItems": True, "items": TEXT},
        "drugs": {"type": ["array", "null"], "items": TEXT},
        "upstream_key": TEXT,
        "split": {"type": "string", "enum": ["test"]},
    },
}
FORM = Form(SCHEMA, {"own": "test"})
FIELDS = """\
[fields]
question = "q"
signs = "s"
"""


@pytest.fixture
def mapped(tmp_path):
    def read(mapping, line, suffix="jsonl"):
        how, own = tmp_path / "how.toml", tmp_path / f"own.{suffix}"
        how.write_text(mapping, encoding="utf-8")
        own.write_text(line, encoding="utf-8")
        return map_rows(read_mapping(how, FORM), {"own": own}, FORM, {})

    return read


@pytest.mark.parametrize(
    ("value", "separator", "texts"),
    [
        (["发热", "皮疹"], None, ["发热", "皮疹"]),
        (["发热", "", None, " 皮疹 ", 38.5], None, ["发热", "皮疹", "38.5"]),
        ([], None, []),
        (["发热；皮疹"], "；", ["发热；皮疹"]),
        ("发热；皮疹", "；", ["发热", "皮疹"]),
        ("发热； 皮疹；", "；", ["发热", "皮疹"]),
        ("发热、皮疹", "；", ["发热、皮疹"]),
        ("发热\n皮疹\n", "\n", ["发热", "皮疹"]),
        ("", "；", None),
        (" ", None, None),
        (None, None, None),
    ],
)
def test_values_become_lists(value, separator, texts):
    assert as_list(value, separator) == texts


@pytest.mark.parametrize(
    ("value", "separator", "problem"),
    [
        ("发热；皮疹", None, "is no list"),
        ("发热", None, "is no list"),
        (38, None, "is no list"),
        ({"发热": 1}, "；", "is no text"),
        (True, "；", "is no text"),
        (["发热", ["皮疹"]], None, "is no text"),
        (["发热", {"name": "皮疹"}], "；", "is no text"),
    ],
)
def test_values_that_are_no_lists_are_not_guessed(value, separator, problem):
    with pytest.raises(UnmappedError, match=problem):
        as_list(value, separator)


@pytest.mark.parametrize(
    ("line", "signs"),
    [
        ('{"q": "甲", "s": ["发热", "皮疹", "发热"]}', ["发热", "皮疹"]),
        ('{"q": "甲", "s": "发热|皮疹"}', ["发热", "皮疹"]),
        ('{"q": "甲", "s": "T升高|皮疹|发热"}', ["发热", "皮疹"]),
        ('{"q": "甲", "s": []}', []),
    ],
)
def test_a_list_is_mapped_each_value_once_by_its_name(mapped, line, signs):
    mapping = FIELDS + '[separators]\nsigns = "|"\n[values.signs]\n"T升高" = "发热"\n'
    result = mapped(mapping, line + '\n{"q": "乙", "s": "咳嗽"}\n')
    assert result.faults == []
    assert [row.fields["signs"] for row in result.rows] == [signs, ["咳嗽"]]


def test_a_list_that_may_be_null_is_mapped_too(mapped):
    result = mapped('[fields]\nquestion = "q"\ndrugs = "d"\n', '{"q": "甲", "d": ["铁剂"]}\n{"q": "乙"}\n')
    assert [row.fields["drugs"] for row in result.rows] == [["铁剂"], None]


def test_a_list_that_is_not_there_is_no_field(mapped):
    result = mapped(FIELDS, '{"q": "甲", "s": null}\n')
    assert "signs" not in result.rows[0].fields
    assert result.absent == {"signs": "s"}


def test_a_column_of_a_table_is_separated(mapped):
    mapping = FIELDS + '[separators]\nsigns = "/"\n'
    result = mapped(mapping, "q,s\n甲,发热/皮疹\n乙,\n", "csv")
    assert [row.fields.get("signs") for row in result.rows] == [["发热", "皮疹"], None]


def test_a_text_without_a_separator_is_a_fault_of_its_row(mapped):
    result = mapped(FIELDS, '{"q": "甲", "s": "发热"}\n{"q": "乙", "s": ["皮疹"]}\n')
    (fault,) = result.faults
    assert (fault.row.line, fault.field, fault.problem, fault.found) == (1, "signs", "is no list", "发热")
    assert "[separators]" in fault.expected


@pytest.mark.parametrize(
    ("more", "field"),
    [
        ('[separators]\nquestion = "；"\n', "separators.question"),
        ('[separators]\nsymptoms = "；"\n', "separators.symptoms"),
        ('[separators]\nsigns = ""\n', "separators.signs"),
        ("[separators]\nsigns = 1\n", "separators.signs"),
        ('separators = "；"\n' + FIELDS, "separators"),
    ],
)
def test_a_separator_of_no_list_is_refused(mapped, more, field):
    mapping = more if FIELDS in more else FIELDS + more
    with pytest.raises(MedzhError) as caught:
        mapped(mapping, "")
    assert caught.value.field == field
    assert "\n" not in str(caught.value)
