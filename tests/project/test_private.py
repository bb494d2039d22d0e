"""A private benchmark's texts stand nowhere but in files that somebody writes to work on them.

Configs whose questions, options, answers and responses carry a mark go through every command and the public API, also
into errors, in both languages; the mark is then looked for in all that was said, raised, written and left behind.
"""

from __future__ import annotations

import io
import json
import stat
import subprocess
import sys
import tempfile
import traceback
from contextlib import redirect_stderr, redirect_stdout
from dataclasses import replace
from itertools import cycle
from types import SimpleNamespace

import pytest
from damaged_builds import damaged_builds
from installed import install
from marked_packages import MARK, marked, marked_packages
from model_server import serving
from private_cases import APART, BUILDING, CONFIGS, SCORING, TEXTS, answers, faulty, write_lines, write_sources

import medzh_score
from dataset_scripts.building import loading
from dataset_scripts.building.new import start_private
from dataset_scripts.cli.main import main as building
from dataset_scripts.cli.main import parser as building_parser
from dataset_scripts.releases import publish
from medzh_score.benchmark.registry import find_config
from medzh_score.cli.main import main as scoring
from medzh_score.cli.main import parser as scoring_parser
from medzh_score.scoring.options import ScoringOptions
from medzh_score.scoring.pipeline import score_with
from medzh_score.ui.cli import everything_declared

LANGUAGES = ("en", "zh")


@pytest.fixture(scope="module")
def work(tmp_path_factory):
    """Install and build the configs, score two models of each, and give the folder in which commands are called."""
    folder, packages = tmp_path_factory.mktemp("private"), tmp_path_factory.mktemp("packages")
    with pytest.MonkeyPatch.context() as patch:
        for package in marked_packages(packages):
            patch.syspath_prepend(str(package))
        patch.chdir(folder)
        (folder / "tmp").mkdir()
        patch.setenv("TMPDIR", str(folder / "tmp"))
        patch.setattr(tempfile, "tempdir", None)
        for name in ("in", "work", "out"):
            (folder / name).mkdir()
        for config in CONFIGS:
            assert building(["build", config, "--recipe", "mini", "--output", "build/medzh", "--quiet"]) == 0
            sent = folder / "in" / f"{config}.prompts.jsonl"
            assert scoring(["prompts", config, "--output", str(sent), "--quiet"]) == 0
            asked = [json.loads(line) for line in sent.read_text(encoding="utf-8").splitlines()]
            for model in "ab":
                name = f"in/{config}.{model}.jsonl"
                write_lines(folder / name, answers(config, asked, model))
                words = ["score", config, name, "--save", f"results/{config}.{model}", "--model", model, "--quiet"]
                assert scoring([*words, "--output", f"out/{config}.{model}.txt"]) == 0
        yield folder
    for name in [name for name in sys.modules if name.partition(".")[0].removesuffix("_bench") in CONFIGS]:
        del sys.modules[name]


@pytest.fixture(scope="module")
def bad(work):
    return [f"in/{name}" for name in faulty(work / "in")]


def quoting(prompt, _before, handler):
    """Refuse what comes by some ways, and quote it, as servers do."""
    if "broken" not in handler.path:
        return False
    body = json.dumps({"error": {"message": f"too long: {prompt}{MARK}"}}, ensure_ascii=False).encode()
    handler.send_response(400)
    handler.send_header("Content-Length", str(len(body)))
    handler.end_headers()
    handler.wfile.write(body)
    return True


def called(main, words):
    """Call a command; give the status, and all that it wrote to both streams."""
    out, err = (io.TextIOWrapper(io.BytesIO(), encoding="utf-8") for _ in range(2))
    with redirect_stdout(out), redirect_stderr(err):
        try:
            status = main(words)
        except SystemExit as ending:
            status = ending.code
    written = []
    for stream in (out, err):
        stream.flush()
        written.append(stream.buffer.getvalue())
    return status, b"\n".join(written)


@pytest.fixture(scope="module")
def damaged(work):
    """Write what the building side is called on, and give the builds that are not well."""
    write_sources(work / "in")
    return [f"in/builds/{name}" for name in damaged_builds(work / "build" / "medzh", work / "in" / "builds")]


# What says that a command failed otherwise than by a message.
FAULTS = (b"usage:", b"please report it", "请向开发者报告".encode(), b"Traceback")


def _unloaded(command, **_):
    """End as a process in which a library could not load a build, without the seconds that it takes."""
    return subprocess.CompletedProcess(command, 1, "", f"unread: {MARK}\n")


def calls(bad, damaged, url):
    """Give every call of the tables, with the statuses that it may have.

    What reads predictions, reports or sources is called with each bad file, others with a few.
    """
    few = [file for file in bad if file.partition(".")[0] in {"in/cut", "in/own_key", "in/unknown", "in/gb"}]
    for table, main in ((SCORING, scoring), (BUILDING, building)):
        for command, cases in table.items():
            for case in cases:
                kinds = {"EACH": bad, "BAD": few, "DAMAGED": damaged}
                of = next((name for name in kinds if name in case), "")
                for file in kinds.get(of, [""]):
                    words = case.removeprefix("! ").replace(of or "URL", file or url).replace("URL", url)
                    statuses = {0, 1, 2, 3} if file else {2, 3} if case.startswith("! ") else {0, 1, 3}
                    yield main, [*command.split(), *words.split()], statuses


def test_every_command_is_listed():
    for parser, tables in ((scoring_parser, [SCORING]), (building_parser, [BUILDING, APART])):
        commands = {prog.partition(" ")[2] for prog in everything_declared(parser())}
        assert commands == {name for table in tables for name in table}


def test_no_command_says_or_leaves_a_text(work, bad, damaged, monkeypatch):
    monkeypatch.setattr(loading, "subprocess", SimpleNamespace(run=_unloaded))
    monkeypatch.setattr(publish, "_published", lambda *_, **__: publish.Published({}, None, private=False))
    for name in ("INITIAL_RETRY_DELAY", "MAX_RETRY_DELAY"):  # of requests to a server that is not there
        monkeypatch.setattr(f"openai._base_client.{name}", 0.001)
    leaks, odd, languages = [], [], cycle(LANGUAGES)
    with serving(quoting) as server:
        for main, words, statuses in calls(bad, damaged, server.base_url):
            status, said = called(main, [*words, "--lang", next(languages)])
            leaks += [(words, form) for form in marked(said)]
            if status not in statuses or any(word in said for word in FAULTS):
                odd.append((words, status, said.decode()[-300:]))
        assert any(MARK in json.dumps(body, ensure_ascii=False) for _, body in server.requests)
    assert leaks == []
    assert not odd, odd
    files = [path for path in work.rglob("*") if path.is_file()]
    texts = {path for path in files for place in TEXTS if path.is_relative_to(work / place)}
    assert [str(path) for path in files if path not in texts and marked(path.read_bytes())] == []
    own = [path for path in texts if not path.is_relative_to(work / "in") and not path.is_relative_to(work / "build")]
    assert len([path for path in own if marked(path.read_bytes())]) > 10
    own += [path for path in (work / "results").rglob("*") if path.is_file()]
    open_to_others = [path for path in own if stat.S_IMODE(path.stat().st_mode) & 0o077]
    assert [path for path in open_to_others if not path.is_relative_to(work / "work" / "other")] == []
    assert not [path for path in (work / "tmp").rglob("*") if path.is_file() and marked(path.read_bytes())]


def raised(function, *args, **kwargs):
    """Call a function of the API that fails; give the error with all that it leads to and holds, as text."""
    with pytest.raises(medzh_score.MedzhError) as caught:
        function(*args, **kwargs)
    written = ["".join(traceback.format_exception(caught.value))]
    errors, left = [], [caught.value]
    while left:
        error = left.pop()
        if error is not None and error not in errors:
            errors.append(error)
            left += [error.__cause__, error.__context__]
            written += [repr(error), str(error), repr(error.args), repr(vars(error))]
    return "\n".join(written)


def test_what_the_api_raises_leads_to_no_text(work, bad):
    data = work / "build" / "medzh"
    for file in bad:
        if file.partition(".")[0] not in {"in/own_key", "in/failed"}:
            said = raised(medzh_score.score, "secret", work / file, data)
            assert marked(said.encode()) == [], file
        if file != "in/none.jsonl":
            with pytest.MonkeyPatch.context() as patch:
                patch.chdir(work)
                found = _checked(work / file, data)
            assert marked(found.encode()) == [], file
        assert marked(raised(medzh_score.Result.load, work / file).encode()) == []
        assert marked(raised(medzh_score.load_records, work / file, "secret").encode()) == []
        assert marked(raised(medzh_score.compare, [work / "results" / "secret.a", work / file]).encode()) == []


def _checked(file, data):
    try:
        found = medzh_score.check("secret", [file], data)
    except medzh_score.MedzhError as error:
        return str(vars(error))
    return (
        repr(found.as_dict())
        + repr(found.error and vars(found.error))
        + repr(found.seen.unparsed)
        + found.seen.frequent
    )


@pytest.mark.parametrize(
    "change", [{"answer": MARK}, {"answer": [MARK]}, {"options": MARK}, {"options": []}, {"kind": MARK}, {"id": MARK}]
)
def test_wrong_records_are_refused_without_their_texts(change, work):
    records = medzh_score.load_records(work / "build" / "medzh", "secret")
    place = next(place for place, row in enumerate(records.rows) if row["kind"] == "letters")
    records.rows[place] |= change
    said = [{"id": row["id"], "prediction": f"A。{MARK}"} for row in records.rows]
    words = raised(medzh_score.score, "secret", said[1:], records)
    assert marked(words.encode()) == []


RAISED = {
    "a ValueError": (f"raise ValueError({MARK!r})", "found 'ValueError'"),
    "one that leads to another": (
        f"try:\n    {{}}[{MARK!r}]\nexcept KeyError:\n    import gone",
        "ModuleNotFoundError",
    ),
    "an end": (f"raise SystemExit({MARK!r})", "found 'SystemExit'"),
    "broken code": (f"x = '{MARK}", "found 'SyntaxError'"),
    "an error of ours": (
        (
            f"from medzh_score.authoring import MedzhError\n"
            f"raise MedzhError('is no place', field='answer', expected={MARK!r}, found={MARK!r}, advice={MARK!r})"
        ),
        "found a string of 3 characters",
    ),
}


@pytest.mark.parametrize("case", RAISED)
def test_a_package_that_cannot_be_imported_is_not_quoted(case, tmp_path, monkeypatch):
    """Nobody knows of it whether it is private."""
    code, words = RAISED[case]
    name = f"gone{list(RAISED).index(case)}"
    start_private(name, ("letters",), tmp_path / name)
    package = install(tmp_path / name)
    (package / f"{name}_bench" / "scoring.py").write_text(code, encoding="utf-8")
    monkeypatch.syspath_prepend(str(package))
    said = raised(medzh_score.find_config, name)
    assert marked(said.encode()) == []
    assert words in said
    for language in LANGUAGES:
        for main, line in (
            (scoring, "configs"),
            (scoring, f"prompts {name}"),
            (building, f"build {name} --recipe mini"),
        ):
            _, told = called(main, [*line.split(), "--lang", language])
            assert marked(told) == []
            assert b"unexpected" not in told


def test_a_report_that_is_saved_is_its_owners_alone(work, tmp_path):
    report = medzh_score.score("secret", work / "in" / "secret.a.jsonl", work / "build" / "medzh")
    report.save(tmp_path / "saved")
    paths = [tmp_path / "saved", *(tmp_path / "saved").iterdir()]
    assert {stat.S_IMODE(path.stat().st_mode) for path in paths} == {0o700, 0o600}
    (tmp_path / "other").mkdir()
    assert stat.S_IMODE((tmp_path / "other").stat().st_mode) & 0o077


def test_an_error_names_file_line_field_and_kind(work):
    with pytest.raises(medzh_score.MedzhError) as caught:
        medzh_score.score("secret", work / "in" / "odd0.jsonl", work / "build" / "medzh")
    error = caught.value
    assert (error.file, error.line, error.field) == (str(work / "in" / "odd0.jsonl"), 1, "prediction")
    _, said = called(scoring, ["score", "secret", "in/comma.jsonl"])
    length = len((work / "in" / "comma.jsonl").read_text(encoding="utf-8").splitlines()[0])
    assert f"found a string of {length} characters".encode() in said
    _, said = called(scoring, ["score", "secret", "in/comma.jsonl", "--lang", "zh"])
    assert f"实际为 {length} 个字符的字符串".encode() in said


def test_small_groups_are_withheld_in_all_that_is_made_of_a_report(work):
    report = json.loads((work / "results" / "secret.a" / "report.json").read_bytes())
    assert report["private"] is True
    assert report["signature"]["withheld"] == "groups under 5 items"
    groups = report["groups"]["kind"]
    # Of several and pairs there are three and four: both are withheld, and neither can be had as what the rest lacks.
    assert list(groups) == ["true-false", "letters", "(withheld)"]
    assert [groups[name]["accuracy"]["n"] for name in groups] == [12, 9, 7]
    small = groups["(withheld)"]["accuracy"]
    assert [small[key] for key in ("value", "low", "high", "std", "per_run")] == [None, None, None, None, [None]]
    assert "withheld" in small["unavailable_reason"]
    result = medzh_score.Result.load(work / "results" / "secret.a")
    assert set(result.layout.groups["kind"]) == set(groups)
    comparison = medzh_score.compare([work / "results" / "secret.a", work / "results" / "secret.b"], by=["kind"])
    assert {one.group for one in comparison.found} == {"", "true-false", "letters"}


@pytest.mark.parametrize("name", CONFIGS)
@pytest.mark.parametrize("model", "ab")
def test_its_numbers_are_those_of_the_same_config_if_it_were_public(work, name, model):
    """Withholding comes behind counting: all that is shown of a private config is what a public one has."""
    config, answered = find_config(name), work / "in" / f"{name}.{model}.jsonl"
    reports = [
        json.loads(score_with(replace(config, private=private), [answered], "build/medzh", ScoringOptions()).as_json())
        for private in (True, False)
    ]
    hidden, shown = reports
    assert hidden["metrics"] == shown["metrics"]
    assert hidden["coverage"] == shown["coverage"]
    for breakdown, groups in hidden["groups"].items():
        whole = shown["groups"][breakdown]
        counts = {group: named["accuracy"]["n"] for group, named in whole.items()}
        assert {group: whole[group] for group in groups if group != "(withheld)"} == {
            group: named for group, named in groups.items() if group != "(withheld)"
        }
        assert sum(named["accuracy"]["n"] for named in groups.values()) == sum(counts.values())


def test_what_is_read_stays_without_the_words_that_were_read(work):
    rows = medzh_score.Result.load(work / "results" / "ward.a").items().to_pylist()
    # Of twelve one is empty, and one does not begin with a place: what decided is known by no name that is declared.
    assert [row["answer"] for row in rows].count("(withheld)") == 10
    assert {row["found_by"] for row in rows} == {"(withheld)"}
    assert {row[key] for row in rows for key in ("note", "spans", "text")} == {None}
    report = json.loads((work / "results" / "ward.a" / "report.json").read_bytes())
    assert report["tables"] == {}
    assert report["coverage"]["unparsed"] == 2


def test_no_digest_of_a_text_is_stored_by_which_a_guess_could_be_confirmed(work, capsys):
    """A prediction of one letter has a digest that anybody can list."""
    rows = medzh_score.Result.load(work / "results" / "secret.a").items().to_pylist()
    names = ("query_sha256", "prediction_sha256", "label_sha256")
    assert {row[name] for row in rows for name in names} == {None}
    words = ["verify", "results/secret.a", "in/secret.a.jsonl", "--item", rows[0]["id"]]
    assert scoring(words) == 2
    assert "secret is private, so results do not store digests of its texts" in capsys.readouterr().err


def test_pages_and_boards_say_private(work):
    assert "私有" in (work / "out" / "secret.html").read_text(encoding="utf-8")
    for name in ("index.html", "configs/secret.html"):
        page = (work / "out" / "site" / name).read_text(encoding="utf-8")
        assert "私有" in page
        assert "private" in page


@pytest.mark.parametrize(
    "words",
    [
        "export results/secret.a --to eee",
        "harness inspect secret --output out/task",
        "archive results/secret.a in/secret.a.jsonl --output out/bundle.zip",
        "score secret in/secret.a.jsonl --save out/texts --include-text full",
    ],
)
def test_what_would_carry_texts_away_is_refused_by_name(words, work):
    status, said = called(scoring, words.split())
    assert status == 2
    assert b"secret is private" in said
    assert not (work / words.split()[-1]).exists()


def test_a_public_config_is_quoted_as_before(work):
    (work / "in" / "public.jsonl").write_text(f'{{"id": "{MARK}", "prediction": "x"}}\n', encoding="utf-8")
    called(scoring, ["score", "secret", "in/unknown.jsonl"])  # before it, so that nothing of it is left
    status, said = called(scoring, ["score", "sdak", "in/public.jsonl", "--data", "mini"])
    assert status == 2
    assert marked(said) == [MARK.encode()]
