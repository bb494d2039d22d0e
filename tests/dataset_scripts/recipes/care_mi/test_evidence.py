"""CARE-MI's evidence against rank-bm25, by hand, and on the paragraphs of the authors' own examples."""

from __future__ import annotations

import ast
import csv

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from rank_bm25 import BM25Okapi

from dataset_scripts.recipes.care_mi.evidence import (
    QUERIES,
    STOP_WORDS,
    Evidence,
    Retrieval,
    evidence_of,
    retrieval_notes,
    stop_words,
    words_of,
)
from dataset_scripts.recipes.care_mi.samples import Sample
from medzh_score.messages.errors import MedzhError

EXAMPLES = "Meetyou-AI-Lab/CARE-MI/2e1a45574c3b9c5ed52643de2714eb9275bb7284/examples.tsv"
OURS, PLAIN = Retrieval(), Retrieval(stop_words="none")
CLAUSES = (
    "胎盘早剥",
    "可导致产后出血",
    "孕妇",
    "应补充叶酸",
    "新生儿黄疸",
    "的治疗是光照疗法",
    "，",
    "妊娠期糖尿病",
    "IL-6升高",
)
TEXTBOOK = (
    "胎盘早剥的典型表现是阴道流血、腹痛和子宫张力增高。",
    "孕前三个月起补充叶酸可以预防胎儿神经管畸形。",
    "新生儿黄疸明显时可用光照疗法。",
    "妊娠期糖尿病的诊断依靠口服葡萄糖耐量试验。",
    "产后出血最常见的原因是子宫收缩乏力。",
)


def sample_of(question, true_statement, context="", key="1"):
    return Sample(key, "MEDQA", "open", context, context + question, true_statement, "", "replacement", (), "")


FOLATE = sample_of("能预防胎儿神经管畸形的是什么？", "能预防胎儿神经管畸形的是叶酸。")


def found(corpora, sample=FOLATE, retrieval=OURS):
    return evidence_of([sample], corpora, retrieval)[sample.key]


texts = st.lists(st.sampled_from(CLAUSES), min_size=1, max_size=5).map("".join)


@given(st.lists(st.lists(texts, min_size=1, max_size=9, unique=True), min_size=1, max_size=2), texts, texts, st.data())
def test_evidence_is_what_rank_bm25_ranks_first(corpora, question, statement, data):
    retrieval = Retrieval(data.draw(st.sampled_from(sorted(QUERIES))), data.draw(st.sampled_from(STOP_WORDS)))
    by_name = {f"corpus {place}": texts for place, texts in enumerate(corpora)}
    cut = {name: list(words_of(texts, retrieval)) for name, texts in by_name.items()}
    assume(all(map(any, cut.values())))
    (query,) = words_of([(question if retrieval.query == "paper" else "") + statement], retrieval)
    expected, seen = [], set()
    for name, texts in by_name.items():
        values = BM25Okapi(cut[name]).get_scores(query)
        order = [place for place in np.argsort(-values, kind="stable") if values[place] > 0][:3]
        expected += [(name, rank, texts[place]) for rank, place in enumerate(order, 1) if texts[place] not in seen]
        seen.update(texts[place] for place in order)
    assert list(found(by_name, sample_of(question, statement), retrieval)) == expected


def test_three_of_each_corpus_and_none_without_a_positive_score():
    evidence = found({"textbooks": TEXTBOOK, "wikipedia": ("叶酸是一种水溶性维生素。", *TEXTBOOK[2:])})
    assert [(one.corpus, one.rank) for one in evidence] == [("textbooks", 1), ("wikipedia", 1)]
    assert [one.text for one in evidence] == [TEXTBOOK[1], "叶酸是一种水溶性维生素。"]


def test_equal_scores_are_settled_by_order():
    twins = [f"叶酸{mark}" for mark in "，。；、"]
    filler = ["维生素", "铁剂", "钙片", "蛋白质", "碘盐", "锌剂"]
    assert [one.text for one in found({"textbooks": [*filler, *twins]})] == twins[:3]


def test_a_paragraph_of_both_corpora_is_given_once():
    evidence = found({"textbooks": TEXTBOOK, "wikipedia": TEXTBOOK})
    assert evidence == (Evidence("textbooks", 1, TEXTBOOK[1]),)


def test_the_two_queries():
    sample = sample_of("治疗是什么？", "治疗是光照疗法。", context="新生儿黄疸，")
    assert QUERIES["paper"](sample) == "新生儿黄疸，治疗是什么？治疗是光照疗法。"
    assert QUERIES["code"](sample) == "新生儿黄疸，治疗是光照疗法。"


def test_stop_words_are_words_and_medical_ones_stay():
    assert {"的", "什么", "以及"} <= stop_words()
    assert not {"不", "无", "早", "晚", "胎", "孕"} & stop_words()
    assert all(word == word.strip() and word for word in stop_words())
    (words,) = words_of(["孕妇在孕前的3个月，应补充叶酸吗？"], Retrieval())
    assert words == ["孕妇", "孕前", "3", "月", "补充", "叶酸"]


@pytest.mark.parametrize("paragraphs", [[], [" "], ["的，什么？"]])
def test_a_corpus_without_words_is_refused(paragraphs):
    with pytest.raises(MedzhError, match="field wikipedia: the corpus has no words to search by"):
        found({"textbooks": TEXTBOOK, "wikipedia": paragraphs})


def test_a_query_without_words_finds_nothing():
    assert found({"textbooks": TEXTBOOK}, sample_of("什么？", "的是。")) == ()


def test_without_corpora_or_samples_there_is_no_evidence():
    assert found({}) == ()
    assert evidence_of([], {"textbooks": []}) == {}


def test_notes_name_the_search_and_what_is_lacking():
    corpora = {"textbooks": TEXTBOOK}
    notes = retrieval_notes(evidence_of([FOLATE], corpora, PLAIN), corpora, PLAIN)
    assert notes[0].startswith("evidence: bm25-okapi, the best 3 of each corpus (textbooks); query: question")
    assert "words cut by jieba 0." in notes[0]
    assert "instead of stanza; no stop words taken out" in notes[0]
    assert "only one corpus, textbooks: at most 3 paragraphs a sample" in notes
    lacking = retrieval_notes({"1": ()}, ["textbooks", "wikipedia"], Retrieval(query="code"))
    assert lacking[1:] == ("1 samples have fewer than 3 paragraphs with a positive score",)
    assert retrieval_notes({"1": ()}, [], Retrieval()) == ("no corpus was given: there is no evidence",)
    assert "query: context and true statement (the released code)" in lacking[0]


def test_official_questions_find_their_own_paragraphs(upstream_file):
    """All 79 paragraphs of the 20 rows, 73 of them different, as one corpus; 19 different questions ask for them.

    Each question has at least three paragraphs of its own, so 57 places can be right.
    """
    with upstream_file(EXAMPLES).open(encoding="utf-8", newline="") as stream:
        rows = list(csv.DictReader(stream, delimiter="\t"))
    own = {row["full-question"]: ast.literal_eval(row["evidence"]) for row in rows}
    assert (len(rows), sum(len(ast.literal_eval(row["evidence"])) for row in rows)) == (20, 79)
    paragraphs = list(dict.fromkeys(text for texts in own.values() for text in texts))
    assert (len(own), len(paragraphs)) == (19, 73)
    answers = {row["full-question"]: row["answer"] for row in rows}
    samples = [sample_of(question, answer, key=question) for question, answer in answers.items()]
    right = {}
    for retrieval in (Retrieval(), PLAIN):
        evidence = evidence_of(samples, {"examples": paragraphs}, retrieval)
        assert all(one[0].text in own[question] for question, one in evidence.items())
        right[retrieval] = sum(one.text in own[question] for question, found in evidence.items() for one in found)
    assert right == {Retrieval(): 55, PLAIN: 53}
