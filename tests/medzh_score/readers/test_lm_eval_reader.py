"""Samples of lm-evaluation-harness, whole and broken; test_real_lm_eval has it write real ones.

Source of the shapes: what lm-eval 0.4.13 wrote, retold by hand; of the older lists, its releases up to 0.4.2.
"""

from __future__ import annotations

import json

import pytest
from read_files import lines_in, reader_of

from medzh_score.benchmark.answers import Reading
from medzh_score.benchmark.items import Query
from medzh_score.benchmark.rules import Rule
from medzh_score.benchmark.variants import Variants
from medzh_score.io.jsonl import without_constants
from medzh_score.readers import lm_eval
from medzh_score.readers.align import collect
from medzh_score.readers.files import PredictionFiles
from medzh_score.ui.errors import MedzhError

RULE = Rule("whole", "the text itself", lambda text, _side, _variant: (Reading(text or None, "text"),))


def generated(identifier="a", *texts, **more):
    return {
        "doc_id": 0,
        "doc": {"id": identifier, "question": "问题"},
        "target": "正确",
        "arguments": {"gen_args_0": {"arg_0": "问题", "arg_1": {"until": [], "do_sample": False}}},
        "resps": [list(texts or ("正确。",))],
        "filtered_resps": ["正确"],
        "filter": "none",
        "metrics": ["acc"],
        "acc": 1.0,
        **more,
    }


def compared(likelihoods, choices=(" A", " B", " C"), contexts=None, **more):
    """One list of likelihoods for each choice, an entry for each repeat."""
    contexts = contexts or ["问题"] * len(choices)
    arguments = {
        f"gen_args_{place}": {"arg_0": context, "arg_1": choice}
        for place, (context, choice) in enumerate(zip(contexts, choices, strict=True))
    }
    resps = [[[str(value), "False"] for value in row] for row in likelihoods]
    return generated(**{"arguments": arguments, "resps": resps, **more})


@pytest.fixture
def file(tmp_path):
    def write(*lines, name="samples_medzh_2026.jsonl"):
        texts = [line if isinstance(line, str) else json.dumps(line, ensure_ascii=False) for line in lines]
        path = tmp_path / name
        path.write_text("\n".join(texts) + "\n", encoding="utf-8")
        return path

    return write


def read(path):
    assert reader_of(path).name == "lm-eval"
    return [(number, p.id, p.run, p.variant, p.prediction, p.error) for number, p in lines_in(path, lm_eval)]


def refusal(*paths):
    asked = [Query(name, (index,), None, Variants(3)) for index, name in enumerate(("a", "b"))]
    with pytest.raises(MedzhError) as failure:
        collect(["a", "b"], asked, [RULE], PredictionFiles(paths))
    assert "\n" not in str(failure.value)
    assert len(str(failure.value)) < 900
    return failure.value


def test_repeats_are_runs_and_texts_come_untouched(file):
    path = file(
        generated("a", " 正确\n", ""), generated("b", "<think>…</think>错误", "x", filtered_resps=["[invalid]"])
    )
    assert read(path) == [
        (1, "a", 0, 0, " 正确\n", None),
        (1, "a", 1, 0, "", None),
        (2, "b", 0, 0, "<think>…</think>错误", None),
        (2, "b", 1, 0, "x", None),
    ]


@pytest.mark.parametrize(
    ("doc", "parts"),
    [
        ({"id": "a"}, ("a", 0, 0)),
        ({"id": "a#r1v2"}, ("a", 1, 2)),
        ({"id": "a#v2"}, ("a", 0, 2)),
        ({"id": "a#b"}, ("a#b", 0, 0)),
        ({"id": "a", "run": 1, "variant": 2, "messages": []}, ("a", 1, 2)),
        ({"id": "a", "run": None, "variant": None}, ("a", 0, 0)),  # a column that other lines have
    ],
)
def test_what_was_asked(file, doc, parts):
    ((_, *found, _, _),) = read(file(generated(doc=doc)))
    assert tuple(found) == parts


def test_of_several_filters_one_is_read_whatever_their_order(file):
    """The harness writes all documents by one filter, then all by the next."""
    texts = {"a": ("正确", "对"), "b": ("错误", "错")}
    lines = [
        generated(name, *texts[name], filter=filter_name, filtered_resps=[filter_name])
        for filter_name, names in (("strict", "ab"), ("flexible", "ba"), ("third", "ab"))
        for name in names
    ]
    expected = [(name, run, text) for name in "ab" for run, text in enumerate(texts[name])]
    assert [(name, run, text) for _, name, run, _, text, _ in read(file(*lines))] == expected
    mixed = file(lines[0], lines[2], lines[3], lines[1])
    assert sorted((name, run, text) for _, name, run, _, text, _ in read(mixed)) == expected


@pytest.mark.parametrize(
    ("likelihoods", "expected"),
    [
        ([["-3"], ["-1.5"], ["-2"]], ["B"]),
        ([["-1e-3"], ["-0.01"], ["-0.002"]], ["A"]),
        ([["-10"], ["-9"], ["-8"]], ["C"]),  # as numbers, not as texts
        ([["-inf"], ["-inf"], ["-700"]], ["C"]),
        ([["-1"], ["-1"], ["-2"]], ["A"]),  # as numpy's argmax, by which the harness counts its accuracy
        ([["-1", "-3"], ["-2", "-2"], ["-3", "-1"]], ["A", "C"]),
    ],
)
def test_the_likeliest_choice_is_the_answer(file, likelihoods, expected):
    assert [text for *_, text, _ in read(file(compared(likelihoods)))] == expected


def test_choices_that_are_texts_come_without_the_delimiter_before_them(file):
    line = compared([["-2"], ["-1"]], ["\n\n阿莫西林 胶囊 ", "\n\n青霉素 "])
    assert read(file(line))[0][4] == "青霉素 "


def test_unconditional_likelihoods_are_no_choices(file):
    choices, contexts = (" A", " B", " A", " B"), ["问题", "问题", "", ""]
    line = compared([["-2"], ["-1"], ["-0.1"], ["-0.2"]], choices, contexts)
    assert read(file(line))[0][4] == "B"


def test_older_releases_wrote_lists_and_numbers(file):
    made = generated(arguments=[["问题", {"until": []}]])
    chosen = generated("b", arguments=[["问题", " A"], ["问题", " B"]], resps=[[[-2.5, False]], [[-1, True]]])
    assert [text for *_, text, _ in read(file(made, chosen))] == ["正确。", "B"]


@pytest.mark.parametrize("empty", [[], [[]]])
def test_empty_answers_are_missing_with_their_reason(file, empty):
    path = file(generated(resps=empty), generated("b"))
    assert read(path) == [(1, "a", 0, 0, "", "resps is empty"), (2, "b", 0, 0, "正确。", None)]


def test_metrics_that_are_no_numbers_do_no_harm(file):
    line = json.dumps(generated("a", 'NaN "NaN" \\ 正'), ensure_ascii=False)
    for constant in ("NaN", "Infinity", "-Infinity"):
        path = file(line.replace('"acc": 1.0', f'"acc": {constant}'))
        assert read(path)[0][4] == 'NaN "NaN" \\ 正'


@pytest.mark.parametrize(
    "text", ['{"a": [1, "\\" NaN", NaN], "NaN": -Infinity}', '["Infinity", "\\\\", Infinity, "x\\\\\\""]', '[NaN, "NaN']
)
def test_constants_are_written_over_outside_of_texts_only(text):
    """The standard library reads them; where it cannot, the text stays broken."""
    found = without_constants(text.encode()).decode()
    try:
        expected = json.loads(text, parse_constant=lambda _: None)
    except json.JSONDecodeError:
        assert found == '[null, "NaN'
    else:
        assert json.loads(found, parse_constant=pytest.fail) == expected


PERPLEXITY = {"gen_args_0": {"arg_0": "全文"}}
WRONG = [
    (generated(doc={"question": "x"}), "doc.id", "the document has no id"),
    (generated(doc={"id": ""}), "doc.id", "the document has no id"),
    (generated(doc={"id": 7}), "doc.id", "expected a text, found a whole number"),
    (generated(doc={"id": None}), "doc.id", "expected a text, found null"),
    (generated(doc={"id": "a", "run": -1}), "doc.run", "is too small; expected a whole number from 0"),
    (generated(doc="x"), "doc", "expected a JSON object"),
    (generated(resps="正确"), "resps", "no list of lists"),
    (generated(resps=["正确"]), "resps", "no list of lists"),
    (generated(resps={"0": ["正确"]}), "resps", "no list of lists"),
    (generated(resps=[["正确"], []]), "resps", "no list of lists"),
    (generated(resps=[None]), "resps", "no list of lists"),
    (generated(resps=[["正确", 5]]), "resps", "an answer is no text"),
    (generated(resps=[["正确"], ["错误"]]), "resps", "holds no generated text"),
    (generated(resps=[["-12.5"]], arguments=PERPLEXITY), "resps", "holds no generated text"),
    (generated("b", "x", "y", doc={"id": "b#r1"}), "resps", "several repeats"),
    (compared([["nan"], ["-1"], ["-2"]]), "resps", "a log-likelihood is no number"),
    (compared([["-1"], ["-1"], ["NaN"]]), "resps", "a log-likelihood is no number"),
    (compared([["-1"], ["x"], ["-2"]]), "resps", "a log-likelihood is no number"),
    (compared([["-1", "-1"], ["-1"], ["-2", "-1"]]), "resps", "a log-likelihood is no number"),
    (compared([["-1"], ["-1", "-1"], ["-2", "-1"]]), "resps", "a log-likelihood is no number"),
    (compared([["-2"], ["-1"], ["-3"]], contexts=["问题", None, "问题"]), "resps", "does not say what was asked"),
    (compared([["-2"], ["-1"], ["-3"]], contexts=["问题", "", "问题"]), "resps", "the choices stand in the contexts"),
    (compared([["-1"]], [" 正确"]), "resps", "there are no choices to compare"),  # of the right answer alone
    (compared([["-1"], ["-2"]], [" A", " A"]), "resps", "there are no choices to compare"),
    (compared([["-1"], ["-2"]], [" 甲", " 甲"], ["问题一", "问题二"]), "resps", "the choices stand in the contexts"),
    (compared([["-1"], ["-2"]], [" A", " B"], arguments=None), "resps", "its arguments are missing"),
    (compared([["-1"], ["-2"]], [" A", " B"], arguments={"x": 1}), "resps", "its arguments are missing"),
    (compared([["-1"], ["-2"], ["-3"]], resps=[[["-1", "x"]]]), "resps", "not as many answers"),
    (generated("c"), "id", "have an id that the data lack"),
    ('{"doc_id": 1, "doc": {"id": "b"}, "resps": [["正', None, "is not JSON"),
    ('{"doc_id": 1, "doc": {"id": "b"}}', "resps", "the field is missing"),
    ('{"doc_id": 1, "resps": [["x"]]}', "doc", "the field is missing"),
    ("<<<<<<< HEAD", None, "is a conflict marker"),
    (json.dumps(generated("b"))[:-40].replace("1.0", "NaN"), None, "is not JSON"),
]


@pytest.mark.parametrize(("line", "field", "message"), WRONG, ids=range(len(WRONG)))
def test_a_wrong_line_is_named(file, line, field, message):
    path = file(generated("a#v1"), line)
    failure = refusal(path)
    assert message in str(failure)
    assert (failure.file, failure.line, failure.field) == (str(path), 2, field)


@pytest.mark.parametrize(
    ("second", "message"),
    [
        (generated(), "the same document twice for the filter none"),
        (generated("a", "错误。"), "the same document twice for the filter none"),
        (generated("a", "错误。", filter="flexible"), "the filters none and flexible stand by different answers"),
        (generated("a", "正确。", "正确。", filter="flexible"), "stand by different answers"),
    ],
)
def test_a_document_comes_once_for_a_filter(file, second, message):
    """The harness appends to a file of the same name: two evaluations in one file are no repeats."""
    failure = refusal(file(generated(), generated("b"), second))
    assert message in str(failure)
    assert failure.line == 3


def test_samples_of_two_tasks_are_two_answers(file):
    made, chosen = file(generated()), file(compared([["-1"], ["-2"], ["-3"]]), name="other.jsonl")
    failure = refusal(made, chosen)
    assert "the same prediction twice" in str(failure)
    assert failure.file == str(chosen)


def test_results_in_place_of_samples(file):
    results = {"results": {"medzh": {"acc,none": 0.5}}, "configs": {}, "versions": {}, "n-shot": {}}
    for text in (json.dumps(results), json.dumps(results, indent=2)):
        assert "--log_samples" in str(refusal(file(text)))
