"""LaTeX that compiles as it stands: the structure always, a run of xelatex where one is installed."""

from __future__ import annotations

import re
from dataclasses import replace

import pytest
from compared import all_pairs, printed, three_systems
from hypothesis import given
from hypothesis import strategies as st
from written_tables import structure_of

from medzh_score.benchmark.config import Table
from medzh_score.render.compare import rendered
from medzh_score.render.display import DisplayOptions
from medzh_score.render.latex import breaking, latex_escaped, numbers
from medzh_score.render.tables import document

NASTY = ("[x] *$a_b% #~^\\{}--''<>|\"", "*[b]&", "gpt---4 ``q'' ?`!`")


def cells_of(text):
    """Count the cells of each row of each tabular."""
    tables = re.findall(r"\\toprule\n(.*?)\\bottomrule", text, re.DOTALL)
    rows = [re.findall(r"^(.*) \\\\$", table, re.MULTILINE) for table in tables]
    return [{len(re.findall(r"(?<!\\)&", row)) for row in table} for table in rows]


def nasty(**showing):
    made = three_systems(printed=(printed(FactAcc=65.42),), cautions=("50 % & more_of #1",))
    labels = [system.label for system in made.systems]
    return rendered(made, "latex", DisplayOptions(names=dict(zip(labels, NASTY, strict=True)), **showing))


@pytest.mark.parametrize("caption", ["en", "zh", "both"])
def test_any_name_leaves_the_structure_whole(caption):
    text = nasty(caption=caption, methods=True)
    assert structure_of(text) == []
    assert all(len(widths) == 1 for widths in cells_of(text))
    labels = re.findall(r"\\label\{(.*?)\}", text)
    assert len(set(labels)) == len(labels) == text.count(r"\begin{table}") > 0
    assert not re.search(r"\\\\\s*[\[*]", text)


@given(st.text(st.characters(exclude_categories=["Cc", "Cs", "Zl", "Zp"]), max_size=20))
def test_any_text_is_escaped(text):
    for written in (latex_escaped(text), breaking(text), numbers(text)):
        assert structure_of(written) == []
        assert not re.match(r"[\[*]", written)


def test_nothing_in_a_document_runs_together_and_every_sign_is_itself():
    table = Table(title="a---b", columns=("--", "|"), rows=(("''", '"?`'),))
    text = document("latex", "x--y", [table], ["``z''"])
    body = re.sub(r"\\(?:begin|end)\{.*|\{lr\}", "", text)
    assert not re.search(r"--|''|``|\?`|[|\"]", body)
    for written in (
        *("x-{}-y", r"\caption{a-{}-{}-b}", r"-{}- & \textbar{}", r"'{}' & \texttt{\char34}?{}`", "`{}`z'{}'"),
    ):
        assert written in text


def test_the_preamble_names_chinese_only_where_there_is_any():
    made = all_pairs(3)
    english, chinese = (rendered(made, "latex", DisplayOptions(caption=caption)) for caption in ("en", "zh"))
    assert r"% \usepackage{booktabs}" in english
    assert "ctex" not in english
    assert r"% \usepackage{ctex} % compile with xelatex" in chinese


def test_warnings_and_the_signature_are_comments_and_nothing_is_resized():
    made = three_systems(cautions=("50 % & more_of #1",), notes=("a note",))
    lines = rendered(made, "latex", DisplayOptions()).splitlines()
    comments = [line for line in lines if line.startswith("%")]
    assert lines[: len(comments)] == comments
    assert {"% 50 % & more_of #1", "% a note"} <= set(comments)
    assert any("rule:medzh-1+89abcdef" in line for line in comments)
    assert lines[len(comments)] == r"\begin{table}"
    assert lines[-1] == r"\end{table}"
    assert "resizebox" not in "".join(lines)


def test_intervals_of_a_wide_table_are_below_the_values():
    (found,) = three_systems().found
    made = replace(three_systems(), found=tuple(replace(found, metric=f"M{number}") for number in range(4)))
    rows = re.findall(r"^(.*) \\\\$", rendered(made, "latex", DisplayOptions()), re.MULTILINE)
    assert [row.split(" & ")[0] for row in rows] == ["", r"qwen\&co", "", r"glm\_4\%", "", "甲模型", ""]
    assert rows[2].count("scriptsize") == 4
