"""What to put into a paper: the benchmark's paper, this software and the data that is there, as they are cited."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal

from medzh_score.benchmark.registry import data_name
from medzh_score.data.hub import hub_address
from medzh_score.data.records import DEFAULT_DATA
from medzh_score.scoring.paper import load_paper
from medzh_score.ui.errors import MedzhError, printable
from medzh_score.ui.i18n import _, pgettext, translated
from medzh_score.ui.privacy import Unredacted
from medzh_score.version import VERSION

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from pathlib import Path

    from medzh_score.data.records import Origin
    from medzh_score.scoring.paper import Paper


Form = Literal["bibtex", "gbt7714"]
FORMS: tuple[Form, ...] = ("bibtex", "gbt7714")
NAMED_AUTHORS = 3  # before "et al"
MARKS = {"inproceedings": "C", "article": "J", "software": "CP", "dataset": "DS"}  # of kinds of works
ONLINE, OTHER = "EB", "Z"
OURS = frozenset({"software", "dataset"})  # whose titles are in the language of the reader
MEDZH_AUTHORS = "the authors of medzh"  # in a manifest, of a source that was written for medzh
SOME_DAY = "YYYY-MM-DD"  # stands where nobody said on which day a work was looked at


@dataclass(frozen=True)
class Work:
    """A work: its key, its kind as BibTeX has it, its fields without any escapes, and what else it is."""

    key: str
    kind: str
    fields: Mapping[str, str]
    type: str = ""


def _as_bibtex(work: Work) -> str:
    # Braces inside a title keep its capitals.
    values = {
        name: f"{{{escaped(value)}}}" if name == "title" else escaped(value) for name, value in work.fields.items()
    }
    return "\n".join(
        [f"@{work.kind}{{{work.key},", *(f"  {name} = {{{value}}}," for name, value in values.items()), "}"]
    )


def escaped(text: str) -> str:
    """Escape what LaTeX would read as a sign of its own."""
    return text.replace("_", r"\_").replace("&", r"\&").replace("#", r"\#").replace("$", r"\$")


def as_gbt7714(work: Work, number: int, day: str = SOME_DAY) -> str:
    """Write a reference of the numeric style: who, what and of which kind, where it appeared, where it is.

    Given names stand in full, which the standard allows: how many characters a name in pinyin has is not known. What
    is online has the day on which it was looked at, which the standard asks for; what is not, and names neither place
    nor publisher, says so.
    """
    fields = work.fields
    online = "/OL" if fields.keys() & {"url", "doi"} else ""
    mark = MARKS.get(work.type or work.kind, ONLINE if online else OTHER)
    said = translated if work.type in OURS else str
    title = f"{said(fields['title'])}[{mark}{online}]"
    if "booktitle" in fields:
        title += f"//{fields['booktitle']}"
    place = ": ".join(fields[name] for name in ("address", "publisher") if name in fields)
    place = place or ("" if online else said(_("[S.l.]: [s.n.]")))
    appeared = ", ".join(filter(None, (place, fields.get("year", ""))))
    if "pages" in fields:
        appeared += f": {fields['pages'].replace('--', '-')}"
    appeared += f"[{day}]" if online else ""
    version = said(_("Version {fields}", fields=fields["version"])) if "version" in fields else ""
    doi = f"DOI:{fields['doi']}" if "doi" in fields else ""
    parts = [said(_authors(fields)), title, version, appeared, fields.get("url", ""), doi]
    return f"[{number}] {'. '.join(filter(None, parts))}."


def _authors(fields: Mapping[str, str]) -> str:
    if "author" not in fields:
        return ""
    names = [name.partition(", ") for name in fields["author"].split(" and ")]
    written = [f"{family.upper()} {given}" if given else family.strip("{}") for family, _unused, given in names]
    return ", ".join([*written[:NAMED_AUTHORS], *["et al"][: len(written) > NAMED_AUTHORS]])


UNSAFE = str.maketrans("", "", "{}\\@%\n")
IN_TEXT = str.maketrans(  # of a file that BibTeX reads, to which @ begins an entry
    {
        "\\": r"\textbackslash{}",
        "{": r"\{",
        "}": r"\}",
        "@": r"\char64{}",
        "%": r"\%",
        "~": r"\textasciitilde{}",
        "^": r"\textasciicircum{}",
        "|": r"|\allowbreak{}",
    }
)
YEAR = "2026"  # of this version
SCORED = _("the scoring software; it has no known public address: add the source of your copy")


def cite(
    config: str, data: str = DEFAULT_DATA, report: Path | None = None, to: Form = "bibtex", day: str = SOME_DAY
) -> str:
    """Write citations of the paper, medzh and the data, and a sentence that uses them.

    Parameters
    ----------
    config : str
        The name of the config.
    data : str
        A build folder, an offline bundle or a tag on the hub. A comment states if a folder has no build of the config.
    report : Path, optional
        A report of this config as JSON, whose signature is added.
    to : {"bibtex", "gbt7714"}
        BibTeX entries, or numbered references in the style of GB/T 7714-2015.
    day : str
        The access date for online sources in GB/T 7714, such as 2024-05-01.

    Returns
    -------
    str
        The citations; lines that start with % are comments.

    Raises
    ------
    MedzhError
        If the manifest is damaged, the tag cannot be loaded, or the report is of another config.
    """
    paper = load_paper(config)
    found, signature = _data(paper, data), _signature(config, report)
    works = {
        _("the paper of the benchmark; {remark}", remark=paper.reference.remark): _paper(paper),
        SCORED: _software(),
    }
    if found is not None:
        works[_("the data: {kind}", kind=found.kind)] = _data_work(paper, found)
    lines = []
    for number, (remark, work) in enumerate(works.items(), 1):
        lines += [_remark(remark), _as_bibtex(work) if to == "bibtex" else as_gbt7714(work, number, day), ""]
    for citation in () if found is None else found.sources:
        lines += [_remark(_("also cite the source of the data: {citation}", citation=citation)), ""]
    if found is None:
        place = data.translate(UNSAFE)
        absent = _("no data to cite: {translate} contains no build of {config}", translate=place, config=config)
        lines += [_remark(absent), ""]
    if any(f"[{SOME_DAY}]" in line for line in lines):
        day_expected = _("YYYY-MM-DD is the date on which you accessed the online sources; set it with --accessed")
        lines += [_remark(day_expected), ""]
    marks = [
        rf" \cite{{{work.key}}}" if to == "bibtex" else f" [{number}]" for number, work in enumerate(works.values(), 1)
    ]
    lines += [_remark(_("sentence that cites these works")), _sentence(paper, found, marks, to)]
    return "\n".join([*lines, *signature]) + "\n"


def _remark(text: str) -> str:
    return f"% {translated(text)}"


def release_bibtex(paper: Paper, built: Mapping[str, Any]) -> str:
    """Write BibTeX of a benchmark's paper and of a build of it, as the card of that build shows them."""
    works = (_paper(paper), _data_work(paper, _account(paper, built)))
    return "\n\n".join(map(_as_bibtex, works)) + "\n"


def _paper(paper: Paper) -> Work:
    return Work(paper.reference.key, paper.reference.kind, paper.reference.fields)


def _software() -> Work:
    fields = {
        "author": "{The medzh authors}",
        "title": _("medzh: Chinese medical LLM benchmarks as versioned datasets, and an offline scorer"),
        "year": YEAR,
        "version": VERSION,
        "howpublished": f"Python package medzh-score {VERSION}",
    }
    return Work("medzh", "misc", fields, "software")


def _signature(config: str, report: Path | None) -> list[str]:
    from medzh_score.results.saved_reports import read_report
    from medzh_score.scoring.signature import written

    if report is None:
        return []
    read = read_report(report)
    if read.config != config:
        problem = _("the report belongs to another config")
        raise MedzhError(problem, file=report, field="config", expected=config, found=Unredacted(read.config))
    signature = escaped(printable(written(read.signature)).translate(IN_TEXT))
    return ["", _remark(_("the signature of the report")), f"\\texttt{{{signature}}}"]


@dataclass(frozen=True)
class Data:
    """The data that is there: which records, and whether they pass as the benchmark."""

    origin: Origin
    kind: str
    tag: str | None = None
    sources: tuple[str, ...] = ()  # by others, of data that are not the benchmark


def _data(paper: Paper, data: str) -> Data | None:
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
        raise MedzhError(
            _("the file is not a build manifest"), file=path, field=paper.config, advice=place.again
        ) from error


def _account(paper: Paper, built: Mapping[str, Any], commit: str | None = None, tag: str | None = None) -> Data:
    from medzh_score.data.records import Origin

    stated = (built[name].translate(UNSAFE) for name in ("version", "recipe", "fingerprint"))
    version, recipe, digest = map(printable, stated)
    pinned = all(source["pinned"] for source in built.get("sources", ()))
    cited = (source.get("citation", "") for source in built.get("sources", ()) if recipe != "official")
    sources = tuple(dict.fromkeys(printable(one.translate(UNSAFE)) for one in cited if one not in {"", MEDZH_AUTHORS}))
    return Data(Origin(version, recipe, digest, pinned, commit), _kind(paper, recipe, pinned=pinned), tag, sources)


def _kind(paper: Paper, recipe: str, *, pinned: bool) -> str:
    if recipe == "official" and pinned and paper.published is not None:
        return pgettext(
            "data cited",
            "the published part of {benchmark} ({published}), not the complete benchmark",
            benchmark=paper.benchmark,
            published=pgettext("data cited", paper.published),
        )
    if recipe == "official" and pinned:
        return pgettext("data cited", "the official {benchmark} data", benchmark=paper.benchmark)
    name = paper.benchmark
    made = {
        "official": _(
            "data converted from a copy other than the pinned source, not the official {name} data", name=name
        ),
        "open": _("an openly licensed counterpart, not the official {name} data", name=name),
        "mini": _("a small hand-written sample, not the official {name} data", name=name),
    }
    other = _("data built with recipe {recipe}, not the official {name} data", recipe=recipe, name=name)
    return made.get(recipe, other)


def _data_work(paper: Paper, data: Data) -> Work:
    origin, name = data.origin, data_name(paper.config, data.origin.recipe)
    fields = {
        "key": "medzh",  # by which BibTeX sorts what names no author
        "title": _("medzh, config {data_name}: {kind}", data_name=name, kind=data.kind),
        "version": f"{origin}",
        "note": f"version {origin.version}, recipe {origin.recipe}, fingerprint {origin.fingerprint}",
    }
    if data.tag is not None:
        fields["howpublished"] = f"dataset repository {data.tag}, commit {origin.commit}"
        fields["url"] = hub_address(data.tag.partition("@")[0], str(origin.commit))
    return Work(f"medzh-{name}-{origin.fingerprint[:8]}", "misc", fields, "dataset")


def _sentence(paper: Paper, data: Data | None, marks: Sequence[str], to: Form) -> str:
    values = {"benchmark": paper.benchmark, "paper": marks[0], "version": VERSION, "scorer": marks[1]}
    if data is None:
        return translated(_("We report {benchmark}{paper}, scored with medzh-score {version}{scorer}.", **values))
    values |= {"origin": escaped(str(data.origin)) if to == "bibtex" else str(data.origin)}
    values |= {"cited": marks[2], "kind": data.kind}
    sentence = _(
        "We report the metrics of {benchmark}{paper}, computed with medzh-score {version}{scorer} on {kind} "
        "({origin}){cited}.",
        **values,
    )
    return translated(sentence)
