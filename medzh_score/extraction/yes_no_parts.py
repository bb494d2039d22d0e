"""A text taken apart at stops in one pass, with the kinds of cue words that each part may hold."""

from __future__ import annotations

import re
from functools import cache
from typing import Any, Final, NamedTuple

# What a text, or a part of it, may hold: where a bit is missing, the expression of that kind cannot match.
FALSE: Final = 1
TRUE: Final = 2
NEGATION: Final = 4
HEDGE: Final = 8
STANCE: Final = 16
CONTRAST: Final = 32
PATIENT: Final = 64
QUESTION: Final = 128
PRAISE: Final = 256
SPARING: Final = 512
RIGHTING: Final = 1024
CORRECTION: Final = 2048
MARKER: Final = 4096
LABEL: Final = 8192
STATEMENT: Final = 16384
ECHO: Final = 32768
DIALOGUE: Final = 65536
YES_WORD: Final = 131072
UNSURE: Final = 262144
DOCTOR: Final = 524288
SAYS: Final = 1048576

# Parts of the words, so short that each match of the expressions of `cmhe_hd_cues` holds one; in lower case.
SEEDS = {
    FALSE: "不真实 不属实 不实 虚假 误 错 不准确 不正确 不对 不妥 欠妥 欠准确 不合理 不合适 不恰当 不当 不可靠"
    " 不可信 不成立"
    " 幻觉 谬 谣 问题 危险 害 漏洞 违 风险 致命 编造 捏造 商榷 剂量 用量 untrue mislead false inaccura incorrect"
    " misinform erroneous"
    " error mistak wrong hallucinat danger harm unsafe problem issue bad inappropriate unreliable flaw contradict"
    " outdated"
    " unsupported delay kill risk fabricat too debatable questionable",
    TRUE: "正确 准确 真实 属实 无误 可靠 可信 合理 合适 恰当 妥当 对 没错 靠谱 科学 好 专业 道理 符合 严谨 有帮助"
    " 有效 可行 可取 全面"
    " 同意 赞同 accura correct true truth reliable appropriate sound factual reasonable right fine good valid safe"
    " okay ok agree"
    " helpful sensible follow consistent professional useful adequate well supported evidence-based proper suitable"
    " rational"
    " rigorous line",
    NEGATION: "没 沒 不 無 无 未 非 勿 别 莫 欠 缺 避免 排除 杜绝 纠正 澄清 失 否 难 難 几乎 反驳 怀疑 no without"
    " nothing none neither"
    " never free avoid lack hardly far exclud doubt disagree rul correct refut den barely fail devoid n't n’t",
    HEDGE: "可能 也许 或许 大概 似乎 好像 疑似 不确定 无法 难以 不能 很难 几乎 不好说 说不准 未必 不一定 是否 是不是"
    " 如果 假如 除非 若"
    " 抱歉 may might could perhaps possibly probably seem appear likely unsure uncertain unclear cannot can't can’t"
    " can unable"
    " whether if depend hard difficult sure hardly almost sorry",
    STANCE: "怀疑 质疑 存疑 反驳 否认 不同意 不赞同 不认同 不这 并非如此 不是这样 不是真的 相反 撤回 更正 认为 说"
    " 觉得 doubt disagree"
    " den refut think not contrary wait sarcas jok kidding retract reconsider said says believes claims",
    CONTRAST: "但 不过 然而 却 只是 除 前提 虽 尽管 可惜 唯一 反而 仅 but however except apart although though yet"
    " mostly partly"
    " largely part provided unless nevertheless still only while whereas save",
    PATIENT: "患者 病人 网上 patient user internet",
    QUESTION: "? ？",
    PRAISE: " ".join(
        praise + link + verb
        for praise in ("正确", "准确")
        for link in ("", "地")
        for verb in ("指出", "说明", "解释", "提到", "强调", "提醒", "纠正", "澄清")
    )
    + " rightly correctly accurately",
    SPARING: "降低 减少 预防 避免 防止 减轻 lower reduc decreas prevent minimi",
    RIGHTING: "纠正 澄清 反驳 指正",
    CORRECTION: "更正 修正 纠正一下 等等 等一下 不对 错了 再想 再看 再考虑 再判断 再检查 再审视 再评估 再思考 重新"
    " 仔细想 仔细看 仔细一想 仔细一看"
    " 改为 改成 改判 反了"
    " misread misunder misjudg mixed reversed backwards wait actually correction scratch"
    " mistake revise reconsider reflection thought consideration look back"
    " wrong corrected"
    " myself",
    MARKER: "答案 判断 判定 结论 选 结果 回答是 回答“ 回答: 回答： 回答为 回答「 答复是 答: 答："
    ' 最终: 最终： 的问题: 的问题： 我判 判“ 判" 判「 答“ 答" 答「 the_question answer verdict judg'
    " conclusion decision"
    " result say boxed a: a："
    " so: so： thus: hence: therefore: 因此: 因此： 所以: 所以： 综上: 综上： 所述: 所述： 总之: 总之：",
    LABEL: "误导 不实 虚假 不真实 错误 幻觉 misleading untrue misinformation",
    STATEMENT: "误导 不实 虚假 不真实 不属实 错误 不正确 不准确 有误 捏造 编造 正确 准确 真实 属实 可靠 合理 恰当"
    " 问题 misleading untrue"
    " false accurate incorrect erroneous wrong correct truthful true reliable appropriate sound",
    ECHO: '是否 是” 是" 是/ 是或 是还是 yes/ yes_/ yes_or yes]/ does_the',
    DIALOGUE: "患者: 患者： 病人： 病人: 医生： 医生: patient: doctor: patient： doctor：",
    YES_WORD: "yes",
    UNSURE: "确定 无法 难以 很难 不能 没有办法 没法 不好说 说不准 抱歉 unsure uncertain unclear sure certain sorry"
    " depends hard difficult"
    " cannot can't unable",
    DOCTOR: "医生 医师 大夫 doctor",
    SAYS: "却 竟 不存在 意识 考虑 注意 提醒 说明 告知 认识 重视 核实"
    " 忽视 忽略 混淆 夸大 误将 误把 搞错 弄错 颠倒 过时 陈旧"
    " overlook ignor exaggerat confus misstat mix 导致 延误 加重 造成"
    " 引起 误导 such accordance complies it",
}
STOPS = (*"，。；！？\n,;!?：:.()（）[]【】—–", "但是", "但", "不过", "然而", "but", "however")


# start and end, the cues that it may hold, and whether a sentence ends with it
Part = tuple[int, int, int, bool]
HALVES = re.compile(r"[\ud800-\udfff]")  # of characters, which no finder takes
_CUE, _STOP, _END, _POINT, _WORD = range(5)


class _Finder(NamedTuple):
    automaton: Any
    kinds: tuple[int, ...]
    bits: tuple[int, ...]


@cache
def _finder() -> _Finder:
    from ahocorasick_rs import AhoCorasick, Implementation

    bits: dict[str, int] = {}
    for cue, seeds in SEEDS.items():
        for seed in seeds.split():
            bits[seed.replace("_", " ")] = bits.get(seed.replace("_", " "), 0) | cue
    kinds = [
        _POINT
        if stop == "."
        else _END
        if stop in "。！？!?\n"
        else _WORD
        if stop.isascii() and stop.isalpha()
        else _STOP
        for stop in STOPS
    ]
    automaton = AhoCorasick([*STOPS, *bits], implementation=Implementation.DFA)
    return _Finder(automaton, (*kinds, *(_CUE for _ in bits)), (*(0 for _ in STOPS), *bits.values()))


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
    >>> [(start, end) for start, end, *_ in parted("No. Fine, but 2.5 mg")[0]]
    [(0, 2), (3, 8), (9, 10), (13, 20)]
    """
    low = _lowered(text)
    automaton, kinds, bits = _finder()
    found: list[Part] = []
    begin = cues = every = 0
    for index, start, end in automaton.find_matches_as_indexes(low, overlapping=True):
        kind = kinds[index]
        if kind == _CUE:
            cues |= bits[index]
            continue
        if kind == _POINT:
            if low[end : end + 1].strip():
                continue
            kind = _END
        elif kind == _WORD and (low[start - 1 : start].isalpha() or low[end : end + 1].isalpha()):
            continue
        if start > begin:
            found.append((begin, start, cues, kind == _END))
            every |= cues
            cues = 0
        elif kind == _END and found:
            found[-1] = (*found[-1][:3], True)
        begin = max(begin, end)
    if begin < len(text):
        found.append((begin, len(text), cues, True))
    return found, every | cues


def _lowered(text: str) -> str:
    low = text.lower()
    if len(low) != len(text):  # a few letters of other languages become two
        low = text
    return low if low.isprintable() or not HALVES.search(low) else HALVES.sub("\ufffd", low)
