"""A server of a model on the loopback, with the interface of OpenAI, as good or as bad as a test wants it."""

from __future__ import annotations

import json
import threading
import time
from collections import Counter
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.client import HTTPConnection
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

if TYPE_CHECKING:
    from collections.abc import Callable

PAGE = b"<!DOCTYPE html><html><head><title>502 Bad Gateway</title></head><body>nginx</body></html>"
MODEL = "medzh-test-7b"


def answer_to(prompt):
    """Give what the model says: of each prompt something else, with what JSON and lines must escape."""
    return f"答：{prompt[::-1]}\n\u2028“正确”\t🩺"


def body_of(prompt, **message):
    """Give the body of an ordinary response to a conversation."""
    said = {"role": "assistant", "content": answer_to(prompt), **message}
    return {"model": MODEL, "choices": [{"index": 0, "message": said, "finish_reason": "stop"}]}


@dataclass
class ModelServer:
    """What a server does, and what it was asked.

    ``behave`` gets the prompt, how often it came before, and the handler; where it gives True, it has answered.
    """

    behave: Callable[[str, int, Handler], bool] = lambda _prompt, _before, _handler: False
    requests: list[tuple[dict[str, str], dict[str, Any]]] = field(default_factory=list)
    asked: Counter[str] = field(default_factory=Counter)
    under_way: int = 0
    most_under_way: int = 0
    lock: threading.Lock = field(default_factory=threading.Lock)
    closing: threading.Event = field(default_factory=threading.Event)
    connections: int = 0
    base_url: str = ""

    def settle(self):
        """Wait until all that was sent so far has been counted: connections are taken in the order of their coming."""
        asked = HTTPConnection("127.0.0.1", urlsplit(self.base_url).port, timeout=30)
        asked.request("GET", "/")
        asked.getresponse().read()
        asked.close()
        while self.connections:
            time.sleep(0.001)


class Handler(BaseHTTPRequestHandler):
    """One connection."""

    protocol_version = "HTTP/1.1"
    disable_nagle_algorithm = True  # else head and body of a reply are 40 ms apart
    state: ModelServer

    def do_GET(self):
        self.close_connection = self.give(b"")

    def do_POST(self):
        state, body = self.state, json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        prompt = body["prompt"] if "prompt" in body else body["messages"][-1]["content"]
        with state.lock:
            before = state.asked[prompt]
            state.asked[prompt] += 1
            state.requests.append(({"path": self.path, **{k.lower(): v for k, v in self.headers.items()}}, body))
            state.under_way += 1
            state.most_under_way = max(state.most_under_way, state.under_way)
        try:
            if not state.behave(prompt, before, self):
                self.give(completion(body) if "prompt" in body else body_of(prompt))
        except (BrokenPipeError, ConnectionResetError):
            self.close_connection = True
        finally:
            with state.lock:
                state.under_way -= 1

    def give(self, body, status=200, **headers):
        """Answer, with JSON or with bytes as they are."""
        content = body if isinstance(body, bytes) else json.dumps(body).encode()
        self.send_response(status)
        for name, value in {"Content-Length": str(len(content)), **headers}.items():
            self.send_header(name.replace("_", "-"), value)
        self.end_headers()
        self.wfile.write(content)
        return True

    def hang(self):
        """Say nothing until the server ends."""
        self.state.closing.wait(30)
        self.close_connection = True
        return True

    def drop(self):
        """Close the connection without a word."""
        self.close_connection = True
        return True

    def drip(self, body, pause):
        """Answer byte by byte."""
        content = json.dumps(body).encode()
        self.send_response(200)
        self.send_header("Content-Length", str(len(content)))
        self.end_headers()
        for place in range(0, len(content), 16):
            self.wfile.write(content[place : place + 16])
            self.wfile.flush()
            time.sleep(pause)
        return True

    def log_message(self, *_):
        """Keep quiet."""


def completion(body):
    """Give the body of an ordinary response to a text to go on with."""
    return {"model": MODEL, "choices": [{"index": 0, "text": answer_to(body["prompt"]), "finish_reason": "length"}]}


class Server(ThreadingHTTPServer):
    """One whose clients may be killed at any time."""

    daemon_threads = True
    request_queue_size = 128
    RequestHandlerClass: type[Handler]

    def process_request(self, request, client_address):
        state = self.RequestHandlerClass.state
        with state.lock:
            state.connections += 1
        super().process_request(request, client_address)

    def shutdown_request(self, request):
        super().shutdown_request(request)
        state = self.RequestHandlerClass.state
        with state.lock:
            state.connections -= 1

    def handle_error(self, *_):
        """Keep quiet."""


@contextmanager
def serving(behave=None):
    """Serve a model while the block runs."""
    state = ModelServer() if behave is None else ModelServer(behave)
    with Server(("127.0.0.1", 0), type("Bound", (Handler,), {"state": state})) as server:
        state.base_url = f"http://127.0.0.1:{server.server_port}/v1"
        thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
        thread.start()
        try:
            yield state
        finally:
            state.closing.set()
            server.shutdown()
            thread.join()
