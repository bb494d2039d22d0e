"""Details of lighteval: parquet with what was asked and what came back, nested, a row a sample."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

import msgspec

from medzh_score.io.documents import check_duplicate_keys
from medzh_score.io.limits import check_texts, parquet_faults
from medzh_score.prompting.ids import AskedFields
from medzh_score.prompting.positions import AskedPosition, no_order, placed
from medzh_score.readers.detect import SHAPES
from medzh_score.readers.prediction import DATE, Response, StoredQuestion, messages_of, model_of_folder, predictions_of
from medzh_score.ui.errors import MedzhError
from medzh_score.ui.i18n import _
from medzh_score.ui.privacy import quotable, quotable_key

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from pathlib import Path

    from medzh_score.io.open_input import InputFile
    from medzh_score.prompting.ids import AnswerKey
    from medzh_score.prompting.positions import SentOrder
    from medzh_score.readers.prediction import Prediction


ROWS = 256  # that are taken at once
NEEDED = {"doc": ("query", "specific"), "model_response": ("text", "text_post_processed", "input")}
IN_JSON = _('write one line per prediction: {"id": …, "prediction": …}')


DETAILS = re.compile(rf"details_.+_{DATE}\.parquet")


class Doc(msgspec.Struct):
    """What was asked; ``specific`` holds the fields that the task adds, such as our id."""

    query: str = ""
    specific: Any = None


class LightevalResponse(msgspec.Struct):
    """What came back: a text for each sample, once more without the reasoning where that was taken away.

    ``input`` is what was sent: chat messages or one text.
    """

    text: list[str | None] | None = None
    text_post_processed: list[str | None] | None = None
    input: Any = None


def read(file: InputFile, order: SentOrder = no_order) -> Iterator[tuple[int, Prediction]]:
    """Read details."""
    path, keys, model = file.path, _keys(file, order), model_by_details_folder(file.path)
    for number, row in _rows(file, NEEDED):
        key = keys[number - 1]
        response: LightevalResponse = _of_type(row["model_response"], LightevalResponse, path, number, "model_response")
        texts = response.text_post_processed or response.text or []
        problem, field = _("the prompt specifies a run, but its response has several texts"), "model_response.text"
        found = predictions_of(
            key,
            [Response(text or "") for text in texts],
            several=MedzhError(
                problem, file=path, line=number, field=field, expected=_("one of the two"), found=key.id
            ),
            error="no text",
            model=model if texts else None,
            question=StoredQuestion(messages_of(response.input)) if texts else None,
        )
        yield from ((number, one) for one in found)


def _keys(file: InputFile, order: SentOrder) -> Mapping[int, AnswerKey]:
    path = file.path
    named: dict[int, AnswerKey] = {}
    unnamed: list[AskedPosition] = []
    for number, row in _rows(file, {"doc": NEEDED["doc"]}):
        doc: Doc = _of_type(row["doc"], Doc, path, number, "doc")
        said = _of_type(doc.specific, dict[str, Any] | None, path, number, "doc.specific") or {}
        if isinstance(said.get("id"), str) and said["id"]:  # a number is no id of ours
            known = {name: said[name] for name in AskedFields.__struct_fields__ if said.get(name) is not None}
            named[number - 1] = _of_type(known, AskedFields, path, number, "doc.specific").key
        else:
            unnamed.append(AskedPosition(number - 1, doc.query, number))
        if named and unnamed:
            problem, expected = _("some rows have an id and others do not"), _("ids for all predictions or for none")
            raise MedzhError(problem, file=path, line=number, field="doc.specific.id", expected=expected)
    if not named and not unnamed:
        raise MedzhError(_("no predictions found"), file=path, advice=_("check that generation ran"))
    return named or placed(unnamed, order(), path)


def _rows(file: InputFile, columns: Mapping[str, tuple[str, ...]]) -> Iterator[tuple[int, dict[str, Any]]]:
    """Go through the rows, with their numbers; of nested columns no more is read than is needed."""
    import pyarrow as pa
    from pyarrow import parquet

    number, path = 0, file.path
    try:
        with parquet.ParquetFile(file.stored(), pre_buffer=False) as stored:
            schema = stored.schema_arrow
            names = {name: name if name in schema.names else f"__{name}__" for name in columns}
            wanted: list[str] = []
            for column, inner in columns.items():
                name = names[column]
                if (count := schema.names.count(name)) != 1:
                    problem, found = _("duplicate column") if count else _("a column is missing"), schema.names
                    raise MedzhError(problem, file=path, expected=SHAPES["lighteval"], found=quotable_key(*found))
                nested = pa.types.is_struct(schema.field(name).type)
                wanted += [f"{name}.{part}" for part in inner] if nested else [name]
            check_texts(file.stored(), path.stat().st_size, path, wanted)
            for batch in stored.iter_batches(ROWS, columns=wanted, use_threads=False):
                for row in batch.to_pylist():
                    number += 1
                    yield number, {name: row.get(names[name]) for name in columns}
    except parquet_faults() as error:
        problem, advice = _("invalid Parquet file: {error}", error=quotable(error)), _("copy or download it again")
        raise MedzhError(problem, file=path, line=number + 1, advice=advice) from error


def _of_type(value: object, kind: Any, path: Path, number: int, field: str) -> Any:  # noqa: ANN401
    """Take a nested value, or one that was written as JSON; what Python wrote for people is never evaluated."""
    try:
        if not isinstance(value, str):
            return msgspec.convert(value, kind)
        check_duplicate_keys(value, path, number)
        return msgspec.json.decode(value, type=kind)
    except (msgspec.DecodeError, RecursionError) as error:
        problem, expected = _("the value is a Python literal, which is never evaluated"), _("nested columns or JSON")
        if isinstance(error, msgspec.ValidationError):
            problem, expected = _("wrong type"), SHAPES["lighteval"]
        raise MedzhError(
            problem, file=path, line=number, field=field, expected=expected, found=value, advice=IN_JSON
        ) from error


def model_by_details_folder(path: Path) -> str | None:
    """Name the model of lighteval's files, ``details/<model>/<date>/details_<task>_<date>.parquet``."""
    parts = path.absolute().parts[:-2]
    if not DETAILS.fullmatch(path.name) or "details" not in parts:
        return None
    last = len(parts) - 1 - parts[::-1].index("details")
    return model_of_folder("/".join(parts[last + 1 :]))
