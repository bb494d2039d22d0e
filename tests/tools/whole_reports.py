"""Reports as JSON of which a test says only what it is about."""

from __future__ import annotations

VALUE = {"value": None, "low": None, "high": None, "interval": None, "std": None, "ddof": 1, "per_run": []}
REST = {"n": 0, "n_per_run": [], "unit": "percent", "direction": "higher"}
COUNTS = "expected read missing empty unparsed unambiguous fallback truncated refused too_long"
COVERAGE = tuple(COUNTS.split())


def whole(said):
    """Complete a report."""
    metrics = _values(said.get("metrics") or {"accuracy": {}})
    return {
        "schema": 1,
        "private": False,
        "rule": "medzh-1",
        "primary_metric": {"name": next(iter(metrics))},
        "summary_metrics": [],
        "tables": {},
        "pattern_counts": {"answered": {}, "unparsed": {}},
        "response_formats": {},
        "rules": {},
        "coverage": dict.fromkeys(COVERAGE, 0),
        **dict.fromkeys(("fallback", "audit", "model", "served_as")),
        "inputs": [],
        "arguments": {},
        "warnings": [],
        **said,
        "metrics": metrics,
        "groups": {
            breakdown: {group: _values(named) for group, named in groups.items()}
            for breakdown, groups in said.get("groups", {}).items()
        },
    }


def _values(named):
    return {name: {**VALUE, **REST, **value} for name, value in named.items()}
