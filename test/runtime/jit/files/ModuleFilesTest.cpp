// Finding the files of modules.
#include "runtime/jit/files/ModuleFiles.h"
#include "runtime/jit/program/CompiledSource.h"
#include "test/runtime/cache/CacheFolder.h"

#include <gtest/gtest.h>

using namespace tegula;
using namespace tegula::jit;

namespace {

namespace fs = std::filesystem;

class ModuleFilesTest : public testing::Test {
protected:
  void SetUp() override {
    for (const char *path :
         {"proj/pkg/__init__.py", "proj/pkg/a.py", "proj/pkg/both.py", "proj/pkg/both/__init__.py",
          "proj/pkg/ops/__init__.py", "proj/pkg/ops/k.py", "proj/pkg/ops/beside.py", "proj/plain/x/y/k.py",
          "proj/plain/u.py", "proj/top.py", "lib/far.py", "lib/bare/inner.py", "lib2/bare/__init__.py",
          "lib2/far.py", "lib/mixed.py/oops", "lib/mixed/m.py"}) {
      fs::path file = fs::path(folder.parent) / path;
      fs::create_directories(file.parent_path());
      test::CacheFolder::write(file.string(), path);
    }
  }

  /// Finds `name` with `level` dots for the file `importer`: its path and name, "-" where there is none.
  std::string found(const std::string &file, uint32_t level, const std::string &name,
                    std::vector<std::string> folders = {}, std::string importer = {}) {
    for (std::string &one : folders)
      one = at(one);
    std::string own = file.empty() ? "" : at(file);
    const ModuleFiles files(own, std::move(folders));
    FoundModule module = files.find({importer.empty() ? own : at(importer), level, name});
    if (module.kind == FoundModule::Absent)
      return "-";
    std::string shown = fs::path(module.path).lexically_relative(folder.parent).string();
    if (module.kind == FoundModule::Unreadable)
      return module.problem;
    EXPECT_TRUE(module.text == shown || module.text.empty()) << module.text;
    return shown + (module.text.empty() ? " (empty)" : "") + " " + module.name;
  }
  std::string at(const std::string &path) const { return folder.parent + "/" + path; }

  test::CacheFolder folder;
};

} // namespace

TEST_F(ModuleFilesTest, BesideTheFileAndInItsPackages) {
  const std::string k = "proj/pkg/ops/k.py";
  EXPECT_EQ(found(k, 0, "beside"), "proj/pkg/ops/beside.py beside");
  EXPECT_EQ(found(k, 0, "pkg"), "proj/pkg/__init__.py pkg");
  EXPECT_EQ(found(k, 0, "pkg.a"), "proj/pkg/a.py pkg.a");
  EXPECT_EQ(found(k, 0, "pkg.ops.beside"), "proj/pkg/ops/beside.py pkg.ops.beside");
  EXPECT_EQ(found(k, 0, "top"), "proj/top.py top") << "beside the outermost package";
  EXPECT_EQ(found(k, 0, "pkg.both"), "proj/pkg/both/__init__.py pkg.both") << "a package comes before a file";
  for (const char *absent : {"a", "pkg.nothing", "pkg.a.b", "far", "", ".", "pkg.", "pkg..a", "../top", "/"})
    EXPECT_EQ(found(k, 0, absent), "-") << absent;
}

TEST_F(ModuleFilesTest, FoldersWithoutInitAreFoundByTheirName) {
  const std::string k = "proj/plain/x/y/k.py";
  EXPECT_EQ(found(k, 0, "plain.u"), "proj/plain/u.py plain.u");
  EXPECT_EQ(found(k, 0, "plain.x"), "proj/plain/x/__init__.py (empty) plain.x");
  EXPECT_EQ(found(k, 0, "u"), "-") << "a file that is merely further up is not found";
  EXPECT_EQ(found(k, 0, "top"), "-");
}

TEST_F(ModuleFilesTest, DotsGoUpFromTheImportingFile) {
  const std::string k = "proj/pkg/ops/k.py";
  EXPECT_EQ(found(k, 1, "beside"), "proj/pkg/ops/beside.py pkg.ops.beside");
  EXPECT_EQ(found(k, 2, "a"), "proj/pkg/a.py pkg.a");
  EXPECT_EQ(found(k, 1, ""), "proj/pkg/ops/__init__.py pkg.ops");
  EXPECT_EQ(found(k, 2, "", {}, "proj/pkg/ops/__init__.py"), "proj/pkg/__init__.py pkg");
  EXPECT_EQ(found(k, 3, "plain.u"), "proj/plain/u.py plain.u");
  EXPECT_EQ(found(k, 1, "inner", {"lib"}, "lib/bare/x.py"), "lib/bare/inner.py inner");
  for (auto [level, name] : {std::pair(2u, "beside"), {1u, "a"}, {40u, "a"}, {4000000000u, "a"}})
    EXPECT_EQ(found(k, level, name), "-") << level;
}

TEST_F(ModuleFilesTest, FoldersOfTheSearchComeLast) {
  const std::string k = "proj/pkg/ops/k.py";
  EXPECT_EQ(found(k, 0, "far", {"lib", "lib2"}), "lib/far.py far");
  EXPECT_EQ(found(k, 0, "far", {"lib2", "lib"}), "lib2/far.py far");
  EXPECT_EQ(found(k, 0, "top", {"lib"}), "proj/top.py top");
  EXPECT_EQ(found(k, 0, "bare", {"lib", "lib2"}), "lib2/bare/__init__.py bare")
      << "a package, rather than a bare folder";
  EXPECT_EQ(found(k, 0, "bare.inner", {"lib", "lib2"}), "lib/bare/inner.py bare.inner");
  EXPECT_EQ(found(k, 0, "bare", {"lib"}), "lib/bare/__init__.py (empty) bare");
  EXPECT_EQ(found("", 0, "far", {"lib"}), "lib/far.py far");
}

TEST_F(ModuleFilesTest, ATextWithoutAPlaceHasNothingBesideIt) {
  fs::path before = fs::current_path();
  fs::current_path(at("proj"));
  const ModuleFiles files("", {});
  EXPECT_EQ(files.find({"<stdin>", 0, "top"}).kind, FoundModule::Absent);
  EXPECT_EQ(files.find({"<stdin>", 1, "top"}).kind, FoundModule::Absent);
  // Paths stay as short as the file's own.
  EXPECT_EQ(ModuleFiles("k.py", {}).find({"k.py", 0, "top"}).path, "top.py");
  fs::current_path(at("proj/pkg/ops"));
  EXPECT_EQ(ModuleFiles("k.py", {}).find({"k.py", 0, "pkg.a"}).path, "../a.py");
  EXPECT_EQ(ModuleFiles("k.py", {}).find({"k.py", 2, "a"}).name, "pkg.a");
  fs::current_path(before);
}

TEST_F(ModuleFilesTest, AFileThatNobodyTouchedIsNotReadAgain) {
  fs::create_symlink("/bin/sh", at("proj/pkg/ops/old.py")); // nothing that this test has written is old
  const ModuleFiles files(at("proj/pkg/ops/k.py"), {});
  const ModuleRequest request{at("proj/pkg/ops/k.py"), 0, "old"};
  const FoundModule first = files.find(request);
  EXPECT_NE(first.version, "");
  EXPECT_NE(first.text, "");
  const FoundModule again = files.findNewer(request, first.version);
  EXPECT_TRUE(again.text.empty() && again.version == first.version);
  EXPECT_EQ(files.findNewer(request, "another").text, first.text);
}

TEST_F(ModuleFilesTest, WhatCannotBeReadSaysWhy) {
  EXPECT_EQ(found("lib/k.py", 0, "mixed"), "cannot read `" + at("lib/mixed.py") + "`: it is a directory");
  test::CacheFolder::write(at("lib/large.py"), std::string(9 << 20, '#'));
  EXPECT_EQ(found("lib/k.py", 0, "large"),
            "cannot read `" + at("lib/large.py") + "`: it is larger than 8388608 bytes");
}

TEST_F(ModuleFilesTest, SearchesDifferInWhatTheySay) {
  const ImportSearch plain, own{.searchesOwnFolder = true}, folders{.folders = {"a"}},
      values{.values = {{"a.b", {int64_t(1)}}}};
  EXPECT_NE(plain.identity(), own.identity());
  EXPECT_NE(plain.identity(), folders.identity());
  EXPECT_NE(plain.identity(), values.identity());
  EXPECT_EQ(plain.options("k.py").loader, nullptr);
  EXPECT_NE(own.options("k.py").loader, nullptr);
  EXPECT_NE(folders.options("k.py").loader, nullptr);
}

TEST_F(ModuleFilesTest, TheEnvironmentIsThisProcesss) {
  const ModuleFiles files("", {});
  setenv("TEGULA_TEST_VARIABLE", "a b", 1);
  EXPECT_EQ(files.variable("TEGULA_TEST_VARIABLE"), (EnvironmentVariable{true, "a b"}));
  unsetenv("TEGULA_TEST_VARIABLE");
  EXPECT_EQ(files.variable("TEGULA_TEST_VARIABLE"), (EnvironmentVariable{true, std::nullopt}));
}
