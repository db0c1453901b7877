"""Drives a headless chromium over a page of a report."""

import json
import os
import pathlib
import shutil
import subprocess
import time

from selenium import webdriver
from selenium.webdriver.chrome.options import Options
from selenium.webdriver.chrome.service import Service
from selenium.webdriver.common.action_chains import ActionChains
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys

BUILD = pathlib.Path(os.environ["TEGULA_BUILD_DIR"])
SOURCE = pathlib.Path(__file__).resolve().parents[4]
VIEWS = ["lines", "stages", "layout", "memory", "loop", "resources", "roofline", "diff"]


def explain(kernel, out, *options):
    """Writes the page of a bundled kernel as its docstring runs it."""
    subprocess.run([BUILD / "bin/tegula", "explain", SOURCE / "kernels" / kernel, f"--html={out}", *options], check=True,
                   stdout=subprocess.DEVNULL, timeout=300)
    return out


def page_of(document, folder, before=None):
    """Writes the page of a document that is given as it is."""
    paths = []
    for name, each in (("document", document), ("before", before)):
        if each is not None:
            paths.append(folder / f"{name}.json")
            paths[-1].write_text(json.dumps(each))
    out = folder / "page.html"
    subprocess.run([BUILD / "bin/insight-pages", "page", paths[0], out, *paths[1:]], check=True)
    return out


class Browser:
    """A window of a browser."""

    def __init__(self):
        options = Options()
        for word in ("--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--hide-scrollbars"):
            options.add_argument(word)
        options.binary_location = shutil.which("chromium")
        options.set_capability("goog:loggingPrefs", {"browser": "ALL", "performance": "ALL"})
        self.driver = webdriver.Chrome(service=Service(shutil.which("chromedriver")), options=options)
        self.driver.set_script_timeout(300)
        self.size(1280, 800)

    def close(self):
        """Ends the browser."""
        self.driver.quit()

    def size(self, width, height):
        """Sets the size of the window's inside."""
        self.driver.execute_cdp_cmd("Emulation.setDeviceMetricsOverride",
                                    {"width": width, "height": height, "deviceScaleFactor": 1, "mobile": False})

    def media(self, **features):
        """Sets media features: media(prefers_color_scheme="dark")."""
        self.driver.execute_cdp_cmd("Emulation.setEmulatedMedia",
                                    {"features": [{"name": name.replace("_", "-"), "value": value}
                                                  for name, value in features.items()]})

    def open(self, path, view="lines"):
        """Opens a page and waits until it is shown."""
        self.driver.get("about:blank")
        self.driver.get_log("browser"), self.driver.get_log("performance")
        self.driver.get(f"{pathlib.Path(path).resolve().as_uri()}#{view}")
        self.until("return document.documentElement.dataset.shown || document.querySelector('h1')")
        assert self.run("return document.documentElement.dataset.shown"), self.text("main")

    def run(self, script, *values):
        """Runs a function's body in the page and returns what it returns."""
        return self.driver.execute_script(script, *values)

    def until(self, script, seconds=30):
        """Waits until a function's body gives something that is true, and returns it."""
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            found = self.run(script)
            if found:
                return found
            time.sleep(0.02)
        raise AssertionError(f"never true: {script}")

    def frame(self):
        """Waits until the page has been painted."""
        self.driver.execute_async_script("requestAnimationFrame(() => requestAnimationFrame(arguments[0]))")

    def press(self, *keys):
        """Presses keys, one after the other, wherever the focus is."""
        ActionChains(self.driver, duration=0).send_keys(*keys).perform()
        self.frame()

    def find(self, selector):
        """Returns the elements that a selector finds."""
        return self.driver.find_elements(By.CSS_SELECTOR, selector)

    def text(self, selector):
        """Returns the text of the one element that a selector finds."""
        return self.run("return document.querySelector(arguments[0]).textContent", selector)

    def view(self):
        """Returns the name of the view that is shown."""
        return self.text("[role=tab][aria-selected=true]").lstrip("12345678").lower()

    def complaints(self):
        """Returns what the console has said, and the addresses that the page asked for."""
        said = [entry["message"] for entry in self.driver.get_log("browser")]
        asked = []
        for entry in self.driver.get_log("performance"):
            message = json.loads(entry["message"])["message"]
            if message["method"] == "Network.requestWillBeSent":
                asked.append(message["params"]["request"]["url"])
        return said, [url for url in asked if not url.startswith(("file:", "about:", "data:", "blob:"))
                      or url.count("file:") and not url.split("#")[0].endswith(".html")]


__all__ = ["BUILD", "SOURCE", "VIEWS", "Browser", "Keys", "explain", "page_of"]
