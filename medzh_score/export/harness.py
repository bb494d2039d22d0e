"""The files of a task for each tool: prompts as the tool reads them, and what tells it to ask them."""

from __future__ import annotations

import json
from dataclasses import dataclass
from functools import cache
from string import Template
from typing import TYPE_CHECKING, Any

from medzh_score.data.records import Records, load_records
from medzh_score.io.paths import package_file
from medzh_score.prompting.ids import AskedFields
from medzh_score.prompting.write import encoded
from medzh_score.scoring.pipeline import score
from medzh_score.ui.errors import MedzhError, error_text
from medzh_score.ui.i18n import _, translated
from medzh_score.ui.progress import write_to_user

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence


PROMPTS = "prompts.jsonl"
LM_EVAL = {"max_new_tokens": "max_gen_toks"}  # what lm-evaluation-harness calls our settings


@dataclass(frozen=True)
class Asked:
    """What a task asks: of a config, whose records are at ``data``, with the paper's settings; lines of each form."""

    config: str
    primary_name: str
    higher: bool
    data: str
    origin: str
    generation: Mapping[str, Any]
    lines: Callable[[str], Iterable[dict[str, Any]]]


def files_of(tool: str, asked: Asked) -> dict[str, bytes]:
    """Write the files of a task by their names."""
    return WRITERS[tool](asked)


def _of_inspect(asked: Asked) -> dict[str, bytes]:
    return {PROMPTS: _lines(asked.lines("chat")), **_filled("inspect.py", f"medzh_{asked.config}.py", asked)}


def _of_lm_eval(asked: Asked) -> dict[str, bytes]:
    name = f"medzh_{asked.config}"
    return {
        PROMPTS: _lines(asked.lines("text")),
        **_filled("lm_eval.py", f"{name}_task.py", asked),
        **_filled("lm_eval.yaml", f"{name}.yaml", asked),
    }


WRITERS: dict[str, Callable[[Asked], dict[str, bytes]]] = {
    "inspect": _of_inspect,
    "lm-eval": _of_lm_eval,
}
TOOLS = tuple(WRITERS)


def _lines(lines: Iterable[Mapping[str, Any]]) -> bytes:
    return b"".join(map(encoded, lines))


def _filled(template: str, name: str, asked: Asked) -> dict[str, bytes]:
    text = package_file("medzh_score", f"export/templates/{template}.txt").read_text(encoding="utf-8")
    filled = Template(text).substitute(
        config=asked.config,
        primary_name=asked.primary_name,
        higher=json.dumps(asked.higher),
        data=repr(asked.data),
        origin=repr(asked.origin),
        lm_eval=json.dumps(_of_harness(asked.generation)),
    )
    return {name: filled.encode("utf-8")}


def _of_harness(generation: Mapping[str, Any]) -> dict[str, Any]:
    """Give decoding as lm-evaluation-harness takes it; where nothing is said it stops at the first empty line."""
    named = {LM_EVAL.get(name, name): value for name, value in generation.items()}
    return {"until": [], "do_sample": bool(named.get("temperature")), **named}


def primary_name(config: str, data: str, origin: str, answers: Sequence[dict[str, Any]]) -> float | None:
    """Score answers by the default rule of the config, and return the primary metric; None if it is not available.

    A tool that has run for hours must be able to store its responses. If they cannot be scored, because samples failed,
    only some were queried or the value requires a stage, the reason is written to standard error.
    """
    try:
        report = score(config, answers, _records(config, data, origin), bootstrap=0)
    except MedzhError as error:
        write_to_user(f"medzh-score: {config}: {error_text(error)}\n")
        return None
    value = report.metrics[report.primary_name]
    if value.value is None:
        problem = _("{metric} is not available: {reason}", metric=report.primary_name, reason=value.unavailable_reason)
        write_to_user(f"medzh-score: {config}: {translated(problem)}\n")
    return value.value


@cache
def _records(config: str, data: str, origin: str) -> Records:
    """Load the records, which must be those of which the prompts were made; an empty origin takes any."""
    records = load_records(data, config)
    if origin and str(records.origin) != origin:
        problem, advice = _("the data differ from the data used for the prompts"), _("write the task files again")
        raise MedzhError(problem, file=data, expected=origin, found=str(records.origin), advice=advice)
    return records


def answer_of(doc: Mapping[str, Any], results: Sequence[str]) -> dict[str, Any]:
    """Take the first response to a document, as the harness does."""
    prompt_id, run, variant = AskedFields(doc["id"], doc.get("run"), doc.get("variant")).key
    return {"id": prompt_id, "run": run, "variant": variant, "prediction": results[0]}


def primary_name_by(config: str, *, data: str, origin: str) -> Callable[[Sequence[dict[str, Any]]], float | None]:
    """Give what turns the answers of a task into its headline; None, in its results null, where it is undefined."""

    def aggregate(answers: Sequence[dict[str, Any]]) -> float | None:
        return primary_name(config, data, origin, list(answers))

    return aggregate
