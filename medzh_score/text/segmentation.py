"""Words as jieba cuts them, by rjieba where its cut is the same, and compared on a sample at each run."""

from __future__ import annotations

import re
import warnings
from functools import cache, lru_cache
from importlib.resources import files
from typing import TYPE_CHECKING, Any, Literal
from zlib import crc32

from medzh_score.text.unknown_words import joined_characters

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    Engine = Literal["rjieba", "jieba"]

ALWAYS, ONE_IN = 16, 4096  # the first texts of a process are compared with jieba, then those that their hash draws
COMPARED, HASHED = 500, 50  # characters of a text
BATCH = 10_000  # characters that rjieba is given at once

# What may be a part of a word beside Chinese characters, letters and digits. Only these words of the dictionary have
# one, so any other is like a letter that no word has, and is given to rjieba as that letter; then it stands in a token
# with the letters and digits around it, which is cut again as jieba does.
JOINER = re.compile(r"[+#&._%-]")
JOINED_WORD = re.compile(r"AT&T|[cC](?:#|\+\+)")
LETTER = "q"
JOINER_OR_LETTER = re.compile(r"[+#&._%q-]")
LATIN = re.compile(r"[a-zA-Z0-9]+(?:\.[0-9]+)?%?|[^a-zA-Z0-9]+")
# Between texts.
BORDER = "\x01"
# Chinese characters that jieba does not know for such and rjieba does, halves of surrogate pairs, which rjieba cannot
# read, and our own border. Each is a token of its own for jieba; so is the mark that rjieba is given for it.
RARE = re.compile("[\x01\u3400-\u4dbf\u9fd6-\u9fff\ud800-\udfff\uf900-\ufaff\U00020000-\U0003ffff]")
MARK = "〓"
RARE_OR_MARK = re.compile(RARE.pattern[:-1] + MARK + "]")
# Kinds of tokens, a letter each: single Chinese characters, which are joined where they stand side by side, letters and
# digits with and without a joiner among them, borders, and all others.
SINGLE, CUT_AGAIN, UNCUT, BETWEEN, KEPT = "squbk"
LATINS = {CUT_AGAIN, UNCUT}
NOT_KEPT = re.compile(f"{SINGLE}{{2,}}|[{CUT_AGAIN}{BETWEEN}]")
KINDS_KEPT = 1 << 17
FIRST_CHINESE, LAST_CHINESE = "\u4e00", "\u9fd5"
# jieba counts a word that stands twice in its dictionary twice, and rjieba once, so that its total is lower by 3. That
# decides between equally probable cuts, such as those of the probe: a word that never occurs makes up for it.
MISSING_FREQUENCY = 3
PROBE, ITS_FIRST_WORD = "八八八" + "上颚" * 18, "八八"


class _State:
    """What this process has learnt of rjieba."""

    compared = 0
    differs = False


def segmented(texts: Sequence[str]) -> list[list[str]]:
    """Cut texts into words, each exactly as ``jieba.lcut`` does with its default dictionary and model.

    rjieba finds the words of the dictionary, which are most, fast. A sample of the texts (the first of a process, then
    one in 4,096 by hash) is also cut by jieba itself. When one differs, jieba cuts everything from then on: `engine`
    tells.

    Examples
    --------
    >>> segmented(["IL-6升高 提示炎症"])
    [['IL', '-', '6', '升高', ' ', '提示', '炎症']]
    """
    return cut_by(checked_engine(texts), texts)


def checked_engine(texts: Iterable[str]) -> Engine:
    """Compare rjieba with jieba on a sample of texts, and say which of the two is to cut them."""
    sample = [] if _State.differs else _sample(texts)
    if sample and (_rjieba() is None or _fast(sample) != [_jieba().lcut(text) for text in sample]):
        _State.differs = True
    return engine()


def engine() -> Engine:
    """Say by what this process cuts texts: rjieba, or jieba once the two were found to differ."""
    return "jieba" if _State.differs else "rjieba"


def cut_by(name: Engine, texts: Iterable[str]) -> list[list[str]]:
    """Cut texts into words by an engine that was found right, without another comparison."""
    if name == "jieba" or _rjieba() is None:
        return [_jieba().lcut(text) for text in texts]
    return [words for batch in _batches(texts) for words in _fast(batch)]


def _sample(texts: Iterable[str]) -> list[str]:
    """Draw the texts that are compared, each cut to a length that takes no time."""
    drawn = []
    for text in texts:
        if _State.compared < ALWAYS or crc32(text[:HASHED].encode("utf-8", "surrogatepass")) % ONE_IN == 0:
            _State.compared += 1
            drawn.append(text[:COMPARED])
    return drawn


def _batches(texts: Iterable[str]) -> Iterator[list[str]]:
    batch: list[str] = []
    length = 0
    for text in texts:
        batch.append(text)
        length += len(text)
        if length > BATCH:
            yield batch
            batch, length = [], 0
    if batch:
        yield batch


def _fast(texts: Sequence[str]) -> list[list[str]]:
    """Cut a batch; the few texts with a word that holds a joiner by jieba."""
    whole = "".join(texts)
    if not JOINED_WORD.search(whole):
        return _faster(texts, whole)
    by_jieba = {place: _jieba().lcut(text) for place, text in enumerate(texts) if JOINED_WORD.search(text)}
    others = [text for place, text in enumerate(texts) if place not in by_jieba]
    cut = iter(_faster(others, "".join(others)))
    return [by_jieba[place] if place in by_jieba else next(cut) for place in range(len(texts))]


def _faster(texts: Sequence[str], whole: str) -> list[list[str]]:
    """Cut a batch by rjieba, with what it would cut otherwise replaced before and put back after."""
    has_rare = RARE.search(whole)
    text = BORDER.join([RARE.sub(MARK, text) for text in texts] if has_rare else texts)
    cut = _finished([*_dictionary_words(JOINER.sub(LETTER, text)), BORDER], iter(JOINER_OR_LETTER.findall(whole)))
    if has_rare:
        rare = iter(RARE_OR_MARK.findall(whole))
        return [[next(rare) if word == MARK else word for word in words] for words in cut]
    return cut


def _dictionary_words(text: str) -> list[str]:
    """Cut a text into words of the dictionary, runs of letters and digits, and single characters."""
    words: list[str] = _rjieba().cut(text, False)  # noqa: FBT003 - its own model has rounded probabilities
    return words


def _finished(tokens: Sequence[str], joiners: Iterator[str]) -> list[list[str]]:
    """Join single characters, put joiners back, and part the texts, each with a border behind it."""
    cut: list[list[str]] = []
    words: list[str] = []
    last = 0
    kinds = "".join(map(_KINDS.__getitem__, tokens))
    for found in NOT_KEPT.finditer(kinds):
        start, stop = found.span()
        words += tokens[last:start]
        last = stop
        kind = kinds[start]
        if kind == SINGLE:
            run = "".join(tokens[start:stop])
            words += _joined(run) or _joined_word(run, beside_latin=bool({kinds[start - 1], kinds[stop]} & LATINS))
        elif kind == CUT_AGAIN:
            first, *others = tokens[start].split(LETTER)
            words += LATIN.findall(first + "".join([next(joiners) + other for other in others]))
        else:
            cut.append(words)
            words = []
    return cut


@lru_cache(maxsize=1 << 16)
def _joined(run: str) -> list[str]:
    """Join single characters by jieba's model; nothing where they are a word of the dictionary."""
    return [] if _rjieba().has_word(run) else joined_characters(run)


def _joined_word(run: str, *, beside_latin: bool) -> list[str]:
    """Leave the characters of a word single that are more probable so; jieba sees the word only if it stands alone."""
    return joined_characters(run) if beside_latin else list(run)


class _Kinds(dict[str, str]):
    """The kinds of the tokens that were seen."""

    def __missing__(self, token: str) -> str:
        if len(self) > KINDS_KEPT:
            self.clear()
        if token == BORDER:
            kind = BETWEEN
        elif len(token) == 1 and FIRST_CHINESE <= token <= LAST_CHINESE:
            kind = SINGLE
        elif token.isascii() and token.isalnum():
            kind = CUT_AGAIN if LETTER in token else UNCUT
        else:
            kind = KEPT
        self[token] = kind
        return kind


_KINDS = _Kinds()


@cache
def _rjieba() -> Any:  # noqa: ANN401 - a class of a package that is imported late
    """Load a dictionary of our own, with jieba's total; None where equally probable cuts are decided otherwise."""
    import rjieba

    dictionary = rjieba.Jieba()  # words may have been added to the one that all of a process share
    for added in (0, MISSING_FREQUENCY):
        if added:
            dictionary.add_word(MARK + MARK, added, None)
        if dictionary.cut(PROBE, False)[0] == ITS_FIRST_WORD:  # noqa: FBT003 - without its model
            return dictionary
    return None


@cache
def _jieba() -> Any:  # noqa: ANN401 - a class of a package without types
    """Load jieba's dictionary from its own file: what it keeps in the temporary folder anybody could have written."""
    with warnings.catch_warnings():
        # On import it uses what setuptools has declared obsolete.
        warnings.simplefilter("ignore")
        import jieba
    tokenizer = jieba.Tokenizer()
    with files("jieba").joinpath("dict.txt").open("rb") as stream:
        tokenizer.FREQ, tokenizer.total = tokenizer.gen_pfdict(stream)
    tokenizer.initialized = True
    return tokenizer
