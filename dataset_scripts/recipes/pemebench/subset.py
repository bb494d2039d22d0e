"""The pediatric questions of one or several banks: each once, counted, and as records."""

from __future__ import annotations

from collections import Counter, defaultdict
from dataclasses import dataclass
from typing import TYPE_CHECKING

from dataset_scripts.recipe import BuildTable
from dataset_scripts.recipes.banks.likeness import Seen
from dataset_scripts.recipes.banks.questions import LETTERS, REASONS
from dataset_scripts.recipes.pemebench.pediatric import TABLE, published_list
from dataset_scripts.recipes.published_tables import named
from medzh_score.messages.errors import MedzhError

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from dataset_scripts.recipe import Record
    from dataset_scripts.recipes.banks.questions import Question
    from dataset_scripts.recipes.pemebench.bank import Bank


@dataclass(frozen=True)
class Subset:
    """The pediatric questions of one or several banks."""

    banks: Mapping[str, Bank]  # by source, in order
    kept: tuple[tuple[Question, list[str]], ...]  # each question once, with the names of the patterns that hold
    repeated: Counter[str]  # by source: those that stand there twice, or in a source before
    contradicted: Counter[str]  # by source: those left out because an equal question has another answer

    def notes(self) -> Iterator[str]:
        """Say from how many sources the questions come, where there is more than one, and what was not taken."""
        counts = Counter(question.source for question, _ in self.kept)
        spare = sum(question.spare for question, _ in self.kept)
        if spare:
            yield f"{spare:,} other wordings and answers of these questions were not taken: the first of each is"
        if len(counts) > 1:
            listed = ", ".join(f"{count:,} {name}" for name, count in counts.items())
            yield f"the split test holds questions of several sources: {listed}; the column source tells them apart"

    def tables(self, paper: Sequence[tuple[str, str, str]]) -> tuple[BuildTable, ...]:
        """Count beside the paper: of what, how many questions it has, and how many of them are about children."""
        return (self._beside(paper), self._by_source(), *self._by_reason(), self._by_pattern())

    def _beside(self, paper: Sequence[tuple[str, str, str]]) -> BuildTable:
        found, children = sum(bank.found for bank in self.banks.values()), len(self.kept)
        rows = [("this build", f"{found:,}", f"{children:,}"), *paper]
        return BuildTable(
            "Questions about children, by our patterns, beside those that the paper counts by its own",
            ("set", "questions", "about children"),
            tuple(rows),
        )

    def _by_source(self) -> BuildTable:
        kept = Counter(question.source for question, _ in self.kept)
        rows = [
            (
                name,
                bank.found,
                bank.dropped.total(),
                bank.others,
                self.repeated[name],
                self.contradicted[name],
                kept[name],
            )
            for name, bank in self.banks.items()
        ]
        return BuildTable(
            "Rows of the sources: those that cannot be asked, those about others, those that stand twice, and the rest",
            ("source", "found", "cannot be asked", "not about children", "repeated", "contradicted", "kept"),
            tuple(rows),
        )

    def _by_reason(self) -> tuple[BuildTable, ...]:
        totals = sum((bank.dropped for bank in self.banks.values()), Counter[str]())
        rows = tuple((reason, meaning, totals[reason]) for reason, meaning in REASONS.items() if totals[reason])
        title = "Rows that cannot be asked and scored, by reason; the first that holds counts"
        return (BuildTable(title, ("reason", "meaning", "rows"), rows),) if rows else ()

    def _by_pattern(self) -> BuildTable:
        any_of = Counter(name for _, names in self.kept for name in names)
        alone = Counter(names[0] for _, names in self.kept if len(names) == 1)
        return BuildTable(
            "Questions by the pattern that holds, and those that are selected by it alone",
            ("pattern", "meaning", "questions", "by it alone"),
            tuple(
                (pattern.name, pattern.meaning, any_of[pattern.name], alone[pattern.name])
                for pattern in published_list().patterns
            ),
        )


def subset(banks: Mapping[str, Bank]) -> Subset:
    """Keep each question once; of choice questions that are equal but for their answers, none.

    A choice question that has the right answer of one before and is worded like it stands twice, too.
    Of several sources the first that has a question wins.
    """
    listed = [pair for bank in banks.values() for pair in bank.children]
    answers: dict[str, set[str]] = defaultdict(set)
    for question, _ in listed:
        answers[question.digest].add(question.answer)
    kept: dict[tuple[str, ...], tuple[Question, list[str]]] = {}
    digests: set[str] = set()
    repeated, contradicted = Counter[str](), Counter[str]()
    for question, names in listed:
        if question.options and len(answers[question.digest]) > 1:
            contradicted[question.source] += 1
        elif question.identity in kept or question.digest in digests:
            repeated[question.source] += 1
        else:
            kept[question.identity] = (question, names)
            digests.add(question.digest)
    if not kept:
        raise _nothing(banks, contradicted.total())
    twins = _worded_twice([question for question, _ in kept.values()], list(banks))
    repeated.update(question.source for question in twins)
    unlike = tuple(pair for pair in kept.values() if pair[0] not in twins)
    return Subset(banks, unlike, repeated, contradicted)


def _worded_twice(questions: Sequence[Question], sources: Sequence[str]) -> set[Question]:
    """Find choice questions that are worded like another of the same right answer: all but one of them.

    Which one stays does not depend on the order of the rows: of the first source, the first by its digest.
    """
    seen, found = Seen(), set()
    for question in sorted(questions, key=lambda one: (sources.index(one.source), one.digest)):
        if question.options and seen.is_like_one(question.text, _right(question)):
            found.add(question)
        elif question.options:
            seen.add(question.text, _right(question))
    return found


def _right(question: Question) -> str:
    return "；".join(question.options[LETTERS.index(letter)] for letter in question.answer)


def _nothing(banks: Mapping[str, Bank], contradicted: int) -> MedzhError:
    """Say why no question is left: none can be asked, none is about children, or those are contradicted."""
    rows = sum(bank.found for bank in banks.values())
    dropped = sum((bank.dropped for bank in banks.values()), Counter[str]())
    others = sum(bank.others for bank in banks.values())
    counts = [f"{count:,} {reason} ({REASONS[reason]})" for reason, count in dropped.most_common()]
    counts += [f"{others:,} not about children"] if others else []
    counts += [f"{contradicted:,} contradicted (an equal question has another answer)"] if contradicted else []
    problem = "no question of these sources is about children"
    expected = f"questions of which a pattern of {named(TABLE)} holds"
    if contradicted:
        problem = "no question about children is left: equal ones have different answers"
        expected = "one answer to each question"
    elif rows and not others:
        problem, expected = (
            "no row of these sources can be asked and scored",
            "a question and its right answer in a row",
        )
    found = f"{rows:,} rows of {', '.join(banks)}" + (f": {'; '.join(counts)}" if counts else "")
    return MedzhError(problem, field="--source", expected=expected, found=found)


def record_of(question: Question, names: Sequence[str], prefix: str, recipe: str, prompt: str) -> Record:
    """Make the record of a question; where the source calls it nothing, its upstream key is its id."""
    identifier = f"{prefix}-{question.digest}"
    return {
        "id": identifier,
        "question": question.text,
        **({"options": list(question.options)} if question.options else {}),
        "answer": question.answer,
        "matched": list(names),
        "prompt": prompt,
        "source": question.source,
        "recipe": recipe,
        "upstream_key": question.key or identifier,
    }
