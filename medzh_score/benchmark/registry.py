"""The configs that can be scored here: installed packages declare them as entry points, and are checked when loaded."""

from __future__ import annotations

import math
import re
import sys
from dataclasses import dataclass
from functools import cache, cached_property
from importlib.metadata import EntryPoint, entry_points
from typing import TYPE_CHECKING, Any

from medzh_score.benchmark.config import Config
from medzh_score.ui.errors import MedzhError
from medzh_score.ui.i18n import _
from medzh_score.ui.privacy import at_work, withhold_texts

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    import numpy as np
    from numpy.typing import NDArray

    from medzh_score.benchmark.metrics import Metric


CONFIGS = "medzh_score.configs"
OWN = "medzh-score"  # the distribution that this is
RECIPES = frozenset({"official", "open", "mini", "mesh", "pediabench"})  # the usual ones
PLAIN = frozenset({"official", "mini"})  # the recipes whose data bear the name of the config alone
NAME = re.compile(r"[a-z][a-z0-9_]*", re.ASCII)
DIRECTIONS = ("higher", "lower", None)
TOP = {"percent": 100.0, "fraction": 1.0}
NEAR = 1e-6  # of the top: rouge-chinese adds 1e-8 to its denominators


@dataclass(frozen=True)
class _Declaration:
    """What a package declares; the metadata that name the package are read once, and only where somebody asks."""

    point: EntryPoint

    @cached_property
    def package(self) -> str | None:
        return None if self.point.dist is None else self.point.dist.name


def declared(group: str) -> Mapping[str, EntryPoint]:
    """Find what installed packages declare, by name; they are gone through once, as long as ``sys.path`` stays."""
    return {name: found[0].point for name, found in _declared(group, (*sys.path,)).items()}


@cache
def _declared(group: str, _places: tuple[str, ...]) -> Mapping[str, tuple[_Declaration, ...]]:
    found: dict[str, tuple[_Declaration, ...]] = {}
    for point in entry_points(group=group):
        found[point.name] = (*found.get(point.name, ()), _Declaration(point))
    return found


def _packages(group: str, name: str) -> list[str]:
    """Name the packages that declare a name."""
    packages = (one.package for one in _declared(group, (*sys.path,)).get(name, ()))
    return [package for package in packages if package is not None]


def load(group: str, name: str, point: EntryPoint) -> Any:  # noqa: ANN401 - whatever is declared
    """Load what is declared under a name; refuse a name that is declared twice, and what cannot be loaded."""
    if len(_declared(group, (*sys.path,)).get(name, ())) > 1:
        found, advice = ", ".join(_packages(group, name)), _("uninstall one of them")
        raise MedzhError(
            _("the name is declared more than once"), field=name, expected=_("one package"), found=found, advice=advice
        )
    if not EntryPoint.pattern.match(point.value):
        problem, expected = _("invalid entry point"), _("MODULE:NAME, such as triage_bench.scoring:CONFIG")
        raise MedzhError(problem, file=provider(name, group), field=name, expected=expected, found=point.value)
    try:
        with at_work(private=True):  # nobody knows whether the package is
            return point.load()
    except (Exception, SystemExit) as error:  # a package may raise anything as it is imported
        package = provider(name, group)
        if package in {None, OWN}:
            raise
        said = _not_loaded(name, package, point, error)
    # Outside of the block it leads to no other error, which may quote.
    raise said


def _not_loaded(name: str, package: str | None, point: EntryPoint, raised: BaseException) -> MedzhError:
    """Say of what kind that is which a package raised as it was imported, and how to see it."""
    advice = _('run python -c "import {module}" to see the error', module=point.module)
    if isinstance(raised, MedzhError):
        said = raised.alone()
        said.file, said.advice = said.file or package, said.advice or advice
        return said
    problem, found = _("the entry point cannot be loaded"), type(raised).__name__
    return MedzhError(problem, file=package, field=f"{name} = {point.value}", found=found, advice=advice)


def provider(name: str, group: str = CONFIGS) -> str | None:
    """Name the package that declares a config; None where none does."""
    return next(iter(_packages(group, name)), None)


def is_foreign(name: str) -> bool:
    """Tell whether another package than this one declares a config."""
    return provider(name) not in {None, OWN}


def config_names() -> list[str]:
    """List the configs that can be scored, in alphabetical order."""
    return sorted(declared(CONFIGS))


def package_of(name: str) -> str:
    """Name the package whose data files are a config's: that of the module that declares it."""
    _refuse_unknown(name)
    return declared(CONFIGS)[name].module.rpartition(".")[0]


def _refuse_unknown(name: str) -> None:
    """Refuse the name of a config that no package declares."""
    if name not in declared(CONFIGS):
        base, _unused, recipe = name.rpartition("_")
        known = config_names()
        told = base in known and recipe in RECIPES
        advice = (
            _("use {base}; {name} is the name of its data, which --data selects", base=base, name=name)
            if told
            else None
        )
        raise MedzhError(_("unknown config"), field="CONFIG", expected=", ".join(known), found=name, advice=advice)


def data_name(config: str, recipe: str) -> str:
    """Give the name of a config's data for ``load_dataset``, hubs and signatures.

    The plain one is for official data, and the sample, which is never published.
    """
    return config if recipe in PLAIN else f"{config}_{recipe}"


def find_config(name: str) -> Config:
    """Load a config by its name.

    Parameters
    ----------
    name : str
        A name of the entry-point group ``medzh_score.configs``.

    Raises
    ------
    MedzhError
        If no installed package declares it, several do, or the declaration is invalid.

    Examples
    --------
    >>> find_config("sdak").unit
    'percent'
    """
    found = declared_config(name)
    if found.private:
        withhold_texts()
    return found


def declared_config(name: str) -> Config:
    """Load a config to look at what it declares, and at no records."""
    _refuse_unknown(name)
    loaded: Config = load(CONFIGS, name, declared(CONFIGS)[name])
    for fault in _faults(name, loaded):
        raise fault
    return loaded


def _faults(name: str, loaded: object) -> Iterator[MedzhError]:
    """Say what is wrong with what was declared under a name."""
    if not isinstance(loaded, Config):
        yield _unsound(name, "CONFIG", _("the object is of type {name}, not Config", name=type(loaded).__name__))
        return
    if loaded.name != name or not NAME.fullmatch(name):
        yield _unsound(
            name,
            "name",
            _(
                "the declared name is {name}, but the config has the name {loaded_name}",
                name=name,
                loaded_name=repr(loaded.name),
            ),
        )
    if loaded.unit not in TOP:
        yield _unsound(name, "unit", _("the unit must be percent or fraction, not {unit}", unit=repr(loaded.unit)))
    if not loaded.title.strip():
        yield _unsound(name, "title", _("the value is blank"))
    for attribute, named in (
        ("rules", loaded.rules),
        ("prompting.templates", loaded.prompting.templates),
        ("metrics", loaded.metrics),
        ("stages", loaded.stages),
    ):
        names = [one.name for one in named]
        if not names and attribute != "stages":
            yield _unsound(name, attribute, _("the list is empty"))
        if twice := {one for one in names if names.count(one) > 1 or not one.strip()}:
            yield _unsound(name, attribute, _("duplicate or blank name: {twice}", twice=repr(min(twice))))
    yield from _faults_of_metrics(name, loaded)


def _unsound(name: str, attribute: str, problem: str) -> MedzhError:
    return MedzhError(problem, file=provider(name), field=f"{name}: {attribute}")


def _faults_of_metrics(name: str, config: Config) -> Iterator[MedzhError]:
    known = {metric.name for metric in config.metrics}
    for attribute, named in (
        ("primary_metrics", config.reporting.primary_metrics),
        ("summary_metrics", config.reporting.summary_metrics),
        ("item_metrics", config.reporting.item_metrics),
    ):
        if lacking := sorted({*named} - known):
            yield _unsound(name, attribute, _("unknown metric: {lacking}", lacking=repr(lacking[0])))
    for metric in config.metrics:
        if metric.direction not in DIRECTIONS:
            yield _unsound(
                name,
                f"metrics: {metric.name}",
                _("unknown direction: {direction}", direction=repr(metric.direction)),
            )
        if not metric.undefined_reason.strip() or not metric.summary.strip():
            yield _unsound(
                name, f"metrics: {metric.name}", _("the summary or the reason for an unavailable value is blank")
            )


def sound_statistics(config: Config, made: NDArray[np.float64], shape: tuple[int, int]) -> NDArray[np.float64]:
    """Refuse statistics that have another shape than they must, lack a column of a metric, or are no numbers."""
    import numpy as np

    if not isinstance(made, np.ndarray) or made.ndim != 3 or made.shape[:2] != shape:  # noqa: PLR2004 - axes
        expected = f"({shape[0]}, {shape[1]}, k)"
        raise config_fault(config, "statistics", _("the array has the wrong shape"), expected, np.shape(made))
    if not np.isfinite(made).all():
        raise config_fault(
            config, "statistics", _("the array contains NaN or infinity"), found=str(made[~np.isfinite(made)][0])
        )
    for metric in config.metrics:
        for name in ("denominator", "share"):
            column = getattr(metric, name)
            if column is not None and not 0 <= column < made.shape[2]:
                field = f"metrics: {metric.name}: {name}"
                raise config_fault(
                    config, field, _("the column does not exist"), _("0 to {shape}", shape=made.shape[2] - 1), column
                )
    return made


def out_of_range(config: Config, metric: Metric, value: float | None) -> bool:
    """Tell whether a value lies outside the range of its unit."""
    top = TOP[config.unit]
    low = -top if metric.difference else 0.0
    return value is not None and not math.isnan(value) and not low - NEAR * top <= value <= top * (1 + NEAR)


def difference_names(config: str) -> frozenset[str]:
    """Name the metrics that are differences of two others, in percentage points; a config may not be installed."""
    metrics = find_config(config).metrics if config in config_names() else ()
    return frozenset(metric.name for metric in metrics if metric.difference)


def config_fault(
    config: Config, function: str, problem: str, expected: str | None = None, found: object = None
) -> MedzhError:
    """Say what is wrong with a config: its package, its name and the function."""
    file, field = provider(config.name), f"{config.name}: {function}"
    return MedzhError(problem, file=file, field=field, expected=expected, found=found)
