"""Measures the kernels for several GPUs against PyTorch's symmetric memory and NCCL, and runs them for long.

    torchrun --nproc-per-node=2 tools/distributed/bench.py [--only=all_reduce,norm,matmul,gather,stress] [--json=FILE]

Every side is captured in a CUDA graph of equal calls on its own buffers. A time is that of the slowest rank, the median of rounds in
which all sides take turns. Results are compared first, with a sum in double precision or with PyTorch's. Without NVLink multicast
(TORCH_SYMM_MEM_DISABLE_MULTICAST=1, NCCL_NVLS_ENABLE=0) the table says so.
"""

from __future__ import annotations

import argparse
import json
import os
import pathlib
import statistics
import sys
import traceback

import tegula as triton
import tegula.language as tl

triton.install_as_triton()  # for kernels that import `triton`

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "kernels"))

import all_gather_matmul as gather
import all_reduce
import matmul
import matmul_all_reduce as fused
import torch
import torch.distributed as dist
from all_reduce import symmetric

KIB, MIB = 1024, 1024 * 1024
CALLS = 20  #: of a graph


class Bench:
    """The measurements of a run: each is a row, and all time in the same way."""

    def __init__(self, rounds):
        self.rounds = rounds
        self.rows = []
        self.device = torch.device("cuda", torch.cuda.current_device())
        self.group = dist.group.WORLD.group_name
        # Ranks speak of failures by the host: a kernel that failed leaves NCCL in no known state.
        self.host = dist.new_group(backend="gloo")

    @property
    def is_first(self):
        return dist.get_rank() == 0

    def say(self, text):
        if self.is_first:
            print(text, flush=True)

    def slowest(self, value):
        word = torch.tensor([value], dtype=torch.float64)
        dist.all_reduce(word, dist.ReduceOp.MAX, group=self.host)
        return word.item()

    def captured(self, call):
        """A graph of `CALLS` calls. The first call, which compiles, is not in it."""
        for _ in range(2):
            call()
        torch.cuda.synchronize()
        dist.barrier(group=self.host)
        graph = torch.cuda.CUDAGraph()
        with torch.cuda.graph(graph):
            for _ in range(CALLS):
                call()
        return graph

    def microseconds(self, graph, replays=10):
        start, end = torch.cuda.Event(enable_timing=True), torch.cuda.Event(enable_timing=True)
        graph.replay()
        torch.cuda.synchronize()
        dist.barrier(group=self.host)
        start.record()
        for _ in range(replays):
            graph.replay()
        end.record()
        torch.cuda.synchronize()
        return self.slowest(start.elapsed_time(end) * 1000 / (replays * CALLS))

    def compare(self, work, case, sides):
        """Measures `sides`, functions by name, in turns. A side that fails on any rank is left out, with its error."""
        graphs = {}
        for name, call in sides.items():
            failure = None
            try:
                graphs[name] = self.captured(call)
            except Exception as error:
                failure = error
                traceback.print_exc()
            if self.slowest(float(failure is not None)):
                graphs.pop(name, None)
                self.say(f"{work} {case}: {name} failed")
        times = {name: [] for name in graphs}
        for _ in range(self.rounds):
            for name, graph in graphs.items():
                times[name].append(self.microseconds(graph))
        row = {"work": work, "case": case, "microseconds": {name: statistics.median(all) for name, all in times.items()}}
        self.rows.append(row)
        self.say(f"{work:12} {case:>10}  " + "  ".join(f"{name} {time:.2f}" for name, time in row["microseconds"].items()))
        return row


def sizes_text(count):
    return f"{count / MIB:g} MiB" if count >= MIB else f"{count / KIB:g} KiB"


def bench_all_reduce(bench, options):
    """The sum over ranks, of 256 KiB to 64 MiB of bf16."""
    for size in (256 * KIB, 512 * KIB, MIB, 2 * MIB, 8 * MIB, 64 * MIB):
        x, handle = symmetric((size // 2,), torch.bfloat16)
        x.copy_(torch.randn(size // 2, device=bench.device))
        theirs, plain = symmetric((size // 2,), torch.bfloat16)[0], x.clone()
        theirs.zero_()
        shares = [torch.empty_like(plain) for _ in range(handle.world_size)]
        dist.all_gather(shares, plain)
        expected = all_reduce.reference(shares)
        torch.testing.assert_close(all_reduce.all_reduce(x, handle), expected, rtol=2e-2, atol=2e-2)
        torch.testing.assert_close(all_reduce.all_reduce_in_place(x, handle), expected, rtol=2e-2, atol=2e-2)
        x.zero_()  # sums of sums would overflow
        sides = {"one shot": lambda: all_reduce.all_reduce(x, handle),
                 "in place": lambda: all_reduce.all_reduce_in_place(x, handle)}
        for most, block, warps in options.tries:
            how = dict(most_programs=most, block=block, num_warps=warps)
            sides[f"1:{most}x{block}x{warps}"] = lambda how=how: all_reduce.all_reduce(x, handle, **how)
            sides[f"2:{most}x{block}x{warps}"] = lambda how=how: all_reduce.all_reduce_in_place(x, handle, **how)
        sides["torch one shot"] = lambda: torch.ops.symm_mem.one_shot_all_reduce(theirs, "sum", bench.group)
        sides["torch in place"] = lambda: torch.ops.symm_mem.two_shot_all_reduce_(theirs, "sum", bench.group)
        sides["nccl"] = lambda: dist.all_reduce(plain)
        bench.compare("all_reduce", sizes_text(size), sides)


@triton.jit
def add_norm_kernel(x_ptr, residual_ptr, weight_ptr, y_ptr, n, eps, BLOCK: tl.constexpr):
    columns = tl.arange(0, BLOCK)
    place = tl.program_id(0).to(tl.int64) * n + columns
    mask = columns < n
    x = tl.load(x_ptr + place, mask=mask, other=0.0).to(tl.float32)
    x += tl.load(residual_ptr + place, mask=mask, other=0.0).to(tl.float32)
    tl.store(residual_ptr + place, x.to(residual_ptr.dtype.element_ty), mask=mask)
    weight = tl.load(weight_ptr + columns, mask=mask).to(tl.float32)
    y = x * tl.rsqrt(tl.sum(x * x, axis=0) / n + eps) * weight
    tl.store(y_ptr + place, y.to(y_ptr.dtype.element_ty), mask=mask)


def bench_norm(bench, options):
    """The sum over ranks with a residual and RMSNorm behind it, in one kernel and in two."""
    n = 8192
    for rows in (16, 64, 256, 512):
        x, handle = symmetric((rows, n), torch.bfloat16)
        x.copy_(torch.randn(rows, n, device=bench.device))
        plain, weight = x.clone(), torch.ones(n, dtype=torch.bfloat16, device=bench.device)
        residual, normed = torch.zeros_like(plain), torch.empty_like(plain)
        shares = [torch.empty_like(plain) for _ in range(handle.world_size)]
        dist.all_gather(shares, plain)
        expected = all_reduce.reference(shares, residual, weight)
        found = all_reduce.all_reduce(x, handle, residual, weight)
        torch.testing.assert_close((found, residual), expected, rtol=2e-2, atol=2e-2)
        def two_kernels():
            dist.all_reduce(plain)
            add_norm_kernel[(rows,)](plain, residual, weight, normed, n, 1e-6, BLOCK=n, num_warps=8)

        sides = {"tegula": lambda: all_reduce.all_reduce(x, handle, residual, weight)}
        for most, _, warps in options.tries:
            how = dict(most_programs=most, num_warps=warps)
            sides[f"{most}x{warps}"] = lambda how=how: all_reduce.all_reduce(x, handle, residual, weight, **how)
        bench.compare("norm", f"{rows}x{n}", {**sides, "nccl+norm": two_kernels})


def product_of(a, b, y):
    """Tegula's product alone, in the best of its file's configs."""
    grid = lambda meta: (triton.cdiv(y.shape[0], meta["BLOCK_M"]) * triton.cdiv(y.shape[1], meta["BLOCK_N"]),)
    return lambda: matmul.matmul_tuned_kernel[grid](a, b, y, None, *matmul.sizes_and_strides(a, b, y))


def bench_gather(bench, options):
    """A product whose rows lie on all ranks: copied under it, by parts of PyTorch's, and copied first."""
    n, k, world = 3584, 8192, dist.get_world_size()
    for m in (4096, 8192, 16384):
        gathered = gather.Gathered(m // world, k, torch.bfloat16)
        gathered.shard.copy_(torch.randn(m // world, k, device=bench.device))
        w = torch.randn(n, k, device=bench.device).to(torch.bfloat16)
        whole, y, b = torch.empty_like(gathered.a), torch.empty((m, n), dtype=w.dtype, device=bench.device), w.T
        dist.all_gather_into_tensor(whole, gathered.shard)
        torch.testing.assert_close(gather.all_gather_matmul(gathered, w), whole @ b, rtol=3e-2, atol=3.0)
        own_product = product_of(whole, b, y)

        def nccl_first():
            dist.all_gather_into_tensor(whole, gathered.shard)
            own_product()

        sides = {"under the product": lambda: gather.all_gather_matmul(gathered, w)}
        for block_n, block_k, stages, warps in options.tiles:
            how = dict(block_n=block_n, block_k=block_k, num_stages=stages, num_warps=warps)
            sides[f"{block_n}x{block_k}x{stages}x{warps}"] = lambda how=how: gather.all_gather_matmul(gathered, w, **how)
        sides["torch fused"] = lambda: torch.ops.symm_mem.fused_all_gather_matmul(gathered.shard, [b], 0, bench.group)
        sides["nccl, then product"] = nccl_first
        sides["own product alone"] = own_product
        bench.compare("gather", f"{m}x{n}x{k}", sides)


def bench_matmul(bench, options):
    """A product whose K is divided over ranks, and its sum: in one launch, and as a product and a sum."""
    n = 8192
    for m, k in [(m, k) for m in (16, 32, 64, 128) for k in (4096, 7168, 14336)]:
        torch.manual_seed(dist.get_rank())
        a, w = (torch.randn(side, k, device=bench.device).to(torch.bfloat16) for side in (m, n))
        exchange = fused.Exchange(m, n, torch.bfloat16)
        product, _ = symmetric((m, n), torch.bfloat16)
        b = w.T

        own_product = product_of(a, b, product)

        def then_sum(multiply):
            multiply()
            torch.ops.symm_mem.one_shot_all_reduce(product, "sum", bench.group)

        own_product()
        shares = [torch.empty_like(product) for _ in range(dist.get_world_size())]
        dist.all_gather(shares, product.clone())
        torch.testing.assert_close(fused.matmul_all_reduce(a, w, exchange), fused.reference(shares).to(a.dtype), rtol=3e-2, atol=2.0)
        sides = {"one launch": lambda: fused.matmul_all_reduce(a, w, exchange)}
        for block_n, block_k, stages, warps in options.tiles:
            room = fused.Exchange(m, n, torch.bfloat16, block_n=block_n)
            how = dict(BLOCK_K=block_k, num_stages=stages, num_warps=warps)
            sides[f"{block_n}x{block_k}x{stages}x{warps}"] = lambda how=how, room=room: fused.matmul_all_reduce(a, w, room, **how)
        sides["own + one shot"] = lambda: then_sum(own_product)
        sides["cublas + one shot"] = lambda: then_sum(lambda: torch.mm(a, b, out=product))
        sides["own alone"] = own_product
        bench.compare("matmul", f"{m}x{n}x{k}", sides)


def run_for_long(bench, options, form):
    """Many sums while ranks are late by chance, each of what the last gave, in one shot or in place."""
    n, rank, world = 4096, dist.get_rank(), dist.get_world_size()
    x, handle = symmetric((n,), torch.float32)
    x.copy_(torch.arange(n, device=bench.device).float() % 977 + rank)
    shares = torch.stack([torch.arange(n, device=bench.device).float() % 977 + each for each in range(world)])
    ranks = torch.arange(world, device=bench.device).float()[:, None]
    draws = torch.Generator().manual_seed(rank)

    def step():
        before = x.clone()
        total = (all_reduce.all_reduce if form == "one shot" else all_reduce.all_reduce_in_place)(x, handle)
        # Whole numbers below 2^24, so that sums are exact.
        x.copy_((total * 3 + before + rank) % 1021)

    def expected_step():
        shares.copy_((shares.sum(dim=0) * 3 + shares + ranks) % 1021)

    def graph_of(call, late):
        call()  # both sides take this step, too
        torch.cuda.synchronize()
        dist.barrier(group=bench.host)
        graph = torch.cuda.CUDAGraph()
        with torch.cuda.graph(graph):
            for _ in range(100):
                if late and torch.rand((), generator=draws) < 0.2:
                    torch.cuda._sleep(int(torch.randint(1, 20000, (), generator=draws)))
                call()
        return graph

    graph, expected = graph_of(step, late=True), graph_of(expected_step, late=False)
    wrong = 0
    for replay in range(options.iterations // 100):
        graph.replay()
        expected.replay()
        if replay % 100 == 99:
            wrong += not torch.equal(x, shares[rank])
    wrong = bench.slowest(wrong + (not torch.equal(x, shares[rank])))
    bench.rows.append({"work": "stress", "case": f"{options.iterations} iterations, {form}", "wrong": wrong})
    bench.say(f"stress: {options.iterations} iterations {form}, {int(wrong)} samples wrong")


def bench_stress(bench, options):
    """Sums of 10^5 iterations, in both forms, then of sizes that fit nothing."""
    world = dist.get_world_size()
    for form in ("one shot", "in place"):
        run_for_long(bench, options, form)
    for size in (1, 2, 7, 8, 9, 63, 1000, 4095, 4097, 100003, MIB + 1, 8 * MIB, 32 * MIB):
        x, handle = symmetric((size,), torch.bfloat16)
        x.copy_(torch.randn(size, device=bench.device))
        shares = [torch.empty_like(x) for _ in range(world)]
        dist.all_gather(shares, x.clone())
        expected = all_reduce.reference(shares)
        same = torch.allclose(all_reduce.all_reduce(x, handle), expected, rtol=2e-2, atol=2e-2)
        same &= torch.allclose(all_reduce.all_reduce_in_place(x, handle), expected, rtol=2e-2, atol=2e-2)
        if bench.slowest(float(not same)):
            bench.say(f"stress: {size} elements are wrong")
            bench.rows.append({"work": "stress", "case": f"{size} elements", "wrong": 1})
    bench.say("stress: sizes are through")


SECTIONS = {"all_reduce": bench_all_reduce, "norm": bench_norm, "matmul": bench_matmul, "gather": bench_gather, "stress": bench_stress}


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--only", type=lambda text: text.split(","), default=list(SECTIONS), help="sections, with commas between")
    parser.add_argument("--tries", type=lambda text: [tuple(map(int, each.split("x"))) for each in text.split(",")], default=[],
                        help="other numbers PROGRAMSxBLOCKxWARPS to try, with commas between")
    parser.add_argument("--tiles", type=lambda text: [tuple(map(int, each.split("x"))) for each in text.split(",")], default=[],
                        help="other BLOCK_NxBLOCK_KxSTAGESxWARPS of products to try")
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--iterations", type=int, default=100000, help="of stress")
    parser.add_argument("--json", help="file for all times")
    options = parser.parse_args()
    torch.cuda.set_device(int(os.environ["LOCAL_RANK"]))
    dist.init_process_group("nccl", device_id=torch.device("cuda", torch.cuda.current_device()))
    bench = Bench(options.rounds)
    multicast = "without" if os.environ.get("TORCH_SYMM_MEM_DISABLE_MULTICAST") == "1" else "with"
    bench.say(f"{dist.get_world_size()} x {torch.cuda.get_device_name()}, PyTorch {torch.__version__}, {multicast} NVLink multicast; "
              "microseconds")
    for name in options.only:
        try:
            SECTIONS[name](bench, options)
        except Exception:
            traceback.print_exc()
            sys.stderr.flush()
            os._exit(1)  # ranks are no longer at the same place: torchrun ends the others
        if options.json and bench.is_first:
            pathlib.Path(options.json).write_text(json.dumps(bench.rows, indent=1))
    dist.destroy_process_group()


if __name__ == "__main__":
    main()
