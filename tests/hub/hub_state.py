"""What the small dataset hub of the tests holds, in memory, and what a test wants to go wrong."""

from __future__ import annotations

import hashlib
import re
import threading
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from http import HTTPStatus


@dataclass(frozen=True)
class Commit:
    """What a revision holds."""

    oid: str  # 40 hex digits
    title: str
    files: Mapping[str, str]  # the SHA-256 of each file, by path
    large: frozenset[str]  # the paths of those that went by LFS


@dataclass
class Repo:
    """A dataset repository: one branch, tags."""

    commits: list[Commit]
    tags: dict[str, str] = field(default_factory=dict)
    private: bool = False

    def find(self, revision):
        """Give the commit of a branch, a tag or an oid."""
        oid = self.commits[-1].oid if revision in ("main", "refs/heads/main") else self.tags.get(revision, revision)
        return next((commit for commit in self.commits if commit.oid == oid), None)


@dataclass(frozen=True)
class Reply:
    """An answer to a request."""

    status: HTTPStatus
    body: bytes
    headers: Mapping[str, str] = field(default_factory=dict)


@dataclass
class Trouble:
    """What goes wrong for requests ``METHOD /path`` of a pattern, so many times: no reply closes the connection."""

    pattern: str
    change: Callable[[Callable[[], Reply]], Reply | None]  # from what carries the request out
    times: int = 1_000_000


@dataclass
class Hub:
    """The state of the hub: its URL, repositories, blobs by SHA-256, requests so far, and troubles in order."""

    address: str = ""
    repos: dict[str, Repo] = field(default_factory=dict)
    blobs: dict[str, bytes] = field(default_factory=dict)
    requests: list[str] = field(default_factory=list)
    troubles: list[Trouble] = field(default_factory=list)
    lock: threading.RLock = field(default_factory=threading.RLock)

    def keep(self, content):
        """Store a blob and give its SHA-256."""
        digest = hashlib.sha256(content).hexdigest()
        self.blobs[digest] = content
        return digest

    def file(self, repo, revision, path):
        """Give what a file holds in a revision."""
        commit = self.repos[repo].find(revision)
        assert commit is not None
        return self.blobs[commit.files[path]]

    def troubled(self, request, carry_out):
        """Answer a request as trouble allows it."""
        for trouble in self.troubles:
            if trouble.times > 0 and re.search(trouble.pattern, request):
                trouble.times -= 1
                return trouble.change(carry_out)
        return carry_out()
