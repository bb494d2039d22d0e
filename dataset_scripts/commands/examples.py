"""Two examples for the help of every command of ``medzh-build``."""

from __future__ import annotations

EXAMPLES = {
    "medzh-build": ("medzh-build fetch sdak", "medzh-build build sdak --recipe official"),
    "medzh-build fetch": ("medzh-build fetch sdak", "medzh-build fetch cmhe_hd cmhe_dd"),
    "medzh-build build": (
        "medzh-build build sdak --recipe official",
        "medzh-build build tcmd --recipe open",
    ),
    "medzh-build check": ("medzh-build check", "medzh-build check build/medzh"),
    "medzh-build diff": (
        "medzh-build diff build/medzh.000001 build/medzh",
        "medzh-build diff org/medzh@v1.0.0 build/medzh",
    ),
    "medzh-build publish": (
        "medzh-build publish org/medzh --version 1.0.0 --dry-run",
        "medzh-build publish org/medzh --version 1.1.0 --configs sdak cmhe_hd",
    ),
    "medzh-build bundle": (
        "medzh-build bundle -o medzh.zip",
        "medzh-build bundle --data build/medzh -o medzh.zip",
    ),
    "medzh-build new": ("medzh-build new triage", "medzh-build new ward --kind true-false letters several pairs"),
    "medzh-build pin": (
        "medzh-build pin ACMISLab/PediaBench@a8ac50aeab30f7fd898b696a35a2cd336b83c602 'data/Pairing.xlsx'",
        "medzh-build pin org/repo@a8ac50aeab30f7fd898b696a35a2cd336b83c602 data/a.csv --from copies --out sources.toml",
    ),
    "medzh-build conform": ("medzh-build conform sdak", "medzh-build conform sdak --data build/medzh"),
    "medzh-build names": ("medzh-build names -o names.tsv", "medzh-build names --source icd10=table.csv -o names.tsv"),
    "medzh-build notes": ("medzh-build notes cmhe_ce -o notes.jsonl", "medzh-build notes cmhe_ce --split test"),
}
