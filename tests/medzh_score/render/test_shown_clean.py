"""What people are shown does nothing but stand there: no name of a model, a group or a file acts on who reads it."""

from __future__ import annotations

import itertools
import re
from dataclasses import replace

import msgspec
import pytest
from compared import three_systems
from hypothesis import given
from hypothesis import strategies as st
from markdown_it import MarkdownIt
from markupsafe import Markup
from scored_minis import scored_mini
from written_tables import structure_of

from medzh_score.benchmark.config import Table
from medzh_score.benchmark.registry import config_names
from medzh_score.cli.main import main
from medzh_score.io.open_input import Input
from medzh_score.readers.align import PredictionPlace
from medzh_score.render.compare import rendered as compared
from medzh_score.render.display import DisplayOptions
from medzh_score.render.figures import draw_forest
from medzh_score.render.predictions import as_json, as_plain_text
from medzh_score.render.report import rendered
from medzh_score.results.warnings import warn
from medzh_score.scoring.explain import ExplainedPrediction, ExplainedRecord, RuleReading
from medzh_score.ui.errors import CONTROLS, MedzhError, error_text, printable
from medzh_score.ui.progress import say

FORMS = ("text", "markdown", "latex", "csv", "json")
# Source of the signs: Unicode 15.1, categories Cc, Zl and Zp, and the marks of direction of UAX 9.
ACTS = re.compile("[\x00-\x09\x0b-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ud800-\udfff]")
SIGNS = "\x00\t\n\r\x1b\x7f\x85\x9b\u061c\u200e\u202e\u2028\u2066\u2069<>[]()!`|*_#&;:/.@=+-\\{}$%^~\"' 医𠮷aw1"
NAMES = (
    *("\x1b[2J\x1b]0;x\x07", "a\u202eb", "\x9b31m", "a\nb", "\u2066x\u2069", "𠮷医"),
    *("<script>alert(1)</script>", "<img src=x onerror=x>", "<!-- x", "![x](http://a.b/c.png)", "[x](http://a.b)"),
    *(
        *("http://a.b", "www.a.b", "x@a.b", "x.@a.b", "x-@a.b", "x+@a.b", "<http://a.b>", "[x]: http://a.b", "`x`"),
        *("a|b", "&lt;b&gt;", "&#x202e;"),
    ),
    *("=1+1", "+1", "-1+1", "@SUM(A1)", "＝1", "\t=1", "- x", "# x", "> x", "***", "~~~", "$x$"),
    *("\\input{/etc/passwd}", "%", "a}b{", "^^M", "\\\\", "[1ex]", '"', "'", "_"),
)


def test_nothing_that_acts_is_printable():
    """`printable` leaves alone what Python calls so: Python's own tables stand beside our list, sign by sign."""
    assert [sign for sign in map(chr, range(0x110000)) if sign.isprintable() and CONTROLS.match(sign)] == []
    assert type(printable(Markup("<b>"))) is str


def hostile(report, name):
    """Let everything in a report that somebody else may have named have this name; numbers stay."""
    result = report.results[report.rule]
    table = Table(name, ("run", name), ((name, 1.5), (None, 2)))
    groups = {
        breakdown: {f"{name}{group}": found for group, found in of.items()} for breakdown, of in result.groups.items()
    }
    results = {
        **report.results,
        report.rule: msgspec.structs.replace(result, groups=groups, tables={**result.tables, "x": table}),
    }
    named = {
        "model": name,
        "served_as": name,
        "warnings": (warn("config_caution", text=name),),
        "inputs": (Input(name, "0" * 64, name),),
    }
    return report.with_changes(results=results, signature={**report.signature, "generation": name}, **named)


NO_UTF_8 = "\udcff"  # of a name of a file: no JSON holds it


def nothing_acts(shown):
    assert ACTS.search(shown.replace("\r\n", "\n")) is None


def markdown_is_plain(shown):
    """Read it as GitHub does: neither HTML nor links nor images, and addresses are links there without any sign."""
    tokens = MarkdownIt("commonmark").enable(["table", "strikethrough"]).parse(shown)
    inner = [one for token in tokens for one in (token, *(token.children or ()))]
    kinds = {one.type for one in inner if one.content not in {"<sub>", "</sub>"}}  # which are ours
    allowed = ("paragraph_", "table_", "thead_", "tbody_", "tr_", "th_", "td_", "strong_", "inline", "text", "em_")
    allowed += ("bullet_list_", "list_item_", "code_block", "softbreak", "text_special")
    assert {one for one in kinds if not one.startswith(allowed)} == set()
    prose = [line for line in shown.split("\n") if not line.startswith("    ")]
    assert re.search(r"(?i)https?://|www\.|[\w.]@\w", "\n".join(prose)) is None


def latex_is_plain(shown):
    assert structure_of(shown) == []
    shown = re.sub(r"^%.*$", "", shown, flags=re.MULTILINE)  # comments do nothing
    assert re.search(r"\\input|\\write|\\(?:re)?newcommand", shown) is None


def cells_do_nothing(shown):
    """Texts stand as they are, for programs: what a spreadsheet would run, too."""
    nothing_acts(re.sub("[\t\r]", "", shown))


CHECKS = {
    "text": nothing_acts,
    "json": nothing_acts,
    "markdown": markdown_is_plain,
    "latex": latex_is_plain,
    "csv": cells_do_nothing,
}


def is_clean(form, shown, name):
    if form != "csv":  # whose cells may hold lines and tabs
        nothing_acts(shown)
    CHECKS[form](shown)
    if name.isalnum():
        assert name in shown


@pytest.mark.parametrize("config", config_names())
def test_reports_of_every_config_do_nothing(config, minis):
    report = hostile(scored_mini(config, minis), "x".join(NAMES))
    for form, full in itertools.product(FORMS, (False, True)):
        is_clean(form, rendered(report, form, full=full), "")


@given(name=st.text(SIGNS, max_size=12))
@pytest.mark.parametrize("form", FORMS)
def test_whatever_a_name_is_nothing_acts(form, name, minis):
    report = hostile(scored_mini("sdak", minis), name)
    for full in (False, True):
        is_clean(form, rendered(report, form, full=full), name)


def of_systems(name):
    """Compare systems of which one, and all that is said beside them, has this name."""
    found = three_systems()
    return replace(found, cautions=(name,), notes=(name,), signature={**found.signature, "generation": name})


@pytest.mark.parametrize("layout", ["screen", "full", "paper"])
@pytest.mark.parametrize("form", ["text", "markdown", "latex", "csv"])
def test_comparisons_do_nothing(layout, form):
    for name in NAMES:
        found = of_systems(name)
        shown = compared(found, form, DisplayOptions(names={found.systems[0].label: name}, methods=True), layout)
        is_clean(form, shown, "" if form == "csv" else name)  # which has the labels


def test_figures_do_nothing():
    found = three_systems()
    for begin in range(0, len(NAMES), len(found.systems)):
        names = zip([one.label for one in found.systems], NAMES[begin:], strict=False)
        showing = DisplayOptions(names=dict(names))
        nothing_acts(draw_forest(found, showing, "svg").content.decode("utf-8"))


def test_explanations_do_nothing():
    """Beside the marks of a terminal, which are ours."""
    for name in (*NAMES, NO_UTF_8):
        readings = (RuleReading("medzh-1", name, name, name, ()),)
        one = ExplainedPrediction(
            PredictionPlace(name, 0, 0, name, 1), name, name, name, (ExplainedRecord(name + "x", name, readings),)
        )
        nothing_acts(as_plain_text([one]))
        nothing_acts(as_json(name, [one]))


def test_messages_do_nothing(capsys):
    for name in (*NAMES, NO_UTF_8):
        error = MedzhError(name, file=name, field=name, expected=name, found=name, advice=name)
        _, fix, *guess = error_text(error).split("\n")
        assert fix.startswith("  Fix: ")
        assert [line[:15] for line in guess] in ([], ["  Did you mean "])
        nothing_acts(error_text(error).replace("\n", ""))
        say([name])
        with pytest.raises(SystemExit):
            main(["show", "x", name, f"--{name}", "--to", name])
        assert main(["show", f"x{name}".replace("\x00", "\x01")]) == 2
        nothing_acts(capsys.readouterr().err)
