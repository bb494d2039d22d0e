"""The names of the readers, as ``--from`` takes them: apart, for the command to start without the readers."""

from __future__ import annotations

# In the order in which they are asked whether a file is theirs.
NAMES = ("batch", "lm-eval", "inspect", "evalscope", "opencompass", "lighteval", "native", "sheet")
NAMED = ", ".join(NAMES)
