"""What CUDA's libdevice gives, function by function: arguments of all kinds, and the bits of the results.

`golden/libdevice.txt` holds a line for each function and each of its signatures. This recorded it, with Triton on a GPU:

    python3 test/python/language/libdevice_table.py test/python/language/golden/libdevice.txt
"""

from __future__ import annotations

import dataclasses
import pathlib
import random
import struct
import zlib

import numpy as np

COUNT = 64
WORDS = {"fp32": "uint32", "fp64": "uint64", "int32": "uint32", "uint32": "uint32", "int64": "uint64", "uint64": "uint64",
         "int16": "uint16", "uint16": "uint16", "fp16": "uint16", "int1": "uint8", "bf16": "uint16"}


@dataclasses.dataclass(frozen=True)
class Signature:
    """A function with the types of its arguments and of its result, in the language's short names."""
    name: str
    arguments: tuple[str, ...]
    result: str

    @property
    def key(self) -> str:
        return f"{self.name}({', '.join(self.arguments)}) -> {self.result}"


def _bits(kind: str, value: float) -> int:
    if kind == "fp32":
        try:
            return struct.unpack("<I", struct.pack("<f", value))[0]
        except OverflowError:
            return 0x7F7FFFFF | (0x80000000 if value < 0 else 0)
    return struct.unpack("<Q", struct.pack("<d", value))[0]


def _special_floats(kind: str) -> list[int]:
    fraction, width = (23, 32) if kind == "fp32" else (52, 64)
    infinity = (1 << width - 1) - (1 << fraction)
    positive = [0, 1, (1 << fraction) - 1, 1 << fraction, infinity - 1, infinity]
    positive += [_bits(kind, v) for v in (0.25, 0.5, 1.0, 1.5, 2.0, 2.5, 3.141592653589793, 10.0, 100.0, 1e5, 1e30)]
    positive += [_bits(kind, 1.0) - 1, _bits(kind, 1.0) + 1]
    return [bits | sign << width - 1 for bits in positive for sign in (0, 1)] + [infinity + 1]


def _argument(kind: str, draw: random.Random, order: bool) -> int:
    """The bits of one argument. `order` is of one that counts: an order, an exponent."""
    if kind in ("fp32", "fp64"):
        how = draw.random()
        if how < 0.45:
            return draw.choice(_special_floats(kind))
        if how < 0.75:
            return _bits(kind, draw.uniform(-4, 4))
        if how < 0.9:
            return _bits(kind, draw.choice((-1, 1)) * 2.0**draw.uniform(-20, 20))
        bits = draw.getrandbits(32 if kind == "fp32" else 64)
        return bits
    width = int(kind.lstrip("uint"))
    if order:
        return draw.choice((0, 1, 2, 3, 5, 8, -1, -2, 20, 200, -200, 3000, -3000)) & (1 << width) - 1
    if draw.random() < 0.4:
        return draw.choice((0, 1, 2, 3, 7, 31, 32, 33, 63, -1, -2, 1 << width - 1, (1 << width - 1) - 1)) & (1 << width) - 1
    return draw.getrandbits(draw.randint(1, width)) * draw.choice((1, -1)) & (1 << width) - 1


def arguments(signature: Signature, count: int = COUNT) -> list[np.ndarray]:
    """The bits of each argument; of a function of one float, everything special first."""
    draw = random.Random(zlib.crc32(signature.key.encode()))
    mixes = {"fp32", "fp64"} & set(signature.arguments) and {"int32"} & set(signature.arguments)
    columns = [[_argument(kind, draw, bool(mixes) and kind == "int32") for _ in range(count)] for kind in signature.arguments]
    if len(columns) == 1 and signature.arguments[0] in ("fp32", "fp64"):
        special = _special_floats(signature.arguments[0])
        columns[0][:len(special)] = special
    return [np.array(column, dtype=WORDS[kind]) for column, kind in zip(columns, signature.arguments)]


def canonical(kind: str, words: np.ndarray) -> np.ndarray:
    """All NaNs the same."""
    if kind not in ("fp32", "fp64"):
        return words
    fraction, width = (23, 32) if kind == "fp32" else (52, 64)
    infinity = (1 << width - 1) - (1 << fraction)
    magnitude = words & words.dtype.type((1 << width - 1) - 1)
    return np.where(magnitude > infinity, words.dtype.type(infinity + (1 << fraction - 1)), words)


def read(path: pathlib.Path) -> dict[Signature, np.ndarray]:
    found = {}
    for line in path.read_text().splitlines():
        if line and not line.startswith("#"):
            key, words = line.split(" = ")
            call, result = key.split(" -> ")
            name, inside = call.rstrip(")").split("(")
            signature = Signature(name, tuple(inside.split(", ")), result)
            found[signature] = np.array([int(word, 16) for word in words.split()], dtype=WORDS[result])
    return found


#--- recording, with Triton on a GPU ---


def _signatures() -> list[Signature]:
    """Triton's own list: what each function hands to `extern_elementwise`."""
    from triton.language import core
    from triton.language.extra.cuda import libdevice

    found: list[Signature] = []

    class Result:
        """What a function gets back, some of which make another type of it."""

        def __init__(self, count: int):
            self.count = count

        def to(self, kind, **_):
            found[-self.count:] = [dataclasses.replace(signature, result=str(kind)) for signature in found[-self.count:]]

    def note(_library, _path, arguments, table, is_pure, _semantic):
        for kinds, (_symbol, result) in table.items():
            found.append(Signature(name, tuple(map(str, kinds)), str(result)))
        return Result(len(table))

    original, core.extern_elementwise = core.extern_elementwise, note
    try:
        for name, function in sorted(vars(libdevice).items()):
            if callable(function) and core.is_builtin(function):
                for many in (1, 2, 3, 4):
                    try:
                        function(*[None] * many, _semantic=object())
                        break
                    except TypeError:
                        continue
    finally:
        core.extern_elementwise = original
    return list(dict.fromkeys(found))


def _results(signature: Signature, folder: str, count: int) -> np.ndarray:
    import importlib.util

    import torch

    names = {"fp32": "float32", "fp64": "float64", "int1": "bool"}
    parameters = [f"p{n}" for n in range(len(signature.arguments))]
    loads = ", ".join(f"tl.load({p} + i)" for p in parameters)
    width = {"fp32": 32, "fp64": 64}.get(signature.result)
    result = f"r.to(tl.int{width}, bitcast=True)" if width else "r"
    text = (f"import triton\nimport triton.language as tl\nfrom triton.language.extra import libdevice\n\n\n@triton.jit\n"
            f"def k({', '.join(parameters)}, o, N: tl.constexpr):\n    i = tl.arange(0, N)\n"
            f"    r = libdevice.{signature.name}({loads})\n    tl.store(o + i, {result}.to(tl.int64))\n")
    path = pathlib.Path(folder, f"k{zlib.crc32(signature.key.encode())}.py")
    path.write_text(text)
    spec = importlib.util.spec_from_file_location(path.stem, path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    passed = []
    for kind, words in zip(signature.arguments, arguments(signature, count)):
        tensor = torch.from_numpy(words.view(words.dtype.name.removeprefix("u"))).cuda()
        passed.append(tensor.view(getattr(torch, names.get(kind, kind))))
    out = torch.zeros(count, dtype=torch.int64, device="cuda")
    module.k[(1,)](*passed, out, N=count)
    return out.cpu().numpy().view(np.uint64).astype(WORDS[signature.result])


def record(path: pathlib.Path, count: int = COUNT) -> None:
    import tempfile
    from concurrent.futures import ThreadPoolExecutor

    import torch
    import triton

    torch.zeros(1, device="cuda")
    with tempfile.TemporaryDirectory() as folder:
        def line(signature: Signature) -> str:
            try:
                words = canonical(signature.result, _results(signature, folder, count))
            except Exception as error:
                print("no values:", signature.key, str(error).strip().splitlines()[-1:], flush=True)
                return ""
            return f"{signature.key} = {' '.join(f'{int(word):x}' for word in words)}"

        with ThreadPoolExecutor(8) as pool:
            lines = [text for text in pool.map(line, _signatures()) if text]
    path.write_text(f"# CUDA's libdevice by Triton {triton.__version__}: bits of the results of libdevice_table.py\n" + "\n".join(lines) + "\n")
    print(len(lines), "signatures")


if __name__ == "__main__":
    import sys

    record(pathlib.Path(sys.argv[1]), *map(int, sys.argv[2:]))
