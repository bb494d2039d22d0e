"""What a message keeps where a private config takes part: all but values of records and predictions."""

from __future__ import annotations

import pytest

from medzh_score.ui.errors import MedzhError, redact_errors, shown
from medzh_score.ui.privacy import Unredacted, at_work, quotable, quotable_key, texts_are_withheld, withhold_texts

TEXT = "患者发热三天"
OURS = {"__name__": "medzh_score.somewhere", "MedzhError": MedzhError}


def raised_by_us(**parts):
    return eval("MedzhError(**parts)", OURS | {"parts": parts})  # noqa: S307 - a module's name is all that differs


@pytest.mark.parametrize(
    ("text", "kept"),
    [
        (TEXT, "a string of 6 characters"),
        ("pneumonia and fever, 39", "a string of 23 characters"),
        ("CA19-9", "a string of 6 characters"),
        ("20260101", "a string of 8 characters"),
        (ValueError(TEXT), "a string of 6 characters"),
        ("ward-0123456789", None),
        ("ward-0123456789-2#r3v1", None),
        ("0" * 64, None),
        (Unredacted(TEXT), None),
        ("", None),
    ],
)
def test_values_give_way_to_their_length_and_ids_digests_and_names_stay(text, kept):
    assert quotable(text) == str(text)
    with at_work(private=True):
        assert quotable(text) == (text if kept is None else kept)


@pytest.mark.parametrize(
    ("found", "said"),
    [
        (TEXT, "a string of 6 characters"),
        ("--include-text", "a string of 14 characters"),
        ("ward-0123456789", "'ward-0123456789'"),
        (Unredacted("answer, question"), "'answer, question'"),
        (3, "3"),
        (38.5, "a value of type float"),
        (True, "a value of type bool"),
        ([TEXT, TEXT], "a value of type list"),
        (TEXT.encode(), "a value of type bytes"),
        (None, None),
    ],
)
def test_what_was_found_gives_way_to_its_kind_and_length(found, said):
    parts = {"problem": "invalid value", "file": "p.jsonl", "line": 3, "field": "answer"}
    end = "" if found is None else f": found {found!r}"
    assert str(raised_by_us(**parts, found=found)) == f'p.jsonl:3: field "answer": invalid value{end}'
    with at_work(private=True):
        error, now = raised_by_us(**parts, found=found), shown(found)
    end = "" if said is None else f": found {said}"
    assert str(error) == f'p.jsonl:3: field "answer": invalid value{end}'
    assert now == ("None" if said is None else said)


def test_what_an_option_was_given_is_said():
    with at_work(private=True):
        assert str(raised_by_us(problem="invalid value", field="--rule", found=TEXT)).endswith(f": found '{TEXT}'")


@pytest.mark.parametrize("field", ["answer", TEXT])
def test_of_what_another_package_says_its_field_stays_alone(field):
    with at_work(private=True):
        error = MedzhError(f"no {TEXT}", field=field, expected=TEXT, advice=f"mend {TEXT}")
    assert TEXT not in str(error) + repr(error) + repr(vars(error))
    named = "answer" if field == "answer" else "a string of 6 characters"
    assert str(error).startswith(f'field "{named}": a string of 9 characters: expected a string of 6 characters')


@pytest.mark.parametrize("key", ["answer", "/samples/3/id", "choices[…].message"])
def test_keys_that_are_plain_names_stay(key):
    with at_work(private=True):
        assert quotable_key(key) == key
        assert quotable_key(f"{key} {TEXT}") == f"a string of {len(key) + 7} characters"


def test_a_work_is_private_from_when_a_private_config_takes_part_until_it_ends():
    with at_work():
        assert quotable(TEXT) == TEXT
        with at_work():
            withhold_texts()
        assert texts_are_withheld()
        assert quotable(TEXT) == "a string of 6 characters"
    assert not texts_are_withheld()
    with at_work():
        assert not texts_are_withheld()


def test_a_function_raises_one_error_that_leads_to_no_other():
    @redact_errors
    def fails(*, private):
        if private:
            withhold_texts()
        try:
            int(TEXT)
        except ValueError as error:
            raise LookupError(TEXT) from error

    with pytest.raises(LookupError, match=TEXT):
        fails(private=False)
    with pytest.raises(MedzhError) as caught:
        fails(private=True)
    assert (caught.value.__cause__, caught.value.__context__) == (None, None)
    assert str(caught.value) == "unexpected error LookupError: a string of 6 characters; report this to the developers"
