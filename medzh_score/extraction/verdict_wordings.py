"""The wordings by which a response says whether a statement is correct."""

from __future__ import annotations

import re

from medzh_score.extraction.verdict_words import CORRECT, INCORRECT, LONG_WORD, SLOT, SLOT_EN, WORD, WORD_EN
from medzh_score.extraction.wording import Wording

_OPEN = (
    r"[\s“”\"'‘’「」『』《》〈〉【】\[\](（]*"
    r"(?:(?:\d{1,2}[.、)）．:：]|[(（]\d{1,2}[)）]|[①-⑩])\s*[“”\"'‘’「」『』【】\[\](（]*)?"
)
_CLOSE = r"[\"'“”‘’」』》】\])）]*\s?[√×]?"
_CLAUSE = rf"(?:\A|(?<=[。！!？?；;\n，,：:~…])){_OPEN}"
_SENTENCE = rf"(?:\A|(?<=[。！!？?；;\n])|(?<=[.:]\s)){_OPEN}"
# What a verdict in Chinese ends in: 正确的, 错误的说法. Only a stop may follow: 正确的做法, 错误率 and 正确吗 are none.
_NOUN = (
    "(?:说法|观点|陈述|表述|描述|判断|结论|论断|命题|叙述|语句|句子|句话|话|题目|题|声明|断言|主张|认识|看法|论述"
    "|论点|信息|内容|说明"
    "|知识点|提法|理解|想法|句|题干|所述|所说|所言)"
)
_TAIL = rf"(?:的|了)?{_NOUN}?(?:的|了|哦|啊|呢|呀|哈)?{_CLOSE}"
_STOP = r"(?=\s*(?:[。！!，,；;：:（(\n~～…—]|\.(?!\d)|\Z))"
# A tick or cross before the word that it stands for.
_TICK = r"(?:×\s*(?=错|不|假|[Ii]nc|[Ff]alse|[Ww]rong)|√\s*(?=正|对|没|无误|属|准|真|[Cc]orr|[Tt]rue|[Rr]ight))?"
_STOP_OR_SPACE = (
    r"(?=[。！!，,；;：:（(\n~～…—]|\.(?!\d)|\Z|[^\S\n](?!\s*[\"“”]?(?:[/或和与]|还是|正确|错误|不正确|不对|or\b)))"
)
_END = r"(?=[\"'“”’」』》】\])）\s]*(?:[。！!；;\n]|\.(?!\d)|\Z))"

_THUS = (
    r"(?:(?:但是?|而|不过|然而)?[，,]?(?:因此|所以|故而?|因而|综上所述|综上|总之|由此可见|可见|总的来说|总而言之"
    r"|总体而言|总体来说|总体来看|那么|从而|最终|据此"
    r"|实际上|事实上|其实|显然|经(?:过)?(?:分析|判断)|我认为|我觉得|我判断|本人认为|可以判断|判断为|判定为|应判断为"
    r"|应判为|应为|应该是"
    r"|改为|而是|根据[^，。；\n]{1,24})[，,：:\s]*)"
)
_THIS = (
    r"(?:这|该|此|本|整|上述|以上|上面的?|前面的?|前述|题[目干]?中?的?|原文中?的?|文中的?|给[出定]的|所给的?|您的|你的"
    r"|您说的|你说的|原"
    r"|下列|以下|下面|○+的?)"
    r"(?:一|个|种|条|项|句|则|段|些|类|样的?)*(?:关于[^，。；\n]{1,30}的)?(?:医学|医疗|健康|医药)?(?:知识|科普|中)?的?"
)
_LABEL = (
    r"(?:正确|最终|最后|我的?|本题|标准|参考|综上)*的?(?:答案|判断结果|判断|结论|回答|回复|答复|评判|判定结果|判定"
    r"|判别|结果|选择|评价"
    r"|输出|更正|修正)(?:应该?|应当)?(?:改)?(?:是|为|选择?|[：:=】\]\s])*"
)
_LABEL_EN = (
    r"(?:(?:so|thus|therefore|hence|the|my|final|correct|right|best|correction)[\s,]+)*(?:answer|verdict|judge?ment"
    r"|conclusion|evaluation|assessment"
    r"|response|result|correction)(?:\s+to\s+[^.,:\n]{1,40})?(?:\s*(?:is|would be|should be|[:=]))+[\s\"“”']*"
)
_STOP_EN = (
    r"(?:\s+(?:statement|claim|assertion|one)\b)?"
    r"[\"'“”’)\]]*(?=\s*(?:[.,;:!\n(—–√×，。；！（]|-\s|\Z"
    r"|(?:because|since|as|and|but|based|according|due|for|in|with|given|although)\b))"
)
_THUS_EN = (
    r"(?:(?:so|thus|therefore|hence|yes|no|in conclusion|in summary|overall|in fact|actually|wait|to conclude"
    r"|based on [^.,\n]{1,60}"
    r"|i (?:think|believe|would say|conclude)(?: that)?)[\s,]+)*"
)
_START_EN = r"(?:\A|(?<=[.!?\n,;:。，：]))[\s\"“'(\[]*(?:\d{1,2}[.)]\s*)?"
_STATEMENT_EN = (
    r"(?<!half of )(?<!part of )(?<!parts of )(?<!portion of )"
    r"(?:\b(?:the|this|that|your|above|following|given|provided|original)\s+|\A)(?:(?:above|following|given|provided"
    r"|original|medical|first)\s+)*"
    r"(?:statement|claim|assertion|sentence|proposition|description|assumption|information)(?:,? (?:above|given"
    r"|provided|itself"
    r"|you (?:provided|gave|made)|in (?:the )?question|[\"“'][^\"”\n]{1,200}[\"”'],?|that [^.,;\n]{1,120}|○+,?))?\s*"
)
_IS_EN = r"(?=(?:is|was|isn|wasn|['’]s|holds?|seems|appears|may|might|could|would|should|can)\b)"
LEADING = rf"{_OPEN}{_THUS}?(?:{_LABEL})?"
_FACTS = "(?:医学|客观|科学|临床|药理|现代医学|目前)*上?的?(?:事实|实际|实情|常识|知识|共识|原理|证据|指南|研究)"


def _wording(name: str, expression: str, matches: str, misses: str, value: str | None = None) -> Wording:
    return Wording(name, re.compile(expression, re.IGNORECASE), matches, misses, value)


WORDINGS = (
    _wording(
        "opening verdict",
        rf"\A{_OPEN}{_TICK}{_THUS}?(?:(?:{_THIS})?{_NOUN})?(?:{SLOT}{WORD}{_TAIL}{_STOP_OR_SPACE}"
        rf"|{SLOT_EN}{WORD_EN}{_STOP_EN})",
        "正确。链霉素可用于炭疽。",
        "正确使用链霉素。",
    ),
    _wording(
        "opening yes or no",
        rf"\A{_OPEN}(?P<alone>是的|是|不是|不|否|yes|no|√|×)(?:的|哦|啊)?{_CLOSE}"
        r"(?=\s*(?:[。！!，,；;：:\n~～…—]|\.(?!\d)|\Z))",
        "是的，链霉素可用于炭疽。",
        "是一种抗生素。",
    ),
    _wording(
        "answer announced",
        rf"(?:{_CLAUSE}{_THUS}?{_LABEL}|{_START_EN}{_LABEL_EN}){_TICK}"
        rf"(?:{SLOT}{WORD}{_TAIL}{_STOP_OR_SPACE}|{SLOT_EN}{WORD_EN}{_STOP_EN}"
        rf"|(?<=[：:=】\]\s“\"])(?P<alone>是的|是|否|yes|no|√|×){_CLOSE}{_END})",
        "链霉素是抗生素。答案：正确",
        "答案：正确/错误",
    ),
    _wording(
        "statement judged",
        rf"{_THIS}{_NOUN}{SLOT}{WORD}{_TAIL}{_STOP}",
        "链霉素可用于炭疽，因此该说法是正确的。",
        "请判断这个说法正确与否。",
    ),
    _wording(
        "conclusion",
        rf"{_CLAUSE}{_THUS}(?:(?:{_THIS})?{_NOUN}|○+|这|它|此|以上)?{SLOT}{WORD}{_TAIL}{_STOP}",
        "链霉素可用于炭疽，所以是正确的。",
        "所以正确的用法很重要。",
    ),
    _wording(
        "quote judged",
        rf"○(?:\s*[—–：:-]+\s*)?{SLOT}{WORD}{_TAIL}{_STOP}",
        "○○○○是错误的。",
        "○○○○是错误率高的检查。",
    ),
    _wording(
        "this is so",
        rf"{_SENTENCE}(?:这|它|此|以上|这样)(?:种|个)?(?:说)?{SLOT}{WORD}{_TAIL}{_STOP}",
        "链霉素可用于炭疽。这是正确的。",
        "这是正确的做法。",
    ),
    _wording(
        "verdict alone",
        rf"{_SENTENCE}{_THUS}?(?:{_NOUN}?{SLOT}{LONG_WORD}{_TAIL}|{SLOT_EN}{WORD_EN}){_END}",
        "链霉素可用于炭疽。正确。",
        "链霉素可用于炭疽。正确用药。",
    ),
    _wording(
        "not in accord",
        rf"(?:{_THIS}{_NOUN}|{_SENTENCE}{_THUS}?这)[^，。；\n]{{0,6}}(?:不符合{_FACTS}|与[^，。；\n]{{0,14}}(?:不符"
        rf"|不相符|不一致|相悖)"
        r"|(?:没有|缺乏|毫无)(?:任何|充分|足够)?的?(?:科学|医学|事实)(?:根据|依据)|是(?:一[个种])?(?:常见的?)?(?:谣言"
        r"|误区|误解|误传)"
        rf"|站不住脚){_TAIL}{_STOP}",
        "这种说法不符合医学常识。",
        "不符合医学常识的做法很多。",
        INCORRECT,
    ),
    _wording(
        "in accord",
        rf"(?:{_THIS}{_NOUN}|{_SENTENCE}{_THUS}?这)(?:是|完全|基本|也|都|很)*(?:符合{_FACTS}"
        rf"|与[^，。；\n]{{0,14}}(?:相符|一致|吻合)){_TAIL}{_STOP}",
        "该说法符合医学常识。",
        "该说法不符合医学常识。",
        CORRECT,
    ),
    _wording(
        "agreement",
        rf"{_SENTENCE}{_THUS}?我?(?:完全|非常|十分|也)*(?:同意|赞同|认同){_THIS}{_NOUN}{_STOP}",
        "我同意这个说法。",
        "我不同意这个说法。",
        CORRECT,
    ),
    _wording(
        "disagreement",
        rf"{_SENTENCE}{_THUS}?我?(?:完全|并|也)*(?:不|不能|无法)(?:同意|赞同|认同){_THIS}{_NOUN}{_STOP}",
        "我不同意这个说法。",
        "我同意这个说法。",
        INCORRECT,
    ),
    _wording(
        "statement judged in English",
        rf"{_STATEMENT_EN}{_IS_EN}{SLOT_EN}{WORD_EN}{_STOP_EN}",
        "Streptomycin treats anthrax, so the statement is correct.",
        "Tell whether the statement is correct or false.",
    ),
    _wording(
        "this is so in English",
        rf"{_START_EN}{_THUS_EN}(?:this|that|it)\s*{_IS_EN}{SLOT_EN}{WORD_EN}{_STOP_EN}",
        "Streptomycin treats anthrax. This is correct.",
        "This is correct treatment.",
    ),
    _wording(
        "it is so that",
        rf"\A\s*it is (?P<slot_en>not )?{WORD_EN} (?:to say )?that\b",
        "It is correct that streptomycin treats anthrax.",
        "It is clear that streptomycin treats anthrax.",
    ),
    _wording(
        "verdict chosen",
        r"(?:我|应该?|应当|[就则故]|因此|所以|题)(?:会|只能|还是|就|应该?|应当)*(?:选择?|选的是)(?:是|为)?[：:\s“\"]*"
        rf"(?P<slot>){LONG_WORD}{_CLOSE}{_STOP}",
        "链霉素可用于炭疽，我选“正确”。",
        "我选正确的用法。",
    ),
    _wording(
        "nothing wrong in English",
        r"\b(?P<nothing>(?:nothing|no errors?|not anything)(?: is| at all)*(?: wrong| incorrect| false)?"
        r" (?:with|about|in) (?:this|that|the|your) (?:statement|claim|assertion|sentence|description))\b",
        "There is nothing wrong with this statement.",
        "There is something wrong with this statement.",
        CORRECT,
    ),
    _wording(
        "question answered",
        r"(?<![不错])(?:正确|对|成立|属实|准确|没错|可信|\b(?:correct|true|right|accurate))的?(?:吗|呢|么|不对)?[？?][”」\"]?\s*"
        r"(?:(?:我的)?(?:答案|回答)(?:显然|当然)?(?:是|为)?[：:\s]*(?:显然|当然)?)?"
        r"(?:(?:当然|显然)?(?P<alone>是的|不是|不对|对|是|否|不|yes|no)(?=的?\s*(?:[。！!，,；;\n]|\.(?!\d)|\Z))|(?<=是)(?P<affirmed>肯定|否定)的)",
        "这个说法正确吗？是的，链霉素可用于炭疽。",
        "这个药有用吗？是的，链霉素可用于炭疽。",
    ),
    _wording(
        "verdict in brackets",
        rf"[误确对错真假]\s?[（(]{SLOT}{WORD}的?[)）]",
        "链霉素可用于炭疽的说法错误（不正确）。",
        "链霉素可用于炭疽的说法错误（不正确用药）。",
    ),
    _wording(
        "verdict again",
        rf"(?<=[，,])(?:但|却|而)?(?:同时)?[也又亦]{SLOT}{LONG_WORD}{_TAIL}{_STOP}",
        "不科学，也是不正确的，要当心。",
        "不科学，也不正确地用药，要当心。",
    ),
    _wording(
        "claim judged",
        rf"(?<=[^\s。！!？?；;\n，,：:])(?:这一|这种|这个|该|的){_NOUN}{SLOT}{WORD}{_TAIL}{_STOP}",
        "链霉素可用于炭疽的说法是正确的。",
        "链霉素可用于炭疽的说法是错误率低的。",
    ),
    _wording(
        "verdict at the end",
        rf"(?<=[，,：:]){_OPEN}(?:但|却|而)?(?:(?:现在|目前|如今)看来)?{_THUS}?{SLOT}{LONG_WORD}{_TAIL}{_END}",
        "链霉素可用于炭疽，正确。",
        "链霉素可用于炭疽，正确用药。",
    ),
)
# These count only where no other does: what they judge may be another claim than the one that was asked about.
WEAK = frozenset({"it is so that", "claim judged", "verdict at the end", "verdict again"})
# Signs of which one is in every sentence with Chinese in it in which a wording is: looked for first, which is fast.
_OF_NOUNS = "说观陈表描判结论命叙语句话题声断主认看信内知提理想"
NEEDS = {
    "answer announced": "答判结回评输更选修AaVvEeJu",
    "statement judged": _OF_NOUNS,
    "conclusion": "因所故综总可那从最据实事其显经我本判应改而根",
    "quote judged": "○",
    "this is so": "这它此以",
    "not in accord": "符谣区解传据站致悖",
    "in accord": "符致吻",
    "agreement": "同",
    "disagreement": "同",
    "claim judged": _OF_NOUNS,
    "verdict chosen": "选",
    "verdict in brackets": "（(",
    "verdict again": "也又亦",
}
# All that a sentence without Chinese can match.
ENGLISH = frozenset(
    {
        "answer announced",
        "verdict alone",
        "statement judged in English",
        "this is so in English",
        "it is so that",
        "nothing wrong in English",
    }
)
# Without this no wording but an opening is in a clause without English: the last sign of a word with an end behind it,
# a word that may stand alone, or what is said of accord.
MAY_SAY = re.compile(
    rf"[误错确实立对真假](?:的|了)?{_NOUN}?(?:的|了|哦|啊|呢|呀|哈)?[\"'“”‘’」』》】\])）\s]*"
    r"(?:[√×。！!，,；;：:（(\n~～…—–.-]|\Z|(?<=[\s)）]))"
    r"|[是否√×符据站致悖谣吻同]|误(?=[区解传])"
)
