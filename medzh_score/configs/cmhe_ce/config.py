"""CMHE-CE: a model explains a concept; then it must know it again from its own explanation, the names masked."""

from __future__ import annotations

from operator import itemgetter
from typing import TYPE_CHECKING

import numpy as np

from medzh_score.benchmark.answers import answered
from medzh_score.benchmark.columns import ANY_TEXT, ID, TEXT, TEXTS, Holds, distinct, one_of, options
from medzh_score.benchmark.config import Config, Reporting, Screen, Table
from medzh_score.benchmark.items import OneItemPerRecord, Query
from medzh_score.benchmark.metrics import ratio
from medzh_score.benchmark.prompts import Prompting, lettered
from medzh_score.benchmark.rules import DEFAULT_RULE, Reads, ResponsesOf, Rule, record_alone
from medzh_score.benchmark.stages import JudgeSpec, Stage
from medzh_score.configs.cmhe_ce import metrics
from medzh_score.configs.cmhe_ce.prompts import (
    ASPECTS,
    CHOOSE_MEDZH_ZH_1,
    CHOOSE_PAPER_1,
    CLASS_OF,
    CLASSES,
    GENERATION_KWARGS,
    LETTERS,
    MEDZH_ZH_1,
)
from medzh_score.configs.cmhe_ce.reading import Concept, explanation
from medzh_score.extraction import whole_text
from medzh_score.extraction.letters import read_letters
from medzh_score.stats.overlap_metrics import texts_of
from medzh_score.ui.errors import MedzhError
from medzh_score.ui.i18n import Nn_, _, pgettext
from medzh_score.ui.numbers import share_text

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from numpy.typing import NDArray

    from medzh_score.benchmark.answers import AnswerTable, Reading
    from medzh_score.benchmark.items import ItemIndex, Record
    from medzh_score.benchmark.stages import About, Annotations


CLASS = "class"  # the breakdown

EXPLANATIONS = {
    "came": metrics.ConceptColumns.explained,
    "with text": metrics.ConceptColumns.with_text,
    "decline": metrics.ConceptColumns.refused,
    "never name it": metrics.ConceptColumns.unnamed,
    "leak": metrics.ConceptColumns.leaking,
}


def tables(
    layout: ItemIndex, answers: AnswerTable, counts: NDArray[np.float64], judged: Mapping[str, Annotations]
) -> dict[str, Table]:
    """Make the paper's Table 4, and count explanations and choices by class."""
    labels = np.asarray(layout.groups[CLASS])
    parts = {one.name: counts[labels == one.name].sum(axis=0) for one in CLASSES}
    known = {one.name: _concepts(layout.clusters, counts, labels == one.name) for one in CLASSES}
    made = {"explanations": _explanations(parts, known, answers.runs)}
    if metrics.CHOOSE in judged:
        made["table_4"] = _table_4(parts, counts.sum(axis=0), answers.runs)
        made["choices"] = _choices(parts, answers.runs)
    return made


def _concepts(units: NDArray[np.int64], counts: NDArray[np.float64], chosen: NDArray[np.bool_]) -> list[int]:
    """Count the concepts of some items in each run: these are what accuracy by concept is a mean over."""
    there = (counts[..., metrics.ConceptColumns.items] != 0) & chosen[:, np.newaxis]
    return [len(np.unique(units[run])) for run in there.T]


def _explanations(
    parts: Mapping[str, NDArray[np.float64]], known: Mapping[str, Sequence[int]], runs: Sequence[int]
) -> Table:
    columns = (metrics.ConceptColumns.items, *EXPLANATIONS.values())
    rows: list[tuple[str | int, ...]] = [
        (name, run, known[name][place], *(int(sums[place, column]) for column in columns))
        for name, sums in parts.items()
        for place, run in enumerate(runs)
    ]
    heads = ("class", "run", "concepts", "questions", *EXPLANATIONS)
    return Table("Explanations before the choice", heads, tuple(rows))


def _table_4(parts: Mapping[str, NDArray[np.float64]], total: NDArray[np.float64], runs: Sequence[int]) -> Table:
    shares = [
        ratio(metrics.ConceptColumns.share_right, metrics.ConceptColumns.share, 100.0)(sums)
        for sums in (*parts.values(), total)
    ]
    rows = tuple((run, *(_cell(share[place]) for share in shares)) for place, run in enumerate(runs))
    title = pgettext(
        "titles",
        "Accuracy by class (%), weighted by concept, in the layout of Table 4 of the paper; chance level 25%",
    )
    return Table(title, ("run", *(one.head for one in CLASSES), "All"), rows)


def _choices(parts: Mapping[str, NDArray[np.float64]], runs: Sequence[int]) -> Table:
    rows = [(name, run, *_counted(sums[place])) for name, sums in parts.items() for place, run in enumerate(runs)]
    return Table("Choices by class", ("class", "run", "right", "wrong", "unreadable", "lacking"), tuple(rows))


def _counted(sums: NDArray[np.float64]) -> tuple[int, int, int, int]:
    questions, right, chosen, unreadable = (
        int(sums[column])
        for column in (
            metrics.ConceptColumns.questions,
            metrics.ConceptColumns.right,
            metrics.ConceptColumns.chosen,
            metrics.ConceptColumns.unreadable,
        )
    )
    return right, chosen - right, unreadable, questions - chosen - unreadable


def _cell(value: np.float64) -> float | None:
    return None if np.isnan(value) else float(value)


SHOWN = tuple(f"option_{letter.lower()}" for letter in LETTERS)
UNKNOWN = "unknown"
DISTANCES = Holds(_("a list of 4 integers, or null"), lambda values: all(map(_is_distances, values)))


def layout(records: Sequence[Record]) -> ItemIndex:
    """Make an item of each question and a unit of each concept."""
    distances = {_nearest(record) for record in records} - {UNKNOWN}
    of_classes = [one.name for one in CLASSES]
    made = OneItemPerRecord(
        {CLASS: of_classes, "aspect": list(ASPECTS), "nearest option": sorted(distances, key=int)},
        labels={CLASS: itemgetter("concept_class"), "nearest option": _nearest},
        item_values={metrics.GOLD: _gold},
        item_texts={metrics.NAMES: _names, metrics.OPTIONS: _options},
        unit="concept_id",
    )
    return made(records)


def _names(record: Record) -> tuple[str, ...]:
    return concept_of(record).names


def _options(record: Record) -> tuple[str, ...]:
    concept = concept_of(record)
    return (concept.label, concept.answer, *concept.others)


def concept_of(record: Record) -> Concept:
    """Give what masking needs to know of a record's concept."""
    gold = _gold(record)
    options = record["options"]
    return Concept(
        (record["concept"], record["concept_en"], *record["aliases"]),
        CLASS_OF[record["concept_class"]].label,
        options[gold],
        (*options[:gold], *options[gold + 1 :]),
    )


def _gold(record: Record) -> int:
    """Give the place of the right option, of which the paper has four: chance is 25 percent."""
    place = LETTERS.find(record["answer"])
    if not 0 <= place < len(record["options"]) == len(LETTERS):
        problem = _("the answer of record {record} is not one of its options", record=record["id"])
        raise MedzhError(problem, field="answer", expected=" or ".join(LETTERS), found=record["answer"])
    return place


def _is_distances(value: object) -> bool:
    return value is None or (isinstance(value, list) and [*map(type, value)] == [int] * len(LETTERS))


def _nearest(record: Record) -> str:
    """Write how near the nearest wrong option is: what makes a question hard."""
    distances, gold = record["distances"], _gold(record)
    return UNKNOWN if distances is None else str(min(distances[:gold] + distances[gold + 1 :]))


def came(questions: ItemIndex, answers: AnswerTable) -> NDArray[np.bool_]:
    """Tell where an explanation came: after an empty one, and after one that declines, a choice is asked for, too."""
    return np.array([[text is not None for text in row] for row in texts_of(questions, answers)], bool)


def context(members: Sequence[Record], texts: Sequence[str]) -> Mapping[str, str]:
    """Show the explanation with the concept's names masked, and the options."""
    (record,) = members
    kind = CLASS_OF[record["concept_class"]]
    shown = {"label": kind.label, "label_en": kind.english, **dict(zip(SHOWN, record["options"], strict=True))}
    return {**shown, "explanation": explanation(_taken(texts[0]), concept_of(record)).text} if texts else shown


def _taken(text: str) -> str:
    return answered(whole_text.own(text, None)).value or ""


class ChooseStage(Stage):
    """The second question to the same model."""

    def account(self, about: Iterable[About]) -> tuple[str, ...]:
        """Say what becomes of the explanations that are shown: a mask hides names, not all that tells."""
        found = [explanation(_taken(texts[0]), concept_of(record)) for (record,), texts in about]
        masked, declining = sum(one.named for one in found), sum(one.refused for one in found)
        unnamed = sum(not one.named and not one.empty for one in found)
        empty, leaks = sum(one.empty for one in found), sum(one.leaks for one in found)
        texts = len(found) - empty
        notes = [
            (
                _(
                    "{n_found:,} explanations: {masked:,} masked, {unnamed:,} without a name to mask, {empty:,} "
                    "empty, {declining:,} refusals",
                    n_found=len(found),
                    masked=masked,
                    unnamed=unnamed,
                    empty=empty,
                    declining=declining,
                )
            )
        ]
        if texts:
            notes.append(
                _(
                    (
                        "leakage: {leaks:,} of {texts:,} non-empty explanations ({share}%) contain two consecutive "
                        "characters that only the correct option has"
                    ),
                    leaks=leaks,
                    texts=texts,
                    share=share_text(leaks, texts),
                )
            )
        return tuple(notes)


def read_letter(text: str, options: Sequence[str]) -> Reading:
    """Read the one letter that was chosen; several are no choice."""
    found = read_letters(text, options)
    return found if found.value in {None, *LETTERS} else found._replace(value=None, unambiguous=False)


def read_choice(text: str, shown: Mapping[str, str]) -> Mapping[str, str] | None:
    """Read the choice as the round's column."""
    letter = read_letter(text, tuple(shown[name] for name in SHOWN)).value
    return {metrics.CHOICE: letter} if isinstance(letter, str) else None


def asked_to_choose(records: Sequence[Record], _questions: ItemIndex) -> list[Query]:
    """Let each choice be read by the options that it was made from."""
    return [Query(record["id"], (index,), tuple(record["options"])) for index, record in enumerate(records)]


def question(record: Record, _asked: Query, _variant: int) -> str:
    """Show a reader of a choice the options: the explanation would only tempt to choose anew."""
    return f"根据一段描述，从下列概念中选出它最可能说的一个：\n{lettered(record['options'])}"


CONFIG = Config(
    name="cmhe_ce",
    title=(
        "CMHE-CE: can a model recognize a medical concept from its own explanation if the names are masked? "
        "(chance level 25%)"
    ),
    unit="percent",
    columns={
        "id": ID,
        "concept_id": ID,
        "concept": TEXT,
        "concept_en": ANY_TEXT,
        "aliases": TEXTS,
        "concept_class": one_of(*CLASS_OF),
        "aspect": one_of(*ASPECTS),
        "options": distinct(options(len(LETTERS), len(LETTERS))),
        "answer": one_of(*LETTERS),
        "distances": DISTANCES,
    },
    prompting=Prompting((MEDZH_ZH_1,), generation_kwargs=GENERATION_KWARGS),
    rules=(
        Rule(
            DEFAULT_RULE,
            _(
                "Explanation without reasoning; then the single option (letter or text) stated in the response of "
                "stage choose"
            ),
            record_alone(whole_text.own),
            whole=True,
        ),
    ),
    layout=layout,
    statistics=metrics.statistics,
    metrics=metrics.METRICS,
    reporting=Reporting(
        (metrics.PRIMARY,),
        metrics.verdict,
        tables,
        metrics.SUMMARY,
        screen=Screen(
            _("Does a model recognize a concept from its own explanation?"),
            Nn_("{n:,} question", "{n:,} questions"),
            "class",
            dict.fromkeys(("accuracy", "accuracy-questions", "accuracy-strict"), metrics.CHOOSE),
            cluster=Nn_("{n:,} concept", "{n:,} concepts"),
        ),
    ),
    stages=(
        ChooseStage(
            metrics.CHOOSE,
            _("which of four concepts does the model's explanation (names masked) most likely describe? (Question 2)"),
            {metrics.CHOICE: tuple(LETTERS)},
            context,
            (metrics.ConceptColumns.chosen,),
            came,
            model=JudgeSpec((CHOOSE_MEDZH_ZH_1, CHOOSE_PAPER_1), read_choice, GENERATION_KWARGS, same=True),
        ),
    ),
    reads=Reads(
        question,
        "所选选项的字母（如“B”）",
        shares=("accuracy-questions",),
        of=ResponsesOf(
            metrics.CHOOSE,
            asked_to_choose,
            Rule(DEFAULT_RULE, _("Single option stated in the response of stage choose"), record_alone(read_letter)),
        ),
    ),
)
