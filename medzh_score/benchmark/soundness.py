"""What the numbers of a config must be whenever they are computed: of the right shape, finite, and in their range."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from medzh_score.benchmark.registry import provider
from medzh_score.messages.errors import MedzhError

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from medzh_score.benchmark.config import Config
    from medzh_score.benchmark.metrics import Metric

TOP = {"percent": 100.0, "fraction": 1.0}
NEAR = 1e-6  # of the top: rouge-chinese adds 1e-8 to its denominators


def sound_statistics(config: Config, made: NDArray[np.float64], shape: tuple[int, int]) -> NDArray[np.float64]:
    """Refuse statistics that have another shape than they must, lack a column of a metric, or are no numbers."""
    if not isinstance(made, np.ndarray) or made.ndim != 3 or made.shape[:2] != shape:  # noqa: PLR2004 - axes
        expected = f"({shape[0]}, {shape[1]}, k)"
        raise config_fault(config, "statistics", "give an array of another shape", expected, np.shape(made))
    if not np.isfinite(made).all():
        raise config_fault(config, "statistics", "give what is no number", found=str(made[~np.isfinite(made)][0]))
    for metric in config.metrics:
        for name in ("denominator", "share"):
            column = getattr(metric, name)
            if column is not None and not 0 <= column < made.shape[2]:
                field = f"metrics: {metric.name}: {name}"
                raise config_fault(config, field, "names no column", f"0 to {made.shape[2] - 1}", column)
    return made


def out_of_range(config: Config, metric: Metric, value: float | None) -> bool:
    """Tell whether a value lies outside the range of its unit."""
    top = TOP[config.unit]
    low = -top if metric.difference else 0.0
    return value is not None and not np.isnan(value) and not low - NEAR * top <= value <= top * (1 + NEAR)


def config_fault(
    config: Config, function: str, problem: str, expected: str | None = None, found: object = None
) -> MedzhError:
    """Say what is wrong with a config: its package, its name and the function."""
    return MedzhError(
        problem, file=provider(config.name), field=f"{config.name}: {function}", expected=expected, found=found
    )
