// Whole files: kernels and their parameters, and the bundled kernels.
#include "test/compiler/frontend/Harness.h"

#include "compiler/frontend/syntax/parse/Parser.h"

#include <fstream>
#include <sstream>

using namespace tegula;
using namespace tegula::test;

namespace {

std::string readKernel(const std::string &name) {
  std::ifstream in(std::string(TEGULA_SOURCE_DIR) + "/kernels/" + name);
  std::stringstream text;
  text << in.rdbuf();
  return text.str();
}

} // namespace

TEST(EvalKernel, VectorAdd) {
  Evaluated result = evaluate(readKernel("vector_add.py"), {{"x_ptr", "*fp32:16"},
                                                            {"y_ptr", "*fp32:16"},
                                                            {"out_ptr", "*fp32:16"},
                                                            {"n", "i32:16"},
                                                            {"BLOCK_SIZE", "#1024"}});
  EXPECT_EQ(result.errors, "");
  EXPECT_TRUE(
      holds(result.ir, {
                           "func.func @add_kernel(",
                           "%arg0: !tile.ptr<f32> {tile.param = #tile.param<\"x_ptr\", \"*fp32\", 16>}",
                           "%arg3: i32 {tile.param = #tile.param<\"n\", \"i32\", 16>})",
                           "attributes {tile.kernel = #tile.kernel<warps = 4, stages = 3>} {",
                           "%0 = tile.program_id x",
                           "arith.muli %0, %c1024_i32 : i32",
                           "%2 = tile.arange 0 to 1024 : tensor<1024xi32>",
                           "%3 = tile.splat %1 : i32 -> tensor<1024xi32>",
                           "%4 = arith.addi %3, %2 : tensor<1024xi32>",
                           "%5 = tile.splat %arg3",
                           "%6 = arith.cmpi slt, %4, %5",
                           "tile.load %8, %6 :",
                           "tile.load %11, %6 :",
                           "arith.addf %9, %12 fastmath<contract> : tensor<1024xf32>",
                           "tile.store %14, %15, %6",
                           "return",
                       }));
  EXPECT_TRUE(holds(result.located, {"module attributes {tile.target = \"sm_90a\"}"}));
}

TEST(EvalKernel, TheOtherBundledKernels) {
  Evaluated gelu = evaluate(readKernel("gelu.py"),
                            {{"x_ptr", "*bf16"}, {"y_ptr", "*bf16"}, {"n", "i32"}, {"BLOCK_SIZE", "#512"}},
                            false, "gelu_kernel");
  EXPECT_EQ(gelu.errors, "");
  EXPECT_TRUE(holds(gelu.ir, {"arith.extf", "math.exp", "fastmath<afn>", "arith.divf", "arith.truncf",
                              "tensor<512xbf16>"}));
  Evaluated copy = evaluate(readKernel("strided_copy.py"), {{"x_ptr", "*i8"},
                                                            {"y_ptr", "*i8"},
                                                            {"n", "i32"},
                                                            {"x_stride", "i64"},
                                                            {"y_stride", "i32=1"},
                                                            {"BLOCK_SIZE", "#64"}});
  EXPECT_EQ(copy.errors, "");
  // A stride of one is gone.
  EXPECT_TRUE(holds(copy.ir, {"arith.extsi", "arith.muli", "tensor<64xi64>", "tile.load", "tile.store"}));
  EXPECT_EQ(copy.ir.find("%arg4"), copy.ir.npos);
  Evaluated transpose = evaluate(readKernel("transpose.py"), {{"x_ptr", "*fp16"},
                                                              {"y_ptr", "*fp16"},
                                                              {"M", "i32"},
                                                              {"N", "i32"},
                                                              {"x_stride", "i32"},
                                                              {"y_stride", "i32"},
                                                              {"BLOCK_M", "#32"},
                                                              {"BLOCK_N", "#64"}});
  EXPECT_EQ(transpose.errors, "");
  EXPECT_TRUE(holds(transpose.ir, {"tile.load", "tensor<32x64x!tile.ptr<f16>>", "tile.trans",
                                   "tensor<64x32xf16>", "tile.store"}));
}

TEST(EvalKernel, ParametersOfEveryKind) {
  Evaluated result = evaluate(R"(
@triton.jit
def k(a, b: tl.constexpr, c=5, d: "tl.constexpr" = 3, e=None, f: tl.constexpr = tl.float16):
    tl.static_print(a, b, c, d, e, f)
)",
                              {{"a", "**u8:8"}, {"b", "#'text'"}});
  ASSERT_EQ(result.diagnostics.size(), 1u) << result.errors;
  EXPECT_EQ(result.diagnostics[0].message, "pointer<pointer<uint8>> text 5 3 None fp16");
  EXPECT_TRUE(
      holds(result.ir, {"(%arg0: !tile.ptr<!tile.ptr<i8>> {tile.param = #tile.param<\"a\", \"**u8\", 8>})"}));
}

TEST(EvalKernel, DecoratedKernelsCompile) {
  Evaluated result = evaluate(R"(
def configs():
    return [triton.Config({"B": 64}, num_warps=w) for w in (1, 2)]
@triton.autotune(configs=configs(), key=["n"])
@triton.heuristics({"EVEN": lambda args: args["n"] % 64 == 0})
@triton.jit(do_not_specialize=["n"])
def k(p, n, B: tl.constexpr, EVEN: tl.constexpr):
    """A docstring."""
    tl.store(p + tl.arange(0, B), n)
)",
                              {{"p", "*i32"}, {"n", "i32"}, {"B", "#64"}, {"EVEN", "#true"}});
  EXPECT_EQ(result.errors, "");
}

TEST(EvalKernel, Errors) {
  const char *two =
      "@triton.jit\ndef first(x):\n    pass\n@triton.jit\ndef second(x):\n    pass\ndef plain():\n    pass\n";
  EXPECT_EQ(fileErrors(two, {}),
            "expected the name of a kernel, as the file has 2\n  help: one of `first`, `second`\n");
  EXPECT_EQ(fileErrors(two, {}, "frist"),
            "there is no kernel `frist` in the file\n  help: did you mean `first`?\n");
  EXPECT_EQ(fileErrors(two, {}, "plain"), "7:5-10: expected `plain` to be a kernel, found a plain function\n "
                                          " help: decorate it with `@triton.jit`\n");
  EXPECT_EQ(fileErrors("x = 1\n", {}), "there is no `@triton.jit` function in the file\n");
  EXPECT_EQ(fileErrors(two, {{"y", "i32"}}, "first"), "2:5-10: kernel `first` has no parameter `y`\n");
  EXPECT_EQ(fileErrors("@triton.jit\ndef k(x, BLOCK: tl.constexpr):\n    pass\n", {}),
            "2:7-8: missing type of parameter `x`\n  help: give it with `--sig x=TYPE`\n"
            "2:10-15: missing value of constexpr parameter `BLOCK`\n  help: give it with `-D BLOCK=VALUE`\n");
  EXPECT_EQ(fileErrors("@triton.jit\ndef k(BLOCK: tl.constexpr):\n    pass\n", {{"BLOCK", "i32"}}),
            "2:7-12: expected a value for constexpr parameter `BLOCK`, found the type i32\n");
  EXPECT_EQ(fileErrors("@triton.jit\ndef k(*rest):\n    pass\n", {}), "");
  EXPECT_EQ(fileErrors("@triton.jit\ndef k(*rest):\n    pass\n", {{"rest", "i32"}}),
            "2:8-12: expected a tuple of what `*rest` gathers, found another value\n");
  EXPECT_EQ(fileErrors("@triton.jit\ndef k(x=nope):\n    pass\n", {}),
            "2:9-13: name `nope` is not defined\n");
}

TEST(EvalKernel, SpecsThatMakeNoSense) {
  auto errors = [](auto change) {
    DiagnosticEngine engine;
    auto file = std::make_shared<SourceFile>("k.py", "@triton.jit\ndef k(n):\n    pass\n");
    std::unique_ptr<ast::Module> module = parseModule(file, engine);
    KernelSpec spec;
    spec.args["n"] = RuntimeArg{ScalarKind::Int32, 0, {16}};
    change(spec);
    mlir::MLIRContext context(mlir::MLIRContext::Threading::DISABLED);
    bool made = bool(lowerToTile(*module, spec, context, engine));
    EXPECT_EQ(made, !engine.hasErrors());
    return summary(engine.diagnostics());
  };
  EXPECT_EQ(errors([](KernelSpec &spec) { spec.numStages = 0; }), "");
  EXPECT_EQ(errors([](KernelSpec &spec) { spec.numWarps = 3; }),
            "2:5-6: expected a power of two from 1 to 32 warps, found 3\n");
  EXPECT_EQ(errors([](KernelSpec &spec) { spec.numStages = 99; }),
            "2:5-6: expected 1 to 32 stages, found 99\n");
  EXPECT_EQ(errors([](KernelSpec &spec) { std::get<RuntimeArg>(spec.args["n"]).facts.divisibility = 12; }),
            "2:5-6: expected a power of two as the divisibility of `n`, found 12\n");
  auto notNegative = [&](ScalarKind scalar, uint8_t pointerDepth) {
    return errors([&](KernelSpec &spec) { spec.args["n"] = RuntimeArg{scalar, pointerDepth, {1, true}}; });
  };
  EXPECT_EQ(notNegative(ScalarKind::Int64, 0), "");
  EXPECT_EQ(notNegative(ScalarKind::UInt32, 0),
            "2:5-6: expected a signed integer that is not negative as `n`, found u32+\n");
  EXPECT_EQ(notNegative(ScalarKind::Float32, 0),
            "2:5-6: expected a signed integer that is not negative as `n`, found fp32+\n");
  EXPECT_EQ(notNegative(ScalarKind::Int32, 1),
            "2:5-6: expected a signed integer that is not negative as `n`, found *i32+\n");
}

TEST(EvalKernel, ErrorsInHelpersSayWhoCalled) {
  EXPECT_EQ(
      fileErrors(R"(@triton.jit
def inner(x):
    return x + nothing
@triton.jit
def outer(x):
    return inner(x)
@triton.jit
def k(p):
    tl.store(p, outer(1))
)",
                 {{"p", "*i32"}}, "k"),
      "3:16-23: name `nothing` is not defined\n  6:12-20: `inner` is called here\n  9:17-25: `outer` is "
      "called here\n");
  EXPECT_EQ(fileErrors(R"(@triton.jit
def f(x, size: tl.constexpr, y):
    return x
@triton.jit
def k(n):
    a = f(n, n, 1) # `constexpr` is a hint only
    b = f(n)
    c = f(n, 1, 2, 3)
    d = f(n, 1, z=3)
)",
                       {{"n", "i32"}}, "k"),
            "7:9-13: `f`: missing argument `size`\n  2:10-14: the parameter is declared here\n"
            "8:20-21: `f`: expected at most 3 arguments, found 4\n"
            "9:17-20: `f` has no parameter `z`\n");
  EXPECT_EQ(
      fileErrors("def host(x):\n    return x\n@triton.jit\ndef k(n):\n    host(n)\n", {{"n", "i32"}}),
      "5:5-12: expected a `@triton.jit` function to call from a kernel, found the plain function `host`\n"
      "  1:5-9: `host` is defined here\n"
      "  help: decorate it with `@triton.jit`, or with `@triton.constexpr_function` if it computes a "
      "constant\n");
  EXPECT_EQ(fileErrors("@triton.jit\ndef f(x):\n    return x\n@triton.jit\ndef k(n):\n    f[(1,)](n)\n",
                       {{"n", "i32"}}, "k"),
            "6:5-12: expected a tensor, tuple or string before `[`, found function `f`\n"
            "  help: a kernel cannot launch another: call the function directly\n");
}
