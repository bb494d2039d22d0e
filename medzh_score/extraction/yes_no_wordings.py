"""The wordings that say Yes or No to whether a doctor's answer misleads, as data; and the marks around them."""

from __future__ import annotations

import re

from medzh_score.configs.cmhe_hd_words import NO, YES
from medzh_score.extraction.wording import Wording

YES_WORDS = ("yes", "是的", "是", "有的", "有", "存在", "包含", "含有")
NO_WORDS = ("no", "不是的", "不是", "不存在", "不包含", "不含有", "不含", "没有", "没", "无", "否", "不")
VALUES = dict.fromkeys(YES_WORDS, YES) | dict.fromkeys(NO_WORDS, NO)
# After a marker also these; alone they may say anything.
MARKED_VALUES = VALUES | dict.fromkeys(("肯定的", "肯定"), YES) | dict.fromkeys(("否定的", "否定"), NO)
BOOLEANS = {"true": YES, "false": NO}


def _words(values: dict[str, str]) -> str:
    return "|".join(sorted(values, key=len, reverse=True))


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
    r"(?:^|(?<=[。！？；.!?;])\s*|(?<=[，,])\s*(?=因此|所以|故|我的(?:回答|答案|判断)|so\b|therefore|thus|hence))(?:(?:综上所述|综上|总之"
    r"|因此|所以|故|so|therefore|thus|hence|overall|in\s+conclusion"
    r"|after\s+(?:careful(?:ly)?\s+)?(?:reading|reviewing)[\w\s]{0,30})[，,]?\s*)?(?:I\s+(?:think"
    r"|believe)\s+(?:that\s+)?)?"
)
_MARKER = (
    rf"(?:{_START}(?:"
    r"\"?(?:the\s+|my\s+)?(?:final\s+|corrected\s+|correct\s+|revised\s+|initial\s+)?"
    r"(?:answer|verdict|judge?ment|conclusion|decision|result)\"?(?:\s+is\s*:?|\s*[:：=]|\s+-\s)"
    r"|(?:我的|最终|最后的?|更正后的|修正后的|正确的?|初步)?(?:答案|判断结果|判断|判定结果|判定|结论"
    r"|选择)(?:应该?)?(?:[是为]\s*[:：]?|\s*[:：])"
    r"|我(?:的)?(?:回答|答复)是\s*[:：]?|我(?:会)?选择?\s*[:：]?|(?:故|因此|所以)选择?\s*[:：]?"
    r"|(?:应该?)?(?:回答|选择|选|判断为|判定为)(?:为|是)?\s*[:：]?\s*(?=[“\"「『'])"
    r"|I(?:'d|\s+would)\s+(?:say|answer)[,:]?)"
    r"|^(?:【(?:答案|最终答案|判断|判断结果|结论|回答|结果)】|(?:回答|答|最终回答|A)\s*[:：])|\A结果\s*[:：]|(?<=[。；])\s*(?:回答|答)\s*[:：]"
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
    r"|(?:再|重新)(?:想想|想了想|考虑|判断|审视|评估|思考|看|检查|回答|作答)(?:一下|之?后)?|仔细一?(?:想|看)|应该?改为|改为)"
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
_DOCTOR = r"(?:该|这位|这个|本)?(?:医生|医师|大夫)"
_REPLY = r"(?:回答|回复|答复)"
_ANSWER = rf"{_I}(?:{_DOCTOR}的?(?:这[一个段]?)?|该|此|上述|这[个一段])?(?:{_REPLY}(?:的?内容)?)?中?"
_ADVICE = rf"{_I}{_DOCTOR}的(?:这[一个种段]?)?(?:处理|治疗|用药|急救|处置|护理|诊疗)?(?:回答|回复|答复|建议|说法|观点|解释)(?:内容)?"
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
    r"(?=[”\"'」]?\s*(?:$|[，。；！？\n,;!?：:（()）】—–]|\.(?:\s|$)|because\b|since\b|因为|但|不过|然而|but\b"
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
    rf"\A\s*(?:(?:助手|AI|Assistant)\s*[:：]\s*)?(?:(?:so|sure|certainly|ok|okay|well|好的)\s*[,，.!！。]\s*)?{_WORD}"
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
        rf"{_ANSWER}(?:确实|的确|明显|是)?(?:存在|包含|含有?|有|带有|具有)(?:了|着)?{_MUCH}{_BADS}"
        rf"|{_ANSWER}(?<=[答复中])(?:存在|有)(?:一些|明显的?|严重的?)?问题|{_DOCTOR}(?:给出|提供)了?{_MUCH}{_BADS}",
        YES,
        "综上，医生的回答包含误导信息。",
        "我不同意该回答存在误导信息。",
    ),
    _statement(
        "is wrong",
        rf"(?:{_ADVICE}|{_I}{_DOCTOR}(?:关于|对于?|有关)[^，。不没未]{{1,14}}的(?:建议|说法|观点|解释|表述))(?:是|属于)?(?:完全|明显)?(?:错误|虚假|不正确|不准确|不真实|不实|有误|误导性)的?"
        rf"|{_ADVICE}并?不{_GOOD}"
        rf"|{_ADVICE}(?:误导了?|会误导)患者|{_ADVICE}(?:并非|并不是)没有(?:任何)?{_BADS}",
        YES,
        "医生的建议是错误的。",
        "医生说不应使用布洛芬是错误的。",
    ),
    _statement(
        "holds none",
        rf"{_ANSWER}(?:并?(?:没有|未)(?:包含|存在|含有?|发现|出现)?|并?不(?:包含|存在|含有?)|并?无)(?:任何"
        rf"|明显的?)*{_BADS}"
        rf"|{_ANSWER}(?<=[答复中])(?:并?没有|并?不存在|并?无)(?:任何|明显的?)?问题|{_DOCTOR}(?:并?没有|并?未)(?:给出"
        rf"|提供)(?:任何)?{_BADS}"
        rf"|{_BADS}(?:并?不存在|未发现)",
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
    r"|\bDoes the\s+(?:doctor's\s+)?answer\s+contain\s+(?:any\s+)?(?:untrue\s+or\s+)?misleading\s+information\s*\?\s*[:：]?"
    rf"|[“\"「『](?:题目|问题)?{QUESTION}[”\"」』](?!\s*[:：])"
    rf"|^(?:问题\s*[:：]\s*)?(?:请?判断)?{QUESTION}\s*[?？]",
    _FLAGS,
)
# The dialogue, repeated before an answer.
DIALOGUE = re.compile(
    r"^[^\S\n]*(?:患者|病人|医生|Patient|Doctor)\s*[:：][^\n]*\n(?=[\s\S]*\n?(?:答案|判断|结论|Answer)\s*[:：])", _FLAGS
)
# What may stand before a statement: it leads to it, and says nothing.
PREFACE = re.compile(
    r"(?:虽然?|尽管)?我(?:并)?不是(?:专业的?)?(?:医生|医师|专业人士)|根据(?:医学|一般|现有)?(?:常识|知识|指南|证据)"
    r"|(?:although\s+|while\s+)?I(?:\s+am|'m)\s+not\s+a\s+(?:doctor|physician|medical\s+professional)"
    r"|综上(?:所述)?|因此|所以|故|总之|由此可见|结论|(?:我的)?(?:判断|判断结果|最终判断|答案|回答|答|分析|理由"
    r"|解释)(?:是|为)?"
    r"|经过?(?:仔细)?(?:判断|分析|阅读|评估|核对|审查)|(?:在)?(?:这|该|此|上述|以上)?段?对话(?:中|里)"
    r"|根据(?:以上|上述|您提供的|提供的|这段|该)?(?:对话|内容|信息|描述|分析|判断)+(?:内容)?"
    r"|(?:so|therefore|thus|hence|overall|in\s+conclusion|in\s+summary|sure)"
    r"|(?:based\s+on|according\s+to|after\s+(?:careful(?:ly)?\s+)?(?:reading|reviewing))\s+the\s+(?:above\s+"
    r"|given\s+)?dialog(?:ue)?"
    r"|(?:the\s+|my\s+)?(?:final\s+)?answer(?:\s+is)?|(?:reason|explanation|analysis)",
    re.IGNORECASE,
)
# A correction of oneself, after which only what follows counts.
TAKES_BACK = re.compile(
    r"(?:^|(?<=[。！？.!?;\n…]))\s*(?:抱歉[，,]\s*)?(?:(?:but\s+|no,?\s+)?wait(?=\s*[,，.。:：;!…—–-])"
    r"|actually(?=\s*[,，])|correction(?=\s*[:：])|scratch\s+that|my\s+mistake|on\s+(?:second|further)\s+thoughts?"
    r"|let\s+me\s+(?:correct|revise|reconsider)|I\s+(?:was\s+wrong|made\s+a\s+mistake|take\s+that\s+back)"
    r"|(?:corrected|revised)\s+answer"
    r"|更正|修正(?=[后：:，])|纠正一下|等等(?=[，,。！…])|等一下|(?:[哦噢啊]，?)不(?:对)?(?=[，,。！])|不对(?=[，,。！])|我(?:刚才|上面|前面)?(?:说|答"
    r"|判断)?错了|(?:我)?再(?:想想|想一想|想了想|考虑一下)"
    r"|重新(?:考虑|判断|审视|思考|评估|回答|作答)(?:一下|之?后)?(?=[，,：:。])|仔细(?:想|看)(?:想|了想|一?看)?(?=[，,：:]))",
    _FLAGS,
)
# Fears of what an advice does, which leave no doubt of what it is.
HARMS = re.compile(
    r"(?:可能|也许)(?:会|将)?(?=误导(?!性)|延误|危害|造成|导致|引起|加重|害|危及|使|增加|掩盖|出现|诱发|损害|伤害"
    r"|对患者|让)"
    r"|\b(?:could|might)\s+(?=have\s+(?:asked|mentioned|added|noted|included|been\s+more|advised|warned|given\s+more))"
    r"|\b(?:may|might|could|can|would)\s+(?=harm|delay|mislead\b|lead|cause|worsen|endanger|kill|hurt|result"
    r"|be\s+(?:dangerous|fatal|harmful)"
    r"|put|increase|aggravate|damage|mask)",
    re.IGNORECASE,
)
# In the model's own voice, wherever it stands.
UNSURE = re.compile(
    r"不(?:太|是很|大|能完全|能)?确定|不好说|说不准|(?:无法|难以|很难|不能|没有办法|没法)(?:准确|直接|完全|作出|做出"
    r"|给出)*(?:判断|确定|确认|评估|回答|判定|得出|下结论|提供|断定|认定)|抱歉"
    r"|\b(?:unsure|uncertain|unclear|not\s+(?:sure|certain)|sorry|depends|hard\s+to\s+say|difficult\s+to\s+(?:say"
    r"|tell|judge|determine)"
    r"|(?:cannot|can't|can\s+not|unable\s+to)\s+(?:\w+ly\s+)?(?:determine|judge|say|tell|verify|confirm|assess"
    r"|provide|answer|help|give|decide|evaluate))\b",
    re.IGNORECASE,
)
# A good thing that is no praise of the answer.
RIGHT_THING = re.compile(
    r"正确的?(?:做法|方法|剂量|处理|治疗|用法|诊断|方式|建议|说法|应|是)|\b(?:correct|right|appropriate|proper"
    r"|safe)\s+(?:dose|dosage|treatment|approach|advice|way|management|drug|answer|first[\s-]+aid|steps?|methods?|practice"
    r"|choice|procedure|course|information|medicine|medication|thing|position|technique)\b",
    re.IGNORECASE,
)
_NEGATES = r"不没未无非否难欠缺勿莫"
NONE_OF_IT = re.compile(
    rf"[^{_NEGATES}]*(?:并?没有|未(?:发现|见)|不存在|并?无)(?:任何|明显的?|发现|什么|严重的?)*"
    rf"(?:错误|误导性?|不实|虚假|问题|不当|风险|不真实)(?:的?(?:、|和|或者?)(?:错误|误导性?|不实|虚假"
    rf"|不真实))*的?(?:信息|内容|之处|地方)?[^{_NEGATES}错误]*"
)
SAYING = re.compile(
    r"(?:(?:因此|所以|故|so|therefore|thus|hence)\s*)?"
    rf"(?:(?:the\s+|my\s+)?answer(?:\s+is)?|(?:我的)?(?:答案|判断|结论)(?:应?[是为])?)?\s*{_WORD}",
    re.IGNORECASE,
)
HARMED = re.compile(
    r"(?:误导|危害|伤害|延误|耽误|损害|危及)了?(?:患者|病人)|\b(?:harm|mislead|kill|endanger|hurt"
    r"|damag)\w*\s+(?:the\s+|a\s+)?patients?\b",
    re.IGNORECASE,
)
CONCLUDING = re.compile(
    rf"{CONCLUDES}|(?:and\s+)?the\s+(?:doctor's\s+)?(?:answer|response|reply)\s+is\s+(?:therefore|thus)\b",
    re.IGNORECASE,
)
ANY_YES = re.compile(r"\byes\b", re.IGNORECASE)
# What a patient, or anybody, got wrong and the doctor put right.
PUT_RIGHT = re.compile(
    rf"{_DOCTOR}(?:已|已经|及时|正确地?|准确地?)?(?:纠正|澄清|反驳|指正)了?(?:患者|病人|网上)?[^，。；！？\n,;!?]*"
)
DOCTOR_SAYS = re.compile(
    rf"{_DOCTOR}(?:建议|说|认为|称|推荐|声称|提到|表示|让|告诉|指出|主张|要求)"
    r"|\bthe\s+doctor\s+(?:recommend|sa(?:ys|id)|claim|suggest|advis|state|told|tell|think|mention)",
    re.IGNORECASE,
)
THAT_IS_WRONG = re.compile(
    r"(?:但|而|其实|实际上)?(?:这|此|该|这[一种个])(?:种|个|一)?(?:说法|建议|做法|观点|信息|内容|回答|表述)?(?:显然"
    r"|明显|完全)?"
    r"(?:(?:是|属于|有|存在)?(?:明显|完全|严重|非常)?的?(?:错误|误导性?|不正确|不准确|不真实|不实|虚假|有误|危险)"
    r"|并?不(?:正确|准确|真实))"
    r"(?:的|信息|说法|建议)*$"
    r"|(?:which|this|that)\s+is\s+(?:\w+ly\s+)?(?:wrong|incorrect|false|untrue|dangerous|misleading|inaccurate|harmful"
    r"|not\s+(?:true|correct|accurate))",
    re.IGNORECASE,
)
OTHERS = re.compile(
    r"(?:患者|病人|网友|有人|家属|有些人|很多人)[^，。]{0,3}(?:认为|说|觉得)|不同意|不赞同|不认同|怀疑"
    r"|\b(?:patients?|people|some|others?)\s+(?:says?|thinks?|believes?|claims?)|\bdoubt|\bdisagree",
    re.IGNORECASE,
)
OF_THE_ANSWER = re.compile(
    rf"{_DOCTOR}的?|回答|答复|回复|^(?:这|该|此)|\b(?:doctor|answer|response|reply|advice)|^(?:this|that|which)\b",
    re.IGNORECASE,
)
# Praise that is also said of medicine: it counts where the part is about the answer, or says nothing else.
PRAISE = re.compile(
    r"正确|准确|真实|属实|无误|可靠|可信|没错|符合|靠谱|有道理|同意|赞同|严谨"
    r"|\b(?:accura\w+|correct\w*|true|truth\w*|reliable|factual\w*|agree\w*|valid|consistent|agrees|evidence-based"
    r"|in\s+line|rightly|right)\b",
    re.IGNORECASE,
)
# Nothing false: the negation governs the word. 医生没有建议停药是错误的 is another thing.
_STRONG_EN = (
    r"(?:untrue|mislead\w*|false|inaccura\w+|incorrect\w*|misinformation|erroneous|errors?|mistakes?|wrong|fabricat\w+"
    r"|dangerous|harmful|unsafe|problem\w*|issues?)"
)
_STRONG = r"(?:误导性?|不真实|不属实|不实|虚假|错误|不准确|不正确|有误|不妥|不当|编造|捏造|谬误|问题|错|漏洞|危险|害)(?:性|的)?"
NOT_FALSE = re.compile(
    rf"(?:没有?|未|无|不存在|不包含|不含有?|不是|并非|不会|不算|谈不上|算不上|不构成)(?![^，。]{{0,14}}[是属]{_STRONG})"
    rf"(?![^，。]{{0,10}}(?:没|未|无|并非|不是))[^，。、是却]{{0,14}}?{_STRONG}"
    rf"(?:(?:的?(?:、|和|或者?|与|以及|及)|的)?(?:信息|内容|医[疗学]|患者)?{_STRONG})*(?:的?(?:信息|内容|之处|地方|成分))?"
    rf"|\bnothing\b[^,.;]{{0,50}}?\b{_STRONG_EN}(?:\s+(?:or|and|nor)\s+{_STRONG_EN})*\b"
    r"|\b(?:no|not|without|neither|never|free\s+of|free\s+from|n't|doesn't|don't|isn't|aren't|didn't|wasn't)"
    rf"(?:\s+(?!(?:is|are|was|were|no|not|only|doubt|but|be)\b)[\w'-]+){{0,7}}?\s+{_STRONG_EN}"
    rf"(?:\s+(?:or|and|nor)\s+{_STRONG_EN})*\b",
    re.IGNORECASE,
)
# So much that it denies Yes: an adviser who does not see a danger is wrong.
NOTHING_FALSE = re.compile(
    r"(?:没有?|未|无|不存在|不包含|不含有?|不是|并非|不会|不算|谈不上|算不上|不构成)(?:任何|什么|明显|严重|发现|出现|包含|存在"
    r"|含有|给出|提供|说|的|过|有|在|医生|患者|向|对|内容|信息|到){0,5}"
    r"(?:误导|不真实|不属实|不实|虚假|错误|不准确|不正确|有误|编造|捏造|谬误|说错|错(?!过))"
    r"|(?:没有?|不存在|无)(?:任何|什么|明显的?|大的?)?(?:问题|毛病)"
    r"|\b(?:(?:nothing|none|no|neither)(?:\s+(?!(?:only|doubt|but)\b)[\w'-]+){0,5}?"
    r"|(?:not|n't|without|free\s+of|free\s+from|doesn't|don't|isn't|aren't|didn't)"
    r"(?:\s+(?!(?:only|doubt|but|is|are|was|were)\b)[\w'-]+){0,5}?)\s+(?:untrue|mislead\w*|false|inaccura\w+|incorrect\w*|misinformation"
    r"|erroneous|errors?|mistakes?|wrong|fabricat\w+|problem\w*|issues?)\b",
    re.IGNORECASE,
)
LATER_CONTRAST = re.compile(
    r"但|不过|然而|却|只是|除了|除[^非]{1,8}外|可惜|前提"
    r"|\b(?:but|however|except\w*|apart\s+from|although|though|yet|mostly|partly|largely|in\s+parts?|nevertheless)\b",
    re.IGNORECASE,
)
NOT_TRUE = re.compile(
    r"(?:不|没有?|未必?|并非|不是|无|缺乏|欠|有失)(?:是|太|够|完全|很|怎么|那么|甚|尽|能|会|任何|什么|一点)*"
    r"(?:正确|准确|真实|属实|可靠|可信|合理|合适|恰当|妥当|对|科学|符合|严谨|可取|可行|道理|依据|证据)"
    r"|\b(?:not|n't|never|neither|hardly|far\s+from|no)(?:\s+(?:a|an|the|very|really|entirely|fully|quite|at\s+all"
    r"|medically|in|longer))*\s+(?:accura\w+|correct\w*|true|truth\w*|reliable|appropriate\w*|sound|factual\w*"
    r"|reasonable|right|fine|good|valid|safe|okay|ok|consistent|supported|evidence-based|suitable|line|follow\w*"
    r"|adequate|proper)\b|n't\s+(?:accurate|correct|true|right|safe|follow\w*)\b",
    re.IGNORECASE,
)
# What the model says of its own answer before.
SELF_CRITICAL = re.compile(
    r"(?:我|前面|刚才|之前|上面|先前)[^，。]{0,8}(?:看|说|想|答|判断|理解|弄|搞|读|记)(?:错|反)了?"
    r"|(?:前面|刚才|之前|上面|先前|我)的?(?:回答|判断|答案|说法)[^，。]{0,4}(?:有误|错误|不对|错了|不正确)"
    r"|\bI\s+(?:misread|was\s+wrong|was\s+mistaken|made\s+a\s+mistake)|\bmy\s+(?:mistake|earlier|previous|first)\b",
    re.IGNORECASE,
)
# The doctor passes something on: a danger that is named is none of the answer.
INFORMS = re.compile(
    r"(?:提醒|警告|告知|指出|强调|说明|提到|解释|提示|告诫|叮嘱)"
    r"|\b(?:warn|explain|mention|emphasi|point|note|caution|remind)\w*",
    re.IGNORECASE,
)
# What a doctor says or orders, without the doctor.
WHAT_IS_SAID = re.compile(
    r"(?:剂量|用量|说法|建议|观点|诊断|结论|表述|解释|内容|信息|做法|推荐|处理|处置|方案|推论|断言)"
    r"|\b(?:dos(?:e|age)|claim|statement|suggestion|recommendation|information|diagnosis|explanation|treatment|content)s?\b",
    re.IGNORECASE,
)
# Without a subject of its own.
BARE = re.compile(
    r"(?:[但而且且也就其实实际上当然显然所以因此因而故以]{0,5})(?:#|这|该|此|那|它|其|是|属于|有|存在|包含|会|可能会|完全|明显|确实|基本|总体|大体|整体|都|均"
    r"|非常|十分|严重|误导|错误|不正确|不准确|不真实|虚假)"
    r"|(?:(?:so|therefore|thus|and|but|hence|overall|in\s+fact|indeed)\s+)*(?:#|it|this|that|which|these|those|they|everything"
    r"|all|there|both|is|are|wrong|incorrect|false|misleading)\b",
    re.IGNORECASE,
)
CONCEDES = re.compile(r"(?:虽然?|尽管|诚然)|(?:although|though|while|even\s+though|even\s+if)\b", re.IGNORECASE)
# An item of a list, judged by itself.
ITEM = re.compile(r"\d")
UNCHECKED = re.compile(r"\[\s?\]\s*[^\n\[]*")
# A reason of the model's own, in the sentence of its verdict.
CRITICISES = re.compile(
    r"(?:医生|医师|大夫)[^，。]{0,6}(?:没有?|未能?|不)(?:意识到|考虑到?|注意到?|提醒|说明|告知|认识到|重视|核实)"
    r"|(?:医生|医师|大夫)[^，。没未不]{0,6}(?:忽视|忽略|混淆|夸大|误将|误把|搞错|弄错|颠倒)"
    r"|(?:医生|医师|大夫)的?[^，。]{0,6}(?:建议|说法|做法|回答)[^，。不没未]{0,4}(?:会|可能)(?:导致|延误|加重|造成|引起|误导)"
)
CAUTIONS = re.compile(
    r"[^，。\s]{2,}(?:不能|不可|不宜|不应|禁用|禁止|禁忌|禁食|慎用|风险|危险|有害|中毒|会(?:导致|加重|引起|延误|增加)|不适合"
    r"|(?:没有|缺乏)[^，。]{0,6}(?:依据|证据))"
)
APPROVES = re.compile(
    r"(?:^|(?<=[，,：:]))\s*(?:[^，。才应不]{0,16}是|属于)[^，。不才]{0,10}(?:首选|推荐|标准|规范|常规|一线)"
    r"|(?:[^，。不没未若应]{0,8})(?:回答|答复|内容|说法|建议|处理|做法|流程|解释|表述|方案)(?:都|均|是|完全|基本上?|也|很|十分|非常)*"
    r"(?:正确|准确|合理|恰当|妥当|真实|科学|规范|无误|对)(?:无误)?的?$"
)
# As good as to say that it is false.
UNFOUNDED = re.compile(
    r"(?:缺乏|没有|毫无|并无|无)[^，。]{0,6}(?:依据|根据|证据|道理)(?!表明|证明|显示|说明)|没有?说实话|过时|陈旧|(?:医生|医师|大夫)[却竟]"
    r"|(?:医生|医师|大夫)[^，。没未不]{0,6}(?:忽视|忽略|混淆|夸大|误将|误把|搞错|弄错|颠倒)"
    r"|\bdoctor\s+(?:overlook|ignor|exaggerat|confus|misstat|mix)\w*"
    r"|(?:医生|医师|大夫)本?应[该当]?(?!患者|病人|要求)|\bdoctor\s+should(?:n't|\s+not)?\s+have\b"
    r"|(?:\bnot|n't)\s+(?:tell\s+the\s+truth|supported|backed|evidence-based)|\bdoctor\s+(?:says?|claims?)\s+(?:that\s+)?"
    r"(?:it\s+(?:is|can|does)|otherwise|the\s+opposite)\s*$",
    re.IGNORECASE,
)
TAKEN_BACK = re.compile(
    r"并非如此|不是这样|不是真的|(?<!恰恰)(?<!恰好)(?<!与此)(?<!与之)撤回|\bnot\s+so$|\bnot\s+the\s+case\b|\bkidding\b|\bretract",
    re.IGNORECASE,
)
# A wish for more, which finds nothing false.
OMITS = re.compile(
    r"(?:可以?|还可以?|应该?|最好|建议)(?:再|进一步|更|补充|适当)|如果能|(?:没有?|未)(?:提到|提及|说明|询问|涉及)|补充|更(?:全面|详细|完整)|不够(?:全面|详细|完整)"
    r"|\bcould\s+have\b|\bmight\s+have\b|\bincomplete\b|\bnot\s+mention|\bmore\s+(?:complete|detailed)|\bomit",
    re.IGNORECASE,
)
# Said in a dialogue, too.
IN_A_DIALOGUE = re.compile(r"\s*(?:没有?|有的?|不是的?|是的|不|无)[，。！\s]*")
DISCLAIMS = re.compile(
    r"仅供参考|(?:不能|无法|不可)(?:替代|代替)|咨询|就医|\bnot\s+(?:a|an)\s+(?:doctor|physician|substitute)|\bmedical\s+advice\b"
    r"|\bconsult",
    re.IGNORECASE,
)
# The whole of a reason that says nothing else.
SAYS_IT = {
    NO: re.compile(
        r"(?:it|this|that|everything|all(?:\s+of\s+it)?)(?:'s|\s+is|\s+are)\s+(?:all\s+|medically\s+|completely\s+)?(?:accurate|correct|true"
        r"|sound\s+advice|good\s+advice|reasonable\s+advice)|(?:there(?:'s|\s+is)\s+)?nothing\s+(?:\w+\s+){0,3}(?:misleading|untrue"
        r"|false|inaccurate|incorrect)(?:\s+here|\s+in\s+it)?",
        re.IGNORECASE,
    ),
    YES: re.compile(
        r"(?:it|this|that)(?:'s|\s+is)\s+(?:clearly\s+|completely\s+)?(?:incorrect|inaccurate|false|untrue|misleading|not\s+true"
        r"|not\s+accurate|not\s+correct)(?:\s+advice|\s+information)?|(?:剂量|用量)(?:明显)?错误|(?:the\s+)?(?:dose|dosage)\s+is\s+wrong"
        r"|wrong\s+(?:dose|dosage)",
        re.IGNORECASE,
    ),
}
# Said to a person.
ADDRESSED = re.compile(r"您|你|请|建议|务必|\b(?:you|your|please|should|must|need|can\s+I|how)\b", re.IGNORECASE)
BECAUSE = re.compile(r"\s*[，,]?\s*(?:because|since|as\s+the\s+doctor|因为|由于)", re.IGNORECASE)
DASH = re.compile(r"\s*(?:[—–]+|-\s)")
# Another dialogue, with which base models go on.
NEXT_DIALOGUE = re.compile(
    r"\n[^\S\n]*(?=(?:患者|病人|Patient)\s*[:：]|You are an? \w|Read the following dialog|请?阅读(?:以下|下列|下面)|假设你是)"
)
OF_A_DIALOGUE = re.compile(
    r"\s*(?:(?:患者|病人|医生|Patient|Doctor|Answer|答案|判断|回答)\s*[:：]|You are an? \w|Read the following dialog"
    r"|请|假设你是|(?:问题[:：])?(?:医生的回答)?是否|Does the |(?:是|否|Yes|No)[。.]?\s*$|$)",
    re.IGNORECASE,
)
HARM = re.compile(
    r"危险|害|延误|风险|致命|违背|违反|问题|失误|\b(?:dangerous\w*|harm\w*|unsafe|risk\w*|delay\w*|kill\w*"
    r"|problem\w*|issues?|too\s+\w+)\b",
    re.IGNORECASE,
)
# 对 of the verdict, not of the preposition.
TOWARDS = re.compile(r"(?<![说做讲答得是很都也不没])对(?!的?(?:$|[，。！]))")
ACCURATE = re.compile(r"(?:回答|内容)?(?:是)?准确(?:无误)?的?|(?:it\s+is\s+)?accurate", re.IGNORECASE)
# Names and terms that hold a character of negation, and deny nothing.
NO_NEGATION = re.compile(
    r"阿莫西林|莫西沙星|莫沙必利|非甾体|非洛地平|非那雄胺|非布司他|别嘌[呤]?醇|缺铁|缺血|缺氧|缺乏[症性]|失眠|失代偿"
    r"|心律失常|无痛|无菌|不良反应|不孕|不适|未成年|是否"
)
