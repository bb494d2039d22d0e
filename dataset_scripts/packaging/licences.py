"""Whether the data of a config is official data, and what may be done with it: for the card, and for publishing."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal

from dataset_scripts.digests import holds_private
from dataset_scripts.recipe import AVAILABILITY, dataset, dataset_names
from medzh_score.benchmark.registry import data_name
from medzh_score.data.hub import SAMPLE
from medzh_score.ui.i18n import _

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from dataset_scripts.recipe import Dataset


Entry = dict[str, Any]
Authenticity = Literal[
    "the benchmark", "a part of the benchmark", "not shown to be the benchmark", "unverified", "not the benchmark"
]

ENGLISH: dict[Authenticity, str] = {
    "the benchmark": "It is the official data, verified by hash.",
    "a part of the benchmark": (
        "It was verified by hash against the file that the authors published, which is NOT the complete benchmark. Do "
        "not report scores on it as scores on the benchmark."
    ),
    "not shown to be the benchmark": (
        "It was NOT verified against a pinned file, because there is none. Nothing shows that this data is the "
        "benchmark."
    ),
    "unverified": "It was NOT verified against a pinned file, and may differ from the official benchmark.",
    "not the benchmark": "It is NOT the official benchmark. Do not report scores on it as scores on the benchmark.",
}
CHINESE: dict[Authenticity, str] = {
    "the benchmark": "这是原作者公开的官方数据，已通过哈希校验",
    "a part of the benchmark": "这是原作者公开的部分数据，已通过哈希校验，但不是完整基准，得分不能作为该基准的得分报告",
    "not shown to be the benchmark": "由用户提供的文件转换而来，没有可供校验的固定版本，无法证明这就是该基准",
    "unverified": "由未经校验的文件转换而来，可能与官方基准不同",
    "not the benchmark": "这不是官方基准，得分不能作为该基准的得分报告",
}
RECIPES = {
    "official": "由原始文件转换",
    "open": "开放数据",
    "mini": "手写样例",
    "mesh": "由 MeSH 和用户提供的中文名称构建",
    "pediabench": "取自 PediaBench",
}


def authenticity(chosen: Dataset, recipe: str, sources: Sequence[Mapping[str, Any]]) -> Authenticity:
    """Return whether the data that a recipe made from these sources is the benchmark."""
    if recipe != "official" or chosen.recipe(recipe).derived:
        return "not the benchmark"
    pinned = all(source["pinned"] for source in sources)
    if chosen.recipe(recipe).own:
        return "a part of the benchmark" if pinned else "not shown to be the benchmark"
    return "the benchmark" if pinned else "unverified"


def statement(name: str, entry: Entry) -> str:
    """State the recipe of a config, and whether it is the official benchmark."""
    built = f"`{data_name(name, entry['recipe'])}` was built by the recipe `{entry['recipe']}`: {entry['summary']}"
    return f"{built}. {ENGLISH[entry['authenticity']]}"


def statement_zh(name: str, entry: Entry, metrics: tuple[str, ...]) -> str:
    """State in Chinese what a config is, whether its original data is released, what this build is, and its metrics."""
    metadata, recipe = dataset(name).metadata, entry["recipe"]
    how = f"（{RECIPES[recipe]}）" if recipe in RECIPES else ""
    sentences = [
        metadata.summary_zh,
        f"基准原始数据：**{AVAILABILITY[metadata.availability]}**。",
        f"本构建的 recipe 为 `{recipe}`{how}：{CHINESE[entry['authenticity']]}。",
    ]
    if metrics:
        listed = "、".join(f"`{metric}`" for metric in metrics)
        sentences.append(f"指标：{listed}。评分命令：`medzh-score score {name} predictions.jsonl`。")
    return "中文：" + "".join(sentences)


OFFICIAL: dict[Authenticity, str] = {
    "the benchmark": "**yes, verified by hash / 是，已通过哈希校验**",
    "a part of the benchmark": "no, only a part of it / 否，只是其中一部分",
    "not shown to be the benchmark": "cannot be verified, there is no pinned file / 无法校验，没有固定版本的文件",
    "unverified": "not verified, the file is not the pinned one / 未通过校验，不是固定版本的文件",
    "not the benchmark": "no / 否",
}
COMPARABLE: dict[Authenticity, str] = {
    **dict.fromkeys(OFFICIAL, "no / 否"),
    "the benchmark": "yes, with the prompts and the rule of the paper / 是，须使用论文的提示词和提取规则",
}


@dataclass(frozen=True)
class Use:
    """What may be done with a config, in both languages."""

    name: str  # in `load_dataset`
    recipe: str
    licences: str
    redistributable: str
    official: str
    comparable: str


def use_of(name: str, entry: Mapping[str, Any]) -> Use:
    """Return what may be done with a config, from its entry in the manifest."""
    local = entry["never_published"] or "key" in entry
    free = all(source["redistributable"] for source in entry["sources"]) and not local
    return Use(
        name=data_name(name, entry["recipe"]),
        recipe=entry["recipe"],
        licences=", ".join(sorted({source["licence"] for source in entry["sources"]})),
        redistributable="yes / 是" if free else "no, local use only / 否，仅限本机使用",
        official=OFFICIAL[entry["authenticity"]],
        comparable=COMPARABLE[entry["authenticity"]],
    )


def unpublishable(configs: Mapping[str, Mapping[str, Any]], *, private: bool) -> Iterator[tuple[str, str]]:
    """Return the configs that may not be published, each with the reason.

    A ``private`` repository accepts data that may not be redistributed.
    """
    for name, entry in configs.items():
        if holds_private(name, entry):
            note = _("private configs are never published")
            yield name, note
        elif entry["recipe"] == SAMPLE:
            note = _("the mini sample is never published, because it could be mistaken for the benchmark")
            yield name, note
        elif not private and name in dataset_names() and (why := dataset(name).never_published):
            note = _("{why}; use `--private` to publish the config only for your organization", why=why)
            yield name, note
        elif not private and (kept := [source for source in entry["sources"] if not source["redistributable"]]):
            named = ", ".join(f"{source['name']} ({source['licence']})" for source in kept)
            note = _(
                (
                    "the licenses of these sources do not permit redistribution: {named}; use `--private` to publish "
                    "the config only for your organization"
                ),
                named=named,
            )
            yield name, note
