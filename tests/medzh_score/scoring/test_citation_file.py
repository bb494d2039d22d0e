"""CITATION.cff says of the papers what ``medzh-score cite`` says."""

from __future__ import annotations

import citation_file
import pytest
import yaml
from places import ROOT

from medzh_score.benchmark.registry import config_names
from medzh_score.scoring.citation import YEAR
from medzh_score.scoring.paper import load_paper
from medzh_score.version import VERSION

PATH = ROOT / "CITATION.cff"
# What version 1.2.0 of the format asks of the file and of each reference.
REQUIRED = {"cff-version", "message", "title", "authors"}
OF_A_REFERENCE = {"type", "title", "authors"}
TYPES = {"software", "dataset"}
REFERENCES = {"article", "conference-paper"}


@pytest.fixture(scope="module")
def cited():
    return yaml.safe_load(PATH.read_text(encoding="utf-8"))


@pytest.fixture(scope="module")
def references(cited):
    return {config: one for one in cited["references"] for config in one["notes"].split(", ")}


def test_it_has_what_the_format_asks_for(cited):
    assert cited.keys() >= REQUIRED
    assert (cited["cff-version"], cited["version"], cited["license"]) == ("1.2.0", VERSION, "Apache-2.0")
    assert cited["type"] in TYPES
    assert str(cited.get("date-released", YEAR)).startswith(YEAR)
    preferred = cited["preferred-citation"]
    assert preferred.keys() >= OF_A_REFERENCE
    assert (preferred["year"], preferred["version"], preferred["title"]) == (int(YEAR), VERSION, cited["title"])
    for reference in cited["references"]:
        assert reference.keys() >= OF_A_REFERENCE
        assert reference["type"] in REFERENCES
        assert reference["authors"]


def test_it_names_the_paper_of_every_config(references):
    assert sorted(references) == config_names()
    assert citation_file.text() == PATH.read_text(encoding="utf-8"), "run: python docs/citation_file.py"


@pytest.mark.parametrize("config", config_names())
def test_a_reference_is_that_of_the_config(references, config):
    fields, reference = load_paper(config).reference.fields, references[config]
    assert reference["title"] == fields["title"]
    assert reference.get("doi") == fields.get("doi")
    assert reference.get("url") == fields.get("url")
    assert str(reference.get("year", "")) == fields.get("year", "")
    names = [f"{one['family-names']}, {one['given-names']}" for one in reference["authors"]]
    assert " and ".join(names) == fields["author"]
