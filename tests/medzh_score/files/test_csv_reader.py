"""CSV readers that keep to a limit of their own, whatever was read before or between."""

from __future__ import annotations

import csv

import pytest

from medzh_score.files.csv_reader import csv_dicts, csv_reader

LINES = ["name,cell\n", "a," + "x" * 20 + "\n", "b,x\n", "c," + "x" * 20 + "\n"]


@pytest.fixture(autouse=True)
def _limit_of_the_process():
    before = csv.field_size_limit()
    yield
    csv.field_size_limit(before)


@pytest.mark.parametrize("elsewhere", [5, 1 << 30])
def test_a_reader_keeps_to_its_limit_between_the_rows_of_others(elsewhere):
    roomy, narrow = csv_reader(LINES, largest=20), csv_reader(LINES, largest=10)
    csv.field_size_limit(elsewhere)
    assert next(roomy) == next(narrow) == ["name", "cell"]
    assert next(roomy) == ["a", "x" * 20]
    with pytest.raises(csv.Error, match="larger than field limit"):
        next(narrow)
    csv.field_size_limit(elsewhere)
    assert [len(row[1]) for row in roomy] == [1, 20]
    assert roomy.line_num == 4


def test_rows_by_name_keep_to_it_too():
    rows = csv_dicts(LINES, largest=20)
    csv.field_size_limit(5)
    assert next(rows) == {"name": "a", "cell": "x" * 20}
    csv.field_size_limit(5)
    assert [len(row["cell"]) for row in rows] == [1, 20]
    with pytest.raises(csv.Error, match="larger than field limit"):
        list(csv_dicts(LINES, largest=10))


@pytest.mark.parametrize(("strict", "refused"), [(True, True), (False, False)])
def test_a_quotation_mark_that_is_never_closed_is_an_error_where_it_should_be(strict, refused):
    if refused:
        with pytest.raises(csv.Error, match="unexpected end of data"):
            list(csv_reader(['a,"b\n'], strict=strict))
    else:
        assert list(csv_reader(['a,"b\n'], strict=strict)) == [["a", "b\n"]]
