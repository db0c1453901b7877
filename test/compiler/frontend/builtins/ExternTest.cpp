// tl.core.extern_elementwise: functions of libraries, in functions that are decorated with `@core.extern`.
#include "test/compiler/frontend/Harness.h"

using namespace tegula;
using namespace tegula::test;

namespace {

const NamedArguments parameters = {{"x", "*fp32"}, {"q", "*i32"}};

/// A file with an extern function `f(a)` of this body and a kernel that calls it.
std::string file(const std::string &body, const std::string &call) {
  return R"(
from triton.language import core
TABLE = {(core.dtype("fp32"),): ("of_floats", core.dtype("fp32")), (core.int32,): ("of_integers", core.int32)}
@core.extern
def f(a, _semantic=None):
    return core.extern_elementwise()" +
         body + R"()
@triton.jit
def k(x, q):
    i = tl.arange(0, 64)
    )" + call +
         "\n";
}

/// Returns the first message about such a file.
std::string errors(const std::string &body, const std::string &call = "f(tl.load(x + i))") {
  std::string all = fileErrors(file(body, call), parameters, "k");
  all = all.substr(0, all.find('\n'));
  return all.substr(std::min(all.find(": ") + 2, all.size())); // behind the place
}

} // namespace

TEST(Extern, TheTypesOfTheArgumentsChooseTheFunction) {
  const std::string body = R"("", "", [a], TABLE, is_pure=True, _semantic=_semantic)";
  Evaluated made = evaluate(file(body, "tl.store(x + i, f(tl.load(x + i)) + f(tl.program_id(0)))"),
                            parameters, false, "k");
  EXPECT_EQ(made.errors, "");
  EXPECT_TRUE(holds(made.ir, {R"(tile.extern_call "of_floats" pure(%)", "(tensor<64xf32>) -> tensor<64xf32>",
                              R"(tile.extern_call "of_integers" pure(%)", "(i32) -> i32"}));
}

TEST(Extern, WhatIsNotPureSaysSo) {
  Evaluated made = evaluate(
      file(R"("", "", [a], {(core.pointer_type(core.float32),): ("put", core.int32)}, is_pure=False)",
           "f(x + i)"),
      parameters, false, "k");
  EXPECT_EQ(made.errors, "");
  EXPECT_TRUE(
      holds(made.ir, {R"(tile.extern_call "put"(%)", "(tensor<64x!tile.ptr<f32>>) -> tensor<64xi32>"}));
}

TEST(Extern, ArgumentsBroadcastAndHaveATypeInCommon) {
  Evaluated made =
      evaluate(file(R"("", "", [a, 2], {(core.float32, core.float32): ("sum", core.float32)}, is_pure=True)",
                    "tl.store(x + i, f(tl.load(x + i)))"),
               parameters, false, "k");
  EXPECT_EQ(made.errors, "");
  EXPECT_TRUE(holds(made.ir, {"(tensor<64xf32>, tensor<64xf32>) -> tensor<64xf32>"}));
}

TEST(Extern, AFunctionWithoutArgumentsGivesAScalar) {
  Evaluated made =
      evaluate(file(R"("", "", [], {(): ("me", core.int32)}, is_pure=False)", "tl.store(q, f(0))"),
               parameters, false, "k");
  EXPECT_EQ(made.errors, "");
  EXPECT_TRUE(holds(made.ir, {R"(tile.extern_call "me"() : () -> i32)"}));
}

TEST(Extern, MessagesSayWhatWasExpected) {
  const std::string name = "`tl.extern_elementwise`: ";
  EXPECT_EQ(errors(R"("", "", a, TABLE, is_pure=True)"),
            name + "expected a list of arguments, found fp32[64]");
  EXPECT_EQ(errors(R"("", "", [a], {}, is_pure=True)"),
            name + "expected a dict with a function for each list of types, found dict");
  EXPECT_EQ(errors(R"("", "", [a], 3, is_pure=True)"),
            name + "expected a dict with a function for each list of types, found int");
  EXPECT_EQ(errors(R"("", "", [a], {core.float32: ("f", core.float32)}, is_pure=True)"),
            name + "expected tuples of types as keys and of a name and a type as values, found type `fp32`: "
                   "('f', fp32)");
  EXPECT_EQ(errors(R"("", "", [a], {(core.float32,): "f"}, is_pure=True)"),
            name + "expected tuples of types as keys and of a name and a type as values, found (fp32,): str");
  EXPECT_EQ(errors(R"("", "", [a], {(core.float32,): ("a b", core.float32)}, is_pure=True)"),
            name + "expected the name of a function, found `a b`");
  EXPECT_EQ(errors(R"("", "", [a], TABLE, is_pure=True)", "f(tl.load(q + i).to(tl.int64))"),
            name + "expected arguments of the types (fp32), (int32), found (int64)");
  EXPECT_EQ(errors(R"("", "", [a], TABLE, is_pure=True)", "f(x)"),
            name + "expected arguments of the types (fp32), (int32), found (pointer<fp32>)");
  EXPECT_EQ(errors(R"("", "", [a, tl.arange(0, 32)], TABLE, is_pure=True)"),
            "arguments: expected shapes that broadcast, found [64] and [32]");
}

TEST(Extern, TheDecoratorIsNoFunction) {
  EXPECT_EQ(errors(R"("", "", [a], TABLE, is_pure=True)", "core.extern()"),
            "`tl.extern`: expected it to decorate a function");
}

TEST(Extern, DictsAreForSuchFunctionsAlone) {
  EXPECT_EQ(errors(R"("", "", [a], TABLE, is_pure=True)", "d = {(tl.int32,): 1}"),
            "a dict cannot be used in a kernel");
}
