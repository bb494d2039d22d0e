"""The file of CARE-MI's search for evidence, so that a build that waits for experts does not search again."""

from __future__ import annotations

from hashlib import sha256
from typing import TYPE_CHECKING

import msgspec

from dataset_scripts.recipes.care_mi.evidence import DEFAULT, QUERIES, STOP_LIST, Evidence, evidence_of
from medzh_score.files.json_text import NO_JSON
from medzh_score.files.writing import write_bytes
from medzh_score.text.bm25 import NAME
from medzh_score.text.tokens import TOKENS
from medzh_score.version import VERSION

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from pathlib import Path

    from dataset_scripts.recipes.care_mi.evidence import Retrieval
    from dataset_scripts.recipes.care_mi.samples import Sample

STAGE, FILE = "evidence", "evidence.json"


class _Searched(msgspec.Struct):
    """What stands in the file: what it was made of, a hash of what was found, and that."""

    made_of: str
    digest: str
    evidence: dict[str, list[Evidence]]


def searched(
    folder: Path, samples: Sequence[Sample], corpora: Mapping[str, Sequence[str]], retrieval: Retrieval = DEFAULT
) -> dict[str, tuple[Evidence, ...]]:
    """Give the evidence of each sample: from the file of an earlier build of the same, else by a search.

    A file of other samples, corpora, settings or versions, and one that was changed, is replaced.
    """
    path = folder / STAGE / FILE
    made_of = _made_of(samples, corpora, retrieval)
    found = _read(path, made_of)
    if found is None:
        found = evidence_of(samples, corpora, retrieval)
        path.parent.mkdir(parents=True, exist_ok=True)
        listed = {key: list(evidence) for key, evidence in found.items()}
        write_bytes(path, msgspec.json.encode(_Searched(made_of, _digest(listed), listed)))
    return found


def _read(path: Path, made_of: str) -> dict[str, tuple[Evidence, ...]] | None:
    try:
        stored = msgspec.json.decode(path.read_bytes(), type=_Searched)
    except (OSError, *NO_JSON):
        return None
    if stored.made_of != made_of or stored.digest != _digest(stored.evidence):
        return None
    return {key: tuple(evidence) for key, evidence in stored.evidence.items()}


def _made_of(samples: Sequence[Sample], corpora: Mapping[str, Sequence[str]], retrieval: Retrieval) -> str:
    digest = sha256(STOP_LIST.read_bytes())
    how = [VERSION, NAME, str(TOKENS[0]), retrieval.query, retrieval.stop_words]
    queries = [[sample.key, QUERIES[retrieval.query](sample)] for sample in samples]
    digest.update(msgspec.json.encode([how, queries, list(corpora)]))
    for paragraphs in corpora.values():
        digest.update(sha256(msgspec.json.encode(list(paragraphs))).digest())
    return digest.hexdigest()


def _digest(evidence: Mapping[str, Sequence[Evidence]]) -> str:
    return sha256(msgspec.json.encode(evidence)).hexdigest()
