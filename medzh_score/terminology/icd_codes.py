"""How codes of ICD-10 are written: one normal form for the ways of WHO, of the Chinese editions and of models."""

from __future__ import annotations

import re
import unicodedata

# A category, and what divides it further: .401, .x00x002, 401 without its point.
_PARTS = re.compile(r"([A-Z][0-9][0-9A-Z])(?:\.?([0-9X]{1,3})(?:X([0-9]{1,3}))?)?\.?")
# Behind the first code of a cell may stand an asterisk code or a morphology.
_BEHIND = re.compile(r"[+†*∗\s/;]*(?:[A-Z][0-9].*)?")
_MARKS = "†‡*∗+"
LENGTH = 3  # of a category


def normal_code(written: str) -> str | None:
    """Bring one code into its normal form.

    Parameters
    ----------
    written : str
        A code in any case and width, with or without its point, with a dagger or an asterisk (``+`` is a dagger), in
        the Chinese extension (``A00.000x001``). Where a second code follows the first, as in ``A01.001+K77.0*`` and
        ``C22.101M81600/3``, the first is taken: it names the disease.

    Returns
    -------
    str or None
        Letter, two digits, and behind a point what divides the category, an extension in lower case; None where the
        text does not begin with a code. Whether there is such a category is another question.

    Examples
    --------
    >>> normal_code("ｊ30.401"), normal_code("A17+"), normal_code("J304"), normal_code("a00.000X001")
    ('J30.401', 'A17', 'J30.4', 'A00.000x001')
    >>> normal_code("A01.001+K77.0*"), normal_code("肺炎") is None
    ('A01.001', True)
    """
    text = unicodedata.normalize("NFKC", written).upper().strip().lstrip(_MARKS).strip()
    found = _PARTS.match(text)
    if found is None or not _BEHIND.fullmatch(text, found.end()):
        return None
    return joined(found)


def joined(found: re.Match[str]) -> str:
    """Write the parts of a code that were found, in the normal form.

    Parameters
    ----------
    found : re.Match
        Category, division and extension, in upper case.
    """
    category, division, extension = found.groups()
    if not division:
        return category
    return f"{category}.{division.lower()}" + (f"x{extension}" if extension else "")


def category_of(code: str) -> str:
    """Cut a code in its normal form down to its category.

    Parameters
    ----------
    code : str
        From `normal_code`.

    Examples
    --------
    >>> category_of("J30.401")
    'J30'
    """
    return code[:LENGTH]


def is_asterisk(written: str) -> bool:
    """Tell whether a code names the manifestation of another disease, and no disease of its own.

    Parameters
    ----------
    written : str
        As a table writes it.

    Examples
    --------
    >>> is_asterisk("H28.0*"), is_asterisk("E11.301+H28.0*"), is_asterisk("A17+")
    (True, False, False)
    """
    text = unicodedata.normalize("NFKC", written).strip()
    first = re.match(r"[A-Za-z0-9.]+", text)
    return first is not None and text[first.end() :].lstrip().startswith(("*", "∗"))
