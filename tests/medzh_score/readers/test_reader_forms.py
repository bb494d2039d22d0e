"""Every form of predictions says the same: the same texts give the same report, for every config.

Source: native lines of the same texts.
"""

from __future__ import annotations

import hashlib
import json
import random
import re

import pytest
from answer_forms import (
    FORMS,
    asked_and_answered,
    contents,
    evalscope,
    evalscope_without_ids,
    lighteval_without_ids,
    native,
    opencompass,
    opencompass_in_parts,
    writing_in,
)
from opened_files import openings
from read_files import reader_of

from medzh_score.data.records import load_records
from medzh_score.scoring.check import check
from medzh_score.scoring.pipeline import score
from medzh_score.ui.errors import MedzhError


@pytest.fixture(scope="module")
def data(config, minis):
    return load_records(minis, config.name)


@pytest.fixture(scope="module")
def asked(config, data):
    return asked_and_answered(config, data.rows)


@pytest.fixture
def file(tmp_path):
    return writing_in(tmp_path)


ASKED = ("prompt", "form", "shots", "decoding", "system")  # what a signature has of questions, where files hold them
BY_FORM = {
    **dict.fromkeys((evalscope, evalscope_without_ids, opencompass_in_parts), ("medzh-zh-1|paper-1", "chat", "0")),
    opencompass: (r"modified\([0-9a-f]{8}\)", "chat", "unknown"),  # a system message stands before the prompt
}


def said(report):
    found = {key: value for key, value in json.loads(report.as_json()).items() if key != "inputs"}
    return {**found, "signature": {key: one for key, one in found["signature"].items() if key not in ASKED}}


def test_every_form_gives_the_same_report(config, data, asked, file, tmp_path):
    paths, _ = native(asked, file, tmp_path)
    # Later rounds of the same model have not come back.
    options = {"bootstrap": 0, "missing": "wrong"}
    expected = said(score(config.name, paths, data, **options))
    for form in FORMS:
        folder = tmp_path / form.__name__
        folder.mkdir()
        paths, reader = form(asked, file, folder)
        assert {reader_of(path).name for path in paths} == {reader}, form.__name__
        with openings() as opened:
            report = score(config.name, paths, data, **options)
        assert said(report) == expected, form.__name__
        prompt, sent_as, shots = BY_FORM.get(form, ("unknown",) * 3)
        assert re.fullmatch(prompt, report.signature["prompt"]), form.__name__
        assert (report.signature["form"], report.signature["shots"]) == (sent_as, shots)
        assert report.signature["decoding"] == "unknown"
        hashes = [(path.name, hashlib.sha256(path.read_bytes()).hexdigest()) for path in paths]
        assert [(one.name, one.sha256) for one in report.inputs] == hashes, form.__name__
        if form is not opencompass_in_parts:  # a part is looked at for where the next one begins
            assert {opened[str(path)] for path in paths} == {1}, form.__name__


def test_what_is_placed_by_a_prompts_file(config, data, asked, file, tmp_path):
    """Of prompts that were sent in another order, only the file tells the places."""
    shuffled = random.Random(3).sample(asked, len(asked))  # noqa: S311
    sent = file("prompts.jsonl", *(line for line, _ in shuffled))
    native_paths, _ = native(asked, file, tmp_path)
    for form in (opencompass, evalscope_without_ids, lighteval_without_ids):
        paths, _ = form(shuffled, file, tmp_path)
        expected = check(config.name, native_paths, data)
        assert check(config.name, paths, data, prompts=[sent]).coverage == expected.coverage
        if len({contents(line)[-1] for line, _ in asked}) > 1:
            with pytest.raises(MedzhError, match=r"names no ids, and at [\d,]+ of [\d,]+ positions"):
                score(config.name, paths, data, bootstrap=0)
            assert check(config.name, paths, data).status == 2
