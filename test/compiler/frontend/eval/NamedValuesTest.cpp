// Names of the source in the IR. That programs are the same without them, the harness checks of every program
// that any test evaluates.
#include "test/compiler/frontend/Harness.h"

#include "compiler/frontend/syntax/parse/Parser.h"
#include "compiler/spec/KernelSpec.h"
#include "dialect/tile/BoundNames.h"

using namespace tegula;
using namespace tegula::test;

namespace {

/// "LINE:COLUMN-END name: type [= constant]", a line each, "*" in front of those that are carried, "@LINE"
/// for each call behind. Lines are those of `source`, which has its imports in the first two.
std::string namesIn(const std::string &source, const std::map<std::string, ArgSpec> &arguments) {
  static mlir::MLIRContext context(mlir::MLIRContext::Threading::DISABLED);
  DiagnosticEngine engine;
  auto file = std::make_shared<SourceFile>("k.py", "import triton\nimport triton.language as tl\n" + source);
  std::unique_ptr<ast::Module> parsed = parseModule(file, engine);
  KernelSpec spec;
  spec.kernel = "k";
  spec.args = arguments;
  mlir::OwningOpRef<mlir::ModuleOp> module = lowerToTile(*parsed, spec, context, engine, {.names = true});
  EXPECT_EQ(render(engine.diagnostics()), "");
  std::string text;
  if (!module)
    return text;
  for (const tile::BoundName &name : tile::boundNames(*module)) {
    text += (name.isKept ? "*" : "") + std::to_string(name.place.line) + ":" +
            std::to_string(name.place.column) + "-" + std::to_string(name.place.endColumn) + " " + name.name +
            ": " + name.type + (name.value ? "" : " = " + name.constant);
    for (const tile::SourcePlace &call : name.calls)
      text += " @" + std::to_string(call.line);
    text += "\n";
  }
  return text;
}

ArgSpec type(std::string_view text) { return std::get<ArgSpec>(parseArgType(text)); }

} // namespace

TEST(NamedValues, ParametersAndAssignments) {
  EXPECT_EQ(
      namesIn(R"(
@triton.jit
def k(x, n, B: tl.constexpr, flag=None):
    i = tl.arange(0, B)
    i += n
    mask: tl.constexpr = B * 2
    a, (b, c) = i, (n, 1.5)
    tl.store(x + i, (d := a * b))
)",
              {{"x", type("*u32")}, {"n", type("i32")}, {"B", BoundValue{int64_t(64)}}}),
      "5:7-8 x: pointer<uint32>\n5:10-11 n: int32\n5:13-14 B: int = 64\n5:30-34 flag: None = None\n"
      "6:5-6 i: int32[64]\n7:5-6 i: int32[64]\n8:5-9 mask: int = 128\n9:5-6 a: int32[64]\n9:9-10 b: int32\n"
      "9:12-13 c: fp32\n10:22-23 d: int32[64]\n");
}

TEST(NamedValues, HelpersHaveTheCallsThatLedThere) {
  EXPECT_EQ(namesIn(R"(
@triton.jit
def inner(v):
    w = v + 1
    return w
@triton.jit
def helper(v):
    return inner(v * 2)
@triton.jit
def k(n):
    y = helper(n)
)",
                    {{"n", type("i32")}}),
            "12:7-8 n: int32\n9:12-13 v: int32 @13\n5:11-12 v: int32 @10 @13\n6:5-6 w: int32 @10 @13\n"
            "13:5-6 y: int32\n");
}

TEST(NamedValues, LoopsAndBranchesCarryNames) {
  EXPECT_EQ(
      namesIn(R"(
@triton.jit
def k(n):
    s = n
    for i in range(n):
        s += i
    if n > 3:
        s = s * 2
    while s < 9:
        s = s + 1
)",
              {{"n", type("i32")}}),
      "5:7-8 n: int32\n6:5-6 s: int32\n*6:5-6 s: int32\n7:9-10 i: int32\n8:9-10 s: int32\n*6:5-6 s: int32\n"
      "10:9-10 s: int32\n*10:9-10 s: int32\n*10:9-10 s: int32\n*10:9-10 s: int32\n12:9-10 s: int32\n"
      "*10:9-10 s: int32\n");
}

TEST(NamedValues, PartsAreBoundEachByItself) {
  EXPECT_EQ(namesIn(R"(
@triton.jit
def k(x, n):
    t = (n, (n + 1, "text"))
    p = tl.make_block_ptr(x, (n, n), (n, 1), (0, 0), (16, 32), (1, 0))
    e = ()
)",
                    {{"x", type("*fp16")}, {"n", type("i32")}}),
            "5:7-8 x: pointer<fp16>\n5:10-11 n: int32\n6:5-6 t[0]: int32\n6:5-6 t[1][0]: int32\n"
            "6:5-6 t[1][1]: str = 'text'\n7:5-6 p: block pointer to fp16[16, 32]\n"
            "7:5-6 p.offsets[0]: int32\n7:5-6 p.offsets[1]: int32\n8:5-6 e: tuple = ()\n");
}

TEST(NamedValues, AnElseOfNamesAloneGoesWithThem) {
  // The branch that is there for a name has no ops otherwise: the harness compares the two programs.
  const Evaluated result =
      evaluateBody("if n > 3:\n    tl.store(x, n)\nelse:\n    B: tl.constexpr = 4\n    c = 1\n",
                   {{"x", "*i32"}, {"n", "i32"}});
  EXPECT_EQ(result.errors, "");
}

TEST(NamedValues, NoNamesOfTheLibraryAndOfComprehensions) {
  EXPECT_EQ(namesIn(R"(
@triton.jit
def k(n):
    total = tl.sum(tl.arange(0, 8), 0)
    items = tl.static_range(2)
)",
                    {{"n", type("i32")}}),
            "5:7-8 n: int32\n6:5-10 total: int32\n7:5-10 items: range = range(0, 2, 1)\n");
}
