"""Works as they are cited: entries of BibTeX, and references as GB/T 7714-2015 writes them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

if TYPE_CHECKING:
    from collections.abc import Mapping

Form = Literal["bibtex", "gbt7714"]
FORMS: tuple[Form, ...] = ("bibtex", "gbt7714")
NAMED_AUTHORS = 3  # before "et al"
MARKS = {"inproceedings": "C", "article": "J", "software": "CP", "dataset": "DS"}  # of kinds of works
ONLINE, OTHER = "EB", "Z"


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


def as_gbt7714(work: Work, number: int) -> str:
    """Write a reference of the numeric style: who, what and of which kind, where it appeared, where it is.

    Given names stand in full, which the standard allows: how many characters a name in pinyin has is not known.

    Examples
    --------
    >>> fields = {"author": "Li, Hui and Noa, A and B, C and D, E", "title": "T", "year": "2024", "url": "https://x.y"}
    >>> as_gbt7714(Work("a", "misc", fields), 1)
    '[1] LI Hui, NOA A, B C, et al. T[EB/OL]. 2024. https://x.y.'
    """
    fields = work.fields
    online = "/OL" if fields.keys() & {"url", "doi"} else ""
    mark = MARKS.get(work.type or work.kind, ONLINE if online else OTHER)
    title = f"{fields['title']}[{mark}{online}]"
    if "booktitle" in fields:
        title += f"//{fields['booktitle']}"
    place = ": ".join(fields[name] for name in ("address", "publisher") if name in fields)
    appeared = ", ".join(filter(None, (place, fields.get("year", ""))))
    if "pages" in fields:
        appeared += f": {fields['pages'].replace('--', '-')}"
    number_of = f"{fields['archivePrefix']}:{fields['eprint']}" if "eprint" in fields else fields.get("version", "")
    doi = f"DOI:{fields['doi']}" if "doi" in fields else ""
    parts = [_authors(fields), title, number_of, appeared, fields.get("howpublished", ""), fields.get("url", ""), doi]
    return f"[{number}] {'. '.join(filter(None, parts))}."


def _authors(fields: Mapping[str, str]) -> str:
    if "author" not in fields:
        return fields.get("key", "")
    names = [name.partition(", ") for name in fields["author"].split(" and ")]
    written = [f"{family.upper()} {given}" if given else family.strip("{}") for family, _, given in names]
    return ", ".join([*written[:NAMED_AUTHORS], *["et al"][: len(written) > NAMED_AUTHORS]])
