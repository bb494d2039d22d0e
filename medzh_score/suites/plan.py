"""What a suite is to ask: models, configs with their settings, and judges; read from ``plan.toml``."""

from __future__ import annotations

import json
import re
from contextlib import nullcontext
from typing import TYPE_CHECKING, Annotated, Any, Literal, TypeVar

import msgspec

from medzh_score.benchmark.registry import find_config
from medzh_score.io.atomic import owner_only, refuse_readable, write_bytes
from medzh_score.io.documents import toml_of, wrong_type
from medzh_score.io.jsonl import decoded_lines
from medzh_score.prompting.ids import MOST_RUNS
from medzh_score.prompting.write import BATCH_NAMES, GREEDY, OUR_NAMES
from medzh_score.ui.errors import MedzhError
from medzh_score.ui.i18n import _

if TYPE_CHECKING:
    from collections.abc import Sequence
    from contextlib import AbstractContextManager
    from pathlib import Path


PLAN = "plan.toml"
VERSION = 1
SHAPE = _("a plan written by `medzh-score suite plan`")
# A label names a folder: on no system may it be hidden, reserved or longer than a name can be.
LABEL = re.compile(r"[^\W_][\w.+=@-]{0,99}")
Count = Annotated[int, msgspec.Meta(ge=1)]
Runs = Annotated[int, msgspec.Meta(ge=1, le=MOST_RUNS)]
Shots = Annotated[int, msgspec.Meta(ge=0)]


class PlanTable(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A table of the plan; what it does not know is refused, for a mistyped key would be passed over."""


class Model(PlanTable, frozen=True):
    """A system: how it is called here, how servers and files call it, and how it is asked.

    ``generation`` overrides the config's own settings, of which those that ``unsent`` names are left out, and
    ``extra_body`` goes with every request as it is.
    """

    label: str
    served: tuple[str, ...] = ()
    form: Literal["chat", "text"] = "chat"
    system: str | None = None
    generation: dict[str, int | float | bool] = {}
    unsent: tuple[str, ...] = ()
    extra_body: dict[str, Any] = {}

    @property
    def names(self) -> tuple[str, ...]:
        """All names under which its answers may come: those of servers, or else its label."""
        return self.served or (self.label,)


class PlannedConfig(PlanTable, frozen=True):
    """A config and how it is asked: which prompt, how often, in which variants, with how many examples."""

    config: str
    prompt: str | None = None
    runs: Runs = 1
    variants: str | None = None
    seed: Shots = 0
    shots: Shots | None = None
    shot_selection: str | None = None
    tokens: str | None = None


class Judge(PlanTable, frozen=True):
    """Who answers a later round that is not the model's own, as ``<config>/<round>``; a person where none is served."""

    stage: str
    label: str
    served: tuple[str, ...] = ()
    prompt: str | None = None
    sample: Count | None = None
    seed: Shots = 0

    @property
    def names(self) -> tuple[str, ...]:
        """All names under which its answers may come."""
        return self.served or (self.label,)


class Plan(PlanTable, frozen=True):
    """All that is to be asked of whom."""

    version: int
    data: str
    models: tuple[Model, ...]
    configs: tuple[PlannedConfig, ...]
    judges: tuple[Judge, ...] = ()

    def model(self, label: str) -> Model:
        """Find a model by its label."""
        return _labelled(self.models, label)

    def judge(self, stage_name: str) -> Judge | None:
        """Find who answers a round, ``<config>/<round>``: of several, who are all asked alike, the first."""
        return next((one for one in self.judges if one.stage == stage_name), None)

    def respondent(self, label: str) -> Model | Judge:
        """Find a model or a judge by its label."""
        everybody: list[Model | Judge] = [*self.models, *self.judges]
        return _labelled(everybody, label)


Respondent = TypeVar("Respondent", Model, Judge, Model | Judge)


def _labelled(respondents: Sequence[Respondent], label: str) -> Respondent:
    for one in respondents:
        if one.label == label:
            return one
    known = ", ".join(dict.fromkeys(one.label for one in respondents))
    raise MedzhError(_("the name is not in the plan"), field="--model", expected=known, found=label)


def read_plan(suite: Path) -> Plan:
    """Read a suite's plan, whatever was answered so far."""
    path = suite / PLAN
    if not path.is_file():
        advice = _("create a suite: medzh-score suite plan SUITE --models … --configs …")
        raise MedzhError(_("the file does not exist, so the folder is not a suite"), file=path, advice=advice)
    try:
        content = toml_of(path.read_bytes(), path)
    except UnicodeDecodeError as error:
        raise MedzhError(_("invalid UTF-8"), file=path, expected=_("UTF-8 text")) from error
    except ValueError as error:
        raise MedzhError(_("invalid TOML: {error}", error=error), file=path, expected=SHAPE) from error
    if content.get("version") != VERSION:
        problem = _("unsupported version")
        raise MedzhError(problem, file=path, field="version", expected=str(VERSION), found=content.get("version"))
    try:
        plan = msgspec.convert(content, Plan)
    except msgspec.ValidationError as error:
        raise wrong_type(str(error), path, SHAPE) from error
    check_plan(plan, path)
    return plan


def check_plan(plan: Plan, path: Path) -> None:
    """Refuse a plan whose labels cannot name folders, or under which two things go by one name."""
    for label in [*(model.label for model in plan.models), *(judge.label for judge in plan.judges)]:
        if LABEL.fullmatch(label) is None:
            expected = _("at most 100 letters, digits and . _ + = @ -, starting with a letter or digit")
            raise MedzhError(_("the name cannot be used as a folder name"), file=path, expected=expected, found=label)
    for model in plan.models:
        _check_model(model, plan, path)
    for judge in plan.judges:
        first = plan.judge(judge.stage) or judge
        if (judge.prompt, judge.sample, judge.seed) != (first.prompt, first.sample, first.seed):
            problem = _("the judges of a stage have different settings")
            found = f"{judge.stage}: {first.label}, {judge.label}"
            expected = _("one prompt, sample size and seed per stage")
            raise MedzhError(problem, file=path, field="judges", expected=expected, found=found)
    for kind, names in (
        ("models.label", [one.label.casefold() for one in plan.models]),
        ("configs.config", [one.config for one in plan.configs]),
        ("judges.stage", [f"{one.stage}={one.label}".casefold() for one in plan.judges]),
    ):
        if not names and kind != "judges.stage":
            raise MedzhError(_("the list is empty"), file=path, field=kind, expected=_("at least one"))
        for place, name in enumerate(names):
            if name in names[:place]:
                raise MedzhError(
                    _("the value occurs twice"), file=path, field=kind, expected=_("distinct values"), found=name
                )


def _check_model(model: Model, plan: Plan, path: Path) -> None:
    """Refuse a model that cannot be asked as its table says."""
    for kind, settings in (("extra_body", model.extra_body), ("generation", model.generation)):
        for name in RESERVED:  # a request holds it already, or one answer would become several or pieces
            if name in settings:
                expected, field = _("a name other than {reserved}", reserved=", ".join(RESERVED)), f"models.{kind}"
                raise MedzhError(_("the setting is reserved"), file=path, field=field, expected=expected, found=name)
    try:
        json.dumps(model.extra_body, allow_nan=False)
    except (TypeError, ValueError) as error:
        field = "models.extra_body"
        raise MedzhError(_("the value cannot be written as JSON"), file=path, field=field, found=str(error)) from error
    if model.system is not None and model.form == "text":
        problem = _("model {model_label} uses text prompts, which have no system prompt", model_label=model.label)
        raise MedzhError(
            problem, file=path, field="models.system", advice=_("omit the system prompt, or use the chat format")
        )
    known = {name for asked in plan.configs for name in find_config(asked.config).prompting.generation_kwargs}
    for name in sorted(model.extra_body.keys() & {*known, *model.generation, *OUR_NAMES, *BATCH_NAMES, GREEDY[0]}):
        advice = _("set it in `generation` as {setting}", setting=OUR_NAMES.get(name, name))
        raise MedzhError(
            _("the name is a generation setting"), file=path, field="models.extra_body", found=name, advice=advice
        )
    for name in model.unsent:
        if name in model.generation or name not in known:
            problem = _("the configs do not have this setting, or it is set in `generation`")
            expected = ", ".join(sorted(known - model.generation.keys()))
            raise MedzhError(problem, file=path, field="models.unsent", expected=expected, found=name)


class PlanLock(msgspec.Struct, frozen=True):
    """By what prompts were written: the plan, the records of each config, and what each later round asked about."""

    plan: Plan
    data: dict[str, str]
    sources: dict[str, dict[str, str]] = {}  # by task and model the SHA-256 of the answers


def _lock_file(suite: Path) -> Path:
    return suite / "prompts" / "plan.lock"


def read_lock(suite: Path) -> PlanLock | None:
    """Read by what the prompts of a suite were written; None where none were."""
    path = _lock_file(suite)
    return next(decoded_lines(path, msgspec.json.Decoder(PlanLock)), None) if path.exists() else None


def write_lock(suite: Path, lock: PlanLock) -> None:
    """Write by what the prompts of a suite were written: what was answered is never asked otherwise."""
    write_bytes(_lock_file(suite), msgspec.json.encode(lock) + b"\n")


RESERVED = ("model", "messages", "prompt", "n", "stream")


def holds_private(plan: Plan) -> bool:
    """Say whether a suite asks a private config."""
    return any(find_config(asked.config).private for asked in plan.configs)


def guarded(suite: Path, plan: Plan) -> AbstractContextManager[None]:
    """Refuse a folder that others can read, and let what is written be the owner's; any other suite stays as it is."""
    if not holds_private(plan):
        return nullcontext()
    if suite.exists():
        refuse_readable(suite)
    return owner_only()


def guarded_if_there(suite: Path) -> AbstractContextManager[None]:
    """Guard a suite that has a plan already."""
    return guarded(suite, read_plan(suite)) if (suite / PLAN).is_file() else nullcontext()
