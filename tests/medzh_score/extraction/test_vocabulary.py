"""The words and expressions that answers are read by: each does what its examples say, and there are not too many."""

from __future__ import annotations

import importlib
import pkgutil
import tomllib
import unicodedata
from collections import Counter

import pytest
from tables import holds

import medzh_score.configs
import medzh_score.extraction
from medzh_score.extraction.engine import scan
from medzh_score.extraction.normalize import Prepared
from medzh_score.extraction.vocabulary import ALL, FOLDER, lexicon_of, vocabulary
from medzh_score.text.fold import simplified_characters

for _package in (medzh_score.extraction, medzh_score.configs):
    for _module in pkgutil.walk_packages(_package.__path__, f"{_package.__name__}."):
        importlib.import_module(_module.name)  # each registers its expressions

FILES = sorted(path.stem for path in FOLDER.glob("*.toml"))
READ = [FOLDER.parent, *FOLDER.parents[1].glob("configs/*/reading")]
SOURCES = sorted(path for folder in READ for path in folder.rglob("*") if path.suffix in {".py", ".toml"})
MOST_LINES, MOST_EXPRESSIONS, LONGEST_FILE = 5500, 160, 450


def has_sense(text, word, file):
    """Say whether a word has its sign at some place where it stands in a text."""
    found = scan(Prepared(text, text.lower(), (0,), (0,)), lexicon_of(*({file} - {"shared"})))
    places = zip(found.signs, found.starts, found.ends, strict=True)
    return any(sign == word.sign and text.lower()[start:end] == word.word for sign, start, end in places)


def test_ambiguous_words_have_their_sense_in_one_example_and_not_in_the_other():
    ambiguous = [(word, file, (True, True, False)) for file in FILES for word in vocabulary(file) if word.matches]
    holds(ambiguous, senses)


def senses(word, file):
    stands_there = word.word in word.misses.lower()
    return stands_there, has_sense(word.matches, word, file), has_sense(word.misses, word, file)


def test_expressions_match_one_example_and_not_the_other():
    holds([(one.name, one.matches, one.misses, (True, False)) for one in ALL], found_in)


def found_in(name, *examples):
    (pattern,) = [one.pattern for one in ALL if one.name == name]
    return tuple(pattern.search(example) is not None for example in examples)


def test_expressions_have_names_of_their_own_and_run_over_text_or_signs():
    assert [name for name, count in Counter(one.name for one in ALL).items() if count > 1] == []
    assert {one.over for one in ALL} == {"text", "signs"}


@pytest.mark.parametrize("file", FILES)
def test_words_stand_once_and_as_prepared_texts_write_them(file):
    words = [word.word for word in vocabulary(file)]
    assert [word for word, count in Counter(words).items() if count > 1] == []
    assert [word for word in words if word != word.lower() or not word] == []
    assert [word for word in words if any("\uff01" <= sign <= "\uff5e" for sign in word)] == []
    assert [word for word in words if word != unicodedata.normalize("NFC", word)] == []
    assert [word for word in words if word.translate(simplified_characters()) != word] == []


@pytest.mark.parametrize("file", FILES)
def test_a_sign_is_one_character_and_stands_for_one_class(file):
    classes = tomllib.loads((FOLDER / f"{file}.toml").read_text(encoding="utf-8"))
    signs = [of["sign"] for of in classes.values() if "sign" in of]
    assert {len(sign) for sign in signs} == {1}
    assert [sign for sign, count in Counter(signs).items() if count > 1] == []


@pytest.mark.parametrize("file", FILES)
def test_words_without_a_sign_stand_once_in_their_class(file):
    classes = tomllib.loads((FOLDER / f"{file}.toml").read_text(encoding="utf-8"))
    of_classes = {name: of["words"] for name, of in classes.items() if "sign" not in of}
    assert [name for name, words in of_classes.items() if len({*words}) < len(words)] == []


def test_the_engine_stays_small():
    lines = {path: path.read_text(encoding="utf-8").count("\n") for path in SOURCES}
    assert {name: count for name, count in lines.items() if count > LONGEST_FILE} == {}
    assert sum(lines.values()) <= MOST_LINES
    assert len(ALL) <= MOST_EXPRESSIONS
