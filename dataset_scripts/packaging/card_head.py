"""The YAML metadata of a card, which the hub and ``load_dataset`` read."""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from dataset_scripts.recipe import HUB_LISTS, dataset, dataset_names, licence_id, size_category
from medzh_score.benchmark.registry import data_name
from medzh_score.io.documents import read_yaml
from medzh_score.io.limits import LARGEST_CARD, whole
from medzh_score.ui.errors import MedzhError, shown
from medzh_score.ui.i18n import _, joined
from medzh_score.ui.privacy import quotable_key

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from dataset_scripts.recipe import Dataset


LICENCE_FILE = "LICENSE"
# Keys of a head for which the hub has no list.
FREE = {
    *("pretty_name", "tags", "license_name", "license_link"),
    *("source_datasets", "configs", "dataset_info", "viewer"),
}
# Written for the project, or derived from a dataset, whose name is after the bar.
SOURCE = re.compile(r"original|extended(\|[A-Za-z0-9][\w.-]*)?", re.ASCII)
AND = " AND "


def head(configs: Mapping[str, Mapping[str, Any]]) -> dict[str, Any]:
    """Make the YAML metadata of a card.

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
    """Return the values that follow from the declarations, each once."""
    if not configs.keys() <= set(dataset_names()):
        return {}
    chosen = [(dataset(name), entry) for name, entry in configs.items()]
    recipes = [recipe for one, entry in chosen for recipe in one.recipes if recipe.name == entry["recipe"]]
    words = {
        "annotations_creators": _once(word for recipe in recipes for word in recipe.annotated),
        "language_creators": _once(word for recipe in recipes for word in recipe.worded),
        "source_datasets": sorted(_once(word for one, entry in chosen for word in _origins(one, entry))),
        "task_categories": _once(word for one, _unused in chosen for word in one.metadata.task_categories),
        "task_ids": _once(word for one, _unused in chosen for word in one.metadata.task_ids),
    }
    return {key: found for key, found in words.items() if found}


def _once(words: Iterable[str]) -> list[str]:
    return list(dict.fromkeys(words))


def _origins(chosen: Dataset, entry: Mapping[str, Any]) -> list[str]:
    """Return for each source whether it was written for the project."""
    written = {name for recipe in chosen.recipes if "found" not in recipe.worded for name in recipe.embedded}
    return ["original" if source["name"] in written else "extended|other" for source in entry["sources"]]


def common_licence(configs: Mapping[str, Mapping[str, Any]]) -> str | None:
    """Return the SPDX license of all sources, or several with AND, if the hub has each of them."""
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
    # load_dataset caches by this version, so it must change with the content.
    made = {"config_name": data_name(name, entry["recipe"]), "version": entry["version"], "data_files": files}
    return {**made, "default": True} if default else made


def _info(name: str, entry: Mapping[str, Any]) -> dict[str, Any]:
    from dataset_scripts.packaging.schema import features_of

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


CARD = "README.md"
FENCE = "---\n"
FIRST_BOX = "\n## May I use it, and how?"


@dataclass(frozen=True)
class ReadCard:
    """A card: its YAML metadata and its body."""

    data: dict[str, Any]
    body: str


def read_card(folder: Path) -> ReadCard:
    """Read the card of a build."""
    path = Path(CARD)  # as problems of a build name it
    try:
        with (folder / CARD).open("rb") as stream:
            text = whole(stream, path, LARGEST_CARD).decode("utf-8")
    except OSError as error:
        raise MedzhError(_("cannot read the file: {why}", why=_(error.strerror or str(error))), file=path) from error
    except UnicodeDecodeError as error:
        raise MedzhError(_("invalid UTF-8"), file=path) from error
    before, opened, rest = text.partition(FENCE)
    front, closed, body = rest.partition("\n" + FENCE)
    if before or not opened or not closed:
        raise MedzhError(_("the file has no YAML metadata between two --- lines"), file=path)
    data = read_yaml(front, path, FENCE.count("\n")).value
    if not isinstance(data, dict):
        raise MedzhError(_("the YAML metadata is not a mapping"), file=path)
    return ReadCard(data, body)


def card_problems(folder: Path, card: ReadCard, manifest: dict[str, Any]) -> list[str]:
    """Verify the YAML metadata of a card and its first table.

    One line a problem: a key or value that the hub does not know, not exactly one default config, a file that does not
    exist, or anything that contradicts the manifest.
    """
    data = card.data
    found = [*_values(data), *_configs(folder, data), *_contradictions(data, manifest)]
    return [joined([CARD, problem], ": ") for problem in (*found, *_recipes(card.body, manifest))]


def _values(data: dict[str, Any]) -> Iterator[str]:
    strange = [quotable_key(str(key)) for key in data if key not in HUB_LISTS and key not in FREE]
    yield from (_("{key}: the hub does not support this key", key=key) for key in strange)
    for key, known in HUB_LISTS.items():
        for value in _listed(data, key):
            if not isinstance(value, str) or value not in known:
                yield _("{key}: {value} is not a value that the hub allows", key=key, value=shown(value))
    for value in _listed(data, "source_datasets"):
        if not isinstance(value, str) or SOURCE.fullmatch(value) is None:
            yield _("source_datasets: {value} is neither original nor extended|NAME", value=shown(value))
    yield from (
        _("{key}: the field is missing", key=key)
        for key in ("license", "language", "configs", "dataset_info")
        if not data.get(key)
    )
    if data.get("license") == "other" and not (data.get("license_name") and data.get("license_link")):
        yield _('license: the value "other" requires license_name and license_link')


def _listed(data: dict[str, Any], key: str) -> list[Any]:
    value = data.get(key, [])
    return value if isinstance(value, list) else [value]


def _configs(folder: Path, data: dict[str, Any]) -> Iterator[str]:
    configs = data.get("configs")
    if not isinstance(configs, list) or not all(isinstance(config, dict) for config in configs):
        yield _("configs: the value is not a list of configs")
        return
    defaults = [str(config.get("config_name")) for config in configs if config.get("default")]
    if len(defaults) != 1:
        yield _(
            "configs: expected one default config, found {defaults}",
            defaults=", ".join(map(quotable_key, defaults)) or "none",
        )
    for config in configs:
        for path in _paths(config.get("data_files")):
            if not (folder / path).is_file():
                yield _(
                    "configs: {config}: the file {path} does not exist",
                    config=quotable_key(str(config.get("config_name"))),
                    path=quotable_key(path),
                )


def _paths(data_files: object) -> Iterator[str]:
    for item in data_files if isinstance(data_files, list) else []:
        paths = item.get("path", []) if isinstance(item, dict) else item
        yield from (str(path) for path in (paths if isinstance(paths, list) else [paths]))


def _contradictions(data: dict[str, Any], manifest: dict[str, Any]) -> Iterator[str]:
    for key, expected in head(manifest["configs"]).items():
        if key not in data:
            yield _("{key}: the field is missing", key=key)
        elif data[key] != expected:
            yield _(
                "{key}: the value does not match the manifest: expected {expected}, found {data}",
                key=key,
                expected=shown(expected),
                data=shown(data[key]),
            )


def _recipes(body: str, manifest: dict[str, Any]) -> Iterator[str]:
    """Compare the table at the top, which states the recipe of each config, with the manifest."""
    top = body.partition(FIRST_BOX)[2].partition("\n## ")[0]
    for config, entry in manifest["configs"].items():
        name = data_name(config, entry["recipe"])
        if f"\n| `{name}` | `{entry['recipe']}` |" not in top:
            yield _(
                "the table at the top does not state that {name} was built by recipe {recipe}",
                name=name,
                recipe=entry["recipe"],
            )
