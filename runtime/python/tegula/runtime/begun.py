"""Kernels whose compilation is begun before `compile` is asked for them: whoever knows what will be asked for has other
threads do it meanwhile."""

from __future__ import annotations

import threading
import weakref
from collections.abc import Callable, Mapping
from concurrent.futures import Executor, Future
from typing import Any

_lock = threading.Lock()
#: What is under way of a function, by what is asked of it.
_begun: weakref.WeakKeyDictionary[Any, dict[str, Future[Any]]] = weakref.WeakKeyDictionary()


def _asked(src: Any, target: Any, options: Mapping[str, Any]) -> str:
    return repr((sorted(src.signature.items()), sorted(src.constants.items(), key=repr), sorted(src.attrs.items(), key=repr),
                 target, sorted(options.items())))


def begin(threads: Executor, compile: Callable[..., Any], src: Any, target: Any, options: Mapping[str, Any]) -> Future[Any]:
    """Has `threads` call `compile(src, target, options)`, whose result is the first taker's."""
    future = threads.submit(compile, src, target, options)
    with _lock:
        _begun.setdefault(src.fn, {})[_asked(src, target, options)] = future
    return future


def take(src: Any, target: Any, options: Mapping[str, Any]) -> Future[Any] | None:
    """What was begun for this, once: whoever compiles again wants another kernel."""
    if src.fn not in _begun:
        return None
    with _lock:
        return _begun.get(src.fn, {}).pop(_asked(src, target, options), None)
