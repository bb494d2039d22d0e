"""The open recipe: frozen questions of MTCMB, each held against its upstream line where the upstream files are."""

from __future__ import annotations

import json
import re
from collections import Counter

import pytest

from dataset_scripts.building.build import build
from dataset_scripts.building.check import check
from dataset_scripts.cli.main import main
from dataset_scripts.recipe import SourceFile
from dataset_scripts.recipes.tcmd.dataset import RECORDS, SOURCE, read_open
from medzh_score.configs.tcmd.exam import REALMS
from medzh_score.data.records import load_records
from medzh_score.text.fold import fold
from medzh_score.ui.errors import MedzhError

UPSTREAM = "Wayyuanyuan/MTCMB/faffd813c67fe012cef74277a23270d5dd6db9b8/data"
FILES = {"mtcmb-ed-a": "TCM-ED-A.jsonl", "mtcmb-ed-b": "TCM-ED-B.jsonl"}
NUMBER, LETTER = re.compile(r"\s*\d{1,3}\s*[.．、]\s*"), re.compile(r"\s*[A-E]\s*[.．、]\s*")
# Of the build of these two files by rules from which the records were frozen; its questions by type and split.
TYPES = {"test": {"A1": 309, "A2": 131, "B1": 160}, "train": {"A1": 1143, "A2": 237, "B1": 437}}


@pytest.fixture(scope="module")
def rows():
    return [json.loads(line) for line in RECORDS.read_text(encoding="utf-8").splitlines()]


@pytest.fixture(scope="module")
def out(tmp_path_factory):
    folder = tmp_path_factory.mktemp("open") / "medzh"
    build("tcmd", "open", folder)
    return folder


def test_each_text_is_that_of_its_upstream_line(rows, upstream_root):
    lines = {
        source: (upstream_root / UPSTREAM / name).read_text(encoding="utf-8").splitlines()
        for source, name in FILES.items()
    }
    for row in rows:
        theirs = json.loads(lines[row["source"]][row["line"] - 1])
        options = theirs["options"]
        listed = (
            list(options.values()) if isinstance(options, dict) else [LETTER.sub("", one, count=1) for one in options]
        )
        question = theirs["question"] if isinstance(options, dict) else NUMBER.sub("", theirs["question"], count=1)
        assert fold(row["question"]) == fold(question)
        assert row["options"] == listed
        assert row["answer"] == theirs["answer"]


def test_the_build_holds_the_frozen_questions_and_passes_check(out, rows):
    assert check(out).problems == []
    for split, counts in TYPES.items():
        records = load_records(out, "tcmd", split=split).rows
        assert Counter(one["type"] for one in records) == counts
        wanted = Counter((row["group_id"], row["subject"], row["answer"]) for row in rows if row["split"] == split)
        assert Counter((one["group_id"], one["subject"], one["answer"]) for one in records) == wanted
    here = Counter(one["realm"] for one in load_records(out, "tcmd").rows)
    assert here == {realm.name: realm.test for realm in REALMS}


def test_it_may_be_published(out, capsys):
    assert main(["publish", "org/medzh", "--version", "1.0.0", "--data", str(out), "--dry-run"]) == 0
    assert "tcmd_open 1.0.0: recipe open" in capsys.readouterr().out
    licence = (out / "LICENSE").read_text(encoding="utf-8")
    for told in ("Apache-2.0", "CC-BY-4.0", "Kong et al.", "doi:10.5281/zenodo.20465629", "what was changed"):
        assert told in licence
    assert "an open counterpart of TCMD, not TCMD, made from questions of MTCMB" in (out / "README.md").read_text(
        encoding="utf-8"
    )


def test_a_text_that_is_not_that_of_its_group_is_refused(tmp_path, rows):
    changed = [{**row, "question": row["question"] + "？"} if place == 4 else row for place, row in enumerate(rows)]
    file = tmp_path / "records.jsonl"
    file.write_text("".join(json.dumps(row, ensure_ascii=False) + "\n" for row in changed), encoding="utf-8")
    with pytest.raises(
        MedzhError, match=r'records\.jsonl:5: field "group_id": the id does not match the content of the question group'
    ):
        read_open({SOURCE: SourceFile(SOURCE, file, "0" * 64, pinned=False)}, 0)
