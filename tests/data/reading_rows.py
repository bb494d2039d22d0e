"""Responses whose reading was asked for one by one, each by the public function of its kind; written for this."""

from __future__ import annotations

import labels
from labels import Row

# Which drug is given first in anaphylaxis?
DRUGS = ("地塞米松", "肾上腺素", "异丙嗪", "多巴胺", "葡萄糖酸钙")
BLOOD_GROUPS = ("A", "B", "AB", "O")  # of one who may give red cells to all: the texts are letters
CLASSES = ("A", "B", "C", "D", "X")  # of drugs in pregnancy
VITAMINS = (
    "维生素A",
    "维生素B1",
    "维生素B2",
    "维生素B6",
    "维生素B12",
    "维生素C",
    "维生素D",
    "维生素E",
    "维生素K",
    "叶酸",
    "烟酸",
)
ALPHABET = tuple(f"第{number}肋间" for number in range(1, 27))


def _letters(text: str, label: str | None, options: tuple[str, ...] | None = DRUGS, **more: object) -> Row:
    return Row("", "letters", text, label, options=options, **more)  # type: ignore[arg-type]


def _several(text: str, label: str | None, options: tuple[str, ...] = DRUGS) -> Row:
    return _letters(text, label, options, several=True)


def _of(kind: str, text: str, label: object, **more: object) -> Row:
    return Row("", kind, text, label, **more)  # type: ignore[arg-type]


BRACKETS = (
    "<B>",
    "＜B＞",
    "(B)",
    "（B）",
    "【B】",
    "[B]",
    "《B》",
    "「B」",
    "**B**",
    "`B`",
    r"\boxed{B}",
    r"$\boxed{B}$",
)
ASKED_FOR = [
    *(_letters(f"答：{bracketed}", "B") for bracketed in BRACKETS),
    *(_letters(bracketed, "B") for bracketed in BRACKETS),
    _letters("答：<B>", "B"),
    _letters("< B. 肾上腺素>", "B"),
    _letters("＜B. 肾上腺素＞", "B"),
    _letters("<B. 肾上腺素>", "B"),
    _letters("<答案：B>", "B"),
    _letters("过敏性休克应立即肌内注射肾上腺素。\n\n<B>", "B"),
    _letters("<B>\n\n解析：肾上腺素收缩血管，舒张支气管。", "B"),
    _letters("<B>\n<B>", "B"),
    _several("<ABCE>", "ABCE"),
    _several("<A, C>", "AC"),
    _several("<A、C、E>", "ACE"),
    _several("＜ABCE＞", "ABCE"),
    # a set behind 答案 is never cut to its first letter, also where one was asked for
    _several("答案：A、C、D", "ACD"),
    _several("答案：ACD", "ACD"),
    _several("答案是A和C。", "AC"),
    _several("答案为：A，C，D。", "ACD"),
    _several("正确答案：A C D", "ACD"),
    _letters("答案：A、C、D", "ACD"),
    _letters("答案：ACD", "ACD"),
    _letters("<ABCE>", "ABCE"),
    # an analysis that opens so commits itself to nothing there
    _letters("选项A，地塞米松起效慢，可作为辅助用药。选项B，肾上腺素能迅速缓解支气管痉挛。", None),
    _letters("选项A，地塞米松起效慢。选项B，肾上腺素起效快。因此，答案是B。", "B"),
    _letters("选项A，地塞米松属于糖皮质激素，", None),
    # options whose texts are letters: a label is meant where labels are used
    _letters("D", "D", BLOOD_GROUPS),
    _letters("答案：D", "D", BLOOD_GROUPS),
    _letters("答案：<B>", "B", BLOOD_GROUPS),
    _letters("答案：D. O", "D", BLOOD_GROUPS),
    _letters("答案：E", "E", CLASSES),
    _letters("选E。", "E", CLASSES),
    _letters("选项E. X", "E", CLASSES),
    # any number of options
    _letters("答案：K", "K", VITAMINS),
    _letters("答案：I", "I", VITAMINS),
    _letters("<K>", "K", VITAMINS),
    _letters("叶酸", "J", VITAMINS),
    _letters("维生素C", "F", VITAMINS),
    _letters("答案：维生素C", "F", VITAMINS),
    _several("答案：CEK", "CEK", VITAMINS),
    _letters("答案：L", None, VITAMINS),
    _letters("答案：Z", "Z", ALPHABET),
    _letters("答案：F", None),
    _letters("答案：B", "B", None),
    _several("答案：ACD", "ACD", None),  # type: ignore[arg-type]
    # the last sentence names one option by its text and no other; an option is said to be right
    _letters("过敏性休克首先要升压、解痉。因此，抢救时的首选药物是肾上腺素。", "B"),
    _letters("选项B“肾上腺素”最符合题意。", "B"),
    _letters("经过比较，备选答案B是正确答案。", "B"),
    # what is asked for decides what a wrong option means
    _letters("选项C是不正确的。", "C", question="关于过敏性休克的抢救，下列说法不正确的是"),
    _letters("选项C是不正确的。", None, question="抢救过敏性休克的首选药物是"),
    _letters("错误的是C。", None, question="抢救过敏性休克的首选药物是"),
    _letters("错误的是C。", "C", question="关于过敏性休克的抢救，下列说法不正确的是"),
    # nothing is read from what is repeated, refused or supposed
    _letters("A. 地塞米松\nB. 肾上腺素\nC. 异丙嗪\nD. 多巴胺\nE. 葡萄糖酸钙", None),
    _letters("抱歉，我无法回答这个问题。", None),
    _letters("如果选A，就错了。", None),
    _letters("请按“答案：B”的格式回答。", None),
    _letters("答案是A还是B？", None),
    _letters("答案：A。不对，应该是B。", "B"),
    _letters("答案：A。综上，答案：B。", None),
    _letters("", None),
    # verdicts
    _of("verdict", "是的，如果您有其他问题，请随时告诉我。", None),
    _of("verdict", "是的，如果您还有疑问，欢迎继续咨询。", None),
    _of("verdict", "该表述或做法是正确的。", "correct"),
    _of("verdict", "这种表述或做法是正确的，糖尿病患者应当定期检查眼底。", "correct"),
    _of("verdict", "该表述或做法是不正确的。", "incorrect"),
    _of("verdict", "这句话是错误的，胰岛素由胰岛β细胞分泌。", "incorrect"),
    _of("verdict", "该观点不成立。", "incorrect"),
    _of("verdict", "该陈述成立。", "correct"),
    _of("verdict", "这个描述是对的。", "correct"),
    _of("verdict", "这个说法有误，应该是左心室。", "incorrect"),
    _of("verdict", "Supported", "correct"),
    _of("verdict", '{"verdict": "Refuted", "justification": "阑尾位于右下腹。"}', "incorrect"),
    # yes or no
    _of("yes_no", "是的。", "yes", spoken=True),
    _of("yes_no", "不会，接种后仍有少数人会得流感，但多为轻症。", "no", spoken=True),
    _of("yes_no", "Yes", "yes"),
    _of("yes_no", "No", "no"),
    _of("yes_no", "抱歉，我无法判断。", None, spoken=True),
    # diagnoses
    _of("diagnosis", "诊断：急性阑尾炎", ("急性阑尾炎",)),
    _of("diagnosis", "初步诊断：1. 2型糖尿病；2. 高血压", ("2型糖尿病", "高血压")),
    _of("diagnosis", "可能患有急性阑尾炎，建议就医。", None),
    _of("diagnosis", "诊断：急性阑尾炎（已排除）", None),
    # scores
    _of("score", "评分：[[7]]", 7.0, scale=(1, 10)),
    _of("score", "总分：8.5分", 8.5, scale=(0, 10)),
    _of("score", "准确性：4\n完整性：5\n流畅性：3", None, scale=(1, 5)),
    _of("score", "评分：12", None, scale=(0, 10)),
]
UNFINISHED = (
    "<think>\n要求的格式是“答案：A”。题目问首选药物，肾上腺素起效最快，所以答案是B",
    "<think>答案：B",
    "<think>\n参考答案：B。\n下面逐项分析",
)
GROUPS = [
    ("1. 【答案】D <eoa>\n2. 【答案】B <eoa>\n3. 【答案】A <eoa>", 3, ("D", "B", "A")),
    ("（1）【答案】 C <eoa>\n（2）【答案】 D <eoa>", 2, ("C", "D")),
    ("1.A 2.C 3.B", 3, ("A", "C", "B")),
    ("【答案】F A E C G <eoa>", 5, ("F", "A", "E", "C", "G")),
    ("<think>\n1. 答案：A\n2. 答案：B", 2, (None, None)),
    ("抱歉，我无法回答。", 2, (None, None)),
]


def rows() -> list[Row]:
    """Give all that are read one by one, numbered."""
    import dataclasses

    unfinished = [Row("", kind, text, None, options=DRUGS, spoken=True) for text in UNFINISHED for kind in labels.KINDS]
    return [dataclasses.replace(row, id=f"row-{number:03d}") for number, row in enumerate((*ASKED_FOR, *unfinished))]
