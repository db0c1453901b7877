"""Kernels and host programs of several ranks in one process: right ones, and planted faults next to them."""

import re

import numpy as np
import pytest

import tegula as triton
import tegula.distributed as td
import tegula.language as tl
import tegula.testing
from ranks import kernel_file

WORLDS = (2, 3, 4, 8)


@triton.jit
def meet(pads, rank, WORLD: tl.constexpr, RELEASE: tl.constexpr, ACQUIRE: tl.constexpr, SCOPE: tl.constexpr, CLEARS: tl.constexpr):
    own = td.symm_at(pads, rank, tl.int32)
    for i in tl.static_range(1, WORLD):
        tl.atomic_add(td.symm_at(pads, (rank + i) % WORLD, tl.int32) + rank, 1, sem=RELEASE, scope=SCOPE)
    for i in tl.static_range(1, WORLD):
        word = own + (rank + i) % WORLD
        while tl.atomic_add(word, 0, sem=ACQUIRE, scope="sys") == 0:
            pass
        if CLEARS:
            tl.atomic_add(word, -1, sem="relaxed", scope="sys")


@triton.jit(do_not_specialize=["rank"])
def pass_on(buffers, pads, out, rank, WORLD: tl.constexpr, N: tl.constexpr, RELEASE: tl.constexpr = "release",
            ACQUIRE: tl.constexpr = "acquire", SCOPE: tl.constexpr = "sys", CLOSES: tl.constexpr = True,
            CLEARS: tl.constexpr = True):
    """Writes its own part and reads that of the next rank."""
    i = tl.arange(0, N)
    tl.store(td.symm_at(buffers, rank, tl.int32) + i, rank * 100 + i)
    meet(pads, rank, WORLD, RELEASE, ACQUIRE, SCOPE, CLEARS)
    tl.store(out + i, tl.load(td.symm_at(buffers, (rank + 1) % WORLD, tl.int32) + i))
    if CLOSES:
        meet(pads, rank, WORLD, "release", "acquire", "sys", True)


def passes_on(group, times=2, **how):
    x, out = np.zeros(64, np.int32), np.zeros(64, np.int32)
    handle = group.rendezvous(x)
    for _ in range(times):
        pass_on[(1,)](handle.buffer_ptrs_dev, handle.signal_pad_ptrs_dev, out, group.rank, WORLD=group.world_size, N=64, num_warps=2,
                      **how)
    return out


LINE = r"\S*test_fabric\.py:\d+ \(PTX line \d+\)"


@pytest.mark.parametrize("world", WORLDS)
def test_a_right_exchange_passes_under_every_schedule(world):
    outs = tegula.testing.fabric(world, schedules=20).run(passes_on)
    for rank, out in enumerate(outs):
        np.testing.assert_array_equal(out, (rank + 1) % world * 100 + np.arange(64))


PLANTED = {
    "release": (dict(RELEASE="relaxed"), rf"race between ranks at rank \d's array 0, byte \d+: nothing orders this \w+ after rank \d's "
                                         rf"\w+ at {LINE}: rank \d's signal at {LINE} does not release"),
    "acquire": (dict(ACQUIRE="relaxed"), rf"race between ranks at rank \d's array 0, byte \d+: nothing orders this \w+ after rank \d's "
                                         rf"\w+ at {LINE}: rank \d's wait at {LINE} does not acquire"),
    "scope": (dict(SCOPE="gpu"), rf"race between ranks at rank \d's pad, word \d+: .* at {LINE}: .*scope narrower than `sys`, and rank \d "
                                 "is another device"),
    "closing wait": (dict(CLOSES=False), rf"race between ranks at rank \d's array 0, byte \d+: nothing orders this \w+ after rank \d's "
                                         rf"\w+ at {LINE}: rank \d has not waited for a signal that rank \d gives after it has read: "
                                         "a barrier of the ranks is missing in the end"),
    "clearing": (dict(CLEARS=False, CLOSES=False, times=1), rf"rank \d's pad, word \d is left at 1: the next launch would take it for "
                                                            rf"a signal; rank \d wrote it at {LINE}"),
}


@pytest.mark.parametrize("world", WORLDS)
@pytest.mark.parametrize("what", PLANTED)
def test_what_is_missing_is_named_under_every_schedule(what, world):
    how, expected = PLANTED[what]
    for seed in range(20):
        with pytest.raises(RuntimeError) as info:
            tegula.testing.fabric(world, seed=seed).run(lambda group: passes_on(group, **how))
        assert re.search(expected, str(info.value)), f"seed {seed}: {info.value}"


def test_pads_may_be_left_as_they_are_where_that_is_meant():
    tegula.testing.fabric(2, check_pads=False).run(lambda group: passes_on(group, CLEARS=False, CLOSES=False, times=1))


def test_a_schedule_is_named():
    with pytest.raises(RuntimeError, match=r"\(schedule 3\)"):
        tegula.testing.fabric(2, seed=3, schedules=5).run(lambda group: passes_on(group, RELEASE="relaxed"))


def test_a_rank_that_launches_nothing_is_waited_for_in_vain():
    with pytest.raises(RuntimeError) as info:
        tegula.testing.fabric(2).run(lambda group: group.rendezvous(np.zeros(64, np.int32)) if group.rank else passes_on(group))
    assert re.search(rf"deadlock.*goes round at {LINE}, at rank 0's pad, word 1, seen 0.*rank 1 runs no kernel: its host has ended",
                     str(info.value))


@triton.jit
def wait_for_the_grid(pads, rank):
    word = td.symm_at(pads, rank, tl.int32)
    if tl.program_id(0) == 0:
        while tl.atomic_add(word, 0, sem="acquire") != 1:
            pass
        tl.atomic_xchg(word, 0, sem="relaxed")
    else:
        tl.atomic_add(word, 1, sem="release")


def test_a_grid_that_is_larger_than_what_is_resident():
    def host(group):
        handle = group.rendezvous(np.zeros(64, np.int32))
        wait_for_the_grid[(2,)](handle.signal_pad_ptrs_dev, group.rank)

    tegula.testing.fabric(2).run(host)
    with pytest.raises(RuntimeError, match="1 more blocks have not begun, as . fit at once|deadlock.*more blocks have not begun"):
        tegula.testing.fabric(2, resident_blocks=1).run(host)


def test_a_pad_that_is_too_small():
    @triton.jit
    def far(pads, rank):
        tl.atomic_add(td.symm_at(pads, rank, tl.int32) + 2304, 1)

    def host(group):
        handle = group.rendezvous(np.zeros(64, np.int32))
        far[(1,)](handle.signal_pad_ptrs_dev, group.rank)

    with pytest.raises(RuntimeError, match="rank .'s pad, which has 2304 words"):
        tegula.testing.fabric(2).run(host)


def test_memory_that_is_not_mapped():
    @triton.jit
    def reach(address, out):
        tl.store(out, tl.load(address.to(tl.pointer_type(tl.int32))))

    def host(group):
        mine = np.full(64, group.rank, np.int32)
        device = triton.get_device()
        address = device.allocate(256)
        device.upload(address, mine.tobytes())
        theirs = group.exchange(address)[1 - group.rank]
        reach[(1,)](theirs, np.zeros(1, np.int32))

    with pytest.raises(RuntimeError, match="rank . touches memory of rank . that it has not mapped"):
        tegula.testing.fabric(2).run(host)


@triton.jit(do_not_specialize=["rank"])
def read_next(buffers, pads, out, rank, WORLD: tl.constexpr, CLOSES: tl.constexpr):
    td.barrier_blocks(pads, rank, WORLD, before=False)
    i = tl.arange(0, 64)
    tl.store(out + i, tl.load(td.symm_at(buffers, (rank + 1) % WORLD, tl.int32) + i))
    if CLOSES:
        td.barrier_blocks(pads, rank, WORLD, after=False)


def overwrites(group, closes, waits=False):
    x, out, seen = np.zeros(64, np.int32), np.zeros(64, np.int32), []
    handle = group.rendezvous(x)
    for turn in range(3):
        x[:] = turn * 10 + group.rank
        read_next[(1,)](handle.buffer_ptrs_dev, handle.signal_pad_ptrs_dev, out, group.rank, WORLD=group.world_size, CLOSES=closes)
        seen.append(int(out[0]))
        if waits:
            handle.barrier(channel=1)
    return seen


@pytest.mark.parametrize("world", WORLDS)
def test_a_host_that_overwrites_what_a_peer_may_still_read(world):
    for seed in range(20):
        assert tegula.testing.fabric(world, seed=seed).run(overwrites, True) == [
            [turn * 10 + (rank + 1) % world for turn in range(3)] for rank in range(world)]
        with pytest.raises(RuntimeError) as info:
            tegula.testing.fabric(world, seed=seed).run(overwrites, False)
        assert re.search(rf"race between ranks at rank \d's array 0, byte \d+: nothing orders (what rank \d's host writes there after rank "
                         rf"\d's read at {LINE}|this read after what rank \d's host has written there): ", str(info.value)), info.value
    # A barrier of the hosts does as well.
    tegula.testing.fabric(world).run(overwrites, False, True)


@triton.jit
def add_pieces(buffers, pads, x, weights, out, rank, STEPS: tl.constexpr):
    """Gives the other rank one piece after another, and adds up those that come, each with weights of its own."""
    i = tl.arange(0, 128)
    there = td.symm_at(buffers, 1 - rank, tl.float32)
    for step in range(STEPS):
        tl.store(there + step * 128 + i, step + rank + i)
        td.notify(pads, 1 - rank, step)
    total = tl.zeros([128], tl.float32)
    for step in tl.range(0, STEPS, num_stages=3):
        td.wait(td.symm_at(pads, rank, tl.int32) + step, 1)
        total += tl.load(x + step * 128 + i) * tl.load(weights + step * 128 + i)
    tl.store(out + i, total)
    for step in range(STEPS):
        tl.atomic_xchg(td.symm_at(pads, rank, tl.int32) + step, 0, sem="relaxed")


@triton.jit(do_not_specialize=["rank"])
def add_pieces_that_come(buffers, pads, x, weights: tl.const, out, rank, STEPS: tl.constexpr):
    add_pieces(buffers, pads, x, weights, out, rank, STEPS)


@triton.jit(do_not_specialize=["rank"])
def add_pieces_said_to_be_there(buffers, pads, x: tl.const, weights: tl.const, out, rank, STEPS: tl.constexpr):
    add_pieces(buffers, pads, x, weights, out, rank, STEPS)


def adds_pieces(group, kernel, steps=6):
    x, out = np.zeros(steps * 128, np.float32), np.zeros(128, np.float32)
    weights = np.arange(steps * 128, dtype=np.float32) % 7
    handle = group.rendezvous(x)
    compiled = kernel[(1,)](handle.buffer_ptrs_dev, handle.signal_pad_ptrs_dev, x, weights, out, group.rank, STEPS=steps)
    pieces = (np.arange(steps)[:, None] + 1 - group.rank + np.arange(128)) * weights.reshape(steps, 128)
    np.testing.assert_array_equal(out, pieces.sum(0))
    return compiled.asm["ptx"]


def test_a_wait_in_a_loop_leaves_loads_of_constant_data_pipelined():
    ptx = tegula.testing.fabric(2, schedules=20).run(lambda group: adds_pieces(group, add_pieces_that_come))[0]
    before, after = ptx.split("acquire.add")
    # Those of two iterations before the loop, and in the loop those of the one after next.
    assert len(re.findall(r"ld\.global\.b32", before)) == 3 and len(re.findall(r"ld\.global\.b32", after)) == 1, ptx


def test_what_a_peer_writes_is_no_constant_data():
    for seed in range(20):
        with pytest.raises(RuntimeError, match="race between ranks at rank .'s array 0"):
            tegula.testing.fabric(2, seed=seed).run(lambda group: adds_pieces(group, add_pieces_said_to_be_there))


def test_views_of_what_is_shared():
    def host(group):
        handle = group.rendezvous(np.arange(64, dtype=np.int32) + 100 * group.rank)
        peer = 1 - group.rank
        assert (handle.rank, handle.world_size, handle.buffer_size, handle.signal_pad_size) == (group.rank, 2, 256, 9216)
        np.testing.assert_array_equal(handle.get_buffer(peer, (2, 4), np.int32, 8), 100 * peer + 8 + np.arange(8).reshape(2, 4))
        assert handle.get_buffer(peer, (128,), np.int16).dtype == np.int16
        assert handle.get_buffer(peer, (4,)).ctypes.data == handle.buffer_ptrs[peer]
        assert handle.get_signal_pad(peer).shape == (2304,) and not handle.get_signal_pad(peer).any()
        assert handle.get_signal_pad(peer, (2,), np.uint8, 4).ctypes.data == handle.signal_pad_ptrs[peer] + 4
        with pytest.raises(ValueError, match="expected at most 64 elements, found 60 from number 8 on"):
            handle.get_buffer(peer, (60,), np.int32, 8)
        return group.exchange(group.rank * 2)

    assert tegula.testing.fabric(2).run(host) == [[0, 2], [0, 2]]


def test_errors_of_a_host_end_all_others():
    ended = []

    def host(group):
        try:
            if group.rank == 1:
                raise KeyError("no such weight")
            passes_on(group)
        except RuntimeError as error:
            ended.append(str(error))
            raise

    with pytest.raises(KeyError, match="no such weight"):
        tegula.testing.fabric(3).run(host)
    assert ended == ["rank 1 has failed: the host of rank 1 has failed"] * 2


def test_a_race_comes_before_what_the_program_makes_of_its_results():
    def host(group):
        overwrites(group, False)
        raise AssertionError("not close")

    with pytest.raises(RuntimeError, match="race between ranks"):
        tegula.testing.fabric(2).run(host)


def test_ranks_that_do_not_agree_on_what_they_do_together():
    with pytest.raises(RuntimeError, match="rank . called `(barrier|exchange)` where rank . called `(barrier|exchange)`"):
        tegula.testing.fabric(2).run(lambda group: group.exchange(1) if group.rank else group.barrier())
    with pytest.raises(RuntimeError, match="rank 0's host waits for all ranks, but rank 1's has ended"):
        tegula.testing.fabric(2).run(lambda group: None if group.rank else group.barrier())
    with pytest.raises(ValueError, match="rank . shares (16|32) bytes, but rank . (16|32)"):
        tegula.testing.fabric(2).run(lambda group: group.rendezvous(np.zeros(4 + 4 * group.rank, np.int32)))


def test_arrays_that_cannot_be_shared():
    shared = np.zeros(64, np.int32)
    for array in (np.zeros((8, 8), np.int32).T[::2], np.zeros(65, np.int32)[1:], np.zeros(0, np.int32)):
        with pytest.raises(ValueError, match="expected a contiguous array of the host"):
            tegula.testing.fabric(2).run(lambda group: group.rendezvous(array))
    with pytest.raises(ValueError, match="rank 1 cannot share the 256 bytes at"):
        tegula.testing.fabric(2).run(lambda group: group.rendezvous(shared))


def test_worlds_and_schedules_that_cannot_be():
    with pytest.raises(ValueError, match="expected a fabric of 1 to 64 devices, found 0"):
        tegula.testing.fabric(0)
    with pytest.raises(ValueError, match="expected at least one schedule, found 0"):
        tegula.testing.fabric(2, schedules=0)


def bf16(values):
    return (np.ascontiguousarray(values, np.float32).view(np.uint32) >> 16).astype(np.uint16)


def floats(bits):
    return (bits.astype(np.uint32) << 16).view(np.float32)


def draws(group, *shapes):
    """Random bf16 of each shape, others on each rank."""
    random = np.random.default_rng(group.rank)
    return [bf16(random.standard_normal(shape)) for shape in shapes]


def typed(*arrays):
    return [triton.reinterpret(array, tl.bfloat16) for array in arrays]


def sums_up(group, in_place, count=4096):
    module = kernel_file("all_reduce")
    x, = draws(group, count)
    xs = [floats(one) for one in group.exchange(x.copy())]
    handle = group.rendezvous(x)
    if in_place:
        module.all_reduce_in_place_kernel[(1,)](handle.buffer_ptrs_dev, handle.signal_pad_ptrs_dev, *typed(x), count, group.rank,
                                                WORLD=group.world_size, BLOCK=512, num_warps=8)
        return floats(x), sum(xs)
    y = np.zeros_like(x)
    module.all_reduce_kernel[(2,)](handle.buffer_ptrs_dev, handle.signal_pad_ptrs_dev, *typed(y), None, None,
                                   count, 1024, 1e-6, group.rank, WORLD=group.world_size, NORM=False, BLOCK=1024, num_warps=8)
    return floats(y), sum(xs)


@pytest.mark.parametrize("world", WORLDS)
@pytest.mark.parametrize("in_place", (False, True))
def test_all_reduce(world, in_place):
    results = tegula.testing.fabric(world, schedules=2).run(sums_up, in_place)
    for y, expected in results:
        np.testing.assert_allclose(y, expected, rtol=2e-2, atol=2e-2)
        np.testing.assert_array_equal(y, results[0][0])


@pytest.mark.parametrize("world", (1, 2, 3))
def test_a_product_and_its_sum(world):
    module = kernel_file("matmul_all_reduce")
    m, n, k = 5, 100, 96

    def host(group):
        a, w = draws(group, (m, k), (n, k))
        y = np.zeros((m, n), np.uint16)
        tiles = triton.cdiv(n, 64)
        words_at, elements = module.room_of(tiles, world, 16 * 64, 2)
        handle = group.rendezvous(np.zeros(elements, np.uint16))
        turns = np.zeros(tiles, np.int32)
        for _ in range(5):
            module.matmul_all_reduce_kernel[(tiles,)](
                *typed(a, w, y), handle.buffer_ptrs_dev, words_at, turns, m, n, k, group.rank,
                WORLD=world, BLOCK_M=16, BLOCK_N=64, BLOCK_K=32, num_warps=4, num_stages=3)
        return floats(y), floats(a) @ floats(w).T

    results = tegula.testing.fabric(world, seed=1, schedules=2).run(host)
    for y, _ in results:
        np.testing.assert_allclose(y, sum(product for _, product in results), rtol=2e-2, atol=2e-1)
        np.testing.assert_array_equal(y, results[0][0])


@triton.jit
def copy_rows(buffers, pads, progress, mine, peer, first, COUNT: tl.constexpr):
    """Brings `peer`'s rows into `mine`, and says so by a word of progress, which is this rank's own."""
    i = first + tl.arange(0, COUNT)
    tl.store(mine + i, tl.load(td.symm_at(buffers, peer, tl.bfloat16) + i))
    tl.atomic_xchg(progress + peer, 1, sem="release")


@pytest.mark.parametrize("rows, n, k, block_n, block_k, warps, is_by_producer", [(32, 64, 64, 32, 32, 4, False), (128, 64, 256, 64, 64, 8, True)])
@pytest.mark.parametrize("world", (1, 2, 4))
def test_a_product_of_gathered_rows(world, rows, n, k, block_n, block_k, warps, is_by_producer):
    module = kernel_file("all_gather_matmul")

    def host(group):
        w, own = draws(group, (n, k), (rows, k))
        a = np.zeros((rows * world, k), np.uint16)
        a[group.rank * rows:(group.rank + 1) * rows] = own
        handle = group.rendezvous(a)
        progress = np.zeros(world, np.int32)
        progress[group.rank] = 1
        handle.barrier()
        for peer in (peer for peer in range(world) if peer != group.rank):
            copy_rows[(1,)](handle.buffer_ptrs_dev, handle.signal_pad_ptrs_dev, progress, *typed(a), peer,
                            peer * rows * k, COUNT=rows * k)
        y = np.zeros((rows * world, n), np.uint16)
        tiles = world * triton.cdiv(n, block_n)
        for begin, end, shares in ((0, tiles - 1, 1), (tiles - 1, tiles, 2)):
            compiled = module.all_gather_matmul_kernel[((end - begin) * shares,)](
                *typed(a, w, y), progress, rows * world, n, k, rows, rows, group.rank, begin, BLOCK_M=rows,
                BLOCK_N=block_n // shares, BLOCK_K=block_k, GROUP_M=2, SHARES=shares, num_warps=warps)
        # The producer loads by TMA what the program waits for.
        assert ("fence.proxy.async.global" in compiled.asm["ptx"]) == is_by_producer
        return floats(y), own, w

    results = tegula.testing.fabric(world, seed=1).run(host)
    whole = np.concatenate([floats(own) for _, own, _ in results])
    for y, _, w in results:
        np.testing.assert_allclose(y, whole @ floats(w).T, rtol=2e-2, atol=2e-1)


def test_host_code_written_for_pytorch():
    torch = pytest.importorskip("torch")
    module = kernel_file("all_reduce")
    names = {name: getattr(torch.distributed, name, None) for name in ("get_rank", "get_world_size", "barrier")}

    def host(group):
        assert (torch.distributed.get_rank(), torch.distributed.get_world_size()) == (group.rank, 3)
        torch.manual_seed(group.rank)
        x = torch.randn(7, 1000).to(torch.bfloat16)
        handle = group.rendezvous(x)
        xs = group.exchange(x.clone())
        assert torch.equal(handle.get_buffer(2, (1000,), torch.bfloat16, 1000), xs[2][1])
        assert handle.get_signal_pad(1).dtype == torch.int32
        tolerance = dict(rtol=2e-2, atol=2e-2)
        for _ in range(3):
            torch.testing.assert_close(module.all_reduce(x, handle), module.reference(xs), **tolerance)
        torch.manual_seed(0)
        residual, weight = torch.randn(7, 1000).to(x.dtype), torch.randn(1000).to(x.dtype)
        expected = module.reference(xs, residual, weight)
        torch.testing.assert_close((module.all_reduce(x, handle, residual, weight), residual), expected, **tolerance)
        torch.distributed.barrier()
        torch.testing.assert_close(module.all_reduce_in_place(x, handle), module.reference(xs), **tolerance)

    tegula.testing.fabric(3, schedules=3).run(host)
    assert names == {name: getattr(torch.distributed, name, None) for name in names}
