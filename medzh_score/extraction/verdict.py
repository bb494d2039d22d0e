"""Verdicts: whether a response says that a statement holds, or that it does not."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING

from medzh_score.benchmark.answers import Reading
from medzh_score.extraction.engine import CONCLUDED, ENDS, MENTIONED, Candidate, clause, resolve, scan
from medzh_score.extraction.normalize import prepare
from medzh_score.extraction.vocabulary import Word, lexicon, lexicon_of, over_signs, vocabulary

if TYPE_CHECKING:
    from collections.abc import Iterator

    from medzh_score.extraction.engine import Scan
    from medzh_score.extraction.vocabulary import Lexicon

VALUES = {"Y": "correct", "y": "correct", "M": "incorrect", "m": "incorrect", "N": "incorrect", "U": "undecided"}
OPPOSITE = {"correct": "incorrect", "incorrect": "correct"}
# What may stand behind a word that judges, where it is no attribute of what follows; behind a first word no colon.
_FIRST = r"(?:(?P=v)|o(?P=v)c)?(?!D[YM](?:n|\Z)|Da+(?!(?P=v))[YMU]S?(?:n|\Z))(?=o(?![YM])|[ac]*(?:[SnDXV]|\Z))"
_END = r"(?:(?P=v)|o(?P=v)c)?(?=o(?![YM])|[ac]*(?:[SnDXV:]|\Z))"
_THEN = r"(?:UDa{0,3}(?=[YM]))?"  # 过于绝对，不正确 is a verdict
_QUOTED = r"o[^ocnS]{0,40}c"
QUOTED = over_signs("quoted", _QUOTED, "o_H_c", "o_")
LABELLED_VERDICT = over_signs("verdict labelled", rf"[KJ][aIGTK:oc]{{0,6}}{_THEN}(?P<v>[YMU]){_END}", "K:YS", "K_YS")
ALONE = over_signs(
    "verdict alone", r"(?:(?<=[nS])|\A)[aocG:]{0,24}(?P<v>[YMU])(?P=v)?[ac:]{0,24}(?=[nS]|\Z)", "_nYn", "nY_"
)
OPENING = over_signs("verdict at the beginning", rf"\A[anocKGI:ymD]*{_THEN}(?P<v>[YMU]){_FIRST}", "YD_", "Y_")
NODDED = over_signs("nod at the beginning", r"\A[anoc]*(?P<v>[ymN])(?=[SD][aCD]*[T_GXYMnI]|S?\Z)", "yD_", "yDF_")
_OF_ANOTHER = rf"_?(?:{_QUOTED})?[INaG]{{1,8}}T[^SnDQHPFVNMYw]{{0,12}}a"  # the second one is of the first
SAID = over_signs(
    "statement judged",
    rf"T(?:(?:{_QUOTED})?[aocGTVINH]{{0,24}}|{_OF_ANOTHER}){_THEN}(?P<v>[YMU]){_END}",
    "TIMS",
    "TIM_",
)
_BETWEEN = r"[aocGT]{0,8}[IN](?:[IaGT]{0,8}_)?[IaGT]{0,8}"
OF_KIND = over_signs(
    "statement of a kind",
    rf"(?:[TG]{_BETWEEN}|(?P<b>\A[IN]a*))(?P<v>[YM])(?(b)a?|[a_]{{0,2}})T{_FIRST}",
    "GIY_TS",
    "YTI_",
)
ANSWERED = over_signs(
    "own question answered", rf"(?:Q|w[aYM]{{0,3}}:)[anocCDI:K]{{0,24}}(?P<v>[YMUym]){_END}", "TQMS", "TQM_"
)
TURNED = over_signs("verdict after a turn", rf"[VC][aDGT]{{0,24}}I?a*(?P<v>[YM]){_END}", "_DVIMS", "_DVI_")
ECHOED = over_signs("statement repeated", r"\A[^SnQwYMFPH]*[:D][aC]*(?P<v>[YM])(?=[ac]*(?:[SnV]|\Z))", "_:YS", "_:Y_")
# A denial behind a verdict is a correction where the opposite follows: 正确。不对,应该是错误。
_REVISED = r"(?<=[nSD])M(?=D)(?:D[aG_]{1,3}(?=D))?"
CORRECTED = over_signs("verdict corrected", rf"(?:R|{_REVISED})[aDIJKC:oc]{{0,24}}(?P<v>[YM]){_END}", "R:MS", "R_M")
WAYS = (LABELLED_VERDICT, ALONE, OPENING, SAID, OF_KIND, ANSWERED, TURNED, NODDED, ECHOED, CORRECTED)


def read_verdict(text: str, noun: str | None = None) -> Reading:
    """Read whether a response says that a statement holds.

    Parameters
    ----------
    text : str
        The response, as it came.
    noun : str, optional
        What the task calls the statement, such as ``诊断``, beside the nouns that are known.

    Returns
    -------
    Reading
        ``"correct"`` or ``"incorrect"``.

    Examples
    --------
    >>> read_verdict("该说法是错误的。").value
    'incorrect'
    >>> read_verdict("该方案是错误的。").value, read_verdict("该方案是错误的。", noun="方案").value
    (None, 'incorrect')
    """
    prepared = prepare(text)
    if prepared.lacks:
        return Reading(None, prepared.lacks)
    found = scan(prepared, _lexicon(noun))
    found = found._replace(signs=_with_revisions(found.signs))
    reading = resolve(found, list(_candidates(found)), guarded=_doubt, within=ENDS)
    return Reading(None, "undecided", reading.spans) if reading.value == "undecided" else reading


@lru_cache(maxsize=64)
def _lexicon(noun: str | None) -> Lexicon:
    if noun is None:
        return lexicon_of("verdict")
    return lexicon([*vocabulary("shared"), *vocabulary("verdict"), Word(prepare(noun).folded, "statement", "T")])


def _with_revisions(signs: str) -> str:
    for match in CORRECTED.pattern.finditer(signs) if "MD" in signs else ():
        at = match.start()
        before = max(signs.rfind("Y", 0, at), signs.rfind("M", 0, at))
        if signs[at] == "M" and before >= 0 and signs[before] != match["v"]:
            signs = f"{signs[:at]}R{signs[at + 1 :]}"
    return signs


def _candidates(found: Scan) -> Iterator[Candidate]:
    signs = found.signs
    if not any(sign in signs for sign in VALUES):
        return
    for one in WAYS:
        strength = MENTIONED if one in (NODDED, ECHOED) else CONCLUDED
        for match in one.pattern.finditer(signs):
            first, at = match.start(), match.start("v")
            if one is ANSWERED and match["v"] in "ym" and signs[first - 1 : first] != "Y":
                continue  # to another question than whether it is right
            if found.text(at).endswith("的") and signs[at + 1 : at + 2] == "X":
                continue  # 错误的理由
            not_taken_back = one is CORRECTED and signs[first] == "M"
            said_of_none = match["v"] == "N" and found.text(at) != "不是"
            if not_taken_back or said_of_none or (first == 0 and found.text(0) in {"有", "没有"}):
                continue
            if one is TURNED and signs[first] == "V" and "T" not in signs[clause(signs, first, first, ENDS)[0] : first]:
                continue
            turned = signs.count("N", first, at)
            if "B" in signs:
                turned += signs.count("B", clause(signs, first, first)[0], at)
            value = VALUES[match["v"]]
            yield Candidate(OPPOSITE.get(value, value) if turned % 2 else value, strength, one.name, first, at)


def _doubt(signs: str, one: Candidate) -> str:
    """Say why a verdict does not count: doubt in it, another's view in its clause, a supposition in its sentence."""
    _, _, turn = signs[one.last : clause(signs, one.last, one.last, ENDS)[1]].partition("V")
    if any(said.rstrip("acSn")[-1:] == {"Y": "M", "M": "Y"}.get(signs[one.last]) for said in turn.split("D")):
        return "contradiction"
    said = QUOTED.pattern.sub("", signs[clause(signs, one.first, one.first)[0] : one.last])
    if "H" in said or "W" in said:
        return "hedge"
    if "N" in signs[clause(signs, one.first, one.first)[0] : one.first]:
        return "denied"
    if "P" in signs and "P" in signs[clause(signs, one.first, one.first)[0] : one.last]:
        return "somebody else's"
    if "F" in signs:
        before = signs[clause(signs, one.first, one.first, ENDS)[0] : one.last]
        if before.rfind("F") > max(before.rfind("C"), before.rfind("V")):
            return "supposed"
    asked = "Q" in signs and "Q" in signs[one.last : clause(signs, one.first, one.last)[1]]
    return "asked" if asked or signs[one.first - 1 : one.first] == "w" else ""
