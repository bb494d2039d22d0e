"""Predictions files of this package and of other tools."""

# As ``--from`` takes them; here for the command to start without the readers.
FORMATS = ("batch", "lm-eval", "inspect", "evalscope", "opencompass", "lighteval", "native", "table")
FORMATS_LISTED = ", ".join(FORMATS)
