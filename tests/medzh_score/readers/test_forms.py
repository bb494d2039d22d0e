"""Every form of predictions says the same: texts, failures and reasons give the report of the same native lines.

Source: native lines of the same events, and counts of the events by hand. Three forms have no place for the reason why
generation ended; there what was cut off is a text, and what was filtered an empty one.
"""

from __future__ import annotations

import hashlib
import json
import random
import re
from dataclasses import replace

import pytest
from answer_forms import (
    FORMS,
    Came,
    asked_and_answered,
    batch_lines,
    contents,
    evalscope,
    evalscope_lines,
    evalscope_without_ids,
    inspect_log,
    lighteval_details,
    lighteval_without_ids,
    lm_eval_samples,
    native,
    native_lines,
    opencompass,
    opencompass_entries,
    opencompass_in_parts,
    sheet,
    writing_in,
)
from hypothesis import Phase, given, settings
from hypothesis import strategies as st
from opened_files import openings
from read_files import reader_of

from medzh_score.benchmark.registry import find_config
from medzh_score.data.records import load_records
from medzh_score.readers.prediction import CUT_OFF, FILTERED
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


ASKED = (
    "prompt",
    "format",
    "shots",
    "generation",
    "system",
)  # what a signature has of questions, where files hold them
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
        assert (report.signature["format"], report.signature["shots"]) == (sent_as, shots)
        assert report.signature["generation"] == "unknown"
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
            with pytest.raises(MedzhError, match=r"the file has no ids, and [\d,]+ of [\d,]+ prompts differ from "):
                score(config.name, paths, data, bootstrap=0)
            assert check(config.name, paths, data).status == 2


# What was empty, cut off, filtered or failed.

# What came back of a prompt: its kind, its text, why generation ended, why it failed.
WORDS = st.sampled_from(["{}", "FinishReason.{}", "{} "])
CASES = st.sampled_from([str.lower, str.upper])


def ended(words):
    return st.builds(lambda word, case, form: form.format(case(word)), st.sampled_from(sorted(words)), CASES, WORDS)


EVENTS = st.one_of(
    st.tuples(st.just("text"), st.sampled_from(["right", "other"]), st.sampled_from([None, "stop", "eos"]), st.none()),
    st.tuples(st.just("empty"), st.sampled_from(["", " \n", None]), st.sampled_from([None, "stop"]), st.none()),
    st.tuples(st.just("cut off"), st.sampled_from(["right", "", None]), ended(CUT_OFF), st.none()),
    st.tuples(st.just("filtered"), st.sampled_from(["", None]), ended(FILTERED), st.none()),
    st.tuples(st.just("failed"), st.none(), st.none(), st.sampled_from(["timed out", "error 500: 过载"])),
)


WRITERS = {
    "native": native_lines,
    "batch": batch_lines,
    "evalscope": evalscope_lines,
    "inspect": inspect_log,
    "lm-eval": lm_eval_samples,
    "opencompass": opencompass_entries,
    "lighteval": lighteval_details,
    "table": sheet,
}
SILENT = {"lm-eval", "opencompass", "lighteval"}  # on why generation ended


def results_of(report):
    found = json.loads(report.as_json())
    return {
        name: found[name]
        for name in ("metrics", "groups", "tables", "pattern_counts", "response_formats", "coverage")
        if name in found
    }


def counted(found):
    """Give what `check` counts, but for the words in which forms say why requests failed."""
    told = found.as_dict()
    names = ("coverage", "missing", "response_formats", "refusals", "languages", "unclosed", "status")
    return {
        "failed": told["failed"]["count"],
        "unparsed": told["unparsed"]["reason"],
        **{name: told[name] for name in names},
    }


def found_in(name, path, records):
    return results_of(score(name, path, records, bootstrap=0, missing="wrong")), counted(check(name, [path], records))


@pytest.mark.parametrize("name", ["sdak", "tcmd", "cmhe_ce"])
def test_one_set_of_events_gives_one_report_in_all_forms(name, minis, tmp_path):
    config, records = find_config(name), load_records(minis, name)
    (tmp_path / "silent").mkdir()
    asked = asked_and_answered(config, records.rows)

    @settings(max_examples=max(3, settings().max_examples // 10), deadline=None, phases=[Phase.generate])
    @given(st.data())
    def holds(data):
        drawn = data.draw(st.lists(EVENTS, min_size=5, max_size=25))
        told = [drawn[at % len(drawn)] for at in range(len(asked))]
        events = []
        for (line, texts), (_, what, why, error) in zip(asked, told, strict=True):
            text = {"right": texts[0], "other": texts[1]}.get(what, what)
            events.append(Came(line["id"], line["messages"], text, why, error))
        silent = native_lines([replace(one, reason=None) for one in events], tmp_path / "silent")
        expected = {True: found_in(name, silent, records)}
        for form, write in WRITERS.items():
            path = write(events, tmp_path)
            assert reader_of(path).name == form
            found = found_in(name, path, records)
            assert found == expected.setdefault(form in SILENT, found), form
        kinds = [kind for kind, *_ in told]
        blank = sum(not (one.text or "").strip() and one.error is None for one in events)
        if name != "tcmd":  # where a prediction may answer several records
            coverage = expected[False][0]["coverage"]
            assert coverage["missing"] == expected[False][1]["failed"] == kinds.count("failed")
            assert (coverage["empty"], coverage["truncated"]) == (blank, kinds.count("cut off"))
            assert coverage["refused"] >= kinds.count("filtered")

    holds()
