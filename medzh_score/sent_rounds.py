"""What was sent in a later round, read back from its prompts file: it enters the signature beside the first prompt."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import msgspec

from medzh_score.config import pick
from medzh_score.errors import MedzhError
from medzh_score.readers.lines import decoded, numbered_lines
from medzh_score.rounds.codes import JUDGED_ID
from medzh_score.rounds.declared import AUDIT, SECOND
from medzh_score.sent_lines import sent_lines
from medzh_score.sent_prompts import UNSTATED, written_decoding

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence
    from pathlib import Path

    from medzh_score.asking_rounds import After
    from medzh_score.config import Config, Layout, Record
    from medzh_score.prompts.template import Prompt
    from medzh_score.round import Respondent, Round
    from medzh_score.sent_lines import SentLine

    Members = Mapping[str, Sequence[Record]]
    Numbered = tuple[Path, int, SentLine]

LATER = "\0"  # where something of a first answer was shown, which the records do not tell


def files_by_round(
    paths: Iterable[Path], config: Config, records: Sequence[Record], layout: Layout, *, second: bool = False
) -> tuple[list[Path], dict[str, list[Path]]]:
    """Tell the prompts files of later rounds from those of the first.

    Parameters
    ----------
    paths : iterable of Path
        What ``medzh-score prompts`` wrote. Lines of later rounds name their round, but for those of a batch file: such
        a file is of the round of which one prompt asks what its first line does.
    config : Config
        Whose rounds they are.
    records : sequence of dict
        What was asked about.
    layout : Layout
        Their items.
    second : bool
        Whether there is a second reader: of theirs is a file without prompts, where nothing was due.

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
        line = decoded(decoder, raw, path, number) if number else {"round": SECOND} if second else {}
        name = _of_batch(path, config, line, _members(records, layout)) if "custom_id" in line else line.get("round")
        (first if name is None else later.setdefault(str(name), [])).append(path)
    return first, later


def _of_batch(path: Path, config: Config, first: Mapping[str, Any], members: Members) -> str | None:
    if config.reads is not None and JUDGED_ID.fullmatch(str(first["custom_id"])):
        # Only a second reading's prompt is signed; a code says whether it is one.
        return SECOND if config.reads.second else AUDIT
    for one in config.rounds:
        if one.model is not None:
            _, line = next(sent_lines(path, one.model.decoding))
            if line.id in members and _fitting(line, list(one.model.prompts), one, members[line.id]):
                return one.name
    return None


def sent_rounds(
    files: Mapping[str, Sequence[Path]], config: Config, records: Sequence[Record], layout: Layout, after: After
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
    after : After
        The first answers, which prompts show something of.

    Returns
    -------
    dict of str to str
        By round, as the signature writes it. A round that the same model answers and of which no file came is
        ``unstated``.

    Raises
    ------
    MedzhError
        If there is no such round, lines differ in what they name, or one is not what its prompt asks about its id: of
        a round about answers, not what it asks about that answer. Where no answer came, that is not compared.
    """
    found = {later.name: UNSTATED for later in config.rounds if later.of_same_model}
    for name, paths in files.items():
        later = pick("round", config.rounds, name)
        if later.model is None:
            raise MedzhError(f"round {later.name} is a person's", file=paths[0], advice="it has no prompts")
        lines = [(path, *numbered) for path in paths for numbered in sent_lines(path, later.model.decoding)]
        if not lines:
            raise MedzhError("holds no prompts", file=paths[0])
        members = _members(records, layout)
        prompt = _prompt_of(lines, later, later.model, members)
        if later.about == "answers":
            _check_answers(lines, later, prompt, members, after)
        found[name] = f"{prompt.name} {written_decoding(lines[0][-1].decoding)}"
    return found


def _members(records: Sequence[Record], layout: Layout) -> Members:
    return {item: [records[one] for one in ones] for item, ones in zip(layout.items, layout.members, strict=True)}


def _prompt_of(lines: Sequence[Numbered], later: Round, respondent: Respondent, members: Members) -> Prompt:
    """Give the one prompt of all lines: what they name or, as a batch file names nothing, the first that fits all."""
    _, _, first = lines[0]
    named = first.named.get("prompt")
    fitting = list(respondent.prompts) if named is None else [pick("prompt", respondent.prompts, str(named))]
    for path, number, line in lines:
        if (line.named, line.decoding) != (first.named, first.decoding):
            raise MedzhError("differs from the lines before it in prompt or decoding", file=path, line=number)
        if line.id not in members:
            raise MedzhError("no item has this id", file=path, line=number, field="id", found=line.id)
        left = _fitting(line, fitting, later, members[line.id])
        if not left:
            problem = "is not what the prompt of this name asks about this id"
            raise MedzhError(problem, file=path, line=number, expected=", ".join(one.name for one in fitting))
        fitting = left
    return fitting[0]


def _fitting(line: SentLine, prompts: Sequence[Prompt], later: Round, members: Sequence[Record]) -> list[Prompt]:
    """Keep those prompts of which a line is one about these records, whatever it shows of the first answers."""
    shown = later.context(members, ())
    return [prompt for prompt in prompts if _is_filled(_text_of(line, later, prompt), prompt, shown)]


def _text_of(line: SentLine, later: Round, prompt: Prompt) -> str:
    """Give what was sent, without what leads a base model on."""
    if line.turns is not None:
        return "".join(line.turns)
    return (line.text or "").removesuffix(later.model.leads.get(prompt.name, "") if later.model else "")


def _is_filled(text: str, prompt: Prompt, shown: Mapping[str, str]) -> bool:
    head, *rest = prompt.fill(**{**dict.fromkeys(prompt.fields, LATER), **shown}).split(LATER)
    if not rest:
        return text == head
    return len(text) >= len(head) + len(rest[-1]) and text.startswith(head) and text.endswith(rest[-1])


def _check_answers(lines: Sequence[Numbered], later: Round, prompt: Prompt, members: Members, after: After) -> None:
    """Refuse prompts about other first answers than those at hand: what came back to them says nothing of these."""
    wanted = {(record["id"], line.run) for _, _, line in lines for record in members[line.id]}
    texts = after.files.texts(wanted)
    for path, number, line in lines:
        about = [texts.get((record["id"], line.run)) for record in members[line.id]]
        said = [text for text in about if text is not None]
        if len(said) < len(about):
            continue
        if _text_of(line, later, prompt) != prompt.fill(**later.context(members[line.id], said)):
            raise MedzhError(
                "asks about another answer than the one that was given",
                file=path,
                line=number,
                expected=f"what round {later.name} asks after {', '.join(one.name for one in after.files.paths)}",
                found=f"{line.id} run {line.run}" if line.run else line.id,
                advice="give the answers that it was written after, or ask anew with --after",
            )
