"""How a file is damaged: its bytes, its lines, the values in it, or the tables and archives that it packs."""

from __future__ import annotations

import gzip
import io
import json
import re
import zipfile
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from fuzzing import tables

if TYPE_CHECKING:
    import random
    from collections.abc import Callable

# What stands in the place of a value: of every kind, large, deep, and what acts on who looks at it.
HOSTILE: tuple[str, ...] = (
    *("null", "true", "-1", "0", "1e308", "1e999", "NaN", "-0.0", "1.5", "9" * 30, "-" + "9" * 400, '""', "[]", "{}"),
    *(
        '"\\ud800"',
        '"\\u0000"',
        '"\\u001b[2J"',
        '"\\u202e"',
        '"=1+1"',
        '"-"',
        '" "',
        '"../x"',
        '"nan"',
        '"1"',
        "[null]",
    ),
    *(
        '"' + "医" * 5000 + '"',
        "[" * 5000 + "]" * 5000,
        "[" * 300 + "]" * 300,
        '{"a":' * 300 + "1" + "}" * 300,
        '{"a":' * 200 + "1" + "}" * 200,
        '[[{"id": 1}]]',
        "1" * 5000,
    ),
)
PIECES = (
    *(b"\x00", b"\xff", b"\xef\xbb\xbf", b"\r", b"\x1b[31m", b"\xed\xa0\x80", b"\xe2\x80\xae", b"\xc2\x9b", b'"', b"{"),
    *(b"[" * 3000, b"\xe2\x80\xa8", b"\n\n", b"\\", b"<<<<<<< HEAD\n", b"\xf0\x9f\x98\x80", b"9" * 400, b"'", b"."),
)
OTHERS = (
    *(
        b"",
        b"\n",
        b"{}",
        b"[]",
        b"null",
        b"7",
        b'"a"',
        b"[" * 100_000,
        b'{"a":' * 100_000,
        b"PAR1",
        b"PK\x03\x04",
        b"\x1f\x8b",
    ),
    *(b"\x89PNG\r\n\x1a\n", b"id,prediction\n", b"\xff\xfe{\x00}\x00", b"a = 1\n", b"\x00" * 1000, b",\n,\n"),
)


@dataclass(frozen=True)
class Mutation:
    """A damage, and whether it may change a number without a word: what a text says is its owner's affair."""

    name: str
    damage: Callable[[bytes, random.Random], bytes]
    silent: bool = False


def flipped(content: bytes, draw: random.Random) -> bytes:
    """Change some bytes."""
    changed = bytearray(content)
    for _ in range(draw.choice((1, 1, 2, 8)) if content else 0):
        changed[draw.randrange(len(changed))] = draw.randrange(256)
    return bytes(changed)


def cut(content: bytes, draw: random.Random) -> bytes:
    """Leave the end out."""
    return content[: draw.randrange(len(content) + 1)]


def headless(content: bytes, draw: random.Random) -> bytes:
    """Leave the beginning out."""
    return content[draw.randrange(min(len(content), 200) + 1) :]


def pierced(content: bytes, draw: random.Random) -> bytes:
    """Put bytes somewhere that belong nowhere."""
    at = draw.randrange(len(content) + 1)
    return content[:at] + draw.choice(PIECES) + content[at:]


def other(_content: bytes, draw: random.Random) -> bytes:
    """Put a file of another kind in its place."""
    return draw.choice(OTHERS)


def lines_doubled(content: bytes, draw: random.Random) -> bytes:
    """Let a line stand twice."""
    lines = content.splitlines(keepends=True) or [b""]
    line = draw.choice(lines)
    lines.insert(draw.randrange(len(lines) + 1), line)
    return b"".join(lines)


def line_lost(content: bytes, draw: random.Random) -> bytes:
    """Leave a line out."""
    lines = content.splitlines(keepends=True) or [b""]
    del lines[draw.randrange(len(lines))]
    return b"".join(lines)


def encoded(content: bytes, draw: random.Random) -> bytes:
    """Write the text in another encoding, with other line ends, or with a mark."""
    text = content.decode("utf-8", "replace")
    match draw.randrange(6):
        case 0:
            return text.encode(draw.choice(("utf-16", "utf-16-le", "utf-16-be", "utf-32")))
        case 1:
            return text.encode("gb18030")
        case 2:
            return b"\xef\xbb\xbf" * draw.choice((1, 2)) + content
        case 3:
            return text.replace("\n", "\r\n").encode()
        case 4:
            return text.replace("\n", "\r").encode()
        case _:
            return text.encode("big5", "replace")


def packed(content: bytes, draw: random.Random) -> bytes:
    """Compress it, and sometimes break that."""
    whole = gzip.compress(content, mtime=0)
    return whole if draw.random() < 0.5 else draw.choice((flipped, cut))(whole, draw)


def archive_edited(content: bytes, draw: random.Random) -> bytes:
    """Damage a member of an archive, such as a workbook, and pack it again."""
    try:
        with zipfile.ZipFile(io.BytesIO(content)) as archive:
            members = {one: archive.read(one) for one in archive.namelist()}
    except (zipfile.BadZipFile, OSError):
        return flipped(content, draw)
    if not members:
        return content
    name = draw.choice(sorted(members))
    members[name] = draw.choice((flipped, cut, pierced, value_edited, lines_doubled))(members[name], draw)
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w", zipfile.ZIP_DEFLATED) as archive:
        for one, inside in members.items():
            archive.writestr(one, inside)
    return stream.getvalue()


def value_edited(content: bytes, draw: random.Random) -> bytes:
    """Put something else in the place of one value or word of a text."""
    text = content.decode("utf-8", "replace")
    found = list(
        re.finditer(r'"(?:[^"\\\n]|\\.)*"|-?\d+(?:\.\d+)?|\btrue\b|\bfalse\b|\bnull\b|(?<=,)[^,\n]*(?=[,\n])', text)
    )
    if not found:
        return pierced(content, draw)
    place = draw.choice(found)
    return (text[: place.start()] + draw.choice(HOSTILE) + text[place.end() :]).encode("utf-8", "replace")


def keys_of(text: str) -> list[re.Match[str]]:
    """Find the keys of JSON objects, of TOML, and the heads of a table's columns."""
    found = list(re.finditer(r'"(?P<key>[^"\\\n]+)"(?=\s*:)|^(?P<name>[A-Za-z_.]+)(?=\s*=)', text, re.MULTILINE))
    return found or list(re.finditer(r"[^,\t\n\ufeff]+", text.partition("\n")[0]))


def key_renamed(content: bytes, draw: random.Random) -> bytes:
    """Give a key another name."""
    text = content.decode("utf-8", "replace")
    keys = keys_of(text)
    if not keys:
        return content
    place = draw.choice(keys)
    key = place.group()
    name = draw.choice(
        (key.replace('"', "")[:-1], key.replace('"', "") + "s", "x", "", "id", "医", "\\u001b", "a" * 3000)
    )
    name = f'"{name}"' if key.startswith('"') else name
    return (text[: place.start()] + name + text[place.end() :]).encode("utf-8", "replace")


def key_doubled(content: bytes, draw: random.Random) -> bytes:
    """Let an object have a key twice, the first time with another value."""
    text = content.decode("utf-8", "replace")
    keys = [one for one in keys_of(text) if one.group().startswith('"')]
    if not keys:
        return lines_doubled(content, draw)
    place = draw.choice(keys)
    value = draw.choice(HOSTILE)
    return (text[: place.start()] + f"{place.group()}: {value}, " + text[place.start() :]).encode("utf-8", "replace")


def node_edited(content: bytes, draw: random.Random) -> bytes:
    """Change the kind of one value anywhere in a line, or a document, of JSON."""
    lines = content.splitlines(keepends=True) or [b""]
    at = draw.randrange(len(lines))
    for whole in (False, True):
        try:
            value = json.loads(content if whole else lines[at])
        except (ValueError, RecursionError):
            continue
        node, key = _somewhere(value, draw)
        mark = "\x00here\x00"
        if key is None:
            return draw.choice(HOSTILE).encode()
        node[key] = mark
        written = (
            json.dumps(value, ensure_ascii=False)
            .replace(json.dumps(mark), draw.choice(HOSTILE), 1)
            .encode("utf-8", "replace")
        )
        return written if whole else b"".join([*lines[:at], written + b"\n", *lines[at + 1 :]])
    return value_edited(content, draw)


def _somewhere(value: Any, draw: random.Random) -> tuple[Any, Any]:  # noqa: ANN401 - JSON
    node, key = value, None
    while isinstance(node if key is None else node[key], dict | list) and (node if key is None else node[key]):
        inner = node if key is None else node[key]
        if key is not None and draw.random() < 0.15:
            break
        node, key = inner, draw.choice(list(inner) if isinstance(inner, dict) else range(len(inner)))
    return node, key


BYTES = (
    Mutation("bytes flipped", flipped, silent=True),
    Mutation("cut off", cut),
    Mutation("beginning lost", headless),
    Mutation("pierced", pierced, silent=True),
    Mutation("another kind", other),
)
TEXT = (
    *BYTES,
    Mutation("a line doubled", lines_doubled),
    Mutation("a line lost", line_lost),
    Mutation("another encoding", encoded),
    Mutation("compressed", packed),
    Mutation("a value of another kind", value_edited, silent=True),
    Mutation("a key renamed", key_renamed),
    Mutation("a key doubled", key_doubled),
    Mutation("a node of another kind", node_edited, silent=True),
)
ARCHIVE = (*BYTES, Mutation("a member damaged", archive_edited, silent=True))
TABLE = (*BYTES, Mutation("a column changed", tables.changed, silent=True))


def mutations_for(content: bytes) -> tuple[Mutation, ...]:
    """Give what can be done to a file of its kind."""
    if content.startswith(b"PK"):
        return ARCHIVE
    return TABLE if content.startswith(b"PAR1") else TEXT
