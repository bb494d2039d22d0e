"""CARE-MI rebuilt by the command: from triples and questions to judged samples, with small files made here.

All questions are made up; what the false statements say is false on purpose.
"""

from __future__ import annotations

import json
import re

import pytest
import recipe_work
from recipe_work import own_file
from tool_runs import lines_of

from dataset_scripts.command_line import main

APOLLO = "FreedomIntelligence/Apollo/505c48e82207b36cf3921df61fcd58895fb6ca4e/metadata/test/zh.json"
BIOS = {
    "bios-concept-terms": "C1|S|妊娠期糖尿病|CHS\nC2|S|巨大儿|CHS\nC3|S|骨折|CHS\n",
    "bios-relations": "R|C1|C2|K1\nR|C1|C3|K1\n",
    "bios-relation-names": "K1|CHS|可导致\n",
}
CPUBMED = "HEAD\tREL\tTAIL\n胎盘早剥@@疾病\t相关（导致）\t胎儿窘迫@@疾病\n胎盘早剥@@疾病\t奇怪\t胎儿窘迫@@疾病\n"
MEDQA = [
    ("产妇，30岁，妊娠39周，临产8小时。下腹剧痛。最可能的诊断是（    ）", ["子宫破裂", "胎膜早破", "羊水过多", "早产"]),
    ("奶瓶龋最常见于", ["上颌乳切牙", "下颌乳切牙", "乳磨牙", "恒牙"]),
    ("哪种疫苗在新生儿出生后24小时内接种", ["乙肝疫苗", "麻疹疫苗", "流感疫苗", "水痘疫苗"]),
    ("高血压首选", ["甲", "乙", "丙", "丁"]),
]
MLEC = [
    ("产妇，30岁，妊娠39周，临产8小时。下腹剧痛。最可能的诊断是", ["子宫破裂", "胎膜早破"]),  # stands in MEDQA
    ("预防婴儿佝偻病首选的药物是", ["维生素D", "维生素C"]),
]
TOPICS = ("妊娠期糖尿病", "胎盘早剥", "子宫破裂", "佝偻病", "奶瓶龋", "乙肝疫苗")
TEXTBOOKS = "\n".join(f"{topic}：要点{place}，细节见书中第{place}节。" for topic in TOPICS for place in range(1, 4))
WIKIPEDIA = "\n".join(f"条目{place}介绍{topic}，另见其他条目。" for place, topic in enumerate(TOPICS))
JOINED = {"奶瓶龋最常见于": None, "哪种疫苗": "乙肝疫苗在新生儿出生后24小时内接种"}
DENIED = {
    "奶瓶龋最常见于上颌乳切牙。": "奶瓶龋不常见于上颌乳切牙，奶瓶龋最常见于下颌。",
    "乙肝疫苗在新生儿出生后24小时内接种。": "乙肝疫苗不在新生儿出生后24小时内接种。",
}
RULES_ONLY = "rules_only = true\nexperts = false\n"
NEGATED = "奶瓶龋并非最常见于上颌乳切牙"


class Work(recipe_work.Work):
    """A working folder with small sources of all kinds."""

    def __init__(self, place):
        super().__init__("care_mi", place)
        for name, text in {**BIOS, "cpubmed-kg": CPUBMED, "textbooks": TEXTBOOKS, "wikipedia": WIKIPEDIA}.items():
            self.give(name, text)
        self.give("medqa-mainland-test", [self.medqa(*row) for row in MEDQA])
        self.give("mlec-clinic-test", json.dumps([self.mlec(*row) for row in MLEC], ensure_ascii=False))

    @staticmethod
    def medqa(text, options):
        return {"question": text, "options": dict(zip("ABCD", options, strict=True)), "answer_idx": "A"}

    @staticmethod
    def mlec(text, options):
        lettered = dict(zip("ABCDE", options, strict=False))
        return {"qid": text[:4], "qtype": "A1型题", "qtext": text, "options": lettered, "answer": "A"}

    def give(self, name, lines):
        self.sources[name] = own_file(self.place / name, lines).name

    def agree(self, *raters):
        """Let raters say yes to all that the experts are asked."""
        votes = re.compile("single|medical|right|evidence_|fluent")
        yes = [
            {name: "yes" if name == "fluent" else "1" for name, cell in row.items() if votes.match(name) and not cell}
            for row in self.sheet("experts")
        ]
        for rater in raters:
            self.fill("experts", [{**row, "rater": rater} for row in yes], rater)

    def models(self):
        assert self.build() == 3
        assert len(self.answer("statements", joined)) == 1
        assert self.build() == 3
        self.answer("negations", lambda text: NEGATED if "奶瓶龋" in text else denied(text))

    def left_out(self):
        return {tuple(row[:3]): row[3] for row in self.table("What was left out")}

    def notes(self):
        return self.manifest()["notes"]


def asked(text, label):
    return re.findall(f"{label}：(.*)", text)[-1]


def joined(text):
    return JOINED[next(name for name in JOINED if asked(text, "问题").startswith(name))]


def denied(text):
    return DENIED[asked(text, "陈述句")]


@pytest.fixture
def work(tmp_path):
    return Work(tmp_path)


@pytest.fixture
def by_rules(work):
    work.give("settings", RULES_ONLY)
    return work


@pytest.fixture(scope="module")
def built(tmp_path_factory):
    """Build once with all steps, which wait one after the other."""
    work = Work(tmp_path_factory.mktemp("whole"))
    work.models()
    assert work.build() == 3
    work.agree("li", "wang")
    assert work.build() == 0
    assert main(["check", str(work.out)]) == 0
    return work


def test_the_steps_end_in_records(built):
    records = built.records()
    assert {(one["source"], one["type"]) for one in records} == {
        ("BIOS", "tf"),
        ("CPubMed", "tf"),
        ("MEDQA", "tf"),
        ("MEDQA", "open"),
        ("MLEC-QA", "tf"),
        ("MLEC-QA", "open"),
    }
    assert len(records) == 8  # six statements, two of which have an open question
    by_question = {one["question"]: one for one in records}
    case = by_question["产妇，30岁，妊娠39周，临产8小时。下腹剧痛。最可能的诊断是什么？"]
    assert case["context"] == "产妇，30岁，妊娠39周，临产8小时。下腹剧痛。"
    assert case["true_statement"] == case["answer"] == "最可能的诊断是子宫破裂。"
    assert case["false_method"] == "replacement"
    assert case["false_statement"] in {f"最可能的诊断是{one}。" for one in MEDQA[0][1][1:]}
    assert case["rules"] == ["stem-ends-in-是", "replacement-drawn", "open-after-是"]
    by_model = by_question["乙肝疫苗在新生儿出生后24小时内接种吗？"]
    assert by_model["false_statement"] == "乙肝疫苗不在新生儿出生后24小时内接种。"
    assert by_model["rules"] == ["statement-model", "negation-model", "tf-append-吗"]
    triple = by_question["妊娠期糖尿病可导致巨大儿吗？"]
    assert triple["rules"] == ["wording-in-a-row", "negation-可", "tf-append-吗"]
    assert set(triple["evidence_corpus"]) <= {"textbooks", "wikipedia"}
    assert triple["evidence_rank"][:3] == [1, 2, 3]
    assert all(len(one["evidence"]) >= 3 for one in records)


def test_a_build_says_what_became_of_every_row_beside_the_paper(built):
    steps = {(row[0], row[1]): tuple(row[2:]) for row in built.table("From sources to questions")}
    assert steps["BIOS", "step 1: on the topic, each once"] == (79, 1)
    assert steps["MEDQA", "step 1: on the topic, each once"] == (1634, 3)
    assert steps["MEDQA", "step 2: true statements by a model"] == ("not stated", 1)
    assert steps["MEDQA", "step 3: denied by a model"] == ("not stated", 2)
    assert steps["MLEC-QA", "step 4: questions of type open"] == (907, 1)
    reasons = built.left_out()
    assert reasons["CPubMed", "2", "the relation is unknown"] == 1
    assert reasons["MLEC-QA", "1", "stands in a source before"] == 1
    assert reasons["MEDQA", "4, open", "no 是 or 为 before the answer"] == 2
    assert built.table("Questions by source and type")[-1] == ["all", "all", 5779, 8]
    assert built.table("What the experts left, by the rule")[0][1:] == ["5,779", 8]
    assert any("stage statements: 1 prompts (medzh-zh-1), 1 answered by m" in note for note in built.notes())


def test_each_step_has_its_own_file(built):
    rows = {path.stem: lines_of(path) for path in sorted((built.rounds / "care_mi").glob("step-*.jsonl"))}
    assert {name: len(found) for name, found in rows.items()} == {
        "step-1-topic": 3 + 4,  # triples and questions
        "step-2-true-statements": 2 + 4,  # one relation is unknown
        "step-3-false-statements": 6 + 4,  # denied, and with another answer
        "step-4-questions": 6 + 2,
    }
    assert rows["step-4-questions"][0]["rules"]


def test_a_second_build_of_the_same_is_the_same_and_another_seed_draws_others(by_rules):
    def drawn_with(seed):
        assert by_rules.build("--seed", str(seed)) == 0
        drawn = {one["question"]: one["false_statement"] for one in by_rules.records() if one["type"] == "open"}
        return by_rules.manifest()["fingerprint"], drawn

    first, drawn = drawn_with(0)
    assert drawn_with(0)[0] == first
    others = (drawn_with(seed)[1] for seed in range(1, 9))
    other = next(found for found in others if found != drawn)
    assert other.keys() == drawn.keys()


def test_responses_that_fail_a_check_are_asked_again(work, capsys):
    assert work.build() == 3
    work.answer("statements", lambda _: "疫苗很重要。")
    assert work.build() == 3
    assert "1 of them again: what came back was unreadable" in capsys.readouterr().out
    work.answer("statements", joined, "answers-02.jsonl")
    assert work.build() == 3
    assert len(work.prompts("negations")) == 2


def test_rules_only_and_without_experts_asks_nobody(by_rules):
    assert by_rules.build() == 0
    records = by_rules.records()
    assert len(records) == 6
    assert {rule for one in records for rule in one["rules"]}.isdisjoint(
        {"statement-model", "negation-model", "tf-model"}
    )
    notes = by_rules.notes()
    wish = "no model was asked, by the user's wish: 1 true statements, 1 negations, 0 tf questions that need one were"
    assert any(wish in note for note in notes)
    assert any("no expert looked at these samples" in note for note in notes)
    assert not [path for path in (by_rules.rounds / "care_mi").iterdir() if path.name in {"statements", "experts"}]


def test_what_is_missing_may_be_left_out(work, capsys):
    work.models()
    lines = (work.stage("negations") / "answers-01.jsonl").read_text(encoding="utf-8").splitlines()
    (work.stage("negations") / "answers-01.jsonl").write_text(lines[0] + "\n", encoding="utf-8")
    capsys.readouterr()
    assert work.build("--accept-missing") == 3  # no expert has said a word
    assert "experts" in capsys.readouterr().out
    work.agree("li", "wang")
    assert work.build("--accept-missing") == 0
    assert len(work.records()) == 7
    assert work.left_out()["MEDQA", "3, negation", "no answer came back"] == 1


def test_a_users_words_take_the_place_of_ours(by_rules):
    by_rules.give("words", "巨大儿\n妊娠期糖尿病\n")
    assert by_rules.build() == 0
    assert [one["source"] for one in by_rules.records()] == ["BIOS"]
    assert by_rules.notes()[0].startswith("words of the topic: 2, care_mi-words (")


@pytest.mark.parametrize(
    ("settings", "labels"),
    [
        ("sources = ['BIOS', 'CPubMed']", {"BIOS", "CPubMed"}),
        ("filters = ['blank']", {"BIOS", "CPubMed", "MEDQA", "MLEC-QA"}),
        ("search = 'question'", {"BIOS", "CPubMed", "MEDQA", "MLEC-QA"}),
    ],
)
def test_settings_choose_sources_and_filters(work, settings, labels):
    work.give("settings", f"{RULES_ONLY}{settings}\n")
    assert work.build() == 0
    assert {one["source"] for one in work.records()} == labels
    filters = {row[0]: row[2] for row in work.table("Filters")} if "MEDQA" in labels else {}
    assert all((value == "yes") is (name in settings) for name, value in filters.items() if name)
    assert any(note.startswith("settings of the user: ") for note in work.notes())


def test_parts_that_the_paper_leaves_out_are_named(by_rules):
    question = by_rules.mlec("妊娠恶阻的病机是", ["胃失和降", "肝郁"])
    by_rules.give("mlec-tcm-test", json.dumps([question], ensure_ascii=False))
    assert by_rules.build() == 0
    words = "parts of MLEC-QA that the paper leaves out are in this build: mlec-tcm-test"
    assert any(words in note for note in by_rules.notes())


@pytest.mark.parametrize(
    ("name", "text", "problem"),
    [
        ("cpubmed-kg", "A\tB\tC\n", "has another header"),
        ("settings", "rules_only = 1", "field rules_only"),
        ("words", "孕", "is no word"),
        ("textbooks", "短。\n", "holds no paragraph"),
        ("words", "没有这个词", "no sample can be made"),
    ],
)
def test_what_users_get_wrong_ends_in_one_line(by_rules, capsys, name, text, problem):
    by_rules.give(name, text)
    assert by_rules.build() == 2
    err = capsys.readouterr().err
    assert problem in err
    assert err.count("\n") == 1
    assert not by_rules.out.exists()


@pytest.mark.parametrize(
    ("corpora", "problem"), [(False, "there is no corpus to look evidence up in"), (True, "needs a source")]
)
def test_experts_need_a_corpus_and_a_corpus_is_nothing_to_build_from(work, capsys, corpora, problem):
    work.sources = {
        name: path for name, path in work.sources.items() if (name in {"textbooks", "wikipedia"}) is corpora
    }
    assert work.build() == 2
    err = capsys.readouterr().err
    assert problem in err
    if not corpora:  # the way out is named, and leads out
        assert "--source care_mi-settings=SETTINGS.toml, a file of the lines experts = false and rules_only" in err
        work.give("care_mi-settings", RULES_ONLY)
        assert work.build() == 0


def test_the_real_rows_of_apollo_go_through_all_steps(tmp_path, upstream_root, upstream_file, monkeypatch):
    """Step 5 searches the 79 paragraphs of the published examples, of which 73 differ."""
    monkeypatch.setenv("MEDZH_SOURCES", str(upstream_root))
    upstream_file(APOLLO)
    monkeypatch.chdir(tmp_path)
    work = Work(tmp_path)
    work.sources = {}
    assert main(["build", "care_mi", "--recipe", "official", "--out", str(work.out)]) == 0
    paragraphs = dict.fromkeys(text for one in work.records() for text in one["evidence"])
    work.give("textbooks", "\n".join(paragraphs))
    work.give("settings", RULES_ONLY)
    assert work.build() == 0
    assert main(["check", str(work.out)]) == 0
    records = work.records()
    steps = {(row[0], row[1]): row[3] for row in work.table("From sources to questions")}
    assert steps["MEDQA", "rows of the source"] == 3_426  # what the file has of medqa-mcmle
    assert steps["CMExam", "rows of the source"] == 2_000
    for label in ("MEDQA", "CMExam"):
        stated = steps[label, "step 2: true statements by rule"]
        for kind, most in (("tf", "step 3: denied by rule"), ("open", "step 3: answer replaced")):
            number = sum((one["source"], one["type"]) == (label, kind) for one in records)
            assert steps[label, f"step 4: questions of type {kind}"] == number
            assert 0 < number <= steps[label, most] <= stated <= steps[label, "step 1: on the topic, each once"]
    assert len(paragraphs) == 73
    assert {text for one in records for text in one["evidence"]} <= paragraphs.keys()
    assert all(one["evidence_rank"] == list(range(1, len(one["evidence"]) + 1)) for one in records)
    for one in records:
        assert one["answer"].rstrip("。") not in one["question"] or one["type"] == "tf"
    assert any("questions of CMExam are in this build; the paper has no such source" in note for note in work.notes())
