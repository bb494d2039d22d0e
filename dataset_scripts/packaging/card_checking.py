"""Whether the YAML head of a card is what the hub takes, and agrees with the manifest."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from dataset_scripts.card_metadata import FREE, LISTS, SOURCE
from dataset_scripts.packaging.card_head import head
from medzh_score.benchmark.registry import data_name
from medzh_score.files.bounds import LARGEST_CARD, whole
from medzh_score.files.yaml_text import read_yaml
from medzh_score.messages.errors import MedzhError, shown
from medzh_score.messages.privacy import quotable_key

if TYPE_CHECKING:
    from collections.abc import Iterator

CARD = "README.md"
FENCE = "---\n"


@dataclass(frozen=True)
class ReadCard:
    """A card: the fields of its head, and what stands behind them."""

    data: dict[str, Any]
    body: str


def read_card(folder: Path) -> ReadCard:
    """Read the card of a build, as far as the hub could."""
    path = Path(CARD)  # as problems of a build name it
    try:
        with (folder / CARD).open("rb") as stream:
            text = whole(stream, path, LARGEST_CARD).decode("utf-8")
    except OSError as error:
        raise MedzhError(f"cannot be read: {error.strerror}", file=path) from error
    except UnicodeDecodeError as error:
        raise MedzhError("is not UTF-8", file=path) from error
    before, opened, rest = text.partition(FENCE)
    front, closed, body = rest.partition("\n" + FENCE)
    if before or not opened or not closed:
        raise MedzhError("has no YAML head between two lines of ---", file=path)
    data = read_yaml(front, path, FENCE.count("\n")).value
    if not isinstance(data, dict):
        raise MedzhError("its head is no mapping", file=path)
    return ReadCard(data, body)


def card_problems(folder: Path, card: ReadCard, manifest: dict[str, Any]) -> list[str]:
    """Verify the head of a card.

    One line a problem: a key or value that the hub does not know, not exactly one default config, a file that does not
    exist, or anything that contradicts the manifest.
    """
    data = card.data
    found = [*_values(data), *_configs(folder, data), *_contradictions(data, manifest)]
    return [f"{CARD}: {problem}" for problem in (*found, *_first_line(card.body, manifest))]


def _values(data: dict[str, Any]) -> Iterator[str]:
    strange = [quotable_key(str(key)) for key in data if key not in LISTS and key not in FREE]
    yield from (f"{key}: no key that the hub knows" for key in strange)
    for key, known in LISTS.items():
        for value in _listed(data, key):
            if not isinstance(value, str) or value not in known:
                yield f"{key}: {shown(value)} is not on the hub's list"
    for value in _listed(data, "source_datasets"):
        if not isinstance(value, str) or SOURCE.fullmatch(value) is None:
            yield f"source_datasets: {shown(value)} is neither original nor extended|NAME"
    yield from (f"{key}: is missing" for key in ("license", "language", "configs", "dataset_info") if not data.get(key))
    if data.get("license") == "other" and not (data.get("license_name") and data.get("license_link")):
        yield "license: other needs license_name and license_link"


def _listed(data: dict[str, Any], key: str) -> list[Any]:
    value = data.get(key, [])
    return value if isinstance(value, list) else [value]


def _configs(folder: Path, data: dict[str, Any]) -> Iterator[str]:
    configs = data.get("configs")
    if not isinstance(configs, list) or not all(isinstance(config, dict) for config in configs):
        yield "configs: is no list of configs"
        return
    defaults = [str(config.get("config_name")) for config in configs if config.get("default")]
    if len(defaults) != 1:
        yield f"configs: expected one default; found {', '.join(map(quotable_key, defaults)) or 'none'}"
    for config in configs:
        for path in _paths(config.get("data_files")):
            if not (folder / path).is_file():
                yield f"configs: {quotable_key(str(config.get('config_name')))}: no file {quotable_key(path)}"


def _paths(data_files: object) -> Iterator[str]:
    for item in data_files if isinstance(data_files, list) else []:
        paths = item.get("path", []) if isinstance(item, dict) else item
        yield from (str(path) for path in (paths if isinstance(paths, list) else [paths]))


def _contradictions(data: dict[str, Any], manifest: dict[str, Any]) -> Iterator[str]:
    for key, expected in head(manifest["configs"]).items():
        if key not in data:
            yield f"{key}: is missing"
        elif data[key] != expected:
            yield f"{key}: is not what follows from the manifest: expected {shown(expected)}; found {shown(data[key])}"


def _first_line(body: str, manifest: dict[str, Any]) -> Iterator[str]:
    first = body.lstrip("\n").partition("\n")[0]
    for config, entry in manifest["configs"].items():
        name = data_name(config, entry["recipe"])
        if f"`{name}` was built by the recipe `{entry['recipe']}`" not in first:
            yield f"its first line does not say that {name} was built by the recipe {entry['recipe']}"
