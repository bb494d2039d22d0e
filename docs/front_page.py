"""What the READMEs show, made anew: the picture of a report, and what their commands print.

``python docs/front_page.py`` writes both into the checkout; ``test_readmes`` holds
that nothing would change.
"""

from __future__ import annotations

import io
import re
import shlex
import shutil
import subprocess
import sys
from pathlib import Path
from tempfile import TemporaryDirectory

from rich.cells import cell_len, set_cell_size
from rich.console import Console
from rich.text import Text

ROOT = Path(__file__).resolve().parent.parent
ANSWERS = Path("examples") / "answers"
READMES = {"en": "README.md", "zh": "README.zh-CN.md"}
PICTURE = "docs/pictures/report.{}.svg"
REPORT = f"medzh-score score cmhe_hd {ANSWERS.as_posix()}/cmhe_hd-good.jsonl --data open"
TITLES = {
    "en": "cmhe_hd, recipe open: an open counterpart, not the benchmark; a simulated system",
    "zh": "cmhe_hd，recipe 为 open：开放的对应数据，不是官方基准；模拟系统",
}
OPTIONS = {"en": "--lang en", "zh": "--lang zh"}
PROGRAMS = {"medzh-score": "medzh_score", "medzh-build": "dataset_scripts"}
SHOWN = re.compile(r"(```sh\n)((?:(?!```).*\n)+)(```\n\n```text\n)((?:(?!```).*\n)+)(```\n)")
GAP = "…"
PICTURE_WIDTH, TEXT_WIDTH = 100, 108
PICTURE_TABLES = 4  # the first; those on how answers were read are left out
FONTS = re.compile(r"\s*@font-face \{.*?\}", re.DOTALL)  # the picture fetches nothing
RULE = re.compile(r"[ ─]*─[ ─]*")


def printed(commands: list[str], folder: Path) -> str:
    """Run commands in a folder, and give what the last one writes to standard output."""
    output = ""
    for command in commands:
        if command.startswith("#"):
            continue
        program, *words = shlex.split(command)
        line = [sys.executable, "-P", "-m", PROGRAMS[program], *words]
        output = subprocess.run(  # noqa: S603 - the project's own commands
            line, cwd=folder, check=True, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, encoding="utf-8"
        ).stdout
    return output


def cut(shown: list[str], output: list[str]) -> list[str]:
    """Cut what a command prints as it was cut before: so many lines before the gap, so many after it, no wider."""
    lines = [line if cell_len(line) <= TEXT_WIDTH else set_cell_size(line, TEXT_WIDTH - 1) + GAP for line in output]
    if GAP not in shown:
        return lines
    before = shown.index(GAP)
    after = len(shown) - before - 1
    return [*lines[:before], GAP, *lines[len(lines) - after :]]


def filled(text: str) -> str:
    """Fill in anew what the commands of a page print, where a block of text follows them."""

    def again(found: re.Match[str]) -> str:
        opening, commands, between, shown, closing = found.groups()
        output = printed(commands.splitlines(), folder).splitlines()
        return (
            f"{opening}{commands}{between}" + "".join(f"{one}\n" for one in cut(shown.splitlines(), output)) + closing
        )

    with TemporaryDirectory() as name:
        folder = Path(name)
        shutil.copytree(ROOT / ANSWERS, folder / ANSWERS)
        return SHOWN.sub(again, text)


def styled(lines: list[str], end: int) -> list[Text]:
    """Give heads of tables, what stands beneath the tables, and the note on the data a look of their own."""
    found = []
    for number, line in enumerate(lines):
        style = "dim" if number > end or RULE.fullmatch(line) else ""
        if number < end and not line.startswith(" "):
            style = "bold cyan"
        elif number < end and RULE.fullmatch(lines[number + 1]):
            style = "bold"
        elif number > end and "open" in line and "|" not in line:
            style = "bold yellow"
        found.append(Text(line, style=style))
    return found


def picture(language: str) -> str:
    """Draw the report of a simulated system as it stands in a terminal."""
    command = f"{REPORT} --width {PICTURE_WIDTH} {OPTIONS[language]}"
    *tables, closing = printed([command], ROOT).split("\n\n")
    lines = "\n\n".join([*tables[:PICTURE_TABLES], f" {GAP}"]).splitlines()
    console = Console(record=True, width=PICTURE_WIDTH, file=io.StringIO(), color_system="truecolor", emoji=False)
    head = [Text(f"$ {REPORT}", style="bold green"), Text("")]
    for line in [*head, *styled([*lines, "", *closing.splitlines()], len(lines))]:
        console.print(line, highlight=False)
    svg = FONTS.sub("", console.export_svg(title=TITLES[language], unique_id="report"))
    return "\n".join(line.rstrip() for line in svg.splitlines()) + "\n"


if __name__ == "__main__":
    for chosen, readme in READMES.items():
        page = ROOT / readme
        page.write_text(filled(page.read_text(encoding="utf-8")), encoding="utf-8")
        (ROOT / PICTURE.format(chosen)).write_text(picture(chosen), encoding="utf-8")
