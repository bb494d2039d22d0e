from __future__ import annotations

import hashlib
import json
import re

import pytest

from dataset_scripts.recipe import SourceFile, dataset
from dataset_scripts.recipes.sdak.dataset import MINI
from medzh_score.ui.errors import MedzhError

README_PAIR = "FreedomIntelligence/SDAK/65168539190d153453bf06ffc018b99b9896be1f/README-pair.jsonl"
# Table 11 of the paper, in its order.
TABLE_11 = (
    """
Metric-Effect|Disease-Infectivity|Disease-Department|Disease-Method|Disease-Cause|Chinese Medicine-Effect
Chinese Medicine-SideEffect|Western Medicine-Effect|Western Medicine-SideEffect|Food-Effect|Disease-Examination
Disease-Prevention|Diseases-Complication|Disease-Symptom|Examination-Range|Disease-Food|Disease-Medicine
""".replace("\n", "|")
    .strip("|")
    .split("|")
)
INSTRUCTION = "下列说法是否正确，如果正确，请先回复”正确”，然后给出原因。如果错误，请先回复“错误”，然后给出原因。\n\n"


def line(polarity, number, kind="DiseaseCause", *, claim=None, **fields):
    claim = claim or f"某病{number}的病因{'' if polarity == 'pos' else '不'}可能包括受凉"
    return {
        "label_id": f"{polarity}_{number}",
        "type": kind,
        "disease": f"某病{number}",
        "cause": "受凉",
        "claim": claim,
        "label": {"pos": "support", "neg": "refute"}[polarity],
        "instruction": INSTRUCTION + claim,
        "input": "",
        "output": "",
        "id": 0,
        **fields,
    }


def pair(number, kind="DiseaseCause", **fields):
    return [line("pos", number, kind, **fields), line("neg", number, kind, **fields)]


def text(lines):
    return "".join(json.dumps(one, ensure_ascii=False) + "\n" for one in lines).encode()


def built_from(path, *, recipe="official", source="sdak", pinned=False):
    file = SourceFile(source, path, hashlib.sha256(path.read_bytes()).hexdigest(), pinned)
    return dataset("sdak").recipe(recipe).make({source: file}, 0)


@pytest.fixture
def read(tmp_path):
    def make(content, *, pinned=False):
        path = tmp_path / "SDAK.jsonl"
        path.write_bytes(content if isinstance(content, bytes) else text(content))
        return built_from(path, pinned=pinned)

    return make


def sorted_records(built):
    return sorted(built.splits["test"], key=dataset("sdak").order)


@pytest.fixture
def refused(read):
    def refuse(content, **options):
        with pytest.raises(MedzhError) as caught:
            read(content, **options)
        return caught.value

    return refuse


def test_the_pair_that_the_authors_print_becomes_two_records_word_by_word(upstream_file):
    built = built_from(upstream_file(README_PAIR))
    shared = {
        "pair_id": "sdak-disease_cause-0001",
        "type": "Disease-Cause",
        "type_zh": "疾病-病因",
        "subject": "乳核",
        "object": "痰浊凝结所致",
        "slot_names": ["disease", "cause"],
        "slot_values": ["乳核", "痰浊凝结所致"],
        "source": "sdak",
        "sources": ["sdak"],
        "n_sources": None,
        "recipe": "official",
    }
    own = ("id", "polarity", "label", "claim", "prompt", "answer", "upstream_key")
    true, false = "乳核的病因可能包括痰浊凝结所致", "乳核的病因不可能包括痰浊凝结所致"
    sides = (
        ("f", "factual", "support", true, INSTRUCTION + true, "正确", "DiseaseCause/pos_1"),
        ("c", "counterfactual", "refute", false, INSTRUCTION + false, "错误", "DiseaseCause/neg_1"),
    )
    assert sorted_records(built) == [
        {**shared, **dict(zip(own, (f"sdak-disease_cause-0001-{end}", *rest), strict=True))} for end, *rest in sides
    ]
    assert built.notes == ()


def test_the_mini_sample_holds_every_line_of_its_file_in_the_order_of_table_11():
    built = built_from(MINI, recipe="mini", source="sdak-mini", pinned=True)
    lines = [json.loads(one) for one in MINI.read_text(encoding="utf-8").splitlines()]
    records = sorted_records(built)
    assert {record["claim"] for record in records} == {one["claim"] for one in lines}
    assert {record["prompt"] for record in records} == {one["instruction"] for one in lines}
    assert list(dict.fromkeys(record["type"] for record in records)) == TABLE_11
    assert [record["polarity"] for record in records] == ["factual", "counterfactual"] * (len(lines) // 2)
    assert {record["recipe"] for record in records} == {"mini"}
    assert built.notes == ()


def test_pairs_stand_by_number_and_unknown_types_last(read):
    lines = [*pair(10, "Zz-Kind"), *pair(2, "Aa-Kind"), *pair(10), *pair(2), *pair(1, "MetricEffect")]
    ids = [record["id"] for record in sorted_records(read(lines))]
    expected = ["metric_effect-0001", "disease_cause-0002", "disease_cause-0010", "aa_kind-0002", "zz_kind-0010"]
    assert ids == [f"sdak-{stem}-{end}" for stem in expected for end in "fc"]


@pytest.mark.parametrize(
    "written", ["DiseaseCause", "disease_cause", "Disease Cause", "DISEASE-CAUSE", "Diseases-Cause"]
)
def test_type_strings_are_read_without_case_hyphen_underscore_space_and_plural(read, written):
    (factual, _) = sorted_records(read(pair(3, written)))
    assert (factual["type"], factual["pair_id"]) == ("Disease-Cause", "sdak-disease_cause-0003")
    assert factual["upstream_key"] == f"{written}/pos_3"


def test_an_unknown_type_is_kept_as_it_is_and_noted(read):
    built = read([*pair(1, "疾病-医院"), *pair(1)])
    assert {record["type"] for record in built.splits["test"]} == {"疾病-医院", "Disease-Cause"}
    assert any(
        "疾病-医院" in note and "type(s) are not among the 17 known types and were stored unchanged" in note
        for note in built.notes
    )


def test_slots_are_the_remaining_texts_in_the_order_of_the_file(read):
    slots = {"disease": "甲", "cause": "乙", "site": "丙", "weight": 3, "more": None}
    built = read(pair(1, **slots))
    record = built.splits["test"][0]
    assert record["slot_names"] == ["disease", "cause", "site"]
    assert record["slot_values"] == ["甲", "乙", "丙"]
    assert (record["subject"], record["object"]) == ("甲", "乙")
    assert any("more, weight" in note for note in built.notes)


def test_exact_duplicates_are_dropped_and_counted_whatever_their_running_id(read):
    lines = [*pair(1), {**line("pos", 1), "id": 99}, line("neg", 1)]
    built = read(lines)
    assert len(built.splits["test"]) == 2
    assert built.notes == ("2 exact duplicates of other lines were removed.",)


def test_bom_crlf_blank_lines_and_no_last_newline_are_fine(read):
    plain = read(pair(1))
    written = b"\xef\xbb\xbf\r\n" + text(pair(1)).replace(b"\n", b"\r\n\r\n").rstrip()
    assert read(written) == plain


# The second line of two pairs, changed.
FIELDS = [
    ({"claim": None}, "claim", "missing"),
    ({"claim": ""}, "claim", "not text"),
    ({"claim": " \n"}, "claim", "not text"),
    ({"claim": ["a"]}, "claim", "not text"),
    ({"type": None}, "type", "missing"),
    ({"type": 4}, "type", "not text"),
    ({"label_id": None}, "label_id", "missing"),
    *(({"label_id": one}, "label_id", "invalid label id") for one in ("pos-1", "neg_1x", "neg_٣", "neg_1234567")),
    ({"label": "support"}, "label", "contradicts"),
    ({"label": "neutral"}, "label", "contradicts"),
    ({"label": None}, "label", "missing"),
    ({"instruction": 5}, "instruction", "not text"),
]


@pytest.mark.parametrize(("change", "field", "words"), FIELDS)
def test_a_faulty_field_is_named_with_its_line(refused, change, field, words):
    changed = {
        name: value for name, value in (line("neg", 1) | change).items() if name == "output" or value is not None
    }
    error = refused([line("pos", 1), changed, *pair(2)])
    assert (error.line, error.field) == (2, field)
    assert words in error.problem
    assert error.file.endswith("SDAK.jsonl")
    assert error.expected
    assert error.advice


# From lines to the line and field that are named, and to what is said.
CONTRADICTIONS = {
    "no positive claim": (
        [*pair(1), line("neg", 2)],
        3,
        "label_id",
        "the other claim of the pair is missing.*pos_2.*found 'neg_2'",
    ),
    "no negative claim": (
        [*pair(1), line("pos", 2)],
        3,
        "label_id",
        "the other claim of the pair is missing.*neg_2.*found 'pos_2'",
    ),
    "a key twice": ([*pair(1), *pair(2), line("pos", 1, claim="另一说法")], 5, "claim", "line 1.*found '另一说法'"),
    "zeros in front": ([*pair(1), line("pos", 1, label_id="pos_01", claim="另一说法")], 3, "claim", ""),
    "a key twice with other slots": ([*pair(1), line("pos", 1, cause="劳累")], 3, "label_id", ""),
    "other slots in a pair": ([line("neg", 1), line("pos", 1, cause="劳累")], 2, "slots", "受凉.*劳累"),
    "equal claims": ([line("pos", 1, claim="同一"), line("neg", 1, claim="同一")], 2, "claim", ""),
    "41 characters": (pair(10000, "Chinese Medicine-SideEffect"), 1, "label_id", ""),
}


@pytest.mark.parametrize(("lines", "number", "field", "words"), CONTRADICTIONS.values(), ids=CONTRADICTIONS)
def test_lines_that_contradict_each_other_are_refused(refused, lines, number, field, words):
    error = refused(lines)
    assert (error.line, error.field) == (number, field)
    assert re.search(words, str(error))


@pytest.mark.parametrize(
    ("second", "words"),
    [
        (b'{"label_id": "pos_2", ', "invalid JSON"),
        (b"[1, 2]", "wrong type: expected one JSON object"),
        (b'"text"', "wrong type: expected one JSON object"),
        (b'{"claim": "\xb2\xa1"}', "the line is not valid UTF-8"),
        (b'{"claim": NaN}', "NaN"),
        (b'{"claim": "\\ud800"}', "the text contains an unpaired surrogate"),
        (b'{"claim": "a", "claim": "b"}', "twice"),
        (b'{"claim": ' + b"[" * 100_000, "invalid JSON"),
        (b'{"claim": ' + b"9" * 5_000 + b"}", "invalid JSON"),
        (b"\x00\x00", "invalid JSON"),
        ('{"claim": "a"}'.encode("utf-16"), "the line is not valid UTF-8"),
    ],
)
def test_a_line_that_is_no_json_object_is_named(refused, second, words):
    error = refused(text([line("pos", 1)]) + second + b"\n")
    assert error.line == 2
    assert words in str(error)
    assert "\n" not in str(error).replace("\n  ", "")


@pytest.mark.parametrize("content", [b"", b"\n\r\n", b"\xef\xbb\xbf"])
def test_a_file_without_claims_is_refused(refused, content):
    assert "no claims" in str(refused(content))


def test_the_pinned_file_must_hold_what_the_paper_counts_and_a_copy_of_ones_own_may_have_any_size(read, refused):
    lines = [one for number in range(14_048) for one in pair(number // 17 + 1, TABLE_11[number % 17])]
    assert len(read(lines, pinned=True).splits["test"]) == 28_096
    fewer = refused(lines[:-2], pinned=True)
    assert "28,096 claims in 14,048 pairs of 17 types" in fewer.expected
    assert fewer.found == "28,094 claims in 14,047 pairs of 17 types"
    assert len(read(lines[:40]).splits["test"]) == 40
