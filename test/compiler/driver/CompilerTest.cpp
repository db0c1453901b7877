#include "compiler/driver/Compiler.h"
#include "compiler/spec/PassedTuple.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <sstream>
#include <thread>
#include <unistd.h>

using namespace tegula;

namespace {

const char *const addSource = R"(import triton
import triton.language as tl

@triton.jit
def add(x, y, out, n, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    m = i < n
    tl.store(out + i, tl.load(x + i, mask=m) + tl.load(y + i, mask=m), mask=m)
)";

const char *const turnSource = R"(import triton
import triton.language as tl

@triton.jit
def turn(x, y, N: tl.constexpr):
    i = tl.arange(0, N)[:, None]
    j = tl.arange(0, N)[None, :]
    tl.store(y + j * N + i, tl.load(x + i * N + j))
)";

RuntimeArg pointer(uint32_t divisibility = 16) { return {ScalarKind::Float32, 1, {divisibility}}; }
RuntimeArg integer(uint32_t divisibility = 16) { return {ScalarKind::Int32, 0, {divisibility}}; }

KernelSpec addSpec() {
  KernelSpec spec;
  spec.kernel = "add";
  spec.args = {{"x", pointer()},
               {"y", pointer()},
               {"out", pointer()},
               {"n", integer()},
               {"BLOCK", BoundValue{int64_t(1024)}}};
  return spec;
}

KernelSpec turnSpec(int64_t side) {
  KernelSpec spec;
  spec.kernel = "turn";
  spec.args = {{"x", pointer()}, {"y", pointer()}, {"N", BoundValue{side}}};
  return spec;
}

CompileResult compile(const char *source, const KernelSpec &spec, const CompileOptions &options = {}) {
  static Compiler compiler;
  return compiler.compile(*compiler.parse("kernel.py", source), spec, options);
}

std::string onlyError(const CompileResult &result) {
  EXPECT_FALSE(result.image);
  return result.diagnostics.size() == 1 ? result.diagnostics[0].message : render(result.diagnostics);
}

} // namespace

TEST(Compiler, AKernelThatPrintsHasTheSameTextEachTime) {
  const std::string source = std::string(addSource) + "    tl.device_print(\"done\", n)\n";
  const CompileResult first = compile(source.c_str(), addSpec()), second = compile(source.c_str(), addSpec());
  ASSERT_TRUE(first.image && second.image);
  EXPECT_NE(first.image->ptx.find("vprintf"), std::string::npos);
  EXPECT_EQ(first.image->ptx, second.image->ptx);
}

TEST(Compile, RefusesTuplesThatNestTooDeep) {
  KernelSpec spec;
  BoundValue deep{bound::Passed()};
  for (int depth = 0; depth <= maxPassedDepth; ++depth)
    deep = BoundValue{bound::Tuple{{std::move(deep)}}};
  spec.args = {{"t", std::move(deep)}};
  EXPECT_EQ(onlyError(compile("import triton\n@triton.jit\ndef f(t):\n    pass\n", spec)),
            "expected tuples that nest at most 16 deep as `t`");
}

TEST(Stage, HasOneNameEach) {
  for (Stage stage : {Stage::Ast, Stage::Tile, Stage::Distributed, Stage::Scheduled, Stage::Llvm,
                      Stage::LlvmIr, Stage::Ptx})
    EXPECT_EQ(parseStage(stageName(stage)), stage);
  EXPECT_FALSE(parseStage("sass"));
}

TEST(Compile, TheEntryMayHaveANameOfItsOwn) {
  CompileOptions options;
  options.entryName = "add of fp32";
  const CompileResult result = compile(addSource, addSpec(), options);
  ASSERT_TRUE(result.image);
  EXPECT_EQ(result.image->kernel, "add");
  EXPECT_EQ(result.image->entry, "add$20of$20fp32");
  EXPECT_NE(result.image->ptx.find(".entry add$20of$20fp32("), std::string::npos);
}

TEST(Compile, GivesPtxAndItsManifest) {
  CompileResult result = compile(addSource, addSpec());
  ASSERT_TRUE(result.image) << render(result.diagnostics);
  const KernelImage &image = *result.image;
  EXPECT_EQ(image.entry, "add");
  EXPECT_EQ(image.target, "sm_90a");
  EXPECT_EQ(image.numWarps, 4u);
  EXPECT_EQ(image.sharedBytes, 0u);
  EXPECT_EQ(image.sourceFile, "kernel.py");
  ASSERT_EQ(image.params.size(), 4u);
  EXPECT_EQ(image.params[2].name, "out");
  EXPECT_EQ(image.params[2].type, "*fp32");
  EXPECT_EQ(image.params[2].kind, ParamKind::Pointer);
  EXPECT_EQ(image.params[2].offset, 16u);
  EXPECT_EQ(image.params[3].kind, ParamKind::Integer);
  EXPECT_EQ(image.params[3].size, 4u);
  EXPECT_EQ(image.paramBytes, 28u);
  EXPECT_NE(image.ptx.find("ld.global.v4.b32"), std::string::npos);
  EXPECT_NE(image.ptx.find(".loc\t1 8 "), std::string::npos);
  EXPECT_TRUE(result.stageText.empty());
}

TEST(Compile, RecordsSharedMemory) {
  CompileResult result = compile(turnSource, turnSpec(64));
  ASSERT_TRUE(result.image) << render(result.diagnostics);
  EXPECT_EQ(result.image->sharedBytes, 64u * 64 * 4);
}

TEST(Compile, IsAPureFunction) {
  CompileResult first = compile(addSource, addSpec()), second = compile(addSource, addSpec());
  ASSERT_TRUE(first.image && second.image);
  EXPECT_EQ(first.image->ptx, second.image->ptx);
}

TEST(Compile, RunsOnSeveralThreads) {
  Compiler compiler;
  auto source = compiler.parse("kernel.py", addSource);
  std::string expected = compiler.compile(*source, addSpec()).image.value().ptx;
  std::vector<std::string> found(4);
  std::vector<std::thread> threads;
  threads.reserve(found.size());
  for (std::string &text : found)
    threads.emplace_back([&] {
      for (int i = 0; i < 3; ++i)
        text = compiler.compile(*source, addSpec()).image.value().ptx;
    });
  for (std::thread &thread : threads)
    thread.join();
  for (const std::string &text : found)
    EXPECT_EQ(text, expected);
}

TEST(Compile, GivesTheTextOfEachStage) {
  struct {
    Stage stage;
    const char *part;
  } expected[] = {
      {Stage::Ast, "Function def add("},     {Stage::Tile, "tile.arange 0 to 1024 : tensor<1024xi32>"},
      {Stage::Distributed, "#tile.layout<"}, {Stage::Scheduled, "#tile.layout<"},
      {Stage::Llvm, "llvm.func @add"},       {Stage::LlvmIr, "define ptx_kernel void @add"},
      {Stage::Ptx, ".visible .entry add"}};
  for (auto [stage, part] : expected) {
    CompileResult result = compile(addSource, addSpec(), {.emit = {stage}});
    EXPECT_TRUE(result.diagnostics.empty()) << render(result.diagnostics);
    ASSERT_EQ(result.stageText.size(), 1u);
    const std::string &text = result.stageText.at(stage);
    EXPECT_NE(text.find(part), std::string::npos) << stageName(stage) << "\n" << text;
    EXPECT_EQ(bool(result.image), stage == Stage::Ptx);
  }
}

TEST(Compile, GivesTheTextsOfSeveralStagesAtOnce) {
  const std::set<Stage> some = {Stage::Ast, Stage::Distributed, Stage::LlvmIr};
  CompileResult several = compile(addSource, addSpec(), {.emit = some});
  EXPECT_FALSE(several.image); // the last of them comes before the image
  ASSERT_EQ(several.stageText.size(), some.size());
  for (Stage stage : some)
    EXPECT_EQ(several.stageText.at(stage),
              compile(addSource, addSpec(), {.emit = {stage}}).stageText.at(stage));

  CompileResult withImage = compile(addSource, addSpec(), {.emit = {Stage::Tile, Stage::Ptx}});
  ASSERT_TRUE(withImage.image);
  EXPECT_EQ(withImage.stageText.size(), 2u);
  EXPECT_EQ(withImage.stageText.at(Stage::Ptx), withImage.image->ptx);
}

TEST(Compile, GivesTheTextsOfTheStagesReached) {
  CompileResult result = compile("import triton\n@triton.jit\ndef add(x):\n    y = z\n", addSpec(),
                                 {.emit = {Stage::Ast, Stage::Tile, Stage::Ptx}});
  EXPECT_FALSE(result.image);
  ASSERT_EQ(result.stageText.size(), 1u);
  EXPECT_TRUE(result.stageText.contains(Stage::Ast));
}

TEST(Compile, ReportsWhatOptimisationsDid) {
  CompileResult result = compile(addSource, addSpec(), {.remarks = true});
  ASSERT_TRUE(result.image);
  ASSERT_EQ(result.remarks.size(), 3u);
  for (const Remark &remark : result.remarks) {
    EXPECT_EQ(remark.kind, Remark::Passed);
    EXPECT_EQ(remark.pass, "convert-tile-to-llvm");
    EXPECT_EQ(remark.line, 8u);
    EXPECT_NE(remark.text.find("VectorBytes=16"), std::string::npos) << remark.text;
  }
  EXPECT_TRUE(compile(addSource, addSpec()).remarks.empty());
}

TEST(Compile, RemarksKeepTheirParts) {
  CompileResult result = compile(addSource, addSpec(), {.remarks = true});
  ASSERT_FALSE(result.remarks.empty());
  const Remark &remark = result.remarks.front();
  EXPECT_EQ(remarkKindName(remark.kind), "passed");
  EXPECT_EQ(remark.function, "add");
  EXPECT_EQ(remark.file, "kernel.py");
  EXPECT_GT(remark.column, 1u);
  const RemarkArgument width{"VectorBytes", "16"};
  EXPECT_NE(std::find(remark.arguments.begin(), remark.arguments.end(), width), remark.arguments.end());
  std::string text = remark.name + (remark.message.empty() ? "" : ": " + remark.message);
  for (const RemarkArgument &argument : remark.arguments)
    text += "; " + argument.key + "=" + argument.value;
  EXPECT_EQ(remark.text, text);
}

TEST(Compile, RemarksOfWhatWasMissedKeepTheirReason) {
  CompileResult result = compile(turnSource, turnSpec(64), {.remarks = true});
  auto missed = std::find_if(result.remarks.begin(), result.remarks.end(), [](const Remark &remark) {
    return remark.kind == Remark::Missed && remark.name == "conversion";
  });
  ASSERT_NE(missed, result.remarks.end());
  EXPECT_EQ(missed->message, "a tensor changes its layout here");
  ASSERT_FALSE(missed->arguments.empty());
  EXPECT_EQ(missed->arguments[0].key, "Reason");
  EXPECT_EQ(missed->arguments[0].value, "what makes it and what uses it need different layouts");
  EXPECT_TRUE(missed->text.starts_with("conversion: a tensor changes its layout here; reason: what makes"))
      << missed->text;
}

TEST(Compile, DumpsEveryStage) {
  std::string folder = ::testing::TempDir() + "tegula_dump_" + std::to_string(getpid());
  CompileResult result = compile(addSource, addSpec(), {.dumpDir = folder});
  EXPECT_TRUE(result.image) << render(result.diagnostics);
  for (const char *stage : {"ast", "tile", "distributed", "scheduled", "llvm", "llvmir", "ptx"})
    EXPECT_GT(std::filesystem::file_size(folder + "/add." + stage), 0u) << stage;
  EXPECT_FALSE(std::filesystem::exists(folder + "/add.reproducer.mlir"));
  std::filesystem::remove_all(folder);
}

TEST(Compile, WarnsOfADumpThatCannotBeWritten) {
  CompileResult result = compile(addSource, addSpec(), {.dumpDir = "/dev/null/dump"});
  EXPECT_TRUE(result.image);
  ASSERT_FALSE(result.diagnostics.empty());
  EXPECT_EQ(result.diagnostics[0].severity, Severity::Warning);
  EXPECT_EQ(result.diagnostics[0].message.find("cannot write `/dev/null/dump/add.ast`: "), 0u)
      << result.diagnostics[0].message;
}

TEST(Compile, ReturnsTheErrorsOfTheParse) {
  CompileResult result = compile("def f(:\n    pass\n", addSpec());
  EXPECT_FALSE(result.image);
  ASSERT_FALSE(result.diagnostics.empty());
  EXPECT_EQ(result.diagnostics[0].severity, Severity::Error);
  EXPECT_EQ(result.diagnostics[0].file, "kernel.py");
}

TEST(Compile, ReturnsTheErrorsOfTheEvaluation) {
  CompileResult result = compile("import triton\n@triton.jit\ndef add(x):\n    y = z\n", [] {
    KernelSpec spec = addSpec();
    spec.args = {{"x", pointer()}};
    return spec;
  }());
  EXPECT_FALSE(result.image);
  ASSERT_FALSE(result.diagnostics.empty());
  EXPECT_EQ(result.diagnostics[0].line, 4u);
  EXPECT_EQ(result.diagnostics[0].sourceLine, "    y = z");
}

TEST(Compile, RefusesWhatNoKernelCanBeCompiledFor) {
  KernelSpec spec = addSpec();
  spec.target = "sm_90";
  CompileResult result = compile(addSource, spec);
  EXPECT_EQ(onlyError(result), "unknown architecture `sm_90`");
  EXPECT_EQ(result.diagnostics[0].help, "did you mean `sm_90a`?");

  for (uint32_t warps : {3u, 64u}) {
    spec = addSpec();
    spec.numWarps = warps;
    EXPECT_EQ(onlyError(compile(addSource, spec)),
              "expected a power of two from 1 to 32 warps, found " + std::to_string(warps));
  }
  spec = addSpec();
  spec.numStages = 33;
  EXPECT_EQ(onlyError(compile(addSource, spec)), "expected 1 to 32 stages, found 33");
  spec = addSpec();
  spec.maxRegisters = 256;
  EXPECT_EQ(onlyError(compile(addSource, spec)), "expected at most 255 registers of a thread, found 256");
}

TEST(Compile, RefusesMoreSharedMemoryThanABlockHas) {
  KernelSpec spec = turnSpec(256);
  spec.target = "sm_80";
  // What is gathered from lies there as a whole; a change of layout would go in parts.
  std::string source = turnSource;
  source.replace(source.find("tl.load(x + i * N + j)"), 22, "tl.gather(tl.load(x + i * N + j), i ^ j, 0)");
  CompileResult result = compile(source.c_str(), spec);
  EXPECT_EQ(onlyError(result),
            "kernel `turn` needs 262144 bytes of shared memory, `sm_80` has 166912 for a block");
  EXPECT_EQ(result.diagnostics[0].help, "use smaller tiles");
  EXPECT_EQ(result.diagnostics[0].line, 5u);
  ASSERT_EQ(result.diagnostics[0].notes.size(), 1u);
  EXPECT_EQ(result.diagnostics[0].notes[0].message,
            "threads exchange what `tile.gather` needs: 262144 bytes");
}

TEST(ListKernels, ReadsDeclarationsOffTheTree) {
  Compiler compiler;
  auto source = compiler.parse("kernel.py", R"(import triton
import triton.language as tl

@triton.jit
def helper(a):
    return a

@triton.jit(do_not_specialize=["n", 3], do_not_specialize_on_alignment="x")
def main(x: "*bf16", n: tl.int64, f: "u8", s, BLOCK: tl.constexpr = 4, TEXT: "tl.constexpr" = ""):
    helper(n)

def host():
    main[(1,)]()
)");
  std::vector<KernelInfo> kernels = listKernels(*source);
  ASSERT_EQ(kernels.size(), 2u);
  EXPECT_EQ(kernels[0].name, "helper");
  EXPECT_TRUE(kernels[0].calledInFile);
  EXPECT_EQ(kernels[1].name, "main");
  EXPECT_EQ(kernels[1].line, 9u);
  EXPECT_FALSE(kernels[1].calledInFile);
  const std::vector<ParameterInfo> &parameters = kernels[1].parameters;
  ASSERT_EQ(parameters.size(), 6u);
  EXPECT_EQ(parameters[0].type, (RuntimeArg{ScalarKind::BFloat16, 1, {}}));
  EXPECT_TRUE(parameters[0].doNotSpecializeOnAlignment);
  EXPECT_EQ(parameters[1].type, (RuntimeArg{ScalarKind::Int64, 0, {}}));
  EXPECT_TRUE(parameters[1].doNotSpecialize);
  EXPECT_EQ(parameters[2].type, (RuntimeArg{ScalarKind::UInt8, 0, {}}));
  EXPECT_FALSE(parameters[3].type);
  EXPECT_TRUE(parameters[3].doNotSpecialize);
  EXPECT_FALSE(parameters[3].doNotSpecializeOnAlignment);
  EXPECT_TRUE(parameters[4].isConstexpr && parameters[4].hasDefault);
  EXPECT_TRUE(parameters[5].isConstexpr && parameters[5].hasDefault);
  EXPECT_EQ(parameters[0].annotation, "\"*bf16\"");
  EXPECT_EQ(parameters[1].annotation, "tl.int64");
  EXPECT_EQ(parameters[3].annotation + parameters[3].defaultValue, "");
  EXPECT_EQ(parameters[4].annotation, "tl.constexpr");
  EXPECT_EQ(parameters[4].defaultValue, "4");
  EXPECT_EQ(parameters[5].defaultValue, "\"\"");
}

TEST(ListKernels, TheLastOfOneNameAndWhatTunesIt) {
  Compiler compiler;
  auto source = compiler.parse("kernel.py", R"(import triton
import triton.language as tl

@triton.jit
def twice(a):
    pass

@triton.jit
def gone(a):
    pass

@triton.autotune(configs=[triton.Config({"B": 1}), triton.Config({"B": 2}, num_warps=8)], key=["n"])
@triton.heuristics({"E": lambda args: args["n"] % args["B"]})
@triton.jit
def twice(n, B: tl.constexpr, E: tl.constexpr, *rest):
    pass

def gone():
    pass
)");
  std::vector<KernelInfo> kernels = listKernels(*source);
  ASSERT_EQ(kernels.size(), 1u);
  EXPECT_EQ(kernels[0].line, 15u);
  EXPECT_TRUE(kernels[0].parameters[3].hasDefault);
  EXPECT_TRUE(kernels[0].tuning.hasConfigs);
  EXPECT_EQ(kernels[0].tuning.key, std::vector<std::string>{"n"});
  EXPECT_EQ(kernels[0].tuning.heuristics, std::vector<std::string>{"E"});

  ConfigsResult configs = compiler.configs(*source, "twice", "sm_90a");
  ASSERT_TRUE(configs.configs) << render(configs.diagnostics);
  ASSERT_EQ(configs.configs->size(), 2u);
  EXPECT_EQ((*configs.configs)[1].values.at("B"), BoundValue{int64_t(2)});
  EXPECT_EQ((*configs.configs)[1].numWarps, 8u);
  KernelSpec known;
  known.kernel = "twice";
  known.args = {{"n", BoundValue{int64_t(7)}}, {"B", BoundValue{int64_t(4)}}};
  HeuristicsResult heuristics = compiler.heuristics(*source, known, {"E"});
  ASSERT_TRUE(heuristics.values) << render(heuristics.diagnostics);
  EXPECT_EQ(heuristics.values->at("E"), BoundValue{int64_t(3)});
  for (auto [name, message] : {std::pair("gone", "expected `gone` to be a kernel, found a plain function"),
                               std::pair("none", "there is no kernel `none` in the file")}) {
    EXPECT_EQ(compiler.configs(*source, name, "sm_90a").diagnostics.at(0).message, message);
    known.kernel = name;
    EXPECT_FALSE(compiler.heuristics(*source, known, {}).values);
  }
  auto broken = compiler.parse("broken.py", "def (:\n");
  EXPECT_FALSE(compiler.configs(*broken, "k", "sm_90a").configs);
}

namespace {

/// A kernel of about `ops` operations on 131072 elements.
CompileResult compileChain(unsigned ops, uint32_t numWarps) {
  std::string source = R"(import triton
import triton.language as tl

@triton.jit
def chain(x, N: tl.constexpr):
    i = tl.arange(0, N)
    a = tl.load(x + i)
)";
  for (unsigned op = 0; op < ops; ++op)
    source += "    a = a * a + " + std::to_string(op) + ".5\n";
  source += "    tl.store(x + i, a)\n";
  KernelSpec spec;
  spec.kernel = "chain";
  spec.numWarps = numWarps;
  spec.args = {{"x", pointer()}, {"N", BoundValue{int64_t(131072)}}};
  CompileOptions options;
  options.emit = {Stage::Scheduled};
  return compile(source.c_str(), spec, options);
}

/// The instructions of a kernel's PTX.
size_t countInstructions(const std::string &ptx) {
  std::istringstream lines(ptx.substr(ptx.find("\n{\n") + 3));
  size_t count = 0;
  for (std::string line; std::getline(lines, line);)
    count += line.starts_with('\t') && line.size() > 1 && line[1] != '.' && line[1] != '/';
  return count;
}

const char *const growingSource = R"(import triton
import triton.language as tl

@triton.jit
def steps(x, y, STEPS: tl.constexpr):
    i = tl.arange(0, 128)
    v, w = tl.load(x + i), tl.load(y + i)
    for step in tl.static_range(STEPS):
        v = (v ^ step) * w
    tl.store(x + i, v)

@triton.jit
def tile(x, BLOCK: tl.constexpr):
    i = tl.arange(0, BLOCK)
    tl.store(x + i, tl.load(x + i) + 1)
)";

KernelSpec growingSpec(const char *kernel, const char *parameter, int64_t size, uint32_t numWarps) {
  KernelSpec spec;
  spec.kernel = kernel;
  spec.numWarps = numWarps;
  RuntimeArg integers{ScalarKind::Int32, 1, {16}};
  spec.args = {{"x", integers}, {parameter, BoundValue{size}}};
  if (spec.kernel == "steps")
    spec.args["y"] = integers;
  return spec;
}

} // namespace

TEST(Compile, AStaticLoopOfAThousandTurnsIsTwoInstructionsATurn) {
  CompileResult result = compile(growingSource, growingSpec("steps", "STEPS", 1000, 4));
  ASSERT_TRUE(result.image) << render(result.diagnostics);
  // The first turn's `v ^ 0` is none; around them stand the addresses, two loads, a store and the return.
  EXPECT_NEAR(double(countInstructions(result.image->ptx)), 2 * 1000 - 1 + 10, 10);
}

TEST(Compile, TheLargestTileIsSixInstructionsForEachSixteenBytesOfAThread) {
  constexpr int64_t elements = 1 << 20;
  CompileResult result = compile(growingSource, growingSpec("tile", "BLOCK", elements, 32));
  ASSERT_TRUE(result.image) << render(result.diagnostics);
  // A load and a store of four elements, and four additions.
  EXPECT_NEAR(double(countInstructions(result.image->ptx)), double(elements) / 1024 * 6 / 4 + 6, 6);
}

TEST(Compile, RefusesCodeThatWouldTakeMinutes) {
  CompileResult fits = compileChain(20, 8);
  EXPECT_TRUE(fits.diagnostics.empty()) << render(fits.diagnostics);
  EXPECT_FALSE(fits.stageText.empty());
  CompileResult large = compileChain(2100, 32);
  ASSERT_EQ(large.diagnostics.size(), 1u);
  EXPECT_TRUE(large.stageText.empty());
  const std::string &message = large.diagnostics[0].message;
  EXPECT_TRUE(message.starts_with("the kernel computes ")) << message;
  EXPECT_NE(message.find(" values a thread with 32 warps, the limit is 262144"), std::string::npos)
      << message;
  EXPECT_EQ(large.diagnostics[0].help, "use more warps, smaller blocks or shorter unrolled loops");
  EXPECT_EQ(large.diagnostics[0].line, 5u);
  ASSERT_TRUE(large.diagnostics[0].resource);
  EXPECT_EQ(large.diagnostics[0].resource->limit, 262144u);
  EXPECT_GT(large.diagnostics[0].resource->required, 262144u);
}
