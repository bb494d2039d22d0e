"""Names of diseases in a clause or a list: where they begin and end, and what of it is none."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from medzh_score.extraction.vocabulary import expression

if TYPE_CHECKING:
    from collections.abc import Iterator

CAUSES = ("可能由", "可能与", "可能因", "可能系由", "可能是由")  # what may have led to what is named
RULED_OUT = ("待", "排除", "除外")
SYNDROME = 3  # characters of a disease that is called 证, such as 癔证: what is longer is a syndrome
LONGEST, SHORTEST, PIECE, MOST_NAMES = (
    40,
    2,
    14,
    15,
)  # characters of a name and of a piece of a list that could be one; names
BLOCK, LINE = 800, 200  # characters behind the word, and of one line, that are looked at
DOUBT = "\1"  # a character of brackets that doubt a name
INVOLVED = ("累及", "引起的炎症", "引起的疼痛", "引起的症状", "延伸至")
HOLE = "\0"  # a character of brackets and codes, which are no part of a name
# What names of diseases hold in the Chinese editions and in everyday words, and how English ones end.
DISEASE = expression(
    "disease",
    r"(?i)[病炎症癌瘤压血染伤折痛风疹疮疣痔疝石梗栓塞肿热咳晕癣痢疟颤疱痈疽疸斑秃聋盲瘫脓瘘裂瘀肌]"
    r"|霍乱|沙眼|[斜近远弱]视|内障|缺陷|缺乏|缺[如失损]|不足|不全|不良|不适|衰竭|减退|亢进|甲[亢减]|障碍"
    r"|麻痹|畸形|变形|变性|增生|肥大|萎缩|过敏|中毒|妊娠|早产"
    r"|感冒|结核|溃疡|糜烂|囊肿|息肉|积[水液气]|休克|早搏|硬化|狭窄|脱[位垂离]|扭转|穿孔|破裂|梅毒|紊乱"
    r"|失[常禁眠语]|不寐|癫痫|哮喘|综合征|异常|发作|窘迫"
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
    r"|\bsle\b|syncope|malaria|psorias|roseola|rubella|varicella|eczema|anaphyla|rickets|scurvy|dystroph|dysplas"
    r"|aneurysm|effusion|apnea|cephalus|thorax|torsion|obstruction|rupture|dissection|delirium|dementia|depress|schizo",
    matches="右侧腹股沟斜疝",
    misses="多喝水",
)
NO_NAME = expression(
    "no name",
    r"患者|病人|患儿|需要|需进|应该|应当|建议|检查|无法|不能|不确|不明|尚|进一步|结果|医生"
    r"|[我您你他她它们这哪请吗呢什么?:]|治疗|如下|下列|上述|症状|情况|原因|描述|未(?!特|分|破|足|触|定)"
    r"|信息|根据|提供|多种|因素|目前|没有|符合|支持|导致了|出现|方面|^无$|^暂?无|正常|^其他|阳性|阴性"
    r"|标准|考虑|如果|明确|方法|^疾病$|的疾病$|[性类]疾病$|常见病|病情|程度|建立|家族(?!性)|史$|依据|意见|机制|类型"
    r"|综合(?!征)|特征|^相关|具有|通过|之一|可见|可以|检测|鉴别"
    r"|一种|没|看到|不符|不一样|≠|警惕|^[与和跟对非](?!霍|典|酒|小|ST|毒|特)|并发症\Z|一般|彩超|介绍"
    r"|今天|出售|用于|预防|没病|本例|本病例|升高|显示|指向|说明|常规|线片|^暂?不(?!稳|完|典|全|孕|育|寐)|\d余?(?:年|个月|周|天)\Z|不像|编码|名称"
    r"|[是✗×]|\d\.\d|%|^需|排查|^无(?![痛菌症力精脉汗排尿牙乳功])"
    r"|\bicd|\b(?:information|not|unknown|none|null|n/a|unclear|the patient|patient|history|likely|should|been"
    r"|test|my|your|you|this|that|it|to|no)\b",
    matches="患者的病情",
    misses="急性阑尾炎",
)
UNSURE = expression(
    "unsure",
    r"(?i)或(?!然)|还是|可能(?!性?[最较很]?大)|疑似|可疑|待[排查]|\?|排除|除外|倾向|不成立|\x01|\bor\b|possib|probab",
    matches="肺炎或肺结核",
    misses="肺炎",
)
ASIDE = expression(
    "aside",
    r"(?P<doubt>\((?:待[^()\n]{0,40}|疑似?|可疑|可能|不除外|不能排除|\?{1,3})\))|\((?!\d{1,2}\))[^()\n]{0,120}\)|(?<=\w)\[[^\[\]\n]{0,60}\]|[,\s(\[]*\bICD[^\n,;。]{0,40}"
    r"|(?<![A-Za-z0-9])[A-Z]\d{2}\.[0-9xX][0-9a-zA-Z.]{0,8}"
    r"|(?:(?<=\s)|\A)[A-Z]\d{2}(?![0-9A-Za-z.])(?=\s|\Z|:)",
    matches="肺炎(J18.9)",
    misses="T12压缩性骨折",
)
ITEM = expression(
    "numbered item",
    r"[ \t]*(?:\(?\d{1,2}[.、):](?!\d)|[①-⑳]|[一二三四五六七八九]、|第一[,:]"
    r"|(?:option )?\(?[A-H][.、:)](?![A-Za-z0-9]))[ \t]*",
    matches="1. 肺炎",
    misses="2型糖尿病",
)
BETWEEN = expression(
    "between names",
    r"(?i)[、;/+|\n]|(?<=[\u4e00-\u9fff]) +(?=[\u4e00-\u9fff])|(?<=[病征])(?<!疾病):(?=[\u4e00-\u9fff])"
    r"|(?<![\d.])\(?\d{1,2}(?:[)、]"
    r"|\.(?!\d))[ \t]*|[①-⑳]|(?:同时)?合并有?|并发(?!症|性)|并伴有?|(?<!不)伴有?发?|继发(?!性)|以及|同时患有|并存"
    r"|并且|\band\b|\bwith\b|\bcomplicated by\b",
    matches="肺炎合并胸腔积液",
    misses="继发性高血压",
)
AND = expression("and", r"[和与及并]", matches="糖尿病和高血压", misses="糖尿病")
ENDS = expression(
    "end of names",
    r"(?i)[。!?\n]|\], ?\w{1,20}:|, ?an? (?=\w)|(?<!\d)\.(?=\s|\Z)|(?<=[a-z])\. "
    r"|(?:,|\b)(?:because|based|given|which|due to"
    r"|as evidenced|since)\b|[,;]?(?:依据|理由|因为|由于|鉴别|其?诊断依据|原因|建议|需[与要]|主要依据"
    r"|根据|所以|因此|但|而不|而非|不是|而是|不对|——|…|rather than)",
    matches="肺炎,依据",
    misses="肺炎,胸腔积液",
)
EDGE = expression(
    "edge of a name",
    r"(?i)\A(?:[\s\0:.,'\"<>\[\]()*#“”‘’-]"
    r"|(?:该|本)?(?:患者|患儿|病人|例)(?:所患|的?诊断(?:结果)?|患|得)?(?:的?疾病)?[为是]"
    r"|[您你]的诊断(?:结果)?是|[\u4e00-\u9fff]{2,5}(?:系统|方面):|(?:原有|基础)疾病:"
    r"|(?:classic )?(?:symptoms?|signs?|features) of "
    r"|是|为(?!生)|就是|考虑为?|诊断为?|患有|名称|伴有?|由|最可能(?:的?是)?|属于|[一二两]个?诊断"
    r"|典型的?|明显的?|初步|妥妥的|以及|an? |the |acute or |most |likely |\(?[A-E](?:[.:]|\))[ :]?|病名)+",
    matches="是肺炎",
    misses="肺炎",
)
TAIL = expression(
    "tail of a name",
    r"(?:的?(?:可能性?(?:最|较|很)?大?|诊断|表现|患者|存在|了|等|无疑|明确|成立|情况|问题|典型表现"
    r"|临床表现|临床特征|特点|特征|可能|病情|无误|所致|引起的?|导致的?|相关)|[\s\0:.,'\"<>\[\]()*#“”‘’-])+\Z",
    matches="肺炎的诊断",
    misses="肺炎",
)
MINOR = expression(
    "minor",
    r"(?:[痛热咳晕痰悸闷胀泻]|风险|咳嗽|乏力|呕吐|恶心|感|流涕|鼻塞|喷嚏|气促|气短|盗汗)\Z",
    matches="腰背痛",
    misses="肺炎",
)
STATE = expression(
    "state",
    r"(?:急性|慢性)?(?:加重|发作|稳定|缓解|恢复|活动)期?|(?:病情|血流动力学|生命体征|目前|现)?(?:已|较|尚|相对)?(?:稳定|平稳|好转|控制)|血[糖压脂](?:目前)?控制[^,]{0,6}"
    r"|[轻中重](?:度|症|型)|[很极]?[高中低]危组?|(?:[心肝肾]功能|NYHA|Killip|Child)[^,]{0,20}[级期]|由[^,]{1,20}(?:引起|所致|导致)",
    matches="急性加重",
    misses="急性胃炎",
)


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
    strict = strict or text[start : start + 2].strip("(")[:1] in set("ABCDEFGH")  # an option, or an examination
    for begin, end in _lines(text, start):
        names, reason = _of_line(text, begin, end, strict=strict)
        if reason and not named:
            return [], reason
        if not names:
            break
        named += names
    if any(word in name.text for name in named for word in INVOLVED) or any(
        len(name.text) == SHORTEST and other.text != name.text and other.text.endswith(name.text)
        for name in named
        for other in named
    ):
        return [], "unclear"  # more than a name, or a part of the one before
    named = [name for name in named if len(name.text) <= SYNDROME or not name.text.endswith("证")] or named
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
        if count and (not text[begin:end].strip() or (numbered and not item) or text[begin:end].lstrip()[:1] == "["):
            return
        yield (item.end() if item else begin), end
        if end - begin == LINE or (not numbered and end - start > LONGEST):
            return
        begin, count = end + 1, count + 1


def _of_line(text: str, begin: int, end: int, *, strict: bool) -> tuple[list[Name], str]:
    line = ASIDE.pattern.sub(lambda match: (DOUBT if match["doubt"] else HOLE) * len(match[0]), text[begin:end])
    stop = ENDS.pattern.search(line)
    line = line[: stop.start()] if stop else line
    asked = stop is not None and stop[0] == "?"
    named: list[Name] = []
    at = 0
    for piece in line.replace(";", ",").split(","):
        checked = strict or bool(named)  # behind a comma may stand anything
        before = len(named)
        for one, last in _parts(line, at, at + len(piece)):
            name, state = _trimmed(line, one, last, begin), line[one:last].strip(" .。") if named else ""
            if STATE.pattern.fullmatch(state):
                before = -1
                continue
            if asked or state.startswith("待") or UNSURE.pattern.search(line, one, last):
                beside = (state == "可能" and last < at + len(piece)) or state.startswith(
                    CAUSES
                )  # 肺炎,可能伴胸腔积液 is a pneumonia
                ruled_out = any(word in state for word in RULED_OUT)
                plain = named and (strict or beside or ruled_out or DOUBT in line[one:last])
                return (named, "") if plain else ([], "hedge")
            if _is_name(name.text, strict=checked):
                named.append(name)
            elif not named or (not strict and last - one <= PIECE):
                return [], "unclear" if named else "nothing"
            elif checked:
                whole = [one for one in named if one.start < begin + at]
                goes_on = not strict and at + len(piece) < len(line) - 1  # a list that was written, in which it stands
                return ([], "unclear") if goes_on else (whole, "")
        at += len(piece) + 1
        if len(named) == before:
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
