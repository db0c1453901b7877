"""Files that programs keep next to kernels: a folder for each key, in the folder of the cache; how files are written and
folders named there."""

from __future__ import annotations

import base64
import json
import os
import tempfile
from typing import Any

from .. import knobs


def _base32(key: str) -> str:
    """A hash in hexadecimal digits as letters and digits for file names, without padding."""
    return base64.b32encode(bytes.fromhex(key)).decode().rstrip("=")


def write_whole(path: str, content: bytes) -> None:
    """Writes aside and renames, so that a reader finds all or nothing. OSError where it cannot be written."""
    handle, part = tempfile.mkstemp(dir=os.path.dirname(path), suffix=".tmp")
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(content)
        os.replace(part, path)
    except BaseException:
        os.unlink(part)
        raise


class CacheManager:
    """Keeps files of one key, and groups of them."""

    def __init__(self, key: str):
        self.key = key

    def get_file(self, filename: str) -> str | None:
        raise NotImplementedError

    def put(self, data: Any, filename: str, binary: bool = True) -> str:
        raise NotImplementedError

    def get_group(self, filename: str) -> dict[str, str] | None:
        raise NotImplementedError

    def put_group(self, filename: str, group: dict[str, str]) -> str:
        raise NotImplementedError


class FileCacheManager(CacheManager):
    """Keeps them in `knobs.cache.dir`/KEY."""

    def __init__(self, key: str, override: bool = False, dump: bool = False):
        super().__init__(key)
        root = knobs.cache.dump_dir if dump else knobs.cache.override_dir if override else knobs.cache.dir
        if not root:
            raise RuntimeError("there is no folder to keep files in: set `knobs.cache.dir` or TRITON_CACHE_DIR")
        self.cache_dir = os.path.join(root, key)
        self.lock_path = os.path.join(self.cache_dir, "lock")

    def _make_path(self, filename: str) -> str:
        return os.path.join(self.cache_dir, filename)

    def has_file(self, filename: str) -> bool:
        return os.path.exists(self._make_path(filename))

    def get_file(self, filename: str) -> str | None:
        """The path of a file that is there, or None."""
        return self._make_path(filename) if self.has_file(filename) else None

    def put(self, data: Any, filename: str, binary: bool = True) -> str:
        """Writes bytes, or with `binary=False` text, and gives the path."""
        os.makedirs(self.cache_dir, exist_ok=True)
        path = self._make_path(filename)
        write_whole(path, data if isinstance(data, bytes) else str(data).encode())
        return path

    def get_group(self, filename: str) -> dict[str, str] | None:
        """The files of a group, by their names; None where it was never put, or is not whole any more."""
        path = self.get_file(_group_name(filename))
        if path is None:
            return None
        try:
            with open(path) as file:
                paths: dict[str, str] = json.load(file)["child_paths"]
            return paths if all(map(os.path.exists, paths.values())) else None
        except (OSError, ValueError, KeyError, TypeError, AttributeError):
            return None

    def put_group(self, filename: str, group: dict[str, str]) -> str:
        """Remembers the paths of files that belong together."""
        return self.put(json.dumps({"child_paths": group}), _group_name(filename), binary=False)


def _group_name(filename: str) -> str:
    return f"__grp__{filename}"


def get_cache_manager(key: str) -> CacheManager:
    """The files of a key in hexadecimal digits, kept by what `knobs.cache.manager_class` says."""
    manager: type = knobs.cache.manager_class or FileCacheManager
    return manager(_base32(key))


def get_dump_manager(key: str) -> CacheManager:
    """The same in `knobs.cache.dump_dir`."""
    manager: type = knobs.cache.manager_class or FileCacheManager
    return manager(_base32(key), dump=True)


def get_override_manager(key: str) -> CacheManager:
    """The same in `knobs.cache.override_dir`."""
    manager: type = knobs.cache.manager_class or FileCacheManager
    return manager(_base32(key), override=True)
