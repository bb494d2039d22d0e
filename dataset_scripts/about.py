"""What a card says of a config that neither its records nor its scoring nor its paper tell."""

from __future__ import annotations

from dataclasses import dataclass

from dataset_scripts.card_values import HOW_HAD, TASK_IDS, TASKS
from medzh_score.errors import MedzhError


@dataclass(frozen=True)
class About:
    """Small texts and words for the card.

    Attributes
    ----------
    had : str
        How the benchmark's own data can be had: ``released``, ``on request`` or ``not released``.
    chinese : str
        What the config is, in one or two Chinese sentences.
    tasks, task_ids : tuple of str
        The hub's words for what is asked.

    Raises
    ------
    MedzhError
        If a word is on none of the closed lists.

    Examples
    --------
    >>> About(had="soon")
    Traceback (most recent call last):
    medzh_score.errors.MedzhError: ...
    """

    had: str = "not released"
    chinese: str = ""
    tasks: tuple[str, ...] = ("question-answering",)
    task_ids: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        """Refuse words that are on no list: a card would be wrong without anybody noticing."""
        for name, words, known in (
            ("had", (self.had,), HOW_HAD),
            ("tasks", self.tasks, TASKS),
            ("task_ids", self.task_ids, TASK_IDS),
        ):
            for word in words:
                if word not in known:
                    expected = ", ".join(sorted(known))
                    raise MedzhError("is none of the words of a card", field=name, expected=expected, found=word)
