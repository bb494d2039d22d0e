"""Writing all permutations of TCMD's test prompts, each with three examples, beside json merely encoding the lines.

The test split has the paper's size: 212 A1, 142 A2, 34 groups of three (A3) and 72 of two (B1), 460 prompts in all.
"""

from __future__ import annotations

import json
import tempfile
from pathlib import Path

import timing
from tcmd_texts import sized, splits

from medzh_score.benchmark.prompts import PromptSettings
from medzh_score.configs.tcmd.config import CONFIG
from medzh_score.prompting.write import encoded, prompt_lines

TEST = {"A1": 212, "A2": 142, "A3": 102, "B1": 144}
TRAIN = {"A1": 1580, "A2": 536, "A3": 60, "B1": 675}
REPEATS = 3


def main() -> None:
    """Measure and print."""
    sample = splits()
    both = [row for records in sample.values() for row in records]
    test, train = sized(both, TEST), sized(both, TRAIN)
    path = Path(tempfile.mkdtemp()) / "prompts.jsonl"

    def ours() -> int:
        asking = PromptSettings(CONFIG.prompting.templates[0], 3, "paper", "jieba", train)
        asker = CONFIG.prompting.builder(test, asking)
        chosen = {name: tuple(variants.numbers) for name, variants in asker.variants.items()}
        count = 0
        with path.open("wb") as stream:
            for line in prompt_lines(asker, asking, CONFIG.prompting.generation_kwargs, chosen=chosen):
                stream.write(encoded(line))
                count += 1
        return count

    count = ours()
    lines = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]

    def rival() -> None:
        with path.with_suffix(".rival").open("w", encoding="utf-8") as stream:
            for line in lines:
                stream.write(json.dumps(line, ensure_ascii=False) + "\n")

    ours_s, rival_s, ratio = timing.interleaved(ours, rival, REPEATS)
    timing.report(
        "tcmd_prompts",
        ours_s,
        [timing.Rival("json.dumps of the lines", rival_s, ratio)],
        equal=count == len(lines) == 55_200,
        prompts=count,
    )


if __name__ == "__main__":
    main()
