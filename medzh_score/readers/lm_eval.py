"""Samples of lm-evaluation-harness, as ``--log_samples`` writes them: one line for each document and filter.

A task generates text, or has the likelihoods of some choices compared; the choice that is likeliest is then the answer.
"""

from __future__ import annotations

import hashlib
import math
import re
from typing import TYPE_CHECKING, Any

import msgspec

from medzh_score.io.documents import check_duplicate_keys
from medzh_score.io.jsonl import NO_JSON, decoded, numbered_lines, without_constants
from medzh_score.prompting.ids import AskedFields  # noqa: TC001 - msgspec looks the types of the fields up
from medzh_score.prompting.positions import no_order
from medzh_score.readers.prediction import DATE, Prediction, StoredQuestion, messages_of, model_of_folder, with_question
from medzh_score.ui.errors import MedzhError
from medzh_score.ui.privacy import quotable

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from medzh_score.io.open_input import InputFile
    from medzh_score.prompting.positions import SentOrder


ANYTHING = msgspec.json.Decoder[Any](Any)


SAMPLES = re.compile(rf"samples_.+_(?P<date>{DATE})\.jsonl.*")


class LmEvalSample(msgspec.Struct):
    """A line of the samples."""

    doc: AskedFields
    resps: msgspec.Raw
    arguments: Any = None
    filter: str = "none"


def read(file: InputFile, _order: SentOrder = no_order) -> Iterator[tuple[int, Prediction]]:
    """Read the samples of a task."""
    path, decoder, model = file.path, msgspec.json.Decoder(LmEvalSample), after_folder(file.path)
    seen: dict[tuple[str, int, int], tuple[str, bytes]] = {}
    for number, raw in numbered_lines(file):
        line: LmEvalSample = decoded(decoder, without_constants(raw), file, number)
        check_duplicate_keys(raw, path, number)
        asked = line.doc.parts()
        if not asked[0]:
            raise _without_id(path, number)
        answers = hashlib.sha256(line.resps).digest()
        if asked in seen:
            _check_other_filter(line, seen[asked], answers, path, number)
            continue
        seen[asked] = (line.filter, answers)
        for prediction in _predictions(line, asked, file, number):
            yield number, msgspec.structs.replace(prediction, model=model)


def _without_id(path: Path, number: int) -> MedzhError:
    return MedzhError(
        "the document has no id",
        file=path,
        line=number,
        field="doc.id",
        expected="the id of what was prompted",
        advice="let the task read our records or prompt lines, whose id process_docs must keep",
    )


def _check_other_filter(line: LmEvalSample, first: tuple[str, bytes], answers: bytes, path: Path, number: int) -> None:
    """Take a second line for a document only as another filter's view of the same answers."""
    if line.filter == first[0]:
        raise MedzhError(
            f"the same document twice for the filter {quotable(line.filter)}",
            file=path,
            line=number,
            field="doc.id",
            expected="each document once",
            found=line.doc.id,
            advice="lm_eval appends to a file that is there: keep the lines of one evaluation",
        )
    if answers != first[1]:
        raise MedzhError(
            f"the filters {quotable(first[0])} and {quotable(line.filter)} stand by different answers to one document",
            file=path,
            line=number,
            field="resps",
            expected="the same answers",
            found=line.doc.id,
            advice="keep the lines of one evaluation",
        )


def _predictions(line: LmEvalSample, asked: tuple[str, int, int], file: InputFile, number: int) -> Iterator[Prediction]:
    path, (prompt_id, run, variant) = file.path, asked
    resps = decoded(ANYTHING, line.resps, file, number)
    if not resps or resps == [[]]:
        yield Prediction(prompt_id, "", run, variant, error="resps is empty")
        return
    try:
        texts = _chosen(line.arguments, resps) if _are_choices(resps) else _generated(line.arguments, resps)
    except MedzhError as wrong:
        wrong.file, wrong.line, wrong.field = str(path), number, "resps"
        raise
    if run and len(texts) > 1:
        raise MedzhError(
            "several repeats of a document that names its run",
            file=path,
            line=number,
            field="resps",
            expected="one of the two",
            found=line.doc.id,
        )
    question = _question(line.arguments, likelihood=_are_choices(resps))
    for repeat, text in enumerate(texts):
        yield with_question(Prediction(prompt_id, text, run or repeat, variant), question)


def _question(arguments: object, *, likelihood: bool) -> StoredQuestion | None:
    asked = [_in_order(request, "arg_") for request in _in_order(arguments, "gen_args_")]
    if not asked or not asked[0]:
        return None
    context, *rest = asked[0]
    if isinstance(context, list) and len(context) == 1 and isinstance(context[0], str):
        (context,) = context
    if not isinstance(context, str):
        return None
    stated = rest[0] if rest and isinstance(rest[0], dict) else {}
    settings = {name: value for name, value in stated.items() if value not in (None, [])}
    return StoredQuestion(messages_of(context), None if likelihood else settings, likelihood)


def _are_choices(resps: object) -> bool:
    """Say whether the answers are likelihoods: those are pairs, where texts stand by themselves."""
    if not isinstance(resps, list) or not all(isinstance(one, list) and one for one in resps):
        raise MedzhError("is no list of lists of answers", expected="[[answer, …]]")
    return isinstance(resps[0][0], list)


def _generated(arguments: object, resps: list[list[object]]) -> list[str]:
    texts = [text or "" for text in resps[0] if text is None or isinstance(text, str)]
    if len(texts) < len(resps[0]):
        raise MedzhError("an answer is no text", expected="a text for each repeat")
    # Of perplexities only numbers remain, which look like texts; but nothing says how to generate.
    if len(resps) > 1 or (arguments and not isinstance(_arguments(arguments)[0][-1], dict)):
        raise MedzhError("holds no generated text", expected="output_type: generate_until or multiple_choice")
    return texts


def _chosen(arguments: object, resps: list[list[Any]]) -> list[str]:
    """Take for each repeat the likeliest choice, of equals the first, as lm-eval's own accuracy does."""
    asked = _arguments(arguments)
    if len(asked) != len(resps):
        raise MedzhError("there are not as many answers as arguments", expected="one for each choice")
    if any([type(text) for text in one] != [str, str] for one in asked):
        raise MedzhError("a choice does not say what was asked", expected="a context and a continuation")
    # For acc_mutual_info the choices come a second time, behind an empty context.
    places = [place for place, one in enumerate(asked) if one[0] == asked[0][0]]
    others = [one for one in asked if one[0] != asked[0][0]]
    choices = [asked[place][1] for place in places]
    if any(one[0] for one in others) or len(others) not in {0, len(choices)}:
        raise MedzhError(
            "the choices stand in the contexts", expected="one context, and the choices as its continuations"
        )
    if len(set(choices)) < max(len(choices), 2):
        raise MedzhError("there are no choices to compare", expected="two different continuations or more")
    repeats = range(max(len(resps[place]) for place in places))
    likelihoods = [[_likelihood(resps[place], repeat) for place in places] for repeat in repeats]
    return [choices[max(range(len(row)), key=row.__getitem__)].lstrip() for row in likelihoods]


def _likelihood(repeats: list[Any], repeat: int) -> float:
    try:
        found = float(repeats[repeat][0])
    except (IndexError, KeyError, TypeError, ValueError):
        found = math.nan
    if math.isnan(found):
        raise MedzhError("a log-likelihood is no number", expected="a number for each choice and repeat")
    return found


def _arguments(arguments: object) -> list[list[Any]]:
    """Give what each request was asked with: lists, or mappings whose keys are numbered."""
    requests = _in_order(arguments, "gen_args_")
    found = [_in_order(request, "arg_") for request in requests]
    if not found or not all(found):
        raise MedzhError("its arguments are missing", expected="arguments as lm_eval writes them")
    return found


def _in_order(numbered: object, prefix: str) -> list[Any]:
    if isinstance(numbered, dict):
        return [numbered.get(f"{prefix}{place}") for place in range(len(numbered))]
    return numbered if isinstance(numbered, list) else []


class LmEvalSummary(msgspec.Struct):
    """What lm-eval's summary says of the model, blank where the model had no name."""

    model_name_sanitized: str


def after_folder(path: Path) -> str | None:
    """Name the model of lm-eval's samples, ``<model>/samples_<task>_<date>.jsonl``."""
    match = SAMPLES.fullmatch(path.name)
    if match is None:
        return None
    summaries = {file.name: file for file in path.parent.glob(f"*_{match['date']}.json")}
    if (summary := summaries.get(f"results_{match['date']}.json")) is not None:
        said = _named_in(summary)
        return model_of_folder(path.absolute().parent.name) if said is None else said or None
    return None if summaries else model_of_folder(path.absolute().parent.name)


def _named_in(summary: Path) -> str | None:
    """Read the model's name; None where the summary does not say it, as those of early versions."""
    try:
        return msgspec.json.decode(summary.read_bytes(), type=LmEvalSummary).model_name_sanitized.strip()
    except (OSError, *NO_JSON):
        return None
