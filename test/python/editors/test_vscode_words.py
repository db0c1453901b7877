"""The line in which the extension of Visual Studio Code has words edited, by node alone."""

import json
import pathlib
import random
import shutil
import subprocess

import pytest

WORDS = pathlib.Path(__file__).resolve().parents[3] / "tools" / "vscode" / "words.js"

pytestmark = pytest.mark.skipif(not shutil.which("node"), reason="node is not installed")


def answers(function, values):
    """What a function of the file returns for each value; None for nothing."""
    script = (f"const {{ {function} }} = require({json.dumps(str(WORDS))}), given = JSON.parse(require('fs').readFileSync(0));"
              f"console.log(JSON.stringify(given.map((value) => {function}(value) ?? null)))")
    ran = subprocess.run(["node", "-e", script], input=json.dumps(values), capture_output=True, text=True, check=True, timeout=60)
    return json.loads(ran.stdout)


def test_words_come_back_as_they_were():
    chance = random.Random(1)
    lists = [["".join(chance.choices("ab='\"\\ []\n$é", k=chance.randrange(6))) for _ in range(chance.randrange(5))] for _ in range(2000)]
    assert answers("split", answers("join", lists)) == lists


def test_a_line_is_read_as_a_shell_reads_it():
    lines = ["a  b", " 'a b'c ", '"a \\" b" \'\'', "a\\ b", "x='full(1):fp32[4]'"]
    assert answers("split", lines) == [["a", "b"], ["a bc"], ['a " b', ""], ["a b"], ["x=full(1):fp32[4]"]]


def test_plain_words_are_not_quoted():
    assert answers("join", [["scale.py", "--arg", "x=arange:fp32[4,8]", "a b"]]) == ["scale.py --arg x=arange:fp32[4,8] 'a b'"]


def test_a_quote_that_is_not_closed_is_no_line():
    assert answers("split", ["a 'b", 'a "b', "a\\"]) == [None, None, None]
