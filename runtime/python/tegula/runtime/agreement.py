"""Agreement of the ranks of a program: each offers bytes under a key, and all get the same answer, the offers of all.

Nothing here talks over a network: a store or a group of torch.distributed carries the bytes, or an object of the program's own
that has `rank`, `world` and `agree`. Every wait is bounded, and an error names the ranks that it is about.
"""

from __future__ import annotations

import collections
import datetime
import importlib
import struct
import threading
import time
from typing import Any, Protocol, Sequence

from ..errors import TritonError

#: Seconds for which a rank waits for the others unless an adapter is told otherwise: the slowest may still be compiling.
PATIENCE = 300.0

_LENGTH = struct.Struct("<Q")


class RanksError(TritonError):
    """Ranks do not agree, or do not answer; the text says which."""


class Agreement(Protocol):
    """The interface that tuners ask. `rank` is this process among `world`."""

    rank: int
    world: int

    def agree(self, key: str, offer: bytes) -> bytes:
        """Returns the offers of all ranks under `key`, in their order, as `pack` joins them: the same on every rank. All ranks
        ask with the same keys, equally often. Raises `RanksError` where one does not answer in time."""


def pack(offers: Sequence[bytes]) -> bytes:
    """Joins offers in the order of the ranks: each is its length as eight bytes, the lowest first, and itself."""
    return b"".join(_LENGTH.pack(len(offer)) + offer for offer in offers)


def unpack(answer: bytes, world: int) -> list[bytes]:
    """Takes an answer of `world` offers apart. Raises `RanksError` where it is none."""
    offers, place = [], 0
    while place + _LENGTH.size <= len(answer):
        (length,) = _LENGTH.unpack_from(answer, place)
        place += _LENGTH.size
        offers.append(bytes(answer[place:place + length]))
        place += length
    if len(offers) != world or place != len(answer):
        raise RanksError(f"expected an answer of {world} offers, found {len(offers)} in {len(answer)} bytes")
    return offers


def _plural(ranks: Sequence[int]) -> str:
    return f"rank{'' if len(ranks) == 1 else 's'} {', '.join(map(str, ranks))}"


class StoreAgreement:
    """Agreement through a store of torch.distributed (`TCPStore`, `FileStore`, `PrefixStore`), or what has its `set`, `get` and
    `wait`. Ranks may ask for different keys in different order. `timeout` is in seconds; ranks that share the store with others
    give a `prefix`."""

    def __init__(self, store: Any, rank: int, world: int, timeout: float = PATIENCE, prefix: str = "tegula"):
        if not 0 <= rank < world:
            raise ValueError(f"expected a rank from 0 to {world - 1}, found {rank}")
        self.rank, self.world, self.timeout = rank, world, timeout
        self._store = store
        self._prefix = prefix
        self._turns: collections.Counter[str] = collections.Counter()
        self._lock = threading.Lock()

    def agree(self, key: str, offer: bytes) -> bytes:
        with self._lock:
            turn = self._turns[key]
            self._turns[key] += 1
        place = f"{self._prefix}/{key}/{turn}"
        end = time.monotonic() + self.timeout
        try:
            self._store.set(self._asked_by(self.rank), key)
            self._store.set(f"{place}/{self.rank}", offer)
        except Exception as failure:
            raise RanksError(f"rank {self.rank} cannot offer `{key}`: {failure}") from failure
        offers: dict[int, bytes] = {self.rank: offer}
        cause: Exception | None = None
        for peer in range(self.world):
            if peer != self.rank:
                try:
                    offers[peer] = self._read(f"{place}/{peer}", end - time.monotonic())
                except Exception as failure:  # each store has exceptions of its own
                    cause = failure
        missing = [peer for peer in range(self.world) if peer not in offers]
        if missing:
            raise RanksError(self._complaint(key, missing)) from cause
        return pack([offers[peer] for peer in range(self.world)])

    def _asked_by(self, rank: int) -> str:
        return f"{self._prefix}/asked/{rank}"

    def _read(self, name: str, seconds: float) -> bytes:
        self._store.wait([name], datetime.timedelta(seconds=max(seconds, 0.01)))
        return bytes(self._store.get(name))

    def _complaint(self, key: str, missing: Sequence[int]) -> str:
        lines = [f"{_plural(missing)} did not offer `{key}` within {self.timeout:g} s"]
        for peer in missing:
            try:
                last = self._read(self._asked_by(peer), 0).decode()
            except Exception:
                lines.append(f"rank {peer} has asked for nothing so far: it has ended, or tunes nothing")
            else:
                lines.append(f"rank {peer} asked for `{last}` last")
        return "\n".join(lines)


class GroupAgreement:
    """Agreement through a process group of torch.distributed with the back end gloo, whose barrier tells which rank is missing;
    the default group if `group` is None. All ranks ask in the same order. `timeout` is in seconds. `distributed` is the module
    `torch.distributed`, or what stands for it."""

    def __init__(self, group: Any = None, timeout: float = PATIENCE, distributed: Any = None):
        if distributed is None:
            distributed = importlib.import_module("torch.distributed")
        backend = str(distributed.get_backend(group))
        if backend != "gloo":
            raise ValueError(f"expected a group with the back end gloo, found {backend}: "
                             "torch.distributed.new_group(backend=\"gloo\") makes one")
        self.rank, self.world, self.timeout = distributed.get_rank(group), distributed.get_world_size(group), timeout
        self._group = group
        self._distributed = distributed

    def agree(self, key: str, offer: bytes) -> bytes:
        gathered: list[Any] = [None] * self.world
        failures: list[Exception] = []

        def gather() -> None:
            try:
                patience = datetime.timedelta(seconds=self.timeout)
                self._distributed.monitored_barrier(self._group, timeout=patience, wait_all_ranks=True)
                self._distributed.all_gather_object(gathered, (key, offer), group=self._group)
            except Exception as failure:
                failures.append(failure)

        # The barrier ends by itself; what follows it has the group's own limit, which may be half an hour.
        thread = threading.Thread(target=gather, name="tegula-agree", daemon=True)
        thread.start()
        thread.join(self.timeout + 5)
        if failures:
            raise RanksError(f"rank {self.rank} asked for `{key}`, and the group failed: {failures[0]}") from failures[0]
        if thread.is_alive():
            raise RanksError(f"rank {self.rank} asked for `{key}`, and the group did not answer within {self.timeout:g} s")
        for peer, (theirs, _) in enumerate(gathered):
            if theirs != key:
                raise RanksError(f"rank {peer} asks for `{theirs}` while rank {self.rank} asks for `{key}`")
        return pack([theirs for _, theirs in gathered])


_current: Agreement | None = None


def set_agreement(agreement: Agreement | None) -> None:
    """Has the tuners of this process agree with those of other ranks from now on; None ends that. A tuner whose `agreement` is set
    goes by its own."""
    global _current
    _current = agreement


def current_agreement() -> Agreement | None:
    """Returns what `set_agreement` was given last."""
    return _current
