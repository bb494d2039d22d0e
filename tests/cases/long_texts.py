"""Long texts made of the words that the rules read by, which is what they take longest over."""

from __future__ import annotations

import itertools
import json
from pathlib import Path

JOINTS = ("", "，", "。\n")
# Answers that a run of one sign follows or parts: what looks for the end of an answer goes through it.
ENDS = (
    ("答案：A\n", "答案：B"),
    ("诊断：肺炎\n", "诊断：哮喘"),
    ("评分：7\n", "评分：8"),
    ("更正：错误。该说法正确", ""),
    ("更正：不会。答案是会", ""),
)
BETWEEN = (" ", "，", "\n", "（")
# What opens without closing, closes without opening, or announces without end.
RUNS = json.loads((Path(__file__).parent / "pieces.json").read_text(encoding="utf-8"))["runs"]


def by_class():
    """Give the words of each class of the vocabulary, and those of each file."""
    from medzh_score.extraction import vocabulary

    classes: dict[str, list[str]] = {}
    for file in sorted(path.stem for path in vocabulary.FOLDER.glob("*.toml")):
        for word in vocabulary.vocabulary(file):
            classes.setdefault(file, []).append(word.word)
            classes.setdefault(f"{file}.{word.kind}", []).append(word.word)
    return {name: tuple(of) for name, of in classes.items()}


def repeated(vocabulary, length, joint=""):
    """Repeat words until a text has that many characters."""
    said: list[str] = []
    missing = length
    for word in itertools.cycle(vocabulary):
        said.append(word + joint)
        missing -= len(said[-1])
        if missing <= 0:
            return "".join(said)[:length]
    return ""


def texts(length):
    """Make every text of that length: each class's words with each joint, runs of one sign, and runs behind answers."""
    made = {
        f"{name} {joint!r}": repeated(of, length, joint) for name, of in by_class().items() for joint in JOINTS if of
    }
    made |= {f"run of {run!r}": repeated((run,), length) for run in RUNS}
    return made | {
        f"{first!r}, a run of {run!r}, {last!r}": first + run * (length - len(first + last)) + last
        for first, last in ENDS
        for run in BETWEEN
    }
