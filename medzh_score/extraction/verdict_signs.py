"""All signs of a verdict, and of what changes one, in one pass over a text."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable

# Kinds of signs; some words are signs of several.
VERDICT, SUPPOSES, CORRECTS, QUOTES, ASKS, ENGLISH, BREAKS_OFF, OWN = 1, 2, 4, 8, 16, 32, 64, 128

# Each must stand for the expression that it names: where that matches, one of its words does. More may match.
_WORDS = {
    # `verdict_said.SIGN`; of these, where one stands, that expression matches, too.
    VERDICT: (
        "错误 有误 无误 正确 准确 对的 不对 法对 是对 为对 ：对 :对 “对 ”对 错 属实 真实 不实 成立 为真"
        " 是真 为假 是假 答案 判断"
        " 结论 更正 修正 符合 不符 一致 依据 根据 同意 赞同 认同 谣言 误解 误区 站不住 吻合"
    ),
    ENGLISH: (
        "True true TRUE False false FALSE orrect CORRECT rong WRONG ight ccurate nswer rror ANSWER erdict"
        " nclusion"
        " ssessment"
    ),
    # `verdict_supposed.MAY_SUPPOSE`
    SUPPOSES: (
        "如 若 假 要是 倘 即便 即使 是否 否则 人们 有人 没人 多人 少人 以为 误认 请 无法 难以 难认 不能"
        " 不确 不清 不知 不太"
        " 不会 不大 不怎 不认 不觉 不相信 不同意 不赞同 怎样 为什 为何 判断 看看 分析 确定 要求 问的 你说"
        " 您说 他说 她说 们说"
        " 应说 应该说 应改 应为 的说法 的表述 的描述 的陈述 的叙述 改为 改成 虽然 尽管 诚然 前半 后半"
        " 上半 下半 另半 一半 前者"
        " 后者 前一 后一 第一 第二 第三 第四 第五 其中 部分 方面 if If IF hether nless uppos ssum"
        " determin ecide udge heck"
        " valuate eople hough hile ven think believe agree half Half part Part portion"
    ),
    # `corrections.last_correction`: what takes back as it stands; behind the end of a sentence; before a fault
    CORRECTS: (
        "更正 纠正一下 纠正为 纠正： 纠正: 纠正， 纠正, 纠正我 修正一下 修正为 修正： 修正: 修正， 修正,"
        " 修正我 修正答 修改 改为 改成 应改"
        " 调整为 调整成 调整到 调整至 调整我 调整答 调整判 调整评 调整结 口误 笔误 收回 此为准 者为准"
        " 个为准 后为准 作废 重新 仔细"
        " istake rror isspoke isread orrect hange evise cratch ait ctually hmm Hmm o, ops orry hought eflection"
    ),
    BREAKS_OFF: "等等 等一下 等下 且慢 不对， 不对, 不对。 不对！ 不， 不, 哦不 啊不 噢 抱歉 对不起 再想 我再想",
    OWN: "我 之前 刚才 前面 上面 先前",
    QUOTES: '” " 」 』 ’',
    ASKS: "？ ?",
}
_WITH_SPACES = {VERDICT: (" 对",), CORRECTS: ("y bad", "I was", "ake that", "ake it", "old on", "et me")}


@cache
def automaton() -> tuple[Callable[..., list[tuple[int, int, int]]], tuple[int, ...]]:
    """Make what finds all signs of a text.

    Returns
    -------
    tuple
        A function that gives of a text which signs stand where (number, start, end), by their ends, when it is called
        with ``overlapping=True``; and the kinds of each number, together.

    Examples
    --------
    >>> find, kinds = automaton()
    >>> [(kinds[number], start, end) for number, start, end in find("这样说不正确", overlapping=True)]
    [(1, 4, 6)]
    """
    from ahocorasick_rs import AhoCorasick, Implementation, MatchKind

    kinds: dict[str, int] = {}
    for kind, words in _WORDS.items():
        for word in (*words.split(), *_WITH_SPACES.get(kind, ())):
            kinds[word] = kinds.get(word, 0) | kind
    found = AhoCorasick(kinds, implementation=Implementation.DFA, matchkind=MatchKind.Standard)
    return found.find_matches_as_indexes, tuple(kinds.values())
