"""The wordings that say Yes or No to whether a doctor's answer misleads, as data; and the marks around them."""

from __future__ import annotations

import re

from medzh_score.configs.cmhe_hd_words import NO, YES
from medzh_score.extraction.wording import Wording

SPOKEN_YES = ("是滴", "是哒", "是啊", "有滴", "有啊", "yep", "yeah", "yup")
SPOKEN_NO = ("没有的", "没有啊", "nope", "nah")
YES_WORDS = ("yes", *SPOKEN_YES, "是的", "是", "有的", "有", "存在", "包含", "含有")
NO_WORDS = ("no", *SPOKEN_NO, "不是的", "不是", "不存在", "不包含", "不含有", "不含", "没有", "没", "无", "否", "不")
VALUES = dict.fromkeys(YES_WORDS, YES) | dict.fromkeys(NO_WORDS, NO)
# After a marker also these; alone they may say anything.
MARKED_VALUES = VALUES | dict.fromkeys(("肯定的", "肯定"), YES) | dict.fromkeys(("否定的", "否定"), NO)
BOOLEANS = {"true": YES, "false": NO}


def _words(values: dict[str, str]) -> str:
    """Give an expression of words, grouped by what they begin with: so most are passed over by one character."""
    rests: dict[str, list[str]] = {}
    for word in sorted(values, key=len, reverse=True):
        rests.setdefault(word[0], []).append(word[1:])
    return "|".join(f"{first}(?:{'|'.join(rest)})" if rest != [""] else first for first, rest in rests.items())


_OPEN, _CLOSE = r"[\[(（【〔「『“\"'<]*", r"[\])）】〕」』”\"'>]*"
_WORD = rf"{_OPEN}(?P<word>{_words(VALUES)}){_CLOSE}"
_MARKED_WORD = rf"{_OPEN}(?P<word>{_words(MARKED_VALUES)}){_CLOSE}"
_STOP = (
    r"(?=\s*(?:$|[\n，。、,.;；:：!！(（—–…-]|</)|\s+(?:因为|理由|原因|解释|because\b|since\b))"
    r"(?!\s*-?\s*(?:or|and)\b)(?!\.?[^\S\n]*\d)"
)
_PLAIN = r"(?<=[Oos\]])(?=\s+(?:the|there|this)\b)"  # No the doctor's answer is fine
_FLAGS = re.IGNORECASE | re.MULTILINE

_UNTRUE = r"(?:不真实|不实|虚假|有?误导性?|错误|幻觉)"
QUESTION = (
    rf"(?:该|这位)?(?:医生的?)?(?:(?:回答|回复|答复)中?)?是否(?:包含|存在|含有?|有)(?:任何)?{_UNTRUE}"
    rf"(?:的?(?:、|和|或者?)?{_UNTRUE})*的?(?:信息|内容)?"
)
# Only at the beginning of a sentence, so that it is the model's own: not the doctor's, nor a test's.
_START = (
    r"(?:^|(?<=[。！？；.!?;…])\s*|(?<=[，,])\s*(?=因此|所以|故|我的(?:回答|答案|判断)|最终\s*[:：]|应?[答选判][“\"「『]"
    r"|so\b|therefore|thus|hence))(?:(?:综上所述|综上|总之"
    r"|因此|所以|故|so|therefore|thus|hence|overall|in\s+conclusion"
    r"|after\s+(?:careful(?:ly)?\s+)?(?:reading|reviewing)[\w\s]{0,30})[，,]?\s*)?(?:I\s+(?:think"
    r"|believe)\s+(?:that\s+)?)?"
)
_MARKER = (
    rf"(?:{_START}(?:"
    r"\"?(?:the\s+|my\s+)?(?:final\s+|corrected\s+|correct\s+|revised\s+|initial\s+|one-word\s+|short\s+|overall\s+)?"
    r"(?:answer|verdict|judge?ment|conclusion|decision|result)\"?(?:\s+is\s*:?|\s*(?:[-=]+>|[:：=→⇒])|\s+-\s)"
    r"|(?:我的|最终|最后的?|更正后的|修正后的|正确的?|初步)?(?:答案|判断结果|判断|判定结果|判定|结论"
    r"|选择)(?:应该?)?(?:[是为]\s*[:：]?|\s*(?:[-=]+>|[:：=→⇒]))"
    r"|我(?:的)?(?:回答|答复)是\s*[:：]?|我(?:会)?选择?\s*[:：]?|(?:故|因此|所以)选择?\s*[:：]?"
    r"|最终\s*[:：]|(?:最后)?(?:现在|直接)?回答(?:您|你|题目|本题|这个)的?(?:问题|提问)\s*[:：]"
    r"|(?:to|on|as\s+for)\s+the\s+question\s+(?:of\s+)?whether\s+[^.:\n]{0,60}(?:untrue|misleading)[^.:\n]{0,60}:"
    r"|我?(?:会|将)?(?:应该?)?(?:回答|选择|选|判断为|判定为|判断|判定|判|答)(?:为|是)?\s*[:：]?\s*(?=[“\"「『'])"
    r"|I(?:'d|\s+would)\s+(?:say|answer)[,:]?)"
    r"|^(?:【(?:答案|最终答案|判断|判断结果|判定|判定结果|最终判断|最终判定|结论|回答|结果)】|(?:回答|答|最终回答|A)\s*[:：])|\A结果\s*[:：]\s*(?=[是否](?!定))|(?<=[。；])\s*(?:回答|答)\s*[:：]"
    r"|^(?:(?:我的|最终|最后)?(?:判断结果|判断|判定|答案|结论|回答)|(?:final\s+)?(?:answer|verdict|conclusion|judge?ment)"
    r")[^\S\n]*\n\s*(?=(?:是|否|有|没有|存在|不存在|包含|不包含|yes|no)[^\S\n]*[。.!！]?\s*(?:\n|\Z))"
    r"|(?:^|(?<=[。！？.!?])\s*)(?:so|therefore|thus|hence|因此|所以|综上(?:所述)?|总之)\s*[:：]"
    r"|^\s*\"(?:答案|判断|判断结果|结论|回答|结果)\"\s*[:：]|<answer>|\\boxed)\s*"
)
_CORRECTION = (
    r"(?:^|(?<=[。！？；，.!?;,\n]))\s*(?:[很非常]{0,2}抱歉[，,]\s*)?(?:但是?|but\s+)?(?:(?:\bwait|\bactually|\bcorrection|\bno\s+wait"
    r"|\bscratch\s+that|\bmy\s+mistake"
    r"|\bon\s+(?:(?:second|further|closer)\s+)?(?:thoughts?|reflection|consideration|look)"
    r"|\blet\s+me\s+(?:correct|revise|reconsider)(?:\s+(?:that|myself|my\s+answer))?|\bI\s+(?:was\s+wrong"
    r"|made\s+a\s+mistake|take\s+that\s+back))"
    r"(?=\s*[,，.。:：;!—–-]|\s+the\s+answer)|\b(?:corrected|revised)\s+answer\b|更正(?:一下|为|后的答案)?"
    r"|修正(?:一下|为|后的答案)?|纠正一下|等等|等一下|不对(?=\s*[，,。！!—])"
    r"|(?:我)?(?:刚才|上面|前面|之前)?(?:的)?(?:说|答|判断|回答)?错了(?=\s*[，,。！!])"
    r"|(?:我)?(?:刚才|上面|前面|之前)的?(?:判断|回答|答案)(?:是|有)?(?:有误|错误|不对|不正确)的?(?=\s*[,，。！!])"
    r"|(?:再|重新)(?:想想|想了想|考虑|判断|审视|评估|思考|看|检查|回答|作答)(?:一下|之?后)?|仔细一?(?:想|看)|(?:(?:复核|复查|核对|检查|核实|考虑)(?:之?后)?|现在?)?(?:应该?)?(?:更?改为|更?改成|改判为?))"
)

# Body of statements. A part of a sentence must be one of them as a whole.
_BAD = r"(?:不真实|不属实|不实|虚假|有?误导性?|错误|不准确|不正确|捏造|编造)"
_BADS = (
    rf"{_BAD}(?:的?(?:、|和|或者?|与|以及|及|且)?{_BAD})*的?(?:医[疗学])?(?:信息|内容|成分|之处|说法|建议|表述|陈述"
    rf"|观点|部分)?"
)
_GOOD = r"(?:正确|准确|真实|属实|可靠|合理|恰当|准确无误|正确无误|真实可靠|科学合理|准确可靠)"
CONCLUDES = r"(?:综上(?:所述)?|总之|由此可见|可见|因此|所以|故|总的来说|therefore\s+|thus\s+|hence\s+|so\s+|overall\s+)"
_I = rf"{CONCLUDES}?(?:(?:我|本人)(?:认为|判断|觉得))?(?:(?:在)?(?:这|该|此|上述|以上)?段?对话(?:中|里)的?)?"
DOCTOR = r"(?:该|这位|这个|本)?(?:医生|医师|大夫)"
_REPLY = r"(?:回答|回复|答复)"
_ANSWER = rf"{_I}(?:{DOCTOR}的?(?:这[一个段]?)?|该|此|上述|这[个一段])?(?:{_REPLY}(?:的?内容)?)?中?"
_ADVICE = (
    rf"{_I}{DOCTOR}的(?:这[一个种段]?)?(?:处理|治疗|用药|急救|处置|护理|诊疗)?"
    r"(?:回答|回复|答复|建议|说法|观点|解释)(?:内容)?"
)
_MUCH = r"(?:一些|一定的?|明显的?|严重的?|部分|多处|大量|若干|较多|很多|许多)?"
_WRONG = r"(?:untrue|misleading|false|inaccurate|incorrect|erroneous|wrong)"
_WRONGS = rf"{_WRONG}(?:(?:\s+or|\s+and|\s+nor|/)\s*{_WRONG})*"
_RIGHT = r"(?:accurate|correct|truthful|true|reliable|appropriate|sound)"
_RIGHTS = rf"{_RIGHT}(?:\s+and\s+{_RIGHT})?"
_THE = (
    rf"(?:and\s+)?{CONCLUDES}?(?:(?:in\s+my\s+opinion|i\s+(?:think|believe))\s+(?:that\s+)?)?"
    r"(?:the|this)\s+(?:doctor's\s+)?(?:answers?|responses?|reply|replies|advice|statements?|explanation)"
)
_SURELY = (
    r"(?:(?:medically|factually|clinically|scientifically|completely|entirely|fully|clearly|seriously|dangerously|highly"
    r"|therefore|thus)\s+)?"
)
_INFORMATION = (
    rf"(?:any\s+|some\s+|several\s+)?{_WRONGS}\s+(?:information|claims?|content|statements?|advice)"
    r"(?:\s+(?:about|on|regarding)\s+[\w\s-]+)?"
)
_WHERE = rf"(?:\s+in\s+(?:{_THE}|(?:the|this)\s+(?:dialog(?:ue)?|conversation)))?"
_HAS = r"(?:contains?|includes?|provides?|has|have|gives?)"
_HAS_NOT = r"(?:(?:does|do)(?:\s+not|n't)\s+(?:contain|include|provide|have|give)|contains?\s+no)"
_IS_NOT = r"(?:is|are)(?:\s+not|n't)"
_DIALOGUE = r"(?:(?:the|this)\s+(?:dialog(?:ue)?|conversation)|it)"
_BEGINS = r"(?:^|(?<=[，。；！？\n,;!?：:.（(【】—–]))\s*[“\"'「]?"
_ENDS = (
    r"(?=[啊呀哦啦]?[”\"'」]?\s*(?:$|[，。；！？\n,;!?：:（()）】—–]|\.(?:\s|$)|because\b|since\b|因为|但|不过|然而|but\b"
    r"|however\b))"
)


def _statement(name: str, body: str, value: str, matches: str, misses: str) -> Wording:
    return Wording(name, re.compile(_BEGINS + rf"(?:{body})" + _ENDS, _FLAGS), matches, misses, value)


def _said(name: str, expression: str, matches: str, misses: str) -> Wording:
    return Wording(name, re.compile(expression, _FLAGS), matches, misses)


CHECKED = _said(
    "checked",
    rf"(?:^|(?<=[\s，,、；;]))\[\s?[xX√✓]\s?\]\s*{_WORD}(?=\s*(?:$|[（(，,。.；;\[]))",
    "[x] 是\n[ ] 否",
    "[ ] 是\n[x] 无法判断",
)
BEGINNING = _said(
    "beginning",
    rf"\A\s*(?:(?:助手|AI|Assistant)\s*[:：]\s*)?(?:(?:so|sure|certainly|ok|okay|well|好的|[您你]好)\s*[,，.!！。]\s*)?{_WORD}"
    rf"(?:{_STOP}|{_PLAIN})",
    "否。医生的回答没有误导信息。",
    "没有必要服用抗生素。",
)
REPEATED = _said("repeated", r"\A\s*(?P<word>是|否|yes\b|no\b)(?:[，,。.\s]*(?P=word))+[。.！!]?\s*\Z", "否否", "是非")
LAST = _said(
    "last",
    rf"(?:\n\s*{_WORD}|(?<=[。！.!])\s*{_OPEN}(?P<only>是|否|yes|no){_CLOSE})[。.！!]*\s*\Z",
    "抗组胺药不能代替肾上腺素。\n是",
    "抗组胺药能不能代替肾上腺素？是",
)
MARKED = _said("marked", rf"{_MARKER}{_MARKED_WORD}{_STOP}", "剂量太大。答案：是", "患者的答案：是")
LABELLED = _said(
    "labelled",
    rf"^\s*\"?{QUESTION}\"?\s*[：:]\s*{_WORD}{_STOP}"
    r"|^\s*\"?(?:(?:is|has|contains?)[\s_]*)?(?:(?:untrue|false)[\s_]*(?:or[\s_]*)?)?(?:misleading"
    r"|untrue|misinformation)(?:[\s_]*information)?\"?\s*[：:?？]"
    rf"\s*(?:{_WORD.replace('word', 'said')}{_STOP}|(?P<boolean>true|false)\b)"
    r"|^\s*\"?(?:是否)?(?:存在|包含|有)?(?:误导(?:性)?|不实|虚假)(?:信息)?\"?\s*[：:]"
    rf"\s*(?:{_WORD.replace('word', 'held')}{_STOP}|(?P<truth>true|false)\b)",
    "是否包含误导信息：否",
    "真实且无误导：是",
)
CORRECTED = _said(
    "corrected",
    rf"{_CORRECTION}[\s，,：:。.!！—–-]*(?:(?:the|my)\s+)?(?:(?:final\s+|correct\s+)?answer\s+(?:is"
    rf"|should\s+be)\s*[:：]?|(?:it\s+should\s+be|should\s+be)"
    r"|(?:(?:正确|最终)?(?:答案|判断|结论))?(?:应该?)?(?:[是为]|回答|选)?)\s*[:：]?\s*"
    rf"{_OPEN}(?P<word>yes|no|是|否|有|没有|包含|不包含|存在|不存在){_CLOSE}{_STOP}",
    "是。不对，应该是否。",
    "是。这样不对，医生说得不准确。",
)
WORDS = (BEGINNING, CHECKED, REPEATED, LAST, MARKED, LABELLED)
STATEMENTS = (
    _statement(
        "holds",
        rf"{_ANSWER}(?:确实|的确|明显|是|肯定|当然|绝对|显然)?(?:存在|包含|含有?|有|带有|具有)(?:了|着)?{_MUCH}{_BADS}"
        rf"|{_ANSWER}(?<=[答复中])(?:存在|有)(?:一些|明显的?|严重的?)?问题|{DOCTOR}(?:给出|提供)了?{_MUCH}{_BADS}",
        YES,
        "综上，医生的回答包含误导信息。",
        "我不同意该回答存在误导信息。",
    ),
    _statement(
        "is wrong",
        rf"(?:{_ADVICE}|{_I}{DOCTOR}(?:关于|对于?|有关)[^，。不没未]{{1,14}}的(?:建议|说法|观点|解释|表述))(?:是|属于)?(?:完全|明显)?(?:错误|虚假|不正确|不准确|不真实|不实|有误|误导性)的?"
        rf"|{_ADVICE}并?不{_GOOD}"
        rf"|{_ADVICE}(?:误导了?|会误导)患者|{_ADVICE}(?:并非|并不是)没有(?:任何)?{_BADS}",
        YES,
        "医生的建议是错误的。",
        "医生说不应使用布洛芬是错误的。",
    ),
    _statement(
        "holds none",
        rf"{_ANSWER}(?:肯定|当然|绝对|显然)?(?:并?(?:没有|未)(?:包含|存在|含有?|发现|出现)?|并?不(?:包含|存在|含有?)|并?无)(?:任何"
        rf"|明显的?)*{_BADS}"
        rf"|{_ANSWER}(?<=[答复中])(?:并?没有|并?不存在|并?无)(?:任何|明显的?)?问题|{DOCTOR}(?:并?没有|并?未)(?:给出"
        rf"|提供)(?:任何)?{_BADS}"
        rf"|{_BADS}(?:并?不存在|未发现)"
        rf"|{CONCLUDES}?(?:我|本人)(?:并?没有?|并?未)(?:能|能够)?(?:发现|看到|看出|找到|察觉到?|检测到)(?:其中)?(?:有|存在|包含)?"
        rf"(?:任何|什么|明显的?)?{_BADS}",
        NO,
        "医生的回答没有不真实或误导性的信息。",
        "医生的回答并非没有误导。",
    ),
    _statement(
        "is right",
        rf"{_ADVICE}(?:是(?:完全)?{_GOOD}的|(?:完全)?{_GOOD}"
        r"|符合[^，。不但]{0,14}(?:规范|指南|原则|常识|共识|要求|标准|知识|科学|事实|处理流程|建议))",
        NO,
        "医生的回答是正确的。",
        "医生的回答基本正确。",
    ),
    _statement(
        "contains",
        rf"(?:{_THE}|{_DIALOGUE})\s+(?:{_HAS}\s+{_INFORMATION})|there\s+(?:is|are)\s+{_INFORMATION}{_WHERE}"
        rf"|the\s+doctor\s+(?:gave|gives|provided|provides)\s+{_INFORMATION}",
        YES,
        "The doctor's answer contains misleading information.",
        "The doctor's answer may contain misleading information.",
    ),
    _statement(
        "is misleading",
        rf"{_THE}\s+(?:(?:is|are)\s+{_SURELY}{_WRONGS}|{_IS_NOT}\s+{_RIGHTS})|it\s+is\s+misleading",
        YES,
        "The response is misleading because the dose is too high.",
        "I disagree that the answer is misleading.",
    ),
    _statement(
        "contains none",
        rf"(?:{_THE}|{_DIALOGUE})\s+{_HAS_NOT}\s+{_INFORMATION}|there\s+(?:is|are)\s+no\s+{_INFORMATION}{_WHERE}"
        rf"|no\s+{_INFORMATION}(?:\s+(?:(?:was|were|is|are)\s+)?(?:found|detected|identified|present))?{_WHERE}"
        rf"|I\s+(?:(?:do|did)(?:\s+not|n't)\s+(?:see|find|detect|identify)|(?:see|find"
        rf"|found)\s+no)\s+{_INFORMATION}{_WHERE}"
        rf"|I\s+(?:(?:can|could)\s+)?(?:see|saw|find|found|detect|detected|notice|noticed|spot|spotted)\s+nothing\s+{_WRONGS}(?:{_WHERE}"
        r"|\s+(?:here|in\s+it|in\s+what\s+the\s+doctor\s+(?:says?|said|wrote|answered|advised)))"
        r"|nothing\s+(?:untrue\s+or\s+)?misleading(?:\s+here)?|(?:it\s+is\s+)?not\s+(?:untrue\s+or\s+)?misleading",
        NO,
        "There is no misleading information in the doctor's answer.",
        "The response is free of misleading information.",
    ),
    _statement(
        "is accurate",
        rf"{_THE}\s+(?:(?:is|are)\s+{_SURELY}{_RIGHTS}|{_IS_NOT}\s+{_WRONGS}|(?:is|are)\s+neither\s+{_WRONGS}"
        rf"|(?:is|are)\s+{_SURELY}{_RIGHTS}\s+and\s+(?:{_HAS_NOT}\s+{_INFORMATION}|not\s+{_WRONGS}))",
        NO,
        "The response is accurate and appropriate.",
        "The answer is mostly accurate.",
    ),
)
WORDINGS = (*WORDS, CORRECTED, *STATEMENTS)

# The form and the question that the prompts ask for, repeated; a label of it before the verdict goes, too.
ECHO = re.compile(
    r"\[?\b(?:Answer\s*[:：]\s*)?\[?\bYes ?(?:/|or)\s*No\b\]?\s*[:：]?"
    r"|(?:请[^。\n]{0,8})?[“\"]?是[”\"]?\s*(?:/|或者?|还是)\s*[“\"]?否[”\"]?(?:作答|回答)?\s*[:：]?"
    r"|\bDoes the\s+(?:doctor's\s+)?answer\s+contain\s+(?:any\s+)?(?:untrue\s+or\s+)?misleading"
    r"\s+information\s*\?\s*[:：]?"
    rf"|[“\"「『](?:题目|问题)?{QUESTION}[”\"」』](?!\s*[:：])"
    rf"|^(?:问题\s*[:：]\s*)?(?:请?判断)?{QUESTION}\s*[?？]"
    r"|请?在[“\"「]?是[”\"」]?(?:和|与|、|或)[“\"「]?否[”\"」]?(?:之间|之中|中|里)(?:做|作|进行)?(?:选择|选|二选一|挑)?(?:一个)?(?:的话)?[，,]?",
    _FLAGS,
)
# The task, repeated: 包含答“是”，不包含答“否”.
TASK = re.compile(
    r"(?:^|(?<=[。！？；：:]))[^，。；\n：:]{0,24}[答选][“\"「]是[”\"」][，,；;]\s*[^，。；\n]{0,24}[答选][“\"「]否[”\"」][。；]?",
    re.MULTILINE,
)
# What a model begins with that does as it is told, and what it strikes out of its answer.
OPENER = re.compile(
    r"\A\s*(?:(?:yes|yeah|no\s+problem|of\s+course)\s*[,!.]\s*(?:I(?:'ll|'d|\s+can|\s+will|\s+would|'m|\s+am)"
    r"\s+(?:be\s+|certainly\s+|gladly\s+)?(?:help|assist|happy|glad|check|look|evaluate|review)|let\s+me\s+(?:check|look|see|help|read"
    r"|review|evaluate|take)|happy\s+to|glad\s+to)\b[^.!?:\n]*[.!:]"
    r"|(?:是的|没问题|可以|当然)[，,！!。]\s*我(?:来|可以|会|很乐意|这就|先)[^。！？：:\n不误错没无]{0,24}[。！：:])[^\S\n]*",
    re.IGNORECASE,
)
STRUCK = re.compile(
    rf"{_OPEN}(?:{_words(VALUES)}){_CLOSE}\s*[（(]\s*(?:已?划掉|划去|已?删除|删去|删掉|作废|struck(?:\s+out)?|crossed\s+out"
    r"|deleted)\s*[)）]\s*(?:[-=]+>|[→⇒，,；;])?",
    re.IGNORECASE,
)
# The words of the doctor, repeated.
QUOTED = re.compile(
    rf"{DOCTOR}[却竟所]?(?:说|认为|觉得)\s*[:：，,]?\s*(?=[“「『\"])[“「『\"][^”」』\"\n]{{1,80}}[”」』\"](?=[^\s，。；！？,.;!?])"
)
ANNOUNCED = re.compile(r"(?:答案|判断|结论|Answer)\s*[:：]", _FLAGS)
# The dialogue, repeated before an answer.
DIALOGUE = re.compile(r"^[^\S\n]*(?:患者|病人|医生|Patient|Doctor)\s*[:：][^\n]*\n", _FLAGS)
# What may stand before a statement: it leads to it, and says nothing.
PREFACE = re.compile(
    r"(?:虽然?|尽管)?我(?:并)?不是(?:专业的?)?(?:医生|医师|专业人士)|根据(?:医学|一般|现有)?(?:常识|知识|指南|证据)"
    r"|(?:although\s+|while\s+)?I(?:\s+am|'m)\s+not\s+a\s+(?:doctor|physician|medical\s+professional)"
    r"|综上(?:所述)?|因此|所以|故|总之|由此可见|结论|(?:我的)?(?:判断|判断结果|最终判断|答案|回答|答|分析|理由"
    r"|解释)(?:是|为)?"
    r"|(?:最后)?(?:现在|直接)?回答(?:您|你|题目|本题|这个)的?(?:问题|提问)"
    r"|经过?(?:仔细)?(?:判断|分析|阅读|评估|核对|审查)|(?:在)?(?:这|该|此|上述|以上)?段?对话(?:中|里)"
    r"|根据(?:以上|上述|您提供的|提供的|这段|该)?(?:对话|内容|信息|描述|分析|判断)+(?:内容)?"
    r"|(?:so|therefore|thus|hence|overall|in\s+conclusion|in\s+summary|sure)"
    r"|(?:based\s+on|according\s+to|after\s+(?:careful(?:ly)?\s+)?(?:reading|reviewing))\s+the\s+(?:above\s+"
    r"|given\s+)?dialog(?:ue)?"
    r"|(?:the\s+|my\s+)?(?:final\s+)?answer(?:\s+is)?|(?:reason|explanation|analysis|conclusion|verdict|judge?ment)",
    re.IGNORECASE,
)
# A correction of oneself, after which only what follows counts.
TAKES_BACK = re.compile(
    r"(?:^|(?<=[。！？.!?;\n…]))\s*(?:抱歉[，,]\s*)?(?:(?:but\s+|no,?\s+)?wait(?=\s*[,，.。:：;!…—–-])"
    r"|actually(?=\s*[,，])|correction(?=\s*[:：])|scratch\s+that|my\s+mistake|on\s+(?:second|further)\s+thoughts?"
    r"|let\s+me\s+(?:correct|revise|reconsider)|I\s+(?:was\s+wrong|made\s+a\s+mistake|take\s+that\s+back)"
    r"|(?:(?:I'm\s+|I\s+am\s+)?sorry[,.:;]?\s+)?I\s+(?:mixed\s+up|misread|misunderstood|misjudged|reversed|got\s+(?:it|that|this|them)\s+(?:wrong|backwards|mixed\s+up))\b"
    r"|(?:corrected|revised)\s+answer"
    r"|更正|修正(?=[后：:，])|纠正一下|等等(?=[，,。！…])|等一下|(?:[哦噢啊]，?)不(?:对)?(?=[，,。！])|不对(?=[，,。！])|我(?:刚才|上面|前面)?(?:说|答"
    r"|判断)?错了|(?:我)?再(?:想想|想一想|想了想|考虑一下)"
    r"|重新(?:考虑|判断|审视|思考|评估|回答|作答)(?:一下|之?后)?(?=[，,：:。])|仔细(?:想|看)(?:想|了想|一?看)?(?=[，,：:]))",
    _FLAGS,
)
SAYING = re.compile(
    r"(?:(?:因此|所以|故|so|therefore|thus|hence)\s*)?"
    rf"(?:(?:the\s+|my\s+)?answer(?:\s+is)?|(?:我的)?(?:答案|判断|结论)(?:应?[是为])?)?\s*{_WORD}",
    re.IGNORECASE,
)
CONCLUDING = re.compile(
    rf"{CONCLUDES}|(?:and\s+)?the\s+(?:doctor's\s+)?(?:answer|response|reply)\s+is\s+(?:therefore|thus)\b",
    re.IGNORECASE,
)
ANY_YES = re.compile(r"\byes\b", re.IGNORECASE)
UNCHECKED = re.compile(r"\[\s?\]\s*[^\n\[]*")
# Said in a dialogue, too.
IN_A_DIALOGUE = re.compile(r"\s*(?:没有?|有的?|不是的?|是的|不|无)[，。！\s]*")
# Another dialogue, with which base models go on.
NEXT_DIALOGUE = re.compile(
    r"\n[^\S\n]*(?=(?:患者|病人|Patient)\s*[:：]|You are an? \w|Read the following dialog"
    r"|请?阅读(?:以下|下列|下面)|假设你是)"
)
OF_A_DIALOGUE = re.compile(
    r"\s*(?:(?:患者|病人|医生|Patient|Doctor|Answer|答案|判断|回答)\s*[:：]|You are an? \w|Read the following dialog"
    r"|请|假设你是|(?:问题[:：])?(?:医生的回答)?是否|Does the |(?:是|否|Yes|No)[。.]?\s*$|$)",
    re.IGNORECASE,
)
