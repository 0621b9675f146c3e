"""Write docs/images/report_light.png and report_dark.png, the first screen of `runoff demo`: `python -m docs.make_images` (needs Chromium)."""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path
from tempfile import TemporaryDirectory

from PIL import Image
from playwright.sync_api import sync_playwright

IMAGES = Path(__file__).parent / "images"
WIDTH, HEIGHT, SCALE, COLOURS = 1100, 843, 1.5, 160


def main() -> None:
    """Make the report, and take its picture in both schemes of colours."""
    with TemporaryDirectory() as folder, sync_playwright() as playwright:
        subprocess.run([sys.executable, "-m", "runoff", "demo", "-o", folder], check=True)
        browser = playwright.chromium.launch(executable_path=shutil.which("chromium"), args=["--no-sandbox"])
        for scheme in ("light", "dark"):
            size = {"width": WIDTH, "height": HEIGHT}
            page = browser.new_page(viewport=size, color_scheme=scheme, device_scale_factor=SCALE)
            page.goto((Path(folder) / "report.html").as_uri())
            page.wait_for_timeout(1_000)
            file = IMAGES / f"report_{scheme}.png"
            page.screenshot(path=file)
            Image.open(file).convert("RGB").quantize(
                COLOURS, Image.Quantize.MAXCOVERAGE, dither=Image.Dither.NONE
            ).save(file, optimize=True)
        browser.close()


if __name__ == "__main__":
    main()
