"""tools/bench/kernels: the tables and pictures of `tegula bench`, of results made up here; its catalogue; its options.

What it measures is tested by test/tools/bench*.test.
"""

import importlib
import json
import pathlib
import subprocess
import sys

import pytest

FOLDER = pathlib.Path(__file__).resolve().parents[2] / "tools" / "bench" / "kernels"


@pytest.fixture(scope="module")
def bench():
    """Imports a module of the folder. The names go again afterwards: other tests have modules of such names."""
    names = {path.stem for path in FOLDER.glob("*.py")}
    kept = {name: sys.modules.pop(name) for name in names & set(sys.modules)}
    sys.path.insert(0, str(FOLDER))
    try:
        yield importlib.import_module
    finally:
        sys.path.remove(str(FOLDER))
        for name in names & set(sys.modules):
            del sys.modules[name]
        sys.modules.update(kept)


def row(bench, name, unit, sides):
    """A gigabyte or 10^9 operations: 1000 GB/s or a TFLOPS in a millisecond."""
    case = bench("cases").Case(name, name, name, "bf16", (64, 32), work=1e9, unit=unit)
    return bench("results").Row(case, [bench("results").Side(side, bench("results").Times(*times), *more)
                                       for side, times, *more in sides])


@pytest.fixture
def results(bench):
    rows = [row(bench, "copying", "GB/s", [("Tegula", (1, 0.9, 1.1), None, "a=1, grid 2"), ("Triton", (2, 2, 2), 2.0, "b=1")]),
            row(bench, "copying", "GB/s", [("Tegula", (2, 2, 2)), ("Triton", (1, 1, 1), 0.5), ("torch", (4, 4, 4), 2.0)]),
            row(bench, "product", "TFLOPS", [("Tegula", (1, 1, 1))])]
    return bench("results").Results("a chip", ["Triton 3"], rows, left=["product bf16 1x1"])


def test_sides_that_a_row_lacks_are_dashes(bench, results):
    assert bench("tables").text_of(results) == (
        "a chip, Triton 3\n"
        "kernel   type  shape  Tegula GB/s  Triton GB/s  torch GB/s  to Triton  to torch\n"
        "copying  bf16  64×32         1000          500           -      2.000         -\n"
        "copying  bf16  64×32          500         1000         250      0.500     2.000\n"
        "kernel   type  shape  TFLOPS  at 0.2  at 0.8      ms  registers  spilled  shared  config\n"
        "product  bf16  64×32   1.000   1.000   1.000  1.0000          0        0       0\n"
        "copying to Triton: geometric mean 1.000, least 0.500 of 2\n"
        "copying to torch: geometric mean 2.000, least 2.000 of 1\n"
        "left out for time: product bf16 1x1\n")


def test_random_shapes_are_those_of_their_seed(bench):
    shapes = bench("random_shapes").random_shapes(60, 7)
    assert shapes == bench("random_shapes").random_shapes(100, 7)[:60]
    assert shapes != bench("random_shapes").random_shapes(60, 8)
    for number, shape in enumerate(shapes):
        assert all(16 <= side <= 16384 for side in shape)
        assert [side % (16, 16, 2)[number % 3] for side in shape] == [(0, 8, 1)[number % 3]] * 3
    assert min(map(min, shapes)) < 32 and max(map(max, shapes)) > 8192


def test_random_shapes_are_told_of_by_kind(bench):
    def product(shape, ratio):
        made = row(bench, "matmul", "TFLOPS", [("Tegula", (1, 1, 1), None, "a=1"), ("cuBLAS", (ratio, ratio, ratio), ratio)])
        made.case.shape = shape
        return made

    rows = [product((16, 32, 48), 1.0), product((24, 40, 8), 0.5), product((17, 33, 5), 2.0), product((17, 33, 7), 0.5)]
    results = bench("results").Results("a chip", [], rows, wrong_peers=["cuBLAS at matmul bf16 19x19x19"], seed=3)
    text = bench("tables").text_of(results)
    assert text[text.index("4 random"):] == (
        "4 random shapes of seed 3\n"
        "kernel  to      sides            shapes  geometric mean  worst tenth  least\n"
        "matmul  cuBLAS  all                   4           0.841        0.500  0.500\n"
        "matmul  cuBLAS  multiples of 16       1           1.000        1.000  1.000\n"
        "matmul  cuBLAS  multiples of 8        1           0.500        0.500  0.500\n"
        "matmul  cuBLAS  odd                   2           1.000        0.500  0.500\n"
        "kernel  to      shape     ratio  config\n"
        "matmul  cuBLAS  17×33×7   0.500     a=1\n"
        "matmul  cuBLAS  24×40×8   0.500     a=1\n"
        "matmul  cuBLAS  16×32×48  1.000     a=1\n"
        "matmul  cuBLAS  17×33×5   2.000     a=1\n"
        "wrong results, not compared with: cuBLAS at matmul bf16 19x19x19\n")
    assert list(bench("tables").markdown_of(results)) == ["random"]
    assert json.loads(bench("tables").json_of(results))["seed"] == 3


def test_markdown_has_a_section_for_each_unit(bench, results):
    sections = bench("tables").markdown_of(results)
    assert list(sections) == ["memory", "products"]
    assert "| copying | bf16 | 64×32 | 1000 | 500 | - | 2.000 | - |\n" in sections["memory"]


def test_sections_are_replaced_between_their_lines(bench):
    texts = bench("texts")
    document = "a\n<!-- tegula bench x -->\nold\n<!-- end of tegula bench x -->\nb\n"
    changed = texts.with_sections(document, {"x": "new\n"})
    assert changed == "a\n<!-- tegula bench x -->\n\nnew\n\n<!-- end of tegula bench x -->\nb\n"
    assert texts.with_sections(changed, {"x": "new\n"}) == changed
    assert texts.section("x", "new\n") in changed
    for wrong, name in ((document, "y"), ("<!-- tegula bench x -->\n", "x")):
        with pytest.raises(bench("cases").UsageError, match="around the table that is to be replaced"):
            texts.with_sections(wrong, {name: "new\n"})


def test_csv_quotes_cells_with_commas_and_numbers_sides(bench, results):
    assert bench("texts").Table(["a", "b"], [["1, 2", 'say "x", twice']]).csv() == 'a,b\n"1, 2","say ""x"", twice"\n'
    lines = bench("tables").csv_of(results).splitlines()
    assert lines[1] == 'a chip,copying,bf16,64x32,Tegula,GB/s,1000,1111.111111111111,909.090909090909,1,,0,0,0,"a=1, grid 2"'
    assert lines[2] == "a chip,copying,bf16,64x32,Triton,GB/s,500,500,500,2,2,,,,b=1"


def test_json_reads_back(bench, results):
    found = json.loads(bench("tables").json_of(results))
    assert (found["device"], found["versions"], found["left_out"]) == ("a chip", ["Triton 3"], ["product bf16 1x1"])
    assert found["rows"][1]["sides"][1] == {"side": "Triton", "rate": 1000, "rate_at_0.2": 1000, "rate_at_0.8": 1000, "ms": 1,
                                            "ratio": 0.5}
    assert found["rows"][2]["unit"] == "TFLOPS" and found["rows"][2]["shape"] == [64, 32]


def test_errors_beyond_the_margins_are_told(bench):
    of = bench("results")
    good = of.ErrorRow("matmul", "fp16", 15, 1e-6, 2e-6, 0.5, "1x1x1", 1.25, "2x2x2", True)
    bad = of.ErrorRow("matmul", "bf16", 15, 4e-6, 2e-6, 2.0, "3x3x3", 1.0, "4x4x4", False)
    found = of.ErrorResults("a chip", [], [good, bad], ["matmul fp32 1x1x1"], "some margin")
    text = bench("tables").error_text_of(found)
    assert "\nmatmul  bf16      15       4e-06      2e-06                 2.000  3x3x3                   1.000  4x4x4  beyond\n" in text
    assert text.endswith("1 of 2 beyond some margin\nfailed: matmul fp32 1x1x1\n")
    assert not found.is_good and of.ErrorResults(rows=[good]).is_good
    assert [row["good"] for row in json.loads(bench("tables").error_json_of(found))["rows"]] == [True, False]
    assert "| 15 | 4e-06 | 2e-06 | 2.000 | 3x3x3 | 1.000 | 4x4x4 | beyond |\n" in bench("tables").error_markdown_of(found)["errors"]
    assert bench("tables").error_csv_of(found).splitlines()[0].startswith("kernel,type,shapes,mean,pytorch_mean,")


def test_pictures_have_a_bar_for_each_side(bench, results):
    plot = bench("plot")
    svg = plot.svg_of("a < b", plot.panels_of(results))
    assert "a &lt; b" in svg
    assert svg.count('height="12.0" fill') == 6 + 3  # and the squares of the legend
    assert ">1000<" in svg  # the scale ends at the greatest rate, or beyond
    assert "nan" not in plot.svg_of("nothing", [])


def test_a_sweep_names_the_best_of_all_shapes(bench):
    Trial, Times, Config = bench("results").Trial, bench("results").Times, bench("cases").Config
    rows = []
    for factor in (1, 2):
        made = row(bench, "product", "TFLOPS", [])
        made.trials = [Trial(Config({}), Times(2 * factor, 0, 0)), Trial(Config({}, 8), Times(1 * factor, 0, 0)),
                       Trial(Config({}, 16), skipped="it does not fit")]
        rows.append(made)
    text = bench("sweep_text").sweep_text(bench("results").Results(rows=rows))
    assert ("product bf16 64x32: 3 configs, 1 skipped\n"
            "  1.0 TFLOPS, 0 registers, 0 bytes spilled, 0 shared: num_warps=8 num_stages=3\n"
            "  0.5 TFLOPS") in text
    assert "product, over 2 shapes:\n  1.000 of each shape's best: num_warps=8 num_stages=3\n  0.500" in text


def test_every_entry_makes_cases_of_all_its_types(bench):
    """Of its own shapes, of the emulator's and of a size."""
    cases = bench("cases")
    ways = [cases.Config({"BLOCK_M": 128, "BLOCK_N": 64, "BLOCK_K": 32})]
    for is_small in (False, True):
        setting = cases.Setting(lambda file, kernel: ways, 132, is_small)
        for entry in bench("catalogue").CATALOGUE:
            for dtype in (*entry.dtypes, *entry.other_dtypes):
                for shape in (*entry.default_shapes(dtype), entry.small, entry.of_size(64, is_small)):
                    case = entry.case(dtype, shape, setting)
                    assert case.work > 0 and case.output in case.arguments
                    assert case.configs and (len(case.configs) == 1 or not is_small)
                    assert case.expected or case.library
                    assert all(1 <= side < 1 << 31 for config in case.configs for side in config.grid)


def test_a_sweep_leaves_out_what_cannot_be_good(bench):
    """Fewer than 16 sums a thread, or more than 200."""
    cases = bench("cases")
    entry, = (entry for entry in bench("catalogue").CATALOGUE if entry.name == "matmul")
    setting = cases.Setting(lambda file, kernel: [], 132, is_sweep=True, swept={"num_stages": [2]})
    configs = entry.case("bf16", (256, 256, 256), setting).configs
    sums = {config.values["BLOCK_M"] * config.values["BLOCK_N"] // (32 * config.warps) for config in configs}
    assert len(configs) > 20 and min(sums) >= 16 and max(sums) <= 200
    assert {config.stages for config in configs} == {2} and {config.values["GROUP_M"] for config in configs} == {8}


def test_errors_are_measured_on_shapes_that_no_block_divides(bench):
    found = bench("error_cases").chosen_cases(["matmul", "attention", "small_batched_matmul", "perceptron"], ["bf16", "fp32"])
    assert {case.dtype for case in found} == {"bf16", "fp32"}
    matmuls = [case for case in found if case.name == "matmul"]
    assert {case.precision for case in matmuls} == {"", "tf32", "tf32x3", "ieee"} and len(matmuls) == 4 * 15
    assert all(case.configs[0].values["PRECISION"] == case.precision for case in matmuls if case.precision)
    assert all(len(case.configs) == 1 for case in found)
    assert sum(case.shape[0] % 64 != 0 and case.shape[1] % 64 != 0 for case in matmuls) >= 4 * 12
    assert found == bench("error_cases").chosen_cases(["matmul", "attention", "small_batched_matmul", "perceptron"], ["bf16", "fp32"])


CHECK = """
import sys
from types import SimpleNamespace

import bench
from cases import Case, Config
from results import Resources, Results, Row, Side, Times

case = Case("softmax", "softmax", "softmax_kernel", "fp32", (4, 256), {}, configs=[Config({})])
sides = [Side("Tegula", Times(2, 2, 2), config="another"), Side("Triton", Times(1, 1, 1), 0.5)]
results = Results("a chip", rows=[Row(case, sides, Resources(255, 16))], failed=["gelu fp32 1"], left=["gelu fp32 2"])
for ratio in (None, 0.0, 0.9):
    bench.note(str(bench.check(SimpleNamespace(least_ratio=ratio, command=""), None, results)))
"""


def test_a_check_tells_what_is_wrong():
    done = subprocess.run([sys.executable, "-B", "-c", CHECK], cwd=FOLDER, text=True, capture_output=True, check=True)
    spills = "error: softmax fp32 4x256 spills 16 bytes"
    unmeasured = ["error: gelu fp32 1 was not measured", "error: gelu fp32 2 was not measured"]
    below = "error: softmax fp32 4x256 has 0.500 of Triton, expected at least 0.9"
    assert done.stderr.splitlines() == ["False", spills, *unmeasured, "False", spills, below, *unmeasured, "False"]
    assert not done.stdout


def test_triton_that_imports_parts_of_its_own_late_keeps_them(bench, tmp_path, monkeypatch):
    """Kernels of a second copy of its parts were of other classes: so nothing was measured."""
    package = tmp_path / "triton"
    package.mkdir()
    (package / "__init__.py").write_text("from . import language, runtime\n\n"
                                         "def jit(function):\n    from .runtime import Made\n    return Made(function)\n")
    (package / "language.py").write_text("")
    (package / "runtime.py").write_text("class Made:\n    def __init__(self, function):\n        self.function = function\n")
    (tmp_path / "one.py").write_text("import triton\nimport triton.language as tl\n\n"
                                     "@triton.jit\ndef one(x):\n    pass\n")
    for name in [name for name in sys.modules if name.partition(".")[0] == "triton"]:
        monkeypatch.delitem(sys.modules, name)
    monkeypatch.syspath_prepend(str(tmp_path))
    triton = importlib.import_module("triton")
    files = bench("launching").KernelFiles(str(tmp_path))
    tegula = bench("launching").tegula
    assert isinstance(files.module("one").one, tegula.JITFunction) and sys.modules["triton"] is triton
    assert type(files.module("one", triton).one) is triton.runtime.Made
    assert sys.modules["triton.runtime"] is triton.runtime
    for name in ("triton", "triton.language", "triton.runtime"):
        del sys.modules[name]
