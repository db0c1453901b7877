"""Drives Visual Studio Code in a browser: code-server without a window, and the extension in it as users get it."""

import contextlib
import json
import os
import pathlib
import shutil
import socket
import subprocess
import time

from selenium import webdriver
from selenium.common.exceptions import ElementClickInterceptedException, ElementNotInteractableException, StaleElementReferenceException
from selenium.webdriver.chrome.options import Options
from selenium.webdriver.chrome.service import Service
from selenium.webdriver.common.action_chains import ActionChains
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys

ROOT = pathlib.Path(__file__).resolve().parents[3]


def package(folder):
    """Packages the extension as its README says, in a copy; returns the package. Asks npm's registry."""
    source = folder / "tree" / "tools" / "vscode"
    shutil.copytree(ROOT / "tools" / "vscode", source, ignore=shutil.ignore_patterns("node_modules", "*.vsix"))
    shutil.copy(ROOT / "LICENSE", folder / "tree")
    for command in (["npm", "install"], ["npm", "run", "package"]):
        subprocess.run(command, cwd=source, check=True, stdin=subprocess.DEVNULL, capture_output=True, timeout=300)
    [made] = source.glob("*.vsix")
    return made


class Editor:
    """The editor on a folder, in a window of a browser."""

    def __init__(self, server, extension, folder, data, settings):
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            self.port = free.getsockname()[1]
        data.mkdir(parents=True, exist_ok=True)
        (data / "User").mkdir(exist_ok=True)
        settings = {"workbench.startupEditor": "none", "editor.minimap.enabled": False, **settings}
        (data / "User" / "settings.json").write_text(json.dumps(settings), encoding="utf-8")
        self.picture = data / "failed.png"
        places = ["--user-data-dir", data, "--extensions-dir", data / "extensions"]
        environment = {key: value for key, value in os.environ.items() if key != "VSCODE_IPC_HOOK_CLI"}
        environment.update(HOME=str(data), XDG_CONFIG_HOME=str(data / "config"), XDG_DATA_HOME=str(data / "share"))
        subprocess.run([server, *places, "--install-extension", extension], check=True, capture_output=True, timeout=120, env=environment)
        self.log = open(data / "log", "w", encoding="utf-8")
        disabled = [f"--disable-{what}" for what in ("telemetry", "update-check", "workspace-trust", "getting-started-override")]
        self.process = subprocess.Popen([server, *places, "--auth", "none", "--bind-addr", f"127.0.0.1:{self.port}", *disabled, folder],
                                        stdout=self.log, stderr=subprocess.STDOUT, stdin=subprocess.DEVNULL, env=environment)
        options = Options()
        for word in ("--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--window-size=1500,950"):
            options.add_argument(word)
        options.binary_location = shutil.which("chromium")
        self.driver = webdriver.Chrome(service=Service(shutil.which("chromedriver")), options=options)
        self.until(self._listens, "code-server listens")
        self.driver.get(f"http://127.0.0.1:{self.port}/?folder={folder}")
        self.until(lambda: self.find(".monaco-workbench .explorer-viewlet, .monaco-workbench .explorer-folders-view"), "the workbench is there")

    def _listens(self):
        with socket.socket() as probe:
            return probe.connect_ex(("127.0.0.1", self.port)) == 0

    def close(self):
        """Ends the browser and the editor."""
        self.driver.quit()
        self.process.terminate()
        self.process.wait(20)
        self.log.close()

    def until(self, holds, what, seconds=60):
        """Waits until `holds` returns something that is true, and returns that."""
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            with contextlib.suppress(StaleElementReferenceException, ElementNotInteractableException, ElementClickInterceptedException):
                if found := holds():
                    return found
            time.sleep(0.1)
        self.driver.save_screenshot(str(self.picture))
        raise AssertionError(f"waited in vain until {what}; the window is in {self.picture}")

    def find(self, selector, text=""):
        """Returns the elements that a selector finds and that have `text` in them."""
        found = self.driver.find_elements(By.CSS_SELECTOR, selector)
        return [one for one in found if text in self.text(one)] if text else found

    def text(self, element):
        """Returns the text of an element, with plain spaces."""
        return (element.get_property("textContent") or "").replace("\u00a0", " ")

    def wait(self, selector, text="", seconds=60):
        """Waits for elements and returns the first one."""
        return self.until(lambda: self.find(selector, text), f"there is `{selector}` with `{text}`", seconds)[0]

    def click(self, selector, text="", seconds=60):
        """Waits for an element and clicks it."""
        self.until(lambda: [one.click() or one for one in self.find(selector, text)[:1]], f"`{selector}` with `{text}` is clicked", seconds)

    def press(self, *keys):
        """Presses a key, together with modifiers in front of it."""
        actions = ActionChains(self.driver)
        for key in keys[:-1]:
            actions.key_down(key)
        actions.send_keys(keys[-1])
        for key in reversed(keys[:-1]):
            actions.key_up(key)
        actions.perform()

    def type(self, text):
        """Types a text wherever the focus is."""
        ActionChains(self.driver).send_keys(text).perform()

    def quick(self, text, expected):
        """Types into the input at the top, as after F1, and takes the first entry that begins with `expected`."""
        self.wait(".quick-input-widget input")
        self.until(lambda: self.driver.switch_to.active_element.get_attribute("type") == "text", "the input has the focus")
        self.press(Keys.CONTROL, "a")
        self.type(text)

        def taken():
            rows = [row for row in self.find(".quick-input-list .monaco-list-row") if row.get_attribute("aria-label").startswith(expected)]
            return [row.click() or row for row in rows[:1]]
        self.until(taken, f"`{expected}` is offered")

    def menu(self, element, title):
        """Chooses an entry of an element's menu."""
        ActionChains(self.driver).context_click(element).perform()
        self.click(".context-view .action-label", title)

    def command(self, title):
        """Runs a command of the palette."""
        self.press(Keys.F1)
        self.quick(f">{title}", title)

    def open(self, name, line):
        """Opens a file of the folder at a line."""
        self.command("View: Show Explorer")
        self.until(lambda: [ActionChains(self.driver).double_click(one).perform() or one
                            for one in self.find(".explorer-folders-view .monaco-list-row", name)[:1]], f"`{name}` is opened")
        self.wait(".editor-group-container.active .tab.active", name)
        self.at(line)

    def at(self, line):
        """Goes to a line of the file that is open."""
        self.press(Keys.CONTROL, "g")
        self.quick(f":{line}", f"Go to line {line}")
        self.wait(".statusbar-item", f"Ln {line},")

    @contextlib.contextmanager
    def webview(self, holds, seconds=120):
        """Stays in the webview in which `holds`, a selector, finds something."""
        def enter():
            for frame in range(len(self.find("iframe.webview"))):
                self.driver.switch_to.default_content()
                self.driver.switch_to.frame(self.find("iframe.webview")[frame])
                for inner in self.find("#active-frame"):
                    self.driver.switch_to.frame(inner)
                    if self.find(holds):
                        return True
            self.driver.switch_to.default_content()
            return False
        self.until(enter, f"a webview shows `{holds}`", seconds)
        try:
            yield self
        finally:
            self.driver.switch_to.default_content()


__all__ = ["ROOT", "Editor", "Keys", "package"]
