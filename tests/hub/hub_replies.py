"""How the small dataset hub of the tests answers each kind of request, errors with the codes that clients know."""

from __future__ import annotations

import base64
import hashlib
import json
import re
from http import HTTPStatus
from typing import Any

from hub_state import Commit, Reply, Repo

DATE = "2024-01-01T00:00:00.000Z"
LARGE = 4_096  # bytes from which a file goes by LFS, so that small samples use both ways
CODES = {"repo": "RepoNotFound", "revision": "RevisionNotFound", "entry": "EntryNotFound"}


def as_json(value, status=HTTPStatus.OK):
    """Answer with JSON."""
    return Reply(status, json.dumps(value).encode(), {"Content-Type": "application/json"})


def failure(status, message, code=None):
    """Answer with an error as the hub sends it."""
    headers = {"Content-Type": "application/json", "X-Error-Message": message}
    return Reply(status, json.dumps({"error": message}).encode(), headers | ({"X-Error-Code": code} if code else {}))


def missing(what):
    """Say that a repo, a revision or an entry is not there."""
    return failure(HTTPStatus.NOT_FOUND, f"{what} not found", CODES[what])


def oid_of(content):
    """Compute the id of a blob as git does."""
    return hashlib.sha1(b"blob %d\0%b" % (len(content), content)).hexdigest()  # noqa: S324 - git's


def described(hub, commit, path):
    """Describe a file as the tree does."""
    content = hub.blobs[commit.files[path]]
    about = {"type": "file", "oid": oid_of(content), "size": len(content), "path": path}
    if path in commit.large:
        about["lfs"] = {"oid": commit.files[path], "size": len(content), "pointerSize": 128}
    return about


def info(hub, name, commit, *, blobs):
    """Describe a repository at a commit."""
    siblings: list[dict[str, Any]] = []
    for path in sorted(commit.files):
        one: dict[str, Any] = {"rfilename": path}
        if blobs:
            about = described(hub, commit, path)
            one |= {"size": about["size"], "blobId": about["oid"]}
            if "lfs" in about:
                one["lfs"] = {"sha256": about["lfs"]["oid"], "size": about["size"], "pointerSize": 128}
        siblings.append(one)
    return as_json(
        {
            "_id": "0" * 24,
            "id": name,
            "author": name.split("/", maxsplit=1)[0],
            "sha": commit.oid,
            "lastModified": DATE,
            "createdAt": DATE,
            "private": hub.repos[name].private,
            "gated": False,
            "disabled": False,
            "downloads": 0,
            "likes": 0,
            "tags": [],
            "siblings": siblings,
        }
    )


def tree(hub, commit, folder, *, recursive):
    """List a folder."""
    prefix = f"{folder}/" if folder else ""
    inside = sorted(path for path in commit.files if path.startswith(prefix))
    if folder and not inside:
        return missing("entry")
    entries: list[dict[str, Any]] = []
    folders: set[str] = set()
    for path in inside:
        parts = path[len(prefix) :].split("/")
        for depth in range(1, len(parts)) if recursive else range(1, min(len(parts), 2)):
            above = prefix + "/".join(parts[:depth])
            if above not in folders:
                folders.add(above)
                entries.append({"type": "directory", "oid": oid_of(above.encode()), "size": 0, "path": above})
        if recursive or len(parts) == 1:
            entries.append(described(hub, commit, path))
    return as_json(entries)


def preupload(hub, commit, asked):
    """Say which files go by LFS."""
    answers = []
    for file in asked["files"]:
        mode = "lfs" if file["size"] >= LARGE else "regular"
        answer = {"path": file["path"], "uploadMode": mode, "shouldIgnore": False}
        if file["path"] in commit.files:
            standing = hub.blobs[commit.files[file["path"]]]
            answer["oid"] = commit.files[file["path"]] if mode == "lfs" else oid_of(standing)
        answers.append(answer)
    return as_json({"files": answers})


def commit_files(hub, name, lines):
    """Add a commit."""
    entries = [json.loads(line) for line in lines.splitlines() if line.strip()]
    header, repo = entries[0]["value"], hub.repos[name]
    last = repo.commits[-1]
    if header.get("parentCommit") not in (None, last.oid):
        return failure(HTTPStatus.PRECONDITION_FAILED, "the branch has moved on")
    files, large = dict(last.files), set(last.large)
    for entry in entries[1:]:
        kind, value = entry["key"], entry["value"]
        if kind == "file":
            files[value["path"]] = hub.keep(base64.b64decode(value["content"]))
            large.discard(value["path"])
        elif kind == "lfsFile":
            if value["oid"] not in hub.blobs:
                return failure(HTTPStatus.BAD_REQUEST, f"{value['path']} was not uploaded")
            files[value["path"]] = value["oid"]
            large.add(value["path"])
        elif kind in ("deletedFile", "deletedFolder"):
            gone = value["path"].rstrip("/")
            files = {path: oid for path, oid in files.items() if path != gone and not path.startswith(f"{gone}/")}
    text = json.dumps([last.oid, header["summary"], sorted(files.items())])
    oid = hashlib.sha1(text.encode()).hexdigest()  # noqa: S324 - as long as git's
    repo.commits.append(Commit(oid, header["summary"], files, frozenset(large & files.keys())))
    return as_json({"commitOid": oid, "commitUrl": f"{hub.address}/datasets/{name}/commit/{oid}"})


def lfs_batch(hub, name, asked):
    """Say where large files are to be put."""
    objects = []
    for one in asked["objects"]:
        answer: dict[str, Any] = {"oid": one["oid"], "size": one["size"]}
        if one["oid"] not in hub.blobs:
            answer["actions"] = {"upload": {"href": f"{hub.address}/lfs/{name}/{one['oid']}"}}
        objects.append(answer)
    return as_json({"transfer": "basic", "objects": objects})


def resolve(hub, commit, path, wanted):
    """Give a file, or a range of it."""
    if path not in commit.files:
        answer = missing("entry")
        return Reply(answer.status, answer.body, {**answer.headers, "X-Repo-Commit": commit.oid})
    content = hub.blobs[commit.files[path]]
    etag = commit.files[path] if path in commit.large else oid_of(content)
    headers = {
        "X-Repo-Commit": commit.oid,
        "ETag": f'"{etag}"',
        "Accept-Ranges": "bytes",
        "Content-Type": "application/octet-stream",
    }
    if wanted is None:
        return Reply(HTTPStatus.OK, content, headers)
    asked = re.fullmatch(r"bytes=(\d*)-(\d*)", wanted)
    if asked is None or asked[0] == "bytes=-":
        return Reply(HTTPStatus.OK, content, headers)
    first = int(asked[1]) if asked[1] else max(0, len(content) - int(asked[2]))
    last = min(int(asked[2]), len(content) - 1) if asked[1] and asked[2] else len(content) - 1
    if first >= len(content):
        headers["Content-Range"] = f"bytes */{len(content)}"
        return Reply(HTTPStatus.REQUESTED_RANGE_NOT_SATISFIABLE, b"", headers)
    headers["Content-Range"] = f"bytes {first}-{last}/{len(content)}"
    return Reply(HTTPStatus.PARTIAL_CONTENT, content[first : last + 1], headers)


def create(hub, asked):
    """Make a repository."""
    name = f"{asked['organization']}/{asked['name']}" if asked.get("organization") else f"tester/{asked['name']}"
    where = {"url": f"{hub.address}/datasets/{name}"}
    if name in hub.repos:
        return as_json(where | {"error": "exists"}, HTTPStatus.CONFLICT)
    first = Commit(hashlib.sha1(name.encode()).hexdigest(), "initial commit", {}, frozenset())  # noqa: S324
    hub.repos[name] = Repo([first], private=asked.get("visibility") == "private" or bool(asked.get("private")))
    return as_json(where)


def tag(repo, revision, name):
    """Name a commit."""
    commit = repo.find(revision)
    if commit is None:
        return missing("revision")
    if name in repo.tags:
        return failure(HTTPStatus.CONFLICT, f"Tag {name} exists")
    repo.tags[name] = commit.oid
    return as_json({})


def refs(repo):
    """List the branch and the tags."""
    branch = {"name": "main", "ref": "refs/heads/main", "targetCommit": repo.commits[-1].oid}
    tags = [{"name": name, "ref": f"refs/tags/{name}", "targetCommit": oid} for name, oid in repo.tags.items()]
    return as_json({"branches": [branch], "tags": tags, "converts": []})


def commits(repo):
    """List the commits, the last first."""
    about = [
        {"id": one.oid, "title": one.title, "message": "", "authors": [], "date": DATE}
        for one in reversed(repo.commits)
    ]
    return as_json(about)


def stored(hub, oid, content):
    """Take a large file."""
    if hub.keep(content) != oid:
        return failure(HTTPStatus.BAD_REQUEST, "is not what was announced")
    return Reply(HTTPStatus.OK, b"", {"ETag": oid})
