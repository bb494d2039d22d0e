"""37,516 explanations of 9,909 concepts masked, beside a loop of one substitution a name over the folded text."""

from __future__ import annotations

import json
import random
import re
import unicodedata
from pathlib import Path

import timing

from medzh_score.text.fold import fold_concept_name
from medzh_score.text.masking import forms_of, masked

SIZES = {"药物": (1_753, 4), "疾病": (7_096, 4), "医学检查": (1_060, 2)}  # of Table 1: concepts, and questions on each
SEED, REPEATS = 7, 1  # the rival takes most of a minute
SAMPLE = Path(__file__).resolve().parent.parent / "dataset_scripts" / "mini" / "cmhe_ce" / "predictions.jsonl"
# Parts from which names are put together: Chinese ones, Latin ones and abbreviations, as MeSH has them.
WHEN = ("", "急性", "慢性", "先天性", "继发性", "原发性", "特发性", "遗传性")
WHERE = ("心", "肝", "肺", "肾", "胃", "脑", "骨", "甲状腺", "胰腺", "前列腺", "淋巴", "视网膜")
WHAT = ("炎", "纤维化", "狭窄", "综合征", "功能不全", "肿瘤", "贫血", "显像", "抑制剂", "素")
LATIN = ("Cardio", "Hepato", "Nephro", "Gastro", "Neuro", "Osteo", "Thyro", "Pancreato", "Lympho", "Retino")
ENDS = ("pathy", "sclerosis", "graphy", "stenosis", "megaly", "mycin", "statin")
OTHERS = ("symptoms", "MRI 检查", "IL-6", "维生素B12", "HbA1c", "pH 7.4", "plasma cells")
GAP = r"[ \-’']*"
LEFT, RIGHT = r"(?<![a-z0-9])", r"(?:e?s)?(?![a-z0-9])"

Concept = tuple[tuple[str, ...], str]


def main() -> None:
    """Measure and print."""
    draw = random.Random(SEED)  # noqa: S311 - a benchmark
    asked = [
        (concept, text)
        for label, (count, questions) in SIZES.items()
        for number in range(count)
        for concept in [(names(draw, number), label)]
        for text in explanations(draw, concept[0], questions)
    ]

    def ours() -> list[str]:
        forms_of.cache_clear()
        return [masked(text, forms_of(called, label), label).text for (called, label), text in asked]

    def rival() -> list[str]:
        return [substituted(text, called, label) for (called, label), text in asked]

    # By a name's folded form a rival cannot see where words end: it masks the same text with spaces and dashes in it.
    pairs = list(zip(ours(), rival(), strict=True))
    equal = all(fold_concept_name(mine) == fold_concept_name(theirs) for mine, theirs in pairs)
    ours_s, rival_s, ratio = timing.interleaved(ours, rival, REPEATS)
    size = {"explanations": len(asked), "characters": sum(len(text) for _, text in asked)}
    masks = sum(mine != text for (mine, _), (_, text) in zip(pairs, asked, strict=True))
    size |= {"masked": masks}
    timing.report("masking", ours_s, [timing.Rival("a substitution a name", rival_s, ratio)], equal=equal, **size)


def names(draw: random.Random, number: int) -> tuple[str, ...]:
    """Put the names of a concept together: two to six Chinese ones, two Latin ones and an abbreviation."""
    chinese = [
        draw.choice(WHEN) + draw.choice(WHERE) + draw.choice(WHERE) + draw.choice(WHAT)
        for _ in range(draw.randint(2, 6))
    ]
    latin = [f"{draw.choice(LATIN)}-{draw.choice(LATIN).lower()}{draw.choice(ENDS)} {number}" for _ in range(2)]
    return (*chinese, *latin, "".join(draw.choices("ABCDEFGHKLMNPRSTVXYZ", k=draw.randint(3, 5))))


def explanations(draw: random.Random, called: tuple[str, ...], questions: int) -> list[str]:
    """Make texts of the sample's predictions, with names in any width and case, or none, and Latin words around."""
    made = []
    for _ in range(questions):
        pieces = draw.choices(PIECES, k=4)
        for _ in range(draw.randint(0, 5)):
            pieces.insert(draw.randrange(len(pieces)), written(draw, draw.choice(called)))
        made.append("，".join([*pieces, draw.choice(OTHERS)]))
    return made


def written(draw: random.Random, name: str) -> str:
    """Write a name as models do: as it is, in capitals, in full width, with a space for a dash, inside a word."""
    wide = "".join(chr(ord(sign) + 0xFEE0) if "!" <= sign <= "~" else sign for sign in name)
    return draw.choice((name, name, name.upper(), wide, name.replace("-", " "), f"{name}x", f"（{name.lower()}）"))


def substituted(text: str, called: tuple[str, ...], label: str) -> str:
    """Mask as a reader would write it down: one width, one case, then each name with a pattern of its own."""
    shown = unicodedata.normalize("NFKC", text).casefold()
    for name in sorted(called, key=lambda name: -len(fold_concept_name(name))):
        signs = fold_concept_name(name)
        latin = signs[0] < "\u2000", signs[-1] < "\u2000"
        pattern = GAP.join(map(re.escape, signs))
        shown = re.sub((LEFT if latin[0] else "") + pattern + (RIGHT if latin[1] else ""), label, shown)
    return shown


PIECES = [
    piece
    for line in SAMPLE.read_text(encoding="utf-8").splitlines()
    if (piece := json.loads(line)["prediction"]) and "<" not in piece
]

if __name__ == "__main__":
    main()
