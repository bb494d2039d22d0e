"""Whether and how one may use a config: what a card says before all details, in English and Chinese."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from medzh_score.benchmark.registry import data_name

if TYPE_CHECKING:
    from collections.abc import Mapping

    from dataset_scripts.packaging.authenticity import Authenticity

REPORTED: dict[Authenticity, str] = {
    "the benchmark": "yes / 可以",
    "a part of the benchmark": "no, it is a part of it / 不可以，只是其中一部分",
    "not shown to be the benchmark": "no, nothing shows that it is it / 不可以，无法证明就是该基准",
    "unverified": "no, the file was not verified / 不可以，文件未经校验",
    "not the benchmark": "no / 不可以",
}


@dataclass(frozen=True)
class Use:
    """What one may do with a config, in both languages.

    Attributes
    ----------
    name : str
        What `load_dataset` calls the config.
    reported : str
        Whether scores on it may be reported as the benchmark's.
    shared : str
        Whether it may be passed on.
    readers : str
        Who read the records, as the recipe states it.
    """

    name: str
    reported: str
    shared: str
    readers: str


def use_of(name: str, entry: Mapping[str, Any]) -> Use:
    """Say what follows from the manifest's account of a config."""
    kept = entry["never_published"] or "key" in entry
    free = all(source["redistributable"] for source in entry["sources"]) and not kept
    licences = ", ".join(sorted({source["licence"] for source in entry["sources"]}))
    shared = f"yes / 可以 ({licences})" if free else "no, use it on your own machine / 不可以，仅供本机使用"
    return Use(data_name(name, entry["recipe"]), REPORTED[entry["authenticity"]], shared, entry["read_by"])
