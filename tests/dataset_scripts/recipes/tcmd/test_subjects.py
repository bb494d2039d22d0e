from __future__ import annotations

import pytest
from places import CASE_FILES
from tables import case_tables, holds

from dataset_scripts.recipes.tcmd.groups import Group, SubQuestion
from dataset_scripts.recipes.tcmd.rows import Candidate
from dataset_scripts.recipes.tcmd.subjects import TABLE, decide, published_rules, read_rules
from medzh_score.configs.tcmd.exam import SUBJECTS
from medzh_score.messages.errors import MedzhError

ANY = ("甲", "乙")
CASES = case_tables("tcmd_banks")


def asked(question, options=ANY, kind="A1", *, answer="A", explanation=None, labels=(), source="bank", stem=None):
    part = SubQuestion(question, tuple(options), answer, explanation, "")
    return Candidate(Group(kind, stem, (part,), "", source), tuple(labels))


@pytest.fixture
def rules(tmp_path):
    def read(text):
        file = tmp_path / "rules.toml"
        file.write_text(text, encoding="utf-8")
        return read_rules(file)

    return read


RULES = (CASE_FILES / "tcmd_rules.toml").read_text(encoding="utf-8")


def test_conditions_of_a_rule(rules):
    def name_of(question, more):
        rule = decide(asked(question, **(more or {})), rules(RULES))
        return rule.name if rule else None

    holds(CASES["ruled"], name_of)


def test_all_questions_of_a_group_are_looked_at_together(rules):
    parts = (
        SubQuestion("其病位在", ("心", "肝"), "A", None, ""),
        SubQuestion("首选", ("小承气汤", "丸"), "A", None, ""),
    )
    mixed = Candidate(Group("A3", "病案", parts, "", "bank"), ())
    assert decide(mixed, rules(RULES)) is None  # half of the options are organs, one of two answers is a formula
    both = Candidate(Group("A3", "病案", (parts[1], parts[1]), "", "bank"), ())
    assert decide(both, rules(RULES)).name == "by answer"


def test_first_rule_decides_and_longer_terms_win(rules):
    twice = '[[rule]]\nname = "one"\nsubject = "内科学"\nquestion = ["脉"]\n[[rule]]\nname = "two"\noutside = true\n'
    listed = rules(twice)
    assert [decide(asked(text), listed).name for text in ("脉象", "舌象")] == ["one", "two"]
    (rule,) = rules('[terms]\nherbs = "地黄 地黄炭"\n[[rule]]\nname = "one"\noutside = true\nquestion = ["^@herbs$"]')
    assert rule.patterns["question"].pattern == "^(?:地黄炭|地黄)$"


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("[[rule", "not a table of rules"),
        ('[[rule]]\nsubject = "内科学"', "not a rule"),
        ('[[rule]]\nname = "one"\nsubject = "内科学"\nquestions = ["脉"]', "not a rule.*questions"),
        ('[[rule]]\nname = "one"\nsubject = "外科学"', "not a subject"),
        ('[[rule]]\nname = "one"', "not a subject"),
        ('[[rule]]\nname = "one"\noutside = true\nsubject = "内科学"', "not a subject"),
        ('[[rule]]\nname = "one"\noutside = true\nquestion = ["@herbs"]', "one/question.*no such list|no such list"),
        ('[patterns]\na = "@b"', "no such list"),
        ('[[rule]]\nname = "one"\noutside = true\nquestion = ["("]', "not a pattern"),
        ('[[rule]]\nname = "one"\noutside = true\n[[rule]]\nname = "one"\noutside = true', "two rules have one name"),
    ],
)
def test_table_that_is_none(rules, text, message):
    with pytest.raises(MedzhError, match=message):
        rules(text)


def test_table_that_is_not_there(tmp_path):
    with pytest.raises(MedzhError, match="not a table of rules"):
        read_rules(tmp_path / "absent.toml")


def test_published_table_reaches_every_subject_and_stands_in_the_package():
    listed = published_rules()
    assert {rule.subject for rule in listed} == {*SUBJECTS, None}
    assert TABLE.is_file()
    assert all(any((rule.labels, rule.sources, rule.kinds, rule.patterns)) for rule in listed)


@pytest.mark.parametrize("subject", SUBJECTS)
def test_what_a_source_says_of_its_subject_goes_before_all(subject):
    label = f"knowledge_point: {subject}"
    assert decide(asked("患儿咳嗽，治疗应首选的方剂是", labels=(label,))).subject == subject


def test_question_goes_to_its_subject_or_is_left_out():
    def subject_of(question, options, kind):
        rule = decide(asked(question, options, kind))
        return rule.subject if rule else "unassigned"

    holds(CASES["subjects"], subject_of)


def test_what_no_rule_knows_stays_unassigned():
    assert decide(asked("下列说法正确的是", ("甲", "乙"))) is None
