"""Every number on the screen of score is that of the JSON: found again by a second rounding, in both languages."""

from __future__ import annotations

import json
import re
from collections import Counter
from decimal import ROUND_HALF_UP, Decimal

import pytest
from places import SAMPLES

from medzh_score.benchmark.config import Table
from medzh_score.benchmark.registry import config_names, find_config
from medzh_score.cli.main import main

LANGUAGES = ("en", "zh")
OPEN = ("care_mi", "cmhe_ce", "cmhe_dd", "cmhe_hd", "pemebench", "sdak", "tcmd")
STAGES = {
    "care_mi": {"correctness": "ratings-correctness.csv", "interpretability": "ratings-interpretability.csv"},
    "cmhe_ce": {"choose": "choose.jsonl"},
    "cmhe_dd": {"codes": "judge-codes.jsonl"},
    "pemebench": {"hallucination": "judge-hallucination.jsonl", "entities": "judge-entities.jsonl"},
}
# What is scored: the sample as it is, in three runs of which the later ones are worse, with annotations, or open data.
CASES = [
    *((config, runs) for config in config_names() for runs in ("one run", "three runs")),
    *((config, "annotated") for config in STAGES),
    *((config, "open data") for config in OPEN),
]
NUMBER = re.compile(r"-?\d{1,3}(?:,\d{3})+|-?\d+(?:\.\d+)?")
DASH, DOT = "–", "●"
TENS = {"percent": 1, "fraction": 100}
BAR = re.compile(r"[·├─●┤]{18}")
LEVEL = {"95% CI": "interval", "95% 置信区间": "interval", "SD": "std", "标准差": "std", "n": "n"}
WARNED = ("! ", "Note:", "警告：", "注意：")


@pytest.fixture(scope="module")
def scored(tmp_path_factory):
    """Give a function that scores a case once and names the folder with the screen and the result."""
    made = {}

    def score(config, case):
        if (config, case) not in made:
            folder = tmp_path_factory.mktemp("scored")
            (folder / "p.jsonl").write_bytes(b"".join(map(as_line, lines_of(config, case, folder))))
            given = STAGES[config] if case == "annotated" else {}
            words = [f"--stage={stage}={SAMPLES / config / name}" for stage, name in given.items()]
            words += [f"--data={'open' if case == 'open data' else 'mini'}", "--bootstrap=20"]
            words += ["--missing=wrong", "--save", str(folder / "r"), "--output", str(folder / "screen.txt")]
            assert main(["score", config, str(folder / "p.jsonl"), *words]) == 0
            made[config, case] = folder
        return made[config, case]

    return score


def as_line(row):
    """Write a row as a line of JSON."""
    return json.dumps(row, ensure_ascii=False).encode() + b"\n"


def lines_of(config, case, folder):
    """Answer the sample as it does, or all prompts of the open data with its texts."""
    text = (SAMPLES / config / "predictions.jsonl").read_text(encoding="utf-8")
    rows = [json.loads(line) for line in text.splitlines()]
    if case == "three runs":
        return [
            row | {"run": run} | ({"prediction": "难说"} if run and place % 5 == run else {})
            for run in range(3)
            for place, row in enumerate(row for row in rows if not row.get("run"))
        ]
    if case == "open data":
        assert main(["prompts", config, "--data", "open", "--output", str(folder / "prompts.jsonl")]) == 0
        asked = map(json.loads, (folder / "prompts.jsonl").read_text(encoding="utf-8").splitlines())
        return [
            {key: one[key] for key in ("id", "run", "variant") if key in one}
            | {"prediction": rows[place % len(rows)]["prediction"]}
            for place, one in enumerate(asked)
        ]
    return rows


def half_up(number, decimals=1, times=1):
    """Round the shortest decimal that means the same float."""
    if number is None:
        return DASH
    exact = Decimal(repr(number)) * times
    return str(exact.quantize(Decimal(1).scaleb(-decimals), ROUND_HALF_UP)).replace("-0.0", "0.0")


def in_percent(number, unit):
    return half_up(number, 1, TENS[unit])


def mean(numbers):
    """Average decimals."""
    exact = [Decimal(repr(number)) for number in numbers]
    return float(sum(exact) / len(exact))


def numbers_in(text, names=()):
    """Count the numbers of a text, without those in names such as R-1-F."""
    for name in sorted(names, key=len, reverse=True):
        text = text.replace(name, " ")
    return Counter(NUMBER.findall(text))


def cells_of(line):
    return re.split(r"\s{2,}", line.strip())


def counts(*numbers):
    return Counter(f"{number:,}" if isinstance(number, int) else number for number in numbers)


def shown_cell(value, kind):
    """Write what a cell of the table of metrics has to be."""
    if kind == "interval":
        ends = [in_percent(value[end], value["unit"]) for end in ("low", "high")]
        return DASH if DASH in ends else f"[{ends[0]}, {ends[1]}]"
    if kind == "n":
        return f"{value['n']:,}"
    number = in_percent(value[kind], value["unit"])
    return number if kind == "std" else f"{number}%"


def check_metrics(lines, report, runs):
    """Compare each cell with the value of its row by the rule above it."""
    with_value = [name for name, value in report["metrics"].items() if value["value"] is not None]
    counted, *heads = cells_of(lines[0])
    first = report["metrics"][report["primary_metric"]["name"]]
    if first["value"] is None:
        first = max(report["metrics"].values(), key=lambda value: value["n"])
    defined = sum(value is not None for value in first["per_run"])
    assert numbers_in(counted) == counts(first["n"], defined)
    assert defined in {runs, 0}
    rows = lines[1:]
    shown = {}
    for line in rows:
        name, *cells = cells_of(line)
        if cells and (name := name.rstrip(" ↑↓")) in with_value:
            shown[name] = cells
    listed = [name for name in report["summary_metrics"] or report["metrics"] if name in with_value]
    assert set(listed[:8]) <= shown.keys() <= set(with_value)
    assert len(shown) == min(len(listed), 9)
    for name, cells in shown.items():
        metrics = report["metrics"]
        for head, cell in zip(heads, cells, strict=True):
            kind = LEVEL.get(head, "value")
            if kind == "value":
                metrics = report["metrics"] if head == report["rule"] else report["rules"][head]["metrics"]
            value = report["metrics"][name] if kind in {"std", "n"} else metrics[name]
            expected = shown_cell(value, kind)
            if kind == "value" and name.startswith("gap"):
                expected = expected.replace("%", " pp" if "95% CI" in heads else " 个百分点")
            assert cell == expected, (name, head)
    others = [line for line in rows if cells_of(line)[0].rstrip(" ↑↓") not in shown]
    more = len(listed) - len(shown)
    found = sum((numbers_in(line, [*report["metrics"], report["config"]]) for line in others), Counter())
    assert found == (counts(more) if more else Counter()), others
    return len(heads)


def check_coverage(text, report):
    """Compare the counts, and the bounds of the primary metric."""
    coverage, name = report["coverage"], report["primary_metric"]["name"]
    parsed = coverage["read"] - coverage["unparsed"]
    share = half_up(float(Decimal(100 * parsed) / coverage["expected"]))
    expected = counts(parsed, coverage["expected"], share, coverage["unparsed"], coverage["missing"])
    expected += counts(*(coverage[key] for key in ("empty", "truncated", "too_long", "fallback") if coverage[key]))
    value = report["metrics"][name]
    ends = [in_percent(value.get(end), value["unit"]) for end in ("least", "most")]
    if DASH not in ends and ends[0] != ends[1]:
        expected += counts(*ends)
    assert numbers_in(text, [name]) == expected


def check_groups(lines, report):
    """Compare each row with a group: all groups in their order, or the ends of them."""
    name = report["primary_metric"]["name"]
    chosen = [key for key, groups in report["groups"].items() if len(groups) >= len(lines) - 1]
    ranked = {}
    for breakdown in chosen:
        groups = [(group, metrics[name]) for group, metrics in report["groups"][breakdown].items()]
        groups = [(group, value) for group, value in groups if value["value"] is not None]
        if len(groups) > len(lines) - 1:
            half = (len(lines) - 1) // 2
            groups.sort(key=lambda named: -named[1]["value"])
            groups = [*groups[:half], *groups[-half:]]
        ranked[breakdown] = [(group, group_cells(value)) for group, value in groups]
    drawn = [cells_of(BAR.sub(lambda bar: f"  {bar[0]}  ", line)) for line in lines[1:]]
    same = [key for key, rows in ranked.items() if [cells for _, cells in rows] == [row[1:] for row in drawn]]
    assert same, (drawn, ranked)
    (breakdown, *_unused) = same
    total = sum(metrics[name]["value"] is not None for metrics in report["groups"][breakdown].values())
    folded = total > len(drawn)
    assert numbers_in(lines[0], [name, breakdown]) == (counts(total) if folded else Counter())
    return [row[0] for row in drawn], [group for group, _ in ranked[breakdown]]


def group_cells(value):
    """Write the cells of a group: value, bar, interval and n."""
    top = 100 / TENS[value["unit"]]
    at = {
        key: int(min(max(value[key] / top, 0), 1) * 17 + 0.5)
        for key in ("low", "value", "high")
        if value[key] is not None
    }
    bar = ["·"] * 18
    if "low" in at:
        bar[at["low"] : at["high"] + 1] = "─" * (at["high"] - at["low"] + 1)
        bar[at["high"]], bar[at["low"]] = "┤", "├"
    bar[at["value"]] = DOT
    interval = shown_cell(value, "interval")
    return [shown_cell(value, "value"), "".join(bar), interval, f"n = {value['n']:,}"]


def sdak_numbers(tables):
    return [half_up(row[-1]) for row in tables["errors"]["rows"] if row[-1]]


def choice_numbers(tables):
    columns = list(zip(*(row[1:] for row in tables["answers"]["rows"]), strict=True))
    total = sum(map(sum, columns))
    return [half_up(float(Decimal(100 * sum(column)) / total)) for column in columns if sum(column)]


def length_numbers(tables):
    rows = [row for row in tables["lengths"]["rows"] if row[-2] is not None]
    return [half_up(mean(row[place] for row in rows)) for place in (-2, -1)]


def tcmd_numbers(tables):
    results = [row[-1] for row in tables["pass-line"]["rows"]]
    found = ["60.0", *([results.count("passed"), len(results)] if len(results) > 1 else [])]
    for table, key in (("spread", "accuracy in the original order"), ("ensemble", 0.2)):
        values = [row[2] for row in tables[table]["rows"] if row[1] == key] if table in tables else []
        found += [half_up(mean(values), 1, 100)] if values else []
    rows = tables["positions"]["rows"]
    for column in (3, 4):
        for letter in sorted({row[1] for row in rows}):
            found.append(half_up(mean(row[column] for row in rows if row[1] == letter), 1, 100))
    return found


OWN = {
    "sdak": sdak_numbers,
    "pemebench_cmexam": choice_numbers,
    "pemebench_medqa": choice_numbers,
    "pemebench": length_numbers,
    "pemebench_huatuo": length_numbers,
    "tcmd": tcmd_numbers,
}


def check_warnings(lines, report):
    """Find the numbers of each warning among the parameters of one."""
    params = [warning["params"].values() for warning in report["warnings"]]
    known = [
        numbers_in(" ; ".join(half_up(one) if isinstance(one, float) else str(one) for one in values))
        for values in params
    ]
    for line in lines:
        found = numbers_in(line)
        assert any(not found - numbers for numbers in known), line


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize(("config", "case"), CASES)
def test_every_number_of_the_screen_is_that_of_the_json(scored, calling, config, case, language):
    folder = scored(config, case)
    printed = (folder / "screen.txt").read_text(encoding="utf-8")
    if language == "zh":
        status, printed, _ = calling("show", folder / "r", "--lang", "zh", "--width", 100)
        assert status == 0
    report = json.loads((folder / "r" / "report.json").read_bytes())
    head, metrics, coverage, *others = (block.splitlines() for block in printed.strip("\n").split("\n\n"))
    assert head[0].startswith(config)
    runs = 3 if case == "three runs" else 1
    columns = check_metrics(metrics, report, runs)
    assert columns >= 2
    check_coverage(" ".join(coverage), report)
    seen = []
    for lines in others:
        text = " ".join(line.strip() for line in lines)
        if any(BAR.search(line) for line in lines):
            last = max(place for place, line in enumerate(lines) if BAR.search(line)) + 1
            labels, groups = check_groups(lines[:last], report)
            assert language == "zh" or labels == groups
            seen.append("groups")
            if len(lines) == last:
                continue
            text = " ".join(line.strip() for line in lines[last:])  # own lines, without a blank line above
        if text.startswith(WARNED):
            check_warnings(lines, report)
            seen.append("warnings")
        elif "medzh-score" in text or "--full" in text:
            seen.append("closing")
        else:
            assert numbers_in(text) == counts(*OWN[config](report["tables"])), text
            seen.append("own")
    assert len(seen) == len(set(seen))
    assert ("own" in seen) == (config in OWN)


# Tables whose numbers lie in the middle between two that are shown, and all shown numbers.
MIDDLES = {
    "sdak": (
        {"errors": (("class", "run 1", "percent"), [("reversed", 5, 6.25), ("both correct", 75, 93.75)])},
        "93.8 6.3",
    ),
    "pemebench_medqa": (
        {"answers": (("run", "right", "too few", "too many", "wrong", "no answer"), [(0, 75, 0, 0, 5, 0)])},
        "93.8 6.3",
    ),
    "pemebench_huatuo": (
        {
            "lengths": (
                ("run", "questions", "answered", "empty", "mean answer", "mean reference"),
                [(0, 4, 4, 0, 20.25, 30.85)],
            )
        },
        "20.3 30.9",
    ),
    "tcmd": (
        {
            "pass-line": (("run", "accuracy", "pass line", "result"), [(0, 0.5, 0.6, "not passed")]),
            "positions": (("run", "position", "chosen", "share", "by chance"), [(0, "A", 5, 0.0625, 0.2885)]),
        },
        "60.0 6.3 28.9",
    ),
}


@pytest.mark.parametrize("config", MIDDLES)
def test_lines_of_configs_round_half_up(config):
    tables, shown = MIDDLES[config]
    made = {name: Table("", columns, tuple(rows)) for name, (columns, rows) in tables.items()}
    (*lines,) = find_config(config).reporting.screen.lines(made)
    assert NUMBER.findall(" ".join(lines)) == shown.split()
