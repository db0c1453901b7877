"""Random kernels that were saved, run by Triton on a GPU: does it compute what the interpreter did?

    random-programs --save=FOLDER --schedules=0 --count=2000
    python3 test/random/by_triton.py FOLDER [--processes 16] [--compiler triton|tegula]

Each `SEED.py` is launched as its `SEED.json` says, and each output is compared element by element, as `random-programs`
does: bit by bit, floats within what the kernel allows them, zeros of either sign equal. What Triton refuses to compile is
counted with its reason, and is no difference.
"""

from __future__ import annotations

import argparse
import collections
import importlib.util
import json
import multiprocessing
import pathlib
import sys

import numpy as np

#: What holds the elements of a type: bits, in NumPy; PyTorch's type.
STORED = {
    "i1": ("uint8", "bool"), "i8": ("uint8", "int8"), "u8": ("uint8", "uint8"), "i16": ("uint16", "int16"),
    "u16": ("uint16", "uint16"), "i32": ("uint32", "int32"), "u32": ("uint32", "uint32"), "i64": ("uint64", "int64"),
    "u64": ("uint64", "uint64"), "fp16": ("uint16", "float16"), "bf16": ("uint16", "bfloat16"), "fp32": ("uint32", "float32"),
    "fp64": ("uint64", "float64"), "fp8e5": ("uint8", "float8_e5m2"), "fp8e4nv": ("uint8", "float8_e4m3fn"),
}


def kind_of(argument: dict) -> str:
    """The element's type, without what is known of the argument: "fp16" of "*fp16:16"."""
    return argument["type"].lstrip("*").split(":")[0].split("=")[0].rstrip("+")


def tensor_of(bits: bytes, kind: str):
    import torch

    words, name = STORED[kind]
    array = np.frombuffer(bits, words).copy()
    return torch.from_numpy(array.view(words.removeprefix("u"))).cuda().view(getattr(torch, name))


def bits_of(tensor) -> bytes:
    import torch

    return tensor.view(getattr(torch, f"int{tensor.element_size() * 8}")).cpu().numpy().tobytes()


def numbers_of(bits: bytes, kind: str) -> np.ndarray:
    import torch

    if kind in ("fp16", "fp32", "fp64"):
        return np.frombuffer(bits, kind.replace("fp", "float")).astype(np.float64)
    words, name = STORED[kind]
    array = torch.from_numpy(np.frombuffer(bits, words).copy().view(words.removeprefix("u")))
    return array.view(getattr(torch, name)).to(torch.float64).numpy()


def difference(argument: dict, found: bytes) -> str:
    """Where an output differs first, or nothing."""
    expected, kind = bytes.fromhex(argument["expected"]), kind_of(argument)
    if expected == found:
        return ""
    words = STORED[kind][0]
    differ = np.frombuffer(expected, words) != np.frombuffer(found, words)
    if kind[0] in "fb":
        a, b = numbers_of(expected, kind), numbers_of(found, kind)
        with np.errstate(invalid="ignore"):
            near = np.abs(a - b) <= argument["ulps"] * np.maximum(np.abs(a), 1e-30) * 2.0**-23 + argument["error"]
        differ &= ~((a == b) | (np.isnan(a) & np.isnan(b)) | near)
        shown = a, b
    else:
        shown = np.frombuffer(expected, words), np.frombuffer(found, words)
    if not differ.any():
        return ""
    at = int(np.argmax(differ))
    return f"{argument['name']}[{at}]: expected {shown[0][at]}, found {shown[1][at]}; {int(differ.sum())} of {differ.size} differ"


def outcome(path: pathlib.Path) -> tuple[str, str]:
    """How a kernel goes: "agrees", "differs", "is refused" or "faults"; and why."""
    import torch

    launch = json.loads(path.with_suffix(".json").read_text())
    spec = importlib.util.spec_from_file_location(f"random_{path.stem}", path)
    module = importlib.util.module_from_spec(spec)
    arrays, passed = {}, []
    for argument in launch["arguments"]:
        bits, kind = bytes.fromhex(argument["bytes"]), kind_of(argument)
        if not argument["type"].startswith("*"):
            signed = np.frombuffer(bits, STORED[kind][0].removeprefix("u") if kind[0] == "i" else STORED[kind][0])
            passed.append(bool(signed[0]) if kind == "i1" else float(numbers_of(bits, kind)[0]) if kind[0] in "fb" else int(signed[0]))
            continue
        if kind not in STORED:
            return "is refused", f"PyTorch has no {kind}"
        if "array" not in argument:
            arrays[argument["name"]] = tensor_of(bits, kind)
        passed.append(arrays[argument.get("array", argument["name"])][argument["skip"]:])
    try:
        spec.loader.exec_module(module)
        module.kernel[tuple(launch["grid"])](*passed, num_warps=launch["num_warps"], num_stages=launch["num_stages"])
    except Exception as error:
        return "is refused", (str(error).strip().splitlines() or [type(error).__name__])[-1][:150] if len(str(error)) < 4000 else \
            f"{type(error).__name__}: {str(error)[-150:]}"
    torch.cuda.synchronize()
    for argument in launch["arguments"]:
        if "expected" in argument and (differs := difference(argument, bits_of(arrays[argument["name"]]))):
            return "differs", differs
    return "agrees", ""


def serve(pipe, compiler: str) -> None:
    if compiler == "tegula":
        import tegula

        tegula.install_as_triton()
    while (path := pipe.recv()) is not None:
        try:
            pipe.send(outcome(path))
        except Exception as error:
            pipe.send(("faults", f"{type(error).__name__}: {str(error)[:200]}"))


def run(paths: list[pathlib.Path], processes: int, compiler: str, seconds: float) -> dict[pathlib.Path, tuple[str, str]]:
    """Each kernel's outcome. One that kills its process or faults costs that process."""
    import threading

    context, left, found = multiprocessing.get_context("spawn"), collections.deque(paths), {}

    def work() -> None:
        process = None
        while True:
            try:
                path = left.popleft()
            except IndexError:
                break
            if process is None:
                ours, theirs = context.Pipe()
                process = context.Process(target=serve, args=(theirs, compiler), daemon=True)
                process.start()
                theirs.close()
            try:
                ours.send(path)
                found[path] = ours.recv() if ours.poll(seconds) else ("faults", "takes too long")
            except (EOFError, BrokenPipeError, ConnectionResetError):
                found[path] = ("faults", "the process died")
            if found[path][0] == "faults":
                process.kill()
                process = None
        if process:
            process.kill()

    threads = [threading.Thread(target=work) for _ in range(processes)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return found


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=pathlib.Path)
    parser.add_argument("--processes", type=int, default=16)
    parser.add_argument("--compiler", choices=("triton", "tegula"), default="triton")
    parser.add_argument("--seconds", type=float, default=60, help="for one kernel")
    arguments = parser.parse_args()
    found = run(sorted(arguments.folder.glob("*.py")), arguments.processes, arguments.compiler, arguments.seconds)
    reasons = collections.Counter(why for how, why in found.values() if how == "is refused")
    for why, count in reasons.most_common(25):
        print(f"{count:5} refused: {why}")
    for path, (how, why) in sorted(found.items()):
        if how in ("differs", "faults"):
            print(f"{path.stem} {how}: {why}")
    counts = collections.Counter(how for how, _ in found.values())
    print(f"{len(found)} kernels by {arguments.compiler}:", dict(counts))
    return int(counts["differs"] + counts["faults"] > 0)


if __name__ == "__main__":
    sys.exit(main())
