"""The demo's report in the system's Chromium, driven by Playwright; `make system` installs it, and without it these tests skip."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import Any

import pytest

import runoff as ro
from tests.report.made import page_content

sync = pytest.importorskip("playwright.sync_api")
NAMES = ("chromium", "chromium-browser", "google-chrome")


@pytest.fixture(scope="session")
def report(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The report on the shipped data, as `runoff demo` writes it, with fewer resamples."""
    curves = ro.load_example("classic_control").normalize("classic_control")
    out = tmp_path_factory.mktemp("browser") / "report"
    return ro.report(curves, out, title="Classic control", command="runoff demo", n_resamples=2_000).path


@pytest.fixture(scope="session")
def page_data(report: Path) -> dict[str, Any]:
    """What the script draws from."""
    return page_content(report.read_text(encoding="utf-8"))


@pytest.fixture(scope="session")
def browser() -> Iterator[Any]:
    program = next(filter(None, map(shutil.which, NAMES)), None)
    if program is None:
        pytest.skip("no Chromium is installed (make system)")
    with sync.sync_playwright() as playwright:
        started = playwright.chromium.launch(executable_path=program, args=["--no-sandbox"])
        yield started
        started.close()


@pytest.fixture
def visit(browser: Any, report: Path) -> Iterator[Callable[..., Any]]:
    """Open the report (or another page) from its file; settings are those of a context of Playwright."""
    opened: list[Any] = []
    yield partial(_visit, browser, report, opened)
    for context in opened:
        context.close()


def _visit(browser: Any, report: Path, opened: list[Any], path: Path | None = None, **settings: Any) -> Any:
    width, fragment = settings.pop("width", 1440), settings.pop("fragment", "")
    context = browser.new_context(viewport={"width": width, "height": 900}, **settings)
    opened.append(context)
    page = context.new_page()
    page.requests, page.messages = [], []
    page.on("request", lambda request: page.requests.append(request.url))
    page.on("console", lambda message: page.messages.append(message.text))
    page.on("pageerror", lambda error: page.messages.append(str(error)))
    page.goto((path or report).as_uri() + fragment)
    return page
