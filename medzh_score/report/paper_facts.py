"""The shape of a paper's facts: what ``paper.json`` in the folder of a config holds."""

from __future__ import annotations

from dataclasses import dataclass, field

Cells = dict[str, str | int | float | None]


@dataclass(frozen=True)
class Reference:
    """How the paper is cited: what is certain of its BibTeX entry; the remark says what is left out, and why."""

    key: str
    kind: str
    fields: dict[str, str]
    remark: str


@dataclass(frozen=True)
class Statement:
    """A number of the paper's text: what it counts, its value as stated, and in which section."""

    name: str
    value: str | int | float
    section: str


@dataclass(frozen=True)
class ReportedColumn:
    """A column of a printed table.

    Attributes
    ----------
    name : str
        The key of its values.
    head : str
        As printed.
    beside : str or None
        The key of a second value that is printed in the same cell, such as a standard deviation. Where it is missing,
        the value stands alone.
    between : str
        Printed between the two.
    suffix : str
        Printed behind them.
    decimals : int or None
        Of its numbers that are not whole, where they are not those of the paper's other tables.
    trimmed : bool
        Whether zeros at the end are not printed: 53.2 between numbers of two decimals.
    metric : str or None
        The metric over all items that it prints, in the paper's reading; in braces a cell of the row, as in
        ``F1-level-{level}``.

    Examples
    --------
    >>> ReportedColumn("mean", "Mean(STD)", beside="std", between="(", suffix=")").head
    'Mean(STD)'
    """

    name: str
    head: str
    beside: str | None = None
    between: str = ""
    suffix: str = ""
    decimals: int | None = None
    trimmed: bool = False
    metric: str | None = None


@dataclass(frozen=True)
class FooterRow:
    """A row beneath the others, such as a total; the suffix is printed behind each number."""

    cells: Cells
    suffix: str = ""


@dataclass(frozen=True)
class ReportedTable:
    """A table as the paper prints it.

    Attributes
    ----------
    number : int
        In the paper.
    title : str
        What it shows, in our words.
    sections : tuple of str
        Where it belongs.
    columns : tuple of ReportedColumn
        In their order.
    rows : tuple of dict
        Values by column name, and what is printed beside them; keys that are no column's stand in the JSON form only.
    footer : tuple of FooterRow
        Totals that the paper prints.
    whole : dict of str to str
        The cells of those rows that are about all items, where others are about a part.
    """

    number: int
    title: str
    sections: tuple[str, ...]
    columns: tuple[ReportedColumn, ...]
    rows: tuple[Cells, ...]
    footer: tuple[FooterRow, ...] = ()
    whole: dict[str, str] = field(default_factory=dict)


@dataclass(frozen=True)
class Erratum:
    """A finding about the paper.

    Attributes
    ----------
    id : str
        Unique in the paper.
    grade : str
        ``PROVEN`` (contradicts arithmetic), ``STRONG`` (would need an extreme coincidence), ``TEXT`` (the prose
        contradicts a table or itself), ``CODE`` (the paper differs from the authors' code), ``OK`` (was checked and
        holds), ``EXTRACTION`` (lost in the text that was read here, no fault of the paper).
    tables : tuple of int
        The tables that it concerns.
    sections : tuple of str
        The sections that it concerns.
    finding : str
        What is the matter.
    shown_by : str
        How that is known.
    """

    id: str
    grade: str
    tables: tuple[int, ...]
    sections: tuple[str, ...]
    finding: str
    shown_by: str

    def __str__(self) -> str:
        """Write it as one line."""
        places = [f"Table {number}" for number in self.tables]
        places += [f"{'section' if name[0].isdigit() else 'Appendix'} {name}" for name in self.sections]
        return f"{self.id} ({self.grade}; {', '.join(places)}): {self.finding} Shown by: {self.shown_by}."


@dataclass(frozen=True)
class Paper:
    """What is known of a benchmark's paper.

    Attributes
    ----------
    config, benchmark : str
        Our name and the paper's.
    text : str
        Which text of the paper was read.
    reference : Reference
        How it is cited.
    decoding : dict
        The paper's settings, with where they stand in ``decoding_remark``.
    sections : dict of str to str
        The sections and appendices that exist, with what each is about.
    stated : tuple of Statement
        Numbers of the text.
    tables : tuple of ReportedTable
        Tables of numbers.
    left_out : dict of str to str
        The numbers of the other tables, and why each is left out.
    errata : tuple of Erratum
        What was checked, and what does not hold.
    decimals : int
        Of the numbers in its tables that are not whole.
    main : int or None
        The number of the table with its main results.
    published : str or None
        What the authors published of the benchmark, where that is not the whole.
    """

    config: str
    benchmark: str
    text: str
    reference: Reference
    decoding: dict[str, bool | int | float | str]
    decoding_remark: str
    sections: dict[str, str]
    stated: tuple[Statement, ...]
    tables: tuple[ReportedTable, ...]
    left_out: dict[str, str]
    errata: tuple[Erratum, ...]
    decimals: int = 2
    main: int | None = None
    published: str | None = None

    def errata_of(self, number: int | None) -> list[Erratum]:
        """List the errata that concern a table; all of them where none is named."""
        return [erratum for erratum in self.errata if number is None or number in erratum.tables]
