"""What came back, put in its places: by its ids which round of which config, by its names whose."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cache
from typing import TYPE_CHECKING

from medzh_score.benchmark.choices import pick
from medzh_score.benchmark.registry import config_names, find_config
from medzh_score.files.locking import locked
from medzh_score.files.writing import write_bytes
from medzh_score.messages.errors import NAMED, MedzhError, shown
from medzh_score.predictions.readers.several import PredictionFiles
from medzh_score.suites.kept import kept_answers, key_of, merged, write_kept
from medzh_score.suites.labels import judge_labels, model_labels
from medzh_score.suites.ledger import added, digest_of_file, ledger_of, refuse_other_label, write_ledger
from medzh_score.suites.places import FIRST, LOCK, SHARED
from medzh_score.suites.sent_ids import sent_ids
from medzh_score.suites.sent_orders import orders_of
from medzh_score.suites.sheets import filled_rows, is_filled_sheet, places_of_sheet

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from pathlib import Path

    from medzh_score.predictions.readers.prediction import Prediction
    from medzh_score.prompts.codes import Key
    from medzh_score.suites.kept import Merged
    from medzh_score.suites.places import Place
    from medzh_score.suites.plan import Plan
    from medzh_score.suites.sent_ids import SentIds

Lines = list[tuple[int, "Prediction"]]


@dataclass(frozen=True)
class Taken:
    """What a file gave to a place."""

    place: Place
    new: int
    same: int
    replaced: int


@dataclass(frozen=True)
class Adding:
    """A file that is added: whose it is where the user says so, how it is read, and whether it may replace answers."""

    model: str | None = None
    reader: str | None = None
    replace: bool = False


@dataclass
class Sorted:
    """A file's lines by place, and ids that this suite asks nowhere."""

    lines: dict[Place, Lines] = field(default_factory=dict)
    foreign: dict[Key, int] = field(default_factory=dict)


def add_files(suite: Path, plan: Plan, files: Sequence[Path], adding: Adding) -> list[tuple[Path, list[Taken]]]:
    """Put files in their places, each whole or not at all; what is there already is passed over."""
    with locked(suite / LOCK, suite, "wait until it ends"):
        return _add(suite, plan, files, adding)


def _add(suite: Path, plan: Plan, files: Sequence[Path], adding: Adding) -> list[tuple[Path, list[Taken]]]:
    known, before, found = sent_ids(suite, plan), ledger_of(suite), []
    for path in files:
        sha256 = digest_of_file(path)
        if refuse_other_label(before, path, sha256, adding.model):
            found.append((path, list[Taken]()))
            continue
        add = _add_sheet if is_filled_sheet(path, plan) else _add_lines
        taken = add(suite, plan, path, adding, known)
        before = [*before, added(path, sha256, {one.place.judge or one.place.model for one in taken})]
        write_ledger(suite, before)
        found.append((path, taken))
    return found


def _add_lines(suite: Path, plan: Plan, path: Path, adding: Adding, known: SentIds) -> list[Taken]:
    by_place = _sorted(suite, plan, path, adding, known)
    kept = {place: _merged(suite, place, path, lines, adding) for place, lines in by_place.items()}
    for place, one in kept.items():
        if one.new or one.replaced or not place.answers(suite).exists():
            write_kept(place.answers(suite), one.answers)
    return [Taken(place, one.new, one.same, one.replaced) for place, one in kept.items()]


def _add_sheet(suite: Path, plan: Plan, path: Path, adding: Adding, known: SentIds) -> list[Taken]:
    """Keep a filled sheet as it is: of what it judges, the scorer takes what each model's answers are."""
    taken = []
    for place, rater in places_of_sheet(path, plan, known).items():
        label = judge_labels(plan, place.config, place.round).label_of(rater, adding.model, path, 1)
        whole = place._replace(judge=label)
        (later,) = (one for one in find_config(place.config).every_round if one.name == place.round)
        rows = list(filled_rows(path, list(later.values)))
        file = whole.next_sheet(suite)
        file.parent.mkdir(parents=True, exist_ok=True)
        write_bytes(file, path.read_bytes())
        taken.append(Taken(whole, len(rows), 0, 0))
    return taken


def _merged(suite: Path, place: Place, path: Path, lines: Lines, adding: Adding) -> Merged:
    return merged(path, kept_answers(place.answers(suite)), lines, replace=adding.replace)


def _sorted(suite: Path, plan: Plan, path: Path, adding: Adding, known: SentIds) -> Mapping[Place, Lines]:
    """Find the places of a file's lines."""
    files = PredictionFiles((path,), adding.reader, order=orders_of(suite, plan))
    models, judges = model_labels(plan), cache(lambda config, name: judge_labels(plan, config, name))
    found = Sorted()
    for opened in files.opened():
        for number, one in opened.lines:
            places = known.places(key_of(one))
            if not places:
                found.foreign.setdefault(key_of(one), number)
            for place in places:
                whose = judges(place.config, place.round) if _is_judged(place) else models
                label = whose.label_of(one.model, adding.model, path, number)
                mine = _of_label(place, label)
                if mine is not None:
                    found.lines.setdefault(mine, []).append((number, one))
    if found.foreign:
        raise _foreign(path, found.foreign, plan)
    if not found.lines:
        raise MedzhError("holds no answers", file=path, advice="check that generation ran")
    return found.lines


@cache
def _judged(config: str, name: str) -> bool:
    return not pick("round", find_config(config).every_round, name).of_same_model


def _is_judged(place: Place) -> bool:
    """Say whether somebody else than the model answers a round."""
    return place.round != FIRST and _judged(place.config, place.round)


def _of_label(place: Place, label: str) -> Place | None:
    """Say where a line goes of those places where its id was asked about; a model's own rounds are its own."""
    if _is_judged(place):
        return place._replace(judge=label)
    if place.model == SHARED:
        return place._replace(model=label)
    return place if place.model == label else None


def _foreign(path: Path, foreign: Mapping[Key, int], plan: Plan) -> MedzhError:
    """Say of which ids nothing was asked, and whose they look like."""
    first = next(iter(foreign))
    named = ", ".join(shown(str(key)) for key in list(foreign)[:NAMED]) + (", …" if len(foreign) > NAMED else "")
    asked = {one.config for one in plan.configs}
    alike = [name for name in config_names() if name not in asked and first.id.startswith(f"{name}-")]
    return MedzhError(
        f"answers {len(foreign)} prompts that this suite did not send ({named})",
        file=path,
        line=foreign[first],
        field="id",
        found=str(first),
        advice=f"these look like ids of {max(alike, key=len)}, which the plan does not ask"
        if alike
        else "check that these are answers to the prompts of this suite",
    )
