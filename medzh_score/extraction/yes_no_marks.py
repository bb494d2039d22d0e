"""What stands beside a verdict on a doctor's answer: what denies it, bears it out, excepts it or says nothing of it."""

from __future__ import annotations

import re

from medzh_score.configs.cmhe_hd_words import NO, YES
from medzh_score.extraction.yes_no_wordings import DOCTOR

# Fears of what an advice does, which leave no doubt of what it is.
HARMS = re.compile(
    r"(?:可能|也许)(?:会|将)?(?=误导(?!性)|延误|危害|造成|导致|引起|加重|害|危及|使|增加|掩盖|出现|诱发|损害|伤害"
    r"|对患者|让)"
    r"|(?:如果|如|若)有?(?:必要|需要)|\bif\s+(?:needed|necessary|required|indicated)\b"
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
HARMED = re.compile(
    r"(?:误导|危害|伤害|延误|耽误|损害|危及)了?(?:患者|病人)|\b(?:harm|mislead|kill|endanger|hurt"
    r"|damag)\w*\s+(?:the\s+|a\s+)?patients?\b",
    re.IGNORECASE,
)
# What a patient, or anybody, got wrong and the doctor put right.
PUT_RIGHT = re.compile(
    rf"{DOCTOR}(?:已|已经|及时|正确地?|准确地?)?(?:纠正|澄清|反驳|指正)了?(?:患者|病人|网上)?[^，。；！？\n,;!?]*"
)
DOCTOR_SAYS = re.compile(
    rf"{DOCTOR}(?:建议|说|认为|称|推荐|声称|提到|表示|让|告诉|指出|主张|要求)"
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
    rf"{DOCTOR}的?|回答|答复|回复|^(?:这|该|此)|\b(?:doctor|answer|response|reply|advice)|^(?:this|that|which)\b",
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
_STRONG = (
    r"(?:误导性?|不真实|不属实|不实|虚假|错误|不准确|不正确|有误|不妥|不当|编造|捏造|谬误|问题|错"
    r"|漏洞|危险|害|风险|延误|违背|违反)(?:性|的)?"
)
NOT_FALSE = re.compile(
    rf"(?:没有?|未|无|不存在|不包含|不含有?|不是|并非|不会|不算|谈不上|算不上|不构成)(?![^，。]{{0,14}}[是属]{_STRONG})"
    rf"(?![^，。]{{0,10}}(?:没|未|无|并非|不是))[^，。、是却]{{0,14}}?{_STRONG}"
    rf"(?:(?:的?(?:、|和|或者?|与|以及|及)|的)?(?:信息|内容|医[疗学]|患者)?{_STRONG})*(?:的?(?:信息|内容|之处|地方|成分))?"
    r"|\bharmless\b|无害|\bnot\s+true\s+that(?![^,.]*\b(?:answer|doctor|advice|response|reply|claim|accura|correct)\w*)[^,.]*"
    rf"|\bnothing\b[^,.;]{{0,50}}?\b{_STRONG_EN}(?:\s+(?:or|and|nor)\s+{_STRONG_EN})*\b"
    r"|\b(?:no|not|without|neither|never|free\s+of|free\s+from|n't|doesn't|don't|isn't|aren't|didn't|wasn't)"
    rf"(?:\s+(?!(?:is|are|was|were|no|not|only|doubt|but|be)\b)[\w'-]+){{0,7}}?\s+{_STRONG_EN}"
    rf"(?:\s+(?:or|and|nor)\s+{_STRONG_EN})*\b",
    re.IGNORECASE,
)
# What is asked first of all is said of nothing.
WHETHER = re.compile(
    r"是否[^，。是]{0,10}?(?:正确|准确|真实|属实|合理|可靠|科学|恰当|误导|错误|不实|虚假|问题)(?:性|信息)?"
)
# So much that it denies Yes: an adviser who does not see a danger is wrong.
NOTHING_FALSE = re.compile(
    r"(?:没有?|未|无|不存在|不包含|不含有?|不是|并非|不会|不算|谈不上|算不上|不构成)(?:任何|什么|明显|严重|发现|出现|包含|存在"
    r"|含有|给出|提供|说|的|过|有|在|医生|患者|向|对|内容|信息|到){0,5}"
    r"(?:误导|不真实|不属实|不实|虚假|错误|不准确|不正确|有误|编造|捏造|谬误|说错|错(?!过))"
    r"|(?:没有?|不存在|无)(?:任何|什么|明显的?|大的?)?(?:问题|毛病)"
    r"|\bnot\s+true\s+that[^,.]*\b(?:mislead\w*|untrue|false|wrong|incorrect|inaccura\w+)"
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
    r"(?:我|前面|刚才|之前|上面|先前)[^，。]{0,8}(?:看|说|想|答|判断|理解|弄|搞|读|记|点|写|选|填|勾)(?:错|反)了?"
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
# Not without: it says that there is something.
TWICE = re.compile(
    r"(?:并非|不是|不能(?:说|认为)|不可能|难说|难以说)(?:是|完全|就)?(?:没|无|毫无|不存在|不包含|不含)"
    r"|(?:\bnot|n't|\bnever)\s+(?:\w+\s+)?(?:without|free|devoid)\b",
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
DISCLAIMS = re.compile(
    r"仅供参考|(?:不能|无法|不可)(?:替代|代替)[^，。是]*$|^(?:如|请|建议)[^，。是]{0,14}(?:咨询|就医)[^，。是]{0,10}$"
    r"|\bI\s*(?:am|'m)\s+not\s+a\b|\bnot\s+(?:a\s+substitute|medical\s+advice)\b|^(?:please|always)\s+consult",
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
# Said to whoever asked, before anything else.
GREETS = re.compile(r"(?:您|你|大家)好|好的|好吧|(?:ok|okay|all\s+right|well)", re.IGNORECASE)
MISLEADS = re.compile(r"误导了?(?:患者|病人)|\bmislead(?:s|ing)\s+(?:the\s+|a\s+)?patients?\b", re.IGNORECASE)
# Who says so judges; a doctor does not to a patient.
JUDGEMENT = re.compile(
    r"[\s【\[“\"]*(?:(?:the|my)\s+)?(?:final\s+)?(?:verdict|judge?ment)|[\s【\[“\"]*(?:我的|最终)?(?:判断|判定)",
    re.IGNORECASE,
)
# Said to a person.
ADDRESSED = re.compile(r"您|你|请|建议|务必|\b(?:you|your|please|should|must|need|can\s+I|how)\b", re.IGNORECASE)
BECAUSE = re.compile(r"\s*[，,]?\s*(?:because|since|as\s+the\s+doctor|因为|由于)", re.IGNORECASE)
DASH = re.compile(r"\s*(?:[—–]+|-\s)")
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
