from __future__ import annotations

import hashlib
import json
import random
from collections import Counter

import pytest
from made_builds import made_build
from sheet_files import sheet_rows

from dataset_scripts.commands import sheet as sheet_command
from dataset_scripts.commands import tally as tally_command
from dataset_scripts.recipe import Dataset
from dataset_scripts.recipes.sdak.studies import STUDIES
from dataset_scripts.recipes.sdak.types import TYPES
from medzh_score.files.sheets import sheet_bytes
from medzh_score.messages.errors import MedzhError
from medzh_score.messages.parser import Parser
from medzh_score.report.paper import load_paper

THEMATIC, VERIFICATION = STUDIES["thematic"], STUDIES["verification"]
PAPER = {table.number: table for table in load_paper("sdak").tables}
LABELS = {
    "Diagnosis": ("病情诊断", "早上起来手指发麻是怎么了"),
    "Cause": ("病因分析", "为什么一到春天就打喷嚏"),
    "Method": ("治疗方案", "脚踝扭伤以后怎么处理"),
    "Advice": ("就医建议", "耳鸣该看哪个科"),
    "Metric_explain": ("指标解读", "血红蛋白九十算低吗"),
    "Disease_express": ("疾病表述", "水痘会传给大人吗"),
    "Result": ("后果表述", "长期熬夜会怎样"),
    "Attention": ("注意事项", "拔牙后能喝热汤吗"),
    "Effect": ("功效作用", "枸杞泡水有什么用"),
    "Price": ("医疗费用", "洗一次牙要多少钱"),
}


def queries(counts):
    made = [
        {"id": f"q{label}{number}", "query": f"{question}，第{number}问", "label": label}
        for label, question in LABELS.values()
        for number in range(counts)
    ]
    return [*made, {"id": "other", "query": "今天天气好吗", "label": "其他"}]


def write_queries(path, content):
    path.write_text(json.dumps(content, ensure_ascii=False), encoding="utf-8")
    return path


def write_sheet(path, study, rows):
    path.write_bytes(sheet_bytes(study.columns, rows))
    return path


def by_hash(ids, sample, seed):
    """Restate the draw: the smallest SHA-256 of "seed:id"."""
    keyed = {hashlib.sha256(f"{seed}:{name}".encode()).digest(): name for name in ids}
    return [keyed[digest] for digest in sorted(keyed)[:sample]]


@pytest.fixture
def build(tmp_path):
    """Build a folder with pairs of three types, one of them unknown, by hand."""

    def make(shuffle_seed=None):
        rows = [
            {
                "id": f"sdak-{number:04d}-{kind[0].lower()}-{polarity[0]}",
                "type": kind,
                "polarity": polarity,
                "claim": f"{kind} 的第 {number} 句",
            }
            for kind in ("Zzz-New", "Disease-Medicine", "Metric-Effect")
            for number in range(60 if kind == "Metric-Effect" else 20)
            for polarity in ("factual", "counterfactual")
        ]
        if shuffle_seed is not None:
            random.Random(shuffle_seed).shuffle(rows)  # noqa: S311 - an order, not a secret
        folder = tmp_path / f"build-{shuffle_seed}"
        folder.mkdir()
        return made_build(folder, {"sdak": {"test": rows}}, fingerprint="ab" * 32)

    return make


# What is drawn


def test_thematic_draw_is_by_hash_within_intents(tmp_path):
    drawn = THEMATIC.draw(write_queries(tmp_path / "qic.json", queries(30)), 7, 3)
    assert list(dict.fromkeys(row["intent"] for row in drawn.rows)) == list(LABELS)
    for intent, (label, _) in LABELS.items():
        ids = [row["id"] for row in drawn.rows if row["intent"] == intent]
        assert ids == by_hash([f"q{label}{number}" for number in range(30)], 7, 3)
    assert drawn.notes == ("left out: 1 queries of the intent 其他",)


def test_thematic_draw_says_where_there_are_fewer(tmp_path):
    drawn = THEMATIC.draw(write_queries(tmp_path / "qic.json", queries(3)), 200, 0)
    assert len(drawn.rows) == 30
    assert drawn.notes[0] == "Diagnosis (病情诊断): the file has 3 of 200"
    assert len(drawn.notes) == 11


def test_a_draw_depends_on_the_seed_and_not_on_the_order(tmp_path, build):
    straight = queries(30)
    mixed = random.Random(1).sample(straight, len(straight))  # noqa: S311
    one, other = (write_queries(tmp_path / f"{name}.json", of) for name, of in (("a", straight), ("b", mixed)))
    for study, first, second in ((THEMATIC, one, other), (VERIFICATION, build(), build(shuffle_seed=5))):
        assert study.draw(first, 5, 0).rows == study.draw(second, 5, 0).rows
        assert study.draw(first, 5, 0).rows != study.draw(first, 5, 1).rows
    assert THEMATIC.draw(one, 5, 0).notes == THEMATIC.draw(other, 5, 0).notes


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ('[{"id": "1", "query": "问", "label": ""}]', r"field /0/label: is no intent .*test part has no labels"),
        ('[{"id": "1", "query": "问"}]', r"field /0: .*missing required field label"),
        ('[{"id": "1", "query": "问", "label": "其他"}, {"id": 2, "query": "问", "label": "其他"}]', r"field /1/id: "),
        (
            '[{"id": "1", "query": "问", "label": "其他"}, {"id": "1", "query": "", "label": "其他"}]',
            "/1/id: comes twice",
        ),
        ('{"id": "1"}', r"Expected array.*a JSON array of objects"),
        ('[\n{"id": }]', r"qic\.json:2: is not JSON"),
        ("", r"qic\.json:1: is not JSON"),
        ('[\n{"id": "1", "query": "问", "label": "其他"}]'.encode("gb18030"), r"qic\.json:2: is not UTF-8"),
    ],
)
def test_thematic_source_that_is_none(content, message, tmp_path):
    path = tmp_path / "qic.json"
    path.write_bytes(content if isinstance(content, bytes) else content.encode("utf-8"))
    with pytest.raises(MedzhError, match=message):
        THEMATIC.draw(path, 1, 0)


def test_verification_draws_factual_claims_by_hash_within_types(build):
    drawn = VERIFICATION.draw(build(), 50, 4)
    drawn_types = Counter(row["type"] for row in drawn.rows)
    assert [*drawn_types.items()] == [("Metric-Effect", 50), ("Disease-Medicine", 20), ("Zzz-New", 20)]
    ids = [row["id"] for row in drawn.rows if row["type"] == "Metric-Effect"]
    assert ids == by_hash([f"sdak-{number:04d}-m-f" for number in range(60)], 50, 4)
    assert all(row["id"].endswith("-f") for row in drawn.rows)
    assert drawn.notes == (
        "drawn from 0.0.0/mini/abababab",
        "Disease-Medicine: the build has 20 of 50 factual claims",
        "Zzz-New: the build has 20 of 50 factual claims",
    )


# What comes back


def test_table_1_is_replayed(tmp_path):
    """Type 200 queries an intent by the printed percentages; what the paper does not list goes to another type."""
    rows = []
    for intent in LABELS:
        kinds = [row["type"] for row in PAPER[1].rows if row["intent"] == intent for _ in range(2 * row["percent"])]
        kinds += ["别的"] * (200 - len(kinds))
        rows += [{"id": f"{intent}{n}", "intent": intent, "type": kind} for n, kind in enumerate(kinds)]
    table = THEMATIC.tally(write_sheet(tmp_path / "filled.csv", THEMATIC, rows)).table
    printed = [(intent, kind, percent) for intent, kind, percent, *_ in table.rows if kind != "别的"]
    expected = sorted(
        ((row["intent"], row["type"], row["percent"]) for row in PAPER[1].rows),
        key=lambda row: (list(LABELS).index(row[0]), -row[2]),
    )
    assert [row[::2] for row in printed] == [row[::2] for row in expected]
    assert set(printed) == set(expected)
    assert {(typed, drawn) for *_, typed, drawn in table.rows} == {(200, 200)}


def test_types_are_recognised_and_others_keep_their_name(tmp_path):
    kinds = ["Diseases-Complication", "disease_complication", "DiseaseComplication", "disease hospital"]
    kinds += ["饮食-口味", "饮食 口味", ""]
    rows = [{"id": str(n), "intent": "Cause", "type": kind, "rater": "丙"} for n, kind in enumerate(kinds)]
    rows.append({"id": "last", "intent": "Price"})
    tally = THEMATIC.tally(write_sheet(tmp_path / "filled.csv", THEMATIC, rows))
    assert tally.table.rows == (
        ("Cause", "Diseases-Complication", 50.0, 3, 6, 7),
        ("Cause", "饮食 口味", 100 * 2 / 6, 2, 6, 7),
        ("Cause", "Disease-Hospital", 100 / 6, 1, 6, 7),
        ("Price", None, None, 0, 0, 1),
    )
    assert tally.notes == ("2 of 8 queries are not typed and not counted", "raters: 丙")


def verified(counts):
    rows = []
    for kind, verdicts in counts.items():
        filled = [verdict for verdict, count in verdicts.items() for _ in range(count)]
        rows += [
            {"id": f"{kind}-{n}", "type": kind, "claim": "=1+1", "verdict": verdict, "rater": "甲"}
            for n, verdict in enumerate(filled)
        ]
    return rows


def test_table_3_is_replayed(tmp_path):
    verdicts = ("support", "neutral", "refute")
    counts = {row["type"]: {verdict: row[verdict] for verdict in verdicts} for row in PAPER[3].rows}
    rows = verified(counts)
    random.Random(2).shuffle(rows)  # noqa: S311
    tally = VERIFICATION.tally(write_sheet(tmp_path / "filled.csv", VERIFICATION, rows))
    *types, total, percentage = tally.table.rows
    assert [row[0] for row in types] == [row["type"] for row in PAPER[3].rows]
    assert {row[0]: row[1:] for row in types} == {kind: tuple(of.values()) for kind, of in counts.items()}
    assert total == ("Total", 748, 66, 36)
    assert [f"{value:.2f}" for value in percentage[1:]] == ["88.00", "7.76", "4.24"]
    assert tally.notes == ("0 of 850 claims are not rated and not counted", "raters: 甲")


def test_unrated_claims_are_counted_apart(tmp_path):
    rows = verified({"Zzz-New": {"Support": 1, "": 2}, "DiseaseFood": {"": 1, "refute": 1}})
    tally = VERIFICATION.tally(write_sheet(tmp_path / "filled.csv", VERIFICATION, rows))
    assert tally.table.rows == (
        ("Disease-Food", 0, 0, 1),
        ("Zzz-New", 1, 0, 0),
        ("Total", 1, 0, 1),
        ("Percentage", 50.0, 0.0, 50.0),
    )
    assert tally.notes[0] == "3 of 5 claims are not rated and not counted (Disease-Food 1, Zzz-New 2)"


def test_without_a_verdict_there_is_no_percentage(tmp_path):
    tally = VERIFICATION.tally(write_sheet(tmp_path / "blank.csv", VERIFICATION, verified({"Zzz-New": {"": 3}})))
    assert tally.table.rows[-1] == ("Percentage", None, None, None)
    assert tally.notes[1] == "raters: none"


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ("id,type\r\n1,Disease-Food\r\n", r"s\.csv:1: a column is missing; expected id, type, verdict"),
        ("id,type,verdict\r\n1,T,support\r\n2,T,maybe\r\n", r"s\.csv:3: field verdict: is no verdict; .*'maybe'"),
        ("id,type,verdict\r\n1,T,support\r\n1,T,\r\n", r"s\.csv:3: field id: stands twice .*line 2"),
        ("id,type,verdict\r\n,T,support\r\n", r"s\.csv:2: field id: is blank"),
        ("id,type,verdict\r\n", "the sheet has no rows"),
        (b"id,type,verdict\r\n1,\xff\xff,support\r\n", r"s\.csv:\d: is not UTF-8"),
        ("", "a column is missing"),
    ],
)
def test_damaged_verification_sheet(content, message, tmp_path):
    path = tmp_path / "s.csv"
    path.write_bytes(content if isinstance(content, bytes) else content.encode("utf-8-sig"))
    with pytest.raises(MedzhError, match=message):
        VERIFICATION.tally(path)


def test_damaged_thematic_sheet(tmp_path):
    path = write_sheet(tmp_path / "s.csv", THEMATIC, [{"id": "1", "intent": "Guess", "type": "Disease-Food"}])
    with pytest.raises(MedzhError, match=r"s\.csv:2: field intent: is no intent"):
        THEMATIC.tally(path)


# The commands


@pytest.fixture
def declared(tmp_path, monkeypatch):
    dataset = Dataset(config="sdak", schema=tmp_path, card=tmp_path, sources=tmp_path, recipes=(), studies=STUDIES)
    monkeypatch.setattr("dataset_scripts.recipe.dataset", lambda _: dataset)


def call(command, *words):
    parser = Parser(module=command.__name__)
    arguments = parser.parse_args([*map(str, words)])
    return arguments.run(arguments)


@pytest.mark.usefixtures("declared")
def test_sheet_goes_out_safe_and_comes_back(tmp_path, capsys):
    content = [{"id": "=1", "query": '=HYPERLINK("http://x"),\n', "label": "病情诊断"}]
    source, out = write_queries(tmp_path / "qic.json", content), tmp_path / "sheet.csv"
    assert call(sheet_command, "sdak", "thematic", "--source", source, "--out", out) == 0
    assert "1 rows, seed 0" in capsys.readouterr().err
    assert out.read_bytes().startswith(b"\xef\xbb\xbfid,intent,query,type,rater\r\n")
    (row,) = sheet_rows(out.read_text(encoding="utf-8"))
    assert row["query"].startswith("'=HYPERLINK")
    out.write_bytes(sheet_bytes(THEMATIC.columns, [{**row, "type": "Disease-Symptom"}]))
    assert call(tally_command, "sdak", "thematic", out) == 0
    assert "Diagnosis   Disease-Symptom          100" in capsys.readouterr().out


@pytest.mark.usefixtures("declared")
def test_verification_sheet_has_ten_columns_of_evidence(build, tmp_path):
    out = tmp_path / "sheet.csv"
    call(sheet_command, "sdak", "verification", "--data", build(), "--n", 2, "--seed", 9, "--out", out)
    rows = sheet_rows(out.read_text(encoding="utf-8"))
    assert list(rows[0]) == ["id", "type", "claim", *(f"evidence_{n}" for n in range(1, 11)), "verdict", "rater"]
    assert len(rows) == 6
    assert not any(row["verdict"] for row in rows)


@pytest.mark.usefixtures("declared")
@pytest.mark.parametrize("form", ["text", "json", "markdown", "latex"])
def test_tally_is_written_in_every_form(form, tmp_path, capsys):
    rows = verified({"Disease-Food": {"support": 7, "refute": 1}})
    call(tally_command, "sdak", "verification", write_sheet(tmp_path / "s.csv", VERIFICATION, rows), "--to", form)
    shown = capsys.readouterr().out
    if form == "json":
        assert json.loads(shown)["table"]["rows"][-1] == ["Percentage", 87.5, 0.0, 12.5]
    else:
        assert "87.50" in shown


@pytest.mark.usefixtures("declared")
@pytest.mark.parametrize(
    ("words", "message"),
    [
        (("sdak", "other"), "no such study; expected thematic, verification, records"),
        (("sdak", "thematic"), r"--source: thematic needs a file; expected a KUAKE-QIC file"),
        (("sdak", "verification", "--source", "f"), "draws from a build; name it with --data"),
        (("sdak", "verification", "--data", "no/build"), "there is no build here"),
        (("sdak", "thematic", "--source", "no/file"), "there is no such file"),
    ],
)
def test_wrong_call(words, message):
    with pytest.raises(MedzhError, match=message):
        call(sheet_command, *words)


def test_order_of_types_is_that_of_table_3():
    assert [kind.name for kind in TYPES] == [row["type"] for row in PAPER[3].rows]
