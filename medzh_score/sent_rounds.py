"""What was sent in a later round, read back from its prompts file: it enters the signature beside the first prompt."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import msgspec

from medzh_score.config import pick
from medzh_score.errors import MedzhError
from medzh_score.readers.lines import decoded, numbered_lines
from medzh_score.sent_lines import sent_lines
from medzh_score.sent_prompts import UNSTATED, written_decoding

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence
    from pathlib import Path

    from medzh_score.config import Config, Layout, Record
    from medzh_score.prompts.template import Prompt
    from medzh_score.round import Round
    from medzh_score.sent_lines import SentLine

LATER = "\0"  # where something of a first answer was shown, which the records do not tell


def files_by_round(paths: Iterable[Path]) -> tuple[list[Path], dict[str, list[Path]]]:
    """Tell the prompts files of later rounds, whose lines name their round, from those of the first.

    Parameters
    ----------
    paths : iterable of Path
        What ``medzh-score prompts`` wrote.

    Returns
    -------
    tuple of (list of Path, dict of str to list of Path)
        Those of the first round, and by name those of later ones.
    """
    first: list[Path] = []
    later: dict[str, list[Path]] = {}
    decoder = msgspec.json.Decoder(dict[str, Any])
    for path in paths:
        number, raw = next(numbered_lines(path), (0, b"{}"))
        name = decoded(decoder, raw, path, number).get("round") if number else None
        (first if name is None else later.setdefault(str(name), [])).append(path)
    return first, later


def sent_rounds(
    files: Mapping[str, Sequence[Path]], config: Config, records: Sequence[Record], layout: Layout
) -> dict[str, str]:
    """Read with which prompt and settings later rounds were asked, and check that the lines are such prompts.

    Parameters
    ----------
    files : mapping of str to sequence of Path
        By round.
    config : Config
        Whose rounds they are.
    records : sequence of dict
        What was asked about.
    layout : Layout
        Their items.

    Returns
    -------
    dict of str to str
        By round, as the signature writes it. A round that the same model answers and of which no file came is
        ``unstated``.

    Raises
    ------
    MedzhError
        If there is no such round, lines differ in what they name, or one is not what its prompt asks about its id. What
        a prompt shows of first answers is not compared.
    """
    members = {item: [records[one] for one in ones] for item, ones in zip(layout.items, layout.members, strict=True)}
    found = {later.name: UNSTATED for later in config.rounds if later.of_same_model}
    for name, paths in files.items():
        found[name] = _sent(pick("round", config.rounds, name), paths, members)
    return found


def _sent(later: Round, paths: Sequence[Path], members: Mapping[str, Sequence[Record]]) -> str:
    if later.model is None:
        raise MedzhError(f"round {later.name} is a person's", file=paths[0], advice="it has no prompts")
    first: SentLine | None = None
    for path in paths:
        for number, line in sent_lines(path, later.model.decoding):
            first = first or line
            if (line.named, line.decoding) != (first.named, first.decoding):
                raise MedzhError("differs from the lines before it in prompt or decoding", file=path, line=number)
            if line.id not in members:
                raise MedzhError("no item has this id", file=path, line=number, field="id", found=line.id)
            prompt = pick("prompt", later.model.prompts, str(line.named.get("prompt")))
            shown = later.context(members[line.id], ())
            if not _is_filled(line, prompt, shown, later.model.leads.get(prompt.name, "")):
                raise MedzhError(
                    "is not what the prompt of this name asks about this id",
                    file=path,
                    line=number,
                    expected=prompt.name,
                )
    if first is None:
        raise MedzhError("holds no prompts", file=paths[0])
    return f"{first.named['prompt']} {written_decoding(first.decoding)}"


def _is_filled(line: SentLine, prompt: Prompt, shown: Mapping[str, str], lead: str) -> bool:
    """Say whether a line is a prompt about these records, whatever it shows of the first answers."""
    text = line.text.removesuffix(lead) if line.turns is None and line.text else "".join(line.turns or ())
    head, *rest = prompt.fill(**{**dict.fromkeys(prompt.fields, LATER), **shown}).split(LATER)
    if not rest:
        return text == head
    return len(text) >= len(head) + len(rest[-1]) and text.startswith(head) and text.endswith(rest[-1])
