"""Misprints of choice questions: put right where what stood there is certain, refused where it is not."""

from __future__ import annotations

import re

from dataset_scripts.recipes.banks.stems import STOP, with_numbers_mended

# Full-width letters and digits, units as one character, marks and characters that look like the usual ones.
WIDE = {wide: wide - 0xFEE0 for first, last in ("０９", "ａｚ", "ＡＺ") for wide in range(ord(first), ord(last) + 1)}
PLAIN = WIDE | str.maketrans(
    {"㎝": "cm", "㎜": "mm", "㎏": "kg", "㎎": "mg", "∕": "/", "／": "/", "〜": "～", "痩": "瘦", "髙": "高"}
)
# Words that are none but for one character, which is lost or another one.
WORDS = {
    "胸骨([左右])[级绿]": r"胸骨\1缘",
    "全收缩?(?=期?杂音)": "全收缩",
    "全收缩(?=杂音)": "全收缩期",
    "([左右])束传导": r"\1束支传导",
    "胆血红素": "胆红素",
    "([湿干])哕音": r"\1啰音",
    "霉索": "霉素",
    "汤洋": "汤样",
    "便糖稀": "便溏稀",
    "度重大": "度肿大",
    "其量可能": "其最可能",
    "最可能性是": "最可能的是",
    "血拴": "血栓",
    "片可多(?=个)": "片可见多",
    "—(?=次)": "一",
    "布什征": "布氏征",
    "巴彬斯基": "巴宾斯基",
    "帽状筋膜": "帽状腱膜",
    "肺动脉向动脉(?=分流)": "肺动脉向主动脉",
    "患儿(?=童某)": "患儿，",
    "时有(?=深感)": "时",
    # An age that reads as a month of the year, and a temperature that is not called one.
    r"^(\d{1,2})月(?=[男女]婴|小儿|患儿)": r"\1个月",
    r"(?<=查体：)(?=3\d\.\d℃)": "体温",
    "^下列(?![各哪关有除说属不])(?=[一-鿿]{4,12}不包括$)": "",
    "预防结种": "预防接种",
    "(?<=四肢)暧": "暖",
    "主动脉导管": "动脉导管",
    "(?:^|(?<=[，。；]))白(?=面部|颈部|上而下)": "自",
    # The dental sign for the surfaces that meet, which many a font lacks.
    "[（(]牙合[)）]|牙合(?=面|关系)": "𬌗",
    "^A[+]B[+]C[+]D$": "以上都是",
}
# The beginning of a text in which only blood is counted.
BLOOD = r"^((?![\s\S]*(?:脑脊液|腰穿|胸水|腹水|关节液|尿[红白沉]))[\s\S]*?)"
# Units in other letters, an l for a 1, and counts by a power that is another cell's or the blood's.
NUMBERS = {
    r"(?<=\d)\s?K[gG](?![A-Za-z])": "kg",
    r"(?<=m)moL(?=/)": "mol",
    r"(?<=\d)gμmol": "μmol",
    r"(?<=mmH)2(?=O)|(?<=P)2(?=[亢轻分增减])|(?<=[PS]aO)2|(?<=PaCO)2|(?<=CO)2(?=CP)": "₂",
    r"((?:T|体温)\s?3\d(?:\.\d)?)[Cc](?![A-Za-z])": r"\1℃",
    r"(?<=[一-鿿])l(?=[天日周月年岁h时次])|(?<=∶)l(?![A-Za-z])|(?<=×)l(?=0\d{1,2}/)": "1",
    rf"{BLOOD}((?:RBC|红细胞)[^，。；、,;\d]{{0,6}}\d(?:\.\d+)?\s*×\s*10)⁹": r"\1\2¹²",
    rf"{BLOOD}((?:WBC|白细胞)[^，。；、,;\d]{{0,6}}\d+\.\d+\s*×\s*10)⁶": r"\1\2⁹",
    r"(脑脊液[^。]{0,40}(?<![\d.])[1-9]\d*×10)⁹": r"\1⁶",
    # A rate of so many a minute without the word for beats or breaths.
    r"((?:呼吸|脉搏|心率|(?<![A-Za-z])[PR])\s?\d{2,3})\s?(?=/(?:分|min))": r"\1次",
}
MARKS = {
    STOP.pattern: "。",
    r"[，,]{2,}": "，",
    r"(?<=[一-鿿]);(?=[一-鿿])": "；",
    r"(?<=试验[（(])一(?=[)）])|(?<=征[（(])一(?=[)）])": "-",
    r"(?<=后)～(?=满)": "到",
    r"(?<=Rh)，(?=[Cc][Cc]D)": " ",
    # A finding begins, and the comma before it is lost; a purpose ends, and a full stop parts it from what is asked.
    r"(?<=mol/L)(?=血[钠钾钙氯糖])|(?<=[+＋][)）])(?=[红白]细胞|管型)": "，",
    r"(?<=咳嗽|流涕|呕吐)(?=口腔)|(?<=为重)(?=呈)": "，",
    r"(?<=[，。])(为[^，。；]{2,14})。(?=首选)": r"\1，",
    # A case that begins with the age of a child and names nobody.
    r"^(\d{1,2}个月|(?:[1-9]|1[0-3])岁)，(?![男女患])": r"小儿，\1，",
    # A range and "about" are one too many.
    r"(?<=[%gL])左右$": "",
    r"(?<=，)(该(?:时限|诊断))$": r"\1是",
}
CERTAIN = tuple((re.compile(wrong), right) for table in (WORDS, NUMBERS, MARKS) for wrong, right in table.items())
# A protein of plasma that can be albumin only, words that are none, and the answer of the question before in a stem.
BEYOND = re.compile(
    r"血浆(?:总)?蛋白[1-3]\d\s?g/L|哥拉|咽狭腔|下颌体腔|流行性脑炎|右叶有低密度|需要?[作做]的检查是[^，。]{1,8}，"
)


def put_right(text: str) -> str:
    """Write a stem or an option as it was meant, where no other reading can be.

    >>> put_right("胸骨左级闻及全收缩杂音，P2亢进，呼吸56/分，血压120∕80mmHg")
    '胸骨左缘闻及全收缩期杂音，P₂亢进，呼吸56次/分，血压120/80mmHg'
    """
    text = with_numbers_mended(text.translate(PLAIN))
    for wrong, right in CERTAIN:
        text = wrong.sub(right, text)
    return with_numbers_mended(text)


def is_beyond_mending(text: str) -> bool:
    """Tell whether a word or a value is misprinted, and what it was cannot be known.

    >>> is_beyond_mending("血浆蛋白25g/L"), is_beyond_mending("血浆白蛋白25g/L")
    (True, False)
    """
    return BEYOND.search(text) is not None
