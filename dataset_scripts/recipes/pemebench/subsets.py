"""The pediatric questions of a bank (PeMeBench, Table 4): selected, each once, counted, and as records."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from dataset_scripts.inputs.question_banks import DAMAGED, LETTERS, REASONS, Question, read_cmexam, read_medqa
from dataset_scripts.inputs.upstream import read_objects
from dataset_scripts.recipe import BuildTable, Built, CardMetadata, Dataset, Recipe
from dataset_scripts.recipes.common import mini, reads
from dataset_scripts.recipes.pemebench.pediatric import MEASURED, NAMED, PATTERNS, published_list
from dataset_scripts.sources.registry import REGISTRY
from medzh_score.configs.pemebench.choice import prompt_of, wording
from medzh_score.configs.pemebench.prompts import huatuo_prompt
from medzh_score.io.paths import package_file
from medzh_score.text.fold import fold
from medzh_score.ui.errors import MedzhError
from medzh_score.ui.i18n import _

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence

    from dataset_scripts.recipe import Record, SourceFile

    Read = Callable[[str, Path], Iterator[Question | str]]
    Selected = tuple[Question, list[str]]  # with the names of the matching patterns


MINIS = Path(__file__).parents[2] / "mini"
SUMMARY = "questions of {bank} about children, selected by the patterns of medzh, not by those of the authors"
NOT_OURS = _("its questions belong to third parties: each user builds it from a file that they provide")
PARAMETERS: dict[str, int | str] = {"patterns": PATTERNS, "hand-read": MEASURED}


@dataclass(frozen=True)
class SubsetSpec:
    """How a subset is built."""

    config: str
    bank: str  # the source of its questions
    file: str  # the file of the bank that is nearest to the paper's
    source: str  # the name of that file as a source
    prefix: str  # the prefix of its ids
    read: Read  # from a source and its file to its questions, or why a row is none
    prompts: Callable[[Sequence[Question]], Sequence[str]]  # from the subset's questions to the default prompt of each
    paper: tuple[tuple[str, str, str], ...]  # counts of the paper: the set, its questions, those about children
    metadata: CardMetadata


@dataclass(frozen=True)
class Subset:
    """The selected questions of a source, with counts."""

    found: int  # rows
    dropped: Counter[str]  # rows that are no question, by a reason of REASONS
    others: int  # questions that are not about children
    repeated: int
    contradicted: int  # excluded because an equal question has another answer
    kept: tuple[Selected, ...]  # each question once

    def tables(self, source: str, paper: Sequence[tuple[str, str, str]]) -> tuple[BuildTable, ...]:
        """Return the tables of the subset."""
        return (self._beside(paper), self._by_fate(source), *self._by_reason(), self._by_pattern())

    def _beside(self, paper: Sequence[tuple[str, str, str]]) -> BuildTable:
        return BuildTable(
            "Questions about children: matched by the patterns of medzh, and counted in the paper",
            ("set", "questions", "about children"),
            (("this build", f"{self.found:,}", f"{len(self.kept):,}"), *paper),
        )

    def _by_fate(self, source: str) -> BuildTable:
        counts = (self.found, self.dropped.total(), self.others, self.repeated, self.contradicted, len(self.kept))
        return BuildTable(
            "Source rows: not usable as questions, about other topics, duplicates, and remaining rows",
            ("source", "found", "unusable", "not about children", "repeated", "contradicted", "kept"),
            ((source, *counts),),
        )

    def _by_reason(self) -> tuple[BuildTable, ...]:
        rows = tuple(
            (reason, meaning, self.dropped[reason]) for reason, meaning in REASONS.items() if self.dropped[reason]
        )
        title = "Unusable rows by reason (the first reason that applies)"
        return (BuildTable(title, ("reason", "meaning", "rows"), rows),) if rows else ()

    def _by_pattern(self) -> BuildTable:
        any_of = Counter(name for _unused, names in self.kept for name in names)
        alone = Counter(names[0] for _unused, names in self.kept if len(names) == 1)
        return BuildTable(
            "Questions matched by each pattern, and questions matched by that pattern only",
            ("pattern", "meaning", "questions", "by this pattern only"),
            tuple(
                (pattern.name, pattern.meaning, any_of[pattern.name], alone[pattern.name])
                for pattern in published_list().patterns
            ),
        )


def build_subset(spec: SubsetSpec, recipe: str, files: Mapping[str, SourceFile]) -> Built:
    """Build a subset of the one file that is given."""
    ((source, file),) = files.items()
    read = spec.read if recipe == "official" else _read_mini
    found = subset(read(source, file.path), source)
    prompts = spec.prompts([question for question, _unused in found.kept])
    records = [
        record_of(question, names, spec.prefix, recipe, prompt)
        for (question, names), prompt in zip(found.kept, prompts, strict=True)
    ]
    spare = sum(question.spare for question, _unused in found.kept)
    note = _(
        "Only the first question text and the first answer of each question were used. {spare:,} other texts were "
        "discarded.",
        spare=spare,
    )
    return Built({"test": records}, (note,) if spare else (), found.tables(source, spec.paper))


def _read_mini(source: str, file: Path) -> Iterator[Question]:
    for _unused, row in read_objects(file):
        yield Question(source, row["question"], row["answer"], tuple(row.get("options", ())))


def subset(rows: Iterator[Question | str], source: str) -> Subset:
    """Keep each question about children once; of choice questions that are equal but for their answers, none.

    A choice question that has the right answer of one before and is translated like it stands twice, too. Nothing is
    repaired: a broken row is dropped and counted.
    """
    found, others, dropped = 0, 0, Counter[str]()
    selected: list[Selected] = []
    for row in rows:
        found += 1
        if isinstance(row, str):
            dropped[row] += 1
        elif row.damaged:
            dropped[DAMAGED] += 1
        elif names := published_list().matched(row.text):
            selected.append((row, names))
        else:
            others += 1
    answers: dict[str, set[str]] = defaultdict(set)
    for question, _unused in selected:
        answers[question.digest].add(question.answer)
    agreed = [pair for pair in selected if not pair[0].options or len(answers[pair[0].digest]) == 1]
    kept = tuple(_without_twins(_once(agreed)))
    contradicted = len(selected) - len(agreed)
    result = Subset(found, dropped, others, len(agreed) - len(kept), contradicted, kept)
    if not kept:
        raise _nothing(result, source)
    return result


def _once(selected: Sequence[Selected]) -> list[Selected]:
    """Keep the first of equal questions, and of those that share text and right options."""
    kept: dict[tuple[str, ...], Selected] = {}
    digests: set[str] = set()
    for question, names in selected:
        if question.identity not in kept and question.digest not in digests:
            kept[question.identity] = (question, names)
            digests.add(question.digest)
    return list(kept.values())


def _without_twins(selected: Sequence[Selected]) -> Iterator[Selected]:
    """Leave out choice questions that are translated like another of the same right answer: all but one of them.

    Which one stays does not depend on the order of the rows: the first by its digest.
    """
    seen, twins = Seen(), set()
    for question in sorted(
        (question for question, _unused in selected if question.options), key=lambda one: one.digest
    ):
        if seen.is_like_one(question.text, _right(question)):
            twins.add(question)
        else:
            seen.add(question.text, _right(question))
    yield from (pair for pair in selected if pair[0] not in twins)


def _right(question: Question) -> str:
    return "；".join(question.options[LETTERS.index(letter)] for letter in question.answer)


def _nothing(found: Subset, source: str) -> MedzhError:
    """Explain why no question remains."""
    counts = [f"{count:,} {reason} ({REASONS[reason]})" for reason, count in found.dropped.most_common()]
    counts += [f"{found.others:,} not about children"] if found.others else []
    if found.contradicted:
        counts.append(f"{found.contradicted:,} contradicted (an equal question has another answer)")
        problem = _("no question about children remains, because identical questions have different answers")
        expected = _("one answer per question")
    elif found.found and not found.others:
        problem = _("no row of this source can be used as a question and scored")
        expected = _("a question and its correct answer in each row")
    else:
        problem = _("no question of this source is about children")
        expected = _("questions that match a pattern of {named}", named=NAMED)
    shown = f"{found.found:,} rows of {source}" + (f": {'; '.join(counts)}" if counts else "")
    return MedzhError(problem, field="--source", expected=expected, found=shown)


def record_of(question: Question, names: Sequence[str], prefix: str, recipe: str, prompt: str) -> Record:
    """Make the record of a question; without a key in the source, its upstream key is its id."""
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


def dataset_of(spec: SubsetSpec) -> Dataset:
    """Declare a subset."""
    sample, make = MINIS / spec.config / "questions.jsonl", partial(build_subset, spec)
    own = f"{spec.config.replace('_', '-')}-mini"
    return Dataset(
        config=spec.config,
        schema=package_file("medzh_score", f"schemas/{spec.config}.schema.json"),
        card=package_file("dataset_scripts", f"cards/{spec.config}.md.jinja"),
        sources=REGISTRY,
        recipes=(
            Recipe(
                name="official",
                summary=SUMMARY.format(bank=spec.bank),
                sources=(spec.source,),
                make=reads(make, "official"),
                own=(spec.source,),
                derived=True,
                bring=_(
                    "provide a file of {bank}, such as {file}, with `--source FILE`", bank=spec.bank, file=spec.file
                ),
                parameters=PARAMETERS,
                annotated=("found",),
                worded=("found",),
            ),
            mini(f"the form of {spec.bank}", own, sample, reads(make, "mini"), PARAMETERS),
        ),
        never_published=NOT_OURS,
        metadata=spec.metadata,
    )


ALIKE = 0.4  # of the pairs of characters that either question has; in a test set none but twins share over 0.3


@dataclass
class Seen:
    """The questions of a build so far, by their answer."""

    _pairs: dict[str, list[frozenset[str]]] = field(default_factory=lambda: defaultdict(list))

    def is_like_one(self, text: str, answer: str) -> bool:
        """Return whether an earlier question with the same answer has most of its character pairs."""
        pairs = _pairs(text)
        return any(len(pairs & other) >= ALIKE * len(pairs | other) for other in self._pairs[fold(answer)])

    def add(self, text: str, answer: str) -> None:
        """Add a question."""
        self._pairs[fold(answer)].append(_pairs(text))


def _pairs(text: str) -> frozenset[str]:
    folded = fold(text)
    return frozenset(folded[place : place + 2] for place in range(len(folded) - 1))


def choice_prompts(questions: Sequence[Question]) -> list[str]:
    """Write the default prompts; all or none of them state that several options may be correct."""
    words = wording(question.answer for question in questions)
    return [prompt_of(question.text, question.options, words) for question in questions]


CMEXAM = dataset_of(
    SubsetSpec(
        config="pemebench_cmexam",
        bank="CMExam",
        file="test_with_annotations.csv",  # the paper took the test set (section 3.1.2)
        source="cmexam",
        prefix="pmcmexam",
        read=read_cmexam,
        prompts=choice_prompts,
        paper=(
            ("the paper, Table 2: CMExam as a whole", "60,000", "2,936"),
            (
                "the paper, Table 4: evaluated questions (8 of 9 values have the denominator 265)",
                "not stated",
                "265 (inferred)",
            ),
        ),
        metadata=CardMetadata(
            summary_zh="PeMeBench 论文表 4 的题目之一：从 CMExam 中选出的儿科选择题，选题规则与作者的不同。",
            task_categories=("question-answering", "multiple-choice"),
            task_ids=("multiple-choice-qa",),
        ),
    )
)


MEDQA = dataset_of(
    SubsetSpec(
        config="pemebench_medqa",
        bank="MedQA",
        file="Mainland/test.jsonl",
        source="medqa",
        prefix="pmmedqa",
        read=read_medqa,
        prompts=choice_prompts,
        paper=(
            ("the paper, Table 2: MedQA in all its languages", "61,097", "3,844"),
            (
                "the paper, Table 4: evaluated questions (8 of 10 values have the denominator 496)",
                "not stated",
                "496 (inferred)",
            ),
        ),
        metadata=CardMetadata(
            summary_zh="PeMeBench 论文表 4 的题目之一：从 MedQA 中选出的儿科选择题，选题规则与作者的不同。",
            task_categories=("question-answering", "multiple-choice"),
            task_ids=("multiple-choice-qa",),
        ),
    )
)


QUESTIONS, ANSWERS = ("questions", "question"), ("answers", "answer")
LINK = re.compile(r"https?://\S+")  # the part from consultations has addresses for answers


def read_huatuo(source: str, file: Path) -> Iterator[Question | str]:
    """Read a file of Huatuo-26M, or why a row is no question.

    One object a line with ``questions`` or ``question`` and ``answers`` or ``answer``: a text, a list of texts, or a
    list of such lists, of which the first text is taken.
    """
    for line, row in read_objects(file):
        wordings = _texts(row, QUESTIONS, file, line)
        answers = _texts(row, ANSWERS, file, line)
        if not wordings:
            yield "no text"
        elif not answers:
            yield _("no answer")
        elif LINK.fullmatch(answers[0]):
            yield "link"
        else:
            yield Question(source, wordings[0], answers[0], key=_key(row), spare=len(wordings) + len(answers) - 2)


def _texts(row: dict[str, Any], names: tuple[str, ...], file: Path, line: int) -> list[str]:
    """Return all stripped texts of the first of these fields in the row."""
    name = next((name for name in names if name in row), None)
    if name is None:
        expected, found = " or ".join(names), ", ".join(row)
        raise MedzhError(
            _("the field is missing"), file=file, line=line, field=names[0], expected=expected, found=found
        )
    flat = list(_flat(row[name]))
    if not all(isinstance(text, str) for text in flat):
        expected = _("strings or lists of strings")
        raise MedzhError(_("wrong type"), file=file, line=line, field=name, expected=expected, found=row[name])
    return [text.strip() for text in flat if text.strip()]


def _flat(value: Any) -> Iterator[Any]:  # noqa: ANN401 - any JSON value
    if isinstance(value, list):
        for member in value:
            yield from _flat(member)
    elif value is not None:
        yield value


def _key(row: dict[str, Any]) -> str:
    value = row.get("id")
    return str(value).strip() if isinstance(value, str | int) and not isinstance(value, bool) else ""


def _prompts(questions: Sequence[Question]) -> list[str]:
    return [huatuo_prompt({"question": question.text}) for question in questions]


HUATUO = dataset_of(
    SubsetSpec(
        config="pemebench_huatuo",
        bank="Huatuo-26M",
        file="test_datasets.jsonl",  # the paper took the test set (section 3.1.2)
        source="huatuo",
        prefix="pmhuatuo",
        read=read_huatuo,
        prompts=_prompts,
        paper=(("the paper, Table 2: Huatuo-26M as a whole", "> 26,000,000", "> 30,000"),),
        metadata=CardMetadata(
            summary_zh=("PeMeBench 论文表 4 的题目之一：从 Huatuo-26M 中选出的儿科开放问题，选题规则与作者的不同。"),
            task_categories=("question-answering",),
            task_ids=("closed-domain-qa",),
        ),
    )
)
