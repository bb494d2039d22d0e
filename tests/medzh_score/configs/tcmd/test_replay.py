"""TCMD's paper: its facts and errata, and Tables 1 to 4 replayed from counts that are found by search."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from fractions import Fraction
from itertools import permutations
from typing import Any

import msgspec
import numpy as np
import pytest
from amounts import one_in
from scipy.sparse import csr_matrix
from scipy.sparse.csgraph import maximum_flow
from shares_of_counts import count, thousandths
from written_tables import cells_of

from medzh_score.configs.tcmd.config import CONFIG
from medzh_score.configs.tcmd.exam import REALMS
from medzh_score.data.records import Origin, Records
from medzh_score.render.figure_data import figure_data
from medzh_score.render.report import rendered
from medzh_score.scoring.options import ScoringOptions
from medzh_score.scoring.paper import load_paper
from medzh_score.scoring.pipeline import score_with
from medzh_score.stats.values import Bootstrap
from medzh_score.ui.cli import Parser
from medzh_score.ui.numbers import cell, percent

QUESTIONS, VARIANTS, OPTIONS = 600, 120, 5
LETTERS = "ABCDE"
SIZES = {"A1": 1, "A2": 1, "A3": 3, "B1": 2}  # sub-questions of a group
UNREADABLE = "这道题我不会。"
TABLES = {table.number: table.rows for table in load_paper("tcmd").tables}
ENCODER = msgspec.json.Encoder()  # of half a million lines
REALM_OF = {realm.short: realm.name for realm in REALMS}
IN_REALM = {"FoT": 140, "CoT": 20, "CPoT": 300, "IWM": 120, "MH": 20}
IN_TYPE = {"A1": 212, "A2": 142, "A3": 102, "B1": 144}
ORDERS = list(permutations(range(OPTIONS)))  # in lexicographic order, as a variant is numbered
Row = dict[str, Any]


def name_of(row):
    return f"{row['model']} {row.get('method', '')}".strip()


def shown(value):
    """Print as the paper does, three decimals; where nothing was read it has a dash, and we 0."""
    return f"{value or 0:.3f}"


def made_records():
    rows: list[Row] = []
    subjects = [(realm, subject) for realm in REALMS for subject in realm.subjects]
    for line, (realm, subject) in zip(TABLES[1], subjects, strict=True):
        assert line["subject"].lower() == subject.english.lower()
        for kind, size in SIZES.items():
            groups, rest = divmod(line[f"{kind.lower()}_test"], size)
            assert rest == 0
            for _ in range(groups):
                group = f"tcmd-{len(rows):010x}"
                for position in range(1, size + 1):
                    number = len(rows)
                    row = {"id": group if size == 1 else f"{group}-{position}", "group_id": group}
                    row |= {"position": position, "type": kind, "realm": realm.name, "subject": subject.name}
                    row |= {"options": [f"题目 {number} 的选项 {option}" for option in range(1, OPTIONS + 1)]}
                    rows.append({**row, "question": f"题目 {number}", "answer": LETTERS[number * 7 % OPTIONS]})
    return rows


@pytest.fixture(scope="module")
def benchmark():
    return Records("tcmd", "test", made_records(), Origin("0.0.0", "mini", "0" * 64))


def groups_of(records):
    """Give the indices of each group's members, in their order."""
    start = 0
    while start < len(records.rows):
        size = SIZES[records.rows[start]["type"]]
        yield list(range(start, start + size))
        start += size


def written(letters):
    """Write a response: an answer with its marker, or the numbered answers of a group."""
    if not all(letters):
        return UNREADABLE
    if len(letters) == 1:
        return f"答案：{letters[0]}"
    return " ".join(f"{number}.{letter}" for number, letter in enumerate(letters, 1))


def predict(path, records, chosen, *, alone=False):
    """Write the options that are chosen, shape (sub-questions, variants): -1 is none."""
    groups = [(records.rows[members[0]]["group_id"], members) for members in groups_of(records)]
    if alone:
        groups = [(row["id"], [place]) for place, row in enumerate(records.rows)]
    lines = (
        {"id": group, "prediction": written([place[chosen[member, variant]] for member in members]), "variant": variant}
        for variant in range(chosen.shape[1])
        for place in [[*(LETTERS[ORDERS[variant].index(option)] for option in range(OPTIONS)), ""]]
        for group, members in groups
    )
    path.write_bytes(ENCODER.encode_lines(lines))
    return path


def gold_of(records):
    return np.array([LETTERS.index(row["answer"]) for row in records.rows])


def scored(path, records):
    return score_with(CONFIG, [path], records, ScoringOptions(bootstrap=Bootstrap(0)))


def joint(by_realm, by_type, room):
    """Find how many are right in each realm and type, from the sums over either: a flow through the table."""
    nodes = ["source", *by_realm, *by_type, "sink"]
    at = {node: index for index, node in enumerate(nodes)}
    edges = np.zeros((len(nodes), len(nodes)), np.int32)
    for realm, right in by_realm.items():
        edges[0, at[realm]] = right
    for kind, right in by_type.items():
        edges[at[kind], -1] = right
    for (realm, kind), size in room.items():
        edges[at[realm], at[kind]] = size
    flow = maximum_flow(csr_matrix(edges), 0, len(nodes) - 1)
    assert flow.flow_value == sum(by_realm.values()) == sum(by_type.values())
    table = flow.flow.toarray()
    return {(realm, kind): int(table[at[realm], at[kind]]) for realm, kind in room}


def right_of(row, records):
    """Choose sub-questions whose numbers by realm, and by type where Table 3 has the row, are the paper's."""
    by_realm = {realm: count(row[realm.lower()], size) for realm, size in IN_REALM.items()}
    assert sum(by_realm.values()) == count(row["total"], QUESTIONS)
    short = {name: realm for realm, name in REALM_OF.items()}
    keys = [(short[record["realm"]], record["type"]) for record in records.rows]
    (types,) = [line for line in TABLES[3] if name_of(line).lower() == name_of(row).lower()] or [None]
    if types is None:
        keys, left = [(realm, "") for realm, _ in keys], {(realm, ""): right for realm, right in by_realm.items()}
    else:
        by_type = {kind: count(types[kind.lower()], size) for kind, size in IN_TYPE.items()}
        left = joint(by_realm, by_type, {key: keys.count(key) for key in dict.fromkeys(keys)})
    right = []
    for key in keys:
        left[key] -= 1
        right.append(left[key] >= 0)
    return right


def test_table_1_is_the_size_of_the_groups(benchmark, tmp_path):
    report = scored(predict(tmp_path / "p.jsonl", benchmark, gold_of(benchmark)[:, np.newaxis]), benchmark)
    sizes = {by: {group: named["accuracy"].n for group, named in report.groups[by].items()} for by in report.groups}
    assert list(sizes["subject"].values()) == [line["total_test"] for line in TABLES[1]]
    assert sizes["type"] == {kind: sum(line[f"{kind.lower()}_test"] for line in TABLES[1]) for kind in SIZES} == IN_TYPE
    assert list(sizes["realm"].items()) == [(REALM_OF[realm], size) for realm, size in IN_REALM.items()]
    assert report.metrics["accuracy"].n == QUESTIONS
    assert report.metrics["group-exact"].n == 212 + 142 + 34 + 72
    assert report.coverage.expected == report.coverage.read == QUESTIONS


@pytest.mark.parametrize("row", TABLES[2], ids=name_of)
def test_tables_2_and_3(row, benchmark, tmp_path):
    """That one set of answers prints both shows errata T2 and T3: totals are sums of the realms, and of the types."""
    gold = gold_of(benchmark)
    if row["total"] is None:
        chosen = np.full(QUESTIONS, -1)
    else:
        chosen = np.where(right_of(row, benchmark), gold, (gold + 1) % OPTIONS)
    report = scored(predict(tmp_path / "p.jsonl", benchmark, chosen[:, np.newaxis]), benchmark)
    printed = {group: cell(named["accuracy"].value, 3) for group, named in report.groups["realm"].items()}
    assert printed == {name: shown(row[realm.lower()]) for realm, name in REALM_OF.items()}
    assert cell(report.metrics["accuracy"].value, 3) == shown(row["total"])
    for line in TABLES[3]:
        if name_of(line).lower() == name_of(row).lower():
            by_type = {kind: cell(named["accuracy"].value, 3) for kind, named in report.groups["type"].items()}
            assert by_type == {kind: shown(line[kind.lower()]) for kind in SIZES}
    lines = [line.split()[:3] for line in rendered(report, "text", full=True).splitlines()]
    if row["total"] is not None:
        for words, group in ((("medzh-1", "accuracy"), report.metrics), ((REALM_OF["CoT"], "accuracy"), None)):
            value = (group or report.groups["realm"][REALM_OF["CoT"]])["accuracy"]
            assert [*words, f"{percent(value.value, value.unit)}%"] in lines
    passed = report.tables["pass-line"].rows[0][-1]
    assert passed == ("passed" if (row["total"] or 0) > 0.6 else "not passed")


@dataclass(frozen=True)
class Spread:
    """Whole numbers that Table 4's row can come from.

    ``right`` says how many sub-questions are right in each variant; ``best``, for each sub-question, in how many of
    its variants the commonest option was chosen; ``hits`` in how many the right one; ``lost`` is whether one variant of
    the first sub-question has no answer.
    """

    right: list[int]
    best: list[int]
    hits: list[int]
    lost: bool


def prints(shares, mean, std):
    return f"{shares.mean():.3f}({shares.std(ddof=1):.3f})" == f"{mean:.3f}({std:.3f})"


def original(row):
    """Give the accuracy of Table 2 in the original order."""
    return next(line["total"] for line in TABLES[2] if name_of(line) == f"{row['model']} ICL")


def right_by_variant(row):
    """Find 120 counts of right sub-questions: the first as in Table 2, a least, a greatest, the others in two heaps."""
    fixed = [count(value, QUESTIONS) for value in (original(row), row["accuracy_min"], row["accuracy_max"])]
    total = round(Fraction(str(row["accuracy_mean"])) * QUESTIONS * VARIANTS)
    others = VARIANTS - len(fixed)
    for apart in range(max(fixed) - min(fixed)):
        low, more = divmod(total - sum(fixed) - apart * (others // 2), others)
        found = fixed + [low + (index < more) + apart * (index % 2) for index in range(others)]
        printed = prints(np.array(found) / QUESTIONS, row["accuracy_mean"], row["accuracy_std"])
        if printed and (min(found), max(found)) == (fixed[1], fixed[2]):
            return found
    raise AssertionError(row["model"])


def best_by_question(row):
    """Find 600 counts of the commonest option: a least, many greatest, the others about equal."""
    lost = thousandths(Fraction(25, 120)) < int(Fraction(str(row["consistency_min"])) * 1000)
    least = 25 if lost else 24
    total = round(Fraction(str(row["consistency_mean"])) * QUESTIONS * VARIANTS)
    for sure in range(1, QUESTIONS - 1):
        others = QUESTIONS - 1 - sure
        low, more = divmod(total - least - sure * VARIANTS, others)
        if low > least:
            found = [least, *([VARIANTS] * sure), *(low + (index < more) for index in range(others))]
            asked = np.array([VARIANTS - lost, *[VARIANTS] * (QUESTIONS - 1)])
            if prints(np.array(found) / asked, row["consistency_mean"], row["consistency_std"]):
                return found, lost
    raise AssertionError(row["model"])


def hits_by_question(best, total):
    """Share the right answers out: as many questions as fit are right whenever the commonest option is chosen."""
    hits = [best[0], *(max(0, VARIANTS - 4 * most) for most in best[1:])]
    left = total - sum(hits)
    for index, most in enumerate(best):
        if most - hits[index] <= left:
            left -= most - hits[index]
            hits[index] = most
    for index, most in enumerate(best):
        more = min(left, max(0, min(most, VARIANTS - most) - hits[index])) if hits[index] < most else 0
        hits[index] += more
        left -= more
    assert left == 0
    return hits


def spread_of(row):
    right = right_by_variant(row)
    best, lost = best_by_question(row)
    return Spread(right, best, hits_by_question(best, sum(right)), lost)


def choices_of(found, gold):
    """Choose options, shape (sub-questions, variants), that have these sums over either."""
    hit = np.zeros((QUESTIONS, VARIANTS), bool)
    left = np.array(found.hits)
    for variant, right in enumerate(found.right):
        rows = np.argsort(-left, kind="stable")[:right]  # those that need most: no other choice can do better
        hit[rows, variant] = True
        left[rows] -= 1
    assert not left.any()
    chosen = np.where(hit, gold[:, np.newaxis], -1)
    for question, most in enumerate(found.best):
        wrong = np.flatnonzero(~hit[question])[found.lost and question == 0 :]
        options = (gold[question] + 1 + np.arange(OPTIONS - 1)) % OPTIONS
        first = 0 if found.hits[question] == most else most
        spread = options[1:] if first else options
        chosen[question, wrong[:first]] = options[0]
        chosen[question, wrong[first:]] = spread[np.arange(len(wrong) - first) % len(spread)]
    return chosen


def votes_of(choices, gold):
    """Vote on each sub-question: the commonest option's share, and whether it is the right one, alone."""
    votes = []
    for chosen, right in zip(choices.tolist(), gold.tolist(), strict=True):
        tally = Counter(option for option in chosen if option >= 0)
        (first, often), *others = tally.most_common()
        alone = not others or others[0][1] < often
        votes.append((Fraction(often, tally.total()), alone and first == right))
    return votes


def replayed(row, benchmark, path, *, alone):
    """Hold a report against a row of Table 4, and give it with how many votes are right at each threshold."""
    found, gold = spread_of(row), gold_of(benchmark)
    choices = choices_of(found, gold)
    report = scored(predict(path, benchmark, choices, alone=alone), benchmark)
    assert report.signature["query_unit"] == ("records" if alone else "groups")
    spread = {line[1]: [cell(value, 3) for value in line[2:]] for line in report.tables["spread"].rows}
    names = ("mean", "std", "min", "max")
    assert spread["accuracy over variants"] == [*(shown(row[f"accuracy_{name}"]) for name in names), "120"]
    assert spread["consistency-valid"] == [*(shown(row[f"consistency_{name}"]) for name in names), "600"]
    assert spread["accuracy in the original order"][0] == shown(original(row))
    assert cell(report.metrics["accuracy"].value, 3) == shown(row["accuracy_mean"])
    assert cell(report.metrics["consistency-valid"].value, 3) == shown(row["consistency_mean"])
    assert spread["consistency-all"][2] == ("0.208" if found.lost else "0.200")
    curve = {line[1]: line[2] for line in report.tables["ensemble"].rows}
    assert [thousandths(Fraction(str(threshold))) for threshold in curve] == list(range(200, 1001, 50))
    votes = votes_of(choices, gold)
    enough = [sum(right and share >= Fraction(step, 20) for share, right in votes) for step in range(4, 21)]
    assert list(curve.values()) == pytest.approx([right / QUESTIONS for right in enough])
    return report, enough


@pytest.mark.parametrize("row", TABLES[4][2 :: one_in(2)], ids=name_of)
def test_table_4_by_sub_questions_that_are_answered_alone(row, benchmark, tmp_path):
    replayed(row, benchmark, tmp_path / "p.jsonl", alone=True)


def test_table_4_by_groups_and_alone_and_figure_2_with_a_curve_a_report(benchmark, tmp_path):
    paths, wanted = [], []
    for row, alone in zip(TABLES[4], (False, True), strict=False):
        report, enough = replayed(row, benchmark, tmp_path / "p.jsonl", alone=alone)
        paths.append(tmp_path / f"{row['model']}.json")
        paths[-1].write_bytes(report.as_json())
        wanted.append(enough)
    figure = figure_data(CONFIG, CONFIG.reporting.figures[0], paths)
    assert (figure.x, figure.y) == ("threshold", "accuracy (%)")
    for curve, row, path, right in zip(figure.series, TABLES[4], paths, wanted, strict=False):
        assert curve.label == path.name
        assert cell(curve.level / 100, 3) == shown(row["accuracy_mean"])  # the paper's dashed line
        assert curve.x == pytest.approx([step / 20 for step in range(4, 21)])
        assert curve.y == pytest.approx([100 * number / QUESTIONS for number in right])


def exact(value):
    return Fraction(str(value))


def show(*words):
    parser = Parser(module="medzh_score.cli.papers:add_reported")
    arguments = parser.parse_args(["tcmd", *map(str, words)])
    assert arguments.run(arguments) == 0


def printed(capsys, number):
    """Give the cells of a table as the command prints them in Markdown, without the heads."""
    show("--table", number, "--to", "markdown")
    lines = [line for line in capsys.readouterr().out.splitlines() if line.startswith("|")]
    return [cells_of(line) for line in lines[2:]]
