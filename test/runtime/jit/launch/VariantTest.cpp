// Options of a kernel, variants asked for by types, and launches of exactly one variant.
#include "runtime/emulator/EmulatorDevice.h"
#include "runtime/jit/launch/Jit.h"
#include "test/runtime/jit/FakeCompiler.h"

#include <gtest/gtest.h>

#include <thread>

namespace tegula::jit {

using runtime::ErrorKind;

namespace {

/// Loads everything and writes down what launches ask for.
class RecordingDevice final : public runtime::Device {
public:
  const runtime::DeviceProperties &properties() const override { return limits; }
  runtime::Result<runtime::DeviceAddress> allocate(size_t) override { return no; }
  runtime::Result<void> free(runtime::DeviceAddress) override { return no; }
  runtime::Result<void> copyToDevice(runtime::DeviceAddress, const void *, size_t) override { return no; }
  runtime::Result<void> copyToHost(void *, runtime::DeviceAddress, size_t) override { return no; }
  runtime::Result<void> copyOnDevice(runtime::DeviceAddress, runtime::DeviceAddress, size_t) override {
    return no;
  }
  runtime::Result<std::unique_ptr<runtime::Stream>> createStream() override { return no; }
  runtime::Result<std::unique_ptr<runtime::Event>> createEvent() override { return no; }
  runtime::Result<std::unique_ptr<runtime::LoadedKernel>> load(KernelImage image) override {
    struct Loaded final : runtime::LoadedKernel {
      explicit Loaded(KernelImage image) : LoadedKernel(std::move(image)) {}
    };
    return {std::make_unique<Loaded>(std::move(image))};
  }
  runtime::Result<void> synchronize() override { return {}; }

  std::vector<runtime::LaunchAttributes> launches;
  std::vector<void *> streams;

protected:
  runtime::Result<void> launchChecked(runtime::LoadedKernel &, runtime::Grid, std::span<const std::byte>,
                                      runtime::Stream *stream,
                                      runtime::LaunchAttributes attributes) override {
    launches.push_back(attributes);
    streams.push_back(stream ? stream->nativeHandle() : nullptr);
    return {};
  }

private:
  runtime::Error no{ErrorKind::Unavailable, "nothing here"};
  runtime::DeviceProperties limits{.arch = "sm_90a"};
};

class VariantTest : public testing::Test {
protected:
  void SetUp() override { test::takeCompiledSpecs(); }

  static std::shared_ptr<JitKernel> kernel(JitKernel::Options options = {}) {
    auto program = JitProgram::parse(testing::UnitTest::GetInstance()->current_test_info()->name(), "");
    auto made = JitKernel::create(program, **program->source().find("scale"), std::move(options));
    EXPECT_TRUE(made) << made.error().text;
    return *made;
  }
  const std::vector<HostValue> args{HostValue::pointer(4096, ScalarKind::Float32), HostValue::integer(32),
                                    HostValue::floating(0.5)};
};

TEST_F(VariantTest, OptionsAreOfTheSpecAndOfTheLaunch) {
  JitKernel::Options options;
  options.debug = true;
  options.maxRegisters = 64;
  options.fpFusion = false;
  options.arch = "sm_80";
  options.tritonVersion = "3.8";
  options.launch = {true, true};
  auto device = std::make_shared<RecordingDevice>();
  int theirs = 0;
  runtime::ForeignStream stream(&theirs);
  ASSERT_TRUE(kernel(options)->launch(device, {}, args, &stream));
  ASSERT_TRUE(kernel()->launch(device, {}, args));
  const std::vector<KernelSpec> specs = test::takeCompiledSpecs();
  ASSERT_EQ(specs.size(), 2u);
  EXPECT_TRUE(specs[0].debug);
  EXPECT_EQ(specs[0].maxRegisters, 64u);
  EXPECT_FALSE(specs[0].fpFusion);
  EXPECT_EQ(specs[0].target, "sm_80");
  EXPECT_EQ(specs[0].tritonVersion, "3.8");
  EXPECT_EQ(specs[1].tritonVersion, "3.6");
  EXPECT_FALSE(specs[1].debug);
  EXPECT_TRUE(specs[1].fpFusion);
  EXPECT_EQ(specs[1].target, "sm_90a");
  ASSERT_EQ(device->launches.size(), 2u);
  EXPECT_TRUE(device->launches[0].cooperative && device->launches[0].programmatic);
  EXPECT_FALSE(device->launches[1].cooperative || device->launches[1].programmatic);
  EXPECT_EQ(device->streams, (std::vector<void *>{&theirs, nullptr}));
  options.maxRegisters = 300;
  auto program = JitProgram::parse("hungry", "");
  EXPECT_EQ(JitKernel::create(program, **program->source().find("scale"), options).error().text,
            "expected at most 255 registers of a thread, found 300");
}

TEST_F(VariantTest, WhatToDoWithoutIsGivenOrOfTheEnvironment) {
  const std::set<Feature> wgmma{Feature::Wgmma};
  EXPECT_EQ(kernel()->options().without, std::set<Feature>());
  setenv("TEGULA_WITHOUT", "wgmma", 1);
  auto device = std::make_shared<RecordingDevice>();
  ASSERT_TRUE(kernel()->launch(device, {}, args));
  EXPECT_EQ(test::takeCompiledSpecs().back().without, wgmma);
  JitKernel::Options nothing;
  nothing.without.emplace();
  ASSERT_TRUE(kernel(nothing)->launch(device, {}, args));
  EXPECT_EQ(test::takeCompiledSpecs().back().without, std::set<Feature>());
  setenv("TEGULA_WITHOUT", "wgmma,simt", 1);
  auto program = JitProgram::parse("misspelt", "");
  const std::string refused = JitKernel::create(program, **program->source().find("scale"), {}).error().text;
  EXPECT_TRUE(refused.starts_with("TEGULA_WITHOUT: unknown feature `simt`; known: `wgmma`")) << refused;
  unsetenv("TEGULA_WITHOUT");
}

TEST_F(VariantTest, TypesFindWhatALaunchWithSuchArgumentsUses) {
  auto device = std::make_shared<RecordingDevice>();
  auto scale = kernel();
  const std::string types[] = {"*fp32:16", "i32:16+", "fp32"};
  auto typed = scale->prepareTyped(device, types);
  ASSERT_TRUE(typed) << typed.error().text;
  EXPECT_EQ(*typed, *scale->prepare(device, args));
  EXPECT_EQ(test::takeCompiledSpecs().size(), 1u);
  const std::string bound[] = {"*fp32:16", "i32=1", "fp32"};
  const std::vector<HostValue> one{args[0], HostValue::integer(1), args[2]};
  EXPECT_EQ(*scale->prepareTyped(device, bound), *scale->prepare(device, one));
  const std::string other[] = {"*fp32:256", "i32:16+", "fp32"};
  EXPECT_NE(*scale->prepareTyped(device, other), *typed);
  EXPECT_EQ((*typed)->device, device);
}

TEST_F(VariantTest, WithoutADeviceItIsNotLoaded) {
  auto scale = kernel();
  const std::string types[] = {"*fp32", "i32", "fp32"};
  auto compiled = scale->prepareTyped(nullptr, types);
  ASSERT_TRUE(compiled) << compiled.error().text;
  EXPECT_EQ((*compiled)->kernel, nullptr);
  EXPECT_EQ((*compiled)->image().target, "sm_90a");
  EXPECT_EQ(launchVariant(**compiled, {}, args).error().text,
            "cannot launch `scale`: it was compiled without a device");
}

TEST_F(VariantTest, ThreadsThatAddAtOnceFindOne) {
  auto device = std::make_shared<RecordingDevice>();
  auto scale = kernel();
  std::vector<const Variant *> found(8);
  std::vector<std::thread> threads;
  for (size_t i = 0; i < found.size(); ++i)
    threads.emplace_back([&, i] {
      auto variant = scale->prepare(device, args);
      found[i] = variant ? *variant : nullptr;
    });
  for (std::thread &thread : threads)
    thread.join();
  for (const Variant *variant : found)
    EXPECT_EQ(variant, found[0]);
  EXPECT_NE(found[0], nullptr);
}

} // namespace
} // namespace tegula::jit
