"""Which extra of medzh brings a library that lacks: the only place that knows, beside ``pyproject.toml``."""

from __future__ import annotations

# Where several extras bring a library, the first is named; a page names its own.
MODULES_OF = {
    "build": ("datasets", "editables", "hatchling", "httpx", "jinja2", "jsonschema_rs", "openpyxl", "stamina", "yaml"),
    "ask": ("openai",),
    "hub": ("huggingface_hub",),
    "inspect": ("inspect_ai",),
    "cluster": ("distributed",),
    "html": ("jinja2",),
    "plot": ("matplotlib",),
}


def extra_for(error: ImportError) -> str | None:
    """Name the extra that brings the library which was not found; None where no extra would help.

    Examples
    --------
    >>> extra_for(ModuleNotFoundError(name="yaml.reader")), extra_for(ModuleNotFoundError(name="no_such"))
    ('build', None)
    """
    if not isinstance(error, ModuleNotFoundError):
        return None
    library = (error.name or "").partition(".")[0]
    return next((extra for extra, modules in MODULES_OF.items() if library in modules), None)


def how_to_add(extra: str) -> str:
    """Say how an extra is installed; medzh is installed from its source, or from a file of its own."""
    return f"install medzh with its extra {extra}: pip install '.[{extra}]' in the folder of its source"
