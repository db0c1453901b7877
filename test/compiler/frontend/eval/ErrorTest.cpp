// Mistakes in the body of a kernel: message, place, notes and help of each.
#include "test/compiler/frontend/Harness.h"

using namespace tegula;
using namespace tegula::test;

namespace {

struct Case {
  const char *body, *errors;
};

const NamedArguments arguments = {{"n", "i32"},   {"x", "fp32"}, {"u", "u32"},
                                  {"p", "*fp32"}, {"q", "*i32"}, {"B", "#64"}};

void expectAll(std::initializer_list<Case> cases) {
  for (const Case &c : cases)
    EXPECT_EQ(bodyErrors(c.body, arguments), c.errors) << c.body;
}

} // namespace

TEST(EvalError, Names) {
  expectAll({
      {"block = 1\ny = blok + 1", "2:5-9: name `blok` is not defined\n  help: did you mean `block`?\n"},
      {"y = zzzzzz", "1:5-11: name `zzzzzz` is not defined\n"},
      {"y = lenn((1, 2))", "1:5-9: name `lenn` is not defined\n  help: did you mean `len`?\n"},
      {"y = tl.laod(p)",
       "1:8-12: module `triton.language` has no attribute `laod`\n  help: did you mean `load`?\n"},
      {"y = tl.sigmod(x)",
       "1:8-14: module `triton.language` has no attribute `sigmod`\n  help: did you mean `sigmoid`?\n"},
      {"y = x.to(tl.float31)",
       "1:13-20: module `triton.language` has no attribute `float31`\n  help: did you mean `float32`?\n"},
      {"y = x.sqr()", "1:7-10: fp32 has no attribute `sqr`\n  help: did you mean `sqrt`?\n"},
      // Methods from the library, and functions of it that are none.
      {"y = x.cumprd()", "1:7-13: fp32 has no attribute `cumprd`\n  help: did you mean `cumprod`?\n"},
      {"y = tl.swizle2d(n, n, n, n, n)",
       "1:8-16: module `triton.language` has no attribute `swizle2d`\n  help: did you mean `swizzle2d`?\n"},
      {"y = x.swizle2d(n, n, n, n, n)", "1:7-15: fp32 has no attribute `swizle2d`\n"},
      {"y = triton.cdvi(n, 2)",
       "1:12-16: module `triton` has no attribute `cdvi`\n  help: did you mean `cdiv`?\n"},
      {"y = x.shap", "1:7-11: fp32 has no attribute `shap`\n  help: did you mean `shape`?\n"},
      {"y = x.dtype.is_floatin()",
       "1:13-23: type `fp32` has no attribute `is_floatin`\n  help: did you mean `is_floating`?\n"},
      {"y = x.dtype.element_ty", "1:13-23: `element_ty`: expected a pointer or a block type, found fp32\n"
                                 "  help: only pointers have an element type: `x_ptr.dtype.element_ty`\n"},
      {"y = (1, 2).foo", "1:12-15: tuple has no attribute `foo`\n"},
  });
}

TEST(EvalError, OneMistakeIsReportedOnceAndOthersAreStillFound) {
  expectAll({
      {"a = undefined1\nb = a + 1\nc = b * undefined2\nd = tl.load(c)\ntl.store(p, e)",
       "1:5-15: name `undefined1` is not defined\n3:9-19: name `undefined2` is not defined\n"
       "5:13-14: name `e` is not defined\n"},
  });
}

TEST(EvalError, Calls) {
  expectAll({
      {"y = tl.exp()", "1:5-13: `tl.exp`: missing argument `x`\n"},
      {"y = tl.exp(x, x)", "1:15-16: `tl.exp`: expected at most 1 argument, found 2\n"},
      {"y = x.exp(x)", "1:11-12: `tl.exp`: expected at most 0 arguments, found 1\n"},
      {"y = tl.load(p, msk=n > 0)",
       "1:16-25: `tl.load` has no parameter `msk`\n  help: did you mean `mask`?\n"},
      {"y = tl.load(p, pointer=p)", "1:16-25: `tl.load`: parameter `pointer` is given twice\n"},
      {"y = max(**{1: 2})", "1:11-17: a dict cannot be used in a kernel\n"},
      {"y = n(1)", "1:5-6: expected a function to call, found int32\n"},
      {"y = tl.float32(1.0)", "1:5-15: expected a function to call, found type `fp32`\n  help: types are not "
                              "functions: convert with `tl.cast` or `.to`\n"},
      {"y = tl.sigmoid()", "1:5-17: `tl.sigmoid`: missing argument `x`\n"},
      {"y = tl.cdiv(n, 2, 3)", "1:19-20: `tl.cdiv`: expected at most 2 arguments, found 3\n"},
      {"y = tl.cdiv(n, dvi=2)", "1:16-21: `tl.cdiv` has no parameter `dvi`\n  help: did you mean `div`?\n"},
      {"y = tl.cdiv(n, 2, x=3)", "1:19-22: `tl.cdiv`: parameter `x` is given twice\n"},
      {"y = max(*n)", "1:10-11: expected something to iterate over at compile time, found int32\n"},
      {"y = max(**n)", "1:11-12: expected a dict after `**`, found int32\n"},
      {"y = tl.tensor(1)", "1:15-16: `tl.tensor`: expected at most 0 arguments, found 1\n"},
      {"y = tl.tensor()", "1:5-16: `tl.tensor`: values of this class are not made by calling it\n"},
      {"y = tl.sigmoid(n)", "1:5-18: `tl.sigmoid`: expected fp32 or fp64, found int32\n  help: cast it "
                            "first: `.to(tl.float32)`\n"},
  });
}

TEST(EvalError, TypesOfIntegersByTheirWidth) {
  expectAll({
      {"y = tl.core.get_int_dtype(24, True)",
       "1:27-29: `tl.get_int_dtype`: expected the width of an integer type, 1, 8, 16, 32 or 64 bits\n"},
      {"y = tl.core.get_int_dtype(n, True)",
       "1:27-28: `tl.get_int_dtype`: expected an integer known at compile time, found int32\n"
       "  help: declare it `tl.constexpr`, as a parameter or as `name: tl.constexpr = ...`\n"},
  });
}

TEST(EvalError, Creation) {
  expectAll({
      {"y = tl.arange(0, 100)",
       "1:5-22: `tl.arange`: arange's range must be a power of 2\n"
       "  help: it has 100 elements: round up to a power of two and mask what is too much\n"},
      {"y = tl.arange(0, n)",
       "1:18-19: `tl.arange`: expected an integer known at compile time, found int32\n"
       "  help: declare it `tl.constexpr`, as a parameter or as `name: tl.constexpr = ...`\n"},
      {"s = 64\ny = tl.arange(0, s)",
       "2:18-19: `tl.arange`: expected an integer known at compile time, found int32\n"
       "  help: declare it `tl.constexpr`, as a parameter or as `name: tl.constexpr = ...`\n"},
      {"y = tl.arange(8, 8)", "1:5-20: `tl.arange`: expected an end above the start, found 8 and 8\n"},
      {"y = tl.arange(0, 1 << 33)",
       "1:5-26: `tl.arange`: expected bounds of 32 bits, found 0 and 8589934592\n"},
      {"y = tl.arange(0, 1 << 21)", "1:5-26: expected at most 1048576 elements in a tensor, found more\n"},
      {"y = tl.zeros([3, 4], tl.int8)", "1:5-30: Shape element 0 must be a power of 2\n  help: it is 3\n"},
      {"y = tl.full([0], 1, tl.int8)", "1:13-16: Shape element 0 must be a power of 2\n  help: it is 0\n"},
      {"y = tl.full([1024, 2048], 1, tl.int8)",
       "1:13-25: expected at most 1048576 elements in a tensor, found more\n"},
      {"y = tl.full([1] * 33, 1, tl.int8)", "1:13-21: expected at most 32 dimensions, found 33\n"},
      {"y = tl.full([4], tl.arange(0, 4), tl.int8)",
       "1:18-33: `tl.full`: expected a scalar, found int32[4]\n"},
      {"y = tl.full([4], 'a', tl.int8)", "1:18-21: `tl.full`: expected a number or a tensor, found str\n"},
      {"y = tl.zeros([4], 8)", "1:5-21: `tl.zeros`: expected a type such as `tl.float32`, found int\n"},
      {"y = tl.zeros([n], tl.int8)",
       "1:5-27: `tl.zeros`: expected an integer known at compile time, found int32\n"
       "  help: declare it `tl.constexpr`, as a parameter or as `name: tl.constexpr = ...`\n"},
      {"y = libdevice.isnan()",
       "1:5-14: name `libdevice` is not defined\n"
       "  help: write `from triton.language.extra import libdevice` at the top of the file\n"},
      {"y = tl.math.hypot(n)", "1:5-21: `libdevice.hypot`: missing argument `y`\n"},
      {"y = tl.full([4], 1, 8)", "1:21-22: `tl.full`: expected a type such as `tl.float32`, found int\n"},
      {"y = tl.program_id(3)", "1:19-20: `tl.program_id`: program_id axis must be 0, 1, or 2 but got 3\n"},
  });
}

TEST(EvalError, Casts) {
  expectAll({
      {"y = x.to(tl.pointer_type(tl.int8))",
       "1:5-35: expected a type that fp32 converts to, found pointer<int8>\n"
       "  help: an address converts to and from 64-bit integers only\n"},
      {"y = p.to(tl.int32)", "1:5-19: expected a type that pointer<fp32> converts to, found int32\n"
                             "  help: an address converts to and from 64-bit integers only\n"},
      {"y = x.to(tl.int16, bitcast=True)",
       "1:5-33: expected a type of 32 bits like fp32 to reinterpret it as, found int16\n"},
      {"y = x.to(tl.float16, fp_downcast_rounding='up')",
       "1:22-47: `to`: expected 'rtne' or 'rtz', found 'up'\n"},
      {"y = x.to(tl.float64, fp_downcast_rounding='rtz')",
       "1:22-48: `to`: expected a conversion to a narrower float, found one from fp32 to fp64\n"},
      {"y = x.to(tl.float16, bitcast=n)",
       "1:22-31: `to`: expected a truth known at compile time, found int32\n"},
      {"y = int(x)", "1:9-10: `int`: expected a number known at compile time, found fp32\n  help: convert "
                     "run-time values with `.to(tl.int32)`\n"},
      {"y = float(n)", "1:11-12: `float`: expected a number known at compile time, found int32\n  help: "
                       "convert run-time values with `.to(tl.float32)`\n"},
      {"y = tl.full((64,), 10**30, tl.int32)",
       "1:20-26: `tl.full`: expected an integer of at most 64 bits, found 1000000000000000000000000000000\n"},
      {"y = tl.full((64,), p, tl.int32)",
       "1:20-21: expected a type that pointer<fp32> converts to, found int32\n"
       "  help: an address converts to and from 64-bit integers only\n"},
      {"y = [missing + i for i in range(3)]", "1:6-13: name `missing` is not defined\n"},
      {"for i in range(0, x, 0):\n    pass", "1:10-24: `range`: expected a step other than 0\n"},
      {"y = 1 << 70", "1:5-12: expected an integer of at most 64 bits, found 1180591620717411303424\n"},
      {"d = tl.pointer_type(tl.pointer_type(tl.pointer_type(tl.pointer_type(q.dtype))))\n"
       "e = tl.pointer_type(tl.pointer_type(tl.pointer_type(tl.pointer_type(d))))",
       "2:21-73: `tl.pointer_type`: expected a pointer to fewer pointers\n"},
      {"y = tl.pointer_type(tl.constexpr(n))",
       "1:34-35: `tl.constexpr`: expected a value known at compile time, found int32\n"},
      {"y = tl.block_type(tl.int8, ())",
       "1:28-30: `tl.block_type`: expected a shape with dimensions, found []\n"},
  });
}

TEST(EvalError, Operators) {
  expectAll({
      {"i = tl.arange(0, 64)\nj = tl.arange(0, 32)\ny = i + j",
       "3:5-10: `+`: expected shapes that broadcast, found [64] and [32]\n"
       "  1:5-21: the operand of shape [64] is made here\n"
       "  2:5-21: the operand of shape [32] is made here\n"},
      {"y = p + p", "1:5-10: `+`: invalid operands of type pointer<fp32> and pointer<fp32>, expected a "
                    "pointer and an integer\n"},
      {"y = p + q", "1:5-10: `+`: invalid operands of type pointer<fp32> and pointer<int32>, expected a "
                    "pointer and an integer\n"},
      {"y = p + 1.5",
       "1:5-12: `+`: invalid operands of type pointer<fp32> and float, expected a pointer and an integer\n"
       "  help: offsets are integers: divide with `//`, or convert with `.to(tl.int32)`\n"},
      {"y = n - p", "1:5-10: `-`: invalid operands of type int32 and pointer<fp32>, expected a pointer on "
                    "the left and an integer\n"},
      {"y = p * 2",
       "1:5-10: `*`: invalid operands of type pointer<fp32> and int, expected numbers, no pointers\n"},
      {"y = p < p", "1:5-10: `<`: invalid operands of type pointer<fp32> and pointer<fp32>, expected "
                    "numbers, no pointers\n"},
      {"y = n // u",
       "1:5-11: `//`: Cannot use it with int32 and uint32 because they have different signedness\n"
       "  help: the result would hardly be useful: cast one operand to the other's sign\n"},
      {"y = x // 2.0", "1:5-13: `//`: invalid operands of type fp32 and float, expected integers\n"},
      {"y = x & 1", "1:5-10: `&`: invalid operands of type fp32 and int, expected integers\n"},
      {"y = x ** 2", "1:5-11: `**` is for numbers known at compile time\n  help: use `libdevice.pow`\n"},
      {"y = x @ x", "1:5-10: `@` is not an operator of kernels\n  help: use `tl.dot`\n"},
      {"y = ~x", "1:5-7: `~`: expected an integer, found fp32\n"},
      {"v = tl.load(p)\nw = v & 1",
       "2:5-10: `&`: invalid operands of type fp32 and int, expected integers\n  1:5-15: the "
       "operand of type fp32 is made here\n"},
      {"v = tl.load(q)\ny = tl.exp(v)",
       "2:12-13: `tl.exp`: expected fp32 or fp64, found int32\n  1:5-15: the argument is made here\n"
       "  help: cast it first: `.to(tl.float32)`\n"},
      {"y = all((n, n))", "1:5-16: `all`: expected truths known at compile time, found int32\n"},
      {"y = -p", "1:5-7: `-`: expected a number, found pointer<fp32>\n"},
      {"y = n == None", "1:5-14: expected numbers to compare, found int32 and None\n  help: write `is None` "
                        "or `is not None`\n"},
      {"y = n in (1, 2)", "1:5-16: `in` is for values known at compile time, found int32 and tuple\n"},
      {"y = n + 'a'", "1:5-12: expected a number or a tensor, found str\n"},
      {"y = tl.where(n > 0, p, 1)", "1:5-26: `tl.where`: invalid operands of type pointer<fp32> and int, "
                                    "expected two pointers or two numbers\n"},
      {"y = tl.where(n > 0, tl.arange(0, 4), tl.arange(0, 8))",
       "1:5-54: `tl.where`: expected shapes that broadcast, found [4] and [8]\n"},
      {"y = tl.maximum(p, n)", "1:5-21: `tl.maximum`: invalid operands of type pointer<fp32> and int32, "
                               "expected numbers, no pointers\n"},
      {"y = tl.umulhi(x, x)", "1:15-16: `tl.umulhi`: expected integers of 32 or 64 bits, found fp32\n"},
      {"y = tl.fdiv(n, n)", "1:5-18: `tl.fdiv`: expected floats, found int32 and int32\n"},
      {"y = tl.fma(n, n, n)", "1:5-20: `tl.fma`: expected floats, found int32\n"},
      {"y = tl.clamp(p, 0, 1)", "1:5-22: `tl.clamp`: invalid operands of type pointer<fp32> and int32, "
                                "expected numbers, no pointers\n"},
      {"y = tl.abs(p)", "1:12-13: `tl.abs`: expected a number, found pointer<fp32>\n"},
      {"y = tl.maximum(x, x, 7)",
       "1:22-23: `tl.maximum`: expected `tl.PropagateNan.NONE` or `tl.PropagateNan.ALL`, found int\n"},
      {"y = triton.next_power_of_2(n)",
       "1:28-29: `triton.next_power_of_2`: expected an integer known at compile time, found int32\n"
       "  help: declare it `tl.constexpr`, as a parameter or as `name: tl.constexpr = ...`\n"},
      {"y = tl.math.popc(x)",
       "1:18-19: `libdevice.popc`: expected an integer of 32 or more bits, found fp32\n"},
      {"i = tl.arange(0, 1024)[:, None] + tl.arange(0, 2048)[None, :]",
       "1:5-62: expected at most 1048576 elements in a tensor, found more\n"},
  });
}

TEST(EvalError, Shapes) {
  expectAll({
      {"i = tl.arange(0, 8)\ny = i[:, :]", "2:7-11: expected at most 1 `:` for a tensor of 1 dimensions, "
                                           "found 2\n  1:5-20: the tensor is made here\n"},
      {"y = tl.arange(0, 8)[0]",
       "1:21-22: unsupported tensor index: expected only `None` and `:`, found int\n"
       "  help: elements of a tensor are reached by masks, `tl.where` and reductions\n"},
      {"y = tl.arange(0, 8)[1:]",
       "1:21-23: unsupported tensor index: expected only `None` and `:`, found a slice with bounds\n"
       "  help: elements of a tensor are reached by masks, `tl.where` and reductions\n"},
      {"y = n[None, None, None, None, None, None, None, None, None, None, None, None, None, None, None, "
       "None, None, "
       "None, None, None, None, None, None, None, None, None, None, None, None, None, None, None, None]",
       "1:7-203: expected at most 32 dimensions, found 33\n"},
      {"y = tl.arange(0, 8).reshape(4, 4)",
       "1:5-34: `tl.reshape`: expected a shape of 8 elements like [8], found [4, 4]\n"},
      {"y = tl.broadcast_to(tl.arange(0, 8), (4, 8))",
       "1:5-45: expected a tensor that broadcasts to [4, 8], found one of shape [8]\n"
       "  help: both must have the same number of dimensions: add some with `[:, None]`\n"},
      {"y = tl.broadcast_to(tl.arange(0, 8), 4)",
       "1:5-40: expected a tensor that broadcasts to [4], found one of shape [8]\n"},
      {"y = tl.trans(tl.arange(0, 8))",
       "1:5-30: `tl.trans`: expected a tensor of 2 or more dimensions, found int32[8]\n"},
      {"y = tl.permute(tl.arange(0, 8), 0, 1)",
       "1:5-38: `tl.permute`: expected 1 axes for int32[8], found 2\n"},
      {"y = tl.permute(tl.zeros([4, 4], tl.int8), 0, 0)",
       "1:5-48: `tl.permute`: expected each axis from 0 to 1 once, found 0\n"},
      {"y = tl.expand_dims(tl.arange(0, 8), 2)",
       "1:37-38: `tl.expand_dims`: invalid axis 2, expected one from -2 to 1\n"},
      {"y = tl.expand_dims(tl.arange(0, 8), (0, 0))",
       "1:37-43: `tl.expand_dims`: duplicate axes, normalized axes = [0, 0]\n"},
      {"y = tl.squeeze(tl.arange(0, 8), 0)",
       "1:33-34: `tl.squeeze`: expected an axis of size 1, found one of size 8\n"},
      {"y = tl.arange(0, 8).T", "1:21-22: `T`: expected a tensor of 2 dimensions, found int32[8]\n"},
      {"y = n[0]", "1:7-8: unsupported tensor index: expected only `None` and `:`, found int\n"
                   "  help: elements of a tensor are reached by masks, `tl.where` and reductions\n"},
      {"y = tl.exp[0]", "1:5-14: expected a tensor, tuple or string before `[`, found function `tl.exp`\n"},
  });
}

TEST(EvalError, Memory) {
  expectAll({
      {"v = tl.load(p)\ntl.store(v, 1.0)", "2:10-11: `tl.store`: expected a pointer or a tensor of pointers, "
                                           "found fp32\n  1:5-15: the value is made here\n"},
      {"y = tl.load(n)", "1:13-14: `tl.load`: expected a pointer or a tensor of pointers, found int32\n"},
      {"tl.store(5, 1)", "1:10-11: `tl.store`: expected a pointer or a tensor of pointers, found int\n"},
      {"i = tl.arange(0, 64)\nm = tl.arange(0, 32) < n\ny = tl.load(p + i, mask=m)",
       "3:20-26: the pointer and the mask: expected shapes that broadcast, found [64] and [32]\n"
       "  2:5-25: the operand of shape [32] is made here\n"},
      {"i = tl.arange(0, 64)\ny = tl.load(p + i, mask=i)",
       "2:20-26: `tl.load`: expected a mask of int1, found int32[64]\n  help: masks come from comparisons, "
       "such as `offsets < n`\n"},
      {"i = tl.arange(0, 64)\ny = tl.load(p, mask=i < n)",
       "2:16-26: `tl.load`: expected a scalar as the mask for a scalar pointer, found int1[64]\n"},
      {"i = tl.arange(0, 64)\ntl.store(p, i)",
       "2:13-14: `tl.store`: expected a scalar as the value for a scalar pointer, found fp32[64]\n"},
      {"i = tl.arange(0, 64)\ntl.store(p + i, 1.0, mask=(i < n)[:, None])",
       "2:22-43: `tl.store`: expected a mask that broadcasts to the pointer's shape [64], found one that "
       "makes it [64, 64]\n"},
      {"i = tl.arange(0, 64)\ntl.store(p + i, i[:, None])",
       "2:17-27: `tl.store`: expected a value that broadcasts to the pointer's shape [64], found one that "
       "makes it [64, 64]\n"},
      {"y = tl.load(p, other=0.0)", "1:16-25: `tl.load`: expected a mask with `other`, found none\n"},
      {"y = tl.load(p, n > 0, 'a')", "1:23-26: expected a number or a tensor, found str\n"},
      {"tl.store(p, 'a')", "1:13-16: `tl.store`: expected a number or a tensor, found str\n"},
      {"tl.store(p, p)", "1:13-14: expected a type that pointer<fp32> converts to, found fp32\n"
                         "  help: an address converts to and from 64-bit integers only\n"},
      {"y = tl.load(p, cache_modifier='.xx')", "1:16-36: `tl.load`: expected one of '', '.ca', '.cg', '.cs', "
                                               "'.cv' as the cache modifier, found '.xx'\n"},
      {"tl.store(p, 1, cache_modifier='.ca')", "1:16-36: `tl.store`: expected one of '', '.wb', '.cg', "
                                               "'.cs', '.wt' as the cache modifier, found '.ca'\n"},
      {"y = tl.load(p, eviction_policy='never')",
       "1:16-39: `tl.load`: expected 'evict_first' or 'evict_last' as the eviction policy, found 'never'\n"},
      {"y = tl.load(p, boundary_check=(0,))",
       "1:16-35: `tl.load`: `boundary_check` and `padding_option` are for block pointers\n"},
      {"y = tl.load(p, padding_option='zero')",
       "1:16-37: `tl.load`: `boundary_check` and `padding_option` are for block pointers\n"},
      {"y = tl.multiple_of(tl.arange(0, 8), (8, 8))",
       "1:37-43: `tl.multiple_of`: expected a number for each of 1 dimensions, found 2\n"},
      {"y = tl.max_contiguous(n, 'a')",
       "1:26-29: `tl.max_contiguous`: expected an integer known at compile time, found str\n"},
      {"y = tl.max_constancy('a', 4)",
       "1:22-25: `tl.max_constancy`: expected a number or a tensor, found str\n"},
      {"tl.assume(tl.arange(0, 4) < n)",
       "1:11-30: `tl.assume`: expected a scalar condition, found int1[4]\n"},
      {"y = tl.multiple_of(n, 0)",
       "1:23-24: `tl.multiple_of`: expected positive numbers of 32 bits, found 0\n"},
  });
}

TEST(EvalError, Statements) {
  expectAll({
      {"y = lambda a: a", "1:5-16: a lambda cannot be used in a kernel\n"},
      {"y = {'a': 1}", "1:5-13: a dict cannot be used in a kernel\n"},
      {"y = {1, 2}", "1:5-11: a set cannot be used in a kernel\n"},
      {"try:\n    pass\nexcept E:\n    pass", "1:1-5: `try` cannot be used in a kernel\n"},
      {"with n:\n    pass", "1:1-8: `with` cannot be used in a kernel\n"},
      {"class C:\n    pass", "1:1-9: a class cannot be used in a kernel\n"},
      {"def f():\n    pass", "1:1-9: a function within a function cannot be used in a kernel\n"
                             "  help: define it at the level of the module, decorated with `@triton.jit`\n"},
      {"import os", "1:1-10: `import` cannot be used in a kernel\n"},
      {"raise n", "1:1-8: `raise` cannot be used in a kernel\n"},
      {"del n", "1:1-6: `del` cannot be used in a kernel\n"},
      {"global n", "1:1-9: `global` cannot be used in a kernel\n"},
      {"match n:\n    case 1:\n        pass", "1:1-9: `match` cannot be used in a kernel\n"},
      {"n.x = 1", "1:1-4: attributes cannot be assigned\n"},
      {"n.x += 1", "1:1-4: attributes cannot be assigned\n"},
      {"y = tl.arange(0, 4)\ny[0] = 1",
       "2:1-5: elements cannot be assigned\n"
       "  help: values never change: make a new tensor with `tl.where`, or write memory with `tl.store`\n"},
      {"a, b = n", "1:8-9: expected a tuple of 2 values, found int32\n"},
      {"a, b, c = 1, 2", "1:1-8: expected 3 values to unpack, found 2\n"},
      {"a, b, *c = (1,)", "1:1-9: expected 2 or more values to unpack, found 1\n"},
      {"return n", "1:8-9: expected a kernel to return nothing, found int32\n"},
      {"y: tl.constexpr = n\ntl.arange(0, y)",
       "2:14-15: `tl.arange`: expected an integer known at compile time, found int32\n"
       "  help: declare it `tl.constexpr`, as a parameter or as `name: tl.constexpr = ...`\n"},
      {"y = 1\ny: tl.constexpr = 2",
       "2:1-2: `y` is declared `constexpr` and already has a value\n  1:1-2: it got its value here\n"},
      {"y = f'{n}'", "1:8-9: expected a value known at compile time in an f-string, found int32\n"
                     "  help: print run-time values with `tl.device_print`\n"},
  });
}
