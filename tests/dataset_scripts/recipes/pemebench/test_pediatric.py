"""The published list of patterns: what it finds in a question, and what it leaves alone."""

from __future__ import annotations

import csv
import io
import re
from dataclasses import replace
from hashlib import sha256

import pytest
from hypothesis import given
from hypothesis import strategies as st
from places import CASE_FILES, ROOT
from tables import case_tables, holds
from tool_runs import lines_of

from dataset_scripts.recipes.banks.choice_questions import read_cmexam
from dataset_scripts.recipes.banks.questions import Question
from dataset_scripts.recipes.pemebench.pediatric import MEASURED, PATTERNS, TABLE, matched, published_list, read_list
from medzh_score.benchmark.draws import draw_first
from medzh_score.messages.errors import MedzhError

LABELS = lines_of(CASE_FILES / "pemebench_pediatric_labels.jsonl")
PARENTS = lines_of(CASE_FILES / "pemebench_pediatric_parents.jsonl")
CARD = ROOT / "cards" / "pemebench_huatuo.md.jinja"
CMEXAM = "kyre-99/CMExam-Dataset/303a45e554c059c773be4cb951acb7247b405f74/val.xlsx"
SAMPLE = "Toyhom/Chinese-medical-dialogue-data/26724a4357fcd142f0cab81188cacf1a2dd8a827/样例_内科5000-6000.csv"
PATTERN = '[[pattern]]\nname = "{name}"\nmeaning = "m"\nfound = ["{found}"]\n'


def test_it_finds_children_and_leaves_others_alone():
    rows = case_tables("pemebench_cases")["children"]
    holds(rows, matched)
    assert {name for _, names in rows for name in names} == {pattern.name for pattern in published_list().patterns}


def test_only_the_question_is_looked_at_in_half_width_without_spaces():
    listed = published_list()
    assert listed.looked_at("女，　３ 岁：\n发热") == "女,3岁:发热"
    assert matched("女，３\n岁") == matched("女,3岁") != []


@given(st.text(max_size=80))
def test_any_text_can_be_looked_at(text):
    names = [pattern.name for pattern in published_list().patterns]
    found = matched(text)
    assert [name for name in names if name in found] == found
    assert matched(" ".join(text)) == found


def test_the_digest_is_that_of_the_file():
    content = TABLE.read_bytes().replace(b"\r\n", b"\n")
    assert f"pemebench/pediatric.toml, SHA-256 {sha256(content).hexdigest()}" == PATTERNS


def test_patterns_have_names_meanings_and_no_name_twice():
    patterns = published_list().patterns
    assert len({pattern.name for pattern in patterns}) == len(patterns) >= 20
    assert all(re.fullmatch("[a-z]+(-[a-z]+)*", pattern.name) and len(pattern.meaning) > 8 for pattern in patterns)


def test_a_broken_list_is_refused(tmp_path):
    file = tmp_path / "list.toml"

    def refusal(content):
        file.write_text(content, encoding="utf-8")
        with pytest.raises(MedzhError) as caught:
            read_list(file)
        assert caught.value.file == str(file)
        return re.match("not a pattern(?:: )?|[^:]+", caught.value.problem)[0], caught.value.field

    rows = [
        ("[[pattern]\n", "not a list of patterns", None),
        (PATTERN.format(name="a", found="x") * 2, "two patterns have one name", "name"),
        (PATTERN.format(name="A b", found="x"), "not a pattern", "A b"),
        ('[[pattern]]\nname = "a"\nmeaning = "m"\n', "not a pattern", "a"),
        ('[[pattern]]\nname = "a"\nfound = ["x"]\n', "not a pattern", "a"),
        (PATTERN.format(name="a", found="x") + "when = 1\n", "not a pattern", "a"),
        (PATTERN.format(name="a", found="("), "not a pattern: ", "a/found"),
        (PATTERN.format(name="a", found="x") + 'unless = ["["]\n', "not a pattern: ", "a/unless"),
        (PATTERN.format(name="a", found="@none"), "no such list", "a/found"),
        ('[blank]\nb = ["("]\n', "not a pattern: ", "blank"),
        ('[expressions]\ne = "@none"\n', "no such list", "e"),
    ]
    holds([(content, (problem, field)) for content, problem, field in rows], refusal)


def test_a_missing_list_and_one_that_is_not_utf_8_are_refused(tmp_path):
    with pytest.raises(MedzhError, match="not a list of patterns"):
        read_list(tmp_path / "none.toml")
    (tmp_path / "list.toml").write_bytes(b"\xff\xfe")
    with pytest.raises(MedzhError, match="not a list of patterns"):
        read_list(tmp_path / "list.toml")


def test_terms_expressions_blanks_and_exceptions_work_as_described(tmp_path):
    file = tmp_path / "list.toml"
    file.write_text(
        '[terms]\nbaby = "婴 婴儿"\n[expressions]\nfew = "[1-3]"\n[blank]\nb = ["试管婴儿"]\n'
        '[[pattern]]\nname = "a"\nmeaning = "m"\nfound = ["@baby", "@few岁"]\nunless = ["成人"]\n',
        encoding="utf-8",
    )
    listed = read_list(file)
    texts = {"婴儿": ["a"], "2岁": ["a"], "4岁": [], "试管婴儿": [], "成人与婴儿": [], "试管婴儿，2岁": ["a"]}
    assert {text: listed.matched(text) for text in texts} == texts


def test_what_is_stated_of_precision_and_recall_follows_from_the_labels():
    selected = [row["children"] for row in LABELS if row["selected"]]
    others = [row["children"] for row in LABELS if not row["selected"]]
    stated = [int(number) for number in re.findall(r"\d+", MEASURED)]
    assert (stated[0] + stated[2], stated[1] + stated[3]) == (sum(selected), len(selected)) == (320, 339)
    assert stated[4:] == [sum(others), len(others)] == [2, 600]


def test_what_the_card_states_of_parents_questions_follows_from_the_labels_and_a_seeded_draw(upstream_file):
    """The sample has few questions of parents, so that it is a hard case; its texts are not repeated here."""
    content = upstream_file(SAMPLE).read_bytes().decode("gb18030")
    rows = csv.DictReader(io.StringIO(content))
    texts = {f"{row['title'].strip()} {row['ask'].strip()}" for row in rows}
    selected = {text for text in texts if matched(text)}
    drawn = {True: draw_first(selected, str, 60, 20261), False: draw_first(texts - selected, str, 120, 20261)}
    for chosen, some in drawn.items():
        assert {sha256(text.encode("utf-8")).hexdigest()[:10] for text in some} == {
            row["id"] for row in PARENTS if row["selected"] is chosen
        }
    counts = [sum(row["children"] for row in PARENTS if row["selected"] is chosen) for chosen in drawn]
    card = " ".join(CARD.read_text(encoding="utf-8").split())
    assert f"{len(texts):,} different questions" in card
    assert f"it selects {len(selected)}. Of 60 of these" in card
    assert f"{counts[0]} are about children, a precision of {counts[0] / 60:.0%}".replace("%", " %") in card
    assert f"Of 120 drawn from the rest {counts[1]} is" in card


def test_the_labels_are_of_what_the_list_selects_and_of_a_seeded_draw_of_the_rest(upstream_file):
    rows = read_cmexam("cmexam", upstream_file(CMEXAM))
    questions = {row.digest: row for row in rows if isinstance(row, Question)}
    patterns = replace(published_list(), aside=None)
    selected = {digest for digest, question in questions.items() if patterns.matched(question.text)}
    aside = {digest for digest in selected if not matched(questions[digest].text)}
    of_children = {row["id"].removeprefix("pmcmexam-") for row in LABELS if row["children"]}
    assert f" {len(aside & of_children)} of {len(aside)} set aside" in MEASURED
    labelled = {row["id"].removeprefix("pmcmexam-"): row["selected"] for row in LABELS}
    drawn = draw_first(questions.keys() - selected, str, 600, 20260)
    assert {digest for digest, chosen in labelled.items() if chosen} == selected
    assert {digest for digest, chosen in labelled.items() if not chosen} == set(drawn)
    assert len(questions) - len(selected) == 6460
