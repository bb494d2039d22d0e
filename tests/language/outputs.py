"""Everything that the commands write of the samples, in one language: what a person would read."""

from __future__ import annotations

import io
import json
from contextlib import redirect_stderr, redirect_stdout
from dataclasses import dataclass

from places import SAMPLES
from scored_minis import LATER

from medzh_score.benchmark.registry import config_names, find_config
from medzh_score.cli.main import main

FORMS = ("text", "markdown", "latex")
QUICK = ["--bootstrap", "20"]


@dataclass(frozen=True)
class Written:
    """What a command wrote to standard output, and what it said beside it."""

    out: str
    err: str
    status: int


class Commands:
    """Calls commands in a language and keeps what they write, by a name."""

    def __init__(self, language):
        self.language = language
        self.written: dict[str, Written] = {}

    def __call__(self, name, *arguments):
        out, err = (io.TextIOWrapper(io.BytesIO(), encoding="utf-8", newline="") for _ in range(2))
        with redirect_stdout(out), redirect_stderr(err):
            try:
                status = main([*map(str, arguments), "--lang", self.language])
            except SystemExit as ended:
                status = int(ended.code or 0)
        texts = []
        for stream in (out, err):
            stream.flush()
            texts.append(stream.buffer.getvalue().decode("utf-8"))
        self.written[name] = Written(*texts, status)
        return self.written[name]


def all_written(language, minis, folder):
    """Call every command that shows something, of every config."""
    call = Commands(language)
    call("configs", "configs")
    folders = []
    for config in config_names():
        of_config = Folder(config, minis, folder / config)
        folders += of_config.results(call)
        of_config.looked_at(call)
        of_config.compared(call)
        of_config.drawn(call)
    for form in FORMS:
        call(
            f"summary {form}",
            "summary",
            *folders,
            "--baseline",
            "second",
            "--fail-on-regression",
            "primary_metric:3",
            "--to",
            form,
        )
    suite(call, minis, folder / "suite")
    return call.written


class Folder:
    """The files of a config: two results of its sample, the second with answers of other questions."""

    def __init__(self, config, minis, folder):
        self.config, self.minis, self.folder = config, minis, folder
        folder.mkdir(parents=True, exist_ok=True)
        self.predictions = SAMPLES / config / "predictions.jsonl"
        self.second = folder / "second.jsonl"
        self.second.write_text(_turned(self.predictions), encoding="utf-8")
        later = LATER.get(config, {})
        self.stages = [f"--stage={name}={SAMPLES / config / file}" for name, files in later.items() for file in files]
        self.judged = [SAMPLES / config / file for files in later.values() for file in files]

    def results(self, call):
        """Score both, and show the first in every form."""
        score = ["score", self.config]
        data = ["--data", self.minis]
        first, plain, second = (self.folder / name for name in ("first", "plain", "other"))
        call(
            f"{self.config} score text",
            *score,
            self.predictions,
            *data,
            *self.stages,
            *QUICK,
            "--model",
            "first",
            "--save",
            first,
        )
        wrong = [*QUICK, "--missing", "wrong", "--save"]
        call(f"{self.config} score plain", *score, self.predictions, *data, *wrong, plain, "--model", "first")
        call(f"{self.config} score wrong", *score, self.second, *data, *wrong, second, "--model", "second")
        call(f"{self.config} score skip", *score, self.second, *data, *QUICK, "--missing", "skip")
        call(f"{self.config} score error", *score, self.second, *data, *QUICK)
        for form in FORMS:
            call(f"{self.config} show {form}", "show", first, "--to", form)
        call(f"{self.config} show unrated", "show", plain, "--full")
        call(f"{self.config} verify", "verify", first, self.predictions, *self.judged, *data)
        return [f"{plain}=first", f"{second}=second"]

    def looked_at(self, call):
        """Check and explain predictions, print what the paper prints, and what to cite."""
        data = ["--data", self.minis]
        for form in FORMS:
            call(f"{self.config} check {form}", "check", self.config, self.predictions, *data, "--to", form)
            call(f"{self.config} published {form}", "published", self.config, "--to", form)
        call(f"{self.config} check second", "check", self.config, self.second, *data)
        call(f"{self.config} explain", "explain", self.config, self.predictions, *data, "--unparsed", "2")
        ids = [json.loads(line)["id"] for line in self.predictions.read_text(encoding="utf-8").splitlines()[:2]]
        call(
            f"{self.config} explain ids",
            "explain",
            self.config,
            self.predictions,
            *data,
            *(f"--id={one}" for one in ids),
        )
        call(f"{self.config} cite", "cite", self.config, *data, "--to", "gbt7714")
        call(f"{self.config} prompts", "prompts", self.config, *data, "--output", self.folder / "prompts.jsonl")

    def compared(self, call):
        """Compare both, in every form and table, and by every breakdown."""
        both = [f"{self.folder / 'plain'}=first", f"{self.folder / 'other'}=second"]
        may = ["--allow=generation"]
        quick = [*QUICK, "--permutations", "50"]
        groups = json.loads((self.folder / "first" / "report.json").read_text(encoding="utf-8"))["groups"]
        by = [f"--by={name}" for name in groups]
        for form in FORMS:
            call(f"{self.config} compare {form}", "compare", *both, *may, *quick, *by, "--methods", "--to", form)
            call(
                f"{self.config} compare paper {form}",
                "compare",
                *both,
                *may,
                *quick,
                "--layout",
                "paper",
                "--baseline",
                "second",
                "--methods",
                "--fail-on-regression",
                find_config(self.config).reporting.primary_metrics[0] + ":1",
                "--to",
                form,
            )

    def drawn(self, call):
        """Draw every figure as SVG, whose texts are texts."""
        both = [f"{self.folder / 'plain'}=first", f"{self.folder / 'other'}=second"]
        for plot in find_config(self.config).reporting.figures:
            self._draw(call, plot.name, self.folder / "first")
        self._draw(call, "forest", *both, "--baseline", "first")
        self._draw(call, "heatmap", self.folder / "first")
        self._draw(call, "trend", *(text.replace("=first", "=step=1").replace("=second", "=step=2") for text in both))

    def _draw(self, call, figure, *given):
        out = self.folder / f"{figure}.svg"
        found = call(f"{self.config} plot {figure}", "plot", self.config, *given, "--figure", figure, "--output", out)
        if found.status == 0:
            call.written[f"{self.config} figure {figure}"] = Written(out.read_text(encoding="utf-8"), "", 0)


def suite(call, minis, folder):
    """Plan a suite, add what the samples answered, score and look at it."""
    configs = ["sdak", "cmhe_ce"]
    call("suite plan", "suite", "plan", folder, "--models", "one", "two", "--configs", *configs, "--data", minis)
    call("suite status before", "suite", "status", folder)
    call(
        "suite add",
        "suite",
        "add",
        folder,
        *(SAMPLES / config / "predictions.jsonl" for config in configs),
        "--model",
        "one",
    )
    call("suite prompts", "suite", "prompts", folder)
    call("suite score", "suite", "score", folder)
    for form in FORMS:
        call(f"suite status {form}", "suite", "status", folder, "--to", form)


def _turned(file):
    """Give each prediction to the next record; leave one out, cut one off, repeat an odd text, and refuse one."""
    lines = [json.loads(line) for line in file.read_text(encoding="utf-8").splitlines()]
    texts = [line.get("prediction") for line in lines]
    for place, line in enumerate(lines):
        line["prediction"] = texts[(place + 3) % len(texts)]
        line.pop("model", None)
    lines[1]["finish_reason"] = "length"
    for line in lines[2:8]:
        line["prediction"] = "作为人工智能助手，我不能回答这个问题。"
    return "".join(json.dumps(line, ensure_ascii=False) + "\n" for line in lines[:-1])
