"""Names of diseases in a clause or a list: where they begin and end, and what of it is none."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from medzh_score.extraction.vocabulary import expression, phrases

if TYPE_CHECKING:
    from collections.abc import Iterator

REMARKS = phrases("diagnosis", "remark")  # how what is said of what was named begins
SHARED = phrases("diagnosis", "shared_head")  # behind 和: 二尖瓣狭窄和反流 is of one valve
REMARK, DOUBTED = "remark", "doubted"
EACH = frozenset("均都皆")  # which are said of all that were named
RULED_OUT = ("待", "排除", "除外")
SYNDROME = 3  # characters of a disease that is called 证, such as 癔证: what is longer is a syndrome
LONGEST, SHORTEST, PIECE, MOST_NAMES = 40, 2, 14, 15  # characters of a name, of a piece that could be one; names
BLOCK, LINE = 800, 200  # characters behind the word, and of one line, that are looked at
DOUBT = "\1"  # a character of brackets that doubt a name
CAUSED, FELT = ("引起的", "导致的", "所致的"), ("炎症", "疼痛", "症状")
INVOLVED = ("累及", "延伸至", *CAUSED)
HOLE = "\0"  # a character of brackets and codes, which are no part of a name
# What names of diseases hold in the Chinese editions and in everyday words, and how English ones end.
DISEASE = expression(
    "disease", "(?i)" + "|".join(phrases("diagnosis", "disease")), matches="右侧腹股沟斜疝", misses="多喝水"
)
NO_NAME = expression("no name", "|".join(phrases("diagnosis", "no_name")), matches="患者的病情", misses="急性阑尾炎")
UNSURE = expression("unsure", "(?i)" + "|".join(phrases("diagnosis", "unsure")), matches="肺炎或肺结核", misses="肺炎")
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
    r"[ \t]*(?:\(?\d{1,2}[.、):](?!\d(?!型))|[①-⑳]|[一二三四五六七八九]、|第一[,:]"
    r"|(?:option )?\(?[A-H][.、:)](?![A-Za-z0-9]))[ \t]*",
    matches="1. 肺炎",
    misses="2型糖尿病",
)
BETWEEN = expression(
    "between names",
    r"(?i)[、;/+|\n]|(?<=[\u4e00-\u9fff]) +(?=[\u4e00-\u9fff])|(?<=[病征])(?<!疾病):(?=[\u4e00-\u9fff])"
    r"|(?<![\d.])\(?\d{1,2}(?:[)、]|\.(?!\d(?!型)))[ \t]*|[①-⑳]|(?:同时)?合并有?|并发(?!症|性)|并伴有?|(?<!不)伴有?发?"
    r"|继发(?!性)|以及|同时患有|并存|并且|\band\b|\bwith\b|\bcomplicated by\b",
    matches="肺炎合并胸腔积液",
    misses="继发性高血压",
)
AND = expression("and", r"[和与及并]", matches="糖尿病和高血压", misses="糖尿病")
ENDS = expression(
    "end of names", "(?i)" + "|".join(phrases("diagnosis", "end")), matches="肺炎,依据", misses="肺炎,胸腔积液"
)
EDGE = expression(
    "edge of a name", r"(?i)\A(?:" + "|".join(phrases("diagnosis", "edge")) + r")+", matches="是肺炎", misses="肺炎"
)
TAIL = expression(
    "tail of a name", r"(?:" + "|".join(phrases("diagnosis", "tail")) + r")+\Z", matches="肺炎的诊断", misses="肺炎"
)
MINOR = expression(
    "minor",
    r"(?:(?<!心绞)(?<!偏头)(?<!神经)(?<!百日)(?<!慢性腹)(?<!型头)(?<!性头)[痛热咳晕痰悸闷胀泻]|风险|咳嗽|乏力|呕吐|恶心|感|流涕|鼻塞|喷嚏|气促|气短|盗汗)\Z",
    matches="腰背痛",
    misses="肺炎",
)
STATE = expression("state", "|".join(phrases("diagnosis", "state")), matches="急性加重", misses="急性胃炎")


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
        if not names and not (reason == "hedge" and ITEM.pattern.match(text, start)):
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
    line = line[: stop.start()] + "?" * (stop[0] == "?") if stop else line
    named: list[Name] = []
    at, before = 0, ""
    for piece in line.replace(";", ",").split(","):
        last = at + len(piece)
        before = "" if line[at - 1 : at] == ";" else before
        if before == REMARK or (named and piece.strip().startswith(REMARKS)):
            if (before and _is_name(_trimmed(line, at, last).text, strict=True)) or ITEM.pattern.search(
                line, at + 1, last
            ):
                return [], "unclear"  # the remark may go on with it, or the list
            before = REMARK
        else:
            found, why = _of_piece(line, at, last, strict=strict, first=not named)
            if why not in {"", REMARK, DOUBTED}:
                kept = named if why == "end" or (before and why == "unclear") else []
                named, why = kept, "" if kept else why.replace("end", "nothing")
                break
            named += found
            before = why or before
        at = last + 1
    else:
        why = "" if named else "nothing"
    return [Name(one.text, begin + one.start, begin + one.end) for one in named], why


def _of_piece(line: str, begin: int, end: int, *, strict: bool, first: bool) -> tuple[list[Name], str]:
    """Take the names of a piece of a list, the first or a later one; or say why it, or the list, ends there."""
    found: list[Name] = []
    stated = False
    for one, last in _parts(line, begin, end):
        known = bool(found) or not first
        name, state = _trimmed(line, one, last), line[one:last].strip(" .。") if known else ""
        if STATE.pattern.fullmatch(state):
            stated = True
        elif state.startswith("待") or UNSURE.pattern.search(line, one, last):
            beside = last < end if state == "可能" else state.startswith("可能") and not DISEASE.pattern.search(state)
            ruled_out = any(word in state for word in RULED_OUT) or DOUBT in line[one:last]
            ruled_out = ruled_out and EACH.isdisjoint(state)
            if not known or not (strict or beside or ruled_out):
                return [], "hedge"
            return found, REMARK if beside else DOUBTED
        elif _is_name(name.text, strict=strict or not first):  # behind a comma may stand anything
            found.append(name)
        elif not known or (not strict and last - one <= PIECE):
            return [], "unclear" if known else "nothing"
        else:  # a list that was written, in which it stands
            return [], "unclear" if not strict and end < len(line) - 1 else "end"
    return found, "" if found or stated else "end"


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
            min(len(left), len(right)) >= SHORTEST
            and right not in SHARED
            and DISEASE.pattern.search(left[-2:])
            and DISEASE.pattern.search(right)
        ):
            yield begin, match.start()
            begin = match.end()
    yield begin, end


def _trimmed(line: str, begin: int, end: int) -> Name:
    edge = EDGE.pattern.match(line[begin:end])
    start = begin + (edge.end() if edge else 0)
    tail = TAIL.pattern.search(line, start, end)
    stop = tail.start() if tail else end
    behind = max(line.rfind(word, start, stop) for word in CAUSED) + len(CAUSED[0])
    caused = line[behind:stop] if behind > start + len(CAUSED[0]) else ""
    if caused and not caused.startswith(FELT) and not caused.endswith("疾病") and not MINOR.pattern.search(caused):
        start = behind  # 肺炎引起的胸腔积液
    return Name(line[start:stop].replace(HOLE, "").strip(), start, stop)


def _is_name(text: str, *, strict: bool) -> bool:
    if not SHORTEST <= len(text) <= LONGEST * (1 + text.isascii()) or NO_NAME.pattern.search(text):
        return False
    return not strict or DISEASE.pattern.search(text) is not None
