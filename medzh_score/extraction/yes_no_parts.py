"""A text taken apart at stops in one pass, with the kinds of cue words that each part may hold."""

from __future__ import annotations

from enum import IntFlag
from functools import cache
from typing import Any, NamedTuple

class Cue(IntFlag):
    """What a text, or a part of it, may hold: where a bit is missing, the expression of that kind cannot match."""

    FALSE = 1
    TRUE = 2
    NEGATION = 4
    HEDGE = 8
    STANCE = 16
    CONTRAST = 32
    PATIENT = 64
    QUESTION = 128
    REPORT = 256
    CORRECTION = 512
    MARKER = 1024
    LABEL = 2048
    STATEMENT = 4096
    ECHO = 8192
    DIALOGUE = 16384
    YES_WORD = 32768
    DECLINES = 65536


# Parts of the words, so short that each match of the expressions of `cmhe_hd_cues` holds one; in lower case.
SEEDS = {
    Cue.FALSE: "不真实 不属实 不实 虚假 误 错 不准确 不正确 不对 不妥 欠妥 欠准确 不合理 不合适 不恰当 不当 不可靠 不可信 不成立"
    " 幻觉 谬 谣 问题 危险 害 漏洞 违 风险 致命 编造 捏造 商榷 剂量 用量 untrue mislead false inaccura incorrect misinform erroneous"
    " error mistak wrong hallucinat danger harm unsafe problem issue bad inappropriate unreliable flaw contradict outdated"
    " unsupported delay kill risk fabricat too debatable questionable",
    Cue.TRUE: "正确 准确 真实 属实 无误 可靠 可信 合理 合适 恰当 妥当 对 没错 靠谱 科学 好 专业 道理 符合 严谨 有帮助 有效 可行 可取 全面"
    " 同意 赞同 accura correct true truth reliable appropriate sound factual reasonable right fine good valid safe okay ok agree"
    " helpful sensible follow consistent professional useful adequate well supported evidence-based proper suitable rational"
    " rigorous line",
    Cue.NEGATION: "没 沒 不 無 无 未 非 勿 别 莫 欠 缺 避免 排除 杜绝 纠正 澄清 失 否 难 難 几乎 反驳 怀疑 no without nothing none neither"
    " never free avoid lack hardly far exclud doubt disagree rul correct refut den barely fail devoid n't n’t",
    Cue.HEDGE: "可能 也许 或许 大概 似乎 好像 疑似 不确定 无法 难以 不能 很难 几乎 不好说 说不准 未必 不一定 是否 是不是 如果 假如 除非 若"
    " 抱歉 may might could perhaps possibly probably seem appear likely unsure uncertain unclear cannot can't can’t can unable"
    " whether if depend hard difficult sure hardly almost sorry",
    Cue.STANCE: "怀疑 质疑 存疑 反驳 否认 不同意 不赞同 不认同 不这 并非如此 不是这样 不是真的 相反 撤回 更正 认为 说 觉得 doubt disagree"
    " den refut think not contrary wait sarcas jok kidding retract reconsider said says believes claims",
    Cue.CONTRAST: "但 不过 然而 却 只是 除 前提 虽 尽管 可惜 唯一 反而 仅 but however except apart although though yet mostly partly"
    " largely part provided unless nevertheless still only while whereas save",
    Cue.PATIENT: "患者 病人 网上 patient user internet",
    Cue.QUESTION: "? ？",
    Cue.REPORT: "指出 说明 解释 提到 强调 提醒 纠正 澄清 反驳 降低 减少 预防 避免 防止 减轻 rightly correctly accurately lower reduc decreas"
    " prevent minimi 可能 may might could",
    Cue.CORRECTION: "wait actually correction correct thought reflection consideration look reconsider revise wrong mistake take scratch"
    " 更正 修正 纠正 等等 等一下 不对 错了 有误 再 重新 仔细 改为",
    Cue.MARKER: "答案 判断 判定 结论 选 答 结果 answer verdict judg conclusion decision result say boxed a: a：",
    Cue.LABEL: "误导 不实 虚假 不真实 错误 幻觉 misleading untrue",
    Cue.STATEMENT: "误导 不实 虚假 不真实 不属实 错误 准确 正确 真实 属实 可靠 合理 恰当 问题 有误 捏造 编造 misleading untrue false accurate"
    " incorrect erroneous wrong correct truthful true reliable appropriate sound",
    Cue.ECHO: "是否 或 / 还是 or does",
    Cue.DIALOGUE: "患者：患者: 患者： 病人： 病人: 医生： 医生: patient: doctor: patient： doctor：",
    Cue.YES_WORD: "yes",
    Cue.DECLINES: "我 无法 不能 不便 难以 不宜 拒绝 没有找到 没有查到 没有检索到 超出 不清楚 不了解 不知道 不确定 抱歉 cannot can't sorry"
    " unable don't not",
}
STOPS = (*"，。；！？\n,;!?：:.()（）[]【】—–", "但是", "但", "不过", "然而", "but", "however")


SENTENCE_ENDS = frozenset("。！？!?\n.；;")


class Part(NamedTuple):
    """What stands between two stops.

    Attributes
    ----------
    start, end : int
        Where.
    cues : int
        The bits of `Cue` that it may hold.
    closes : bool
        Whether a sentence ends with it.
    """

    start: int
    end: int
    cues: int
    closes: bool


class _Finder(NamedTuple):
    automaton: Any
    bits: tuple[int, ...]  # 0 of a stop
    words: frozenset[int]  # stops that are English words


@cache
def _finder() -> _Finder:
    from ahocorasick_rs import AhoCorasick, Implementation

    bits: dict[str, int] = {}
    for cue, seeds in SEEDS.items():
        for seed in seeds.split():
            bits[seed] = bits.get(seed, 0) | cue
    automaton = AhoCorasick([*STOPS, *bits], implementation=Implementation.DFA)
    english = frozenset(place for place, stop in enumerate(STOPS) if stop.isalpha() and stop.isascii())
    return _Finder(automaton, (*(0 for _ in STOPS), *(int(bit) for bit in bits.values())), english)


def parted(text: str) -> tuple[list[Part], int]:
    """Take a text apart at stops, colons, brackets and "but".

    Parameters
    ----------
    text : str
        Prepared.

    Returns
    -------
    tuple of (list of Part, int)
        The parts that are not empty, from left to right, and the bits of all of them.

    Examples
    --------
    >>> [(part.start, part.end) for part in parted("No. Fine, but 2.5 mg")[0]]
    [(0, 2), (3, 8), (13, 20)]
    """
    low = text.lower()
    if len(low) != len(text):  # a few letters of other languages become two
        low = text
    finder = _finder()
    bits, words = finder.bits, finder.words
    found: list[Part] = []
    begin = cues = every = 0
    for index, start, end in finder.automaton.find_matches_as_indexes(low, overlapping=True):
        bit = bits[index]
        if bit:
            cues |= bit
            continue
        sign = low[start]
        if (sign == "." and low[end : end + 1].strip()) or (index in words and _is_inside_a_word(low, start, end)):
            continue
        if start > begin:
            found.append(Part(begin, start, cues, sign in SENTENCE_ENDS))
            every |= cues
            cues = 0
        elif found and sign in SENTENCE_ENDS:
            found[-1] = found[-1]._replace(closes=True)
        begin = max(begin, end)
    if begin < len(text):
        found.append(Part(begin, len(text), cues, closes=True))
    return found, every | cues


def _is_inside_a_word(text: str, start: int, end: int) -> bool:
    return text[start - 1 : start].isalpha() or text[end : end + 1].isalpha()
