"""The pictures of loops and of the roofline: what they draw is what the document has."""

import json

import pytest

import browser as driving
from test_truth import document_of_layouts

SPECIALISED = ["-k", "matmul_kernel", "--num-warps=8", "--grid=1,2", "-D", "BLOCK_M=128", "-D", "BLOCK_N=256", "-D", "BLOCK_K=64"]
ROWS = """const rows = {};
  for (const step of document.querySelectorAll('.iteration .step')) {
    const y = step.querySelector('rect').getAttribute('y');
    (rows[y] ??= []).push([...step.querySelectorAll('text')].map(text => text.textContent).join(' ').trim());
  }
  return [[...document.querySelectorAll('.iteration .name')].map(name => name.textContent), Object.values(rows)];"""


@pytest.fixture(scope="module")
def specialised(folder):
    """The page of a matmul whose loop has a producer warp, and its document."""
    out = driving.explain("matmul.py", folder / "specialised.html", *SPECIALISED, f"--json={folder / 'specialised.json'}")
    return out, json.loads((folder / "specialised.json").read_text())


def inner_line(document):
    """The line of the loop that has signals."""
    loop = next(loop for loop in document["loops"] if loop["signals"])
    return document["places"][loop["place"]][1]


def test_a_row_for_each_group_of_warps(window, specialised):
    page, document = specialised
    window.open(page, f"loop:{inner_line(document)}")
    names, rows = window.run(ROWS)
    assert names == ["producer", "consumers"]
    assert rows == [["wait until empty", "barrier expects", "copy ×2 TMA", "copy ×2 TMA"],
                    ["wait until full", "product", "wait for products", "barrier slot is read"]]
    axis = window.run("return [...document.querySelectorAll('.iteration .axis')].map(text => text.textContent)")
    assert axis == ["warp 8", "warps 0–7"]
    label = window.run("return document.querySelector('.iteration').getAttribute('aria-label')")
    assert "producer: wait until empty, barrier expects" in label and "consumers: wait until full, product" in label


def test_arrows_go_from_copies_to_the_wait_and_back(window, specialised):
    page, document = specialised
    window.open(page, f"loop:{inner_line(document)}")
    assert len(window.find(".signal.full:not(.key *) .head")) == 3  # bytes are expected, and two copies
    # The slot of the iteration before is read, and has been filled anew two iterations later: there are three.
    assert window.run("return [...document.querySelectorAll('.iteration .signal.empty text')].map(text => text.textContent)") == ["+2"]


def test_steps_as_a_table(window, specialised):
    page, document = specialised
    window.open(page, f"loop:{inner_line(document)}")
    window.run("document.querySelectorAll('.twin').forEach(twin => twin.open = true)")
    cells = window.run("""const tables = [...document.querySelectorAll('.twin table')];
      const table = tables.find(table => table.caption.textContent === 'Steps of one iteration');
      return [...table.tBodies[0].rows].map(row => [...row.cells].map(cell => cell.textContent));""")
    assert cells[0][:4] == ["1", "producer, warp 8", "wait until empty", "tgpu.barrier_wait"]
    assert cells[0][5] == "step 8, 2 iterations before: slot is read"
    assert cells[4][1:4] == ["consumers, warps 0–7", "wait until full", "tgpu.barrier_wait"]
    assert cells[4][5] == "step 2: bytes are expected; step 3: slot is filled; step 4: slot is filled"


def test_a_click_on_a_step_selects_its_place(window, specialised):
    page, document = specialised
    window.open(page, f"loop:{inner_line(document)}")
    window.find(".iteration .k-product")[0].click()
    window.frame()
    loop = next(loop for loop in document["loops"] if loop["signals"])
    place = next(op[0] for op in loop["ops"] if op[1] == "product")
    assert window.run("return Number(document.querySelector('.pane .row.current').id.split('-')[1])") == document["places"][place][1]
    assert window.find(".iteration .k-product.selected")


def test_a_loop_of_all_warps_has_one_row(window, matmul):
    window.open(matmul[0], f"loop:{inner_line(matmul[1])}")
    names, rows = window.run(ROWS)
    assert names == ["all warps"] and len(rows) == 1
    # Copies are for two iterations later: the arrow is drawn back to the wait.
    assert "+2" in window.run("return [...document.querySelectorAll('.iteration .signal.full text')].map(text => text.textContent)")


def roofline_document(**roofline):
    """A document with this roofline, and little else."""
    document = document_of_layouts([])
    document["roofline"] = {"flops": {"products of fp16": 2048, "fp32": 512}, "bytesMoved": 128, "bytesLeast": 64, **roofline}
    return document


PEAK = {"from": "data sheet of a device", "bytesPerSecond": 1e12, "flopsPerSecond": {"products of fp16": 64e12, "products of bf16": 64e12, "fp32": 2e12}}
TABLES = "return [...document.querySelectorAll('.twin table')].map(table => [...table.tBodies[0].rows].map(row => [...row.cells].map(cell => cell.textContent)));"


def test_roofs_and_points(window, tmp_path):
    window.open(driving.page_of(roofline_document(peak=PEAK), tmp_path), "roofline")
    assert len(window.find(".roof")) == 3  # memory's, and those of alike kinds as one
    assert len(window.find(".point.moved")) == 2 and len(window.find(".point.least")) == 2
    window.run("document.querySelectorAll('.twin').forEach(twin => twin.open = true)")
    points, roofs = window.run(TABLES)
    assert [(row[1], row[5], row[6]) for row in points] == [
        ("products of fp16", "16", "memory, up to 64"), ("products of fp16", "32", "memory, up to 64"),
        ("fp32", "4", "fp32, from 2"), ("fp32", "8", "fp32, from 2")]
    assert roofs == [["memory", "1 TB/s", ""], ["products of fp16, bf16", "64 Tflop/s", "64"], ["fp32", "2 Tflop/s", "2"]]
    assert "data sheet of a device" in window.text(".picture") and "no time is predicted" in window.text(".picture")
    assert "A: products of fp16, as it moved them: 16 flop a byte" in window.run("return document.querySelector('svg.roofline').getAttribute('aria-label')")


def test_a_point_is_under_its_own_roof(window, tmp_path):
    """The line over a point ends where the lower roof is: on memory's slope, or at the peak of its kind."""
    window.open(driving.page_of(roofline_document(peak=PEAK), tmp_path), "roofline")
    ends = window.run("return [...document.querySelectorAll('.plumb')].map(line => Number(line.getAttribute('y1')))")
    flat = window.run("""return [...document.querySelectorAll('.roof')].map(roof => roof.getAttribute('d')).filter(d => d.includes('H'))
      .map(d => Number(/^M\\S+ ([\\d.]+)/.exec(d)[1]))""")
    assert ends[2] == ends[3] == pytest.approx(flat[1])  # fp32's
    assert ends[0] > ends[1] > flat[0]  # below the peak of products, on the slope


def test_points_without_roofs_where_no_peak_is_known(window, tmp_path):
    window.open(driving.page_of(roofline_document(), tmp_path), "roofline")
    assert not window.find(".roof") and len(window.find(".point")) == 4
    assert "No peaks of sm_90a are known" in window.text(".picture")


def test_a_kind_without_a_peak_has_a_point(window, tmp_path):
    window.open(driving.page_of(roofline_document(peak=PEAK, flops={"fp64": 100}), tmp_path), "roofline")
    assert len(window.find(".point.moved")) == 1
    assert "no peak of this kind is known" in window.text(".points")


def test_performance_is_drawn_where_it_was_measured(window, tmp_path):
    document = roofline_document(peak=PEAK)
    level = "return Number(document.querySelector('.point.moved').getAttribute('cy'))"
    window.open(driving.page_of(document, tmp_path), "roofline")
    axis = window.run(level)
    document["measured"] = {"device": "a device", "nsQuantiles": [1, 1, 1, 2, 3]}
    window.open(driving.page_of(document, tmp_path), "roofline")
    assert window.run(level) < axis
    assert "2.56 Tflop/s" in window.text(".picture")


def test_the_document_counts_a_product_by_its_definition(matmul):
    """256 x 256 x 256: twice as many flops as multiplications, whatever instructions make them."""
    assert matmul[1]["roofline"]["flops"]["products of fp16"] == 2 * 256 ** 3
