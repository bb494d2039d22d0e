"""medzh-build fetch: download upstream files into the cache, and verify them."""

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
Download upstream files, verify them and store them in a cache. A file that is already in the cache is verified but not
downloaded. A config name selects all sources of its recipes. If a source and a config have the same name, the name
refers to the config. The cache layout is <owner>/<repo>/<commit>/<path>, so you can also add files by hand.
""")
EPILOG = N_("""\
environment variables: MEDZH_SOURCES: cache folder; can be read-only if it contains the files. MEDZH_MIRROR: address
to use instead of https://raw.githubusercontent.com, with the layout of the cache. https_proxy, no_proxy: standard
proxy settings.
""")


def add_fetch(parser: Parser) -> None:
    """Declare the arguments."""
    parser.describe(description=FETCH_DESCRIPTION, epilog=EPILOG, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument(
        "names",
        nargs="*",
        metavar="NAME-or-CONFIG",
        help=_("source name, or config name for all sources of the config"),
    )
    parser.add_argument(
        "--list",
        action="store_true",
        help=_("list the sources instead of downloading them: all sources, or only the specified ones"),
    )
    parser.add_argument("--cache", type=Path, metavar="DIR", help=_("cache folder (default: MEDZH_SOURCES)"))
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
        advice = _("specify sources or configs; run `medzh-build fetch --list` to list the sources")
        raise MedzhError(_("no source or config is specified"), field="NAME-or-CONFIG", advice=advice)
    for name in arguments.names:
        if name not in {one for source in chosen for one in (source.name, *source.used_by)}:
            print_lines(
                [translated(_("{name}: nothing to download, because its recipes use no upstream file", name=name))]
            )
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
        with suppress(MedzhError):  # a broken entry affects only itself
            declared.add(dataset(config).sources.resolve())
    for file in sorted(declared - {REGISTRY.resolve()}):
        known = {**read_sources(file), **known}
    return known


def _named(name: str, known: dict[str, Source], configs: Iterable[str]) -> Source:

    if name in known:
        return known[name]
    close = get_close_matches(name, [*known, *configs], n=3)
    advice = None if close else _("run `medzh-build fetch --list` to list the sources")
    raise MedzhError(
        _("unknown source or config"),
        field="NAME-or-CONFIG",
        expected=_("a source or a config"),
        found=name,
        advice=advice,
        meant=", ".join(close) or None,
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
    """Show a progress bar if standard error is a terminal."""
    if not shows_progress():
        yield lambda done, total: None  # noqa: ARG005 - the shape of a report
        return
    with progress_bars() as bars:
        task = bars.add_task(name, total=None)
        yield lambda done, total: bars.update(task, completed=done, total=total)


PIN_DESCRIPTION = N_("""\
Write sources.toml entries for local files of a GitHub commit, each with its git blob SHA-1 and the address from which
`medzh-build fetch` downloads the file. Nothing is downloaded. The files are in the cache, with the layout
<owner>/<repo>/<commit>/<path>, or in a folder that is a copy of the repository (--from).
""")


def add_pin(parser: Parser) -> None:
    """Declare the arguments."""
    parser.describe(description=PIN_DESCRIPTION)
    parser.add_argument("commit", metavar="OWNER/REPO@COMMIT", help=_("repository and commit (40 hex digits)"))
    parser.add_argument("paths", nargs="+", metavar="PATH", help=_("paths of files in the repository"))
    parser.add_argument(
        "--from",
        dest="folder",
        type=Path,
        metavar="FOLDER",
        help=_("local copy of the repository (default: the cache)"),
    )
    parser.add_argument("--config", default="", metavar="CONFIG", help=_("config with recipes that use the files"))
    parser.add_argument(
        "--license",
        default="unknown",
        metavar="SPDX",
        help=_(
            "license (default: unknown); the field `redistributable` is not set automatically, so set it in the "
            "generated file"
        ),
    )
    parser.add_argument(
        "--citation", metavar="TEXT", help=_("authors to name in the citation (default: the repository owner)")
    )
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
        licence=arguments.license,
        citation=arguments.citation,
    )
    with open_output(arguments.output) as stream:
        stream.write(written(sources).encode("utf-8"))
    return 0
