"""The files of a task for each tool: prompts as the tool reads them, and what tells it to ask them."""

from __future__ import annotations

import json
from dataclasses import dataclass
from string import Template
from typing import TYPE_CHECKING, Any

from medzh_score.files.package_files import package_file
from medzh_score.prompts.writing import encoded

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping

PROMPTS = "prompts.jsonl"
LM_EVAL = {"max_new_tokens": "max_gen_toks"}  # what lm-evaluation-harness calls our settings


@dataclass(frozen=True)
class Asked:
    """What a task asks: of a config, whose records are at ``data``, with the paper's settings; lines of each form."""

    config: str
    headline: str
    higher: bool
    data: str
    origin: str
    decoding: Mapping[str, Any]
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
    """Fill in what a task's own file says, as literals of Python or, of YAML, as JSON."""
    text = package_file("medzh_score", f"report/harness/templates/{template}.txt").read_text(encoding="utf-8")
    filled = Template(text).substitute(
        config=asked.config,
        headline=asked.headline,
        higher=json.dumps(asked.higher),
        data=repr(asked.data),
        origin=repr(asked.origin),
        lm_eval=json.dumps(_of_harness(asked.decoding)),
    )
    return {name: filled.encode("utf-8")}


def _of_harness(decoding: Mapping[str, Any]) -> dict[str, Any]:
    """Give decoding as lm-evaluation-harness takes it; where nothing is said it stops at the first empty line.

    Examples
    --------
    >>> _of_harness({"temperature": 0.3, "max_new_tokens": 9})
    {'until': [], 'do_sample': True, 'temperature': 0.3, 'max_gen_toks': 9}
    """
    named = {LM_EVAL.get(name, name): value for name, value in decoding.items()}
    return {"until": [], "do_sample": bool(named.get("temperature")), **named}
