"""How authentic the data of a config is: the benchmark itself, or something that must not pass as it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal

from dataset_scripts.recipe import AVAILABILITY, dataset
from medzh_score.benchmark.registry import data_name

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from dataset_scripts.recipe import Dataset


Entry = dict[str, Any]
Authenticity = Literal[
    "the benchmark", "a part of the benchmark", "not shown to be the benchmark", "unverified", "not the benchmark"
]

ENGLISH: dict[Authenticity, str] = {
    "the benchmark": "It is the official data, verified by hash.",
    "a part of the benchmark": (
        "It was verified by hash against what the authors published, which is NOT the whole benchmark; do not report "
        "scores on it as the benchmark's."
    ),
    "not shown to be the benchmark": (
        "It was NOT verified against a pinned file: there is none, for the benchmark has not been released, and "
        "nothing shows that this data is the benchmark."
    ),
    "unverified": "It was NOT verified against a pinned file, and may differ from the official benchmark.",
    "not the benchmark": "It is NOT the official benchmark; do not report scores on it as the benchmark's.",
}
CHINESE: dict[Authenticity, str] = {
    "the benchmark": "即原作者公开的正式数据，已通过哈希校验",
    "a part of the benchmark": "即原作者公开的那一部分，已通过哈希校验，但不是完整基准，其得分不能当作该基准的得分报告",
    "not shown to be the benchmark": "由使用者自备的文件转换而来，没有可供校验的公开文件，无法证明就是该基准",
    "unverified": "由未经校验的文件转换而来，可能与正式基准不同",
    "not the benchmark": "不是正式基准，其得分不能当作该基准的得分报告",
}
RECIPES = {
    "official": "由原始文件转换",
    "open": "开放的对应数据",
    "mini": "手写样例",
    "mesh": "由 MeSH 与自备的中文名称构建",
    "pediabench": "取自 PediaBench",
}


def authenticity(chosen: Dataset, recipe: str, sources: Sequence[Mapping[str, Any]]) -> Authenticity:
    """Say in a word whether what a recipe made of these sources is the benchmark."""
    if recipe != "official" or chosen.recipe(recipe).derived:
        return "not the benchmark"
    pinned = all(source["pinned"] for source in sources)
    if chosen.recipe(recipe).own:
        return "a part of the benchmark" if pinned else "not shown to be the benchmark"
    return "the benchmark" if pinned else "unverified"


def statement(name: str, entry: Entry) -> str:
    """Say in one sentence by which recipe a config was built, and whether it is the official benchmark."""
    built = f"`{data_name(name, entry['recipe'])}` was built by the recipe `{entry['recipe']}`: {entry['summary']}"
    return f"{built}. {ENGLISH[entry['authenticity']]}"


def statement_zh(name: str, entry: Entry, metrics: tuple[str, ...]) -> str:
    """Say in Chinese what a config is, how it can be had, what this build is, and how it is scored."""
    metadata, recipe = dataset(name).metadata, entry["recipe"]
    how = f"（{RECIPES[recipe]}）" if recipe in RECIPES else ""
    sentences = [
        metadata.summary_zh,
        f"基准原始数据：**{AVAILABILITY[metadata.availability]}**。",
        f"本构建的 recipe 为 `{recipe}`{how}：{CHINESE[entry['authenticity']]}。",
    ]
    if metrics:
        listed = "、".join(f"`{metric}`" for metric in metrics)
        sentences.append(f"主要指标：{listed}；评分命令：`medzh-score score {name} predictions.jsonl`。")
    return "中文：" + "".join(sentences)


REPORTED: dict[Authenticity, str] = {
    "the benchmark": "yes / 可以",
    "a part of the benchmark": "no, it is a part of it / 不可以，只是其中一部分",
    "not shown to be the benchmark": "no, nothing shows that it is it / 不可以，无法证明就是该基准",
    "unverified": "no, the file was not verified / 不可以，文件未经校验",
    "not the benchmark": "no / 不可以",
}


@dataclass(frozen=True)
class Use:
    """What one may do with a config, in both languages."""

    name: str  # what `load_dataset` calls it
    reported: str  # whether scores on it may be reported as the benchmark's
    shared: str  # whether it may be passed on
    readers: str  # who read the records, as the recipe states it


def use_of(name: str, entry: Mapping[str, Any]) -> Use:
    """Say what follows from the manifest's account of a config."""
    kept = entry["never_published"] or "key" in entry
    free = all(source["redistributable"] for source in entry["sources"]) and not kept
    licences = ", ".join(sorted({source["licence"] for source in entry["sources"]}))
    shared = f"yes / 可以 ({licences})" if free else "no, use it on your own machine / 不可以，仅供本机使用"
    return Use(data_name(name, entry["recipe"]), REPORTED[entry["authenticity"]], shared, entry["read_by"])
