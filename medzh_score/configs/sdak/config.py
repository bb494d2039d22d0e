"""SDAK: self-diagnostic atomic knowledge, pairs of a factual and a counterfactual claim."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from medzh_score.benchmark.answer_table import incomplete
from medzh_score.benchmark.asking import one_a_record
from medzh_score.benchmark.columns import ID, TEXT, TEXT_OR_NONE, one_of
from medzh_score.benchmark.config import Config
from medzh_score.benchmark.layout import Asked, Layout
from medzh_score.benchmark.rounds import Round
from medzh_score.benchmark.rules import OURS, Rule, record_alone
from medzh_score.benchmark.second_readers import Reads
from medzh_score.configs.sdak import statistics as metrics
from medzh_score.configs.sdak.prompts import DECODING, PAPER_1, PAPER_2
from medzh_score.configs.sdak.reading import official as sdak_official
from medzh_score.configs.sdak.reading.reason import FACTUAL, ClaimSide, counterfactual_side
from medzh_score.extraction.verdict import read_verdict
from medzh_score.extraction.whole_text import answer_text
from medzh_score.messages.errors import MedzhError

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from numpy.typing import NDArray

    from medzh_score.benchmark.answer_table import AnswerTable
    from medzh_score.benchmark.answers import Reading
    from medzh_score.benchmark.layout import Record

SAMPLE = 100  # of right pairs for AccR and of wrong pairs for the error types (sections 4.2.2 and 5.1)


def layout(records: Sequence[Record]) -> Layout:
    """Join the two claims of each pair; an item and a unit is the pair.

    Pairs stand by id, not as in the file: the resamples, and so the intervals, must not depend on an order.
    """
    sides: dict[str, dict[str, int]] = {"factual": {}, "counterfactual": {}}
    for index, record in enumerate(records):
        if sides[record["polarity"]].setdefault(record["pair_id"], index) != index:
            problem = f"pair {record['pair_id']} has two claims on one side, of which one is record {record['id']}"
            raise MedzhError(
                problem, field="polarity", expected="one factual, one counterfactual", found=record["polarity"]
            )
    factual, counterfactual = sides.values()
    if alone := factual.keys() ^ counterfactual.keys():
        first = records[min({**factual, **counterfactual}[pair_id] for pair_id in alone)]
        problem = f"record {first['id']} lacks the other claim of its pair"
        expected = "a factual and a counterfactual claim"
        raise MedzhError(problem, field="pair_id", expected=expected, found=first["pair_id"])
    items = tuple(sorted(factual))
    members = np.array([[side[item] for side in (factual, counterfactual)] for item in items], np.int64)
    types = [records[factual[item]]["type"] for item in items]
    return Layout(items, members, np.arange(len(items)), {"type": types})


def asked(records: Sequence[Record], pairs: Layout) -> list[Asked]:
    """Work out for each claim which side of its pair it is, and what a counterfactual denies."""
    sides: list[ClaimSide] = [FACTUAL] * len(records)
    for factual, counterfactual in pairs.members.tolist():
        sides[counterfactual] = counterfactual_side(
            records[factual]["claim"], records[counterfactual]["claim"], records[counterfactual]["object"]
        )
    return [Asked(record["id"], (index,), sides[index]) for index, record in enumerate(records)]


def noted(text: str, side: ClaimSide) -> Reading:
    """Read the verdict of the whole response; its reason is noted as by the official rule."""
    found = read_verdict(text)
    return side.noted(found, answer_text(text)) if side.counterfactual else found


def first_run_right(pairs: Layout, answers: AnswerTable) -> NDArray[np.bool_]:
    """Tell which pairs are right in the first run: AccR asks a person about their reasons."""
    right: NDArray[np.bool_] = metrics.statistics(pairs, answers, {})[..., metrics.RIGHT] == 1
    return np.logical_and(right, _first_run(answers))


def first_run_wrong(pairs: Layout, answers: AnswerTable) -> NDArray[np.bool_]:
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


def question(record: Record, _asked: Asked, _variant: int) -> str:
    """Show a reader of an answer the claim."""
    return f"下列说法是否正确？\n{record['claim']}"


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
    prompts=(PAPER_1, PAPER_2),
    decoding=DECODING,
    rules=(
        Rule(OURS, "the verdict to which the whole response commits itself", record_alone(noted)),
        Rule(
            "official",
            "the windows of the authors' script, quirks included",
            record_alone(sdak_official.read),
            meanings=sdak_official.MEANINGS,
        ),
    ),
    layout=layout,
    asker=one_a_record,
    asked=asked,
    statistics=metrics.statistics,
    metrics=metrics.METRICS,
    tables=metrics.tables,
    verdict=metrics.verdict,
    # No second reading: IFR measures who follows the form.
    reads=Reads(question, "“正确”或“错误”", (OURS, "official"), ("IFR", "FactAcc"), second=False),
    headline="FactAcc",
    rounds=(
        Round(
            "reason",
            "does the reason support the answer, on both claims of a right pair? (AccR)",
            {"factual_supported": ("yes", "no"), "counterfactual_supported": ("yes", "no")},
            first_run_right,
            context,
            SAMPLE,
            (metrics.CHECKED,),
            pool=first_run_right,
        ),
        Round(
            "error",
            "which of the paper's four error types is a wrong pair? (Table 5)",
            {"error_type": metrics.ERROR_TYPES},
            first_run_wrong,
            context,
            SAMPLE,
            metrics.ERROR_COLUMNS,
            pool=first_run_wrong,
            worst=False,
        ),
    ),
)
