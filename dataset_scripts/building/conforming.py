"""Whether a config conforms: its sample is built, and tried with answers whose worth is known."""

from __future__ import annotations

from typing import TYPE_CHECKING

from dataset_scripts.building.build import build
from dataset_scripts.recipe import dataset
from medzh_score.benchmark.registry import find_config
from medzh_score.conformance import faults
from medzh_score.data.hub import SAMPLE, folder_of
from medzh_score.data.records import load_records, read_manifest
from medzh_score.messages.error_lines import error_line

if TYPE_CHECKING:
    from pathlib import Path


def conform(config: str, folder: Path, data: Path | None = None) -> list[str]:
    """Say all that is wrong with a config, one line a fault.

    Parameters
    ----------
    config : str
        Its name.
    folder : Path
        Where the sample is built, by the recipe ``mini``.
    data : Path, optional
        A build that is tried in the place of a sample.

    Returns
    -------
    list of str
        Nothing where it conforms.
    """
    scoring, chosen = find_config(config), dataset(config)
    if data is None:
        build(config, chosen.recipe(SAMPLE).name, folder / "medzh")
    place = data or folder / "medzh"
    load_records(place, config)  # which refuses a build without the config
    splits = read_manifest(folder_of(place))["configs"][config]["splits"]
    found = (fault for split in splits for fault in faults(scoring, load_records(place, config, split=split).rows))
    return [error_line(fault) for fault in found]
