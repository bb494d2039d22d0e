"""medzh-build fetch: bring upstream files into the cache, verified."""

from __future__ import annotations

import argparse
from contextlib import contextmanager, suppress
from difflib import get_close_matches
from pathlib import Path
from typing import TYPE_CHECKING

from dataset_scripts.recipe import dataset, dataset_names
from medzh_score.cli import options
from medzh_score.io.atomic import open_output, print_lines
from medzh_score.ui.errors import MedzhError
from medzh_score.ui.i18n import N_, _, translated
from medzh_score.ui.progress import progress_bars, shows_progress

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from dataset_scripts.sources.downloading import Report
    from dataset_scripts.sources.registry import Source
    from medzh_score.ui.cli import Parser


FETCH_DESCRIPTION = N_("""\
Download upstream files, verify them and keep them in a cache. A file that is there is verified, not fetched.

A config's name means every source that its recipes read; where a source has the same name, the config is meant.
The cache is laid out <owner>/<repo>/<commit>/<path>, so files can also be put there by hand.
""")
EPILOG = N_("""\
environment:
  MEDZH_SOURCES            the cache folder; it may be read-only if the files are there
  MEDZH_MIRROR             an address to use in place of https://raw.githubusercontent.com,
                           with the same layout as the cache below it
  https_proxy, no_proxy    as usual
""")


def add_fetch(parser: Parser) -> None:
    """Declare the arguments."""
    parser.describe(description=FETCH_DESCRIPTION, epilog=EPILOG, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument(
        "names", nargs="*", metavar="NAME-or-CONFIG", help=_("a source, or a config for all of its own")
    )
    parser.add_argument("--list", action="store_true", help=_("print the sources instead: all, or those named"))
    parser.add_argument("--cache", type=Path, metavar="DIR", help=_("the cache folder (default: MEDZH_SOURCES)"))
    parser.set_defaults(run=run_fetch)


def run_fetch(arguments: argparse.Namespace) -> int:
    """Carry the command out."""
    from dataset_scripts.sources.fetching import fetch
    from dataset_scripts.sources.registry import cache_folder

    cache = arguments.cache or cache_folder()
    chosen = _chosen(arguments.names)
    if arguments.list:
        print_lines(_table(chosen, cache))
        return 0
    if not arguments.names:
        advice = _("name sources or configs; medzh-build fetch --list prints the sources")
        raise MedzhError(_("nothing to fetch is named"), field="NAME-or-CONFIG", advice=advice)
    for name in arguments.names:
        if name not in {one for source in chosen for one in (source.name, *source.used_by)}:
            print_lines([translated(_("{name}: nothing to fetch, for its recipes read no upstream file", name=name))])
    for source in chosen:
        with _progress(source.name) as report:
            path = fetch(source, cache, report=report)
        print_lines([f"{source.name}: {path}"])
    return 0


def _chosen(names: list[str]) -> list[Source]:
    """Turn names of sources and configs into sources, each once; no name means all."""
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
    from dataset_scripts.sources.registry import REGISTRY, read_sources

    known = read_sources(REGISTRY)
    declared = set()
    for config in dataset_names():
        with suppress(MedzhError):  # what is broken hides only itself
            declared.add(dataset(config).sources.resolve())
    for file in sorted(declared - {REGISTRY.resolve()}):
        known = {**read_sources(file), **known}
    return known


def _named(name: str, known: dict[str, Source], configs: Iterable[str]) -> Source:

    if name in known:
        return known[name]
    close = get_close_matches(name, [*known, *configs], n=3)
    advice = (
        _("did you mean {meant}?", meant=", ".join(close))
        if close
        else _("medzh-build fetch --list prints the sources")
    )
    raise MedzhError(
        _("no such source"), field="NAME-or-CONFIG", expected=_("a source or a config"), found=name, advice=advice
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
    if not shows_progress():
        yield lambda done, total: None  # noqa: ARG005 - the shape of a report
        return
    with progress_bars() as bars:
        task = bars.add_task(name, total=None)
        yield lambda done, total: bars.update(task, completed=done, total=total)


PIN_DESCRIPTION = N_("""\
Write entries of a sources.toml for files of a commit on GitHub that are at hand: with the git blob SHA-1 of each, and
the address from which medzh-build fetch brings it. Nothing is fetched. The files are found in the cache, laid out
<owner>/<repo>/<commit>/<path>, or in a folder that is a copy of the repository (--from).
""")


def add_pin(parser: Parser) -> None:
    """Declare the arguments."""
    parser.describe(description=PIN_DESCRIPTION)
    parser.add_argument("commit", metavar="OWNER/REPO@COMMIT", help=_("the repository, and 40 hex digits"))
    parser.add_argument("paths", nargs="+", metavar="PATH", help=_("of files inside it"))
    parser.add_argument(
        "--from", dest="folder", type=Path, metavar="FOLDER", help=_("a copy of it (default: the cache)")
    )
    parser.add_argument("--config", default="", metavar="CONFIG", help=_("whose recipes read them"))
    parser.add_argument(
        "--licence",
        default="unknown",
        metavar="SPDX",
        help=_("the licence (default: unknown); redistributable is yours to set"),
    )
    parser.add_argument("--citation", metavar="TEXT", help=_("how the authors are named (default: the owner)"))
    options.add_out(parser)
    parser.set_defaults(run=run_pin)


def run_pin(arguments: argparse.Namespace) -> int:
    """Carry the command out."""
    from dataset_scripts.sources.pinning import pinned, written

    sources = pinned(
        arguments.commit,
        arguments.paths,
        folder=arguments.folder,
        used_by=(arguments.config,) if arguments.config else (),
        licence=arguments.licence,
        citation=arguments.citation,
    )
    with open_output(arguments.out) as stream:
        stream.write(written(sources).encode("utf-8"))
    return 0
