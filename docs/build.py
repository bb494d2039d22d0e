"""Build the manual in both languages: ``python docs/build.py OUT`` writes ``OUT/en`` and ``OUT/zh``, without a network.

Warnings are errors, such as a link to a page, a heading or a file of the repository that is not there. Each language is
built in a process of its own.
"""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

DOCS = Path(__file__).resolve().parent
LANGUAGES = {"en": ("en", "medzh manual"), "zh": ("zh_CN", "medzh 手册")}
INDEX = """<!DOCTYPE html>
<html lang="en">
<meta charset="utf-8">
<title>medzh</title>
<p><a href="en/index.html">English</a> · <a href="zh/index.html" lang="zh">中文</a></p>
</html>
"""


def command(language: str, out: Path) -> list[str]:
    """Give the call of Sphinx that builds one language."""
    code, title = LANGUAGES[language]
    sphinx = [sys.executable, "-m", "sphinx", "-qWE", "--keep-going", "-c", str(DOCS)]
    own = ["-d", str(out / ".doctrees" / language), "-D", f"language={code}", "-D", f"html_title={title}"]
    return [*sphinx, *own, str(DOCS / language), str(out / language)]


def main(out: Path) -> int:
    """Build both, and give the worse status."""
    running = [subprocess.Popen(command(language, out)) for language in LANGUAGES]  # noqa: S603 - our own call
    worst = max(process.wait() for process in running)
    (out / "index.html").write_text(INDEX, encoding="utf-8")
    return worst


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1]).resolve()))
