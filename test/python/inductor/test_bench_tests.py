"""tools/bench/strangers/inductor_tests.py on a file of tests that need no PyTorch: which of them does it say that Tegula alone fails?"""

import json
import os
import pathlib
import subprocess
import sys

import pytest

BENCH = pathlib.Path(__file__).resolve().parents[3] / "tools" / "bench" / "strangers" / "inductor_tests.py"

TESTS = """
import os
import sys
import time
import unittest

OURS = "tegula" in sys.modules
ran = []


class Tests(unittest.TestCase):
    def test_a_passes(self):
        ran.append(self)

    def test_b_passes_by_itself(self):
        self.assertFalse(OURS and ran)

    def test_c_fails_by_us(self):
        self.assertFalse(OURS)

    def test_d_fails(self):
        self.fail("as it does everywhere")

    def test_e_crashes_by_us(self):
        if OURS:
            os._exit(3)

    def test_f_is_skipped(self):
        self.skipTest("no reason")

    def test_g_is_slow(self):
        time.sleep(60)
"""


def said(tests: pathlib.Path, *options: str) -> tuple[int, str]:
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, sys.path))}
    done = subprocess.run([sys.executable, BENCH, tests, *options], text=True, capture_output=True, timeout=100, env=environment)
    assert not done.stderr
    return done.returncode, done.stdout


@pytest.fixture
def tests(tmp_path):
    file = tmp_path / "test_these.py"
    file.write_text(TESTS)
    return file


def test_what_only_we_fail_is_told_apart_and_no_test_costs_another(tests):
    kept = tests.with_name("kept.json")
    status, text = said(tests, "--processes", "1", "--seconds", "2", "--json", str(kept))
    assert status == 1
    assert "7 of 7 tests run: {'passes': 2, 'fails': 2, 'crashes': 1, 'skipped': 1, 'takes too long': 1}" in text
    alone = [line.split(".")[1] for line in text.splitlines() if line.startswith("BY TEGULA ALONE")]
    assert alone == ["test_c_fails_by_us", "test_e_crashes_by_us"]
    assert "as it does everywhere" in text and "tegula crashes 3" in text
    found = json.loads(kept.read_text())
    assert found["tegula"]["Tests.test_b_passes_by_itself"]["how"] == "passes"
    status, text = said(tests, "--but", str(kept))
    assert status == 0 and "0 of 0 tests run" in text


def test_what_was_found_until_the_limit_is_kept(tests):
    kept = tests.with_name("kept.json")
    said(tests, "--processes", "2", "--limit", "6", "--json", str(kept))
    found = json.loads(kept.read_text())["tegula"]
    assert found["Tests.test_a_passes"]["how"] == "passes" and "Tests.test_g_is_slow" not in found
