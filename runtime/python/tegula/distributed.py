"""Kernels that talk to the same kernel on other devices, and the agreement of ranks in tuning.

The functions of kernels are plain Triton over two tables that PyTorch's symmetric memory makes: the addresses of all ranks'
buffers, and those of all ranks' signal pads, words of 32 bits that are zero while no kernel uses them. A table is a pointer to
addresses of 64 bits, or its address as a whole number (`handle.buffer_ptrs_dev`, `handle.signal_pad_ptrs_dev`). The names are those
of Triton-distributed; DISTRIBUTED.md says how arguments differ.

    import triton
    import triton.language as tl
    import tegula.distributed as td

    @triton.jit(do_not_specialize=["rank"])
    def kernel(buffers, pads, rank, world: tl.constexpr):
        td.barrier_blocks(pads, rank, world)
        theirs = td.symm_at(buffers, (rank + 1) % world, tl.float32)
"""

# The compiler holds a copy of this file, for programs without Python: it reads the functions of kernels, and may find no more than
# `tegula` and `tegula.language` to import.
# mypy: disable-error-code="no-untyped-def,assignment,misc,no-untyped-call"
# (Kernels are not typed as functions of Python are.)

from __future__ import annotations

import tegula
import tegula.language as tl
from tegula.runtime.agreement import (Agreement, GroupAgreement, RanksError, StoreAgreement, current_agreement, pack,
                                      set_agreement, unpack)

__all__ = ["Agreement", "GroupAgreement", "RanksError", "StoreAgreement", "barrier_blocks", "current_agreement", "notify",
           "num_ranks", "pack", "rank", "set_agreement", "symm_at", "unpack", "wait"]


@tegula.jit
def rank(place):
    """The number of this rank, the first of the two int32 at `place`."""
    return tl.load(place)


@tegula.jit
def num_ranks(place):
    """The number of ranks, the second of the two int32 at `place`."""
    return tl.load(place + 1)


@tegula.jit
def symm_at(ptrs, peer, dtype: tl.constexpr):
    """Rank `peer`'s copy of a symmetric buffer, a pointer to `dtype`. `ptrs` is the table of its addresses, which are multiples of
    16: accesses may be 16 bytes wide."""
    address = tl.load(ptrs.to(tl.pointer_type(tl.int64)) + peer)
    return tl.multiple_of(address.to(tl.pointer_type(dtype)), 16)


@tegula.jit
def notify(pads, peer, index, signal=1, sig_op: tl.constexpr = "set"):
    """Sets word `index` of rank `peer`'s pad to `signal`, or adds it where `sig_op` is "add". All that this program has
    stored before is there for who sees the signal by `wait`."""
    tl.static_assert(sig_op == "set" or sig_op == "add", "expected `sig_op` to be \"set\" or \"add\"")
    word = symm_at(pads, peer, tl.int32) + index
    if sig_op == "set":
        tl.atomic_xchg(word, signal, sem="release", scope="sys")
    else:
        tl.atomic_add(word, signal, sem="release", scope="sys")


@tegula.jit
def wait(pad, count, signal=1):
    """Waits until each of the `count` words from `pad` on, words of this rank's own pad, is `signal`. What their senders stored
    before they sent is seen by all that follows. The words stay as they are."""
    for i in range(count):
        while tl.atomic_add(pad + i, 0, sem="acquire", scope="sys") != signal:
            pass


@tegula.jit
def _block():
    """This program's number in the grid."""
    return tl.program_id(0) + tl.num_programs(0) * (tl.program_id(1) + tl.num_programs(1) * tl.program_id(2))


@tegula.jit
def barrier_blocks(pads, rank, world: tl.constexpr, before: tl.constexpr = True, after: tl.constexpr = True):
    """Waits for the programs of this number in the grid on all `world` ranks. Without `before` nothing is promised of what they
    stored before the barrier, without `after` nothing of what they load behind it.

    `pads` is the table of the pads. A program uses `world` words of each, the words from its number times `world` on, and leaves
    them as they were. All programs of a grid have to be resident at a time: a pad of 2304 words has room for 288 programs at 8
    ranks.
    """
    released: tl.constexpr = "release" if before else "relaxed"
    acquired: tl.constexpr = "acquire" if after else "relaxed"
    first = _block() * world
    own = symm_at(pads, rank, tl.int32) + first
    # Each begins with its neighbour, so that no rank is signalled by all others at once.
    for i in tl.static_range(1, world):
        # The next barrier may come before the peer has taken this signal, so that signals add up.
        tl.atomic_add(symm_at(pads, (rank + i) % world, tl.int32) + first + rank, 1, sem=released, scope="sys")
    for i in tl.static_range(1, world):
        word = own + (rank + i) % world
        while tl.atomic_add(word, 0, sem=acquired, scope="sys") == 0:
            pass
        tl.atomic_add(word, -1, sem="relaxed", scope="sys")
