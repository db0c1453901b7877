// Frozen processes, captured streams, and kernels that come from a bundle: the launcher with a compiler that
// counts.
#include "runtime/bundle/BundleWriter.h"
#include "runtime/device/CudaDevice.h"
#include "runtime/device/Freeze.h"
#include "runtime/emulator/EmulatorDevice.h"
#include "runtime/host/Files.h"
#include "runtime/jit/ahead/Bundles.h"
#include "runtime/jit/ahead/CacheStats.h"
#include "runtime/jit/files/SpecText.h"
#include "runtime/jit/launch/Jit.h"
#include "test/runtime/jit/FakeCompiler.h"

#include <gtest/gtest.h>

#include <dlfcn.h>

using namespace tegula;
using namespace tegula::jit;
using runtime::ErrorKind;

namespace {

class AheadTest : public testing::Test {
protected:
  void SetUp() override {
    test::takeCompiledSpecs();
    runtime::setFrozen(false);
  }
  void TearDown() override { runtime::setFrozen(false); }

  std::shared_ptr<runtime::Device> device = std::make_shared<runtime::EmulatorDevice>();
  runtime::DeviceAddress address = *device->allocate(4 * 1024);

  static std::shared_ptr<JitKernel> kernel(const std::string &path, const std::string &text) {
    auto program = JitProgram::parse(path, text);
    return *JitKernel::create(program, **program->source().find("scale"), {});
  }
  std::vector<HostValue> args(int64_t n) {
    return {HostValue::pointer(address, ScalarKind::Float32), HostValue::integer(n),
            HostValue::floating(0.5)};
  }
  /// The first element after a launch, or the error.
  std::string launch(JitKernel &kernel, int64_t n) {
    auto done = kernel.launch(device, {}, args(n));
    if (!done)
      return done.error().text;
    float value = 0;
    EXPECT_TRUE(device->copyToHost(&value, address, sizeof value));
    return std::to_string(int(value * 10));
  }
};

TEST_F(AheadTest, AFrozenProcessLaunchesWhatItHasAndNamesWhatItHasNot) {
  auto scale = kernel("frozen.py", "frozen");
  EXPECT_EQ(launch(*scale, 5), "55");
  runtime::setFrozen(true);
  EXPECT_EQ(launch(*scale, 7), "75");
  const std::string refused = launch(*scale, 32);
  EXPECT_EQ(refused, "kernel `scale` would have to be compiled after `freeze`, for factor=fp32 n=i32:16+ "
                     "x=*fp32:16 num_warps=4 "
                     "num_stages=3 on sm_90a (n is i32:16+, was i32+)");
  EXPECT_EQ(test::takeCompiledSpecs().size(), 1u);
  // It is no verdict for good.
  runtime::setFrozen(false);
  EXPECT_EQ(launch(*scale, 32), "325");
}

TEST_F(AheadTest, AFrozenProcessLoadsNothing) {
  // Compiled, and not loaded on this device.
  auto scale = kernel("unloaded.py", "unloaded");
  EXPECT_EQ(launch(*scale, 5), "55");
  auto other = std::make_shared<runtime::EmulatorDevice>();
  runtime::setFrozen(true);
  auto done = scale->launch(other, {}, args(5));
  ASSERT_FALSE(done);
  EXPECT_EQ(done.error().kind, ErrorKind::Frozen);
  EXPECT_NE(done.error().text.find("kernel `scale` would have to be loaded after `freeze`"),
            std::string::npos);
  const runtime::Thaw thaw;
  EXPECT_FALSE(runtime::isFrozen());
}

TEST_F(AheadTest, ABundleComesBeforeTheCompiler) {
  // What a first process compiled, under another path.
  auto first = kernel("/one/place/bundled.py", "bundled");
  auto variant = first->prepare(device, args(5));
  ASSERT_TRUE(variant);
  bundle::BundledKernel kept{.name = "scale", .image = (*variant)->image()};
  bundle::BundleWriter writer;
  writer.add(bundleKey((*variant)->spec, "", first->program()->source().contentIdentity()), kept);
  writer.addNote("choice", "the second");
  const std::string path = testing::TempDir() + "/ahead.tgb";
  ASSERT_TRUE(runtime::writeFile(path, writer.bytes()));
  test::takeCompiledSpecs();

  ASSERT_TRUE(loadBundle(path));
  EXPECT_EQ(noteInBundles("choice"), "the second");
  EXPECT_EQ(noteInBundles("another"), std::nullopt);
  const CacheCounts before = cacheCounts();
  auto second = kernel("/another/place/bundled.py", "bundled");
  auto loaded = loadKernelsOfBundles(device, "sm_90a");
  ASSERT_TRUE(loaded) << loaded.error().text;
  EXPECT_EQ(*loaded, 1u);
  // It is loaded already, so that a frozen process may launch it.
  runtime::setFrozen(true);
  EXPECT_EQ(launch(*second, 7), "75");
  EXPECT_NE(launch(*second, 32).find("would have to be compiled"), std::string::npos);
  runtime::setFrozen(false);
  EXPECT_EQ(launch(*second, 32), "325");
  EXPECT_EQ(test::takeCompiledSpecs().size(), 1u);
  EXPECT_EQ(cacheCounts().fromBundle, before.fromBundle + 1);
  EXPECT_EQ(cacheCounts().compiled, before.compiled + 1);
  // Another text is another kernel.
  EXPECT_EQ(launch(*kernel("/another/place/bundled.py", "bundled otherwise"), 7), "75");
  EXPECT_EQ(test::takeCompiledSpecs().size(), 1u);
}

TEST_F(AheadTest, NothingIsPreparedForALaunchWhoseStreamIsCaptured) {
  void *driver = dlopen(TEGULA_FAKE_CUDA, RTLD_NOW);
  auto control = [&](const char *name) { return reinterpret_cast<void (*)(int)>(dlsym(driver, name)); };
  reinterpret_cast<void (*)()>(dlsym(driver, "fakeReset"))();
  auto opened = runtime::openCudaDevice(0, TEGULA_FAKE_CUDA);
  ASSERT_TRUE(opened) << opened.error().text;
  std::shared_ptr<runtime::Device> cuda = std::move(*opened);
  auto scale = kernel("captured.py", "captured");
  control("fakeCapturing")(1);
  auto refused = scale->launch(cuda, {}, args(5));
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().kind, ErrorKind::Frozen);
  EXPECT_EQ(refused.error().text,
            "kernel `scale` would have to be compiled or loaded while its stream is captured (launch it "
            "once before), for factor=fp32 n=i32+ x=*fp32:16 num_warps=4 num_stages=3 on sm_90a");
  EXPECT_TRUE(test::takeCompiledSpecs().empty());
  control("fakeCapturing")(0);
  EXPECT_TRUE(scale->launch(cuda, {}, args(5)));
  control("fakeCapturing")(1);
  EXPECT_TRUE(scale->launch(cuda, {}, args(5)));
  control("fakeCapturing")(0);
}

TEST_F(AheadTest, ADifferenceNamesWhatDiffers) {
  KernelSpec spec;
  spec.kernel = "a kernel of this test";
  EXPECT_EQ(differenceFromBefore(spec), "");
  spec.args["n"] = RuntimeArg{ScalarKind::Int32, 0, {16, true}};
  spec.args["BLOCK"] = BoundValue{int64_t(64)};
  noteImage(spec, ImageOrigin::Compiled, 1);
  EXPECT_EQ(differenceFromBefore(spec), "the same as a variant before, of another program");
  KernelSpec other = spec;
  other.args["n"] = RuntimeArg{ScalarKind::Int32, 0, {1, true}};
  EXPECT_EQ(differenceFromBefore(other), "n is i32+, was i32:16+");
  other.args["BLOCK"] = BoundValue{int64_t(128)};
  other.numWarps = 8;
  other.args.emplace("more", BoundValue{true});
  EXPECT_EQ(
      differenceFromBefore(other),
      "BLOCK is 128, was 64; more is True, was not given; n is i32+, was i32:16+; num_warps is 8, was 4");
  // The nearest of several is taken.
  noteImage(other, ImageOrigin::Disk, 1);
  other.args["BLOCK"] = BoundValue{int64_t(256)};
  EXPECT_EQ(differenceFromBefore(other), "BLOCK is 256, was 128");
}

TEST_F(AheadTest, ADifferenceIsAlsoFromWhatABundleHas) {
  auto scale = kernel("nearest.py", "nearest");
  auto variant = scale->prepare(device, args(5));
  ASSERT_TRUE(variant);
  KernelSpec spec;
  spec.kernel = "only_in_a_bundle";
  spec.args["n"] = RuntimeArg{ScalarKind::Int32, 0, {16, true}};
  spec.args["name"] = BoundValue{std::string("two\nlines")};
  bundle::BundledKernel kept{
      .name = "other", .image = (*variant)->image(), .specialisation = specParts(spec)};
  for (size_t at = kept.image.ptx.find("scale"); at != std::string::npos;
       at = kept.image.ptx.find("scale", at + spec.kernel.size()))
    kept.image.ptx.replace(at, 5, spec.kernel);
  bundle::BundleWriter writer;
  writer.add(bundleKey(spec, "", "a text"), kept);
  // What says nothing of itself, and what stands for arguments that no tensor map describes, is passed over.
  kept.specialisation = {};
  writer.add(bundleKey(spec, "", "another text"), kept);
  kept.withoutMaps = true;
  kept.specialisation = {{"n", "i32+"}};
  writer.add(bundleKey(spec, "", "a third text"), kept);
  const std::string path = testing::TempDir() + "/nearest.tgb";
  ASSERT_TRUE(runtime::writeFile(path, writer.bytes()));
  EXPECT_EQ(differenceFromBefore(spec), "");
  ASSERT_TRUE(loadBundle(path));
  EXPECT_EQ(differenceFromBefore(spec), "the same as a variant in a bundle, of another program");
  spec.args["n"] = RuntimeArg{ScalarKind::Int32, 0, {1, true}};
  EXPECT_EQ(differenceFromBefore(spec), "n is i32+, in a bundle i32:16+");
  // A variant of this process comes first where it is as near.
  noteImage(spec, ImageOrigin::Compiled, 1);
  spec.numWarps = 8;
  spec.args["n"] = RuntimeArg{ScalarKind::Int32, 0, {16, true}};
  EXPECT_EQ(differenceFromBefore(spec), "num_warps is 8, in a bundle 4");
  spec.args["n"] = RuntimeArg{ScalarKind::Int64, 0, {16, true}};
  EXPECT_EQ(differenceFromBefore(spec), "n is i64:16+, was i32+; num_warps is 8, was 4");
}

} // namespace
