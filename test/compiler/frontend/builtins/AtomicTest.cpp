// Atomics and the barrier.
#include "test/compiler/frontend/Harness.h"

using namespace tegula;
using namespace tegula::test;

namespace {

const NamedArguments arguments = {{"p", "*fp32"}, {"d", "*fp64"}, {"h", "*fp16"}, {"b", "*bf16"},
                                  {"q", "*i32"},  {"l", "*i64"},  {"u", "*u32"},  {"v", "*u64"},
                                  {"s", "*i16"},  {"t", "*i8"},   {"f", "*i1"},   {"c", "*fp32"},
                                  {"n", "i32"},   {"x", "fp32"}};

std::string ir(const std::string &body) { return bodyIr(body, arguments); }
std::string errors(const std::string &body) { return bodyErrors(body, arguments); }

} // namespace

TEST(EvalAtomic, KindsFollowTheType) {
  struct Case {
    const char *call, *op;
  };
  for (Case c : {
           Case{"tl.atomic_add(p, 1.0)", "tile.atomic_rmw fadd, acq_rel, gpu, %arg0, %cst : !tile.ptr<f32>"},
           Case{"tl.atomic_add(d, x)", "fadd, acq_rel, gpu, %arg1, %0 : !tile.ptr<f64>"},
           Case{"tl.atomic_add(h, x)", "fadd, acq_rel, gpu, %arg2, %0 : !tile.ptr<f16>"},
           Case{"tl.atomic_add(b, x)", "fadd, acq_rel, gpu, %arg3, %0 : !tile.ptr<bf16>"},
           Case{"tl.atomic_add(q, 1)", "add, acq_rel, gpu, %arg4, %c1_i32 : !tile.ptr<i32>"},
           Case{"tl.atomic_add(l, n)", "add, acq_rel, gpu, %arg5, %0 : !tile.ptr<i64>"},
           Case{"tl.atomic_max(q, n)", "tile.atomic_rmw max,"},
           Case{"tl.atomic_max(u, n)", "tile.atomic_rmw umax,"},
           Case{"tl.atomic_min(l, n)", "tile.atomic_rmw min,"},
           Case{"tl.atomic_min(v, n)", "tile.atomic_rmw umin,"},
           Case{"tl.atomic_and(q, n)", "tile.atomic_rmw and,"},
           Case{"tl.atomic_or(u, n)", "tile.atomic_rmw or,"},
           Case{"tl.atomic_xor(v, n)", "tile.atomic_rmw xor,"},
           Case{"tl.atomic_xchg(p, x)", "tile.atomic_rmw xchg, acq_rel, gpu, %arg0, %arg13"},
           Case{"tl.atomic_xchg(q, 0)", "tile.atomic_rmw xchg,"},
           Case{"q.atomic_add(n)", "tile.atomic_rmw add,"},
           Case{"tl.atomic_cas(q, 0, 1)",
                "tile.atomic_cas acq_rel, gpu, %arg4, %c0_i32, %c1_i32 : !tile.ptr<i32>"},
           Case{"tl.atomic_cas(s, n, 1)",
                "tile.atomic_cas acq_rel, gpu, %arg8, %0, %c1_i16 : !tile.ptr<i16>"},
           Case{"p.atomic_cas(x, 1, sem='acquire')", "tile.atomic_cas acquire, gpu, %arg0, %arg13, %cst"},
           Case{"tl.atomic_load(q)", "tile.atomic_load acquire, gpu, %arg4 : !tile.ptr<i32>"},
           Case{"tl.atomic_load(h)", "tile.atomic_load acquire, gpu, %arg2 : !tile.ptr<f16>"},
           Case{"t.atomic_load()", "tile.atomic_load acquire, gpu, %arg9 : !tile.ptr<i8>"},
           Case{"tl.atomic_load(c, n > 0)", "tile.atomic_load acquire, gpu, %arg11, %0 : !tile.ptr<f32>"},
           Case{"tl.atomic_store(p, n)", "tile.atomic_store release, gpu, %arg0, %0 : !tile.ptr<f32>"},
           Case{"s.atomic_store(1)", "tile.atomic_store release, gpu, %arg8, %c1_i16 : !tile.ptr<i16>"},
           Case{"tl.debug_barrier()", "tile.barrier"},
       })
    EXPECT_TRUE(holds(ir(c.call), {c.op})) << c.call;
}

TEST(EvalAtomic, OrderAndScope) {
  EXPECT_TRUE(holds(ir("tl.atomic_add(q, 1, sem='relaxed', scope='cta')"), {"add, relaxed, cta"}));
  EXPECT_TRUE(holds(ir("tl.atomic_add(q, 1, sem='acquire', scope='sys')"), {"add, acquire, sys"}));
  EXPECT_TRUE(holds(ir("tl.atomic_xchg(q, 1, None, 'release', 'gpu')"), {"xchg, release, gpu"}));
  EXPECT_TRUE(holds(ir("tl.atomic_cas(q, 0, 1, None, scope=None)"), {"atomic_cas acq_rel, gpu"}));
  EXPECT_TRUE(holds(ir("tl.atomic_load(q, sem='relaxed', scope='sys')"), {"atomic_load relaxed, sys"}));
  EXPECT_TRUE(holds(ir("tl.atomic_load(q, None, None, 'cta')"), {"atomic_load acquire, cta"}));
  EXPECT_TRUE(holds(ir("tl.atomic_store(q, 1, None, 'relaxed', 'cta')"), {"atomic_store relaxed, cta"}));
  EXPECT_TRUE(holds(ir("tl.atomic_store(q, 1, scope='sys')"), {"atomic_store release, sys"}));
}

TEST(EvalAtomic, TruthsAreBytes) {
  EXPECT_TRUE(holds(ir("y = tl.atomic_load(f)\ntl.static_assert(y.dtype == tl.int1)\ntl.atomic_store(f, y)"),
                    {"tile.atomic_load acquire, gpu, %", ": !tile.ptr<i8>", "arith.cmpi ne", "arith.extui",
                     "tile.atomic_store release, gpu, %", ": !tile.ptr<i8>"}));
}

TEST(EvalAtomic, OperandsComeToThePointersShape) {
  EXPECT_TRUE(holds(
      ir("i = tl.arange(0, 64)\nold = tl.atomic_add(p + i, i, mask=i < n)\ntl.static_assert(old.dtype == "
         "tl.float32)\ntl.store(p + i, old)"),
      {"arith.sitofp", "tile.atomic_rmw fadd, acq_rel, gpu, %", ": tensor<64x!tile.ptr<f32>>",
       "tile.store"}));
  EXPECT_TRUE(holds(ir("i = tl.arange(0, 64)\ntl.atomic_add(q + i % 8, 1, mask=n > 0)"),
                    {"dense<1>", "tile.splat", "i1 -> tensor<64xi1>", "tile.atomic_rmw add"}));
  EXPECT_TRUE(holds(ir("i = tl.arange(0, 64)\ntl.atomic_add(q + i[:, None] * 64 + i[None, :], i)"),
                    {"tensor<64xi32> -> tensor<1x64xi32>", "-> tensor<64x64xi32>", "tile.atomic_rmw"}));
  EXPECT_TRUE(holds(ir("i = tl.arange(0, 64)\ntl.atomic_cas(q + i, i, 1)"), {"dense<1>", "tile.atomic_cas"}));
  EXPECT_TRUE(holds(ir("i = tl.arange(0, 64)\ntl.atomic_store(p + i, 1, n > 0)"),
                    {"i1 -> tensor<64xi1>", "tile.atomic_store", ": tensor<64x!tile.ptr<f32>>"}));
}

TEST(EvalAtomic, ExtremaOfFloatsAreThoseOfTheirBits) {
  EXPECT_TRUE(holds(
      ir("i = tl.arange(0, 64)\nv = tl.load(p + i)\ntl.store(p + i, tl.atomic_max(p + i, v, mask=i < n))"),
      {"arith.cmpi slt", "tile.bitcast", "-> tensor<64x!tile.ptr<i32>>", "arith.bitcast", "arith.cmpi sge",
       "arith.andi", "tile.atomic_rmw max, acq_rel, gpu", "arith.cmpi slt", "arith.andi",
       "tile.atomic_rmw umin, acq_rel, gpu", "arith.select", "arith.bitcast", "tensor<64xf32>",
       "tile.store"}));
  EXPECT_TRUE(holds(ir("tl.atomic_min(d, x)"), {"!tile.ptr<i64>", "arith.bitcast", "f64 to i64", "sge",
                                                "tile.atomic_rmw min", "slt", "tile.atomic_rmw umax"}));
  // The sign bit decides, so that -0.0 is below 0.0; of a constant one half is all.
  std::string minus = ir("tl.atomic_max(p, -0.0)"), plus = ir("tl.atomic_max(p, 2.0)");
  EXPECT_TRUE(holds(minus, {"tile.atomic_rmw umin"}));
  EXPECT_EQ(minus.find("rmw max"), minus.npos);
  EXPECT_TRUE(holds(plus, {"tile.atomic_rmw max"}));
  EXPECT_EQ(plus.find("umin"), plus.npos);
}

TEST(EvalAtomic, Errors) {
  struct Case {
    const char *body, *errors;
  };
  for (Case c : {
           Case{"tl.atomic_add(t, 1)",
                "1:15-16: `tl.atomic_add`: expected a pointer to int32, uint32, int64, "
                "uint64, fp16, bf16, fp32 or fp64, found one to int8\n"},
           Case{"tl.atomic_add(s, 1)",
                "1:15-16: `tl.atomic_add`: expected a pointer to int32, uint32, int64, "
                "uint64, fp16, bf16, fp32 or fp64, found one to int16\n"},
           Case{"tl.atomic_add(f, 1)",
                "1:15-16: `tl.atomic_add`: expected a pointer to int32, uint32, int64, "
                "uint64, fp16, bf16, fp32 or fp64, found one to int1\n"},
           Case{"tl.atomic_max(h, 1)",
                "1:15-16: `tl.atomic_max`: expected a pointer to int32, uint32, int64, "
                "uint64, fp32 or fp64, found one to fp16\n"},
           Case{"tl.atomic_xchg(b, 1)", "1:16-17: `tl.atomic_xchg`: expected a pointer to int32, uint32, "
                                        "int64, uint64, fp32 or fp64, found one to bf16\n"},
           Case{"tl.atomic_and(h, 1)",
                "1:15-16: `tl.atomic_and`: expected a pointer to int32, uint32, int64, "
                "uint64, fp32 or fp64, found one to fp16\n"},
           Case{"tl.atomic_cas(t, 0, 1)", "1:15-16: `tl.atomic_cas`: expected a pointer to numbers of 16, 32 "
                                          "or 64 bits, found one to int8\n"},
           Case{"tl.atomic_add(x, 1)",
                "1:15-16: `tl.atomic_add`: expected a pointer or a tensor of pointers, found fp32\n"},
           Case{"tl.atomic_add(q, 'a')",
                "1:18-21: `tl.atomic_add`: expected a number or a tensor, found str\n"},
           Case{"tl.atomic_add(q, p)",
                "1:18-19: expected a type that pointer<fp32> converts to, found int32\n"
                "  help: an address converts to and from 64-bit integers only\n"},
           Case{"tl.atomic_add(q, tl.arange(0, 8))",
                "1:18-33: `tl.atomic_add`: expected a scalar as the value "
                "for a scalar pointer, found int32[8]\n"},
           Case{"tl.atomic_add(q + tl.arange(0, 8), 1, mask=(tl.arange(0, 8) < n)[:, None])",
                "1:39-74: `tl.atomic_add`: expected a mask that broadcasts to the pointer's shape [8], found "
                "one "
                "that makes it [8, 8]\n"},
           Case{"tl.atomic_add(q, 1, mask=n)",
                "1:21-27: `tl.atomic_add`: expected a mask of int1, found int32\n"
                "  help: masks come from comparisons, such as `offsets < n`\n"},
           Case{"tl.atomic_add(q, 1, sem='seq_cst')",
                "1:21-34: `tl.atomic_add`: expected 'acq_rel', 'acquire', "
                "'release' or 'relaxed' as `sem`, found 'seq_cst'\n"},
           Case{"tl.atomic_load(q, sem='release')",
                "1:19-32: `tl.atomic_load`: expected 'acquire' or 'relaxed' "
                "as `sem`, found 'release'\n"},
           Case{"tl.atomic_store(q, 1, sem='acquire')", "1:23-36: `tl.atomic_store`: expected 'release' or "
                                                        "'relaxed' as `sem`, found 'acquire'\n"},
           Case{"tl.atomic_load(q, scope='block')", "1:19-32: `tl.atomic_load`: expected 'gpu', 'cta' or "
                                                    "'sys' as `scope`, found 'block'\n"},
           Case{"tl.atomic_load(x)",
                "1:16-17: `tl.atomic_load`: expected a pointer or a tensor of pointers, found fp32\n"},
           Case{"tl.atomic_load(q, mask=tl.arange(0, 8) < n)",
                "1:19-43: `tl.atomic_load`: expected a scalar as the mask for a scalar pointer, found "
                "int1[8]\n"},
           Case{"tl.atomic_store(q, 'a')",
                "1:20-23: `tl.atomic_store`: expected a number or a tensor, found str\n"},
           Case{"tl.atomic_add(q, 1, scope='block')", "1:21-34: `tl.atomic_add`: expected 'gpu', 'cta' or "
                                                      "'sys' as `scope`, found 'block'\n"},
           Case{"tl.atomic_add(q, 1, sem=n)", "1:21-26: `tl.atomic_add`: expected a string, found int32\n"},
           Case{"tl.atomic_cas(q, 0, 1, mask=n > 0)", "1:24-34: `tl.atomic_cas` has no parameter `mask`\n"},
           Case{"tl.atomic_cas(q, tl.arange(0, 8), 1)", "1:18-33: `tl.atomic_cas`: expected a scalar as the "
                                                        "value to compare with for a scalar pointer, "
                                                        "found int32[8]\n"},
       })
    EXPECT_EQ(errors(c.body), c.errors) << c.body;
  EXPECT_EQ(fileErrors("@triton.jit\ndef k(p: tl.const):\n    tl.atomic_add(p, 1)\n", {{"p", "*fp32"}}),
            "3:19-20: `tl.atomic_add`: Cannot store to a constant pointer, found const_pointer<fp32>\n");
  EXPECT_EQ(fileErrors("@triton.jit\ndef k(p: tl.const):\n    tl.atomic_store(p, tl.atomic_load(p))\n",
                       {{"p", "*fp32"}}),
            "3:21-22: `tl.atomic_store`: Cannot store to a constant pointer, found const_pointer<fp32>\n");
}
