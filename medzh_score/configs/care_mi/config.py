"""CARE-MI: misinformation in long answers on maternity and infant care, scored by people or judge models."""

from __future__ import annotations

import math
from functools import partial
from typing import TYPE_CHECKING

from medzh_score.benchmark.columns import ANY_TEXT, ID, TEXT, TEXTS, one_of
from medzh_score.benchmark.config import Config, Reporting, Scatter, Screen
from medzh_score.benchmark.items import OneItemPerRecord, Query
from medzh_score.benchmark.prompts import Prompting, PromptTemplate
from medzh_score.benchmark.rules import DEFAULT_RULE, Rule, record_alone, signed_rule
from medzh_score.benchmark.stages import JudgeSpec, Panel, Sampling, Stage
from medzh_score.benchmark.variants import draw_first
from medzh_score.configs.care_mi import metrics
from medzh_score.configs.care_mi import reading as care_mi_tf
from medzh_score.configs.care_mi.ratings import ASPECTS, signed_annotators
from medzh_score.configs.care_mi.reading import SCORE, score_reader
from medzh_score.configs.care_mi.tables import HELD_OUT, tables
from medzh_score.extraction import whole_text
from medzh_score.stats.overlap_metrics import with_text
from medzh_score.text.fold import fold
from medzh_score.ui.errors import MedzhError
from medzh_score.ui.i18n import Nn_, _

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from medzh_score.benchmark.answers import Reading
    from medzh_score.benchmark.items import ItemIndex, Record


PAPER_1 = PromptTemplate(
    name="paper-1",
    text="{question}",
    printed_in=_("Section 4: the questions without additional instructions, zero-shot, in a single turn"),
)
# GPT models were asked at temperature 0; one setting stands here, the others' (Appendix B.7).
GENERATION_KWARGS: dict[str, float] = {"max_new_tokens": 2048, "temperature": 0.01}
JUDGE_GENERATION_KWARGS: dict[str, float] = {"temperature": 0.01}

ASKED = {"correctness": "correct", "interpretability": "interpretable"}
# The README of the released checkpoints leaves [aspect] open; these words are ours.
ASPECT_WORDS = {"correctness": "正确性", "interpretability": "可解释性"}
EVIDENCE_PAPER, EVIDENCE_RELEASED = "evidence_paper", "evidence_released"  # how each puts paragraphs together


def judge_prompts(aspect: str) -> tuple[PromptTemplate, PromptTemplate]:
    """Give the wordings in which a judge model is asked about an aspect, the paper's first.

    Examples
    --------
    >>> [prompt.name for prompt in judge_prompts("correctness")]
    ['paper-1', 'released-1']
    """
    return (
        PromptTemplate(
            name="paper-1",
            text=f"Given question and evidence, judge if the following answer is {ASKED[aspect]}:\n"
            f"Question: {{question}}\nEvidences: {{{EVIDENCE_PAPER}}}\nAnswer: {{answer}}\nYour judgement:",
            printed_in=_("Appendix B.6: the prompt that the judge models were fine-tuned on"),
        ),
        PromptTemplate(
            name="released-1",
            text=f"听取某AI助手对一个医学问题的回答，并在 {ASPECT_WORDS[aspect]} 方面对其进行打分，不用解释原因。\n"
            f"问题: {{question}}\n参考资料: {{{EVIDENCE_RELEASED}}}\n某AI助手: {{answer}}\n你的评分:",
            printed_in=_(
                "README of the checkpoints released by the authors; the README does not state the name of the aspect"
            ),
        ),
    )


def evidence_fields(paragraphs: Sequence[str]) -> dict[str, str]:
    """Put paragraphs of evidence together as each wording does: without anything between them, or a space."""
    return {EVIDENCE_PAPER: "".join(paragraphs), EVIDENCE_RELEASED: " ".join(paragraphs)}


# As Tables 4 and 5 have them; the last two are no paper's.
SOURCES = ("BIOS", "CPubMed", "MLEC-QA", "MEDQA", "CMExam", "written")
TYPES = ("tf", "open")
TRUE, FALSE = "true", "false"  # the statement that a question asks about

# The ranges are Table 7's, the words ours.
BANDS = {
    "correctness": (
        ("0.75-1", "总体正确、清楚，直接回答了问题"),
        ("0.5-0.75（不含）", "直接回答了问题，但有不严谨之处"),
        ("0.25-0.5（不含）", "有多处错误或不完整，但仍能从中推知正确答案"),
        ("0-0.25（不含）", "有大量错误或不完整，无法从中推知正确答案"),
    ),
    "interpretability": (
        ("0.75-1", "所有说法都与其结论相关，并且合理"),
        ("0.25-0.75（不含）", "有些说法与其结论无关，或者不合理"),
        ("0-0.25（不含）", "许多说法与其结论无关，而且不合理"),
    ),
}
HOW = "填 0 到 1 之间的小数，如 0.8；rater 填姓名；分歧（相差超过 0.25）由仲裁者另填一份，rater 填 arbiter"


def guide(aspect: str) -> str:
    """Write what a rater is told: the bands of Table 7, what to fill in, and how an arbiter signs."""
    return "\n".join([*(f"{edges}：{words}" for edges, words in BANDS[aspect]), HOW])


SUMMARIES = {
    "correctness": _("is the answer relevant and factually correct? rating from 0 to 1 (Tables 4 and 7)"),
    "interpretability": _("does the answer explain how it reaches its conclusion? rating from 0 to 1 (Tables 5 and 7)"),
}


def with_claim(
    read: Callable[[str, object], Reading],
) -> Callable[[str, care_mi_tf.QuestionClaim | None], Reading]:
    """Make a rule that also notes whether the answer to a yes-or-no question agrees with its claim."""

    def noted(text: str, claim: care_mi_tf.QuestionClaim | None) -> Reading:
        found = read(text, None)
        if claim is None or found.value is None:
            return found
        return found._replace(note=care_mi_tf.read(text, claim))

    return noted


def layout(records: Sequence[Record]) -> ItemIndex:
    """Make an item and a unit of each question; a part of them is held out, to test judges on."""
    for record in records:
        if (record["asked"] is None) == _is_tf(record):
            problem = _("invalid value in record {record}", record=record["id"])
            expected = _("true or false if type is tf, null if type is open")
            raise MedzhError(problem, field="asked", expected=expected, found=record["asked"])
    tested = held_out({row["id"]: texts_of_question(row) for row in records})

    def is_tested(record: Record) -> bool:
        return record["id"] in tested

    facts = {metrics.IS_TF: _is_tf, metrics.ASKS_FALSE: _asks_false, HELD_OUT: is_tested}
    return OneItemPerRecord(
        {"source": SOURCES, "type": TYPES}, item_values=facts, item_texts={metrics.STATEMENTS: _statements}
    )(records)


def _is_tf(record: Record) -> bool:
    return bool(record["type"] == "tf")


def _asks_false(record: Record) -> bool:
    return bool(record["asked"] == FALSE)


def _statements(record: Record) -> tuple[str, str]:
    return record["true_statement"], record["false_statement"]


def texts_of_question(record: Record) -> list[str]:
    """Name the texts by which two questions belong together, such as a claim that is asked about twice."""
    return [record[name] for name in ("question", "context", "true_statement", "false_statement")]


def queries(records: Sequence[Record], _questions: ItemIndex) -> list[Query]:
    """Let each question be asked by itself; of a yes-or-no question the rules know the claim."""
    return [Query(record["id"], (index,), claim_of(record)) for index, record in enumerate(records)]


def claim_of(record: Record) -> care_mi_tf.QuestionClaim | None:
    """Say what a yes-or-no question claims, be it true or false; None of an open one."""
    true, false = _statements(record)
    claim = care_mi_tf.QuestionClaim(false, true) if _asks_false(record) else care_mi_tf.QuestionClaim(true, false)
    return claim if _is_tf(record) else None


def context_of(aspect: str) -> Callable[[Sequence[Record], Sequence[str]], Mapping[str, str]]:
    """Make what is shown of an answer in the round of an aspect."""
    bands = guide(aspect)

    def context(members: Sequence[Record], texts: Sequence[str]) -> Mapping[str, str]:
        (record,) = members
        return {
            "question": record["question"],
            "reference": record["true_statement"],
            "evidence": "\n".join(record["evidence"]),
            **evidence_fields(record["evidence"]),
            **({"answer": texts[0]} if texts else {}),
            "guide": bands,
        }

    return context


def _stage(aspect: str) -> Stage:
    return Stage(
        aspect,
        SUMMARIES[aspect],
        {aspect: SCORE},
        context_of(aspect),
        (metrics.RATED[aspect],),
        with_text,
        model=JudgeSpec(
            judge_prompts(aspect),
            score_reader(aspect),
            JUDGE_GENERATION_KWARGS,
            prompt_only=tuple(evidence_fields(())),
        ),
        sampling=Sampling(strata="source"),
        panel=Panel(blind=True, signed_by=partial(signed_annotators, aspect=aspect)),
    )


SHARE = 0.2  # of the questions, at least
SEED = 0


def together(texts: Mapping[str, Sequence[str]]) -> list[list[str]]:
    """Put questions together that share a text, directly or through others; each group sorted, by their first ids.

    Width, case and white space do not tell texts apart; blank ones are nobody's.
    """
    leader = {name: name for name in texts}

    def find(name: str) -> str:
        while leader[name] != name:
            leader[name] = leader[leader[name]]
            name = leader[name]
        return name

    first: dict[str, str] = {}
    for name in sorted(texts):
        for text in texts[name]:
            if folded := fold(text).casefold():
                one, two = sorted((find(name), find(first.setdefault(folded, name))))
                leader[two] = one
    groups: dict[str, list[str]] = {}
    for name in sorted(texts):
        groups.setdefault(find(name), []).append(name)
    return list(groups.values())


def held_out(texts: Mapping[str, Sequence[str]], share: float = SHARE, seed: int = SEED) -> set[str]:
    """Draw the questions of a test set."""
    groups = together(texts)
    wanted = math.ceil(round(share * len(texts), 9))
    drawn: set[str] = set()
    for group in draw_first(groups, lambda group: group[0], len(groups), seed):
        if len(drawn) >= wanted:
            break
        drawn.update(group)
    return drawn


CONFIG = Config(
    name="care_mi",
    title="CARE-MI: are long answers on maternity and infant care correct, and do they explain their conclusions?",
    unit="fraction",
    columns={
        "id": ID,
        "question": TEXT,
        "type": one_of(*TYPES),
        "asked": one_of(TRUE, FALSE, None),
        "source": one_of(*SOURCES),
        "context": ANY_TEXT,
        "true_statement": TEXT,
        "false_statement": TEXT,
        "evidence": TEXTS,
    },
    prompting=Prompting((PAPER_1,), generation_kwargs=GENERATION_KWARGS),
    rules=(
        Rule(
            DEFAULT_RULE,
            _("Response without reasoning and without text after the model's own answer"),
            record_alone(with_claim(whole_text.own)),
            whole=True,
        ),
        Rule(
            "raw",
            _("Complete response, unchanged, as the annotators of the paper saw it"),
            record_alone(with_claim(whole_text.raw)),
            whole=True,
        ),
    ),
    layout=layout,
    queries=queries,
    statistics=metrics.statistics,
    metrics=metrics.METRICS,
    stages=tuple(map(_stage, ASPECTS)),
    reporting=Reporting(
        (metrics.PRIMARY, *metrics.STAND_INS),
        metrics.verdict,
        tables,
        metrics.SUMMARY,
        metrics.ITEM_METRICS,
        shares=frozenset({"share"}),
        figures=(
            Scatter("r2", "correctness against interpretability, one point per model (Figure 4)", *ASPECTS),
            Scatter(
                "r2-judge",
                (
                    "correctness against interpretability, rated by judge models instead of people (in place of "
                    "Figure 4)"
                ),
                *(f"{aspect}-judge" for aspect in ASPECTS),
            ),
        ),
        signature_entries=lambda: {"tf": signed_rule(DEFAULT_RULE)},
        warnings=metrics.warnings,
        screen=Screen(
            _("Are long answers on maternity and infant care correct?"),
            Nn_("{n:,} question", "{n:,} questions"),
            "source",
            {aspect: aspect for aspect in ASPECTS},
        ),
    ),
)
