"""What CARE-MI's rebuilt recipe goes by: the paper's way, or that of a TOML file of the user's."""

from __future__ import annotations

import tomllib
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any

from dataset_scripts.recipes.care_mi_records import SOURCES
from medzh_score.errors import MedzhError

if TYPE_CHECKING:
    from pathlib import Path

QUESTION, OPTIONS = "question", "question-or-options"
# Filters of the released code that the paper does not mention, each with what it leaves out.
FILTERS = {
    "four-options": "questions that do not have four options",
    "blank": "questions of MEDQA without the blank （    ）",
    "length": "stem and answer of at most 10 or more than 30 characters, a stem of at most 5, an answer of more than 10",
    "meta-words": "stems that deny or that speak of the options, such as 下列, 错误, 不宜 and 除了",
    "meta-options": "questions with an option that speaks of the others, such as 以上都是",
    "vague": "stems with 常, 可能, 主要, 容易, 恰当, 合适 or 合理 and without 最 before it",
}


@dataclass(frozen=True)
class Settings:
    """Choices of the recipe.

    Attributes
    ----------
    sources : tuple of str
        Which sources of the record schema are used, of those whose files are there.
    search : {"question-or-options", "question"}
        Where a word of the topic must stand; the paper says in the question or its options, the released code looks
        into the question alone.
    filters : tuple of str
        Names of `FILTERS` that leave questions out. The paper mentions none of them, so by default none does.
    rules_only : bool
        Leave out what a rule cannot do, in place of asking a model.
    """

    sources: tuple[str, ...] = SOURCES
    search: str = OPTIONS
    filters: tuple[str, ...] = ()
    rules_only: bool = False


LISTS = {"sources": SOURCES, "filters": tuple(FILTERS)}


def read_settings(path: Path) -> Settings:
    """Read a settings file.

    Parameters
    ----------
    path : Path
        UTF-8 TOML; keys are those of `Settings`, and what is left out keeps the default.

    Raises
    ------
    MedzhError
        If it cannot be read or is no TOML, or a key or a value is unknown.
    """
    try:
        written = tomllib.loads(path.read_bytes().decode("utf-8-sig"))
    except OSError as error:
        raise MedzhError(f"cannot be read: {error.strerror}", file=path, advice="name a settings file") from error
    except (ValueError, RecursionError) as error:
        raise MedzhError(f"is no settings file in TOML and UTF-8: {error}", file=path) from error
    return Settings(**{name: _value(name, value, path) for name, value in written.items()})


def _value(name: str, value: Any, path: Path) -> Any:  # noqa: ANN401 - whatever the file holds
    if name in LISTS:
        known = LISTS[name]
        if not isinstance(value, list) or not all(one in known for one in value) or (name == "sources" and not value):
            expected = "a list of " + ", ".join(known)
            raise MedzhError("is no such list", file=path, field=name, expected=expected, found=value)
        return tuple(one for one in known if one in value)
    expected = {"search": f"{OPTIONS} or {QUESTION}", "rules_only": "true or false"}.get(name)
    if expected is None:
        known = tuple(asdict(Settings()))
        raise MedzhError("is no setting", file=path, field=name, expected=", ".join(known))
    if (value not in {QUESTION, OPTIONS}) if name == "search" else not isinstance(value, bool):
        raise MedzhError("is no such value", file=path, field=name, expected=expected, found=value)
    return value


def changed(settings: Settings) -> tuple[str, ...]:
    """Note which settings are not the recipe's own.

    Parameters
    ----------
    settings : Settings
        Those of a build.

    Examples
    --------
    >>> changed(Settings(filters=("blank", "vague")))
    ('settings of the user: filters blank, vague in place of none',)
    """
    default = asdict(Settings())
    found = [
        f"{name} {_shown(value)} in place of {_shown(default[name])}"
        for name, value in asdict(settings).items()
        if value != default[name]
    ]
    return (f"settings of the user: {'; '.join(found)}",) if found else ()


def _shown(value: object) -> str:
    if isinstance(value, tuple):
        return ", ".join(map(str, value)) or "none"
    return str(value).lower() if isinstance(value, bool) else str(value)
