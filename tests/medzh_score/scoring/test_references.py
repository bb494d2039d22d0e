"""References: BibTeX is escaped, and GB/T 7714-2015 has its marks, three authors and the addresses."""

from __future__ import annotations

import re

import pytest

from medzh_score.benchmark.registry import config_names
from medzh_score.cli.main import main
from medzh_score.scoring.citation import YEAR, Work, as_gbt7714, cite
from medzh_score.ui.i18n import language
from medzh_score.version import VERSION

NUMBERED = re.compile(r"^\[(\d)\] \S.*\[[A-Z]+(?:/OL)?\].*\.$", re.MULTILINE)


@pytest.mark.parametrize("config", config_names())
def test_every_config_has_three_numbered_references_that_the_sentence_cites(config, minis):
    written = cite(config, str(minis), to="gbt7714")
    assert NUMBERED.findall(written) == ["1", "2", "3"]
    assert re.findall(r"\[(\d)\]", written.splitlines()[-1]) == ["1", "2", "3"]
    assert "\\" not in written


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
    assert "[3] medzh，config sdak：手写的样例，不是官方的 SDAK 数据[DS]. 0.0.0/mini/" in written


def test_what_is_online_has_the_day_on_which_it_was_looked_at(capsys, minis):
    """GB/T 7714-2015: mandatory for what is online, in brackets behind the year and the pages."""
    command = ["cite", "sdak", "--data", str(minis), "--to", "gbt7714"]
    assert main(command) == 0
    out = capsys.readouterr().out
    assert "[EB/OL]. 2023[YYYY-MM-DD]. https://arxiv.org/abs/2310.11722.\n" in out
    assert "name it with --accessed" in out
    assert main([*command, "--accessed", "2026-11-23"]) == 0
    out = capsys.readouterr().out
    assert "[EB/OL]. 2023[2026-11-23]. https://arxiv.org/abs/2310.11722.\n" in out
    assert "YYYY" not in out
    assert main(["cite", "tcmd", "--data", str(minis), "--to", "gbt7714"]) == 0
    assert "YYYY" not in capsys.readouterr().out  # its paper is printed
    with pytest.raises(SystemExit):
        main([*command, "--accessed", "yesterday"])
    assert "expected a day such as 2024-05-01; found 'yesterday'" in capsys.readouterr().err


def test_up_to_three_authors_are_named():
    fields = {"author": "Li, Hui and Ma, Dan and Chen, Mei", "title": "T"}
    assert as_gbt7714(Work("k", "misc", fields), 2).startswith("[2] LI Hui, MA Dan, CHEN Mei. T")


def test_the_command_takes_the_form(capsys, minis):
    assert main(["cite", "tcmd", "--data", str(minis), "--to", "gbt7714", "--lang", "zh"]) == 0
    out = capsys.readouterr().out
    assert out.startswith("% 基准的论文；")
    assert "[1] YU Ping, SONG Kaitao, HE Fengchen, et al. TCMD" in out
    assert out.splitlines()[-1].startswith("本文报告 TCMD [1] 的结果")
