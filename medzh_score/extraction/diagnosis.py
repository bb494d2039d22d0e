"""Diagnoses: the names of diseases to which a response commits itself."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from itertools import islice
from typing import TYPE_CHECKING

from medzh_score.benchmark.answers import Reading
from medzh_score.extraction.disease_names import ASIDE, MINOR, names_from
from medzh_score.extraction.engine import CONCLUDED, DOUBTS, LABELLED, MENTIONED, Candidate, clause, resolve, scan
from medzh_score.extraction.normalize import prepare
from medzh_score.extraction.vocabulary import expression, lexicon_of, over_signs

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from medzh_score.benchmark.answers import Span
    from medzh_score.extraction.disease_names import Name
    from medzh_score.extraction.engine import Scan
    from medzh_score.extraction.normalize import Prepared


FIELD = over_signs("diagnosis field", r"(?:K|(?:(?<=n)|\A)[aod]*k)[aIc]*:[:nok]*(?![GKZ])", "K:_", "G:_")
HEADING = over_signs("diagnosis heading", r"(?:(?<=n)|\A)(?:_?[ad]+)?o*[Kk]a*(?:n+|c[:n]*)o*(?![GKkZ])", "nKn_", "nGn_")
SAID = over_signs("diagnosis said", r"(?:K[ac]*I|(?:\A|(?<=[nSDa]))YDI|V)[aI]*:?n*o*(?![GKZ])", "aKI_", "GKn")
OF_TCM = over_signs("diagnosis of Chinese medicine", r"(?:(?<=n)|\A)[aod]*G[aIc]*:[:no]*(?![GKZ])", "G:_", "K:_")
LEANS = over_signs("leaning", r"v[aI]*:?o*", "_v_", "_H_")
FURTHER = over_signs("further diagnoses", r"M[ac]*:[:no]*", "nM:_", "nK:_")
NEXT_LABEL = over_signs("next label", r"n[^nSD_]{0,3}(?:_[ad]{1,2})?o?[GKkM]|oG|[SD]G[ac]{0,2}:", "_noGc", "_n_")
NEXT_CASE = expression(
    "next case",
    r"\n[^\w\n]{0,4}\n?[^\w\n]{0,4}(?:患者(?:信息|资料|[,:男女])|病例[\d:]|[男女](?:性|孩|,)|(?:问题"
    r"|题目|question)\s?\d{0,2}:|you are a|read the patient|patient:)",
    matches="肺炎\n患者,男",
    misses="患者,男\n肺炎",
)
BEHIND = over_signs("said behind", r"Y", "_Y", "_K")
OTHER_SECTION = over_signs("other section", r"G[acG_]{0,2}[:n]", "G:_", "_GD")
FINAL = LABELLED + 1
MASK = "**"
NO_KEY = ("体征", "查体", "检", "舌", "脉", "史")  # of what a field of a JSON object is no diagnosis
FOUND_TO_BE = "已可能经予故此本但"  # before 排除, where it denies
HISTORY = ("病史", "史", "家族史", "既往史")
MOST, NEAR = 100, 200  # statements of a text that are looked at, and signs before and behind each
SIGNED = 12  # characters of a name with its title
OPENING = 60  # characters of a first line that may be a name alone
NOT_ALONE = frozenset("VKMGHFPNQRZXEWY")
WRITTEN = frozenset({FIELD.name, HEADING.name})
LAST = ("最终", "最后", "出院", "修正", "明确", "确定", "术后", "final")


def read_diagnosis(text: str) -> Reading:
    r"""Read to which diagnoses a response commits itself.

    Parameters
    ----------
    text : str
        The response, as it came.

    Returns
    -------
    Reading
        The names as they stand, in the order of the text, as a tuple; the spans are theirs.

    Examples
    --------
    >>> read_diagnosis("初步诊断：肺炎合并胸腔积液（J18.9）。\n鉴别诊断：肺结核").value
    ('肺炎', '胸腔积液')
    >>> read_diagnosis("您可能患有肺炎或肺结核。").value is None
    True
    """
    prepared = prepare(text)
    if prepared.lacks:
        return Reading(None, prepared.lacks)
    head, turn, answer = prepared.folded.partition("\n医生:")
    if turn and "诊断" not in head and len(answer.strip().partition("\n")[0]) > SIGNED:  # what was asked, copied
        prepared = prepared.part(len(head) + len(turn), len(prepared.text))
    opening = len(prepared.text) - len(prepared.text.lstrip()) + 1
    if match := NEXT_CASE.pattern.search(prepared.folded, opening):
        own = slice(match.start())
        reading = _read(text, prepared._replace(text=prepared.text[own], folded=prepared.folded[own]))
        if reading.value is not None:
            return reading
    return _read(text, prepared)


def _read(text: str, prepared: Prepared) -> Reading:
    found = scan(prepared, lexicon_of("diagnosis"))
    known: dict[tuple[str, ...], list[Name]] = {}
    candidates = next((some for some in (list(find(found, known)) for find in WAYS) if some), [])
    if not candidates and text[prepared.raw[0] : prepared.raw[0] + 8].lstrip("`json \n").startswith("{"):
        candidates = list(_only_field(found, known))
    reading = resolve(found, _alike(candidates), "" if candidates else _doubt(found))
    if not isinstance(reading.value, tuple):
        return reading._replace(unambiguous=False)
    names = known[reading.value]
    if any(_denied_later(found, name) for name in {name.text: name for name in names}.values()):
        return Reading(None, "denied", tuple(prepared.span(name.start, name.end) for name in names))
    if reading.reason in WRITTEN:
        names = [*names, *_further(found, names)]
    spans = tuple(prepared.span(name.start, name.end) for name in names)
    shown = tuple(_as_it_stands(text, span, name) for span, name in zip(spans, names, strict=True))
    top = [one for one in candidates if one.reason == reading.reason]
    return Reading(tuple(dict.fromkeys(shown)), reading.reason, spans, _clear(found, top, names))


def _as_it_stands(text: str, span: Span, name: Name) -> str:
    """Give a name in its own script, unless markup stands in it; asterisks that are no pair hide a part of it."""
    raw = text[slice(*span)]
    if MASK in raw and text[text.rfind("\n", 0, span.start) + 1 : _line_end(text, span.end)].count(MASK) % 2:
        return raw
    return raw if len(raw) == len(name.text) else name.text


def _line_end(text: str, at: int) -> int:
    end = text.find("\n", at)
    return len(text) if end < 0 else end


def _candidates(found: Scan, known: dict[tuple[str, ...], list[Name]]) -> Iterator[Candidate]:
    signs = found.signs
    seen: set[int] = set()
    beside = match.start() if (match := OTHER_SECTION.pattern.search(signs)) else len(signs)
    for expr, strength in ((FIELD, LABELLED), (HEADING, LABELLED), (SAID, CONCLUDED), (LEANS, MENTIONED)):
        for match in islice(expr.pattern.finditer(signs), MOST):
            first, last = match.start(), match.end() - 1
            start = found.ends[last]
            if start in seen or (strength < LABELLED and beside < first) or _beside(signs, first):
                continue
            label = NEXT_LABEL.pattern.search(signs, last + 1, last + NEAR)
            stop = _stop(found, label.start()) if label else None
            names, reason = names_from(found.prepared.text, start, stop, strict=strength < LABELLED or "k" in match[0])
            if reason and (reason == "nothing" or strength < LABELLED):
                continue
            seen.add(start)
            final = strength == LABELLED and found.text(first, last).lower().strip("\n [").startswith(LAST)
            yield Candidate(_value(names, known), FINAL if final else strength, reason or expr.name, first, last)


def _stop(found: Scan, label: int) -> int:
    """Say where a list ends that the next label ends: behind brackets that doubt its last name."""
    at = found.starts[label]
    aside = ASIDE.pattern.match(found.prepared.text, at)
    return aside.end() if aside and aside["doubt"] else at


def _of_tcm(found: Scan, known: dict[tuple[str, ...], list[Name]]) -> Iterator[Candidate]:
    """Take the name of a disease in Chinese medicine, where no other is given."""
    for match in islice(OF_TCM.pattern.finditer(found.signs), MOST):
        if found.text(match.start(), match.end() - 1).strip("\n [").startswith("中医诊断"):
            names, reason = names_from(found.prepared.text, found.ends[match.end() - 1])
            if not reason:
                yield Candidate(_value(names, known), CONCLUDED, FIELD.name, match.start(), match.end() - 1)


def _only_field(found: Scan, known: dict[tuple[str, ...], list[Name]]) -> Iterator[Candidate]:
    """Take the names in a JSON object of one field, whatever that is called."""
    text = found.prepared.text
    key = text.partition(":")[0]
    if text.count(":") == 1 and not any(word in key for word in NO_KEY) and NOT_ALONE.isdisjoint(found.signs):
        names, reason = names_from(text, text.index(":") + 1, strict=True)
        if not reason:
            yield Candidate(_value(names, known), LABELLED, FIELD.name, 0, 0)


def _value(names: Sequence[Name], known: dict[tuple[str, ...], list[Name]]) -> tuple[str, ...] | None:
    """Keep names under what they are compared by; none where they are a matter of doubt."""
    value = tuple(dict.fromkeys(name.text.lower() for name in names))
    known.setdefault(value, list(names))
    return value or None


def _beside(signs: str, first: int) -> bool:
    """Say whether the line is of something else, such as evidence or history, or the clause denies."""
    line = max(signs.rfind("n", 0, first) + 1, first - NEAR)
    begin, _ = clause(signs, first, first)
    return not {"N", "Z"}.isdisjoint(signs[begin:first]) or OTHER_SECTION.pattern.search(signs, line, first) is not None


def _behind(found: Scan, known: dict[tuple[str, ...], list[Name]]) -> Iterator[Candidate]:
    """Take names before a word that says that they are the diagnosis: 肺炎可能性大."""
    signs = found.signs
    for match in islice(BEHIND.pattern.finditer(signs), MOST):
        last = match.end() - 1
        begin, _ = clause(signs, last, last)
        if "G" in signs[begin:last]:
            continue
        text = found.prepared.text[: found.starts[last]]
        names, reason = names_from(text, found.starts[begin], strict=True)
        if not reason:
            yield Candidate(_value(names, known), CONCLUDED, BEHIND.name, begin, last)


def _alone(found: Scan, known: dict[tuple[str, ...], list[Name]]) -> Iterator[Candidate]:
    """Take names that are all of the text, or its first line."""
    text = found.prepared.text
    start = len(text) - len(text.lstrip())
    stop = min((at for sign in "。\n" if (at := text.find(sign, start, start + OPENING)) >= 0), default=len(text))
    first, last = bisect_right(found.ends, start), bisect_left(found.starts, stop)
    line = found.signs[first:last]
    if stop - start > OPENING or "I" in line[1:] or not NOT_ALONE.isdisjoint(line):
        return
    names, reason = names_from(text, start, strict=True)
    if (
        not reason
        and set("—…").isdisjoint(text[names[-1].end : stop])
        and not any(MINOR.pattern.search(name.text) for name in names[1:])
    ):
        alone = not text[max(names[-1].end, stop) :].strip("。. !\n")
        if alone or len(names) == 1:
            yield Candidate(_value(names, known), LABELLED, "alone" if alone else "opening", first, first)


def _alike(candidates: Sequence[Candidate]) -> list[Candidate]:
    """Give those that name the same diseases, one of them more shortly, the value of the strongest."""
    kept: list[tuple[str, ...]] = []
    alike: list[Candidate] = []
    for one in sorted(candidates, key=lambda one: (-one.strength, one.first)):
        if isinstance(one.value, tuple):
            value = next((other for other in kept if _same(one.value, other)), one.value)
            kept.append(value)
            alike.append(one._replace(value=value))
        else:
            alike.append(one)
    return alike


def _same(one: tuple[str, ...], other: tuple[str, ...]) -> bool:
    few, many = sorted((one, other), key=len)
    return all(any(name in its or its in name for its in many) for name in few)


def _further(found: Scan, names: Sequence[Name]) -> list[Name]:
    """Give the names of fields of further diagnoses."""
    known = {name.text for name in names}
    more = [
        name
        for match in islice(FURTHER.pattern.finditer(found.signs), MOST)
        for name in names_from(found.prepared.text, found.ends[match.end() - 1])[0]
    ]
    return [name for name in more if name.text not in known]


def _denied_later(found: Scan, name: Name) -> bool:
    """Say whether the text says further on that it is not this disease."""
    text, signs, its = found.prepared.folded, found.signs, name.text.lower()
    if signs[bisect_left(found.starts, name.end) :][:3].lstrip("oa").startswith("N"):
        return True
    at, times = name.end - len(its), 0
    while (at := text.find(its, at + len(its))) >= 0 and times < MOST:
        times += 1
        if text[at + len(its) :].startswith(HISTORY):
            continue
        sign = bisect_left(found.starts, at)
        before = signs[max(0, sign - 3) : sign].rstrip("aIv:d")
        behind = signs[bisect_left(found.starts, at + len(name.text)) :][:3].lstrip("aK")
        denial = max(0, sign - 3) + len(before) - 1
        denied = before.endswith("N") and not _is_to_exclude(found, denial)
        if denied or behind.startswith("N") or text[at - 1] == "无":
            return True
    return False


def _clear(found: Scan, top: Sequence[Candidate], names: Sequence[Name]) -> bool:
    """Say whether a clause that commits holds nothing unknown but the names, and nothing anywhere casts doubt."""
    if not DOUBTS.isdisjoint(found.signs):
        return False
    return any(_understood(found, one, names) for one in top)


def _understood(found: Scan, one: Candidate, names: Sequence[Name]) -> bool:
    begin, end = clause(found.signs, one.first, one.last)
    return all(
        any(name.start <= found.starts[at] + 3 and found.ends[at] <= name.end + 3 for name in names)
        for at in range(begin, end)
        if found.signs[at] == "_"
    )


def _is_to_exclude(found: Scan, at: int) -> bool:
    """Say whether 排除 is what something is done for, as in 必要时穿刺排除胸腔积液, and not what was found."""
    before = found.prepared.text[: found.starts[at]][-1:]
    return found.text(at) == "排除" and before.isalnum() and before not in FOUND_TO_BE


def _doubt(found: Scan) -> str:
    """Say why nothing is committed to, as far as signs say so."""
    return next(
        (reason for sign, reason in (("Z", "refusal"), ("H", "hedge"), ("W", "hedge")) if sign in found.signs), ""
    )


WAYS = (_candidates, _behind, _of_tcm, _alone)  # each where none before it finds anything
