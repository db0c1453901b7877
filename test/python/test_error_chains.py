"""Errors of kernels as programs know them of Triton: causes along calls, places counted from `def`, words that tests look for."""

import pickle
import warnings

import pytest

import tegula as triton
import tegula.language as tl
from tegula.compiler.errors import CompilationError, CompileTimeAssertionFailure


def compiled(kernel, **parameters):
    """Compiles for parameters of these types, or of known values where they are given as `(value,)`."""
    signature = {name: "constexpr" if isinstance(kind, tuple) else kind for name, kind in parameters.items()}
    values = {name: kind[0] for name, kind in parameters.items() if isinstance(kind, tuple)}
    return triton.compile(triton.compiler.ASTSource(fn=kernel, signature=signature, constexprs=values))


def error_of(kernel, **parameters):
    with pytest.raises(CompilationError) as caught:
        compiled(kernel, **parameters)
    return caught.value


@triton.jit
def innermost(x):
    y = x + 1
    return tl.arange(0, 3) + y


@triton.jit
def between(x):
    return innermost(x)


def test_each_call_on_the_way_to_an_error_is_a_cause():
    @triton.jit
    def kernel(n):
        # A line that the counting has to pass.
        between(n)

    error = error_of(kernel, n="i32")
    assert "at 3:4: in `kernel`" in str(error) and (error.node.lineno, error.node.col_offset) == (3, 4)
    assert error.src.startswith("def kernel(n):") and error.error_message == "`tl.arange`: arange's range must be a power of 2"
    assert "`innermost` is called here" in str(error), "the kernel's error has the whole way, with the lines"
    middle = error.__cause__
    assert type(middle) is CompilationError and "at 2:11: in `between`" in str(middle) and middle.src.startswith("def between")
    inner = middle.__cause__
    assert "at 3:11: in `innermost`" in str(inner) and f"{__file__}:" in str(inner)
    assert type(inner.__cause__) is ValueError and str(inner.__cause__) == "arange's range must be a power of 2"
    assert inner.__cause__.__cause__ is None


def test_what_a_name_means_is_no_error_of_the_call_around_it():
    @triton.jit
    def kernel():
        tl.static_print(tl.zeros([wrong_name], tl.int8))  # noqa: F821

    error = error_of(kernel)
    assert error.__cause__ is None and "at 2:30: in `kernel`" in str(error)
    assert str(error).splitlines()[-1] == "name `wrong_name` is not defined"


def test_operators_and_assertions_have_no_cause():
    @triton.jit
    def adds():
        0 + "a"

    @triton.jit
    def asserts():
        tl.static_assert(False, "no")

    assert error_of(adds).__cause__ is None and "at 2:4:" in str(error_of(adds))
    failed = error_of(asserts)
    assert type(failed) is CompileTimeAssertionFailure and failed.__cause__ is None and "at 2:4:" in str(failed)


def test_the_error_of_a_written_source_counts_from_its_def():
    @triton.jit
    def kernel():
        pass

    kernel._unsafe_update_src("def kernel():\n    x = 1\n    y = missing\n")
    error = error_of(kernel)
    assert "at 3:8: in `kernel`" in str(error) and error.src == "def kernel():\n    x = 1\n    y = missing\n"


def test_errors_travel_with_their_place():
    @triton.jit
    def kernel():
        missing  # noqa: F821

    error = error_of(kernel)
    twin = pickle.loads(pickle.dumps(error))
    assert (str(twin), twin.node, twin.src) == (str(error), error.node, error.src)


@triton.jit
def wrong(x, c: tl.const, n, u, KIND: tl.constexpr):
    if KIND == "shape":
        tl.full((33,), 0, dtype=tl.int64)
    elif KIND == "imprecise":
        a = tl.full((64, 64), 0.0, tl.float8e5)
        tl.dot(a, a, max_num_imprecise_acc=128)
    elif KIND == "smallest":
        a = tl.full((8, 8), 0.0, tl.float16)
        tl.dot(a, a)
    elif KIND == "axis":
        tl.expand_dims(tl.arange(0, 4), -3)
    elif KIND == "axes":
        tl.expand_dims(tl.arange(0, 4), (0, -3))
    elif KIND == "program":
        tl.program_id(20)
    elif KIND == "block":
        tl.make_tensor_descriptor(x, [8, 8], [8, 1], [4, 1])
    elif KIND == "constant":
        tl.store(c, 1.0)
    elif KIND == "signs":
        n // u
    elif KIND == "range":
        n + 0xFFFFFFFFFFFFFF
    elif KIND == "index":
        x[10:]
    elif KIND == "ternary":
        x if n > 0 else c
    elif KIND == "branch":
        if n > 0:
            both = x
        else:
            both = c
        tl.load(both)
    elif KIND == "returns":
        returns(n)
    elif KIND == "loop":
        for i in range(n):
            if i == 5:
                return
    elif KIND == "scales":
        scaled()


@triton.jit
def returns(n):
    if n > 0:
        return tl.arange(0, 4)
    else:
        return tl.arange(0, 8)


@triton.jit
def scaled():
    a = tl.full((32, 64), 0, tl.uint8)
    b = tl.full((64, 32), 0, tl.uint8)
    tl.dot_scaled(a, tl.full((32, 4), 0, tl.uint8), "e5m2", b, tl.full((32, 2), 0, tl.uint8), "e5m2")


@pytest.mark.parametrize("kind, words", [
    ("shape", "Shape element 0 must be a power of 2"), ("imprecise", "max_num_imprecise_acc (128) must be <= K (64)"),
    ("smallest", "Input shapes should have M >= 1, N >= 1 and K >= 16"), ("axis", "invalid axis -3"),
    ("axes", "duplicate axes, normalized axes = [0, 0]"), ("program", "program_id axis must be 0, 1, or 2 but got 20"),
    ("block", "Descriptor block shape must have at least 16 bytes"), ("constant", "Cannot store to a constant pointer")])
def test_functions_of_the_language_refuse_in_these_words(kind, words):
    error = error_of(wrong, x="*fp32", c="*fp32", n="i32", u="u32", KIND=(kind,))
    assert words in str(error) and words in str(error.__cause__)
    if kind in ("shape", "imprecise"):
        assert str(error.__cause__) == words


@pytest.mark.parametrize("kind, words", [
    ("signs", "because they have different signedness"), ("range", "out of range"), ("index", "unsupported tensor index"),
    ("ternary", "Ternary expression with dynamic condition has inconsistent type"), ("branch", "Mismatched type for both"),
    ("returns", "Inconsistent return types"),
    ("loop", "Cannot have `return` statements inside `while` or `for` statements in triton")])
def test_the_language_refuses_in_these_words(kind, words):
    assert words in str(error_of(wrong, x="*fp32", c="*fp32", n="i32", u="u32", KIND=(kind,)))


def test_scales_of_a_wrong_shape_are_those_that_do_not_go_with_the_others():
    error = error_of(wrong, x="*fp32", c="*fp32", n="i32", u="u32", KIND=("scales",))
    assert str(error.__cause__.__cause__) == "lhs_scale must be a tensor of shape [32, 2]. Got ['32', '4']"


def test_a_return_that_does_not_fit_is_pointed_to():
    error = error_of(wrong, x="*fp32", c="*fp32", n="i32", u="u32", KIND=("returns",))
    assert "at 5:8: in `returns`" in str(error.__cause__)


@triton.must_use_result("It is all there is.")
@triton.jit
def cube(x):
    return x * x * x


def test_the_last_line_of_an_error_is_its_message():
    @triton.jit
    def kernel(n):
        cube(n)

    assert str(error_of(kernel, n="i32")).split("\n")[-1] == "The result of cube is not being used. It is all there is."


GLOBAL = 42


def test_a_global_variable_is_called_so():
    @triton.jit
    def kernel():
        a = GLOBAL  # noqa: F841

    assert "Cannot access global variable" in str(error_of(kernel))


@pytest.mark.parametrize("kind, target, words", [
    ("where", "sm_80", "of type uint32"), ("fp8e4b15", "sm_90a", "the use of fp8e4b15 is deprecated on Hopper"), ("fp8e4b15", "sm_80", "")])
def test_what_is_deprecated_warns(kind, target, words):
    @triton.jit
    def kernel(KIND: tl.constexpr):
        if KIND == "where":
            zeros = tl.full((64,), 0, tl.float32)
            tl.where(tl.full((64,), 0, tl.uint32), zeros, zeros)
        else:
            a = tl.full((64, 64), 0.0, tl.float8e4b15)
            tl.dot(a, a)

    with warnings.catch_warnings(record=True) as found:
        warnings.simplefilter("always")
        triton.compile(triton.compiler.ASTSource(fn=kernel, signature={"KIND": "constexpr"}, constexprs={"KIND": kind}),
                       options={"arch": target})
    assert [warning.category for warning in found] == [UserWarning] * bool(words)
    assert not words or words in str(found[0].message)
