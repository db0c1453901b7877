"""Which arrays a kernel reads and writes, as PyTorch finds it out for kernels that functions under torch.compile launch:
it has the IR made and walks it. Here without PyTorch."""

import collections
import inspect

import pytest

import tegula as triton
import tegula.language as tl
from tegula._C.libtriton import ir
from tegula._utils import apply_with_path, find_paths_if, get_iterable_path
from tegula.backends import BaseBackend
from tegula.backends.compiler import GPUTarget
from tegula.compiler.compiler import ASTSource, make_backend
from tegula.runtime.jit import mangle_type, native_specialize_impl

TARGET = GPUTarget("cuda", 90, 32)


def module_of(kernel, signature, constants, attrs=None):
    """As PyTorch calls it."""
    context, backend = ir.context(), make_backend(TARGET)
    options = backend.parse_options({})
    ir.load_dialects(context)
    backend.load_dialects(context)
    source = ASTSource(kernel, signature, constants, attrs or {})
    assert len(inspect.signature(source.make_ir).parameters) == 5
    module = source.make_ir(TARGET, options, backend.get_codegen_implementation(options), backend.get_module_map(), context)
    assert module.verify()
    return module


class Accesses:
    """Follows what is written back to the parameters, through operations, regions and what loops carry."""

    WRITES, READS = {"tt.store", "tt.atomic_rmw", "tt.atomic_cas"}, {"tt.load", "tt.atomic_rmw", "tt.atomic_cas"}

    def __init__(self, module):
        self.sources, self.names, self.function = collections.defaultdict(set), [], None
        self.touched = {"read": set(), "written": set()}
        self.seen = []
        module.walk(self.visit)
        assert self.seen[-1] == "builtin.module" and self.function is not None

    def visit(self, op):
        name = op.get_name()
        self.seen.append(name)
        assert name.partition(".")[0] in ("tt", "arith", "math", "scf", "gpu", "builtin"), name
        operands = [op.get_operand(i).id() for i in range(op.get_num_operands())]
        results = [op.get_result(i).id() for i in range(op.get_num_results())]
        blocks = [op.get_region(i).blocks[0] for i in range(op.get_num_regions())]
        arguments = [[block.get_argument(i).id() for i in range(block.get_num_arguments())] for block in blocks]
        if name == "tt.func":
            self.function, self.parameters = op.get_str_attr("sym_name"), arguments[0]
        elif name == "scf.for":
            self.flow(operands[3:], arguments[0][1:])
        elif name == "scf.while":
            self.flow(operands, arguments[0])
        elif name != "tt.load":
            for result in results:
                self.sources[result].update(operands)
        for place, block in enumerate(blocks):
            end = block.operations[-1]
            assert all(inner.get_block() is block for inner in block.operations)
            given = [end.get_operand(i).id() for i in range(end.get_num_operands())]
            if end.get_name() == "scf.condition":
                self.flow(given[1:], results)
                self.flow(given[1:], arguments[1])
            elif end.get_name() == "scf.yield" and name == "scf.while":
                self.flow(given, arguments[0])
            elif end.get_name() == "scf.yield":
                self.flow(given, results)
                self.flow(given, arguments[place][1:])
        if name in self.WRITES:
            self.touched["written"].add(operands[0])
        if name in self.READS:
            self.touched["read"].add(operands[0])

    def flow(self, values, into):
        for value, place in zip(values, into):
            self.sources[place].add(value)

    def of(self, kind):
        """The places of parameters."""
        found, left = set(), list(self.touched[kind])
        while left:
            value = left.pop()
            if value not in found:
                found.add(value)
                left += self.sources[value]
        return [place for place, value in enumerate(self.parameters) if value in found]


@triton.jit
def put(p, value, mask):
    tl.store(p, value, mask=mask)


@triton.jit
def larger(a, b):
    return tl.maximum(a, b)


def test_arrays_that_are_written():
    @triton.jit
    def kernel(x, y, out, n, SCALE: tl.constexpr, N: tl.constexpr):
        i = tl.program_id(0) * N + tl.arange(0, N)
        put(out + i, tl.load(x + i, mask=i < n) * SCALE + tl.load(y), i < n)

    accesses = Accesses(module_of(kernel, {"x": "*fp32", "y": "*fp32", "out": "*fp32", "n": "i32", "SCALE": "constexpr",
                                           "N": "constexpr"}, {"SCALE": 3, "N": 64}))
    assert accesses.function == "kernel" and len(accesses.parameters) == 4
    assert accesses.of("written") == [2] and accesses.of("read") == [0, 1]


def test_pointers_that_loops_and_branches_carry():
    @triton.jit
    def kernel(a, b, c, lock, n, N: tl.constexpr):
        i = tl.arange(0, N)
        while tl.atomic_cas(lock, 0, 1) == 1:
            pass
        p, q = a + i, b + i
        for k in range(n):
            if k > 3:
                p += 1
            else:
                q += k
            tl.store(p, tl.load(q))
        total = tl.reduce(tl.load(c + i), 0, larger)
        tl.store(a, tl.sum(tl.associative_scan(tl.load(c + i), 0, larger), 0) + total)
        tl.atomic_xchg(lock, 0)

    accesses = Accesses(module_of(kernel, {"a": "*fp32", "b": "*fp32", "c": "*fp32", "lock": "*i32", "n": "i32",
                                           "N": "constexpr"}, {"N": 32}))
    assert accesses.of("written") == [0, 3] and accesses.of("read") == [1, 2, 3]
    assert {"scf.for", "scf.while", "tt.reduce", "tt.scan", "tt.reduce.return", "tt.scan.return"} <= set(accesses.seen)


def test_results_with_several_parts():
    @triton.jit
    def kernel(x, out, where, N: tl.constexpr):
        value, index = tl.max(tl.load(x + tl.arange(0, N)), 0, return_indices=True)
        a, b = tl.split(tl.reshape(tl.load(x + tl.arange(0, N)), (N // 2, 2)))
        tl.store(where, index)
        tl.store(out + tl.arange(0, N // 2), a + b * value)

    accesses = Accesses(module_of(kernel, {"x": "*fp32", "out": "*fp32", "where": "*i32", "N": "constexpr"}, {"N": 64}))
    assert accesses.of("written") == [1, 2] and accesses.of("read") == [0]


def test_ptx_by_hand_says_whether_it_is_pure():
    @triton.jit
    def kernel(x, out, PURE: tl.constexpr):
        i = tl.arange(0, 32)
        value = tl.inline_asm_elementwise("add.f32 $0, $1, 0f3F800000; // {%q}", "=r,r", [tl.load(x + i)], tl.float32, PURE, 1)
        tl.store(out + i, value)

    for pure in (True, False):
        found = []
        module_of(kernel, {"x": "*fp32", "out": "*fp32", "PURE": "constexpr"}, {"PURE": pure}).walk(
            lambda op: found.append(op.get_bool_attr("pure")) if op.get_name() == "tt.elementwise_inline_asm" else None)
        assert found == [pure]


def test_values_of_ordinary_parameters():
    @triton.jit
    def kernel(x, out, n, flag, scale, N: tl.constexpr):
        i = tl.arange(0, N)
        if flag:
            tl.store(out + i, tl.load(x + i, i < n) * scale, i < n)

    # PyTorch gives all that is no tensor as a constant.
    accesses = Accesses(module_of(kernel, {"x": "*fp32", "out": "*fp32", "n": "i32", "flag": "u1", "scale": "fp32",
                                           "N": "constexpr"}, {"n": 2, "flag": True, "scale": 0.5, "N": 16},
                                  {(0,): [["tt.divisibility", 16]]}))
    assert len(accesses.parameters) == 2 and accesses.of("written") == [1]


def test_truth_has_two_spellings():
    @triton.jit
    def kernel(x, out, flag):
        if flag:
            tl.store(out, tl.load(x))

    for pointer, number in (("*u1", "u1"), ("*i1", "i1")):
        accesses = Accesses(module_of(kernel, {"x": pointer, "out": pointer, "flag": number}, {}))
        assert len(accesses.parameters) == 3 and accesses.of("written") == [1] and accesses.of("read") == [0]


class Tensor:
    """As much of a tensor as is asked."""

    def __init__(self, dtype, address=0):
        self.dtype, self.address = dtype, address

    def data_ptr(self):
        return self.address


@pytest.mark.parametrize("arg, options, expected", [
    (None, (False, True, True), ("constexpr", None)),
    (1, (False, True, True), ("constexpr", 1)),
    (1, (False, False, True), ("i32", None)),
    (32, (False, True, True), ("i32", "D")),
    (32, (False, True, False), ("i32", "")),
    (33, (False, True, True), ("i32", "")),
    (2**31, (False, True, True), ("i64", "D")),
    (-2**31, (False, True, True), ("i32", "D")),
    (2**63 + 1, (False, True, True), ("u64", "")),
    (True, (False, True, True), ("u1", None)),
    (0.5, (False, True, True), ("fp32", None)),
    (Tensor("float16", 64), (False, True, True), ("*fp16", "D")),
    (Tensor("float16", 68), (True, True, True), ("*kfp16", "")),
    (Tensor("bool", 64), (False, False, True), ("*u1", None)),
    ((1, (2.5, 16)), (False, True, True), (("constexpr", ("fp32", "i32")), (1, (None, "D")))),
    (put, (False, True, True), ("constexpr", put.cache_key)),
])
def test_what_a_launch_knows_of_an_argument(arg, options, expected):
    assert native_specialize_impl(BaseBackend, arg, *options) == expected


def test_types_of_arguments():
    assert mangle_type(Tensor(tl.bfloat16)) == "*bf16" and mangle_type(1) == "i32" and mangle_type(2**40) == "i64"
    known = tl.constexpr(3)
    assert native_specialize_impl(BaseBackend, known, False, True, True) == ("constexpr", known)
    with pytest.raises(TypeError, match="failed to specialize argument of type: object"):
        mangle_type(object())
    with pytest.raises(OverflowError, match="too large to represent"):
        mangle_type(2**64)
    assert BaseBackend.parse_attr("D") == [["tt.divisibility", 16]] and BaseBackend.parse_attr("") == []


def test_places_in_nested_tuples():
    value = (1, [2, ("a", 4)], "b")
    places = find_paths_if(value, lambda _, leaf: isinstance(leaf, str))
    assert places == [(1, 1, 0), (2,)] and [get_iterable_path(value, place) for place in places] == ["a", "b"]
    seen = []
    apply_with_path(value, lambda place, leaf: seen.append((place, leaf)))
    assert seen[0] == ((0,), 1) and len(seen) == 5


def test_descriptors_are_what_they_describe():
    @triton.jit
    def kernel(x, scale, out, BLOCK: tl.constexpr):
        at = tl.program_id(0) * BLOCK
        out.store([at, 0], x.load([at, 0]) * tl.load(scale))

    accesses = Accesses(module_of(kernel, {"x": "tensordesc<fp32[16, 32]>", "scale": "*fp32",
                                           "out": "tensordesc<fp32[16, 32]>", "BLOCK": "constexpr"}, {"BLOCK": 16}))
    # A descriptor is five parameters: itself, two sides, two strides.
    assert len(accesses.parameters) == 11
    assert accesses.of("written") == [6] and accesses.of("read") == [0, 5]
