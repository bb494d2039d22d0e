"""What to put into a paper: BibTeX of the benchmark's paper, of this software and of the data that is there."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from medzh_score.data.records import DEFAULT_DATA
from medzh_score.messages.errors import MedzhError
from medzh_score.report.paper import load_paper
from medzh_score.version import VERSION

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

    from medzh_score.data.records import Origin
    from medzh_score.report.paper_facts import Paper

UNSAFE = str.maketrans("", "", "{}\\@%\n")


def cite(config: str, data: str = DEFAULT_DATA, report: Path | None = None) -> str:
    """Write BibTeX entries and a sentence that uses them.

    Parameters
    ----------
    config : str
        The config's name.
    data : str
        A build folder, a bundle or a tag on the hub; where a folder holds no build of the config, a comment line says
        so.
    report : Path, optional
        A report of this config as JSON; its signature stands below the sentence.

    Returns
    -------
    str
        Lines that start with % are for the reader.

    Raises
    ------
    MedzhError
        If the build's manifest is damaged, the tag cannot be loaded, or the report is none of this config.
    """
    paper = load_paper(config)
    lines = _lines(paper, VERSION, _data(paper, data), data)
    return "\n".join([*lines, *_signature(config, report)]) + "\n"


def release_bibtex(paper: Paper, built: Mapping[str, Any]) -> str:
    """Write BibTeX of a benchmark's paper and of a build of it, as the card of that build shows them."""
    return "\n".join([*_paper_entry(paper), "", *_data_entry(paper, _account(paper, built))]) + "\n"


def _paper_entry(paper: Paper) -> list[str]:
    reference = paper.reference
    return _entry(reference.kind, reference.key, _all_escaped(reference.fields))


def _signature(config: str, report: Path | None) -> list[str]:
    """Give the signature of a report, for a footnote or an appendix."""
    from medzh_score.report.results.report_file import read_report

    if report is None:
        return []
    read = read_report(report)
    if read.config != config:
        problem = "is a report of another config"
        raise MedzhError(problem, file=report, field="config", expected=config, found=read.config)
    signature = "; ".join(f"{key}: {value}" for key, value in read.signature.items())
    return ["", "% the signature of the report", f"\\texttt{{{_escaped(signature.translate(UNSAFE))}}}"]


@dataclass(frozen=True)
class Data:
    """The data that is there: which records, and whether they pass as the benchmark."""

    origin: Origin
    kind: str
    tag: str | None = None


def _data(paper: Paper, data: str) -> Data | None:
    """Read which data is there; None where no build, or none of the config, is."""
    from medzh_score.data.hub import MANIFEST, place_of
    from medzh_score.data.records import check_version, read_manifest

    place = place_of(data, paper.config)
    path = place.folder / MANIFEST
    built = read_manifest(place.folder, place.again)["configs"].get(paper.config) if path.is_file() else None
    if built is None:
        return None
    try:
        check_version(place, paper.config, built)
        return _account(paper, built, place.commit, data if place.commit else None)
    except (KeyError, TypeError, AttributeError) as error:
        raise MedzhError("is no manifest of a build", file=path, field=paper.config, advice=place.again) from error


def _account(paper: Paper, built: Mapping[str, Any], commit: str | None = None, tag: str | None = None) -> Data:
    from medzh_score.data.records import Origin

    version, recipe, digest = (built[name].translate(UNSAFE) for name in ("version", "recipe", "fingerprint"))
    pinned = all(source["pinned"] for source in built.get("sources", ()))
    return Data(Origin(version, recipe, digest, pinned, commit), _kind(paper, recipe, pinned=pinned), tag)


def _kind(paper: Paper, recipe: str, *, pinned: bool) -> str:
    """Say what the data is: only the official recipe, from a pinned file of the whole, gives the benchmark itself."""
    if recipe == "official" and pinned and paper.published is not None:
        return f"what is published of {paper.benchmark}: {paper.published}, not the whole benchmark"
    if recipe == "official" and pinned:
        return f"the official {paper.benchmark} data"
    how = {
        "official": "converted from a copy that is not the pinned release",
        "rebuilt": "rebuilt by the paper's procedure",
        "mini": "a small hand-written sample",
    }.get(recipe, f"made by the recipe {recipe}")
    return f"{how}, not the official {paper.benchmark} data"


def _lines(paper: Paper, version: str, data: Data | None, folder: str) -> list[str]:
    software = {
        "author": "{The medzh authors}",
        "title": "medzh: Chinese medical LLM benchmarks as versioned datasets, and an offline scorer",
        "version": version,
        "howpublished": f"Python package medzh-score {version}",
    }
    lines = [
        f"% the paper of the benchmark; {paper.reference.remark}",
        *_paper_entry(paper),
    ]
    lines += ["", "% the software that scored", *_entry("misc", "medzh", software), ""]
    if data is None:
        lines += [f"% no data to cite: {folder.translate(UNSAFE)} holds no build of {paper.config}", ""]
    else:
        lines += [f"% the data: {data.kind}", *_data_entry(paper, data), ""]
    return [*lines, "% a sentence that cites them", _sentence(paper, version, data)]


def _data_key(paper: Paper, origin: Origin) -> str:
    return f"medzh-{paper.config}-{origin.fingerprint[:8]}"


def _data_entry(paper: Paper, data: Data) -> list[str]:
    origin = data.origin
    fields = {
        "key": "medzh",
        "title": f"medzh, config {paper.config}: {data.kind}",
        "version": f"{origin}",
        "note": f"version {origin.version}, recipe {origin.recipe}, fingerprint {origin.fingerprint}",
    }
    if data.tag is not None:
        fields["howpublished"] = f"dataset repository {data.tag}, commit {origin.commit}"
    return _entry("misc", _data_key(paper, origin), _all_escaped(fields))


def _escaped(text: str) -> str:
    return text.replace("_", r"\_").replace("&", r"\&").replace("#", r"\#").replace("$", r"\$")


def _all_escaped(fields: dict[str, str]) -> dict[str, str]:
    return {name: _escaped(value) for name, value in fields.items()}


def _entry(kind: str, key: str, fields: dict[str, str]) -> list[str]:
    # Braces inside a title keep its capitals.
    values = {name: f"{{{value}}}" if name == "title" else value for name, value in fields.items()}
    return [f"@{kind}{{{key},", *(f"  {name} = {{{value}}}," for name, value in values.items()), "}"]


def _sentence(paper: Paper, version: str, data: Data | None) -> str:
    scorer = f"scored with medzh-score {version} \\cite{{medzh}}"
    sentence = f"We report {paper.benchmark} \\cite{{{paper.reference.key}}}, {scorer}"
    if data is not None:
        which = f"({_escaped(str(data.origin))}) \\cite{{{_data_key(paper, data.origin)}}}"
        sentence += f"; the data {which} is {data.kind}"
    return f"{sentence}."
