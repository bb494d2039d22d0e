"""The simulated systems answer as they must; ``make demo`` fits a screen or two, and builds only what changed."""

from __future__ import annotations

import os
import re
from importlib.util import module_from_spec, spec_from_file_location

import pytest
from places import ROOT

from dataset_scripts.files.json_lines import read_objects
from dataset_scripts.recipes.open_sets import OPEN
from medzh_score import score
from medzh_score.benchmark.registry import config_names

LONGEST = 60  # lines


def example(name):
    """Load a script of the folder of examples."""
    spec = spec_from_file_location(name, ROOT / "examples" / f"{name}.py")
    module = module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


SIMULATED = example("simulated")
FILES = {path.stem: path for path in SIMULATED.ANSWERS.iterdir()}


@pytest.fixture
def demo():
    return example("demo")


def test_what_lies_there_is_what_the_simulated_systems_say():
    made = {f"{config}-{system}": (config, system) for config in SIMULATED.CONFIGS for system in SIMULATED.SYSTEMS}
    assert FILES.keys() == made.keys(), "run: python examples/simulated.py"
    for name, of in made.items():
        assert [row for _, row in read_objects(FILES[name])] == [*SIMULATED.answers(*of)], name


# Who agrees to everything is right of half the statements and dialogues, and of no pair of claims.
AGREEING = {"care_mi": ("TF-agree", 0.5), "cmhe_hd": ("accuracy", 50), "sdak": ("FactAcc", 0)}


@pytest.mark.parametrize("config", SIMULATED.CONFIGS)
def test_the_simulated_systems_score_as_they_must(config):
    reports = {one: score(config, FILES[f"{config}-{one}"], OPEN) for one in SIMULATED.SYSTEMS}
    primary = reports["good"].headline
    good, agreeing, careless = (reports[one].metrics[primary].value for one in SIMULATED.SYSTEMS)
    if config in AGREEING:
        assert (primary, agreeing) == (AGREEING[config][0], pytest.approx(AGREEING[config][1]))
    assert careless < good if good is not None else config == "cmhe_ce"  # which asks again before it counts


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
