"""What comes back in a later round: sheets that people filled in, and the responses of a model."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from medzh_score.blinding import CODE, run_of
from medzh_score.config import pick
from medzh_score.errors import NAMED, MedzhError, shown
from medzh_score.one_model import Named
from medzh_score.readers.head import head_of
from medzh_score.readers.recognise import find_reader
from medzh_score.readers.sent_order import no_order
from medzh_score.sheets import Judgements, Key, Said, Source, filled, number_in, read_rows

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence
    from pathlib import Path

    from medzh_score.config import Config, Layout, Record
    from medzh_score.readers.prediction import Prediction
    from medzh_score.round import Respondent, Round

UNREADABLE, EMPTY, FAILED = "unreadable", "empty", "failed"
UNNAMED = "unnamed"  # who does not say who it was
SAME, OTHER, UNSTATED = "the same model", "another model", "an unstated model"

Place = tuple["Path", int]  # file, line
Lacking = tuple[Key, Source | None]  # of one source where the round has many


@dataclass
class _Tally:
    """What the files of a round have said so far."""

    later: Round
    members: Mapping[str, Sequence[int]]
    standing: dict[Key, dict[Source, Said]] = field(default_factory=dict)
    places: dict[Key, Place] = field(default_factory=dict)
    lacking: dict[Lacking, str] = field(default_factory=dict)
    overridden: int = 0
    unrated: int = 0
    unnamed: int = 0
    named: Named = field(default_factory=Named)
    unknown: list[tuple[str, Place]] = field(default_factory=list)
    coded: list[tuple[Key, str, Place]] = field(default_factory=list)

    def value(self, key: Key, place: Place, said: Said, source: Source) -> None:
        """Take a value; it wins over what an earlier file said, of the same source where there are many."""
        standing = self.standing.setdefault(key, {})
        self.overridden += source in standing if self.later.many else bool(standing)
        if not self.later.many:
            standing.clear()
        standing[source], self.places[key] = said, place
        for mine in (self._mine(source), None):
            self.lacking.pop((key, mine), None)

    def nothing(self, key: Key, place: Place, why: str, source: Source) -> None:
        """Note that a response says nothing; it takes no value away."""
        mine, standing = self._mine(source), self.standing.get(key)
        if not standing:
            self.places[key] = place
        if not standing or (mine and mine not in standing):
            self.lacking[key, mine] = why

    def _mine(self, source: Source) -> Source | None:
        """Keep sources apart where there are many; a request that failed does not say of whom it was asked."""
        return source if self.later.many and source.name != UNNAMED else None

    def by_source(self) -> dict[Source, dict[Key, Said]]:
        """Turn what stands around, the sources by name."""
        found: dict[Source, dict[Key, Said]] = {}
        for key, standing in self.standing.items():
            for source, said in standing.items():
                found.setdefault(source, {})[key] = said
        return dict(sorted(found.items()))


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

    Where the round declares many sources, it wins over what the same source said only; the others stand beside it.

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
        or one file judges an item twice in a run, or if several models answered a round that is one model's.
    """
    tally = _Tally(later, dict(zip(layout.items, layout.members, strict=True)))
    for path in paths:
        if later.model is None or is_filled_sheet(path, later):
            _take_sheet(tally, path)
        else:
            _take_responses(tally, path, later.model, records)
    if tally.unknown:
        raise _unknown_ids(tally.unknown, layout)
    return Judgements(
        tally.by_source(),
        tally.overridden,
        tally.unrated,
        tally.places,
        _those(tally.lacking, UNREADABLE),
        _those(tally.lacking, EMPTY),
        _those(tally.lacking, FAILED),
        tally.unnamed,
        tuple(tally.coded),
    )


def _those(lacking: Mapping[Lacking, str], why: str) -> tuple[Key, ...]:
    return tuple(sorted(key for (key, _), reason in lacking.items() if reason == why))


def is_filled_sheet(path: Path, later: Round) -> bool:
    """Look at the head: JSON is responses, and so is a sheet of predictions without the columns of the round.

    Parameters
    ----------
    path : Path
        The file.
    later : Round
        Whose columns a filled sheet has.
    """
    head = head_of(path)
    return head.form == "table" and (not head.has("prediction") or head.has(*later.values))


def _take_sheet(tally: _Tally, path: Path) -> None:
    values, here = tally.later.values, set[tuple[Key, str]]()
    for number, row in read_rows(path, ("id", *values)):
        key = (row["id"], _run_in(tally.later, row, path, number))
        said = filled(row, values, path, number)
        name = row.get("rater") or ""
        if said or not tally.later.many:
            _check_key(tally.later, key, name, here, path, number)
        if not said:
            tally.unrated += 1
        elif key[0] not in tally.members:
            tally.unknown.append((key[0], (path, number)))
        else:
            tally.value(key, (path, number), said, Source(name or UNNAMED, "person"))
            if tally.later.blind and row.get(CODE):
                tally.coded.append((key, row[CODE], (path, number)))


def _run_in(later: Round, row: Mapping[str, str], path: Path, number: int) -> int:
    """Read which run a row is of, by its code where one stands for it; a code that was deleted is not run 0."""
    code = row.get(CODE) if later.blind else None
    if code is None or (not code and row.get("run")):
        return number_in(row, "run", path, number)
    run = run_of(row["id"], code)
    if run is None:
        raise MedzhError(
            "stands for no run of this item",
            file=path,
            line=number,
            field=CODE,
            expected="id and code as they were written",
            found=code,
        )
    return run


def _take_responses(tally: _Tally, path: Path, respondent: Respondent, records: Sequence[Record]) -> None:
    here, before = set[tuple[Key, str]](), 0
    for number, response in find_reader(path, None).read(path, no_order):
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
            # Another line of the file may hold a second try.
            tally.nothing(key, place, FAILED, Source(response.model or UNNAMED, "model"))
        else:
            _check_key(tally.later, key, response.model or "", here, path, number)
            if tally.later.of_same_model and response.model:
                tally.named.take(response.model, path, number)
            _take_response(tally, key, place, respondent, response, records)


def _take_response(  # noqa: PLR0913, PLR0917 - what a line says, and what it is read against
    tally: _Tally, key: Key, place: Place, respondent: Respondent, response: Prediction, records: Sequence[Record]
) -> None:
    source = Source(response.model or UNNAMED, "model")
    if not response.prediction.strip():
        tally.nothing(key, place, EMPTY, source)
        return
    context = tally.later.context([records[member] for member in tally.members[key[0]]], ())
    said = respondent.read(response.prediction, context)
    if said is None:
        tally.nothing(key, place, UNREADABLE, source)
        return
    tally.value(key, place, said, source)
    tally.unnamed += not response.model


def _check_key(  # noqa: PLR0913, PLR0917 - what a row is keyed by, and where it stands
    later: Round, key: Key, name: str, here: set[tuple[Key, str]], path: Path, number: int
) -> None:
    """Refuse a run where there is none, what the file has judged before, and a nameless one among several sources."""
    if later.about == "records" and key[1]:
        raise MedzhError(
            f"round {later.name} is about the records, not about answers in runs",
            file=path,
            line=number,
            field="run",
            expected="0 or none",
            found=key[1],
        )
    if later.many and not name:
        raise MedzhError(
            f"does not say who judged, and round {later.name} sets several sources side by side",
            file=path,
            line=number,
            field="rater",
            expected="a name: in a sheet in the column rater, in a response as model",
        )
    mine = (key, name if later.many else "")
    if mine in here:
        raise MedzhError(
            f"is {'answered' if later.of_same_model else 'judged'} twice in one file",
            file=path,
            line=number,
            field="id",
            found=f"{key[0]} run {key[1]}",
        )
    here.add(mine)


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


def whose_answers(rounds: Iterable[Round], judged: Mapping[str, Judgements], model: str | None) -> dict[str, str]:
    """Say whose answers came back in rounds of the same model.

    Parameters
    ----------
    rounds : iterable of Round
        Of the config.
    judged : mapping of str to Judgements
        By round.
    model : str or None
        Whom the predictions name, whatever the user calls the system.

    Returns
    -------
    dict of str to str
        By round: `SAME`, `OTHER` where a control is run, or `UNSTATED` where either side does not name its model.
    """
    whose = {}
    for later in rounds:
        if later.of_same_model and later.name in judged:
            named = {source.name for source in judged[later.name].sources}
            unstated = model is None or not named or UNNAMED in named
            whose[later.name] = UNSTATED if unstated else SAME if named == {model} else OTHER
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
