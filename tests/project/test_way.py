"""How much of the package a score needs: the modules that it imports, as Python counts them."""

from __future__ import annotations

import subprocess
import sys

from places import SAMPLES

MOST = 90  # modules, without the empty ones of packages
CODE = """
import sys
from medzh_score.cli.main import main
assert main(["score", "tcmd", sys.argv[1], "--data", "mini", "--output", sys.argv[2]]) == 0
own = [module for name, module in sys.modules.items() if name.split(".")[0] == "medzh_score"]
print(sum(not module.__file__.endswith("__init__.py") for module in own))
"""


def test_a_score_of_native_lines_imports_few_modules(tmp_path):
    words = [sys.executable, "-c", CODE, SAMPLES / "tcmd" / "predictions.jsonl", tmp_path / "out.txt"]
    done = subprocess.run([*map(str, words)], capture_output=True, text=True, check=True)
    assert int(done.stdout) <= MOST
