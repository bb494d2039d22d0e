"""Tokens: a closed list with the versions that signatures name; words as jieba cuts them, by rjieba where it may."""

from __future__ import annotations

import re
import warnings
from dataclasses import dataclass
from functools import cache, lru_cache
from importlib.machinery import ModuleSpec, SourceFileLoader
from importlib.metadata import version
from importlib.resources import files
from importlib.util import find_spec, module_from_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal
from zlib import crc32

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

    Engine = Literal["rjieba", "jieba"]
    Emission = tuple[float, float, float, float]
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
NEVER = -3.14e100  # jieba's logarithm of a probability of zero


@dataclass(frozen=True)
class Tokens:
    """A named way to cut a text into tokens. The text is taken as it stands: no case or width is folded.

    Tokens that are white space alone are left out. Where a package cuts, its version decides.
    """

    name: str
    summary: str
    cut: Callable[[str], Sequence[str]]
    package: str | None = None

    def __str__(self) -> str:
        """Write it as the signature does, with its version."""
        return self.name if self.package is None else f"{self.name} {version(self.package)}"


def words(text: str) -> list[str]:
    """Cut a text into words with jieba: its own dictionary, and its model for words that are not in it."""
    return [word for word in segmented([text])[0] if not word.isspace()]


def characters(text: str) -> list[str]:
    """Cut a text into its characters."""
    return [character for character in text if not character.isspace()]


TOKENS = (
    Tokens("jieba", "words, as jieba's default dictionary and model cut them", words, "jieba"),
    Tokens("characters", "single characters", characters),
)


class _State:
    """What this process has learnt of rjieba."""

    compared = 0
    differs = False


def segmented(texts: Sequence[str]) -> list[list[str]]:
    """Cut texts into words, each exactly as ``jieba.lcut`` does with its default dictionary and model.

    rjieba finds the words of the dictionary, which are most, fast. A sample of the texts (the first of a process, then
    one in 4,096 by hash) is also cut by jieba itself. When one differs, jieba cuts everything from then on: `engine`
    tells.
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


def joined_characters(run: str) -> list[str]:
    """Join Chinese characters to words as ``jieba.finalseg`` does.

    A character begins a word, stands in its middle, ends it or is a word. The sums of logarithms are jieba's in its
    order, and of equal ones it takes the state of the later name (B, E, M, S): another order, or rounded probabilities,
    would join some runs otherwise.
    """
    emission, start, (be, bm, eb, es, me, mm, sb, ss) = _model()
    unseen = (NEVER,) * 4
    first = emission.get(run[0], unseen)
    b, e, m, s = (start[state] + value for state, value in enumerate(first))
    # For each character and state the state before it.
    came_from: list[str] = []
    for character in run[1:]:
        emit_b, emit_e, emit_m, emit_s = emission.get(character, unseen)
        from_e, from_s = e + eb + emit_b, s + sb + emit_b
        to_b, before_b = (from_e, "E") if from_e > from_s else (from_s, "S")
        from_b, from_m = b + be + emit_e, m + me + emit_e
        to_e, before_e = (from_b, "B") if from_b > from_m else (from_m, "M")
        from_b, from_m = b + bm + emit_m, m + mm + emit_m
        to_m, before_m = (from_b, "B") if from_b > from_m else (from_m, "M")
        from_e, from_s = e + es + emit_s, s + ss + emit_s
        to_s, before_s = (from_e, "E") if from_e > from_s else (from_s, "S")
        b, e, m, s = to_b, to_e, to_m, to_s
        came_from.append(before_b + before_e + before_m + before_s)
    return _words(run, "E" if e > s else "S", came_from)


def _words(run: str, state: str, came_from: list[str]) -> list[str]:
    """Follow the states from the last character to the first, and end a word where one ends or is one."""
    states = [state]
    for before in reversed(came_from):
        state = before["BEMS".index(state)]
        states.append(state)
    words, begin = [], 0
    for place, state in enumerate(reversed(states)):
        if state in "BS":
            begin = place
        if state in "ES":
            words.append(run[begin : place + 1])
    return words


@cache
def _model() -> tuple[Mapping[str, Emission], tuple[float, ...], tuple[float, ...]]:
    """Read jieba's probabilities: of characters by state, of the first state, and of a state after another."""
    start, trans, emit = (_table(name) for name in ("prob_start", "prob_trans", "prob_emit"))
    by_state = [emit[state] for state in "BEMS"]
    emission = {
        character: tuple(of_state.get(character, NEVER) for of_state in by_state)
        for character in dict.fromkeys(character for of_state in by_state for character in of_state)
    }
    steps = tuple(trans[step[0]].get(step[1], NEVER) for step in ("BE", "BM", "EB", "ES", "ME", "MM", "SB", "SS"))
    return emission, tuple(start[state] for state in "BEMS"), steps


def _table(name: str) -> Any:  # noqa: ANN401 - a table of a package without types
    """Read a module of jieba alone: the package imports slowly, with what setuptools has declared obsolete."""
    package = find_spec("jieba")
    if package is None or not package.submodule_search_locations:
        raise ModuleNotFoundError("No module named 'jieba'", name="jieba")
    folder = Path(package.submodule_search_locations[0], "finalseg")
    loader = SourceFileLoader(f"jieba_{name}", str(folder / f"{name}.py"))
    module = module_from_spec(ModuleSpec(loader.name, loader, origin=loader.path))
    loader.exec_module(module)
    return module.P
