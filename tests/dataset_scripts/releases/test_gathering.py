"""What a closed network needs is gathered by pip: tried on small wheels in a folder, without a network."""

from __future__ import annotations

import hashlib
import os
import subprocess
import sys
import venv
import zipfile
from types import SimpleNamespace
from typing import TYPE_CHECKING

import pytest

from dataset_scripts.command_line import main
from dataset_scripts.releases import gathering
from dataset_scripts.releases.gathering import gathered
from medzh_score.messages.errors import MedzhError
from medzh_score.version import VERSION

if TYPE_CHECKING:
    from pathlib import Path


def small_wheel(folder: Path, name: str, *about: str, version: str = "1") -> Path:
    """Write a wheel with one empty module."""
    stem, module = f"{name}-{version}", name
    members = {
        f"{module}.py": "",
        f"{stem}.dist-info/METADATA": "\n".join(
            ["Metadata-Version: 2.1", f"Name: {name.replace('_', '-')}", f"Version: {version}", *about, ""]
        ),
        f"{stem}.dist-info/WHEEL": "Wheel-Version: 1.0\nGenerator: by hand\nRoot-Is-Purelib: true\nTag: py3-none-any\n",
    }
    record = "".join(f"{member},,\n" for member in members)
    path = folder / f"{stem}-py3-none-any.whl"
    with zipfile.ZipFile(path, "w") as archive:
        for member, text in {**members, f"{stem}.dist-info/RECORD": record}.items():
            archive.writestr(member, text)
    return path


@pytest.fixture
def index(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Let pip find small wheels in a folder, and nothing else; medzh was installed from one that needs two."""
    folder = tmp_path / "index"
    folder.mkdir()
    needs = ("Requires-Dist: core-part", 'Requires-Dist: font-part; extra == "plot"', "Provides-Extra: plot")
    installed = tmp_path / "installed"
    installed.mkdir()
    own = small_wheel(installed, "medzh_score", *needs, version=VERSION)
    for name in ("core_part", "font_part"):
        small_wheel(folder, name)
    small_wheel(folder, "core_part", version="2")
    for name in [name for name in os.environ if name.startswith("PIP_")]:
        monkeypatch.delenv(name)
    for name, value in (("NO_INDEX", "1"), ("FIND_LINKS", str(folder)), ("CONFIG_FILE", os.devnull)):
        monkeypatch.setenv(f"PIP_{name}", value)
    recorded = SimpleNamespace(
        metadata=SimpleNamespace(get_all=lambda _: ["plot"]),
        read_text=lambda _: f'{{"url": "{own.as_uri()}"}}',
        version=VERSION,
    )
    monkeypatch.setattr(gathering, "distribution", lambda _: recorded)
    return folder


def names(wheels: list[Path]) -> list[str]:
    """Give names and versions."""
    return ["-".join(path.name.split("-")[:2]) for path in wheels]


@pytest.mark.usefixtures("index")
def test_wheels_of_medzh_and_of_the_extras_are_gathered(tmp_path: Path) -> None:
    own = f"medzh_score-{VERSION}"
    assert names(gathered((), tmp_path / "core")) == ["core_part-2", own]
    assert names(gathered(("plot",), tmp_path / "plot")) == ["core_part-2", "font_part-1", own]


def test_versions_and_hashes_are_those_of_the_lock(index: Path, tmp_path: Path) -> None:
    digest = hashlib.sha256((index / "core_part-1-py3-none-any.whl").read_bytes()).hexdigest()
    lock = tmp_path / "lock.txt"
    lock.write_text(f"core-part==1 --hash=sha256:{digest}\n", encoding="utf-8")
    assert names(gathered((), tmp_path / "whole", lock)) == ["core_part-1", f"medzh_score-{VERSION}"]
    lock.write_text(f"core-part==1 --hash=sha256:{'0' * 64}\n", encoding="utf-8")
    with pytest.raises(MedzhError, match="pip cannot gather the wheels: THESE PACKAGES DO NOT MATCH THE HASHES"):
        gathered((), tmp_path / "damaged", lock)


def test_what_pip_cannot_find_is_named(index: Path, tmp_path: Path) -> None:
    (index / "font_part-1-py3-none-any.whl").unlink()
    with pytest.raises(MedzhError, match="font-part"):
        gathered(("plot",), tmp_path / "wheels")


@pytest.mark.usefixtures("index")
def test_an_extra_that_does_not_exist_is_refused_with_the_nearest(tmp_path: Path) -> None:
    with pytest.raises(MedzhError, match="did you mean plot"):
        gathered(("plots",), tmp_path / "wheels")


@pytest.mark.usefixtures("index")
def test_a_bundle_installs_without_a_network(sdak_build: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "html").mkdir()
    (tmp_path / "html" / "index.html").write_text("<h1>medzh</h1>", encoding="utf-8")
    bundled = ("bundle", "--data", str(sdak_build), "--out", str(tmp_path / "b.zip"))
    given = ("--wheels", "--extras", "plot", "--manual", str(tmp_path / "html"))
    assert main([*bundled, *given]) == 0
    with zipfile.ZipFile(tmp_path / "b.zip") as archive:
        archive.extractall(tmp_path / "unpacked")
    guide = (tmp_path / "unpacked" / "READ-ME-FIRST.md").read_text(encoding="utf-8")
    assert f"'medzh-score[plot]=={VERSION}'" in guide
    assert "manual/index.html" in guide
    assert gathering.this_machine() in guide
    monkeypatch.delenv("PIP_FIND_LINKS")
    venv.create(tmp_path / "venv", with_pip=False)
    python = tmp_path / "venv" / "bin" / "python"
    install = (sys.executable, "-m", "pip", "--python", str(python), "install", "--quiet", "--no-index")
    links = ("--find-links", str(tmp_path / "unpacked" / "wheels"), f"medzh-score[plot]=={VERSION}")
    subprocess.run([*install, *links], check=True)
    subprocess.run([python, "-c", "import medzh_score, core_part, font_part"], check=True, cwd=tmp_path)


@pytest.mark.parametrize("given", [("--extras", "plot"), ("--wheels", "FOLDER", "--lock", "lock.txt")])
def test_extras_and_lock_are_for_what_is_gathered(
    sdak_build: Path, tmp_path: Path, given: tuple[str, ...], capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["bundle", "--data", str(sdak_build), "--out", str(tmp_path / "b.zip"), *given]) == 2
    assert "--wheels without a path" in capsys.readouterr().err
    assert not (tmp_path / "b.zip").exists()


def test_a_folder_that_is_no_manual_is_refused(
    sdak_build: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / "b.zip"
    assert main(["bundle", "--data", str(sdak_build), "--out", str(out), "--manual", str(tmp_path)]) == 2
    assert "holds no manual" in capsys.readouterr().err
    assert not out.exists()


@pytest.fixture(scope="module")
def sdak_build(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Build the sample of SDAK."""
    out = tmp_path_factory.mktemp("build") / "medzh"
    assert main(["build", "sdak", "--recipe", "mini", "--out", str(out)]) == 0
    return out
