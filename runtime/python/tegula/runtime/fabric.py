"""Several ranks in one process without a GPU: `tegula.testing.fabric`.

The host program of each rank runs on a thread of its own, one at a time; its launches go to a device of the emulator's fabric, whose
kernels run together. What a program gets in the place of PyTorch's symmetric memory has the same attributes.
"""

from __future__ import annotations

import contextlib
import math
import sys
import threading
from typing import Any, Callable, Iterator, Sequence

from .. import _native
from .errors import KernelFault
from .launch.arguments import host_range

#: 32-bit words of a signal pad, as many as PyTorch makes them.
PAD_WORDS = 2304

_own = threading.local()


def current_group() -> "Group | None":
    """The group of the host program that this thread runs, None elsewhere."""
    return getattr(_own, "group", None)


def _address(array: Any) -> int:
    return array.data_ptr() if hasattr(array, "data_ptr") else array.__array_interface__["data"][0]


def _bytes(array: Any) -> int:
    return array.numel() * array.element_size() if hasattr(array, "data_ptr") else array.nbytes


def _part(array: Any, sizes: Sequence[int], dtype: Any, offset: int) -> Any:
    """The elements from number `offset` on of an array's memory, as elements of `dtype`, in an array of these sides."""
    flat = array.view(-1) if hasattr(array, "data_ptr") else array.reshape(-1)
    if dtype is not None:
        flat = flat.view(dtype)
    count = math.prod(sizes)
    if offset < 0 or offset + count > flat.shape[0]:
        raise ValueError(f"expected at most {flat.shape[0]} elements, found {count} from number {offset} on")
    return flat[offset:offset + count].reshape(tuple(sizes))


class SymmetricMemory:
    """Arrays of the host that all ranks may touch, with the attributes of what PyTorch's `rendezvous` returns."""

    multicast_ptr = 0
    offset = 0

    def __init__(self, group: "Group", arrays: list[Any], pads: list[Any]) -> None:
        self._group, self._arrays, self._pads = group, arrays, pads
        self.rank, self.world_size = group.rank, group.world_size
        self.buffer_size = _bytes(arrays[0])
        self.signal_pad_size = 4 * PAD_WORDS
        #: Addresses by rank, and the address of a table of them.
        self.buffer_ptrs = [_address(array) for array in arrays]
        self.signal_pad_ptrs = [_address(pad) for pad in pads]
        self.buffer_ptrs_dev = group._table(self.buffer_ptrs)
        self.signal_pad_ptrs_dev = group._table(self.signal_pad_ptrs)

    def get_buffer(self, rank: int, sizes: Sequence[int], dtype: Any = None, storage_offset: int = 0) -> Any:
        """A view of rank `rank`'s array, `storage_offset` counted in elements; `dtype` None is that of the array."""
        return _part(self._arrays[rank], sizes, dtype, storage_offset)

    get_remote_tensor = get_buffer

    def get_signal_pad(self, rank: int, sizes: Sequence[int] = (), dtype: Any = None, storage_offset: int = 0) -> Any:
        """A view of rank `rank`'s pad, whose elements are of 32 bits where `dtype` says nothing; all of it without `sizes`."""
        pad = self._pads[rank]
        return _part(pad, sizes or (_bytes(pad) // 4, ), dtype, storage_offset)

    def barrier(self, channel: int = 0, timeout_ms: int = 0) -> None:
        """Waits for all ranks; what any of them does next comes after all that they have done."""
        self._group.barrier()


class Group:
    """The ranks of a fabric, as the host program of one of them sees them."""

    def __init__(self, fabric: "Fabric", rank: int) -> None:
        self._fabric = fabric
        self.rank: int = rank
        self.world_size: int = fabric.world
        self._tables: list[int] = []
        self._handles: dict[tuple[int, int], SymmetricMemory] = {}
        self._workspace: Any = None

    def _table(self, addresses: list[int]) -> int:
        device = self._fabric._devices[self.rank]
        table = device.allocate(8 * len(addresses))
        self._tables.append(table)
        device.upload(table, b"".join(address.to_bytes(8, sys.byteorder) for address in addresses))
        return table

    def _free_tables(self) -> None:
        for table in self._tables:
            self._fabric._devices[self.rank].free(table)

    def exchange(self, value: Any, what: str = "exchange", orders: bool = False) -> list[Any]:
        """Returns what all ranks have given, by rank. Each has to call it; it orders nothing that their kernels do."""
        fabric = self._fabric
        fabric._offers[self.rank] = (what, value)
        fabric._native.meet(orders)
        offers = list(fabric._offers)
        fabric._native.meet(False)  # no rank offers the next before all have read this one
        for rank, (other, _) in enumerate(offers):
            if other != what:
                raise RuntimeError(f"rank {self.rank} called `{what}` where rank {rank} called `{other}`")
        return [offer for _, offer in offers]

    def barrier(self) -> None:
        """Waits for all ranks; what any of them does next comes after all that they have done."""
        self.exchange(None, "barrier", orders=True)

    def rendezvous(self, array: Any) -> SymmetricMemory:
        """Shares an array of NumPy, or a tensor of PyTorch on the CPU, with those that the other ranks give: of equally many
        bytes, contiguous, and at a multiple of 16. The same array has the same handle whenever it is asked for."""
        import numpy

        key = _address(array), _bytes(array)
        if key in self._handles:
            return self._handles[key]
        is_contiguous = array.is_contiguous() if hasattr(array, "data_ptr") else array.flags.c_contiguous
        found = host_range(array)
        if found is None or not is_contiguous or _address(array) % 16 or not _bytes(array):
            raise ValueError("expected a contiguous array of the host that is not empty and begins at a multiple of 16")
        fabric = self._fabric
        if hasattr(array, "data_ptr"):
            import torch
            pad: Any = torch.zeros(PAD_WORDS, dtype=torch.int32)
        else:
            pad = numpy.zeros(PAD_WORDS, dtype=numpy.uint32)
        number = fabric._arrays[self.rank]
        fabric._arrays[self.rank] += 1
        fabric._native.share(self.rank, number, found[0], found[1], False)
        fabric._native.share(self.rank, number, _address(pad), _bytes(pad), True)
        given = self.exchange((array, pad), "rendezvous")
        for rank, (other, _) in enumerate(given):
            if _bytes(other) != _bytes(array):
                raise ValueError(f"rank {self.rank} shares {_bytes(array)} bytes, but rank {rank} {_bytes(other)}")
        fabric._kept += given
        self._handles[key] = SymmetricMemory(self, [one for one, _ in given], [one for _, one in given])
        return self._handles[key]

    def workspace(self, min_size: int) -> SymmetricMemory:
        """The handle of a buffer of at least `min_size` bytes, the same one for each call as long as that is large enough."""
        import torch

        if self._workspace is None or self._workspace.numel() < min_size:
            self._workspace = torch.zeros(min_size, dtype=torch.uint8)
        return self.rendezvous(self._workspace)


@contextlib.contextmanager
def _as_torch() -> Iterator[None]:
    """While it lives, functions of PyTorch by which host code finds its rank and shared memory are those of the thread's group, if PyTorch
    was imported. They are a host program's alone: other threads must not use `torch.distributed` meanwhile."""
    torch = sys.modules.get("torch")
    distributed = getattr(torch, "distributed", None)
    if distributed is None:
        yield
        return

    def group() -> Group:
        found = current_group()
        if found is None:
            raise RuntimeError("only the host programs that a fabric runs have a rank")
        return found

    def empty(*sizes: Any, dtype: Any = None, device: Any = None) -> Any:
        return torch.empty(*sizes, dtype=dtype)  # type: ignore[union-attr]

    class World:
        """Stands for the group of all ranks."""

        group_name = "fabric"
        rank = staticmethod(lambda: group().rank)
        size = staticmethod(lambda: group().world_size)

    places: list[tuple[Any, dict[str, Any]]] = [(distributed, {"get_rank": lambda *_, **__: group().rank, "get_world_size": lambda *_, **__: group().world_size,
                             "barrier": lambda *_, **__: group().barrier(), "is_initialized": lambda: True}),
              (distributed.group, {"WORLD": World()})]
    symmetric = sys.modules.get("torch.distributed._symmetric_memory")
    if symmetric is not None:
        places.append((symmetric, {"empty": empty, "rendezvous": lambda tensor, *_, **__: group().rendezvous(tensor),
                                   "get_symm_mem_workspace": lambda _, min_size: group().workspace(min_size)}))
    missing = object()
    kept = [(module, name, getattr(module, name, missing)) for module, functions in places for name in functions]
    try:
        for module, functions in places:
            for name, function in functions.items():
                setattr(module, name, function)
        yield
    finally:
        for module, name, value in kept:
            if value is missing:
                delattr(module, name)
            else:
                setattr(module, name, value)


class Fabric:
    """Emulated devices of `world` ranks. See `tegula.testing.fabric`."""

    def __init__(self, world: int, *, seed: int = 0, schedules: int = 1, resident_blocks: int = 0,
                 check_pads: bool = True) -> None:
        if schedules < 1:
            raise ValueError(f"expected at least one schedule, found {schedules}")
        self.world, self.seed, self.schedules, self.check_pads = world, seed, schedules, check_pads
        self._native = _native.Fabric(world, resident_blocks)
        self._devices = [self._native.device(rank) for rank in range(world)]

    def run(self, host: Callable[..., Any], *args: Any) -> list[Any]:
        """Calls `host(group, *args)` for every rank and returns what the calls return, by rank: of the last schedule where there are
        several. The error of a rank is raised, and ends all others."""
        for schedule in range(self.schedules):
            seed = self.seed + schedule
            try:
                results = self._run_once(seed, host, args)
            except KernelFault as error:
                if self.schedules > 1:
                    error.args = (f"{error} (schedule {seed})", *error.args[1:])
                raise
        return results

    def _run_once(self, seed: int, host: Callable[..., Any], args: tuple[Any, ...]) -> list[Any]:
        self._offers: list[Any] = [None] * self.world
        self._arrays = [0] * self.world
        self._kept: list[Any] = []
        results: list[Any] = [None] * self.world
        errors: list[BaseException | None] = [None] * self.world
        groups = [Group(self, rank) for rank in range(self.world)]

        def call(rank: int) -> bool:
            _native.use_device_here(self._devices[rank])
            _own.group = groups[rank]
            try:
                results[rank] = host(groups[rank], *args)
            except BaseException as error:  # raised where `run` was called
                errors[rank] = error
            finally:
                _own.group = None
                _native.use_device_here(None)
            return errors[rank] is None

        with _as_torch():
            failed = self._native.run(seed, self.check_pads, call)
        self._kept.clear()
        for group in groups:
            group._free_tables()
        if failed is not None:
            rank, error = failed
            own = errors[rank]
            # A race is what is wrong, whatever the program has made of its results.
            if own is None or isinstance(error, KernelFault) and not isinstance(own, KernelFault):
                raise error from own
            raise own
        return results
