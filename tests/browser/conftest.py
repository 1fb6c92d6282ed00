"""A real browser, if one is installed: Chromium, controlled by Playwright."""

import os
import shutil

import pytest

NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome")


@pytest.fixture(scope="session")
def chromium():
    """The browser, without a window and without a network."""
    playwright = pytest.importorskip("playwright.sync_api", reason="Playwright is not installed")
    found = next(filter(None, map(shutil.which, NAMES)), None)
    if found is None:
        pytest.skip(f"no browser is installed: none of {', '.join(NAMES)}")
    # Chromium has no sandbox for root, as which it runs in containers
    options = ["--no-sandbox"] if hasattr(os, "geteuid") and os.geteuid() == 0 else []
    with playwright.sync_playwright() as driver:
        browser = driver.chromium.launch(executable_path=found, args=options)
        yield browser
        browser.close()


@pytest.fixture
def screen(chromium):
    """A page that records errors and requests; call it with a file."""
    opened = []

    def show(path, **options):
        context = chromium.new_context(viewport={"width": 1000, "height": 900}, **options)
        opened.append(context)
        context.set_offline(True)
        page = context.new_page()
        page.complaints, page.requests = [], []
        page.on("console", lambda message: page.complaints.append(message.text))
        page.on("pageerror", lambda error: page.complaints.append(str(error)))
        page.on("request", lambda request: page.requests.append(request.url))
        page.goto(path.as_uri())
        return page

    yield show
    for context in opened:
        context.close()
