"""Choices of tuners, kept on disk for later processes: a small JSON file for each question."""

from __future__ import annotations

import hashlib
import json
import os
from typing import Any, Sequence

from ... import knobs
from ..cache import folder_in_use, triton_key
from ..driver import driver
from ..file_cache import write_whole
from .config import Config


def question(source_key: str, configs: Sequence[Config], key: Sequence[Any]) -> str:
    """A name for what is decided: the kernel's source, the configs, the values of the key, the device, the version and
    what kernels do without."""
    device = (driver.active.get_current_target(), sorted(driver.active.get_device_properties().items()))
    asked = repr((triton_key(), source_key, [str(config) for config in configs], key, device, knobs.compilation.without,
                  knobs.language.fp32_default))
    return hashlib.sha256(asked.encode()).hexdigest()


def _paths(name: str) -> list[str]:
    """Returns the files that keep a choice: in this machine's folder, and in the one that machines share. Nowhere without the first."""
    folder, shared = folder_in_use(), os.environ.get("TEGULA_SHARED_CACHE_DIR", "")
    return [os.path.join(each, "tuning", name + ".json") for each in (folder, shared if folder else "") if each]


def load(name: str, configs: Sequence[Config]) -> dict[Config, list[float]] | None:
    """The times of configs that were found before, or None: whatever is wrong with a file, it was never there."""
    return next(filter(None, (_read(path, configs) for path in _paths(name))), None)


def _read(path: str, configs: Sequence[Config]) -> dict[Config, list[float]] | None:
    try:
        with open(path) as file:
            rows = json.load(file)["times"]
        by_text = {str(config): config for config in configs}
        times = {by_text[text]: [float(time) for time in row] for text, row in rows}
    except (OSError, ValueError, KeyError, TypeError):
        return None
    return times or None


def save(name: str, times: dict[Config, list[float]]) -> None:
    """A folder that cannot be written costs nothing but the next process's time."""
    rows = [[str(config), row] for config, row in times.items()]
    for path in _paths(name):
        try:
            os.makedirs(os.path.dirname(path), mode=0o700, exist_ok=True)
            write_whole(path, json.dumps({"times": rows}).encode())
        except OSError:
            continue
