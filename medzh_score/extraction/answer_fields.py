r"""Answers in a form: a field of a JSON object, a box of LaTeX, an element ``<answer>``; each is made a statement."""

from __future__ import annotations

import json
import re
from itertools import islice

from medzh_score.extraction.edits import Edit, Edits

STATED = "\n答案："
# By what they hold: the first group of which an object has a key says which fields are its answer.
_KEYS = (
    frozenset(
        {
            "answer",
            "finalanswer",
            "answers",
            "verdict",
            "label",
            "choice",
            "option",
            "result",
            "conclusion",
            "judgement",
            "judgment",
            "prediction",
            "correct",
            "iscorrect",
            "答案",
            "最终答案",
            "正确答案",
            "判断",
            "判断结果",
            "结论",
            "选项",
            "结果",
            "回答",
            "是否正确",
        }
    ),
    frozenset(
        {
            "diagnosis",
            "diagnoses",
            "finaldiagnosis",
            "primarydiagnosis",
            "maindiagnosis",
            "principaldiagnosis",
            "mostlikelydiagnosis",
            "disease",
            "diseases",
            "diseasename",
            "mostlikelydisease",
            "诊断",
            "诊断结果",
            "诊断名称",
            "最终诊断",
            "初步诊断",
            "主要诊断",
            "临床诊断",
            "疾病诊断",
            "最可能的诊断",
            "最可能诊断",
            "疾病",
            "疾病名称",
            "疾病名",
            "病名",
            "最可能的疾病",
            "最可能疾病",
            "所患疾病",
        }
    ),
    frozenset({"score", "rating", "评分", "得分", "分数"}),
)
_DIAGNOSES = _KEYS[1]
# What a diagnosis that is an object is called, what stands beside the main one, and how likely one of several is.
_NAMES = frozenset(
    {
        "name",
        "diseasename",
        "diagnosisname",
        "disease",
        "diagnosis",
        "名称",
        "疾病名称",
        "诊断名称",
        "疾病",
        "诊断",
        "病名",
    }
)
_FURTHER = frozenset(
    {"其他诊断", "其它诊断", "伴随诊断", "合并诊断", "otherdiagnosis", "otherdiagnoses", "additionaldiagnoses"}
)
_RATED = frozenset(
    {
        "probability",
        "prob",
        "likelihood",
        "confidence",
        "score",
        "rank",
        "ranking",
        "概率",
        "可能性",
        "置信度",
        "排名",
        "排序",
    }
)
_NONE = frozenset({"无", "没有", "暂无", "none", "None", "N/A", "-"})
_UNHELD = re.compile(
    r"\s*(?:已|可|待)?(?:排除|除外|鉴别|否|无|不支持|疑|拟|待查|可能)|\s*(?:no|false|excluded|ruled\s+out|differential"
    r"|possible|suspected|negative|absent|unlikely)\b",
    re.IGNORECASE,
)
_LIKELY = re.compile(r"0?\.[5-9]\d*|1(?:\.0*)?|(?:[5-9]\d(?:\.\d+)?|100)\s*[%％]|高|很高|high|very high", re.IGNORECASE)
_OBJECT = re.compile(r'\{\s*"')
_TRIED = 8  # objects in one text; each may take a pass over the rest of it
_BARE = re.compile(r"[\s$.。*`\\()\[\]]*\Z")
_FENCED = re.compile(r"\s*(?:```+[A-Za-z]*)?\s*\Z")
_FENCE_END = re.compile(r"\s*(?:```+)?\s*\Z")
_BOX = re.compile(r"\\{1,2}(?:boxed|fbox|framebox)\s*\{|<(?:final_)?answer>\s*", re.IGNORECASE)
_BOX_LENGTH = 400
_ANSWER_END = re.compile(r"\s*</(?:final_)?answer>", re.IGNORECASE)
_ANNOUNCED = re.compile(r"(?:[是为选：:=]|答案|\bis|\banswer)[\s$*`\\(\[“\"]*\Z", re.IGNORECASE)
_GOES_ON = re.compile(r"[\s$*`\\)\]]*+\w")
_BRACES = re.compile(r"[{}]")


# Fields that name the answer too, of which one may say otherwise.
_RIVAL = re.compile(
    r"(?:(?:my|your|the|correct|right|best|final|selected|chosen|predicted)+"
    r"(?:answer|option|choice|label|letter)|(?:最终|正确|最佳|所选|我的|应选)(?:答案|选项|选择))s?"
)
_LABEL = re.compile(r"[（(]?((?:[A-H](?:[、,，\s]*[A-H])*+)(?![A-Za-z0-9])|[a-h]\Z)")


def fields(text: str) -> Edits:
    """Find JSON objects, and what remains of each: the value of its answer.

    Parameters
    ----------
    text : str
        The response.

    Returns
    -------
    sequence of Edit
        An object that is broken, that has no field for an answer, or two that disagree, is left as it stands.

    Examples
    --------
    >>> from medzh_score.extraction.edits import edited
    >>> edited('{"answer": "B", "reason": "A 不对"}', fields('{"answer": "B", "reason": "A 不对"}'))
    'B'
    """
    edits: list[Edit] = []
    end = 0
    for opening in islice(_OBJECT.finditer(text), _TRIED):
        if opening.start() < end:
            continue
        found = _object(text, opening.start())
        if found is None:
            continue
        edits += _of_object(text, opening.start(), *found)
        end = found[1]
    return edits


def _object(text: str, start: int) -> tuple[str, int] | None:
    """Decode the object at a place: the text of its answer and where it ends."""
    try:
        pairs, end = _DECODER.raw_decode(text, start)
    except (ValueError, RecursionError):
        return None
    said = _answer(pairs, deep=True)
    return None if said is None else (said, end)


class _Pairs(list[tuple[str, object]]):
    """The fields of an object, also those of which there are two."""


_DECODER = json.JSONDecoder(object_pairs_hook=_Pairs, parse_float=str, parse_int=str)


def _answer(pairs: _Pairs, *, deep: bool) -> str | None:
    """Give the one value of the fields that hold the answer."""
    named = [("".join(re.split(r"[\s_-]+", key)).lower(), value) for key, value in pairs]
    for keys in _KEYS:
        values = [value for key, value in named if key in keys]
        if values:
            return (
                _of_diagnoses(values, pairs, deep=deep)
                if keys is _DIAGNOSES
                else _stated(values, keys, named, deep=deep)
            )
    inner = [value for _, value in pairs if isinstance(value, _Pairs)]
    return _answer(inner[0], deep=False) if deep and len(inner) == 1 else None


def _stated(values: list[object], keys: frozenset[str], named: list[tuple[str, object]], *, deep: bool) -> str | None:
    """State what fields of one meaning agree on, and what rivals of theirs say."""
    said = {_text(value, deep=deep) for value in values}
    if len(said) > 1:
        return None
    (one,) = said
    if any(isinstance(value, bool) for _, value in named) and _label(one):
        return None  # it describes one option: {"label": "A", "selected": false}
    rivals = [_text(value, deep=deep) for key, value in named if key not in keys and _RIVAL.fullmatch(key)]
    return _with_others(one, rivals)


def _of_diagnoses(values: list[object], pairs: _Pairs, *, deep: bool) -> str | None:
    said = {_diagnosed(value) or _text(value, deep=deep) for value in values}
    return _with_further(said.pop() if len(said) == 1 else None, pairs)


def _with_others(said: str | None, rivals: list[str | None]) -> str | None:
    """State what another field names beside, where one of the two is a label: whoever reads it sees whether it fits."""
    own = _label(said)
    others = [
        rival for rival in rivals if rival and (own or _label(rival)) and (_label(rival) or rival) != (own or said)
    ]
    return said if said is None else STATED.join([said, *others])


def _label(said: str | None) -> str:
    found = _LABEL.match(said) if said else None
    return "".join(re.findall("[A-H]", found[1].upper())) if found else ""


def _under(pairs: _Pairs, keys: frozenset[str]) -> list[object]:
    return [value for key, value in pairs if "".join(re.split(r"[\s_-]+", key)).lower() in keys]


def _with_further(said: str | None, pairs: _Pairs) -> str | None:
    """Add the diagnoses that a field of their own holds beside the main one."""
    further = [_diagnosed(value) or _text(value, deep=False) for value in _under(pairs, _FURTHER)]
    if not said or None in further:
        return said if not further else None
    return "、".join([said, *(part for part in further if part and part not in _NONE)])


def _diagnosed(value: object) -> str | None:
    """Name the diagnoses that are objects with a name each, None where they are not, or not all are held."""
    every = value if isinstance(value, list) and not isinstance(value, _Pairs) else [value]
    parts = [part for part in every if isinstance(part, _Pairs) and _is_held(part, len(every))]
    if not parts or len(parts) < len(every):
        return None
    names = [_under(part, _NAMES) for part in parts]
    if not all(len(found) == 1 and isinstance(found[0], str) and found[0].strip() for found in names):
        return None
    return "、".join(str(found[0]).strip() for found in names)


def _is_held(part: _Pairs, several: int) -> bool:
    """Say whether a diagnosis in a list is one that is made: it is not denied, and of several more likely than not."""
    if any(value is False or (isinstance(value, str) and _UNHELD.match(value)) for _, value in part):
        return False
    return several == 1 or all(_LIKELY.fullmatch(str(value)) for value in _under(part, _RATED))


def _text(value: object, *, deep: bool) -> str | None:
    if isinstance(value, _Pairs):
        return _answer(value, deep=False) if deep else None
    if isinstance(value, list):
        parts = [_text(part, deep=deep) for part in value]
        return "、".join(part for part in parts if part) if None not in parts else None
    if value is None:
        return ""
    return str(value).lower() if isinstance(value, bool) else str(value).strip()


def _of_object(text: str, start: int, said: str, end: int) -> Edits:
    """Keep of an object the characters of its answer where they stand in it as they are."""
    alone = _FENCED.match(text[:start]) and _FENCE_END.match(text, end)
    announced = STATED not in said and _ANNOUNCED.search(text[max(0, start - 40) : start])
    before, after = ("", "") if alone else ("" if announced else STATED, "\n")
    place = re.compile(rf':\s*"?\s*({re.escape(said)})\s*"?\s*[,}}\]]').search(text, start, end) if said else None
    if place is None:
        return [Edit(start, end, before + said + after)]
    return [Edit(start, place.start(1), before), Edit(place.end(1), end, after)]


def boxes(text: str) -> Edits:
    r"""Find boxes and elements that hold the answer.

    Parameters
    ----------
    text : str
        The response.

    Returns
    -------
    sequence of Edit
        What is around the answer goes; it is announced as the answer where nothing before it does so, and where it is
        not all that is said.

    Examples
    --------
    >>> from medzh_score.extraction.edits import edited
    >>> edited(r"因此 $\boxed{B}$", boxes(r"因此 $\boxed{B}$"))
    '因此 $\n答案：B$'
    """
    edits: list[Edit] = []
    end = 0
    for opening in _BOX.finditer(text):
        if opening.start() < end:
            continue
        closing = _answer_end(text, opening) if opening[0][0] == "<" else _brace_end(text, opening.end())
        if closing is None:
            continue
        alone = _BARE.match(text[: opening.start()]) and _BARE.match(text, closing[1])
        announced = alone or _ANNOUNCED.search(text[max(0, opening.start() - 40) : opening.start()])
        edits.append(Edit(opening.start(), opening.end(), "" if announced else STATED))
        edits.append(Edit(*closing, "\n" if _GOES_ON.match(text, closing[1]) else ""))
        end = closing[1]
    return edits


def _answer_end(text: str, opening: re.Match[str]) -> tuple[int, int]:
    """Find the end of the element; one that is not closed reaches to the end."""
    closing = _ANSWER_END.search(text, opening.end())
    return closing.span() if closing else (len(text), len(text))


def _brace_end(text: str, start: int) -> tuple[int, int] | None:
    depth = 1
    for brace in _BRACES.finditer(text, start, start + _BOX_LENGTH):
        depth += 1 if brace[0] == "{" else -1
        if depth == 0:
            return brace.span()
    return None
