"""A descriptor of MeSH, in whichever of its files it stands."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Descriptor:
    """A heading of MeSH."""

    identifier: str  # such as D016878; empty where the file has none
    name: str  # in English
    numbers: tuple[str, ...]  # its places in the tree, sorted, such as C10.668; none where it stands nowhere
    terms: tuple[str, ...] = ()  # entry terms of all of its concepts but the name, in order
    scope_note: str = ""  # of its preferred concept; empty where the file has none
