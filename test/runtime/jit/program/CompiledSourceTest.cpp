// Sharing of compiled programs, in a process and on disk, with a compiler that counts.
#include "runtime/emulator/EmulatorDevice.h"
#include "runtime/jit/launch/Jit.h"
#include "test/runtime/cache/CacheFolder.h"
#include "test/runtime/jit/FakeCompiler.h"

#include <gtest/gtest.h>

#include <cstdlib>

using namespace tegula;
using namespace tegula::jit;

namespace {

SourceUnit unitOf(std::string text, NameTable names = {}) {
  return {"unit.py", std::move(text), 7, std::move(names)};
}

/// A function of the host that gives `number`.
NameTable hostNames(int64_t number) {
  bound::HostFunction function;
  function.name = "pick";
  function.call = [number](const bound::HostArguments &) { return BoundValue{number}; };
  return {{"pick", {std::make_shared<const bound::HostFunction>(std::move(function))}}};
}

KernelSpec scaleSpec() {
  KernelSpec spec;
  spec.kernel = "scale";
  spec.args = {{"x", RuntimeArg{ScalarKind::Float32, 1}},
               {"n", RuntimeArg{ScalarKind::Int32}},
               {"factor", RuntimeArg{ScalarKind::Float32}}};
  return spec;
}

class CompiledSourceTest : public testing::Test {
protected:
  void SetUp() override {
    test::takeCompiledSpecs();
    setenv("TEGULA_CACHE_DIR", folder.path.c_str(), 1);
  }
  void TearDown() override { unsetenv("TEGULA_CACHE_DIR"); }

  test::CacheFolder folder;
};

TEST_F(CompiledSourceTest, EqualProgramsAreOne) {
  using Units = std::vector<SourceUnit>;
  auto parse = [](const Units &units, size_t entry) { return CompiledSource::parse(units, entry); };
  const Units units = {unitOf("a", {{"N", {int64_t(1)}}}), unitOf("b")};
  auto first = parse(units, 0);
  EXPECT_EQ(parse(units, 0), first);
  EXPECT_NE(parse(units, 1), first);
  for (auto change :
       {+[](Units &all) { all[0].path = "other.py"; }, +[](Units &all) { all[1].text = "c"; },
        +[](Units &all) { all[1].firstLine = 8; }, +[](Units &all) { all[0].names["N"] = {int64_t(2)}; },
        +[](Units &all) { all[0].names["N"].isConstexpr = true; },
        +[](Units &all) { all[1].names["M"] = {}; }, +[](Units &all) { all.pop_back(); }}) {
    Units changed = units;
    change(changed);
    EXPECT_NE(parse(changed, 0), first);
  }
  // A file is no program of one source: its names mean something else.
  EXPECT_NE(CompiledSource::parse("unit.py", "a"), parse({unitOf("a")}, 0));
}

TEST_F(CompiledSourceTest, TheDiskKeepsAProgramByWhatItsNamesMean) {
  for (int64_t value : {1, 2}) {
    auto made = CompiledSource::parse({unitOf("names on disk", {{"N", {value}}})}, 0)->compile(scaleSpec());
    ASSERT_TRUE(made) << made.error().text;
  }
  EXPECT_EQ(test::takeCompiledSpecs().size(), 2u);
  EXPECT_EQ(folder.files(".tegula").size(), 2u);
}

TEST_F(CompiledSourceTest, AProgramThatCallsTheHostIsSharedWithNobody) {
  setenv("TEGULA_CACHE_DIR", "", 1);
  const std::vector<SourceUnit> units = {unitOf("calls", hostNames(1))};
  auto first = CompiledSource::parse(units, 0), second = CompiledSource::parse(units, 0);
  EXPECT_NE(first, second);
  for (const auto &source : {first, second, first})
    EXPECT_TRUE(source->compile(scaleSpec()));
  EXPECT_EQ(test::takeCompiledSpecs().size(), 2u);
}

TEST_F(CompiledSourceTest, TheDiskKeepsAProgramByWhatTheHostComputes) {
  auto compilations = [](int64_t number) {
    auto made = CompiledSource::parse({unitOf("calls", hostNames(number))}, 0)->compile(scaleSpec());
    EXPECT_TRUE(made) << made.error().text;
    return test::takeCompiledSpecs().size();
  };
  EXPECT_EQ(compilations(1), 1u);
  EXPECT_EQ(compilations(1), 0u) << "the disk has it";
  EXPECT_EQ(compilations(2), 1u) << "the host computes something else";
  EXPECT_EQ(compilations(1), 0u);
  EXPECT_EQ(folder.files(".tegula").size(), 2u);
}

TEST_F(CompiledSourceTest, AProgramOfSeveralSourcesIsLaunched) {
  auto device = std::make_shared<runtime::EmulatorDevice>();
  auto address = device->allocate(4096);
  ASSERT_TRUE(address);
  auto program =
      JitProgram::parse({unitOf("helper"), unitOf("launched", {{"f", {bound::Function{0, "helper"}}}})}, 1);
  auto info = program->source().find("scale");
  ASSERT_TRUE(info);
  auto kernel = JitKernel::create(program, **info, {});
  ASSERT_TRUE(kernel);
  const HostValue args[] = {HostValue::pointer(*address, ScalarKind::Float32), HostValue::integer(5),
                            HostValue::floating(0.5)};
  auto done = (*kernel)->launch(device, {}, args);
  ASSERT_TRUE(done) << done.error().text;
  float value = 0;
  EXPECT_TRUE(device->copyToHost(&value, *address, 4));
  EXPECT_EQ(value, 5.5f);
}

} // namespace
