"""The one kind of error that a user sees: what is wrong, where, and what to do about it; any other becomes one."""

from __future__ import annotations

import re
import sys
from functools import wraps
from typing import TYPE_CHECKING, NamedTuple, ParamSpec, TypeVar

from medzh_score.ui.i18n import CHINESE, ENGLISH, _, current, in_chinese
from medzh_score.ui.privacy import Unredacted, Worded, at_work, quotable, quotable_key, redacted, texts_are_withheld

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable
    from importlib.resources.abc import Traversable


PACKAGES = ("medzh_score", "dataset_scripts")
SHOWN_CHARACTERS = 80
NAMED = 5  # how many ids, files or the like a message names
UNSTOPPED = re.compile(r"[.。?？…]$|(?:medzh-score|medzh-build|pip|python|git) [^`]*$")  # a fix without a full stop
ALIKE = 0.6  # of 1, as difflib compares names; below, a guess would mislead
# What would break a line, or act on the terminal that shows it.
# Control characters, and marks that turn the direction of what a terminal shows after them.
CONTROLS = re.compile(r"[\x00-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ud800-\udfff\ufffe\uffff]")
# Where several extras bring a library, the first is named; a page names its own.
MODULES_OF = {
    "build": ("datasets", "editables", "hatchling", "httpx", "jinja2", "jsonschema_rs", "openpyxl", "stamina", "yaml"),
    "ask": ("openai",),
    "hub": ("huggingface_hub",),
    "inspect": ("inspect_ai",),
    "cluster": ("distributed",),
    "html": ("jinja2",),
    "plot": ("matplotlib",),
}


class _Words(NamedTuple):
    """The words around the parts of an error in one language."""

    colon: str
    comma: str
    stop: str
    field: str
    option: str
    expected: str
    found: str
    fix: str


WORDS = {
    ENGLISH: _Words(": ", ", ", ".", 'field "{}"', "option {}", "expected", "found", "Fix: "),
    CHINESE: _Words("：", "，", "。", "字段 {}", "选项 {}", "应为", "实际为", "处理方法："),
}


class MedzhError(Exception):
    """Bad input: the place, the problem and the fix.

    The commands print it and end with exit code 2.

    Parameters
    ----------
    problem : str
        The problem, in a few words.
    file : str, Path or zipfile.Path, optional
        The file.
    line : int, optional
        The line, from 1.
    field : str, optional
        The field, column or JSON pointer.
    expected : str, optional
        The expected value.
    found : object, optional
        The value that was found, shortened and with control characters escaped. With a private config it is withheld
        unless it is an integer, `Unredacted`, or the value of an option; so are all texts of other packages except a
        plain field name.
    advice : str, optional
        The fix.
    meant : str, optional
        The name that was probably meant; for options and arguments it is found in `expected`.

    Examples
    --------
    >>> print(MedzhError("not a text", file="p.jsonl", line=3, field="id", expected="a string", found=7))
    p.jsonl:3: field "id": not a text: expected a string, found 7
    """

    def __init__(  # noqa: PLR0913 - one optional part of the message each
        self,
        problem: str,
        *,
        file: str | Traversable | None = None,
        line: int | None = None,
        field: str | None = None,
        expected: str | None = None,
        found: object = None,
        advice: str | None = None,
        meant: str | None = None,
    ) -> None:
        if texts_are_withheld():
            # Another package may put any text into its words.
            raiser = sys._getframe(1)  # noqa: SLF001 - nothing else says whose code it is
            if raiser.f_globals.get("__name__", "").partition(".")[0] not in PACKAGES:
                problem, field = quotable(problem), field and quotable_key(field)
                expected, advice = expected and quotable(expected), advice and quotable(advice)
            elif field is not None and field.startswith("--") and isinstance(found, str):
                found = Unredacted(found)
        found = redacted(found)
        self.problem = problem
        self.file = None if file is None else str(file)
        self.line = line
        self.field = field
        self.expected = expected
        self.found = found
        self.advice = advice
        self.meant = meant
        super().__init__(problem)

    def probably(self) -> str | None:
        """Return the name that was probably meant, if there is one."""
        if self.meant is not None:
            return self.meant
        of_the_command = self.field is not None and (self.field.startswith("--") or self.field.isupper())
        if not (of_the_command and self.expected and isinstance(self.found, str)):
            return None
        names = re.split(r", | or ", self.expected)
        return closest(self.found, (name for name in names if " " not in name and not name.startswith(".")))

    def __str__(self) -> str:
        """Return the message in English."""
        return self.text_in(ENGLISH)

    def in_chinese(self) -> str:
        """Return the message in Chinese."""
        return self.text_in(CHINESE)

    def text_in(self, language: str) -> str:
        """Return the message in a language: place, problem, expected and found value, and the fix on a second line."""
        words, translate = WORDS[language], in_chinese if language == CHINESE else str
        place = (
            "" if self.file is None else self.file + (f":{self.line}" if self.line is not None else "") + words.colon
        )
        if self.field is not None:
            place += (words.option if self.field.startswith("--") else words.field).format(self.field) + words.colon
        values = []
        if self.expected is not None:
            values.append(_spaced(words.expected, translate(self.expected)))
        if self.found is not None:
            values.append(_spaced(words.found, translate(shown(self.found))))
        problem = place + translate(self.problem) + (words.colon + words.comma.join(values) if values else "")
        lines = [problem]
        if self.advice is not None:
            fix = words.fix + translate(self.advice)
            lines.append(fix if UNSTOPPED.search(fix) else fix + words.stop)
        if (meant := self.probably()) is not None:
            lines.append(translate(_("Did you mean {meant}?", meant=meant)))
        return "\n  ".join(printable(line.replace("\n", " ")) for line in lines)

    def alone(self) -> MedzhError:
        """Remove the cause of the error, whose messages and variables may contain texts."""
        self.__cause__ = self.__context__ = None
        return self.with_traceback(None)


def _spaced(word: str, value: str) -> str:
    """Join a word and a value by a space, but for two Chinese characters."""
    return word + ("" if not word.isascii() and not value[:1].isascii() else " ") + value


def printable(text: str) -> str:
    """Escape control characters, marks of direction, line ends and what UTF-8 cannot say."""
    # What Python calls printable holds none of them, which is found out sooner. Plain, even where it came as markup.
    return str(text) if text.isprintable() else CONTROLS.sub(lambda found: repr(found.group())[1:-1], text)


def shown(found: object) -> str:
    """Show a value of the user's in a message: quoted, escaped and shortened."""
    value = redacted(found)
    if isinstance(value, Worded):
        return value.message
    text = repr(value)
    return text if len(text) <= SHOWN_CHARACTERS else text[: SHOWN_CHARACTERS - 1] + "…"


def closest(written: str, names: Iterable[str]) -> str | None:
    """Give the name that is most like what was written, hyphens before it aside; None where none is."""
    from difflib import get_close_matches

    by_form = {_form(name): name for name in names}
    found = get_close_matches(_form(written), by_form, 1, ALIKE)
    return by_form[found[0]] if found else None


def _form(name: str) -> str:
    return name.lower().lstrip("-").replace("-", "_")


def extra_for(error: ImportError) -> str | None:
    """Name the extra that brings the library which was not found; None where no extra would help."""
    if not isinstance(error, ModuleNotFoundError):
        return None
    library = (error.name or "").partition(".")[0]
    return next((extra for extra, modules in MODULES_OF.items() if library in modules), None)


def how_to_add(extra: str) -> str:
    """Say how an extra is installed; medzh is installed from its source, or from a file of its own."""
    return _(
        "run `pip install 'medzh-score[{extra}]'`",
        extra=extra,
    )


def error_text(error: MedzhError) -> str:
    """Return the message of an error in the language of the command."""
    return error.text_in(current.get())


Given = ParamSpec("Given")
Returned = TypeVar("Returned")


def problem_of(error: Exception) -> MedzhError:
    """Put any error in one line's words."""
    match error:
        case MedzhError():
            return error
        case OSError():
            return MedzhError(error.strerror or str(error), file=error.filename)
        case MemoryError():
            return MedzhError(_("not enough memory"))
        case ImportError() if extra := extra_for(error):
            return MedzhError(
                _("library {error_name} is not installed", error_name=error.name), advice=how_to_add(extra)
            )
    words = " ".join(str(error).split())
    return MedzhError(
        _(
            "unexpected error {name}: {words}; report this to the developers",
            name=type(error).__name__,
            words=quotable(words),
        )
    )


def redact_errors(function: Callable[Given, Returned]) -> Callable[Given, Returned]:
    """Let a function of the public API quote no text of a private config, be it in what another error was raised from.

    Other errors than a `MedzhError` become one, since any library may quote what it could not read.
    """

    @wraps(function)
    def quiet(*args: Given.args, **kwargs: Given.kwargs) -> Returned:
        with at_work():
            try:
                return function(*args, **kwargs)
            except Exception as error:
                if not texts_are_withheld():
                    raise
                said = problem_of(error).alone()
        # Outside of the block, so that it leads to no other error, whose message or variables hold texts.
        raise said

    return quiet
