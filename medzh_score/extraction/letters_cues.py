"""The wordings by which a choice of options is announced, as data; `letters_said` reads what stands behind them."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

from medzh_score.extraction import option_wordings as older
from medzh_score.extraction.wording import Wording

if TYPE_CHECKING:
    from collections.abc import Iterator

# What announces an answer, by the name of its wording. The longest counts where several begin at a place.
ANNOUNCING = {
    **older.MARKERS,
    "answer": (
        *older.MARKERS["answer"],
        "正解",
        "Ans",
        "ANS",
        '"ans"',
        '"选项"',
        '"label"',
        '"选择"',
        "答案字母",
        "答案选项",
    ),
    "choose": (*older.MARKERS["choose"], "pick", "Pick", "勾选", "选出"),
    "option": (
        *older.MARKERS["option"],
        *(
            "most appropriate option",
            "most appropriate choice",
            "正确项",
            "正确选择",
            "最佳选择",
            "right choice",
            "correct options",
            "correct choices",
        ),
        *("my choice", "My choice", "correct one", "best one", "final choice", "Final choice", "我的选择"),
    ),
    "conclusion": (*older.MARKERS["conclusion"], "hence", "hence,", "综合来看，", "综合考虑，", "综合分析，"),
    "reply": (
        *older.MARKERS["reply"],
        "更正:",
        "最终:",
        "结论：",
        "结论:",
        "结论是",
        "结论为",
        "我的判断是",
        *("最终结果是", "最终结果为", "最终结果：", "投票的结果是", "投票结果是", "投票结果为", "投票结果："),
        *("不对，", "不，", "更正，", "修正：", "修正为", "修改为", "改为", "改成", "Correction:", "correction:"),
        "我的回答",
    ),
    "verdict": (
        *older.MARKERS["verdict"],
        *(
            "觉得是",
            "判断是",
            "判断为",
            "可能是",
            "it's",
            "It's",
            "it is",
            "It is",
            "It should be",
            "it should be",
            "I'd say",
        ),
        *(
            "就是",
            "即",
            "，是",
            "猜是",
            "猜",
            "估计是",
            "只剩",
            "只剩下",
            "应当是",
            "应当为",
            "倾向于",
            "正确：",
            "正确:",
        ),
    ),
}
KINDS = {wording: kind for kind, wordings in ANNOUNCING.items() for wording in wordings}
EXPLICIT = older.EXPLICIT
STRONG = older.STRONG
OPENS_A_CLAUSE = re.compile(
    r"(?:\A|[\n。，,；;：:！!？?])[^\S\n]*(?:[那这它本题我个人故应该也很最所以因此综上,，]|大概率?)*\Z"
)
PROPER = {
    **older.PROPER,
    **dict.fromkeys(("答：", "答:"), re.compile(r"(?:\A|[\n？?。])[^\S\n]*回?\Z")),
    **dict.fromkeys(("结论：", "结论:"), older.OPENS_A_LINE),
    "选项": re.compile(r"(?:正确|合适|恰当|符合题意|最(?!不)[^，。；：:\s不]{1,12})的?\Z"),
    "的是": re.compile(r"(?:正确|最(?!不)[^，。；：\s不]{1,12})\Z"),
    "，是": re.compile(r"(?:不是|并非|而非|不选|不应|不可能|抱歉|对不起|不对|错了|更正|等等)[^，。；\n]{0,12}\Z"),
    **dict.fromkeys(("不，", "不对，"), re.compile(r"(?:\A|[。！!？?…，,—\s哦噢啊])\Z")),
    "即": re.compile(r"[，,（(]\s*\Z"),
    "就是": OPENS_A_CLAUSE,
    "可能是": re.compile(rf"(?<!也){OPENS_A_CLAUSE.pattern}(?<!也)"),  # 也可能是 names another beside
    **dict.fromkeys(("正确：", "正确:"), re.compile(r"(?:\A|[\n。；;])[^\S\n]*\Z")),
}
MORE_CONNECTIVE = (
    r"[〖〗〔〕]|很|极有|极|大概率|大概|似乎|或许|也许|估计|恐怕|有|我个人|我|个人|认为|觉得|倾向|于|判断|第|中的?|里的?"
    r"|(?i:probably|definitely|certainly|simply|therefore|hence|answer|I think|I believe|be)\b"
)
CONNECTIVE = f"(?:{older.CONNECTIVE}|{MORE_CONNECTIVE})"
ANY = "|".join(map(re.escape, sorted(KINDS, key=len, reverse=True)))
CUE = re.compile(f"({ANY}){CONNECTIVE}*+")
LABELS = r"(?P<labels>[A-H](?:[、，,和 ]*[A-H])*+)(?![A-Za-z0-9])"


def _announcing(kind: str) -> re.Pattern[str]:
    literals = "|".join(map(re.escape, sorted(ANNOUNCING[kind], key=len, reverse=True)))
    return re.compile(f"(?:{literals}){CONNECTIVE}*+{LABELS}")


ONE = r"[A-H](?![A-Za-z0-9])"
JOIN = r"(?:[^\S\n]*(?:[、，,；;和与及&＆]|以及|还有|\band\b)+[^\S\n]*)"
SUBJECT = rf"(?P<labels>{ONE}(?:{JOIN}(?:选项)?{ONE})*+)[）)】”\"]?[^\S\n]?(?:[两二三四五]?个?(?:选?项))?[）)】”\"]?"
# What is said of a label that is the answer: named as such, or only called right.
GAP = r"[：:，,.、 （(]{0,3}"
NAMED_AS = (
    r"[，, ]?(?:(?:应该|应当|应|才|就|即|则|也|显然|都|均|皆)*[是为](?:本题|该题|此题|这道题|唯一|最|的)*"
    r"(?:正确|最佳|标准|合适|恰当|符合题意|应选|参考|最终)的?(?:答案|选项|选择|一?项)|[是为](?:本题|该题|此题)?的?答案"
    r"|\s?(?:is|would be|must be|should be)(?: clearly| therefore)? (?:the|my)(?: most| single)?"
    r"(?: correct| right| best| appropriate| likely| final)* (?:answer|option|choice|one))"
)
CALLED_RIGHT = (
    rf"{GAP}(?:的?(?:说法|描述|表述|叙述))?"
    r"(?:(?:[是为]|应该?是|才是|最为?|更为?|完全|显然|都|均|皆|也|就是)*"
    r"(?:正确|对(?![于应比照症])|√|✓|合适|恰当|符合(?!率)(?:题意|要求|题干|本题)?|贴切|吻合|准确|(?<=[更最])(?:好|佳|优))"
    r"|(?:(?:is|are|seems|looks|would be) )?(?:the )?(?:most )?(?:[Cc]orrect|right|best|appropriate|likely)\b)"
)
CALLED_WRONG = (
    rf"{GAP}(?:的?(?:说法|描述|表述|叙述))?"
    r"(?:[是为都均皆也则可能就显然明]*(?:错|不(?![是得])|误|有误|×|非|无关|排除|[可应]?以?排除|难以|无法|与[^，。；;\n]{1,12}不)"
    r"|(?:(?:is|are) )?(?:not|wrong|[Ii]ncorrect|false)\b|isn't\b)"
)
NOT_JOINED = r"(?<![A-Za-z0-9、和与或及/＋+-])"
NAMED = re.compile(f"{NOT_JOINED}{SUBJECT}{NAMED_AS}")
RIGHT = re.compile(f"{NOT_JOINED}{SUBJECT}{CALLED_RIGHT}")
WRONG = re.compile(f"{NOT_JOINED}{SUBJECT}{CALLED_WRONG}")
BEHIND_TEXT = {
    name: re.compile(said) for name, said in (("named", NAMED_AS), ("right", CALLED_RIGHT), ("wrong", CALLED_WRONG))
}
RIGHT_ONE = re.compile(  # 正确的方剂是, not 正确的答案是, which has a label behind it as a rule
    r"(?<![不非])正确的(?!答案|选项|是)[^，。；：:\n不非]{1,6}[是为]：?(?=\S)"
)
HOLDING = re.compile(
    r"(?:正确|符合题意|恰当|合适|应选|入选|可选)的?(?:选项|答案|说法|叙述|描述|项)?(?:有|包括|包含)[^\S\n]*[：:]?\s*(?=[A-H](?![A-Za-z0-9])|[A-H]{2})"
)
# All that are right, counted after some were named: 再加上C和D，共四项：ABCD.
COUNTED = re.compile(
    r"(?<=[，,])(?:共|一共|总共|合计)(?:有|计|是|选)?[二两三四五六七2-7][项个][：:，,][^\S\n]*(?=[A-H]{2}|[A-H][、，,和])"
)
RHETORICAL = re.compile(r"不(?:就|正|正好)是")  # 答案不就是A嘛
ASKS = re.compile(r"[A-H]+(?:选?项)?[吗嘛么]")
BARE = re.compile(r"\A\W*[A-H](?:[\s、，,和/]*[A-H])*+\W*\Z")

WORDINGS = (
    Wording("answer", _announcing("answer"), "正确答案为B选项", "答案可见解析"),
    Wording("choose", _announcing("choose"), "本题选B", "选项如下：A级医院"),
    Wording("option", _announcing("option"), "The best option is B", "The best option is Bed rest"),
    Wording("reply", _announcing("reply"), "更正：B", "更正：BMI"),
    Wording("verdict", _announcing("verdict"), "最符合的是B", "最符合的是乙肝"),
    Wording("conclusion", _announcing("conclusion"), "综上，B。", "综上所述，B1不足"),
    Wording("holding", HOLDING, "正确的有A、C", "正确的有两项"),
    Wording("named", NAMED, "选项B是正确答案", "B超是正确的检查"),
    Wording("right", RIGHT, "B选项正确", "B选项不正确"),
    Wording("label", BARE, "（B）", "B超"),
)


class Cue(NamedTuple):
    """An announcing wording where it was met.

    Attributes
    ----------
    kind : str
        The name of its wording.
    start, word, end : int
        Where it begins, a conclusion after its first word; where its own words end; and where what it announces would
        begin.
    denied : bool
        Whether it is denied before the label: 答案不是.
    strong : bool
        Whether the label may go on into a sentence.
    """

    kind: str
    start: int
    word: int
    end: int
    denied: bool
    strong: bool


def cues(text: str) -> Iterator[Cue]:
    """Find what announces an answer, in the order of the text.

    Parameters
    ----------
    text : str
        A prepared response.
    """
    if "有" in text or "包" in text:
        for found in HOLDING.finditer(text):
            yield Cue("holding", found.start(), found.end(), found.end(), denied=False, strong=True)
    if "共" in text or "合计" in text:
        for found in COUNTED.finditer(text):
            if "加" not in text[max(0, found.start() - older.FAR_BEFORE) : found.start()]:
                continue  # else it may be the question: 共五项：A、B、C、D、E
            yield Cue("holding", found.start(), found.end(), found.end(), denied=False, strong=True)
    if "正确的" in text:
        for found in RIGHT_ONE.finditer(text):
            yield Cue("verdict", found.start(), found.end(), found.end(), denied=False, strong=False)
    for found in CUE.finditer(text):
        wording, start, end = found[1], found.start(), found.end()
        kind = KINDS[wording]
        proper = PROPER.get(wording)
        if proper and not proper.search(text, max(0, start - older.BEFORE), start):
            continue
        between = text[start + len(wording) : end]
        denied = (
            bool(between)
            and older.DENIED_BETWEEN.search(between) is not None
            and not rhetorical(text, found.end(1), end)
        )
        strong = kind in STRONG or (bool(between) and older.CHOSEN_BETWEEN.search(between) is not None)
        begin = found.end(1) if kind == "conclusion" else start  # 若选A则误汗，故: what was supposed is over
        yield Cue(kind, begin, start + len(wording), end, denied, strong)


def rhetorical(text: str, start: int, end: int) -> bool:
    """Say whether what seems denied between two places is said by a question: 答案不就是A嘛.

    Parameters
    ----------
    text : str
        A prepared response.
    start, end : int
        Where the words of a cue end, and where its label begins.
    """
    return RHETORICAL.search(text, start, end) is not None and ASKS.match(text, end) is not None
