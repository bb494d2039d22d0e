"""PeMeBench's `rebuilt` recipe: guidelines to questions and answers, as in the paper's section 2.1."""

from __future__ import annotations

from typing import TYPE_CHECKING

from dataset_scripts.recipe import Built
from dataset_scripts.recipes.pemebench import seeds, settings
from dataset_scripts.recipes.pemebench.account import notes, tables
from dataset_scripts.recipes.pemebench.blocks import REASONS, UNDERSTOOD, cut_blocks
from dataset_scripts.recipes.pemebench.generation import EXAMPLES, TEMPLATES
from dataset_scripts.recipes.pemebench.guidelines import read_guidelines
from dataset_scripts.recipes.pemebench.pairs import KEPT, make_pairs
from dataset_scripts.recipes.pemebench.records import record_of
from dataset_scripts.recipes.pemebench.review import review
from dataset_scripts.recipes.pemebench.wording import kind_of, task_of_wording
from dataset_scripts.recipes.published_tables import signed
from medzh_score.messages.errors import MedzhError

if TYPE_CHECKING:
    from collections.abc import Mapping

    from dataset_scripts.recipe import Record, SourceFile
    from dataset_scripts.recipes.pemebench.sifting import Pair
    from dataset_scripts.rounds.rounds import Rounds

RECIPE = "rebuilt"
GUIDELINES = "guidelines"
PARAMETERS: dict[str, int | str] = {
    "characters of a text block": f"{settings.settings().shortest} to {settings.settings().longest}",
    "examples of a few-shot prompt": EXAMPLES,
    "share of an answer that stands in its text": (
        f"kept from {settings.settings().keep:g}, dropped below {settings.settings().drop:g}"
    ),
    "sections, words and thresholds": signed(settings.TABLE),
    "seed questions": signed(seeds.TABLE),
}


def rebuild(files: Mapping[str, SourceFile], seed: int, rounds: Rounds) -> Built:
    """Rebuild PeMeBench from a folder of guidelines (paper, section 2.1).

    Text blocks become prompts: zero-shot for pairs of question and answer, few-shot with three seed questions for
    questions of the kinds that the paper assigns to the section, which then go out again with their text. The pairs
    are held against the paper's three rules; what these leave open goes to a person.
    """
    folder = files[GUIDELINES].path
    books, passed_over = read_guidelines(folder)
    cut = cut_blocks(books)
    if not cut.blocks:
        found = "; ".join(f"{len(cut.places(reason)):,} {REASONS[reason]}" for reason in cut.dropped) or "no text"
        first = f", first in {cut.drops[0].place}" if cut.drops else ""
        raise MedzhError("no text block can be used", file=folder, expected=UNDERSTOOD, found=f"{found}{first}")
    judged = review(make_pairs(cut.blocks, seed, rounds), rounds)
    records = [_record(one.pair) for one in judged if one.fate == KEPT]
    if not records:
        raise MedzhError(
            "no pair of question and answer can be used",
            file=folder,
            expected="pairs that the three rules leave",
            found=f"{len(judged):,} pairs, all of them dropped",
        )
    return Built({"test": records}, notes=notes(cut, passed_over, judged), tables=tables(cut, judged))


def _record(pair: Pair) -> Record:
    block = pair.block
    return record_of(
        question=pair.question,
        answer=pair.answer,
        department=block.department,
        task=task_of_wording(pair.question, pair.answer) or block.section.task,
        kind=pair.way if pair.way in TEMPLATES else kind_of(pair.question),
        entities=None,
        source=GUIDELINES,
        recipe=RECIPE,
        upstream_key="/".join([block.file, *block.path, block.id]),
    )
