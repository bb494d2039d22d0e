"""What comes back in a later round: sheets that people filled in, and the responses of a model."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from medzh_score.collecting import NAMED
from medzh_score.config import pick
from medzh_score.errors import MedzhError, shown
from medzh_score.readers import sheet
from medzh_score.readers.lines import numbered_lines
from medzh_score.readers.recognise import find_reader
from medzh_score.sheets import Judgements, filled, number_in, read_rows

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence
    from pathlib import Path

    from medzh_score.config import Config, Layout, Record
    from medzh_score.round import Respondent, Round

UNREADABLE, EMPTY, FAILED = "unreadable", "empty", "failed"
UNNAMED = "unnamed"  # who does not say who it was
SAME, OTHER, UNSTATED = "the same model", "another model", "an unstated model"

Key = tuple[str, int]  # item, run
Place = tuple["Path", int]  # file, line


@dataclass
class _Tally:
    """What the files of a round have said so far."""

    later: Round
    members: Mapping[str, Sequence[int]]
    values: dict[Key, Mapping[str, str]] = field(default_factory=dict)
    places: dict[Key, Place] = field(default_factory=dict)
    lacking: dict[Key, str] = field(default_factory=dict)
    raters: dict[Key, str] = field(default_factory=dict)
    overridden: int = 0
    unrated: int = 0
    unnamed: int = 0
    unknown: list[tuple[str, Place]] = field(default_factory=list)

    def value(self, key: Key, place: Place, values: Mapping[str, str], rater: str | None) -> None:
        """Take a value; it wins over what an earlier file said."""
        self.overridden += key in self.values
        self.values[key], self.places[key] = values, place
        self.lacking.pop(key, None)
        self.raters[key] = rater or UNNAMED

    def nothing(self, key: Key, place: Place, why: str) -> None:
        """Note that a response says nothing; it takes no value away."""
        if key not in self.values:
            self.lacking[key], self.places[key] = why, place


def read_rounds(
    config: Config, rounds: Mapping[str, Sequence[Path]], records: Sequence[Record], layout: Layout
) -> dict[str, Judgements]:
    """Read what came back in all later rounds.

    Parameters
    ----------
    config : Config
        The benchmark.
    rounds : mapping of str to sequence of Path
        The files by round.
    records : sequence of dict
        What was asked about.
    layout : Layout
        Their items.

    Raises
    ------
    MedzhError
        If there is no such round, or a file is faulty.
    """
    return {
        name: read_round(pick("--round", config.rounds, name), paths, records, layout) for name, paths in rounds.items()
    }


def read_round(later: Round, paths: Sequence[Path], records: Sequence[Record], layout: Layout) -> Judgements:
    """Read what came back in a later round; where two files judge the same item and run, the later one wins.

    Parameters
    ----------
    later : Round
        The round.
    paths : sequence of Path
        In the order in which they count: filled sheets, and of a round that a model answers also responses in any
        form that predictions may have, told apart by their heads.
    records : sequence of dict
        What was asked about.
    layout : Layout
        Their items.

    Returns
    -------
    Judgements
        Rows whose value columns are all blank count as unrated. A response that cannot be read is no value and takes
        none away.

    Raises
    ------
    MedzhError
        If a file cannot be read, an id is no item's, a value is none of those allowed, a run or a variant cannot be,
        or one file judges an item twice in a run.
    """
    tally = _Tally(later, dict(zip(layout.items, layout.members, strict=True)))
    for path in paths:
        if later.model is None or _is_filled_sheet(path, later):
            _take_sheet(tally, path)
        else:
            _take_responses(tally, path, later.model, records)
    if tally.unknown:
        raise _unknown_ids(tally.unknown, layout)
    standing = sorted(Counter(tally.raters.values()).items())
    return Judgements(
        tally.values,
        tuple(name for name, _ in standing),
        tally.overridden,
        tally.unrated,
        tally.places,
        _those(tally.lacking, UNREADABLE),
        _those(tally.lacking, EMPTY),
        _those(tally.lacking, FAILED),
        tally.unnamed,
        tuple(count for _, count in standing),
    )


def _those(lacking: Mapping[Key, str], why: str) -> tuple[Key, ...]:
    return tuple(sorted(key for key, reason in lacking.items() if reason == why))


def _is_filled_sheet(path: Path, later: Round) -> bool:
    """Look at the head: JSON is responses, and so is a sheet of predictions without the columns of the round."""
    _, line = next(numbered_lines(path), (0, b""))
    if not line or line.lstrip().startswith((b"{", b"[")):
        return False  # of an empty file, or of other JSON, the reader says what is wrong
    names = {name.strip() for name in sheet.head(line)}
    return "prediction" not in names or later.values.keys() <= names


def _take_sheet(tally: _Tally, path: Path) -> None:
    values, here = tally.later.values, set[Key]()
    for number, row in read_rows(path, ("id", *values)):
        key = (row["id"], number_in(row, "run", path, number))
        _check_key(tally.later, key, here, path, number)
        said = filled(row, values, path, number)
        if not said:
            tally.unrated += 1
        elif key[0] not in tally.members:
            tally.unknown.append((key[0], (path, number)))
        else:
            tally.value(key, (path, number), said, row.get("rater"))


def _take_responses(tally: _Tally, path: Path, respondent: Respondent, records: Sequence[Record]) -> None:
    here, before = set[Key](), 0
    for number, response in find_reader(path, None).read(path):
        key, place = (response.id, response.run), (path, number)
        if number == before:
            # Numbered as runs, as the choices of a model's answers are, they would judge other answers.
            raise MedzhError("holds several choices", file=path, line=number, field="choices", expected="one a request")
        before = number
        if response.variant:
            raise MedzhError(
                "a later round is asked in no variants",
                file=path,
                line=number,
                field="variant",
                expected="0",
                found=response.variant,
            )
        if response.id not in tally.members:
            tally.unknown.append((response.id, place))
        elif response.error is not None:
            tally.nothing(key, place, FAILED)  # another line of the file may hold a second try
        else:
            _check_key(tally.later, key, here, path, number)
            _take_response(tally, key, place, respondent, response.prediction, response.model, records)


def _take_response(  # noqa: PLR0913, PLR0917 - what a line says, and what it is read against
    tally: _Tally,
    key: Key,
    place: Place,
    respondent: Respondent,
    text: str,
    model: str | None,
    records: Sequence[Record],
) -> None:
    if not text.strip():
        tally.nothing(key, place, EMPTY)
        return
    context = tally.later.context([records[member] for member in tally.members[key[0]]], ())
    values = respondent.read(text, context)
    if values is None:
        tally.nothing(key, place, UNREADABLE)
        return
    tally.value(key, place, values, model)
    tally.unnamed += not model


def _check_key(later: Round, key: Key, here: set[Key], path: Path, number: int) -> None:
    """Refuse a run where there is none, and what the file has judged before."""
    if later.about == "records" and key[1]:
        raise MedzhError(
            f"round {later.name} is about the records, not about answers in runs",
            file=path,
            line=number,
            field="run",
            expected="0 or none",
            found=key[1],
        )
    if key in here:
        raise MedzhError(
            f"is {'answered' if later.of_same_model else 'judged'} twice in one file",
            file=path,
            line=number,
            field="id",
            found=f"{key[0]} run {key[1]}",
        )
    here.add(key)


def _unknown_ids(unknown: Sequence[tuple[str, Place]], layout: Layout) -> MedzhError:
    ids = list(dict.fromkeys(identifier for identifier, _ in unknown))
    named = ", ".join(map(shown, ids[:NAMED])) + (", …" if len(ids) > NAMED else "")
    (first, (path, number)) = unknown[0]
    return MedzhError(
        "no item has this id" if len(ids) == 1 else f"{len(ids)} ids are no item's ({named})",
        file=path,
        line=number,
        field="id",
        expected=f"one such as {layout.items[0]}",
        found=first,
        advice="check that --data is the build that was asked about",
    )


def whose_answers(rounds: Iterable[Round], judged: Mapping[str, Judgements], models: Sequence[str]) -> dict[str, str]:
    """Say whose answers came back in rounds of the same model.

    Parameters
    ----------
    rounds : iterable of Round
        Of the config.
    judged : mapping of str to Judgements
        By round.
    models : sequence of str
        Those that the predictions name.

    Returns
    -------
    dict of str to str
        By round: `SAME`, `OTHER` where a control is run, or `UNSTATED` where either side does not name its model.
    """
    whose = {}
    for later in rounds:
        if later.of_same_model and later.name in judged:
            named = set(judged[later.name].raters)
            unstated = not models or not named or UNNAMED in named
            whose[later.name] = UNSTATED if unstated else SAME if named == set(models) else OTHER
    return whose


def check_judged(rounds: Iterable[Round], judged: Mapping[str, Judgements], runs: Sequence[int]) -> None:
    """Refuse what judges the answers of a run that was not scored; a round about records judges no answers.

    Parameters
    ----------
    rounds : iterable of Round
        Of the config.
    judged : mapping of str to Judgements
        By round.
    runs : sequence of int
        Those of which predictions were read.

    Raises
    ------
    MedzhError
        Names the file and the line.
    """
    for later in rounds:
        if later.about == "records" or later.name not in judged:
            continue
        for (_, run), (file, line) in judged[later.name].places.items():
            if run not in runs:
                raise MedzhError(
                    "is judged, but no prediction of this run was read",
                    file=file,
                    line=line,
                    field="run",
                    expected=", ".join(map(str, runs)),
                    found=run,
                )
