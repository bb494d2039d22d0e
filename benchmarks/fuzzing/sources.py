"""What a build is made of and what is trained on it: sources, ratings; damaged."""

from __future__ import annotations

from typing import TYPE_CHECKING

from fuzzing.targets import files_below

from dataset_scripts.building import check
from dataset_scripts.building.loading import problems_here

if TYPE_CHECKING:
    from collections.abc import Iterator

    from fuzzing.targets import Target, Work

TREE = (
    *("Tree Number\tDesc Ui\tTerm", "C15.378.071\tD000740\tAnemia", "C15.378.071.085\tD000741\tAnemia, Aplastic"),
    *("C15.378.071.196\tD018798\tAnemia, Iron-Deficiency", "C15.378.071.141\tD000743\tAnemia, Hemolytic"),
    *("C05.550.114.423\tD006073\tGout", "C05.550.114\tD001168\tArthritis", "C05.651.869\tD052256\tTendinopathy"),
)
NAMES = (
    *("concept,name", "Anemia,贫血", "D018798,缺铁性贫血", "D000741,再生障碍性贫血", "D000743,溶血性贫血"),
    *("Gout,痛风", "Arthritis,关节炎"),
)


def of_sources(work: Work) -> Iterator[Target]:
    """Damage the tree and the names that a recipe reads."""
    folder = work.place("sources")
    (folder / "tree.txt").write_text("\n".join(TREE), encoding="utf-8")
    (folder / "names.csv").write_text("\n".join(NAMES), encoding="utf-8")
    line = "medzh-build build cmhe_ce --recipe mesh --output {}/built"
    line = f"{line} --source mesh={{}}/tree.txt --source mesh-names={{}}/names.csv"
    yield work.target("build of sources", line, folder, "tree.txt", "names.csv")


def of_checks(work: Work) -> Iterator[Target]:
    """Damage the files of a build that is checked; load_dataset is called here, for a process would take seconds."""
    check.loading_problems = problems_here
    folder = work.place("checked")
    work.make(f"medzh-build build sdak --recipe mini --output {folder}/medzh", folder)
    names = [f"medzh/{name}" for name in files_below(folder / "medzh")]
    for resealed in (False, True):
        of = "check resealed" if resealed else "check"
        yield work.target(f"{of} of a build", "medzh-build check {}/medzh", folder, *names, resealed=resealed)
