// Guesses for kernels written by hand, one for each way in which a text shows what a parameter is.
#include "compiler/guess/Guess.h"

#include "compiler/driver/Compiler.h"
#include "compiler/driver/ParsedSource.h"
#include "compiler/spec/ValueText.h"

#include <gtest/gtest.h>

namespace tegula::guess {
namespace {

const std::string head = "import triton\nimport triton.language as tl\n";

/// Guesses of the last kernel in a text.
class Guessed {
public:
  explicit Guessed(const std::string &text) : source(compiler().parse("kernel.py", head + text)) {
    EXPECT_FALSE(source->hasErrors);
    const std::vector<KernelInfo> kernels = listKernels(*source);
    kernel = kernels.back();
    guess = guessKernel(*source, kernel, passedTo(*source, kernel));
  }

  /// As a signature or a value: "*fp32:16", "64".
  std::string operator[](const std::string &name) const {
    const ArgSpec &value = guess.parameters.at(name).choice.value;
    if (const auto *type = std::get_if<RuntimeArg>(&value))
      return formatArgType(*type);
    return valueText(std::get<BoundValue>(value));
  }
  /// Returns true if the kernel compiles under the guess.
  bool compiles() const {
    KernelSpec spec;
    spec.kernel = kernel.name;
    for (const auto &[name, guess] : guess.parameters) {
      spec.args.insert_or_assign(name, guess.choice.value);
      for (const auto &[part, value] : guess.choice.parts)
        spec.args.insert_or_assign(part, value);
    }
    CompileOptions options;
    options.emit = {Stage::Tile};
    const CompileResult result = compiler().compile(*source, spec, options);
    for (const Diagnostic &diagnostic : result.diagnostics)
      ADD_FAILURE() << render(diagnostic);
    return result.stageText.contains(Stage::Tile);
  }

  static Compiler &compiler() {
    static Compiler shared;
    return shared;
  }
  std::shared_ptr<const ParsedSource> source;
  KernelInfo kernel;
  KernelGuess guess;
};

TEST(Guess, WhatIsAddedToNumbersAndLoadedFromIsAPointer) {
  const Guessed guess(R"(
@triton.jit
def kernel(first, second, n, BLOCK: tl.constexpr):
    at = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    tl.store(second + at, tl.load(first + at, mask=at < n), mask=at < n)
)");
  EXPECT_EQ(guess["first"], "*fp32:16");
  EXPECT_EQ(guess["second"], "*fp32:16");
  EXPECT_EQ(guess["n"], "i32");
  EXPECT_EQ(guess["BLOCK"], "1024");
  EXPECT_TRUE(guess.compiles());
}

TEST(Guess, OfSeveralSummandsTheOneThatIsNoNumberElsewhere) {
  const Guessed guess(R"(
@triton.jit
def kernel(offset, base, n):
    if offset < n:
        tl.store(offset + base, 1.0)
)");
  EXPECT_EQ(guess["base"], "*fp32:16");
  EXPECT_EQ(guess["offset"], "i32");
}

TEST(Guess, OfSeveralSummandsTheOneThatIsCalledAPointer) {
  for (const std::string name : {"p_first", "ptr_first", "firstptr", "first_p", "grad_first", "dq"}) {
    const Guessed guess("@triton.jit\ndef kernel(second, " + name + "):\n    tl.store(second + " + name +
                        ", 1.0)\n");
    EXPECT_EQ(guess[name], "*fp32:16");
    EXPECT_EQ(guess["second"].front(), 'i') << name;
  }
}

TEST(Guess, WhatIsPartOfAnAddressIsLoadedFromIndices) {
  const Guessed guess(R"(
@triton.jit
def gather(rows, x, out, stride_row, BLOCK: tl.constexpr):
    row = tl.load(rows + tl.program_id(0))
    at = tl.arange(0, BLOCK)
    tl.store(out + at, tl.load(x + row * stride_row + at))
)");
  EXPECT_EQ(guess["rows"], "*i32:16");
  EXPECT_EQ(guess["x"], "*fp32:16");
  EXPECT_EQ(guess["stride_row"], "i32:16");
  EXPECT_TRUE(guess.compiles());
}

TEST(Guess, OperandsOfAProductAreHalves) {
  const Guessed guess(R"(
@triton.jit
def product(a, b, c, SIZE: tl.constexpr):
    at = tl.arange(0, SIZE)[:, None] * SIZE + tl.arange(0, SIZE)[None, :]
    tl.store(c + at, tl.dot(tl.load(a + at), tl.load(b + at)))
)");
  EXPECT_EQ(guess["a"], "*fp16:16");
  EXPECT_EQ(guess["SIZE"], "64");
  EXPECT_TRUE(guess.compiles());
}

TEST(Guess, HelpersShowWhatTheirArgumentsAre) {
  const Guessed guess(R"(
@triton.jit
def read(place, at):
    return tl.load(place + at)

@triton.jit
def kernel(anything, other):
    tl.store(other, read(anything, 3))
)");
  EXPECT_EQ(guess["anything"], "*fp32:16");
  EXPECT_TRUE(guess.compiles());
}

TEST(Guess, OperationsOnIntegersShowIntegers) {
  const Guessed guess(R"(
@triton.jit
def kernel(x, by):
    tl.store(x, tl.load(x) >> by)
)");
  EXPECT_EQ(guess["x"], "*i32:16");
  EXPECT_EQ(guess["by"], "i32");
  EXPECT_TRUE(guess.compiles());
}

TEST(Guess, NumbersThatMeetElementsAreFloatsUnlessTheyAreSizes) {
  const Guessed guess(R"(
@triton.jit
def kernel(x, eps, factor, n_cols):
    tl.store(x, tl.load(x) * factor / n_cols + eps)
)");
  EXPECT_EQ(guess["eps"], "fp32");
  EXPECT_EQ(guess["factor"], "fp32");
  EXPECT_EQ(guess["n_cols"], "i32");
}

TEST(Guess, ChoicesByAConditionAreOfOneKind) {
  const Guessed guess(R"(
@triton.jit
def kernel(left, right, n):
    if tl.program_id(0) < n:
        place = left
    else:
        place = right
    tl.store(place, 1.0)
)");
  EXPECT_EQ(guess["left"], "*fp32:16");
  EXPECT_EQ(guess["right"], "*fp32:16");
  EXPECT_TRUE(guess.compiles());
}

TEST(Guess, CompileTimeValues) {
  const Guessed guess(R"(
@triton.jit
def kernel(x, HAS_BIAS: tl.constexpr, MODE: tl.constexpr, TYPE: tl.constexpr, VERSION: tl.constexpr,
           num_warps: tl.constexpr, UNROLL: tl.constexpr, SEM: tl.constexpr):
    value = tl.load(x)
    if HAS_BIAS:
        value += 1
    if MODE == "twice":
        value *= 2
    if VERSION == 2:
        value *= 2
    for i in tl.static_range(UNROLL):
        value += 1
    tl.store(x, value.to(TYPE))
    tl.atomic_add(x, 1.0, sem=SEM)
)");
  EXPECT_EQ(guess["HAS_BIAS"], "True");
  EXPECT_EQ(guess["MODE"], "'twice'");
  EXPECT_EQ(guess["TYPE"], "fp32");
  EXPECT_EQ(guess["VERSION"], "2");
  EXPECT_EQ(guess["num_warps"], "4");
  EXPECT_EQ(guess["UNROLL"], "4");
  EXPECT_EQ(guess["SEM"], "'acq_rel'");
  EXPECT_TRUE(guess.compiles());
}

TEST(Guess, ATileOfOneSideIsNoVector) {
  const Guessed tile(R"(
@triton.jit
def kernel(x, SIDE: tl.constexpr):
    i = tl.arange(0, SIDE)
    at = x + (tl.program_id(0) * SIDE + i)[:, None] * 4096 + i[None, :]
    tl.store(at, tl.load(at) * 2)
)");
  EXPECT_EQ(tile["SIDE"], "32");
  EXPECT_TRUE(tile.compiles());
  const Guessed rows(R"(
@triton.jit
def kernel(x, BLOCK: tl.constexpr):
    at = x + tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)[None, :]
    tl.store(at, tl.load(at) * 2)
)");
  EXPECT_EQ(rows["BLOCK"], "1024");
}

TEST(Guess, AnnotationsAreNoGuess) {
  const Guessed guess(
      "@triton.jit\ndef kernel(x, n: tl.int64, eps: float, k: int):\n    tl.store(x, n + eps + k)\n");
  EXPECT_EQ(guess["n"], "i64");
  EXPECT_EQ(guess["eps"], "fp32");
  EXPECT_EQ(guess["k"], "i32");
}

TEST(Guess, DescriptorsAndTuples) {
  const Guessed guess(R"(
@triton.jit
def kernel(desc, pair, out, BLOCK: tl.constexpr):
    block = desc.load([0, 0])
    at = tl.arange(0, BLOCK)[:, None] * BLOCK + tl.arange(0, BLOCK)[None, :]
    tl.store(out + at, block + pair[0] + pair[2])
)");
  const auto &descriptor = std::get<BoundValue>(guess.guess.parameters.at("desc").choice.value);
  EXPECT_EQ(std::get<bound::Descriptor>(descriptor.value).block, (std::vector<int64_t>{64, 64}));
  const auto &tuple = std::get<BoundValue>(guess.guess.parameters.at("pair").choice.value);
  EXPECT_EQ(std::get<bound::Tuple>(tuple.value).items.size(), 3u);
  EXPECT_EQ(guess["BLOCK"], "64");
  EXPECT_TRUE(guess.compiles());
}

TEST(Guess, FunctionsArePassedWhereTheyAreCalled) {
  const Guessed guess(R"(
@triton.jit
def twice(x):
    return x + x

@triton.jit
def kernel(x, FUNCTION: tl.constexpr):
    tl.store(x, FUNCTION(tl.load(x)))
)");
  EXPECT_EQ(guess["FUNCTION"], "twice");
  EXPECT_TRUE(guess.compiles());
}

TEST(Guess, NamesOfTheKernelKnowTheirParameters) {
  const Guessed guess(R"(
@triton.jit
def kernel(x, n, BLOCK: tl.constexpr):
    at = tl.arange(0, BLOCK) + n
    value = tl.load(x + at)
)");
  const guess::ParameterSet &value = guess.guess.seen.names.at("value");
  EXPECT_TRUE(value.test(0));
  EXPECT_FALSE(value.test(1));
  const guess::ParameterSet &at = guess.guess.seen.names.at("at");
  EXPECT_TRUE(at.test(1));
  EXPECT_FALSE(at.test(0));
}

/// Serves `NAME.py` for the import of NAME.
class Files : public ModuleLoader {
public:
  FoundModule find(const ModuleRequest &request) const override {
    const auto found = texts.find(request.name);
    return found == texts.end()
               ? FoundModule{}
               : FoundModule{FoundModule::File, request.name, request.name + ".py", found->second, {}, {}};
  }
  std::map<std::string, std::string> texts = {
      {"tools", head + "@triton.jit\ndef twice(x):\n    return x + x\n\ndef plain(x):\n    return x\n"},
      {"package", ""},
      {"package.inner", head + "@triton.jit\ndef half(x):\n    return x / 2\n"}};
};

TEST(Guess, FunctionsOfImportedFilesAreFoundByNameAndThroughTheirModule) {
  Compiler compiler;
  const auto source =
      compiler.parse("kernel.py",
                     head + "import tools\nimport tools as t\nfrom tools import twice as again, plain\n"
                            "from package import inner\n"
                            "@triton.jit\ndef own(x):\n    return x\n",
                     {std::make_shared<Files>(), {}});
  const auto found = [&](std::string_view name) {
    const FoundFunction function = jitFunction(*source, name);
    return function.function ? std::string(function.function->name) : "none";
  };
  EXPECT_EQ(found("own"), "own");
  EXPECT_EQ(found("again"), "twice");
  EXPECT_EQ(found("tools.twice"), "twice");
  EXPECT_EQ(found("t.twice"), "twice");
  EXPECT_EQ(found("inner.half"), "half");
  for (const char *other :
       {"twice", "tools", "plain", "tools.plain", "tools.missing", "again.twice", "nowhere.twice", "tl.load"})
    EXPECT_EQ(found(other), "none") << other;
}

TEST(Guess, AnEndlessCircleOfCallsEnds) {
  const Guessed guess(R"(
@triton.jit
def a(x):
    return b(x) + b(x) + b(x) + b(x) + b(x) + b(x)

@triton.jit
def b(x):
    return a(x) + a(x) + a(x) + a(x) + a(x) + a(x)

@triton.jit
def kernel(x):
    a(x)
    tl.store(x, 1.0)
)");
  EXPECT_EQ(guess.guess.parameters.size(), 1u);
}

} // namespace
} // namespace tegula::guess
