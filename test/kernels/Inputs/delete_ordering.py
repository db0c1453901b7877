"""Deletes what orders the threads and units of a kernel, one instruction after the other, and runs what is left.

    delete_ordering.py KERNELS WORK [CONFIG...]

Every barrier, wait and fence of the PTX must either be missed, in a fault of the emulator, or be redundant by one of
the rules of `redundancy`. The last line counts what was found and what was redundant, by rule; status 1 where an
instruction is neither, or a deletion changed a result without a fault.
"""

import re
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor

KERNELS, WORK, *CHOSEN = sys.argv[1:]

ORDERING = re.compile(r"\s*(?:@!?%\w+\s+)?((?:bar\.sync|fence\.(?:proxy\.async|mbarrier_init)|mbarrier\.arrive|"
                      r"barrier\.cluster\.(?:arrive|wait)|"
                      r"wgmma\.(?:wait_group|fence)|cp\.async\.(?:bulk\.)?wait_group)[\w.:]*)")
#: What threads do with shared memory.
THREADS = re.compile(r"\s*(?:@!?%\w+\s+)?(?:ld\.shared|st\.shared|ldmatrix|stmatrix|cp\.async\.c[ag]|mbarrier\.init)")
#: What units do with it.
UNITS = re.compile(r"\s*(?:@!?%\w+\s+)?(?:wgmma\.mma_async|cp\.async\.bulk\.tensor)")


def redundancy(lines, at, warps):
    """Why what is deleted at line `at` is not missed, or None where it should be."""
    opcode = ORDERING.match(lines[at])[1]
    others = [ORDERING.match(line) for line in lines]
    before = [other[1] for other in others[:at] if other and not other[1].startswith("cp.async.wait_group")]
    last = max((i for i, other in enumerate(others[:at]) if other and other[1] == "bar.sync"), default=0)
    threads_were_there = any(THREADS.match(line) for line in lines[last:at])
    behind = [("fence" if match[1].startswith("fence.proxy.async") else None) if match else
              "unit" if UNITS.match(line) else None for line, match in zip(lines[at + 1:], others[at + 1:])]
    only_products = before[-1:] == ["wgmma.wait_group.sync.aligned"] or not threads_were_there
    if opcode == "bar.sync" and warps == 4 and only_products:
        # What was at the memory before is complete for the four warps of a group at once, and here are no others.
        return "one-group"
    if opcode == "cp.async.wait_group" and lines[at].split()[-1] == "0;" and not any(
            "cp.async.c" in line for line in lines[at:]):
        # Copies for iterations beyond the last one are not issued: the loop has waited for all others.
        return "no-copies-left"
    if opcode.startswith("fence.proxy.async") and next(filter(None, behind), "fence") == "fence":
        # Another fence stands in front of the next access of a unit, or there is none.
        return "later-fence"
    return None


def tegula(*words):
    return subprocess.run(["tegula", *words], capture_output=True, text=True, timeout=300)


class Config:
    """A kernel compiled one way, and a launch of it."""

    def __init__(self, name, file, kernel, warps, constants, sizes, arrays, grid, prints, without="", stages=3):
        self.name, self.warps, self.grid, self.prints = name, warps, grid, prints
        self.path = f"{WORK}/{name}.ptx"
        signature = {n: f"*{t.split(':')[1].split('[')[0]}:16" for n, t in arrays.items()}
        signature.update({n: f"i32={v}" if v == 1 else "fp32" if isinstance(v, float) else "i32:16+" if v % 16 == 0 else "i32:8+"
                          for n, v in sizes.items()})
        words = ["compile", f"{KERNELS}/{file}", "-k", kernel, "--arch=sm_90a", f"--num-warps={warps}",
                 f"--num-stages={stages}", "-o", self.path] + ([f"--without={without}"] if without else [])
        for n, v in constants.items():
            words += ["-D", f"{n}={v}"]
        for n, t in signature.items():
            words += ["--sig", f"{n}={t}"]
        compiled = tegula(*words)
        assert compiled.returncode == 0, compiled.stderr
        self.arguments = [word for n, v in {**arrays, **{n: v for n, v in sizes.items() if v != 1}}.items()
                          for word in ("--arg", f"{n}={v}")]
        with open(self.path) as file:
            self.lines = file.read().split("\n")

    def run(self, path):
        return tegula("run", path, f"--grid={self.grid}", "--device=emulator:3", *self.arguments,
                      *(word for name in self.prints for word in ("--print", name)))

    def without(self, at):
        path = f"{self.path}.{at}.ptx"
        with open(path, "w") as file:
            file.write("\n".join(self.lines[:at] + [""] + self.lines[at + 1:]))
        return self.run(path)


def matmul(name, warps, without="", kernel="matmul_kernel", m=128, n=128, k=64, loops=4, stages=3, programs=1,
           columns=0):
    rows, columns = m * programs, columns or n
    arrays = {"a_ptr": f"randn:fp16[{rows},{k * loops}]", "b_ptr": f"randn:fp16[{k * loops},{columns}]",
              "c_ptr": f"empty:fp16[{rows},{columns}]"}
    constants = {"BLOCK_M": m, "BLOCK_N": n, "BLOCK_K": k}
    if kernel == "matmul_grouped_kernel":
        arrays["bias_ptr"] = f"randn:fp16[{n}]"
        constants.update(GROUP_M=8, ACTIVATION='"relu"')
    sizes = {"M": rows, "N": columns, "K": k * loops, "stride_am": k * loops, "stride_ak": 1, "stride_bk": columns,
             "stride_bn": 1, "stride_cm": columns, "stride_cn": 1}
    grid = f"{programs},{-(-columns // n)}"
    return Config(name, "matmul.py", kernel, warps, constants, sizes, arrays, grid, ["c_ptr"], without, stages)


def attention(name, warps, without="", loops=3):
    rows, n, d = 16 * warps, 64, 64
    length = max(n * loops, rows)
    arrays = {f"{p}_ptr": f"{'empty' if p == 'o' else 'randn'}:fp16[{length},{d}]" for p in "qkvo"}
    arrays["lse_ptr"] = f"empty:fp32[{length}]"
    constants = {"BLOCK_M": rows, "BLOCK_N": n, "D": d, "CAUSAL": False, "EVEN_N": True}
    sizes = {"stride_head": length * d, "stride_row": d, "N": length, "scale": 0.125}
    return Config(name, "attention.py", "attention_kernel", warps, constants, sizes, arrays, length // rows,
                  ["o_ptr", "lse_ptr"], without, stages=2)


CONFIGS = {
    "copies": lambda name: matmul(name, 4, "tma"),
    "copies-two-groups": lambda name: matmul(name, 8, "tma"),
    "tma": lambda name: matmul(name, 4, n=64),
    "tma-two-groups": lambda name: matmul(name, 8),
    "tma-without-stores": lambda name: matmul(name, 8, "stores"),
    "mma": lambda name: matmul(name, 4, "wgmma", m=64, n=64, k=32),
    "epilogue": lambda name: matmul(name, 8, kernel="matmul_grouped_kernel"),
    "producers": lambda name: matmul(name, 8, "multicast", n=256, loops=5, programs=3),
    # Few iterations, or the loads of the next program would order the epilogue of this one.
    "producers-epilogue": lambda name: matmul(name, 8, "multicast", "matmul_grouped_kernel", n=256, loops=2, programs=3),
    "producers-four-groups": lambda name: matmul(name, 16, "multicast", m=256, loops=5, programs=2),
    # Rows of 528 bytes begin inside lines: neighbouring blocks load for each other.
    "pairs": lambda name: matmul(name, 8, n=256, loops=5, programs=3, columns=264),
    "attention": lambda name: attention(name, 4),
    "attention-two-groups": lambda name: attention(name, 8),
    "attention-copies": lambda name: attention(name, 4, "tma"),
}


def check(config, found, redundant):
    """What is wrong with the deletions of one config."""
    whole = config.run(config.path)
    assert whole.returncode == 0, whole.stderr
    places = [at for at, line in enumerate(config.lines) if ORDERING.match(line)]
    with ThreadPoolExecutor(2) as pool:
        runs = list(pool.map(config.without, places))
    wrong = []
    for at, run in zip(places, runs):
        if run.returncode == 3:
            found.append(at)
            continue
        rule = redundancy(config.lines, at, config.warps)
        if run.returncode != 0 or run.stdout != whole.stdout or rule is None:
            wrong.append(f"{config.path}:{at + 1}: `{config.lines[at].strip()}` is not missed: "
                         f"status {run.returncode}, {'the same' if run.stdout == whole.stdout else 'another'} result {run.stderr}")
        else:
            redundant[rule] = redundant.get(rule, 0) + 1
    return wrong


def main():
    found, redundant, wrong = [], {}, []
    for name in CHOSEN or CONFIGS:
        wrong += check(CONFIGS[name](name), found, redundant)
    print("\n".join(wrong + [f"found {len(found)}; redundant: " +
                             ", ".join(f"{rule} {count}" for rule, count in sorted(redundant.items()))]))
    return bool(wrong)


sys.exit(main())
