"""Works as they are cited: entries of BibTeX, and references as GB/T 7714-2015 writes them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

from medzh_score.messages.catalogue import worded

if TYPE_CHECKING:
    from collections.abc import Mapping

Form = Literal["bibtex", "gbt7714"]
FORMS: tuple[Form, ...] = ("bibtex", "gbt7714")
NAMED_AUTHORS = 3  # before "et al"
MARKS = {"inproceedings": "C", "article": "J", "software": "CP", "dataset": "DS"}  # of kinds of works
ONLINE, OTHER = "EB", "Z"
OURS = frozenset({"software", "dataset"})  # whose titles are in the language of the reader
SOME_DAY = "YYYY-MM-DD"  # stands where nobody said on which day a work was looked at


@dataclass(frozen=True)
class Work:
    """A work: its key, its kind as BibTeX has it, its fields without any escapes, and what else it is."""

    key: str
    kind: str
    fields: Mapping[str, str]
    type: str = ""


def as_bibtex(work: Work) -> str:
    r"""Write an entry.

    Examples
    --------
    >>> print(as_bibtex(Work("a", "misc", {"title": "A_B", "year": "2024"})))
    @misc{a,
      title = {{A\_B}},
      year = {2024},
    }
    """
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

    Examples
    --------
    >>> fields = {"author": "Li, Hui and Noa, A and B, C and D, E", "title": "T", "year": "2024", "url": "https://x.y"}
    >>> as_gbt7714(Work("a", "misc", fields), 1, "2024-05-01")
    '[1] LI Hui, NOA A, B C, et al. T[EB/OL]. 2024[2024-05-01]. https://x.y.'
    >>> as_gbt7714(Work("a", "misc", {"title": "T", "year": "2024"}), 2)
    '[2] T[Z]. [S.l.]: [s.n.], 2024.'
    """
    fields = work.fields
    online = "/OL" if fields.keys() & {"url", "doi"} else ""
    mark = MARKS.get(work.type or work.kind, ONLINE if online else OTHER)
    said = worded if work.type in OURS else str
    title = f"{said(fields['title'])}[{mark}{online}]"
    if "booktitle" in fields:
        title += f"//{fields['booktitle']}"
    place = ": ".join(fields[name] for name in ("address", "publisher") if name in fields)
    place = place or ("" if online else said("[S.l.]: [s.n.]"))
    appeared = ", ".join(filter(None, (place, fields.get("year", ""))))
    if "pages" in fields:
        appeared += f": {fields['pages'].replace('--', '-')}"
    appeared += f"[{day}]" if online else ""
    version = said(f"Version {fields['version']}") if "version" in fields else ""
    doi = f"DOI:{fields['doi']}" if "doi" in fields else ""
    parts = [said(_authors(fields)), title, version, appeared, fields.get("url", ""), doi]
    return f"[{number}] {'. '.join(filter(None, parts))}."


def _authors(fields: Mapping[str, str]) -> str:
    if "author" not in fields:
        return ""
    names = [name.partition(", ") for name in fields["author"].split(" and ")]
    written = [f"{family.upper()} {given}" if given else family.strip("{}") for family, _, given in names]
    return ", ".join([*written[:NAMED_AUTHORS], *["et al"][: len(written) > NAMED_AUTHORS]])
