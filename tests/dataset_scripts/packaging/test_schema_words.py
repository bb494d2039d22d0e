from __future__ import annotations

import pytest

from dataset_scripts.packaging.validating import in_words


@pytest.mark.parametrize(
    ("rules", "keyword", "words"),
    [
        ({"type": "string"}, "type", "a text"),
        ({"type": ["array", "null"]}, "type", "a list or null"),
        ({"enum": ["A", 1, None]}, "enum", "one of A, 1, null"),
        ({"const": 1}, "const", "1"),
        ({"minItems": 2, "maxItems": 5}, "minItems", "2 to 5 options"),
        ({"minItems": 2}, "minItems", "2 options or more"),
        ({"maxItems": 5}, "maxItems", "at most 5 options"),
        ({"minLength": 1}, "minLength", "a text of 1 or more characters"),
        ({"maxLength": 40}, "maxLength", "a text of at most 40 characters"),
        ({"minimum": 1}, "minimum", "1 or more"),
        ({"pattern": "\\S"}, "pattern", "a text that is not blank"),
        ({"pattern": "^[a-z]+$"}, "pattern", "a text of the form ^[a-z]+$"),
        ({"not": {"pattern": "\n"}}, "not", 'not {"pattern": "\\n"}'),
        ({"uniqueItems": True}, "uniqueItems", "uniqueItems true"),
    ],
)
def test_rules_are_said_in_words(rules, keyword, words):
    assert in_words(["properties", "options", keyword], {"properties": {"options": rules}}) == words


def test_a_list_that_is_no_field_has_entries_and_long_rules_are_cut():
    assert in_words(["items", "maxItems"], {"items": {"maxItems": 2}}) == "at most 2 entries"
    assert in_words(["enum"], {"enum": ["病" * 500]}).endswith("病…")
