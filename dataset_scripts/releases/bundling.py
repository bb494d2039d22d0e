"""A build in one file, to be carried behind a closed network: records, cards, dictionaries, wheels and their hashes."""

from __future__ import annotations

from typing import TYPE_CHECKING

from dataset_scripts.building.checking import check
from medzh_score.data.hub import folder_of
from medzh_score.files.zipping import write_zip
from medzh_score.messages.errors import MedzhError
from medzh_score.version import VERSION

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from pathlib import Path

READ_ME = "READ-ME-FIRST.md"
GUIDE = """\
# medzh in one file / 单文件离线包

1. Verify / 校验: `sha256sum -c SHA256SUMS` (after unpacking / 解压后)
2. Install / 安装: `pip install --no-index --find-links wheels medzh-score=={version}`{wheels}
3. Score, without unpacking / 评分，无需解压: `medzh-score score CONFIG predictions.jsonl --data BUNDLE.zip`
4. `dictionaries/` holds what was added / `dictionaries/` 中是附带的词典:
   `medzh-score score CONFIG predictions.jsonl --data BUNDLE.zip --dictionary dictionaries/NAME`
"""
NO_WHEELS = " (no wheels are inside: bring them / 包内没有 wheel 文件，请自备)"


def bundle(build: Path, out: Path, wheels: Sequence[Path] = (), dictionaries: Sequence[Path] = ()) -> dict[str, str]:
    """Write a bundle; equal content gives equal bytes."""
    build = folder_of(build)
    for problem in check(build).problems:
        raise MedzhError(f"the build is not well: {problem}", file=build, advice="see medzh-build check")
    members: dict[str, bytes | Path] = {
        path.relative_to(build).as_posix(): path for path in sorted(build.rglob("*")) if path.is_file()
    }
    for folder, given in (("wheels", _wheels(wheels)), ("dictionaries", dictionaries)):
        for file in given:
            name = f"{folder}/{file.name}"
            if name in members or not file.is_file():
                problem = "is there twice" if name in members else "is no file"
                raise MedzhError(problem, file=file, field=f"--{folder}")
            members[name] = file
    guide = GUIDE.format(version=VERSION, wheels="" if wheels else NO_WHEELS)
    return write_zip(out, {**members, READ_ME: guide.encode("utf-8")})


def _wheels(given: Sequence[Path]) -> Iterator[Path]:
    advice = "pip wheel medzh-score -w FOLDER, which builds wheels of what is published as source only"
    for path in given:
        files = sorted(one for one in path.iterdir() if one.is_file()) if path.is_dir() else [path]
        for file in files:
            if file.suffix != ".whl":
                raise MedzhError("is no wheel", file=file, field="--wheels", expected="a .whl file", advice=advice)
        if not files:
            raise MedzhError("holds no wheel", file=path, field="--wheels", expected=".whl files", advice=advice)
        yield from files
