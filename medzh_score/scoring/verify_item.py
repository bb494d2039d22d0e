"""Whether a predictions file holds the answers to one record that a result folder scored, by their digests."""

from __future__ import annotations

from typing import TYPE_CHECKING

from medzh_score.benchmark.registry import find_config
from medzh_score.data.records import laid_out, load_records
from medzh_score.prompting.ids import AnswerKey, key_text
from medzh_score.prompting.positions import sent_order
from medzh_score.readers.files import PredictionFiles
from medzh_score.results.result import Result
from medzh_score.results.tables import PREDICTION, sha256_of
from medzh_score.scoring.options import options_again
from medzh_score.scoring.verify import Verified, data_of
from medzh_score.ui.errors import MedzhError
from medzh_score.ui.i18n import _
from medzh_score.ui.privacy import Worded

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping, Sequence
    from pathlib import Path

OPTION = "--item"


def verify_item(folder: Path, data: str | Path | None, files: Sequence[Path], item: str) -> Verified:
    """Compare the predictions of one record in files with those of a result folder, run by run."""
    if not folder.is_dir():
        problem, expected = (
            _("a report does not contain the answers to the items"),
            _("a result folder written by `medzh-score score --save`"),
        )
        raise MedzhError(problem, file=folder, field=OPTION, expected=expected)
    if not files:
        raise MedzhError(_("no predictions file is specified"), field=OPTION, expected=_("at least one"))
    result = Result.load(folder)
    if result.report.private:
        problem = _("{name} is private, so results do not store digests of its texts", name=result.report.config)
        raise MedzhError(problem, file=folder, field=OPTION)
    scored = _scored(result, item)
    found = _found(result, data or data_of(result.report), files, item)
    same, problems = list[str](), list[str]()
    for key in sorted(scored.keys() | found.keys()):
        of = {"item": item, "number": key.run + 1, "variant": key.variant}
        where = _("{item}, run {number}", **of)
        if {one.variant for one in scored} != {0}:
            where = _("{item}, run {number}, option order {variant}", **of)
        values = {"where": where, "expected": scored.get(key), "found": found.get(key)}
        if values["expected"] == values["found"]:
            same.append(
                _("{where}: missing in result and file", **values)
                if values["found"] is None
                else _("{where}: equal, SHA-256 {found}", **values)
            )
        elif values["found"] is None:
            problems.append(_("{where}: missing in the file", **values))
        elif values["expected"] is None:
            problems.append(_("{where}: the result contains no prediction", **values))
        else:
            problems.append(_("{where}: different: expected SHA-256 {expected}, found {found}", **values))
    return Verified(tuple(same), tuple(problems))


def _scored(result: Result, item: str) -> dict[AnswerKey, str | None]:
    import pyarrow.compute as pc

    table = result.items()
    rows = table.filter(pc.and_(pc.equal(table["rule"], result.report.rule), pc.equal(table["id"], item)))
    if not rows.num_rows:
        raise _unknown(result, item, set(table["id"].to_pylist()))
    if result.report.coverage.read and not (
        PREDICTION in table.column_names and pc.any(pc.is_valid(table[PREDICTION])).as_py()
    ):
        problem, advice = _("the result contains no digests of predictions"), _("score the predictions again")
        raise MedzhError(problem, file=result.folder, field=OPTION, advice=advice)
    return {AnswerKey(item, row["run"], row["variant"]): row[PREDICTION] for row in rows.to_pylist()}


def _unknown(result: Result, item: str, known: Collection[str]) -> MedzhError:
    from medzh_score.ui.cli import likely_name

    likely = likely_name(item, known)
    problem = _("no record has this id")
    if likely is not None:
        problem = _("no record has this id; did you mean {likely}?", likely=likely)
    expected = _("an id such as {next}", next=min(known))
    return MedzhError(problem, file=result.folder, field=OPTION, expected=expected, found=item)


def _found(result: Result, data: str | Path, files: Sequence[Path], item: str) -> Mapping[AnswerKey, str]:
    config = find_config(result.report.config)
    records = load_records(data, config.name)
    ids = {
        one.id
        for one in config.queries(records.rows, laid_out(config, records))
        if item in {records.rows[member]["id"] for member in one.members}
    }
    options = options_again(result.report.arguments, {})
    read = PredictionFiles(
        tuple(files), options.reader, options.file_per_run, sent_order(config, data), options.keep_reasoning
    )
    found: dict[AnswerKey, str] = {}
    for prediction in read.each():
        if prediction.id in ids:
            key = AnswerKey(item, prediction.run, prediction.variant)
            if key in found:
                advice = _("keep only the lines of one evaluation")
                raise MedzhError(_("duplicate prediction"), field=OPTION, found=Worded(key_text(key)), advice=advice)
            found[key] = sha256_of(prediction.prediction)
    return found
