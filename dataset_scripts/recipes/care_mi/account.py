"""What became of CARE-MI's sources, step by step, beside the paper's counts."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from dataset_scripts.recipe import BuildTable
from dataset_scripts.recipes.care_mi.exams import CATEGORIES, IN_THE_PAPER, MLEC_FILES
from dataset_scripts.recipes.care_mi.records import SOURCES, TABLE_3
from dataset_scripts.recipes.care_mi.sampling import OPEN, TF
from dataset_scripts.recipes.care_mi.settings import FILTERS
from dataset_scripts.recipes.care_mi.true_statements import NEEDS_MODEL

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from dataset_scripts.recipe import SourceFile
    from dataset_scripts.recipes.care_mi.exams import Exams
    from dataset_scripts.recipes.care_mi.sampling import Sampled
    from dataset_scripts.recipes.care_mi.settings import Settings
    from dataset_scripts.recipes.care_mi.triples import Found

INITIAL = {"BIOS": 79, "CPubMed": 497, "MEDQA": 1_634, "MLEC-QA": 1_349}  # section 2
ROWS = {"BIOS": "7.3 million", "CPubMed": "4.4 million", "MEDQA": "not stated", "MLEC-QA": "not stated"}
SILENT, NO_SOURCE = "not stated", "no source"


def account_tables(sampled: Sampled, settings: Settings) -> tuple[BuildTable, ...]:
    """Count the steps, the reasons, the rules and the filters."""
    filters = (_filters(sampled.exams, settings),) if sampled.exams else ()
    return (_steps(sampled), _reasons(sampled), _rules(sampled), *filters)


def account_notes(files: Mapping[str, SourceFile], sampled: Sampled, settings: Settings) -> Iterator[str]:
    """Say what the records do not show."""
    facts = len({one.upstream_key for one in sampled.samples})
    yield f"{len(sampled.samples):,} questions ask about {facts:,} distinct facts: of one fact there may be both types"
    there = sampled.sources
    absent = [name for name in INITIAL if name not in there]
    if absent:
        yield f"sources of the paper that are not in this build: {', '.join(absent)}"
    if "CMExam" in there:
        yield "questions of CMExam are in this build; the paper has no such source"
    outside = {
        name for category in CATEGORIES[IN_THE_PAPER:] for name in MLEC_FILES if name.startswith(f"mlec-{category}-")
    }
    if found := [name for name in files if name in outside]:
        yield f"parts of MLEC-QA that the paper leaves out are in this build: {', '.join(found)}"
    if settings.rules_only:
        lacking = {
            "true statements": sampled.statements.left_out,
            "negations": sampled.denied.left_out,
            "tf questions": sampled.tf.left_out,
        }
        counts = {
            what: sum(n for (_, why), n in found.items() if why == NEEDS_MODEL) for what, found in lacking.items()
        }
        needing = ", ".join(f"{count:,} {what}" for what, count in counts.items())
        yield f"no model was asked, by the user's wish: {needing} that need one were left out"
    if unsafe := sampled.denied.unsafe:
        shown = ", ".join(f"{count:,} {reason}" for reason, count in sorted(unsafe.items()))
        yield f"negations that no rule makes safely, and that a model is asked for: {shown}"


def _steps(sampled: Sampled) -> BuildTable:
    stated, denied = _by(sampled, "statement"), _by(sampled, "negation")
    asked = Counter((one.source, one.type) for one in sampled.samples)
    rows: list[tuple[str | int, ...]] = []
    for label in SOURCES:
        source = sampled.sources.get(label)
        if source is None:
            continue
        replaced = sum(one.source == label for one in sampled.replaced.texts)
        rows += [
            (label, "rows of the source", ROWS.get(label, NO_SOURCE), source.total),
            (label, "step 1: on the topic, each once", INITIAL.get(label, NO_SOURCE), _taken(source)),
            (label, "step 2: true statements by rule", SILENT, stated[label, True]),
            (label, "step 2: true statements by a model", SILENT, stated[label, False]),
            (label, "step 3: denied by rule", SILENT, denied[label, True]),
            (label, "step 3: denied by a model", SILENT, denied[label, False]),
            (label, "step 3: answer replaced", SILENT, replaced),
            (label, "step 4: questions of type tf", TABLE_3.get((label, TF), NO_SOURCE), asked[label, TF]),
            (label, "step 4: questions of type open", TABLE_3.get((label, OPEN), "none"), asked[label, OPEN]),
        ]
    return BuildTable("From sources to questions", ("source", "step", "paper", "here"), tuple(rows))


def _taken(source: Found | Exams) -> int:
    return len(source.kept) if hasattr(source, "kept") else len(source.triples)


def _by(sampled: Sampled, what: str) -> Counter[tuple[str, bool]]:
    """Count by source, and by whether a rule did it."""
    if what == "statement":
        return Counter((one.source, not one.rules[0].endswith("-model")) for one in sampled.statements.statements)
    return Counter((one.source, not rule.endswith("-model")) for one, (_, rule) in sampled.denied.texts.items())


def _reasons(sampled: Sampled) -> BuildTable:
    rows: list[tuple[str | int, ...]] = []
    for label, found in sampled.sources.items():
        rows += [(label, "1", reason, count) for reason, count in sorted(found.left_out.items())]
    steps = (
        ("2", sampled.statements.left_out),
        ("3, negation", sampled.denied.left_out),
        ("3, replacement", sampled.replaced.left_out),
        ("4, tf", sampled.tf.left_out),
        ("4, open", sampled.open.left_out),
    )
    rows += [(label, step, reason, n) for step, counts in steps for (label, reason), n in sorted(counts.items())]
    rows += [(label, f"4, {kind}", reason, n) for (label, kind, reason), n in sorted(sampled.lost.items())]
    return BuildTable("What was left out, by step and reason", ("source", "step", "reason", "number"), tuple(rows))


def _rules(sampled: Sampled) -> BuildTable:
    fired = Counter(rule for one in sampled.samples for rule in one.rules)
    rows = tuple(sorted(fired.items()))
    return BuildTable("Rules that made the samples, before experts look", ("rule", "samples"), rows)


def _filters(exams: Mapping[str, Exams], settings: Settings) -> BuildTable:
    """Say what the filters would leave out that the paper does not mention, whether or not they do."""
    rows = [
        (name, meaning, "yes" if name in settings.filters else "no", *(found.filters[name] for found in exams.values()))
        for name, meaning in FILTERS.items()
    ]
    rows.append(("", "questions on the topic that they look at", "", *(_looked_at(found) for found in exams.values())))
    columns = ("filter", "leaves out", "used", *exams)
    return BuildTable("Filters of the released code that the paper does not mention", columns, tuple(rows))


def _looked_at(found: Exams) -> int:
    return len(found.kept) + sum(n for reason, n in found.left_out.items() if reason.startswith("filter "))
