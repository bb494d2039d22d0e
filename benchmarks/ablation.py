"""Which words and expressions change nothing: each is taken away in turn, and what it could touch is read again.

    python benchmarks/ablation.py --real FOLDER [--kind letters] [--only words|expressions] [--cumulative]

An answer counts as touched where the value of its reading changes, on real outputs (``MEDZH_REAL``) or made-up sets;
their own examples do not count. Of what changes no value it is said whether it changes what is clear, and whether it
changes a row that the tests ask for one by one. A word touches only texts that hold it, an expression only those in
which it was found: others are not read again.
"""

from __future__ import annotations

import argparse
import os
import re
import sys
import time
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "tests" / "cases"))

import labels
import reading_rows

from medzh_score.extraction import vocabulary
from medzh_score.extraction.normalize import prepare

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

    from labels import Row

    from medzh_score.extraction.vocabulary import Expression

NOTHING = re.compile(r"(?!)")
SETS, ROWS = "sets", "rows"


@dataclass
class Recorder:
    """A pattern that remembers in which answers it was found."""

    pattern: re.Pattern[str]
    found_in: set[int] = field(default_factory=set)
    now: int = -1

    def _kept(self, found: Any) -> Any:  # noqa: ANN401 - whatever the method gives
        if found:
            self.found_in.add(self.now)
        return found

    def search(self, *where: Any) -> re.Match[str] | None:  # noqa: ANN401 - as `re.Pattern.search`
        """Search as the pattern does."""
        return self._kept(self.pattern.search(*where))

    def match(self, *where: Any) -> re.Match[str] | None:  # noqa: ANN401 - as `re.Pattern.match`
        """Match as the pattern does."""
        return self._kept(self.pattern.match(*where))

    def fullmatch(self, *where: Any) -> re.Match[str] | None:  # noqa: ANN401 - as `re.Pattern.fullmatch`
        """Match the whole as the pattern does."""
        return self._kept(self.pattern.fullmatch(*where))

    def findall(self, *where: Any) -> list[Any]:  # noqa: ANN401 - as `re.Pattern.findall`
        """Find all as the pattern does."""
        return self._kept(self.pattern.findall(*where))

    def finditer(self, *where: Any) -> Iterator[re.Match[str]]:  # noqa: ANN401 - as `re.Pattern.finditer`
        """Find one after another as the pattern does."""
        return iter(self._kept(list(self.pattern.finditer(*where))))

    def split(self, *where: Any) -> list[Any]:  # noqa: ANN401 - as `re.Pattern.split`
        """Split as the pattern does."""
        parts = self.pattern.split(*where)
        self._kept(len(parts) > 1)
        return parts

    def sub(self, *where: Any) -> str:  # noqa: ANN401 - as `re.Pattern.sub`
        """Put something else in as the pattern does."""
        return self.subn(*where)[0]

    def subn(self, *where: Any) -> tuple[str, int]:  # noqa: ANN401 - as `re.Pattern.subn`
        """Put something else in, and count."""
        text, count = self.pattern.subn(*where)
        self._kept(count)
        return text, count

    def __getattr__(self, name: str) -> Any:  # noqa: ANN401 - flags, groups and the like
        """Give what the pattern has beside."""
        return getattr(self.pattern, name)


@dataclass(frozen=True)
class Answers:
    """All labelled answers, how they are read with everything in place, and what each holds."""

    rows: Sequence[Row]
    sets: Sequence[str]
    as_read: Sequence[tuple[Any, ...]]
    texts: Sequence[str]

    def effect(self, places: Iterable[int]) -> Counter[str]:
        """Read answers again and count what differs: values of the sets, of the rows of tests, and clearness."""
        found: Counter[str] = Counter()
        for place in places:
            before, after = self.as_read[place], read(self.rows[place])
            if [one[0] for one in before] != [one[0] for one in after]:
                found[self.sets[place]] += 1
            elif before != after:
                found["unambiguous"] += 1
        return found


def read(row: Row) -> tuple[Any, ...]:
    """Give value and clearness of each reading of an answer; an error is a value of its own."""
    try:
        found = labels.read(row)
    except (ArithmeticError, AttributeError, ImportError, LookupError, TypeError, ValueError) as error:
        return ((repr(error), False),)
    readings = found if row.part == labels.GROUP else (found,)
    return tuple((one.value, one.unambiguous) for one in readings)


def load(folder: str | None, kinds: Sequence[str]) -> tuple[list[Row], list[str]]:
    """Load all sets, and the rows of the tests."""
    real = labels.real_rows(Path(folder)) if folder else {}
    of_sets = [row for rows in (real, labels.made_up_rows()) for of_kind in rows.values() for row in of_kind]
    of_sets = [row for row in of_sets if row.kind in kinds]
    of_rows = [row for row in reading_rows.rows() if row.kind in kinds]
    return [*of_sets, *of_rows], [*([SETS] * len(of_sets)), *([ROWS] * len(of_rows))]


def record(rows: Sequence[Row], sets: Sequence[str]) -> tuple[Answers, dict[str, set[int]]]:
    """Read everything once, and remember which expression was found in which answer."""
    known = list(vocabulary.ALL)  # reading may load a module with more
    recorders = {one.name: Recorder(one.pattern) for one in known}
    for one in known:
        one.pattern = recorders[one.name]  # type: ignore[assignment] # what it offers is the same
    as_read = []
    for place, row in enumerate(rows):
        for recorder in recorders.values():
            recorder.now = place
        forget()
        as_read.append(read(row))
    for one in known:
        one.pattern = recorders[one.name].pattern
    forget()
    texts = [folded(row) for row in rows]
    return Answers(rows, sets, as_read, texts), {name: one.found_in for name, one in recorders.items()}


def folded(row: Row) -> str:
    """Give all that a reader sees of an answer, as words are looked up in it."""
    parts = (row.text, row.question, *(row.options or ()))
    return "\n".join(form for part in parts for form in (prepare(part).folded, part.lower()))


def forget() -> None:
    """Empty the caches of the rules, of which some hold what words or expressions made; files are not read again."""
    for function in CACHES:
        function.cache_clear()


def caches() -> list[Any]:
    """Find the functions of the rules that remember, those apart that read files and build what takes long."""
    kept = {vocabulary.vocabulary, vocabulary.lexicon_of, VOCABULARY}
    modules = [module for name, module in sys.modules.items() if name.startswith(READS)]
    functions = {function for module in modules for function in vars(module).values() if _remembers(function)}
    return [function for function in functions if function not in kept]


def _remembers(function: object) -> bool:
    return callable(getattr(function, "cache_clear", None))


READS = ("medzh_score.extraction", "medzh_score.configs")
VOCABULARY: Callable[[str], tuple[vocabulary.Word, ...]] = vocabulary.vocabulary
CACHES: list[Any] = []
GONE: set[vocabulary.Word] = set()  # with ``--cumulative``, the words found to change nothing so far


def without_word(answers: Answers, file: str, word: vocabulary.Word) -> Counter[str]:
    """Take a word away, and read again what holds it."""
    places = [place for place, text in enumerate(answers.texts) if word.word in text]
    if not places:
        return Counter()

    def vocabulary(name: str) -> tuple[vocabulary.Word, ...]:
        return tuple(one for one in VOCABULARY(name) if one not in GONE and (name != file or one is not word))

    return _meanwhile(vocabulary, answers, places)


def _meanwhile(
    vocabulary: Callable[[str], tuple[vocabulary.Word, ...]], answers: Answers, places: Sequence[int]
) -> Counter[str]:
    """Let the rules read with another vocabulary; modules may hold the function, or what was made of it, by name."""
    holders = [
        module
        for name, module in sys.modules.items()
        if name.startswith(READS) and vars(module).get("vocabulary") is VOCABULARY
    ]
    for module in holders:
        module.vocabulary = vocabulary  # type: ignore[attr-defined] # found there
    _rebuild()
    try:
        return answers.effect(places)
    finally:
        for module in holders:
            module.vocabulary = VOCABULARY  # type: ignore[attr-defined] # found there
        _rebuild()


def _rebuild() -> None:
    vocabulary.lexicon_of.cache_clear()
    forget()


def without_expression(answers: Answers, one: Expression, places: Sequence[int]) -> Counter[str]:
    """Let an expression match nothing, and read again what it was found in."""
    pattern, one.pattern = one.pattern, NOTHING
    forget()
    try:
        return answers.effect(places)
    finally:
        one.pattern = pattern
        forget()


def show(name: str, effect: Counter[str], held: int) -> bool:
    """Print what changes nothing in the sets; say whether it does."""
    if effect[SETS]:
        return False
    why = [f"{effect[ROWS]} rows of the tests"] * bool(effect[ROWS]) + [f"{effect['clear']} clear"] * bool(
        effect["unambiguous"]
    )
    print(f"{name}\tin {held} answers\t{', '.join(why) or 'nothing'}", flush=True)
    return True


def main() -> None:
    """List what changes nothing."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--real", default=os.environ.get("MEDZH_REAL"), help="folder of labelled real outputs")
    parser.add_argument("--kind", action="append", choices=labels.KINDS, help="of all, read this kind")
    parser.add_argument("--only", choices=("words", "expressions"))
    parser.add_argument(
        "--cumulative", action="store_true", help="leave words away that changed nothing while the next are tried"
    )
    given = parser.parse_args()
    start = time.perf_counter()
    kinds = available(given.kind or labels.KINDS)
    rows, sets = load(given.real, kinds)
    CACHES.extend(caches())
    answers, found_in = record(rows, sets)
    print(f"# {len(rows)} answers of {', '.join(kinds)}")
    idle = Counter[str]()
    if given.only != "words":
        for one in vocabulary.ALL:
            places = sorted(found_in.get(one.name, ()))
            idle["expressions"] += show(f"expression {one.name}", without_expression(answers, one, places), len(places))
    if given.only != "expressions":
        for file in sorted(path.stem for path in vocabulary.FOLDER.glob("*.toml")):
            for word in VOCABULARY(file):
                held = sum(word.word in text for text in answers.texts)
                effect = without_word(answers, file, word)
                idle["words"] += show(f"word {file}.{word.kind} {word.word!r}", effect, held)
                if given.cumulative and not effect:
                    GONE.add(word)
    total = {"words": sum(len(VOCABULARY(path.stem)) for path in vocabulary.FOLDER.glob("*.toml"))}
    total["expressions"] = len(vocabulary.ALL)
    print(*(f"# {idle[name]} of {total[name]} {name} change no value" for name in idle), sep="\n")
    print(f"# {time.perf_counter() - start:.0f} s")


def available(kinds: Sequence[str]) -> list[str]:
    """Give the kinds that can be read; reading one loads its module, and with it its expressions."""
    found = []
    for kind in kinds:
        try:
            labels.read(labels.Row("", kind, "答案：B", None, options=("甲", "乙"), question="题"))
        except (ImportError, AttributeError) as lacking:
            print(f"# {kind}: {lacking}", file=sys.stderr)
        else:
            found.append(kind)
    return found


if __name__ == "__main__":
    main()
