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
from medzh_score.readers.prediction import DATE, Response, StoredQuestion, messages_of, model_of_folder, predictions_of
from medzh_score.ui.errors import MedzhError
from medzh_score.ui.i18n import _
from medzh_score.ui.privacy import quotable

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from medzh_score.io.open_input import InputFile
    from medzh_score.prompting.ids import AnswerKey
    from medzh_score.prompting.positions import SentOrder
    from medzh_score.readers.prediction import Prediction


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
    path, decoder, model = file.path, msgspec.json.Decoder(LmEvalSample), model_by_samples_folder(file.path)
    seen: dict[AnswerKey, tuple[str, bytes]] = {}
    for number, raw in numbered_lines(file):
        line: LmEvalSample = decoded(decoder, without_constants(raw), file, number)
        check_duplicate_keys(raw, path, number)
        key, answers = line.doc.key, hashlib.sha256(line.resps).digest()
        if not key.id:
            raise MedzhError(
                _("the document has no id"),
                file=path,
                line=number,
                field="doc.id",
                expected=_("the id of the prompt"),
                advice=_("use medzh records or prompt lines in the task, and keep their ids in process_docs"),
            )
        if key in seen:
            _check_other_filter(line, seen[key], answers, path, number)
            continue
        seen[key] = (line.filter, answers)
        resps = decoded(ANYTHING, line.resps, file, number)
        try:
            found = _sample(line, resps)
            yield from ((number, prediction) for prediction in predictions_of(key, **found, model=model))
        except MedzhError as wrong:
            wrong.file, wrong.line, wrong.field = str(path), number, "resps"
            raise


def _check_other_filter(line: LmEvalSample, first: tuple[str, bytes], answers: bytes, path: Path, number: int) -> None:
    """Take a second line for a document only as another filter's view of the same answers."""
    if line.filter == first[0]:
        raise MedzhError(
            _("duplicate document for the filter {filter}", filter=quotable(line.filter)),
            file=path,
            line=number,
            field="doc.id",
            expected=_("each document once"),
            found=line.doc.id,
            advice=_("keep only the lines of one evaluation; lm_eval appends to existing files"),
        )
    if answers != first[1]:
        raise MedzhError(
            _(
                "the filters {first} and {filter} have different responses for one document",
                first=quotable(first[0]),
                filter=quotable(line.filter),
            ),
            file=path,
            line=number,
            field="resps",
            expected=_("the same responses"),
            found=line.doc.id,
            advice=_("keep only the lines of one evaluation"),
        )


def _sample(line: LmEvalSample, resps: Any) -> dict[str, Any]:  # noqa: ANN401 - as it stands in the file
    """Give what `predictions_of` is told of a line."""
    if not resps or resps == [[]]:
        return {"responses": [], "error": "resps is empty"}
    likelihood = _are_choices(resps)
    texts = _chosen(line.arguments, resps) if likelihood else _generated(line.arguments, resps)
    problem = _("the document specifies a run but has several repeats")
    return {
        "responses": [Response(text) for text in texts],
        "several": MedzhError(problem, expected=_("one of the two"), found=line.doc.id),
        "question": _question(line.arguments, likelihood=likelihood),
    }


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
        raise MedzhError(_("wrong type"), expected=_("[[response, …]]"))
    return isinstance(resps[0][0], list)


def _generated(arguments: object, resps: list[list[object]]) -> list[str]:
    texts = [text or "" for text in resps[0] if text is None or isinstance(text, str)]
    if len(texts) < len(resps[0]):
        raise MedzhError(_("a response is not a string"), expected=_("one string per repeat"))
    # Of perplexities only numbers remain, which look like texts; but nothing says how to generate.
    if len(resps) > 1 or (arguments and not isinstance(_arguments(arguments)[0][-1], dict)):
        raise MedzhError(
            _("the sample contains no generated text"), expected=_("output_type: generate_until or multiple_choice")
        )
    return texts


def _chosen(arguments: object, resps: list[list[Any]]) -> list[str]:
    """Take for each repeat the likeliest choice, of equals the first, as lm-eval's own accuracy does."""
    asked = _arguments(arguments)
    if len(asked) != len(resps):
        raise MedzhError(
            _("the number of responses differs from the number of arguments"), expected=_("one response per choice")
        )
    if any([type(text) for text in one] != [str, str] for one in asked):
        raise MedzhError(
            _("invalid request arguments for an answer option"), expected=_("a context and a continuation")
        )
    # For acc_mutual_info the choices come a second time, behind an empty context.
    places = [place for place, one in enumerate(asked) if one[0] == asked[0][0]]
    others = [one for one in asked if one[0] != asked[0][0]]
    choices = [asked[place][1] for place in places]
    if any(one[0] for one in others) or len(others) not in {0, len(choices)}:
        raise MedzhError(
            _("the choices are in the contexts"), expected=_("one context with the choices as continuations")
        )
    if len(set(choices)) < max(len(choices), 2):
        raise MedzhError(_("no choices to compare"), expected=_("at least two different continuations"))
    repeats = range(max(len(resps[place]) for place in places))
    likelihoods = [[_likelihood(resps[place], repeat) for place in places] for repeat in repeats]
    return [choices[max(range(len(row)), key=row.__getitem__)].lstrip() for row in likelihoods]


def _likelihood(repeats: list[Any], repeat: int) -> float:
    try:
        found = float(repeats[repeat][0])
    except (IndexError, KeyError, TypeError, ValueError):
        found = math.nan
    if math.isnan(found):
        raise MedzhError(_("a log-likelihood is not a number"), expected=_("one number per choice and repeat"))
    return found


def _arguments(arguments: object) -> list[list[Any]]:
    """Give what each request was asked with: lists, or mappings whose keys are numbered."""
    requests = _in_order(arguments, "gen_args_")
    found = [_in_order(request, "arg_") for request in requests]
    if not found or not all(found):
        raise MedzhError(_("the arguments are missing"), expected=_("arguments as written by lm_eval"))
    return found


def _in_order(numbered: object, prefix: str) -> list[Any]:
    if isinstance(numbered, dict):
        return [numbered.get(f"{prefix}{place}") for place in range(len(numbered))]
    return numbered if isinstance(numbered, list) else []


class LmEvalSummary(msgspec.Struct):
    """What lm-eval's summary says of the model, blank where the model had no name."""

    model_name_sanitized: str


def model_by_samples_folder(path: Path) -> str | None:
    """Name the model of lm-eval's samples, ``<model>/samples_<task>_<date>.jsonl``, as their summary has it."""
    match = SAMPLES.fullmatch(path.name)
    if match is None:
        return None
    folder = model_of_folder(path.absolute().parent.name)
    summaries = {file.name: file for file in path.parent.glob(f"*_{match['date']}.json")}
    if (summary := summaries.get(f"results_{match['date']}.json")) is None:
        return None if summaries else folder
    try:
        return msgspec.json.decode(summary.read_bytes(), type=LmEvalSummary).model_name_sanitized.strip() or None
    except (OSError, *NO_JSON):  # those of early versions do not say it
        return folder
