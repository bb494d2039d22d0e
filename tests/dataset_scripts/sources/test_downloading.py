"""Downloads from a server on the loopback that misbehaves in every way that a network does."""

from __future__ import annotations

import re
import socket
import struct
import threading
import time
from dataclasses import dataclass, field, replace
from email.utils import formatdate
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from dataset_scripts.sources.downloading import Patience, download
from medzh_score.ui.errors import MedzhError

if TYPE_CHECKING:
    from collections.abc import Callable

CONTENT = bytes(range(256)) * 3000
HALF = len(CONTENT) // 2
QUICK = Patience(stall=5, attempts=3, pause=0)
BUSY = 5  # seconds that a machine under load may take on top


@dataclass
class Upstream:
    """A server that answers each request with the next fault of a script, and properly when the script is over."""

    address: str
    content: bytes = CONTENT
    script: list[Callable[[BaseHTTPRequestHandler], None]] = field(default_factory=list)
    paths: list[str] = field(default_factory=list)
    ranges: list[str | None] = field(default_factory=list)
    released: threading.Event = field(default_factory=threading.Event)

    @property
    def url(self) -> str:
        return f"{self.address}/a%20file.csv"


@pytest.fixture
def upstream(plain_network):  # noqa: ARG001 - a fixture for its effect
    class Handler(BaseHTTPRequestHandler):
        def do_GET(self):
            site.paths.append(self.path)
            site.ranges.append(self.headers["Range"])
            (site.script.pop(0) if site.script else serve)(self)

        def log_message(self, *_):
            pass

    class Server(ThreadingHTTPServer):
        def handle_error(self, *_):
            pass

    with Server(("127.0.0.1", 0), Handler) as server:
        site = server.site = Upstream(f"http://127.0.0.1:{server.server_port}")
        thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
        thread.start()
        yield site
        site.released.set()
        server.shutdown()
        thread.join()


@pytest.fixture
def part(tmp_path):
    return tmp_path / "file.part"


def send(handler, status, body=b"", **headers):
    handler.send_response(status)
    for name, value in headers.items():
        handler.send_header(name.replace("_", "-"), value)
    handler.end_headers()
    handler.wfile.write(body)


def serve(handler):
    content, asked = handler.server.site.content, handler.headers["Range"]
    if asked is None:
        send(handler, 200, content, Content_Length=len(content))
        return
    start = int(asked.removeprefix("bytes=").removesuffix("-"))
    if start >= len(content):
        send(handler, 416, Content_Range=f"bytes */{len(content)}", Content_Length=0)
        return
    span = f"bytes {start}-{len(content) - 1}/{len(content)}"
    send(handler, 206, content[start:], Content_Range=span, Content_Length=len(content) - start)


def ignore_range(handler):
    send(handler, 200, CONTENT, Content_Length=len(CONTENT))


def end_early(handler):
    send(handler, 200, CONTENT[:HALF], Content_Length=len(CONTENT))


def reset(handler):
    end_early(handler)
    handler.connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
    handler.connection.close()


def hang_up(handler):
    handler.connection.shutdown(socket.SHUT_RDWR)


def stall(handler):
    end_early(handler)
    handler.wfile.flush()
    handler.server.site.released.wait(10)


def silence(handler):
    handler.server.site.released.wait(10)


def no_length(handler):
    send(handler, 200, CONTENT)


def other_range(handler):
    span = f"bytes 7-{len(CONTENT) - 1}/{len(CONTENT)}"
    send(handler, 206, CONTENT[7:], Content_Range=span, Content_Length=len(CONTENT) - 7)


def short_range(handler):
    start = int(handler.headers["Range"].removeprefix("bytes=").removesuffix("-"))
    span = f"bytes {start}-{start + 99}/{len(CONTENT)}"
    send(handler, 206, CONTENT[start : start + 100], Content_Range=span, Content_Length=100)


def in_chunks(handler):
    handler.protocol_version = "HTTP/1.1"
    send(handler, 200, b"%x\r\n%b\r\n" % (HALF, CONTENT[:HALF]), Transfer_Encoding="chunked")
    handler.wfile.write(b"%x\r\n%b\r\n0\r\n\r\n" % (len(CONTENT) - HALF, CONTENT[HALF:]))
    handler.close_connection = True


def broken_chunks(handler):
    handler.protocol_version = "HTTP/1.1"
    send(handler, 200, b"%x\r\n%b" % (len(CONTENT), CONTENT[:HALF]), Transfer_Encoding="chunked")
    handler.close_connection = True


def status(code):
    return lambda handler: send(handler, code, b"a page", Content_Length=6)


def come_back(after, code=429):
    """Refuse once, and say when to come back; a function gives a date as servers write it."""

    def refuse(handler):
        written = after() if callable(after) else after
        send(handler, code, Retry_After=written, Content_Length=0)

    return refuse


def in_seconds(seconds):
    return lambda: formatdate(time.time() + seconds, usegmt=True)


def redirect(target):
    return lambda handler: send(handler, 302, Location=target, Content_Length=0)


def quiet(done, total):
    pass


def get(url, part, patience=QUICK, report=quiet):
    download(url, part, report, patience)
    return part.read_bytes()


def test_whole_download(upstream, part):
    seen = []
    assert get(upstream.url, part, report=lambda *state: seen.append(state)) == CONTENT
    assert (upstream.paths, upstream.ranges) == (["/a%20file.csv"], [None])
    assert seen == sorted(seen)
    assert seen[0] == (0, len(CONTENT))
    assert seen[-1] == (len(CONTENT), len(CONTENT))


@pytest.mark.parametrize("answer", [no_length, in_chunks])
def test_download_of_unknown_length(answer, upstream, part):
    upstream.script = [answer]
    seen = []
    assert get(upstream.url, part, report=lambda *state: seen.append(state)) == CONTENT
    assert seen[-1] == (len(CONTENT), None)


@pytest.mark.parametrize(
    ("held", "script", "ranges"),
    [
        (b"", [end_early], [None, f"bytes={HALF}-"]),
        (b"", [stall], [None, f"bytes={HALF}-"]),
        (CONTENT[:1000], [], ["bytes=1000-"]),
        (CONTENT[:1000], [short_range], ["bytes=1000-", "bytes=1100-"]),
        (b"x" * 1000, [ignore_range], ["bytes=1000-"]),
        (CONTENT[:1000], [other_range], ["bytes=1000-", None]),  # nothing is appended at a wrong place
        (CONTENT + b"more", [], [f"bytes={len(CONTENT) + 4}-", None]),
    ],
)
def test_what_is_held_is_continued_if_the_server_can(held, script, ranges, upstream, part):
    part.write_bytes(held)
    upstream.script = script
    assert get(upstream.url, part, replace(QUICK, stall=0.3)) == CONTENT
    assert upstream.ranges == ranges


@pytest.mark.parametrize("fault", [reset, hang_up, silence, broken_chunks, *map(status, (429, 500, 502, 503, 504))])
def test_passing_fault_is_survived(fault, upstream, part):
    upstream.script = [fault]
    assert get(upstream.url, part, replace(QUICK, stall=0.3)) == CONTENT
    assert len(upstream.paths) == 2


@pytest.mark.parametrize(
    ("held", "script", "words", "requests"),
    [
        (b"x", [status(416)] * 5, "HTTP 416", 2),  # started again only once
        (b"", [other_range], "HTTP 206", 1),
        (b"", [end_early] * 9, f"ended after {HALF} of {len(CONTENT)} bytes, 3 attempts", 3),
    ],
)
def test_what_never_comes_whole_is_an_error(held, script, words, requests, upstream, part):
    part.write_bytes(held)
    upstream.script = script
    with pytest.raises(MedzhError, match=words):
        get(upstream.url, part)
    assert len(upstream.paths) == requests


@pytest.mark.parametrize("code", [401, 403, 404, 407, 410, 451])
def test_refusal_is_final(code, upstream, part):
    upstream.script = [status(code)] * 9
    with pytest.raises(MedzhError, match=f"the download failed: HTTP {code}") as caught:
        get(upstream.url, part)
    assert len(upstream.paths) == 1
    assert "--source NAME=FILE" in caught.value.advice
    assert not part.exists()


@pytest.mark.parametrize(
    ("after", "code", "least", "most"),
    [
        ("1", 429, 1.0, 2.9),
        (in_seconds(2), 503, 0.9, 3.9),  # a date has whole seconds
        ("0", 503, 0.0, 0.9),
        (in_seconds(-3600), 429, 0.0, 0.9),
        ("soon", 503, 0.0, 0.9),  # says nothing: the pause of our own, which is none here
    ],
)
def test_a_server_is_left_alone_as_long_as_it_asks(after, code, least, most, upstream, part):
    upstream.script = [come_back(after, code)]
    begun = time.monotonic()
    assert get(upstream.url, part) == CONTENT
    assert least <= time.monotonic() - begun < most + BUSY
    assert len(upstream.paths) == 2


@pytest.mark.parametrize("after", ["3600", in_seconds(3600), "9" * 400])
def test_a_server_that_asks_for_a_long_wait_is_taken_at_its_word(after, upstream, part):
    part.write_bytes(CONTENT[:1000])
    upstream.script = [come_back(after, 503)]
    with pytest.raises(
        MedzhError,
        match=(
            r"the download failed: HTTP 503 .*\n  Fix: wait .* seconds, as the server requests, "
            r"and run the same command again to continue"
        ),
    ) as caught:
        get(upstream.url, part)
    assert len(upstream.paths) == 1
    assert part.read_bytes() == CONTENT[:1000]
    if after == "3600":
        assert "wait 3,600 seconds" in caught.value.advice


def test_pauses_grow_and_end_at_the_longest(upstream, part):
    upstream.script = [status(503)] * 3
    begun = time.monotonic()
    assert get(upstream.url, part, Patience(stall=5, attempts=4, pause=0.2, longest=0.3)) == CONTENT
    assert 0.2 + 0.3 + 0.3 <= time.monotonic() - begun < 3


@pytest.mark.parametrize("proxy", ["socks4://127.0.0.1:9", "gopher://127.0.0.1:9", "http://[::1"])
def test_a_proxy_of_another_kind_is_named(proxy, upstream, part, monkeypatch):
    monkeypatch.setenv("all_proxy", proxy)
    with pytest.raises(
        MedzhError,
        match=r"the proxy in the environment cannot be used: .*\n  Fix: set a proxy that begins with http://",
    ):
        get(upstream.url, part)
    assert upstream.paths == []


def test_redirect_is_followed(upstream, part):
    upstream.script = [redirect(f"{upstream.address}/elsewhere")]
    assert get(upstream.url, part) == CONTENT
    assert upstream.paths[1] == "/elsewhere"


@pytest.mark.parametrize("target", ["file:///etc/hostname", "ftp://127.0.0.1:9/file", "data:,text"])
def test_redirect_out_of_http_is_refused(target, upstream, part):
    upstream.script = [redirect(target)]
    with pytest.raises(MedzhError, match="the download failed"):
        get(upstream.url, part)
    assert not part.exists()


@pytest.mark.usefixtures("plain_network")
def test_nobody_listens(part):
    with socket.socket() as unused:
        unused.bind(("127.0.0.1", 0))
        url = f"http://127.0.0.1:{unused.getsockname()[1]}/file"
        with pytest.raises(
            MedzhError, match=re.escape(url) + r": the download failed: .*refused.*\n  Fix: .*https_proxy"
        ):
            get(url, part)


@pytest.mark.parametrize(
    "url",
    [
        *("file:///etc/hostname", "ftp://127.0.0.1/a", "data:,a", "/etc/hostname", "", "http://", "http://[::1/a"),
        *("http://127.0.0.1:port/a", "http://127.0.0.1:0/a", "http://127.0.0.1:9/文件", "http://127.0.0.1:9/a file"),
    ],
)
@pytest.mark.usefixtures("plain_network")
def test_other_addresses_are_refused(url, part):
    with pytest.raises(MedzhError, match="invalid download address"):
        get(url, part)
    assert not part.exists()


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs /dev/full")
def test_full_disk(upstream, part):
    part.symlink_to("/dev/full")
    with pytest.raises(
        MedzhError, match=r"cannot write to the path: No space left on device\n  Fix: free some disk space"
    ):
        get(upstream.url, part)
