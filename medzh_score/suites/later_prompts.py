"""What later rounds ask of a suite: of each model whose first answers are whole, or of all of these together."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Any

from medzh_score.benchmark.columns import pick
from medzh_score.messages.progress import telling
from medzh_score.predictions.readers.several import PredictionFiles
from medzh_score.rounds.asking_items import NothingToAskError, item_questions
from medzh_score.rounds.asking_predictions import prediction_questions
from medzh_score.rounds.first_answers import FirstAnswerFiles
from medzh_score.rounds.forms import round_lines
from medzh_score.suites.asked_so_far import later_places
from medzh_score.suites.first_prompts import as_asked, planned_records
from medzh_score.suites.standings import answered_by, answers_about, first_standings, models_about, sources_now

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from pathlib import Path

    from medzh_score.benchmark.config import Config
    from medzh_score.benchmark.rounds import Round
    from medzh_score.data.records import Records
    from medzh_score.rounds.asking_items import Questions
    from medzh_score.suites.places import Place
    from medzh_score.suites.plan import Judge, Model, Plan
    from medzh_score.suites.standings import Sources


@dataclass(frozen=True)
class Asking:
    """A later round that can be asked: where, of whom, about what, and with which settings of the plan.

    ``questions`` is None where the answers give nothing to ask about.
    """

    place: Place
    answered_by: Sequence[Place]
    later: Round
    sources: Sources
    questions: Questions | None
    judge: Judge | None
    model: Model | None

    def lines(self) -> Iterator[dict[str, Any]]:
        """Make the prompts; of a round that only people answer, what their sheet shows."""
        if self.questions is None:
            return iter(())
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
    records = planned_records(plan, config.name)
    labels = [model.label for model in plan.models]
    whole = [one.place.model for one in first_standings(suite, plan, config, labels) if one.is_whole]
    for place in later_places(plan, config):
        later, by = pick("round", config.every_round, place.round), list(answered_by(plan, config, place))
        models = models_about(plan, config, place, whole)
        if not by or not models:
            continue
        sources = sources_now(suite, plan, place, models)
        about = answers_about(suite, place, models)
        questions = _questions(config, records, later, about, sources)
        model = plan.model(place.model) if later.of_same_model else None
        yield Asking(place, by, later, sources, questions, plan.judge(f"{config.name}/{later.name}"), model)


def _questions(
    config: Config, records: Records, later: Round, about: Sequence[Path], sources: Sources
) -> Questions | None:
    """Give what a round asks about some answers; None where these give nothing to ask about."""
    if not all(path.exists() for path in about):
        return None
    sets = [PredictionFiles((path,)) for path in about]
    given = FirstAnswerFiles(sets[0], None, tuple(sets[1:])) if sets else None
    ask = prediction_questions if later.keyed == "prediction" else item_questions
    try:
        with telling(quiet=True):
            return ask(config, records, later, given, sample=sources.sample, seed=sources.seed)
    except NothingToAskError:
        return None
