"""The words by which clauses on a doctor's answer are told apart, in Chinese and English."""

from __future__ import annotations

import re

CLAUSE = re.compile(
    r"(?:(?!但是?|不过|然而|\b(?:but|however)\b)(?:[^，。；！？\n,;!?：:.]|\.(?!\s|$)))+", re.IGNORECASE
)
HEDGE = re.compile(
    r"可能|也许|或许|大概|似乎|好像|疑似|不确定|无法|难以|不能(?:完全)?(?:确定|判断|确认|肯定|回答|提供)|很难|几乎|不好说|说不准|未必|不一定|是否|是不是|如果|假如|除非|若|抱歉"
    r"|\b(?:may|might|could|maybe|perhaps|possibly|probably|seem(?:s|ed)?|appears?|likely|unsure|uncertain|unclear"
    r"|(?:cannot|can't|can\s+not|unable\s+to)\s+(?:\w+ly\s+)?(?:determine|judge|say|tell|verify|confirm|assess|provide|answer"
    r"|help|give|decide|be\s+(?:sure|certain)|evaluate|comment)"
    r"|unable|whether|if|depends?|hard to|difficult to|not sure|hardly|almost|sorry)\b",
    re.IGNORECASE,
)
# Words that leave a verdict open wherever they stand; the others may be said of medicine.
OPEN = re.compile(
    r"不确定|不好说|说不准|难以判断|无法|很难|不能(?:完全)?(?:确定|判断|确认|肯定|回答|提供)|是否|是不是|抱歉"
    r"|\b(?:unsure|uncertain|unclear|not sure|whether|depends?|sorry|unable|hard to say|difficult to"
    r"|(?:cannot|can't|can\s+not)\s+(?:\w+ly\s+)?(?:determine|judge|say|tell|verify|confirm|assess|provide|answer|help|give))\b",
    re.IGNORECASE,
)
# What takes a sentence before it back, or says that it is another's.
STANCE = re.compile(
    r"怀疑|质疑|存疑|反驳|否认|不同意|不赞同|不认同|不这[么样]认为|并非如此|不是这样|不是真的|相反|撤回|更正"
    r"|(?:患者|病人|网友|有人)[^，。]{0,3}(?:认为|说|觉得)"
    r"|\b(?:doubt\w*|disagree\w*|den(?:y|ies|ied)|refut\w+|think\s+so|not\s+so|not\s+the\s+case|on\s+the\s+contrary|wait"
    r"|sarcas\w+|jok(?:e|ing)|kidding|retract|reconsider\w*|said|patient\s+(?:says|thinks|believes|claims))\b",
    re.IGNORECASE,
)
# Wide on purpose: these only deny.
FALSE = re.compile(
    r"不真实|不属实|不实|虚假|误导|错误|不准确|不正确|不对|有误|不妥|欠妥|欠准确|不合理"
    r"|不合适|不恰当|不当|不可靠|不可信|不成立|幻觉|谬误|谣言"
    r"|错|问题|危险|害|漏洞|失误|延误|违背|违反|风险|致命|编造|捏造|商榷"
    r"|(?:剂量|用量)[^，。]{0,6}(?:[偏过][大小高低]|过量|太[大小高低])"
    r"|\b(?:untrue|misleading|misleads?|false|inaccura\w+|incorrect\w*|misinformation|erroneous|errors?|mistak\w+|wrong\w*"
    r"|hallucinat\w+|dangerous\w*|harmful|unsafe|problem\w*|issues?|bad|inappropriate|unreliable|flaw\w*"
    r"|contradict\w*|outdated|unsupported|delay\w*|kill\w*|harm\w*|risk\w*|fabricat\w+|too\s+(?:high|low|much|late|long)"
    r"|debatable|questionable)\b",
    re.IGNORECASE,
)
TRUE = re.compile(
    r"正确|准确|真实|属实|无误|可靠|可信|合理|合适|恰当|妥当|对(?![于象照比待面方症应])|没错|靠谱|科学|好|专业|道理|符合|严谨|有帮助|有效|可行|可取|全面|同意|赞同"
    r"|\b(?:accura\w+|correct\w*|true|truth\w*|reliable|appropriate\w*|sound|factual\w*|reasonable|right|fine|good|valid"
    r"|safe|okay|ok|agree\w*"
    r"|helpful|sensible|follows?|consistent|agrees|professional|useful|adequate|well|supported|evidence-based|proper\w*"
    r"|suitable|rational|rigorous|in\s+line|rightly)\b",
    re.IGNORECASE,
)
NEGATION = re.compile(
    r"[没沒不无無未非勿别莫欠缺]|避免|排除|杜绝|纠正|澄清|失|绝无|否|[难難]|几乎|反驳|怀疑"
    r"|\b(?:no|not|cannot|without|nothing|none|neither|nor|never|free of|avoid\w*|lack\w*|hardly|far from"
    r"|exclud\w+|doubt\w*|disagree\w*|rul\w+ out|correct(?:s|ed) the|refut\w+|den(?:y|ies)|barely|fail\w*|devoid)\b"
    r"|n't\b",
    re.IGNORECASE,
)
# What makes an exception: after a No it may be the one that matters.
CONTRAST = re.compile(
    r"但|不过|然而|却|只是|除了|除[^非]{1,8}外|前提|虽|尽管|可惜|唯一|反而|仅"
    r"|\b(?:but|however|except\w*|apart\s+from|although|though|yet|mostly|partly|largely|in\s+part|in\s+parts|provided|unless"
    r"|nevertheless|still|only|while|whereas|save\s+for)\b",
    re.IGNORECASE,
)
ABOUT = re.compile(
    r"医生|医师|大夫|回答|答复|回复|\b(?:doctor|physician|answer|response|reply|replies|advice)", re.IGNORECASE
)
PATIENT = re.compile(r"患者|病人|网上|\b(?:patient|user|internet)", re.IGNORECASE)
# What a doctor is praised for saying is the doctor's: the rest of the clause says nothing of the answer.
PRAISED = re.compile(
    r"((?:正确|准确)地?(?:指出|说明|解释|提到|强调|提醒|纠正|澄清)了?"
    r"|\b(?:correctly|accurately|rightly)\s+(?:\w+s|advised|warned|explained|noted|pointed|stated|recommended))"
    r"(?:(?!(?:但是?|不过|然而|\b(?:but|however)\b))[^，。；！？\n,;!?.])*",
    re.IGNORECASE,
)

# Risks that advice lowers are no fault of it.
SPARED = re.compile(
    r"(?:降低|减少|预防|避免|防止|减轻)[^，。；\n]{0,10}(?:风险|危险|危害|损害|伤害)"
    r"|\b(?:lower|reduc|decreas|prevent|minimi[sz])\w*\s+(?:the\s+|your\s+)?(?:risks?|harm)\b",
    re.IGNORECASE,
)
