"""The words by which examination questions become claims: what is asked for, and what no rule can judge."""

from __future__ import annotations

import re

MODAL = r"(?:应该?|可能|最可能|主要|首先|通常|一般|最|多|常|约|大约|考虑|宜|的)*"
# What the last clause of a question asks for, by kind; it ends with it and a verb.
ASKED = re.compile(
    r"(?:(?P<disease>诊断|疾病|并发症|病变|(?:首先|应|应该|最|先)(?:应|可能|先)?考虑的?|最可能的?疾?病)"
    r"|(?P<drug>药物|药品|抗生素|抗菌药|降压药|利尿药|抗菌药物|解毒药|解毒剂|拮抗剂)"
    r"|(?P<treatment>治疗|治疗方法|治疗方案|治疗措施|处理|处理方法|处理措施|处理方式|处理原则|措施|处置|手术方式|手术|术式|手术方法|疗法)"
    r"|(?P<check>检查|检查方法|检查项目|辅助检查|实验室检查|诊断方法|试验|影像学检查|检测指标|检查手段)"
    r"|(?P<pathogen>病原体|致病菌|病原菌|病原微生物|细菌|病毒|致病病毒|致病微生物|传播媒介|传染源)"
    r"|(?P<cause>病因|原因|诱因|发病原因|死亡原因|死因|危险因素)"
    r"|(?P<symptom>症状|体征|临床表现|首发症状|不良反应|毒性反应|副作用|毒副作用)"
    r"|(?P<site>部位|好发部位|发病部位)"
    r"|(?P<time>时间|潜伏期|疗程|病程)"
    r"|(?P<amount>剂量|用量|最大剂量|补液量|浓度|年龄)"
    rf"){MODAL}(?P<verb>是|为)$"
)
LISTED = re.compile(r"下列|以下(?!部|肢)|下述|上述|以上(?:[各几五四三]|的?选)|哪[种个项些一]|选项|题干")
REFERS = re.compile(
    r"^[则而且故]|^那么|^[其该此本]种?药|^(?:其|本病|本题|该[^患者病孕产儿婴])|可[以]?认?为$|判断为$|分为$"
)
DENIES = re.compile(r"[不非无未]|错误|除外|除了|罕见|少见|缺点|无关|禁|忌|慎用")
COMPARES = re.compile(r"首选|最|首要|首先|主要|立即|唯一|第一")
# Several causes, signs and sites are right for most diseases: only what sets one above the others can be false.
NEEDS_COMPARISON = frozenset(("cause", "symptom", "disease", "pathogen", "site"))
# Of these the key alone is not taken for enough: the bank's explanation must name the answer.
NEEDS_WITNESS = frozenset(("cause", "symptom"))
# What comes first among treatments, checks and medicines changes by the year, and examiners mean the best of five;
# so do they by the commonest disease, germ, cause or sign where no patient was examined.
OPEN = frozenset(("treatment", "check", "drug"))
OPEN_WITHOUT_FINDINGS = frozenset(("disease", "pathogen", "cause", "symptom"))
BEGINS = re.compile(
    r"出现|开始|增加|增长|下降|形成|成熟|发生|发病|发作|添加|接种|萌出|闭合|恢复|最?高峰|最早|适宜|最佳"
)
TRADITIONAL = re.compile(
    r"[证脉舌穴]|中医|中药|方剂|治法|辨|经络|[汤丸散饮膏丹]$|汤|丸|饮片|药材|成药|气滞|血瘀|阴虚|阳虚|[气血]虚|治宜|肝气|脾[虚胃]|肾虚"
    r"|本草|功效|功用|归经|五脏|六腑|性味|针灸|推拿|灸|外感|风寒|风热|湿热|痰湿|痰热|清热|解表|顿咳|胎黄"
)
ELSEWHERE = re.compile(
    r"法律|规定|条例|办法|医德|伦理|道德|医疗机构|药品管理|经营|执业|处方|统计|流行病学|监测|结构|片剂|注射剂|制剂|辅料|实验动物|毒性试验|气雾剂|图中"
    r"|水产|鱼|动物|植物|土壤|精神药品|麻醉药品|毒性药品|有意注意|尸体|死者"
    r"|心理(?:治疗|咨询|学|评估|测验|防御)|健康教育|社区|卫生(?:学|部|行政|服务|监督)|水源|水质|职业(?:卫生|人群)|食品|粮|空气|大气|污染|医患|知情"
    r"|样本|筛检|鉴别反应|显色|合成|官能|离子|色谱|药典|政策|定律|研究|取代|母核|基团|手性|前药|水解|含量|药用部位|灭菌|消毒|培养基"
    r"|菌落|芽[孢胞]|噬菌|显微镜下|电镜|基因|转录|翻译|底物|辅酶|代谢途径|信号|受体|膜电位|动作电位|药动学|表观|半衰期"
    r"|牙[冠髓本釉周根列颌]|充填|修复|根管|窝洞|基牙|义齿|[（(][牙合]+[)）]|拔牙|正畸|龈|预防工作|三级预防|管理|医师|保健"
)
OPTION_IS_NO_NAME = re.compile(
    r"[，。；,;、+？?/＋：:“”\"（）()\[\]【】]|以上|均|都|同时|和[A-E]|[A-E]与|或|及|并发?|合并|伴|[不无未非]|加用|联合|后再|者|使|情况|正常|的"
)
DISEASE_ENDS = re.compile(
    r"(?:病|炎|症|癌|瘤|征|感染|骨折|中毒|出血|坏死|梗死|栓塞|妊娠|流产|早产|疮|疹|痘|疝|痔|疣|结核|结石|休克|衰竭|硬化|肥大|脱位|穿孔|梗阻"
    r"|溃疡|息肉|囊肿|障碍|哮喘|痢疾|霍乱|伤寒|疟疾|麻风|破伤风|白喉|百日咳|猩红热|出血热|狭窄|缺损|未闭|气胸|积液|积水|脓肿|水肿|扭转"
    r"|破裂|早剥|胎盘|葡萄胎|贫血|紫癜|脑病|昏迷|不全|亢进|减退|缺乏|不良|脱水|血栓形成|心绞痛|心力衰竭|房颤|颤动|扑动|过速|传导阻滞|扩张|萎缩|痉挛|麻痹|癫痫)$"
)
# A number or a range with a unit, and what may stand before it.
QUANTITY = re.compile(
    r"(?P<before>(?:约|妊娠|生后|出生后|术后|发病后|产后|餐后|每日|每天|每次|每公斤体重)?)"
    r"(?P<low>\d+(?:\.\d+)?)(?:\s*[～~—-]+\s*(?P<high>\d+(?:\.\d+)?))?\s*"
    r"(?P<unit>(?:万|百万|亿)?(?:[μm]?g|kg|[mμ]?l|m?L|IU|U|mmol|mg/kg|ml/kg|mg/d|g/d|小时|分钟|秒|天|日|周|个月|月|年|岁|%|‰|次|支)"
    r"(?:/(?:d|日|次|h|kg|min))*(?:以[内上下])?(?:左右)?)"
)
