"""Whether a report can be made again: the same records, the same files, the same scorer, the same numbers."""

from __future__ import annotations

import math
import shlex
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any

import msgspec
import numpy as np

from medzh_score.benchmark.registry import find_config
from medzh_score.benchmark.rules import replaced_by, signed_rule
from medzh_score.data.hub import SHIPPED
from medzh_score.data.records import DEFAULT_DATA, load_records
from medzh_score.io.archive import SUMS, write_zip
from medzh_score.io.documents import read_document
from medzh_score.io.open_input import InputFile, input_of
from medzh_score.readers.records import READER as PYTHON
from medzh_score.readers.records import rows_digest
from medzh_score.results.folder import ITEMS, NAMES, STATISTICS
from medzh_score.results.result import Result
from medzh_score.results.saved_reports import SHAPE, read_report, report_file
from medzh_score.results.tables import DIGESTS, PREDICTION
from medzh_score.scoring.options import FILES, ROUND, options_again
from medzh_score.scoring.pipeline import score_with
from medzh_score.scoring.withholding import refuse_private
from medzh_score.ui.errors import MedzhError, printable
from medzh_score.ui.i18n import _, joined
from medzh_score.version import VERSION

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    import pyarrow as pa

    from medzh_score.data.records import Origin
    from medzh_score.io.open_input import Input
    from medzh_score.results.report import Report


# Told apart above, or what a folder may have said from which the files were taken.
NOT_COMPARED = frozenset({"inputs", "arguments", "model", "served_as", "warnings"})
TOLD_APART = frozenset({"signature.medzh_score", "signature.data"})
PREDICTIONS = "predictions"
SHOWN = 5


@dataclass(frozen=True)
class Verified:
    """What is as the report says, and what is not."""

    same: tuple[str, ...]
    problems: tuple[str, ...]


def verify(path: Path, data: str | Path | None = None, files: Sequence[Path] = ()) -> Verified:
    """Make a report, or a whole result folder, again from what it names, and compare.

    Without ``data`` and a build, it is made of the open data or the mini sample, if it was scored on them.
    """
    result = Result.load(path) if path.is_dir() else None
    stated = read_report(path)
    data = data or data_of(stated)
    same, problems = _scorer(stated)
    told_apart = len(problems)
    origin = load_records(data, stated.config).origin
    (same if _same_records(stated, origin) else problems).append(_records_line(stated, origin, data))
    chosen = [_stated_file(one, path, files) for one in stated.inputs]
    for one, file in zip(stated.inputs, chosen, strict=True):
        digest = _digest_of(file, one)
        values = {"name": one.name, "sha256": one.sha256, "digest": digest, "file": file}
        if digest == one.sha256:
            same.append(_("{name}: the file matches", **values))
        else:
            problems.append(
                _("{name}: the file differs: expected SHA-256 {sha256}, found {digest} in {file}", **values)
            )
    if len(problems) > told_apart or not _has_rule(stated):
        problems.append(_("numbers: not compared"))
        return Verified(tuple(same), tuple(problems))
    try:
        made = _made_again(stated, chosen, data)
        found = [_numbers(path, made.as_json()), *([] if result is None else _same_tables(result, made))]
    except MedzhError as error:
        found = [Verified((), (_("numbers: scoring again failed: {error}", error=error),))]
    same += [line for one in found for line in one.same]
    return Verified(tuple(same), (*problems, *(line for one in found for line in one.problems)))


def data_of(stated: Report) -> str:
    """Give the build, or without one the data of the package that a report was made of."""
    shipped = [one for one in stated.signature.get("data", "").split("/")[1:2] if one in SHIPPED]
    return DEFAULT_DATA if Path(DEFAULT_DATA).exists() or not shipped else shipped[0]


def _same_records(stated: Report, origin: Origin) -> bool:
    return stated.signature.get("data", "").split("/")[1:3] == str(origin).split("/")[1:3]


def _records_line(stated: Report, origin: Origin, data: str | Path) -> str:
    values = {"wanted": stated.signature.get("data"), "found": str(origin), "data": data}
    if values["wanted"] == values["found"]:
        return _("records: {found}", **values)
    if _same_records(stated, origin):
        return _(
            "records: the content is the same, but the name differs: {wanted} in the report, {found} in {data}",
            **values,
        )
    return _("records: the report uses {wanted}; {data} contains {found}", **values)


def _has_rule(stated: Report) -> bool:
    return _rule(stated) in {rule.name for rule in find_config(stated.config).rules}


def _rule(stated: Report) -> str:
    return stated.signature.get("rule", "unknown").partition("+")[0]


def _rule_problem(stated: Report) -> str | None:
    made = stated.signature.get("medzh_score", "unknown")
    rules = find_config(stated.config).rules
    signed, name = stated.signature.get("rule", "unknown"), _rule(stated)
    if not _has_rule(stated):
        values = {"signed": signed, "made": made, "known": ", ".join(rule.name for rule in rules)}
        try:
            replaced_by(rules, name)
        except MedzhError as error:
            return _(
                "rule: {signed} was {problem}; medzh-score {made} contains the old rule",
                **values,
                problem=error.problem,
            )
        return _("rule: {signed} is not available (available: {known}); medzh-score {made} contains it", **values)
    values = {"name": name, "signed": signed, "here": signed_rule(name)}
    if signed == values["here"]:
        return None
    return _("rule: {name} has changed: the report uses {signed}, and this version has {here}", **values)


def _scorer(stated: Report) -> tuple[list[str], list[str]]:
    made = stated.signature.get("medzh_score", "unknown")
    problems = [problem] if (problem := _rule_problem(stated)) else []
    if made != VERSION:
        problems.append(
            _(
                "scorer: the report was created with medzh-score {made}; this version is {version}",
                made=made,
                version=VERSION,
            )
        )
        return [], problems
    return [_("scorer: medzh-score {version}", version=VERSION)], problems


def _stated_file(one: Input, report: Path, files: Sequence[Path], command: str = "verify") -> Path:
    places = list(files) or [report.parent / one.name, Path(one.name)]
    end = "." if one.reader == PYTHON else "\0"  # rows from Python may be in a file of any form
    named = [file for file in places if printable(file.name).partition(end)[0] == one.name and file.is_file()]
    again = f"medzh-score {command} {shlex.quote(str(report))} PATH"
    if not named and one.reader == PYTHON:
        problem = _("the predictions were passed in Python, so the report names no predictions file")
        advice = _(
            "write them to a file in any input format, and pass its path: {again}/{name}.jsonl …",
            again=again,
            name=one.name,
        )
        raise MedzhError(problem, file=report, advice=advice)
    if not named:
        advice = _("pass its path: {again}/{name} …", again=again, name=one.name)
        raise MedzhError(_("a file named in the report is missing"), file=one.name, advice=advice)
    return next((file for file in named if _digest_of(file, one) == one.sha256), named[0])


def _digest_of(file: Path, one: Input) -> str:
    return rows_digest(file) if one.reader == PYTHON else input_of(file, one.reader).sha256


def _made_again(stated: Report, chosen: Sequence[Path], data: str | Path) -> Report:
    by_reader: dict[str, list[Path]] = {}
    for one, file in zip(stated.inputs, chosen, strict=True):
        beside = one.reader in FILES or one.reader.startswith(ROUND)
        by_reader.setdefault(one.reader if beside else PREDICTIONS, []).append(file)
    options = options_again(stated.arguments, by_reader)
    return score_with(find_config(stated.config), by_reader.get(PREDICTIONS, []), data, options)


def _numbers(path: Path, made: bytes) -> Verified:
    with InputFile(report_file(path)) as file:
        old = dict(_leaves(read_document(file, dict[str, Any], SHAPE)))
    new = dict(_leaves(msgspec.json.decode(made)))
    differing = [key for key in sorted(old.keys() | new.keys()) if old.get(key, "none") != new.get(key, "none")]
    apart = [key for key in differing if not _close(old.get(key), new.get(key))]
    if apart:
        shown = [
            _(
                "{key}: {there} in the report, {here} now",
                key=key,
                there=old.get(key, "none"),
                here=new.get(key, "none"),
            )
            for key in apart[:SHOWN]
        ]
        if len(apart) > SHOWN:
            shown.append(_("and {count} more", count=len(apart) - SHOWN))
        found = joined(shown, "; ")
        return Verified(
            (), (_("numbers: {count} of {of} differ: {found}", count=len(apart), of=len(old), found=found),)
        )
    if differing:
        rounded = len(differing)
        same = _("numbers: all {of} match, {rounded} of them within rounding error", of=len(old), rounded=rounded)
        return Verified((same,), ())
    return Verified((_("numbers: all {of} match", of=len(old)),), ())


def _close(one: object, other: object) -> bool:
    numbers = (int, float)
    if not isinstance(one, numbers) or not isinstance(other, numbers):
        return False
    return math.isclose(one, other, rel_tol=ROUNDING, abs_tol=ROUNDING)


def _leaves(value: object, key: str = "") -> Iterator[tuple[str, object]]:
    if isinstance(value, dict):
        entries: Mapping[str, object] = value
        for name, part in entries.items():
            if key or name not in NOT_COMPARED:
                yield from _leaves(part, f"{key}.{name}" if key else name)
    elif isinstance(value, list):
        for place, part in enumerate(value):
            yield from _leaves(part, f"{key}[{place}]")
    elif key not in TOLD_APART:
        yield key, value


ROWS = 1 << 16  # that are compared at once
ROUNDING = 1e-9  # relative: what another version of numpy may do to the last digits


def _same_tables(saved: Result, made: Report) -> Iterator[Verified]:
    with TemporaryDirectory() as place:
        made.save(Path(place) / "made", include_text=saved.texts)
        again = Result.load(Path(place) / "made")
        yield _compared(STATISTICS, _statistics_apart(saved, again))
        yield _compared(ITEMS, _answers_apart(saved.items(), again.items()))


def _answers_apart(saved: pa.Table, again: pa.Table) -> int | None:
    if saved.num_rows != again.num_rows:
        return None
    # A result may hold no digests: it was saved without them, or by a version that wrote none.
    held = [name for name in saved.column_names if name != PREDICTION or saved[name].null_count < len(saved)]
    written = [name for name in again.column_names if name in held or name not in DIGESTS]
    saved, again = saved.select(held), again.select(written)
    if saved.equals(again):
        return 0
    parts = ((one.slice(start, ROWS).to_pylist() for one in (saved, again)) for start in range(0, len(saved), ROWS))
    return sum(bool(one != other) for rows, others in parts for one, other in zip(rows, others, strict=True))


def _statistics_apart(saved: Result, again: Result) -> int | None:
    keys = [(one.layout.items, one.runs, list(one.statistics)) for one in (saved, again)]
    same_units = np.array_equal(saved.layout.clusters, again.layout.clusters)
    if keys[0] != keys[1] or not same_units or saved.layout.groups != again.layout.groups:
        return None
    counts, others = (np.stack(list(one.statistics.values())) for one in (saved, again))
    apart = ~np.isclose(counts, others, rtol=ROUNDING, atol=ROUNDING).all(axis=-1)
    apart |= (saved.missing != again.missing)[np.newaxis]
    for place, name in enumerate(saved.statistics):
        apart[place] |= saved.unparsed[name] != again.unparsed[name]
    return int(apart.sum())


def _compared(file: str, apart: int | None) -> Verified:
    if apart is None:
        return Verified((), (_("{file}: the items, runs or rules differ", file=file),))
    if apart:
        return Verified((), (_("{file}: {apart} rows differ", file=file, apart=apart),))
    return Verified((_("{file}: all rows match", file=file),), ())


FOLDER = "result"  # in which a result folder stands


def deposit(report: Path, out: Path, files: Sequence[Path] = ()) -> dict[str, str]:
    """Pack a report or a result folder with the files that it names, and the hash of each; equal content, equal bytes.

    The records are not packed: many may not be redistributed.
    """
    own: dict[str, bytes | Path] = {"report.json": report}
    if report.is_dir():
        Result.load(report)  # which refuses one that is not whole
        own = {f"{FOLDER}/{name}": report / name for name in sorted(NAMES)}
    stated = read_report(report)
    refuse_private(stated.config, private=stated.private)
    members: dict[str, bytes | Path] = {}
    digests: dict[str, str] = {}
    for one in stated.inputs:
        file = _stated_file(one, report, files, "archive")
        found = _digest_of(file, one)
        if found != one.sha256:
            problem = _("the file differs from the one in the report")
            raise MedzhError(problem, file=file, field=one.name, expected=one.sha256, found=found)
        if one.name in digests and digests[one.name] != one.sha256:
            raise MedzhError(
                _("two files have the same name"),
                file=file,
                field=one.name,
                advice=_("rename one of them and score again"),
            )
        members[one.name], digests[one.name] = file, one.sha256
    for name in sorted(members.keys() & {*own, SUMS}):
        raise MedzhError(
            _("the archive needs this file name for another file"),
            file=name,
            advice=_("rename the file and score again"),
        )
    return write_zip(out, {**members, **own})
