"""What ``make demo`` prints fits a screen or two, says what it is, and is built anew only where something changed."""

from __future__ import annotations

import os
import re
from importlib.util import module_from_spec, spec_from_file_location

import pytest
from places import ROOT

from medzh_score.benchmark.registry import config_names

LONGEST = 60  # lines


@pytest.fixture
def demo():
    spec = spec_from_file_location("demo", ROOT / "examples" / "demo.py")
    module = module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_it_prints_at_most_sixty_lines(demo, minis, tmp_path, monkeypatch):
    build = tmp_path / "medzh"
    build.symlink_to(minis)
    monkeypatch.setattr(demo, "is_built", lambda _: True)
    parts = list(demo.page(build))
    shown = "\n".join(f"{part}\n" for part in parts)
    assert len(shown.splitlines()) <= LONGEST
    _, report, compared, configs, advice = parts
    assert "note: The data are mini, not the official benchmark: compare with no paper." in report
    # 20 of model-b's 22 answers are right, one is wrong and one a refusal: as the README beside them has it.
    assert "90.91%" in report
    assert "20         0          0       1           1" in report
    assert " model-a   model-b   -18.18" in compared
    assert re.search(r"pemebench_medqa +22 +accuracy +72\.73%", configs)  # of model-a, 16 of 22
    assert [line.split()[0] for line in configs.splitlines()[2:]] == config_names()
    assert " -  " not in configs.partition("─\n")[2]  # every headline has a value
    assert "medzh-score prompts sdak --data mini" in advice


def test_it_builds_only_what_changed(demo, minis, tmp_path, monkeypatch):
    monkeypatch.setattr(demo, "ROOT", tmp_path)
    assert not demo.is_built(tmp_path / "no-build")
    for name in demo.MADE_OF:
        (tmp_path / name).mkdir()
    source = tmp_path / "schemas" / "sdak.schema.json"
    source.write_text("{}", encoding="utf-8")
    built = (minis / "manifest.json").stat().st_mtime
    for later, expected in ((-5, True), (5, False)):
        for path in (source, *(tmp_path / name for name in demo.MADE_OF)):
            os.utime(path, (built + later,) * 2)
        assert demo.is_built(minis) is expected
