"""Compiles the slow kernels of a file and their twins. The first finding (a missed remark, unless there is nothing to do)
is on the line marked `# slow`, and its cause, where a line is marked `# cause: TEXT`, on that line with that text; a twin
has none."""

import json
import re
import subprocess
import sys
import tempfile


def kernels(text):
    """Name, first line, lines and options of each kernel."""
    starts = [m for m in re.finditer(r"^def (\w+)\(", text, re.M)]
    for start, end in zip(starts, [m.start() for m in starts[1:]] + [len(text)]):
        body = text[start.start():end].split("@triton.jit")[0]
        options = re.search(r'"""(.*?)"""', body, re.S).group(1).split()
        yield start.group(1), text.count("\n", 0, start.start()) + 1, body.splitlines(), options


def findings(file, name, options):
    with tempfile.TemporaryDirectory() as folder:
        path = folder + "/report.json"
        words = ["tegula", "compile", file, "-k", name, "--report=" + path, "-o", folder + "/kernel.ptx", *options]
        result = subprocess.run(words, capture_output=True, text=True)
        assert result.returncode == 0, f"{name}: {result.stderr}{result.stdout}"
        report = json.load(open(path))
    return [r for r in report["remarks"] if r["kind"] == "missed" and not r.get("nothingToDo")]


def marked(lines, first, mark):
    for number, line in enumerate(lines, first):
        if mark in line:
            return number, line.split(mark)[1].strip()
    return None, ""


def fault_of(name, first, lines, found):
    """Returns the fault of the findings, or nothing."""
    if name.endswith("_twin"):
        return f"a finding: {found[0]['line']}: {found[0]['text']}" if found else None
    if not found:
        return "no finding"
    slow, _ = marked(lines, first, "# slow")
    if found[0]["line"] != slow:
        return f"expected the first finding on line {slow}, found {found[0]['line']}: {found[0]['text']}"
    if "fix" not in found[0]:
        return "the finding does not say what to change"
    cause, text = marked(lines, first, "# cause: ")
    causes = [(c.get("line"), c["text"]) for c in found[0].get("cause", [])]
    if cause and not any(line == cause and text in words for line, words in causes):
        return f"expected the cause on line {cause}: {text}; found {causes}"
    return None


def main():
    file = sys.argv[1]
    faults, count = [], 0
    for name, first, lines, options in kernels(open(file).read()):
        fault = fault_of(name, first, lines, findings(file, name, options))
        count += not name.endswith("_twin")
        if fault:
            faults.append(f"{name}: {fault}")
    print("\n".join(faults) or f"{count} slow kernels and their twins")
    return bool(faults)


if __name__ == "__main__":
    sys.exit(main())
