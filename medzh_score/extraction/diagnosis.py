"""Diagnoses: the names of diseases to which a response commits itself."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from itertools import islice
from typing import TYPE_CHECKING, NamedTuple

from medzh_score.benchmark.answers import Reading
from medzh_score.extraction.engine import CONCLUDED, DOUBTS, LABELLED, MENTIONED, Candidate, clause, resolve, scan
from medzh_score.extraction.normalize import prepare
from medzh_score.extraction.patterns import expression, over_signs
from medzh_score.extraction.vocabulary import lexicon_of

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from medzh_score.extraction.engine import Scan
    from medzh_score.extraction.normalize import Prepared


FIELD = over_signs("diagnosis field", r"(?:K|(?:(?<=n)|\A)[aod]*k)[aIc]*:[:nok]*(?![GKZ])", "K:_", "G:_")
HEADING = over_signs("diagnosis heading", r"(?:(?<=n)|\A)(?:_?[ad]+)?o*[Kk]a*(?:n+|c[:n]*)o*(?![GKkZ])", "nKn_", "nGn_")
SAID = over_signs("diagnosis said", r"(?:K[ac]*I|V)[aI]*:?n*o*(?![GKZ])", "aKI_", "GKn")
LEANS = over_signs("leaning", r"v[aI]*:?o*", "_v_", "_H_")
FURTHER = over_signs("further diagnoses", r"M[ac]*:[:no]*", "nM:_", "nK:_")
NEXT_LABEL = over_signs("next label", r"n[^nSD_]{0,3}(?:_[ad]{1,2})?o?[GKkM]|oG", "_noGc", "_n_")
NEXT_CASE = expression(
    "next case",
    r"\n[^\w\n]{0,4}\n?[^\w\n]{0,4}(?:患者(?:信息|资料|[,:男女])|病例[\d:]|[男女](?:性|孩|,)|(?:问题"
    r"|题目|question)\s?\d{0,2}:|you are a|read the patient|patient:)",
    matches="肺炎\n患者,男",
    misses="患者,男\n肺炎",
)
BEHIND = over_signs("said behind", r"Y", "_Y", "_K")
OTHER_SECTION = over_signs("other section", r"G[acG_]{0,2}[:n]", "G:_", "_GD")
OPENING_END = expression("end of the opening", r"[。\n]", matches="肺炎\n", misses="肺炎")
FINAL = LABELLED + 1
MOST, NEAR = 100, 200  # statements of a text that are looked at, and signs before and behind each
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
    candidates = list(_candidates(found, known)) or list(_behind(found, known)) or list(_alone(found, known))
    reading = resolve(found, _alike(candidates), "" if candidates else _doubt(found))
    if not isinstance(reading.value, tuple):
        return reading
    names = known[reading.value]
    if any(_denied_later(found, name) for name in {name.text: name for name in names}.values()):
        return Reading(None, "denied", tuple(prepared.span(name.start, name.end) for name in names))
    if reading.why in WRITTEN:
        names = [*names, *_further(found, names)]
    spans = tuple(prepared.span(name.start, name.end) for name in names)
    shown = tuple(_as_it_stands(text[slice(*span)], name) for span, name in zip(spans, names, strict=True))
    top = [one for one in candidates if one.why == reading.why]
    return Reading(tuple(dict.fromkeys(shown)), reading.why, spans, _clear(found, top, names))


def _as_it_stands(raw: str, name: Name) -> str:
    """Give a name in its own script, unless markup stands in it."""
    return raw if len(raw) == len(name.text) else name.text


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
            stop = found.starts[label.start()] if label else None
            names, why = names_from(found.prepared.text, start, stop, strict=strength < LABELLED or "k" in match[0])
            if why and (why == "nothing" or strength < LABELLED):
                continue
            seen.add(start)
            final = strength == LABELLED and found.text(first, last).lower().strip("\n [").startswith(LAST)
            yield Candidate(_value(names, known), FINAL if final else strength, why or expr.name, first, last)


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
        names, why = names_from(text, found.starts[begin], strict=True)
        if not why:
            yield Candidate(_value(names, known), CONCLUDED, BEHIND.name, begin, last)


def _alone(found: Scan, known: dict[tuple[str, ...], list[Name]]) -> Iterator[Candidate]:
    """Take names that are all of the text, or its first line."""
    text = found.prepared.text
    start = len(text) - len(text.lstrip())
    end = OPENING_END.pattern.search(text, start, start + OPENING)
    stop = end.start() if end else len(text)
    first, last = bisect_right(found.ends, start), bisect_left(found.starts, stop)
    line = found.signs[first:last]
    if stop - start > OPENING or "I" in line[1:] or not NOT_ALONE.isdisjoint(line):
        return
    names, why = names_from(text, start, strict=True)
    if (
        not why
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
    at, times = text.find(its, name.end), 0
    while at >= 0 and times < MOST:
        if text[at - 1] == "无":
            return True
        sign = bisect_left(found.starts, at)
        before = signs[max(0, sign - 3) : sign].rstrip("aIv:d")
        behind = signs[bisect_left(found.starts, at + len(name.text)) :][:3].lstrip("aK")
        if before.endswith("N") or behind.startswith("N"):
            return True
        at, times = text.find(its, at + len(its)), times + 1
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


def _doubt(found: Scan) -> str:
    """Say why nothing is committed to, as far as signs say so."""
    return next((why for sign, why in (("Z", "refusal"), ("H", "hedge"), ("W", "hedge")) if sign in found.signs), "")


LONGEST, SHORTEST, PIECE, MOST_NAMES = (
    40,
    2,
    14,
    15,
)  # characters of a name and of a piece of a list that could be one; names
BLOCK, LINE = 800, 200  # characters behind the word, and of one line, that are looked at
HOLE = "\0"  # a character of brackets and codes, which are no part of a name
# What names of diseases hold in the Chinese editions and in everyday words, and how English ones end.
DISEASE = expression(
    "disease",
    r"(?i)[病炎症癌瘤压血染伤折痛风疹疮疣痔疝石梗栓塞肿热咳晕癣痢疟颤疱痈疽疸斑秃聋盲瘫脓瘘裂瘀肌]"
    r"|霍乱|沙眼|[斜近远弱]视|内障|缺陷|缺乏|缺[如失损]|不足|不全|不良|不适|衰竭|减退|亢进|甲[亢减]|障碍"
    r"|麻痹|畸形|变形|变性|增生|肥大|萎缩|过敏|中毒|妊娠|早产"
    r"|感冒|结核|溃疡|糜烂|囊肿|息肉|积[水液气]|休克|早搏|硬化|狭窄|脱[位垂离]|扭转|穿孔|破裂|梅毒|紊乱"
    r"|失[常禁眠语]|癫痫|哮喘|综合征|异常|发作|窘迫"
    r"|腹泻|便秘|潴留|鸡眼|葡萄胎|依赖|焦虑|抑郁|痴呆|痉挛|曲张|阻滞|损害|异物|疏松|流感|丹毒|二级|反流"
    r"|返流|上火|脚气|宫外孕|乙肝|丙肝|心衰|心绞|白喉|天花|低下|气胸|猝死|光眼|套叠|减低|改变|扩张|结节"
    r"|钙化|占位|增大|粘连|梗阻|嵌顿|突出|膨出|滑脱|流产|房颤|腹水|脱水|反应|不孕|不育|闭经|崩漏"
    r"|脂肪肝|斑块|侧弯|[内外]翻|低[钾钠钙]|下垂|水痘|结膜|食积"
    r"|itis\b|osis\b|a?emia\b|oma\b|pathy|plegia|algia|uria\b|rrho?ea|disease|syndrome|disorder|failure"
    r"|hypertens|fracture|cancer|carcin|infect"
    r"|infarct|pneumon|asthma|diabet|stroke|stones?\b|ulcer|hernia|attack|\bgout|sepsis|influenza"
    r"|tubercul|migraine|epilep|injury|fibrillat"
    r"|pregnan|abortion|palsy|fever|\bpain|bleed|haemorr|hemorr|deficien|insufficien|embol|thromb"
    r"|\bcroup\b|headache|abscess|lupus|gravis|parkinson|alzheimer|kawasaki|measles|shingles|herpes"
    r"|\bcysts?\b|tumou?r|lymphom|leuk|polyp|\bcold\b|\bflu\b|scler|graves|crohn|\bcopd\b|\bgerd\b"
    r"|\bsle\b",
    matches="右侧腹股沟斜疝",
    misses="多喝水",
)
NO_NAME = expression(
    "no name",
    r"患者|病人|患儿|需要|需进|应该|应当|建议|检查|无法|不能|不确|不明|尚|进一步|结果|医生"
    r"|[我您你他她它们这哪请吗呢什么?:]|治疗|如下|下列|上述|症状|情况|原因|描述|未(?!特|分|破|足|触|定)"
    r"|信息|根据|提供|多种|因素|目前|没有|符合|支持|导致了|出现|方面|^无$|^暂?无|正常|^其他|阳性|阴性"
    r"|标准|考虑|如果|明确|方法|^疾病$|的疾病$|常见病|病情|程度|建立|家族|史$|依据|意见|机制|类型"
    r"|综合(?!征)|特征|^相关|具有|通过|之一|可见|可以|检测|鉴别"
    r"|一种|没|看到|不符|不一样|≠|警惕|^[与和跟对非](?!霍|典|酒|小|ST|毒|特)|并发症\Z|一般|彩超|介绍"
    r"|今天|出售|用于|预防|没病|本例|本病例|升高|显示|指向|说明|^不(?!稳|完|典|全|孕|育)|不像|编码|名称"
    r"|[是✗×]|\d\.\d|%|^需|排查|^无(?![痛菌症力精脉汗排尿牙乳功])"
    r"|\bicd|\b(?:information|not|unknown|none|null|n/a|unclear|the patient|patient|history|likely|should|been"
    r"|test|my|your|you|this|that|it|to|no)\b",
    matches="患者的病情",
    misses="急性阑尾炎",
)
UNSURE = expression(
    "unsure",
    r"(?i)或(?!然)|还是|可能(?!性?[最较很]?大)|疑似|待[排查]|\?|排除|除外|倾向|不成立|\bor\b|possib|probab",
    matches="肺炎或肺结核",
    misses="肺炎",
)
ASIDE = expression(
    "aside",
    r"\((?!\d{1,2}\))[^()\n]{0,120}\)|(?<=\w)\[[^\[\]\n]{0,60}\]|[,\s(\[]*\bICD[^\n,;。]{0,40}"
    r"|(?<![A-Za-z0-9])[A-Z]\d{2}\.[0-9xX][0-9a-zA-Z.]{0,8}"
    r"|(?:(?<=\s)|\A)[A-Z]\d{2}(?![0-9A-Za-z.])(?=\s|\Z|:)",
    matches="肺炎(J18.9)",
    misses="T12压缩性骨折",
)
ITEM = expression(
    "numbered item",
    r"[ \t]*(?:\(?\d{1,2}[.、):](?!\d)|[①-⑳]|[一二三四五六七八九]、|第一[,:])[ \t]*",
    matches="1. 肺炎",
    misses="2型糖尿病",
)
BETWEEN = expression(
    "between names",
    r"(?i)[、;/+|\n]|(?<=[\u4e00-\u9fff]) +(?=[\u4e00-\u9fff])|(?<![\d.])\(?\d{1,2}(?:[)、]"
    r"|\.(?!\d))[ \t]*|[①-⑳]|(?:同时)?合并有?|并发(?!症|性)|并伴有?|(?<!不)伴有?发?|继发(?!性)|以及|同时患有|并存"
    r"|并且|\band\b|\bwith\b|\bcomplicated by\b",
    matches="肺炎合并胸腔积液",
    misses="继发性高血压",
)
AND = expression("and", r"[和与及并]", matches="糖尿病和高血压", misses="糖尿病")
ENDS = expression(
    "end of names",
    r"(?i)[。!?\n]|(?<!\d)\.(?=\s|\Z)|(?<=[a-z])\. |(?:,|\b)(?:because|based|given|which|due to"
    r"|as evidenced|since)\b|[,;]?(?:依据|理由|因为|由于|鉴别|其?诊断依据|原因|建议|需[与要]|主要依据"
    r"|根据|所以|因此|但|而不|而非|不是|而是|不对|——|…|rather than)",
    matches="肺炎,依据",
    misses="肺炎,胸腔积液",
)
EDGE = expression(
    "edge of a name",
    r"(?i)\A(?:[\s\0:.,'\"<>\[\]()*#-]|是|为(?!生)|就是|考虑为?|诊断为?|患有|名称|伴有?|由|最可能(?:的?是)?|属于|[一二两]个?诊断"
    r"|典型的?|明显的?|初步|妥妥的|以及|an? |the |acute or |likely |\(?[A-E](?:[.:]|\))[ :]?|病名)+",
    matches="是肺炎",
    misses="肺炎",
)
TAIL = expression(
    "tail of a name",
    r"(?:的?(?:可能性?(?:最|较|很)?大?|诊断|表现|患者|存在|了|等|无疑|明确|成立|情况|问题|典型表现"
    r"|临床表现|临床特征|特点|特征|可能|病情|无误|所致|引起的?|导致的?|相关)|[\s\0:.,'\"<>\[\]()*#-])+\Z",
    matches="肺炎的诊断",
    misses="肺炎",
)
MINOR = expression("minor", r"(?:[痛热咳晕痰悸闷胀泻]|风险|咳嗽|乏力|呕吐|恶心|感)\Z", matches="腰背痛", misses="肺炎")


class Name(NamedTuple):
    """A name of a disease and its place in a prepared text, without what stands in brackets, and without codes."""

    text: str
    start: int
    end: int


def names_from(text: str, start: int, stop: int | None = None, *, strict: bool = False) -> tuple[list[Name], str]:
    """Take the names that stand from a place on, to the end of the clause or of the list."""
    text = text[: start + BLOCK if stop is None else min(stop, start + BLOCK)]
    while start < len(text) and text[start] in " \n'\"<[":
        start += 1
    named: list[Name] = []
    for begin, end in _lines(text, start):
        names, why = _of_line(text, begin, end, strict=strict)
        if why and not named:
            return [], why
        if not names:
            break
        named += names
    main = [name for name in named if not MINOR.pattern.search(name.text)]
    return (main or named)[:MOST_NAMES], "" if named else "nothing"


def _lines(text: str, start: int) -> Iterator[tuple[int, int]]:
    """Give the lines of a list, or one line."""
    numbered = ITEM.pattern.match(text, start)
    begin, count = start, 0
    while begin < len(text) and count < MOST_NAMES:
        end = text.find("\n", begin)
        end = min(len(text) if end < 0 else end, begin + LINE)
        item = ITEM.pattern.match(text, begin, end)
        if count and (not text[begin:end].strip() or (numbered and not item)):
            return
        yield (item.end() if item else begin), end
        if end - begin == LINE or (not numbered and end - start > LONGEST):
            return
        begin, count = end + 1, count + 1


def _of_line(text: str, begin: int, end: int, *, strict: bool) -> tuple[list[Name], str]:
    line = ASIDE.pattern.sub(lambda match: HOLE * len(match[0]), text[begin:end])
    stop = ENDS.pattern.search(line)
    line = line[: stop.start()] if stop else line
    asked = stop is not None and stop[0] == "?"
    named: list[Name] = []
    at = 0
    for piece in line.replace(";", ",").split(","):
        checked = strict or bool(named)  # behind a comma may stand anything
        for one, last in _parts(line, at, at + len(piece)):
            name = _trimmed(line, one, last, begin)
            if UNSURE.pattern.search(line, one, last) or asked:
                if not named:
                    return [], "hedge"
                return named, ""
            if not _is_name(name.text, strict=checked):
                if not named or (not strict and last - one <= PIECE):
                    return [], "nothing" if not named else "unclear"
                if checked:
                    return [one for one in named if one.start < begin + at], ""
                continue
            named.append(name)
        at += len(piece) + 1
        if not any(name.start >= begin + at - len(piece) - 1 for name in named):
            break
    return named, "" if named else "nothing"


def _parts(line: str, begin: int, end: int) -> Iterator[tuple[int, int]]:
    """Part a clause between names; at 和 and its like only where whole names stand on both sides."""
    at = begin
    for match in BETWEEN.pattern.finditer(line, begin, end):
        yield from _joined(line, at, match.start())
        at = match.end()
    yield from _joined(line, at, end)


def _joined(line: str, begin: int, end: int) -> Iterator[tuple[int, int]]:
    if not line[begin:end].strip(" \0'\"<>[]().:"):
        return
    for match in AND.pattern.finditer(line, begin, end):
        left, right = line[begin : match.start()], line[match.end() : end]
        if (
            min(len(left), len(right)) > SHORTEST
            and DISEASE.pattern.search(left[-2:])
            and DISEASE.pattern.search(right)
        ):
            yield begin, match.start()
            begin = match.end()
    yield begin, end


def _trimmed(line: str, begin: int, end: int, offset: int) -> Name:
    edge = EDGE.pattern.match(line[begin:end])
    start = begin + (edge.end() if edge else 0)
    tail = TAIL.pattern.search(line, start, end)
    stop = tail.start() if tail else end
    return Name(line[start:stop].replace(HOLE, "").strip(), offset + start, offset + stop)


def _is_name(text: str, *, strict: bool) -> bool:
    if not SHORTEST <= len(text) <= LONGEST * (1 + text.isascii()) or NO_NAME.pattern.search(text):
        return False
    return not strict or DISEASE.pattern.search(text) is not None
