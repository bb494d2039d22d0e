"""What an open question asks with, by what its answer is: 什么, 多少, 何时, 哪种 or 哪些."""

from __future__ import annotations

import re

from dataset_scripts.recipes.care_mi.negation import denies
from dataset_scripts.recipes.care_mi.stems import speaks_of_options

# What stands right before 是 or 为 where a question names what it asks for.
_NAMED = (
    "诊断|疾病|疾患|病变|原因|病因|因素|机制|原理|依据|治疗|疗法|处理|处置|措施|方法|方案|方式|做法|检查|检测|检验|项目|试验|药物|药|疫苗|制剂|食物|食品|营养素"
    "|时间|时期|时刻|日期|月龄|年龄|日龄|阶段|标准|指标|标志|征象|症状|体征|表现|特点|特征|改变|变化|部位|位置|类型|种类|病原体|病原|病菌|细菌|病毒|菌|激素"
    "|量|数|率|值|比例|百分比|浓度|剂量|速度|频率|次数|长度|径线|径|体重|身长|身高|头围|胸围|评分|范围|情况|并发症|后果|结局|人群|对象|途径|来源|结构|组织|器官"
    "|细胞|成分|液体|热量|能量|目的|原则|内容|步骤|关键|手术|术式|体位|胎位|胎方位|平面|距离|周期|孕周|周数|反应|反射|作用|影响|疗程|深度|指数|pH|名称|抗体|免疫球蛋白|张力|贫血"
    "|感染|缺陷|异常|障碍|环节|通路|血管|面积|高度|范畴|工具|场所|疾病|选择|首选|意义|学说|措施|血型|方位|结果|用药|饮食|辅食|乳汁|类别"
)
NAMED = re.compile(f"(?:{_NAMED})(?:应|应该|应当|约|一般|通常|大约|平均|主要|多|常|最可能|可能)?[是为]$")
CONSIDERED = re.compile("(?:应|可|首先|应首先|首先应)考虑为$")
DIAGNOSED = re.compile("(?:应|应该|应当|可|首先|(考虑))诊断为$")
# Who has it is named, and what it is is not: 属于婴儿期特点的是 has as many answers as there are options.
HEADLESS = re.compile("的[是为]$")
UNIQUE = re.compile("[最首]|唯一|惟一|主要")
LIKELY = re.compile("最可能的[是为]$")  # what is likely is not named
ONE_OF = re.compile("之一[是为]$")
# 称为 and the like are verbs of their own, 以…为 is a frame, and 情况 names nothing.
FRAME = re.compile(
    "以[^，,]*为$|情况(?:应|可能|最可能)?[是为]$|(?:称|分|视|作|变|转|改|列|成|定义)为$|[上下左右前后]为$"
)
AMOUNT = re.compile(
    r"[<>≤≥＜＞±约第每近昼夜生后出少多于妊娠孕]*[0-9０-９.．～~\-—/%％一二三四五六七八九十两半百]+[^一-鿿]*"
    r"(?:个|岁|半|月|周|天|日|小时|分钟|分|秒|次|倍|年|克|毫升|毫克|厘米|度|万|张|支|级|百分位|以[上下内前后]|左右|末|[～~\-—]|[0-9]|[A-Za-z/％%，,、（）()μ])*"
)
WHEN = re.compile("(?:时间|时期|时刻|日期)(?:应|约|一般|是在)?[是为]$")
LIST = re.compile("[一-鿿]{2,}[、，,及和][一-鿿]{2,}")
KIND = re.compile("(?:药物|药|疫苗|细菌|病菌|菌|病毒|病原体|激素|类型|种类|免疫球蛋白|贫血)(?:应)?[是为]$")
COUNTED = re.compile("(?:疾病|病毒|病原体?|药物)(?:应)?[是为]$")
MEASURED = re.compile(
    "(?:身长|身高|体重|头围|胸围|平均|剂量|浓度|量|张力|范围|热量|次数)(?:分别|平均)?(?:应|约)?[是为]$"
)
MANY = re.compile("可以|禁用|慎用|有关|属于|符合|[^最]可能的?并发")
# Of these a disease or a time of life has several, where neither a case nor a word of the question picks out one.
SEVERAL = re.compile(
    "(?:常见的?(?:病菌|细菌|病毒)|病原体?|原因|病因|因素|药物|药|疫苗|食物|检查|措施|作用|并发症|处理|治疗|特点|特征|改变|变化|表现|症状|体征|征象|依据|指标)(?:应|可能)?[是为]$"
)
PICKED = re.compile("最|首|唯一|惟一|正确|主要(?:的?(?:死亡|发病)?原因|的?病因)")
# A choice by rank that only the options make: 最有意义的检查 is the best of those that are offered.
RANKED = re.compile("最(?:有|具)[^，,。的]{0,4}(?:价值|意义|帮助)|较[高低少多大小长短好]|比较")
# What happened stands in a question before, of the same case.
REFERRING = re.compile("(?:该|此|这种|上述)情况下")
CHOOSES = re.compile(
    "正确的?(?:[^，,的]{0,2}(?:说法|叙述|描述|陈述|论述|观点|认识|理解|选项|一项|指导))?[是为]$|(?:错误|有误|不当|不妥)[^，,]*[是为]$"
)


def needs_options(context: str, asked: str) -> bool:
    """Say whether a question has no point, or no sure answer, without its options.

    Parameters
    ----------
    context : str
        The case.
    asked : str
        The statement up to its answer.

    >>> needs_options("", "属于婴儿期特点的是"), needs_options("男婴，8个月。", "最有意义的检查是")
    (True, True)
    >>> needs_options("", "治疗子痫首选的药物是")
    False
    """
    if speaks_of_options(f"{context}{asked}") or REFERRING.search(f"{context}{asked}") or denies(asked):
        return True
    if any(pattern.search(asked) for pattern in (CHOOSES, RANKED, ONE_OF, LIKELY)):
        return True
    return HEADLESS.search(asked) is not None and UNIQUE.search(asked) is None


def interrogative(asked: str, answer: str, *, case: bool) -> str:
    """Give the question that asks for an answer, or an empty text where none can be worded that has one answer.

    Parameters
    ----------
    asked : str
        The last sentence up to and with its 是 or 为.
    answer : str
        The right option.
    case : bool
        Whether a case stands before it.

    >>> interrogative("首先考虑的诊断为", "胎盘早剥", case=True)
    '首先考虑的诊断是什么？'
    >>> interrogative("新生儿的正常呼吸频率是", "40～60次/分", case=False)
    '新生儿的正常呼吸频率是多少？'
    >>> interrogative("早产的常见病因是", "感染", case=False)
    ''
    """
    if FRAME.search(asked) or (UNIQUE.search(asked) is None and MANY.search(asked)):
        return ""
    if not case and SEVERAL.search(asked) and not PICKED.search(asked):
        return ""
    if found := DIAGNOSED.search(asked):
        return f"{asked[:-3]}{'' if found[1] else '作出'}什么诊断？"
    if CONSIDERED.search(asked):
        return f"{asked[:-1]}什么？"
    amount = AMOUNT.fullmatch(answer) is not None
    measured = MEASURED.search(asked) is not None and re.search("[0-9]", answer) is not None
    if (measured and not amount) or not (amount or HEADLESS.search(asked) or NAMED.search(asked)):
        return ""
    return f"{asked[:-1]}是{_word(asked, answer, amount=amount)}？"


def _word(asked: str, answer: str, *, amount: bool) -> str:
    if WHEN.search(asked):
        return "何时"
    if amount:
        return "多少"
    if LIST.search(answer) and COUNTED.search(asked):
        return "哪些"
    return "哪种" if KIND.search(asked) else "什么"
