"""Predictions aligned with what was asked: each has its place, none comes twice, and every rule reads it there."""

from __future__ import annotations

import hashlib
import re
from collections import Counter
from dataclasses import dataclass, field, replace
from functools import lru_cache
from itertools import product
from typing import TYPE_CHECKING, Any

import numpy as np

from medzh_score.benchmark.answers import EMPTY, FALLBACK, REFUSAL, AnswerTable, Cell, Numbering, form_of
from medzh_score.benchmark.prompts import LETTERS
from medzh_score.benchmark.registry import config_names, declared_config
from medzh_score.benchmark.variants import ONE, chosen_of_each, is_number
from medzh_score.data.hub import SHIPPED, is_hub_tag, place_of
from medzh_score.data.records import Records, laid_out, load_records, read_manifest
from medzh_score.extraction import whole_text
from medzh_score.extraction.whole_text import CUT, LONGEST, TOO_LONG, is_overlong
from medzh_score.prompting.ids import HIGHEST_RUN, MOST_RUNS, AnswerKey, key_text
from medzh_score.readers.prediction import Shuffled
from medzh_score.ui.errors import NAMED, MedzhError, printable, shown
from medzh_score.ui.i18n import _, _n
from medzh_score.ui.privacy import Worded, quotable
from medzh_score.ui.progress import display_name

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
    from pathlib import Path

    from medzh_score.benchmark.answers import Reading
    from medzh_score.benchmark.items import Query
    from medzh_score.benchmark.rules import Rule
    from medzh_score.benchmark.variants import Variants
    from medzh_score.io.open_input import Input
    from medzh_score.readers.files import PredictionFiles
    from medzh_score.readers.native import Batch
    from medzh_score.readers.prediction import Orders, Prediction

    Sets = Mapping[Variants, Collection[int]]
    Numbered = Callable[[str, Any, int], Sequence[int]]  # as `Rule.read`, with numbers for answers

DIGEST = hashlib.sha256().digest_size  # bytes
REASON_LENGTH = 200  # of what a failed request says
REPEATED_LENGTH = 32  # characters of a text that is likely to come again
MOST_REMEMBERED = 1 << 15  # of such texts
WHOLE, SINGLE = "a whole", "single records"  # ways in which a question group is answered
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
    """How the predictions cover what was asked, in records: a prediction for a group of three counts three times."""

    expected: int  # records times runs seen times the variants seen that a record can have
    read: int  # those of which a prediction came
    missing: int  # those of which none came, failed requests among them
    empty: int  # with nothing but space, or with reasoning alone where that is removed
    unparsed: int  # in which the chosen rule found no answer, empty ones among them
    unambiguous: int  # whose answer the chosen rule read and is clear: what commits to it was understood whole
    fallback: int  # that a second reader read, be it as none
    truncated: int  # that the file marks as cut off at the length limit
    refused: int  # that the file marks as filtered, or that the chosen rule read as ``refusal``; once where both
    too_long: int  # that run on for longer than is read: left unread, or cut where the whole text counts


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
                    _(
                        "the model differs from that of earlier predictions, but one set of predictions must be "
                        "from one model"
                    ),
                    file=path,
                    line=number,
                    field="model",
                    expected=_(
                        "{model}, as in {display_name}, line {line}",
                        model=quotable(printable(self.model)),
                        display_name=printable(display_name(first)),
                        line=line,
                    ),
                    found=model,
                    advice=_(
                        "write the predictions of each model to a file of its own and score each file; if these are "
                        "two names of one model, use one name in the files and set the system name with --model"
                    ),
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
    user or the prompts file names them, which otherwise are those of the predictions. If digests are asked for,
    ``digests`` holds the SHA-256 of the text of each record, as the rules read it, or 0 bytes without a prediction.
    """

    tables: dict[str, AnswerTable]
    forms: dict[Cell, bytearray] = field(default_factory=dict)
    digests: dict[Cell, bytearray] = field(default_factory=dict)
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
        ways = {"groups" if way == WHOLE else "records" for way in self.ways.values()}
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
        expected = int(table.expected.sum()) * len(table.runs)
        marked = [table.columns[cell][member] for cell, member in self.filtered]
        decided: Counter[str] = Counter()
        for one in table.matches:
            decided[one.wording] += one.answers
        return Coverage(
            expected=expected,
            read=self.read,
            missing=expected - self.read,
            empty=self.empty,
            unparsed=table.unparsed,
            unambiguous=sum(one.unambiguous for one in table.by_form),
            fallback=decided[FALLBACK],
            truncated=self.truncated,
            refused=decided[REFUSAL] + sum(answer is not None and answer.reason != REFUSAL for answer in marked),
            too_long=decided[TOO_LONG.reason] + decided[CUT],
        )


def collect(  # noqa: PLR0913 - what was asked, and what came
    ids: Sequence[str],
    asked: Sequence[Query],
    rules: Sequence[Rule],
    files: PredictionFiles,
    *,
    sent: Sets | None = None,
    data: str | Path | Records | None = None,
    digests: bool = False,
) -> AlignedAnswers:
    """Read predictions files, align them with what was asked and read every answer by every rule.

    No text is kept: memory grows with the number of predictions, not with their length. Where ids are unknown, the
    error says whose they are, if one config of ``data`` or of what ships has them.
    """
    if not files.paths:
        raise MedzhError(_("no predictions file is specified"), expected=_("at least one"))
    aligner = _Aligner(asked, len(ids), rules, digests=digests)
    found = aligner.found
    for one in files.opened():
        aligner.fill(one.path, one.batches)
        found.inputs.append(one.input)
    aligner.refuse_unknown(data)
    if not found.forms:
        raise MedzhError(_("no predictions found"), file=files.paths[0], advice=_("check that generation ran"))
    alike = _alike_records(asked)
    named: dict[Variants, set[int]] = {}  # the variants in which predictions, failed ones among them, name records
    for kind, members in alike.items():
        inside = set(members) if found.failed else set()
        named[kind] = {variant for _run, index, (_id, variant), _line in found.failed if index in inside}
        named[kind] |= {
            variant for (_unused, variant), forms in found.forms.items() if any(forms[one] for one in members)
        }
    if sent is not None:
        _refuse_not_asked(named, sent, files, asked)
    # Where predictions name none, all of these are missing: they are expected in the identity.
    expected = {kind: set(sent[kind]) if sent is not None else variants or {0} for kind, variants in named.items()}
    variants = sorted({one for numbers in expected.values() for one in numbers})
    is_expected = np.zeros((len(ids), len(variants)), bool)
    for kind, members in alike.items():
        is_expected[np.ix_(members, [place for place, variant in enumerate(variants) if variant in expected[kind]])] = (
            True
        )
    cells = list(product(sorted(found.runs), variants))
    for cell in cells:
        _open(found, cell, len(ids))
    for name, table in found.tables.items():
        found.tables[name] = replace(table, columns={cell: table.columns[cell] for cell in cells}, expected=is_expected)
    found.variants = tuple((kind, tuple(sorted(numbers))) for kind, numbers in expected.items())
    found.variants_stated = sent is not None
    return found


def _alike_records(asked: Sequence[Query]) -> dict[Variants, list[int]]:
    """Put the indices of records that have the same variants together."""
    alike: dict[Variants, list[int]] = {}
    variants, together = ONE, alike.setdefault(ONE, [])
    for one in asked:
        if one.variants is not variants:
            variants, together = one.variants, alike.setdefault(one.variants, [])
        if one.part_of is None:
            together.extend(one.members)
    return {kind: members for kind, members in alike.items() if members}


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

    def __init__(self, asked: Sequence[Query], records: int, rules: Sequence[Rule], *, digests: bool) -> None:
        nothing_expected = np.zeros((records, 0), bool)
        forms: dict[Cell, bytearray] = {}
        self.found = AlignedAnswers({rule.name: AnswerTable({}, nothing_expected, forms) for rule in rules}, forms)
        self.records, self.asked, self.digests = records, {one.id: one for one in asked}, digests
        self.rules = [(table := self.found.tables[rule.name], numbered(rule, table.numbering)) for rule in rules]
        # What most lines of most files are about: records that are asked alone and are part of no group.
        self.alone = {one.id: one for one in asked if len(one.members) == 1 and one.part_of is None}
        self.unknown: list[tuple[str, Path, int]] = []  # the first few
        self.unknown_count = 0

    def refuse_unknown(self, data: str | Path | Records | None) -> None:
        """Refuse ids that nobody asked for, and say whose they are."""
        if not self.unknown:
            return
        ids, (first, path, number) = [one for one, *_unused in self.unknown], self.unknown[0]
        more = ["…"] if self.unknown_count > NAMED else []
        raise MedzhError(
            _n(
                "{n:,} prediction has an id that is not in the data ({ids})",
                "{n:,} predictions have ids that are not in the data ({ids})",
                self.unknown_count,
                ids=", ".join([*map(shown, ids), *more]),
            ),
            file=path,
            line=number,
            field="id",
            expected=_("an id such as {next}", next=next(iter(self.asked))),
            found=first,
            advice=_advice_on_unknown(ids, data, self.asked),
        )

    def fill(self, path: Path, batches: Iterable[Batch]) -> None:  # noqa: C901 - a call a line would cost too much
        """Read one file's answers into the tables; the loop that all of a file's lines go through."""
        found, alone_of, named, run, variant, read = self.found, self.alone.get, self.found.named.take, -1, -1, 0
        kind, forms, digests, reading = None, bytearray(), bytearray(), list[Any]()
        opened: dict[Cell, tuple[Variants, bytearray, bytearray, list[Any]]] = {}  # variants take turns by line
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
                    kind, forms, digests, reading = cell
                if asked.variants is not kind and variant not in asked.variants.numbers:
                    raise _no_such_variant(path, number, prediction, asked)
                if prediction.error is not None:
                    found.failed.append((prediction.id, record, (run, variant), prediction.error))
                    continue
                if prediction.model is not None:
                    named(prediction.model, path, number)
                if forms[record]:
                    raise _repeated(path, number, prediction)
                read += 1
                text = prediction.prediction
                forms[record] = form = form_of(text)
                _keep_digest(digests, asked.members, text)
                for column, numbers_of in reading:
                    column[record] = numbers_of(text, asked.context, variant)[0]
                if form == EMPTY or prediction.finish_reason is not None or len(text) > LONGEST:
                    self._note_circumstances(path, number, prediction, asked.members)
        found.read += read
        if not lines:
            raise MedzhError(_("no predictions found"), file=path, advice=_("check that generation ran"))

    def _opened(
        self, path: Path, number: int, prediction: Prediction, asked: Query
    ) -> tuple[Variants, bytearray, bytearray, list[Any]]:
        """Find where lines of a run and variant go, and the rules that read them; refuse what cannot be asked so."""
        found, cell = self.found, (prediction.run, prediction.variant)
        if prediction.run > HIGHEST_RUN:
            expected = _("an integer from 0 to {highest_run}", highest_run=HIGHEST_RUN)
            problem, wrong = _("invalid run number"), prediction.run
            raise MedzhError(problem, file=path, line=number, field="run", expected=expected, found=wrong)
        if prediction.variant not in asked.variants.numbers:
            raise _no_such_variant(path, number, prediction, asked)
        forms = _open(found, cell, self.records)
        found.held.setdefault(path, set()).add(prediction.run)
        if len(found.runs) > MOST_RUNS:
            expected = _("a run number counted from 0, not a line number")
            raise MedzhError(
                _("more than {most_runs} runs", most_runs=MOST_RUNS),
                file=path,
                line=number,
                field="run",
                expected=expected,
            )
        reading = [(table.columns[cell].numbers, numbers_of) for table, numbers_of in self.rules]
        digests = found.digests.setdefault(cell, bytearray(self.records * DIGEST if self.digests else 0))
        return asked.variants, forms, digests, reading

    def _place(self, path: Path, number: int, prediction: Prediction) -> None:
        """Read a line about a group or a part of one, or note that nobody asked for it."""
        asked = self.asked.get(prediction.id)
        if asked is None:
            self.unknown_count += 1
            if len(self.unknown) < NAMED:
                self.unknown.append((prediction.id, path, number))
            return
        found, members, text = self.found, asked.members, prediction.prediction
        if prediction.variant not in asked.variants.numbers:
            raise _no_such_variant(path, number, prediction, asked)
        self._note_way(path, number, asked)
        _unused, forms, digests, reading = self._opened(path, number, prediction, asked)
        if prediction.error is not None:
            cell = prediction.run, prediction.variant
            found.failed.append((prediction.id, members[0], cell, prediction.error))
            return
        if prediction.model is not None:
            found.named.take(prediction.model, path, number)
        if any(forms[member] for member in members):
            raise _repeated(path, number, prediction)
        for column, numbers_of in reading:
            for member, number_of_answer in zip(
                members, numbers_of(text, asked.context, prediction.variant), strict=True
            ):
                column[member] = number_of_answer
        form = form_of(text)
        for member in members:
            forms[member] = form
        _keep_digest(digests, members, text)
        found.read += len(members)
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
        way = WHOLE if asked.id == group else SINGLE
        known = self.found.ways.setdefault(group, way)
        if known != way:
            raise MedzhError(
                _("question group {group} is answered both as a whole and as single records", group=quotable(group)),
                file=path,
                line=number,
                field="id",
                expected=_("one of the two"),
                found=asked.id,
                advice=_("keep only the predictions for the whole group, or only those for its records"),
            )


def _keep_digest(digests: bytearray, members: Sequence[int], text: str) -> None:
    if digests:
        digest = hashlib.sha256(text.encode()).digest()
        for member in members:
            digests[member * DIGEST : (member + 1) * DIGEST] = digest


def _no_such_variant(path: Path, number: int, prediction: Prediction, asked: Query) -> MedzhError:
    listed = sorted(asked.variants.numbers)
    problem = _("{prediction_id} has no such option order", prediction_id=shown(prediction.id))
    if len(listed) == 1:
        advice = _('number repeated predictions with the field "run"')
        return _wrong_variant(problem, "0", path, number, prediction, advice=advice)
    known = ", ".join(map(str, listed)) if listed != list(range(len(listed))) else _("0 to {shape}", shape=listed[-1])
    return _wrong_variant(problem, known, path, number, prediction)


def _repeated(path: Path, number: int, prediction: Prediction) -> MedzhError:
    return MedzhError(
        _("duplicate prediction"),
        file=path,
        line=number,
        field="id",
        expected=_("each id once per run and option order"),
        found=Worded(key_text(AnswerKey(prediction.id, prediction.run, prediction.variant))),
        advice=_('number repeated predictions with the field "run", or use each file as one run with --file-per-run'),
    )


# Unknown ids: the one config of the build, or of what ships, that has them.


def _advice_on_unknown(ids: Sequence[str], data: str | Path | Records | None, asked: Collection[str]) -> str:
    if {one.casefold() for one in ids} <= {one.casefold() for one in asked}:
        return _("write the ids in upper and lower case as in the data")
    # What a tag's other configs hold would have to be downloaded for it.
    if data is not None and not (isinstance(data, Records) or data in SHIPPED or is_hub_tag(data)):
        try:
            if config := _owner(ids, data, read_manifest(place_of(data).folder)["configs"]):
                return _("score config {config}, which contains these ids", config=config)
        except MedzhError:  # another error is raised
            pass
    for name in SHIPPED if data is not None else ():
        if config := _owner(ids, name, config_names()):
            return _("score config {config} with --data {name}, which contains these ids", config=config, name=name)
    return _("check that --data specifies the data from which the prompts were written")


def _owner(ids: Sequence[str], data: str | Path, configs: Collection[str]) -> str | None:
    """Name the one config that has all of these ids, those of groups among them; what cannot be read is passed over."""
    found = []
    for name in config_names():
        config = declared_config(name)
        if name not in configs or config.private:  # of which nothing is told where another is at work
            continue
        try:
            records = load_records(data, name, columns=list(config.columns))
            known = {one.id for one in config.queries(records.rows, laid_out(config, records))}
        except MedzhError:
            continue
        found += [name] * (set(ids) <= known)
    return found[0] if len(found) == 1 else None


# Letters of options that a tool showed in another order than the record's are mapped back.


def can_be_shuffled(side: Any) -> bool:  # noqa: ANN401 - as rules take it
    """Say whether what a rule knows of a question can be given in another order of its options."""
    return hasattr(getattr(side, "side", side), "shuffled")


def read_by(rule: Rule, text: str, side: Any, variant: int) -> Sequence[Reading]:  # noqa: ANN401 - as rules take it
    """Read a prediction by a rule, as `whole_text.read_by` does, with the letters as they were shown."""
    if not isinstance(text, Shuffled):
        return whole_text.read_by(rule, text, side, variant)
    return _mapped(whole_text.read_by(rule, str(text), side.shuffled(text.orders), variant), text.orders)


def numbered(rule: Rule, numbering: Numbering) -> Numbered:
    """Make a function that reads a prediction as `read_by` and numbers its answers; it keeps those of short texts."""
    read = rule.read
    remembered: dict[tuple[str, int, int], Sequence[int]] = {}

    def numbers_of(text: str, side: Any, variant: int) -> Sequence[int]:  # noqa: ANN401 - as rules take it
        is_short = len(text) <= REPEATED_LENGTH and type(text) is str
        if is_short and (known := remembered.get((text, id(side), variant))) is not None:
            return known
        found: Sequence[Any] = read(text, side, variant) if is_short else read_by(rule, text, side, variant)
        if len(found) == 1:  # nearly always, and sooner
            value, reason, _unused, unambiguous, note = found[0]
            numbers: Sequence[int] = (numbering[value, reason, note, unambiguous],)
        else:
            numbers = [numbering[one.value, one.reason, one.note, one.unambiguous] for one in found]
        if is_short and len(remembered) < MOST_REMEMBERED:
            remembered[text, id(side), variant] = numbers  # the queries hold the sides, so no id comes again
        return numbers

    return numbers_of


def read_in(rule: Rule, text: str, side: Any, variant: int) -> Sequence[Reading]:  # noqa: ANN401 - as rules take it
    """Read the answer in a prediction by a rule, as `whole_text.read_in` does, with the letters as they were shown."""
    if not isinstance(text, Shuffled):
        return whole_text.read_in(rule, text, side, variant)
    return _mapped(whole_text.read_in(rule, str(text), side.shuffled(text.orders), variant), text.orders)


def _mapped(found: Sequence[Reading], orders: Orders) -> list[Reading]:
    mapped = []
    for one, order in zip(found, orders, strict=True):
        if isinstance(one.value, str) and {*one.value} <= {*LETTERS[: len(order)]}:
            value = "".join(sorted(LETTERS[order[LETTERS.index(letter)]] for letter in one.value))
            mapped.append(one._replace(value=value))
        else:
            mapped.append(one)
    return mapped


# The variants that were asked.


def variants_expected(which: str | None, sent: Sets | None, asked: Sequence[Query]) -> Sets | None:
    """Settle which variants were asked, by what the user says and by the prompts file; None where neither says it."""
    if which is None:
        return sent
    size, colon, seed = which.partition(":")
    if colon and not (is_number(size) and is_number(seed)):
        raise MedzhError(
            _("invalid set of option orders"), field="--variants", expected=_("two numbers, N:SEED"), found=which
        )
    chosen = chosen_of_each((one.variants for one in asked), size, int(seed or 0))
    for kind, numbers in chosen.items() if sent is not None else ():
        if sent is not None and set(numbers) != set(sent[kind]):
            raise MedzhError(
                _(
                    "the option orders ({n_numbers} of {kind}) do not match the prompts file",
                    n_numbers=len(numbers),
                    kind=kind,
                ),
                field="--variants",
                expected=_listed(sent[kind]),
                found=_listed(numbers),
                advice=_("omit this option; the prompts file defines the option orders"),
            )
    return chosen


def _refuse_not_asked(named: Sets, expected: Sets, files: PredictionFiles, asked: Sequence[Query]) -> None:
    """Refuse predictions of a variant that was not asked; the first of them is looked for only where there is one."""
    if all(set(expected[kind]).issuperset(variants) for kind, variants in named.items()):
        return
    kinds = {one.id: one.variants for one in asked}
    for one in files.again():
        for number, prediction in one.lines:
            kind = kinds.get(prediction.id)
            if kind is not None and prediction.variant not in expected[kind]:
                raise _wrong_variant(
                    _("{prediction_id} was not queried in this option order", prediction_id=shown(prediction.id)),
                    _listed(expected[kind]),
                    one.path,
                    number,
                    prediction,
                )


def _wrong_variant(  # noqa: PLR0913 - all that the message says
    problem: str,
    expected: str,
    path: Path,
    number: int,
    prediction: Prediction,
    *,
    advice: str | None = None,
) -> MedzhError:
    advice = advice or _("number option orders by permutation rank, as medzh-score prompts does")
    return MedzhError(
        problem,
        file=path,
        line=number,
        field="variant",
        expected=expected,
        found=prediction.variant,
        advice=advice,
    )


def _listed(numbers: Collection[int]) -> str:
    """List numbers, the first few where they are many."""
    first = ", ".join(map(str, sorted(numbers)[:NAMED]))
    return f"{first}, …" if len(numbers) > NAMED else first
