"""The commands of the wheel: `tegula`, `tegula-lsp` and `python -m tegula` are one executable under two names."""

import importlib.metadata
import os
import shutil
import subprocess
import sys

import pytest
import tegula
import tegula.command

VERSION = f"tegula {tegula.version()}\n"


def output_of(*words, **options):
    return subprocess.run(words, capture_output=True, text=True, timeout=60, check=True, **options).stdout


def test_python_m_tegula_is_the_command():
    assert output_of(sys.executable, "-m", "tegula", "--version") == VERSION


@pytest.mark.parametrize("name", ["tegula", "tegula-lsp"])
def test_the_wheel_brings_the_commands(name):
    program = os.path.join(os.path.dirname(sys.executable), name)
    if not os.path.exists(program):
        pytest.skip("the package is not installed")
    assert shutil.which(program)
    if name == "tegula":
        assert output_of(program, "--version") == VERSION
    else:
        # The server ends with its input.
        assert subprocess.run([program], stdin=subprocess.DEVNULL, capture_output=True, timeout=60).returncode in (0, 1)


def test_a_package_without_the_executable_says_so(monkeypatch, capsys):
    monkeypatch.setattr(tegula.command, "_HERE", "/nowhere/tegula")
    assert tegula.command.main() == 1
    assert capsys.readouterr().err == "error: the package in /nowhere/tegula has no executable `tegula`\n"


def test_the_wheel_says_its_licence():
    try:
        installed = importlib.metadata.distribution("tegula")
    except importlib.metadata.PackageNotFoundError:
        pytest.skip("the package is not installed")
    assert installed.version == tegula.version()
    assert installed.metadata["License"] == "Apache-2.0 WITH LLVM-exception"
    assert installed.metadata["Description-Content-Type"] == "text/markdown"
    texts = {os.path.basename(str(file)): file.read_text() for file in installed.files or [] if "licenses" in str(file)}
    assert "Apache License" in texts["LICENSE"] and "Zstandard" in texts["NOTICE"]


def test_the_wheel_holds_a_readme_and_the_language():
    try:
        installed = importlib.metadata.distribution("tegula")
    except importlib.metadata.PackageNotFoundError:
        pytest.skip("the package is not installed")
    texts = {file.name: file.read_text() for file in installed.files or [] if file.parent.name == "doc"}
    assert sorted(texts) == ["CHANGELOG.md", "LANGUAGE.md", "README.md"]
    assert texts["README.md"].startswith("# Tegula") and "| program_id | works |" in texts["LANGUAGE.md"]
