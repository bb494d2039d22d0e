"""The page of a result of 50,000 items in a real browser: how soon it is seen, and how soon a filter has acted.

Items, predictions and answers are those of the sample of CMHE-HD, over and over, under ids of their own. The browser's
own marks measure: its first contentful paint, and the page's measure of a filter, a search and a sort. In the place of
the rival stands the bound of filter and search, 100 ms; first content has 1 s. `equal` says whether filter and search
find as many as the result holds, within the bounds.
Needs Chromium and the development environment.
"""

from __future__ import annotations

import json
import shutil
import statistics
import sys
import tempfile
from pathlib import Path

import timing

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "tests" / "tools"))

from made_builds import made_build

from medzh_score.data.records import load_records
from medzh_score.html.result import result_page
from medzh_score.results.result import Result
from medzh_score.scoring.pipeline import score

ITEMS, REPEATS = 50_000, 7
SAMPLE = Path(__file__).resolve().parents[1] / "dataset_scripts" / "mini" / "cmhe_hd" / "predictions.jsonl"
FIRST_CONTENT = "performance.getEntriesByName('first-contentful-paint')[0].startTime"
LAST = "performance.getEntriesByName('medzh-filter').at(-1).duration"


def made_result(folder: Path) -> Result:
    """Score 50,000 dialogues."""
    rows = load_records("mini", "cmhe_hd").rows
    answers = {one["id"]: one["prediction"] for one in map(json.loads, SAMPLE.read_text(encoding="utf-8").splitlines())}
    many = [{**rows[number % len(rows)], "id": f"cmhehd-{number:010x}"} for number in range(ITEMS)]
    data = made_build(folder / "medzh", {"cmhe_hd": {"test": many}}, recipe="mini")
    with (folder / "answers.jsonl").open("w", encoding="utf-8") as stream:
        for number, row in enumerate(many):
            said = answers[rows[number % len(rows)]["id"]]
            stream.write(json.dumps({"id": row["id"], "prediction": said}, ensure_ascii=False) + "\n")
    score("cmhe_hd", [folder / "answers.jsonl"], data, save=folder / "result", texts="full", bootstrap=0)
    return Result.load(folder / "result")


def main() -> None:
    """Measure and print."""
    with tempfile.TemporaryDirectory() as temporary:
        folder = Path(temporary)
        result = made_result(folder)
        file = folder / "page.html"
        page_s = timing.seconds(lambda: file.write_bytes(result_page(result, "full")))
        expected = [row for row in result.items().to_pylist() if row["rule"] == result.report.rule]
        first, acted, equal = measured(file, expected)
        size = file.stat().st_size / 1e6
    print(f"{ITEMS} items: {size:.1f} MB, written in {page_s:.1f} s")
    print(f"first content {first:.3f} s; " + ", ".join(f"{name} {seconds:.3f} s" for name, seconds in acted.items()))
    slowest = max(acted["filter"], acted["search"])
    within = first <= 1.0 and slowest <= 0.1
    timing.report(
        "pages",
        slowest,
        [timing.Rival("bound", 0.1, 0.1 / slowest)],
        equal=equal and within,
        first_content_s=round(first, 3),
    )


def measured(file: Path, expected: list[dict[str, object]]) -> tuple[float, dict[str, float], bool]:
    """Open the page several times; then filter, search and sort it. Give medians in seconds."""
    from playwright.sync_api import sync_playwright

    acted: dict[str, list[float]] = {"filter": [], "search": [], "sort": []}
    first, equal = [], True
    with sync_playwright() as driver:
        browser = driver.chromium.launch(executable_path=shutil.which("chromium"))
        for _ in range(REPEATS):
            page = browser.new_page()
            page.goto(file.as_uri())
            page.wait_for_function("performance.getEntriesByName('medzh-items').length")
            first.append(page.evaluate(FIRST_CONTENT))
            found = page.locator("#items [data-number=found]").first

            page.locator("#items").get_by_label("reading").select_option(label="unparsed")
            acted["filter"].append(page.evaluate(LAST))
            unparsed = sum(row["answer"] is None for row in expected)
            equal &= int(found.inner_text().replace(",", "")) == unparsed > 0
            page.click("#items .reset")
            page.fill("#items input[type=search]", "No. The")  # the first search makes the texts small
            page.fill("#items input[type=search]", "no. the doctor")
            acted["search"].append(page.evaluate(LAST))
            sought = sum("no. the doctor" in str(row["text"]).lower() for row in expected)
            equal &= int(found.inner_text().replace(",", "")) == sought > 0
            page.click("#items .reset")
            page.click("#items thead th >> nth=0 >> button")
            acted["sort"].append(page.evaluate(LAST))
            page.close()
        browser.close()
    return (
        statistics.median(first) / 1000,
        {name: statistics.median(all_) / 1000 for name, all_ in acted.items()},
        equal,
    )


if __name__ == "__main__":
    main()
