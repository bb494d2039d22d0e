"""Prompts as lines for the tools that send them, and as sheets for people."""

from __future__ import annotations

from contextlib import ExitStack
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Any

import msgspec

from medzh_score.benchmark.columns import pick
from medzh_score.files.json_text import visible
from medzh_score.files.sheets import sheet_bytes
from medzh_score.files.writing import open_for_texts
from medzh_score.messages.errors import MedzhError
from medzh_score.prompts.codes import joined_id
from medzh_score.text.tokens import TOKENS

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from medzh_score.benchmark.asking import Asker, Asking, Question

Chosen = dict[str, tuple[int, ...]]

FORMS = ("chat", "text", "openai-batch", "sheet")
ROLES = ("user", "assistant")  # in turn; the user begins and ends
SYSTEM = "system"  # the role of what a user set before the conversation
EXTRA = "extra_body"  # of a prompt line: what goes with its request as it is, such as the switches of a chat template
BATCH_LINES = 50_000  # of one batch file, by the interface's own limit
URL = "/v1/chat/completions"
# What the batch interface calls our settings; the others keep their names, which vLLM reads as they are.
BATCH_NAMES = {"max_new_tokens": "max_tokens"}
OUR_NAMES = {theirs: ours for ours, theirs in BATCH_NAMES.items()}
GREEDY = ("do_sample", False)  # which the batch interface knows as a temperature of 0


def every_id(asker: Asker) -> Chosen:
    """Choose all that is prompted, as it stands: the identity alone of its variants."""
    return dict.fromkeys(asker.variants, (0,))


def prompt_lines(  # noqa: PLR0913 - what is asked, how it was made, and how it is written
    asker: Asker,
    asking: Asking,
    decoding: Mapping[str, float],
    *,
    chosen: Mapping[str, Sequence[int]] | None = None,
    form: str = "chat",
    runs: int = 1,
) -> Iterator[dict[str, Any]]:
    """Make the lines of a prompts file, one at a time.

    Parameters
    ----------
    asker : Asker
        The prompts of a config.
    asking : Asking
        What they were made with, which the lines name.
    decoding : mapping
        The paper's settings; every line carries them.
    chosen : mapping of str to sequence of int, optional
        For each id that is asked the numbers of its variants, in order; all ids in variant 0 when not given.
    form : {"chat", "text"}
        ``messages`` for chat models, ``text`` for plain completion by base models.
    runs : int
        How often each prompt is asked; lines name their run where it is more than once.

    Yields
    ------
    dict
        By run, then id, then variant: ``id``, ``run`` where there are several, ``variant`` where it is not 0,
        ``messages`` or ``text``, ``prompt``, ``shots``, where there are examples ``icl`` and ``tokens``, and
        ``decoding``.

    Examples
    --------
    >>> from medzh_score.benchmark.asking import Asking, one_a_record
    >>> from medzh_score.configs.sdak.prompts import PAPER_2
    >>> asking = Asking(PAPER_2)
    >>> asker = one_a_record([{"id": "a", "claim": "麻疹具有传染性"}], asking)
    >>> line = next(prompt_lines(asker, asking, {"temperature": 0.3}))
    >>> line["id"], line["prompt"], line["shots"]
    ('a', 'paper-2', 0)
    """
    how = {"prompt": asking.prompt.name, "shots": asking.shots}
    if asking.icl:
        how |= {"icl": asking.icl, "tokens": str(pick("--tokens", TOKENS, asking.tokens))}
    for identifier, run, variant in numbered(every_id(asker) if chosen is None else chosen, runs):
        question = asker.ask(identifier, variant)
        yield {
            "id": identifier,
            **({"run": run} if runs > 1 else {}),
            **({"variant": variant} if variant else {}),
            **({"messages": messages(question)} if form == "chat" else {"text": question.text}),
            **how,
            "decoding": dict(decoding),
        }


def messages(question: Question) -> list[dict[str, str]]:
    """Write the turns of a conversation as chat messages."""
    return [{"role": ROLES[place % 2], "content": turn} for place, turn in enumerate(question.turns)]


def numbered(chosen: Mapping[str, Sequence[int]], runs: int) -> Iterator[tuple[str, int, int]]:
    """List all that is asked: id, run and variant, in the order in which it is written."""
    return ((name, run, variant) for run in range(runs) for name, variants in chosen.items() for variant in variants)


def batch_lines(  # noqa: PLR0913 - the same, and the model
    asker: Asker,
    asking: Asking,
    decoding: Mapping[str, float],
    *,
    model: str,
    chosen: Mapping[str, Sequence[int]] | None = None,
    runs: int = 1,
) -> Iterator[dict[str, Any]]:
    """Make the lines of an OpenAI batch file, which vLLM's ``run-batch`` reads too.

    Parameters
    ----------
    asker : Asker
        The prompts of a config.
    asking : Asking
        What they were made with.
    decoding : mapping
        The paper's settings; they stand in the body of each request.
    model : str
        The model's name, as the server knows it.
    chosen : mapping of str to sequence of int, optional
        For each id that is asked the numbers of its variants, in order; all ids in variant 0 when not given.
    runs : int
        How often each prompt is asked.

    Returns
    -------
    iterator of dict
        ``custom_id``, ``method``, ``url`` and ``body``.
    """
    return as_requests(prompt_lines(asker, asking, decoding, chosen=chosen, runs=runs), decoding, model)


def as_requests(
    lines: Iterable[Mapping[str, Any]], decoding: Mapping[str, float], model: str
) -> Iterator[dict[str, Any]]:
    """Turn chat lines into the requests of a batch file."""
    settings = batch_settings(decoding)
    for line in lines:
        yield {
            "custom_id": joined_id(line["id"], line.get("run", 0), line.get("variant", 0)),
            "method": "POST",
            "url": URL,
            "body": {"model": model, "messages": line["messages"], **settings},
        }


def batch_settings(decoding: Mapping[str, float]) -> dict[str, float]:
    """Give decoding settings the names of the batch interface.

    Examples
    --------
    >>> batch_settings({"do_sample": False, "max_new_tokens": 128})
    {'temperature': 0, 'max_tokens': 128}
    """
    return dict(
        ("temperature", 0) if (name, value) == GREEDY else (BATCH_NAMES.get(name, name), value)
        for name, value in decoding.items()
    )


def our_settings(settings: Mapping[str, Any], decoding: Mapping[str, float]) -> dict[str, Any]:
    """Give settings of the batch interface our names again.

    Examples
    --------
    >>> our_settings({"temperature": 0, "max_tokens": 128}, {"do_sample": False, "max_new_tokens": 128})
    {'do_sample': False, 'max_new_tokens': 128}
    """
    greedy = GREEDY in decoding.items()
    return dict(
        GREEDY if greedy and name == "temperature" and value == 0 else (OUR_NAMES.get(name, name), value)
        for name, value in settings.items()
    )


def prompt_sheet(asker: Asker, *, chosen: Mapping[str, Sequence[int]] | None = None, runs: int = 1) -> bytes:
    """Make a sheet in which a person answers the prompts, read back like any predictions file."""
    asked = every_id(asker) if chosen is None else chosen
    several = any(variant for variants in asked.values() for variant in variants)
    rows = (
        {
            "id": identifier,
            "run": run,
            **({"variant": variant} if several else {}),
            "prompt": asker.ask(identifier, variant).turns[-1],
        }
        for identifier, run, variant in numbered(asked, runs)
    )
    return sheet_bytes(("id", "run", *(("variant",) if several else ()), "prompt", "prediction", "rater"), rows)


def parts_of(path: Path, count: int) -> list[Path]:
    """Name the files over which batch lines are split: the path itself, or numbered ones.

    Examples
    --------
    >>> from pathlib import Path
    >>> [part.name for part in parts_of(Path("b.jsonl"), 120_000)]
    ['b-1-of-3.jsonl', 'b-2-of-3.jsonl', 'b-3-of-3.jsonl']
    """
    files = max(1, -(-count // BATCH_LINES))
    if files == 1:
        return [path]
    return [path.with_name(f"{path.stem}-{number}-of-{files}{path.suffix}") for number in range(1, files + 1)]


def batch_files(out: str | Path | None, count: int) -> list[Path | None]:
    """Name where batch lines go: into one file, several numbered ones, or to standard output."""
    if out is not None and str(out) != "-":
        return [*parts_of(Path(out), count)]
    if count > BATCH_LINES:
        raise MedzhError(f"{count} requests make several batch files", field="--out", expected="a file's name")
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
    return visible(msgspec.json.encode(line).decode("utf-8")).encode("utf-8") + b"\n"
