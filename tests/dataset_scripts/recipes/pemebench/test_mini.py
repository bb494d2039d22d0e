"""The hand-written sample: what it covers, and that its README says what stands in it."""

from __future__ import annotations

import csv
import json
import re
import unicodedata

import pytest
from places import SAMPLES
from recipe_work import sample_predictions, sample_records
from tool_runs import lines_of
from uncoded import answer_in, item_of

from dataset_scripts.recipes.pemebench.own_reader import MINI, read_own
from medzh_score.command_line import main
from medzh_score.configs.pemebench.reading.judgements import entities_of, read_entities, read_opposed

SAMPLE = SAMPLES / "pemebench"
README = (SAMPLE / "README.md").read_text(encoding="utf-8")
ID = re.compile(r"`(pemebench-[0-9a-f]{10})`")


def lines(name):
    return lines_of(SAMPLE / name)


def judged(name):
    """Give the lines of a judge, each under the item that it judges."""
    return [{**line, "id": item_of(line["id"])} for line in lines(name)]


@pytest.fixture(scope="module")
def records():
    return sample_records(SAMPLE / "PeMeBench.jsonl", MINI, read_own)


@pytest.fixture(scope="module")
def predictions():
    return sample_predictions(SAMPLE / "predictions.jsonl")


def test_the_manual_says_what_sacrebleu_makes_of_the_sample_by_its_tokenizers(records, predictions):
    from sacrebleu import corpus_bleu

    told, answers = list(predictions.values()), [records[name]["answer"] for name in predictions]
    shown = [f"{corpus_bleu(told, [answers], tokenize=tokenizer).score:.2f}" for tokenizer in ("13a", "zh", "char")]
    for language in ("en", "zh"):
        text = (SAMPLE.parents[2] / "docs" / language / "configs" / "pemebench.md").read_text(encoding="utf-8")
        assert all(value in text for value in shown)


# Records.


# Predictions.


def test_the_forms_that_the_readme_names_are_there(records, predictions):
    texts = predictions.values()
    assert sum(text == "" for text in texts) == 1
    assert sum(text == records[name]["answer"] for name, text in predictions.items()) == 1
    assert sum(text.startswith("<think>") and "</think>" in text for text in texts) == 1
    assert sum(text.startswith("<think>") and "</think>" not in text for text in texts) == 1
    assert sum(any(ord(one) > 0xFFFF for one in text) for text in texts) == 1
    assert sum(any(unicodedata.east_asian_width(one) == "F" and one.isdecimal() for one in text) for text in texts) == 2
    assert sum(bool(re.search("[藥預兒]", text)) for text in texts) == 2
    assert sum(text.isascii() and text != "" for text in texts) == 0  # the English one names the β2 receptor
    assert sum(len(re.findall("[a-z]{4,}", text)) > 10 for text in texts) == 1
    for text in filter(re.compile("[藥預兒]").search, texts):
        text.replace("苄", "").encode("cp950")  # of Big5, which has no simplified and no Japanese forms, nor 苄
    longer = [name for name, text in predictions.items() if len(text) > 1.5 * len(records[name]["answer"])]
    assert len(longer) >= 5


def test_the_readme_names_every_answer_that_is_false(records):
    rows = re.findall(r"^\| `(\S+)` \| (\S+) \| (\S+) \|$", README, re.MULTILINE)
    assert len({name for name, *_ in rows}) == 12
    for name, department, task in rows:
        assert (records[name]["department"], records[name]["task"]) == (department, task)
    assert set(ID.findall(README)) <= set(records)


# The judge's responses, and a person's corrections.

FALSE = set(re.findall(r"^\| `(\S+)` \|", README, re.MULTILINE))


def listed():
    """Give the entities of each record as judge and person say them, by loops of our own."""
    found = {}
    for line in judged("judge-entities.jsonl"):
        text = line["prediction"].rpartition("</think>")[2].strip().strip("`").removeprefix("json")
        try:
            values = json.loads(text)
        except ValueError:
            continue
        if isinstance(values, list):
            found[line["id"]] = values
    with (SAMPLE / "corrections.csv").open(encoding="utf-8-sig", newline="") as stream:
        for row in csv.DictReader(stream):
            found[row["id"]] = row["entities"].split("；")
    return found


@pytest.mark.parametrize(
    ("name", "read", "answered", "unread"),
    [("judge-entities.jsonl", read_entities, 60, 3), ("judge-hallucination.jsonl", read_opposed, 59, 2)],
)
def test_some_responses_of_each_round_cannot_be_read(name, read, answered, unread):
    responses = judged(name)
    unreadable = [line["id"] for line in responses if read(line["prediction"], {}) is None]
    assert (len(responses), len(unreadable)) == (answered, unread)
    assert set(unreadable) <= set(ID.findall(README.partition("## judge-entities.jsonl")[2]))


def test_verdicts_are_those_of_the_readme_but_for_one():
    verdicts = {line["id"]: read_opposed(line["prediction"], {}) for line in judged("judge-hallucination.jsonl")}
    opposed = {name for name, value in verdicts.items() if value == {"opposed": "yes"}}
    assert len(opposed) == 11
    (overlooked,) = FALSE - opposed
    assert opposed < FALSE
    assert verdicts[overlooked] == {"opposed": "no"}


def test_corrections_replace_what_was_unreadable_and_what_is_not_in_the_reference(records):
    with (SAMPLE / "corrections.csv").open(encoding="utf-8-sig", newline="") as stream:
        rows = list(csv.DictReader(stream))
    said = {line["id"]: read_entities(line["prediction"], {}) for line in judged("judge-entities.jsonl")}
    assert [said[row["id"]] is None for row in rows] == [False, True]
    first = entities_of(said[rows[0]["id"]]["entities"])
    assert [entity in rows[0]["reference"] for entity in first] == [False, False, True]
    for row in rows:
        assert (row["question"], row["reference"]) == (records[row["id"]]["question"], records[row["id"]]["answer"])
        assert all(entity in row["reference"] for entity in entities_of(row["entities"]))


def plain(text):
    """Restate how entities are compared: NFKC, lower case, no punctuation, white space and invisible characters."""
    folded = unicodedata.normalize("NFKC", unicodedata.normalize("NFKC", text).lower())
    return "".join(one for one in folded if unicodedata.category(one)[0] not in "PZC")


def test_the_sample_is_scored_with_both_rounds_and_the_corrections(records, predictions, minis, capfdbinary):
    """Source: loops over the files; two of 59 verdicts were asked anew; what is empty opposes nothing."""
    files = ("entities=judge-entities.jsonl", "entities=corrections.csv", "hallucination=judge-hallucination.jsonl")
    files += ("hallucination=judge-hallucination-again.jsonl",)
    rounds = [f"{name}={SAMPLE / file}" for name, _, file in (given.partition("=") for given in files)]
    options = [word for given in rounds for word in ("--round", given)]
    command = ["score", "pemebench", str(SAMPLE / "predictions.jsonl"), "--data", str(minis), "--bootstrap", "0"]
    assert main([*command, "--to", "json", *options]) == 0
    report = json.loads(capfdbinary.readouterr().out)
    shares = []
    entities = {name: one["entities"] for name, one in records.items()} | listed()
    for name, values in entities.items():
        known = {plain(value) for value in values if plain(value) in plain(records[name]["answer"])}
        if known:
            shares.append(sum(value in plain(answer_in(predictions[name])) for value in known) / len(known))
    recall, hall = report["metrics"]["Recall_entity"], report["metrics"]["Hall_sentence"]
    assert (recall["value"], recall["n"]) == (pytest.approx(100 * sum(shares) / len(shares)), len(shares))
    assert len(shares) == 59  # of one reference the judge lists none
    assert hall["value"] == pytest.approx(100 * 11 / 60)
    assert report["metrics"]["Hall_sentence-strict"]["value"] == pytest.approx(100 * 13 / 60)
    assert report["metrics"]["Empty rate"]["value"] == pytest.approx(100 * 2 / 60)
    assert report["coverage"]["empty"] == 2
    expected = r"entities [0-9a-f]{8}; hallucination by sample judge \(prompt unknown, sample all, verified\)"
    assert re.fullmatch(expected, report["signature"]["judges"])
