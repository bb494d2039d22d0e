"""A prompt with a name, its wording and the place where it is printed."""

from __future__ import annotations

import re
from dataclasses import dataclass

FIELD = re.compile(r"\{(\w+)\}")


@dataclass(frozen=True)
class Prompt:
    """A named prompt.

    Attributes
    ----------
    name : str
        ``paper-1``, ``paper-2`` where a paper prints it, ``medzh-zh-1`` where we wrote it.
    text : str
        The wording, with ``{field}`` where a field of the record goes.
    printed_in : str
        Where the wording stands.
    lead : str
        What leads a base model on to its answer, behind the wording.
    """

    name: str
    text: str
    printed_in: str
    lead: str = ""

    @property
    def fields(self) -> tuple[str, ...]:
        """The fields of the record that the wording names, in its order."""
        return tuple(FIELD.findall(self.text))

    def fill(self, **fields: object) -> str:
        """Put a record's fields into the wording.

        Parameters
        ----------
        **fields : object
            The record; fields that the wording does not name are passed over, and braces inside values stay.

        Returns
        -------
        str
            The prompt as it is sent.

        Examples
        --------
        >>> Prompt("p", "是否正确？{claim}", "here").fill(claim="水{H2O}是药")
        '是否正确？水{H2O}是药'
        """
        return FIELD.sub(lambda name: str(fields[name.group(1)]), self.text)
