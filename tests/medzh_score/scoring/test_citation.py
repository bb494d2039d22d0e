"""What is cited: works as BibTeX and as GB/T 7714-2015, the data that is there, and CITATION.cff."""

from __future__ import annotations

import json
import re

import citation_file
import pytest
import yaml
from commands import called
from places import ROOT, SAMPLES

from medzh_score.benchmark.registry import config_names
from medzh_score.cli.main import main
from medzh_score.scoring.citation import YEAR, Work, as_gbt7714, cite
from medzh_score.ui.errors import MedzhError
from medzh_score.ui.i18n import language
from medzh_score.version import VERSION

FINGERPRINT = "0123456789abcdef" * 4
NUMBERED = re.compile(r"^\[(\d)\] \S.*\[[A-Z]+(?:/OL)?\].*\.$", re.MULTILINE)


@pytest.mark.parametrize("config", config_names())
def test_every_config_has_three_numbered_references_that_the_sentence_cites(config, minis):
    written = cite(config, str(minis), to="gbt7714")
    assert NUMBERED.findall(written) == ["1", "2", "3"]
    assert re.findall(r"\[(\d)\]", written.splitlines()[-1]) == ["1", "2", "3"]
    assert "\\" not in written


@pytest.mark.parametrize("to", ["bibtex", "gbt7714"])
@pytest.mark.parametrize(
    ("config", "sources"), [("tcmd", ["Kong et al., MTCMB: A Multi-Task Benchmark"]), ("sdak", [])]
)
def test_questions_by_others_in_open_data_are_cited(config, sources, to):
    found = re.findall(r"^% also cite the source of the data: (.{42})", cite(config, "open", to=to), re.MULTILINE)
    assert found == sources


def test_a_conference_paper_stands_as_the_standard_has_it():
    fields = {
        "author": "Dou, Chengfeng and Zhang, Ying and Chen, Yanyuan and Jin, Zhi",
        "title": "A",
        "booktitle": "P",
        "year": "2024",
        "address": "Torino",
        "publisher": "ELRA",
        "pages": "1--9",
        "doi": "10.1/x",
    }
    assert as_gbt7714(Work("k", "inproceedings", fields), 1, "2026-05-01") == (
        "[1] DOU Chengfeng, ZHANG Ying, CHEN Yanyuan, et al. A[C/OL]//P. Torino: ELRA, 2024: 1-9[2026-05-01]. "
        "DOI:10.1/x."
    )


@pytest.mark.parametrize(
    ("fields", "kind", "mark"),
    [({}, "", "[Z]"), ({"url": "https://x.y"}, "", "[EB/OL]"), ({}, "software", "[CP]"), ({}, "dataset", "[DS]")],
)
def test_the_mark_says_what_it_is_and_whether_it_is_online(fields, kind, mark):
    assert f"T{mark}" in as_gbt7714(Work("k", "misc", {"title": "T", **fields}, kind), 1)


def test_software_without_a_place_says_so_in_the_language_of_the_reader(minis):
    """GB/T 7714-2015, 8.4.1 and 8.4.2: S.l. and s.n., or 出版地不详 and 出版者不详, in brackets."""
    english = (
        "[2] The medzh authors. medzh: Chinese medical LLM benchmarks as versioned datasets, and an offline scorer"
        f"[CP]. Version {VERSION}. [S.l.]: [s.n.], {YEAR}.\n"
    )
    chinese = (
        f"[2] medzh 作者. medzh：中文医学大模型评测基准的版本化数据集与离线评分工具[CP]. {VERSION} 版. "
        f"[出版地不详]: [出版者不详], {YEAR}.\n"
    )
    assert english in cite("sdak", str(minis), to="gbt7714")
    with language("zh"):
        written = cite("sdak", str(minis), to="gbt7714")
    assert chinese in written
    assert "[3] medzh，评测集 sdak：小规模手写样例，不是官方的 SDAK 数据[DS]. 0.0.0/mini/" in written


def test_what_is_online_has_the_day_on_which_it_was_looked_at(capsys, minis):
    """GB/T 7714-2015: mandatory for what is online, in brackets behind the year and the pages."""
    command = ["cite", "sdak", "--data", str(minis), "--to", "gbt7714"]
    assert main(command) == 0
    out = capsys.readouterr().out
    assert "[EB/OL]. 2023[YYYY-MM-DD]. https://arxiv.org/abs/2310.11722.\n" in out
    assert "the date on which you accessed the online sources; set it with --accessed" in out
    assert main([*command, "--accessed", "2026-11-23"]) == 0
    out = capsys.readouterr().out
    assert "[EB/OL]. 2023[2026-11-23]. https://arxiv.org/abs/2310.11722.\n" in out
    assert "YYYY" not in out
    assert main(["cite", "tcmd", "--data", str(minis), "--to", "gbt7714"]) == 0
    assert "YYYY" not in capsys.readouterr().out  # its paper is printed
    with pytest.raises(SystemExit):
        main([*command, "--accessed", "yesterday"])
    assert "expected a date such as 2024-05-01, found 'yesterday'" in capsys.readouterr().err


def test_the_command_takes_the_form(capsys, minis):
    assert main(["cite", "tcmd", "--data", str(minis), "--to", "gbt7714", "--lang", "zh"]) == 0
    out = capsys.readouterr().out
    assert out.startswith("% 基准的论文；")
    assert "[1] YU Ping, SONG Kaitao, HE Fengchen, et al. TCMD" in out
    assert out.splitlines()[-1].startswith("本文报告 TCMD [1] 的指标")


# The data


def build(folder, **facts):
    built = {"version": "1.2.0", "recipe": "official", "fingerprint": FINGERPRINT, **facts}
    folder.mkdir(exist_ok=True)
    (folder / "manifest.json").write_text(json.dumps({"configs": {"sdak": built}}))
    return folder


def entries(text):
    found = {}
    for kind, key, body in re.findall(r"^@(\w+)\{([\w-]+),\n(.*?)^\}$", text, re.MULTILINE | re.DOTALL):
        assert kind == "misc"
        found[key] = dict(re.findall(r"^  (\w+) = \{(.*)\},$", body, re.MULTILINE))
    assert text.count("@") == len(found)
    return found


def test_cite_without_a_build(tmp_path, capsys):
    assert called("cite", "sdak", "--data", tmp_path / "none") == 0
    shown = capsys.readouterr().out
    assert len([line for line in shown.splitlines() if line.startswith("% no data to cite")]) == 1
    found = entries(shown)
    assert found["medzh"]["version"] == VERSION
    assert found["sdak2023"]["eprint"] == "2310.11722"
    assert found["sdak2023"]["author"].startswith("Fan, Yaxin and ")
    assert len(found) == 2
    assert shown.endswith(f"medzh-score {VERSION} \\cite{{medzh}}.\n")


def test_cite_names_the_data(tmp_path, capsys):
    called("cite", "sdak", "--data", build(tmp_path / "build"))
    shown = capsys.readouterr().out
    data = entries(shown)["medzh-sdak-01234567"]
    assert data["version"] == "1.2.0/official/01234567"
    assert FINGERPRINT in data["note"]
    assert "not the official" not in shown
    assert shown.splitlines()[-1].count(r"\cite{") == 3


@pytest.mark.parametrize(
    "facts", [{"recipe": "mini"}, {"recipe": "open"}, {"recipe": "own"}, {"sources": [{"pinned": False}]}]
)
def test_cite_never_passes_other_data_as_the_benchmark(facts, tmp_path, capsys):
    called("cite", "sdak", "--data", build(tmp_path / "build", **facts))
    shown = capsys.readouterr().out
    name = f"sdak_{facts['recipe']}" if facts.get("recipe") in ("open", "own") else "sdak"
    assert "not the official SDAK data" in entries(shown)[f"medzh-{name}-01234567"]["title"]
    assert "not the official SDAK data" in shown.splitlines()[-1]


@pytest.mark.parametrize("manifest", ["[]", "{", '{"configs": {"sdak": {"version": "1"}}}', '{"configs": {"sdak": 1}}'])
def test_cite_of_a_damaged_build(manifest, tmp_path):
    (tmp_path / "manifest.json").write_text(manifest)
    with pytest.raises(MedzhError, match="the file is not a build manifest"):
        called("cite", "sdak", "--data", tmp_path)


def test_cite_escapes_what_a_manifest_says(tmp_path, capsys):
    called("cite", "sdak", "--data", build(tmp_path / "build", version="1}@evil{\n%_&"))
    assert entries(capsys.readouterr().out)["medzh-sdak-01234567"]["version"] == r"1evil\_\&/official/01234567"


@pytest.mark.parametrize(
    ("said", "escaped"),
    [
        ("wilson 95%, else none", r"wilson 95\%, else none"),
        ("a_b & #1 $", r"a\_b \& \#1 \$"),
        ("{@misc}\\~^", r"\{\char64{}misc\}\textbackslash{}\textasciitilde{}\textasciicircum{}"),
    ],
)
def test_cite_keeps_every_character_of_the_signature(said, escaped, tmp_path, capsys):
    path = tmp_path / "report.json"
    predictions = SAMPLES / "sdak" / "predictions.jsonl"
    called("score", "sdak", predictions, "--data", "mini", "--bootstrap", "0", "--to", "json", "--output", path)
    report = json.loads(path.read_text(encoding="utf-8"))
    path.write_text(json.dumps(report | {"signature": report["signature"] | {"interval": said}}), encoding="utf-8")
    capsys.readouterr()
    assert called("cite", "sdak", "--data", "mini", "--report", path) == 0
    shown = capsys.readouterr().out.splitlines()[-1]
    assert shown.startswith(r"\texttt{config:sdak|\allowbreak{}split:test|")
    assert rf"|\allowbreak{{}}interval:{escaped}|" in shown


# CITATION.cff

PATH = ROOT / "CITATION.cff"
# What version 1.2.0 of the format asks of the file and of each reference.


def test_the_citation_file_names_this_version_and_the_paper_of_every_config():
    cited = yaml.safe_load(PATH.read_text(encoding="utf-8"))
    assert (cited["cff-version"], cited["version"], cited["license"]) == ("1.2.0", VERSION, "Apache-2.0")
    assert str(cited.get("date-released", YEAR)).startswith(YEAR)
    preferred = cited["preferred-citation"]
    assert (preferred["year"], preferred["version"], preferred["title"]) == (int(YEAR), VERSION, cited["title"])
    named = [config for one in cited["references"] for config in one["notes"].split(", ")]
    assert sorted(named) == config_names()
    assert citation_file.text() == PATH.read_text(encoding="utf-8"), "run: python docs/citation_file.py"
