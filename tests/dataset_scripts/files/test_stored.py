"""Records that stand in part in a temporary file are the same sequence as a list of them."""

from __future__ import annotations

import errno
import random
from datetime import date

import pytest

from dataset_scripts.files import stored, stored_tables
from dataset_scripts.files.stored import Stored
from dataset_scripts.files.stored_tables import StoredTables
from dataset_scripts.packaging.sizes import Size
from medzh_score.data.digests import ColumnDigests, blocks_in_order, column_digests, columns_of
from medzh_score.messages.errors import MedzhError

WORDS = ("水肿", "消渴", "头痛", "咳嗽", "\ud800", "")


def records(number):
    draw = random.Random(number)  # noqa: S311 - no secret
    return [
        {
            "id": f"r{draw.random()}",
            "n": place,
            "big": 10**30 * place,
            "texts": draw.choices(WORDS, k=draw.randrange(4)),
        }
        for place in range(number)
    ]


@pytest.mark.parametrize("kept", [0, 3, 100_000])
@pytest.mark.parametrize("number", [0, 1, 255, 256, 257, 1_000])
def test_it_reads_as_the_list_does_in_any_order(monkeypatch, kept, number):
    monkeypatch.setattr(stored, "KEPT", kept)
    made = records(number)
    held = Stored(made)
    assert len(held) == number
    assert list(held) == made
    assert held[2:9:3] == made[2:9:3]
    for place in random.Random(1).choices(range(-number, number), k=300) if number else ():  # noqa: S311
        assert held[place] == made[place]
    with pytest.raises(IndexError):
        held[number]
    assert (held[-1] == made[-1]) if number else not held


def test_what_is_added_after_reading_is_read_too(monkeypatch):
    monkeypatch.setattr(stored, "KEPT", 2)
    made, held = records(700), Stored()
    for place, record in enumerate(made):
        held.append(record)
        if place % 7 == 0:
            assert held[place // 2] == made[place // 2]
            assert held[place] == record
    assert list(zip(held, held, strict=True)) == list(zip(made, made, strict=True))


def test_a_full_disk_is_told(monkeypatch):
    def full(**_):
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(stored, "KEPT", 0)
    monkeypatch.setattr(stored, "TemporaryFile", full)
    with pytest.raises(MedzhError, match="cannot be kept there: No space left on device"):
        list(Stored(records(3)))


def test_tables_come_back_as_they_were_and_a_full_disk_is_told(monkeypatch):
    import pyarrow as pa

    schema = pa.schema([("id", pa.string()), ("x", pa.list_(pa.string()))], metadata={"a": "b"})
    made = [pa.Table.from_pylist([{"id": f"r{n}", "x": [None, "症"] * n}] * n, schema=schema) for n in (1, 2, 3)]
    held = StoredTables(schema)
    for table in made:
        held.append(table)
    assert [table.to_pylist() for table in held] == [table.to_pylist() for table in made]

    def full(**_):
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(stored_tables, "TemporaryFile", full)
    with pytest.raises(MedzhError, match="cannot be kept there: No space left on device"):
        StoredTables(schema)


def test_what_comes_back_is_what_was_written_however_odd(monkeypatch):
    monkeypatch.setattr(stored, "KEPT", 0)
    odd = {"n": 10**30, "x": [1.5, -0.0, None, {"a": ["𠮷", "\ud800"]}], "t": True, "big": 2**64, "": "症"}
    assert list(Stored([odd, odd])) == [odd, odd]
    with pytest.raises(MedzhError, match=r"holds what no record can hold.*date"):
        Stored([{"day": date(2026, 1, 1)}])


@pytest.mark.parametrize("number", [0, 1, 15, 16, 9_999, 10_000, 10_001, 65_535, 65_536])
def test_digests_of_blocks_are_those_of_whole_columns(number):
    rows = [{"id": f"r{(place * 7_919) % 100_003}", "n": place % 3 or None} for place in range(number)]
    expected = column_digests(columns_of(rows, ("id", "n")))
    digests = ColumnDigests(number)
    for block in blocks_in_order(rows, [row["id"] for row in rows]):
        for name in ("id", "n"):
            digests.add(name, [row[name] for row in block])
    assert digests.hexdigests() == expected


def test_blocks_take_the_bytes_that_the_whole_table_takes():
    import pyarrow as pa

    schema = pa.schema([("id", pa.string()), ("n", pa.int64()), ("x", pa.list_(pa.string())), ("b", pa.bool_())])
    rows = [
        {
            "id": "症" * (place % 5),
            "n": place if place > 90 else None,
            "x": ["a", "水"][: place % 3],
            "b": place % 2 == 0,
        }
        for place in range(200)
    ]
    size = Size()
    for start in range(0, len(rows), 40):
        size.add(pa.Table.from_pylist(rows[start : start + 40], schema=schema))
    assert size.bytes == pa.Table.from_pylist(rows, schema=schema).nbytes
