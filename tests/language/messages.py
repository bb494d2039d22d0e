"""All that the packages say to a user, found in their source: what the catalogue must know."""

from __future__ import annotations

import ast
import re
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent.parent
PACKAGES = ("medzh_score", "dataset_scripts")
RAISED = ("problem", "expected", "advice")  # the parts of an error that are words of ours
ARGPARSE = (
    "usage: ",
    "positional arguments:",
    "options:",
    "show this help",
    "show program's",
    "the following arguments",
    "argument ",
    "unrecognized arguments",
    "ambiguous option",
    "error: ",
)  # said by argparse itself, or about it
SAYING = {"say", "say_in_the_end", "translated"}  # functions whose texts reach a user as they are
HELP = {"help", "description", "epilog"}
NOTES = re.compile(r"(?:.*_)?notes?")  # lists of sentences that are said later
SENTENCES = ("medzh_score/soundness.py",)  # their sentences are handed on to be said
WORDS = re.compile(r"[a-z]{3}")
RESULTS = ("medzh_score/extraction", "medzh_score/commands/sensitivity.py")  # their notes are results, in one language


def sentences(tree: ast.Module) -> list[ast.expr]:
    """Gather the literals that are whole sentences; docstrings stand alone as statements."""
    alone = {id(node.value) for node in ast.walk(tree) if isinstance(node, ast.Expr)}
    found = [node for node in ast.walk(tree) if isinstance(node, ast.expr) and id(node) not in alone]
    return [node for node in found if re.fullmatch(r"[A-Z{].* .*\.", template(node) or "")]


def template(node: ast.expr) -> str | None:
    """Write a literal with ``{0}``, ``{1}`` … for what it fills in; None where it is no literal."""
    if isinstance(node, ast.Constant):
        return node.value if isinstance(node.value, str) else None
    if not isinstance(node, ast.JoinedStr):
        return None
    text, gaps = "", 0
    for part in node.values:
        if isinstance(part, ast.Constant):
            text += str(part.value)
        else:
            text, gaps = f"{text}{{{gaps}}}", gaps + 1
    return text


def literals(node: ast.AST) -> set[str]:  # noqa: PLR0911 - one for each form
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


def named(node: ast.AST) -> set[str]:
    """Gather the variables that an expression takes its text from."""
    return {one.id for one in ast.walk(node) if isinstance(one, ast.Name)} if isinstance(node, ast.expr) else set()


def in_calls(tree: ast.Module, notes: re.Pattern[str]) -> list[ast.expr]:
    """Gather the expressions that are raised, said, noted or shown as help."""
    spoken: list[ast.expr] = []
    for node in ast.walk(tree):
        if not isinstance(node, ast.Call):
            continue
        name = getattr(node.func, "id", getattr(node.func, "attr", ""))
        noted = name in {"append", "extend"} and notes.fullmatch(getattr(getattr(node.func, "value", None), "id", ""))
        if name == "MedzhError":
            spoken += [*node.args[:1], *(one.value for one in node.keywords if one.arg in RAISED)]
        if noted or name in SAYING:
            spoken += node.args[:1]
        if name == "add_seed":
            spoken += node.args[1:]
        spoken += [one.value for one in node.keywords if one.arg in HELP]
    return spoken


def assigned(tree: ast.Module, variables: set[str], notes: re.Pattern[str]) -> list[ast.expr]:
    """Gather the expressions that become variables which are said."""
    spoken: list[ast.expr] = []
    for node in ast.walk(tree):
        if not isinstance(node, ast.Assign | ast.AugAssign):
            continue
        for target in getattr(node, "targets", [getattr(node, "target", None)]):
            if isinstance(target, ast.Name) and (target.id in variables or notes.fullmatch(target.id)):
                spoken.append(node.value)
            if isinstance(target, ast.Tuple) and isinstance(node.value, ast.Tuple):
                pairs = zip(target.elts, node.value.elts, strict=True)
                spoken += [value for one, value in pairs if getattr(one, "id", "") in variables]
    return spoken


def of_module(path: Path) -> set[str]:
    """Gather what a module says."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    notes = re.compile("(?!)") if path.relative_to(ROOT).as_posix().startswith(RESULTS) else NOTES
    spoken = in_calls(tree, notes)
    if path.relative_to(ROOT).as_posix() in SENTENCES:
        spoken += sentences(tree)
    variables = {name for one in spoken if isinstance(one, ast.Name | ast.IfExp | ast.BoolOp) for name in named(one)}
    found = set().union(*map(literals, [*spoken, *assigned(tree, variables, notes)]))
    found = {text if text.isspace() else " ".join(text.split()) if "\n" in text else text for text in found}
    return {text for text in found if WORDS.search(re.sub(r"\{\d+\}", "", text))}


def of_package(package: str) -> dict[str, set[str]]:
    """Gather what each module of a package says, by its path."""
    return {path.relative_to(ROOT).as_posix(): of_module(path) for path in sorted((ROOT / package).rglob("*.py"))}
