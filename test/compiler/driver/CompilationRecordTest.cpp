#include "compiler/driver/CompilationRecord.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

using namespace tegula;

namespace {

/// A value of every kind that can be written, some in each other.
std::vector<BoundValue> allKinds() {
  bound::Tuple named{{{int64_t(1)}, {std::string("two")}}, {"a", "b"}, "Pair"};
  std::vector<BoundValue> values = {
      {},
      {true},
      {int64_t(-7)},
      {std::numeric_limits<int64_t>::max()},
      {std::numeric_limits<int64_t>::min()},
      {std::numeric_limits<uint64_t>::max()},
      {0.1},
      {-0.0},
      {std::numeric_limits<double>::infinity()},
      {std::string("text with \"quotes\", a \n line and ümläute")},
      {bound::Dtype{ScalarKind::BFloat16, 2}},
      {std::move(named)},
      {bound::List{{{1.5}, {}}}},
      {bound::Dict{{{"key", {int64_t(3)}}, {"other", {false}}}}},
      {bound::Function{2, "Class.method"}},
      {bound::Language{"triton.language.math.exp"}},
      {bound::Namespace{"module `config`", {{"WIDTH", {int64_t(64), true}}}}},
      {bound::Descriptor{{64, 32}, true}},
      {bound::Tuple{{{bound::Passed()}, {bound::Unknown{"a torch.Tensor"}}}}},
  };
  values.push_back({bound::List{values}, true});
  return values;
}

/// A line written and read again.
template <typename Read, typename... Written> Read again(const Written &...written) {
  const std::string line = recordLine(written...);
  EXPECT_EQ(line.find('\n'), line.size() - 1);
  auto read = readRecordLine(line);
  if (const auto *wrong = std::get_if<std::string>(&read)) {
    ADD_FAILURE() << *wrong << ": " << line;
    return {};
  }
  return std::get<Read>(std::get<RecordLine>(std::move(read)));
}

TEST(CompilationRecord, ProgramsOfAHostComeBack) {
  RecordedProgram program{.entry = 1};
  program.units.push_back({"a.py", "def f():\n  pass\n", 3, {}});
  program.units.push_back({"b.py", "", 1, {}});
  int number = 0;
  for (BoundValue &value : allKinds())
    program.units[1].names["name" + std::to_string(++number)] = std::move(value);
  const auto read = again<IdentifiedProgram>(program, "its id");
  EXPECT_EQ(read.id, "its id");
  EXPECT_EQ(read.program.entry, 1u);
  ASSERT_EQ(read.program.units.size(), 2u);
  EXPECT_EQ(programIdentity(read.program.units, 1), programIdentity(program.units, 1));
  EXPECT_EQ(read.program.units[0].path, "a.py");
}

TEST(CompilationRecord, FunctionsOfTheHostAreTheirNames) {
  RecordedProgram program;
  auto called = std::make_shared<const bound::HostFunction>(
      bound::HostFunction{"pick", [](const bound::HostArguments &) { return BoundValue{int64_t(7)}; }});
  program.units.push_back({"a.py", "", 1, {{"pick", {called}}}});
  const auto read = again<IdentifiedProgram>(program, "1");
  ASSERT_EQ(read.program.units.size(), 1u);
  EXPECT_EQ(programIdentity(read.program.units, 0), programIdentity(program.units, 0));
  auto found =
      std::get<std::shared_ptr<const bound::HostFunction>>(read.program.units[0].names.at("pick").value);
  EXPECT_EQ(std::get<bound::HostError>(found->call({})).message,
            "`pick` is a function of the process that recorded it");
}

TEST(CompilationRecord, FilesComeBack) {
  RecordedProgram program{
      .path = "k.py", .text = "import x\n", .searchesOwnFolder = true, .folders = {"lib", "more"}};
  program.values["os.environ.MODE"] = {std::string("fast")};
  const auto read = again<IdentifiedProgram>(program, "7");
  EXPECT_TRUE(read.program.isFile());
  EXPECT_EQ(read.program.path, program.path);
  EXPECT_EQ(read.program.text, program.text);
  EXPECT_TRUE(read.program.searchesOwnFolder);
  EXPECT_EQ(read.program.folders, program.folders);
  EXPECT_EQ(read.program.values, program.values);
}

TEST(CompilationRecord, KernelsComeBack) {
  RecordedKernel kernel{.program = "7"};
  kernel.spec.kernel = "add";
  kernel.spec.target = "sm_89";
  kernel.spec.tritonVersion = "3.8";
  kernel.spec.numWarps = 8;
  kernel.spec.numStages = 2;
  kernel.spec.maxRegisters = 128;
  kernel.spec.debug = true;
  kernel.spec.overflowChecks = false;
  kernel.spec.fpFusion = false;
  kernel.spec.dotPrecision = "ieee";
  kernel.spec.externLibs = {{"nvshmem", "/opt/nvshmem.bc", "0f"}, {"other", "other.bc", ""}};
  kernel.spec.without = {Feature::Tma, Feature::Persist};
  kernel.spec.args["x"] = RuntimeArg{ScalarKind::Float16, 1, {16, false}};
  kernel.spec.args["n"] = RuntimeArg{ScalarKind::Int32, 0, {16, true}};
  int number = 0;
  for (BoundValue &value : allKinds())
    kernel.spec.args["C" + std::to_string(++number)] = std::move(value);
  kernel.entryName = "add_0";
  kernel.parameters = {{"x", "*fp16:16"}, {"n", "i32:16+"}};
  kernel.cooperative = kernel.programmatic = true;
  kernel.spec.numCtas = 2;
  kernel.tile = "module {\n}";
  const auto read = again<RecordedKernel>(kernel);
  EXPECT_EQ(read.spec, kernel.spec);
  EXPECT_EQ(read.program, "7");
  EXPECT_EQ(read.entryName, "add_0");
  EXPECT_EQ(read.tile, kernel.tile);
  EXPECT_TRUE(read.cooperative && read.programmatic);
  EXPECT_EQ(read.spec.numCtas, 2u);
  ASSERT_EQ(read.parameters.size(), 2u);
  EXPECT_EQ(read.parameters[1].name, "n");
  EXPECT_EQ(read.parameters[1].type, "i32:16+");
  // What is not said has the defaults.
  const RecordedKernel plain{.program = "7"};
  EXPECT_EQ(again<RecordedKernel>(plain).spec, plain.spec);
}

TEST(CompilationRecord, LibrariesHaveNamesAndPaths) {
  RecordedKernel kernel{.program = "7"};
  kernel.spec.externLibs = {{"", "x.bc", ""}};
  const auto read = readRecordLine(recordLine(kernel));
  const auto *text = std::get_if<std::string>(&read);
  EXPECT_EQ(text ? *text : "nothing", "`extern_libs` is missing or wrong");
}

TEST(CompilationRecord, NotesComeBack) {
  const auto read = again<RecordedNote>(RecordedNote{"choice", "a\nb"});
  EXPECT_EQ(read.name, "choice");
  EXPECT_EQ(read.text, "a\nb");
}

TEST(CompilationRecord, TextThatIsNoUtf8IsWrittenAllTheSame) {
  EXPECT_NE(again<RecordedNote>(RecordedNote{"n", "\xff!"}).text.find('!'), std::string::npos);
}

TEST(CompilationRecord, SaysWhatIsWrongWithALine) {
  auto wrong = [](std::string_view line) {
    auto read = readRecordLine(line);
    const auto *text = std::get_if<std::string>(&read);
    return text ? *text : "nothing";
  };
  EXPECT_NE(wrong("{"), "nothing");
  EXPECT_EQ(wrong("[]"), "expected an object");
  EXPECT_EQ(wrong("{}"), "expected `program`, `kernel` or `note`");
  EXPECT_EQ(wrong(R"({"note": "n"})"), "`text` is missing or wrong");
  EXPECT_EQ(wrong(R"({"program": "1", "units": [{"path": "p"}], "entry": 0})"),
            "`units` is missing or wrong");
  EXPECT_EQ(wrong(R"({"program": "1", "units": [], "entry": 0})"), "`entry` is missing or wrong");
  const std::string kernel =
      R"({"kernel": "k", "of": "1", "target": "sm_80", "version": "3.6", "num_warps": 4, "num_stages": 3)";
  EXPECT_EQ(wrong(kernel + R"(, "args": {}, "parameters": []})"), "nothing");
  EXPECT_EQ(wrong(kernel + "}"), "`args` is missing or wrong");
  EXPECT_EQ(wrong(kernel + R"(, "args": {"x": "*fp33"}, "parameters": []})"), "`args` is missing or wrong");
  EXPECT_EQ(wrong(kernel + R"(, "args": {"x": [{"f64": "12"}, 1]}, "parameters": []})"),
            "`args` is missing or wrong");
  EXPECT_EQ(wrong(kernel + R"(, "args": {}, "parameters": [["x"]]})"), "`parameters` is missing or wrong");
  EXPECT_EQ(wrong(kernel + R"(, "args": {}, "parameters": [], "without": ["wgma"]})"),
            "`without` is missing or wrong");
}

TEST(CompilationRecord, NoLineIsDeepEnoughToEndTheProcess) {
  // The reader of JSON is a recursive one; what it takes may nest, what a value may is bounded.
  std::string deep =
      R"({"kernel": "k", "of": "1", "target": "sm_80", "version": "3.6", "num_warps": 4, "num_stages": 3,)"
      R"("parameters": [], "args": {"x": [)";
  for (int i = 0; i < 200; ++i)
    deep += R"({"list": [)";
  deep += "1";
  for (int i = 0; i < 200; ++i)
    deep += "]}";
  deep += "]}}";
  EXPECT_TRUE(std::holds_alternative<std::string>(readRecordLine(deep)));
}

} // namespace
