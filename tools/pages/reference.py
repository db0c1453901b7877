"""Makes the reference of ops and passes of their definitions, by MLIR's own generator."""

import re
import subprocess

from pages.rewrite import fit_lists

PREFIX = "/usr/lib/llvm-22"


def page(root, page):
    """Returns the Markdown of a page of definitions."""
    if "/Passes.td" in page.source:
        kind, head = ["-gen-pass-doc"], f"# {page.title}\n\nIn the order in which they run; made of `{page.source}`.\n\n"
    else:
        dialect = page.source.split("/")[1]
        kind, head = ["-gen-dialect-doc", f"-dialect={dialect}"], f"# {page.title}\n\nMade of the definitions in `dialect/{dialect}`.\n\n"
    command = [f"{PREFIX}/bin/mlir-tblgen", *kind, f"-I{root}", f"-I{PREFIX}/include", str(root / page.source)]
    text = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    if "/Passes.td" in page.source and root.joinpath(page.source).exists():
        text = in_order(text, (root / page.source).read_text(encoding="utf-8"))
    text = re.sub(r"^<!--.*?-->\n", "", text, flags=re.S)
    text = re.sub(r"^\[TOC\]\n|^# '(\w+)' Dialect\n", "", text, flags=re.M)
    text = re.sub(r"^<details><summary>(.*?)</summary>|^</details>", "", text, flags=re.M)
    return head + fit_lists(text)


def in_order(text, definitions):
    """Returns the passes in the order of their definitions, not that of the alphabet."""
    order = re.findall(r': Pass<"([\w-]+)"', definitions)
    parts = re.split(r"^(?=### `-)", text, flags=re.M)
    names = {re.match(r"### `-([\w-]+)`", part)[1]: part for part in parts[1:]}
    return parts[0] + "\n".join(names[name].rstrip() + "\n" for name in order)
