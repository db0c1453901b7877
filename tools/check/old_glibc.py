#!/usr/bin/env python3
"""Copies the libraries and the Python of a sysroot, so that its glibc has the versions up to 2.28 alone.

    old_glibc.py SYSROOT FOLDER

In the copy each newer version has another name, where glibc defines it as where Debian's own files ask for it. These still
load; the loader refuses a file from elsewhere that asks for a symbol of a newer version, as a system with glibc 2.28 would.
"""

import os
import re
import shutil
import struct
import sys

#: What is copied of a sysroot; archives and headers are not.
FOLDERS = ["usr/bin", "usr/lib"]
SKIPPED = re.compile(r".*\.(a|o|h|deb)$|llvm-22$|gcc$|cmake$|pkgconfig$|gconv$|__pycache__$")
#: The section types of versions, and where an entry of each has its name and hash.
DEFINED, NEEDED = 0x6FFFFFFD, 0x6FFFFFFE
NEWEST = 28


def hash_of(name):
    """Returns the hash that ELF has next to the name of a version."""
    value = 0
    for byte in name:
        value = (value << 4) + byte
        value = (value ^ (value & 0xF0000000) >> 24) & 0x0FFFFFFF
    return value


def is_new(name):
    found = re.fullmatch(rb"GLIBC_2\.(\d+)(\.\d+)?", name)
    return found is not None and int(found[1]) > NEWEST


class Versions:
    """The versions in the bytes of an ELF file of 64 bits: `rename` changes those that are new."""

    def __init__(self, data):
        self.data = data
        self.renamed = 0

    def at(self, form, offset):
        return struct.unpack_from("<" + form, self.data, offset)

    def sections(self):
        """Yields (type, offset, size, link) of each section."""
        (table,) = self.at("Q", 0x28)
        entry, count = self.at("HH", 0x3A)
        for i in range(count):
            kind, _, _, offset, size, link = self.at("IQQQQI", table + i * entry + 4)
            yield kind, offset, size, link

    def change(self, strings, where, hash_at):
        """Renames the version whose name is at `where` in the strings."""
        begin = strings + where
        name = bytes(self.data[begin:self.data.index(0, begin)])
        if name.startswith(b"GLIBX"):  # another entry has the same string
            struct.pack_into("<I", self.data, hash_at, hash_of(name))
        elif is_new(name):
            name = name.replace(b"GLIBC", b"GLIBX")
            self.data[begin:begin + len(name)] = name
            struct.pack_into("<I", self.data, hash_at, hash_of(name))
            self.renamed += 1

    def rename(self):
        sections = list(self.sections())
        for kind, offset, _, link in sections:
            if kind not in (DEFINED, NEEDED):
                continue
            strings = sections[link][1]
            while True:
                if kind == DEFINED:
                    hash_at = offset + 8
                    first, following = self.at("II", offset + 12)
                    self.change(strings, self.at("I", offset + first)[0], hash_at)
                else:
                    (count,) = self.at("H", offset + 2)
                    part, following = self.at("II", offset + 8)
                    for _ in range(count):
                        where, after = self.at("II", offset + part + 8)
                        self.change(strings, where, offset + part)
                        part += after
                if not following:
                    break
                offset += following
        return self.renamed


def copy(sysroot, folder):
    """Returns how many files were changed."""
    changed = []
    for part in FOLDERS:
        shutil.copytree(os.path.join(sysroot, part), os.path.join(folder, part), symlinks=True,
                        ignore=lambda _, names: [name for name in names if SKIPPED.fullmatch(name)],
                        copy_function=lambda source, target: changed.append(copy_file(source, target)))
    for name in ("lib", "bin"):
        os.symlink(f"usr/{name}", os.path.join(folder, name))
    return sum(changed)


def copy_file(source, target):
    with open(source, "rb") as file:
        data = bytearray(file.read())
    changed = data[:5] == b"\x7fELF\x02" and Versions(data).rename() > 0
    with open(target, "wb") as file:
        file.write(data)
    shutil.copymode(source, target)
    return changed


if __name__ == "__main__":
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    print(f"old glibc: {copy(sys.argv[1], sys.argv[2])} files changed")
