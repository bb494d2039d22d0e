"""The wordings that announce an answer, take it back or join it to another; `option_labels` says what they mean."""

from __future__ import annotations

import re

LETTERS = "ABCDEFGH"  # not I, which English has as a word

# What announces an answer, by kind. The longest wording counts where several begin at a place.
MARKERS = {
    "answer": ("答案", "answer", "answers", "Answer", "Answers", "ANSWER", "\\boxed", '"choice"', '"option"'),
    "choose": ("选", "选中", "choose", "chose", "Choose", "select", "Select", "go with"),
    "option": ("选项", "correct option", "correct choice", "best option", "best choice", "right option"),
    "reply": ("答：", "答:", "解：", "解:", "助手：", "Assistant:", "回答是", "回答为", "更正：", "更正为", "最终："),
    "verdict": ("的是", "应为", "应是", "应该是", "应该为", "而是", "认为是"),
    "conclusion": (
        *(word + comma for word in ("因此", "所以", "综上", "综上所述", "故") for comma in ("", "，", ",")),
        *(word + comma for word in ("Therefore", "therefore", "Thus", "thus", "Hence") for comma in ("", ",")),
    ),
}
KINDS = {wording: kind for kind, wordings in MARKERS.items() for wording in wordings}
EXPLICIT = frozenset({"answer", "option", "reply", "conclusion"})  # of which the last counts, wherever it stands
STRONG = frozenset({"answer", "choose", "option"})  # after these a label may go on into a sentence
# Wordings that are markers only after certain words: 正确选项, not 备选选项; 最符合的是, not 错误的是; and a reply at
# the beginning of a line.
OPENS_A_LINE = re.compile(r"(?:\A|\n)[^\S\n]*(?:回|解)?\Z")
PROPER = {
    **dict.fromkeys(("答：", "答:", "解：", "解:", "助手：", "Assistant:"), OPENS_A_LINE),
    "选项": re.compile(r"(?:正确|最佳|合适|恰当|最优|符合题意)的?\Z"),
    "的是": re.compile(r"(?:正确|最(?!不)[^，。；：\s不]{1,6})\Z"),
}

# What may stand between a marker and its label. Possessive: what it took is never tried again, so time is linear.
DENIAL = r"(?:并|绝|决)?不(?:可能|会|能|应该?|该)?|并?非|not\b|isn't\b|never\b"
CONNECTIVE = (
    r"(?:[\s“”\"'‘’「」『』《》（(【】\[\]：:=＝<>→|—-]"
    r"|应该|应当|应|该|就|只能|只|还|便|即|在|依次|分别|最?可能|显然|当然|最终|必然|一定|也|是|为|择|出|取|定|用|填|写|选项|选|了|的"
    rf"|字母|序号|编号|代号|如下|{DENIAL}"
    r"|(?i:is|are|would|should|must|be|option|choice|letter|the|to|this|question|most|likely|clearly|correct|best)\b)"
)
MARKER = re.compile("(" + "|".join(map(re.escape, sorted(KINDS, key=len, reverse=True))) + f"){CONNECTIVE}*+")
DENIED_BETWEEN = re.compile(r"[不非]|not|n't|never")
CHOSEN_BETWEEN = re.compile("选(?!项)")

LABEL = re.compile(r"([A-H]+|[a-h])(?![A-Za-z0-9])")
SPECIES = re.compile(r"[.．]\s?[a-z]{2}")  # a genus is no label: E. coli
ARTICLE = re.compile(r"\s+(?!(?:because|since|as|is|for|and|or)\b)[a-z]")  # nor is the article: A patient

# What may follow a label, by how strongly it was announced.
AFTER_STRONG = re.compile(
    r"\Z|[\s。．.，,；;：:！!？?、~～)）】\]」』”\"’'》}…|<>（(【「『①-⑩]|——|选?项"
    r"|[是为因而的即更较最了吧啦呗哦呀]|比[较选]|优于|胜过|好过|强于|符合|正确|对(?![于应比照])|不[是选]"
)
AFTER_WEAK = re.compile(r"(?:选?项)?(?:\s*\Z|[。．.！!，,；;\n）)】\]”\"])")
AFTER_CONCLUSION = re.compile(r"(?:选?项)?[)）】\]”\"]?\s*(?:\Z|[。！!；;\n]|\.(?:\s|\Z))")

# What takes an announced label back, before its marker or after it. Each begins with literal characters, for which re
# looks far faster than for anything else.
DENIED_BEFORE = re.compile(
    r"(?:不(?<!不得不)(?:可以|能|可|应该|应当|应|该|宜|会|要|必|再|得|是|用|适合|建议|考虑|推荐)?"
    r"|没有?(?:必要)?|何必|未|勿|别(?<![分特区鉴个级性类]别)|莫|误|错误?的?|漏|避免|拒绝|排除|难以|无法|无需|无须"
    r"|切忌|忌|[绝并而决]非|比|优于|胜过|好过|强于|逊于|备选?|候选?|供选?|入选?|其[他它余]|干扰|原题?"
    r"|题[目中干]中?所?[给提][供出]?[出的]?)"
    r"(?:会|要|去|来|直接)?(?:选择?)?(?:正确|最佳|标准|参考|最终)?的?\Z"
    r"|(?:not(?<![a-z]not)|n't) ?(?:to )?\Z"
)
SUPPOSED_IN_SENTENCE = re.compile(
    r"(?:如果(?!一定|必须|非要?)|假如|假设|假定|倘若|要是(?!一定|必须)|万一|即使|若(?!干|一定|必须|只能|非要)"
    r"|If |if |Suppose|suppose)"
    r"(?:(?!故|因此|所以|但)[^。；;！!？?\n])*+\Z"
)
SUPPOSED_IN_CLAUSE = re.compile(
    r"(?:为什么|为何|为啥|何以|是否|能否|有人|有些人|很多人|许多人|不少人|Why |why )[^，,。；;！!？?：:\n]*\Z"
)
MISTAKEN_BEFORE = re.compile(r"(?:同学|考生|学生|易)们?(?:可能|会|常|都|也|易|容易|被|误)*+\Z")
EXAMPLE_BEFORE = re.compile(
    r"(?:例如|比如|譬如|格式|示例|形如|类似|如(?=[：:“\"])|按照?(?=[“\"「『]))[为是：:，,\s“\"「『【]*\Z"
)
EXAMPLE_AFTER = re.compile(r"[”\"」』】]*\s?的?(?:格式|形式|样式)")
DENIED_AFTER = re.compile(
    r"[^\S\n]*+[“”\"'‘’」』》)）】\] \t]*+(?:选?项)?(?:这个答案|的说法)?[也都均皆]?(?:显然|明显)?[是就则]?"
    r"(?:不(?![是选])|不是(?!\s?[A-H])|错|有误|误|排除|[吗么呢？?]|的话|is (?:wrong|incorrect|not)|isn't)"
    r"|[”\"」』》)）】\]]*\s*\n\s*(?:不对|不正确|错误?了?|有误)[。，,.！!；;\s]"  # a next line's own sentence
    r"|[^\S\n]*[（(【]?(?:×(?!\s?\d)|[（(【](?:错误?|不对|不正确|有误)[)）】。，,；;])"
    r"|[。，,.…—\s]{1,6}(?:哦|噢|等等|等一下|等下)?[，,。…\s]{0,3}"
    r"(?:不对[，,。！!…]|(?:说|写|选|答)错了|更正|修正|纠正|应改为|[Ww]ait\b|[Nn]o, |[Aa]ctually\b|[Cc]orrection\b)"
    r"|[^\S\n]*[（(](?:更正|修正|纠正|应改为)"
)
BEFORE, FAR_BEFORE = 14, 40  # characters in which a denial, and a supposition, is looked for

# Words in a sentence by which it concludes or corrects: its 选 replaces an answer that was marked as such before.
CONCLUDES = re.compile(
    r"(?:故|因此|所以|综上|最终|最后|总之|可见|我[认选还更]|[应更]改|改[选为]|更正|修正|纠正|重新|再[看想查思次检审]"
    r"|不对|错了|其实|实际上"
    r"|[Tt]herefore|[Tt]hus|[Hh]ence|[Ss]o |[Ww]ait|[Aa]ctually|[Ff]inal)[^。；;！!？?\n]*\Z"
)
OTHERS_ANSWER = re.compile(r"(?:[您你]|考生|学生)的(?:答题)?\Z")  # 参考答案：C；您的答案：A

# Labels that belong together: 答案：A、C. What joins the first two, or what follows the last, tells.
JOINING = (
    r"(?:[^\S\n]|[、/,，;；&＆+“”\"'（(【\[)）】\]和或与及者以])*+"
    r"(?:(?:and|or)\b[^\S\n]*+|也?可能[是为选]|也可以?[是为选])?(?:选项)?"
)
MORE_LABELS = re.compile(rf"(?:{JOINING}[A-H](?![A-Za-z0-9]))++")
CLOSE_JOIN = re.compile(r"(?:[^\S\n]|[”\"'）)】\]])*(?:[、/&＆+和或与及]|以及|[，,]?(?:也可|也?可能)|and\b|or\b)")
LIST_ENDS = re.compile(
    r"[\s“”\"'‘’」』》)）】\]]*+(?:选?项)?(?:\Z|[。．！!；;<]|\.(?!\s?[\u4e00-\u9fff]))"  # a sentence, or all
    r"|[”\"」』）)】\]]*\n"
)

# Labels before their marker: C是正确答案, C. 小青龙汤为最佳选项, option C is the correct answer.
BEING_RIGHT = r"[才就]?[是为](?:本题|该题|此题|唯一)?的?最?(?:正确|最佳|标准|合适|恰当|符合题意)的?\Z"
QUALIFIED = re.compile(
    rf"(?<![A-Za-z0-9、和与及或/])([A-H])(?:选?项)?[”\"」』)）】]?(?:[对错][，,]故?)?\s?{BEING_RIGHT}"
    rf"|(?:\A|[，,。；;：:（(\s])(?:选项)?([A-H])(?:选?项)?[.:：\s]*[^A-Za-z0-9，,。；;、与和及或不非没][^A-H，,。；;不非没\n]{{0,20}}{BEING_RIGHT}"
    r"|(?<![A-Za-z0-9])([A-H])\)?\s+is\s+(?:the\s+)?(?:(?:correct|right|best|most appropriate)\s+)?\Z"
)
QUALIFIABLE = frozenset({"answer", "option"})
QUALIFIER_ENDS = frozenset("确佳准适当意的 ")  # with which a match of the above ends: far faster to rule out
ASKED = re.compile(r"[”\"」』）)]?[吗？?]")
# A response's last words: 因此，C项正确。
CONCLUDED = re.compile(
    r"(?:因此|所以|故|综上所述|综上|可见|显然|我认为|我觉得)[，,]?(?:只有)?(?:选项)?\s?([A-H])\s?(?:选?项)?[是为]?最?"
    r"(?:正确|合适|恰当|符合题意)的?(?:答案|选项)?[。.！!]?\Z"
)
