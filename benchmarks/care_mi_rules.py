"""CARE-MI's steps 1 to 4 by rule over MEDQA and MLEC-QA sized files, and its search for words beside a naive one."""

from __future__ import annotations

import json
import random
import tempfile
from itertools import product
from pathlib import Path

import timing

from dataset_scripts.recipe import SourceFile
from dataset_scripts.recipes.care_mi.sampling import Sampled, sample
from dataset_scripts.recipes.care_mi.settings import Settings
from dataset_scripts.recipes.care_mi.topics import our_topic
from dataset_scripts.rounds.rounds import Rounds
from medzh_score.text.folding import fold

MEDQA, MLEC = 34_251, 136_236  # questions, as in the paper's Table 1 and in MEDQA's part from mainland China
TOPICAL, SEED, REPEATS = 0.08, 11, 3  # of Apollo's questions of MEDQA about a tenth hold a word
SETTINGS = Settings(rules_only=True)
WHO = ("男，45岁。", "女，62岁。", "患者，男，50岁。", "患者，女，38岁。", "")
WHAT = (
    "反复上腹痛3年，加重1周",
    "发热、咳嗽5天，胸痛1天",
    "多饮、多尿半年，体重下降",
    "头晕、乏力伴面色苍白2个月",
    "心悸、气短1年",
)
FOUND = (
    "查体：血压150/95mmHg",
    "查体：心率110次/分",
    "实验室检查：血红蛋白85g/L",
    "腹部平软，肝脾未触及",
    "X线胸片示右下肺阴影",
)
ASKS = (
    "最可能的诊断是",
    "首选的治疗药物为",
    "最有价值的检查是（    ）",
    "该病多见于",
    "下列哪项处理正确",
    "此时应选用",
)
PARTS = (
    ("急性", "慢性", "原发性", "继发性"),
    ("胃", "肺", "肝", "肾", "心", "脑"),
    ("炎", "溃疡", "出血", "梗死", "肿瘤"),
)
NAMES = tuple(map("".join, product(*PARTS)))


def main() -> None:
    """Measure and print."""
    files = written()
    made: list[Sampled] = []

    def steps() -> None:
        with tempfile.TemporaryDirectory() as folder:
            made.append(sample(files, our_topic(), SETTINGS, SEED, Rounds(Path(folder))))

    steps_s = min(timing.seconds(steps) for _ in range(REPEATS))
    texts = [(text, *options) for text, options in questions(MEDQA + MLEC)]
    words, blank = sorted(our_topic().words), our_topic().blank

    def ours() -> list[bool]:
        return [our_topic().found_in(*each) for each in texts]

    def rival() -> list[bool]:
        return [naive(each, words, blank) for each in texts]

    ours_s, rival_s, ratio = timing.interleaved(ours, rival, 1)
    equal = ours() == rival()
    sizes = {"questions": len(texts), "on_the_topic": sum(ours()), "samples": len(made[0].samples)}
    more = {**sizes, "steps_1_to_4_s": round(steps_s, 3)}
    timing.report("care_mi_rules", ours_s, "a naive scan", rival_s, ratio, equal=equal, **more)


def naive(each: tuple[str, ...], words: list[str], blank: tuple[str, ...]) -> bool:
    """Look for one word after the other in one text after the other."""
    for text in each:
        bare = fold(text)
        for inside in blank:
            bare = bare.replace(inside, "\n")
        if any(word in bare for word in words):
            return True
    return False


def questions(count: int) -> list[tuple[str, list[str]]]:
    """Make questions, no two alike, of which some hold a word of the topic."""
    draw = random.Random(SEED)  # noqa: S311 - a benchmark
    words = sorted(our_topic().words)
    rows = []
    for number in range(count):
        about = f"{draw.choice(words)}，" if draw.random() < TOPICAL else ""
        case = f"{draw.choice(WHO)}{draw.choice(WHAT)}，病历号{number}。{about}{draw.choice(FOUND)}。"
        rows.append((f"{case}{draw.choice(ASKS)}", draw.sample(NAMES, 5)))
    return rows


def written() -> dict[str, SourceFile]:
    """Write them in the forms of the two banks."""
    folder = Path(tempfile.mkdtemp())
    rows = questions(MEDQA + MLEC)
    medqa = [
        json.dumps({"question": text, "options": dict(zip("ABCD", options, strict=False)), "answer_idx": "B"})
        for text, options in rows[:MEDQA]
    ]
    mlec = [
        {
            "qid": str(number),
            "qtype": "A1型题",
            "qtext": text,
            "options": dict(zip("ABCDE", options, strict=True)),
            "answer": "C",
        }
        for number, (text, options) in enumerate(rows[MEDQA:])
    ]
    contents = {"medqa-mainland-train": "\n".join(medqa), "mlec-clinic-train": json.dumps(mlec)}
    files = {}
    for name, text in contents.items():
        path = folder / name
        path.write_text(text, encoding="utf-8")
        files[name] = SourceFile(name, path, "0" * 64, pinned=False)
    return files


if __name__ == "__main__":
    main()
