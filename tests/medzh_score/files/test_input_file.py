"""A file is opened once and hashed as it is read, whatever is read of it. The hashes are those of hashlib."""

from __future__ import annotations

import gzip
import hashlib
import json

import pytest
from hypothesis import given
from hypothesis import strategies as st
from opened_files import openings
from places import SAMPLES
from read_files import lines_in

from medzh_score.files.input_file import BLOCK, InputFile
from medzh_score.predictions.readers import native
from medzh_score.report.scoring import score


def hash_of(path):
    return hashlib.sha256(path.read_bytes()).hexdigest()


@given(
    st.binary(max_size=60),
    st.sampled_from([1, BLOCK // 7, BLOCK]),
    st.lists(st.tuples(st.floats(0, 1), st.integers(0, 3 * BLOCK)), max_size=6),
)
def test_the_hash_is_of_all_bytes_wherever_a_reader_goes(tmp_path_factory, some, times, steps):
    path = tmp_path_factory.mktemp("input") / "p"
    path.write_bytes(content := some * times)
    with InputFile(path) as file:
        for share, count in steps:
            stream = file.stored()
            place = stream.seek(int(share * len(content)))
            assert stream.read(count) == content[place : place + count]
        assert file.sha256() == hash_of(path)
        assert file.stored().read() == content
        assert file.sha256() == hash_of(path)


@pytest.mark.parametrize("pack", [bytes, gzip.compress], ids=["plain", "gzip"])
@pytest.mark.parametrize("mark", [b"", b"\xef\xbb\xbf"])
def test_a_text_is_gone_through_again_and_again(tmp_path, pack, mark):
    path = tmp_path / "p"
    path.write_bytes(pack(mark + b"a\nb\n"))
    with InputFile(path) as file:
        assert file.text().readline() == b"a\n"
        assert file.sha256() == hash_of(path)
        assert file.text().read() == b"a\nb\n"
    with openings() as opened:
        assert file._bytes.closed
        with InputFile(path) as file, pytest.raises(ZeroDivisionError):
            next(iter([1 // 0]))
    assert opened[str(path)] == 1


def test_one_file_is_opened_once_and_nobody_looks_into_it_again(sdak_build, tmp_path):
    plain = SAMPLES / "sdak" / "predictions.jsonl"
    packed = tmp_path / "p.jsonl.gz"
    packed.write_bytes(gzip.compress(plain.read_bytes()))
    for path in (plain, packed):
        with openings() as opened:
            report = score("sdak", path, sdak_build, bootstrap=0)
        assert [(one.name, one.sha256) for one in report.inputs] == [(path.name, hash_of(path))]
        assert opened[str(path)] == 1


def test_first_answers_are_opened_again_for_what_was_judged_of_them_alone(minis, tmp_path):
    """And once more where a label has the code of an answer with its reasoning, as older ones have."""
    first, choices = (SAMPLES / "cmhe_ce" / name for name in ("predictions.jsonl", "choose.jsonl"))
    sheet, older = tmp_path / "choose.csv", tmp_path / "older.jsonl"
    older.write_text(choices.read_text(encoding="utf-8").replace("~pkrgrjtt", "~tcbqsmbm"), encoding="utf-8")
    judged = [(one.id, one.prediction) for _, one in lines_in(choices, native)]
    sheet.write_text("id,prediction\n" + "".join(f"{name},{text[:1]}\n" for name, text in judged), encoding="utf-8")
    for path, times in ((choices, 2), (older, 3), (sheet, 2)):
        with openings() as opened:
            report = score("cmhe_ce", first, minis, bootstrap=0, missing="wrong", rounds={"choose": path})
        found = {one.reader: (one.name, one.sha256) for one in report.inputs}
        assert found == {"native": (first.name, hash_of(first)), "round choose": (path.name, hash_of(path))}
        assert opened[str(first)] == times
        assert opened[str(path)] == 1


def test_what_is_wrong_with_a_packed_line_is_found_in_the_file_that_is_open(tmp_path):
    lines = [json.dumps({"id": str(number), "prediction": "正确"}, ensure_ascii=False) for number in range(5)]
    path = tmp_path / "p.jsonl.gz"
    path.write_bytes(gzip.compress("\n".join([*lines, lines[0][:-4]]).encode())[:-9])
    with openings() as opened, pytest.raises(Exception, match=r"p\.jsonl\.gz:6: ") as failure:
        lines_in(path, native)
    assert type(failure.value).__name__ == "MedzhError"
    assert opened[str(path)] == 1
