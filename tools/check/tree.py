"""The files of the tree: those that git tracks, and new ones that it does not ignore."""

import os
import subprocess


def names_of(*patterns):
    """Returns the paths of the files that match."""
    command = ["git", "ls-files", "-co", "--exclude-standard", *patterns]
    names = subprocess.run(command, capture_output=True, text=True, check=True).stdout.splitlines()
    return [name for name in names if os.path.exists(name)]


def text_of(name):
    """Returns the text of a file."""
    with open(name, encoding="utf-8", errors="replace") as file:
        return file.read()


def texts_of(*patterns):
    """Returns the texts of the files that match, by their paths."""
    return {name: text_of(name) for name in names_of(*patterns)}
