"""The two prompts that the SDAK paper prints, and its decoding settings."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from medzh_score.benchmark.answers import incomplete
from medzh_score.benchmark.columns import ID, TEXT, TEXT_OR_NONE, one_of
from medzh_score.benchmark.config import Config, Reporting, Screen
from medzh_score.benchmark.items import ItemIndex, Query
from medzh_score.benchmark.prompts import Prompting, PromptTemplate
from medzh_score.benchmark.rules import DEFAULT_RULE, Reads, Rule, record_alone
from medzh_score.benchmark.stages import Sampling, Stage
from medzh_score.configs.sdak import metrics
from medzh_score.configs.sdak import reading as sdak_official
from medzh_score.configs.sdak.reading import FACTUAL, ClaimSide, counterfactual_side
from medzh_score.extraction.verdict import read_verdict
from medzh_score.extraction.whole_text import answer_text
from medzh_score.ui.errors import MedzhError
from medzh_score.ui.i18n import Nn_, _

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from numpy.typing import NDArray

    from medzh_score.benchmark.answers import AnswerTable, Reading
    from medzh_score.benchmark.items import Record


# The paper's text shows half-width punctuation; the released file has it as here, with two closing quotes around
# the first verdict. What models were sent is the file's form.
PAPER_1 = PromptTemplate(
    name="paper-1",
    text="下列说法是否正确，如果正确，请先回复”正确”，然后给出原因。如果错误，请先回复“错误”，然后给出原因。\n\n{claim}",
    printed_in=_("Section 4.2.1; punctuation as in the released file"),
)

PAPER_2 = PromptTemplate(
    name="paper-2",
    text='下列关于医学知识的说法是否正确, 请先输出"正确"或"错误",然后另起一行给出相应的原因。\n\n{claim}',
    printed_in=_("Appendix B; joined to the claim in the same way as the first prompt"),
)

# Appendix C; the number of new tokens stands in the released configuration only.
GENERATION_KWARGS = {
    "temperature": 0.3,
    "top_k": 5,
    "top_p": 0.85,
    "repetition_penalty": 1.05,
    "max_new_tokens": 128,
}


# Of right pairs for AccR and of wrong pairs for the error types (sections 4.2.2 and 5.1).
SAMPLING = Sampling(100, eligible_only=True)


def layout(records: Sequence[Record]) -> ItemIndex:
    """Join the two claims of each pair; an item and a unit is the pair.

    Pairs stand by id, not as in the file: the resamples, and so the intervals, must not depend on an order.
    """
    sides: dict[str, dict[str, int]] = {"factual": {}, "counterfactual": {}}
    for index, record in enumerate(records):
        if sides[record["polarity"]].setdefault(record["pair_id"], index) != index:
            problem = _(
                "pair {pair} has two claims of the same polarity; one is record {record}",
                pair=record["pair_id"],
                record=record["id"],
            )
            raise MedzhError(
                problem,
                field="polarity",
                expected=_("one factual and one counterfactual claim"),
                found=record["polarity"],
            )
    factual, counterfactual = sides.values()
    if alone := factual.keys() ^ counterfactual.keys():
        first = records[min({**factual, **counterfactual}[pair_id] for pair_id in alone)]
        problem = _("the other claim of the pair of record {first} is missing", first=first["id"])
        expected = _("one factual and one counterfactual claim")
        raise MedzhError(problem, field="pair_id", expected=expected, found=first["pair_id"])
    items = tuple(sorted(factual))
    members = np.array([[side[item] for side in (factual, counterfactual)] for item in items], np.int64)
    types = [records[factual[item]]["type"] for item in items]
    return ItemIndex(items, members, np.arange(len(items)), {"type": types})


def queries(records: Sequence[Record], pairs: ItemIndex) -> list[Query]:
    """Work out for each claim which side of its pair it is, and what a counterfactual denies."""
    sides: list[ClaimSide] = [FACTUAL] * len(records)
    for factual, counterfactual in pairs.members.tolist():
        sides[counterfactual] = counterfactual_side(
            records[factual]["claim"], records[counterfactual]["claim"], records[counterfactual]["object"]
        )
    return [Query(record["id"], (index,), sides[index]) for index, record in enumerate(records)]


def noted(text: str, side: ClaimSide) -> Reading:
    """Read the verdict of the whole response; its reason is noted as by the official rule."""
    found = read_verdict(text)
    return side.noted(found, answer_text(text)) if side.counterfactual and found.value == "correct" else found


def first_run_right(pairs: ItemIndex, answers: AnswerTable) -> NDArray[np.bool_]:
    """Tell which pairs are right in the first run: AccR asks a person about their reasons."""
    right: NDArray[np.bool_] = metrics.statistics(pairs, answers, {})[..., metrics.PairColumns.right] == 1
    return np.logical_and(right, _first_run(answers))


def first_run_wrong(pairs: ItemIndex, answers: AnswerTable) -> NDArray[np.bool_]:
    """Tell which pairs are wrong in the first run: a person says which error it is (Table 5).

    A pair that lacks a prediction shows no error of the model.
    """
    return ~first_run_right(pairs, answers) & ~incomplete(pairs, answers) & _first_run(answers)


def _first_run(answers: AnswerTable) -> NDArray[np.bool_]:
    first: NDArray[np.bool_] = np.arange(len(answers.runs)) == 0
    return first


def context(members: Sequence[Record], texts: Sequence[str]) -> Mapping[str, str]:
    """Show a pair to a person: both claims and both responses."""
    factual, counterfactual = members
    return {
        "type": factual["type"],
        "factual_claim": factual["claim"],
        "factual_response": texts[0],
        "counterfactual_claim": counterfactual["claim"],
        "counterfactual_response": texts[1],
    }


def question(record: Record, _asked: Query, _variant: int) -> str:
    """Show a reader of an answer the claim."""
    return f"下列说法是否正确？\n{record['claim']}"


class ErrorStage(Stage):
    """No error type is worse than another."""

    has_worst = False


CONFIG = Config(
    name="sdak",
    title="SDAK: does a model support a medical claim and refute its negation?",
    unit="percent",
    columns={
        "id": ID,
        "pair_id": ID,
        "type": TEXT,
        "polarity": one_of("factual", "counterfactual"),
        "claim": TEXT,
        "object": TEXT_OR_NONE,
    },
    prompting=Prompting((PAPER_1, PAPER_2), generation_kwargs=GENERATION_KWARGS),
    rules=(
        Rule(DEFAULT_RULE, _("Verdict of the complete response"), record_alone(noted)),
        Rule(
            "official",
            _("Text windows of the authors' script, including its peculiarities"),
            record_alone(sdak_official.read),
            meanings=sdak_official.MEANINGS,
        ),
    ),
    layout=layout,
    queries=queries,
    statistics=metrics.statistics,
    metrics=metrics.METRICS,
    reporting=Reporting(
        ("FactAcc",),
        metrics.verdict,
        metrics.tables,
        screen=Screen(
            _("Does a model support a claim and refute its negation?"),
            Nn_("{n:,} claim pair", "{n:,} claim pairs"),
            "type",
            {"AccR": "reason"},
            metrics.screen_lines,
        ),
    ),
    # No second reading: IFR measures who follows the form.
    reads=Reads(question, "“正确”或“错误”", (DEFAULT_RULE, "official"), ("IFR", "FactAcc"), second=False),
    stages=(
        Stage(
            "reason",
            _("does the reason support the answer for both claims of a correct pair? (AccR)"),
            {"factual_supported": ("yes", "no"), "counterfactual_supported": ("yes", "no")},
            context,
            (metrics.PairColumns.checked,),
            first_run_right,
            sampling=SAMPLING,
        ),
        ErrorStage(
            "error",
            _("which of the four error types of the paper does an incorrect pair have? (Table 5)"),
            {"error_type": metrics.ERROR_TYPES},
            context,
            tuple(metrics.ERROR_COLUMNS.values()),
            first_run_wrong,
            sampling=SAMPLING,
        ),
    ),
)
