"""CMHE-CE's records: made of their parts, with an id from the content, and checked against each other."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Any

from dataset_scripts.digests import content_digest
from dataset_scripts.recipe import BuildTable
from medzh_score.configs.cmhe_ce import prompts as cmhe_ce_words
from medzh_score.configs.cmhe_ce.prompts import LETTERS, default_prompt
from medzh_score.text.fold import fold
from medzh_score.ui.errors import shown

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from dataset_scripts.recipe import Record


GIVEN = "given"
# Table 1 of the paper: concepts, and questions on each. Their product is 37,516, the printed total 38,576 (erratum C1).
PAPER = {"medicine": (1_753, 4), "disease": (7_096, 4), "test": (1_060, 2)}


def record_of(fields: Mapping[str, Any], *, source: str, recipe: str) -> Record:
    """Make a record.

    >>> fields = {"concept": "甲", "concept_class": "test", "aspect": "procedure", "question": "甲是怎样进行的？"}
    >>> made = record_of(fields | {"options": ["甲", "乙", "丙", "丁"], "answer": "A"}, source="own", recipe="official")
    >>> made["options_mode"], made["distances"], made["concept_id"] == concept_id_of("甲")
    ('given', None, True)
    """
    identifier = content_id(fields["concept"], fields["question"], fields["options"])
    distances = fields.get("distances")
    return {
        "id": identifier,
        "concept_id": fields.get("concept_id") or concept_id_of(fields["concept"]),
        "concept": fields["concept"],
        "concept_en": fields.get("concept_en", ""),
        "aliases": list(fields.get("aliases", ())),
        "concept_class": fields["concept_class"],
        "aspect": fields["aspect"],
        "question": fields["question"],
        "options": list(fields["options"]),
        "answer": fields["answer"],
        "distances": None if distances is None else list(distances),
        "options_mode": fields.get("options_mode", GIVEN),
        "widened": fields.get("widened"),
        "tree_numbers": list(fields.get("tree_numbers", ())),
        "scope_note": fields.get("scope_note", ""),
        "prompt": default_prompt(fields),
        "source": source,
        "recipe": recipe,
        "upstream_key": fields.get("upstream_key") or identifier,
    }


def content_id(concept: str, question: str, options: Sequence[str]) -> str:
    """Return the id of a question from concept, text and options in their order, never from its position or answer.

    >>> content_id("甲", "甲是什么？", ["甲", "乙"]) == content_id("甲", "甲 是什么?", ["甲", "乙"])
    True
    """
    return f"ce-{content_digest([fold(concept), fold(question), *map(fold, options)])}"


def concept_id_of(concept: str) -> str:
    """Return the identifier of a concept without one: ten hex digits of its Chinese name."""
    return content_digest(fold(concept))


def order(record: Record) -> tuple[int, str, int]:
    """Return the sort key of a record in its split: by class as in the paper's tables, by concept, by aspect."""
    aspects = tuple(QUESTIONS[record["concept_class"]])
    return CLASSES.index(record["concept_class"]), record["concept_id"], aspects.index(record["aspect"])


def check(splits: Mapping[str, Sequence[Record]]) -> list[str]:
    """Return the problems that the schema cannot detect."""
    problems: list[str] = []
    first: dict[str, Record] = {}
    asked: Counter[tuple[str, str]] = Counter()
    for record in (record for records in splits.values() for record in records):
        problems += _of_one(record)
        before = first.setdefault(record["concept_id"], record)
        for name in ("concept", "concept_class"):
            if before[name] != record[name]:
                known = f"that of {before['id']}, {before[name]}"
                problems.append(f"record {record['id']}: /{name}: expected {known}, found {record[name]}")
        question = (record["concept_id"], fold(record["question"]))
        asked[question] += 1
        if asked[question] > 1:
            problems.append(f"record {record['id']}: the question occurs twice: {shown(record['question'])}")
    return problems


def _of_one(record: Record) -> Iterator[str]:
    expected = content_id(record["concept"], record["question"], record["options"])
    if record["id"] != expected:
        yield f"record {record['id']}: expected the id of its content, {expected}"
    yield from (f"record {record['id']}: /{name}: {problem}" for name, problem in contradictions(record))


def contradictions(record: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    """Yield contradictions of options, answer, distances and aspect, with the field."""
    options, right = record["options"], LETTERS.index(record["answer"])
    if len({fold(option).casefold() for option in options}) < len(options):
        yield "options", "two options are alike"
    elif fold(options[right]) != fold(record["concept"]):
        yield "answer", "is not the letter of the concept"
    distances = record.get("distances")
    if distances is not None and [index for index, steps in enumerate(distances) if steps == 0] != [right]:
        yield "distances", "are not 0 at the answer, and only there"
    if record.get("options_mode", GIVEN) != GIVEN and distances is None:
        yield "distances", "are missing, though the options were chosen by a rule"


def table_1(splits: Mapping[str, Sequence[Record]]) -> BuildTable:
    """Count the concepts and questions of each class, with those of Table 1 of the paper."""
    records = [record for own in splits.values() for record in own]
    rows: list[tuple[str | int, ...]] = []
    for name in CLASSES:
        own = [record for record in records if record["concept_class"] == name]
        concepts, questions = PAPER[name]
        rows.append((name, concepts, len({one["concept_id"] for one in own}), concepts * questions, len(own)))
    heads = ("paper: concepts", "here: concepts", "paper: questions by its factors", "here: questions")
    total: tuple[str | int, ...] = ("all", *(sum(int(row[place]) for row in rows) for place in range(1, 5)))
    title = "Concepts and questions by class: Table 1 of the paper and this build"
    return BuildTable(title, ("class", *heads), (*rows, total))


# The paper describes the questions (section 3.3) and prints one in English (Figure 7, causes of a disease).
QUESTIONS = {
    "disease": {
        "cause": "哪些因素可能导致患者患上{}？",
        "symptom": "{}患者通常有哪些症状？",
        "treatment": "{}有哪些治疗方法？",
        "screening": "可以用哪些检查来筛查{}？",
    },
    "medicine": {
        "pharmacokinetics": "{}在体内的药代动力学过程是怎样的？",
        "indication": "{}的适应症有哪些？",
        "side effect": "{}可能有哪些副作用？",
        "interaction": "{}会与哪些药物发生相互作用？",
    },
    "test": {
        "procedure": "{}是怎样进行的？",
        "screened disease": "{}主要用于筛查哪些疾病？",
    },
}
CLASSES = tuple(one.name for one in cmhe_ce_words.CLASSES)  # in the order of the paper's tables


def question_on(name: str, concept_class: str, aspect: str) -> str:
    """Ask for an aspect of a concept.

    >>> question_on("缺铁性贫血", "disease", "treatment")
    '缺铁性贫血有哪些治疗方法？'
    """
    return QUESTIONS[concept_class][aspect].format(name)
