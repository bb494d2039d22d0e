"""CMHE-DD from a user's own file."""

from __future__ import annotations

import hashlib
from collections import Counter
from operator import itemgetter
from pathlib import Path
from typing import TYPE_CHECKING, Any

from dataset_scripts.inputs.user_file import SPLIT, Reader
from dataset_scripts.inputs.user_rows import Fault, Form, row_schema
from dataset_scripts.packaging.schema import read_schema
from dataset_scripts.recipe import BuildTable, CardMetadata, Dataset, Recipe, ReviewForm, with_table
from dataset_scripts.recipes.common import check_records, mini, reads
from dataset_scripts.recipes.open_sets import OPEN, RECORDS, beside, open_set
from dataset_scripts.sources.registry import REGISTRY
from medzh_score.configs.cmhe_dd.config import PAPER_1, PARTS
from medzh_score.io.paths import package_file
from medzh_score.terminology.icd10 import figure_chapter, figure_chapters, icd10
from medzh_score.terminology.icd_codes import category_of, normal_code
from medzh_score.text.fold import fold
from medzh_score.ui.errors import shown
from medzh_score.ui.i18n import _

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from dataset_scripts.inputs.user_rows import Row
    from dataset_scripts.recipe import Built, Make, Record, SourceFile


WHOLE = "cmhe-dd"
MINI_SOURCE = "cmhe-dd-mini"
DERIVED = ("prompt", "answer", "diseases", "coded", "described")
PART_NAMES = {
    "chat": "chat",
    "diagnose-chat": "chat",
    "kamed": "chat",
    "exam": "exam",
    "diagnose-exam": "exam",
    "medqa": "exam",
}


def part_named(text: str) -> str:
    """Return the name of a part of CMHE-DD, from the name of the part or of its source.

    >>> part_named("Diagnose-Chat"), part_named("other")
    ('chat', 'other')
    """
    return PART_NAMES.get(text.strip().lower(), text)


def read_own(recipe: str, files: Mapping[str, SourceFile]) -> Built:
    """Read cases from a user's own file, in which codes may be written in any way."""
    schema = read_schema(package_file("medzh_score", "schemas/cmhe_dd.schema.json"))
    codes = {"type": "array", "minItems": 1, "items": {"type": "string", "minLength": 1}}
    loose = {**schema, "properties": {**schema["properties"], "codes": codes}}
    split = dict.fromkeys(files, SPLIT)
    form = Form(row_schema(loose, derived=DERIVED), split, {"part": part_named}, beside=beside(recipe))
    return Reader(form, _faults_of, _identity, _repeated, record_of).read(recipe, files)


def _faults_of(fields: Mapping[str, Any]) -> Iterator[Fault]:
    diseases = fields.get("diseases", ())
    for code in fields["codes"]:
        if wrong_code(code):
            yield Fault("codes", _("invalid ICD-10 code"), _("a code in an ICD-10 category, such as J30.4"), code)
    if diseases and len(diseases) != len(fields["codes"]):
        expected = _("{n_fields} names, one per code", n_fields=len(fields["codes"]))
        yield Fault("diseases", _("the number of names differs from the number of codes"), expected, len(diseases))


def _identity(fields: Mapping[str, Any]) -> str:
    return content_id(fields["description"])


def _repeated(row: Row, first: Row) -> Fault:
    expected = _("each description only once (first: {seen_from})", seen_from=first.seen_from(row))
    return Fault("description", _("the row repeats another row"), expected, row.fields["description"])


DIGITS = 10  # of an id from content: 40 bits, so two of 1,622 cases meet once in about 800,000 builds
# Table 1 and section 3.2 of the paper.
PAPER = {"chat": 327, "exam": 1295}
UNKNOWN = "source"  # the origin of codes and description, which the provided file does not state
PAPER_DISEASES, PAPER_CATEGORIES, PAPER_LENGTH = 867, 452, "6.03"


def record_of(fields: Mapping[str, Any], *, source: str, recipe: str) -> Record:
    """Make a record; codes may be written in any way, and names of diseases may be missing.

    >>> fields = {"description": "鼻痒、喷嚏3年。", "codes": ["j30.4"], "diseases": ["变应性鼻炎"], "part": "chat"}
    >>> record_of(fields, source="own", recipe="official")["answer"]
    '变应性鼻炎（J30.4）'
    """
    description, diseases = fields["description"], fields.get("diseases", ())
    codes = [normal_code(code) or code for code in fields["codes"]]
    identifier = content_id(description)
    return {
        "id": identifier,
        "description": description,
        "answer": answer_of(diseases, codes),
        "codes": codes,
        "diseases": list(diseases),
        "part": fields["part"],
        "coded": UNKNOWN,
        "described": UNKNOWN,
        "prompt": PAPER_1.fill(description=description),
        "source": source,
        "recipe": recipe,
        "upstream_key": fields.get("upstream_key") or identifier,
    }


def answer_of(diseases: Sequence[str], codes: Sequence[str]) -> str:
    """Write the diseases of a case as one text.

    >>> answer_of(["变应性鼻炎", "支气管哮喘"], ["J30.4", "J45.9"]), answer_of([], ["J30.4"])
    ('变应性鼻炎（J30.4）；支气管哮喘（J45.9）', 'J30.4')
    """
    if not diseases:
        return "；".join(codes)
    return "；".join(f"{name}（{code}）" for name, code in zip(diseases, codes, strict=True))


def content_id(description: str) -> str:
    """Return the id of a case from its description, never from its position or its answer.

    >>> content_id("发热 3 天，咳嗽。") == content_id("发热３天,咳嗽。")
    True
    """
    return f"cmhedd-{hashlib.sha256(fold(description).encode('utf-8')).hexdigest()[:DIGITS]}"


def order(record: Record) -> int:
    """Return the sort key of a record in its split: the chat cases first, as in the paper's tables."""
    return PARTS.index(record["part"])


def check(splits: Mapping[str, Sequence[Record]]) -> list[str]:
    """Return the problems that the schema cannot detect."""
    return check_records(
        splits,
        lambda record: content_id(record["description"]),
        _of_one,
        lambda record, _unused: f"the description occurs twice: {shown(record['description'])}",
    )


def _of_one(record: Record) -> Iterator[str]:
    codes, diseases = record["codes"], record["diseases"]
    wrong = [code for code in codes if wrong_code(code) or normal_code(code) != code]
    if wrong:
        yield f"/codes: expected ICD-10 codes in their normal form, found {shown(wrong)}"
    if diseases and len(diseases) != len(codes):
        yield f"/diseases: expected {len(codes)} names, one per code, found {len(diseases)}"
    elif record["answer"] != answer_of(diseases, codes):
        yield f"/answer: expected the diseases with their codes, found {shown(record['answer'])}"


def wrong_code(code: str) -> bool:
    """Return whether a text is not a code with a category of ICD-10."""
    return icd10().place(code) is None


def table_1(splits: Mapping[str, Sequence[Record]]) -> BuildTable:
    """Compare the counts of a build with those of the paper (Table 1 and section 3.2)."""
    records = [record for rows in splits.values() for record in rows]
    parts = Counter(record["part"] for record in records)
    names = [name for record in records for name in record["diseases"]]
    distinct = set(names)
    categories = {category_of(code) for record in records for code in record["codes"]}
    labels = sum(len(record["codes"]) for record in records)
    length = f"{sum(map(len, distinct)) / len(distinct):.2f}" if distinct else "-"
    rows: list[tuple[str | int, ...]] = [(f"cases, {part}", count, parts[part]) for part, count in PAPER.items()]
    rows += [
        ("diseases of all cases", "1,686 (inferred)", labels),
        ("distinct names of diseases", PAPER_DISEASES, len(distinct)),
        ("categories of ICD-10", PAPER_CATEGORIES, len(categories)),
        ("mean number of characters per name", PAPER_LENGTH, length),
    ]
    return BuildTable(
        "Counts in the paper (Table 1, section 3.2) and in this build", ("", "the paper", "this build"), tuple(rows)
    )


def figure_6(splits: Mapping[str, Sequence[Record]]) -> BuildTable:
    """Count the diseases of a build by chapter, as the paper's Figure 6 divides them."""
    records = [record for rows in splits.values() for record in rows]
    places = [icd10().place(code) for record in records for code in record["codes"]]
    counts = Counter(figure_chapter(place.chapter) for place in places if place)
    rows = tuple((numeral, title, counts[numeral]) for numeral, title in figure_chapters().items() if counts[numeral])
    return BuildTable(
        "Diseases by ICD-10 chapter, with eye and ear as one chapter (Figure 6)", ("chapter", "title", "diseases"), rows
    )


MINI = Path(__file__).parents[2] / "mini" / "cmhe_dd" / "CMHE-DD.jsonl"
ITEMS = Path(__file__).with_name("open") / RECORDS
FORM = ReviewForm(
    key=itemgetter("upstream_key"),
    asked=("description",),
    label=lambda item: " ".join(sorted(item["codes"])),
    same=lambda label, answer: _categories(label) == _categories(answer),
)


def _categories(codes: str) -> set[str]:
    return {category_of(code) for code in codes.split()}


BRING = _(
    "use `--source FILE` to provide your file, with the columns of the schema; CMHE-DD is available "
    "only as a folder on a shared drive, in an undocumented format"
)


def _with_tables(make: Make) -> Make:
    return with_table(table_1, with_table(figure_6, make))


DATASET = Dataset(
    config="cmhe_dd",
    schema=package_file("medzh_score", "schemas/cmhe_dd.schema.json"),
    card=package_file("dataset_scripts", "cards/cmhe_dd.md.jinja"),
    sources=REGISTRY,
    recipes=(
        Recipe(
            name="official",
            summary="converted from a file that the user provided, because the format of the release is not documented",
            sources=(WHOLE,),
            make=_with_tables(reads(read_own, "official")),
            own=(WHOLE,),
            bring=BRING,
            requires_all=False,
        ),
        open_set("cmhe_dd", "CMHE-DD", ITEMS, FORM, _with_tables(reads(read_own, OPEN))),
        mini("the form of CMHE-DD", MINI_SOURCE, MINI, _with_tables(reads(read_own, "mini"))),
    ),
    order=order,
    check=check,
    breakdown="part",
    metadata=CardMetadata(
        availability="released",
        summary_zh="CMHE-DD 描述一位患者并要求给出诊断。诊断转换为 ICD-10 编码，在章、节、类目三级上与标准答案比较。",
        task_categories=("question-answering", "text-classification"),
        task_ids=("multi-label-classification", "closed-domain-qa"),
    ),
)
