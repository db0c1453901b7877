// The dependencies of a compilation besides its file: a record of its imports, and when that still holds.
#include "compiler/driver/ImportRecord.h"
#include "compiler/driver/Compiler.h"

#include <gtest/gtest.h>

using namespace tegula;

namespace {

/// Serves `NAME.py` for the import of NAME, and counts.
class Texts : public ModuleLoader {
public:
  explicit Texts(std::map<std::string, std::string> texts) : texts(std::move(texts)) {}
  FoundModule find(const ModuleRequest &request) const override {
    ++asked;
    auto found = texts.find(request.name);
    if (found == texts.end())
      return {};
    ++read;
    return {FoundModule::File, request.name, request.name + ".py", found->second, {}, version};
  }
  FoundModule findNewer(const ModuleRequest &request, const std::string &known) const override {
    if (known != version)
      return find(request);
    return {FoundModule::File, request.name, request.name + ".py", {}, {}, version};
  }
  EnvironmentVariable variable(const std::string &name) const override {
    auto found = variables.find(name);
    return {true, found == variables.end() ? std::nullopt : std::optional(found->second)};
  }
  std::map<std::string, std::string> texts, variables;
  std::string version;
  mutable int asked = 0, read = 0;
};

constexpr const char *kernel =
    "import triton\nimport triton.language as tl\nfrom a import W\nfrom unused import X\n"
    "@triton.jit\ndef k(x):\n    tl.store(x, W)\n";
constexpr const char *constant = "import triton.language as tl\nfrom b import V\nW = tl.constexpr(1.0)\n";

class ImportRecord : public testing::Test {
protected:
  std::shared_ptr<const ParsedSource> parse() { return compiler.parse("k.py", kernel, {loader, {}}); }
  std::vector<Diagnostic> compile(const ParsedSource &source) {
    KernelSpec spec;
    spec.args["x"] = RuntimeArg{ScalarKind::Float32, 1};
    CompileOptions options;
    options.emit = {Stage::Tile};
    return compiler.compile(source, spec, options).diagnostics;
  }

  Compiler compiler;
  std::shared_ptr<Texts> loader =
      std::make_shared<Texts>(std::map<std::string, std::string>{{"a", constant}, {"b", "V = 1\n"}});
};

} // namespace

TEST_F(ImportRecord, HoldsWhatAKernelNeededAndNothingElse) {
  auto source = parse();
  EXPECT_EQ(importRecord(*source), "");
  EXPECT_EQ(loader->asked, 0) << "nothing is looked for before it is needed";
  EXPECT_TRUE(compile(*source).empty());
  const std::string record = importRecord(*source);
  EXPECT_NE(record.find("0 a\nk.py\n"), record.npos) << record;
  EXPECT_NE(record.find(" a.py\n"), record.npos) << record;
  EXPECT_EQ(record.find("unused"), record.npos) << record;
  EXPECT_EQ(loader->asked, 1);
  compile(*source);
  EXPECT_EQ(loader->asked, 1) << "what was found stays";
}

TEST_F(ImportRecord, HoldsAsLongAsTheTextsAreTheSame) {
  auto source = parse();
  compile(*source);
  const std::string record = importRecord(*source);
  EXPECT_TRUE(agreesWithImports(*parse(), record));
  EXPECT_TRUE(hasCurrentImports(*source));
  loader->texts["b"] = "V = 2\n";
  EXPECT_TRUE(agreesWithImports(*parse(), record)) << "it took no part";
  loader->texts["a"] += "# another\n";
  EXPECT_FALSE(agreesWithImports(*parse(), record));
  EXPECT_FALSE(hasCurrentImports(*source));
  EXPECT_TRUE(agreesWithImports(*source, record)) << "which keeps what it read";
  loader->texts.erase("a");
  EXPECT_FALSE(agreesWithImports(*parse(), record));
  for (const char *damaged : {"x", "0 a\nk.py\n", "a\n\n\n", "0 a\nk.py\nabsent\nmore"})
    EXPECT_FALSE(agreesWithImports(*parse(), damaged)) << damaged;
}

TEST_F(ImportRecord, FilesAreReadAgainOnlyWhereTheyWereTouched) {
  loader->version = "1";
  auto source = parse();
  compile(*source);
  const int before = loader->read;
  EXPECT_TRUE(hasCurrentImports(*source));
  EXPECT_EQ(loader->read, before);
  loader->version = "2";
  EXPECT_TRUE(hasCurrentImports(*source)) << "written again with the same text";
  const int touched = loader->read;
  EXPECT_GT(touched, before);
  EXPECT_TRUE(hasCurrentImports(*source));
  EXPECT_EQ(loader->read, touched) << "the new version is known";
  loader->version = "3";
  loader->texts["a"] += "# another\n";
  EXPECT_FALSE(hasCurrentImports(*source));
}

TEST_F(ImportRecord, WhatIsMissingIsPartOfIt) {
  loader->texts.erase("a");
  auto source = parse();
  EXPECT_EQ(compile(*source).size(), 1u);
  const std::string record = importRecord(*source);
  EXPECT_TRUE(agreesWithImports(*parse(), record));
  loader->texts["a"] = constant;
  EXPECT_FALSE(agreesWithImports(*parse(), record));
}

TEST_F(ImportRecord, TheClosureHasAllThatCouldTakePart) {
  const std::string closure = importClosure(*parse());
  EXPECT_NE(closure.find(" a.py\n"), closure.npos);
  EXPECT_NE(closure.find(" b.py\n"), closure.npos);
  EXPECT_EQ(importClosure(*parse()), closure);
  loader->texts["b"] = "V = 2\nimport a\nif V:\n    import unused\n";
  const std::string other = importClosure(*parse());
  EXPECT_NE(other, closure);
  loader->texts["unused"] = "import b\n";
  EXPECT_NE(importClosure(*parse()), other);
  EXPECT_EQ(importClosure(*compiler.parse("k.py", kernel)), "") << "without anybody who finds files";
}

TEST_F(ImportRecord, HasTheVariablesOfTheEnvironment) {
  loader->texts["a"] = "import triton.language as tl\nfrom b import V\nW = tl.constexpr(V)\n";
  loader->texts["b"] = "import os\nV = int(os.environ.get('WIDTH', '1'))\n";
  auto source = parse();
  EXPECT_TRUE(compile(*source).empty());
  const std::string record = importRecord(*source), closure = importClosure(*source);
  EXPECT_TRUE(hasCurrentImports(*source));
  EXPECT_TRUE(agreesWithImports(*parse(), record));
  loader->variables["OTHER"] = "1";
  EXPECT_TRUE(agreesWithImports(*parse(), record)) << "not read";
  EXPECT_EQ(importClosure(*parse()), closure);
  loader->variables["WIDTH"] = "2";
  EXPECT_FALSE(agreesWithImports(*parse(), record));
  EXPECT_FALSE(hasCurrentImports(*source));
  EXPECT_NE(importClosure(*parse()), closure);
}
