"""From "it is wrong" to the statement in one to three commands."""

import re

import pytest
from debugger import debug, places
from planted_faults import ALL


@pytest.mark.parametrize("fault", ALL, ids=lambda fault: fault.name)
def test_the_commands_lead_to_the_line(fault, tmp_path):
    assert 1 <= len(fault.commands) <= 3
    text = debug(tmp_path, fault.text(), [f"--grid={fault.grid}", *fault.arguments], fault.commands,
                 reference=fault.reference and fault.reference(), tolerance=",".join(fault.options))
    assert places(text)[-1] == fault.line(), text
    assert fault.says in text


def test_there_are_enough_of_them():
    assert len(ALL) >= 50 and len({fault.name for fault in ALL}) == len(ALL)


@pytest.mark.parametrize("fault", [fault for fault in ALL if not fault.reference], ids=lambda fault: fault.name)
def test_without_stops_only_faults_stop(fault, tmp_path):
    text = debug(tmp_path, fault.text(), [f"--grid={fault.grid}", *fault.arguments, "--stop=none"], ["continue"])
    assert re.search(r"fault: |all programs have ended", text), text
    assert "is made here" not in text and "overflows" not in text
