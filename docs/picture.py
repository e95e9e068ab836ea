"""Take the README's picture of the snapshot anew (`make picture`)."""

from __future__ import annotations

import tempfile
from pathlib import Path

from playwright.sync_api import sync_playwright

from experience_pack.cli.run import run

TARGET = Path(__file__).parent / "snapshot.png"
CHROMIUM = "/usr/bin/chromium"
OPENED = "Free a full disk"


def main() -> None:
    """Run the demo, open its snapshot, and take a picture of it."""
    with tempfile.TemporaryDirectory() as folder:
        place = Path(folder) / "demo"
        assert run(["demo", "--out", str(place)]) == 0
        with sync_playwright() as driver:
            browser = driver.chromium.launch(
                executable_path=CHROMIUM, args=["--no-sandbox", "--disable-gpu"]
            )
            page = browser.new_page(viewport={"width": 1280, "height": 860})
            page.goto((place / "snapshot.html").as_uri())
            page.get_by_role("option").filter(has_text=OPENED).first.click()
            page.evaluate("scrollTo(0, 0)")
            page.wait_for_timeout(300)
            page.screenshot(path=TARGET)
            browser.close()


if __name__ == "__main__":
    main()
