"""Private configs as they are built: ids that confirm no guess, a secret that is kept, and files of one owner."""

from __future__ import annotations

import hashlib
import hmac
import json
import shutil
import stat
import subprocess
from dataclasses import replace
from itertools import permutations

import pytest
from private_package import KINDS, NAME, open_to_others, private_package

from dataset_scripts.building import build as building
from dataset_scripts.building.build import build
from dataset_scripts.building.check import check
from dataset_scripts.cli.main import main
from dataset_scripts.digests import keyed_by, secret_of
from dataset_scripts.recipe import BuildTable, Built, SourceFile, dataset
from medzh_score.authoring import MedzhError
from medzh_score.benchmark.registry import find_config
from medzh_score.cli.main import main as score
from medzh_score.data.integrity import fingerprint
from medzh_score.data.records import load_records, read_manifest, with_edits_marked

QUESTION = "小儿肺炎喘嗽的病位主要在肺。"
LINE = {"kind": "true-false", "question": QUESTION, "options": [], "answer": "对"}
DIGITS = 10


@pytest.fixture(scope="module")
def package(tmp_path_factory):
    with private_package(tmp_path_factory.mktemp("ward") / "own") as folder:
        yield folder


@pytest.fixture
def source(package, tmp_path):  # noqa: ARG001 - a fixture for its effect
    """Give the department's own file, of one question: the easiest to guess."""
    path = tmp_path / "data" / "own.jsonl"
    path.parent.mkdir()
    path.write_text(json.dumps(LINE, ensure_ascii=False) + "\n", encoding="utf-8")
    return path


def official(source, out, *more):
    return main(["build", NAME, "--recipe", "official", "--source", str(source), "--output", str(out), *more])


def content(folder):
    return {
        path.relative_to(folder).as_posix(): path.read_bytes() for path in sorted(folder.rglob("*")) if path.is_file()
    }


def hashes(texts):
    """Give what a guesser may try: digests of texts, in any order and by any separator, as they are and as JSON."""
    for count in range(1, len(texts) + 1):
        for some in permutations(texts, count):
            ways = [separator.join(some) for separator in ("", " ", "\n", "\0", "|", "-")]
            ways += [json.dumps([*some], ensure_ascii=False), json.dumps([*some])]
            for written in {f"{before}{way}" for way in ways for before in ("", NAME, f"{NAME}-")}:
                content = written.encode()
                for name in ("md5", "sha1", "sha256", "sha512", "blake2b", "sha3_256"):
                    yield hashlib.new(name, content).hexdigest()
                for key in (b"\0", NAME.encode(), b"manifest", content):
                    yield hmac.new(key, content, hashlib.sha256).hexdigest()


def test_a_guess_of_a_question_is_confirmed_by_nothing_without_the_secret(source, tmp_path, capsys):
    out = tmp_path / "medzh"
    assert official(source, out) == 0
    (row,) = load_records(out, NAME).rows
    digits = row["id"].removeprefix(f"{NAME}-")
    tried = {one[start : start + DIGITS] for one in hashes((QUESTION, "对", "true-false")) for start in range(7)}
    assert len(tried) > 1000
    assert digits not in tried
    # With the secret the rule gives it: so it is the rule that was tried, and the secret that lacked.
    secret = bytes.fromhex((source.parent / f"{NAME}.secret").read_text(encoding="ascii"))
    keyed = hmac.new(secret, json.dumps([QUESTION], ensure_ascii=False).encode(), hashlib.sha256)
    assert digits == keyed.hexdigest()[:DIGITS]
    said = capsys.readouterr()
    assert hashlib.sha256(source.read_bytes()).hexdigest()[:8] not in said.out + said.err
    assert QUESTION not in said.out + said.err


def test_a_guess_of_a_whole_record_with_its_id_has_another_fingerprint(source, tmp_path):
    """The id stands in predictions, and one record is a whole data set: who guesses it has all but the key."""
    out = tmp_path / "medzh"
    assert official(source, out) == 0
    entry = read_manifest(out)["configs"][NAME]
    records = load_records(out, NAME)
    types = {column["name"]: column["type"] for column in entry["features"]}
    guessed = {"test": records.rows}
    assert fingerprint(guessed, types) != entry["fingerprint"]
    assert fingerprint(guessed, types, key="00" * 32) != entry["fingerprint"]
    assert fingerprint(guessed, types, key=entry["key"]) == entry["fingerprint"]
    assert entry["fingerprint"][:8] in str(records.origin)
    assert entry["key"] not in repr(records.origin)
    # Nor do the digests say it that stand in the card and the manifest beside the fingerprint.
    bare = hashlib.sha256(source.read_bytes()).hexdigest()
    texts = [*(file.read_text(encoding="utf-8") for file in out.glob("*") if file.is_file())]
    assert len(texts) == 4
    assert not any(bare[:16] in text for text in texts)


def test_edited_rows_are_signed_by_a_keyed_digest(source, tmp_path):
    config = find_config(NAME)
    marks = set()
    for number in range(2):
        out = tmp_path / f"{number}" / "medzh"
        (source.parent / f"{NAME}.secret").unlink(missing_ok=True)
        assert official(source, out) == 0
        records = load_records(out, NAME)
        edited = [{**row, "id": f"{NAME}-0123456789", "answer": "错"} for row in records.rows]
        marks.add(str(with_edits_marked(config, replace(records, rows=edited)).origin))
    assert len(marks) == 2  # equal rows, other secrets
    assert all("edited" in mark for mark in marks)


def test_the_same_secret_gives_the_same_bytes_and_another_other_ids(source, tmp_path):
    first, second, third = (tmp_path / name / "medzh" for name in ("a", "b", "c"))
    assert official(source, first) == official(source, second) == 0
    assert content(first) == content(second)
    shutil.move(source.parent / f"{NAME}.secret", tmp_path / "aside")
    assert official(source, third) == 0
    ids = [{row["id"] for row in load_records(out, NAME).rows} for out in (first, third)]
    assert not ids[0] & ids[1]
    assert read_manifest(first)["configs"][NAME]["fingerprint"] != read_manifest(third)["configs"][NAME]["fingerprint"]


def test_the_secret_stands_in_nothing_that_is_built_or_said(source, tmp_path, capsys):
    assert official(source, tmp_path / "medzh") == 0
    path = source.parent / f"{NAME}.secret"
    secret = path.read_text(encoding="ascii").strip()
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    said = capsys.readouterr()
    assert f"The secret key of {NAME} was created next to its source. Keep the key with the data" in said.err
    held = [said.out.encode(), said.err.encode(), *content(tmp_path / "medzh").values()]
    for form in (secret.encode(), bytes.fromhex(secret)):
        assert not any(form in one for one in held)


@pytest.mark.parametrize(
    ("spoil", "problem"),
    [
        (lambda path: path.unlink(), "the secret key used for the existing build is missing"),
        (lambda path: path.write_text("0" * 64 + "\n"), "the secret key is not the key used for the existing build"),
        (lambda path: path.write_text("0" * 63), "the file is not a secret key of a private config"),
        (lambda path: path.chmod(0o640), "other users can read or modify the path, which belongs to a private config"),
    ],
    ids=["lost", "another", "damaged", "readable"],
)
def test_a_secret_that_cannot_be_it_is_refused_and_nothing_is_made(source, tmp_path, capsys, spoil, problem):
    out, path = tmp_path / "medzh", source.parent / f"{NAME}.secret"
    assert official(source, out) == 0
    spoil(path)
    before, secret = content(out), path.exists() and path.read_bytes()
    capsys.readouterr()
    assert official(source, out) == 2
    said = capsys.readouterr().err
    assert f"{NAME}.secret: {problem}" in said
    assert "0" * 60 not in said
    assert content(out) == before
    assert (path.exists() and path.read_bytes()) == secret


def test_two_secrets_beside_the_sources_are_refused(tmp_path):
    files = []
    for name in "ab":
        (tmp_path / name).mkdir()
        (tmp_path / name / f"{NAME}.secret").write_text(f"{name * 64}\n", encoding="ascii")
        (tmp_path / name / f"{NAME}.secret").chmod(0o600)
        files.append(SourceFile(name, tmp_path / name / "x.jsonl", "0" * 64, pinned=False))
    with pytest.raises(MedzhError, match="different secret keys are stored next to the sources"):
        secret_of(NAME, files, None)
    assert secret_of(NAME, files[:1], None) == bytes.fromhex("a" * 64)


def test_builds_are_their_owners_and_those_that_carry_a_private_config_over_too(source, tmp_path):
    out = tmp_path / "build" / "medzh"
    build("sdak", "mini", out)
    assert "." in open_to_others(out.resolve())  # as the tests' mask leaves it: so the others are closed by us
    assert official(source, out) == 0
    assert open_to_others(out.resolve()) == []
    build("sdak", "mini", out)
    assert sorted(read_manifest(out)["configs"]) == ["sdak", NAME]
    assert open_to_others(out.resolve()) == []
    assert check(out).problems == []


def own_recipe(make, **changed):
    """Declare the sample's recipe with another way of making it."""
    chosen = dataset(NAME)
    mini = replace(chosen.recipe("mini"), make=make)
    return replace(chosen, recipes=(mini,), **changed)


@pytest.mark.parametrize(
    "identify",
    [
        lambda number: f"{NAME}-{number:04d}",
        lambda number: f"{NAME}-{hashlib.sha256(QUESTION.encode()).hexdigest()[:DIGITS]}{'' if number else '-1'}",
        lambda number: f"{NAME}-{'0' * DIGITS}-{number}",
    ],
    ids=["number", "hash", "shape"],
)
def test_ids_that_the_secret_did_not_make_are_refused(package, tmp_path, monkeypatch, identify):  # noqa: ARG001
    rows = [{**LINE, "question": f"{QUESTION}{n}", "id": identify(n), "prompt": ""} for n in range(2)]

    def make(_files, _seed):
        return Built({"test": [{**row, "prompt": prompt(row)} for row in rows]})

    def prompt(row):
        from dataset_scripts.authoring import with_prompts

        return with_prompts(find_config(NAME), [{name: row[name] for name in (*LINE, "id")}])[0]["prompt"]

    monkeypatch.setattr(building, "dataset", lambda _: own_recipe(make))
    with pytest.raises(MedzhError, match="an id of a private config is not a keyed hash") as caught:
        build(NAME, "mini", tmp_path / "medzh")
    assert not any(row["id"] in str(caught.value) for row in rows)
    assert not (tmp_path / "medzh").exists()


def test_ids_of_groups_are_keyed_as_those_of_records_are():
    from dataset_scripts.authoring import content_id

    bare = content_id(NAME, QUESTION)
    with keyed_by(b"a" * 32) as keyed:
        made = content_id(NAME, QUESTION)
        assert made == content_id(NAME, f" {QUESTION}")
    with keyed_by(b"b" * 32):
        assert content_id(NAME, QUESTION) not in {bare, made}
    assert content_id(NAME, QUESTION) == bare != made
    assert keyed.given == {made.removeprefix(f"{NAME}-")}
    assert "aaaa" not in repr(keyed)


def test_neither_card_nor_manifest_hold_words_of_a_record_or_a_recipe(package, tmp_path, monkeypatch):  # noqa: ARG001
    """The sample may be passed on as far as its licence goes; the notes and tables of a recipe may quote it."""
    chosen = dataset(NAME)
    mini = chosen.recipe("mini")

    def make(files, seed):
        built = mini.make(files, seed)
        table = BuildTable(QUESTION, ("text",), ((QUESTION,),))
        return replace(built, notes=(f"left out: {QUESTION}",), tables=(table,))

    free = replace(mini, make=make, embedded_licence="CC0-1.0")
    changed = replace(chosen, recipes=(free,))
    for module in ("building.build", "packaging.card", "packaging.licences"):
        monkeypatch.setattr(f"dataset_scripts.{module}.dataset", lambda _: changed)
    made = build(NAME, "mini", tmp_path / "medzh")
    assert made.notes == ("2 notes and tables of the recipe are omitted because the config is private.",)
    rows = load_records(tmp_path / "medzh", NAME).rows
    words = [QUESTION, *(row["question"] for row in rows), *(one for row in rows for one in row["options"])]
    words += [row["id"] for row in rows]
    for name in ("README.md", "manifest.json", "croissant.json", "LICENSE"):
        text = (tmp_path / "medzh" / name).read_text(encoding="utf-8")
        assert [word for word in words if word in text or json.dumps(word)[1:-1] in text] == []
        assert str(tmp_path) not in text
    assert "No example is shown, because the config is private." in (tmp_path / "medzh" / "README.md").read_text(
        encoding="utf-8"
    )


def test_what_a_recipe_raises_of_a_text_is_not_repeated(package, tmp_path, monkeypatch):  # noqa: ARG001
    def make(_files, _seed):
        raise ValueError(f"cannot read {QUESTION}")

    monkeypatch.setattr(building, "dataset", lambda _: own_recipe(make))
    with pytest.raises(
        MedzhError, match=r"execution failed: found ValueError\n  Fix: correct the source file"
    ) as caught:
        build(NAME, "mini", tmp_path / "medzh")
    assert QUESTION not in str(caught.value)
    assert caught.value.__cause__ is None
    assert caught.value.__suppress_context__


def test_nothing_carries_it_away(source, tmp_path, capsys):
    out = tmp_path / "medzh"
    assert official(source, out) == 0
    assert main(["bundle", "--data", str(out), "--output", str(tmp_path / "x.zip")]) == 2
    problem = f"the build contains a private config, which cannot be bundled: found '{NAME}'"
    assert problem in capsys.readouterr().err
    assert sorted(path.name for path in tmp_path.glob("x*")) == []


def test_a_build_of_a_config_that_became_private_is_a_problem(source, tmp_path):
    out = tmp_path / "medzh"
    assert official(source, out) == 0
    path = out / "manifest.json"
    manifest = json.loads(path.read_text(encoding="utf-8"))
    del manifest["configs"][NAME]["key"]
    path.write_text(json.dumps(manifest), encoding="utf-8")
    problems = check(out).problems
    changed = "the private setting of the config has changed since the build; build the config again"
    assert f"{NAME}: {changed}" in problems
    assert any(one.startswith(f"{NAME}: fingerprint of the records: expected") for one in problems)


def test_a_new_package_is_private_from_its_first_minute(package, tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    assert main(["check-config", NAME]) == 0
    assert main(["build", NAME, "--recipe", "mini"]) == main(["check"]) == 0
    words = ["score", NAME, str(package / "predictions.jsonl"), "--to", "json", "--quiet"]
    capsys.readouterr()
    assert score(words) == 0
    count = 4 * len(KINDS)  # of which the last is not answered
    metrics = json.loads(capsys.readouterr().out)["metrics"]
    assert metrics["accuracy"]["value"] == pytest.approx(100 * (count - 1) / count)
    own = [path for path in package.rglob("*") if not any(part.endswith("dist-info") for part in path.parts)]
    assert [path for path in own if path.stat().st_mode & 0o077 and "__pycache__" not in str(path)] == []


def test_neither_secret_nor_data_go_into_git_or_a_wheel(package, tmp_path):
    work = shutil.copytree(package, tmp_path / "work")
    for name in ("own.xlsx", "ward_bench/own.json", "data/own.txt", "tests/answers.csv", "ward_bench/data/own.py.gz"):
        (work / name).parent.mkdir(exist_ok=True)
        (work / name).write_text(QUESTION, encoding="utf-8")
    git = shutil.which("git")
    subprocess.run([git, "init", "-q", work], check=True)
    words = [git, "-C", work, "ls-files", "--others", "--exclude-standard"]
    listed = subprocess.run(words, check=True, capture_output=True, text=True).stdout.split()
    kept = [name for name in listed if "dist-info" not in name and "__pycache__" not in name]
    assert sorted(kept) == sorted(
        [
            ".gitignore",
            "README.md",
            "pyproject.toml",
            "tests/test_conformance.py",
            *(f"ward_bench/{name}" for name in ("__init__.py", "building.py", "scoring.py", "sources.toml")),
            *(f"ward_bench/ward.{ending}" for ending in ("md.jinja", "schema.json")),
        ]
    )
    wheel = pytest.importorskip("hatchling.builders.wheel")
    for folder in (work, package):  # inside a repository, and where none is
        packed = {file.distribution_path for file in wheel.WheelBuilder(str(folder)).recurse_included_files()}
        assert {"ward_bench/scoring.py", "ward_bench/ward.schema.json", "ward_bench/ward.md.jinja"} <= packed
        data = [name for name in packed if "own" in name or name.endswith((".secret", ".jsonl"))]
        assert data == ["ward_bench/mini.jsonl"]  # the sample, whose questions others may see
