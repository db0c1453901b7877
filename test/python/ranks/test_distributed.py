"""Functions of kernels that talk to other devices: their results for one rank of several, and their PTX.

One device has the memory of all ranks. What peers would have sent lies in this rank's pad before the launch, as signals add up.
"""

import re

import numpy as np
import pytest

import tegula as triton
import tegula.distributed as td
import tegula.language as tl
from ranks import kernel_file
from tegula.runtime.tune import ranks as tuning_ranks

KIND = triton.get_device().properties()["kind"]

pytestmark = pytest.mark.skipif(KIND == "cuda", reason="the tables hold addresses of NumPy arrays")


def table(arrays):
    return np.array([array.ctypes.data for array in arrays], np.int64)


@triton.jit(do_not_specialize=["rank"])
def gather(buffers, pads, out, kept, kept_pads, rank, WORLD: tl.constexpr, N: tl.constexpr):
    td.barrier_blocks(pads, rank, WORLD)
    i = tl.arange(0, N)
    for peer in range(WORLD):
        tl.store(out + peer * N + i, tl.load(td.symm_at(buffers, peer, tl.float32) + i))
    td.barrier_blocks(pads, rank, WORLD, before=False)


def launch_gather(world, rank, blocks=2):
    kept = np.arange(world * 64, dtype=np.float32).reshape(world, 64)
    pads = np.zeros((world, 16), np.int32)
    pads[rank, :blocks * world].reshape(blocks, world)[:] = [0 if peer == rank else 2 for peer in range(world)]
    out = np.zeros((world, 64), np.float32)
    compiled = gather[(blocks,)](table(kept), table(pads), out, kept, pads, rank, WORLD=world, N=64)
    return kept, pads, out, compiled


@pytest.mark.parametrize("world, rank", [(1, 0), (2, 0), (2, 1), (3, 1), (8, 7)])
def test_a_rank_meets_its_peers_and_reads_their_memory(world, rank):
    kept, pads, out, _ = launch_gather(world, rank)
    np.testing.assert_array_equal(out, kept)
    sent = np.zeros((world, 2, world), np.int32)
    sent[:, :, rank] = 2
    sent[rank] = 0
    np.testing.assert_array_equal(pads[:, :2 * world].reshape(world, 2, world), sent)
    assert not pads[:, 2 * world:].any()


@pytest.mark.skipif(KIND == "interpret", reason="the interpreter has no PTX")
def test_the_code_of_a_barrier():
    compiled = launch_gather(2, 0)[3]
    ptx = compiled.asm["ptx"]
    atoms = re.findall(r"atom\.(\S+)\.add", ptx)
    assert all(".sys" in atom for atom in atoms)
    orders = [re.search("release|acquire|relaxed", atom)[0] for atom in atoms]
    # One that promises nothing of what was stored sends its signals relaxed.
    assert orders.count("release") >= 1 and orders.count("acquire") >= 2 and orders.count("relaxed") >= 3
    assert not re.search(r"\bld\.global\.nc|\bmembar\.sys", ptx)
    # All that the program stored stands before the release, for all of its threads.
    first = ptx.index(".release.")
    assert "bar.sync" in ptx[:first] or "%num_warps 1" in ptx


@pytest.mark.skipif(KIND == "interpret", reason="the interpreter compiles nothing")
def test_a_rank_as_argument_makes_one_variant():
    before = triton.cache_stats()
    for rank in range(8):
        launch_gather(8, rank, blocks=1)
    after = triton.cache_stats()
    assert sum(after[name] - before[name] for name in ("compiled", "from_disk")) <= 1


@triton.jit
def counts(out):
    tl.atomic_add(out, 1, sem="acq_rel")


@pytest.mark.skipif(KIND == "interpret", reason="the interpreter has no PTX")
def test_tuners_see_that_it_communicates():
    tuner = triton.autotune([triton.Config({"N": n}) for n in (32, 64)], key=[])(gather)
    arguments = (np.zeros(2, np.int64), np.zeros(2, np.int64), *(np.zeros(64, np.float32) for _ in range(2)), np.zeros(16, np.int32), 0)
    asked = tuning_ranks.Question(tuner, None, (), arguments, {"WORLD": 2, "grid": (1,)}, [])
    assert tuning_ranks._communicates(asked, tuner.configs)
    alone = triton.autotune([triton.Config({})], key=[])(counts)
    asked = tuning_ranks.Question(alone, None, (), (np.zeros(1, np.int32),), {"grid": (1,)}, [])
    assert not tuning_ranks._communicates(asked, alone.configs)


@triton.jit
def wide(buffers, out, kept, N: tl.constexpr):
    i = tl.arange(0, N)
    tl.store(out + i, tl.load(td.symm_at(buffers, 0, tl.bfloat16) + i))


@pytest.mark.skipif(KIND == "interpret", reason="the interpreter has no PTX")
def test_accesses_to_a_peer_are_sixteen_bytes_wide():
    out, kept = (np.zeros(1024, np.int16) for _ in range(2))
    out, kept = (triton.reinterpret(each, tl.bfloat16) for each in (out, kept))
    ptx = wide.warmup(np.zeros(1, np.int64), out, kept, N=1024, grid=(1,)).asm["ptx"]
    assert re.search(r"ld\.global(\.\w+)*\.v4\.b32", ptx)


@triton.jit
def signals(pads, kept, out, KIND: tl.constexpr):
    if KIND == "set":
        td.notify(pads, 1, 3, 5)
        td.wait(td.symm_at(pads, 1, tl.int32) + 3, 1, 5)
    elif KIND == "add":
        td.notify(pads, 1, 3)
        td.notify(pads, 1, 3, 4, sig_op="add")
        td.notify(pads, 1, 4, 5)
        td.wait(td.symm_at(pads, 1, tl.int32) + 3, 2, 5)
    else:
        td.notify(pads, 1, 3, 5, sig_op="max")
    tl.store(out, 1)


@pytest.mark.parametrize("kind, expected", [("set", [0, 0, 0, 5, 0, 0, 0, 0]), ("add", [0, 0, 0, 5, 5, 0, 0, 0])])
def test_signals_are_set_and_added(kind, expected):
    pads, out = np.zeros((2, 8), np.int32), np.zeros(1, np.int32)
    signals[(1,)](table(pads), pads, out, KIND=kind)
    np.testing.assert_array_equal(pads, [[0] * 8, expected])
    assert out[0] == 1


def test_other_ways_to_signal_are_refused():
    pads, out = np.zeros((2, 8), np.int32), np.zeros(1, np.int32)
    with pytest.raises(triton.CompilationError, match='expected `sig_op` to be "set" or "add"'):
        signals[(1,)](table(pads), pads, out, KIND="max")


@triton.jit
def who(place, out):
    tl.store(out, td.rank(place) + 10 * td.num_ranks(place))


def test_a_place_says_which_rank_of_how_many():
    out = np.zeros(1, np.int32)
    who[(1,)](np.array([3, 8], np.int32), out)
    assert out[0] == 83


product_file = kernel_file("matmul_all_reduce")
product_kernel = product_file.matmul_all_reduce_kernel


@triton.jit
def product_in_kept_memory(kept, a, w, y, rooms, words_at, turns, M, N, K, rank, BLOCK_M: tl.constexpr):
    product_kernel(a, w, y, rooms, words_at, turns, M, N, K, rank, WORLD=2, BLOCK_M=BLOCK_M, BLOCK_N=64, BLOCK_K=32)


@pytest.mark.parametrize("m, n, k", [(3, 100, 96), (16, 128, 64)])
def test_a_product_and_its_sum_in_one_launch(m, n, k):
    world, rank, block_n = 2, 1, 64
    block_m, programs = product_file.block_m(m), -(-n // block_n)
    draws = np.random.default_rng(0)
    a, w = (draws.standard_normal(shape).astype(np.float16) for shape in ((m, k), (n, k)))
    theirs = draws.standard_normal((programs * block_n, block_m)).astype(np.float16)
    words_at, elements = product_file.room_of(programs, world, block_n * block_m, 2)
    kept, turns = np.zeros((world, elements), np.float16), np.zeros(programs, np.int32)
    kept[rank, theirs.size * world:][:theirs.size] = theirs.ravel()  # the tiles of rank 0, for the first turn
    kept[rank].view(np.int32)[words_at::world] = 1  # its signals
    y = np.zeros((m, n), np.float16)
    product_in_kept_memory[(programs,)](kept, a, w, y, table(kept), words_at, turns, m, n, k, rank, BLOCK_M=block_m)
    assert turns.tolist() == [1] * programs
    own = a.astype(np.float64) @ w.astype(np.float64).T
    np.testing.assert_allclose(y, own + theirs.astype(np.float64)[:n, :m].T, rtol=1e-2, atol=2e-2)
    given = kept[0, theirs.size * (world + rank):][:theirs.size].reshape(theirs.shape)[:n, :m]
    np.testing.assert_allclose(given, own.T, rtol=1e-2, atol=2e-2)
    assert kept[0].view(np.int32)[words_at:].tolist() == [0, 1] * programs


@pytest.mark.parametrize("rank", [0, 1])
def test_a_product_begins_with_the_rows_of_its_rank(rank):
    draws = np.random.default_rng(0)
    a, w = (draws.standard_normal((rows, 64)).astype(np.float16) for rows in (256, 100))
    y, progress = np.zeros((256, 100), np.float16), np.ones(2, np.int32)
    kernel = kernel_file("all_gather_matmul").all_gather_matmul_kernel
    kernel[(4,)](a, w, y, progress, 256, 100, 64, 128, 128, rank, 0, BLOCK_M=64, BLOCK_N=128, BLOCK_K=32, GROUP_M=2, num_warps=4)
    np.testing.assert_allclose(y, a.astype(np.float32) @ w.astype(np.float32).T, rtol=1e-2, atol=5e-2)
    assert progress.tolist() == [1, 1]


@pytest.mark.skipif(KIND != "emulator", reason="the emulator finds out who waits for ever")
def test_a_product_waits_for_rows_of_its_peers():
    a, y = np.zeros((256, 64), np.float16), np.zeros((256, 128), np.float16)
    kernel = kernel_file("all_gather_matmul").all_gather_matmul_kernel
    with pytest.raises(triton.KernelFault, match="distributed.py"):
        kernel[(4,)](a, a[:128].copy(), y, np.array([0, 1], np.int32), 256, 128, 64, 128, 128, 1, 0, BLOCK_M=64, BLOCK_N=128, BLOCK_K=32,
                     GROUP_M=2, num_warps=4)
