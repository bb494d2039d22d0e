"""Prompts as lines for the tools that send them, and as sheets for people."""

from __future__ import annotations

from contextlib import ExitStack
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Any

import msgspec

from medzh_score.benchmark.columns import pick
from medzh_score.benchmark.prompts import PromptSettings
from medzh_score.benchmark.variants import ONE, chosen_of_each
from medzh_score.data.records import load_records
from medzh_score.io.atomic import open_for_texts
from medzh_score.io.jsonl import visible
from medzh_score.prompting.ids import joined_id
from medzh_score.text.tokens import TOKENS
from medzh_score.ui.errors import MedzhError
from medzh_score.ui.i18n import _, plain_text

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

    from medzh_score.benchmark.config import Config
    from medzh_score.benchmark.items import Record
    from medzh_score.benchmark.prompts import FilledPrompt, PromptBuilder, PromptTemplate
    from medzh_score.benchmark.variants import Variants
    from medzh_score.io.sheets import Sheet


Chosen = dict[str, tuple[int, ...]]

FORMS = ("chat", "text", "openai-batch", "csv", "xlsx")
ROLES = ("user", "assistant")  # in turn; the user begins and ends
SYSTEM = "system"  # the role of what a user set before the conversation
EXTRA = "extra_body"  # of a prompt line: what goes with its request as it is, such as the switches of a chat template
BATCH_LINES = 50_000  # of one batch file, by the interface's own limit
URL = "/v1/chat/completions"
# What the batch interface calls our settings; the others keep their names, which vLLM reads as they are.
BATCH_NAMES = {"max_new_tokens": "max_tokens"}
OUR_NAMES = {theirs: ours for ours, theirs in BATCH_NAMES.items()}
GREEDY = ("do_sample", False)  # which the batch interface knows as a temperature of 0


def every_id(asker: PromptBuilder) -> Chosen:
    """Choose all that is prompted, as it stands: the identity alone of its variants."""
    return dict.fromkeys(asker.variants, (0,))


def prompt_lines(  # noqa: PLR0913 - what is asked, how it was made, and how it is written
    asker: PromptBuilder,
    asking: PromptSettings,
    generation: Mapping[str, float],
    *,
    chosen: Mapping[str, Sequence[int]] | None = None,
    form: str = "chat",
    runs: int = 1,
) -> Iterator[dict[str, Any]]:
    """Yield the lines of a prompts file.

    Parameters
    ----------
    asker : PromptBuilder
        The prompts of a config.
    asking : PromptSettings
        The settings of the prompts, which the lines contain.
    generation : mapping
        The generation settings of the paper, for each line.
    chosen : mapping of str to sequence of int, optional
        The option orders of each id to query; by default, all ids in option order 0.
    form : {"chat", "text"}
        ``messages`` for chat models, ``text`` for plain completion by base models.
    runs : int
        The number of runs; lines contain their run if there are several.

    Yields
    ------
    dict
        By run, then id, then option order: ``id``, ``run`` if there are several, ``variant`` if it is not 0,
        ``messages`` or ``text``, ``prompt``, ``shots``, ``shot_selection`` and ``tokens`` with examples, and
        ``generation``.

    Examples
    --------
    >>> from medzh_score.benchmark.prompts import PromptSettings, one_a_record
    >>> from medzh_score.configs.sdak.config import PAPER_2
    >>> asking = PromptSettings(PAPER_2)
    >>> asker = one_a_record([{"id": "a", "claim": "麻疹具有传染性"}], asking)
    >>> line = next(prompt_lines(asker, asking, {"temperature": 0.3}))
    >>> line["id"], line["prompt"], line["shots"]
    ('a', 'paper-2', 0)
    """
    how = {"prompt": asking.prompt.name, "shots": asking.shots}
    if asking.shot_selection:
        how |= {"shot_selection": asking.shot_selection, "tokens": str(pick("--shot-tokenizer", TOKENS, asking.tokens))}
    for identifier, run, variant in numbered(every_id(asker) if chosen is None else chosen, runs):
        question = asker.ask(identifier, variant)
        yield {
            "id": identifier,
            **({"run": run} if runs > 1 else {}),
            **({"variant": variant} if variant else {}),
            **({"messages": messages(question)} if form == "chat" else {"text": question.text}),
            **how,
            "generation": dict(generation),
        }


def messages(question: FilledPrompt) -> list[dict[str, str]]:
    """Write the turns of a conversation as chat messages."""
    return [{"role": ROLES[place % 2], "content": turn} for place, turn in enumerate(question.turns)]


def numbered(chosen: Mapping[str, Sequence[int]], runs: int) -> Iterator[tuple[str, int, int]]:
    """List all that is asked: id, run and variant, in the order in which it is written."""
    return ((name, run, variant) for run in range(runs) for name, variants in chosen.items() for variant in variants)


def batch_lines(  # noqa: PLR0913 - the same, and the model
    asker: PromptBuilder,
    asking: PromptSettings,
    generation: Mapping[str, float],
    *,
    model: str,
    chosen: Mapping[str, Sequence[int]] | None = None,
    runs: int = 1,
) -> Iterator[dict[str, Any]]:
    """Yield the lines of an OpenAI batch file, which ``run-batch`` of vLLM also reads.

    Parameters
    ----------
    asker : PromptBuilder
        The prompts of a config.
    asking : PromptSettings
        The settings of the prompts.
    generation : mapping
        The generation settings of the paper, for the body of each request.
    model : str
        The served model name.
    chosen : mapping of str to sequence of int, optional
        The option orders of each id to query; by default, all ids in option order 0.
    runs : int
        The number of runs.

    Returns
    -------
    iterator of dict
        ``custom_id``, ``method``, ``url`` and ``body``.
    """
    return as_requests(prompt_lines(asker, asking, generation, chosen=chosen, runs=runs), generation, model)


def as_requests(
    lines: Iterable[Mapping[str, Any]], generation: Mapping[str, float], model: str
) -> Iterator[dict[str, Any]]:
    """Turn chat lines into the requests of a batch file."""
    settings = batch_settings(generation)
    for line in lines:
        yield {
            "custom_id": joined_id(line["id"], line.get("run", 0), line.get("variant", 0)),
            "method": "POST",
            "url": URL,
            "body": {"model": model, "messages": line["messages"], **settings},
        }


def batch_settings(generation: Mapping[str, float]) -> dict[str, float]:
    """Give decoding settings the names of the batch interface."""
    return dict(
        ("temperature", 0) if (name, value) == GREEDY else (BATCH_NAMES.get(name, name), value)
        for name, value in generation.items()
    )


def our_settings(settings: Mapping[str, Any], generation: Mapping[str, float]) -> dict[str, Any]:
    """Give settings of the batch interface our names again."""
    greedy = GREEDY in generation.items()
    return dict(
        GREEDY if greedy and name == "temperature" and value == 0 else (OUR_NAMES.get(name, name), value)
        for name, value in settings.items()
    )


def prompt_sheet(asker: PromptBuilder, *, chosen: Mapping[str, Sequence[int]] | None = None, runs: int = 1) -> Sheet:
    """Make a sheet in which a person answers the prompts, read back like any predictions file."""
    from medzh_score.io.sheets import GUIDE, Sheet, headed

    asked = every_id(asker) if chosen is None else chosen
    several = any(variant for variants in asked.values() for variant in variants)
    rows = tuple(
        {"id": identifier, "run": run, "variant": variant, "prompt": asker.ask(identifier, variant).turns[-1]}
        for identifier, run, variant in numbered(asked, runs)
    )
    columns = ("id", "run", *(("variant",) if several else ()), "prompt", "prediction", "annotator")
    guide = (
        _("Write your answer to each prompt in the column {column}.", column=headed("prediction")),
        *GUIDE,
    )
    return Sheet(columns, rows, guide)


def parts_of(path: Path, count: int) -> list[Path]:
    """Name the files over which batch lines are split: the path itself, or numbered ones."""
    files = max(1, -(-count // BATCH_LINES))
    if files == 1:
        return [path]
    return [path.with_name(f"{path.stem}-{number}-of-{files}{path.suffix}") for number in range(1, files + 1)]


def batch_files(out: str | Path | None, count: int) -> list[Path | None]:
    """Name where batch lines go: into one file, several numbered ones, or to standard output."""
    if out is not None and str(out) != "-":
        return [*parts_of(Path(out), count)]
    if count > BATCH_LINES:
        raise MedzhError(
            _("{count} requests need several batch files", count=count), field="--output", expected=_("a file name")
        )
    return [None]


def write_batch(files: Sequence[Path | None], requests: Iterable[Mapping[str, Any]]) -> None:
    """Write the lines of a batch into its files: all of them, or none."""
    lines = iter(requests)
    with ExitStack() as opened:
        for stream in [opened.enter_context(open_for_texts(file)) for file in files]:
            for line in islice(lines, BATCH_LINES):
                stream.write(encoded(line))


def encoded(line: Mapping[str, Any]) -> bytes:
    """Write a line of JSON, UTF-8, with its line end."""
    return visible(msgspec.json.encode(line, enc_hook=plain_text).decode("utf-8")).encode("utf-8") + b"\n"


def asking_of(  # noqa: PLR0913 - one option each
    config: Config,
    prompt: PromptTemplate,
    train: Callable[[], Sequence[Record]],
    *,
    shots: int | None = None,
    shot_selection: str | None = None,
    tokens: str | None = None,
) -> PromptSettings:
    """Settle how a config's prompts are asked."""
    wishes = {"--shots": shots, "--shot-selection": shot_selection, "--shot-tokenizer": tokens}
    count = config.prompting.shots if shots is None else shots
    for option, wish in wishes.items():
        if wish is not None and not config.prompting.shot_selections:
            raise MedzhError(
                _("{config_name} does not support few-shot examples", config_name=config.name),
                field=option,
                found=wish,
            )
        if wish is not None and option != "--shots" and not count:
            raise MedzhError(
                _("this option requires few-shot examples"),
                field=option,
                found=wish,
                advice=_("set the number of examples with --shots"),
            )
    if not count:
        return PromptSettings(prompt)
    if shot_selection is not None and shot_selection not in config.prompting.shot_selections:
        raise MedzhError(
            _("unknown name"),
            field="--shot-selection",
            expected=", ".join(config.prompting.shot_selections),
            found=shot_selection,
        )
    return PromptSettings(
        prompt,
        count,
        shot_selection or config.prompting.shot_selections[0],
        pick("--shot-tokenizer", TOKENS, tokens).name,
        train(),
    )


def train_records(config: str, data: str | Path) -> list[Record]:
    """Load the records that examples are taken from."""
    try:
        return load_records(data, config, split="train").rows
    except MedzhError as error:
        raise MedzhError(
            _("the train split has no records for few-shot examples: {problem}", problem=error.problem),
            file=error.file,
            expected=error.expected,
            found=error.found,
            advice=_("build the train split, or use no examples: --shots 0"),
        ) from error


def variants_asked(asker: PromptBuilder, which: str | None, seed: int) -> Chosen:
    """Choose the variants in which each id is asked."""
    if which is None:
        return every_id(asker)
    kinds = chosen_of_each(asker.variants.values(), which, seed)
    return {identifier: kinds[kind] for identifier, kind in asker.variants.items()}


def prompt_counts(asker: PromptBuilder, chosen: Chosen, runs: int) -> list[str]:
    """Say how many prompts there are, and of each kind of variants; nothing of a config that has none."""
    kinds: dict[Variants, list[str]] = {}
    for identifier in chosen:
        kinds.setdefault(asker.variants[identifier], []).append(identifier)
    if kinds.keys() <= {ONE}:
        return []
    counts = {"prompts": f"{runs * sum(map(len, chosen.values())):,}", "n_chosen": f"{len(chosen):,}"}
    notes = [_("{prompts} prompts for {n_chosen} ids", **counts)]
    if runs > 1:
        notes = [_("{prompts} prompts for {n_chosen} ids, {runs} runs", **counts, runs=runs)]
    for kind, ids in kinds.items():
        notes.append(_permuted(kind, len(ids), len(chosen[ids[0]])))
    return notes


def _permuted(kind: Variants, ids: int, asked: int) -> str:
    every, size = len(kind.numbers), kind.size
    if kind.shifts_only:
        one = _("1 id: {asked} of {every} cyclic shifts of {size} options", asked=asked, every=every, size=size)
        return (
            one
            if ids == 1
            else _(
                "{ids} ids: {asked} of {every} cyclic shifts of {size} options",
                ids=ids,
                asked=asked,
                every=every,
                size=size,
            )
        )
    one = _("1 id: {asked} of {every} permutations of {size} options", asked=asked, every=every, size=size)
    return (
        one
        if ids == 1
        else _(
            "{ids} ids: {asked} of {every} permutations of {size} options",
            ids=ids,
            asked=asked,
            every=every,
            size=size,
        )
    )
