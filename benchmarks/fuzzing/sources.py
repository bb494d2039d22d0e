"""What a build is made of and what is trained on it: settings, real sources of rebuilt recipes, ratings; damaged."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from fuzzing.targets import copied, files_below

from dataset_scripts.building import checking
from dataset_scripts.building.loading import problems_here
from dataset_scripts.sources.registry import REGISTRY, cache_folder, read_sources

if TYPE_CHECKING:
    from collections.abc import Iterator

    from fuzzing.targets import Target, Work

# Recipes that make something of some small sources, and these; larger ones take longer than a hang, undamaged.
SMALL = {
    "tcmd": ("tcmbench-fku", "tcmbench-khc", "tcmbench-cvr", "tcm-best4sdt-knowledge", "tcm-pharmacist-2022-1"),
}
SETTINGS = 'experts = 0\nmode = "paper"\n'
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
    """Damage settings, and sources of rebuilt recipes that are at hand; no others are read beside them."""
    cache = cache_folder()
    os.environ["MEDZH_SOURCES"] = str(work.place("no-sources"))
    yield _of_settings(work)
    known = read_sources(REGISTRY)
    for config, names in SMALL.items():
        folder = work.place(f"sources-{config}")
        found = {name: path for name in names if (path := cache / known[name].cached_as).is_file()}
        if found:
            files = dict(zip(found, copied(folder, *found.values()), strict=True))
            given = " ".join(f"--source {name}={{}}/{file}" for name, file in files.items())
            line = f"medzh-build build {config} --recipe rebuilt --out {{}}/built --rounds {{}}/rounds {given}"
            yield work.target(f"rebuilt {config}", line, folder, *files.values())


def _of_settings(work: Work) -> Target:
    folder = work.place("settings")
    (folder / "tree.txt").write_text("\n".join(TREE), encoding="utf-8")
    (folder / "names.csv").write_text("\n".join(NAMES), encoding="utf-8")
    (folder / "settings.toml").write_text(SETTINGS, encoding="utf-8")
    line = "medzh-build build cmhe_ce --recipe rebuilt --out {}/built --rounds {}/rounds"
    line = f"{line} --source cmhe_ce-settings={{}}/settings.toml --source mesh={{}}/tree.txt"
    line = f"{line} --source mesh-names={{}}/names.csv"
    return work.target("build by settings", line, folder, "settings.toml", "settings.toml", "tree.txt", "names.csv")


def of_checks(work: Work) -> Iterator[Target]:
    """Damage the files of a build that is checked; load_dataset is called here, for a process would take seconds."""
    checking.loading_problems = problems_here
    folder = work.place("checked")
    work.make(f"medzh-build build sdak --recipe mini --out {folder}/medzh", folder)
    names = [f"medzh/{name}" for name in files_below(folder / "medzh")]
    for resealed in (False, True):
        of = "check resealed" if resealed else "check"
        yield work.target(f"{of} of a build", "medzh-build check {}/medzh", folder, *names, resealed=resealed)
