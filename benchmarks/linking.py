"""Names of diseases linked in 1,622 texts by a dictionary of 36,000, beside a naive scan for each name in each text."""

from __future__ import annotations

import json
import random
import time
from pathlib import Path

import timing

from medzh_score.terminology.disease_names import Dictionary, dictionary_of, our_dictionary
from medzh_score.terminology.icd10 import icd10
from medzh_score.text.fold import fold_disease_name

TEXTS, NAMES, SEED, REPEATS = 1_622, 36_000, 7, 3
SAMPLE = Path(__file__).resolve().parent.parent / "dataset_scripts" / "mini" / "cmhe_dd"
# Parts from which names are put together, of the lengths that the national edition has.
WHEN = ("", "急性", "慢性", "亚急性", "复发性", "先天性", "继发性", "原发性", "特发性", "外伤性", "药物性", "老年性")
WHERE = (
    "心", "肝", "脾", "肺", "肾", "胃", "脑", "骨", "皮肤", "鼻窦",
    "中耳", "角膜", "视网膜", "甲状腺", "胰腺", "胆囊", "膀胱", "前列腺", "子宫", "卵巢",
    "乳腺", "食管", "十二指肠", "结肠", "直肠", "脊髓", "关节", "淋巴结", "腹膜", "胸膜",
)  # fmt: skip
WHAT = (
    "炎", "溃疡", "出血", "梗死", "结石", "囊肿", "息肉", "脓肿", "穿孔", "狭窄", "坏死", "纤维化",
    "恶性肿瘤", "良性肿瘤",
    "结核", "损伤", "畸形", "功能不全", "综合征", "水肿",
)  # fmt: skip
BESIDE = ("", "伴感染", "伴出血", "伴穿孔", "伴梗阻", "后遗症")


def main() -> None:
    """Measure and print."""
    started = time.perf_counter()
    dictionary = made()
    loading = time.perf_counter() - started
    texts = answers(dictionary)
    forms = [fold_disease_name(text) for text in texts]
    longest_first = sorted(dictionary.forms, key=lambda form: (-len(form), form))

    def ours() -> list[list[str]]:
        return [[mention.code for mention in dictionary.mentions(text, fold_disease_name(text))] for text in texts]

    def rival() -> list[list[tuple[int, str]]]:
        return [naive(form, longest_first) for form in forms]

    equal = all(
        sorted((mention.start, form[mention.start : mention.end]) for mention in dictionary.mentions(text, form))
        == found
        for text, form, found in zip(texts, forms, rival(), strict=True)
    )
    ours_s, rival_s, ratio = timing.interleaved(ours, rival, REPEATS)
    size = {"names": len(dictionary.forms), "texts": len(texts), "loading_s": round(loading, 3)}
    timing.report("linking", ours_s, [timing.Rival("a naive scan", rival_s, ratio)], equal=equal, **size)


def made() -> Dictionary:
    """Put 36,000 names together, each with the code of some category."""
    draw = random.Random(SEED)  # noqa: S311 - a benchmark
    names = [when + where + what + beside for beside in BESIDE for when in WHEN for where in WHERE for what in WHAT]
    kept = draw.sample(names, NAMES - len(our_dictionary().forms))
    categories = list(icd10().places)
    rows = [(categories[index % len(categories)], name) for index, name in enumerate(kept)]
    rows += [(code, name) for meanings in our_dictionary().meanings for name, code in meanings.items()]
    return dictionary_of(rows, "made")


def answers(dictionary: Dictionary) -> list[str]:
    """Make texts of the sample's descriptions and predictions, with a few names in each."""
    draw = random.Random(SEED)  # noqa: S311 - a benchmark
    pieces = [
        json.loads(line)[field]
        for file, field in (("CMHE-DD.jsonl", "description"), ("predictions.jsonl", "prediction"))
        for line in (SAMPLE / file).read_text(encoding="utf-8").splitlines()
    ]
    pieces = [piece for piece in pieces if piece and "<" not in piece]
    texts = []
    for _ in range(TEXTS):
        *named, other = draw.choices(dictionary.forms, k=4)
        texts.append(f"诊断：{'、'.join(named)}。{draw.choice(pieces)}不考虑{other}。")
    return texts


def naive(form: str, longest_first: list[str]) -> list[tuple[int, str]]:
    """Look for every name, the longest first at each place, as the automaton does: leftmost, then longest."""
    places: dict[int, str] = {}
    for name in longest_first:
        start = form.find(name)
        while start >= 0:
            places.setdefault(start, name)
            start = form.find(name, start + 1)
    found, end = [], 0
    for start in sorted(places):
        if start >= end:
            found.append((start, places[start]))
            end = start + len(places[start])
    return found


if __name__ == "__main__":
    main()
