"""The prompts of first answers, as a plan has them: one file a config, and one for each model that is asked apart."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Any

import msgspec

from medzh_score.benchmark.columns import pick
from medzh_score.benchmark.registry import find_config
from medzh_score.data.records import BUILD_ADVICE, laid_out, load_records
from medzh_score.io.atomic import open_for_writing
from medzh_score.prompting.write import (
    EXTRA,
    SYSTEM,
    asking_of,
    encoded,
    numbered,
    prompt_lines,
    train_records,
    variants_asked,
)
from medzh_score.suites.plan import PLAN, VERSION, Judge
from medzh_score.suites.responses import FIRST, SHARED, TaskKey, has_answers
from medzh_score.ui.errors import NAMED, MedzhError
from medzh_score.ui.i18n import _, joined

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence
    from pathlib import Path

    from medzh_score.benchmark.config import Config
    from medzh_score.benchmark.prompts import PromptBuilder, PromptSettings
    from medzh_score.benchmark.stages import Stage
    from medzh_score.data.records import Records
    from medzh_score.prompting.write import Chosen
    from medzh_score.suites.plan import Model, Plan, PlannedConfig


WIDE = re.compile(r"[\u2e80-\u9fff\uf900-\ufaff\uff00-\uffef]")
# An estimate: tokenizers of recent models make about three tokens of four Chinese characters, and one of four others.
TOKENS_A_WIDE, TOKENS_A_NARROW = 0.75, 0.25


@dataclass(frozen=True)
class WrittenPrompts:
    """A prompts file that was written: how many calls, and how many characters and, about, tokens they hold."""

    path: Path
    calls: int
    characters: int
    tokens: int


@dataclass(frozen=True)
class FirstPrompts:
    """How a config asks for first answers."""

    config: Config
    asker: PromptBuilder
    asking: PromptSettings
    chosen: Chosen
    runs: int

    def lines(self, model: Model | None = None) -> Iterator[dict[str, Any]]:
        """Make the prompts, as a model is asked that is asked apart."""
        form = model.form if model else "chat"
        lines = prompt_lines(
            self.asker,
            self.asking,
            self.config.prompting.generation_kwargs,
            chosen=self.chosen,
            form=form,
            runs=self.runs,
        )
        return map(partial(as_asked, model), lines)


def as_asked(model: Model | None, line: dict[str, Any]) -> dict[str, Any]:
    """Give a prompt as a model is asked it: with settings, a system prompt and a body of its own, where it has any."""
    if model is None:
        return line
    if model.system is not None:
        line["messages"] = [{"role": SYSTEM, "content": model.system}, *line["messages"]]
    settings = {name: value for name, value in line["generation"].items() if name not in model.unsent}
    line = {**line, "generation": {**settings, **model.generation}}
    return {**line, EXTRA: model.extra_body} if model.extra_body else line


def first_prompts(plan: Plan, asked: PlannedConfig) -> FirstPrompts:
    """Settle how a config of a plan is asked."""
    config = find_config(asked.config)
    records = planned_records(plan, config.name)
    asking = asking_of(
        config,
        pick("configs.prompt", config.prompting.templates, asked.prompt),
        lambda: train_records(config.name, plan.data),
        shots=asked.shots,
        shot_selection=asked.shot_selection,
        tokens=asked.tokens,
    )
    asker = config.prompting.builder(records.rows, asking)
    return FirstPrompts(config, asker, asking, variants_asked(asker, asked.variants, asked.seed), asked.runs)


def _asked_apart(model: Model) -> bool:
    own = model.generation or model.unsent or model.extra_body
    return model.form != "chat" or model.system is not None or bool(own)


def first_file(suite: Path, model: Model, config: str) -> Path:
    """Name the file with the prompts of a model's first answers."""
    return TaskKey(config, FIRST, model.label if _asked_apart(model) else SHARED).prompts(suite)


def write_first_prompts(suite: Path, plan: Plan, asked: PlannedConfig) -> Iterator[WrittenPrompts]:
    """Write the prompts of a config that nobody has answered: for all models, and for each that is asked apart."""
    prompts = first_prompts(plan, asked)
    answered = {
        first_file(suite, one, asked.config) for one in plan.models if has_answers(suite, asked.config, one.label)
    }
    for model in plan.models:
        path, own = first_file(suite, model, asked.config), TaskKey(asked.config, FIRST, model.label).prompts(suite)
        if path != own:
            own.unlink(missing_ok=True)
        if path not in answered or not path.exists():
            answered.add(path)
            yield write_lines(path, prompts.lines(model if path == own else None))


def write_lines(path: Path, lines: Iterable[dict[str, Any]]) -> WrittenPrompts:
    """Write prompts, and count what they hold."""
    path.parent.mkdir(parents=True, exist_ok=True)
    calls = characters = wide = 0
    with open_for_writing(path) as stream:
        for line in lines:
            content, texts = encoded(line), texts_of(line)
            stream.write(content)
            calls += 1
            characters += sum(map(len, texts))
            wide += sum(len(WIDE.findall(text)) for text in texts)
    return WrittenPrompts(path, calls, characters, round(wide * TOKENS_A_WIDE + (characters - wide) * TOKENS_A_NARROW))


def asked_otherwise(path: Path, answered: Sequence[str], field: str) -> MedzhError:
    """Say that what was answered is not asked any more as it was, and what of it differs."""
    return MedzhError(
        _(
            ("{answered} already answered, but the prompts of the current plan or data differ from the sent prompts"),
            answered=joined(answered[:NAMED]),
        ),
        file=path,
        field=field,
        advice=_("undo the changes to the plan, or create another suite"),
    )


def texts_of(line: Mapping[str, Any]) -> list[str]:
    """List the texts that a prompt sends, or that a sheet shows."""
    if "messages" in line:
        return [message["content"] for message in line["messages"]]
    return list(line["table"].values()) if "table" in line else [line["text"]]


def characters_of(line: Mapping[str, Any]) -> int:
    """Count the characters that a prompt sends, or that a sheet shows."""
    return sum(map(len, texts_of(line)))


ADVICE = _(
    "build the data: medzh-build build CONFIG; or set data in plan.toml to the build folder (medzh-score suite "
    "plan --data)"
)


def planned_records(plan: Plan, config: str) -> Records:
    """Load the records of a config; where there are none, say where the plan names them."""
    try:
        return load_records(plan.data, config)
    except MedzhError as error:
        if error.advice != BUILD_ADVICE:
            raise
        raise MedzhError(error.problem, file=error.file, expected=error.expected, advice=ADVICE) from error


TIGHT = 1024  # new tokens in which a model that reasons first does not come to its answer


def judges_of(given: Sequence[str], configs: Sequence[str]) -> tuple[Judge, ...]:
    """Take ``[CONFIG/]ROUND=NAME`` apart; a round without a config is that of every config that has it."""
    found = []
    for text in given:
        where, _unused, label = text.partition("=")
        config, _unused, name = where.rpartition("/")
        if not (name and label):
            raise MedzhError(
                _("invalid judge"), field="--judge", expected=_("STAGE=NAME or CONFIG/STAGE=NAME"), found=text
            )
        having = [one for one in ([config] if config else configs) if name in _judged(find_config(one))]
        if not having:
            known = sorted({f"{one}/{later}" for one in configs for later in _judged(find_config(one))})
            raise MedzhError(
                _("the plan contains no config that uses a judge in this stage"),
                field="--judge",
                expected=", ".join(known) or "none",
                found=text,
            )
        found += [Judge(stage=f"{one}/{name}", label=label) for one in having]
    return tuple(found)


def prompts_of(given: Sequence[str], configs: Sequence[str]) -> dict[str, str]:
    """Take ``[CONFIG=]NAME`` apart; a name without a config is for all that have such a prompt."""
    found: dict[str, str] = {}
    for text in given:
        config, _unused, name = text.rpartition("=")
        wanted = [config] if config else configs
        having = [one for one in wanted if name in {prompt.name for prompt in find_config(one).prompting.templates}]
        if not having or (config and config not in configs):
            known = sorted(
                {f"{one}={prompt.name}" for one in configs for prompt in find_config(one).prompting.templates}
            )
            problem = _("the plan contains no config with this prompt")
            raise MedzhError(problem, field="--prompt", expected=", ".join(known), found=text)
        found |= dict.fromkeys(having, name)
    return found


def _judged(config: Config) -> list[str]:
    """Name the rounds of a config that somebody else than the model answers."""
    return [later.name for later in config.every_stage if not later.of_same_model]


def notes_on_plan(plan: Plan) -> list[str]:
    """Say what a plan may lack: settings, room for models that reason, and rounds that nobody was named for."""
    notes = [
        _(
            "{model_label}: these settings of the papers are not sent: {unsent}. The signature records this.",
            model_label=model.label,
            unsent=joined(model.unsent),
        )
        for model in plan.models
        if model.unsent
    ]
    for asked in plan.configs:
        config = find_config(asked.config)
        room = config.prompting.generation_kwargs.get("max_new_tokens")
        tight = joined(model.label for model in plan.models if "max_new_tokens" not in model.generation)
        if room is not None and room < TIGHT and tight:
            notes.append(
                _(
                    (
                        "{config_name}: the paper's settings limit responses to {int} new tokens. A model that reasons "
                        "before it answers cannot finish. Set max_new_tokens in the plan for {tight}."
                    ),
                    config_name=config.name,
                    int=int(room),
                    tight=tight,
                )
            )
        named = {one.stage.partition("/")[2] for one in plan.judges if one.stage.partition("/")[0] == config.name}
        lacking = [one.name for one in config.stages if not one.of_same_model and one.name not in named]
        notes += [
            _(
                "{config_name}: stage {name} has no judge. See [[judges]] in {plan}.",
                config_name=config.name,
                name=name,
                plan=PLAN,
            )
            for name in lacking
        ]
    return notes


def notes_on_later_stages(plan: Plan) -> list[str]:
    """Say how many calls later rounds cost at most; of how many characters, only what they ask about will say."""
    notes: list[str] = []
    for asked in plan.configs:
        config = find_config(asked.config)
        for later in config.every_stage:
            judges = [one for one in plan.judges if one.stage == f"{config.name}/{later.name}"]
            if not (judges or later.of_same_model):
                continue
            place, by = f"{config.name} {later.name}", joined(one.label for one in judges)
            most = max(len(judges), 1) * _most_questions(plan, asked, later, judges[0].sample if judges else None)
            if later.of_same_model:
                notes.append(
                    _("{place}, answered by the model itself: at most {most:,} calls per model", place=place, most=most)
                )
            elif later.about == "records":
                notes.append(
                    _("{place}, answered by {by}: at most {most:,} calls in total", place=place, by=by, most=most)
                )
            else:
                notes.append(
                    _("{place}, answered by {by}: at most {most:,} calls per model", place=place, by=by, most=most)
                )
    return notes


def _most_questions(plan: Plan, asked: PlannedConfig, later: Stage, sample: int | None) -> int:
    """Count what a round can ask about all records, or about all answers of a model."""
    config = find_config(asked.config)
    records = load_records(plan.data, config.name)
    layout = laid_out(config, records)
    drawn = later.sampling.size if sample is None else sample
    if later.keyed == "item":
        count = len(layout.items) if drawn is None else min(drawn, len(layout.items))
        return count if later.about == "records" else count * asked.runs
    prompts = first_prompts(plan, asked)
    members = {one.id: len(one.members) for one in config.queries(records.rows, layout)}
    answers = sum(members[one] for one, *_unused in numbered(prompts.chosen, prompts.runs))
    return answers if drawn is None else min(drawn, answers)


HEAD = """\
# What this suite asks / 本评测任务的计划. It may be edited until something was sent.
# 发送之前可以修改；修改后运行 medzh-score suite prompts 重新生成提示词。
"""
MODELS = """\
# A model / 模型: `label` names its folder, `served` all names that servers and files give it; `form` is chat or text.
# `generation` overrides the settings of the paper; `extra_body` goes with every request. A model that reasons before it
# answers needs room / 推理模型需要更长的输出: generation = { max_new_tokens = 16384 }
# Settings that a server refuses are left out / 服务器不接受的设置不发送: unsent = ["top_k"]
"""
CONFIGS = """\
# A config / 评测集: `prompt`, `runs` (采样次数), `variants` (选项顺序), `shots` (示例数).
"""
JUDGES = """\
# Who answers a later stage / 后续阶段由谁作答: `stage` is <config>/<stage>; a stage may have several judges.
# [[judges]]
# stage = "care_mi/correctness"
# label = "gpt"
"""


def written_plan(plan: Plan) -> str:
    """Write a plan as TOML, with what its tables mean."""
    parts = [HEAD, f"version = {VERSION}\ndata = {_value(plan.data)}\n"]
    for head, name, tables in (
        (MODELS, "models", plan.models),
        (CONFIGS, "configs", plan.configs),
        (JUDGES, "judges", plan.judges),
    ):
        parts += [head + "\n".join(_table(name, one) for one in tables)]
    return "\n".join(parts)


def _table(name: str, table: Model | PlannedConfig | Judge) -> str:
    lines = [f"{key} = {_value(value)}" for key, value in _stated(table)]
    return "\n".join([f"[[{name}]]", *lines]) + "\n"


def _stated(table: Model | PlannedConfig | Judge) -> Iterator[tuple[str, object]]:
    """Leave out what TOML cannot say, and what is empty."""
    for key, value in msgspec.to_builtins(table).items():
        if value is not None and value not in ((), [], {}):
            yield key, value


def _value(value: object) -> str:
    r"""Write a value as TOML.

    Examples
    --------
    >>> _value({"a b": [1, "x\u007f"], "c": {"d": True}})
    '{ "a b" = [1, "x\\u007F"], "c" = { "d" = true } }'
    """
    if isinstance(value, dict):
        entries: Mapping[str, object] = value
        inner = ", ".join(f"{_value(key)} = {_value(one)}" for key, one in entries.items() if one is not None)
        return f"{{ {inner} }}" if inner else "{}"
    if isinstance(value, list | tuple):
        return f"[{', '.join(map(_value, value))}]"
    # JSON's strings, numbers and truth values are TOML's, but for the one control character that JSON leaves bare.
    return msgspec.json.encode(value).decode().replace("\x7f", "\\u007F")
