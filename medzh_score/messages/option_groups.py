"""Under which heading of a help each option stands: the same in every command."""

from __future__ import annotations

GENERAL = "general"
GROUPS = {
    "choosing": "--kind --id --run --variant --unread --rule-fired --first --figure --table --n --list --all --configs "
    "--version",
    "reading": "--data --split --from --file-per-run --rule --keep-reasoning --dictionary --report --source --mapping "
    "--cache --reading",
    "building": "--recipe --private --publishable --accept-missing --licence --citation",
    "contents": "--wheels --extras --lock --manual --dictionaries --results",
    "models": "--model --models --base-url --api-key-env --allow-host --concurrency",
    "prompts": "--prompt --prompts --runs --variants --shots --icl --tokens",
    "later rounds": "--round --rounds --round-sample --after --sample --answered --second-reader --unclear --judge "
    "--test-model --share --evidence",
    "counting and intervals": "--missing --allow-fragments --bootstrap --interval --ddof --swaps --seed",
    "comparing": "--config --metric --by --baseline --allow --same-prompts --printed --fail-on-regression --undecided",
    "passing on": "--dataset --url --organisation --relationship",
    "machines": "--workers --scheduler --shard",
    "output": "--to --out --width --items --save --overwrite --replace --texts --labels --digits --caption --order "
    "--methods --accessed --date --into --yes --dry-run",
}
GROUP_OF = {option: title for title, options in GROUPS.items() for option in options.split()}
