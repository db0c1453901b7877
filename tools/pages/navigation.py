"""Says which pages the site has, where each stands in the tree, and in which order they come."""

import dataclasses
import pathlib
import re
import subprocess

# Folders whose README.md is a page of that name.
FOLDERS = """
    dialect dialect/layout dialect/tile dialect/tgpu dialect/image
    compiler compiler/frontend compiler/analysis compiler/plan compiler/cost compiler/simplify compiler/distribute
    compiler/schedule compiler/lower compiler/lower/math/coefficients compiler/emit compiler/insight compiler/interp
    compiler/guess compiler/debug compiler/target
    runtime runtime/host runtime/device runtime/bundle runtime/emulator runtime/cache runtime/jit runtime/api
    runtime/python
    tools tools/bench tools/insight tools/insight/page tools/distributed
    test test/kernels test/random
""".split()

# Sections with their pages: a title, and a file of the tree; `FILE#HEADING` is one section of a file as a page of its own,
# `FILE.td` the reference that MLIR makes of a file of definitions.
SECTIONS = [
    ("", [("Tegula", "README.md")]),
    ("Begin", [
        ("Start here", "runtime/python/START.md"),
        ("Coming from Triton", "runtime/python/COMING_FROM_TRITON.md"),
        ("torch.compile", "runtime/python/INDUCTOR.md"),
        ("Several GPUs", "runtime/python/DISTRIBUTED.md"),
        ("C++ and C", "runtime/api/CPP_AND_C.md"),
        ("Kernels ahead of time", "runtime/bundle/AHEAD_OF_TIME.md"),
        ("The command tegula", "tools/tegula/README.md"),
        ("Kernels in an editor", "tools/tegula/EDITORS.md"),
        ("Visual Studio Code", "tools/vscode/README.md"),
    ]),
    ("Use", [
        ("See why it is slow", "tools/tegula/EXPLAIN.md"),
        ("Performance guide", "compiler/PERFORMANCE.md"),
        ("Debugging", "tools/tegula/DEBUGGING.md"),
        ("Troubleshooting by message", "compiler/TROUBLESHOOTING.md"),
        ("Emulator and interpreter", "runtime/emulator/CHECKING.md"),
        ("Environment variables and knobs", "runtime/VARIABLES.md"),
    ]),
    ("Look up", [
        ("The language, name by name", "compiler/frontend/LANGUAGE.md"),
        ("Accuracy of libdevice", "compiler/frontend/LIBDEVICE.md"),
        ("Kernels and measurements", "kernels/README.md"),
        ("Programs that others wrote", "runtime/python/STRANGERS.md"),
        ("Changes", "CHANGELOG.md"),
    ]),
    ("Change it", [
        ("Architecture tour", "compiler/ARCHITECTURE.md"),
        ("Contributing", "CONTRIBUTING.md"),
        ("A new builtin", "compiler/frontend/README.md#to-add-a-builtin"),
        ("A new op", "dialect/README.md#to-add-an-op"),
        ("A new pass", "compiler/README.md#to-add-a-pass"),
        ("A new target", "compiler/target/README.md#to-add-a-target"),
    ]),
    ("Folder by folder", [(folder, f"{folder}/README.md") for folder in FOLDERS]),
    ("Ops and passes", [
        ("Dialect tile", "dialect/tile/TileOps.td"),
        ("Dialect tgpu", "dialect/tgpu/TgpuDialect.td"),
        ("Passes of simplify", "compiler/simplify/Passes.td"),
        ("Passes of distribute", "compiler/distribute/Passes.td"),
        ("Passes of schedule", "compiler/schedule/Passes.td"),
        ("Passes of lower", "compiler/lower/Passes.td"),
        ("Passes of emit", "compiler/emit/Passes.td"),
    ]),
]


@dataclasses.dataclass(frozen=True)
class Page:
    """One page of the site."""

    section: str
    title: str
    source: str  #: path of its file from the root
    heading: str  #: the anchor of the only section that it shows; empty for all of the file
    place: str  #: path of its Markdown from the site's own root

    @property
    def definition(self):
        """True of a page that MLIR makes of a file of definitions."""
        return self.source.endswith(".td")


def slug(heading):
    """Returns the anchor of a heading, as GitHub and Python-Markdown both make it."""
    text = re.sub(r"[^\w\s-]", "", heading).strip().lower()
    return re.sub(r"[\s-]+", "-", text)


def _page(section, title, source):
    path, _, heading = source.partition("#")
    place = pathlib.PurePosixPath(path)
    if heading:
        place = place.parent / f"{heading}.md"
    elif place.suffix == ".td":
        place = place.with_suffix(".md")
    return Page(section, title, path, heading, str(place))


def pages(root):
    """Returns the pages in their order. Fails on one without a file."""
    found = [_page(section, *entry) for section, entries in SECTIONS for entry in entries]
    for page in found:
        if not (root / page.source).is_file():
            raise SystemExit(f"tools/pages/navigation.py: there is no file {page.source}")
    return found


def forgotten(root, pages):
    """Returns a fault for each Markdown file of the tree that is no page."""
    command = ["git", "ls-files", "-co", "--exclude-standard", "*.md"]
    names = subprocess.run(command, cwd=root, capture_output=True, text=True, check=True).stdout.split()
    known = {page.source for page in pages}
    return [f"{name}: has no place in tools/pages/navigation.py" for name in names if name not in known]


def as_yaml(pages):
    """Returns the navigation as MkDocs takes it."""
    lines, section = [], ""
    for page in pages:
        if page.section != section:
            section = page.section
            lines.append(f"  - {section}:")
        indent = "      " if section else "  "
        lines.append(f"{indent}- \"{page.title}\": {page.place}")
    return "\n".join(lines)
