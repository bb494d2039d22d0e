"""What a message keeps where a private config takes part: our words, and names that are known."""

from __future__ import annotations

import pytest

from medzh_score.messages import unquoting
from medzh_score.messages.at_work import at_work, texts_are_withheld, withhold_texts
from medzh_score.messages.catalogue import FOLDER, Section, template
from medzh_score.messages.discretion import discreet
from medzh_score.messages.errors import MedzhError
from medzh_score.messages.unquoting import sayable, without_texts

TEXT = "患者发热三天"


@pytest.mark.parametrize(
    ("text", "kept"),
    [
        ("is of the wrong kind", "is of the wrong kind"),
        ("3 of 28 predictions are missing (ward-0123456789 run 0)", None),
        (f"3 of 28 predictions are missing ({TEXT})", "3 of 28 predictions are missing (a text of 6 characters)"),
        (f"is of no known form; its keys are id, {TEXT}", "is of no known form; its keys are a text of 10 characters"),
        (f"nobody ever wrote this: {TEXT}", "a text of 30 characters"),
        ("pneumonia and fever, 39", "a text of 23 characters"),
        ("CA19-9", "a text of 6 characters"),
        (
            f"unexpected KeyError: '{TEXT}'; please report it",
            "unexpected KeyError: a text of 8 characters; please report it",
        ),
        ("prompts of ward have no examples", None),
        ("ward: left out: it is private, and is never published", None),
        ("The data are mini, not the official benchmark: compare with no paper.", None),
    ],
)
def test_only_our_words_numbers_ids_and_names_stay(text, kept):
    assert without_texts(text, {"ward"}) == (text if kept is None else kept)
    assert without_texts(without_texts(text, {"ward"}), {"ward"}) == without_texts(text, {"ward"})


def test_what_fills_two_places_stands_in_neither(monkeypatch):
    twice = template("asks {0} twice, and {0} again", "{0}")
    monkeypatch.setattr(unquoting, "catalogue", lambda: {FOLDER: Section({}, [twice])})
    assert without_texts("asks ward twice, and ward again", {"ward"}) == "asks ward twice, and ward again"
    message = f"asks {TEXT} twice, and {TEXT} again"
    assert without_texts(message, ()) == f"a text of {len(message)} characters"


@pytest.mark.parametrize(
    ("found", "shown"),
    [
        (TEXT, "a text of 6 characters"),
        ("20260101", "a text of 8 characters"),
        ("ward-0123456789", "'ward-0123456789'"),
        ("--texts", "a text of 7 characters"),
        (38.5, "a number"),
        (True, "a number"),
        ([TEXT, TEXT], "2 values"),
        (TEXT.encode(), "a value of type bytes"),
        (None, None),
    ],
)
def test_what_was_found_gives_way_to_its_kind_and_length(found, shown):
    error = MedzhError("is wrong", file="p.jsonl", line=3, field="answer", found=found)
    assert TEXT in str(error) or not isinstance(found, str) or found != TEXT
    with at_work():
        withhold_texts(())
        end = "" if shown is None else f"; found {shown}"
        assert str(error) == f"p.jsonl:3: field answer: is wrong{end}"


def test_a_work_is_private_from_when_a_private_config_takes_part_until_it_ends():
    with at_work():
        assert sayable(TEXT) == TEXT
        with at_work():
            withhold_texts(["ward"])
        assert texts_are_withheld()
        assert (sayable(TEXT), sayable("ward")) == ("a text of 6 characters", "ward")
    assert not texts_are_withheld()
    with at_work():
        assert not texts_are_withheld()


def test_a_function_raises_one_error_that_leads_to_no_other():
    @discreet
    def fails(*, private):
        if private:
            withhold_texts(())
        try:
            int(TEXT)
        except ValueError as error:
            raise LookupError(TEXT) from error

    with pytest.raises(LookupError, match=TEXT):
        fails(private=False)
    with pytest.raises(MedzhError) as caught:
        fails(private=True)
    assert (caught.value.__cause__, caught.value.__context__) == (None, None)
    assert str(caught.value) == "unexpected LookupError: a text of 6 characters; please report it"
