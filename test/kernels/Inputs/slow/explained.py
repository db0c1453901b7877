"""Explains the kernels of a file, each run as its docstring says. The first finding is on the line marked `# slow`, of the kind that
stands behind it."""

import json
import re
import subprocess
import sys

from check import kernels, marked


def first_finding(file, name, options):
    """Line and kind."""
    words = ["tegula", "explain", file, "-k", name, "--json=-", *options]
    result = subprocess.run(words, capture_output=True, text=True)
    assert result.returncode == 0, f"{name}: {result.stderr}{result.stdout}"
    document = json.loads(result.stdout)
    if not document["findings"]:
        return None, "no finding"
    first = document["findings"][0]
    return document["places"][first["place"]][1], first["kind"]


def main():
    file, faults, count = sys.argv[1], [], 0
    for name, first, lines, options in kernels(open(file).read()):
        line, mark = marked(lines, first, "# slow, ")
        expected, found = (line, re.match(r"kind: (\w+)", mark)[1]), first_finding(file, name, options)
        count += 1
        if found != expected:
            faults.append(f"{name}: expected {expected}, found {found}")
    print("\n".join(faults) or f"{count} slow runs")
    return bool(faults)


if __name__ == "__main__":
    sys.exit(main())
