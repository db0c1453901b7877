"""The tile IR of a kernel as objects that can be walked, with the names that Triton gives to ops: what programs need that
ask which arrays a kernel reads and writes, as PyTorch does of kernels that functions under torch.compile launch.

They are read off the text of stage `tile`, in which every operation has its line, every value its name, and calls are
inlined: there is one function.
"""

from __future__ import annotations

import re
from typing import Any, Callable, Iterator

#: Operations by the names that Triton has for them, where that is not `tt.` and the same.
_NAMES = {"func.func": "tt.func", "return": "tt.return", "tile.inline_asm": "tt.elementwise_inline_asm",
          "tile.extern_call": "tt.extern_elementwise",
          "tile.barrier": "gpu.barrier", "tile.read_special": "tt.elementwise_inline_asm"}

_VALUE = re.compile(r"%[A-Za-z0-9_$.#-]+")
_RESULTS = re.compile(r"((?:%[\w$.-]+(?::\d+)?(?:, )?)+) = ")
_OPERATION = re.compile(r"[a-z_][\w.]*")
_CARRIED = re.compile(r"(%[\w$.-]+) = (%[\w$.#-]+)")
_QUOTED = re.compile(r'"(?:[^"\\]|\\.)*"')


class Value:
    """A result of an operation, or an argument of a block."""

    def __init__(self, number: int):
        self._number = number

    def id(self) -> int:
        return self._number


class Region:
    def __init__(self, number: int):
        self._number = number
        self.blocks: list[Block] = []

    def id(self) -> int:
        return self._number

    def size(self) -> int:
        return len(self.blocks)


class Block:
    def __init__(self, number: int, parent: Region):
        self._number = number
        self._parent = parent
        self.arguments: list[Value] = []
        self.operations: list[Operation] = []

    def id(self) -> int:
        return self._number

    def get_parent(self) -> Region:
        return self._parent

    def get_num_arguments(self) -> int:
        return len(self.arguments)

    def get_argument(self, index: int) -> Value:
        return self.arguments[index]


class Operation:
    def __init__(self, name: str, block: Block | None, operands: list[Value], results: list[Value],
                 attributes: dict[str, Any]):
        self._name = name
        self._block = block
        self._operands = operands
        self._results = results
        self._attributes = attributes
        self.regions: list[Region] = []

    def get_name(self) -> str:
        return self._name

    def get_num_operands(self) -> int:
        return len(self._operands)

    def get_operand(self, index: int) -> Value:
        return self._operands[index]

    def get_num_results(self) -> int:
        return len(self._results)

    def get_result(self, index: int) -> Value:
        return self._results[index]

    def get_num_regions(self) -> int:
        return len(self.regions)

    def get_region(self, index: int) -> Region:
        return self.regions[index]

    def get_block(self) -> Block | None:
        return self._block

    def _attribute(self, name: str, kind: type) -> Any:
        value = self._attributes.get(name)
        return value if isinstance(value, kind) else None

    def get_str_attr(self, name: str) -> str | None:
        return self._attribute(name, str)

    def get_bool_attr(self, name: str) -> bool | None:
        return self._attribute(name, bool)

    def get_int_attr(self, name: str) -> int | None:
        return self._attribute(name, int)

    def get_flat_symbol_ref_attr(self, name: str) -> str | None:
        return self._attribute(name, str)

    def inside(self) -> Iterator[Operation]:
        """All operations within, the innermost first, and then this one."""
        for region in self.regions:
            for block in region.blocks:
                for operation in block.operations:
                    yield from operation.inside()
        yield self


class Module:
    """A kernel. Its text was verified when it was made."""

    def __init__(self, text: str):
        self._text = text
        self._top = _Reader(text).read()

    def verify(self) -> bool:
        return True

    def walk(self, visit: Callable[[Operation], None]) -> None:
        """Calls `visit` with each operation, those inside of it before it."""
        for operation in self._top.inside():
            visit(operation)

    def show_parameters(self, places: list[int | None]) -> None:
        """Gives the kernel the parameters of these places, and for None one that nothing uses."""
        block = self._top.regions[0].blocks[0].operations[0].regions[0].blocks[0]
        block.arguments = [Value(-1 - count) if place is None else block.arguments[place]
                           for count, place in enumerate(places)]

    def __str__(self) -> str:
        return self._text


class _Reader:
    """Goes through the lines with the regions that are open, each with the names that are known in it."""

    def __init__(self, text: str):
        self._lines = [line.strip() for line in text.splitlines()]
        self._count = 0
        self._open: list[Operation] = []
        self._names: list[dict[str, Value]] = [{}]

    def _next(self) -> int:
        self._count += 1
        return self._count

    def read(self) -> Operation:
        top: Operation | None = None
        for line in self._lines:
            if not line or line.startswith(("//", "#")):
                continue
            if line.startswith("}"):
                self._names.pop()
                if line.endswith("{"):
                    self._open_region([])
                else:
                    top = self._open.pop()
            elif line.startswith("^"):
                self._declare(_VALUE.findall(line))
            else:
                self._operation(line)
        if top is None or self._open:
            raise ValueError("expected the text of a module")
        return top

    def _operation(self, line: str) -> None:
        told = _RESULTS.match(line)
        rest = line[told.end():] if told else line
        written = _OPERATION.match(rest)
        if written is None:
            raise ValueError(f"expected an operation, found {line!r}")
        name, rest = written[0], rest[written.end():]
        plain = _QUOTED.sub('""', rest)
        opens = plain.endswith("{")
        declared: list[str] = []
        if name == "func.func":
            used, declared = [], re.findall(r"(%[\w$.-]+):", plain)
        elif name == "scf.for":
            head, _, _ = plain.partition(" iter_args")
            carried = _CARRIED.findall(plain.partition(" iter_args")[2])
            index, *bounds = _VALUE.findall(head)
            declared, used = [index, *(inner for inner, _ in carried)], [*bounds, *(outer for _, outer in carried)]
        elif name == "scf.while":
            carried = _CARRIED.findall(plain)
            declared, used = [inner for inner, _ in carried], [outer for _, outer in carried]
        else:
            used = _VALUE.findall(plain)
        self._add(name, rest, [self._find(value) for value in used], told[1] if told else "", declared, opens)

    def _add(self, name: str, rest: str, operands: list[Value], results: str, declared: list[str], opens: bool) -> None:
        block = self._open[-1].regions[-1].blocks[-1] if self._open else None
        made = Operation(self._name(name), block, operands, self._define(results), _attributes(name, rest))
        if block is not None:
            block.operations.append(made)
        if opens:
            self._open.append(made)
            self._open_region(declared)

    def _name(self, name: str) -> str:
        if name == "tile.yield":
            return self._open[-1].get_name() + ".return"
        if name == "module":
            return "builtin.module"
        return _NAMES.get(name) or ("tt." + name[len("tile."):] if name.startswith("tile.") else name)

    def _open_region(self, declared: list[str]) -> None:
        region = Region(self._next())
        region.blocks.append(Block(self._next(), region))
        self._open[-1].regions.append(region)
        self._names.append({})
        self._declare(declared)

    def _declare(self, names: list[str]) -> None:
        """Arguments of the block that has just begun."""
        block = self._open[-1].regions[-1].blocks[-1]
        for name in names:
            self._names[-1][name] = value = Value(self._next())
            block.arguments.append(value)

    def _define(self, results: str) -> list[Value]:
        values: list[Value] = []
        for part in filter(None, results.split(", ")):
            name, _, count = part.partition(":")
            for place in range(int(count or 1)):
                values.append(Value(self._next()))
                self._names[-1][f"{name}#{place}" if count else name] = values[-1]
        return values

    def _find(self, name: str) -> Value:
        for known in reversed(self._names):
            if name in known:
                return known[name]
        raise ValueError(f"expected a value that is known, found {name}")


def _attributes(name: str, rest: str) -> dict[str, Any]:
    """Returns the attributes of the few operations that programs ask about."""
    if name == "func.func":
        return {"sym_name": rest[rest.index("@") + 1:rest.index("(")]}
    if name in ("tile.inline_asm", "tile.extern_call"):
        return {"pure": " pure" in _QUOTED.sub("", rest)}
    if name == "tile.read_special":
        return {"pure": True}
    return {}
