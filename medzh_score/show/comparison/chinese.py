"""Caption and methods in Chinese."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from medzh_score.messages.catalogue import in_chinese
from medzh_score.show.cells import HEADS
from medzh_score.show.comparison.cells import DAGGER, UNREAD_DECIMALS, number
from medzh_score.show.comparison.facts import facts_of, listed_decoding

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from medzh_score.report.comparison.comparison import Comparison
    from medzh_score.report.comparison.summary import Summary
    from medzh_score.show.comparison.facts import Facts, Family
    from medzh_score.show.comparison.showing import Showing

BOLD = "粗体为最优值。"
ALIKE = "≈ 表示校正后的检验未能将其与最优者区分。"
PRINTED = "单独列出的各行引自论文：样本与规则均不同，未作检验。"
TESTS = {
    "randomisation": "近似随机化（置换）检验",
    "mcnemar mid-p": "McNemar 检验（mid-p）",
    "randomised tukey": "随机化 Tukey 检验",
}
UNITS = {"percent": "百分数", "fraction": "比值"}


def caption(comparison: Comparison, facts: Facts, showing: Showing) -> list[str]:
    """Name what is shown, and how it was found: test, correction, family, n, rule, share unread, decoding."""
    names = [in_chinese(name, HEADS) for name in facts.breakdowns]
    by = f"，按{'、'.join(names)}分组" if names else ""
    return [
        f"{len(comparison.systems)} 个系统的 {'、'.join(facts.metrics)}（{UNITS[comparison.unit]}）{by}。",
        f"{_named(comparison)}的 {comparison.units} 个单元，{_n(facts)}。",
        f"回答按规则 {_rule(comparison)} 读取{_beside(facts)}。",
        f"区间均为 95% 区间：{_intervals(comparison, facts)}。",
        *_tested(comparison, facts, showing),
        *([f"各系统计入的部分中未读出的占 {_unread(facts)}。"] if facts.unread else []),
        *_asked(comparison, facts, showing),
        *([dagger(facts, showing)] if facts.depends else []),
    ]


def dagger(facts: Facts, showing: Showing) -> str:
    """Explain the dagger."""
    to = "" if facts.baseline is None else f"与 {showing.name(facts.baseline)} 之"
    return f"{DAGGER} 表示取决于未读出的回答：这些回答可能改变{to}差的正负。"


def methods(comparison: Comparison, facts: Facts, showing: Showing) -> str:
    """Describe for a paper what was done."""
    decimals = showing.decimals(comparison.unit)
    found = [f"{_range(ends, decimals)}（{metric}）" for metric, ends in facts.detectable.items()]
    power = f"在 100 次中有 80 次能检出的最小差异为 {'；'.join(found)}。" if found else ""
    turned = f"可能因此改变正负的差异以 {DAGGER} 标出" if facts.depends else "这些回答不改变任何差异的正负"
    read = f"规则未读出的（占计入部分的 {_unread(facts)}）按未答对计；{turned}。" if facts.unread else ""
    sentences = [
        f"我们在 {_named(comparison)}的同一组 {comparison.units} 个单元上比较了 {len(comparison.systems)} 个系统，",
        f"{_n(facts)}。",
        f"回答按{_version(comparison)}规则 {_rule(comparison)} 读取。",
        f"{'、'.join(facts.metrics)} 均附 95% 区间：{_intervals(comparison, facts)}。",
        *_tested(comparison, facts, showing),
        "名次的 95% 区间由同一组重抽样得到。" if comparison.bootstrap else "",
        power,
        read,
        *_asked(comparison, facts, showing),
    ]
    return "".join(sentences)


def summary_caption(summary: Summary, showing: Showing) -> list[str]:
    """Name the headline of each config and how it was found; the correction over all configs."""
    columns = []
    for column in summary.columns:
        facts = facts_of(column)
        columns.append(
            f"{_named(column)}：{'、'.join(facts.metrics)}（{UNITS[column.unit]}），{_n(facts)}，"
            f"规则 {_rule(column)}{_beside(facts)}，未读出 {_unread(facts)}，{_values(column, facts)}"
        )
    sentences = [f"方括号内为 95% 区间。{'；'.join(columns)}。"]
    every = [facts_of(column) for column in summary.columns]
    if summary.baseline is not None:
        baseline = showing.name(summary.baseline)
        tests = dict.fromkeys(TESTS[test] for facts in every for test in facts.tests)
        swaps = sorted({count for facts in every for count in facts.swaps})
        drawn = f"，随机抽取 {_counts(dict.fromkeys(swaps[:1] + swaps[-1:]))} 次，种子 {summary.columns[0].seed}"
        how = f"按单元配对，双侧，检验方法：{'；'.join(tests)}{drawn if swaps else ''}。" if tests else ""
        sentences.append(f"与 {baseline} 之差：{how}p 值按 Holm 法校正，同一比较族含 {summary.family} 个比较。")
    sentences += [dagger(facts, showing) for facts in every if facts.depends][:1]
    return sentences


def _tested(comparison: Comparison, facts: Facts, showing: Showing) -> list[str]:
    if not facts.tests:
        return []
    swaps = f"，随机抽取 {_counts(facts.swaps)} 次，种子 {comparison.seed}" if facts.swaps else ""
    whom = f"各系统与 {showing.name(facts.baseline)} 比较" if facts.baseline is not None else "所有系统两两比较"
    tests = "；".join(TESTS[test] + _of(metrics) for test, metrics in facts.tests.items())
    corrected = "；".join(_family(family) + _of(metrics) for family, metrics in facts.families.items())
    return [
        f"显著性检验（{whom}）：按单元配对，双侧，检验方法：{tests}{swaps}。",
        f"p 值经多重比较校正：{corrected}。",
    ]


def _family(family: Family) -> str:
    how = "Holm 法" if family.correction == "holm" else "以每次抽取中的最大差异为准（随机化 Tukey）"
    return f"{how}，比较族含 {family.size} 个比较"


def _intervals(comparison: Comparison, facts: Facts) -> str:
    resampled = "同一自助法" if "bootstrap" in facts.intervals else _resamples(comparison)
    kinds = {"tango": "Tango 得分区间（不同的单元少于 10 个时用精确区间）", "bootstrap": resampled}
    alike = "；".join(kinds[kind] + _of(metrics) for kind, metrics in facts.of_differences.items())
    return _values(comparison, facts) + (f"；差异用{alike}" if alike else "")


def _values(comparison: Comparison, facts: Facts) -> str:
    kinds = {"wilson": "Wilson 区间", "bootstrap": _resamples(comparison)}
    return "；".join(kinds[kind] + _of(metrics) for kind, metrics in facts.intervals.items()) or "无区间"


def _resamples(comparison: Comparison) -> str:
    return f"对单元重抽样 {comparison.bootstrap} 次的百分位自助法（种子 {comparison.seed}）"


def _asked(comparison: Comparison, facts: Facts, showing: Showing) -> list[str]:
    decoding = {label: in_chinese(settings, "decoding") for label, settings in facts.decoding.items()}
    lines = [f"解码设置：{listed_decoding(replace(facts, decoding=decoding), showing)}。"]
    if comparison.allowed:
        lines.append(f"各系统的 {'、'.join(comparison.allowed)} 不同（按要求允许）。")
    if comparison.left_out:
        lines.append(f"有 {comparison.left_out} 个单元因某个系统缺失而未计入。")
    return lines


def _n(facts: Facts) -> str:
    """Say how many items each value is of, which may be fewer than the units have."""
    return "n = " + "，".join(f"{_counts(ends)} 个条目{_of(metrics)}" for ends, metrics in facts.counted.items())


def _unread(facts: Facts) -> str:
    return f"{_range(facts.unread, UNREAD_DECIMALS)}%"


def _range(ends: Sequence[float], decimals: int) -> str:
    return " 至 ".join(dict.fromkeys(number(end, decimals) for end in ends))


def _counts(ends: Iterable[int]) -> str:
    return " 至 ".join(map(str, ends))


def _of(metrics: Sequence[str]) -> str:
    return f"（{'、'.join(metrics)}）" if metrics else ""


def _named(comparison: Comparison) -> str:
    data = comparison.signature.get("data")
    return f"{comparison.config}（{data}）" if data else f"{comparison.config} "


def _rule(comparison: Comparison) -> str:
    return comparison.signature.get("rule", comparison.rule)


def _beside(facts: Facts) -> str:
    return f"（旁列按 {'、'.join(facts.beside)} 读取的数值，不作比较）" if facts.beside else ""


def _version(comparison: Comparison) -> str:
    version = comparison.signature.get("medzh_score")
    return f" medzh-score {version} 的" if version else ""
