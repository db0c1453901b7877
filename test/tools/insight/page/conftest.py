"""One browser for all tests, and the pages that several of them look at."""

import json
import pathlib
import subprocess

import pytest

import browser as driving


@pytest.fixture(scope="session")
def window():
    """A browser."""
    made = driving.Browser()
    yield made
    made.close()


@pytest.fixture(autouse=True)
def plain(request):
    """Gives each test a window of one size, light."""
    if "window" in request.fixturenames:
        window = request.getfixturevalue("window")
        window.size(1280, 800)
        window.media(prefers_color_scheme="light")


@pytest.fixture(scope="session")
def folder(tmp_path_factory):
    """A folder for pages."""
    return tmp_path_factory.mktemp("pages")


@pytest.fixture(scope="session")
def matmul(folder):
    """The page of matmul, and its document."""
    out = driving.explain("matmul.py", folder / "matmul.html", "-k", "matmul_kernel", f"--json={folder / 'matmul.json'}")
    return out, json.loads((folder / "matmul.json").read_text())


@pytest.fixture(scope="session")
def layouts():
    """Random layouts with the cells that the C++ side draws of them."""
    made = subprocess.run([driving.BUILD / "bin/insight-pages", "layouts", "10000"], check=True, stdout=subprocess.PIPE)
    return json.loads(made.stdout)


@pytest.fixture(scope="session")
def model():
    """The page's model as a script: sets `model`."""
    page = driving.SOURCE / "tools/insight/page/model"
    source = pathlib.Path(page)
    entry = f"export * as layout from '{source}/layout.js'; export * as banks from '{source}/banks.js';"
    return subprocess.run(["esbuild", "--bundle", "--format=iife", "--global-name=model", f"--sourcefile={source}/all.js"],
                          input=entry, text=True, check=True, stdout=subprocess.PIPE).stdout
