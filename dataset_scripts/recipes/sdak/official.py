"""The 17 atomic types of SDAK, in the order of the paper's Table 3, and how their names are recognised."""

from __future__ import annotations

import hashlib
import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from dataset_scripts.inputs.upstream import read_objects
from dataset_scripts.recipe import Built
from dataset_scripts.recipes.open_sets import beside
from medzh_score.configs.sdak.config import PAPER_1
from medzh_score.ui.errors import MedzhError
from medzh_score.ui.i18n import _, _n

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Mapping
    from pathlib import Path

    from dataset_scripts.recipe import Record, SourceFile


LONGEST_SLUG = 28  # what is left of an id's 40 characters beside "sdak-", "-0001" and "-f"


@dataclass(frozen=True)
class AtomicType:
    """One type of atomic knowledge."""

    name: str  # as in Table 11, or the string of the file if it matches none
    chinese: str  # worded for medzh, because the paper has English names only; the name itself if unknown
    slug: str  # the form inside ids: lower case, words joined by underscores, at most 28 ASCII characters
    known: bool = True  # whether it is one of the 17


TYPES = (
    AtomicType("Metric-Effect", "指标-作用", "metric_effect"),
    AtomicType("Disease-Infectivity", "疾病-传染性", "disease_infectivity"),
    AtomicType("Disease-Department", "疾病-科室", "disease_department"),
    AtomicType("Disease-Method", "疾病-治疗方法", "disease_method"),
    AtomicType("Disease-Cause", "疾病-病因", "disease_cause"),
    AtomicType("Chinese Medicine-Effect", "中药-功效", "chinese_medicine_effect"),
    AtomicType("Chinese Medicine-SideEffect", "中药-不良反应", "chinese_medicine_side_effect"),
    AtomicType("Western Medicine-Effect", "西药-作用", "western_medicine_effect"),
    AtomicType("Western Medicine-SideEffect", "西药-不良反应", "western_medicine_side_effect"),
    AtomicType("Food-Effect", "食物-功效", "food_effect"),
    AtomicType("Disease-Examination", "疾病-检查", "disease_examination"),
    AtomicType("Disease-Prevention", "疾病-预防", "disease_prevention"),
    AtomicType("Diseases-Complication", "疾病-并发症", "disease_complication"),
    AtomicType("Disease-Symptom", "疾病-症状", "disease_symptom"),
    AtomicType("Examination-Range", "检查-参考区间", "examination_range"),
    AtomicType("Disease-Food", "疾病-饮食", "disease_food"),
    AtomicType("Disease-Medicine", "疾病-药物", "disease_medicine"),
)


def find_type(written: str) -> AtomicType:
    """Find the type that a file's string means, or make one of its own of it.

    Compared without case, hyphens, underscores, spaces and the plural s of Disease(s): only one of the 17 strings of
    the released file is known, and it differs from the paper's.

    >>> find_type("DiseaseCause").name
    'Disease-Cause'
    >>> find_type("Diseases_Complication").slug
    'disease_complication'
    >>> find_type("Diseases-Symptom").name, find_type("disease symptom").name
    ('Disease-Symptom', 'Disease-Symptom')
    >>> find_type("Disease-Hospital").known
    False
    """
    known = _BY_KEY.get(_key(written))
    return known if known is not None else AtomicType(written, written, _slug(written), known=False)


def _key(name: str) -> str:
    return re.sub(r"[-_\s]+", "", name).lower()


def _keys(name: str) -> set[str]:
    """Return the keys of a name, with and without the plural s of Disease(s)."""
    key = _key(name)
    rest = _key(name.replace("Diseases", "Disease")).removeprefix("disease")
    return {f"disease{rest}", f"diseases{rest}"} if key.startswith("disease") else {key}


def _slug(name: str) -> str:
    words = re.findall(r"[A-Z]?[a-z0-9]+|[A-Z]+(?![a-z])", name)
    slug = "_".join(words).lower()
    if name.isascii() and slug and len(slug) <= LONGEST_SLUG and find_clash(slug) is None:
        return slug
    return "type_" + hashlib.sha256(name.encode("utf-8")).hexdigest()[:10]


def find_clash(slug: str) -> AtomicType | None:
    """Find the known type that already has a slug, if any."""
    return next((kind for kind in TYPES if kind.slug == slug), None)


_BY_KEY = {key: kind for kind in TYPES for key in _keys(kind.name)}


# Of the released file (paper, section 3.2 and Table 11); claims, pairs, types.
RELEASED = (28_096, 14_048, 17)

OFFICIAL = "official"


def read_released(recipe: str, files: Mapping[str, SourceFile]) -> Built:
    """Read SDAK in the format of its release, as for the mini sample.

    Types and slots are read tolerantly: a type string that means none of the 17 is kept as its own type, and every text
    field that the format does not name is a slot. An exact duplicate is dropped and counted; claims that make no pair
    are refused, and so is the pinned file of ``official`` where its counts are not the paper's.
    """
    (file,) = files.values()
    claims = [read_claim(file.path, number, line, beside(recipe)) for number, line in read_objects(file.path)]
    if not claims:
        raise MedzhError(_("the file contains no claims"), file=file.path, expected=_("one JSON object per line"))
    distinct, dropped = _without_duplicates(file.path, claims)
    pairs = _pairs(file.path, distinct)
    if file.pinned and recipe == OFFICIAL:
        _check_counts(file.path, pairs)
    records = [record for pair in pairs for record in records_of(pair, file.name, recipe)]
    return Built({"test": records}, notes=_notes(distinct, dropped))


def _without_duplicates(file: Path, claims: Iterable[Claim]) -> tuple[list[Claim], int]:
    """Drop exact duplicates of earlier lines; reject lines that share only their key."""
    seen: dict[tuple[Key, str], Claim] = {}
    dropped = 0
    for claim in claims:
        first = seen.setdefault((claim.key, claim.polarity), claim)
        if first is claim:
            continue
        if first.content != claim.content:
            raise _not_the_same(file, first, claim)
        dropped += 1
    return list(seen.values()), dropped


def _pairs(file: Path, claims: Iterable[Claim]) -> list[Pair]:
    sides: dict[Key, dict[str, Claim]] = {}
    kinds: dict[str, AtomicType] = {}
    for claim in claims:
        sides.setdefault(claim.key, {})[claim.polarity] = claim
        # Where a type that is none of the 17 is spelled in two ways, the order of the lines must not decide.
        kinds[claim.kind.slug] = min(claim.kind, kinds.get(claim.kind.slug, claim.kind), key=lambda kind: kind.name)
    for both in sides.values():
        _check_pair(file, both)
    return [_pair(kinds[slug], both) for (slug, _unused), both in sides.items()]


def _pair(kind: AtomicType, both: Mapping[str, Claim]) -> Pair:
    factual, counterfactual = both["factual"], both["counterfactual"]
    keys = (f"{factual.written}/{factual.label_id}", f"{counterfactual.written}/{counterfactual.label_id}")
    return Pair(kind, factual.number, factual.text, counterfactual.text, factual.slots, keys)


def _check_pair(file: Path, both: Mapping[str, Claim]) -> None:
    if len(both) == 1:
        (alone,) = both.values()
        raise _without_partner(file, alone)
    first, later = sorted(both.values(), key=lambda claim: claim.line)
    if dict(first.slots) != dict(later.slots):
        expected = _("{dict}, as in line {first_line}", dict=dict(first.slots), first_line=first.line)
        raise _disagree(file, later, "slots", expected, dict(later.slots))
    if first.text == later.text:
        raise _disagree(
            file, later, "claim", _("a text that differs from line {first_line}", first_line=first.line), later.text
        )


def _check_counts(file: Path, pairs: list[Pair]) -> None:
    found = (2 * len(pairs), len(pairs), len({pair.kind.slug for pair in pairs}))
    if found != RELEASED:
        raise MedzhError(
            _("the released file does not have the counts stated in the paper"),
            file=file,
            expected=_counts(*RELEASED),
            found=_counts(*found),
            advice=_("report this to the authors of medzh"),
        )


def _counts(claims: int, pairs: int, types: int) -> str:
    return _("{claims:,} claims in {pairs:,} pairs of {types} types", claims=claims, pairs=pairs, types=types)


def _notes(claims: list[Claim], dropped: int) -> tuple[str, ...]:
    unknown = sorted({claim.written for claim in claims if not claim.kind.known})
    ignored = sorted({name for claim in claims for name in claim.ignored})
    reworded = sum(claim.instruction not in {None, PAPER_1.fill(claim=claim.text)} for claim in claims)
    notes = []
    if dropped:
        notes.append(_("{dropped:,} exact duplicates of other lines were removed.", dropped=dropped))
    if unknown:
        notes.append(
            _(
                "{n_unknown} type(s) are not among the 17 known types and were stored unchanged: {unknown}.",
                n_unknown=len(unknown),
                unknown=", ".join(unknown),
            )
        )
    if ignored:
        notes.append(_("Fields without text are not slots and were excluded: {ignored}.", ignored=", ".join(ignored)))
    if reworded:
        notes.append(
            _n(
                "{n:,} claim has an instruction that differs from prompt paper-1. The instruction was discarded.",
                "{n:,} claims have an instruction that differs from prompt paper-1. These instructions were discarded.",
                reworded,
            )
        )
    return tuple(notes)


def _not_the_same(file: Path, first: Claim, later: Claim) -> MedzhError:
    other = "claim" if first.text != later.text else "content"
    return MedzhError(
        _(
            "the line has the type and label_id of line {first_line}, but a different {other}",
            first_line=first.line,
            other=other,
        ),
        file=file,
        line=later.line,
        field="label_id" if other == "content" else "claim",
        expected=_("the text of line {first_line}: {first_text}", first_line=first.line, first_text=first.text),
        found=later.text if other == "claim" else later.label_id,
        advice=_("remove or renumber one of the two lines; a number can occur only once for each type and polarity"),
    )


def _without_partner(file: Path, alone: Claim) -> MedzhError:
    prefix = "neg" if alone.polarity == "factual" else "pos"
    return MedzhError(
        _("the other claim of the pair is missing"),
        file=file,
        line=alone.line,
        field="label_id",
        expected=_(
            "an additional claim {prefix}_{alone_number} of type {written}",
            prefix=prefix,
            alone_number=alone.number,
            written=alone.written,
        ),
        found=alone.label_id,
        advice=_("add the other claim or remove this one"),
    )


def _disagree(file: Path, later: Claim, field: str, expected: str, found: object) -> MedzhError:
    problems = {
        "slots": _("the two claims of the pair have different slots"),
        "claim": _("the two claims of the pair are the same"),
    }
    advice = _("correct one of the two lines")
    return MedzhError(
        problems[field], file=file, line=later.line, field=field, expected=expected, found=found, advice=advice
    )


OWN_FIELDS = frozenset({"label_id", "type", "claim", "label", "instruction", "input", "output", "id"})
LABEL_ID = re.compile(r"(pos|neg)_([0-9]{1,6})")
POLARITIES = {"pos": "factual", "neg": "counterfactual"}
LONGEST_ID = 40

Key = tuple[str, int]  # the type as in ids and the number, which are equal for both claims of a pair


@dataclass(frozen=True)
class Claim:
    """A line of the released file."""

    line: int  # from 1
    kind: AtomicType
    written: str  # the type string
    label_id: str  # pos_… or neg_…
    polarity: str
    number: int  # of its pair within the type
    text: str
    slots: tuple[tuple[str, str], ...]  # the texts that are left, in the order of the line
    instruction: str | None  # the prompt that the file prints
    ignored: tuple[str, ...]  # the other fields without text

    @property
    def key(self) -> Key:
        """The key of the pair: type and number."""
        return self.kind.slug, self.number

    @property
    def content(self) -> tuple[object, ...]:
        """What two equal lines have in common: everything but the line number and the running id."""
        return self.written, self.label_id, self.text, self.slots, self.instruction


def read_claim(file: Path, number: int, line: dict[str, Any], beside: Collection[str] = ()) -> Claim:
    """Read one line; the fields `beside` are not slots.

    A label that contradicts its ``label_id`` is rejected.
    """

    def fault(field: str, problem: str, expected: str) -> MedzhError:
        found = line.get(field)
        advice = _("correct the line, or download the released file: `medzh-build fetch sdak`")
        return MedzhError(problem, file=file, line=number, field=field, expected=expected, found=found, advice=advice)

    for field in ("type", "label_id", "claim", "label"):
        if not isinstance(line.get(field), str) or not line[field].strip():
            problem = _("the value is missing") if field not in line else _("the value is blank or not text")
            raise fault(field, problem, _("a string that is not empty"))
    matched = LABEL_ID.fullmatch(line["label_id"])
    if matched is None:
        expected = _("pos_ or neg_ and a number of at most six digits, such as pos_1")
        raise fault("label_id", _("invalid label id"), expected)
    polarity = POLARITIES[matched[1]]
    if line["label"] != LABELS[polarity]:
        expected = _("{label}, because label_id is {label_id}", label=LABELS[polarity], label_id=line["label_id"])
        raise fault("label", _("the value contradicts label_id"), expected)
    kind, place = find_type(line["type"]), int(matched[2])
    if len(f"sdak-{kind.slug}-{place:04d}-f") > LONGEST_ID:
        raise fault("label_id", _("the id of the record is longer than 40 characters"), _("a smaller number"))
    instruction = line.get("instruction")
    if instruction is not None and not isinstance(instruction, str):
        raise fault("instruction", _("the value is blank or not text"), _("a string"))
    rest = {name: value for name, value in line.items() if name not in OWN_FIELDS and name not in beside}
    return Claim(
        line=number,
        kind=kind,
        written=line["type"],
        label_id=line["label_id"],
        polarity=polarity,
        number=place,
        text=line["claim"],
        slots=tuple((name, value) for name, value in rest.items() if isinstance(value, str)),
        instruction=instruction,
        ignored=tuple(name for name, value in rest.items() if not isinstance(value, str)),
    )


ANSWERS = {"factual": "正确", "counterfactual": "错误"}
LABELS = {"factual": "support", "counterfactual": "refute"}


@dataclass(frozen=True)
class Pair:
    """An item of SDAK: a factual claim and the counterfactual made from it (paper, section 3.2)."""

    kind: AtomicType
    number: int  # within the type upstream, from 1
    factual: str
    counterfactual: str
    # names and values in upstream order: the subject, then, if there is one, the object
    slots: tuple[tuple[str, str], ...]
    # of the two claims, factual first; the same text twice if the source has one key per item
    upstream_keys: tuple[str, str]

    @property
    def pair_id(self) -> str:
        """The id that both records share, from the upstream number."""
        return f"sdak-{self.kind.slug}-{self.number:04d}"


def records_of(pair: Pair, source: str, recipe: str) -> list[Record]:
    """Make the factual and the counterfactual record of a pair."""
    return [
        _record(pair, "factual", source, recipe),
        _record(pair, "counterfactual", source, recipe),
    ]


def _record(pair: Pair, polarity: str, source: str, recipe: str) -> Record:
    claim = pair.factual if polarity == "factual" else pair.counterfactual
    values = [value for _unused, value in pair.slots]
    return {
        "id": f"{pair.pair_id}-{polarity[0]}",
        "pair_id": pair.pair_id,
        "type": pair.kind.name,
        "type_zh": pair.kind.chinese,
        "polarity": polarity,
        "label": LABELS[polarity],
        "claim": claim,
        "subject": values[0] if values else None,
        "object": values[1] if len(values) > 1 else None,
        "slot_names": [name for name, _unused in pair.slots],
        "slot_values": values,
        "prompt": PAPER_1.fill(claim=claim),
        "answer": ANSWERS[polarity],
        "source": source,
        "recipe": recipe,
        "sources": [source],
        "n_sources": None,
        "upstream_key": pair.upstream_keys[0 if polarity == "factual" else 1],
    }
