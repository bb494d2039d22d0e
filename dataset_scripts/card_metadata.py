"""The metadata of a dataset card: the closed lists of the Hugging Face hub, and what a config declares of itself."""

from __future__ import annotations

import re
from dataclasses import dataclass

from medzh_score.messages.errors import MedzhError


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


# The page "Licenses" of the hub's documentation.
LICENCES = _words("""
    apache-2.0 mit openrail bigscience-openrail-m creativeml-openrail-m bigscience-bloom-rail-1.0 bigcode-openrail-m
    afl-3.0 artistic-2.0 bsl-1.0 bsd bsd-2-clause bsd-3-clause bsd-3-clause-clear c-uda cc cc0-1.0 cc-by-2.0 cc-by-2.5
    cc-by-3.0 cc-by-4.0 cc-by-sa-3.0 cc-by-sa-4.0 cc-by-nc-2.0 cc-by-nc-3.0 cc-by-nc-4.0 cc-by-nd-4.0 cc-by-nc-nd-3.0
    cc-by-nc-nd-4.0 cc-by-nc-sa-2.0 cc-by-nc-sa-3.0 cc-by-nc-sa-4.0 cdla-sharing-1.0 cdla-permissive-1.0
    cdla-permissive-2.0 wtfpl ecl-2.0 epl-1.0 epl-2.0 etalab-2.0 eupl-1.1 eupl-1.2 agpl-3.0 gfdl gpl gpl-2.0 gpl-3.0
    lgpl lgpl-2.1 lgpl-3.0 isc lppl-1.3c ms-pl mpl-2.0 odc-by odbl openrail++ osl-3.0 postgresql ofl-1.1 ncsa unlicense
    zlib pddl lgpl-lr deepfloyd-if-license llama2 gemma unknown other
    """)

# ISO 639-1, which the hub takes besides the three-letter codes of ISO 639-3.
LANGUAGES = _words("""
    aa ab ae af ak am an ar as av ay az ba be bg bh bi bm bn bo br bs ca ce ch co cr cs cu cv cy da de dv dz ee el en eo
    es et eu fa ff fi fj fo fr fy ga gd gl gn gu gv ha he hi ho hr ht hu hy hz ia id ie ig ii ik io is it iu ja jv ka kg
    ki kj kk kl km kn ko kr ks ku kv kw ky la lb lg li ln lo lt lu lv mg mh mi mk ml mn mr ms mt my na nb nd ne ng nl nn
    no nr nv ny oc oj om or os pa pi pl ps pt qu rm rn ro ru rw sa sc sd se sg si sk sl sm sn so sq sr ss st su sv sw ta
    te tg th ti tk tl tn to tr ts tt tw ty ug uk ur uz ve vi vo wa wo xh yi yo za zh zu
    """)

SIZES = (
    (1_000, "n<1K"),
    (10_000, "1K<n<10K"),
    (100_000, "10K<n<100K"),
    (1_000_000, "100K<n<1M"),
    (10_000_000, "1M<n<10M"),
    (100_000_000, "10M<n<100M"),
    (1_000_000_000, "100M<n<1B"),
    (10_000_000_000, "1B<n<10B"),
    (100_000_000_000, "10B<n<100B"),
    (1_000_000_000_000, "100B<n<1T"),
)
LARGEST = "n>1T"

CREATORS = frozenset({"found", "crowdsourced", "expert-generated", "machine-generated", "no-annotation", "other"})
MULTILINGUALITY = frozenset({"monolingual", "multilingual", "translation", "other"})
TASKS = _words("""
    text-classification token-classification table-question-answering question-answering zero-shot-classification
    translation summarization feature-extraction text-generation text2text-generation fill-mask sentence-similarity
    text-ranking text-retrieval multiple-choice table-to-text tabular-classification other
    """)

# The finer tasks of the hub's list of tasks, of those that are about text.
TASK_IDS = _words("""
    acceptability-classification entity-linking-classification fact-checking intent-classification
    language-identification multi-class-classification multi-label-classification multi-input-text-classification
    natural-language-inference semantic-similarity-classification sentiment-classification topic-classification
    semantic-similarity-scoring sentiment-scoring sentiment-analysis hate-speech-detection text-scoring
    named-entity-recognition part-of-speech parsing lemmatization word-sense-disambiguation coreference-resolution
    extractive-qa open-domain-qa closed-domain-qa news-articles-summarization news-articles-headline-generation
    dialogue-modeling dialogue-generation conversational language-modeling text-simplification explanation-generation
    abstractive-qa open-domain-abstractive-qa open-book-qa closed-book-qa slot-filling masked-language-modeling
    multiple-choice-qa multiple-choice-coreference-resolution document-retrieval utterance-retrieval
    entity-linking-retrieval fact-checking-retrieval
    """)

# Written by us, or made from what others wrote: then the name of that stands behind the bar.
SOURCE = re.compile(r"original|extended(\|[A-Za-z0-9][\w.-]*)?", re.ASCII)

LISTS = {
    "license": LICENCES,
    "language": LANGUAGES,
    "size_categories": frozenset({*(name for _, name in SIZES), LARGEST}),
    "task_categories": TASKS,
    "annotations_creators": CREATORS,
    "language_creators": CREATORS,
    "multilinguality": MULTILINGUALITY,
    "task_ids": TASK_IDS,
}
FREE = _words("pretty_name tags license_name license_link source_datasets configs dataset_info viewer")

# How the benchmark's own data can be had, with the Chinese for it.
AVAILABILITY = {"released": "已公开", "on request": "需向作者申请", "not released": "未公开"}


@dataclass(frozen=True)
class CardMetadata:
    """What a card says of a config that neither its records nor its scoring nor its paper hold.

    Attributes
    ----------
    availability : str
        How the benchmark's own data can be had: ``released``, ``on request`` or ``not released``.
    summary_zh : str
        What the config is, in one or two Chinese sentences.
    task_categories, task_ids : tuple of str
        The hub's words for what is asked.

    Raises
    ------
    MedzhError
        If a word is on none of the closed lists.

    Examples
    --------
    >>> CardMetadata(availability="soon")
    Traceback (most recent call last):
    medzh_score.messages.errors.MedzhError: ...
    """

    availability: str = "not released"
    summary_zh: str = ""
    task_categories: tuple[str, ...] = ("question-answering",)
    task_ids: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        """Refuse words that are on no list: a card would be wrong without anybody noticing."""
        for name, words, known in (
            ("availability", (self.availability,), AVAILABILITY),
            ("task_categories", self.task_categories, TASKS),
            ("task_ids", self.task_ids, TASK_IDS),
        ):
            for word in words:
                if word not in known:
                    expected = ", ".join(sorted(known))
                    raise MedzhError("is none of the words of a card", field=name, expected=expected, found=word)


def size_category(records: int) -> str:
    """Name the hub's size category of a number of records.

    Examples
    --------
    >>> size_category(204), size_category(28_096)
    ('n<1K', '10K<n<100K')
    """
    return next((name for limit, name in SIZES if records < limit), LARGEST)


def licence_id(spdx: str) -> str | None:
    """Find the hub's name of an SPDX licence.

    Gives None where the hub knows none: also for ``unknown`` and for expressions.

    Examples
    --------
    >>> licence_id("Apache-2.0"), licence_id("GPL-3.0-only"), licence_id("unknown")
    ('apache-2.0', 'gpl-3.0', None)
    """
    name = spdx.lower().removesuffix("-only").removesuffix("-or-later")
    return name if name in LICENCES - {"unknown", "other"} else None
