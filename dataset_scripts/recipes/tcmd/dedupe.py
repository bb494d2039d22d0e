"""One of each question: what says the same is kept once, and what the sources contradict not at all."""

from __future__ import annotations

from collections import Counter, defaultdict
from dataclasses import replace
from typing import TYPE_CHECKING

from dataset_scripts.recipes.tcmd.records import group_id
from dataset_scripts.recipes.tcmd.rows import plain
from medzh_score.configs.tcmd.exam import LETTERS

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from dataset_scripts.recipes.tcmd.groups import Group, SubQuestion
    from dataset_scripts.recipes.tcmd.rows import Candidate

Content = tuple[str, tuple[str, ...]]


def deduplicate(
    candidates: Sequence[Candidate], sources: Sequence[str]
) -> tuple[list[Candidate], Counter[tuple[str, str]]]:
    """Keep one of each question, and count the others, by source and by ``duplicate`` or ``contradicted``.

    Two questions are the same when stem, question and options say the same (`plain`), whatever the order of the options
    and the type. Where two of them have different right options, none is kept. Else that of the first source is kept;
    inside a source that of the larger group, then that of the smaller id. What remains of a group stays together.
    """
    rights: dict[Content, set[str]] = defaultdict(set)
    for candidate in candidates:
        for content, right in _contents(candidate.group):
            rights[content].add(right)
    dropped: Counter[tuple[str, str]] = Counter()
    seen: set[Content] = set()
    kept = []
    for candidate in sorted(candidates, key=lambda candidate: _rank(candidate, sources)):
        group = candidate.group
        parts = []
        for part, (content, _) in zip(group.parts, _contents(group), strict=True):
            reason = "contradicted" if len(rights[content]) > 1 else "duplicate" if content in seen else None
            if reason:
                dropped[group.source, reason] += 1
            else:
                seen.add(content)
                parts.append(part)
        if parts:
            kept.append(replace(candidate, group=replace(group, parts=tuple(parts))))
    return kept, dropped


def _contents(group: Group) -> Iterator[tuple[Content, str]]:
    for part in group.parts:
        options = [plain(option) for option in part.options]
        question = plain(f"{group.stem or ''}{part.question}")
        yield (question, tuple(sorted(options))), options[LETTERS.index(part.answer)]


def _rank(
    candidate: Candidate, sources: Sequence[str]
) -> tuple[int, int, str, tuple[tuple[str, str, str], ...], tuple[str, ...]]:
    group = candidate.group
    parts = tuple(map(_key, group.parts))
    return sources.index(group.source), -len(group.parts), group_id(group), parts, candidate.labels


def _key(part: SubQuestion) -> tuple[str, str, str]:
    return part.upstream_key, part.answer, part.explanation or ""
