#include "runtime/bundle/Bundle.h"
#include "dialect/image/KernelImageText.h"
#include "runtime/bundle/BundleWriter.h"
#include "runtime/cache/Checksum.h"
#include "runtime/host/Files.h"
#include "test/runtime/bundle/MarkKernel.h"

#include <gtest/gtest.h>

#include <filesystem>

using namespace tegula;
using namespace tegula::bundle;

namespace {

std::string keyOf(const std::string &text) { return cache::checksum(text); }

/// A kernel of which everything is set.
BundledKernel wholeKernel() {
  BundledKernel kernel = markKernel("first", "sm_80", {"*i32:16", "i32+"}, 1);
  kernel.constants = "BLOCK=64 num_warps=4";
  kernel.specialisation = {{"BLOCK", "64"}, {"name", "'two words'"}, {"num_warps", "4"}};
  kernel.launch = {.cooperative = true, .programmatic = true, .clusterBlocks = 4};
  kernel.imports = "what was\nimported";
  kernel.image.machineCode = std::string("\x7f\0ELF", 5);
  return kernel;
}

BundledKernel plainKernel() {
  BundledKernel kernel = markKernel("first", "sm_80", {"*i32:16", "i32+"}, 2);
  kernel.withoutMaps = true;
  return kernel;
}

/// A bundle of three kernels and a note.
BundleWriter example() {
  BundleWriter writer;
  writer.add(keyOf("first"), wholeKernel());
  writer.add(keyOf("plain"), plainKernel());
  writer.add(keyOf("second"), markKernel("second", "sm_90a", {"*i32", "i32=1"}, 3));
  writer.addNote("choice", "BLOCK: 64\nnum_warps: 4");
  return writer;
}

std::shared_ptr<const Bundle> opened(std::string_view bytes) {
  auto bundle = Bundle::view(bytes, "it");
  EXPECT_TRUE(bundle) << bundle.error().text;
  return bundle ? *bundle : nullptr;
}

TEST(Bundle, GivesWhatWasAdded) {
  const std::string bytes = example().bytes();
  std::shared_ptr<const Bundle> bundle = opened(bytes);
  ASSERT_EQ(bundle->items().size(), 4u);
  const Bundle::Item *item = bundle->find(keyOf("first"));
  ASSERT_TRUE(item);
  EXPECT_EQ(item->name, "first");
  EXPECT_EQ(item->target, "sm_80");
  EXPECT_EQ(item->types, "*i32:16,i32+");
  EXPECT_EQ(item->form, Form::Kernel);
  auto kernel = bundle->read(*item);
  ASSERT_TRUE(kernel) << kernel.error().text;
  EXPECT_EQ(kernel->constants, "BLOCK=64 num_warps=4");
  EXPECT_EQ(kernel->specialisation, wholeKernel().specialisation);
  EXPECT_TRUE(kernel->launch.cooperative && kernel->launch.programmatic);
  EXPECT_EQ(kernel->launch.clusterBlocks, 4u);
  EXPECT_FALSE(kernel->withoutMaps);
  EXPECT_EQ(kernel->imports, "what was\nimported");
  EXPECT_EQ(kernel->image.machineCode, std::string("\x7f\0ELF", 5));
  EXPECT_EQ(kernel->parameters, (std::vector<LaunchParameter>{{"out", "*i32:16"}, {"n", "i32+"}}));
  EXPECT_EQ(bundle->find(keyOf("plain"))->form, Form::Plain);
  EXPECT_TRUE(bundle->read(*bundle->find(keyOf("plain")))->withoutMaps);
  EXPECT_EQ(bundle->note("choice"), "BLOCK: 64\nnum_warps: 4");
  EXPECT_EQ(bundle->note("another"), std::nullopt);
  EXPECT_EQ(bundle->find(keyOf("another")), nullptr);
}

TEST(Bundle, HasTheSameBytesInAnyOrder) {
  BundleWriter writer;
  writer.addNote("choice", "replaced");
  writer.add(keyOf("second"), markKernel("second", "sm_90a", {"*i32", "i32=1"}, 3));
  writer.add(keyOf("plain"), plainKernel());
  writer.add(keyOf("first"), wholeKernel());
  writer.addNote("choice", "BLOCK: 64\nnum_warps: 4");
  EXPECT_EQ(writer.bytes(), example().bytes());
}

TEST(Bundle, NoDamageGoesUnnoticed) {
  // Wherever a byte is changed, the bundle does not open, or the entry is refused, or both are as they were.
  const std::string bytes = example().bytes();
  std::shared_ptr<const Bundle> whole = opened(bytes);
  for (size_t at = 0; at < bytes.size(); at += 3) {
    std::string changed = bytes;
    changed[at] = char(changed[at] ^ 0x20);
    auto bundle = Bundle::view(changed, "it");
    if (!bundle)
      continue;
    for (const Bundle::Item &item : (*bundle)->items()) {
      if (item.form == Form::Note)
        continue;
      auto kernel = (*bundle)->read(item);
      const Bundle::Item *before = whole->find(item.key);
      ASSERT_TRUE(before) << at;
      if (kernel)
        EXPECT_EQ(encode(item.key, *kernel), encode(item.key, *whole->read(*before))) << at;
      else
        EXPECT_EQ(kernel.error().text, "`it` is damaged at the kernel `" + std::string(item.name) + "`");
    }
    const std::optional<std::string> note = (*bundle)->note("choice");
    EXPECT_TRUE(!note || *note == "BLOCK: 64\nnum_warps: 4") << at;
  }
}

TEST(Bundle, NoCutGoesUnnoticed) {
  const std::string bytes = example().bytes();
  for (size_t size = 0; size < bytes.size(); size += 7)
    EXPECT_FALSE(Bundle::view(std::string_view(bytes).substr(0, size), "it")) << size;
}

TEST(Bundle, SaysWhatIsWrongWithAFile) {
  const std::string path = testing::TempDir() + "/bundle.tgb";
  EXPECT_EQ(Bundle::open(path + ".none").error().text,
            "cannot open `" + path + ".none`: No such file or directory");
  EXPECT_EQ(Bundle::open(testing::TempDir()).error().text,
            "`" + testing::TempDir() + "` is no bundle of kernels");
  ASSERT_TRUE(runtime::writeFile(path, "another file"));
  EXPECT_EQ(Bundle::open(path).error().text, "`" + path + "` is no bundle of kernels");
  std::string bytes = example().bytes();
  ASSERT_TRUE(runtime::writeFile(path, bytes));
  EXPECT_TRUE(Bundle::open(path));
  ASSERT_TRUE(runtime::writeFile(path, bytes.substr(0, 200)));
  EXPECT_EQ(Bundle::open(path).error().text, "`" + path + "` is damaged");
}

TEST(Bundle, IsForOneVersion) {
  std::string bytes = example().bytes();
  // The line of the version, with a checksum that is right.
  const size_t line = bytes.find('\n', bytes.find('\n') + 1) + 1;
  const size_t bytesOfTable = std::stoul(bytes.substr(bytes.find(' ', bytes.find(' ', line) + 1) + 1));
  std::string checked = bytes.substr(line, bytes.find('\n', line) + 1 - line + bytesOfTable);
  const std::string rest = bytes.substr(line + checked.size());
  checked.replace(0, checked.find(' '), "0.0.7");
  bytes = "tegula bundle 1\n" + cache::checksum(checked) + "\n" + checked + rest;
  auto bundle = Bundle::view(bytes, "it");
  ASSERT_FALSE(bundle);
  EXPECT_EQ(bundle.error().text, "`it` is of Tegula 0.0.7, and this is " + std::string(currentVersion()) +
                                     ": make it again with `tegula bundle`");
}

} // namespace
