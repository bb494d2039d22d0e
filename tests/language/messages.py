"""All that the packages say to a user, found in their source: what the catalogue must know."""

from __future__ import annotations

import ast
import re
from functools import cache
from itertools import count

from places import ROOT

PACKAGES = ("medzh_score", "dataset_scripts")
RAISED = ("problem", "expected", "advice")  # the parts of an error that are words of ours
ARGPARSE = (
    *("usage: ", "positional arguments:", "options:", "show this help", "show program's", "the following arguments"),
    *("argument ", "unrecognized arguments", "ambiguous option", "error: "),
)  # said by argparse itself, or about it
SAYING = {"say", "defer_note", "translated", "Withheld"}  # functions whose texts reach a user as they are
WORDS_OF = {"help", "description", "epilog", "notes", *RAISED, "bring"}  # keywords
FILLING = {"answered_by", "again"}  # give what fills a gap
NOTES = re.compile(r"(?:.*_)?notes?")  # lists of sentences that are said later
SENTENCES = (
    "medzh_score/scoring/check.py",
    "medzh_score/cli/check.py",
)  # their sentences are handed on to be said
WORDS = re.compile(r"[a-z]{2}")
RESULTS = ("medzh_score/extraction",)  # its notes are results, in one language


def sentences(tree):
    """Gather the literals that are whole sentences; docstrings stand alone as statements."""
    alone = {id(node.value) for node in ast.walk(tree) if isinstance(node, ast.Expr)}
    found = [node for node in ast.walk(tree) if isinstance(node, ast.expr) and id(node) not in alone]
    return [node for node in found if re.fullmatch(r"[A-Z{].*(?: .*\.|: \{\d\})", template(node) or "")]


def template(node):
    """Write a literal with ``{0}``, ``{1}`` … for what it fills in; None where it is no literal."""
    if isinstance(node, ast.Constant):
        gaps = count()
        return (
            re.sub(r"\{([a-z_]+(:[^{}]*)?)?\}", lambda _: f"{{{next(gaps)}}}", node.value)
            if isinstance(node.value, str)
            else None
        )
    if not isinstance(node, ast.JoinedStr):
        return None
    text, gaps = "", 0
    for part in node.values:
        if isinstance(part, ast.Constant):
            text += str(part.value)
        else:
            text, gaps = f"{text}{{{gaps}}}", gaps + 1
    return text


def literals(node):  # noqa: PLR0911 - one for each form
    """Gather the texts that an expression may be: itself, or a side of a condition, a sum, a list."""
    found = template(node) if isinstance(node, ast.expr) else None
    if found is not None:
        return {found}
    match node:
        case ast.IfExp():
            return literals(node.body) | literals(node.orelse)
        case ast.BoolOp():
            return set().union(*map(literals, node.values))
        case ast.List() | ast.Tuple():
            return set().union(*map(literals, node.elts))
        case ast.Starred():
            return literals(node.value)
        case ast.ListComp() | ast.GeneratorExp():
            return literals(node.elt)
        case ast.Dict():
            return set().union(*map(literals, node.values))
    return set()


def named(node):
    """Gather the variables that an expression takes its text from."""
    return {one.id for one in ast.walk(node) if isinstance(one, ast.Name)} if isinstance(node, ast.expr) else set()


def in_calls(tree, notes):
    """Gather the expressions that are raised, said, noted or shown as help."""
    spoken: list[ast.expr] = []
    for node in ast.walk(tree):
        if not isinstance(node, ast.Call):
            continue
        name = getattr(node.func, "id", getattr(node.func, "attr", ""))
        noted = name in {"append", "extend"} and notes.fullmatch(getattr(getattr(node.func, "value", None), "id", ""))
        spoken += [node.args[place] for place in takes().get(name, ()) if place < len(node.args)]
        if name in {"MedzhError", "NothingToAskError", "row_error"}:
            spoken += [*node.args[:1], *(one.value for one in node.keywords if one.arg in RAISED)]
        if noted or name in SAYING:
            spoken += node.args[:1]
        if name in {"add_seed", "Stage", "_round"}:
            spoken += node.args[1:2]
        spoken += [one.value for one in node.keywords if one.arg in WORDS_OF]
        spoken += [ast.Call(one.value, [], []) for one in node.keywords if one.arg == "account"]
    return spoken


def assigned(tree, variables, notes):
    """Gather the expressions that become variables which are said."""
    spoken: list[ast.expr] = []
    for node in ast.walk(tree):
        if not isinstance(node, ast.Assign | ast.AugAssign):
            continue
        for target in getattr(node, "targets", [getattr(node, "target", None)]):
            sentences_by_code = isinstance(node.value, ast.Dict) and getattr(target, "id", "") == "TEMPLATES"
            if sentences_by_code or (
                isinstance(target, ast.Name) and (target.id in variables or notes.fullmatch(target.id))
            ):
                spoken.append(node.value)
            if isinstance(target, ast.Tuple) and isinstance(node.value, ast.Tuple):
                pairs = zip(target.elts, node.value.elts, strict=False)  # one side may be unpacked
                spoken += [value for one, value in pairs if getattr(one, "id", "") in variables]
    return spoken


@cache
def takes():
    """Say of functions, and of classes that only hold values, at which places they take words of ours."""
    found: dict[str, list[int]] = {}
    for path in (path for package in PACKAGES for path in (ROOT / package).rglob("*.py")):
        for node in parsed(path).body:
            names: list[str] = []
            if isinstance(node, ast.FunctionDef):
                names = [one.arg for one in node.args.args]
            if isinstance(node, ast.ClassDef):
                names = [one.target.id for one in node.body if isinstance(one, ast.AnnAssign)]
            found[getattr(node, "name", "")] = [place for place, name in enumerate(names) if name in RAISED]
    return found


def looped_over(tree, variables):
    """Name the tables that loops take variables from."""
    loops = [node for node in ast.walk(tree) if isinstance(node, ast.For) and isinstance(node.iter, ast.Name)]
    return {loop.iter.id for loop in loops if variables & named(loop.target)}


def called(spoken):
    """Name the functions that give a text, or lists of them, in the place of a literal."""
    names: set[str] = set()
    for one in spoken:
        match one:
            case ast.Call(func=ast.Name(id=name)):
                names.add(name)
            case ast.List(elts=parts) | ast.Tuple(elts=parts):
                names |= called(parts)
            case ast.Starred(value=part):
                names |= called([part])
            case ast.IfExp(body=first, orelse=second):
                names |= called([first, second])
    return names


@cache
def returns(tree):
    """Gather what each function returns, once for a module."""
    found: dict[str, list[ast.expr]] = {}
    for one in (node for node in ast.walk(tree) if isinstance(node, ast.FunctionDef)):
        values = [node.value for node in ast.walk(one) if isinstance(node, ast.Return)]
        found.setdefault(one.name, []).extend(value for value in values if value is not None)
    return found


def returned(tree, names):
    """Gather what functions of these names return."""
    return [value for name, values in returns(tree).items() if name in names for value in values]


@cache
def parsed(path):
    """Parse a module once."""
    return ast.parse(path.read_text(encoding="utf-8"))


@cache
def speaking():
    """Name the functions of all packages that give a text which reaches a user, and those that give it to them."""
    modules = [path for package in PACKAGES for path in (ROOT / package).rglob("*.py") if not of_results(path)]
    trees = [parsed(path) for path in modules]
    found = set().union(*(called([*in_calls(tree, NOTES), *assigned(tree, set(), NOTES)]) for tree in trees))
    while more := set().union(*(called(returned(tree, found)) for tree in trees)) - found:
        found |= more
    return (found | FILLING) - {"tuple", "str", "list"}


def of_results(path):
    """Say whether a module's notes are results."""
    return path.relative_to(ROOT).as_posix().startswith(RESULTS)


def of_module(path):
    """Gather what a module says."""
    tree = parsed(path)
    notes = re.compile("(?!)") if of_results(path) else NOTES
    spoken = in_calls(tree, notes)
    if not of_results(path):
        spoken += returned(tree, speaking())
    if path.relative_to(ROOT).as_posix() in SENTENCES:
        spoken += sentences(tree)
    choices = ast.Name | ast.IfExp | ast.BoolOp | ast.Subscript
    variables = {name for one in spoken if isinstance(one, choices) for name in named(one)}
    variables |= looped_over(tree, variables)
    found = set().union(*map(literals, [*spoken, *assigned(tree, variables, notes)]))
    found = {text if text.isspace() else " ".join(text.split()) if "\n" in text else text for text in found}
    return {text for text in found if WORDS.search(re.sub(r"\{\d+\}", "", text))}


@cache
def of_package(package):
    """Gather what each module of a package says, by its path."""
    return {path.relative_to(ROOT).as_posix(): of_module(path) for path in sorted((ROOT / package).rglob("*.py"))}
