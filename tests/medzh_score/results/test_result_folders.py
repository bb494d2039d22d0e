"""Result folders on the disk: written whole or not at all, replaced only where asked, and refused where broken."""

from __future__ import annotations

import hashlib
import json
import re
import shutil

import pyarrow as pa
import pytest
from killed import SIGKILL, harness
from places import SAMPLES
from pyarrow import parquet

from medzh_score.cli.main import main
from medzh_score.results.folder import HELD
from medzh_score.results.result import Result
from medzh_score.results.saved_reports import read_report
from medzh_score.scoring.pipeline import score
from medzh_score.ui.errors import MedzhError

SAMPLE = SAMPLES / "sdak" / "predictions.jsonl"
SETTINGS = {"compression": "zstd", "store_schema": False}
MESSAGE = r".+\n(  Fix: .+\n)?"  # of one error


def content(folder):
    return {path.name: path.read_bytes() for path in folder.iterdir()}


@pytest.fixture(scope="module")
def reports(minis):
    """Give two reports of different content."""
    return [score("sdak", SAMPLE, minis, bootstrap=20, rule=rule) for rule in ("medzh-1", "official")]


@pytest.fixture
def saved(reports, tmp_path):
    reports[0].save(tmp_path / "r")
    return tmp_path / "r"


def scored(capsys, minis, *arguments):
    """Run the command: its status, and its lines of errors."""
    status = main(["score", "sdak", str(SAMPLE), "--data", str(minis), "--bootstrap", "20", *map(str, arguments)])
    errors = capsys.readouterr().err.splitlines()
    return status, [line for line in errors if "read as" not in line]


# What is replaced


def test_equal_content_is_left_as_it_is_and_other_content_only_replaced_where_asked(saved, reports):
    places = {path.name: path.stat().st_ino for path in saved.iterdir()}
    old = content(saved)
    reports[0].save(saved)
    reports[0].save(saved, overwrite=True)
    assert {path.name: path.stat().st_ino for path in saved.iterdir()} == places
    with pytest.raises(MedzhError, match=r"the folder contains another result\n  Fix: .*--overwrite"):
        reports[1].save(saved)
    assert content(saved) == old
    reports[1].save(saved, overwrite=True)
    assert Result.load(saved).report == reports[1]
    assert [path.name for path in saved.parent.iterdir()] == ["r"]


def test_a_broken_result_may_be_replaced_and_anything_else_never_is(saved, reports):
    (saved / "report.json").unlink()
    with pytest.raises(MedzhError, match="the folder contains another result"):
        reports[0].save(saved)
    reports[0].save(saved, overwrite=True)
    assert Result.load(saved).report == reports[0]
    (saved / "notes.txt").write_text("meine", encoding="utf-8")
    for overwrite in (False, True):
        with pytest.raises(
            MedzhError, match="the folder contains files that do not belong to a result and is not overwritten"
        ):
            reports[1].save(saved, overwrite=overwrite)
    assert (saved / "notes.txt").exists()


def test_a_report_that_was_read_back_is_not_saved_again(saved, tmp_path):
    with pytest.raises(
        MedzhError, match="the report was loaded from a file and does not contain the other data of a result"
    ):
        Result.load(saved).report.save(tmp_path / "again")
    assert not (tmp_path / "again").exists()


def test_texts_of_a_file_that_changed_since_are_refused(minis, tmp_path, write_lines):
    lines = [json.loads(line) for line in SAMPLE.read_text(encoding="utf-8").splitlines()]
    path = write_lines(tmp_path / "p.jsonl", lines)
    report = score("sdak", path, minis, bootstrap=0)
    write_lines(tmp_path / "p.jsonl", [{**line, "prediction": "不知道"} for line in lines])
    report.save(tmp_path / "without")
    with pytest.raises(MedzhError, match="the file has changed since it was scored"):
        report.save(tmp_path / "with", include_text="full")
    assert sorted(path.name for path in tmp_path.iterdir()) == ["p.jsonl", "without"]


# What is refused before anything is computed


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ("--save {build}/r", "--save: the folder overlaps with an input"),
        ("--save {build}", "--save: the folder overlaps with an input"),
        ("--save {tmp}", "--save: the folder contains files that do not belong to a result and is not overwritten"),
        ("--save {tmp}/file", "--save: the path is a file: expected an output folder"),
        ("--save {tmp}/file/r", "file/r: cannot write to the path: "),
        ("--save {tmp}/r --items {tmp}/r/items.jsonl", "--items: the path is inside the folder of --save"),
        ("--save {tmp}/r --output {tmp}/r/report.txt", "--output: the path is inside the folder of --save"),
        (
            "--overwrite",
            "option --overwrite: this option requires a result folder\n  Fix: set the result folder: --save DIR",
        ),
        (
            "--include-text full",
            "option --include-text: this option requires a result folder\n  Fix: set the result folder: --save DIR",
        ),
    ],
)
def test_where_nothing_can_be_written_nothing_is_computed(arguments, message, minis, tmp_path, capsys, monkeypatch):
    (tmp_path / "file").write_bytes(b"")
    monkeypatch.setattr("medzh_score.scoring.pipeline.score_with", lambda *_: pytest.fail("was computed"))
    filled = [one.format(build=minis, tmp=tmp_path) for one in arguments.split()]
    status, errors = scored(capsys, minis, *filled)
    assert status == 2
    assert re.fullmatch(MESSAGE, "".join(f"{line}\n" for line in errors))
    assert message in "\n".join(errors)
    assert [path.name for path in tmp_path.iterdir()] == ["file"]


def test_the_command_saves_what_python_saves(minis, tmp_path, capsys):
    report = tmp_path / "report.json"
    status, errors = scored(capsys, minis, "--save", tmp_path / "a", "--to", "json", "--output", report)
    assert (status, errors) == (0, [])
    score("sdak", SAMPLE, minis, bootstrap=20, save=tmp_path / "b")
    assert content(tmp_path / "a") == content(tmp_path / "b")
    assert (tmp_path / "a" / "report.json").read_bytes() == report.read_bytes()
    assert read_report(tmp_path / "a") == read_report(report) == Result.load(tmp_path / "b").report


# What is killed

CODE = """
import sys
from pathlib import Path
import pyarrow.parquet
from medzh_score.io import atomic
from medzh_score.scoring.pipeline import score

reports = [score("sdak", sys.argv[2], sys.argv[3], bootstrap=20, rule=rule) for rule in ("medzh-1", "official")]
for one in reports:
    one.save(Path(sys.argv[1]).parent / "warm", overwrite=True)
place = str(Path(sys.argv[1]).parent)
if sys.argv[4] == "two steps":
    atomic._exchanged = lambda one, other: False

def work():
    reports[1].save(sys.argv[1], overwrite=True)
"""


@pytest.mark.parametrize("kind", ["one step", "two steps"])
def test_killed_before_any_step_there_is_nothing_the_old_or_the_new(kind, minis, reports, tmp_path):
    folder, other, former = tmp_path / "place" / "r", tmp_path / "other", tmp_path / "former"
    folder.parent.mkdir()
    reports[0].save(former)
    reports[1].save(other)
    new = content(other)
    with harness(CODE, folder, SAMPLE, minis, kind) as run:
        for before in (None, former):
            old = content(before) if before else {}
            seen = []
            for number in range(1, 100):
                shutil.rmtree(folder, ignore_errors=True)
                if before:
                    shutil.copytree(before, folder)
                status = run(number)
                if status == 0:
                    break
                assert status == SIGKILL
                found = content(folder) if folder.exists() else {}
                assert found in (old, new) or (kind == "two steps" and not found), number
                seen.append(found == new)
                # Whatever was left lying, the next succeeds.
                reports[1].save(folder, overwrite=True)
                assert content(folder) == new
            assert status == 0
            assert content(folder) == new
            assert len(seen) > 5
            assert not seen[0]
            assert any(seen)  # killed while it clears up


# What is broken


def summed(folder):
    """Write hashes that fit, as somebody who edits a result would."""
    lines = (f"{hashlib.sha256((folder / name).read_bytes()).hexdigest()}  {name}\n" for name in HELD)
    (folder / "SHA256SUMS").write_text("".join(lines), encoding="ascii")


def bound(folder):
    """Have the tables name the report that is there, and write hashes that fit."""
    digest = hashlib.sha256((folder / "report.json").read_bytes()).hexdigest()
    for name in ("statistics.parquet", "items.parquet"):
        stored(folder, name, report=digest)
    summed(folder)


def stored(folder, name, change=lambda table: table, **facts):
    """Change a table, or what its file says of itself."""
    file = parquet.ParquetFile(folder / name)
    own = {key.decode(): value.decode() for key, value in file.metadata.metadata.items()}
    with parquet.ParquetWriter(folder / name, (table := change(file.read())).schema, **SETTINGS) as writer:
        writer.write_table(table)
        writer.add_key_value_metadata({**own, **facts})


def said(folder, change):
    """Change the report, written as reports are."""
    report = json.loads((folder / "report.json").read_bytes())
    change(report)
    (folder / "report.json").write_text(json.dumps(report, ensure_ascii=False, indent=2) + "\n", encoding="utf-8")


def first_table(report):
    return next(iter(report["tables"].values()))


def doubled(folder):
    content = (folder / "report.json").read_text(encoding="utf-8")
    written = content.replace('  "config": "sdak",', '  "config": "sdak",\n  "config": "sdak",')
    (folder / "report.json").write_text(written, encoding="utf-8")


def with_column(name, values):
    def change(table):
        place = table.column_names.index(name)
        array = pa.array(values(table.column(name).to_pylist()), table.schema.field(name).type)
        return table.set_column(place, table.schema.field(name), array)

    return change


def cut(folder):
    path = folder / "statistics.parquet"
    path.write_bytes(path.read_bytes()[:-100])


def more(values):
    return [values[0] + 1, *values[1:]]


def edited(folder):
    said(folder, lambda report: report["metrics"]["FactAcc"].update(low=99.0))


def counted(folder):
    said(folder, lambda report: report["metrics"]["FactAcc"].update(n=101, n_per_run=[101]))


def chained(*steps):
    def do(folder):
        for step in steps:
            step(folder)

    return do


def table(name, change=lambda found: found, **facts):
    return chained(lambda folder: stored(folder, name, change, **facts), summed)


def put(name, text):
    return lambda folder: (folder / name).write_text(text, encoding="utf-8")


def linked(folder):
    (folder / "items.parquet").rename(folder.parent / "elsewhere")
    (folder / "items.parquet").symlink_to(folder.parent / "elsewhere")


def of_another(name, *, rule="medzh-1", keep=True):
    """Take the statistics of another config, or of another run of the same."""

    def do(folder):
        report = score(name, SAMPLES / name / "predictions.jsonl", do.minis, bootstrap=10, rule=rule)
        report.save(folder.parent / "other")
        shutil.copy(folder.parent / "other" / "statistics.parquet", folder)
        (summed if keep else bound)(folder)

    return do


def renamed(report):
    report["rules"]["x"] = report["rules"].pop("official")


def put_under(named, name):
    named[name] = named.popitem()[1]


STATISTICS, ITEMS = "statistics.parquet", "items.parquet"
BROKEN = {
    "a cut table": (cut, "statistics.parquet: the file has changed since it was saved: expected SHA-256"),
    "a cut table with hashes that fit": (chained(cut, summed), "statistics.parquet: invalid Parquet file"),
    "another version": (
        table(STATISTICS, medzh="statistics-1"),
        (
            "field \"medzh\": unsupported version: expected statistics-2, found 'statistics-1'\n"
            "  Fix: score again with this version"
        ),
    ),
    "another version of items": (table(ITEMS, medzh="items-9"), ('items.parquet: field "medzh": unsupported version')),
    "another version of the report": (
        chained(lambda folder: said(folder, lambda report: report.update(schema=2)), summed),
        'report.json: field "schema": unsupported version: expected 1, found 2',
    ),
    "texts of no kind": (
        table(ITEMS, texts="some"),
        'items.parquet: field "texts": the file does not state which texts it contains: expected none or spans or full',
    ),
    "an edited report": (edited, "report.json: the file has changed since it was saved"),
    "an edited report with hashes that fit": (
        chained(edited, summed),
        'statistics.parquet: field "report": the file belongs to another report, or the report has changed',
    ),
    "a headline that is no metric": (
        chained(lambda folder: said(folder, lambda report: report["primary_metric"].update(name="x")), bound),
        'report.json: field "primary_metric": the report has no such metric',
    ),
    "a table with a row that is cut": (
        chained(lambda folder: said(folder, lambda report: first_table(report)["rows"][0].pop()), bound),
        'report.json: field "tables[.].*": a row does not have the same number of columns as the header',
    ),
    "a key that stands twice": (chained(doubled, bound), 'report.json: field "config": duplicate key'),
    "a report without coverage": (
        chained(lambda folder: said(folder, lambda report: report.pop("coverage")), bound),
        "report.json: Object missing required field coverage: expected a report",
    ),
    "a deep report": (
        chained(put("report.json", '{"a":' + "[" * 200_000), summed),
        "report.json: the nesting is too deep",
    ),
    "a report that is cut": (chained(put("report.json", '{"schema": 1,'), summed), "report.json:1: invalid JSON"),
    "hashes of nothing": (put("SHA256SUMS", ""), "SHA256SUMS: the file does not list the files of a result"),
    "hashes of other files": (
        put("SHA256SUMS", f"{'0' * 64}  ../x\n"),
        "SHA256SUMS: the file does not list the files of a result",
    ),
    "a missing file": (
        lambda folder: (folder / ITEMS).unlink(),
        "a file of the result folder is missing.*items.parquet",
    ),
    "no hashes": (
        lambda folder: (folder / "SHA256SUMS").unlink(),
        "a file of the result folder is missing.*SHA256SUMS",
    ),
    "an extra file": (put("extra.txt", ""), "extra.txt: the file is not part of a result"),
    "a link out of the folder": (linked, "items.parquet: the path is a link or is not a file: expected a regular file"),
    "a folder for a file": (
        lambda folder: ((folder / ITEMS).unlink(), (folder / ITEMS).mkdir()),
        "items.parquet: the path is a link or is not a file",
    ),
    "statistics of another run": (
        of_another("sdak", rule="official"),
        'statistics.parquet: field "report": the file belongs to another report',
    ),
    "nothing": (shutil.rmtree, "the path does not exist: expected a result folder"),
}


@pytest.mark.parametrize("name", BROKEN)
def test_what_is_broken_is_named_with_file_and_what_was_expected(name, saved, minis, capsys):
    spoil, message = BROKEN[name]
    spoil.__dict__["minis"] = minis
    spoil(saved)
    with pytest.raises(MedzhError, match=message) as refused:
        Result.load(saved)
    assert str(refused.value).startswith(str(saved))
    assert "\n" not in str(refused.value).replace("\n  Fix: ", "")
    capsys.readouterr()
    assert main(["verify", str(saved), str(SAMPLE), "--data", str(minis)]) == 2
    assert re.fullmatch(MESSAGE, capsys.readouterr().err)


EDITED = {  # and hashes that fit
    "a headline of another value": chained(
        lambda folder: said(folder, lambda report: report["primary_metric"].update(value=99.0)), bound
    ),
    "edited counts that all files agree on": chained(counted, bound),
    "a renamed group": chained(
        lambda folder: said(folder, lambda report: put_under(report["groups"]["type"], "x")), bound
    ),
    "a rule that is missing": chained(lambda folder: said(folder, lambda report: report["rules"].clear()), bound),
    "another rule": chained(lambda folder: said(folder, renamed), bound),
    "a report with another number of items": chained(
        lambda folder: said(folder, lambda report: report["signature"].update(items="100")), bound
    ),
    "a report without a number of items": chained(
        lambda folder: said(folder, lambda report: report["signature"].update(items="x")), bound
    ),
    "a column that is missing": table(STATISTICS, lambda found: found.drop_columns(["missing"])),
    "a column too many": table(ITEMS, lambda found: found.append_column("x", pa.nulls(len(found)))),
    "a row that is missing": table(STATISTICS, lambda found: found.slice(1)),
    "an answer that is missing": table(ITEMS, lambda found: found.slice(1)),
    "rows in another order": table(STATISTICS, lambda found: found.take(list(range(len(found)))[::-1])),
    "a statistic that is no number": table(STATISTICS, with_column("s0", lambda values: [float("nan"), *values[1:]])),
    "another unit": table(STATISTICS, with_column("unit", more)),
    "an item of another name": table(STATISTICS, with_column("item", lambda values: ["x", *values[1:]])),
}


@pytest.mark.parametrize("name", EDITED)
def test_what_was_edited_and_given_hashes_that_fit_is_never_verified(name, saved, minis, capsys):
    """Loading looks at version and hashes; whether numbers and statistics agree, only scoring again shows."""
    EDITED[name](saved)
    capsys.readouterr()
    status = main(["verify", str(saved), str(SAMPLE), "--data", str(minis)])
    said = capsys.readouterr()
    assert status in {1, 2}, said.out
    assert "unexpected" not in said.err
    assert re.fullmatch(f"({MESSAGE})?", said.err)


# What is verified and deposited


def verified(capsys, *arguments):
    capsys.readouterr()
    status = main(["verify", *map(str, arguments)])
    return status, capsys.readouterr().out.splitlines()


@pytest.mark.parametrize("texts", ["none", "spans", "full"])
def test_a_folder_is_made_again_whole(texts, reports, minis, tmp_path, capsys):
    reports[0].save(tmp_path / "r", include_text=texts)
    assert Result.load(tmp_path / "r").texts == texts
    status, lines = verified(capsys, tmp_path / "r", SAMPLE, "--data", minis)
    assert status == 0
    assert lines[-2:] == ["matches: statistics.parquet: all rows match", "matches: items.parquet: all rows match"]


def test_statistics_and_answers_that_are_not_those_of_the_report_are_counted(saved, minis, capsys):
    """Counts are as before, so only scoring again shows it."""
    stored(saved, STATISTICS, with_column("s2", lambda values: [1 - values[0], 1 - values[1], *values[2:]]))
    stored(saved, ITEMS, with_column("answer", lambda values: ["incorrect", *values[1:]]))
    summed(saved)
    status, lines = verified(capsys, saved, SAMPLE, "--data", minis)
    assert status == 1
    assert "differs: statistics.parquet: 2 rows differ" in lines
    assert "differs: items.parquet: 1 rows differ" in lines
    assert any(line.startswith("matches: numbers: all") for line in lines)
