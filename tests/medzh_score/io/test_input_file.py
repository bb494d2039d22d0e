"""A file is opened once and hashed as it is read, whatever is read of it. The hashes are those of hashlib."""

from __future__ import annotations

import gzip
import hashlib

import pytest
from hypothesis import given
from hypothesis import strategies as st
from opened_files import openings
from places import SAMPLES

from medzh_score.io.open_input import BLOCK, InputFile
from medzh_score.scoring.pipeline import score


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
