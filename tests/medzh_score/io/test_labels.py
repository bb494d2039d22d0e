"""Files of several models: the label before the sign says whose answers they are."""

from __future__ import annotations

import pytest

from medzh_score.io.paths import by_label, split_label
from medzh_score.ui.errors import MedzhError


def test_files_of_one_label_are_one_set():
    assert by_label("--predictions", ["a=1.jsonl", "b=2.jsonl", "a=3.jsonl"]) == {
        "a": ["1.jsonl", "3.jsonl"],
        "b": ["2.jsonl"],
    }
    assert by_label("--predictions", ["1.jsonl", "-"]) == {"": ["1.jsonl", "-"]}


def test_what_exists_under_the_whole_name_has_no_label(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "lr=3.jsonl").write_text("{}", encoding="utf-8")
    assert split_label("lr=3.jsonl") == ("", "lr=3.jsonl")
    assert split_label("lr=4.jsonl") == ("lr", "4.jsonl")
    assert split_label("runs/lr=4.jsonl") == ("", "runs/lr=4.jsonl")


@pytest.mark.parametrize(
    ("names", "message"),
    [
        (["a=1.jsonl", "2.jsonl"], "some files have a name and others do not"),
        (["a="], "no text before or after the equals sign"),
        (["=1.jsonl"], "no text before or after the equals sign"),
    ],
)
def test_labels_that_say_nothing_are_refused(names, message):
    with pytest.raises(MedzhError, match=message):
        by_label("--predictions", names)
