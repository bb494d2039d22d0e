"""PeMeBench's records: made of their parts, with an id from department and question, and checked against each other."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from dataset_scripts.digests import content_digest
from dataset_scripts.inputs.user_rows import DAMAGE
from dataset_scripts.recipes.common import check_records
from medzh_score.configs.pemebench.prompts import ALL_DEPARTMENTS, DEPARTMENTS, TASKS, UNASSIGNED, default_prompt
from medzh_score.configs.pemebench.reading import names, normalised
from medzh_score.text.fold import fold
from medzh_score.ui.errors import shown
from medzh_score.ui.i18n import _

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from dataset_scripts.recipe import Record

PARTS = ("question", "answer", "department", "task", "kind")
CLASSES = [department.name for department in DEPARTMENTS]


def record_of(fields: Mapping[str, Any], *, source: str, recipe: str) -> Record:
    """Make a record; of entities that read the same the first is kept, and None where nobody has extracted them.

    >>> fields = {"question": "什么是贫血？", "answer": "血红蛋白低。", "department": "儿科血液系统疾病"}
    >>> fields |= {"task": "疾病知识", "kind": "definition", "entities": ["血红蛋白", "血红蛋白 "]}
    >>> record_of(fields, source="own", recipe="official")["entities"]
    ['血红蛋白']
    """
    parts = {name: fields[name].strip() for name in PARTS}
    entities = fields.get("entities")
    listed = None if entities is None else distinct([entity.strip() for entity in entities])
    record: Record = {"id": content_id(parts["department"], parts["question"]), **parts, "entities": listed}
    record["prompt"] = default_prompt(record)
    key = fields.get("upstream_key") or record["id"]
    return {**record, "source": source, "recipe": recipe, "upstream_key": key}


def content_id(department: str, question: str) -> str:
    """Return the id of a question from its department and text, never from its position or its answer.

    >>> content_id("新生儿疾病", "什么是黄疸？") == content_id("新生儿疾病", "什么是 黄疸?")
    True
    """
    return f"pemebench-{content_digest([fold(department), fold(question)])}"


def distinct(entities: Sequence[str]) -> list[str]:
    """Keep each entity once: the first of those that are one to entity recall.

    >>> distinct(["维生素Ｄ", "钙", "维生素D"])
    ['维生素Ｄ', '钙']
    """
    first: dict[str, str] = {}
    for entity in entities:
        first.setdefault(normalised(entity), entity)
    return list(first.values())


def absent_entities(record: Record) -> list[str]:
    """List the entities that do not occur in the reference, which entity recall excludes.

    Compatibility forms, spaces, punctuation and case do not count; what is nothing but punctuation is no entity.

    >>> absent_entities({"answer": "缺铁时血清铁降低。", "entities": ["血清铁", "铁蛋白"]})
    ['铁蛋白']
    """
    reference = normalised(record["answer"])
    return [entity for entity in _listed(record) if is_wordless(entity) or not names(reference, normalised(entity))]


def _listed(record: Record) -> Sequence[str]:
    return record["entities"] or ()


def is_wordless(text: str) -> bool:
    """Return whether a text has only punctuation, white space and invisible characters.

    >>> is_wordless("\u200b？"), is_wordless("钙")
    (True, False)
    """
    return not normalised(text)


def entity_notes(records: Sequence[Record]) -> tuple[str, ...]:
    """Note the numbers of records without extracted entities, and with entities that are not in the reference."""
    none = sum(record["entities"] is None for record in records)
    strange = sum(bool(absent_entities(record)) for record in records)
    notes = []
    if none:
        notes.append(
            _(
                "{value:,} of {n_records:,} records have no extracted key entities.",
                value=none,
                n_records=len(records),
            )
        )
    if strange:
        notes.append(
            _(
                "{strange:,} of {n_records:,} records have a key entity that is not in the reference answer.",
                strange=strange,
                n_records=len(records),
            )
        )
    return tuple(notes)


def order(record: Record) -> tuple[int, int]:
    """Return the sort key of a record in its split: by class as in Table 1, then by task."""
    return ALL_DEPARTMENTS.index(record["department"]), (*TASKS, UNASSIGNED).index(record["task"])


def check(splits: Mapping[str, Sequence[Record]]) -> list[str]:
    """Return the problems that the schema cannot detect.

    Entities need not occur in the reference, because people may correct them.
    """
    return check_records(
        splits,
        lambda record: content_id(record["department"], record["question"]),
        _of_one,
        lambda record, first: f"its department has the question twice ({first}): {shown(record['question'])}",
    )


def _of_one(record: Record) -> Iterator[str]:
    texts = [("question", record["question"]), ("answer", record["answer"])]
    for name, text in [*texts, *(("entities", entity) for entity in _listed(record))]:
        if is_wordless(text):
            yield f"/{name}: the text contains no words: found {shown(text)}"
        elif DAMAGE.search(text):
            yield f"/{name}: the text contains an invalid character: found {shown(text)}"
    if len(distinct(_listed(record))) < len(_listed(record)):
        yield f"/entities: two entities are equal: found {shown(record['entities'])}"
