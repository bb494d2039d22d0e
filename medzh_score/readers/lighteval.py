"""Details of lighteval: parquet with what was asked and what came back, nested, a row a sample."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

import msgspec

from medzh_score.io.documents import check_duplicate_keys
from medzh_score.io.limits import check_texts, parquet_faults
from medzh_score.prompting.ids import AskedFields
from medzh_score.prompting.positions import AskedPosition, PromptPlace, no_order, placed
from medzh_score.readers.detect import SHAPES
from medzh_score.readers.prediction import DATE, Prediction, StoredQuestion, messages_of, model_of_folder, with_question
from medzh_score.ui.errors import MedzhError
from medzh_score.ui.privacy import quotable, quotable_key

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from pathlib import Path

    from medzh_score.io.open_input import InputFile
    from medzh_score.prompting.positions import SentOrder


ROWS = 256  # that are taken at once
NEEDED = {"doc": ("query", "specific"), "model_response": ("text", "text_post_processed", "input")}
IN_JSON = 'write a line for each answer: {"id": …, "prediction": …}'


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
    path, places, model = file.path, _places(file, order), in_details(file.path)
    for number, row in _rows(file, NEEDED):
        place = places[number - 1]
        response: LightevalResponse = _of_type(row["model_response"], LightevalResponse, path, number, "model_response")
        texts = response.text_post_processed or response.text or []
        if len(texts) > 1 and place.run:
            raise MedzhError(
                "several texts for a prompt that names its run",
                file=path,
                line=number,
                field="model_response.text",
                expected="one of the two",
                found=place.id,
            )
        question = StoredQuestion(messages_of(response.input))
        for sample, text in enumerate(texts):
            one = Prediction(place.id, text or "", place.run or sample, place.variant, model)
            yield number, with_question(one, question)
        if not texts:
            yield number, Prediction(place.id, "", place.run, place.variant, error="no text")


def _places(file: InputFile, order: SentOrder) -> Mapping[int, PromptPlace]:
    path, named = file.path, dict[int, PromptPlace]()
    unnamed: list[AskedPosition] = []
    for number, row in _rows(file, {"doc": NEEDED["doc"]}):
        doc: Doc = _of_type(row["doc"], Doc, path, number, "doc")
        fields = _fields(doc.specific, path, number)
        if fields.id:
            named[number - 1] = PromptPlace(*fields.parts())
        else:
            unnamed.append(AskedPosition(number - 1, doc.query, number))
        if named and unnamed:
            raise MedzhError(
                "some rows have an id and others have none",
                file=path,
                line=number,
                field="doc.specific.id",
                expected="an id in each, or in none",
            )
    if not named and not unnamed:
        raise MedzhError("holds no predictions", file=path, advice="check that generation ran")
    return named or placed(unnamed, order(), path)


def _fields(specific: object, path: Path, number: int) -> AskedFields:
    """Take what the task says of a sample, as far as it names an id of ours; a number is none."""
    said = _of_type(specific, dict[str, Any] | None, path, number, "doc.specific") or {}
    if not isinstance(said.get("id"), str):
        return AskedFields()
    names = AskedFields.__struct_fields__
    known = {name: said[name] for name in names if said.get(name) is not None}
    return _of_type(known, AskedFields, path, number, "doc.specific")  # type: ignore[no-any-return]


def _rows(file: InputFile, columns: Mapping[str, tuple[str, ...]]) -> Iterator[tuple[int, dict[str, Any]]]:
    """Go through the rows, with their numbers; of nested columns no more is read than is needed."""
    import pyarrow as pa
    from pyarrow import parquet

    number, path = 0, file.path
    try:
        with parquet.ParquetFile(file.stored(), pre_buffer=False) as stored:
            schema = stored.schema_arrow
            names = {name: name if name in schema.names else _underlined(name) for name in columns}
            for name in names.values():
                if (count := schema.names.count(name)) != 1:
                    problem = "a column stands twice" if count else "a column is missing"
                    raise MedzhError(
                        problem, file=path, expected=SHAPES["lighteval"], found=quotable_key(*schema.names)
                    )
            wanted = [
                part
                for name, inner in columns.items()
                for part in _parts(names[name], inner, nested=pa.types.is_struct(schema.field(names[name]).type))
            ]
            check_texts(file.stored(), path.stat().st_size, path, wanted)
            for batch in stored.iter_batches(ROWS, columns=wanted, use_threads=False):
                for row in batch.to_pylist():
                    number += 1
                    yield number, {name: row.get(names[name]) for name in columns}
    except parquet_faults() as error:
        raise MedzhError(
            f"cannot be read as parquet: {quotable(error)}",
            file=path,
            line=number + 1,
            advice="transfer the file again",
        ) from error


def _parts(name: str, inner: tuple[str, ...], *, nested: bool) -> list[str]:
    return [f"{name}.{part}" for part in inner] if nested else [name]


def _underlined(name: str) -> str:
    return f"__{name}__"


def _of_type(value: object, kind: Any, path: Path, number: int, field: str) -> Any:  # noqa: ANN401
    """Take a nested value, or one that was written as JSON; what Python wrote for people is never evaluated."""
    try:
        if isinstance(value, str):
            check_duplicate_keys(value, path, number)
        return msgspec.json.decode(value, type=kind) if isinstance(value, str) else msgspec.convert(value, kind)
    except msgspec.ValidationError as error:
        raise MedzhError(
            "is of the wrong kind",
            file=path,
            line=number,
            field=field,
            expected=SHAPES["lighteval"],
            found=value,
            advice=IN_JSON,
        ) from error
    except (msgspec.DecodeError, RecursionError) as error:
        raise MedzhError(
            "is a Python literal, which is never evaluated",
            file=path,
            line=number,
            field=field,
            expected="nested columns, or JSON",
            found=value,
            advice=IN_JSON,
        ) from error


def in_details(path: Path) -> str | None:
    """Name the model of lighteval's files, ``details/<model>/<date>/details_<task>_<date>.parquet``."""
    parts = path.absolute().parts[:-2]
    if not DETAILS.fullmatch(path.name) or "details" not in parts:
        return None
    last = len(parts) - 1 - parts[::-1].index("details")
    return model_of_folder("/".join(parts[last + 1 :]))
