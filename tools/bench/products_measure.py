"""The part of products_beside_peers.py that needs a GPU, PyTorch and Triton."""

import gc
import math
import statistics
import sys
import time
import traceback

import torch
import triton
from torch.nn.attention import SDPBackend, sdpa_kernel
from torch.nn.functional import scaled_dot_product_attention

from beside_triton_measure import (LOCAL_BYTES, NUM_REGS, best_of, in_turns, load_kernel_file, loaded, make_buffers,
                                   our_launches, their_launches, time_ms)


def peers_of(case, buffers):
    """The library's ways to compute the same: name -> function."""
    if case.expected == "attention":
        q, k, v = (buffers[f"{x}_ptr"].unsqueeze(0) for x in "qkv")

        def cudnn():
            with sdpa_kernel(SDPBackend.CUDNN_ATTENTION):
                return scaled_dot_product_attention(q, k, v, is_causal=case.name == "attention_causal")

        return {"cuDNN": cudnn}
    a, b = buffers["a_ptr"], buffers["b_ptr"]
    if case.dtype == "i8":
        return {"cuBLAS": lambda: torch._int_mm(a, b.t())}
    if case.dtype.startswith("fp8"):
        scale = torch.full((), case.arguments["scale"], device="cuda")
        one = torch.ones((), device="cuda")
        return {"cuBLAS": lambda: torch._scaled_mm(a, b.t(), scale, one, out_dtype=torch.float16)}
    out, columns = torch.empty_like(buffers["c_ptr"]), b.t().contiguous()
    return {"cuBLAS": lambda: torch.mm(a, b, out=out), "cuBLAS-NT": lambda: torch.mm(a, columns.t(), out=out)}


def expected_of(case, buffers, peers):
    """What both sides must come near: the library's result, or where it has none PyTorch's in fp32."""
    if peers:
        result = next(iter(peers.values()))()
        return result.squeeze(0).clone() if case.expected == "attention" else result.clone()
    output = buffers[case.output]
    if case.expected == "attention":
        q, k, v = (buffers[f"{x}_ptr"].unsqueeze(0) for x in "qkv")
        return scaled_dot_product_attention(q, k, v, is_causal=case.name == "attention_causal").squeeze(0)
    a, b = buffers["a_ptr"].float(), buffers["b_ptr"].float()
    b = b.t() if b.shape[0] == output.shape[1] and case.arguments["stride_bk"] == 1 else b
    return (case.arguments.get("scale", 1) * (a @ b)).to(output.dtype)


def working(peers, case):
    """Those that run here: a library may lack a kernel for a shape."""
    good = {}
    for name, run in peers.items():
        try:
            run()
            torch.cuda.synchronize()
            good[name] = run
        except Exception as error:
            print(f"{case.label()}: {name}: {str(error).strip()[:200]}", file=sys.stderr)
    return good


def measure(options, case, compiled):
    buffers = make_buffers(case)
    output = buffers[case.output]
    peers = working(peers_of(case, buffers), case)
    expected = expected_of(case, buffers, peers)
    ours = our_launches(case, compiled, buffers)
    best_ours = best_of("Tegula", case, ours, output, expected)
    if not best_ours:
        return None
    a, names, runs = best_ours[1], ["Tegula"], [ours[best_ours[1]]]
    best_theirs = None
    if not options.without_triton:
        theirs = their_launches(case, load_kernel_file(case.file), buffers)
        best_theirs = best_of("Triton", case, theirs, output, expected)
    if best_theirs:
        names.append("Triton")
        runs.append(theirs[best_theirs[1]])
    if peers:
        library = min(peers, key=lambda name: time_ms(peers[name], 5, 15))
        names.append(library)
        runs.append(peers[library])
    table = in_turns(options.rounds, runs)
    image = loaded[case.variant(case.configs[a])]
    row = {"kernel": case.name, "dtype": case.dtype, "shape": list(case.shape), "tegula_config": str(case.configs[a]),
           "triton_config": str(case.configs[best_theirs[1]]) if best_theirs else None,
           "registers": image.attribute(NUM_REGS), "local_bytes": image.attribute(LOCAL_BYTES),
           "shared_bytes": image.compiled.shared}
    for i, name in enumerate(names):
        side = "library" if i == len(names) - 1 and peers else name.lower()
        row[f"{side}_TFLOPS"] = case.moved / statistics.median(r[i] for r in table) * 1e-9
        if i:
            row[f"to_{side}"] = statistics.median(r[i] / r[0] for r in table)
    row["library"] = names[-1] if peers else None
    return row


def text(row, key, digits):
    return f"{row[key]:.{digits}f}" if key in row else "-"


def table_row(row):
    return (f"| {row['kernel']} | {row['dtype']} | {'×'.join(map(str, row['shape']))} | "
            f"{text(row, 'tegula_TFLOPS', 0)} | {text(row, 'triton_TFLOPS', 0)} | {text(row, 'library_TFLOPS', 0)} | "
            f"{text(row, 'to_triton', 3)} | {text(row, 'to_library', 3)} |")


def geometric_mean(values):
    return math.exp(sum(map(math.log, values)) / len(values))


def print_tables(rows):
    print("\n| kernel | type | shape | Tegula TFLOPS | Triton TFLOPS | library TFLOPS | to Triton | to library |")
    print("|---|---|---|---|---|---|---|---|")
    print("\n".join(table_row(r) for r in rows))
    for name in dict.fromkeys(r["kernel"] for r in rows):
        for side in ("to_triton", "to_library"):
            found = [r[side] for r in rows if r["kernel"] == name and side in r]
            if found:
                print(f"{name}, {side.replace('_', ' ')}: geometric mean {geometric_mean(found):.3f}, "
                      f"least {min(found):.3f} of {len(found)}")
    grouped, plain = ([r for r in rows if r["kernel"] == name and r["shape"] == [8192] * 3]
                      for name in ("matmul", "matmul_row_major"))
    if grouped and plain:
        print(f"8192³ in groups {grouped[0]['tegula_TFLOPS']:.0f} TFLOPS, row by row {plain[0]['tegula_TFLOPS']:.0f}")


def for_each(options, cases, start, body):
    """`body(case)` within the budget, with the memory cleared behind each; what it gives, and what was left."""
    torch.zeros(1, device="cuda")  # makes the context that the driver calls need
    print(f"{torch.cuda.get_device_name()}, Triton {triton.__version__}, PyTorch {torch.__version__}", flush=True)
    rows, left = [], []
    for case in cases:
        if time.monotonic() - start > options.budget:
            left.append(case.label())
            continue
        try:
            row = body(case)
        except Exception:
            traceback.print_exc()
            row = None
        gc.collect()
        torch.cuda.empty_cache()
        if row:
            rows.append(row)
        else:
            print(f"{case.label()}: not measured", flush=True)
    if left:
        print("left out for time: " + ", ".join(left))
    return rows


def measure_all(options, cases, compiled, start):
    def one(case):
        row = measure(options, case, compiled)
        if row:
            print(f"{case.label()}: Tegula {row['tegula_TFLOPS']:.1f} TFLOPS ({row['tegula_config']}; "
                  f"{row['registers']} registers, {row['local_bytes']} bytes spilled, {row['shared_bytes']} shared), "
                  f"Triton {text(row, 'triton_TFLOPS', 1)} ({row['triton_config']}), {row['library']} "
                  f"{text(row, 'library_TFLOPS', 1)}; to Triton {text(row, 'to_triton', 3)}, "
                  f"to the library {text(row, 'to_library', 3)}", flush=True)
        return row

    rows = for_each(options, cases, start, one)
    if rows:
        print_tables(rows)
    print(f"{time.monotonic() - start:.0f} s")
    return {"device": torch.cuda.get_device_name(), "triton": triton.__version__, "rows": rows}


#===--- sweeping ---===#

def sweep(options, case, compiled):
    """TFLOPS of each config that works: {config without its grid: rate}."""
    buffers = make_buffers(case)
    output = buffers[case.output]
    peers = working(peers_of(case, buffers), case)
    expected = expected_of(case, buffers, peers)
    rates = {}
    for config, launch in zip(case.configs, our_launches(case, compiled, buffers)):
        single = [launch]
        found = best_of("Tegula", type(case)(**{**case.__dict__, "configs": [config]}), single, output, expected)
        if found:
            image = loaded[case.variant(config)]
            name = str(config).rsplit(", grid", 1)[0]
            rates[name] = {"TFLOPS": case.moved / found[0] * 1e-9, "registers": image.attribute(NUM_REGS),
                           "local_bytes": image.attribute(LOCAL_BYTES), "shared_bytes": image.compiled.shared}
    best = sorted(rates, key=lambda name: -rates[name]["TFLOPS"])
    print(f"{case.label()}:", flush=True)
    for name in best[:6]:
        print("  {TFLOPS:.1f} TFLOPS, {registers} registers, {local_bytes} bytes spilled, {shared_bytes} shared: "
              .format(**rates[name]) + name, flush=True)
    return {"kernel": case.name, "shape": list(case.shape), "rates": rates} if rates else None


def print_overall(rows):
    """Of each kernel and head size, the configs that lose least to each shape's best."""
    for name in dict.fromkeys(r["kernel"] for r in rows):
        mine = [r for r in rows if r["kernel"] == name]
        common = set.intersection(*(set(r["rates"]) for r in mine))
        if len(mine) < 2 or not common:
            continue
        top = [max(v["TFLOPS"] for v in r["rates"].values()) for r in mine]
        shares = {c: geometric_mean([r["rates"][c]["TFLOPS"] / t for r, t in zip(mine, top)]) for c in common}
        print(f"{name}, over {len(mine)} shapes:")
        for config in sorted(shares, key=lambda c: -shares[c])[:6]:
            print(f"  {shares[config]:.3f} of each shape's best: {config}")


def sweep_all(options, cases, compiled, start):
    failed = [found for found in compiled.values() if isinstance(found, Exception)]
    if failed:
        print(f"{len(failed)} variants do not compile, the first: {str(failed[0])[:600]}", file=sys.stderr)
    rows = for_each(options, cases, start, lambda case: sweep(options, case, compiled))
    print_overall(rows)
    print(f"{time.monotonic() - start:.0f} s")
    return {"device": torch.cuda.get_device_name(), "rows": rows}
