"""tools/bench/inductor/figures.py: INDUCTOR.md says what is recorded, and takes what inductor.py finds."""

import json
import pathlib
import shutil
import subprocess
import sys

import pytest

ROOT = pathlib.Path(__file__).resolve().parents[3]
FIGURES = ROOT / "tools" / "bench" / "inductor" / "figures.py"


@pytest.fixture
def figures(tmp_path):
    """Runs figures.py on copies of the record and the document: (status, what it says, the document)."""
    record = pathlib.Path(shutil.copy(FIGURES.with_name("figures.json"), tmp_path))
    document = pathlib.Path(shutil.copy(ROOT / "runtime" / "python" / "INDUCTOR.md", tmp_path))

    def run(*options):
        done = subprocess.run([sys.executable, "-B", FIGURES, "--record", record, "--document", document, *options], text=True,
                              capture_output=True)
        return done.returncode, done.stderr, document.read_text()

    run.record, run.document, run.folder = record, document, tmp_path
    return run


def found(figures, name, *rows):
    """A file as inductor.py writes it; each row is (model, cores, first steps by Tegula and Triton)."""
    path = figures.folder / name
    path.write_text(json.dumps([
        {"model": model, "compiler": compiler, "cores": cores, "first_step_s": first, "compile_s": first / 10,
         "step_ms": first / 100, "gpu_ms": first / 200}
        for model, cores, *both in rows for compiler, first in zip(("tegula", "triton"), both)]))
    return path


def test_the_document_says_what_is_recorded(figures):
    assert subprocess.run([sys.executable, "-B", FIGURES]).returncode == 0
    before = figures.document.read_text()
    assert figures("--write") == (0, "", before)


def test_other_figures_in_the_document_are_told_and_made_anew(figures):
    before = figures.document.read_text()
    figures.document.write_text(before.replace("| llama | 28.8, 44.0 |", "| llama | 18.8, 44.0 |"))
    code, said, _ = figures()
    assert code == 1 and "INDUCTOR.md has other figures than" in said
    assert figures("--write") == (0, "", before)


def test_a_document_without_the_lines_is_refused(figures):
    figures.document.write_text("nothing")
    code, said, document = figures("--write")
    assert code == 1 and said.startswith("error: ") and "around the figures that are to be replaced" in said and document == "nothing"


def test_steps_are_taken_from_a_run(figures):
    run = found(figures, "run.json", ("llama", 1, 10.0, 20.0), ("new", 1, 9.0, 10.0))
    code, _, document = figures("--take", "steps", run, "--write")
    assert code == 0
    assert "| llama | 10.0, 20.0 | 0.50 | 1.00, 2.00 | 0.50 | 0.100, 0.200 | 0.50 | 0.50 |\n" in document
    assert "| new | 9.0, 10.0 | 0.90 |" in document
    assert "| convolutional | 20.9, 34.8 | 0.60 |" in document  # of which the run has nothing
    assert figures()[0] == 0


def test_first_steps_of_several_runs_stand_in_a_row(figures):
    runs = [found(figures, "one.json", ("llama", 4, 10.0, 20.0)), found(figures, "two.json", ("llama", 4, 15.0, 20.0))]
    code, _, document = figures("--take", "cores", *runs, "--write")
    assert code == 0
    assert "| llama, two runs | 4 | 10.0, 15.0 | 20.0, 20.0 | 0.50, 0.75 |\n" in document
    assert "| llama | 16 | 26.2 | 29.1 | 0.90 |\n" in document


def test_sums_are_made_of_the_rows(figures):
    record = json.loads(figures.record.read_text())
    for row in record["steps"]:
        row["compile_s"], row["step_ms"] = [1.0, 4.0, 0.25], [1.0, 2.0, 0.5]
    figures.record.write_text(json.dumps(record))
    _, _, document = figures("--write")
    assert "takes 0.25 of Triton's time for the first two and 0.25 for the first six; later steps 0.500 in" in document


def test_a_run_that_failed_is_not_taken(figures):
    path = figures.folder / "bad.json"
    path.write_text(json.dumps([{"model": "llama", "compiler": "tegula", "cores": 1, "error": "it fell over"}]))
    code, said, _ = figures("--take", "steps", path, "--write")
    assert code == 1 and said == "error: llama by tegula failed: it fell over\n"
    code, said, _ = figures("--take", "errors", path)
    assert code == 2 and "expected one of steps, cores and a file for --take, found `errors " in said
