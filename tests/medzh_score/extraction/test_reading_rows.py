"""Responses of which it was asked, one by one, how they are read."""

from __future__ import annotations

import labels
import pytest
from reading_rows import GROUPS, asked
from tables import holds

from medzh_score.extraction import asks_for_wrong, read_groups, read_letters, read_verdict

NOT_RIGHT = (
    *("下列说法不正确的是", "关于肾上腺素，错误的是", "下列哪项不是过敏性休克的表现", "不属于抗组胺药的是"),
    *("除哪项外均可", "关于肾上腺素，下列哪一项是错误的？（\u3000\u3000）\nA：收缩血管\nB：扩张支气管"),
    *(
        "过敏性休克时不可用的药物是",
        "下列文句没有提到用药时机的一项是",
        "下列表现中，为非过敏症状的是",
        "抢救措施欠妥的是",
    ),
)
RIGHT = (
    *(
        "抢救过敏性休克的首选药物是",
        "下列说法正确的是",
        "属于抗组胺药的是",
        "属于不合理用药的情形是",
        "属于非甾体抗炎药的是",
    ),
    *("没有用药史的患者首选的一项是", "属于不可逆性抑制剂的是"),
)
LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"


def found(row, said):
    """Give what is read of a row: the value, and what else its line says of the reading."""
    reading = labels.read(row)
    assert reading.value is not None or not reading.unambiguous
    of = {
        "reason": reading.reason,
        "unambiguous": reading.unambiguous,
        "read_from": [row.text[slice(*span)] for span in reading.spans],
    }
    value = reading.value if said else labels.comparable(row.kind, reading.value)
    return value, {key: of[key] for key in said}


@pytest.mark.parametrize("kind", labels.KINDS)
def test_what_is_read_is_what_the_text_commits_itself_to(kind):
    """A name is compared without its dressing, but for lines that say more than the value."""
    of_kind = [one for one in asked() if one.row.kind == kind]
    labelled = [one.row.label if one.said else labels.comparable(kind, one.row.label) for one in of_kind]
    holds([(one.row, one.said, (label, one.said)) for one, label in zip(of_kind, labelled, strict=True)], found)


def test_each_question_of_a_group_has_a_reading():
    holds(GROUPS, lambda text, count: tuple(one.value for one in read_groups(text, (None,) * count)))


def test_the_noun_of_the_task_is_judged_as_known_nouns_are():
    assert read_verdict("该方案是错误的。", noun="方案").value == "incorrect"


def test_a_question_asks_for_what_is_wrong_or_not():
    holds([*((question, True) for question in NOT_RIGHT), *((question, False) for question in RIGHT)], asks_for_wrong)


def test_many_options_are_read_without_a_table_of_their_permutations():
    """Eleven options have 39,916,800 orders; reading with them takes the memory of a few objects."""
    import tracemalloc

    options = tuple(f"第{number}对脑神经" for number in range(1, 27))
    tracemalloc.start()
    read = [read_letters(f"答案：{LETTERS[count - 1]}", options[:count]) for count in range(2, 27)]
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert "".join(one.value for one in read) == LETTERS[1:]
    assert peak < 20e6
