"""A real browser without a window: the Chromium of this machine, driven by Playwright, which downloads none."""

from __future__ import annotations

import os
import shutil
from contextlib import contextmanager
from dataclasses import dataclass, field
from importlib.resources import files
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from playwright.sync_api import Page

NEEDED = "MEDZH_REQUIRE_BROWSER"
PATIENCE = 120_000  # milliseconds: machines are busy
SERIOUS = {"serious", "critical"}


@contextmanager
def chromium():
    """Start the browser; tests that need it are skipped unless the variable is set, and fail without it then."""
    if not os.environ.get(NEEDED):
        pytest.skip(f"needs Chromium: set {NEEDED}")
    path = shutil.which("chromium")
    if path is None:
        pytest.fail(f"{NEEDED} is set, but there is no chromium: apt-get install chromium")
    from playwright.sync_api import sync_playwright

    with sync_playwright() as driver:
        browser = driver.chromium.launch(executable_path=path, timeout=PATIENCE)
        yield browser
        browser.close()


@dataclass
class Opened:
    """A page that is open, and all that it said and asked for."""

    page: Page
    said: list[str] = field(default_factory=list)
    asked: list[str] = field(default_factory=list)

    def serious(self):
        """Give what axe-core finds serious, by rule: the elements."""
        self.page.evaluate(files("axe_playwright_python").joinpath("axe.min.js").read_text(encoding="utf-8"))
        found = self.page.evaluate("axe.run()")
        assert found["passes"]  # it did run
        broken = [one for one in found["violations"] if one["impact"] in SERIOUS]
        return {one["id"]: [node["html"] for node in one["nodes"]] for one in broken}


@contextmanager
def opened(browser, file):
    """Open a page from the disk; it must have said nothing, and asked for nothing but itself, when the block ends."""
    context = browser.new_context(viewport={"width": 1200, "height": 900})
    context.set_default_timeout(PATIENCE)
    one = Opened(context.new_page())
    one.page.on("console", lambda message: one.said.append(message.text))
    one.page.on("pageerror", lambda error: one.said.append(str(error)))
    one.page.on("request", lambda request: one.asked.append(request.url))
    one.page.goto(file.as_uri())
    yield one
    assert one.said == []
    assert one.asked == [file.as_uri()]
    context.close()
