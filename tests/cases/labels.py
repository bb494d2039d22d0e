"""Answers that readers labelled by hand, of real models and made up, and one judgement of what a rule reads in them.

Real outputs lie in a folder of the user's: files ``<kind>.jsonl`` or ``<kind>_….jsonl``. Made-up ones lie beside this.
"""

from __future__ import annotations

import json
import re
import unicodedata
from collections import Counter
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from medzh_score.text.fold import simplified_characters

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping


KINDS = ("letters", "verdict", "yes_no", "diagnosis", "score")
OUTCOMES = ("right", "wrong", "invented", "missed")
MADE_UP = ("answers_labelled", "answers_judged", "answers_fresh", "answers_unseen")
WIDEST_SCALE = (0, 10)  # where neither a label nor others of its group name one
PART = re.compile(r"\[(\S+?)\]")
GROUP, WITHOUT_OPTIONS = "group", "without options"
REACHED = {"verdict": ("whole", "json-rebuilt"), "yes_no": ("whole", "json-rebuilt")}
SIMPLIFIED = simplified_characters()

Value = Any  # letters, a verdict, names as a set, a number, a tuple of letters for a group; None where there is none


@dataclass(frozen=True)
class Row:
    """One labelled answer; ``part`` says which share of its kind it is reported with."""

    id: str
    kind: str
    text: str
    label: Value
    alt: tuple[Value, ...] = ()
    question: str = ""
    options: tuple[str, ...] | None = None
    several: bool = False
    spoken: bool = False
    scale: tuple[float, float] = WIDEST_SCALE
    form: str = ""
    stratum: str = ""
    part: str = "whole"
    prior: bool = False

    @property
    def apart(self):
        """Groups of questions and questions without options are reported apart."""
        return self.part in {GROUP, WITHOUT_OPTIONS}

    @property
    def reached(self):
        """Reach is measured on whole answers, precision on all."""
        return not self.apart and self.part in REACHED.get(self.kind, (self.part,))


def agree(row, value):
    """Say how a value that a rule read stands to the reader's label: right, wrong, invented or missed."""
    found, label = comparable(row.kind, value), comparable(row.kind, row.label)
    if found == label or any(found == comparable(row.kind, other) for other in row.alt):
        return "right"
    if row.part == GROUP:
        return _of_group(found, label)
    if found is None:
        return "missed"
    return "invented" if label is None else "wrong"


def _of_group(found, label):
    """Judge a group by the worst of its members."""
    pairs = list(zip(found or (None,) * len(label), label, strict=True))
    differing = [(one, other) for one, other in pairs if one is not None and one != other]
    if not differing:
        return "missed"
    return "wrong" if any(other is not None for _, other in differing) else "invented"


def comparable(kind, value):
    """Give what is compared: names as a set without dressing, numbers as such."""
    if value is None:
        return None
    if kind == "diagnosis":
        return frozenset(map(_bare, value)) or None
    return float(value) if kind == "score" else value


def _bare(name):
    """Take spaces and punctuation out of a name, and case and traditional characters."""
    plain = unicodedata.normalize("NFKC", name).translate(SIMPLIFIED).lower()
    return "".join(mark for mark in plain if unicodedata.category(mark)[0] not in "PZC")


def read(row):
    """Read a row by the public function of its kind; a group gives a reading a question."""
    return READERS[row.kind](row)


def value_of(reading):
    """Give the value of a reading, or those of a group."""
    return getattr(reading, "value", None) if hasattr(reading, "value") else tuple(one.value for one in reading)


def _letters(row):
    if row.part == GROUP:
        return _group(row)
    from medzh_score.extraction import asks_for_wrong, read_letters

    return read_letters(row.text, row.options, several=row.several, wrong=asks_for_wrong(row.question))


def _group(row):
    from medzh_score.extraction import read_groups

    return read_groups(row.text, (None,) * len(row.label), several=row.several)


def _verdict(row):
    from medzh_score.extraction import read_verdict

    return read_verdict(row.text)


def _yes_no(row):
    from medzh_score.extraction import read_yes_no

    return read_yes_no(row.text, row.question or None, spoken=row.spoken)


def _diagnosis(row):
    from medzh_score.extraction import read_diagnosis

    return read_diagnosis(row.text)


def _score(row):
    from medzh_score.extraction import read_score

    return read_score(row.text, *row.scale)


READERS: Mapping[str, Callable[[Row], Any]] = {
    "letters": _letters,
    "verdict": _verdict,
    "yes_no": _yes_no,
    "diagnosis": _diagnosis,
    "score": _score,
}


def made_up_rows():
    """Load the made-up sets, by kind."""
    files = [path for name in MADE_UP for path in sorted(Path(__file__).parent.glob(f"{name}*.jsonl"))]
    rows = [_made_up(line, path.stem) for path in files for line in _lines(path)]
    return {kind: [row for row in rows if row.kind == kind] for kind in KINDS}


def _made_up(line, file):
    kind = line["kind"]
    return Row(
        id=line["id"],
        kind=kind,
        text=line["text"],
        label=_made_up_label(kind, line["label"]),
        alt=tuple(_made_up_label(kind, other) for other in line.get("alt", ())),
        question=line.get("question", ""),
        options=tuple(line["options"]) if "options" in line else None,
        several=bool(line.get("several")),
        scale=(line.get("low", 0), line.get("high", 1)),
        form=line["manner"],
        stratum=next(name for name in MADE_UP if file.startswith(name)),
    )


def _made_up_label(kind, label):
    if label is None:
        return None
    by_kind: dict[str, Callable[[str], Value]] = {
        "yes_no": str.lower,
        "diagnosis": lambda names: tuple(names.split("；")),
        "score": float,
    }
    return by_kind.get(kind, str)(label)


def real_rows(folder):
    """Load what a folder has of each kind; a kind without files has no rows."""
    return {kind: _real_kind(folder, kind) for kind in KINDS}


def _real_kind(folder, kind):
    lines = [
        line
        for path in sorted({*folder.glob(f"{kind}.jsonl"), *folder.glob(f"{kind}_*.jsonl")})
        for line in _lines(path)
    ]
    scales = _scales(lines) if kind == "score" else {}
    return [_real(line, kind, scales.get(line["id"], WIDEST_SCALE)) for line in lines]


def _real(line, kind, scale):
    note = PART.match(line.get("note") or "")
    options, repository = line.get("options"), line["source"].split("@")[0]
    part = note[1] if note and kind in REACHED else "whole"
    if kind == "letters":
        part = GROUP if isinstance(line["label"], list) else "whole" if options else WITHOUT_OPTIONS
    return Row(
        id=line["id"],
        kind=kind,
        text=line["text"],
        label=_real_label(line["label"]),
        alt=tuple(_real_label(other) for other in line.get("alt") or ()),
        question=line.get("question") or "",
        options=tuple(options) if options else None,
        several=bool(line.get("several")),
        spoken=True,
        scale=scale,
        form=_form(line, kind, part),
        stratum=f"{line['model']} · {repository}",
        part=part,
        prior=bool(line.get("prior300")),
    )


def _real_label(label):
    if isinstance(label, dict):
        return float(label["score"])
    if isinstance(label, list):
        return tuple(None if one == "none" else one for one in label) or None
    return None if label == "none" else label


def _form(line, kind, part):
    """Name the form: as counted for letters; for names whether any is committed to; for others the part or group."""
    if kind == "diagnosis":
        return "commits itself" if line["label"] else "commits itself to nothing"
    return line.get("format") or (part if kind in REACHED else line.get("group", ""))


def _scales(lines):
    """Give each row's scale: its label's, a second label's, its parts', else the most frequent of its group."""
    own = {line["id"]: next(_own_scales(line), None) for line in lines}
    of_group: dict[str, Counter[tuple[float, float]]] = {}
    for line in lines:
        if (scale := own[line["id"]]) is not None:
            of_group.setdefault(line.get("group", ""), Counter())[scale] += 1
    common = {group: scales.most_common(1)[0][0] for group, scales in of_group.items()}
    return {line["id"]: own[line["id"]] or common.get(line.get("group", ""), WIDEST_SCALE) for line in lines}


def _own_scales(line):
    for label in (line["label"], *(line.get("alt") or ())):
        if isinstance(label, dict):
            yield label["scale"][0], label["scale"][1]
    if line.get("parts_scale"):
        yield line["parts_scale"][0], line["parts_scale"][1]


def _lines(path):
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines() if line]
