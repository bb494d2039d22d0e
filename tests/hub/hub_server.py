"""The small dataset hub of the tests as a server on the loopback, which the real clients talk to."""

from __future__ import annotations

import json
import re
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import TYPE_CHECKING
from urllib.parse import parse_qs, unquote, urlsplit

from hub_replies import (
    as_json,
    commit_files,
    commits,
    create,
    described,
    info,
    lfs_batch,
    missing,
    preupload,
    refs,
    resolve,
    stored,
    tag,
    tree,
)

if TYPE_CHECKING:
    from collections.abc import Callable

    from hub_state import Commit, Reply, Repo

REPO = r"(?P<repo>[^/]+/[^/]+)"


def answered(hub, method, target, body, wanted):
    """Answer a request."""
    parts = urlsplit(target)
    path, query = unquote(parts.path), parse_qs(parts.query)
    fixed: dict[tuple[str, str], Callable[[], Reply]] = {
        ("POST", "/api/repos/create"): lambda: create(hub, json.loads(body)),
        ("POST", "/api/validate-yaml"): lambda: as_json({"errors": [], "warnings": []}),
        ("GET", "/api/whoami-v2"): lambda: as_json({"name": "tester", "type": "user", "orgs": []}),
    }
    patterns: dict[str, Callable[[re.Match[str]], Reply]] = {
        rf"/lfs/{REPO}/(?P<oid>[0-9a-f]{{64}})": lambda at: stored(hub, at["oid"], body),
        rf"/datasets/{REPO}\.git/info/lfs/objects/batch": lambda at: lfs_batch(hub, at["repo"], json.loads(body)),
        rf"/datasets/{REPO}/resolve/(?P<revision>[^/]+)/(?P<path>.+)": lambda at: _of_revision(
            hub, at["repo"], at["revision"], lambda _, commit: resolve(hub, commit, at["path"], wanted)
        ),
        rf"/api/datasets/{REPO}(?:/(?P<what>[a-z-]+)(?:/(?P<rest>.+))?)?": lambda at: _called(
            hub, method, at, body, query
        ),
    }
    if (method, path) in fixed:
        return fixed[method, path]()
    found = ((give, re.fullmatch(pattern, path)) for pattern, give in patterns.items())
    return next((give(at) for give, at in found if at), missing("repo"))


def _called(hub, method, called, body, query):
    name, what, rest = called["repo"], called["what"], called["rest"] or ""
    revision, _, path = (rest or "main").partition("/")
    ways: dict[tuple[str, str | None], Callable[[Repo, Commit], Reply]] = {
        ("GET", None): lambda _, commit: info(hub, name, commit, blobs="blobs" in query),
        ("GET", "revision"): lambda _, commit: info(hub, name, commit, blobs="blobs" in query),
        ("GET", "tree"): lambda _, commit: tree(hub, commit, path, recursive=query.get("recursive") != ["False"]),
        ("GET", "refs"): lambda repo, _: refs(repo),
        ("GET", "commits"): lambda repo, _: commits(repo),
        ("POST", "preupload"): lambda _, commit: preupload(hub, commit, json.loads(body)),
        ("POST", "commit"): lambda *_: commit_files(hub, name, body),
        ("POST", "tag"): lambda repo, _: tag(repo, revision, json.loads(body)["tag"]),
        ("POST", "paths-info"): lambda _, commit: as_json(
            [described(hub, commit, one) for one in parse_qs(body.decode())["paths"] if one in commit.files]
        ),
    }
    if (method, what) == ("DELETE", "tag"):
        return _of_revision(hub, name, "main", lambda repo, _: as_json({"was": repo.tags.pop(rest, None)}))
    if (method, what) not in ways:
        return missing("entry")
    return _of_revision(hub, name, "main" if what == "refs" else revision, ways[method, what])


def _of_revision(hub, name, revision, give):
    repo = hub.repos.get(name)
    if repo is None:
        return missing("repo")
    commit = repo.find(revision)
    return missing("revision") if commit is None else give(repo, commit)


def serve(hub):
    """Make a server of a hub; the caller lets it run, and ends it.

    Parameters
    ----------
    hub : Hub
        Its state; it gets its address.
    """

    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"
        disable_nagle_algorithm = True  # else head and body of a reply are 40 ms apart

        def _handle(self):
            body = sent(self)
            request = f"{self.command} {self.path}"
            with hub.lock:
                hub.requests.append(request)
                method = "GET" if self.command == "HEAD" else self.command
                wanted = self.headers.get("Range")
                reply = hub.troubled(request, lambda: answered(hub, method, self.path, body, wanted))
            if reply is None:
                self.close_connection = True
                return
            headers = {"Content-Length": str(len(reply.body)), **reply.headers}
            self.send_response(reply.status)
            for name, value in headers.items():
                self.send_header(name, value)
            self.end_headers()
            if self.command != "HEAD":
                self.wfile.write(reply.body)
            # A reply that is shorter than it says ends with the connection.
            self.close_connection = int(headers["Content-Length"]) != len(reply.body)

        do_GET = do_HEAD = do_POST = do_PUT = do_DELETE = _handle  # noqa: N815

        def log_message(self, *_):
            """Keep quiet."""

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    server.daemon_threads = True
    hub.address = f"http://127.0.0.1:{server.server_port}"
    return server


def sent(handler):
    """Read the body of a request, in chunks or whole."""
    if handler.headers.get("Transfer-Encoding") != "chunked":
        return handler.rfile.read(int(handler.headers.get("Content-Length") or 0))
    body = b""
    while size := int(handler.rfile.readline().split(b";")[0], 16):
        body += handler.rfile.read(size)
        handler.rfile.readline()
    handler.rfile.readline()
    return body
