"""The sentences of the warnings in the JSON of a report."""

from medzh_score.results.warnings import ReportWarning


def sentences(report):
    """Write each warning as people read it."""
    return [ReportWarning(**warning).message for warning in report["warnings"]]
