"""The wordings by which a response states a diagnosis, as data, and what a name of a disease may look like."""

from __future__ import annotations

import re

from medzh_score.extraction.cmhe_dd_context import DISEASE
from medzh_score.extraction.wording import Wording

FINAL, STATED, HELD, TENTATIVE, FITS = "final", "stated", "held", "tentative", "fits"
LEVELS = (FINAL, STATED, HELD, TENTATIVE, FITS)  # the firmer first
FIRM = (FINAL, STATED)
WEAK = (HELD, FITS)  # of a symptom that is said in the same words: 发生了头痛
_FLAGS = re.IGNORECASE | re.MULTILINE
_IS = (
    r"[\"”]?\s*(?:\|\s*(?=[^|\n]{2,30}\|)|应?[该当]?(?:首先)?(?:考虑)?(?:诊断)?(?:是|为)\s*[：:]?|考虑为?\s*[：:]?|[：:]"
    r"|[=→]|[-=]+>|[】〗]\s*[：:]?|\](?=\s*\S)|$(?=\n)"
    r"|(?:就|也|已经?|便)?(?:很|非常|十分|比较|基本)?(?:清楚|明确|清晰|明朗)了?\s*(?:[：:]|[，,—]+\s*(?:就?是|为|即)))"
)


def _said(name: str, expression: str, level: str, matches: str, misses: str) -> Wording:
    return Wording(name, re.compile(expression, _FLAGS), matches, misses, level)


# Each ends where the name of the disease begins; its value is how firmly it states it. Each begins with letters, and
# looks back from there: that is many times as fast as to look for what may stand before.
_FIRM = (
    *("最终", "最后", "综合", "明确", "出院", "正确", "确定", "正确的", "最终的", "最后的", "明确的", "最终临床"),
    *("更正后的", "修正后的"),
)
# What was held at first: another diagnosis may follow.
_EARLY = ("入院", "最初", "最初的", "起初", "术前", "门诊", "院前")
_EARLIER = "|".join(rf"(?<={word}诊断)" for word in _EARLY)
_FINALLY = "|".join(rf"(?<={word}诊断)" for word in _FIRM)
_OTHER = "".join(rf"(?<!{word}诊断)" for word in (*_FIRM, "鉴别", "排除", "初步", "拟", "疑", *_EARLY))
_OPENS = r"(?:(?<=^.)|(?<=[。！？；，,\s【\[].)|(?<=最终.)|(?<=最后.))"
HEADS = (
    _said(
        "final diagnosis",
        rf"诊断(?:{_FINALLY})(?:结果|结论|名称)?{_IS}|确诊(?<![未法能待以]确诊)(?:为|是)?(?=[^，。！？]{{2}})"
        r"|(?:更正|修正|纠正|更改|改)为\s*[：:]?|最终(?:的?(?:判断|考虑|结论|答案))?(?:是|为)\s*[：:]?"
        r"|(?:准确|确切|精确)一?点?[地来的]?[说讲]\s*[，,：:]?\s*(?:应该?)?[是为]?\s*|应该?说(?:是|为)\s*[：:]?",
        FINAL,
        "最终诊断：急性阑尾炎",
        "最终诊断有待明确。",
    ),
    _said(
        "diagnosis",
        rf"诊断{_OTHER}(?:(?<=最可能的诊断)|(?<=有可能的诊断)|(?<!可能的诊断))(?:(?:结果|结论|意见|名称|考虑)?{_IS}"
        rf"|(?<![未能法以待明误]诊断)(?=[\u4e00-\u9fffA-Z0-9])|(?:(?<=^诊断)|(?<=[)）、.．]诊断))[^\S\n]+(?=[\u4e00-\u9fffA-Z]))",
        STATED,
        "该患者最可能的诊断是急性阑尾炎。",
        "鉴别诊断：急性阑尾炎",
    ),
    _said(
        "answer",
        rf"[答结印病疾回]{_OPENS}(?:(?<=答)案?|(?<=结)论|(?<=印)象|(?<=病)名|(?<=疾)病(?:名称)?|(?<=回)答)"
        r"\s*(?:应?该?(?:是|为)\s*[：:]?|[：:]|】\s*[：:]?)",
        STATED,
        "答案：银屑病",
        "患者的回答：没有发热。",
    ),
    _said(
        "has",
        r"(?:患(?:有|上了?|了|的?(?:疾病|病)?(?:最有?可能)?(?:应该)?(?:是|为))|得(?:了|的是)|罹患|发生了)",
        HELD,
        "该患者患有急性阑尾炎。",
        "患者没有发热。",
    ),
    _said(
        "most likely",
        r"最(?:有)?(?:可能|符合|像)(?:患|得|罹患)?(?:的)?(?:还|仍然?|依然)?(?:是|为|有|患有)?(?:的)?(?:疾病|情况|病因)?(?:是"
        r"|为)?[^\S\n]*[：:]?(?=[^诊，。])",
        STATED,
        "患者最可能患有急性阑尾炎。",
        "患者最近感到腹痛。",
    ),
    _said(
        "is",
        r"(?:应该是|应为|这是|属于|而是|多半是|就是|除了(?=[^，。？\n]{2,20}[，,]?(?:还|又)(?:能|会|可能|可以)(?:是|有)(?:什么|啥|别的))|(?:其实|实际上?|事实上|真相)应?该?[是为]|剩下的?(?:就|便|也)?(?:只有|只能是|只剩|是)|(?:所以|因此|故)(?:应该?)?(?:是|为)|[您你]这(?:个"
        r"|种)?(?:情况)?(?:就)?是"
        r"|(?:本例|本病例|现|此次(?:发作)?|患者)(?:应|更)?(?:为|是)|[是为](?:(?<=^.)|(?<=[，,。].)"
        r"|(?<=[，,。][应那].)))",
        HELD,
        "这是典型的急性阑尾炎。",
        "手术方式由医生决定。",
    ),
    _said(
        "first diagnosis",
        rf"诊断(?:{_EARLIER}|(?<=初步诊断)|(?<=拟诊断)|(?<=可能的诊断)(?<!最可能的诊断)(?<!有可能的诊断))(?:结果|结论|意见)?{_IS}",
        TENTATIVE,
        "初步诊断：急性阑尾炎",
        "可能的诊断有很多。",
    ),
    _said(
        "considered",
        r"(?:考虑|怀疑|倾向于?|疑似|疑为|诊为|疑诊|想到|判断(?:(?<=我的判断)|(?<=初步判断))?(?:是|为|(?=[：:]))"
        r"|可能(?:是|为|患有)|[您你这](?:可能(?:得了|有))|像是|(?:押|猜测?|赌)(?<![别不勿乱][押猜赌])(?<![别不勿乱]猜测))(?:诊断)?(?:为|是|患有|有|得了)?\s*[：:]?",
        TENTATIVE,
        "考虑为急性阑尾炎。",
        "请仔细观察。",
    ),
    _said(
        "fits",
        r"(?:符合|支持|提示|指向)(?:为|是)?",
        FITS,
        "临床表现符合克罗恩病。",
        "不合适的治疗会加重病情。",
    ),
    _said(
        "English diagnosis",
        r"(?<!differential )(?<!rule out )\b(?:(?:most\s+likely|likely|probable|primary|clinical|working|final"
        r"|definitive|correct|corrected|revised)\s+)*"
        r"diagnos[ie]s\"?\s*(?:(?:is|are|would\s+be|of\s+this\s+patient\s+is)\s*:?|[:：])\s*(?:most\s+likely\s+)?"
        r"|^(?:final\s+)?(?:answer|impression|assessment|conclusion|disease|most\s+likely)\s*(?:[:：]\s*|$(?=\s*\n(?![^.\n]*\b(?:is|are|was|were|can|may|should)\b)))"
        r"|\bDx\s*(?:[（(][^（）()\n]{1,8}[）)]\s*)?[:：]\s*|\bthe\s+answer\s+is\s*:?\s*",
        STATED,
        "The most likely diagnosis is acute appendicitis.",
        "Differential diagnosis: acute appendicitis",
    ),
    _said(
        "English has",
        r"\b(?:patient|child|boy|girl|man|woman|you|he|she|it)\s+(?:(?:most\s+likely|very\s+likely|likely|probably"
        r"|has\s+been|is|was)\s+)*"
        r"(?:has|have|suffers?\s+from|suffering\s+from|diagnosed\s+with|is)\s+(?:most\s+likely\s+)?(?:to\s+(?:have|be)\s+)?(?:an?\s+)?"
        r"|\b(?:(?:consistent|compatible)\s+with|suggestive\s+of|diagnosed\s+(?:with|as)|(?:classic|typical|diagnostic"
        r"|pathognomonic)\s+(?:for|of)|(?:this|it)\s+is\s+a\s+(?:\w+\s+)?case\s+of|likely\s+to\s+(?:have|be)"
        r"|most\s+likely\s+(?:has|have|due\s+to)?)\s*",
        HELD,
        "The patient has acute appendicitis.",
        "The doctor should examine the patient.",
    ),
    _said(
        "English fits",
        r"\b(?:points?|pointing)\s+(?:\w+ly\s+)?(?:to|towards?)\s+|\b(?:indicat|suggest)(?:es?|s|ing)?\s+",
        FITS,
        "The findings suggest acute appendicitis.",
        "The patient pointed to the abdomen.",
    ),
)
WORDINGS = HEADS
# In the clause before a head: what makes it no statement of this patient's diagnosis.
AGAINST = re.compile(
    r"鉴别|没有?[^，。；]{0,4}$|次要$|其[他它](?:可能)?的?$|排除|除外|不(?!适|良|全|足|稳|规则|明原因|断|久|振|眠|止"
    r"|畅|过(?!敏))[^，。；]{0,4}$|未能?[^，。；]{0,4}$|无法|难以|不能|尚(?:未|不)|(?:需要?|请|建议|(?<!所)以便?|有助于|进一步|待"
    r"|便于|如何|怎么|怎样|哪些|什么)[^，。；]{0,6}$"
    r"|若|如果|假如|假设|一旦|既往|曾|以前|过去|[年月天周日]前|家族|父|母|兄|弟|姐|妹|哥|爷爷|奶奶|外公|外婆|爸爸|妈妈|妻子|丈夫|邻居|同事|朋友|同学|亲属|误|其次|才能?[^，]{0,4}$|只有|方[可能]$|也(?:要|需|应"
    r"|可能)|还(?:要|需|应|可能)|另外需|警惕|避免|防止"
    r"|(?:患者|网友|有人)(?:自己)?(?:认为|怀疑|以为|自诉|担心)|外院|当地医院|是否|有没有"
    r"|\b(?:no|not|cannot|can't|unlikely|unable|history|may|might|could|can|often|usually|previous\w*|father|mother|brother|sister|family|if|whether"
    r"|rule[sd]?\s+out|differential|exclude\w*)\b",
    re.IGNORECASE,
)
# Behind a name, or in it: it is out, or left open.
DENIED = re.compile(
    r"[（(]?\s?[×✗✘❌]|[（(]\s*(?:已经?|可以?|基本|目前)*被?(?:排除|除外|否定|不成立|不考虑|不支持)[)）]|(?:的?(?:诊断|可能性?|依据|证据))?(?:很|较|不|极|也)?(?:可能性?)?(?:小|低|不大|不足|不支持"
    r"|不成立|不符|可(?:以)?排除|已?排除|除外|不考虑|证据不足|不像|[为是]零|为0|几乎没有)"
    r"|\s+(?:is|was|has\s+been)\s+(?:unlikely|ruled\s+out|excluded|less\s+likely)",
    re.IGNORECASE,
)
OPEN = re.compile(
    r"[^\S\n]*[（(]?(?:均|都|也|暂|尚)?(?:待查|待排|不排除|难排除|待除外|不除外|不能(?:完全)?(?:排除|除外)|未除外"
    r"|待鉴别)"
)
EITHER = re.compile(
    r"\s*(?:[（(][^（）()\n]{0,20}[）)])?\s*[，,]?\s*(?:或者?|还是|抑或|亦或|/|vs\.?|\bor\b|或是)\s*", re.IGNORECASE
)
PROBABLE = re.compile(r"可能|疑|\b(?:possibl[ey]|may|might|could)\b", re.IGNORECASE)
_RHETORICAL = r"(?![^。！？?\n]{1,30}(?:还|又)(?:能|会|可能|可以)(?:是|有|叫)?(?:什么|啥|别的))"
QUESTION = re.compile(_RHETORICAL + r"[^。！\n]{0,60}(?:[?？]|吗(?:[。，]|$)|呢(?:[。，]|$))")
ITEM = re.compile(
    r"[\s、；;，,]*(?:[（(]?(?:\d{1,2}(?:[、)）:：]|\.(?!\d))|[一二三四五六七八九十]{1,2}[.、)）:：]|[①-⑩])\s*"
    r"|[-*•·]\s*)?"
)
NUMBER = re.compile(r"\s*(?:[（(]?(?:\d{1,2}[.、)）]|[一二三四五六]、|[①-⑩])|[-*•·]\s)\s*")
JOINS = re.compile(
    r"[^\S\n]*(?:[（(\[][^（）()\[\]\n]{0,40}[）)\]])?[^\S\n]*(?:、|和|以及|及|与|并发|合并|，?(?:并|同时"
    r"|且)?(?:伴有|合并有?|并发|患有)|,\s*and\b|\band\b|\bwith\b|,(?=\s*[a-z]))\s*",
    re.IGNORECASE,
)
# Up to what ends a name in any case, and within that what ends it by what it says.
RUN = re.compile(
    r"[“\"'「『\s]*(?:[A-Z]\d\d(?:\.\w{1,3})?[^\S\n]+)?(?P<name>hand,?\s+foot,?\s+and\s+mouth\s+disease"
    r"|[^，。；;！？\n,!?：:、（(）)【】〖〗\[\]“”\"「」『』{}→|…—/或和及与]{1,60})",
    re.IGNORECASE,
)
BREAK = re.compile(
    r"的可能|可能性|可能(?:$|[，。；])|rather\s+than|instead\s+of|待查|待排|有待|尚待|仍待|尚需|仍需|不除外|不能|引起|所致|导致|但|建议|需要|应当|请"
    r"|合并|并发(?!症)|伴有|以及|因为|由于|诊断|还是|抑或|亦或|而不|而非|不是|\b(?:or|with|because|due|given|and(?!\s+mouth))\b"
    r"|\s+\d{1,2}[.、)]|\s+[\u4e00-\u9fff]|\s*[①-⑩]|[一二三四五六七八九十]、|'(?!s\s)|\.(?=\s)"
)
COMMA = re.compile(r"[^\S\n]*(?:[（(\[][^（）()\[\]\n]{0,40}[）)\]])?[^\S\n]*[，,][^\S\n]*")
SEMICOLON = re.compile(
    r"[^\S\n]*(?:[（(\[][^（）()\[\]\n]{0,40}[）)\]])?(?:[^\S\n]*[；;][^\S\n]*|[^\S\n]+(?=[\u4e00-\u9fff]))"
)
SEGMENT = re.compile(r"[^，,。；;！？!?\n]*")
LEADING = re.compile(
    r"(?:(?:并且?|而且|同时|还|也|且)?(?:存在|伴有|合并|患有)|疾?病应?(?:为|是)|考虑(?:为|是)?|一[个名位]|为|是|有(?!机)|患有|患了|患(?![者儿])|罹患|属于|由于?|一种"
    r"|一例|典型的?|妥妥的?|明摆着|不折不扣的?|(?:绝对|肯定|无疑|显然|明显|必然?)(?:就?是)|标准的|了|的|急诊|a\s|an\s|the\s|most\s+likely\s|likely\s|probable\s)+",
    re.IGNORECASE,
)
TRAILING = re.compile(
    r"(?:的?(?:可能(?:性)?(?:较|很|最|更)?(?:大|高)?|患者|病人|(?:(?:典型|特征性?|常见|主要|临床|影像学?)的?)*(?:表现|症状"
    r"|特点|特征|征象)|典型的?(?:病例|例子|症状|三联征)|病例|诊断|诊断标准|情况|了|范畴|所|的))+$"
    r"|[\s.。“”\"'*]+$|\s+(?:is|was|are)\b.*$|(?:(?<=[^\sA-Za-z0-9])|\s)\s*[A-Z]\d\d[\w.+*†-]{0,9}$"
    r"|[\s=>:√-]+$",
    re.IGNORECASE,
)
# No name of a disease begins or ends so, or holds it.
NO_NAME = re.compile(
    r"(?<!特指)(?<!其他)(?<!引起)(?<!所致)(?<!有关)的|(?:证据|依据|信息|资料|理由)不足|^(?:防治|预防|治疗|治愈|消除|控制|缓解|抗|符合|支持|提示|以|例如|比如|譬如|像)"
    r"|(?<![高低])[血眼内颅]压$|(?:抽|验|献|止|输|活|采|补|供|凝|静脉)血$|^(?:这?[一这][个名种]?|该|某)?(?:常见|严重|多发|慢性|急性|传染性?|遗传性?|罕见"
    r"|其他|任何|全身|内科|外科)?(?:疾?病|疾患|病症|病变)$|均|^并非|^非(?!典型|酒精|霍奇金|小细胞|淋|ST|特|感染|甲|乙|风湿|糜烂|萎缩|中毒|创伤|器质)|[\d一二三四五六七八九十半余多几]个?(?:年|月|天|周|小时|日)(?:以上|余|多)?$|怀疑|疑似|^疑|倾向|是[一由指]|[×√]|并有|并出现|起病|(?<!非)特异|(?:升|降|增|减)(?:高|低|多|少)$|[阴阳]性$|^的?(?:疾病|病因|原因)(?:[是为]|$)|预后|^标准|^依据|^要点|[≥≤%]|的人|人群|都有|都$|常规|(?<![A-Za-z])CT(?![A-Za-z])|B超|X线|核磁|造影|^完善|^信息|^资料|^自己|^证据|不支持"
    r"|缺乏(?!性|症)|没看|没有|还不|^(?:看起来|看上去|好像|似乎|貌似|表面|一开始|起初|原以?为|本以为|误以?为|除了?|而|跟|和|与|同时|包括|对|彩超|根据|结合|从|该|此|这|本|您|你|我|他|她|患者"
    r"|病人|因|如|进一步|需|做|行|尽快|以下|下列|如下|多(?=[喝吃休注饮运锻穿观半由见数])|哪|什么|什麼|可以|能|目前"
    r"|手术|药物|治疗|检查|住院|一下|到|去|在|给|用|服|不(?!稳定|典型|完全|孕|明原因|宁|全)|无(?!先兆|菌|痛|黄疸|脉)"
    r"|未(?!破裂|分化|特指)|没|否|待|先天$|综合|综上|选|上述|几|有关)"
    r"|检查|治疗|手术|就诊|就医|咨询|服用|鉴别|排除|除外|可能|建议|因素|病史|史$|怎么|什么|哪|吗$|与否|明确$|不详"
    r"|不明$|如下|相关$|患者|病情|病人|医生|根据|提示|考虑|诊断"
    r"|^(?:the|this|that|based|it|your|his|her|to|not|no|unclear|unknown|uncertain|as|in|on|please|likely$)\b"
    r"|^(?:history|important|necessary|possible|able|signs?|evidence|risk|symptoms?|treat\w*|prevent\w*)\b"
    r"|\b(?:I|we|cannot|can't|could|may|provide|information|mechanisms?|(?:micro)?organisms?|metabolism|diagnos\w*|prognos\w*"
    r"|unlikely|should|would|recommend\w*|patients?|doctor|however|examination|test)\b",
    re.IGNORECASE,
)
CORRECTS = re.compile(
    r"(?:^|(?<=[。！？.!?;；\n，,（(…—]))\s*(?:更正|修正|(?:抱歉|对不起|不好意思)(?=[，,])|(?:以上|上述|前面的?|之前的?|该|原)?诊断是?(?:错误|有误|错了)|纠正一下|等等|等一下|不对(?=[，,。])|我?(?:刚才|之前|前面)?(?:说|看|写|弄|搞|判断"
    r"|诊断)错了|我错了|重新(?:考虑|分析|审视)(?:一下|之?后)?(?=[，,：:])|[啊哦]?不(?=[，,])|(?:更?准确|确切|精确)一?点?[地来的]?[说讲]|wait(?=[,.—-])|actually,|correction:"
    r"|on\s+second\s+thought)",
    re.IGNORECASE,
)
ENGLISH_DISEASE = re.compile(
    r"[a-z]+(?:itis|osis|emia|aemia|oma|pathy|plegia|algia|uria|rrh\w+a|ism|iasis|ectasis|penia|megaly|cele|trophy"
    r"|plasia)\b"
    r"|\b(?:\w*disease|\w*syndrome|disorder|failure|hypertension|fractures?|cancer|infection|infarction|pneumonia"
    r"|asthma|diabetes|mellitus|stroke|stones?"
    r"|ulcers?|hernia|gout|sepsis|influenza|flu|tuberculosis|migraine|epilepsy|injury|fibrillation|obesity|pregnancy"
    r"|abortion|palsy|embolism|deficiency"
    r"|insufficiency|thrombosis|hepatitis|cold|eczema|urticaria|attack|measles|mumps|rubella|varicella|zoster"
    r"|chickenpox|shingles|lupus|angina|obstruction|"
    r"perforation|rupture|dissection|effusion|pneumothorax|hemorrhage|haemorrhage|preeclampsia|eclampsia|depression"
    r"|schizophrenia|dementia|gravis|croup|rickets|cholera|typhoid|tetanus|pertussis|cataracts?|vitiligo|pemphigus|impetigo"
    r"|abscess|fistula|fissure|h(?:a?e)morrhoids|varices|aneurysm|tamponade|arrest|shock|delirium|mania|vertigo|prolapse"
    r"|regurgitation|tetralogy|dislocation|sprain|polyps?|cysts?|ADHD|OCD|PTSD|UTI|DVT|IBS|previa|abruption|hypothyroidism|COPD|GERD|SLE|AIDS|malaria|scabies|acne|torsion|intussusception|edema"
    r"|anaphylaxis|poisoning|tumou?r)\b",
    re.IGNORECASE,
)
LATIN = re.compile(r"[A-Za-z]{4}")
MOST = re.compile(r"最|most", re.IGNORECASE)
CONCLUDES = re.compile(r"综上|因此|所以|故|总之|结合|综合|therefore|thus|in\s+conclusion|overall", re.IGNORECASE)
APART = re.compile(
    r"(?:^|(?<=[。；\n【]))[\s\d.、【（(一二三四五六七八九十）)]*(?:需要?)?(?:鉴别诊断|鉴别|既往史|家族史|个人史"
    r"|过敏史|Differential\s+diagnos[ie]s)[】]?\s*(?:[：:]|$|(?=包括|有))",
    re.IGNORECASE | re.MULTILINE,
)
ENDS_APART = re.compile(
    r"(?:^|(?<=[。\n【]))[\s\d.、【（(一二三四五六七八九十）)]*(?:最终|最后|初步|现|目前|本次|此次|入院|主要|临床|最可能的?|综合|综上|因此"
    r"|所以|总之|结论|答案|(?:final|most\s+likely|primary)?\s*(?<!differential )diagnos[ie]s"
    r"|诊断)[^\n]{0,20}(?:[：:】是为，]|$)",
    re.IGNORECASE | re.MULTILINE,
)
NEXT_NUMBER = re.compile(
    r"[\s；;，,。]*(?:[（(][^（）()\n]{0,40}[）)])?[\s；;，,。]*(?:[（(]?\d{1,2}[.、)）]|[①-⑩])\s*"
)
BEHIND_ALONE = re.compile(
    r"[」』”\"]?\s*(?:[A-Z]\d\d(?:\.\w{1,3})?)?(?:[（(\[][^（）()\[\]\n]{0,40}[）)\]])?\s*(?:的?可能(?:性)?(?:较|很|最)?(?:大|高)?)?\s*"
)
# In words that stand alone: they tell of a disease, or ask something of the patient.
NOT_ALONE = re.compile(
    r"曾|住院|[年月天日]前|以后|之后|得过|进行性加重|警惕|注意|小心|当心|谨防|的|是|患|[父母]亲|预防|防止|避免|要|症状|表现|会|引起|需|怎|常见|典型|可以|出现|感到"
    r"|有(?!机)|吗|呢"
    r"|\b(?:rule|out|differential|includes?|evidence|causes?|symptoms?|treat\w*|is|are|was|can|may|history|findings?|suggests?|indicates?|points?|shows?|has|have|this|these|likely|consistent|of\s+the"
    r"|what|how|why|prevent\w*)\b",
    re.IGNORECASE,
)
# Behind a name: it is the one.
TAILS = re.compile(
    r"(?:可能(?<!都有可能)(?<!均有可能)(?<!都可能)(?<!均可能)(?:(?P<most>性最大)|性?(?:比较|很|较|极|更)?(?:大|高)"
    r"|(?=[，。；]|$))"
    r"|(?P<mark>\s*[：:]\s*(?:诊断)?(?:成立|确诊|√)(?=\s*(?:[，。；\n（(]|$)))|(?P<sure>诊断(?:明确|成立|基本明确)|是(?:最|本例|首|该患者)[^，。；]{0,6}(?:诊断|考虑|可能)))"
)
# What the DISEASE of codes does not know: names that end in no word of illness.
MORE_DISEASES = re.compile(
    r"青光眼|未闭|早剥|前置胎盘|子痫|震荡|中暑|伤寒|栓|心衰|肾衰|小结|异物|依赖|昏迷|卒中|中风|厥|结节|硬化|脓毒"
    r"|过敏|近视|多动|重症|肌无力|扩张|三联征|四联症|囊肿|气胸|血胸|脂肪肝|慢阻肺|套叠|脱垂"
)
# How names of diseases end that are not in Latin letters, and what may follow that: a stage, a degree, a type.
ENDING = re.compile(
    rf"(?:{DISEASE.pattern}|{MORE_DISEASES.pattern}|病变|梗[死阻]|[颤扑]动|紫癜|痢疾|疟疾|形成|携带者|早产儿|[痛闭]经|前期|病足|坏死|瘫痪"
    r"|谵妄|淹溺|闭锁|夹层|缩窄|巨结肠|肥胖|苔藓|持续状态|心室率|多囊肾|剧吐|心动过[速缓]|收缩|宫外孕|尘肺|矽肺|湿肺|嵌甲|反应|早熟|恶心|外翻|内翻足?"
    r"|月经不调|纤维化|呼吸暂停|厌食|网球肘|过[多少]|胬肉|肺不张|侧[凸弯]|滑脱|突出|[压内]增高|室缺|友病[AB]|酒渣鼻|隐睾|偏曲|脓胸|[流乙结]脑|急[淋粒]|包茎|假临产|灰指甲"
    r"|占位|病灶|转移|咬合|出牙|下垂|闭塞|堵塞|阻塞|硬结|积脓|积血|肿大|蛋白尿|皲裂|内膜异位|失代偿|黑变|白斑|鸡胸|斜颈|龋齿|肝豆状核变性|溶血|钙化|增厚|嵌顿|结节|肌瘤)"
    r"(?:[\s，(（]*(?:急性|慢性)?(?:加重|发作|活动|缓解|恢复|稳定|失?代偿|加速|急变|终末|增生|增殖|早|中|晚|前驱|后遗症|间歇|[\dIVⅠⅡⅢⅣⅤ一二三四五]{1,3})?期"
    r"|\s*(?:TI-RADS|BI-RADS|LI-RADS)?\s*[\dIVⅠⅡⅢⅣⅤ一二三四五]{1,3}\s*[ab]?[级度型期类]|急性(?:加重|发作)|[A-D]型|术后|复发|转移|[吧啊哦呢了]|状态|性疾?病|状|型)*$",
    re.IGNORECASE,
)
# Behind a diagnosis that is only spoken of: 确诊肺癌需要病理.
SPOKEN_OF = re.compile(r"\s*(?:需要?|须|必须|依靠|依赖|有赖于?|主要|应)")
# Behind a name in a list of which one is the likeliest.
RATED = re.compile(r"\s*[（(][^）()（\n]{0,12}(?:可能|概率|几率|%|％|排除)")
# What may stand behind names that open a text: the rest explains them.
GOES_ON = re.compile(r"[。.！!；;\n【（(—]|而非|而不是|、?(?:需)?排除|$")
# What ends a list by denying the names behind its last comma.
ALL_DENIED = re.compile(
    r"[^。；\n，,]{0,10}(?:均|都|可|已|也|则)?(?:不支持|排除|除外|不考虑|不符|不像|缺乏|可能性[^，。]{0,3}[小低]|鉴别)"
)
SYMPTOMS = re.compile(
    r"(?:(?<!偏头)(?<!神经)(?<!性头)(?<!肌)(?<!关节)(?<![心肾胆]绞)痛|(?<![红湿革黄血褥])热|(?<!百日)咳嗽?|咳痰|便血|带血|黄疸|呕吐|恶心|腹泻|头晕|(?<!位置性)(?<!前庭性)(?<!耳源性)(?<!颈性)眩晕|乏力|水肿|胸闷|气促|呼吸困难|心悸|抽搐|意识丧失"
    r"|肿块|包块|不等|起病|血尿|少尿|出血|腹胀|消瘦|盗汗|肿大|皮疹|瘙痒|昏迷)$"
)
REPEATED = re.compile(r"(?P<part>.{2,20}?)(?P=part)+(?P<rest>.{0,19})")
# A table of one row, as it is prepared: its head, and what begins the row.
TABLE = re.compile(
    r"(?:(?:序号|编号|No\.?)：)?(?:疾病|诊断|病)(?:名称?|诊断|结果)?(?:[（(][^（）()\n]{0,20}[）)])?：[^\n。]{0,30}(?:编码|代码|依据|理由|ICD|说明|Code)"
    r"[^\n。]{0,20}\n\s*(?:\d{1,2}：)?(?=[^\n]*\Z)"
)
# A table of nothing but numbers and names.
NUMBERED = re.compile(r"(?:序号|编号|No\.?)：(?:疾病|诊断)(?:名称|诊断|结果)?\s*\n\s*(?=1：)")
PAUSE = re.compile(r"[\s，,：:.…—]*(?:我?(?:认为|觉得))?应?该?(?:说|考虑)?[是为]?")
ROW = re.compile(r"[^\S\n]*\d{1,2}[：:]\s*(?=\D)")
# Of a list of diagnoses that goes on under a heading of its own; 次要 is not so firm.
FURTHER = re.compile(r"(?:^|(?<=[。；;\n]))[\s\d.、]{0,8}(?:其[他它]|合并|伴随)的?诊断\s*[：:]\s*", re.MULTILINE)
# Of a case that may turn out so.
CONDITION = re.compile(
    r"(?:^|[，,；;\s])(?:如果|如(?![上前下图同])|若|假如|假设|一旦|倘若|要是)(?!我没)[^；;]*\Z(?<!但)(?<!而)"
)
# All that was named before is out.
ALL_OUT = re.compile(
    r"(?:它们|上述|以上|这些|前述)(?:几[个种])?(?:疾?病|诊断|可能性?|情况)?(?:也|都|均|一一|逐一|全部?|已)*(?:可以?)?被?(?:排除|除外)"
)
# A line that tells a case, before a line that is nothing but a name.
CASE_LINE = re.compile(
    r"(?:患者|病人|患儿|本例)?[，,：:]?\s*(?:[男女][性孩童婴]?[，,]|\d{1,3}\s?(?:岁|个月|天)|(?=[^\n]*岁))"
)
NO_CASE_LINE = re.compile(r"鉴别|排除|除外|预防|警惕|注意|避免|[?？吗]|没有?|否认")
ALSO = re.compile(r"[^。！？\n]{0,60}(?:也|亦)(?:有)?可能(?:只|仅|就)?(?:是|为|患有?|有)?")
SPACE = re.compile(r"[^\S\n]*")
AND_ALSO = re.compile(r"(?:并且?|同时|而且|且|还|另外?|此外)?(?:同时)?(?:伴有?|合并有?|并发|存在|患有)")
# Behind names that open a text: their sentence goes on, and may tell symptoms of which another is the cause.
WITHIN = re.compile(r"[^。！!\n（(—]{0,40}[，,；;]")
# Heads that may stand on a line of their own, above the names.
HEADINGS = frozenset({"final diagnosis", "diagnosis", "answer", "first diagnosis", "English diagnosis"})
# Before what is said of a disease in general: 胸痛常提示心绞痛.
IN_GENERAL = re.compile(r"(?:常|常常|往往|通常|一般|多|(?<=.)可|会|可以|能|能够|也许)$")
# With which characters such a name may end, and some more: looked at first, which is fast.
LAST = frozenset(ENDING.pattern)
# A text in which that is so whatever names it opens with.
SENTENCE_GOES_ON = re.compile(
    r"[^\s。！!\n（(—，,；;.：:、\d①-⑩一二三四五六七八九十-][^。！!\n（(—，,；;]{0,40}[，,；;]"
)
