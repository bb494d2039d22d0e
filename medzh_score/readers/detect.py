"""What a predictions file begins with: by this its reader is found."""

from __future__ import annotations

import codecs
import csv
import json
import re
import zipfile
import zlib
from importlib import import_module
from typing import TYPE_CHECKING, Any, Literal, NamedTuple

import msgspec

from medzh_score.io.jsonl import decoded
from medzh_score.io.limits import parquet_faults
from medzh_score.io.tables import csv_reader
from medzh_score.readers import (
    FORMATS_LISTED,
)
from medzh_score.ui.errors import MedzhError, printable
from medzh_score.ui.privacy import quotable, quotable_key

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping
    from pathlib import Path
    from typing import IO

    from medzh_score.io.open_input import InputFile
    from medzh_score.prompting.positions import SentOrder
    from medzh_score.readers.prediction import Prediction


PARQUET, ZIP = b"PAR1", b"PK\x03\x04"
# What other files that are no text begin with, what they are, and what to do about it.
UNREADABLE_FORMATS = (
    (b"\xd0\xcf\x11\xe0", "is a workbook", 'save it from the spreadsheet as "CSV UTF-8"'),
    (b"ARROW1", "is an Arrow file", "write it as parquet or JSONL"),
    (b"(\xb5/\xfd", "is compressed with zstd", "unpack it, or compress it with gzip"),
    (b"BZh", "is compressed with bzip2", "unpack it, or compress it with gzip"),
    (b"\xfd7zXZ", "is compressed with xz", "unpack it, or compress it with gzip"),
    (b"\x80\x04\x95", "is a Python pickle, which is never opened", "write it as JSONL"),
    (b"%PDF", "is a PDF", "give the file that the tool wrote"),
)
LONGEST_LINE = 1 << 22  # bytes of a first line that are read whole
ENOUGH = 1 << 20  # bytes of a document in which its keys are looked for
LONGEST_TOKEN = 12  # characters: what is wrong so near to where reading ended may only be cut there
SPACE = re.compile(r"[ \t\r\n]*")
TRUNCATED = "truncated"  # msgspec's word for JSON that is right as far as it goes


class Head(NamedTuple):
    """What a file begins with.

    The keys are those of the first object of lines or of an array, of a document's first mebibyte, the columns of a
    table or of parquet, or the names in a zip; a value that does not end there is None. One document may stand on one
    line: then its form is ``lines``.
    """

    form: Literal["lines", "document", "table", "parquet", "zip"]
    first: Mapping[str, object]
    line: int = 1
    array: bool = False

    @property
    def is_json(self) -> bool:
        """Whether it is a JSON object or lines of them: one document may stand on one line."""
        return self.form in {"lines", "document"} and not self.array

    def has(self, *keys: str) -> bool:
        """Say whether all these keys are there."""
        return all(key in self.first for key in keys)


def head_of(file: InputFile) -> Head:
    """Look at what a file begins with; a large one is not read to its end."""
    path, stream = file.path, file.text()
    number, line = _first_line(stream, path)
    if not number:
        raise MedzhError("is empty", file=path, expected="predictions, one a line")
    if number == 1 and line.startswith(PARQUET):
        return Head("parquet", dict.fromkeys(_parquet_columns(file), ""))
    if number == 1 and line.startswith(ZIP):
        return Head("zip", dict.fromkeys(_zip_names(file), ""))
    for magic, problem, advice in UNREADABLE_FORMATS:
        if number == 1 and line.startswith(magic):
            raise MedzhError(problem, file=path, expected="a file of text", advice=advice)
    if not line.lstrip().startswith((b"{", b"[")):
        return Head("table", dict.fromkeys(columns(line), ""), number)
    return _json_head(line, stream, file, number)


def columns(line: bytes) -> list[str]:
    r"""Read the first line of a file as the head of a table; no names where it cannot be one."""
    text = line.decode("utf-8", "replace").partition("\r")[0].rstrip("\n")
    try:
        return [name.strip() for name in next(csv_reader([text], separator=separator_in(text)), [])]
    except csv.Error:
        return []


def separator_in(head: str) -> str:
    """Say what stands between the cells of a table."""
    return "\t" if head.count("\t") > head.count(",") else ","


def _first_line(stream: IO[bytes], path: Path) -> tuple[int, bytes]:
    number = 0
    try:
        while line := stream.readline(LONGEST_LINE):
            number += 1
            if not line.isspace():
                return number, line
    except (OSError, EOFError, zlib.error) as error:
        raise _broken(path, number + 1, error) from error
    return 0, b""


def _json_head(line: bytes, stream: IO[bytes], file: InputFile, number: int) -> Head:
    """Take the first line as an object; where it breaks off, what follows as the rest of a document."""
    try:
        first: Any = msgspec.json.decode(line)
    except msgspec.DecodeError as error:
        first = _with_constants(line)
        cut = len(line) == LONGEST_LINE and not line.endswith(b"\n")  # maybe within a number, which is wrong then
        if first is None and (cut or TRUNCATED in str(error)):
            return _document_head(line, stream, file, number)
    except (RecursionError, UnicodeDecodeError):
        first = None
    if first is None:
        decoded(msgspec.json.Decoder(), line, file, number)  # which says what is wrong with it
    if isinstance(first, list):
        return Head("document", first[0] if first and isinstance(first[0], dict) else {}, number, array=True)
    return Head("lines", first, number)


def _with_constants(line: bytes) -> object:
    """Read a line in which NaN stands, as Python writes it; None where that is not all that is wrong with it."""
    try:
        return json.loads(line.decode("utf-8"))
    except (ValueError, RecursionError):
        return None


def _document_head(line: bytes, stream: IO[bytes], file: InputFile, number: int) -> Head:
    """Look for keys in the beginning of a document, and read the values that end there."""
    try:
        more = stream.read(ENOUGH)
    except (OSError, EOFError, zlib.error) as error:
        raise _broken(file.path, number + 1, error) from error
    text = codecs.getincrementaldecoder("utf-8")("replace").decode(line + more)
    array = text.lstrip().startswith("[")
    cut_at = len(text) - LONGEST_TOKEN if len(more) == ENOUGH else len(text.rstrip())
    first, wrong = _keys(text, text.index("{") + 1, cut_at) if "{" in text else ({}, None)
    at = 0 if wrong is None else text.count("\n", 0, wrong)
    if not more.strip() or (wrong is not None and (not at or (not array and _begins_line(text, wrong)))):
        # The line was none of a document: what follows does not go on where it breaks off.
        decoded(msgspec.json.Decoder(), line, file, number)
    if wrong is not None:
        raise MedzhError("is not JSON", file=file.path, line=number + at, found=text[wrong : wrong + 40])
    return Head("document" if line.endswith(b"\n") else "lines", first, number, array)


def _begins_line(text: str, wrong: int) -> bool:
    """Say whether what does not go on begins an object on a line of its own, behind one that breaks off, or is one."""
    if text[wrong] != "{" or text[wrong - 1] != "\n":
        return False
    *earlier, last = text[:wrong].rstrip().split("\n")
    return not earlier or _with_constants(last.encode("utf-8")) is not None


def _keys(text: str, at: int, cut_at: int) -> tuple[dict[str, object], int | None]:
    """Read the keys and values of an object as far as the text goes, and say where it is wrong, if it is."""
    decoder, found = json.JSONDecoder(), dict[str, object]()
    at = _behind_space(text, at)
    while text[at : at + 1] not in {"}", ""}:
        try:
            key, behind = decoder.raw_decode(text, at)
            if not isinstance(key, str):
                return found, at
            at = _behind_space(text, behind)
            if text[at : at + 1] != ":":
                return found, at
            found[key] = None
            value, at = decoder.raw_decode(text, _behind_space(text, at + 1))
        except json.JSONDecodeError as error:
            breaks_off = error.msg.startswith("Unterminated") or error.pos >= cut_at
            return found, None if breaks_off else error.pos
        except (RecursionError, ValueError):  # the latter for numbers of thousands of digits
            break
        if at >= cut_at:
            break  # of a number there may be more
        found[key] = value
        at = _behind_space(text, at)
        if text[at : at + 1] == ",":
            at = _behind_space(text, at + 1)
        elif text[at : at + 1] != "}":
            return found, at
    return found, None


def _behind_space(text: str, at: int) -> int:
    found = SPACE.match(text, at)
    return at if found is None else found.end()


def _parquet_columns(file: InputFile) -> list[str]:
    from pyarrow import parquet

    try:
        return list(parquet.read_schema(file.stored()).names)
    except parquet_faults() as error:
        raise MedzhError(
            f"is no parquet file: {quotable(error)}", file=file.path, advice="transfer the file again"
        ) from error


def _zip_names(file: InputFile) -> list[str]:
    try:
        with zipfile.ZipFile(file.stored()) as archive:
            return archive.namelist()
    except (OSError, zipfile.BadZipFile, NotImplementedError) as error:
        raise MedzhError(
            f"is a broken zip file: {quotable(error)}", file=file.path, advice="transfer the file again"
        ) from error


def _broken(path: Path, number: int, error: Exception) -> MedzhError:
    return MedzhError(f"cannot be read to its end: {error}", file=path, line=number, advice="transfer the file again")


KEYS_SHOWN = 12
LONGEST_KEY = 30


class Reader(NamedTuple):
    """A format that can be read, by its name in ``--from``; the module that reads it is imported when it is needed."""

    name: str
    recognizes: Callable[[Head], bool]
    module: str
    function: str = "read"

    def read(self, file: InputFile, order: SentOrder) -> Iterator[tuple[int, Prediction]]:
        """Read the predictions of a file, with the numbers of their lines."""
        read = getattr(import_module(f"medzh_score.readers.{self.module}"), self.function)
        return read(file, order)  # type: ignore[no-any-return]


# A line of each format, for messages.
SHAPES = {
    "batch": '{"custom_id": …, "response": {"status_code": 200, "body": {"choices": […]}}}',
    "lm-eval": '{"doc_id": …, "doc": {"id": …}, "resps": [["…"]]} (samples of lm-evaluation-harness)',
    "inspect": '{"eval": …, "samples": [{"id": …, "output": {"completion": …}}]} (a log of inspect, .json or .eval)',
    "evalscope": '{"index": 0, "model_output": {"choices": […]}, "metadata": {"id": …}} '
    "(a line of EvalScope's predictions)",
    "opencompass": '{"0": {"origin_prompt": …, "prediction": …}, "1": …} '
    "(predictions/<model>/<dataset>.json of OpenCompass)",
    "lighteval": "parquet with the columns doc and model_response (details of lighteval)",
    "native": '{"id": …, "prediction": …}',
    "sheet": "CSV or TSV with the columns id and prediction",
}
POSITION = re.compile(r"0|[1-9]\d{0,8}", re.ASCII)


def _is_inspect(head: Head) -> bool:
    if head.form == "zip":
        return any(name == "header.json" or name.startswith(("samples/", "_journal/")) for name in head.first)
    return head.is_json and head.has("eval") and (head.has("samples") or head.has("version", "status"))


def _is_evalscope(head: Head) -> bool:
    return head.form == "lines" and (head.has("index", "model_output") or head.has("index", "choices", "raw_input"))


def _is_opencompass(head: Head) -> bool:
    if not (head.is_json and head.first and all(map(POSITION.fullmatch, head.first))):
        return False
    return all(entry is None or (isinstance(entry, dict) and "prediction" in entry) for entry in head.first.values())


def _is_lighteval(head: Head) -> bool:
    return head.form == "parquet" and all(
        head.has(name) or head.has(f"__{name}__") for name in ("doc", "model_response")
    )


def _is_native(head: Head) -> bool:
    if head.form == "parquet":
        return head.has("id", "prediction")
    answered = head.has("prediction") or head.has("error")
    return head.form == "lines" and head.has("id") and answered and not head.has("data_abbr")  # which is of AISBench


# In the order in which they are asked whether a file is theirs.
READERS = (
    Reader(
        "batch",
        lambda head: head.form == "lines" and head.has("custom_id") and (head.has("response") or head.has("error")),
        "batch",
    ),
    Reader("lm-eval", lambda head: head.form == "lines" and head.has("doc_id", "resps"), "lm_eval"),
    Reader("inspect", _is_inspect, "inspect_log"),
    Reader("evalscope", _is_evalscope, "evalscope"),
    Reader("opencompass", _is_opencompass, "opencompass"),
    Reader("lighteval", _is_lighteval, "lighteval"),
    Reader("native", _is_native, "native"),
    Reader("sheet", lambda head: head.form == "table" and head.has("id", "prediction"), "native", "read_table"),
)


def find_reader(file: InputFile, name: str | None) -> Reader:
    """Find the reader of a predictions file."""
    if name is not None:
        for reader in READERS:
            if reader.name == name:
                return reader
        raise MedzhError("no such reader", field="--from", expected=FORMATS_LISTED, found=name)
    head = head_of(file)
    for reader in READERS:
        if reader.recognizes(head):
            return reader
    refuse_other_files(head, file.path)
    raise _unknown(head, file.path)


def _unknown(head: Head, path: Path) -> MedzhError:
    keys = [quotable_key(printable(key[:LONGEST_KEY])) for key in head.first if key]
    seen = ", ".join(keys[:KEYS_SHOWN]) + (", …" if len(keys) > KEYS_SHOWN else "")
    shapes = "; ".join(f"{name}: {shape}" for name, shape in SHAPES.items())
    problem = f"is of no known form; its keys are {seen}" if seen else "is of no known form; it has no keys"
    return MedzhError(problem, file=path, line=head.line, expected=f"one of these: {shapes}")


class Other(NamedTuple):
    """A kind of file that holds no predictions, and which file is wanted in its place."""

    is_it: Callable[[Head], bool]
    problem: str
    advice: str


FILES_OF_OTHER_TOOLS = (
    Other(
        lambda head: head.is_json and head.has("results", "config_general"),
        "is the results file of lighteval, which holds no answers",
        "run lighteval with --save-details and give details_<task>_<date>.parquet",
    ),
    Other(
        lambda head: head.is_json and head.has("results", "samples") and (head.has("versions") or head.has("configs")),
        "is the results of lm-evaluation-harness with the samples inside",
        "run lm_eval with --log_samples and give samples_<task>_<date>.jsonl, or write each sample as a line",
    ),
    Other(
        lambda head: head.is_json and head.has("results", "versions"),
        "is the results file of lm-evaluation-harness, which holds no answers",
        "run lm_eval with --log_samples and give samples_<task>_<date>.jsonl",
    ),
    Other(
        lambda head: head.is_json and head.has("idx", "prediction") and not head.has("id"),
        "is what an interrupted run of OpenCompass left",
        "let the run end (opencompass --reuse) and give predictions/<model>/<dataset>.json",
    ),
    Other(
        lambda head: head.is_json and head.has("accuracy", "details") and not head.has("metrics"),
        "is a results file of OpenCompass, which holds no answers by position",
        "give predictions/<model>/<dataset>.json",
    ),
    Other(
        lambda head: head.is_json and head.has("data_abbr", "prediction"),
        "is predictions of AISBench, which name no ids",
        'write a line for each: {"id": …, "prediction": …}, in the order of the prompts that were sent',
    ),
    Other(
        lambda head: head.form == "parquet" and head.has("full_prompt", "predictions"),
        "is details of an early lighteval, which name no ids",
        'run a lighteval that writes doc and model_response, or write a line for each: {"id": …, "prediction": …}',
    ),
    Other(
        lambda head: head.is_json and head.has("index", "sample_score"),
        "is a review of EvalScope, which holds scores",
        "give predictions/<model>/<dataset>.jsonl",
    ),
    Other(
        lambda head: head.is_json and head.has("dataset_name", "model_name", "metrics"),
        "is a report of EvalScope, which holds no answers",
        "give predictions/<model>/<dataset>.jsonl",
    ),
    Other(
        lambda head: head.is_json and head.has("config", "metrics", "coverage", "signature"),
        "is a report of medzh-score, which holds no answers",
        "give the predictions that it was made of",
    ),
    Other(
        lambda head: head.is_json and head.has("item", "run", "rules"),
        "is an items file of medzh-score, which holds answers as they were read",
        "give the predictions that it was made of",
    ),
    Other(
        lambda head: head.is_json and head.has("custom_id", "body") and not head.has("response"),
        "is the input of a batch: what is sent, not what came back",
        "give the output file of the batch",
    ),
    Other(
        lambda head: head.is_json and head.has("id", "prompt", "shots") and (head.has("messages") or head.has("text")),
        "is a prompts file: what is sent, not what came back",
        'give what the model answered, with the id of each prompt: {"id": …, "prediction": …}',
    ),
    Other(
        lambda head: head.is_json and head.has("choices") and not head.has("custom_id"),
        "is a response that does not say which prompt it answers",
        'write a line for each: {"id": …, "prediction": …}',
    ),
    Other(
        lambda head: head.form == "zip" and any(name.startswith("content.xml") for name in head.first),
        "is a workbook",
        'save it from the spreadsheet as "CSV UTF-8", with the columns id and prediction',
    ),
    Other(
        lambda head: head.form == "document" and not head.array and head.has("id", "prediction"),
        "is written over several lines",
        "write one JSON object a line (JSONL)",
    ),
    Other(
        lambda head: head.array,
        "is a JSON array",
        "write one object a line (JSONL)",
    ),
    Other(
        lambda head: head.form == "table" and any(";" in name and "prediction" in name for name in head.first),
        "its cells are separated by semicolons",
        'save it from the spreadsheet as "CSV UTF-8", with commas between the cells',
    ),
)


def refuse_other_files(head: Head, path: Path) -> None:
    """Refuse a file that is known to hold no predictions, or to hold them otherwise."""
    for other in FILES_OF_OTHER_TOOLS:
        if other.is_it(head):
            raise MedzhError(other.problem, file=path, line=head.line, advice=other.advice)
