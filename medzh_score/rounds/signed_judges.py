"""What is signed of those who judged: who they are, how they were asked, and of what sample; never how much it was."""

from __future__ import annotations

import hashlib
import json
from typing import TYPE_CHECKING

from medzh_score.prompts.sent_prompts import UNSTATED

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from medzh_score.benchmark.judgements import Judgements
    from medzh_score.benchmark.layout import Layout
    from medzh_score.benchmark.rounds import Round
    from medzh_score.rounds.drawn import Sample

DIGITS = 8
NOBODY = "nobody"


def signed_judges(
    rounds: Iterable[Round],
    judged: Mapping[str, Judgements],
    layout: Layout,
    samples: Mapping[str, Sample],
    prompts: Mapping[str, str],
) -> str:
    """Write who judged in the rounds that came back, those of the same model aside."""
    return "; ".join(
        _of_records(later, judged, layout)
        if later.about == "records"
        else _of_answers(later, judged, _sample(later, samples[later.name], layout), prompts)
        for later in rounds
        if later.name in judged and not later.of_same_model
    )


def signed_own(own: Mapping[str, str], judged: Mapping[str, Judgements]) -> dict[str, str]:
    """Write whose answers came back in rounds of the same model, and whether each says what it was asked about."""
    return {name: f"{whose} ({_verified(judged[name])})" for name, whose in own.items()}


def _sample(later: Round, drawn: Sample, layout: Layout) -> Sample:
    """Call all what draws as many as there are, from what does not depend on answers."""
    whole = later.pool is None and drawn.size is not None and drawn.size >= len(layout.items)
    return type(drawn)(None) if whole else drawn


def _of_answers(later: Round, judged: Mapping[str, Judgements], drawn: Sample, prompts: Mapping[str, str]) -> str:
    who = judged[later.name]
    asked = [f"prompt {prompts.get(later.name, UNSTATED)}"] if "model" in who.kinds else []
    how = ", ".join([*asked, f"sample {drawn}", _verified(who)])
    names = who.raters if later.signed_by is None else later.signed_by(who)
    return f"{later.name} by {', '.join(sorted(names)) or NOBODY} ({how})"


def _verified(found: Judgements) -> str:
    """Say whether each value came with the code of what it is about."""
    return "unverified" if found.unverified else "verified"


def _of_records(later: Round, judged: Mapping[str, Judgements], layout: Layout) -> str:
    """Write a digest of the values of all items, those that stand in the records included."""
    if later.in_force is None:
        said = judged[later.name].values
        values = [[f"{column}={value}" for column, value in said.get((item, 0), {}).items()] for item in layout.items]
    else:
        values = [list(mine) for mine in later.in_force(layout, judged)]
    lines = sorted((item, sorted(mine)) for item, mine in zip(layout.items, values, strict=True))
    content = json.dumps(lines, ensure_ascii=False, separators=(",", ":")).encode()
    return f"{later.name} {hashlib.sha256(content).hexdigest()[:DIGITS]}"
