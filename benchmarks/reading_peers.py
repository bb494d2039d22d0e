"""Other readers of option letters: functions of other packages, run where they are installed, and a short one of ours.

Started as a script it is the worker: it reads jobs as JSON lines and prints what a package's functions make of them.
"""

from __future__ import annotations

import importlib.metadata
import importlib.util
import json
import re
import string
import subprocess
import sys
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from types import SimpleNamespace

Job = tuple[str, Sequence[str], bool]  # the response, the options, whether several are asked for
Read = Callable[[list[Job]], list[str]]


@dataclass(frozen=True)
class Peer:
    """What a reader made of the jobs; an empty string is none."""

    name: str
    version: str
    values: list[str | None]
    seconds: float


# The short reader: what one writes first. Letters behind 答案 or 选, the last such place; else the whole text where it
# is letters alone; else the first letter that stands by itself.
RUN = r"[A-Z](?:[\s,，、和及]*[A-Z](?![A-Za-z]))*"
SAID = re.compile(rf"(?:答案|选择?|[Aa]nswer|ANSWER)[^A-Za-z\n]{{0,8}}({RUN})(?![A-Za-z])")
TAGGED = re.compile(rf"[<＜【\[(（「《]\s*({RUN})(?![A-Za-z])[^<>＜＞]{{0,30}}?[>＞】\])）」》]")
ALONE = re.compile(rf"[\W_]*({RUN})[\W_]*")
FIRST = re.compile(rf"(?<![A-Za-z])({RUN})(?![A-Za-z])")


def baseline(job: Job) -> str:
    """Read as the short reader does."""
    text, options, several = job
    text = text.rpartition("</think>")[2]
    if whole := ALONE.fullmatch(text):
        return _valid(whole[1], options, several=True)
    for expression in (SAID, TAGGED):
        if places := expression.findall(text):
            return _valid(places[-1], options, several)
    first = FIRST.search(text)
    return _valid(first[1], options, several) if first else ""


def _valid(run: str, options: Sequence[str], several: bool) -> str:  # noqa: FBT001 - part of the job
    """Keep letters that options have; of several where one is asked for, the first."""
    known = string.ascii_uppercase[: len(options)] if options else string.ascii_uppercase
    letters = [mark for mark in run if mark in known]
    return "".join(sorted(set(letters))) if several else "".join(letters[:1])


def lm_eval() -> dict[str, Read]:
    """Give the filters of lm-evaluation-harness, as its tasks of flan's MMLU and of Chinese MMLU-ProX set them."""
    from lm_eval.filters.extraction import MultiChoiceRegexFilter, RegexFilter

    flexible = MultiChoiceRegexFilter(r"(\([A-Z]\))", 0, ignore_case=True, ignore_punctuation=True)
    strict = RegexFilter(r"答案是 \(?([ABCDEFGHIJ])\)?")

    def by(chosen: RegexFilter) -> Read:
        def read(jobs: list[Job]) -> list[str]:
            asked = [{"choices": _choices(job)} for job in jobs]
            found = chosen.apply([[job[0]] for job in jobs], asked)
            return ["" if value == "[invalid]" else value.strip("()") for (value,) in found]

        return read

    return {"multi_choice_regex": by(flexible), "regex, mmlu_prox_zh": by(strict)}


def opencompass() -> dict[str, Read]:
    """Give OpenCompass's function for one letter, alone and with that for several where several are asked for."""
    from opencompass.utils.text_postprocessors import first_option_postprocess, multiple_select_postprocess

    def first(job: Job) -> str:
        return first_option_postprocess(job[0], string.ascii_uppercase[: len(_choices(job))])

    return {
        "first_option": lambda jobs: [first(job) for job in jobs],
        "first_option, multiple_select": lambda jobs: [
            multiple_select_postprocess(job[0]) if job[2] else first(job) for job in jobs
        ],
    }


def evalscope() -> dict[str, Read]:
    """Give EvalScope's function for prompts in Chinese and that for others."""
    from evalscope.utils.multi_choices import parse_answers, parse_answers_zh

    def by(parse: Callable[..., set[str]]) -> Read:
        def read(job: Job) -> str:
            state = SimpleNamespace(output=SimpleNamespace(completion=job[0]), choices=_choices(job))
            return "".join(sorted(parse(state, multiple_correct=job[2])))

        return lambda jobs: [read(job) for job in jobs]

    return {"parse_answers_zh": by(parse_answers_zh), "parse_answers": by(parse_answers)}


def lighteval() -> dict[str, Read]:
    """Give lighteval's extraction of indices in Chinese, with its anchors alone and without them."""
    from lighteval.metrics.utils import extractive_match_utils as extraction
    from lighteval.tasks.requests import Doc
    from lighteval.utils.language import Language

    def by(*, anchored: bool) -> Read:
        target = extraction.IndicesExtractionConfig("Letters", try_extract_without_anchor=not anchored)

        def read(job: Job) -> str:
            doc = Doc(query="", choices=_choices(job), gold_index=0)
            expressions = extraction.get_extraction_regexes(doc, [target], Language.CHINESE)
            found = extraction.extract_target_from_pred(job[0], expressions, fallback_mode="no_fallback")
            return str(found[0]).strip() if found else ""

        return lambda jobs: [read(job) for job in jobs]

    return {"indices": by(anchored=True), "indices without anchors": by(anchored=False)}


def inspect_ai() -> dict[str, Read]:
    """Give what inspect's solver of multiple choice hands to its scorer `choice`."""
    from inspect_ai.solver._multiple_choice import parse_answers

    def read(job: Job) -> str:
        state = SimpleNamespace(output=SimpleNamespace(completion=job[0]), choices=_choices(job))
        return "".join(sorted(parse_answers(state, multiple_correct=job[2])))

    return {"choice": lambda jobs: [read(job) for job in jobs]}


def _choices(job: Job) -> list[str]:
    """Give the options, five labels where they are not known."""
    return list(job[1]) or list("ABCDE")


PACKAGES: dict[str, Callable[[], dict[str, Read]]] = {
    "lm_eval": lm_eval,
    "opencompass": opencompass,
    "evalscope": evalscope,
    "lighteval": lighteval,
    "inspect_ai": inspect_ai,
}
INSTALLED = ("lm_eval", "inspect_ai")  # in the environment of development


def peers(jobs: Sequence[Job], others: Sequence[str]) -> list[Peer]:
    """Run what is installed here and the packages of other interpreters, given as ``NAME=PYTHON``."""
    here = [f"{name}={sys.executable}" for name in INSTALLED if importlib.util.find_spec(name)]
    start = time.process_time()
    values = [baseline(job) or None for job in jobs]
    found = [Peer("baseline", "", values, time.process_time() - start)]
    for other in (*here, *others):
        name, _, python = other.partition("=")
        found.extend(_run(name, python, jobs))
    return found


def _run(name: str, python: str, jobs: Sequence[Job]) -> list[Peer]:
    lines = "\n".join(json.dumps(job) for job in jobs)
    done = subprocess.run(
        [python, "-W", "ignore", __file__, name], input=lines, check=True, stdout=subprocess.PIPE, text=True
    )
    answer = json.loads(done.stdout.splitlines()[-1])
    return [
        Peer(f"{name} {reader}", answer["version"], [value or None for value in values], answer["seconds"][reader])
        for reader, values in answer["values"].items()
    ]


def work(name: str) -> None:
    """Read the jobs of standard input by a package."""
    jobs = [tuple(json.loads(line)) for line in sys.stdin if line.strip()]
    values, seconds = {}, {}
    for reader, read in PACKAGES[name]().items():
        read(jobs[:1])  # what is imported or compiled once
        start = time.process_time()
        values[reader] = read(jobs)
        seconds[reader] = time.process_time() - start
    print(json.dumps({"version": importlib.metadata.version(name), "values": values, "seconds": seconds}))


if __name__ == "__main__":
    work(sys.argv[1])
