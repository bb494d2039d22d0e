"""Tables of LaTeX and Markdown, read back."""

from __future__ import annotations

import re

# What stands unescaped in our LaTeX: commands, braces, cells and their ends, minus, arrows and ≈ in formulas, comments.
COMMAND = re.compile(r"\\(?:[A-Za-z]+|[&%$#_{}\\])")
FORMULA = re.compile(r"\$(?:-|\\approx|\\(?:up|down)arrow|\\pm)\$")


def structure_of(text):
    """Give what is wrong with the structure of a piece of LaTeX."""
    wrong, opened, depth = [], [], 0
    body = "\n".join(line for line in text.splitlines() if not line.startswith("% "))
    for kind, name in re.findall(r"\\(begin|end)\{(\w+)\}", body):
        if kind == "begin":
            opened.append(name)
        elif not opened or opened.pop() != name:
            wrong.append(f"end of {name}")
    plain = COMMAND.sub(lambda found: "" if found.group()[1].isalpha() else "x", FORMULA.sub("", body))
    for character in plain:
        depth += {"{": 1, "}": -1}.get(character, 0)
        if depth < 0:
            wrong.append("a brace too many")
            break
    wrong += opened + ["a brace too few"] * depth
    wrong += re.findall(r"[$#^~_\\]", plain) + re.findall("%(?=.)", plain)
    return wrong


def cells_of(row):
    """Take a row apart, what is escaped as it is meant."""
    return [re.sub(r"\\(.)", r"\1", cell) for cell in row.removeprefix("| ").removesuffix(" |").split(" | ")]
