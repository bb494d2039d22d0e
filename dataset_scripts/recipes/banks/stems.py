"""Stems of examination questions as they can stand by themselves: without what the paper around them left behind."""

from __future__ import annotations

import re
import tomllib
from functools import cache
from itertools import chain
from pathlib import Path

from dataset_scripts.recipes.banks.slips import put_right

WRONG_KEYS = Path(__file__).with_name("wrong_keys.toml")

SHARED = re.compile(r"^\s*[（(]\s*(?:第)?\d+\s*[～~-]\s*\d+\s*题共用(?:题干|备选答案)\s*[)）]\s*")
NUMBERED = re.compile(r"(?:(?<=^)|(?<=[。？?!！]))\s*[（(]?\d{1,3}\s*(?:[．、)）]|\.(?!\d))\s*(?=\D|\d+\s*[岁个])")
BLANK = re.compile(r"[（(]\s*[)）]|_{2,}|＿{2,}")
POWER = re.compile(r"([×xX*])10(\d{1,2})\s*(?=[/／](?:L|l|ml|mL|HP|h|H|d))")
RAISED = str.maketrans("0123456789", "⁰¹²³⁴⁵⁶⁷⁸⁹")
STOP = re.compile(r"(?<=[\u4e00-\u9fff）)])[.．](?=[\u4e00-\u9fff]|$)|(?<=\d[ckm][gm])\.(?=[\u4e00-\u9fff])")
CUBIC = re.compile(r"(?<=[cmdμ]m)([23])(?![\d\w.])")
GAS = re.compile(r"(?<=CO)2(?=\s?\d{2})|(?<=PaO)2(?=\s?\d{2})")
FIRST = re.compile(r"(?<=第)l(?=[一-鿿])")
# What a copy of a printed paper loses or mistakes: an l, I or O for a digit, a number's end, a misread character.
GARBLED = re.compile(
    r"(?<![A-Za-z/／])l|[/／]l[lIO\d]|\d[.．][lIO]|[lIO]\s*[.．]\s*\d|\d\s*[lIO](?![A-Za-z])|(?<![A-Za-z])[IO]\s*\d|Al[cC]|O波"
    r"|\d．(?!\d)|^\d+次/分，|\d[Cc](?=[，。；])|\d/mm(?![H³3])|血C3\d|。(?:\d+/\d+mmHg|肾病)|WH0|×\s*1\d\d/"
    r"|×\s*/|×10\s*/|×10\d(?!0*‰)|×10[⁰¹²³⁴⁵⁶⁷⁸⁹]+\s*g|×10[⁰¹²³⁴⁵⁶⁷⁸⁹]+\s*[a-z]?/?L?\d|\d[.．]\D?[.．]\d|\d\.\s+\D|[^\x00-\x7f]\.\d"
    r"|\d万\d|\d\|\d|\d[～~-]+\s*[～~-]|≤\s*≥|\?\d|[\ufffd□^]|nan|[,，]{2}|。。|[，、]。|[時期夜肋空][問问]|时问|问断|问歇|査|尝尝|对得"
    r"|[μµu]g/t|g?[μµ]mm|g[μµ]m|mml|mm1|Hg\d|(?<![\d.])(?:[2-9]|1\d)岁[男女]婴"
    # A station of the head without its number, an excess of bases without its sign.
    r"|(?<![A-Za-z])(?:S\s?[＋+](?!\s?\d)|BE\s?\d)|及与|与及"
)
# The beginning of a case is lost, the end of a sentence within it, or a character is another one.
TORN = (
    re.compile(r"^[\d.]+\s*(?:/\d|mm|[。，,×%％]|次/)"),
    re.compile(r"^[，,。、）)；;的和及与或]"),
    re.compile(r"[一-鿿\d]\d{1,2}．[一-鿿]"),
    re.compile("(?:主要|首选|最佳)的治[是为]$|周血白细[^胞]|查体。未"),
)
# Characters that copying mistakes for others that look like them, or loses.
MISREAD = re.compile(
    r"^引(?![起流产发导入])|[^吸诱牵导]引(?=[继原]发)|末(?=见|经|闻|触|予|明|诊|婚|孕|育|能|出现|查|行|曾|分化|满|愈|破|消)|[自溴知]已|己经"
    r"|[已巳](?=[烷酮糖]|烯)|哕音|暧|结种|[髄疓髙査囗卩]|阴遭|白百破|[心肾肺]哀|哀竭|肉痛，|执犁|暖气|(?:^|[。，；])体：|运动良(?:[。，]|$)"
    r"|[(（][一二][)）]|出院(?=颈|头|胸|腹|发热|咳)|度重大|片可多|门讨|症壮|腹账|茵痢|[^a-zA-Z]ll[^a-zA-Z]|[一-龥]\?[一-龥]|肾小球炎|Homer|活动变|[0O]波"
    r"|(?<!\d)(?![时天日周月岁年次分秒个])[一-龥，。（(]\s*[～~]\s*\d|\dg[μµm]mol"
    r"|\d岁(?=取|行|因)|μg/L(?=$|[，。；])(?<=肌酐\d{3}μg/L)"
    r"|最可能性是|—(?=次)|[RS]V\d{3}|霉索|射养性|汤洋|血拴|其量可能|布什征|便糖稀|给子治|造成这此|股沟斜|主动脉导管未闭|全收期|不小儿|[^，。；]月.{0,4}体温上升，皮肤"
)
UNIT = re.compile(r"\d\s*([A-Za-zμµ]+)\s*[/／]\s*(?:[LlI]|dl|ml|mL|h|d|min)(?![A-Za-z])")
UNITS = frozenset(
    "g|mg|μg|µg|ug|ng|pg|μgDFE|mol|mmol|μmol|µmol|umol|nmol|pmol|U|IU|mIU|mU|kU|ml|mL|l|L|dl|mEq|kg".split("|")  # noqa: SIM905
)
# Outside of GB 2312 are variants and misread characters, and these few that medicine needs.
NEEDED = frozenset("啰矇腘㖞锝癍羰嗳")
PRESSURE = re.compile(r"(\d+(?:\.\d+)?)\s*kPa\s*[（(]\s*(\d+(?:\.\d+)?)\s*mmHg")
MMHG = 7.5  # of one kPa
# Counts of blood cells whose power is another's, or whose point is lost; and two units that changed their places.
COUNTED = re.compile(
    r"(?P<cell>RBC|红细胞|WBC|白细胞|PLT|Plt|血小板)[^，。；、,;\dＨH]{0,6}(?P<value>\d+(?:\.\d+)?)\s*[×xX]\s*10(?P<power>[⁰¹²³⁴⁵⁶⁷⁸⁹]+)\s*[/／]\s*L"
)
RED = frozenset(("RBC", "红细胞"))
MOST_RED, MOST_OTHERS = 10, 1200  # of red cells in 10¹²/L, of white ones and platelets in 10⁹/L
# Red cells whose haemoglobin, number and size contradict each other by more than a seventh: a number is spoilt.
HAEMOGLOBIN = re.compile(r"(?:Hb|HGB|血红蛋白)[^，。；、,;\d]{0,6}(\d+(?:\.\d+)?)\s*g[/／]L")
RED_CELLS = re.compile(r"(?:RBC|红细胞)[^，。；、,;\d]{0,6}(\d+(?:\.\d+)?)\s*[×xX]\s*10¹²")
VOLUME = re.compile(r"MCV[^，。；、,;\d]{0,4}(\d+(?:\.\d+)?)")
MASS = re.compile(r"MCH(?!C)[^，。；、,;\d]{0,4}(\d+(?:\.\d+)?)")
CONCENTRATION = re.compile(r"MCHC[^，。；、,;\d]{0,4}(\d+(?:\.\d+)?)")
OFF = 0.15
SWAPPED = re.compile(r"MCV[^，。、]{0,3}?\d+(?:\.\d+)?\s*pg|MCH[^C，。、]{0,3}?\d+(?:\.\d+)?\s*f[lL]")
# Cells that no cerebrospinal fluid has, and a dose of a medicine by volume.
MISMEASURED = re.compile(
    r"脑脊液[^。]{0,40}(?<![\d.])[1-9]\d*(?:\.\d+)?×10⁹/L|胃酸分泌量[^，。]{0,12}mmol/L|淀粉酶\s?\d+\s?[uU](?![\w/／])|(?:负荷|维持|冲击|首剂)量[^，。]{0,6}m[lL]/kg"
)
PICTURE = re.compile(r"图中|如图|下图|图所示|见图|图示的|表中|下表|如下表")
# What was found on examining a patient; a complaint alone leaves open which of several diseases it is.
EXAMINED = re.compile(
    r"查体|体检|检查|X线|胸片|平片|CT|MRI|磁共振|B超|超声|造影|心电图|镜|活检|穿刺|病理|涂片|培养|化验|血象|血常规|血压|BP|(?<!基础)体温|T\s?\d|WBC|Hb"
    r"|血红蛋白|白细胞|血小板|尿蛋白|[＋+]|[阳阴]性|压痛|反跳痛|叩击痛|[啰罗]音|杂音|肋下|[触扪]及|叩诊|听诊|试验|mmol|mmHg|g/L|次/分"
)
CLAUSE = re.compile(r"[^，。；,;：:]*$")
ENDS = " 　：:。．.，,；;？?"  # behind what is asked
PATIENT_FIRST = re.compile(
    r"(?:患者|病人|病例|患儿|产妇|孕妇|男|女|[初经]产?孕?妇|某[男女患病]|一[名位例患]|青年|中年|老年|早产|足月|新生儿|婴儿|小儿|幼儿|儿童|学生"
    r"|工人|农民|\d+(?:\.\d+)?\s*(?:岁|个?月|天|周|日龄))"
)


def mended(stem: str) -> str:
    """Take numbers of a paper and blanks off a stem, and raise and lower the digits that lost their place.

    >>> mended("2．男，18岁。WBC 16×109/L。1．最可能的诊断是（  ）")
    '男，18岁。WBC 16×10⁹/L。最可能的诊断是'
    """
    bare = BLANK.sub("", NUMBERED.sub("", SHARED.sub("", stem.strip())))
    return with_numbers_mended(STOP.sub("。", put_right(bare)))


def with_numbers_mended(text: str) -> str:
    """Raise powers of ten, lower the 2 of PaCO₂ that stands at its value, and read 第l as 第1: an option has no more.

    >>> with_numbers_mended("1、2胎，WBC 16×109/L")
    '1、2胎，WBC 16×10⁹/L'
    """
    text = CUBIC.sub(lambda found: found[1].translate(RAISED), text.replace("✕", "×"))
    text = GAS.sub("₂", FIRST.sub("1", text))
    return POWER.sub(lambda found: f"{found[1]}10{found[2].translate(RAISED)}", text).strip()


def is_sound(text: str) -> bool:
    """Tell whether a mended text has lost nothing that can be seen, and refers to no picture."""
    if any(wrong.search(text) for wrong in (GARBLED, MISREAD, PICTURE, SWAPPED, MISMEASURED)):
        return False
    if not all(map(_can_be_counted, COUNTED.finditer(text))) or not _red_cells_agree(text):
        return False
    if any(unit not in UNITS for unit in UNIT.findall(text)) or any(map(is_odd, text)):
        return False
    pairs = [(float(found[1]) * MMHG, float(found[2])) for found in PRESSURE.finditer(text)]
    return all(abs(one - other) <= 0.1 * other for one, other in pairs)


def is_torn(stem: str) -> bool:
    """Say whether a part of a mended stem is missing.

    >>> is_torn("160/110mmHg，尿蛋白（++）"), is_torn("28岁初产妇，妊娠39周")
    (True, False)
    """
    return any(pattern.search(stem) for pattern in TORN)


def asked_clause(stem: str) -> tuple[str, str]:
    """Part a stem into what goes before its last clause, and the clause, which asks.

    >>> asked_clause("女，30岁。停经50天，最可能的诊断是（  ）")
    ('女，30岁。停经50天，', '最可能的诊断是')
    """
    whole = stem.rstrip(f"{ENDS}（）()")
    start = found.start() if (found := CLAUSE.search(whole)) else len(whole)
    return whole[:start], whole[start:]


def begins_with_a_patient(text: str) -> bool:
    """Tell whether the beginning of a case is there: banks cut long ones at either end."""
    return PATIENT_FIRST.match(text) is not None


def is_examined(text: str) -> bool:
    """Tell whether a case says what was found on the patient, beside what they complain of.

    >>> is_examined("女，49岁，右乳肿块，无痛。"), is_examined("女，49岁，右乳肿块，活检见癌细胞。")
    (False, True)
    """
    return EXAMINED.search(text) is not None


def is_odd(sign: str) -> bool:
    """Tell whether a character is a variant or a misreading rather than one that is used here."""
    if not "\u4e00" <= sign <= "\u9fff" or sign in NEEDED:
        return False
    try:
        sign.encode("gb2312")
    except UnicodeEncodeError:
        return True
    return False


def _can_be_counted(found: re.Match[str]) -> bool:
    """Tell whether a count can be one; of white cells in 10⁶/L, as in cerebrospinal fluid, there is no part of one."""
    value, power = float(found["value"]), found["power"]
    if found["cell"] in RED:
        return (power == "¹²" and value <= MOST_RED) or (power == "⁶" and "." not in found["value"])
    return (power == "⁹" and value <= MOST_OTHERS) or (power == "⁶" and "." not in found["value"])


def _red_cells_agree(text: str) -> bool:
    """Tell whether the indices of red cells follow from each other, as far as they are given.

    >>> _red_cells_agree("Hb70g/L，RBC3.6×10¹²/L，MCH23pg"), _red_cells_agree("Hb70g/L，RBC3.6×10¹²/L，MCH19pg")
    (False, True)
    """
    haemoglobin, cells, volume, mass = (
        float(found[1]) if (found := pattern.search(text)) else None
        for pattern in (HAEMOGLOBIN, RED_CELLS, VOLUME, MASS)
    )
    if haemoglobin and cells and mass and abs(haemoglobin / cells - mass) > OFF * mass:
        return False
    if volume and mass and (found := CONCENTRATION.search(text)):
        share = float(found[1])
        while share > 1:  # given in percent, or in g/L
            share /= 10
        return abs(mass / volume - share) <= OFF * share
    return True


@cache
def errata(file: Path) -> frozenset[str]:
    """Give the names that a list of what was read and found wrong has under any of its reasons."""
    return frozenset(chain.from_iterable(tomllib.loads(file.read_text(encoding="utf-8")).values()))


def wrong_keys() -> frozenset[str]:
    """Give the digests of questions that were read and found wrong."""
    return errata(WRONG_KEYS)
