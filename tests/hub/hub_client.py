"""Processes that talk to the small dataset hub of the tests: where the hub is, is read when they start."""

from __future__ import annotations

import os
import threading
from contextlib import contextmanager

from forked import started
from hub_server import serve
from hub_state import Hub

PROXIES = ("http_proxy", "https_proxy", "all_proxy", "no_proxy")


@contextmanager
def served(state=None):
    """Serve a hub, an empty one if none is given, until the block ends."""
    state = Hub() if state is None else state
    with serve(state) as server:
        thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
        thread.start()
        try:
            yield state
        finally:  # else a test that fails would leave a process that never ends
            server.shutdown()
            thread.join()


def environment(hub, home):
    """Give the environment of a process that knows this hub only, and has a home of its own."""
    own = {
        "HF_ENDPOINT": hub.address,
        "HF_HOME": str(home),
        "HF_HUB_DISABLE_XET": "1",
        "HF_HUB_DISABLE_TELEMETRY": "1",
        "HF_HUB_DISABLE_UPDATE_CHECK": "1",
        "HF_TOKEN": "tester",
        "HF_HUB_DOWNLOAD_TIMEOUT": "1",
        "HF_HUB_ETAG_TIMEOUT": "1",
    }
    return {name: value for name, value in os.environ.items() if name.lower() not in PROXIES} | own


def client_of(hub, home, run=started):
    """Give a function that runs Python in such a process; what is named is set beside, or taken away by None."""

    def client(*words, cwd=None, **changed):
        settings = {name: value for name, value in (environment(hub, home) | changed).items() if value is not None}
        return run(*words, env=settings, cwd=cwd)

    return client
