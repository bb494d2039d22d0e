"""Ids that the data lack are looked up: the refusal names the one config of the build, or the sample, that has them.

Source of the expectations: beside which config's records a predictions file stands in the tree.
"""

from __future__ import annotations

import pytest
from places import SAMPLES

from medzh_score import MedzhError, check, config_names, load_records, score
from medzh_score.benchmark.items import Query
from medzh_score.readers.align import collect
from medzh_score.readers.records import PredictionRows, Rows

NEXT = dict(zip(config_names(), [*config_names()[1:], config_names()[0]], strict=True))


def advice_on(data, *ids):
    asked = [Query("sdak-1", (0,), None)]
    files = PredictionRows(rows=Rows([{"id": identifier, "prediction": "x"} for identifier in ids]))
    with pytest.raises(MedzhError) as raised:
        collect(["sdak-1"], asked, (), files, data=data)
    return raised.value.advice


@pytest.mark.parametrize(("config", "other"), NEXT.items())
def test_ids_of_another_config_of_the_build_are_its(minis, config, other):
    fix = rf"\n  Fix: score config {config}, which contains these ids\.$"
    with pytest.raises(MedzhError, match=rf"predictions have ids that are not in the data \(.*{fix}"):
        score(other, SAMPLES / config / "predictions.jsonl", minis)


def test_a_check_says_so_too(minis):
    found = check("sdak", [SAMPLES / "tcmd" / "predictions.jsonl"], minis)
    assert str(found.error).endswith("\n  Fix: score config tcmd, which contains these ids.")


def test_where_the_build_lacks_the_config_it_is_that_of_the_sample(sdak_build):
    predictions = SAMPLES / "tcmd" / "predictions.jsonl"
    for data in (sdak_build, "mini", load_records("mini", "sdak")):
        with pytest.raises(
            MedzhError, match=r"\n  Fix: score config tcmd with --data mini, which contains these ids\.$"
        ):
            score("sdak", predictions, data)


def test_ids_of_groups_are_known(minis):
    groups = {row["group_id"] for row in load_records(minis, "tcmd").rows}
    records = {row["id"] for row in load_records(minis, "tcmd").rows}
    asked = sorted(groups - records)
    assert asked
    assert advice_on(minis, *asked) == "score config tcmd, which contains these ids"


def test_nobody_is_named_where_ids_are_nobodys_or_of_several(minis):
    ids = [load_records("mini", name)[0]["id"] for name in ("sdak", "tcmd")]
    general = "check that --data specifies the data from which the prompts were written"
    assert [advice_on(minis, *ids), advice_on(minis, ids[0], "x")] == [general] * 2


@pytest.mark.parametrize(
    ("ids", "advice"),
    [
        (("SDAK-1",), "write the ids in upper and lower case as in the data"),
        (("SDAK-1", "Sdak-1"), "write the ids in upper and lower case as in the data"),
        (("SDAK-1", "SDAK-2"), "check that --data specifies the data from which the prompts were written"),
    ],
)
def test_ids_in_another_case_are_said_to_be(minis, ids, advice):
    assert advice_on(minis, *ids) == advice


def test_a_damaged_neighbour_does_not_hide_the_error(tmp_path):
    (tmp_path / "manifest.json").write_text('{"configs": {"sdak": {}, "tcmd": 7}}', "utf-8")
    assert advice_on(tmp_path, "nobody's") == "check that --data specifies the data from which the prompts were written"
