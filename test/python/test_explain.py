"""`tegula.explain`: the report of a launch, from real arguments."""

import linecache

import numpy as np
import pytest
import tegula
import tegula.language as tl


@tegula.jit
def strided(x_ptr, y_ptr, n, stride, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    x = tl.load(x_ptr + i * stride, mask=i < n)
    tl.store(y_ptr + i, x, mask=i < n)


@tegula.jit
def reads_beyond(x_ptr, y_ptr, BLOCK: tl.constexpr):
    i = tl.arange(0, BLOCK)
    tl.store(y_ptr + i, tl.load(x_ptr + i))


def arrays(count=512):
    return np.arange(count, dtype=np.float32), np.zeros(count, dtype=np.float32)


def test_what_a_stride_costs_is_found():
    x, y = arrays()
    explanation = tegula.explain(strided, x, y, 256, 2, grid=lambda meta: (tegula.cdiv(meta["n"], meta["BLOCK"]),), BLOCK=256)
    first = explanation.findings()[0]
    assert (first["kind"], first["cost"], first["least"]) == ("uncoalesced", 64, 32)
    assert "64 sectors moved, 32 needed" in str(explanation)
    assert not y.any(), "the arrays stay as they are"


def test_nothing_is_found_where_nothing_costs():
    x, y = arrays()
    explanation = tegula.explain(strided, x, y, 512, 1, grid=1, BLOCK=512, num_warps=4)
    assert explanation.findings() == []
    assert explanation.json()["kernel"]["spec"]["warps"] == 4
    assert explanation.json()["schema"] == "tegula-insight/1"


def test_an_array_is_seen_as_it_lies_in_memory():
    x, y = arrays()
    # A view that begins amid 16 bytes: what is known of its address is what a launch would know.
    spec = tegula.explain(strided, x[1:], y, 256, 1, grid=1, BLOCK=256).json()["kernel"]["spec"]
    assert spec["signature"]["x_ptr"].startswith("*fp32") and spec["signature"]["x_ptr"] != "*fp32:16"
    assert spec["signature"]["y_ptr"] == "*fp32:16"
    spec = tegula.explain(strided, x[::2], y, 256, 2, grid=1, BLOCK=256).json()["kernel"]["spec"]
    assert spec["signature"]["x_ptr"] == "*fp32:16"


def test_it_shows_itself_in_notebooks():
    x, y = arrays()
    bundle = tegula.explain(strided, x, y, 512, 1, grid=(1,), BLOCK=512)._repr_mimebundle_()
    assert bundle["text/plain"].startswith("strided ")
    assert bundle["text/html"].startswith('<iframe sandbox="allow-scripts"')


def test_its_page():
    x, y = arrays()
    page = tegula.explain(strided, x, y, 512, 1, grid=(1,), BLOCK=512).html()
    assert page.startswith("<!doctype html>") and "default-src 'none'" in page


def test_another_architecture():
    x, y = arrays()
    assert "sm_80" in tegula.explain(strided, x, y, 512, 1, grid=1, BLOCK=512, arch="sm_80").text


def test_faults_are_those_of_the_emulator():
    x, y = arrays(100)
    with pytest.raises(tegula.KernelFault, match="x_ptr|y_ptr"):
        tegula.explain(reads_beyond, x, y, grid=1, BLOCK=128)


def test_what_cannot_be_explained_is_said():
    x, y = arrays()
    with pytest.raises(TypeError, match="expected a function of `jit`, found int"):
        tegula.explain(3, x, grid=1)
    with pytest.raises(TypeError, match="argument `n` cannot be explained: found dict"):
        tegula.explain(strided, x, y, {}, 1, grid=1, BLOCK=64)
    with pytest.raises(TypeError, match="compile-time value `BLOCK` cannot be explained: found dict"):
        tegula.explain(strided, x, y, 512, 1, grid=1, BLOCK={})
    with pytest.raises(TypeError, match="its elements go backwards"):
        tegula.explain(strided, x[::-1], y, 512, 1, grid=1, BLOCK=64)
    with pytest.raises(tegula.TritonError, match="unknown architecture `sm_91`"):
        tegula.explain(strided, x, y, 512, 1, grid=1, BLOCK=64, arch="sm_91")


HELPERS = """
@tegula.jit
def scaled(x):
    return x * FACTOR
"""
CELL = """
@tegula.jit
def of_a_cell(x_ptr, y_ptr, BLOCK: tl.constexpr):
    i = tl.arange(0, BLOCK)
    tl.store(y_ptr + i, scaled(tl.load(x_ptr + i * 2)))
"""


def run_cell(text, name, space):
    """Runs a cell as a notebook does: Python finds its text by a name that is no file's."""
    linecache.cache[name] = (len(text), None, text.splitlines(True), name)
    exec(compile(text, name, "exec"), space)


def test_kernels_of_cells_are_explained():
    space = {"tegula": tegula, "tl": tl, "FACTOR": tl.constexpr(3.0)}
    run_cell(HELPERS, "<cell 1>", space)
    run_cell(CELL, "<cell 2>", space)
    x, y = arrays()
    document = tegula.explain(space["of_a_cell"], x, y, grid=1, BLOCK=256).json()
    first = document["findings"][0]
    assert (first["kind"], document["places"][first["place"]][1]) == ("uncoalesced", 5)


def test_kernels_without_a_text_are_refused():
    space = {"tegula": tegula, "tl": tl, "scaled": None}
    run_cell(CELL, "<cell 3>", space)
    del linecache.cache["<cell 3>"]
    with pytest.raises(TypeError, match="`of_a_cell` is in no file that could be read: <cell 3>"):
        tegula.explain(space["of_a_cell"], *arrays(), grid=1, BLOCK=256)


@tegula.jit
def turn(x_ptr, y_ptr, SIDE: tl.constexpr):
    i = tl.arange(0, SIDE)
    tile = tl.load(x_ptr + i[:, None] * SIDE + i[None, :])
    row = tl.sum(tile, axis=0)
    tl.store(y_ptr + i[:, None] + i[None, :] * SIDE, tile + row[None, :])


def test_values_of_one_axis_and_of_two_have_their_names():
    x, y = arrays(256)
    values = tegula.explain(turn, x, y, grid=1, SIDE=16).json()["values"]
    named = {value["name"]: value["shape"] for value in values if value.get("name")}
    assert named["tile"] == [16, 16] and named["row"] == [16]
