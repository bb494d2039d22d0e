"""The picture of layers: ``python docs/layers.py`` draws ``layers.svg`` from the rows in ``en/architecture.md``."""

from __future__ import annotations

import re
from pathlib import Path

DOCS = Path(__file__).resolve().parent
PICTURE = DOCS / "layers.svg"
PACKAGES = {"medzh_score": 400, "dataset_scripts": 20}  # as on the page, each with its left edge
WIDTH, HEIGHT, GAP, TOP = 300, 26, 6, 38
STYLE = "text{font:13px sans-serif;text-anchor:middle;fill:#222}rect{fill:#eef3f8;stroke:#5b7fa6}"
ARROW = 'fill="none" stroke="#5b7fa6" stroke-width="2"'


def rows_of(page: str) -> dict[str, list[list[str]]]:
    """Read the layers of each package from the top down; what stands in one row does not know each other."""
    blocks = re.findall(r"^```text\n(.*?)^```$", page, re.MULTILINE | re.DOTALL)
    rows = [[re.split(r"\s{2,}", line)[0].split(", ") for line in block.splitlines()] for block in blocks]
    return dict(zip(PACKAGES, rows, strict=True))


def column(package: str, rows: list[list[str]]) -> list[str]:
    """Draw the layers of one package."""
    left = PACKAGES[package]
    drawn = [f'<text x="{left + WIDTH // 2}" y="24" font-weight="bold">{package}</text>']
    for number, row in enumerate(rows):
        y, width = TOP + number * (HEIGHT + GAP), (WIDTH - GAP * (len(row) - 1)) // len(row)
        for place, name in enumerate(row):
            x = left + place * (width + GAP)
            drawn.append(f'<rect x="{x}" y="{y}" width="{width}" height="{HEIGHT}" rx="4"/>')
            drawn.append(f'<text x="{x + width // 2}" y="{y + 18}">{name}</text>')
    return drawn


def picture(page: str) -> str:
    """Draw both packages, an arrow down for imports within one, an arrow across for those of the other."""
    layers = rows_of(page)
    height = TOP + max(map(len, layers.values())) * (HEIGHT + GAP) + 14
    lines = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 720 {height}" width="720" height="{height}" role="img">',
        f"<style>{STYLE}</style>",
        f'<path d="M0 0h720v{height}H0z" fill="#fff"/>',
        *(line for package, rows in layers.items() for line in column(package, rows)),
        '<text x="357" y="100">imports</text>',
        f'<path d="M326 110h62m-8 -5l8 5l-8 5" {ARROW}/>',
        f'<path d="M710 44v{height - 80}m-5 -8l5 8l5 -8" {ARROW}/>',
        "</svg>",
    ]
    return "\n".join(lines) + "\n"


if __name__ == "__main__":
    PICTURE.write_text(picture((DOCS / "en" / "architecture.md").read_text(encoding="utf-8")), encoding="utf-8")
