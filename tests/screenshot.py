"""The picture of a report that the README shows, taken anew: `make screenshot`."""

from pathlib import Path
from tempfile import TemporaryDirectory

from tests.browser import opened, started

GALLERY = Path(__file__).parent.parent / "reports" / "gallery"
PAGE = GALLERY / "overlooked-taint" / "report.html"
PICTURE = GALLERY / "report.png"
WIDTH = 1252
END = "return Math.ceil(document.querySelector('#cluster').getBoundingClientRect().bottom + scrollY) + 24"
"""Down to the picture of the cluster."""


def main() -> None:
    with TemporaryDirectory() as profile:
        browser = started(Path(profile))
        try:
            height = opened(browser, PAGE, WIDTH).execute_script(END)
            PICTURE.write_bytes(opened(browser, PAGE, WIDTH, height).get_screenshot_as_png())
        finally:
            browser.quit()


if __name__ == "__main__":
    main()
