"""Whether and how one may use a config: what a card says before all details, in English and Chinese."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from dataset_scripts.packaging.authenticity import authenticity
from dataset_scripts.recipe import dataset
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
READ_BY = re.compile(
    r"read by (a language model|a person|a physician)(?: and (a language model|a person|a physician))*"
)
KINDS = {"a language model": "语言模型", "a person": "人", "a physician": "医师"}


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
        Which kind of reader looked at drawn records of this recipe.
    """

    name: str
    reported: str
    shared: str
    readers: str


def use_of(name: str, entry: Mapping[str, Any]) -> Use:
    """Say what follows from the sources, the recipe and the readings of a config."""
    kept = dataset(name).never_published or "key" in entry
    free = all(source["redistributable"] for source in entry["sources"]) and not kept
    licences = ", ".join(sorted({source["licence"] for source in entry["sources"]}))
    shared = f"yes / 可以 ({licences})" if free else "no, use it on your own machine / 不可以，仅供本机使用"
    return Use(data_name(name, entry["recipe"]), REPORTED[authenticity(name, dict(entry))], shared, _readers(entry))


def _readers(entry: Mapping[str, Any]) -> str:
    """Name the kinds of readers in the titles of the tables on drawn records."""
    told = [found[0] for table in entry["tables"] if (found := READ_BY.search(table["title"]))]
    kinds = [kind for kind in KINDS if any(kind in one for one in told)]
    if not kinds:
        return "nobody but who made it / 除制作者外无人"
    return f"{' and '.join(kinds)} / {'、'.join(KINDS[kind] for kind in kinds)}"
