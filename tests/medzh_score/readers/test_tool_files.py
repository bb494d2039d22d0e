"""Files of other tools, whole and broken: what each says of a prompt, and the line and field of what is wrong.

Sources: the interfaces of OpenAI and what vLLM's ``run_batch`` writes; samples of lm-eval 0.4.13, and the lists of its
releases up to 0.4.2; logs of inspect 0.3.285; EvalScope's ``ModelResult``; lighteval's ``Doc`` and ``ModelResponse``;
OpenCompass's predictions. All are retold by hand; the real tools run in test_real_inspect and test_real_lm_eval.
"""

from __future__ import annotations

import json
import sys
import zipfile

import pyarrow as pa
import pytest
from pyarrow import parquet
from read_files import lines_in, reader_of

from medzh_score.io import limits
from medzh_score.prompting.positions import AskedPosition, Position, as_sets, in_a_row, placed
from medzh_score.ui.errors import MedzhError

CLAIMS = ["麻疹具有传染性。", "麻疹没有传染性。", "水痘由病毒引起。", "水痘由细菌引起。"]
PROMPTS = [f"判断对错：\n{claim}\n请回答正确或错误。" for claim in CLAIMS]
IDS = ["m-f", "m-c", "w-f", "w-c"]
SENT = [Position(identifier, 0, 0, text) for identifier, text in zip(IDS, PROMPTS, strict=True)]
ASKED = dict(zip(IDS, PROMPTS, strict=True))
DOCUMENTS = {"inspect", "opencompass"}


@pytest.fixture
def write(tmp_path):
    """Give a function that writes the lines, the document or the rows of a tool's file."""

    def dump(form, *content, name="set.json", indent=4):
        path = tmp_path / name
        if form == "lighteval":
            parquet.write_table(pa.Table.from_pylist(list(content)), path)
        elif form in DOCUMENTS:
            path.write_text(json.dumps(content[0], indent=indent, ensure_ascii=False), encoding="utf-8")
        else:
            path.write_text("".join(json.dumps(one, ensure_ascii=False) + "\n" for one in content), encoding="utf-8")
        return path

    return dump


def read(path, form=None, sent=SENT):
    found = lines_in(path, form, lambda: {"sent": sent} if sent else {})
    assert form is None or reader_of(path).name == form
    return found


def said(path, form=None, sent=SENT):
    return [(one.id, one.run, one.variant, one.prediction, one.error) for _, one in read(path, form, sent)]


def refusal(path, form=None, sent=SENT):
    with pytest.raises(MedzhError) as failure:
        read(path, form, sent)
    assert "\n" not in str(failure.value).replace("\n  ", "")
    assert failure.value.file == str(path)
    return failure.value


# A prompt with one response in each form, and what is said of it.


def batch(body, custom_id="a", status=200, **more):
    return {"id": "r", "custom_id": custom_id, "response": {"status_code": status, "body": body}, "error": None, **more}


def chat(content="正确", reason="stop", **message):
    choice = {"index": 0, "finish_reason": reason, "message": {"role": "assistant", "content": content, **message}}
    return {"object": "chat.completion", "model": "m", "choices": [choice], "usage": {"total_tokens": 3}}


def response(*output, **more):
    return {"object": "response", "model": "m", "status": "completed", "output": list(output), **more}


def message(*parts):
    return {"type": "message", "role": "assistant", "content": [{"type": "output_text", "text": one} for one in parts]}


REASONING = {"type": "reasoning", "summary": [], "content": [{"type": "reasoning_text", "text": "想"}]}
REFUSED = {"type": "message", "content": [{"type": "refusal", "refusal": "no"}]}
THINKING = [{"type": "thinking", "text": "想"}, {"text": "正"}, {"type": "text", "text": "确"}]
CUT = {"incomplete_details": {"reason": "max_output_tokens"}}
THOUGHT = [{"type": "reasoning", "reasoning": "想"}, {"type": "text", "text": "正"}, {"type": "text", "text": "确"}]


def lm_eval(identifier="a", *texts, **more):
    return {
        "doc_id": 0,
        "doc": {"id": identifier, "question": "问题"},
        "arguments": {"gen_args_0": {"arg_0": "问题", "arg_1": {"until": [], "do_sample": False}}},
        "resps": [list(texts or ("正确",))],
        "filter": "none",
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
    return lm_eval(**{"arguments": arguments, "resps": resps, **more})


def output(content="正确", stop="stop", **more):
    choice = {"message": {"role": "assistant", "content": content}, "stop_reason": stop}
    return {"model": "m", "choices": [choice], "completion": content, "usage": None, **more}


def sample(identifier="a", epoch=1, **more):
    return {"id": identifier, "epoch": epoch, "input": "问题", "output": output(), "metadata": {}, **more}


def log(*samples, **more):
    return {"version": 2, "status": "success", "eval": {"model": "m"}, "samples": list(samples), **more}


def scope(index, content="正确", named="m-f", *, asked=None, **more):
    answer = {"role": "assistant", "content": content}
    user = {"role": "user", "content": ASKED.get(named, "") if asked is None else asked}
    return {
        "index": index,
        "model": "m",
        "model_output": {"model": "m", "choices": [{"message": answer, "stop_reason": "stop"}]},
        "messages": [{"role": "system", "content": "你是医生。"}, user, answer],
        "metadata": {"id": named},
        **more,
    }


def former(index, content="正确", named="m-f", **more):
    choice = {"index": 0, "message": {"role": "assistant", "content": content}, "finish_reason": "stop"}
    raw = {"id": named, "query": ASKED.get(named, "")}
    return {"index": index, "choices": [choice], "model": "m", "raw_input": raw, **more}


def details(identifier="m-f", texts=("正确",), processed=None, *, named=True, **specific):
    return {
        "doc": {"query": ASKED[identifier], "specific": {"id": identifier, **specific} if named else None},
        "model_response": {
            "input": [{"role": "user", "content": "x"}],
            "text": list(texts),
            "text_post_processed": processed,
        },
    }


def compass(predictions=("正确", "错误", "正确", "错误"), prompts=PROMPTS, start=0):
    pairs = enumerate(zip(prompts, predictions, strict=False), start)
    return {str(at): {"origin_prompt": prompt, "prediction": text} for at, (prompt, text) in pairs}


TOO_LATE = {"code": "batch_expired", "message": "too\n late"}
RESPONSES = [
    # form, content, text, why generation ended
    ("batch", batch(chat(reason=None)), "正确", None),
    ("batch", batch(chat(" \n正确 ", "length")), " \n正确 ", "length"),
    ("batch", batch(chat(None, reasoning_content="想：正确")), "", "stop"),
    ("batch", batch(chat(None, refusal="I cannot")), "", "content_filter"),
    ("batch", batch(chat(THINKING)), "正确", "stop"),
    ("batch", batch(chat([{"type": "refusal", "refusal": "no"}, {"type": "text", "text": None}])), "", "stop"),
    ("batch", batch({"model": "m", "choices": [{"text": "正确", "finish_reason": "length"}]}), "正确", "length"),
    ("batch", batch(response(REASONING, message("正", "确"))), "正确", "stop"),
    ("batch", batch(response(REASONING)), "", "stop"),
    ("batch", batch(response({**REASONING, "content": None}, REFUSED)), "", "content_filter"),
    ("batch", batch(response(message("正"), **CUT)), "正", "max_output_tokens"),
    ("inspect", log(sample(output=output("正", "max_tokens"))), "正", "max_tokens"),
    ("inspect", log(sample(output={"choices": [], "completion": "正确"})), "正确", None),
    ("inspect", log(sample(output={"choices": output()["choices"]})), "正确", "stop"),  # before completion was written
    ("inspect", log(sample(output=output(THOUGHT, completion=""))), "正\n确", "stop"),
    ("inspect", log(sample(output=output("attachment://0a1b"), attachments={"0a1b": "长"})), "长", "stop"),
    ("inspect", log(sample(output=output("attachment://ffff，无此附件"))), "attachment://ffff，无此附件", "stop"),
    ("evalscope", scope(0, None), "", "stop"),
    ("evalscope", scope(0, THOUGHT), "正确", "stop"),
    ("evalscope", former(0, None), "", "stop"),
    # Where a filter ended it, the error only says so.
    ("evalscope", scope(0, model_output={**output("", "content_filter"), "error": "moderated"}), "", "content_filter"),
]


@pytest.mark.parametrize(("form", "content", "text", "reason"), RESPONSES, ids=range(len(RESPONSES)))
def test_what_a_response_says(write, form, content, text, reason):
    ((_, found),) = read(write(form, content), form)
    assert (found.prediction, found.finish_reason, found.error) == (text, reason, None)
    assert found.model in {"m", None}


FAILURES = [
    ("batch", batch(None, response=None, error=TOO_LATE), "no response: too\n late"),
    ("batch", batch(None, response=None, error=[1]), "no response: [1]"),
    ("batch", {"custom_id": "a", "error": {"message": "expired"}}, "no response: expired"),
    ("batch", batch({"error": {"message": "bad"}}, status=400), "status 400: bad"),
    ("batch", batch("bad", status=400), "status 400: no reason given"),
    ("batch", batch(None, status=400, error={"message": "too long"}), "status 400: too long"),
    ("batch", batch(None, error="vLLM failed"), "no body: vLLM failed"),
    ("batch", batch({"choices": []}), "no choices"),
    ("batch", batch(response()), "no choices"),
    ("batch", batch({"error": "too long"}), "an error: too long"),
    ("batch", batch({"object": "error", "message": "too long"}), "an error: too long"),
    ("batch", batch({"choices": [{"text": "正"}], "error": {"code": 7}}), "an error: {'code': 7}"),
    ("batch", batch(response(REASONING, error={"message": "server"})), "an error: server"),
    ("batch", batch(chat(), error={"message": "late"}), "an error: late"),
    ("batch", batch(chat("正", "error")), "generation ended in an error"),
    ("lm-eval", lm_eval(resps=[[]]), "resps is empty"),
    ("inspect", log(sample(error={"message": "one\n  two", "traceback": "…"})), "one two"),
    ("inspect", log(sample(error={"message": ""})), "no reason given"),
    ("inspect", log(sample(output=None)), "no output"),
    ("inspect", log(sample(output={"choices": []}, limit={"type": "time"})), "no output: time limit"),
    ("evalscope", scope(0, model_output=None), "no output"),
    ("evalscope", scope(0, model_output={"choices": [], "error": "timed out"}), "timed out"),
    ("evalscope", scope(0, model_output={**output(), "error": "moderated"}), "moderated"),
    ("lighteval", details(texts=[]), "no text"),
    ("opencompass", compass([[]]), "no prediction"),
    ("opencompass", compass([{}]), "no prediction"),
]


@pytest.mark.parametrize(("form", "content", "error"), FAILURES, ids=range(len(FAILURES)))
def test_a_failed_request_has_its_reason_and_no_text(write, form, content, error):
    path = write(form, content, details("m-c")) if form == "lighteval" else write(form, content)
    _, found = read(path, form)[0]
    assert (found.error, found.prediction) == (error, "")


KEYS = [
    # form, content, id, run, variant
    ("batch", batch(chat(), "a#r1v2"), ("a", 1, 2)),
    ("batch", batch(chat(), "a#v23"), ("a", 0, 23)),
    ("batch", batch(chat(), "a#x"), ("a#x", 0, 0)),
    ("batch", batch(chat(), "a#r1#r2"), ("a#r1", 2, 0)),
    ("batch", batch(chat(), "a#v1r2"), ("a#v1r2", 0, 0)),
    ("batch", batch(chat(), "a#r" + "9" * 5000), ("a#r" + "9" * 5000, 0, 0)),
    ("batch", batch(chat(), "a#r١"), ("a#r١", 0, 0)),
    ("lm-eval", lm_eval(doc={"id": "a#r1v2"}), ("a", 1, 2)),
    ("lm-eval", lm_eval(doc={"id": "a", "run": 1, "variant": 2, "messages": []}), ("a", 1, 2)),
    ("lm-eval", lm_eval(doc={"id": "a", "run": None, "variant": None}), ("a", 0, 0)),
    ("inspect", log(sample("a", 2, metadata=None)), ("a", 1, 0)),
    ("inspect", log(sample("mine-3", metadata={"id": "a", "other": [1]})), ("a", 0, 0)),
    ("inspect", log(sample(3, 2, metadata={"id": "a", "variant": 2})), ("a", 1, 2)),
    ("inspect", log(sample(3, metadata={"id": "a#r1v2"})), ("a", 1, 2)),
    ("evalscope", scope(0, named="m-f#r2v5"), ("m-f", 2, 5)),
    ("lighteval", details(run=2, variant=5), ("m-f", 2, 5)),
]


@pytest.mark.parametrize(("form", "content", "key"), KEYS, ids=range(len(KEYS)))
def test_what_was_asked(write, form, content, key):
    ((_, found),) = read(write(form, content), form)
    assert (found.id, found.run, found.variant) == key


CHOICES = [{"index": 1, "text": "错误"}, {"index": 0, "text": "正确"}]
SEVERAL = [
    # form, contents, what is said of them: id, run, text
    ("batch", [batch({"choices": CHOICES})], [("a", 1, "错误"), ("a", 0, "正确")]),
    ("lm-eval", [lm_eval("a", " 正确\n", ""), lm_eval("b")], [("a", 0, " 正确\n"), ("a", 1, ""), ("b", 0, "正确")]),
    (
        "inspect",
        [log(sample("a", 1), sample("a", 2), sample("b"))],
        [("a", 0, "正确"), ("a", 1, "正确"), ("b", 0, "正确")],
    ),
    ("evalscope", [scope(2, "c"), scope(0, "a"), scope(1, "b")], [("m-f", 2, "c"), ("m-f", 0, "a"), ("m-f", 1, "b")]),
    (
        "evalscope",
        [scope(0, model_output={"choices": [{"message": {"content": text}} for text in "ab"]})],
        [("m-f", 0, "a"), ("m-f", 1, "b")],
    ),
    ("evalscope", [former(1, "b"), former(0, "a")], [("m-f", 1, "b"), ("m-f", 0, "a")]),
    ("lighteval", [details(texts=["a", "b"])], [("m-f", 0, "a"), ("m-f", 1, "b")]),
    ("lighteval", [details(texts=["<think>想</think>x"], processed=["x"])], [("m-f", 0, "x")]),
    ("opencompass", [compass([["正确", None]])], [("m-f", 0, "正确"), ("m-f", 1, "")]),
    ("opencompass", [compass([{"prediction": ["a", "b"]}])], [("m-f", 0, "a"), ("m-f", 1, "b")]),
    ("opencompass", [compass([{"prediction": None, "reasoning_content": "想"}])], [("m-f", 0, "")]),
]


@pytest.mark.parametrize(("form", "contents", "expected"), SEVERAL, ids=range(len(SEVERAL)))
def test_several_responses_are_runs(write, form, contents, expected):
    found = read(write(form, *contents), form)
    assert [(one.id, one.run, one.prediction) for _, one in found] == expected


PYTHON = {"doc": str(details()["doc"]), "model_response": "{}"}
PERPLEXITY = {"gen_args_0": {"arg_0": "全文"}}
UNNAMED = {"asked": PROMPTS[1], "metadata": None}
TWO = {"choices": [{"message": {"content": "a"}}] * 2}
OTHER_PROMPT = "the file has no ids, and 1 of 1 prompts differ from sent, the first at position 0"
NO_QUESTION = "the entry contains no question, so its position cannot be checked"
NO_COLUMNS = "wrong type: expected Parquet with the columns"
TURNS_OF_TWO = "the entry contains a multi-turn conversation"
WRONG = {  # by form: contents, line, field, part of the message
    "batch": [
        ([batch(chat()), {"custom_id": 7, "response": None}], 2, "custom_id", "expected a string"),
        ([batch(chat(), status="ok")], 1, "response.status_code", "expected an integer, found a string"),
        ([batch({})], 1, "choices", "the field is missing"),
        ([batch({"choices": [{}]})], 1, "choices[…].message", "the field is missing"),
        ([batch({"choices": [{"index": -1, "message": {}}]})], 1, "choices[0].index", "the value is too small"),
        (
            [batch({"choices": CHOICES}, "a#r1")],
            1,
            "custom_id",
            "the request specifies a run, but its response has several choices",
        ),
    ],
    "lm-eval": [
        ([lm_eval(), lm_eval(doc={"question": "x"})], 2, "doc.id", "the document has no id"),
        ([lm_eval(doc={"id": 7})], 1, "doc.id", "expected a string, found an integer"),
        ([lm_eval(doc={"id": "a", "run": -1})], 1, "doc.run", "the value is too small"),
        ([lm_eval(resps={"0": ["正确"]})], 1, "resps", "wrong type"),
        ([lm_eval(resps=[["正确"], []])], 1, "resps", "wrong type"),
        ([lm_eval(resps=[["正确", 5]])], 1, "resps", "a response is not a string"),
        ([lm_eval(resps=[["正确"], ["错误"]])], 1, "resps", "the sample contains no generated text"),
        ([lm_eval(resps=[["-12.5"]], arguments=PERPLEXITY)], 1, "resps", "the sample contains no generated text"),
        ([lm_eval("b#r1", "x", "y")], 1, "resps", "several repeats"),
        ([compared([["nan"], ["-1"], ["-2"]])], 1, "resps", "a log-likelihood is not a number"),
        ([compared([["-1", "-1"], ["-1"], ["-2", "-1"]])], 1, "resps", "a log-likelihood is not a number"),
        (
            [compared([["-2"], ["-1"]], " A", ["问题", None])],
            1,
            "resps",
            "invalid request arguments for an answer option",
        ),
        (
            [compared([["-2"], ["-1"], ["-3"]], contexts=["问题", "", "问题"])],
            1,
            "resps",
            "the choices are in the contexts",
        ),
        ([compared([["-1"]], [" 正确"])], 1, "resps", "no choices to compare"),
        ([compared([["-1"], ["-2"]], [" A", " A"])], 1, "resps", "no choices to compare"),
        ([compared([["-1"], ["-2"]], [" A", " B"], arguments={"x": 1})], 1, "resps", "the arguments are missing"),
        (
            [compared([["-1"], ["-2"], ["-3"]], resps=[[["-1", "x"]]])],
            1,
            "resps",
            "the number of responses differs from the number of arguments",
        ),
        ([lm_eval(), lm_eval()], 2, "doc.id", "duplicate document for the filter none"),
        ([lm_eval(), lm_eval("a", "x", filter="f")], 2, "resps", "have different responses for one document"),
    ],
    "inspect": [
        ([log(sample("a"), sample(2))], None, "/samples/1/id", "the sample id is only a number"),
        ([log(sample("a", 0))], None, "/samples/0/epoch", ">= 1"),
        ([log(sample("x", metadata={"id": 5}))], None, "/samples/0/metadata/id", "Expected str"),
        ([log(sample("a", 2, metadata={"id": "a", "run": 1}))], None, "/samples/0/epoch", "several epochs"),
        ([log(samples=None)], None, "/samples", "the log contains no samples"),
    ],
    "evalscope": [
        ([scope(0), scope(0, named="m-c")], 2, "index", "line 1 has the same index"),
        ([scope(0), scope(1, metadata=None)], 2, "metadata.id", "some lines have an id and others do not"),
        ([scope(0, **UNNAMED)], 1, None, OTHER_PROMPT),
        ([scope(0, PROMPTS[0], asked="何谓麻疹？", metadata={})], 1, None, "the file has no ids, and"),
        ([scope(0), {"index": 1, "model_output": 5}], 2, "model_output", "expected a JSON object, found an integer"),
        (
            [scope(0, metadata={}, messages=[])],
            1,
            "metadata.id",
            "the line has no id and no question (EvalScope before 1.7), so its prompt cannot be identified",
        ),
        (
            [scope(n, model_output=TWO) for n in (0, 1)],
            2,
            "model_output.choices",
            "the prompt specifies a run, but its output has several choices",
        ),
    ],
    "lighteval": [
        ([details(), details("m-c", named=False)], 2, "doc.specific.id", "some rows have an id and others do not"),
        ([details(texts=["a", "b"], run=1)], 1, "model_response.text", "several texts"),
        ([{"doc": 5, "model_response": 5}], 1, "doc", NO_COLUMNS),
        ([{**details(), "model_response": {"text": [1]}}], 1, "model_response", NO_COLUMNS),
        ([details(run="x")], 1, "doc.specific", NO_COLUMNS),
        ([PYTHON], 1, "doc", "the value is a Python literal, which is never evaluated"),
        ([details("m-c", named=False)], 1, None, OTHER_PROMPT),
    ],
    "opencompass": [
        ([{"0": {"prediction": "x"}}], None, "/0/origin_prompt", NO_QUESTION),
        ([compass(["x"], [[{"role": "HUMAN"}]])], None, "/0/origin_prompt", NO_QUESTION),
        ([compass(["x"], [[[{"prompt": "a"}]]])], None, "/0/origin_prompt", TURNS_OF_TWO),
        ([compass([["您好", "正确"]], [["你好", PROMPTS[0]]])], None, "/0/origin_prompt", TURNS_OF_TWO),
        ([compass([[0.1, 0.9]])], 2, "/0/prediction", "wrong type"),
        ([{**compass("x"), "-1": {}}], None, "/-1", "the key is not a position"),
        ([{"0": "x"}], None, "/0", "the value is not a JSON object"),
        ([{}], None, None, "no predictions found"),
    ],
}
WRONG_ROWS = [(form, *row) for form, rows in WRONG.items() for row in rows]


@pytest.mark.parametrize(("form", "contents", "line", "field", "message"), WRONG_ROWS, ids=range(len(WRONG_ROWS)))
def test_what_is_wrong_is_named(write, form, contents, line, field, message):
    failure = refusal(write(form, *contents), form if form in DOCUMENTS else None)
    assert message in str(failure)
    assert (failure.line, failure.field) == (line, field)


# lm-evaluation-harness.


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        (compared([["-1e-3"], ["-0.01"], ["-0.002"]]), ["A"]),
        (compared([["-10"], ["-9"], ["-8"]]), ["C"]),  # as numbers, not as texts
        (compared([["-inf"], ["-inf"], ["-700"]]), ["C"]),
        (compared([["-1"], ["-1"], ["-2"]]), ["A"]),  # as numpy's argmax, by which the harness counts its accuracy
        (compared([["-1", "-3"], ["-2", "-2"], ["-3", "-1"]]), ["A", "C"]),
        (compared([["-2"], ["-1"]], ["\n\n阿莫西林 胶囊 ", "\n\n青霉素 "]), ["青霉素 "]),
        # Behind an empty context choices come a second time.
        (compared([["-2"], ["-1"], ["-0.1"], ["-0.2"]], (" A", " B") * 2, ["问题", "问题", "", ""]), ["B"]),
        (lm_eval(arguments=[["问题", " A"], ["问题", " B"]], resps=[[[-2.5, False]], [[-1, True]]]), ["B"]),
        (lm_eval(arguments=[["问题", {"until": []}]]), ["正确"]),
    ],
)
def test_the_likeliest_choice_is_the_answer(write, line, expected):
    assert [text for *_, text, _ in said(write("lm-eval", line), "lm-eval")] == expected


def test_of_several_filters_one_is_read_whatever_their_order(write):
    """The harness writes all documents by one filter, then all by the next."""
    texts = {"a": ("正确", "对"), "b": ("错误", "错")}
    lines = [lm_eval(name, *texts[name], filter=one) for one, names in (("x", "ab"), ("y", "ba")) for name in names]
    expected = [(name, run, text) for name in "ab" for run, text in enumerate(texts[name])]
    for order in (lines, [lines[0], lines[2], lines[3], lines[1]]):
        found = said(write("lm-eval", *order), "lm-eval")
        assert sorted((name, run, text) for name, run, _, text, _ in found) == sorted(expected)


# inspect.


@pytest.mark.parametrize("status", ["error", "cancelled", "started"])
def test_of_a_log_that_broke_off_what_is_there_is_read(write, status):
    content = log(sample("b"), status=status, error={"message": "x", "traceback": "…"}, results=None)
    assert [name for name, *_ in said(write("inspect", content, indent=None), "inspect")] == ["b"]


@pytest.mark.parametrize("member", ["header.json", "_journal/start.json", "samples/a_epoch_1.json"])
def test_a_zip_of_inspect_needs_its_library(tmp_path, monkeypatch, member):
    path = tmp_path / "log.eval"
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr(member, "{}")
    monkeypatch.setitem(sys.modules, "inspect_ai.log", None)
    failure = str(refusal(path, "inspect"))
    assert (
        "run `pip install 'medzh-score[inspect]'`, or convert the log: "
        "`inspect log convert LOG.eval --to json --output-dir json`"
    ) in failure
    assert "inspect log convert" in failure


def test_a_log_that_would_fill_the_memory(tmp_path, monkeypatch):
    pytest.importorskip("inspect_ai")
    path = tmp_path / "trap.eval"
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("header.json", "{}")
        archive.writestr("samples/a_epoch_1.json", b" " * 1_000_000)
    monkeypatch.setattr(limits, "UNPACKED", 100_000)
    assert refusal(path).problem == "the decompressed size is more than 0 MB and 200 times the file size"


# EvalScope and lighteval.


@pytest.mark.parametrize("metadata", [None, {}, {"id": "unknown"}, {"id": ""}, {"id": 7}])
def test_without_ids_the_index_counts(write, metadata):
    path = write("evalscope", scope(1, "b", "m-c", metadata=metadata), scope(0, "a", metadata=metadata))
    assert [(name, text) for name, _, _, text, _ in said(path, "evalscope")] == [("m-c", "b"), ("m-f", "a")]
    (one,) = said(write("evalscope", former(0, raw_input={"query": PROMPTS[0]})), "evalscope")
    assert one[0] == "m-f"


def test_without_ids_repeats_follow_one_another(write):
    asked = [PROMPTS[index // 2] for index in range(8)]
    path = write("evalscope", *(scope(at, str(at), asked=text, metadata=None) for at, text in enumerate(asked)))
    found = [(name, run, text) for name, run, _, text, _ in said(path, "evalscope")]
    assert found == [(IDS[at // 2], at % 2, str(at)) for at in range(8)]


def test_variants_are_no_repeats(write):
    named = ({"id": "a"}, {"id": "a", "variant": 3}, {"id": "a", "variant": 3, "run": None})
    path = write("evalscope", *(scope(at, text, metadata=named[at]) for at, text in enumerate("甲乙丙")))
    assert [one[:4] for one in said(path)] == [("a", 0, 0, "甲"), ("a", 0, 3, "乙"), ("a", 1, 3, "丙")]


@pytest.mark.parametrize(
    "change",
    [
        lambda row: {
            "doc": {"query": row["doc"]["query"], "specific": {"id": 7}},
            "model_response": {"text": ["正确"]},
        },
        lambda row: {"doc": {"query": row["doc"]["query"]}, "model_response": {"text": ["正确"]}},
        lambda row: {f"__{name}__": value for name, value in row.items()},
        lambda row: {name: json.dumps(value) for name, value in row.items()},
    ],
)
def test_details_may_be_nested_or_json_and_need_no_ids(write, change):
    rows = [change(details(one)) for one in ("m-f", "m-c")]
    assert [name for name, *_ in said(write("lighteval", *rows), "lighteval")] == ["m-f", "m-c"]


def test_details_that_were_not_transferred_whole(write):
    path = write("lighteval", *(details(texts=[f"{run}" * 50], run=run) for run in range(500)))
    content = path.read_bytes()
    path.write_bytes(content[:-200])
    assert "invalid Parquet file" in str(refusal(path))
    path.write_bytes(content[:3000] + b"\xff" * 400 + content[3400:])
    assert "invalid Parquet file" in str(refusal(path))
    parquet.write_table(pa.Table.from_pylist([details()]).slice(0, 0), path)
    assert "no predictions found" in str(refusal(path))


# OpenCompass, and places by the order in which prompts were sent.


def test_an_entry_is_on_the_line_where_it_begins(write):
    for first in ("正确", 'x\n    "7": {'):
        path = write("opencompass", compass([first, "b", "c", "d"]))
        assert [number for number, _ in read(path, "opencompass")] == [2, 6, 10, 14]
    assert {number for number, _ in read(write("opencompass", compass(), indent=None), "opencompass")} == {1}
    one, two = (json.dumps(compass([text]), ensure_ascii=False, indent=4) for text in ("正确", "错误"))
    path.write_text(one.rstrip("\n}") + "\n    },\n" + two.lstrip("{\n"), encoding="utf-8")
    failure = refusal(path)
    assert (failure.problem, failure.line, failure.field) == ("duplicate position", 7, "/0")


@pytest.mark.parametrize(
    "asked",
    [
        [{"role": "SYSTEM", "prompt": "你是医生。"}, {"role": "HUMAN", "prompt": PROMPTS[0], "input_length": 9}],
        [{"role": "user", "content": [{"type": "text", "text": PROMPTS[0]}]}],
        ["你是医生。", PROMPTS[0]],
    ],
)
def test_what_was_asked_may_be_messages(write, asked):
    assert said(write("opencompass", compass(["正确"], [asked])))[0][0] == "m-f"


def test_positions_are_numbers_not_places_in_the_file(write):
    gaps = dict(sorted(compass("abcd").items(), reverse=True))
    del gaps["1"]
    found = said(write("opencompass", gaps))
    assert [(name, text) for name, _, _, text, _ in found] == [("m-f", "a"), ("w-f", "c"), ("w-c", "d")]


def test_parts_go_on_where_those_before_them_end(write):
    parts = [write("opencompass", compass("b", PROMPTS[1:2], 1), name="set_0.json")]  # which lacks its first entry
    parts.append(write("opencompass", compass("cd", PROMPTS[2:]), name="set_1.json"))
    assert [one[0] for part in parts for one in said(part)] == IDS[1:]
    assert [one[0] for one in said(write("opencompass", compass("abcd"), name="set_1.json"))] == IDS  # no part
    parts[0].unlink()
    path = write("opencompass", compass("cd", PROMPTS[2:]), name="set_1.json")
    assert "2 of 2 prompts differ from sent, the first at position 0" in str(refusal(path))


def test_sets_go_on_behind_the_highest_run_that_was_sent(write):
    sent = [Position("a", 1, 0, PROMPTS[0]), Position("a", 0, 0, PROMPTS[1])]
    path = write("opencompass", compass("abcd", PROMPTS[:2] * 2))
    assert [run for _, run, *_ in said(path, sent=sent)] == [1, 0, 3, 2]
    path = write("opencompass", compass([["a", "b"]] * 2, PROMPTS[:1] * 2))  # two samples of each
    assert [run for _, run, *_ in said(path, sent=SENT[:1])] == [0, 1, 2, 3]


def test_where_no_order_is_known(write):
    for path in (write("opencompass", compass()), write("evalscope", scope(0, metadata={}), name="e.jsonl")):
        assert "the file has no ids, and the order of the prompts is unknown" in str(refusal(path, sent=()))


def test_a_document_that_was_not_written_to_its_end(write):
    path = write("opencompass", compass())
    path.write_text(path.read_text("utf-8")[:150], encoding="utf-8")
    assert "invalid JSON: the document is incomplete" in str(refusal(path))


def found(texts):
    return [AskedPosition(at, text, at + 1) for at, text in enumerate(texts)]


def test_the_order_that_fits_best_is_named(tmp_path):
    orders = {"one": SENT[::-1], "other": [SENT[0], *SENT[:0:-1]], "none": []}
    with pytest.raises(MedzhError, match="2 of 4 prompts differ from other, the first at position 1: expected"):
        placed(found(PROMPTS), orders, tmp_path)
    assert [key.id for key in placed(found(PROMPTS), {**orders, "sent": SENT}, tmp_path).values()] == IDS


TURNS = ("麻疹会传染吗？", "会。", "水痘会传染吗？")


@pytest.mark.parametrize(
    ("asked", "fits"),
    [
        ("\n".join(TURNS), True),
        ("".join(f"<|{turn}|>" for turn in TURNS), True),
        ("你是医生。 \n" + " \n".join(TURNS) + " ", True),
        ("".join(f"<|{turn}|>" for turn in TURNS[::-1]), False),
        ("".join(f"<|{turn}|>" for turn in TURNS[1:]), False),
    ],
)
def test_turns_stand_in_their_order(tmp_path, asked, fits):
    sent = {"sent": [Position("a", 0, 0, "\n".join(TURNS), TURNS)]}
    if fits:
        assert placed(found([asked]), sent, tmp_path)[0].id == "a"
    else:
        with pytest.raises(MedzhError):
            placed(found([asked]), sent, tmp_path)


def test_repeats(tmp_path):
    def ids(*arguments):
        return [(key.id, key.run) for _, key in sorted(placed(*arguments).items())]

    assert ids(found(PROMPTS * 3), {"sent": SENT}, tmp_path) == [(one, run) for run in range(3) for one in IDS]
    rows = found([text for text in PROMPTS for _ in range(3)])
    repeats = (as_sets, in_a_row(3))
    assert ids(rows, {"sent": SENT}, tmp_path, repeats) == [(one, run) for one in IDS for run in range(3)]
