"""The file of CARE-MI's search: used again for the same, never for anything else."""

from __future__ import annotations

import json

import pytest

from dataset_scripts.recipes.care_mi import evidence_file
from dataset_scripts.recipes.care_mi.evidence import Retrieval, evidence_of
from dataset_scripts.recipes.care_mi.evidence_file import searched
from dataset_scripts.recipes.care_mi.samples import Sample

CORPORA = {
    "textbooks": (
        "孕前三个月起补充叶酸可以预防胎儿神经管畸形。",
        "新生儿黄疸明显时可用光照疗法。",
        "母乳喂养应按需进行。",
    ),
    "wikipedia": ("叶酸是一种水溶性维生素。", "胎盘早剥会引起阴道流血。", "脐带绕颈多数不影响分娩。"),
}


def sample_of(key, statement):
    return Sample(key, "MEDQA", "tf", "", f"{statement}吗？", f"{statement}。", "", "negation", (), "")


SAMPLES = (sample_of("1", "叶酸可预防胎儿神经管畸形"), sample_of("2", "光照疗法可治疗新生儿黄疸"))


@pytest.fixture(scope="module")
def evidence():
    return evidence_of(SAMPLES, CORPORA)


@pytest.fixture
def searches(monkeypatch):
    """Count the searches."""
    made = []

    def search(*arguments):
        made.append(arguments)
        return evidence_of(*arguments)

    monkeypatch.setattr(evidence_file, "evidence_of", search)
    return made


@pytest.fixture
def file(tmp_path):
    return tmp_path / "evidence" / "evidence.json"


def test_the_same_is_searched_for_once(tmp_path, searches, file, evidence):
    assert searched(tmp_path, SAMPLES, CORPORA) == evidence
    first = file.read_bytes()
    assert searched(tmp_path, SAMPLES, CORPORA) == evidence
    assert len(searches) == 1
    assert file.read_bytes() == first
    assert all(evidence.values())


@pytest.mark.parametrize(
    ("samples", "corpora", "retrieval"),
    [
        (SAMPLES[:1], CORPORA, Retrieval()),
        ((sample_of("3", "叶酸可预防胎儿神经管畸形"), SAMPLES[1]), CORPORA, Retrieval()),
        ((SAMPLES[0], sample_of("2", "母乳喂养应按需进行")), CORPORA, Retrieval()),
        (SAMPLES, {**CORPORA, "wikipedia": CORPORA["wikipedia"][:2]}, Retrieval()),
        (SAMPLES, dict(zip(reversed(CORPORA), CORPORA.values(), strict=True)), Retrieval()),
        (SAMPLES, dict(reversed(CORPORA.items())), Retrieval()),
        (SAMPLES, CORPORA, Retrieval(stop_words="none")),
        (SAMPLES, CORPORA, Retrieval(query="code")),
    ],
    ids=["fewer samples", "key", "statement", "paragraphs", "names", "order", "stop words", "query"],
)
def test_anything_else_is_searched_for_anew(tmp_path, searches, samples, corpora, retrieval):
    searched(tmp_path, SAMPLES, CORPORA)
    assert searched(tmp_path, samples, corpora, retrieval) == evidence_of(samples, corpora, retrieval)
    assert len(searches) == 2


def test_another_version_searches_anew(tmp_path, searches, monkeypatch):
    searched(tmp_path, SAMPLES, CORPORA)
    monkeypatch.setattr(evidence_file, "VERSION", "0.0.0-other")
    searched(tmp_path, SAMPLES, CORPORA)
    assert len(searches) == 2


@pytest.mark.parametrize("damage", ["", "{", "[]", "\x00", "\ud800", "cut", "changed"])
def test_a_damaged_or_changed_file_is_replaced(tmp_path, searches, file, evidence, damage):
    searched(tmp_path, SAMPLES, CORPORA)
    first = file.read_bytes()
    changed = json.loads(first)
    changed["evidence"]["1"][0][2] = "另一段文字，不在任何语料里。"
    files = {"cut": first[:-20], "changed": json.dumps(changed).encode()}
    file.write_bytes(files.get(damage, damage.encode("utf-8", "surrogatepass")))
    assert searched(tmp_path, SAMPLES, CORPORA) == evidence
    assert len(searches) == 2
    assert file.read_bytes() == first


def test_what_a_killed_build_left_is_not_read(tmp_path, searches, file, evidence):
    file.parent.mkdir()
    (file.parent / f".{file.name}.1.0.part").write_bytes(b'{"made_of": "')
    assert searched(tmp_path, SAMPLES, CORPORA) == evidence
    assert len(searches) == 1
