"""What the packages say to a user: messages that are marked for translation, and texts that should be.

As a command (``make messages``) it brings the catalog in step with the code, and compiles it: marked messages that the
catalog lacks get an entry without a translation, which tests refuse, and what nobody says any more goes.
"""

from __future__ import annotations

import argparse
import ast
import errno
import inspect
import os
import re
import sys
from functools import cache
from pathlib import Path

from babel.messages.mofile import write_mo
from babel.messages.pofile import read_po, write_po

ROOT = Path(__file__).parents[2]

PACKAGES = ("medzh_score", "dataset_scripts", "docs")  # docs marks the heads of the tables in the manual
CATALOG = ROOT / "medzh_score/locale/zh_CN/LC_MESSAGES/medzh.po"
GAP = re.compile(r"\{[^{}]*\}")
MARKS = {"_": None, "N_": None, "pgettext": 0}  # with the argument that has the context
PAIRS = {"_n", "Nn_"}  # with the forms for one and for several
RAISED = ("problem", "expected", "advice")  # the parts of an error that are words of ours
SAYING = {"say", "defer_note", "translated", "Withheld"}  # functions whose texts reach a user as they are
SPOKEN = {"help", "description", "epilog", "notes", "bring", *RAISED}  # keywords
WORDS = re.compile(r"[a-z]{2,} [a-z]{2,}")  # a single word may be a name
SYSTEM = (  # of which the system's own words are known
    *(errno.ENOENT, errno.EACCES, errno.EPERM, errno.EEXIST, errno.EISDIR, errno.ENOTDIR, errno.ENOTEMPTY),
    *(errno.ENOSPC, errno.EROFS, errno.EIO, errno.EMFILE, errno.ENAMETOOLONG, errno.EDQUOT),
)
# What libraries say of files, and words that tables put together.
OTHERS = {
    "Expected int >= 0",
    "Compressed file ended before the end-of-stream marker was reached",
    "File is not a zip file",
    "[Errno -2] Name or service not known",
    "[Errno -3] Temporary failure in name resolution",
    "[Errno 111] Connection refused",
    *("all judge models", "all raters", "baseline (always right)", "baseline (always wrong)"),
    *("of 1 character", "of 1 word"),
}


@cache
def entries():
    """Read the catalog: context, English and Chinese; the context of whole texts is None.

    A message with two forms in English is two entries.
    """
    with CATALOG.open("rb") as file:
        return [
            (one.context, english, one.string[0] if isinstance(one.id, tuple) else one.string)
            for one in read_po(file)
            if one.id
            for english in (one.id if isinstance(one.id, tuple) else [one.id])
        ]


@cache
def trees():
    """Parse every module of the packages."""
    paths = [path for package in PACKAGES for path in sorted((ROOT / package).rglob("*.py"))]
    return {path.relative_to(ROOT).as_posix(): ast.parse(path.read_text(encoding="utf-8")) for path in paths}


def calls(tree):
    """Give the calls in a module with the name of what is called."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Call):
            yield getattr(node.func, "id", getattr(node.func, "attr", "")), node


def marked():
    """Give the messages that are marked: module, context and template."""
    yield from singles()
    yield from ((path, None, text) for path, *pair in pairs() for text in pair)


def pairs():
    """Give the messages with a form for one and a form for several: module and both templates."""
    for path, tree in trees().items():
        for name, call in calls(tree):
            if name in PAIRS and isinstance(call.func, ast.Name) and isinstance(call.args[0], ast.Constant):
                yield path, *(one.value for one in call.args[:2])


def singles():
    """Give the messages with one form."""
    for path, tree in trees().items():
        for name, call in calls(tree):
            if name in MARKS and isinstance(call.func, ast.Name):
                texts = [one.value for one in call.args if isinstance(one, ast.Constant)]
                if texts and len(texts) == (1 if MARKS[name] is None else 2) and texts[-1] is not None:
                    yield path, None if MARKS[name] is None else texts[0], prose(texts[-1])


def prose(text):
    """Join the lines of a description, as help does before it breaks them anew."""
    return " ".join(text.split()) if "\n" in text else text


def unmarked():
    """Give literals that reach a user without a mark: raised, said, or shown as help."""
    for path, tree in trees().items():
        for name, call in calls(tree):
            spoken = [one.value for one in call.keywords if one.arg in SPOKEN]
            if name in SAYING or name in {"MedzhError", "row_error"}:
                spoken += call.args[:1]
            for text in (one for node in spoken for one in literals(node)):
                if WORDS.search(text):
                    yield path, text


def literals(node):
    """Give the literals that an expression may be: itself, or a side of a condition, a sum, a list."""
    match node:
        case ast.Constant(value=str(text)):
            return [text]
        case ast.JoinedStr(values=parts):
            return ["".join(part.value if isinstance(part, ast.Constant) else "{}" for part in parts)]
        case ast.IfExp(body=first, orelse=second):
            return literals(first) + literals(second)
        case ast.BoolOp(values=several) | ast.List(elts=several) | ast.Tuple(elts=several):
            return [text for one in several for text in literals(one)]
        case ast.BinOp(left=first, right=second):
            return literals(first) + literals(second)
    return []


@cache
def written():
    """Give all that stands in source, templates and data of the packages, without the breaks of long literals."""
    kinds = ("py", "jinja", "toml", "json")
    files = [path for package in PACKAGES for kind in kinds for path in (ROOT / package).rglob(f"*.{kind}")]
    source = "\n".join(path.read_text(encoding="utf-8") for path in files if "open" not in path.parts)
    return re.sub(r'"\s*\n\s*f?"', "", source)


def unused():
    """Give the entries that no mark, no data file and no library says."""
    from dataset_scripts.recipes.open_sets import FLAGS
    from medzh_score.configs.sdak.metrics import HEURISTIC
    from medzh_score.terminology.icd10 import figure_chapters

    known = {(context, text) for _, context, text in marked()}
    composed = {f"third reviewer: {flag}" for flag in FLAGS} | {
        f"Incorrect pairs by error type, determined by {HEURISTIC}"
    }
    said = {*OTHERS, *composed, *map(os.strerror, SYSTEM), *figure_chapters().values()}
    source = written() + inspect.getsource(argparse)
    return [
        (context, english)
        for context, english, _ in entries()
        if (context, english) not in known and english not in said and english not in source
    ]


def main():
    """Bring the catalog in step with the code."""
    with CATALOG.open("rb") as file:
        catalog = read_po(file)
    for context, english in unused():
        catalog.delete(english, context=context)
    for _, *pair in pairs():
        catalog.delete(pair[1])
        entry = catalog.get(pair[0])
        if entry is None or entry.id != tuple(pair):
            catalog.delete(pair[0])
            catalog.add(tuple(pair), ("",))
            sys.stdout.write(f"to be translated: {pair[0]}\n")
    for _, context, english in singles():
        if catalog.get(english, context=context) is None:
            catalog.add(english, context=context)
            sys.stdout.write(f"to be translated: {english}\n")
    with CATALOG.open("wb") as file:
        write_po(file, catalog, width=120, sort_output=True)
    with CATALOG.with_suffix(".mo").open("wb") as file:
        write_mo(file, catalog)


if __name__ == "__main__":
    sys.path.insert(0, str(ROOT))
    main()
