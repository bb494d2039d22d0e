"""medzh-build fetch: bring upstream files into the cache, verified."""

from __future__ import annotations

import argparse
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from dataset_scripts.sources.downloading import Report
    from dataset_scripts.sources.registry import Source
    from medzh_score.messages.parser import Parser

DESCRIPTION = """\
Download upstream files, verify them and keep them in a cache. A file that is there is verified, not fetched.

A config's name means every source that its recipes read; where a source has the same name, the config is meant.
The cache is laid out <owner>/<repo>/<commit>/<path>, so files can also be put there by hand.
"""
EPILOGUE = """\
environment:
  MEDZH_SOURCES            the cache folder; it may be read-only if the files are there
  MEDZH_MIRROR             an address to use in place of https://raw.githubusercontent.com,
                           with the same layout as the cache below it
  https_proxy, no_proxy    as usual
"""


def add(parser: Parser) -> None:
    """Declare the arguments."""
    parser.describe(description=DESCRIPTION, epilog=EPILOGUE, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("names", nargs="*", metavar="NAME-or-CONFIG", help="a source, or a config for all of its own")
    parser.add_argument("--list", action="store_true", help="print the sources instead: all, or those named")
    parser.add_argument("--cache", type=Path, metavar="DIR", help="the cache folder (default: MEDZH_SOURCES)")
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    """Carry the command out."""
    from dataset_scripts.sources.fetching import fetch
    from dataset_scripts.sources.registry import cache_folder
    from medzh_score.files.writing import print_lines
    from medzh_score.messages.catalogue import translated
    from medzh_score.messages.errors import MedzhError

    cache = arguments.cache or cache_folder()
    chosen = _chosen(arguments.names)
    if arguments.list:
        print_lines(_table(chosen, cache))
        return 0
    if not arguments.names:
        advice = "name sources or configs; medzh-build fetch --list prints the sources"
        raise MedzhError("nothing to fetch is named", field="NAME-or-CONFIG", advice=advice)
    for name in arguments.names:
        if name not in {one for source in chosen for one in (source.name, *source.used_by)}:
            print_lines([translated(f"{name}: nothing to fetch, for its recipes read no upstream file")])
    for source in chosen:
        with _progress(source.name) as report:
            path = fetch(source, cache, report=report)
        print_lines([f"{source.name}: {path}"])
    return 0


def _chosen(names: list[str]) -> list[Source]:
    """Turn names of sources and configs into sources, each once; no name means all."""
    from dataset_scripts.recipe import dataset_names

    known = _known_sources()
    if not names:
        return list(known.values())
    configs = set(dataset_names()).union(*(source.used_by for source in known.values()))
    chosen: dict[str, Source] = {}
    for name in names:
        used = (source for source in known.values() if name in source.used_by)
        sources = used if name in configs else [_named(name, known, configs)]
        chosen.update((source.name, source) for source in sources)
    return list(chosen.values())


def _known_sources() -> dict[str, Source]:
    """Read the registry of this package, and those of other packages that declare a config."""
    from contextlib import suppress

    from dataset_scripts.recipe import dataset, dataset_names
    from dataset_scripts.sources.registry import REGISTRY, read_sources
    from medzh_score.messages.errors import MedzhError

    known = read_sources(REGISTRY)
    declared = set()
    for config in dataset_names():
        with suppress(MedzhError):  # what is broken hides only itself
            declared.add(dataset(config).sources.resolve())
    for file in sorted(declared - {REGISTRY.resolve()}):
        known = {**read_sources(file), **known}
    return known


def _named(name: str, known: dict[str, Source], configs: Iterable[str]) -> Source:
    from difflib import get_close_matches

    from medzh_score.messages.errors import MedzhError

    if name in known:
        return known[name]
    close = get_close_matches(name, [*known, *configs], n=3)
    advice = f"did you mean {', '.join(close)}?" if close else "medzh-build fetch --list prints the sources"
    raise MedzhError(
        "no such source", field="NAME-or-CONFIG", expected="a source or a config", found=name, advice=advice
    )


def _table(sources: list[Source], cache: Path) -> list[str]:
    from dataset_scripts.sources.fetching import cached_path

    rows = [("name", "bytes", "cached", "licence", "redistributable")]
    for source in sources:
        path = cached_path(source, cache)
        size = str(path.stat().st_size) if path.is_file() else "-"
        shared = "yes" if source.redistributable else "no"
        rows.append((source.name, size, "no" if size == "-" else "yes", source.licence, shared))
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    return ["  ".join(map(str.ljust, row, widths)).rstrip() for row in rows]


@contextmanager
def _progress(name: str) -> Iterator[Report]:
    """Show a bar on standard error where that is a terminal, and nothing elsewhere."""
    from medzh_score.messages.progress import progress_bars, shows_progress

    if not shows_progress():
        yield lambda done, total: None  # noqa: ARG005 - the shape of a report
        return
    with progress_bars() as bars:
        task = bars.add_task(name, total=None)
        yield lambda done, total: bars.update(task, completed=done, total=total)
