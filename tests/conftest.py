"""What tests of several modules share."""

from __future__ import annotations

import os
import threading
from dataclasses import dataclass, field
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

NETWORK_VARIABLES = ("http_proxy", "https_proxy", "all_proxy", "no_proxy", "request_method", "medzh_mirror")


@pytest.fixture(scope="session")
def upstream_root() -> Path:
    """Give the cache folder of real upstream files; tests that need it are skipped where there is none."""
    chosen = os.environ.get("MEDZH_SOURCES")
    if chosen and Path(chosen).is_dir():
        return Path(chosen)
    if os.environ.get("MEDZH_REQUIRE_SOURCES"):
        pytest.fail("MEDZH_REQUIRE_SOURCES is set, but MEDZH_SOURCES names no folder")
    pytest.skip("needs real upstream files: set MEDZH_SOURCES")


@pytest.fixture(scope="session")
def upstream_file(upstream_root: Path) -> Callable[[str], Path]:
    """Give real upstream files by their path inside the cache."""

    def find(relative: str) -> Path:
        file = upstream_root / relative
        if file.is_file():
            return file
        if os.environ.get("MEDZH_REQUIRE_SOURCES"):
            pytest.fail(f"MEDZH_SOURCES has no {relative}")
        pytest.skip(f"MEDZH_SOURCES has no {relative}")

    return find


@pytest.fixture
def plain_network(monkeypatch: pytest.MonkeyPatch) -> None:
    """Take the proxies and the mirror of the tester's own environment away."""
    for name in NETWORK_VARIABLES:
        monkeypatch.delenv(name, raising=False)
        monkeypatch.delenv(name.upper(), raising=False)


@dataclass
class Mirror:
    """A folder that is served on the loopback, and what was asked for."""

    folder: Path
    address: str
    requests: list[str] = field(default_factory=list)


@pytest.fixture
def mirror(tmp_path: Path, plain_network: None) -> Iterator[Mirror]:  # noqa: ARG001 - a fixture for its effect
    """Serve an empty folder, which a test fills."""

    class Handler(SimpleHTTPRequestHandler):
        def do_GET(self) -> None:
            served.requests.append(self.path)
            super().do_GET()

        def log_message(self, *_: object) -> None:
            """Keep quiet."""

    folder = tmp_path / "mirror"
    folder.mkdir()
    with ThreadingHTTPServer(("127.0.0.1", 0), partial(Handler, directory=str(folder))) as server:
        served = Mirror(folder, f"http://127.0.0.1:{server.server_port}")
        thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
        thread.start()
        yield served
        server.shutdown()
        thread.join()
