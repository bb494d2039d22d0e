"""What later rounds ask of a suite: of each model whose first answers are whole, or of all of these together."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Any

from medzh_score.benchmark.choices import pick
from medzh_score.data.records import load_records
from medzh_score.messages.progress import telling
from medzh_score.predictions.readers.several import PredictionFiles
from medzh_score.rounds.asking_items import NothingToAskError, item_questions
from medzh_score.rounds.asking_predictions import prediction_questions
from medzh_score.rounds.first_answers import FirstAnswerFiles
from medzh_score.rounds.forms import round_lines
from medzh_score.suites.first_prompts import as_asked
from medzh_score.suites.places import FIRST, SHARED, Place
from medzh_score.suites.sent_ids import later_places
from medzh_score.suites.standings import answered_by, first_standings

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from pathlib import Path

    from medzh_score.benchmark.config import Config
    from medzh_score.benchmark.rounds import Round
    from medzh_score.data.records import Records
    from medzh_score.rounds.asking_items import Questions
    from medzh_score.suites.plan import Judge, Model, Plan


@dataclass(frozen=True)
class Asking:
    """A later round that can be asked: where, what, and with which settings of the plan."""

    place: Place
    later: Round
    questions: Questions
    judge: Judge | None
    model: Model | None

    def lines(self) -> Iterator[dict[str, Any]]:
        """Make the prompts; of a round that only people answer, what their sheet shows."""
        respondent = self.later.model
        if respondent is None:
            return (
                {"id": one.named, "round": self.later.name, "sheet": dict(one.context)} for one in self.questions.shown
            )
        prompt = pick("judges.prompt", respondent.prompts, self.judge.prompt if self.judge else None)
        form = self.model.form if self.model else "chat"
        return map(partial(as_asked, self.model), round_lines(self.questions, respondent, prompt, form))


def later_rounds(suite: Path, plan: Plan, config: Config) -> Iterator[Asking]:
    """Put together what the later rounds of a config can ask now, of those that somebody answers."""
    records = load_records(plan.data, config.name)
    whole = [one.place.model for one in first_standings(suite, plan, config) if one.is_whole]
    for place in later_places(plan, config):
        later, by = pick("round", config.every_round, place.round), list(answered_by(plan, config, place))
        models = whole if place.model == SHARED else [model for model in whole if model == place.model]
        if not by or not (models or later.about == "records"):
            continue
        judge = next((one for one in plan.judges if one.round == f"{config.name}/{later.name}"), None)
        questions = _questions(suite, config, records, later, models, judge)
        if questions is not None:
            model = plan.model(place.model) if later.of_same_model else None
            yield Asking(place, later, questions, judge, model)


def _questions(  # noqa: PLR0913, PLR0917 - all that is asked, and what it is asked about
    suite: Path, config: Config, records: Records, later: Round, models: Sequence[str], judge: Judge | None
) -> Questions | None:
    """Give what a round asks about the answers of some models; None where these give nothing to ask about."""
    of = config.reads.of if later.keyed == "prediction" and config.reads else None
    about = [Place(config.name, of.round if of else FIRST, model).answers(suite) for model in models]
    if not all(path.exists() for path in about):
        return None
    sets = [PredictionFiles((path,)) for path in about] if later.about == "answers" else []
    given = FirstAnswerFiles(sets[0], None, tuple(sets[1:])) if sets else None
    ask = prediction_questions if later.keyed == "prediction" else item_questions
    sample, seed = (judge.sample, judge.seed) if judge else (None, 0)
    try:
        with telling(quiet=True):
            return ask(config, records, later, given, sample=sample, seed=seed)
    except NothingToAskError:
        return None
