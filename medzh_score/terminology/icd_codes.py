"""How codes of ICD-10 are written: one normal form for the ways of WHO, of the Chinese editions and of models."""

from __future__ import annotations

import re
import unicodedata

from medzh_score.text.fold import fold_code

LENGTH = 3  # of a category
# What divides a category further: with an extension .000x001 and .9x01, then .401 and .x00, then what only the American
# edition has (.40XA), or nobody (.12345): the first three characters decide all the same.
DIVISION = r"[0-9X]{1,3}X[0-9]{2,4}|[0-9X]{1,3}|[0-9X]{0,3}[A-Z][0-9A-Z]?|[0-9]{4,8}"
# A morphology of tumours, M8140/3, is no disease. Osteoporosis is M81.4, with its point.
MORPHOLOGY = r"M[89][0-9]{3,4}(?:/[0-9])?"
SECOND = r"[A-Z][0-9]{2}[0-9A-Z.]*"
# The 83 categories of ICD-10 that are marked with an asterisk: manifestations of a disease that has its own code.
_MANIFESTATIONS = (
    "D63 D77 E35 E90 F00 F02 G01 G02 G05 G07 G13 G22 G26 G32 G46 G53 G55 G59 G63 G73 G94 G99 H03 H06 H13 H19 H22 "
    "H28 H32 H36 H42 H45 H48 H58 H62 H67 H75 H82 H94 I32 I39 I41 I43 I52 I68 I79 I98 J17 J91 J99 K23 K67 K77 K87 "
    "K93 L14 L45 L54 L62 L86 L99 M01 M03 M07 M09 M14 M36 M49 M63 M68 M73 M82 M90 N08 N16 N22 N29 N33 N37 N51 N74 "
    "N77 P75 "
)
MANIFESTATIONS = frozenset(_MANIFESTATIONS.split())
# Behind the code may stand its mark, and the code of a manifestation or a morphology; T66.x02H47.5 is how the clinical
# edition writes one. Any other code is that of another disease: I10/E11 is not one code.
_PARTS = re.compile(
    rf"([A-Z]\s?[0-9][0-9A-Z])(?:\.?({DIVISION}))?"
    rf"(?:\.?-?|\s*[+*∗]|\s*[†‡]\s*/?\s*(?:{SECOND})?\s*[*∗]?|(?<=\.[0-9X]{{3}}){SECOND}|[\s/+]*{MORPHOLOGY}"
    rf"|[\s/+*∗]*(?P<second>{SECOND}\s*[*∗]?))"
)
_MORPHOLOGY = re.compile(MORPHOLOGY)
_CHINESE = re.compile(r"[0-9X]{1,3}(?:X[0-9]{2,4})?")
_ASTERISKS = "*∗"
_MARKS = "†‡+" + _ASTERISKS


def normal_code(written: str) -> str | None:
    """Bring one code into its normal form.

    That is letter, two digits, and behind a point what divides the category, an extension in lower case; a placeholder
    (``J30.-``, ``J30.x``) is dropped. None where the text is no code: a morphology, a range, several diseases. Whether
    there is such a category is another question.
    """
    text = fold_code(written).upper().strip().lstrip(_MARKS).strip()
    if _MORPHOLOGY.fullmatch(text):
        return None
    found = _PARTS.fullmatch(text)
    if found is None or not is_manifestation(found["second"] or "*"):
        return None
    category, division = found[1].replace(" ", ""), found[2] or ""
    if not division.strip("X"):
        return category
    return f"{category}.{division.lower() if _CHINESE.fullmatch(division) else division}"


def is_manifestation(written: str) -> bool:
    """Tell whether a code behind another one says how the disease shows itself, and names no other disease."""
    return written.endswith(tuple(_ASTERISKS)) or written[:LENGTH] in MANIFESTATIONS


def category_of(code: str) -> str:
    """Cut a code in its normal form down to its category."""
    return code[:LENGTH]


def is_asterisk(written: str) -> bool:
    """Tell whether a code names the manifestation of another disease, and no disease of its own."""
    text = unicodedata.normalize("NFKC", written).strip()
    first = re.match(r"[A-Za-z0-9.]+", text)
    return first is not None and text[first.end() :].lstrip().startswith(tuple(_ASTERISKS))
