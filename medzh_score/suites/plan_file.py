"""``plan.toml`` as it is written: to be read, and edited until something was sent."""

from __future__ import annotations

from typing import TYPE_CHECKING

import msgspec

from medzh_score.suites.plan import VERSION

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from medzh_score.suites.plan import Asked, Judge, Model, Plan

HEAD = """\
# What this suite asks / 本评测任务的计划. It may be edited until something was sent.
# 发送之前可以修改；修改后运行 medzh-score suite prompts 重新生成提示。
"""
MODELS = """\
# A model / 模型: `label` names its folder, `served` all names that servers and files give it; `form` is chat or text.
# `decoding` overrides the settings of the paper; `extra_body` goes with every request. A model that reasons before it
# answers needs room / 推理模型需要更长的输出: decoding = { max_new_tokens = 16384 }
# Settings that a server refuses are left out / 服务器不接受的设置不发送: unsent = ["top_k"]
"""
CONFIGS = """\
# A config / 配置: which prompt, how many runs (采样次数), which variants (变体).
"""
JUDGES = """\
# Who answers a later round / 后续环节由谁作答: `round` is <config>/<round>; several judges of a round stand one by one.
# [[judges]]
# round = "care_mi/correctness"
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


def _table(name: str, table: Model | Asked | Judge) -> str:
    lines = [f"{key} = {_value(value)}" for key, value in _stated(table)]
    return "\n".join([f"[[{name}]]", *lines]) + "\n"


def _stated(table: Model | Asked | Judge) -> Iterator[tuple[str, object]]:
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
