"""The scripts in `benchmarks` can be imported, and those with options print their help: a name that lacks is seen."""

from __future__ import annotations

from places import ROOT

IMPORT_ALL = """
import importlib, io, sys
from contextlib import redirect_stdout
from pathlib import Path

folder = Path(sys.argv[1])
sys.path.insert(0, str(folder))
for script in sorted(folder.glob("*.py")):
    module = importlib.import_module(script.stem)
    if "parse_args" in script.read_text(encoding="utf-8"):
        sys.argv, printed = [script.name, "--help"], io.StringIO()
        try:
            with redirect_stdout(printed):
                module.main()
        except SystemExit as ended:
            assert ended.code == 0
        assert printed.getvalue().startswith("usage: " + script.name)
        print(script.stem)
"""


def test_every_script_is_imported_and_prints_its_help(forked, tmp_path):
    done = forked("-c", IMPORT_ALL, ROOT / "benchmarks", cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    assert {"reading_accuracy", "ablation", "fuzz"} <= {*done.stdout.split()}
