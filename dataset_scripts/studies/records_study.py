"""The study of records: a reader says of drawn records whether they are fit to be asked, and the tally gives rates."""

from __future__ import annotations

import re
from collections import defaultdict
from functools import partial
from typing import TYPE_CHECKING, Any

from dataset_scripts.building.keying import keyed_digest
from dataset_scripts.building.source_selection import OPTION, given_files
from dataset_scripts.files.digests import sha256
from dataset_scripts.recipe import dataset
from dataset_scripts.sources.fetching import cached_path
from dataset_scripts.sources.registry import cache_folder, read_sources
from dataset_scripts.studies.source_rows import Sought, nearest_rows, rows_of
from dataset_scripts.study import Drawn, Study, Tally, filled_rows, raters_note
from medzh_score.benchmark.draws import draw_first
from medzh_score.benchmark.tables import Table
from medzh_score.data.hub import place_of
from medzh_score.data.records import load_records, read_manifest
from medzh_score.messages.errors import MedzhError
from medzh_score.statistics.wilson import wilson

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence
    from pathlib import Path

    from dataset_scripts.recipe import Recipe, Record, SourceFile
    from dataset_scripts.sources.registry import Source

NAME = "records"
ORIGIN = re.compile(r"[a-z]+/[0-9a-f]{8}/seed \d+", re.ASCII)  # of a sheet
SAMPLE = 100
# What the reader is asked of each record; the answer to all of them should be yes.
QUESTIONS = ("well_formed", "on_topic", "numbers_whole", "right_label", "true")
VERDICTS = ("yes", "doubtful", "no")  # from the best to the worst
SOUND = "sound"  # all of them
KINDS = {"language model": "a language model", "person": "a person", "physician": "a physician"}
# Beside the record: what names it, and what its maker knew of it, by which a reader would be led.
NAMES = "slot_values"  # what a claim speaks of, its subject first
UNSHOWN = frozenset({"id", "prompt", "source", "recipe", "upstream_key", "rules", "matched"})


def records_study(config: str, given: Sequence[str] = ()) -> Study:
    """Declare the study for a config, with the user's own files that its build was given, as its command had them."""
    return Study(
        name=NAME,
        summary="records of test, each with the row of its source, and what a reader says of them",
        needs="data",
        source=f"a build folder with the config {config}",
        sample=SAMPLE,
        columns=(
            "id",
            "drawn_from",
            "record",
            "source",
            "upstream_key",
            "source_row",
            *QUESTIONS,
            "comment",
            "rater",
            "rater_kind",
        ),
        draw=partial(draw, config, given),
        tally=partial(tally, config),
    )


def draw(config: str, given: Sequence[str], data: Path, sample: int, seed: int) -> Drawn:
    """Draw records of ``test``; the order of the build does not matter.

    Beside each stands the row of its source, where the source is given, in the cache, or ships with the package.
    """
    records = load_records(data, config)
    drawn = draw_first(records.rows, lambda record: str(record["id"]), sample, seed)
    beside, lacking = _source_rows(config, given, data, drawn)
    origin = f"{records.origin.recipe}/{records.origin.fingerprint[:8]}/seed {seed}"
    rows = tuple(
        {
            "id": record["id"],
            "drawn_from": origin,
            "record": _as_text(record),
            "source": record.get("source", ""),
            "upstream_key": record.get("upstream_key", ""),
            "source_row": beside.get(record["id"], ""),
        }
        for record in drawn
    )
    notes = [f"drawn from {origin}"]
    if len(drawn) < sample:
        notes.append(f"the build has {len(drawn)} of {sample} records")
    if lacking:
        notes.append(f"without rows, for the file is not in the cache, nor given with --source: {', '.join(lacking)}")
    return Drawn(rows, tuple(notes))


def tally(config: str, sheet: Path) -> Tally:
    """Count what readers say, with the share of records of which a question is not answered yes, in percent.

    The last line takes all questions together: a record with two faults counts there once. Its interval is Wilson's,
    95 %. Records without a verdict do not count for that question.
    """
    rows = filled_rows(sheet, ("id", "drawn_from", *QUESTIONS, "rater", "rater_kind"))
    origins = sorted({row["drawn_from"] for _, row in rows})
    if len(origins) != 1:
        expected = "rows of one draw"
        raise MedzhError("holds several", file=sheet, field="drawn_from", expected=expected, found=", ".join(origins))
    if not ORIGIN.fullmatch(found := origins[0]):
        expected, advice = "recipe/fingerprint/seed, as it was drawn", "see whether the cells have slipped"
        raise MedzhError("is no draw", file=sheet, field="drawn_from", expected=expected, found=found, advice=advice)
    kinds = sorted({_kind(sheet, number, row) for number, row in rows if any(row[name] for name in QUESTIONS)})
    lines = [_line(name, [_verdict(sheet, number, name, row) for number, row in rows]) for name in QUESTIONS]
    lines.append(_line(SOUND, [_worst([row[name] for name in QUESTIONS]) for _, row in rows]))
    unread = sum(not any(row[name] for name in QUESTIONS) for _, row in rows)
    who = " and ".join(KINDS[kind] for kind in kinds) or "nobody"
    unskilled = "" if "physician" in kinds else ", no physician"
    title = f"Records of {config} {origins[0]}, read by {who}{unskilled}: faulty ones in percent"
    columns = ("asked of a record", *VERDICTS, "not yes", "low", "high")
    notes = (f"{unread} of {len(rows)} records are not read and not counted", raters_note(rows, QUESTIONS[0]))
    return Tally(Table(title, columns, tuple(lines)), notes, 1, origins[0])


def _source_rows(
    config: str, given: Sequence[str], data: Path, drawn: Sequence[Record]
) -> tuple[dict[str, str], list[str]]:
    """Find the row of each record, by its id, and the sources whose file is not at hand."""
    entry = read_manifest(place_of(data, config).folder)["configs"][config]
    chosen = dataset(config)
    recipe = chosen.recipe(entry["recipe"])
    known = read_sources(chosen.sources)
    key = entry.get("key")
    paths = {source["name"]: _path(recipe, known, source, key) for source in entry["sources"]}
    paths |= _own_paths(given_files(chosen, recipe, given), entry["sources"], key)
    of_source = defaultdict(list)
    for record in drawn:
        of_source[_file_of(record, paths)].append(record)
    beside: dict[str, str] = {}
    lacking = []
    for name, records in sorted(of_source.items()):
        if (path := paths.get(name)) is None:
            lacking.append(name)
        else:
            rows = nearest_rows([_sought(record) for record in records], rows_of(path))
            beside |= {record["id"]: row for record, row in zip(records, rows, strict=True)}
    return beside, lacking


def _path(recipe: Recipe, known: Mapping[str, Source], source: dict[str, Any], key: str | None) -> Path | None:
    """Find the very file that the build read, in the package or the cache."""
    name = source["name"]
    path = recipe.embedded.get(name) or (cached_path(known[name], cache_folder()) if name in known else None)
    if path is None or not path.is_file():
        return None
    return path if keyed_digest(sha256(path), key) == source["sha256"] else None


def _own_paths(files: Mapping[str, SourceFile], sources: Iterable[dict[str, Any]], key: str | None) -> dict[str, Path]:
    """Give the user's own files by their sources; each has to be the very file that the build read."""
    read = {source["name"]: source["sha256"] for source in sources}
    for name, file in files.items():
        if name not in read:
            raise MedzhError("the build has no such source", field=OPTION, expected=", ".join(read), found=name)
        if (digest := keyed_digest(file.sha256, key)) != read[name]:
            raise MedzhError(
                "is not the file that the build read",
                file=file.path,
                field=OPTION,
                expected=f"SHA-256 {read[name]}",
                found=digest,
            )
    return {name: file.path for name, file in files.items() if file.path.is_file()}  # a folder has no rows


def _file_of(record: Record, names: Iterable[str]) -> str:
    """Name the file of a record: its key begins with it where `source` is the name of a bank.

    Records of another package need have neither; theirs is the one file that there is.
    """
    begun = record.get("upstream_key", "").partition("/")[0]
    return str(begun if begun in names else record.get("source", " or ".join(names)))


def _sought(record: Record) -> Sought:
    values = [value for name, value in record.items() if name not in UNSHOWN - {"upstream_key"}]
    texts = [str(one) for value in values for one in (value if isinstance(value, list) else [value]) if one is not None]
    return Sought(tuple(texts), tuple(record.get(NAMES, ())))


def _as_text(record: Record) -> str:
    """Write the record's own fields, one a line; options with their letters."""
    own = {name: value for name, value in record.items() if name not in UNSHOWN and value not in (None, "", [])}
    if "options" in own:
        own["options"] = [f"{chr(ord('A') + place)}. {option}" for place, option in enumerate(own["options"])]
    joined = {name: " | ".join(map(str, value)) if isinstance(value, list) else value for name, value in own.items()}
    return "\n".join(f"{name}: {value}" for name, value in joined.items())


def _kind(sheet: Path, number: int, row: dict[str, str]) -> str:
    if row["rater_kind"] not in KINDS:
        expected, found = ", ".join(KINDS), row["rater_kind"]
        raise MedzhError(
            "is no kind of reader", file=sheet, line=number, field="rater_kind", expected=expected, found=found
        )
    return row["rater_kind"]


def _verdict(sheet: Path, number: int, name: str, row: dict[str, str]) -> str:
    if row[name] and row[name] not in VERDICTS:
        expected = ", ".join(VERDICTS)
        raise MedzhError("is no verdict", file=sheet, line=number, field=name, expected=expected, found=row[name])
    return row[name]


def _worst(verdicts: Sequence[str]) -> str:
    """Give the one verdict on a record, which counts once however many faults it has; none where some are open."""
    return "" if "" in verdicts else max(verdicts, key=VERDICTS.index)


def _line(name: str, verdicts: Sequence[str]) -> tuple[str | int | float | None, ...]:
    counts = [verdicts.count(one) for one in VERDICTS]
    if not (read := sum(counts)):
        return (name, *counts, None, None, None)
    share = (read - counts[0]) / read
    return (name, *counts, 100 * share, *(100 * bound for bound in wilson(share, read, 0.95)))
