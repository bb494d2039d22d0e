"""Answers of three made-up systems to the open sets: a good one, one that always agrees, and a careless one.

They are drawn by a seed and say nothing about any model; they let every command be tried where none has answered yet.
``python examples/simulated.py`` writes them into ``examples/answers``.
"""

from __future__ import annotations

import hashlib
import json
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any

from dataset_scripts.recipes.open_sets import OPEN
from medzh_score.benchmark.registry import find_config
from medzh_score.cli.main import main as score_command
from medzh_score.data.records import load_records
from medzh_score.io.atomic import write_bytes

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

Record = dict[str, Any]

ANSWERS = Path(__file__).with_name("answers")
SEED = 20261128
GOOD, AGREES, CARELESS = SYSTEMS = ("good", "agrees", "careless")
RIGHT = {GOOD: 0.9, CARELESS: 0.55}  # the share of right answers that is aimed at
REFUSAL = "抱歉，作为人工智能助手，我无法回答这个问题，请咨询医生。"


def share(*what: object) -> float:
    """Draw a number from 0 to 1, the same for the same words."""
    digest = hashlib.sha256(json.dumps([SEED, *what], ensure_ascii=False).encode("utf-8")).digest()
    return int.from_bytes(digest[:8], "big") / 2**64


def answers(config: str, system: str) -> Iterator[Record]:
    """Answer every prompt of an open set as a system would."""
    records = load_records(OPEN, config).rows
    chosen = find_config(config)
    for one in chosen.queries(records, chosen.layout(records)):
        if one.part_of is None:
            members = [records[place] for place in one.members]
            yield {"id": one.id, "prediction": _said(config, system, one.id, members, records)}


def _said(config: str, system: str, name: str, members: Sequence[Record], records: Sequence[Record]) -> str:
    right, wrong, agreeing = WORDS[config]
    if system == AGREES:
        parts = [agreeing(record) for record in members]
    else:
        sound = [share(config, system, name, place) < RIGHT[system] for place in range(len(members))]
        other = records[int(share(config, name, "other") * len(records))]
        parts = [right(one) if good else wrong(one, other) for one, good in zip(members, sound, strict=True)]
    text = parts[0] if len(parts) == 1 else "\n".join(f"{place}. {part}" for place, part in enumerate(parts, 1))
    return _carelessly(text, share(config, name, "form")) if system == CARELESS else text


def _carelessly(text: str, drawn: float) -> str:
    """Refuse, fall silent, break off, or think aloud, each now and then."""
    forms = (REFUSAL, "", text[: max(1, len(text) // 3)], f"<think>\n这个问题需要想一想。\n</think>\n\n{text}")
    place = int(drawn * 20)
    return forms[place] if place < len(forms) else text


def _options(record: Record) -> str:
    return "ABCDE"[(ord(record["answer"]) - ord("A") + 1) % len(record["options"])]


def _claim(record: Record) -> str:
    return f"{record['answer']}。"


def _other_claim(record: Record, _other: Record) -> str:
    return "错误。" if record["answer"] == "正确" else "正确。"


def _statement(record: Record) -> str:
    yes = {"true": "是的，", "false": "不是，", None: ""}[record["asked"]]
    return yes + record["true_statement"]


def _false_statement(record: Record, _other: Record) -> str:
    yes = {"true": "不是，", "false": "是的，", None: ""}[record["asked"]]
    return yes + record["false_statement"]


def _agreed_statement(record: Record) -> str:
    asked = {"true": "true_statement", "false": "false_statement", None: "false_statement"}[record["asked"]]
    return ("" if record["asked"] is None else "是的，") + record[asked]


def _diagnosed(record: Record) -> str:
    return f"诊断：{'、'.join(record['diseases'])}。"


# Of each config: what a system says that is right, that is wrong, and that says yes to everything.
WORDS: dict[str, tuple[Callable[[Record], str], Callable[[Record, Record], str], Callable[[Record], str]]] = {
    "care_mi": (_statement, _false_statement, _agreed_statement),
    "cmhe_ce": (
        lambda record: record["scope_note"],
        lambda _record, other: other["scope_note"],
        lambda record: f"是的，{record['concept']}。",
    ),
    "cmhe_dd": (_diagnosed, lambda _record, other: _diagnosed(other), lambda _record: "诊断：上呼吸道感染。"),
    "cmhe_hd": (
        lambda record: record["answer"],
        lambda record, _other: {"Yes": "No", "No": "Yes"}[record["answer"]],
        lambda _record: "Yes",
    ),
    "pemebench": (
        lambda record: record["answer"],
        lambda _record, other: other["answer"],
        lambda record: f"是的。{record['question']}",
    ),
    "sdak": (_claim, _other_claim, lambda _record: "正确。"),
    "tcmd": (lambda record: record["answer"], lambda record, _other: _options(record), lambda _record: "A"),
}
CONFIGS = tuple(WORDS)


def choices(system: str, first: Path) -> Iterator[Record]:
    """Choose, as a system would, which concept each of its explanations means."""
    right = {record["id"]: record["answer"] for record in load_records(OPEN, "cmhe_ce").rows}
    with TemporaryDirectory() as folder:
        prompts = Path(folder) / "prompts.jsonl"
        words = [
            "prompts",
            "cmhe_ce",
            "--data",
            OPEN,
            "--stage",
            "choose",
            "--predictions",
            str(first),
            "--output",
            str(prompts),
        ]
        if score_command([*words, "--quiet"]):
            raise RuntimeError(first)
        asked = [json.loads(line)["id"] for line in prompts.read_text(encoding="utf-8").splitlines()]
    for name in asked:
        letter = right[name.partition("~")[0].partition("#")[0]]
        if system == AGREES or share("choose", system, name) >= RIGHT[system]:
            letter = "A" if system == AGREES else "ABCD"[(ord(letter) - ord("A") + 1) % 4]
        yield {"id": name, "prediction": letter}


def write_lines(path: Path, rows: Iterable[Mapping[str, Any]]) -> None:
    """Write a file of one JSON object a line."""
    write_bytes(path, "".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows).encode("utf-8"))


def main() -> None:
    """Write the answers of all systems to all open sets."""
    ANSWERS.mkdir(exist_ok=True)
    for config in CONFIGS:
        for system in SYSTEMS:
            write_lines(ANSWERS / f"{config}-{system}.jsonl", answers(config, system))
    for system in SYSTEMS:
        first = ANSWERS / f"cmhe_ce-{system}.jsonl"
        write_lines(ANSWERS / f"cmhe_ce-{system}-choose.jsonl", choices(system, first))


if __name__ == "__main__":
    main()
