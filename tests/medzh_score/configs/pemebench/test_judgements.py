"""What a judge wrote: entities in the form that was asked for, a verdict as any yes or no; the rest is unreadable."""

from __future__ import annotations

import json

from hypothesis import given
from hypothesis import strategies as st
from tables import case_tables, holds

from medzh_score.configs.pemebench.reading.judgements import entities_of, read_entities, read_opposed

CASES = case_tables("pemebench_cases")


def test_a_conclusion_is_read_only_where_there_is_one():
    rows = [(text, verdict and {"opposed": verdict}) for text, verdict in CASES["opposed"]]
    holds(rows, lambda text: read_opposed(text, {}))


def test_a_list_is_read_only_where_there_is_one():
    rows = [(text, value and {"entities": value}) for text, value in CASES["entities"]]
    holds([*rows, ("[" * 100_000, None), ('["\ud800"]', None)], lambda text: read_entities(text, {}))


def test_what_a_person_writes_is_taken_apart():
    holds(CASES["written_entities"], lambda value: list(entities_of(value)))


PIECES = ["结论：有", "结论：无", "结论：", "有", "无", "\n", "\n", "**", "。", " ", "没", "有", "发热"]


@given(st.lists(st.sampled_from(PIECES), max_size=12).map("".join))
def test_lines_that_conclude_agree_with_what_is_read(text):
    found = read_opposed(text, {})
    lines = [line.replace("*", "").strip(" 。") for line in text.split("\n")]
    concluded = {verdict for line, verdict in (("结论：有", "yes"), ("结论：无", "no")) if line in lines}
    if len(concluded) > 1:
        assert found is None
    elif found is not None:
        assert concluded <= {found["opposed"]}
        assert {"yes": "有", "no": "无"}[found["opposed"]] in text or (found["opposed"], "没" in text) == ("no", True)


@given(st.text())
def test_no_text_breaks_a_reader(text):
    assert read_opposed(text, {}) in (None, {"opposed": "yes"}, {"opposed": "no"})
    found = read_entities(text, {})
    assert found is None or entities_of(found["entities"]) or found["entities"] == "无"


@given(st.lists(st.text("发热皮疹IL-6; ；\n（）", min_size=1).filter(lambda text: text.strip(" ;；\n"))))
def test_what_is_listed_comes_back_with_spaces_for_separators(entities):
    (value,) = read_entities(json.dumps(entities), {}).values()
    plain = [" ".join(entity.replace("；", " ").replace(";", " ").split()) for entity in entities]
    assert [" ".join(entity.split()) for entity in entities_of(value)] == plain
