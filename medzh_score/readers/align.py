"""Predictions aligned with what was asked: each has its place, none comes twice, and every rule reads it there."""

from __future__ import annotations

import re
from dataclasses import dataclass, field, replace
from functools import lru_cache, partial
from itertools import product
from typing import TYPE_CHECKING, Any

import numpy as np

from medzh_score.benchmark.answers import EMPTY, REFUSAL, SECOND_READING, AnswerTable, Cell, form_of
from medzh_score.benchmark.prompts import LETTERS
from medzh_score.benchmark.registry import config_names, declared_config
from medzh_score.benchmark.variants import ONE, chosen_of_each, is_number
from medzh_score.data.hub import SHIPPED, is_hub_tag, place_of
from medzh_score.data.records import Records, laid_out, load_records, read_manifest
from medzh_score.extraction import whole_text
from medzh_score.extraction.whole_text import CUT, LONGEST, TOO_LONG, is_overlong
from medzh_score.prompting.ids import HIGHEST_RUN, MOST_RUNS
from medzh_score.readers.prediction import Shuffled
from medzh_score.ui.errors import NAMED, MedzhError, printable, shown
from medzh_score.ui.privacy import Unredacted, quotable
from medzh_score.ui.progress import display_name

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
    from pathlib import Path

    from medzh_score.benchmark.answers import Reading
    from medzh_score.benchmark.items import Query
    from medzh_score.benchmark.rules import Rule
    from medzh_score.benchmark.variants import Variants
    from medzh_score.io.open_input import Input
    from medzh_score.readers.files import Batch, PredictionFiles
    from medzh_score.readers.prediction import Prediction

    Alike = Mapping[Variants, Sequence[int]]
    Sets = Mapping[Variants, Collection[int]]

UNKNOWN_IDS = "check that --data is the build whose prompts were sent"
REASON_LENGTH = 200  # of what a failed request says
NO_FOLDER = re.compile(r'["<>:/|\\?*\[\]]+')  # what lm-eval replaces in the name of a folder


@dataclass(frozen=True)
class PredictionPlace:
    """A prediction in its file, of which the name stands here; lines count from 1."""

    id: str
    run: int
    variant: int
    file: str
    line: int


@dataclass(frozen=True)
class Coverage:
    """How the predictions cover what was asked, in records.

    Attributes
    ----------
    expected : int
        Records times runs seen times the variants seen that a record can have.
    read : int
        Those of which a prediction came. A prediction for a group of three records counts three times here and below.
    missing : int
        Those of which none came, failed requests among them.
    empty : int
        With a prediction of nothing but space, or of reasoning alone where that is removed.
    unread : int
        With a prediction in which the chosen rule found no answer, empty ones among them.
    clear : int
        With a prediction whose answer the chosen rule read and is clear: what commits to it was understood whole.
    second_reading : int
        With a prediction that a second reader read, be it as none.
    truncated : int
        With a prediction that the file marks as cut off at the length limit.
    refused : int
        With a prediction that the file marks as filtered, or that the chosen rule read as ``refusal``; once where both.
    too_long : int
        With a prediction that runs on for longer than is read: left unread, or cut where the whole text counts.
    """

    expected: int
    read: int
    missing: int
    empty: int
    unread: int
    clear: int
    second_reading: int
    truncated: int
    refused: int
    too_long: int


@dataclass
class ModelNames:
    """Who a set of predictions is named after so far, where first, and in which files; failed lines name nobody."""

    model: str | None = None
    place: tuple[Path, int] | None = None
    files: list[Path] = field(default_factory=list)

    def take(self, model: str, path: Path, number: int) -> None:
        """Note whom a line names; more than one is refused: the mean over models is no model's score."""
        if model != self.model:
            if not (model and not model.isspace()):
                return
            if self.model is None or self.place is None:
                self.model, self.place = model, (path, number)
            elif spelled(model) != spelled(self.model):
                first, line = self.place
                raise MedzhError(
                    "is named after another model than the predictions before it, and a set of predictions is of one "
                    "model",
                    file=path,
                    line=number,
                    field="model",
                    expected=f"{quotable(printable(self.model))}, as in {printable(display_name(first))}, line {line}",
                    found=model,
                    advice="score each model by itself; where one model goes by two names, make them agree and label "
                    "it: --model",
                )
        if not self.files or self.files[-1] is not path:
            self.files.append(path)


@lru_cache
def spelled(name: str) -> str:
    """Give a model's name as all its spellings have it: servers and tools differ in case, and lm-eval in slashes."""
    return NO_FOLDER.sub("__", name.strip()).casefold()


@dataclass
class AlignedAnswers:
    """The answers of all rules to a set of predictions, each at its place in a table, and an account of the files.

    What counts is in records. ``filtered`` holds cell and record of each prediction that its file marks so;
    ``failed`` the requests that failed; ``too_long`` the lines whose predictions run on; ``ways`` says of each group
    whether it was answered as a whole; ``variants`` are those that were asked, and ``variants_stated`` says that the
    user or the prompts file names them, which otherwise are those of the predictions.
    """

    tables: dict[str, AnswerTable]
    forms: dict[Cell, bytearray] = field(default_factory=dict)
    runs: set[int] = field(default_factory=set)
    ways: dict[str, str] = field(default_factory=dict)
    failed: list[tuple[str, int, Cell, str]] = field(default_factory=list)
    named: ModelNames = field(default_factory=ModelNames)
    held: dict[Path, set[int]] = field(default_factory=dict)
    read: int = 0
    empty: int = 0
    truncated: int = 0
    filtered: list[tuple[Cell, int]] = field(default_factory=list)
    too_long: list[PredictionPlace] = field(default_factory=list)
    inputs: list[Input] = field(default_factory=list)
    variants: tuple[tuple[Variants, tuple[int, ...]], ...] = ()
    variants_stated: bool = False

    @property
    def model(self) -> str | None:
        """The model that the predictions name."""
        return self.named.model

    @property
    def asked(self) -> str:
        """How groups were answered: ``records``, ``groups``, both joined by ``and``; empty without groups."""
        ways = {"groups" if way == "a whole" else "records" for way in self.ways.values()}
        return " and ".join(sorted(ways))

    @property
    def unnamed(self) -> list[str]:
        """The files that name no model where there are several, each with runs of its own."""
        each_has_its_own = len(self.held) > 1 and sum(map(len, self.held.values())) == len(self.runs)
        return [printable(path.name) for path in self.held if each_has_its_own and path not in self.named.files]

    @property
    def failures(self) -> list[str]:
        """The failed requests that no other line made up for, whatever the order of the lines."""
        return sorted(
            f"{quotable(identifier)}: {quotable(printable(' '.join(reason.split())[:REASON_LENGTH]))}"
            for identifier, record, cell, reason in self.failed
            if not self.forms[cell][record]
        )

    def coverage(self, rule: str) -> Coverage:
        """Count how the predictions cover what was asked."""
        table = self.tables[rule]
        expected = int(table.due.sum()) * len(table.runs)
        marked = [table.columns[cell][member] for cell, member in self.filtered]
        decided = {one.wording: 0 for one in table.fired}
        for one in table.fired:
            decided[one.wording] += one.answers
        return Coverage(
            expected,
            self.read,
            expected - self.read,
            self.empty,
            table.unread,
            sum(one.clear for one in table.by_form),
            decided.get(SECOND_READING, 0),
            self.truncated,
            decided.get(REFUSAL, 0) + sum(answer is not None and answer.why != REFUSAL for answer in marked),
            decided.get(TOO_LONG.why, 0) + decided.get(CUT, 0),
        )


def collect(  # noqa: PLR0913 - what was asked, and what came
    ids: Sequence[str],
    asked: Sequence[Query],
    rules: Sequence[Rule],
    files: PredictionFiles,
    *,
    sent: Sets | None = None,
    data: str | Path | Records | None = None,
) -> AlignedAnswers:
    """Read predictions files, align them with what was asked and read every answer by every rule.

    No text is kept: memory grows with the number of predictions, not with their length. Where ids are unknown, the
    error says whose they are, if one config of ``data`` or of what ships has them.
    """
    found = aligned(asked, len(ids), rules, files, data)
    alike = _alike_records(asked)
    named: dict[Variants, set[int]] = {}  # the variants in which predictions, failed ones among them, name records
    for kind, members in alike.items():
        inside = set(members)
        seen = named[kind] = {variant for _, index, (_, variant), _ in found.failed if index in inside}
        for (_, variant), forms in found.forms.items():
            if variant not in seen and any(forms[index] for index in members):
                seen.add(variant)
    if sent is not None:
        _refuse_not_asked(named, sent, files, asked)
    # Where predictions name none, all of these are missing: they are due in the identity.
    due = {kind: set(sent[kind]) if sent is not None else variants or {0} for kind, variants in named.items()}
    variants = sorted({one for numbers in due.values() for one in numbers})
    expected = np.zeros((len(ids), len(variants)), bool)
    for kind, members in alike.items():
        expected[np.ix_(members, [place for place, variant in enumerate(variants) if variant in due[kind]])] = True
    cells = list(product(sorted(found.runs), variants))
    for cell in cells:
        _open(found, cell, len(ids))
    for name, table in found.tables.items():
        found.tables[name] = replace(table, columns={cell: table.columns[cell] for cell in cells}, due=expected)
    found.variants = tuple((kind, tuple(sorted(numbers))) for kind, numbers in due.items())
    found.variants_stated = sent is not None
    return found


def _alike_records(asked: Sequence[Query]) -> Alike:
    """Put the indices of records that have the same variants together."""
    alike: dict[Variants, list[int]] = {}
    variants, together = ONE, alike.setdefault(ONE, [])
    for one in asked:
        if one.variants is not variants:
            variants, together = one.variants, alike.setdefault(one.variants, [])
        if one.part_of is None:
            together.extend(one.members)
    return {kind: members for kind, members in alike.items() if members}


def aligned(
    asked: Sequence[Query],
    records: int,
    rules: Sequence[Rule],
    files: PredictionFiles,
    data: str | Path | Records | None = None,
) -> AlignedAnswers:
    """Read predictions files into tables: what came of which record, run and variant, and the answers of the rules."""
    if not files.paths:
        raise MedzhError("no predictions file is named", expected="at least one")
    aligner = _Aligner(asked, records, rules)
    for one in files.opened():
        aligner.fill(one.path, one.batches)
        aligner.found.inputs.append(one.input)
    if aligner.unknown_count:
        named = ", ".join(shown(identifier) for identifier in aligner.unknown)
        more = ", …" if aligner.unknown_count > NAMED else ""
        path, number = aligner.unknown_place or (None, None)
        raise MedzhError(
            f"{aligner.unknown_count} predictions have an id that the data lack ({named}{more})",
            file=path,
            line=number,
            field="id",
            expected=f"one such as {asked[0].id}",
            found=aligner.unknown[0],
            advice=_advice_on_unknown(aligner.unknown, data),
        )
    if not aligner.found.forms:
        raise MedzhError("holds no predictions", file=files.paths[0], advice="check that generation ran")
    return aligner.found


def _open(found: AlignedAnswers, cell: Cell, records: int) -> bytearray:
    """Make place for the answers of a run and variant where there is none, and give their forms."""
    if cell not in found.forms:
        found.runs.add(cell[0])
        found.forms[cell] = bytearray(records)
        for table in found.tables.values():
            table.open(cell, records)
    return found.forms[cell]


class _Aligner:
    """What lines are aligned with, and the ids that nobody asked for."""

    def __init__(self, asked: Sequence[Query], records: int, rules: Sequence[Rule]) -> None:
        nothing_due = np.zeros((records, 0), bool)
        forms: dict[Cell, bytearray] = {}
        self.found = AlignedAnswers({rule.name: AnswerTable({}, nothing_due, forms) for rule in rules}, forms)
        self.records, self.asked = records, {one.id: one for one in asked}
        self.rules = [(rule.name, partial(read_by, rule)) for rule in rules]
        # What most lines of most files are about: records that are asked alone and are part of no group.
        self.alone = {one.id: one for one in asked if len(one.members) == 1 and one.part_of is None}
        self.unknown: list[str] = []
        self.unknown_count = 0
        self.unknown_place: tuple[Path, int] | None = None

    def fill(self, path: Path, batches: Iterable[Batch]) -> None:  # noqa: C901 - a call a line would cost too much
        """Read one file's answers into the tables; the loop that all of a file's lines go through."""
        found, alone_of, named, run, variant, read = self.found, self.alone.get, self.found.named.take, -1, -1, 0
        kind, forms, reading = None, bytearray(), list[Any]()
        opened: dict[Cell, tuple[Variants, bytearray, list[Any]]] = {}  # variants take turns from line to line
        lines = 0
        for numbers, predictions in batches:
            lines += len(numbers)
            for number, prediction in zip(numbers, predictions, strict=True):
                asked = alone_of(prediction.id)
                if asked is None:
                    self._place(path, number, prediction)
                    continue
                record = asked.members[0]
                if prediction.variant != variant or prediction.run != run:
                    run, variant = prediction.run, prediction.variant
                    cell = opened.get((run, variant))
                    if cell is None:
                        cell = opened[run, variant] = self._opened(path, number, prediction, asked)
                    kind, forms, reading = cell
                if asked.variants is not kind and variant not in asked.variants.numbers:
                    raise _no_such_variant(path, number, prediction, asked)
                if prediction.error is not None:
                    found.failed.append((prediction.id, record, (run, variant), prediction.error))
                    continue
                if forms[record]:
                    raise _repeated(path, number, prediction)
                read += 1
                text = prediction.prediction
                forms[record] = form = form_of(text)
                for column, known, rule in reading:
                    value, why, _, clear, note = rule(text, asked.side, variant)[0]
                    column[record] = known[value, why, note, clear]
                if prediction.model is not None:
                    named(prediction.model, path, number)
                if form == EMPTY or prediction.finish_reason is not None or len(text) > LONGEST:
                    self._note_circumstances(path, number, prediction, asked.members)
        found.read += read
        if not lines:
            raise MedzhError("holds no predictions", file=path, advice="check that generation ran")

    def _opened(
        self, path: Path, number: int, prediction: Prediction, asked: Query
    ) -> tuple[Variants, bytearray, list[Any]]:
        """Find where lines of a run and variant go, and the rules that read them; refuse what cannot be asked so."""
        found, cell = self.found, (prediction.run, prediction.variant)
        if prediction.run > HIGHEST_RUN:
            expected = f"a whole number from 0 to {HIGHEST_RUN}"
            problem, wrong = "is no number of a run", prediction.run
            raise MedzhError(problem, file=path, line=number, field="run", expected=expected, found=wrong)
        if prediction.variant not in asked.variants.numbers:
            raise _no_such_variant(path, number, prediction, asked)
        forms = _open(found, cell, self.records)
        found.held.setdefault(path, set()).add(prediction.run)
        if len(found.runs) > MOST_RUNS:
            expected = "the number of a run, from 0, not of a line"
            raise MedzhError(f"more than {MOST_RUNS} runs", file=path, line=number, field="run", expected=expected)
        columns = [(found.tables[name].columns[cell], rule) for name, rule in self.rules]
        return asked.variants, forms, [(column, column.numbering, rule) for column, rule in columns]

    def _place(self, path: Path, number: int, prediction: Prediction) -> None:
        """Read a line about a group or a part of one, or note that nobody asked for it."""
        asked = self.asked.get(prediction.id)
        if asked is None:
            self.unknown_count += 1
            self.unknown_place = self.unknown_place or (path, number)
            if len(self.unknown) < NAMED:
                self.unknown.append(prediction.id)
            return
        found, members, text = self.found, asked.members, prediction.prediction
        if prediction.variant not in asked.variants.numbers:
            raise _no_such_variant(path, number, prediction, asked)
        self._note_way(path, number, asked)
        _, forms, reading = self._opened(path, number, prediction, asked)
        if prediction.error is not None:
            cell = prediction.run, prediction.variant
            found.failed.append((prediction.id, members[0], cell, prediction.error))
            return
        if any(forms[member] for member in members):
            raise _repeated(path, number, prediction)
        for column, known, rule in reading:
            for member, one in zip(members, rule(text, asked.side, prediction.variant), strict=True):
                value, why, _, clear, note = one
                column[member] = known[value, why, note, clear]
        form = form_of(text)
        for member in members:
            forms[member] = form
        found.read += len(members)
        if prediction.model is not None:
            found.named.take(prediction.model, path, number)
        self._note_circumstances(path, number, prediction, members)

    def _note_circumstances(self, path: Path, number: int, prediction: Prediction, members: Sequence[int]) -> None:
        found, cell = self.found, (prediction.run, prediction.variant)
        if found.forms[cell][members[0]] == EMPTY:
            found.empty += len(members)
        if is_overlong(prediction.prediction):
            found.too_long.append(PredictionPlace(prediction.id, *cell, path.name, number))
        found.truncated += len(members) * prediction.is_cut_off
        if prediction.is_filtered:
            found.filtered += [(cell, member) for member in members]

    def _note_way(self, path: Path, number: int, asked: Query) -> None:
        """Remember whether a group is answered as a whole or in its parts, and refuse both."""
        group = asked.part_of if len(asked.members) == 1 and asked.part_of is not None else asked.id
        way = "a whole" if asked.id == group else "single records"
        known = self.found.ways.setdefault(group, way)
        if known != way:
            raise MedzhError(
                f"the group {quotable(group)} is answered as {known} and as {way}",
                file=path,
                line=number,
                field="id",
                expected="one of the two",
                found=asked.id,
                advice="keep the lines of one prompt form",
            )


def _no_such_variant(path: Path, number: int, prediction: Prediction, asked: Query) -> MedzhError:
    listed = sorted(asked.variants.numbers)
    known = ", ".join(map(str, listed)) if listed != list(range(len(listed))) else f"0 to {listed[-1]}"
    advice = "a variant is numbered by the rank of its permutation, as medzh-score prompts writes it"
    if len(listed) == 1:
        known, advice = "0", 'number repeated answers with "run"'
    return MedzhError(
        f"{shown(prediction.id)} has no such variant",
        file=path,
        line=number,
        field="variant",
        expected=known,
        found=prediction.variant,
        advice=advice,
    )


def _repeated(path: Path, number: int, prediction: Prediction) -> MedzhError:
    return MedzhError(
        "the same prediction twice",
        file=path,
        line=number,
        field="id",
        expected="each id once for a run and variant",
        found=Unredacted(f"{quotable(prediction.id)} run {prediction.run} variant {prediction.variant}"),
        advice='number repeated answers with "run", or give one file a run with --file-per-run',
    )


# Unknown ids: the one config of the build, or of what ships, that has them.


def _advice_on_unknown(ids: Sequence[str], data: str | Path | Records | None) -> str:
    if data is None:
        return UNKNOWN_IDS
    # What a tag's other configs hold would have to be downloaded for it.
    local = None if isinstance(data, Records) or data in SHIPPED or is_hub_tag(data) else data
    if local is not None and (config := _owner(ids, local)):
        return f"these are {config}'s"
    for name in SHIPPED:
        if config := _owner(ids, name):
            return f"these are {config}'s of --data {name}"
    return UNKNOWN_IDS


def _owner(ids: Sequence[str], data: str | Path) -> str | None:
    """Name the one config that has all of these ids; what cannot be read is passed over, another error is raised."""
    configs: Sequence[str] = config_names()
    if data not in SHIPPED:
        try:
            built = read_manifest(place_of(data).folder)["configs"]
        except MedzhError:
            return None
        configs = [config for config in configs if config in built]
    found = [config for config in configs if set(ids) <= _ids_of(config, data)]
    return found[0] if len(found) == 1 else None


def _ids_of(config: str, data: str | Path) -> set[str]:
    """Give all ids that predictions may repeat, those of groups among them."""
    try:
        found = declared_config(config)
        if found.private:  # of which nothing is told where another is at work
            return set()
        records = load_records(data, config, columns=list(found.columns))
        return {one.id for one in found.asked(records.rows, laid_out(found, records))}
    except MedzhError:
        return set()


# Letters of options that a tool showed in another order than the record's are mapped back.


def can_be_shuffled(side: Any) -> bool:  # noqa: ANN401 - as rules take it
    """Say whether what a rule knows of a question can be given in another order of its options."""
    return hasattr(getattr(side, "side", side), "shuffled")


def read_by(rule: Rule, text: str, side: Any, variant: int) -> Sequence[Reading]:  # noqa: ANN401 - as rules take it
    """Read a prediction by a rule, as `whole_text.read_by` does, with the letters as they were shown."""
    return _read(whole_text.read_by, rule, text, side, variant)


def read_in(rule: Rule, text: str, side: Any, variant: int) -> Sequence[Reading]:  # noqa: ANN401 - as rules take it
    """Read the answer in a prediction by a rule, as `whole_text.read_in` does, with the letters as they were shown."""
    return _read(whole_text.read_in, rule, text, side, variant)


def _read(
    read: Callable[..., Sequence[Reading]],
    rule: Rule,
    text: str,
    side: Any,  # noqa: ANN401 - as rules take it
    variant: int,
) -> Sequence[Reading]:
    if not isinstance(text, Shuffled):
        return read(rule, text, side, variant)
    found = read(rule, str(text), side.shuffled(text.orders), variant)
    return [_mapped(one, order) for one, order in zip(found, text.orders, strict=True)]


def _mapped(found: Reading, order: Sequence[int]) -> Reading:
    if not isinstance(found.value, str) or not {*found.value} <= {*LETTERS[: len(order)]}:
        return found
    return found._replace(value="".join(sorted(LETTERS[order[LETTERS.index(letter)]] for letter in found.value)))


# The variants that were asked.


def variants_due(which: str | None, sent: Sets | None, asked: Sequence[Query]) -> Sets | None:
    """Settle which variants were asked, by what the user says and by the prompts file; None where neither says it."""
    if which is None:
        return sent
    size, colon, seed = which.partition(":")
    if colon and not (is_number(size) and is_number(seed)):
        raise MedzhError("is no set of variants", field="--variants", expected="N:SEED, two numbers", found=which)
    chosen = chosen_of_each((one.variants for one in asked), size, int(seed or 0))
    for kind, numbers in chosen.items() if sent is not None else ():
        if sent is not None and set(numbers) != set(sent[kind]):
            raise MedzhError(
                f"is not what the prompts file holds: {len(numbers)} of {kind}",
                field="--variants",
                expected=_listed(sent[kind]),
                found=_listed(numbers),
                advice="leave it out: the prompts file says which were asked",
            )
    return chosen


def _refuse_not_asked(named: Sets, due: Sets, files: PredictionFiles, asked: Sequence[Query]) -> None:
    """Refuse predictions of a variant that was not asked; the first of them is looked for only where there is one."""
    if all(set(due[kind]).issuperset(variants) for kind, variants in named.items()):
        return
    kinds = {one.id: one.variants for one in asked}
    for one in files.again():
        for number, prediction in one.lines:
            kind = kinds.get(prediction.id)
            if kind is not None and prediction.variant not in due[kind]:
                raise MedzhError(
                    f"{shown(prediction.id)} was not asked in this variant",
                    file=one.path,
                    line=number,
                    field="variant",
                    expected=_listed(due[kind]),
                    found=prediction.variant,
                    advice="a variant is numbered by the rank of its permutation, as medzh-score prompts writes it",
                )


def _listed(numbers: Collection[int]) -> str:
    """List numbers, the first few where they are many."""
    first = ", ".join(map(str, sorted(numbers)[:NAMED]))
    return f"{first}, …" if len(numbers) > NAMED else first
