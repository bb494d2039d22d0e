"""CMHE-HD's generated answers: questions of CMD that a model answers and that people rate (paper, section 3.1)."""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING

from dataset_scripts.user_files.values import DAMAGE
from dataset_scripts.recipe import BuildTable
from dataset_scripts.recipes.asking import ask
from dataset_scripts.recipes.cmhe_hd.csv_tables import read_table
from dataset_scripts.recipes.cmhe_hd.settings import HIGHEST_RATING, LOWEST_RATING
from medzh_score.benchmark.draws import draw_first
from medzh_score.benchmark.prompts import Prompt
from medzh_score.extraction.whole_text import answer_text
from medzh_score.text.folding import fold

if TYPE_CHECKING:
    from collections.abc import Hashable, Mapping, Sequence
    from typing import TypeVar

    from dataset_scripts.recipe import SourceFile
    from dataset_scripts.recipes.cmhe_hd.settings import Settings
    from dataset_scripts.rounds.rounds import Rounds

    K = TypeVar("K", bound=Hashable)

SOURCES = (
    *("cmd-sample", "cmd-andrology", "cmd-internal", "cmd-obstetrics"),
    *("cmd-oncology", "cmd-pediatrics", "cmd-surgery"),
)
ENCODING = "gb18030"
COLUMNS = ("department", "title", "ask", "answer")
FEWEST = 5  # characters of a question; 无 and 海慈院 are none
SHORT, REPEATED = "rows that ask nothing in ask or title", "rows that ask what stood before"
ANSWER = Prompt(
    name="medzh-zh-1",
    text="你是一名医生。请用一段话回答下面患者的提问。\n\n患者：{question}\n医生：",
    printed_in="nowhere: the paper fine-tuned a model on cMedQA2 and does not print what it was sent; this one is ours",
)
LABEL = re.compile(r"(?:医生|医师|回答|答)\s*[：:]\s*")
NEXT_TURN = re.compile(r"\n\s*(?:患者|病人|医生|用户)\s*[：:]")
COLUMN = "rationality"
RATINGS = tuple(str(value) for value in range(LOWEST_RATING, HIGHEST_RATING + 1))


@dataclass(frozen=True)
class PatientQuestion:
    """A question of CMD."""

    source: str
    text: str  # what is asked


@dataclass(frozen=True)
class Generated:
    """What became of the generated answers."""

    found: int  # questions of CMD that can be used
    drawn: int  # those sent to a model
    answers: Mapping[PatientQuestion, str]  # those that came back
    ratings: Mapping[PatientQuestion, tuple[int, ...]]  # of those that have as many as were asked for
    kept: tuple[PatientQuestion, ...]  # those with the lowest mean, the lowest first
    left_out: Counter[str]  # rows of the sources, by reason


def read_questions(files: Mapping[str, SourceFile]) -> tuple[list[PatientQuestion], Counter[str]]:
    """Read the questions of CMD, each once, and count the rows left out, by reason.

    A question is what stands in ``ask``, or in ``title`` where ``ask`` has fewer than five characters.
    """
    once: dict[str, PatientQuestion] = {}
    left_out: Counter[str] = Counter()
    for name in (name for name in SOURCES if name in files):
        table = read_table(files[name].path, COLUMNS, ENCODING)
        left_out += table.left_out
        for row in table.rows:
            text = next((row[column] for column in ("ask", "title") if len(fold(row[column])) >= FEWEST), None)
            if text is None:
                left_out[SHORT] += 1
            else:
                left_out[REPEATED] += fold(text) in once
                once.setdefault(fold(text), PatientQuestion(name, text))
    return list(once.values()), +left_out


def generate(files: Mapping[str, SourceFile], seed: int, rounds: Rounds, settings: Settings) -> Generated:
    """Have a model answer questions of CMD and people rate what it says, and keep what they rate lowest."""
    questions, left_out = read_questions(files)
    drawn = draw_first(questions, lambda one: f"cmd/{fold(one.text)}", settings.questions, seed)
    answers = rounds.ask(
        "answers",
        {one: ask(ANSWER, question=one.text) for one in drawn},
        prompt=ANSWER.name,
        read=lambda text, _: read_answer(text),
    )
    rows = {one: {"question": one.text, "answer": answer} for one, answer in answers.items()}
    rated = rounds.ratings("rating", rows, {COLUMN: RATINGS}, raters=settings.raters)
    ratings = {one: tuple(int(rating[COLUMN]) for rating in by_rater.values()) for one, by_rater in rated.items()}
    kept = lowest(ratings, settings.rating)[: settings.generated]
    return Generated(len(questions), len(drawn), answers, ratings, tuple(kept), left_out)


def read_answer(text: str) -> str | None:
    r"""Read what a model answered a patient.

    A closed thinking block, a label and further turns are taken off; None where nothing is left, or characters were
    lost.

    >>> read_answer("医生：多饮水。\n患者：谢谢"), read_answer("医生：")
    ('多饮水。', None)
    """
    reply = (answer_text(text) or "").strip()
    if DAMAGE.search(reply):
        return None
    reply = LABEL.sub("", reply, count=1) if LABEL.match(reply) else reply
    turn = NEXT_TURN.search(reply)
    return (reply[: turn.start()] if turn else reply).strip() or None


def lowest(ratings: Mapping[K, Sequence[int]], highest: float) -> list[K]:
    """Choose what has a mean rating up to the highest kept, or the lowest rating from all; lowest mean first.

    >>> lowest({"a": [2, 2], "b": [2, 3], "c": [1, 1]}, 2.0)
    ['c', 'a']
    """
    means = {key: Fraction(sum(values), len(values)) for key, values in ratings.items()}
    kept = [key for key, mean in means.items() if mean <= highest or mean == LOWEST_RATING]
    return sorted(kept, key=lambda key: means[key])


def rating_table(made: Generated) -> BuildTable:
    """Count the generated answers by their mean rating."""
    kept = set(made.kept)
    answers: Counter[int] = Counter()
    taken: Counter[int] = Counter()
    for one, values in made.ratings.items():
        place = -(-sum(values) // len(values))  # up to the next whole number
        answers[place] += 1
        taken[place] += one in kept
    rows = [
        (f"{value}" if value == LOWEST_RATING else f"above {value - 1}, at most {value}", answers[value], taken[value])
        for value in range(LOWEST_RATING, HIGHEST_RATING + 1)
    ]
    return BuildTable("Generated answers by their mean rating", ("mean rating", "answers", "kept"), tuple(rows))
