"""One set of events in all eight forms: what came, what was empty, cut off, filtered or failed gives one report.

Source: native lines of the same events, and counts of the events by hand. Three forms have no place for the reason why
generation ended; there what was cut off is a text, and what was filtered an empty one.
"""

from __future__ import annotations

import csv
import json

import pyarrow as pa
import pytest
from answer_forms import asked_and_answered, contents, dumped, evalscope_line, opencompass_entry, writing_in
from hypothesis import Phase, given, settings
from hypothesis import strategies as st
from pyarrow import parquet
from read_files import reader_of

from medzh_score.benchmark.registry import find_config
from medzh_score.data.records import load_records
from medzh_score.readers.prediction import CUT_OFF, FILTERED
from medzh_score.scoring.check import check
from medzh_score.scoring.pipeline import score

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


def native(events, _folder):
    return [
        {
            "id": line["id"],
            "prediction": text,
            **({"finish_reason": why} if why else {}),
            **({"error": error} if error else {}),
            "score": float("nan"),  # in a field that nobody reads
        }
        for line, text, why, error in events
    ]


def batch(events, _folder):
    def response(text, why):
        return {
            "status_code": 200,
            "body": {"choices": [{"message": {"content": text}, "finish_reason": why}], "took": float("nan")},
        }

    return [
        {"custom_id": line["id"], "response": None if error else response(text, why), "error": error}
        for line, text, why, error in events
    ]


def evalscope(events, _folder):
    lines = []
    for at, (line, text, why, error) in enumerate(events):
        one = evalscope_line(line, text, at, {"id": line["id"]})
        one["model_output"]["choices"][0]["stop_reason"] = why
        lines.append(one | {"model_output": {"choices": [], "error": error}} if error else one)
    return lines


def inspect_log(events, _folder):
    samples = []
    for line, text, why, error in events:
        choice = {"message": {"role": "assistant", "content": text}, "stop_reason": why}
        output = {"choices": [choice], "completion": text, "time": float("nan")}
        failed = {"output": {"choices": []}, "error": {"message": error}} if error else {"output": output}
        samples.append({"id": line["id"], "epoch": 1, **failed})
    return [{"version": 2, "status": "success", "eval": {}, "samples": samples}]


def lm_eval(events, _folder):
    return [
        {"doc_id": at, "doc": {"id": line["id"]}, "resps": [] if error else [[text]], "acc": float("nan")}
        for at, (line, text, _, error) in enumerate(events)
    ]


def opencompass(events, folder):
    entries = {
        str(at): opencompass_entry(line, [] if error else text) for at, (line, text, _, error) in enumerate(events)
    }
    return dumped(entries, folder / "opencompass.json")


def lighteval(events, folder):
    rows = [
        {
            "doc": {"query": "\n".join(contents(line)), "specific": {"id": line["id"]}},
            "model_response": {"text": [] if error else [text], "text_post_processed": None},
        }
        for line, text, _, error in events
    ]
    parquet.write_table(pa.Table.from_pylist(rows), folder / "details.parquet")
    return folder / "details.parquet"


def sheet(events, folder):
    with (folder / "sheet.csv").open("w", encoding="utf-8", newline="") as stream:
        writer = csv.writer(stream)
        writer.writerow(("id", "prediction", "finish_reason", "error"))
        writer.writerows(
            (line["id"], text, why, "NaN" if error is None else error) for line, text, why, error in events
        )
    return folder / "sheet.csv"


FORMS = {
    "native": native,
    "batch": batch,
    "evalscope": evalscope,
    "inspect": inspect_log,
    "lm-eval": lm_eval,
    "opencompass": opencompass,
    "lighteval": lighteval,
    "sheet": sheet,
}
SILENT = {"lm-eval", "opencompass", "lighteval"}  # on why generation ended


def said(report):
    found = json.loads(report.as_json())
    return {
        name: found[name] for name in ("metrics", "groups", "tables", "fired", "forms", "coverage") if name in found
    }


def counted(found):
    """Give what `check` counts, but for the words in which forms say why requests failed."""
    told = found.as_dict()
    names = ("coverage", "missing", "forms", "refusals", "languages", "unclosed", "status")
    return {"failed": told["failed"]["count"], "unread": told["unread"]["why"], **{name: told[name] for name in names}}


@pytest.mark.parametrize("name", ["sdak", "tcmd", "cmhe_ce"])
def test_one_set_of_events_gives_one_report_in_all_forms(name, minis, tmp_path):
    config, records = find_config(name), load_records(minis, name)
    asked = asked_and_answered(config, records.rows)
    write = writing_in(tmp_path)

    @settings(max_examples=max(3, settings().max_examples // 10), deadline=None, phases=[Phase.generate])
    @given(st.data())
    def holds(data):
        drawn = data.draw(st.lists(EVENTS, min_size=5, max_size=25))
        told = [drawn[at % len(drawn)] for at in range(len(asked))]
        events = []
        for (line, texts), (_, what, why, error) in zip(asked, told, strict=True):
            events.append((line, {"right": texts[0], "other": texts[1]}.get(what, what), why, error))
        silent = [(line, text, None, error) for line, text, _, error in events]
        expected = {}
        for form, written in FORMS.items():
            made = written(events, tmp_path)
            path = write(f"{form}.jsonl", *made) if isinstance(made, list) else made
            assert reader_of(path).name == form
            report = score(name, path, records, bootstrap=0, missing="wrong")
            key = form in SILENT
            if form == "lm-eval":
                same = write("silent.jsonl", *native(silent, tmp_path))
                expected[key] = (
                    said(score(name, same, records, bootstrap=0, missing="wrong")),
                    counted(check(name, [same], records)),
                )
            found = said(report), counted(check(name, [path], records))
            assert found == expected.setdefault(key, found), form
        kinds = [kind for kind, *_ in told]
        blank = sum(not (text or "").strip() and error is None for _, text, _, error in events)
        if name != "tcmd":  # where a prediction may answer several records
            coverage = expected[False][0]["coverage"]
            assert coverage["missing"] == expected[False][1]["failed"] == kinds.count("failed")
            assert (coverage["empty"], coverage["truncated"]) == (blank, kinds.count("cut off"))
            assert coverage["refused"] >= kinds.count("filtered")

    holds()
