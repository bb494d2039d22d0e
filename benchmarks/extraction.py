"""How many answers a second the rules of verdicts and choices read on one core, texts all different, caches empty.

A rule joins by standing in one of the configs, on texts made of that config's sample predictions.
"""

from __future__ import annotations

import json
import random
import re
import statistics
import sys
import time
from pathlib import Path
from typing import TYPE_CHECKING

import dataset_scripts
from dataset_scripts.desk import ROUNDS, Desk
from dataset_scripts.recipe import SourceFile, dataset
from medzh_score.config import Rule, find_config
from medzh_score.extraction import diagnosis

if TYPE_CHECKING:
    from medzh_score.config import Asked, Config

MINI = Path(dataset_scripts.__file__).parent / "mini"
CONFIGS = ("sdak", "tcmd", "cmhe_ce", "cmhe_hd", "pemebench_medqa")
DIAGNOSES = "cmhe_dd"  # whose rules link codes; here the diagnosis is read as it is written
DIAGNOSIS = Rule("diagnosis", "the diagnosis as it is written", lambda text, side, _: (diagnosis.read(text, side),))
CHOICES = ("tcmd", "pemebench_medqa")  # configs whose answers are labels of options
STATEMENTS = ("答案：{}", "**答案：{}**\n", "故选{}", "因此，答案是{}", "正确答案是{}", "选{}", "答案：{}\n")
STATES = re.compile(r"[A-Za-z0-9Ａ-Ｚ０-９*<#【“]|答案|选|对|错|不是|而非|题|确定|无法|不能|抱歉|请|格式|\A\s+\Z")
SHORT = 50  # characters, below which clauses begin anywhere
LENGTHS, TEXTS, REPEATS, SEED = (150, 10), 10_000, 3, 20260101


def answers_a_second() -> dict[str, dict[str, int]]:
    """Measure every rule of the configs at every length, in seconds of the processor."""
    return {
        f"{name} {rule.name}": {form: speed(rule, *made) for form, made in by_form.items()}
        for name in (*CONFIGS, DIAGNOSES)
        for config in (find_config(name),)
        for by_form in ({form: (said, alone(config)) for form, said in forms(name).items()},)
        for rule in ((DIAGNOSIS,) if name == DIAGNOSES else config.rules)
    }


def forms(name: str) -> dict[str, list[str]]:
    """Make the texts of a config: mixed ones, which state many answers, and of choices those that state one."""
    made = {f"{length} characters": texts(name, length) for length in LENGTHS}
    if name in CHOICES:
        made |= {f"{length} characters, one answer": stating_one(name, length) for length in LENGTHS}
    return made


def speed(rule: Rule, said: list[str], asked: list[Asked]) -> int:
    """Give the median of the repeats, in answers a second."""
    jobs = [(text, asked[place % len(asked)].side) for place, text in enumerate(said)]
    taken = []
    for _ in range(REPEATS):
        forget()
        start = time.process_time()
        for text, side in jobs:
            rule.read(text, side, 0)
        taken.append(time.process_time() - start)
    return round(len(jobs) / statistics.median(taken))


def alone(config: Config) -> list[Asked]:
    """Give what a config's sample asks about one record at a time."""
    recipe = dataset(config.name).recipe("mini")
    files = {name: SourceFile(name, path, "0" * 64, pinned=True) for name, path in recipe.embedded.items()}
    records = list(recipe.make(files, 0, Desk(ROUNDS / config.name)).splits["test"])
    return [one for one in config.asked(records, config.layout(records)) if len(one.members) == 1]


def texts(name: str, length: int) -> list[str]:
    """Make texts of up to a length, no two alike: the start of a sample prediction, then clauses of others."""
    draw = random.Random(SEED)  # noqa: S311 - a benchmark
    said, clauses = _said(name), _clauses(name)
    made: dict[str, None] = {}
    while len(made) < TEXTS:
        text = draw.choice(said)[: draw.randint(2, max(length // 5, 10))]
        while len(text) < length:
            clause = draw.choice(clauses)
            text += clause[draw.randrange(len(clause)) :] if length < SHORT else clause
        made[text[:length]] = None
    return list(made)


def _said(name: str) -> list[str]:
    sample = MINI / name / "predictions.jsonl"
    return [json.loads(line)["prediction"] for line in sample.read_text(encoding="utf-8").splitlines()]


def _clauses(name: str) -> list[str]:
    return [clause for text in _said(name) for clause in re.split(r"(?<=[。，；\n])", text) if clause]


def stating_one(name: str, length: int) -> list[str]:
    """Make texts of up to a length, no two alike, that state one label as most models do, before prose or after.

    The prose is that of the sample predictions without what states an answer, doubts or refuses.
    """
    draw = random.Random(SEED)  # noqa: S311 - a benchmark
    clauses = [clause.strip() for clause in _clauses(name) if not STATES.search(clause)]
    made: dict[str, None] = {}
    while len(made) < TEXTS:
        statement = draw.choice(STATEMENTS).format(draw.choice("ABCD"))
        front = draw.random() < 0.5
        prose = ""
        while len(prose) < length:
            clause = draw.choice(clauses)
            prose += clause if length > SHORT else clause[draw.randrange(len(clause)) :]
        prose = prose[: max(0, length - len(statement) - 2)].strip("，。；：、")
        ends = "" if statement.endswith("\n") else "。"
        made[f"{statement}{ends}{prose}。" if front else f"{prose}。{statement.strip()}"] = None
    return list(made)


def forget() -> None:
    """Empty the caches of all rules, so that each repeat starts as a user does."""
    for module in [module for name, module in sys.modules.items() if name.startswith("medzh_score.extraction")]:
        for function in vars(module).values():
            if hasattr(function, "cache_clear"):
                function.cache_clear()


def main() -> None:
    """Print all rules."""
    for rule, speeds in answers_a_second().items():
        print(rule, *(f"{length}: {speed:,}" for length, speed in speeds.items()), sep="\t")


if __name__ == "__main__":
    main()
