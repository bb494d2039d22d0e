"""What a predictions file begins with: by this its reader is found."""

from __future__ import annotations

import csv
import re
import zipfile
import zlib
from importlib import import_module
from typing import TYPE_CHECKING, Literal, NamedTuple

import msgspec

from medzh_score.io.documents import not_a_document
from medzh_score.io.jsonl import NO_JSON, TRUNCATED, decoded, numbered_lines, without_constants
from medzh_score.io.limits import LINE, bound, parquet_faults, whole
from medzh_score.io.tables import column_of, csv_reader
from medzh_score.readers import FORMATS_LISTED
from medzh_score.ui.errors import MedzhError, printable
from medzh_score.ui.i18n import _
from medzh_score.ui.privacy import quotable, quotable_key

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence
    from pathlib import Path
    from typing import IO

    from medzh_score.io.open_input import InputFile
    from medzh_score.prompting.positions import SentOrder
    from medzh_score.readers.prediction import Prediction

    Form = Literal["lines", "document", "array", "table", "parquet", "zip"]


PARQUET, ZIP = b"PAR1", b"PK\x03\x04"
# What other files that are no text begin with, what they are, and what to do about it.
UNREADABLE_FORMATS = (
    (b"\xd0\xcf\x11\xe0", _("the file is a workbook"), _('save the spreadsheet as "CSV UTF-8"')),
    (b"ARROW1", _("the file is an Arrow file"), _("convert the file to Parquet or JSONL")),
    (b"(\xb5/\xfd", _("the file is compressed with zstd"), _("decompress the file, or compress it with gzip")),
    (b"BZh", _("the file is compressed with bzip2"), _("decompress the file, or compress it with gzip")),
    (b"\xfd7zXZ", _("the file is compressed with xz"), _("decompress the file, or compress it with gzip")),
    (b"\x80\x04\x95", _("the file is a Python pickle, which is never loaded"), _("convert the file to JSONL")),
    (b"%PDF", _("the file is a PDF"), _("use the file that the tool wrote")),
)
OBJECT = msgspec.json.Decoder(dict[str, msgspec.Raw])
KEYS_SHOWN, LONGEST_KEY = 12, 30
POSITION = re.compile(r"0|[1-9]\d{0,8}", re.ASCII)


class Head(NamedTuple):
    """What a file begins with: the keys of the first line or of a document, columns, or the names in a zip."""

    form: Form
    first: Mapping[str, msgspec.Raw | None]
    line: int = 1
    written: Sequence[str] = ()  # the columns of a table as the file has them

    @property
    def is_json(self) -> bool:
        """Whether it is a JSON object or lines of them: one document may stand on one line."""
        return self.form in {"lines", "document"}

    def has(self, *keys: str) -> bool:
        """Say whether all these keys are there."""
        return all(key in self.first for key in keys)


def head_of(file: InputFile) -> Head:
    """Look at what a file begins with; a JSON document is read to its end."""
    path, stream = file.path, file.text()
    number, line = _first_line(stream, path)
    if not number:
        advice = _("check that the program that writes it has ended, or copy it again")
        raise MedzhError(_("the file is empty"), file=path, expected=_("predictions"), advice=advice)
    if number == 1 and line.startswith(PARQUET):
        return Head("parquet", dict.fromkeys(_parquet_columns(file)))
    if number == 1 and line.startswith(ZIP):
        return Head("zip", dict.fromkeys(_zip_names(file)))
    for magic, problem, advice in UNREADABLE_FORMATS:
        if number == 1 and line.startswith(magic):
            raise MedzhError(problem, file=path, expected=_("a text file"), advice=advice)
    if line.lstrip().startswith((b"{", b"[")):
        return _json_head(file, number, line, stream)
    written = _columns(line)
    return Head("table", dict.fromkeys(map(column_of, written)), number, written)


def _first_line(stream: IO[bytes], path: Path) -> tuple[int, bytes]:
    number = 0
    try:
        while line := stream.readline(bound(LINE) + 1):
            number += 1
            if not line.isspace():
                return number, line
    except (OSError, EOFError, zlib.error) as error:
        raise _broken(path, number + 1, error) from error
    return 0, b""


def _json_head(file: InputFile, number: int, line: bytes, stream: IO[bytes]) -> Head:
    """Take the first line as an object, or what it begins as a document over several lines."""
    is_array = line.lstrip().startswith(b"[")
    try:
        return Head("lines", OBJECT.decode(without_constants(line).decode("utf-8")), number)
    except msgspec.ValidationError:
        return Head("array", {}, number)
    except NO_JSON as error:
        if TRUNCATED not in str(error):
            decoded(msgspec.json.Decoder(), line, file, number)  # which says what is wrong with it
    try:
        content = line + whole(stream, file.path)
    except (OSError, EOFError, zlib.error) as error:
        raise _broken(file.path, number + 1, error) from error
    rest = content[len(line) :].lstrip()
    # Where an object begins behind one that breaks off, these are lines.
    if not rest or (rest.startswith(b"{") and not is_array):
        decoded(msgspec.json.Decoder(), line, file, number)
    if is_array:
        return Head("array", {}, number)
    try:
        form: Form = "document" if line.endswith(b"\n") else "lines"  # of which the first was too long to be read whole
        return Head(form, OBJECT.decode(without_constants(content)), number)
    except NO_JSON as error:
        if not line.endswith(b"\n"):
            next(numbered_lines(file))  # which refuses a line that is too long
        raise not_a_document(error, content, file.path, number) from error


def _columns(line: bytes) -> list[str]:
    """Read the first line of a file as the head of a table; no names where it cannot be one."""
    try:
        text = line.decode("utf-8")
    except UnicodeDecodeError:
        text = line.decode("gb18030", "replace")
    text = text.partition("\r")[0].rstrip("\n")
    try:
        return next(csv_reader([text], separator=separator_in(text)), [])
    except csv.Error:
        return []


def separator_in(head: str) -> str:
    """Say what stands between the cells of a table."""
    return "\t" if head.count("\t") > head.count(",") else ","


def _parquet_columns(file: InputFile) -> list[str]:
    from pyarrow import parquet

    try:
        return list(parquet.read_schema(file.stored()).names)
    except parquet_faults() as error:
        problem, advice = _("invalid Parquet file: {error}", error=quotable(error)), _("copy or download it again")
        raise MedzhError(problem, file=file.path, advice=advice) from error


def _zip_names(file: InputFile) -> list[str]:
    try:
        with zipfile.ZipFile(file.stored()) as archive:
            return archive.namelist()
    except (OSError, zipfile.BadZipFile, NotImplementedError) as error:
        problem, advice = _("invalid ZIP file: {error}", error=quotable(error)), _("copy or download it again")
        raise MedzhError(problem, file=file.path, advice=advice) from error


def _broken(path: Path, number: int, error: Exception) -> MedzhError:
    return MedzhError(
        _("cannot read the complete file: {error}", error=error),
        file=path,
        line=number,
        advice=_("copy or download it again"),
    )


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
    "inspect": _('{"eval": …, "samples": [{"id": …, "output": {"completion": …}}]} (an inspect log, .json or .eval)'),
    "evalscope": '{"index": 0, "model_output": {"choices": […]}, "metadata": {"id": …}} '
    "(a line of EvalScope's predictions)",
    "opencompass": _(
        '{"0": {"origin_prompt": …, "prediction": …}, "1": …} (OpenCompass predictions/<model>/<dataset>.json)'
    ),
    "lighteval": _("Parquet with the columns doc and model_response (lighteval details)"),
    "native": '{"id": …, "prediction": …}',
    "table": "CSV or TSV with the columns id and prediction",
}


def _is_inspect(head: Head) -> bool:
    if head.form == "zip":
        return any(name == "header.json" or name.startswith(("samples/", "_journal/")) for name in head.first)
    return head.is_json and head.has("eval") and (head.has("samples") or head.has("version", "status"))


def _is_evalscope(head: Head) -> bool:
    return head.form == "lines" and (head.has("index", "model_output") or head.has("index", "choices", "raw_input"))


def _is_opencompass(head: Head) -> bool:
    if not (head.is_json and head.first and all(map(POSITION.fullmatch, head.first))):
        return False
    try:
        entries = [
            msgspec.json.decode(raw or b"null", type=dict[str, msgspec.Raw] | None) for raw in head.first.values()
        ]
    except NO_JSON:
        return False
    return all(entry is None or "prediction" in entry for entry in entries)


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
    Reader("table", lambda head: head.form == "table" and head.has("id", "prediction"), "native", "read_table"),
)


def find_reader(file: InputFile, name: str | None) -> Reader:
    """Find the reader of a predictions file."""
    if name is not None:
        for reader in READERS:
            if reader.name == name:
                return reader
        raise MedzhError(_("unknown input format"), field="--from", expected=FORMATS_LISTED, found=name)
    head = head_of(file)
    for reader in READERS:
        if reader.recognizes(head):
            return reader
    for other in OTHER_JSON:
        if other.is_it(head):
            raise MedzhError(other.problem, file=file.path, line=head.line, advice=other.advice)
    _refuse_other_form(head, file.path)
    keys = [quotable_key(printable(key[:LONGEST_KEY])) for key in head.written or head.first if key]
    seen = ", ".join(keys[:KEYS_SHOWN]) + (", …" if len(keys) > KEYS_SHOWN else "")
    shapes = "; ".join(f"{name}: {shape}" for name, shape in SHAPES.items())
    problem = (
        _("unknown file format with the keys {seen}", seen=seen) if seen else _("unknown file format without keys")
    )
    expected, advice = _("one of these formats: {shapes}", shapes=shapes), None
    if len(head.written) > 1:
        expected = _("the columns id and prediction")
        advice = _("name the columns id and prediction in the first line")
    raise MedzhError(problem, file=file.path, line=head.line, expected=expected, advice=advice)


class Other(NamedTuple):
    """A kind of JSON file that holds no predictions, by keys that it has and lacks, and which file is wanted."""

    has: str
    problem: str
    advice: str
    lacks: str = ""

    def is_it(self, head: Head) -> bool:
        """Say whether a file is of this kind."""
        return head.is_json and head.has(*self.has.split()) and not (self.lacks and head.has(self.lacks))


LINE_FOR_EACH = _('write one line per prediction: {"id": …, "prediction": …}')
SAMPLES_FILE = _("run lm_eval with --log_samples and use samples_<task>_<date>.jsonl")
COMPASS_FILE, SCOPE_FILE = _("use predictions/<model>/<dataset>.json"), _("use predictions/<model>/<dataset>.jsonl")
MADE_OF = _("use the predictions from which the file was made")
WITH_SAMPLES = _("the file is an lm-evaluation-harness results file with embedded samples")
WITH_SAMPLES_ADVICE = _(
    "run lm_eval with --log_samples and use samples_<task>_<date>.jsonl, or write one line per sample"
)
OF_LIGHTEVAL = _("run lighteval with --save-details and use details_<task>_<date>.parquet")
LEFT = _("finish the run with opencompass --reuse and use predictions/<model>/<dataset>.json")
IN_ORDER = _('write one line per prediction, in the order of the sent prompts: {"id": …, "prediction": …}')
ANSWERED = _('use the predictions with the id of each prompt: {"id": …, "prediction": …}')
SENT = _("the file is a prompts file, not a predictions file")
OTHER_JSON = (
    Other(
        "results config_general", _("the file is a lighteval results file, which contains no predictions"), OF_LIGHTEVAL
    ),
    Other("results samples versions", WITH_SAMPLES, WITH_SAMPLES_ADVICE),
    Other("results samples configs", WITH_SAMPLES, WITH_SAMPLES_ADVICE),
    Other(
        "results versions",
        _("the file is an lm-evaluation-harness results file, which contains no predictions"),
        SAMPLES_FILE,
    ),
    Other("idx prediction", _("the file is from an interrupted OpenCompass run"), LEFT, "id"),
    Other(
        "accuracy details",
        _("the file is an OpenCompass results file, which contains no predictions by position"),
        COMPASS_FILE,
        "metrics",
    ),
    Other("data_abbr prediction", _("the file contains AISBench predictions, which have no ids"), IN_ORDER),
    Other("index sample_score", _("the file is an EvalScope review, which contains scores"), SCOPE_FILE),
    Other(
        "dataset_name model_name metrics",
        _("the file is an EvalScope report, which contains no predictions"),
        SCOPE_FILE,
    ),
    Other(
        "config metrics coverage signature",
        _("the file is a medzh-score report, which contains no predictions"),
        MADE_OF,
    ),
    Other(
        "item run rules",
        _("the file is a medzh-score items file, which contains extracted answers, not predictions"),
        MADE_OF,
    ),
    Other(
        "custom_id body",
        _("the file is a batch input file, not a batch output file"),
        _("use the output file of the batch"),
        "response",
    ),
    Other("id prompt shots messages", SENT, ANSWERED),
    Other("id prompt shots text", SENT, ANSWERED),
    Other("choices", _("the response does not identify its prompt"), LINE_FOR_EACH, "custom_id"),
)


def _refuse_other_form(head: Head, path: Path) -> None:
    """Refuse a file that holds predictions otherwise, or is none."""
    if head.form == "parquet" and head.has("full_prompt", "predictions"):
        problem = _("the file contains details of an early lighteval version, which have no ids")
        advice = _(
            "use a lighteval version that writes doc and model_response, or write one line per prediction: "
            '{"id": …, "prediction": …}'
        )
    elif head.form == "zip" and any(name.startswith("content.xml") for name in head.first):
        problem = _("the file is a workbook")
        advice = _('save the spreadsheet as "CSV UTF-8" with the columns id and prediction')
    elif head.form == "document" and head.has("id", "prediction"):
        problem, advice = _("the JSON object spans several lines"), _("write one JSON object per line (JSONL)")
    elif head.form == "array":
        problem, advice = _("the file is a JSON array"), _("write one JSON object per line (JSONL)")
    elif head.form == "table" and any(";" in name and "prediction" in name for name in head.first):
        problem = _("the columns are separated by semicolons")
        advice = _('save the spreadsheet as "CSV UTF-8" with commas as separators')
    else:
        return
    raise MedzhError(problem, file=path, line=head.line, advice=advice)
