"""What comes back in a later round: sheets that people filled in, and the responses of a model."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from medzh_score.benchmark.answer_table import SECOND_READING
from medzh_score.benchmark.columns import pick
from medzh_score.benchmark.judgements import Judgements, Key, Said, Source
from medzh_score.extraction.length import runs_on
from medzh_score.files.input_file import InputFile
from medzh_score.messages.errors import NAMED, MedzhError, shown
from medzh_score.messages.privacy import Name, quotable
from medzh_score.messages.progress import called, say_in_the_end
from medzh_score.predictions.one_model import Named, spelled
from medzh_score.predictions.readers.several import PredictionFiles
from medzh_score.prompts.codes import no_order
from medzh_score.rounds.binding import Predictions, fault_in, judged_by, refuse_strangers
from medzh_score.rounds.first_answers import Items
from medzh_score.rounds.item_rows import BLANK, EMPTY, FAILED, UNNAMED, UNREADABLE, Row, rows_in

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence
    from pathlib import Path

    from medzh_score.benchmark.answer_table import AnswerTable
    from medzh_score.benchmark.config import Config
    from medzh_score.benchmark.layout import Asked, Layout, Record
    from medzh_score.benchmark.rounds import Round
    from medzh_score.files.input_file import Input
    from medzh_score.prompts.codes import SentOrder
    from medzh_score.rounds.binding import Codes
    from medzh_score.rounds.first_answers import TextsOf


SAME, OTHER, UNKNOWN = "the same model", "another model", "an unknown model"


def read_rounds(
    config: Config, rounds: Mapping[str, Sequence[Path]], items: Items, orders: Mapping[str, SentOrder]
) -> dict[str, Judgements]:
    """Read what came back in all later rounds."""
    picked = {name: pick("--round", config.rounds, name) for name in rounds}
    back = {name: _files(later, rounds[name], items, orders.get(name, no_order)) for name, later in picked.items()}
    of_answers = (_coded(files) for name, files in back.items() if picked[name].about == "answers")
    items.answers(set().union(*of_answers))  # the predictions are read once for all rounds
    return {name: _judgements(later, back[name], items) for name, later in picked.items()}


def read_round(  # noqa: PLR0913, PLR0917 - what came, and all that it is read against
    later: Round,
    paths: Sequence[Path],
    records: Sequence[Record],
    layout: Layout,
    texts_of: TextsOf | None,
    order: SentOrder = no_order,
) -> Judgements:
    """Read what came back in a later round; where two files judge the same item and run, the later one wins.

    Where the round declares many sources, it wins over what the same source said only; the others stand beside it.
    """
    return judgements_in(later, paths, Items(records, layout, texts_of), order)


def judgements_in(later: Round, paths: Sequence[Path], items: Items, order: SentOrder = no_order) -> Judgements:
    """Read what came back in a later round about items, as `read_round`."""
    return _judgements(later, _files(later, paths, items, order), items)


@dataclass(frozen=True)
class _File:
    """What a file says, and which file it is."""

    rows: Sequence[Row]
    input: Input


def _read(path: Path, later: Round, order: SentOrder) -> _File:
    with InputFile(path) as file:
        return _File(list(rows_in(file, later, order)), file.read_as(later.name))


def _files(later: Round, paths: Sequence[Path], items: Items, order: SentOrder) -> list[_File]:
    """Read files, and refuse ids that are no item's."""
    files = [_read(path, later, order) for path in paths]
    strange = [row for one in files for row in one.rows if row.key.id not in items.members and row.lacks != BLANK]
    if strange:
        raise _unknown_ids(strange, items.layout)
    if later.of_same_model:
        _refuse_several_models(files)
    return files


def _refuse_several_models(files: Sequence[_File]) -> None:
    """Refuse responses of several models where all are to be of the one that gave the first answers."""
    named = Named()
    for row in (row for one in files for row in one.rows):
        if row.source.kind == "model" and row.source.name != UNNAMED and row.lacks != FAILED:
            named.take(row.source.name, row.path, row.number)


def _coded(files: Sequence[_File]) -> set[str]:
    """Name the items of which rows say what they judged."""
    return {row.key.id for one in files for row in one.rows if row.code}


def _judgements(later: Round, files: Sequence[_File], items: Items) -> Judgements:
    tally, unread = Tally(later), items.texts_of is None and later.about == "answers"
    codes = None if unread else items.codes(later, _coded(files))
    for one in files:
        known, here = [row for row in one.rows if row.key.id in items.members], dict[tuple[Key, str], Row]()
        tally.unrated += len(one.rows) - len(known)  # blank ones of no item
        known = _of_answers(known, later, items, codes)
        about = [judged_by(row, later, codes) for row in known]
        refuse_strangers(known, about, codes)
        for row, keys in zip(known, about, strict=True):
            if not keys:
                tally.others += row.lacks != BLANK
                continue
            if row.lacks != FAILED and not (later.many and row.lacks == BLANK) and _again(later, row, keys, here):
                continue
            _take(tally, row, keys, items.members[row.key.id])
        if blank := [row for row in one.rows if row.lacks == BLANK]:
            say_in_the_end(f"{called(blank[0].path)}: blank rows: {_in_ranges([row.number for row in blank])}")
    return tally.judgements([one.input for one in files])


def _of_answers(rows: list[Row], later: Round, items: Items, codes: Codes | None) -> list[Row]:
    """Take codes of whole texts, as older labels have them, for those of the answers in them."""
    strange = {row.key.id for row in rows if row.code and row.code not in (codes or {}).get(row.key.id, {}).values()}
    older = items.codes_by_older(later, strange) if codes is not None and strange else {}
    return [replace(row, code=older.get((row.key.id, row.code), row.code)) for row in rows] if older else rows


def _in_ranges(numbers: Sequence[int]) -> str:
    """Write numbers in order, such as ``2-4, 7``."""
    known = set(numbers)
    starts = [number for number in numbers if number - 1 not in known]
    ends = [number for number in numbers if number + 1 not in known]
    return ", ".join(str(one) if one == last else f"{one}-{last}" for one, last in zip(starts, ends, strict=True))


def _take(tally: Tally, row: Row, keys: Sequence[Key], members: Sequence[Record]) -> None:
    """Take what a row says of each answer that it is about."""
    later = tally.later
    if row.lacks == BLANK:
        tally.unrated += 1
        return
    said = row.said
    if later.model is not None and said is None and not row.lacks:
        said = None if runs_on(row.text) else later.model.read(row.text, later.context(members, ()))
        tally.unnamed += said is not None and row.source.name == UNNAMED
    for key in keys:
        if row.lacks or said is None:
            tally.nothing(key, row, row.lacks or UNREADABLE)
        else:
            tally.value(key, row, said)


def _again(later: Round, row: Row, keys: Iterable[Key], here: dict[tuple[Key, str], Row]) -> bool:
    """Refuse what the file has judged before, among several sources the same one; an equal row of a sheet is one."""
    for key in keys:
        mine = (key, row.source.name if later.many else "")
        if mine in here:
            if row.said and (row.said, row.source) == (here[mine].said, here[mine].source):
                return True
            problem = "is answered twice in one file" if later.of_same_model else "is judged twice in one file"
            raise fault_in(row, problem, found=Name(f"{quotable(key[0])} run {key[1]}"))
        here[mine] = row
    return False


def _unknown_ids(strange: Sequence[Row], layout: Layout) -> MedzhError:
    ids = list(dict.fromkeys(row.key.id for row in strange))
    named = ", ".join(map(shown, ids[:NAMED])) + (", …" if len(ids) > NAMED else "")
    return fault_in(
        strange[0],
        "no item has this id" if len(ids) == 1 else f"{len(ids)} ids are no item's ({named})",
        expected=f"one such as {layout.items[0]}",
        found=ids[0],
        advice="check that --data is the build that was asked about",
    )


def whose_answers(rounds: Iterable[Round], judged: Mapping[str, Judgements], model: str | None) -> dict[str, str]:
    """Say whose answers came back in rounds of the same model.

    By round: `SAME`, `OTHER` where a control is run, or `UNKNOWN` where either side does not name its model.
    """
    whose = {}
    for later in rounds:
        if later.of_same_model and later.name in judged:
            named = {source.name for source in judged[later.name].sources}
            unknown = model is None or not named or UNNAMED in named
            same = model is not None and {spelled(name) for name in named} == {spelled(model)}
            whose[later.name] = UNKNOWN if unknown else SAME if same else OTHER
    return whose


def check_judged(rounds: Iterable[Round], judged: Mapping[str, Judgements], runs: Sequence[int]) -> None:
    """Refuse what judges the answers of a run that was not scored; a round about records judges no answers."""
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


Place = tuple["Path", int]  # file, line
Lacking = tuple[Key, Source | None]  # of one source where the round has many


@dataclass
class Tally:
    """What the files of a round have said so far."""

    later: Round
    standing: dict[Key, dict[Source, Said]] = field(default_factory=dict)
    places: dict[Key, Place] = field(default_factory=dict)
    lacking: dict[Lacking, str] = field(default_factory=dict)
    overridden: int = 0
    unrated: int = 0
    unnamed: int = 0
    others: int = 0
    uncoded: set[tuple[Key, Source]] = field(default_factory=set)

    def value(self, key: Key, row: Row, said: Said) -> None:
        """Take a value; it wins over what an earlier file said, of the same source where there are many."""
        source, standing = row.source, self.standing.setdefault(key, {})
        self.overridden += source in standing if self.later.many else bool(standing)
        if not self.later.many:
            standing.clear()
        standing[source], self.places[key] = said, (row.path, row.number)
        (self.uncoded.discard if row.code else self.uncoded.add)((key, source))
        for mine in (self._mine(source), None):
            self.lacking.pop((key, mine), None)

    def nothing(self, key: Key, row: Row, why: str) -> None:
        """Note that a response says nothing; it takes no value away."""
        mine, standing = self._mine(row.source), self.standing.get(key)
        if not standing:
            self.places[key] = row.path, row.number
        if not standing or (mine and mine not in standing):
            self.lacking[key, mine] = why

    def _mine(self, source: Source) -> Source | None:
        """Keep sources apart where there are many; a request that failed does not say of whom it was asked."""
        return source if self.later.many and source.name != UNNAMED else None

    def judgements(self, inputs: Sequence[Input]) -> Judgements:
        """Give what stands, the sources by name."""
        found: dict[Source, dict[Key, Said]] = {}
        for key, standing in self.standing.items():
            for source, said in standing.items():
                found.setdefault(source, {})[key] = said
        return Judgements(
            dict(sorted(found.items())),
            self.overridden,
            self.unrated,
            self.places,
            self._those(UNREADABLE),
            self._those(EMPTY),
            self._those(FAILED),
            self.unnamed,
            unverified=sum(source in self.standing[key] for key, source in self.uncoded),
            others=self.others,
            inputs=tuple(inputs),
        )

    def _those(self, why: str) -> tuple[Key, ...]:
        return tuple(sorted(key for (key, _), reason in self.lacking.items() if reason == why))


FOUND_BY = "found_by"  # beside a value in the items file


def at_hand_of(  # noqa: PLR0913, PLR0917 - where both kinds stand
    config: Config,
    items: Items,
    asked: Sequence[Asked],
    files: PredictionFiles,
    responses: Sequence[Path],
    judged: Mapping[str, Judgements] | None = None,
    *,
    order: SentOrder = no_order,
) -> Predictions:
    """Find the predictions that are read by our rule, and can be read again."""
    of = config.reads.of if config.reads else None
    if of is None:
        return Predictions(items.ids, asked, files)
    later = pick("--round", config.rounds, of.round)
    found = (judged or {}).get(of.round) or read_round(later, responses, items.records, items.layout, None, order)
    filled_in = {key for source, said in found.sources.items() if source.kind == "person" for key in said}
    # A file of which nothing counts would be refused as empty.
    holding = {path for key, (path, _) in found.places.items() if key not in filled_in}
    paths = [path for path in dict.fromkeys(responses) if path in holding]
    files = PredictionFiles(tuple(paths), order=order, standing=found.places)
    return Predictions(items.ids, of.asked(items.records, items.layout), files)


def refuse_none(config: Config, at_hand: Predictions) -> None:
    """Raise an error where responses of a later round are to be read again, and none was given."""
    if config.reads is not None and config.reads.of is not None and not at_hand.files.paths:
        problem, name = "gives the responses that second readings and audits are about", config.reads.of.round
        raise MedzhError(problem, field="--round", expected=f"{name}=FILE")


def restated(found: Judgements, table: AnswerTable, ids: Sequence[str], column: str, reader: str) -> Judgements:
    """Put second readings in the place of what was read of a round's responses."""
    again = {
        (name, run): one.value
        for (run, _), answers in table.columns.items()
        for name, one in zip(ids, answers, strict=True)
        if one is not None and one.why == SECOND_READING
    }
    said = {
        key: {**({} if value is None else {column: value}), FOUND_BY: SECOND_READING} for key, value in again.items()
    }
    who = Source(reader, "person")
    sources = {
        source: {key: one for key, one in values.items() if key not in said} for source, values in found.sources.items()
    }
    none = {key for key, value in again.items() if value is None}
    unreadable = tuple(sorted(none | (set(found.unreadable) - again.keys())))
    return replace(found, sources={**sources, who: {**sources.get(who, {}), **said}}, unreadable=unreadable)
