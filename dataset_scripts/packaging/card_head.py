"""The YAML head of a card: what the hub and ``load_dataset`` read."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from dataset_scripts.card_metadata import licence_id, size_category
from dataset_scripts.recipe import dataset, dataset_names
from medzh_score.benchmark.registry import data_name

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from dataset_scripts.recipe import Dataset

LICENCE_FILE = "LICENSE"
AND = " AND "


def head(configs: Mapping[str, Mapping[str, Any]]) -> dict[str, Any]:
    """Make the YAML head of a card.

    It is written as YAML in this order. What only the declarations of the configs say is left out where one of
    them is not installed.
    """
    records = sum(split["records"] for entry in configs.values() for split in entry["splits"].values())
    return {
        "pretty_name": "medzh: Chinese medical benchmarks for language models",
        "language": ["zh"],
        **_licence(configs),
        "multilinguality": ["monolingual"],
        "size_categories": [size_category(records)],
        **_declared(configs),
        "tags": ["medical", "benchmark", "evaluation"],
        "configs": [_config(name, entry, default=name == next(iter(configs))) for name, entry in configs.items()],
        "dataset_info": [_info(name, entry) for name, entry in configs.items()],
    }


def _declared(configs: Mapping[str, Mapping[str, Any]]) -> dict[str, list[str]]:
    """Give what follows from what the configs declare, each word once."""
    if not configs.keys() <= set(dataset_names()):
        return {}
    chosen = [(dataset(name), entry) for name, entry in configs.items()]
    recipes = [recipe for one, entry in chosen for recipe in one.recipes if recipe.name == entry["recipe"]]
    words = {
        "annotations_creators": _once(word for recipe in recipes for word in recipe.annotated),
        "language_creators": _once(word for recipe in recipes for word in recipe.worded),
        "source_datasets": sorted(_once(word for one, entry in chosen for word in _origins(one, entry))),
        "task_categories": _once(word for one, _ in chosen for word in one.metadata.task_categories),
        "task_ids": _once(word for one, _ in chosen for word in one.metadata.task_ids),
    }
    return {key: found for key, found in words.items() if found}


def _once(words: Iterable[str]) -> list[str]:
    return list(dict.fromkeys(words))


def _origins(chosen: Dataset, entry: Mapping[str, Any]) -> list[str]:
    """Say of each source whether it was written for this; the card lists the others by name."""
    written = {name for recipe in chosen.recipes if "found" not in recipe.worded for name in recipe.embedded}
    return ["original" if source["name"] in written else "extended|other" for source in entry["sources"]]


def common_licence(configs: Mapping[str, Mapping[str, Any]]) -> str | None:
    """Give the SPDX licence that all sources have, or several with AND between them, if the hub knows each."""
    licences = {source["licence"] for entry in configs.values() for source in entry["sources"]}
    only: str = next(iter(licences), "")
    return only if len(licences) == 1 and all(map(licence_id, only.split(AND))) else None


def _licence(configs: Mapping[str, Mapping[str, Any]]) -> dict[str, Any]:
    common = common_licence(configs)
    if common is not None:
        known = [licence_id(one) for one in common.split(AND)]
        return {"license": known[0] if len(known) == 1 else known}
    return {"license": "other", "license_name": "licences-of-the-sources", "license_link": LICENCE_FILE}


def _config(name: str, entry: Mapping[str, Any], *, default: bool) -> dict[str, Any]:
    files = [
        {"split": split, "path": [file["path"] for file in account["files"]]}
        for split, account in entry["splits"].items()
    ]
    # load_dataset keeps what it loaded under this version, so it has to change with the content.
    made = {"config_name": data_name(name, entry["recipe"]), "version": entry["version"], "data_files": files}
    return {**made, "default": True} if default else made


def _info(name: str, entry: Mapping[str, Any]) -> dict[str, Any]:
    from dataset_scripts.packaging.features import features_of

    features = features_of({feature["name"]: feature["type"] for feature in entry["features"]})
    splits = [
        {"name": split, "num_bytes": account["bytes"], "num_examples": account["records"]}
        for split, account in entry["splits"].items()
    ]
    return {
        "config_name": data_name(name, entry["recipe"]),
        "features": features._to_yaml_list(),  # noqa: SLF001 - the only way to the form that the hub reads
        "splits": splits,
        "download_size": sum(file["bytes"] for split in entry["splits"].values() for file in split["files"]),
        "dataset_size": sum(split["num_bytes"] for split in splits),
    }
