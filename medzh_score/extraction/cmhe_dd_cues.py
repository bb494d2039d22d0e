"""The words by which a diagnosis rules diseases out, tells of other people and other times, or offers a disease."""

from __future__ import annotations

import re

# Texts come in lower case, simplified characters and Latin punctuation, and without space between Chinese characters.

KEPT_IN = (
    r"(?:不能|不可(?:以)?|未能|无法|难以|难于|[尚很]难|暂不能?|尚未|尚不能?|仍不能?|不足以)(?:够)?(?:完全|轻易"
    r"|绝对)?(?:排除|除外)"
    r"|[不未](?:完全)?(?:排除|除外)|cannot (?:be )?(?:ruled out|exclude)|can not be ruled out|not (?:be )?ruled out"
)
_NOT = (
    r"不(?:首先|优先|主要|再|太|大|甚|完全|足以|予|宜|应|能|会)?"
    r"(?:考虑|支持|符合|像|提示|属于|构成|成立|倾向|诊断|确诊|存在|伴有?|合并|患有?|诊为)"
)
# 无 and 缺乏 are also parts of names: 无黄疸型肝炎, 维生素B12缺乏性贫血.
_WITHOUT = (
    r"无(?!明显诱因|诱因|法|症状|痛|创|菌|力|论|关|需|须|排卵|脑|精|汗|尿|黄疸[型性]|瘫痪型|形体|核裂|分泌型|功能(?:[性腺垂]|良性)"
    r"|胆色素|丙种?球|巨核|能|β脂|脉病|脉络膜|食欲|知觉|虹膜|牙(?:[症性]|牙槽)|名[动静]脉|动性缄默|晶状体|再流|前房|抑制性?神经|肌病性?皮"
    r"|应答型|张力性|乳(?![腺房头])|羊水(?!栓塞)|嗅脑|裂畸形|脊髓畸形|[眼耳](?:畸形|症)|舌症|神经节性|脾综合征|害|指征)"
)
_LACKING = (
    r"缺[乏少](?!性|症|病|的|\()(?=[^。;:|\n]{0,24}(?:证据|依据|支持|佐证|典型|特征|特异|表现|症状|体征|指征|病史))"
)
_RULED = (
    rf"{_NOT}|(?:未|暂不|无需|无须|不必|不用)(?:首先|优先|主要)?考虑|排除|除外|鉴别|区别于|有别于|不同于|相混淆|误诊"
    rf"|混淆"
    r"|(?:无法|不能)(?:明确)?(?:诊断|确定|判断|区分)|排查|筛查|解释不了|未(?:诊断|提示|发现|见到?|患|合并|并发|达到?"
    r"|形成|检出|查见|探及|发生|累及)"
    r"|(?:并|而|也|就|则|应|绝|都|且)?不(?:应该?|会|可能|大可能|太可能)?是|而非|并非|绝非|是不是|是否|有无|有没有"
    rf"|{_WITHOUT}|否认|没有|{_LACKING}|不仅不|类似于|≠|!="
    r"|rather than|instead of|(?<![a-z])not?(?![a-z])|without|rul(?:e|es|ed|ing) out|exclud(?:e|es|ed|ing)"
    r"|unlikely"
    r"|less likely|differentiate|distinguish|negative for|den(?:y|ies|ied)|history of"
)
# What may come, what would be, what it may come from: said of a disease in general, or of what has not happened.
_LATER = (
    r"(?:并发|合并|引起|导致|引发|诱发|发展(?:为|成|至)|进展(?:为|成|至)?|演变(?:为|成)?|转(?:变)?[为成]|恶化|造成"
    r"|出现|发生|继发|伴发)"
)
_OTHERWISE = (
    rf"(?:(?<!最)可能?会?|也?会|易|容易|将会?|可以|可进一步|进一步|甚至){_LATER}(?!了)|以免|避免|防止|预防|防治|警惕"
    rf"|谨防|提防|诱发(?!性|的)"
    r"|若(?:为|是|有|系)?|如(?:果|为|是|有|系|患)|假如|倘若|一旦|万一|虽然?|尽管|与其[说是]|即使"
    r"|(?:多|常|可|大多|往往|通常|一般)(?:继发于|由|因|见于)|见于|好发于|病因|诱因"
    r"|(?:常|易|往往|通常|容易|可同时)(?:常|会)?(?:合并|伴有?|并发|伴发|见)"
)
_BEFORE_NOW = (
    r"既往|(?:之|以)前(?:的|有|患|得)|曾经?(?:被)?(?:患过?|有|因|诊断|得过?)?|过去|家族(?:中|内)?(?!性|遗传|腺)"
    r"|(?<![您你我])(?:(?:其|患[者儿])?(?:父亲|母亲|父母|祖父母?|祖母|外祖父母?)|其[父母兄姐弟妹])"
    r"|(?:哥哥|姐姐|弟弟|妹妹|兄弟|姐妹)|亲属|幼时|(?:幼年|童年)(?:时|患|有|曾|得|即|起)|儿时|小时候|早年|患过|得过"
    r"|(?:\d{1,4}|[一二两三四五六七八九十半数多]{1,4})(?:余|多|个){0,2}[年月天周日]前|before|previous(?:ly)?|father"
    r"|mother"
)
_NOW = r"而是|却是|就是|应为|应是|不如说是?|本次|此次|这次|现为|现患|目前|如今|综上|因此|所以"
_OFFERED = (
    r"诊断|疑诊|确诊|考虑|想到|指向|答案|提示|符合|支持|即为|疑似|疑为|怀疑|疑|可能|倾向|属于|判断|结论|印象|更?像是?"
    r"|最|患有|患上|罹患|得了|得的是|所患"
    r"|likely|diagnos[ie]s|suggests?|consistent with|suspect(?:ed)?"
)

SUPPOSED = re.compile(r"若|如|假|倘|一旦|万一")
SO_THEN = re.compile(r"(?:则|就|应|需|要|可|会|还|须|必须|建议|警惕|考虑|提示|请|多|往往|也)")

BREAK = r"[。!?\n|]|\.(?![\dx])|<br/?>"  # the end of a sentence, of a line, of a cell
NUMBER = r"(?<![\da-z.(])\(?(?:\d{1,2}[.)](?!\d)|\d{1,2}、|[一二三四五六七八九十]{1,2}[、)])"
PAUSE = r"[,;]|但是?|然而|不过|(?<![a-z])but(?![a-z])|—+|-{2,}"
_EVENT = (
    rf"(?P<end>{BREAK}|{NUMBER})|(?P<pause>{PAUSE})|(?P<open>[(\[{{<])|(?P<close>[)\]}}>])"
    rf"|(?P<kept>{KEPT_IN})|(?P<against>{_RULED}|{_OTHERWISE})|(?P<past>{_BEFORE_NOW})|(?P<now>{_NOW})"
    rf"|(?P<offered>{_OFFERED})"
)
# No event begins with a character that does not stand in the pattern: looking at that first halves the time.
_FIRST = "".join(sorted({re.escape(sign) for sign in _EVENT if not sign.isascii()}))
EVENT = re.compile(rf"(?=[\x00-\x7f{_FIRST}])(?:{_EVENT})")
# Right before a name.
_LIGHT = (
    r"合并|并发|伴有?|任何|典型|有|明显|明确|确切|相关|支持|提示|证据|依据|征象|表明|显示|存在|活动性|急性|慢性|的"
    r"|严重|既往|高?度"
)
ADJACENT = re.compile(rf"(?:无|(?<!\d)≠|!=|❌|✗|✘|❎|否定)(?:{_LIGHT}){{0,6}}$|非$|不(?:伴|合并)有?$")
# A name behind any other character is behind nothing of the kind.
ADJACENT_ENDS = frozenset(sign for sign in ADJACENT.pattern if not sign.isascii() or sign == "=")

# Right behind a name, or behind the list in which it stands.
ASIDE = r"(?:\([^()\n]{0,40}\)|\[[^\[\]\n]{0,40}\])?[)\]】」》\"”'’]*"
TAIL = r"(?:(?:、|/|和|以?及|与|或)[^,。;:、/和及与或|\n(]{1,20}){0,8}"
_FILLER = r"[^,。;、|\n(\[]{0,8}?"
_BARE = r"(?=[\d,。;.、|\n()\]!?~]|了|的|之|本病|该病|\s|因|由于|和|及|或|但)"
_LOW = (
    r"(?:可能性?(?:也|都|均|则|相对|比较|很|较|极|非常|更|甚|太)*(?:小|低|微|不(?:太|是很|很)?(?:大|高))|不[大太]?可能|机会不大"
    r"|概率(?:很|较|极)?[小低])"
)
_DENIED = (
    r"(?:可以?|能够?)?(?:通过|根据|据|经|由|因|凭)[^,。;|\n]{1,20}?(?:排除|除外|鉴别)|(?:排除|除外)|(?:相|作|进行"
    r"|加以|做)?(?:鉴别|区别|区分)|不(?:太|大|完全)?(?:支持|成立|符合?|相符|考虑|像|相?一致)|未见|未发现|阴性|无依据"
    r"|无证据"
)
KEPT_BEHIND = re.compile(
    rf"{ASIDE}{TAIL}{_FILLER}(?:(?P<sure>{KEPT_IN}|是(?:本例|本病例|患者|该患者|最|首要|第一)[^,。;|\n]{{0,4}}(?:可能"
    rf"|诊断|考虑)|待(?:排|查|除外|确诊)|可能性(?:最|较|很|更|极|非常)?(?:大|高)|最可能(?=[,。;|\n)])|诊断(?:明确|成立))"
    r"|(?<!不)(?<!不[大太])可能(?!性|不大|[很较极]?[小低])|\?|√|✓|✔|✅)"
)
DENIED_BEHIND = re.compile(
    rf"{ASIDE}{TAIL}(?:{_FILLER}(?:{_LOW}|(?:证据|依据)(?:尚|均|也)?(?:不足|不充分|不够)|(?:{_DENIED}){_BARE})"
    r"|\(?[×✗✘❌❎✖]"
    r"|(?: ?(?:is|was|are|seems|appears|were|ha(?:s|ve|d) been))? ?(?:very |much |highly )?(?:unlikely|less likely"
    r"|ruled out|excluded|not supported|not likely))"
)
PAST_BEHIND = re.compile(
    rf"{ASIDE}{TAIL}(?:等)?(?:疾?病|的|个人|家族|既往|接触|治疗|手术|服药|用药)*(?:史(?!无|密斯|蒂文)|(?:患者|病人),"
    rf"|已(?:经)?(?:治愈|痊愈|好转?|控制)|\d+(?:\.\d+)?(?:余|多)?(?:年|个?月)|[数多]年|家族(?!性|遗传)|家史)"
)
RISK_BEHIND = re.compile(
    rf"{ASIDE}{TAIL}(?:等)?(?:[是为的]|疾病|基础|相关|最?常见|重要|主要|独立|存在|多种)*"
    r"(?:(?:高危|危险|诱发|易感)(?:因素|人群)?|风险|诱因|的(?:预防|并发|发生)|发展而来|疫苗|饮食)"
)
# Told of a disease in general; it counts where the text offers no other.
DESCRIBED_BEHIND = re.compile(
    rf"{ASIDE}(?:患者|病人|患儿)?(?:的)?(?::)?"
    r"(?:(?:是|为)(?:一种|一类|由|指|临床|最?常见|慢性|急性|以)|常|多(?!发)|通常|一般|往往|典型(?:表现|症状"
    r"|特征)?(?:为|是|有|包括)|主要(?!诊断|考虑)|大多|好发|可(?:有|表现|见|出现|伴|引起|导致|发生)|也?可有|亦可|虽"
    r"|起病|病程|病因"
    r"|则|以[^,。;|\n]{1,24}为|不会|会|表现|疼痛|临床|皮疹|应有|需有|须有|有(?!可能)|早期|特[点征]|(?:典型|常见"
    r"|主要)?(?:症状|表现)(?:是|为|包括))"
)
# A diagnosis is stated: whatever it is, what is only mentioned elsewhere is none.
STATED = re.compile(
    r"诊断(?:应?考虑)?(?:应?为|是|:|考虑|倾向)|考虑(?:诊断)?为|(?:首先|最|应|故|所以|因此)(?:应?考虑|应?诊断|想到"
    r"|可能)|答案[是为:]|结论[是为:]|指向|最可能"
    r"|diagnosis(?: is|:)"
)
# Between a disease that is offered and one that comes with it.
CONTINUES = re.compile(
    rf"{ASIDE}[^。;,!?|\n]{{0,8}}?(?:,?(?:同时|并且?|而且|且|还|亦|也|另外?|此外){{0,2}}(?:伴有?|合并|并发|继发|存在"
    rf"|患有?|有|和|与|及|、|/|\+|或|引起|导致|所致)的?[^。;,!?|\n]{{0,6}}|,)?"
)
ALONE = re.compile(
    rf"\(?(?:\d{{1,2}}|[一二三四五六七八九十]{{1,2}})[.、)]|{ASIDE}(?:可能|待查|待排|病?[0-9a-z.]{{1,6}}[级期型度]|急性(?:发作|加重)期?|[轻中重]度"
    rf"|[轻中重]型|(?:活动|稳定|缓解|失?代偿|急性|慢性|[早中晚])期|症)?"
    r"(?:\([^()\n]{0,40}\))?[,。;|\n.]"
)
# A clause that says of what the sentence began with that it is out.
_SO = (
    r"(?:故|因此|所以|因而|据此|可以?|已|均|都|也|亦|目前|暂时?|基本|予以?|本例|本病例|患者|该患者|此例|等|应|能|初步"
    r"|上|其|并)"
)
REFUSED = re.compile(
    rf"[,:;]{_SO}{{0,4}}(?:与(?:本例|本病|患者|该患者|本患者|病情)?[^,。;|\n]{{0,6}}?)?{_SO}{{0,2}}"
    rf"(?:排除|除外|不(?:太|大)?(?:支持|相?符合?|考虑|像|成立|首先考虑)|{_LOW}|(?:证据|依据)不足)"
    r"(?:本病|该病|此病|此诊断|该诊断|之|了|(?:本例|患者|该患者|本患者)[^,。;|\n]{0,8})?(?=[,。;|\n.)])"
    r"|[,:;]但?(?:本例|本患者|患者|该患者|此患者)并?(?:无|没有|未)[^,。;|\n]{1,14}(?=[,。;|\n.])"
)
# Stretches of a sentence in which no name is a diagnosis.
_UNTIL = r"[^。;!?|\n]"
REGION = re.compile(
    rf"与(?:(?!与|但)[^。;!?|\n]){{1,80}}?(?:鉴别|区分|区别|混淆|不(?:相)?符(?!合诊断)|不一致|不同|不[太大]?一样)"
    r"|[和跟同](?:(?![和跟同])[^。;,!?|\n]){1,30}?(?:鉴别|区分|区别|不[太大]?一样|不同|不符|没关系|没有关系|无关)"
    r"|与(?:(?!与)[^。;,!?|\n]){1,30}?(?:有关|相关|无关)"
    r"|以(?:(?!以)[^。;,!?|\n]){1,30}?为(?:主|特点|特征|典型|首发|首要)"
    rf"|鉴别诊断(?:上|方面)?(?:应|需|要|主要|还){{0,3}}(?:包括|有|考虑|为|是)(?:(?!但|最终){_UNTIL}){{0,120}}"
    r"|differential[a-z ]{1,30}(?:include|consider|are|is)s?(?![a-z])(?:(?!\.(?!\d))[^。;!?|\n]){0,120}"
)
ALL_REFUSED = re.compile(
    r"[,、](?:以上|上述|这些)?[均都皆][^,。;|\n]{0,10}?"
    rf"(?:排除|除外|不支持|不相?符合?|不考虑|不像|不成立|{_LOW}|鉴别)"
)
