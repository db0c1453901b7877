"""Turns a Markdown file of the tree, which is written for GitHub, into a page of the site."""

import os
import pathlib
import re

from pages.navigation import slug

FENCE = re.compile(r"^( *)(```+)(.*)$")
ITEM = re.compile(r"^( *)([-*]|\d+\.) +")
HEADING = re.compile(r"^(#+) +(.*)$")
# Finds links, but not in code; a code span may name a page by itself.
INLINE = re.compile(r"(?P<link>!?\[(?:[^\[\]`]|`[^`]*`)*\]\([^()\s]+\))|(?P<code>(?P<ticks>`+).+?(?<!`)(?P=ticks)(?!`))", re.S)


def fit_lists(text):
    """Indents what belongs to items of lists by fours, and puts blank lines before lists, tables and fences: GitHub
    needs neither."""
    lines, items, fence, shift = [], [], None, 0
    for line in text.splitlines():
        mark = FENCE.match(line)
        if fence:
            lines.append(" " * max(0, len(line) - len(line.lstrip()) + shift) + line.lstrip() if line.strip() else "")
            if mark and mark[2] == fence and not mark[3].strip():
                fence = None
                lines.append("")
            continue
        if not line.strip():
            lines.append("")
            continue
        indent, item = len(line) - len(line.lstrip()), ITEM.match(line)
        follows_blank = not lines or not lines[-1]
        if item or follows_blank or mark:
            while items and indent < items[-1]:
                items.pop()
        before = lines[-1].lstrip() if lines else ""
        opens = item and not items and not follows_blank and not ITEM.match(before)
        if (opens or mark or line.lstrip()[0] == "|" and not before.startswith("|")) and not follows_blank:
            lines.append("")
        lines.append(" " * (4 * len(items) + (0 if items else indent)) + line.lstrip())
        if item:
            items.append(item.end())
        if mark:
            fence, shift = mark[2], 4 * len(items) - indent if items else 0
    return "\n".join(lines) + "\n"


def sections_of(text):
    """Yields (anchor, level, first line, line after the last) of each heading of a file."""
    lines, fenced, found = text.splitlines(), False, []
    for number, line in enumerate(lines):
        fenced ^= bool(FENCE.match(line))
        if not fenced and (heading := HEADING.match(line)):
            found.append((slug(heading[2]), len(heading[1]), number))
    for index, (anchor, level, first) in enumerate(found):
        last = next((start for _, other, start in found[index + 1:] if other <= level), len(lines))
        yield anchor, level, first, last


class Rewriter:
    """Rewrites the pages of one site; `faults` is what it found wrong in them."""

    def __init__(self, root, pages):
        self.root = root
        self.faults = []
        self.places = {page.source: page.place for page in pages if not page.heading and not page.definition}
        self.parts = {(page.source, page.heading): page for page in pages if page.heading}

    def rewrite(self, page):
        """Returns the Markdown of a page."""
        text = (self.root / page.source).read_text(encoding="utf-8")
        text = self._part(page, text) if page.heading else self._without_parts(page, text)
        text = re.sub(r"^( *```\w+) .*$", r"\1", text, flags=re.M)  # a block's file name is for those who run it
        text = re.sub(r"^<!--.*?-->\n+", "", text, flags=re.M | re.S)
        return fit_lists(self._links(page, text))

    def _part(self, page, text):
        """Returns the section that a page shows, as a page of its own."""
        for anchor, level, first, last in sections_of(text):
            if anchor == page.heading:
                lines = [re.sub(r"^#+(?= )", lambda mark: "#" * (len(mark[0]) - level + 1), line)
                         for line in text.splitlines()[first:last]]
                return "\n".join(lines) + f"\n\nThe page of the folder is `{page.source}`.\n"
        self.faults.append(f"{page.source}: has no heading for #{page.heading}")
        return ""

    def _without_parts(self, page, text):
        """Returns a file without the sections that have pages of their own, which are linked to."""
        lines = text.splitlines()
        for anchor, level, first, last in reversed(list(sections_of(text))):
            if part := self.parts.get((page.source, anchor)):
                lines[first + 1:last] = ["", f"[{part.title}]({pathlib.PurePosixPath(part.place).name}) has a page of its own.", ""]
        return "\n".join(lines) + "\n"

    def _links(self, page, text):
        """Rewrites links and names of pages outside of fences and headings."""
        parts, fence, block = [], None, []

        def flush():
            if block:
                parts.append(INLINE.sub(lambda match: self._inline(page, match), "\n".join(block)))
            block.clear()

        for line in text.splitlines():
            mark = FENCE.match(line)
            if mark or fence or HEADING.match(line) or not line.strip():
                flush()
                parts.append(line)
                if mark:
                    fence = None if fence else mark[2]
            else:
                block.append(line)
        flush()
        return "\n".join(parts) + "\n"

    def _inline(self, page, match):
        if match["code"]:
            return self._named_page(page, match["code"])
        text, target = re.fullmatch(r"!?\[(.*)\]\((.*)\)", match["link"], re.S).groups()
        if re.match(r"\w+:", target) or target.startswith("#"):
            return match["link"]
        path, _, anchor = target.partition("#")
        file = os.path.normpath(os.path.join(os.path.dirname(page.source), path))
        if file in self.places:
            return f"[{text}]({self._from(page, self._place(file, anchor))})"
        if (self.root / file).exists():
            return text if f"`{file}`" in text else f"{text} (`{file}`)"
        if os.path.dirname(page.source) == os.path.dirname(path) or "/" not in path:
            if any(pathlib.PurePosixPath(part.place).name == path for part in self.parts.values()):
                return match["link"]
        self.faults.append(f"{page.source}: a link leads to {target}, which is no file")
        return match["link"]

    def _place(self, file, anchor):
        if part := self.parts.get((file, anchor)):
            return part.place
        return self.places[file] + (f"#{anchor}" if anchor else "")

    def _named_page(self, page, code):
        """Makes a link of a code span that names a page by its path."""
        name = code.strip("`")
        if not re.fullmatch(r"[\w./-]+", name) or "/" not in name and not name.endswith(".md"):
            return code
        for base in ("", os.path.dirname(page.source)):
            file = os.path.normpath(os.path.join(base, name))
            for known in (file, os.path.join(file, "README.md")):
                if known in self.places and self.places[known] != page.place:
                    return f"[{code}]({self._from(page, self.places[known])})"
        return code

    @staticmethod
    def _from(page, place):
        return os.path.relpath(place, os.path.dirname(page.place) or ".")
