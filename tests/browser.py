"""A headless Chromium, where one and its driver are installed."""

from pathlib import Path
from shutil import which

from selenium.webdriver import Chrome, ChromeOptions
from selenium.webdriver.chrome.service import Service

CHROMIUM, DRIVER = which("chromium"), which("chromedriver")
FLAGS = (
    "--headless",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--hide-scrollbars",
)


def started(profile: Path) -> Chrome:
    """`profile`: a directory of its own.  To be quit."""
    options = ChromeOptions()
    options.binary_location = str(CHROMIUM)
    for flag in (*FLAGS, f"--user-data-dir={profile}"):
        options.add_argument(flag)
    options.set_capability("goog:loggingPrefs", {"browser": "ALL"})
    return Chrome(options=options, service=Service(str(DRIVER)))


def opened(browser: Chrome, page: Path, width: int, height: int = 900, dark: bool = False) -> Chrome:
    """The page in a window of this size."""
    scheme = {"name": "prefers-color-scheme", "value": "dark" if dark else "light"}
    size = {"width": width, "height": height, "deviceScaleFactor": 1, "mobile": False}
    browser.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", size)
    browser.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": [scheme]})
    browser.get(page.as_uri())
    return browser
