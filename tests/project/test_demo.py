"""The simulated systems answer as they must, and ``make demo`` fits a screen or two and says what it is."""

from __future__ import annotations

import re
import sys
from importlib.util import module_from_spec, spec_from_file_location

import pytest
from places import ROOT

from dataset_scripts.inputs.upstream import read_objects
from dataset_scripts.recipes.open_sets import OPEN
from medzh_score import score

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
def demo(monkeypatch):
    monkeypatch.setitem(sys.modules, "simulated", SIMULATED)  # a tool of the tests has this name, too
    return example("demo")


def test_what_lies_there_is_what_the_simulated_systems_say():
    made = {f"{config}-{system}": (config, system) for config in SIMULATED.CONFIGS for system in SIMULATED.SYSTEMS}
    chosen = {f"cmhe_ce-{system}-choose": system for system in SIMULATED.SYSTEMS}
    assert FILES.keys() == made.keys() | chosen.keys(), "run: python examples/simulated.py"
    for name, of in made.items():
        assert [row for _, row in read_objects(FILES[name])] == [*SIMULATED.answers(*of)], name
    for name, system in chosen.items():
        said = SIMULATED.choices(system, FILES[f"cmhe_ce-{system}"])
        assert [row for _, row in read_objects(FILES[name])] == [*said], name


# Who agrees to everything is right of half the statements and dialogues, and of no pair of claims.
AGREEING = {"care_mi": ("TF-agree", 0.5), "cmhe_hd": ("accuracy", 50), "sdak": ("FactAcc", 0)}


@pytest.mark.parametrize("config", SIMULATED.CONFIGS)
def test_the_simulated_systems_score_as_they_must(config):
    reports = {one: score(config, FILES[f"{config}-{one}"], OPEN) for one in SIMULATED.SYSTEMS}
    primary = reports["good"].primary_name
    good, agreeing, careless = (reports[one].metrics[primary].value for one in SIMULATED.SYSTEMS)
    if config in AGREEING:
        assert (primary, agreeing) == (AGREEING[config][0], pytest.approx(AGREEING[config][1]))
    assert careless < good if good is not None else config == "cmhe_ce"  # which asks again before it counts


def test_it_prints_at_most_sixty_lines(demo, tmp_path):
    what, report, compared, configs, advice = parts = list(demo.page(tmp_path))
    assert len("\n".join(f"{part}\n" for part in parts).splitlines()) <= LONGEST
    assert "not the benchmarks. The three systems are simulated" in what
    assert "! open data, not the official benchmark: do not compare with published results" in report
    assert "good is 41.8 pp ahead (95% CI [35.6, 47.5]" in compared  # 356 less 189 of 400
    assert re.search(r"cmhe_hd +400 +accuracy +89\.0% +50\.0% +47\.3%", configs)
    assert [line.split()[0] for line in configs.splitlines()[3:]] == sorted(SIMULATED.CONFIGS)
    assert "medzh-score prompts sdak --data open" in advice
