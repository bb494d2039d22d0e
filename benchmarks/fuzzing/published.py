"""What is written for others: pages, boards, exports and cards of models, of damaged results and into damaged cards."""

from __future__ import annotations

import shutil
from typing import TYPE_CHECKING

from fuzzing.targets import files_below, reseal

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from fuzzing.targets import Target, Work

RESULTS = """model-index:
- name: one   # as it is on the hub
  results:
  - task: {type: text-classification}
    dataset:
      name: SDAK
      type: org/medzh
    metrics:
    - type: accuracy
      value: 0.5
"""
CARDS = {
    "none.md": "# 模型\n\n没有 YAML。\n",
    "fields.md": "---\nlicense: mit # why\ntags: [a,   b]\nlanguage:\n- zh\n---\n# 模型\n---\nnot YAML: [\n",
    "model.md": f"---\nlicense: mit\n{RESULTS}# behind\npipeline_tag: text-generation\n---\n# 模型\n",
    "aliases.md": f"---\na: &a [x, y]\nb: &b [*a, *a]\nc: &c {{k: *b}}\n<<: *c\n{RESULTS}---\n",
    "other.md": f"---\r\n{RESULTS}---\r\n# 模型\r\n".replace("name: one", "name: two"),
}


def of_pages(work: Work) -> Iterator[Target]:
    """Damage a result folder that becomes a page, or one that stands on a board."""
    folder = work.folder / "results"
    inside = [f"one/{name}" for name in files_below(folder / "one")]
    board = "board {}/one {}/two {}/three -o {}/site --bootstrap 9 --permutations 9"
    for resealed in (False, True):
        of = " resealed" if resealed else ""
        page = "show {}/one --to html --include-text full"
        yield work.target(f"page{of}", page, folder, *inside, resealed=resealed)
        yield work.target(f"board{of}", board, folder, *inside, resealed=resealed)


def of_cards(work: Work) -> Iterator[Target]:
    """Damage model cards into which results go, and the results that go there or into other forms."""
    folder = work.place("cards")
    _as_official(work.folder / "results" / "one", folder / "one")
    for name, text in CARDS.items():
        (folder / name).write_text(text, encoding="utf-8", newline="")
        line = f"export {{}}/one --update-card {{}}/{name} --yes"
        yield work.target(f"export into {name}", line, folder, name)
    inside = [f"one/{name}" for name in files_below(folder / "one")]
    evaluator = "--date 2026-01-02 --organisation 医院 --relationship other"
    for form, more in (("model-index", ""), ("eee", evaluator), ("inspect-scores", "")):
        for resealed in (False, True):
            of = f"{form} resealed" if resealed else form
            line = f"export {{}}/one --to {form} {more}"
            yield work.target(f"export as {of}", line, folder, *inside, resealed=resealed)


def _as_official(result: Path, copy: Path) -> None:
    """Copy a result of a sample, of which nothing may be exported, as if it were of the authors' data."""
    shutil.copytree(result, copy)
    report = copy / "report.json"
    before = report.read_bytes()
    after = before.replace(b"/mini/", b"/official/")
    report.write_bytes(after)
    reseal(copy, before, after)
