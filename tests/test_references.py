"""References: BibTeX is escaped, and GB/T 7714-2015 has its marks, three authors and the addresses."""

from __future__ import annotations

import re

import pytest

from medzh_score.benchmark.registry import config_names
from medzh_score.command_line import main
from medzh_score.report.citation import YEAR, cite
from medzh_score.report.references import Work, as_bibtex, as_gbt7714

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
    assert as_gbt7714(Work("k", "inproceedings", fields), 1) == (
        "[1] DOU Chengfeng, ZHANG Ying, CHEN Yanyuan, et al. A[C/OL]//P. Torino: ELRA, 2024: 1-9. DOI:10.1/x."
    )


@pytest.mark.parametrize(
    ("fields", "kind", "mark"),
    [({}, "", "[Z]"), ({"url": "https://x.y"}, "", "[EB/OL]"), ({}, "software", "[CP]"), ({}, "dataset", "[DS]")],
)
def test_the_mark_says_what_it_is_and_whether_it_is_online(fields, kind, mark):
    assert f"T{mark}" in as_gbt7714(Work("k", "misc", {"title": "T", **fields}, kind), 1)


def test_up_to_three_authors_are_named():
    fields = {"author": "Li, Hui and Ma, Dan and Chen, Mei", "title": "T"}
    assert as_gbt7714(Work("k", "misc", fields), 2).startswith("[2] LI Hui, MA Dan, CHEN Mei. T")


def test_bibtex_escapes_what_latex_reads():
    assert "  note = {a\\_b \\& 5\\$}," in as_bibtex(Work("k", "misc", {"note": "a_b & 5$"}))


def test_sdak_names_its_authors_and_medzh_its_year(minis):
    written = cite("sdak", str(minis))
    assert "author = {Fan, Yaxin and Jiang, Feng and Wang, Benyou and Li, Peifeng and Li, Haizhou}" in written
    assert f"year = {{{YEAR}}}" in written


def test_the_command_takes_the_form(capsys, minis):
    assert main(["cite", "tcmd", "--data", str(minis), "--to", "gbt7714", "--lang", "zh"]) == 0
    out = capsys.readouterr().out
    assert out.startswith("% 基准的论文；")
    assert "[1] YU Ping, SONG Kaitao, HE Fengchen, et al. TCMD" in out
    assert out.splitlines()[-1].startswith("本文报告 TCMD [1] 的结果")
