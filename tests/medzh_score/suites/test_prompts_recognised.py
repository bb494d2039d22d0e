"""What a prompts file says is found out once in a process, and anew where the file or the build is another."""

from __future__ import annotations

import json
import shutil

import pytest
from simulated import as_native, prompts_in, write_lines

from medzh_score.cli.main import main
from medzh_score.scoring import inputs
from medzh_score.scoring.pipeline import score


@pytest.fixture
def calls(monkeypatch):
    """Count how often a file is recognised."""
    found, real = [], inputs.sent_prompt
    monkeypatch.setattr(inputs, "RECOGNISED", {})
    monkeypatch.setattr(inputs, "sent_prompt", lambda *arguments: (found.append(1), real(*arguments))[1])
    return found


@pytest.fixture
def sent(minis, tmp_path):
    """Write prompts, and answer them."""
    path = tmp_path / "prompts.jsonl"
    assert main(["prompts", "tcmd", "--data", str(minis), "--shots", "0", "--output", str(path), "--quiet"]) == 0
    return path, as_native(prompts_in(path), "glm", tmp_path)


def test_equal_files_are_recognised_once(calls, sent, minis, tmp_path):
    path, answers = sent
    first = score("tcmd", answers, minis, prompts=path)
    again = score("tcmd", answers, minis, prompts=shutil.copy(path, tmp_path / "again.jsonl"))
    assert len(calls) == 1
    assert first.signature == again.signature
    assert first.results == again.results


def test_another_file_or_build_is_recognised_anew(calls, sent, minis, tmp_path):
    path, answers = sent
    score("tcmd", answers, minis, prompts=path)
    lines = [{**line, "generation": {"temperature": 0.25}} for line in prompts_in(path)]
    other = score("tcmd", answers, minis, prompts=write_lines(tmp_path / "other.jsonl", lines))
    assert (len(calls), other.signature["generation"]) == (2, "temperature=0.25")
    build = shutil.copytree(minis, tmp_path / "build")
    manifest = json.loads((build / "manifest.json").read_bytes())
    manifest["configs"]["tcmd"]["splits"]["train"] = {"digest": "of other examples"}
    (build / "manifest.json").write_text(json.dumps(manifest), encoding="utf-8")
    score("tcmd", answers, build, prompts=path)
    assert len(calls) == 3
    wrong = write_lines(tmp_path / "wrong.jsonl", [{**line, "id": "nobody"} for line in prompts_in(path)])
    for _ in range(2):
        with pytest.raises(Exception, match="no record has this id"):
            score("tcmd", answers, minis, prompts=wrong)
    assert len(calls) == 5
