"""Holds every view to axe-core's rules for accessibility, and pages to what a screen reader is told.

axe-core is MPL-2.0 and no part of this project: it is fetched once for the tests, and only as the bytes of this hash.
"""

import hashlib
import io
import tarfile
import urllib.request

import pytest

import browser as driving
from browser import VIEWS

ADDRESS = "https://registry.npmjs.org/axe-core/-/axe-core-4.14.1.tgz"
SHA256 = "e6b0ce02b84d892e2e33e403485e7f3d6c29e2be6df65daf44d89ba564139745"
RUN = """const done = arguments[arguments.length - 1];
  axe.run(document, {resultTypes: ['violations']}).then(result => done(result.violations.flatMap(violation =>
    violation.nodes.slice(0, 3).map(node => `${violation.id}: ${node.html.slice(0, 200)}: ${node.failureSummary}`))));"""


@pytest.fixture(scope="session")
def axe():
    """The script of axe-core."""
    kept = driving.BUILD / "axe-core.tgz"
    if not kept.exists():
        try:
            with urllib.request.urlopen(ADDRESS, timeout=30) as answer:
                fetched = answer.read()
        except OSError as error:
            pytest.skip(f"axe-core cannot be fetched: {error}")
        assert hashlib.sha256(fetched).hexdigest() == SHA256
        kept.write_bytes(fetched)
    packed = kept.read_bytes()
    assert hashlib.sha256(packed).hexdigest() == SHA256
    with tarfile.open(fileobj=io.BytesIO(packed)) as archive:
        return archive.extractfile("package/axe.min.js").read().decode()


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_no_violation(window, matmul, axe, scheme):
    window.media(prefers_color_scheme=scheme)
    window.open(matmul[0])
    line = next(number for number, text in enumerate(matmul[1]["files"][0]["text"].split("\n"), 1) if "a = tl.load(" in text)
    window.run(axe)
    for view in VIEWS:
        window.run("location.hash = arguments[0]", f"{view}:{line}")
        window.frame()
        window.run("document.querySelectorAll('details').forEach(d => d.open = true)")
        assert window.driver.execute_async_script(RUN) == [], view
    window.press("?")
    assert window.driver.execute_async_script(RUN) == []


def test_a_line_with_costs_is_read_with_them(window, matmul):
    """The name of a row has the number of the line, its costs with units, and the code."""
    window.open(matmul[0])
    tree = window.driver.execute_cdp_cmd("Accessibility.getFullAXTree", {})["nodes"]
    rows = [node["name"]["value"] for node in tree if node.get("role", {}).get("value") == "option" and node.get("name")]
    assert any("warp instructions" in row and "tl.load" in row for row in rows)
    roles = {node.get("role", {}).get("value") for node in tree}
    assert {"tablist", "tab", "tabpanel", "listbox", "main", "banner"} <= roles
