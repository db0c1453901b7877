"""Names, texts and files that were written to break a page, and documents with as little in them as the schema allows."""

import copy
import html

import pytest

import browser as driving
from browser import VIEWS

MARKUP = "</script><img src=x onerror=window.broken=1><!--"
TURNED = "a\u202etxet\u202c\u200b\u0000b"


def hostile():
    """A document in which every text is hostile."""
    code = f"def k():  # {MARKUP}\n    x = '{TURNED}'\n" + "y = " + "+ 1 " * 2500 + "\n" + "'''" + "\n" * 40
    spans = [[1, 0], [2, 1], [3, 0]]
    return {
        "schema": "tegula-insight/1", "tool": {"version": MARKUP, "llvm": TURNED},
        "kernel": {"file": f"{MARKUP}.py", "name": MARKUP + TURNED, "line": 1, "specFrom": "options",
                   "spec": {"arch": MARKUP, "warps": 4, "stages": 3, "constexprs": {MARKUP: MARKUP}, "signature": {MARKUP: TURNED}, "grid": [1, 1, 1]}},
        "files": [{"path": f"{MARKUP}.py", "text": code}],
        "places": [[0, 1, 1, 1, 5, -1], [0, 2, 5, 2, 90000, 1], [0, 99999, 1, 99999, 1, 0], [7, 1, 1, 1, 1, -1]],
        "stages": [{"name": "tile", "text": code, "spans": spans}, {"name": "distributed", "text": code, "spans": [*spans, [777, 0], [1, 999]]}],
        "ptx": {"text": code, "spans": spans}, "sass": {"addresses": [0, 16], "ptxLines": [1, 5000], "text": f"/*0000*/ {MARKUP}"},
        "layouts": [{"ins": [["register", 1], ["lane", 5]], "outs": [["dim0", 6]], "bases": [[1], [2], [4], [8], [16], [32]]}],
        "values": [{"name": MARKUP, "ssa": TURNED, "op": MARKUP, "place": 0, "stage": 1, "textLine": 1, "dtype": MARKUP, "shape": [64], "layout": 0, "registers": 2,
                    "facts": {"contiguous": [4], "divisible": [16], "constancy": [1]}}],
        "conversions": [[0, 1, 1, 0, 0, MARKUP]],
        "remarks": [{"kind": "missed", "pass": MARKUP, "name": TURNED, "place": 0, "text": MARKUP, "reason": TURNED, "metrics": {MARKUP: MARKUP},
                     "cause": [0, 1, 999, -1], "causeText": MARKUP, "fix": {"text": f"`{MARKUP}` and `"}}],
        "accesses": [{"place": 1, "ptxLine": 1, "space": "shared", "op": "load", "bytesPerLane": 0, "requests": 1, "units": 1, "unitsLeast": 0,
                      "patterns": [{"count": 1, "mask": 4294967295, "alignment": 127, "offsets": [4294967295] * 32}]},
                     {"place": -1, "ptxLine": 9, "space": "global", "op": "store", "bytesPerLane": 16, "requests": 1, "units": 64, "unitsLeast": 1,
                      "patterns": [{"count": 1, "mask": 2147483649, "alignment": 1, "offsets": [4096 * i for i in range(32)]}]},
                     {"place": 0, "ptxLine": 9, "space": "global", "op": "store", "bytesPerLane": 4, "requests": 1, "units": 1, "unitsLeast": 1, "patterns": []}],
        "loops": [{"place": 1, "stage": 1, "textLine": 2, "stages": 1, "obstacle": MARKUP, "buffers": [], "ops": [[0, MARKUP, 1, 0]], "groups": [{MARKUP: TURNED}]},
                  {"place": 0, "stage": 1, "textLine": 2, "stages": 8, "buffers": [{"place": -1, "ssa": MARKUP, "slots": 8, "bytes": 7}], "ops": []}],
        "events": {"block": [0, 0, 0], "kinds": [MARKUP], "log": [[0, 5, 0, 1]], "dropped": 3},
        "resources": {"registers": 255, "sharedBytes": 0, "shared": [{"what": MARKUP, "offset": 0, "bytes": 0, "from": 3, "to": 3, "place": -1}], "threads": 128,
                      "occupancy": {"blocks": 0, "limiters": ["shared"], "limits": {"shared": 0, MARKUP: 0}, "nextBlock": {"shared": 1}}},
        "pressure": {"stage": 1, "rows": [[1, 0]], "peak": {"textLine": 1, "registers": 0, "holders": [[0, 2], [99, 1]]}},
        "roofline": {"flops": {MARKUP: 0}, "bytesMoved": 0, "bytesLeast": 0},
        "findings": [{"kind": "missed", "place": -1, "text": MARKUP, "because": TURNED, "cause": [555], "change": MARKUP}],
        "configs": [{"number": 0, "text": MARKUP, "error": TURNED}], "unknownMember": {"of": "a later version"},
    }


def least():
    """The least document that the schema allows."""
    return {"schema": "tegula-insight/1", "tool": {"version": "1", "llvm": "22"},
            "kernel": {"file": "k.py", "name": "k", "specFrom": "options", "spec": {"arch": "sm_80", "warps": 1, "stages": 1, "constexprs": {}, "signature": {}}},
            "files": [], "places": [], "stages": [], "ptx": {"text": "", "spans": []}, "layouts": [], "values": [], "remarks": [], "accesses": [], "loops": [],
            "resources": {"sharedBytes": 0, "shared": [], "threads": 32, "occupancy": {"blocks": 1, "limiters": [], "limits": {}}}}


@pytest.mark.parametrize("make", [hostile, least])
def test_every_view(window, tmp_path, make):
    window.open(driving.page_of(make(), tmp_path, make()))
    for view in VIEWS:
        window.run("location.hash = arguments[0]", f"{view}:2")
        window.until(f"return document.querySelector('#tab-{view}').ariaSelected === 'true'")
        window.frame()
        window.press("j", "k", "l", "g")
        window.run("document.querySelectorAll('details').forEach(d => d.open = true)")
        for choice in window.find("#view select"):
            window.run("for (const o of arguments[0].options) { arguments[0].value = o.value; arguments[0].dispatchEvent(new Event('change')); }", choice)
    assert window.complaints() == ([], [])
    assert window.run("return window.broken === undefined && !document.querySelector('img')")


def test_turned_text_is_shown_by_number(window, tmp_path):
    window.open(driving.page_of(hostile(), tmp_path))
    assert "U+202E" in window.run("return document.querySelectorAll('.row')[1].textContent")
    assert "\u202e" not in window.run("return document.querySelector('.rows').textContent")


def test_a_document_of_another_schema_is_refused_in_words(window, tmp_path):
    page = driving.page_of({"schema": "something/9"}, tmp_path)
    window.driver.get(page.resolve().as_uri())
    window.until("return document.querySelector('h1')")
    assert "tegula-insight/1" in window.text("main")


def test_diff_with_itself_is_empty(window, matmul, folder):
    document = matmul[1]
    window.open(driving.page_of(document, folder, document), "diff")
    text = window.text("#view")
    assert "No line costs more or less." in text and "No difference" in text
    assert not window.find("#view .changed")


def test_diff_tells_what_changed(window, matmul, folder):
    before = copy.deepcopy(matmul[1])
    before["resources"]["registers"] = 1
    before["ptx"]["text"] = before["ptx"]["text"].replace("ret;", "exit;")
    for access in before["accesses"]:
        access["units"] += 5
    window.open(driving.page_of(matmul[1], folder, before), "diff")
    assert window.find("#view .changed") and window.find(".diffrow.added") and window.find(".diffrow.removed")
    assert "−" in window.text("[aria-label='Lines that changed']")


@pytest.mark.parametrize("content, said", [("not json", "JSON"), ('{"schema": "other"}', "tegula-insight/1"), ("<p>no report</p>", "holds no report")])
def test_a_file_to_compare_with_that_is_none(window, matmul, tmp_path, content, said):
    file = tmp_path / "other.json"
    file.write_text(content)
    window.open(matmul[0], "diff")
    window.find("#other-file")[0].send_keys(str(file))
    assert said in window.until("return document.querySelector('[role=alert]').textContent")


def test_a_page_to_compare_with(window, matmul, folder):
    window.open(matmul[0], "diff")
    window.find("#other-file")[0].send_keys(str(matmul[0]))
    window.until("return document.querySelector('#view dl')")
    assert "No line costs more or less." in window.text("#view")


def test_in_a_frame_as_notebooks_show_it(window, matmul, tmp_path):
    """A sandboxed frame has no origin and no address of its own."""
    outer = tmp_path / "notebook.html"
    outer.write_text(f'<!doctype html><iframe sandbox="allow-scripts" style="width:900px;height:600px" srcdoc="{html.escape(matmul[0].read_text())}"></iframe>')
    window.driver.get(outer.as_uri())
    window.driver.get_log("browser")
    window.driver.switch_to.frame(0)
    try:
        window.until("return document.documentElement.dataset.shown")
        window.press("2")
        assert window.view() == "stages"
        assert window.find(".row.selected")
    finally:
        window.driver.switch_to.default_content()
    assert window.complaints()[0] == []
