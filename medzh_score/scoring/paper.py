"""The shape of a paper's facts: what ``paper.json`` in the folder of a config holds."""

from __future__ import annotations

from dataclasses import dataclass, field

import msgspec

from medzh_score.benchmark.config import Table
from medzh_score.benchmark.registry import package_of
from medzh_score.io.paths import package_file
from medzh_score.ui.errors import MedzhError
from medzh_score.ui.i18n import BilingualText, _, bilingual, joined, pgettext
from medzh_score.ui.numbers import cell

Cells = dict[str, str | int | float | None]


@dataclass(frozen=True)
class Reference:
    """How the paper is cited: what is certain of its BibTeX entry; the remark says what is left out, and why."""

    key: str
    kind: str
    fields: dict[str, str]
    remark: BilingualText


@dataclass(frozen=True)
class Statement:
    """A number of the paper's text: what it counts, its value as stated, and in which section."""

    name: str
    value: str | int | float
    section: str


@dataclass(frozen=True)
class ReportedColumn:
    """A column of a printed table."""

    name: str  # the key of its values
    head: str  # as printed
    beside: str | None = None  # key of a second value in the same cell, such as a standard deviation
    between: str = ""  # printed between the two
    suffix: str = ""  # printed behind them
    decimals: int | None = None  # of its numbers that are not whole, where not those of the paper's other tables
    trimmed: bool = False  # zeros at the end are not printed: 53.2 between numbers of two decimals
    metric: str | None = None  # over all items, in the paper's reading; in braces a cell: ``F1-level-{level}``


@dataclass(frozen=True)
class FooterRow:
    """A row beneath the others, such as a total; the suffix is printed behind each number."""

    cells: Cells
    suffix: str = ""


@dataclass(frozen=True)
class ReportedTable:
    """A table as the paper prints it."""

    number: int
    title: BilingualText  # what it shows, in our words
    sections: tuple[str, ...]  # where it belongs
    columns: tuple[ReportedColumn, ...]
    rows: tuple[Cells, ...]  # by column name; keys that are no column's stand in the JSON form only
    footer: tuple[FooterRow, ...] = ()  # totals that the paper prints
    whole: dict[str, str] = field(default_factory=dict)  # cells of the rows about all items, where others are of a part


@dataclass(frozen=True)
class Erratum:
    """A finding about the paper.

    The grade is ``PROVEN`` (contradicts arithmetic), ``STRONG`` (would need an extreme coincidence), ``TEXT`` (the
    prose contradicts a table or itself), ``CODE`` (the paper differs from the authors' code), ``OK`` (was checked and
    holds) or ``EXTRACTION`` (lost in the text that was read here, no fault of the paper).
    """

    id: str
    grade: str
    tables: tuple[int, ...]
    sections: tuple[str, ...]
    finding: BilingualText
    shown_by: BilingualText

    def __str__(self) -> str:
        """Write it as one line."""
        places = [pgettext("places", "Table {number}", number=number) for number in self.tables]
        places += [
            pgettext("places", "section {name}", name=name)
            if name[0].isdigit()
            else pgettext("places", "Appendix {name}", name=name)
            for name in self.sections
        ]
        return _(
            "{id} ({grade}; {places}): {finding} Evidence: {shown_by}.",
            id=self.id,
            grade=pgettext("grades", self.grade),
            places=joined(places),
            finding=self.finding,
            shown_by=self.shown_by,
        )


@dataclass(frozen=True)
class Paper:
    """What is known of a benchmark's paper."""

    config: str
    benchmark: str  # the paper's name
    text: str  # which text of the paper was read
    reference: Reference  # how it is cited
    generation: dict[str, bool | int | float | str]  # the paper's settings
    generation_remark: str  # where they stand
    sections: dict[str, str]  # what each section and appendix is about
    stated: tuple[Statement, ...]  # numbers of the text
    tables: tuple[ReportedTable, ...]  # of numbers
    left_out: dict[str, str]  # numbers of the other tables, and why each is left out
    errata: tuple[Erratum, ...]  # what was checked, and what does not hold
    decimals: int = 2  # of the numbers in its tables that are not whole
    main: int | None = None  # number of the table with its main results
    published: str | None = None  # what the authors published of the benchmark, where not the whole

    def __repr__(self) -> str:
        """Return one line: the paper holds whole tables."""
        return f"<Paper {self.benchmark} of {self.config}: {len(self.tables)} tables, {len(self.errata)} errata>"

    def errata_of(self, number: int | None) -> list[Erratum]:
        """List the errata that concern a table; all of them where none is named."""
        return [erratum for erratum in self.errata if number is None or number in erratum.tables]


FACTS = "paper.json"


def load_paper(config: str) -> Paper:
    """Load the published results of the paper of a config, from ``paper.json``.

    Parameters
    ----------
    config : str
        The name of the config.

    Raises
    ------
    MedzhError
        If the config is unknown, or the file is missing or damaged.

    Examples
    --------
    >>> load_paper("sdak").tables[-1].number
    11
    """
    package = package_of(config)
    try:
        path = package_file(package, FACTS)
    except FileNotFoundError as error:
        raise MedzhError(
            _("{config} has no paper data", config=config),
            field="CONFIG",
            expected=_("{name} in the package {package}", name=FACTS, package=package),
        ) from error
    try:
        return msgspec.json.decode(path.read_bytes(), type=Paper, dec_hook=_bilingual)
    except msgspec.MsgspecError as error:
        raise MedzhError(_("the file contains no valid paper data: {error}", error=error), file=path) from error


class _Text(msgspec.Struct):
    en: str
    zh: str


def _bilingual(_type: type, value: object) -> BilingualText:
    """Read a text in both languages; a private package may have a single one."""
    if isinstance(value, str):
        return bilingual(value, value)
    text = msgspec.convert(value, _Text)
    return bilingual(text.en, text.zh)


def chosen_tables(paper: Paper, number: int | None = None, field: str = "--table") -> list[ReportedTable]:
    """Choose the tables to be shown, by the number that stands in an option."""
    chosen = [table for table in paper.tables if number in (None, table.number)]
    if not chosen:
        reason = paper.left_out.get(str(number))
        known = ", ".join(str(table.number) for table in paper.tables)
        problem = (
            _("the paper has no such table")
            if reason is None
            else _("the table is not included: {reason}", reason=reason)
        )
        raise MedzhError(problem, field=field, expected=known or "none", found=number)
    return chosen


def reported_tables(paper: Paper, number: int | None = None) -> list[Table]:
    """Return the tables of a paper as printed.

    Parameters
    ----------
    paper : Paper
        The paper.
    number : int, optional
        The number of one table (default: all tables).

    Returns
    -------
    list of Table
        Cells with several values, such as a value with its standard deviation, are texts. Other numbers are formatted
        at display time. None is an empty cell.

    Raises
    ------
    MedzhError
        If the paper has no table of this number, or the table has no numbers.

    Examples
    --------
    >>> reported_tables(load_paper("sdak"), 4)[0].rows[0][2:]
    ('GPT-4', '99.96±0.00', '65.42±0.60', 100)
    >>> reported_tables(load_paper("tcmd"), 4)[0].rows[0][1:4]
    ('0.593(0.016)', 0.56, 0.633)
    >>> reported_tables(load_paper("pemebench"), 4)[0].rows[1][5:]
    ('53.2', 47.99)
    """
    return [_laid_out(table, paper.decimals) for table in chosen_tables(paper, number)]


def _laid_out(table: ReportedTable, decimals: int) -> Table:
    rows = [tuple(_printed(row, column, column.suffix, decimals) for column in table.columns) for row in table.rows]
    rows += [
        tuple(_printed(row.cells, column, row.suffix, decimals) for column in table.columns) for row in table.footer
    ]
    heads = tuple(column.head for column in table.columns)
    title = pgettext(
        "titles", "Table {table_number}: {table_title}", table_number=table.number, table_title=table.title
    )
    return Table(title, heads, tuple(rows))


def _printed(row: Cells, column: ReportedColumn, suffix: str, decimals: int) -> str | int | float | None:
    value = row[column.name]
    beside = None if column.beside is None else row[column.beside]
    if value is None or (beside is None and isinstance(value, str)):
        return value
    if column.beside is not None and beside is None:
        suffix = ""
    if not (suffix or beside is not None or column.trimmed or column.decimals is not None):
        return value
    parts = [value] if beside is None else [value, beside]
    return column.between.join(_digits(part, column, decimals) for part in parts) + suffix


def _digits(value: str | float, column: ReportedColumn, decimals: int) -> str:
    text = cell(value, decimals if column.decimals is None else column.decimals)
    return text.rstrip("0").removesuffix(".") if column.trimmed and "." in text else text
