"""Which extra of medzh brings a library that lacks: the only place that knows, beside ``pyproject.toml``."""

from __future__ import annotations

EXTRA_OF = {
    "datasets": "build",
    "distributed": "cluster",
    "httpx": "build",
    "huggingface_hub": "hub",
    "inspect_ai": "inspect",
    "jinja2": "build",
    "jsonschema_rs": "build",
    "matplotlib": "plot",
    "openai": "ask",
    "openpyxl": "build",
    "stamina": "build",
    "yaml": "build",
}


def extra_for(error: ImportError) -> str | None:
    """Name the extra that brings the library which was not found; None where no extra would help.

    Examples
    --------
    >>> extra_for(ModuleNotFoundError(name="yaml.reader")), extra_for(ModuleNotFoundError(name="no_such"))
    ('build', None)
    """
    return EXTRA_OF.get((error.name or "").partition(".")[0]) if isinstance(error, ModuleNotFoundError) else None


def how_to_add(extra: str) -> str:
    """Say how an extra is installed; medzh is installed from its source, or from a file of its own."""
    return f"install medzh with its extra {extra}: pip install '.[{extra}]' in the folder of its source"
