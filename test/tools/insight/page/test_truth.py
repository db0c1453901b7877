"""Compares what the page computes and draws with what the C++ side says."""

import json

import pytest

import browser as driving

COMPARE = """
  const wrong = [];
  for (const {cells, ...layout} of arguments[0]) {
    const isMemory = layout.ins.some(([name]) => name === 'offset');
    let drawn;
    if (isMemory) {
      const shape = model.layout.shapeOf(layout), offsets = new Map();
      for (let offset = 0; offset < model.layout.sizeOfInput(layout, 'offset'); ++offset) {
        const number = model.layout.numberOf(model.layout.apply(layout, {offset}), shape);
        offsets.set(number, [...offsets.get(number) ?? [], offset]);
      }
      drawn = cells.map((_, i) => offsets.has(i) ? `${offsets.get(i)[0]}${offsets.get(i).length > 1 ? '+' : ''}` : '-');
    } else {
      const held = model.layout.holdersOf(layout);
      drawn = held.holders.map(list => {
        if (!list.length) return '-';
        const {thread, register} = model.layout.holder(list[0], held);
        return `T${thread}:${register}${list.length > 1 ? '+' : ''}`;
      });
    }
    if (drawn.join() !== cells.join()) wrong.push({layout, cells, drawn});
  }
  return wrong.slice(0, 3);
"""


def test_cells_of_random_layouts_are_those_of_picture(window, matmul, layouts, model):
    window.open(matmul[0])
    assert len(layouts) == 10000
    assert window.run(f"{model};{COMPARE}", layouts) == []


def document_of_layouts(layouts):
    """A document whose values have the given layouts, and little else."""
    values = [{"name": f"v{i}", "ssa": f"%{i}", "op": "tile.load", "place": 0, "stage": 0, "textLine": 1, "dtype": "fp32",
               "shape": [2 ** bits for _, bits in layout["outs"]], "layout": i, "registers": 1}
              for i, layout in enumerate(layouts)]
    return {"schema": "tegula-insight/1", "tool": {"version": "0", "llvm": "22"},
            "kernel": {"file": "k.py", "name": "k", "specFrom": "options",
                       "spec": {"arch": "sm_90a", "warps": 4, "stages": 3, "constexprs": {}, "signature": {}}},
            "files": [{"path": "k.py", "text": "x = 1\n"}], "places": [[0, 1, 1, 1, 6, -1]],
            "stages": [{"name": "distributed", "text": "%0\n", "spans": [[1, 0]]}], "ptx": {"text": "ret;\n", "spans": []},
            "layouts": [{key: layout[key] for key in ("ins", "outs", "bases")} for layout in layouts], "values": values,
            "remarks": [], "accesses": [], "loops": [],
            "resources": {"sharedBytes": 0, "shared": [], "threads": 128, "occupancy": {"blocks": 1, "limiters": [], "limits": {}}}}


def test_the_tile_that_is_drawn_has_these_cells(window, layouts, tmp_path):
    """The table behind the tile, of layouts in which each element has at most one holder, says what `picture` says."""
    single = [layout for layout in layouts if not any("+" in cell for cell in layout["cells"])
              and any(name == "lane" for name, _ in layout["ins"])][:12]
    window.open(driving.page_of(document_of_layouts(single), tmp_path), "layout")
    for number, layout in enumerate(single):
        window.run("const s = document.querySelector('[aria-label=Value]'); s.value = arguments[0];"
                   "s.dispatchEvent(new Event('change'));", str(number))
        window.run("document.querySelector('.cells').open = true")
        rows = window.until("const r = [...document.querySelectorAll('.cells tbody td:last-child')].map(c => c.textContent); return r.length && r")
        assert rows == layout["cells"]


def test_a_cell_has_the_colour_of_its_lane(window, tmp_path):
    """Two cells of one lane look alike, those of another lane do not."""
    layout = {"ins": [["register", 1], ["lane", 2]], "outs": [["dim0", 2], ["dim1", 1]], "bases": [[0, 1], [1, 0], [2, 0]]}
    window.open(driving.page_of(document_of_layouts([layout]), tmp_path), "layout")
    colours = window.run("""
      const canvas = document.querySelector('canvas'), context = canvas.getContext('2d');
      const cell = canvas.width / 2, at = (row, column) => [...context.getImageData(column * cell + 8, row * cell + 8, 1, 1).data].join();
      return [0, 1, 2, 3].map(row => [at(row, 0), at(row, 1)]);""")
    assert all(left == right for left, right in colours)
    assert len({left for left, _ in colours}) == 4


@pytest.mark.parametrize("kernel", ["matmul.py", "transpose.py", "softmax.py"])
def test_pictures_of_memory_add_up_to_what_the_emulator_counted(window, model, folder, kernel):
    """The sectors and passes that the page draws are those of the run, where all patterns of an access were kept."""
    path = folder / f"truth-{kernel}.json"
    page = driving.explain(kernel, folder / f"truth-{kernel}.html", f"--json={path}", *(["-k", "matmul_kernel"] if kernel == "matmul.py" else []))
    accesses = json.loads(path.read_text())["accesses"]
    window.open(page)
    counted = window.run(f"""{model};
      const sum = list => list.reduce((a, b) => a + b, 0);
      return arguments[0].map(access => sum(access.patterns.map(pattern => pattern.count * (access.space === 'global' ?
        model.banks.sectorsOf(pattern, access.bytesPerLane).sectors.length : sum(model.banks.passesOf(pattern, access.bytesPerLane).map(group => group.passes))))));
      """, accesses)
    whole = [(access["units"], drawn) for access, drawn in zip(accesses, counted)
             if sum(pattern["count"] for pattern in access["patterns"]) == access["requests"]]
    assert whole
    assert all(units == drawn for units, drawn in whole), whole
