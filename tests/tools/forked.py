"""Processes that start at once: forked from one that has imported what is heavy, with surroundings of their own."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable

    Run = Callable[..., subprocess.CompletedProcess[str]]

Done = subprocess.CompletedProcess
# huggingface_hub and datasets read the environment as they are imported: each process lets them read its own.
SERVER = """
import atexit, faulthandler, gc, importlib, json, os, pkgutil, runpy, sys, traceback
import datasets, jinja2, jsonschema_rs, openpyxl, pandas, pyarrow.dataset, pyarrow.parquet, yaml
import dataset_scripts, medzh_score
from huggingface_hub import HfApi, hf_hub_download, snapshot_download
from huggingface_hub.utils import tqdm

def read_environment_again():
    clients = [one for name, one in sys.modules.items() if name.partition(".")[0] in ("huggingface_hub", "datasets")]
    for name in ("huggingface_hub.constants", "datasets.config"):
        before = dict(vars(sys.modules[name]))
        now = vars(importlib.reload(sys.modules[name]))
        for one in clients:
            for key in before.keys() & vars(one).keys():
                if vars(one)[key] is before[key] and not key.startswith("__"):
                    setattr(one, key, now[key])

for package in (dataset_scripts, medzh_score):
    for module in pkgutil.walk_packages(package.__path__, f"{package.__name__}."):
        if not module.name.endswith(("__main__", ".inspect_ai")):  # the latter stands on inspect
            importlib.import_module(module.name)
medzh_score.text.tokens.words("先载入")  # the words of jieba, once for all
gc.freeze()
for line in sys.stdin:
    process = os.fork()
    if process == 0:
        break
    print(os.waitstatus_to_exitcode(os.waitpid(process, 0)[1]), flush=True)
else:
    os._exit(0)

faulthandler.dump_traceback_later(600, exit=True)
asked = json.loads(line)
for number, path in enumerate((os.devnull, *asked["streams"])):
    os.dup2(os.open(path, os.O_RDWR | os.O_CREAT | os.O_TRUNC if number else os.O_RDONLY), number)
os.environ.clear()
os.environ.update(asked["env"])
read_environment_again()
os.chdir(asked["cwd"])
sys.path[:1] = [asked["cwd"], *filter(None, asked["env"].get("PYTHONPATH", "").split(os.pathsep))]
way, what, *words = asked["words"]
sys.argv = ["-c", *words]
try:
    if way == "-m":
        sys.modules.pop(what, None)
        runpy.run_module(what, run_name="__main__", alter_sys=True)
    else:
        exec(compile(what, "<string>", "exec"), {"__name__": "__main__"})
    status = 0
except SystemExit as ended:
    status = ended.code
except BaseException:
    traceback.print_exc()
    status = 1
atexit._run_exitfuncs()
sys.stdout.flush()
sys.stderr.flush()
os._exit(status or 0)  # taking all apart that was imported would take longer than most commands
"""


@contextmanager
def forking():
    """Give what runs ``-m MODULE`` or ``-c CODE``, with words behind it, as `started` does.

    What it writes to ``out`` or ``err`` of ``devices`` goes there, and is not given.
    """
    server: list[subprocess.Popen[str]] = []

    def run(*words, env=os.environ, cwd=None, devices=None):
        if not server:
            pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "encoding": "utf-8"}
            server.append(
                subprocess.Popen([sys.executable, "-c", SERVER], env={**os.environ, "PYTHONUTF8": "1"}, **pipes)
            )
        with TemporaryDirectory() as folder:
            streams = [Path(folder) / name for name in ("out", "err")]
            opened = [(devices or {}).get(path.name, path) for path in streams]
            told = {"words": words, "streams": opened, "env": {**env}, "cwd": cwd or Path.cwd()}
            server[0].stdin.write(json.dumps(told, default=str) + "\n")
            server[0].stdin.flush()
            status = int(server[0].stdout.readline())
            written = [path.read_bytes() if path.exists() else b"" for path in streams]
            return Done(words, status, *(text.decode("utf-8") for text in written))

    yield run
    for process in server:
        process.communicate()


def started(*words, env=os.environ, cwd=None):
    """Run Python itself."""
    return subprocess.run(
        [sys.executable, *map(str, words)], env=env, cwd=cwd, capture_output=True, encoding="utf-8", check=False
    )
