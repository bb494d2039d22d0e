"""How many independent sources say a fact: in their lists, and in sentences that tie its two names."""

from __future__ import annotations

import re
from collections import defaultdict
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from dataset_scripts.recipes.sdak.content import fold
from dataset_scripts.recipes.sdak.denials import is_kin
from dataset_scripts.recipes.sdak.medicines import core
from dataset_scripts.recipes.sdak.names import names_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from dataset_scripts.recipes.sdak.facts import Fact

# Files that hold the same questions are one source, and so are disease.csv and KaMed's graph, which have slips in
# common that nobody makes twice (胫骨平台骨折 shows 紧张, 避孕后闭经综合征 恶心): both drew on the same pages.
EXAMINATIONS = ("cmexam-train", "cmexam-val", "cmexam-val-xlsx", "cmexam-test", "apollo-zh-test")
PAGES = ("disease-csv", "kamed-graph-csv")
FAMILIES = dict.fromkeys(EXAMINATIONS, "examinations") | dict.fromkeys(PAGES, "pages")
# Fields that are a list of that very relation: what stands there alone is kept. Facts of theirs were read but for
# medical-json. Of the treatments that disease-csv lists alone a third was wrong when they were read (chemotherapy of
# benign tumours); its symptoms, checks and complications are diluted with what belongs to other diseases of the page.
# And what is contagious there is so by its agent, whether or not anybody catches it from a patient (黑癣, 放线菌病).
ALONE = frozenset(
    {
        ("disease-csv", "Disease-Department"),
        ("medical-json", "Disease-Department"),
        ("medical-json", "Disease-Method"),
        ("medical-json", "Disease-Cause"),
        ("medical-json", "Disease-Prevention"),
        ("medical-json", "Disease-Food"),
        ("qizhen-indications", "Western Medicine-Effect"),
        ("examinations", "Chinese Medicine-Effect"),
        ("examinations", "Western Medicine-SideEffect"),
    }
)
# Of two sources one has to be a list that somebody edited: an edge of KaMed and a sentence may share a slip.
EDITED = frozenset({"disease-csv", "medical-json", "qizhen-indications"})
# What stands in a sentence that states the relation, beside the two names.
CUES = {
    # 传染性海绵状脑病 is a name.
    "Disease-Infectivity": re.compile("传染(?!性(?!疾病)[\u4e00-\u9fff]+病)|传播"),
    # What may be seen (可有, 可见) is not what is common.
    "Disease-Symptom": re.compile("表现|症状|特征|典型|常有|常伴"),
    "Disease-Examination": re.compile("检查|诊断|确诊|首选|测定"),
    "Diseases-Complication": re.compile("并发|引起|导致|发展为|继发|可致"),
    "Disease-Medicine": re.compile("首选|常用"),
    "Disease-Method": re.compile("治疗|首选"),
    "Western Medicine-Effect": re.compile("治疗|用于|适应|适用|首选"),
}
# A name behind one of these is narrower: 酮症酸中毒, 高肾素型高血压, 伴有消化性溃疡的高血压.
NARROWER = re.compile("(?:[型性症期]|(?<!典型)的)$")
# A sentence with one of these may deny the relation, or speak of two things, or of one patient.
UNSURE = re.compile("患[者儿],?[男女中青老]|岁|不|无|未|非|错|除|鉴别|但|而|少见|禁|慎|区别|避免|停用|误|相反")
FARTHEST = 16  # characters between the two names
# Where the word of the relation has to stand between them, for it says which of them comes of the other.
DIRECTED = frozenset({"Disease-Symptom", "Diseases-Complication", "Western Medicine-Effect"})
# KaMed has complications in both directions, so that it says nothing of which is which.
# The medicines of disease.csv are what the site sells, and those of KaMed what a label allows, not what is common.
SILENT = frozenset(
    {
        ("kamed-graph-csv", "Diseases-Complication"),
        ("kamed-graph-csv", "Disease-Cause"),
        ("disease-csv", "Disease-Medicine"),
        ("kamed-graph-csv", "Disease-Medicine"),
    }
)
INFECTIVITY = "Disease-Infectivity"
SHORTEST = 2


@dataclass
class Witnesses:
    """What the sources say, to be looked up fact by fact."""

    names: Mapping[str, set[str]]  # as of `name_table`
    listed: dict[tuple[str, str], dict[str, set[str]]] = field(default_factory=dict)
    sentences: dict[str, list[tuple[str, str]]] = field(default_factory=lambda: defaultdict(list))

    def of(self, fact: Fact) -> tuple[str, ...]:
        """Name the sources that say a fact, in alphabetical order."""
        subjects = _keys(fact, fact.subject, _own_names(fact.subject, self.names))
        obj = _obj(fact)
        found = {source for name in subjects for source in self.listed.get((fact.kind, name), {}).get(obj, ())}
        found |= {
            source
            for name in subjects
            for sentence, source in self.sentences.get(name, ())
            if source not in found and states(fact.kind, name, obj, sentence)
        }
        return tuple(sorted(source for source in found if (source, fact.kind) not in SILENT))


def witnesses(
    facts: Sequence[Fact], sentences: Mapping[str, Iterable[str]], names: Mapping[str, set[str]]
) -> Witnesses:
    """Index what the sources list, and the sentences by the names of subjects that stand in them."""
    made = Witnesses(names)
    for fact in facts:
        (subject,) = _keys(fact, fact.subject, {fold(fact.subject)})
        made.listed.setdefault((fact.kind, subject), {}).setdefault(_obj(fact), set()).add(fact.source)
    if any(sentences.values()):
        from ahocorasick_rs import AhoCorasick, MatchKind

        known = {key for fact in facts for key in _keys(fact, fact.subject, names_of(fact.subject, names))}
        subjects = sorted(name for name in known if len(name) >= SHORTEST)
        # The longest name wins: what is said of 支原体肺炎 is not said of 肺炎.
        searcher = AhoCorasick(subjects, matchkind=MatchKind.LeftmostLongest)
        for source, texts in sentences.items():
            for text in sorted(texts):
                for place in {place for place, *_ in searcher.find_matches_as_indexes(text)}:
                    made.sentences[subjects[place]].append((text, source))
    return made


def independent(first: str, sources: Iterable[str]) -> list[str]:
    """Give one source of each family, of its own family the one that a fact is of, in alphabetical order.

    >>> independent("disease-csv", ["cmexam-test", "cmexam-val", "disease-csv", "kamed-graph-csv"])
    ['cmexam-test', 'disease-csv']
    """
    held = {FAMILIES.get(source, source): source for source in (*sorted(sources, reverse=True), first)}
    return sorted(held.values())


def _families(sources: Iterable[str]) -> set[str]:
    return {FAMILIES.get(source, source) for source in sources}


def is_enough(fact: Fact, sources: Sequence[str], at_least: int) -> bool:
    """Say whether a fact may be kept: two independent sources, one of them edited, or one list trusted alone."""
    spoken = _families(sources)
    alone = any((one, fact.kind) in ALONE for one in spoken.union(sources))
    if alone:
        return len(spoken) >= at_least
    return len(spoken) >= max(at_least, 2) and not EDITED.isdisjoint(sources)


def states(kind: str, subject: str, obj: str, sentence: str) -> bool:
    """Say whether a sentence ties two names by a relation: the subject first, nothing that denies, a word of the type.

    Of infectivity that word is the object.

    >>> states("Disease-Symptom", "肺炎", "咳嗽", "肺炎的临床表现为发热、咳嗽")
    True
    >>> states("Disease-Symptom", "肺炎", "咳嗽", "肺炎患者无咳嗽等症状")
    False
    >>> states("Disease-Symptom", "肺炎", "咳嗽", "吸入性肺炎的临床表现为发热、咳嗽")
    False
    """
    cue = CUES.get(kind)
    if cue is None or UNSURE.search(sentence):
        return False
    start = sentence.find(subject)
    if NARROWER.search(sentence, 0, max(start, 0)):
        return False
    end = start + len(subject)
    if kind == INFECTIVITY:  # which has no object
        found = cue.search(sentence, end)
        return found is not None and found.start() - end <= FARTHEST
    place = sentence.find(obj, end)
    if len(obj) < SHORTEST or not 0 <= place - end <= FARTHEST or not cue.search(sentence):
        return False
    return kind not in DIRECTED or cue.search(sentence[end:place]) is not None


def _own_names(subject: str, names: Mapping[str, set[str]]) -> set[str]:
    """Give the names of a disease but those of a wider or narrower one: what is said of 阑尾炎 is not of 慢性阑尾炎."""
    own = names_of(subject, {})
    return own | {name for name in names_of(subject, names) if not any(is_kin(name, one) for one in own)}


def _keys(fact: Fact, subject: str, names: set[str]) -> list[str]:
    return [core(subject)] if fact.kind.startswith("Western Medicine") else sorted(names)


def _obj(fact: Fact) -> str:
    return core(fact.obj) if fact.kind == "Disease-Medicine" else fold(fact.obj)
