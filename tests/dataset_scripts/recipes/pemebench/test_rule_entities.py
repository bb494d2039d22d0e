"""Key entities by rule: what stands in an answer, whole, and not in the question."""

from __future__ import annotations

import pytest
from openpyxl import Workbook

from dataset_scripts.recipe import SourceFile
from dataset_scripts.recipes.pemebench.dataset import rebuild_or_read
from dataset_scripts.recipes.pemebench.essay_settings import SETTINGS
from dataset_scripts.recipes.pemebench.pediabench import BY_RULE, COLUMNS, ESSAY
from dataset_scripts.recipes.pemebench.rule_entities import DICTIONARIES, QUANTITY, entities_by_rule
from dataset_scripts.rounds.rounds import Rounds
from medzh_score.messages.errors import MedzhError

ESSAYS = [
    ("儿科内分泌与代谢性疾病", "什么是佝偻病？", "佝偻病是骨骼矿化障碍的疾病，缺乏的是维生素D。"),
    ("儿科急诊与危重症", "什么是休克？", "休克是组织灌注不足的急性循环衰竭。"),
]
WORDS = {
    "dict-disease": "肺炎\n支气管肺炎\n贫血\n性病\n痱\n佝偻病\n",
    "dict-drug": "维生素D\n铁剂\nIV\n29\n",
    "dict-check": "血清铁\n血常规\nTP\n",
}


@pytest.fixture
def files(tmp_path):
    found = {}
    for name in DICTIONARIES:
        path = tmp_path / f"{name}.txt"
        path.write_text(WORDS[name], encoding="utf-8")
        found[name] = SourceFile(name, path, "0" * 64, pinned=True)
    return found


@pytest.fixture
def find(files):
    return entities_by_rule(files)


@pytest.mark.parametrize(
    ("question", "answer", "expected"),
    [
        ("什么是肺炎？", "支气管肺炎是肺炎的一种。", ["支气管肺炎"]),  # the longest, and not what is asked about
        ("如何治疗缺铁？", "口服铁剂，贫血纠正后查血清铁。", ["铁剂", "贫血", "血清铁"]),
        ("为什么？", "慢性病变见于贫血，贫血常见。", ["贫血"]),  # 性病 is part of a word; each once
        ("怎么用药？", "IVIG 与 ATP 无关，29 也无关。", []),  # no part of a foreign word, no bare number
        ("怎么用药？", "维生素D 每日 400～800IU，口服 2 周。", ["维生素D", "400～800IU", "2 周"]),
        ("2 周后怎么办？", "再用 2 周。", []),
        ("怎么办？", "无贫血史，查血清铁变化。", []),  # a history, a change
        ("为什么？", "支气管肺炎样改变，无肺炎、贫血。", []),  # a part of what no dictionary has; denied
        ("为什么？", "营养不良、肺炎引起贫血，第 3 周加重。", ["肺炎", "贫血"]),  # a week by its number is no quantity
        ("用多少？", "约 5~10~15mmol。", []),  # an end of a range that is spoilt
    ],
)
def test_names_and_numbers_that_stand_in_an_answer(find, question, answer, expected):
    assert find(question, answer) == expected


@pytest.mark.parametrize(
    ("text", "quantity"),
    [
        ("剂量为5mg/(kg·d)", "5mg/(kg·d)"),
        ("GFR < 30ml/(min·1.73m^2)，", "< 30ml/(min·1.73m^2)"),
        ("占患者的30%~50% 。", "30%~50%"),
        ("应于6 个月~2 岁完成", "6 个月~2 岁"),
        ("每日5mg，2次", "5mg"),
        ("每次 0.5 mg/kg", "0.5 mg/kg"),
        ("血压<90mmHg", "<90mmHg"),
        ("血小板<100×10^9/L", None),  # its unit has no number of its own
        ("第3型", None),
        ("病程12个月", "12个月"),
        ("每次5 gtt", None),
    ],
)
def test_a_number_has_its_unit(text, quantity):
    found = QUANTITY.search(text)
    assert (found and found.group()) == quantity


@pytest.fixture
def rebuilt(files, tmp_path):
    """Rebuild of two essay questions with a settings file; return entities, what was not read, and notes."""

    def make(settings, lacking=()):
        book = Workbook()
        for row in (COLUMNS, *ESSAYS):
            book.active.append(list(row))
        book.save(tmp_path / "essay.xlsx")
        (tmp_path / "settings.toml").write_text(settings, encoding="utf-8")
        brought = {ESSAY: tmp_path / "essay.xlsx", SETTINGS: tmp_path / "settings.toml"}
        every = files | {name: SourceFile(name, path, "0" * 64, pinned=False) for name, path in brought.items()}
        given = {name: file for name, file in every.items() if name not in lacking}
        built = rebuild_or_read(given, 0, Rounds(tmp_path))
        return [one["entities"] for one in built.splits["test"]], built.left_out, built.notes

    return make


def test_only_a_setting_lists_what_rules_find(rebuilt):
    """None stands where they find none: that does not say that there is none."""
    entities, unread, notes = rebuilt("entities_by_rule = true")
    assert (entities, unread) == ([["维生素D"], None], ())
    assert BY_RULE in notes
    assert "settings of the user: entities_by_rule true in place of false" in notes
    entities, unread, notes = rebuilt("entities_by_rule = false")
    assert (entities, unread) == ([None, None], DICTIONARIES)
    assert BY_RULE not in notes


@pytest.mark.parametrize(
    ("settings", "lacking", "words"),
    [
        ("entities_by_rule = true", ("dict-drug",), "needs dictionaries that are not here; expected dict-drug"),
        ("entities_by_rule = 1", (), "is no such value; expected true or false; found 1"),
        ("entities = true", (), "is no setting; expected entities_by_rule"),
    ],
)
def test_a_setting_that_cannot_be_followed_is_refused_by_its_file(rebuilt, settings, lacking, words):
    with pytest.raises(MedzhError) as failure:
        rebuilt(settings, lacking)
    assert f"settings.toml: field {settings.partition(' ')[0]}: {words}" in str(failure.value)
