"""Kernels whose compilation is begun before `compile` is called for them: a caller that knows the calls to come has other
threads work on them meanwhile."""

from __future__ import annotations

import hashlib
import threading
import weakref
from collections.abc import Callable, Mapping
from concurrent.futures import Executor, Future
from typing import Any

_lock = threading.Lock()
#: Pending compilations of a function, by their requests.
_pending: weakref.WeakKeyDictionary[Any, dict[str, Future[Any]]] = weakref.WeakKeyDictionary()
#: Functions with pending compilations, by `_text_of`: files with the same text define the same kernels,
#: and Inductor loads the one that it tries and the one that it compiles ahead from two files.
_by_text: weakref.WeakValueDictionary[str, Any] = weakref.WeakValueDictionary()


def _text_of(fn: Any) -> str | None:
    """A digest of a module's text and a function's place in it; None for one that another function makes, or without a file."""
    code = getattr(getattr(fn, "fn", None), "__code__", None)
    if "<locals>" in fn.__qualname__:
        return None
    try:
        with open(code.co_filename, "rb") as file:  # type: ignore[union-attr]
            text = file.read()
    except (AttributeError, OSError):
        return None
    return f"{hashlib.sha256(text).hexdigest()} {fn.__name__} {code.co_firstlineno}"  # type: ignore[union-attr]


def _request_key(src: Any, target: Any, options: Mapping[str, Any]) -> str:
    return repr((sorted(src.signature.items()), sorted(src.constants.items(), key=repr), sorted(src.attrs.items(), key=repr),
                 target, sorted(options.items())))


def begin(threads: Executor, compile: Callable[..., Any], src: Any, target: Any, options: Mapping[str, Any]) -> Future[Any]:
    """Has `threads` call `compile(src, target, options)`, whose result is the first taker's."""
    future, text = threads.submit(compile, src, target, options), _text_of(src.fn)
    with _lock:
        _pending.setdefault(src.fn, {})[_request_key(src, target, options)] = future
        if text is not None:
            _by_text[text] = src.fn
    return future


def take(src: Any, target: Any, options: Mapping[str, Any]) -> Future[Any] | None:
    """Takes the compilation that was begun for this, once: compiling again is to make another kernel."""
    if not _pending:
        return None
    text = None if src.fn in _pending else _text_of(src.fn)
    with _lock:
        fn = src.fn if text is None else _by_text.get(text)
        return None if fn is None else _pending.get(fn, {}).pop(_request_key(src, target, options), None)
