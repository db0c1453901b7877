// Images on their way to the disk and back. What happens to damaged files and full disks, the tests of
// runtime/cache say.
#include "runtime/jit/files/DiskCache.h"
#include "dialect/image/KernelImageText.h"
#include "test/runtime/cache/CacheFolder.h"

#include <gtest/gtest.h>

#include <cstdlib>

using namespace tegula;
using namespace tegula::jit;
using tegula::test::CacheFolder;

namespace {

KernelImage image() {
  KernelImage image;
  image.entry = image.kernel = "add";
  image.target = "sm_90a";
  image.params = {{"x", "*fp32", ParamKind::Pointer, 8, 0}, {"n", "i32", ParamKind::Integer, 4, 8}};
  image.paramBytes = 12;
  image.numWarps = 8;
  image.sharedBytes = 1024;
  image.programsPerBlock = 8;
  image.sourceFile = "add.py";
  image.ptx = launchText(image) + "line 1\n3:abc\n";
  return image;
}

TEST(DiskCache, GivesBackWhatWasStored) {
  CacheFolder folder;
  DiskCache cache(folder.path);
  EXPECT_FALSE(cache.find("key"));
  cache.store("key", image());
  std::optional<KernelImage> found = cache.find("key");
  ASSERT_TRUE(found);
  EXPECT_EQ(*found, image());
  EXPECT_FALSE(cache.find("another key"));
}

TEST(DiskCache, MachineCodeIsPartOfWhatIsStored) {
  CacheFolder folder;
  DiskCache cache(folder.path);
  KernelImage assembled = image();
  assembled.machineCode = std::string("\177ELF\0\n", 6);
  cache.store("key", image());
  cache.store("key", assembled);
  EXPECT_EQ(cache.find("key"), assembled);
  const std::vector<cache::StoredEntry> entries = cache::Store(folder.path).list();
  ASSERT_EQ(entries.size(), 1u);
  EXPECT_EQ(entries[0].contents->sections.at("title"), "add sm_90a, 8 warps");
}

TEST(DiskCache, TensorMapsArePartOfWhatIsStored) {
  CacheFolder folder;
  DiskCache cache(folder.path);
  KernelImage mapped = image();
  TensorMap map{.base = 0, .element = "fp32", .elementBytes = 4, .swizzle = 128};
  map.axes = {{{64}, {1}, 32}, {{1, 1}, {64}, 128}};
  addImplicitMap(mapped, map);
  mapped.ptx = launchText(mapped) + "line 1\n";
  mapped.machineCode = std::string("\177ELF\0\n", 6);
  cache.store("key", mapped);
  EXPECT_EQ(cache.find("key"), mapped);
}

TEST(DiskCache, WhatIsNoKernelIsAbsent) {
  CacheFolder folder;
  cache::Store store(folder.path);
  ASSERT_TRUE(store.put("key", {{"code", "\177ELF"}}));
  EXPECT_FALSE(DiskCache(folder.path).find("key"));
  ASSERT_TRUE(store.put("key", {{"ptx", "no PTX of ours"}}));
  EXPECT_FALSE(DiskCache(folder.path).find("key"));
}

TEST(DiskCache, WithoutFolderHoldsNothing) {
  DiskCache cache("");
  cache.store("key", image());
  EXPECT_FALSE(cache.enabled());
  EXPECT_FALSE(cache.find("key"));
}

TEST(DiskCache, UnwritableFolderIsNoErrorAndSaysSoOnce) {
  DiskCache cache("/proc/no/such/folder");
  EXPECT_FALSE(cache.takeWarning());
  cache.store("key", image());
  EXPECT_FALSE(cache.find("key"));
  EXPECT_EQ(cache.takeWarning(), "the cache `/proc/no/such/folder` is not used: No such file or directory");
  EXPECT_FALSE(cache.takeWarning());
}

TEST(DiskCache, TheFolderOfTheProcess) {
  setenv("TEGULA_CACHE_DIR", "/a", 1);
  EXPECT_EQ(DiskCache::configuredFolder(), "/a");
  DiskCache::setFolder("/b");
  EXPECT_EQ(DiskCache::configuredFolder(), "/b");
  DiskCache::setFolder("");
  EXPECT_EQ(DiskCache::configuredFolder(), "") << "off, whatever the environment says";
  DiskCache::setFolder(std::nullopt);
  EXPECT_EQ(DiskCache::configuredFolder(), "/a");
  unsetenv("TEGULA_CACHE_DIR");
}

TEST(BuildId, IsTheLinkers) {
  const std::string &identity = compilerIdentity();
  EXPECT_EQ(identity.size(), 40u) << identity;
  EXPECT_EQ(identity.find_first_not_of("0123456789abcdef"), std::string::npos) << identity;
  EXPECT_EQ(&identity, &compilerIdentity());
}

} // namespace
