// The launcher with a compiler that counts, on the emulator.
#include "runtime/device/Freeze.h"
#include "runtime/emulator/EmulatorDevice.h"
#include "runtime/jit/launch/Jit.h"
#include "runtime/jit/program/CompileDefaults.h"
#include "runtime/jit/program/OpenDevice.h"
#include "test/runtime/jit/FakeCompiler.h"

#include <gtest/gtest.h>

#include <atomic>
#include <cstdlib>
#include <thread>

using namespace tegula;
using namespace tegula::jit;
using runtime::ErrorKind;

namespace {

class JitKernelTest : public testing::Test {
protected:
  void SetUp() override { test::takeCompiledSpecs(); }

  std::shared_ptr<runtime::Device> device = std::make_shared<runtime::EmulatorDevice>();
  runtime::DeviceAddress address = *device->allocate(4 * 1024);

  /// Each test has a source of its own, as what was compiled is kept for the process.
  std::shared_ptr<JitProgram> program(const std::string &text = "") {
    return JitProgram::parse(testing::UnitTest::GetInstance()->current_test_info()->name(), text);
  }
  static std::shared_ptr<JitKernel> kernel(const std::shared_ptr<JitProgram> &program,
                                           JitKernel::Options options = {}) {
    auto info = program->source().find("scale");
    EXPECT_TRUE(info);
    auto made = JitKernel::create(program, **info, std::move(options));
    EXPECT_TRUE(made) << made.error().text;
    return *made;
  }
  std::vector<HostValue> args(int64_t n, double factor) {
    return {HostValue::pointer(address, ScalarKind::Float32), HostValue::integer(n),
            HostValue::floating(factor)};
  }
  /// The first element after a launch; NaN-like rubbish never equals it.
  float launch(JitKernel &kernel, const std::vector<HostValue> &args) {
    auto done = kernel.launch(device, {}, args);
    EXPECT_TRUE(done) << done.error().text;
    float value = -1e30f;
    EXPECT_TRUE(device->copyToHost(&value, address, 4));
    return value;
  }
};

TEST_F(JitKernelTest, CompilesEachVariantOnce) {
  auto scale = kernel(program());
  EXPECT_EQ(launch(*scale, args(5, 0.5)), 5.5f);
  EXPECT_EQ(launch(*scale, args(7, 0.25)), 7.25f); // the same facts
  EXPECT_EQ(test::takeCompiledSpecs().size(), 1u);
  EXPECT_EQ(launch(*scale, args(1, 0.5)), 1.5f);   // 1 is bound
  EXPECT_EQ(launch(*scale, args(32, 0.5)), 32.5f); // divisible by 16
  EXPECT_EQ(launch(*scale, args(5, 0.5)), 5.5f);
  const std::vector<KernelSpec> specs = test::takeCompiledSpecs();
  ASSERT_EQ(specs.size(), 2u);
  EXPECT_TRUE(std::holds_alternative<BoundValue>(specs[0].args.at("n")));
  EXPECT_EQ(std::get<RuntimeArg>(specs[1].args.at("n")).facts.divisibility, 16u);
  EXPECT_EQ(specs[1].target, "sm_90a");
  EXPECT_EQ(specs[1].kernel, "scale");
}

/// The divisors of `n` that were compiled for since this was last asked.
std::vector<uint32_t> divisorsOfN() {
  std::vector<uint32_t> divisors;
  for (const KernelSpec &spec : test::takeCompiledSpecs())
    divisors.push_back(std::get<RuntimeArg>(spec.args.at("n")).facts.divisibility);
  return divisors;
}

TEST_F(JitKernelTest, CodeThatAsksForMoreFactsGetsThem) {
  using Divisors = std::vector<uint32_t>;
  auto scale = kernel(program("finer"));
  EXPECT_EQ(launch(*scale, args(12, 0.5)), 12.5f);
  EXPECT_EQ(divisorsOfN(), (Divisors{1, 4})) << "the first says what it would rather know";
  EXPECT_EQ(launch(*scale, args(24, 0.5)), 24.5f);
  EXPECT_EQ(divisorsOfN(), Divisors()) << "8 does no more than 4";
  EXPECT_EQ(launch(*scale, args(10, 0.5)), 10.5f);
  EXPECT_EQ(divisorsOfN(), Divisors{2});
  EXPECT_EQ(launch(*scale, args(7, 0.5)), 7.5f);
  EXPECT_EQ(divisorsOfN(), Divisors()) << "compiled before, to be asked";
  EXPECT_EQ(launch(*scale, args(32, 0.5)), 32.5f);
  EXPECT_EQ(divisorsOfN(), Divisors{16});
  for (int64_t n : {12, 24, 10, 7, 32})
    EXPECT_NE(scale->find(*device, args(n, 0.5)), nullptr) << n;
  EXPECT_NE(scale->find(*device, args(12, 0.5)), scale->find(*device, args(10, 0.5)));
  // What a launch knows of the other argument is told, too.
  auto values = args(12, 0.5);
  values[0] = HostValue::pointer(address + 2, ScalarKind::Float32);
  auto prepared = scale->prepare(device, values);
  ASSERT_TRUE(prepared);
  const auto &facts = std::get<RuntimeArg>((*prepared)->spec.args.at("x")).facts;
  EXPECT_EQ(facts.divisibility, 2u);
  EXPECT_EQ(divisorsOfN(), (Divisors{1, 4}));
}

TEST_F(JitKernelTest, TypesAreTakenAtTheirWordWhereCodeAsksForMore) {
  auto scale = kernel(program("finer"));
  launch(*scale, args(12, 0.5));
  test::takeCompiledSpecs();
  const std::vector<std::string> types = {"*fp32:16", "i32+", "fp32"};
  auto typed = scale->prepareTyped(device, types);
  ASSERT_TRUE(typed);
  EXPECT_EQ(std::get<RuntimeArg>((*typed)->spec.args.at("n")).facts.divisibility, 1u);
  EXPECT_NE((*typed)->kernel, nullptr);
  EXPECT_EQ(*scale->prepare(device, args(7, 0.5)), *typed);
  EXPECT_EQ(divisorsOfN(), std::vector<uint32_t>());
}

TEST_F(JitKernelTest, WhatIsToldNoFactsIsNotAsked) {
  auto shared = program("finer");
  KernelInfo info = **shared->source().find("scale");
  info.parameters[1].doNotSpecializeOnAlignment = true;
  auto scale = *JitKernel::create(shared, info, {});
  launch(*scale, args(12, 0.5));
  launch(*scale, args(16, 0.5));
  EXPECT_EQ(divisorsOfN(), std::vector<uint32_t>{1});
}

TEST_F(JitKernelTest, WarningsOfCodeThatAsksForMoreComeOnce) {
  auto shared = program("finer, and it warns");
  auto scale = kernel(shared);
  launch(*scale, args(12, 0.5));
  EXPECT_EQ(shared->source().takeMessages().size(), 1u);
  launch(*scale, args(10, 0.5));
  EXPECT_EQ(shared->source().takeMessages().size(), 0u);
}

/// Arguments and what they give, of code whose loop blocks may share: it adds 100000 for each that does.
TEST_F(JitKernelTest, FewProgramsShareTheirLoop) {
  auto scale = kernel(program("shares"));
  EXPECT_EQ(launch(*scale, args(16 * 3, 0.5)), 48.5f) << "too few iterations";
  EXPECT_EQ(test::takeCompiledSpecs().size(), 1u);
  EXPECT_EQ(launch(*scale, args(16 * 64, 0.5)), 801024.5f);
  const std::vector<KernelSpec> specs = test::takeCompiledSpecs();
  ASSERT_EQ(specs.size(), 1u);
  EXPECT_TRUE(specs[0].splitK);
  EXPECT_EQ(launch(*scale, args(16 * 17, 0.5)), 400272.5f) << "four iterations each";
  const auto launchMany = [&](runtime::Grid grid) {
    EXPECT_TRUE(scale->launch(device, grid, args(16 * 64, 0.5)));
    float value = 0;
    EXPECT_TRUE(device->copyToHost(&value, address, 4));
    return value;
  };
  EXPECT_EQ(launchMany({40, 1, 1}), 601024.5f);
  EXPECT_EQ(launchMany({5, 5, 4}), 201024.5f);
  EXPECT_EQ(launchMany({133, 1, 1}), 1024.5f) << "no room for two of each";
  EXPECT_TRUE(test::takeCompiledSpecs().empty());
}

TEST_F(JitKernelTest, LoopsAreNotSharedWhereThatIsNotWanted) {
  JitKernel::Options options;
  options.without.emplace({Feature::Split});
  auto without = kernel(program("shares"), options);
  EXPECT_EQ(launch(*without, args(16 * 64, 0.5)), 1024.5f);
  options = {};
  options.launch.cooperative = true;
  auto cooperative = kernel(program("shares"), options);
  EXPECT_EQ(launch(*cooperative, args(16 * 64, 0.5)), 1024.5f);
}

TEST_F(JitKernelTest, LoopsThatCannotBeSharedAreTriedOnce) {
  auto scale = kernel(program("shares, but cannot"));
  for (int64_t n : {16 * 64, 16 * 128, 16 * 256})
    EXPECT_EQ(launch(*scale, args(n, 0.5)), float(n) + 0.5f);
  EXPECT_EQ(test::takeCompiledSpecs().size(), 2u);
}

TEST_F(JitKernelTest, FrozenLaunchesShareLoopsThatAreLoaded) {
  auto scale = kernel(program("shares"));
  EXPECT_EQ(launch(*scale, args(16, 0.5)), 16.5f);
  runtime::setFrozen(true);
  EXPECT_EQ(launch(*scale, args(16 * 64, 0.5)), 1024.5f);
  runtime::setFrozen(false);
  EXPECT_EQ(launch(*scale, args(16 * 64, 0.5)), 801024.5f);
  runtime::setFrozen(true);
  EXPECT_EQ(launch(*scale, args(16 * 64, 0.5)), 801024.5f);
  runtime::setFrozen(false);
}

TEST_F(JitKernelTest, ThreadsAskOnce) {
  auto scale = kernel(program("finer"));
  std::vector<std::thread> threads;
  std::atomic<int> failures = 0;
  for (int i = 0; i < 8; ++i)
    threads.emplace_back([&, i] {
      for (int round = 0; round < 20; ++round)
        failures += !scale->launch(device, {}, args(40 + (i + round) % 4, 0.5));
    });
  for (std::thread &thread : threads)
    thread.join();
  EXPECT_EQ(failures, 0);
  std::vector<uint32_t> divisors = divisorsOfN();
  std::ranges::sort(divisors);
  EXPECT_EQ(divisors, (std::vector<uint32_t>{1, 2, 4}));
}

TEST_F(JitKernelTest, OtherKernelsOfTheProgramShareWhatWasCompiled) {
  auto shared = program();
  EXPECT_EQ(launch(*kernel(shared), args(5, 0.5)), 5.5f);
  EXPECT_EQ(launch(*kernel(shared), args(6, 0.5)), 6.5f);
  EXPECT_EQ(launch(*kernel(program()), args(7, 0.5)), 7.5f) << "the same text, parsed again";
  EXPECT_EQ(test::takeCompiledSpecs().size(), 1u);
  JitKernel::Options options;
  options.numWarps = 8;
  launch(*kernel(shared, options), args(5, 0.5));
  options.constexprs.emplace("SCALE", BoundValue{int64_t(3)});
  launch(*kernel(shared, options), args(5, 0.5));
  const std::vector<KernelSpec> specs = test::takeCompiledSpecs();
  ASSERT_EQ(specs.size(), 2u);
  EXPECT_EQ(specs[0].numWarps, 8u);
  EXPECT_FALSE(specs[0].args.contains("SCALE"));
  EXPECT_TRUE(specs[1].args.contains("SCALE"));
}

TEST_F(JitKernelTest, ConstexprArgumentsAreKeyedByValue) {
  auto scale = kernel(program());
  std::vector<HostValue> values = args(5, 0.5);
  for (int64_t scaleBy : {1, 2, 1, 2}) {
    values.resize(3);
    values.push_back(HostValue::integer(scaleBy));
    launch(*scale, values);
  }
  values[3] = {HostValue::Default};
  launch(*scale, values);
  const std::vector<KernelSpec> specs = test::takeCompiledSpecs();
  ASSERT_EQ(specs.size(), 3u);
  EXPECT_EQ(std::get<int64_t>(std::get<BoundValue>(specs[1].args.at("SCALE")).value), 2);
  EXPECT_FALSE(specs[2].args.contains("SCALE"));
}

TEST_F(JitKernelTest, WhatNoTensorMapDescribesRunsWithoutMaps) {
  auto scale = kernel(program("maps"));
  EXPECT_EQ(launch(*scale, args(20, 0.5)), 1020.5f);
  EXPECT_EQ(test::takeCompiledSpecs().size(), 1u) << "what is not needed is not made";
  EXPECT_EQ(launch(*scale, args(21, 0.5)), 21.5f) << "rows of 84 bytes, and the facts of the launch before";
  const std::vector<KernelSpec> specs = test::takeCompiledSpecs();
  ASSERT_EQ(specs.size(), 1u);
  EXPECT_EQ(specs[0].without, (std::set<Feature>{Feature::Tma, Feature::Spread}))
      << "what a device may refuse";
  EXPECT_EQ(launch(*scale, args(22, 0.5)), 22.5f);
  EXPECT_EQ(launch(*scale, args(24, 0.5)), 1024.5f) << "the others still take maps";
  // So does a launch of a variant that was prepared.
  auto prepared = scale->prepare(device, args(20, 0.5));
  ASSERT_TRUE(prepared);
  EXPECT_TRUE(launchVariant(**prepared, {}, args(23, 0.5)));
  float value = 0;
  EXPECT_TRUE(device->copyToHost(&value, address, 4));
  EXPECT_EQ(value, 23.5f);
  EXPECT_TRUE(test::takeCompiledSpecs().empty());
}

TEST_F(JitKernelTest, ThreadsMakeOneVariantWithoutMaps) {
  auto scale = kernel(program("maps"));
  ASSERT_TRUE(scale->prepare(device, args(20, 0.5)));
  std::vector<std::thread> threads;
  std::atomic<int> failures = 0;
  for (int i = 0; i < 8; ++i)
    threads.emplace_back([&, i] {
      for (int round = 0; round < 20; ++round)
        failures += !scale->launch(device, {}, args(20 + (i + round) % 4, 0.5));
    });
  for (std::thread &thread : threads)
    thread.join();
  EXPECT_EQ(failures, 0);
  EXPECT_EQ(test::takeCompiledSpecs().size(), 2u);
}

TEST_F(JitKernelTest, AVariantWithoutMapsThatHasSome) {
  auto scale = kernel(program("maps always"));
  EXPECT_EQ(launch(*scale, args(20, 0.5)), 1020.5f);
  auto done = scale->launch(device, {}, args(21, 0.5));
  ASSERT_FALSE(done);
  EXPECT_EQ(done.error().kind, ErrorKind::Driver);
  EXPECT_EQ(done.error().text,
            "cannot launch `scale`: no tensor map describes `x`: expected a stride that is a multiple "
            "of 16 bytes from 0 to 2^40 along axis 1, found 84");
}

TEST_F(JitKernelTest, ThreadsWaitForOneCompilation) {
  auto scale = kernel(program("slow"));
  std::vector<std::thread> threads;
  std::atomic<int> failures = 0;
  for (int i = 0; i < 8; ++i)
    threads.emplace_back([&] {
      auto fresh = std::make_shared<runtime::EmulatorDevice>();
      for (int round = 0; round < 20; ++round)
        failures += !scale->prepare(round % 2 ? device : fresh, args(5, 0.5));
    });
  for (std::thread &thread : threads)
    thread.join();
  EXPECT_EQ(failures, 0);
  EXPECT_EQ(test::takeCompiledSpecs().size(), 1u);
}

TEST_F(JitKernelTest, Errors) {
  auto scale = kernel(program());
  auto errorOf = [&](std::vector<HostValue> values) {
    auto done = scale->launch(device, {}, values);
    EXPECT_FALSE(done);
    EXPECT_EQ(done.error().kind, ErrorKind::InvalidArgument);
    return done.error().text;
  };
  std::vector<HostValue> values = args(5, 0.5);
  EXPECT_EQ(errorOf({values[0]}), "kernel `scale` has no value for parameter `n`");
  EXPECT_EQ(errorOf({values[0], {HostValue::Default}, values[2]}),
            "kernel `scale` has no value for parameter `n`");
  EXPECT_EQ(errorOf({values[0], values[1], values[0]}),
            "expected fp32 for parameter `factor`, found a pointer *fp32");
  EXPECT_EQ(errorOf({values[0], values[1], values[2], values[0]}),
            "parameter `SCALE` is a `tl.constexpr`, found a pointer *fp32");
  values.resize(5);
  EXPECT_EQ(errorOf(values), "expected at most 4 arguments for `scale`, found 5");
}

TEST_F(JitKernelTest, OptionsAreChecked) {
  auto shared = program();
  auto errorOf = [&](JitKernel::Options options) {
    auto made = JitKernel::create(shared, **shared->source().find("scale"), std::move(options));
    EXPECT_FALSE(made);
    return made.error().text;
  };
  JitKernel::Options options;
  options.constexprs.emplace("BLOCK", BoundValue{});
  EXPECT_EQ(errorOf(options), "kernel `scale` has no parameter `BLOCK`");
  for (uint32_t warps : {3u, 64u}) {
    options = {};
    options.numWarps = warps;
    EXPECT_EQ(errorOf(options), "expected a power of two from 1 to 32 warps, found " + std::to_string(warps));
  }
  options = {};
  options.numStages = 33;
  EXPECT_EQ(errorOf(options), "expected 1 to 32 stages, found 33");
  options = {};
  options.maxRegisters = 256;
  EXPECT_EQ(errorOf(options), "expected at most 255 registers of a thread, found 256");
}

TEST_F(JitKernelTest, CountsOfWhichNothingIsSaidHaveDefaults) {
  launch(*kernel(program(), {}), args(5, 0.5));
  const std::vector<KernelSpec> specs = test::takeCompiledSpecs();
  ASSERT_EQ(specs.size(), 1u);
  EXPECT_EQ(specs[0].numWarps, 4u);
  EXPECT_EQ(specs[0].numStages, 3u);
}

TEST_F(JitKernelTest, FindsTheOnlyEntry) {
  EXPECT_EQ((*program()->source().find(""))->name, "scale") << "a helper is no entry";
  EXPECT_EQ((*program()->source().find("helper"))->name, "helper") << "unless it is named";
  auto several = program("two")->source().find("");
  ASSERT_FALSE(several);
  EXPECT_EQ(several.error().text, "`FindsTheOnlyEntry` has several kernels, name one: `scale`, `other`");
  auto unknown = program()->source().find("scael");
  ASSERT_FALSE(unknown);
  EXPECT_EQ(unknown.error().text, "`FindsTheOnlyEntry` has no kernel `scael`");
}

TEST_F(JitKernelTest, BrokenSource) {
  auto found = program("broken")->source().find("");
  ASSERT_FALSE(found);
  EXPECT_EQ(found.error().kind, ErrorKind::Compile);
  EXPECT_NE(found.error().text.find("broken.py:3:1: error: it is broken"), std::string::npos)
      << found.error().text;
}

TEST_F(JitKernelTest, DevicesLiveAsLongAsTheirKernels) {
  std::weak_ptr<runtime::Device> watch = device;
  auto shared = program();
  launch(*kernel(shared), args(5, 0.5));
  device.reset();
  EXPECT_FALSE(watch.expired());
  shared.reset();
  EXPECT_TRUE(watch.expired());
}

TEST(OpenDevice, Kinds) {
  auto bad = openDevice("gpu");
  ASSERT_FALSE(bad);
  EXPECT_EQ(
      bad.error().text,
      "expected the device `auto`, `cuda`, `cuda:N`, `emulator`, `emulator:N` or `interpret`, found `gpu`");
  EXPECT_FALSE(openDevice("cuda:x"));
  EXPECT_FALSE(openDevice("cuda:"));
  EXPECT_FALSE(openDevice("emulator:0"));
  EXPECT_FALSE(openDevice("emulator:many"));
  EXPECT_TRUE(openDevice("emulator:3"));
  setenv("TEGULA_DEVICE", "emulator", 1);
  auto emulator = openDevice();
  ASSERT_TRUE(emulator);
  EXPECT_NE(dynamic_cast<runtime::EmulatorDevice *>(emulator->get()), nullptr);
  setenv("TEGULA_DEVICE", "abacus", 1);
  auto wrong = openDevice();
  ASSERT_FALSE(wrong);
  EXPECT_EQ(wrong.error().text, "expected the device `auto`, `cuda`, `cuda:N`, `emulator`, `emulator:N` or "
                                "`interpret` in TEGULA_DEVICE, found `abacus`");
  unsetenv("TEGULA_DEVICE");
}

/// A GPU of some compute capability, for the choice of the target.
class CapabilityOnly final : public runtime::Device {
public:
  CapabilityOnly(uint32_t major, uint32_t minor) {
    limits.computeMajor = major;
    limits.computeMinor = minor;
    limits.arch = "sm_" + std::to_string(major * 10 + minor);
  }
  const runtime::DeviceProperties &properties() const override { return limits; }
  runtime::Result<runtime::DeviceAddress> allocate(size_t) override { return runtime::DeviceAddress(0); }
  runtime::Result<void> free(runtime::DeviceAddress) override { return {}; }
  runtime::Result<void> copyToDevice(runtime::DeviceAddress, const void *, size_t) override { return {}; }
  runtime::Result<void> copyToHost(void *, runtime::DeviceAddress, size_t) override { return {}; }
  runtime::Result<void> copyOnDevice(runtime::DeviceAddress, runtime::DeviceAddress, size_t) override {
    return {};
  }
  runtime::Result<std::unique_ptr<runtime::Stream>> createStream() override { return no; }
  runtime::Result<std::unique_ptr<runtime::Event>> createEvent() override { return no; }
  runtime::Result<std::unique_ptr<runtime::LoadedKernel>> load(KernelImage) override { return no; }
  runtime::Result<void> synchronize() override { return {}; }

protected:
  runtime::Result<void> launchChecked(runtime::LoadedKernel &, runtime::Grid, std::span<const std::byte>,
                                      runtime::Stream *, runtime::LaunchAttributes) override {
    return {};
  }

private:
  runtime::Error no{ErrorKind::Unavailable, "nothing here"};
  runtime::DeviceProperties limits;
};

TEST(OpenDevice, Target) {
  EXPECT_EQ(targetFor(CapabilityOnly(8, 0)), "sm_80");
  EXPECT_EQ(targetFor(CapabilityOnly(8, 7)), "sm_86");
  EXPECT_EQ(targetFor(CapabilityOnly(9, 0)), "sm_90a");
  EXPECT_EQ(targetFor(CapabilityOnly(10, 3)), "sm_103a");
  EXPECT_EQ(targetFor(CapabilityOnly(11, 0)), "sm_89");
  EXPECT_EQ(targetFor(CapabilityOnly(7, 5)), "sm_75") << "the compiler then names what it does not know";
  EXPECT_EQ(targetFor(runtime::EmulatorDevice()), "sm_90a");
  setenv("TEGULA_ARCH", "sm_120a", 1);
  EXPECT_EQ(targetFor(CapabilityOnly(9, 0)), "sm_120a");
  unsetenv("TEGULA_ARCH");
}

/// The options of config `index`, or the error.
runtime::Result<JitKernel::Options> configured(const std::shared_ptr<JitProgram> &program, int64_t index,
                                               JitKernel::Options options = {}) {
  return JitKernel::withConfig(*program, **program->source().find("scale"), std::move(options), index);
}

TEST_F(JitKernelTest, AConfigGivesValuesWarpsAndStages) {
  auto tuned = program("tuned");
  auto first = configured(tuned, 0);
  ASSERT_TRUE(first) << first.error().text;
  EXPECT_EQ(first->constexprs, (std::map<std::string, BoundValue>{{"SCALE", {int64_t(10)}}}));
  EXPECT_EQ(first->warps(), 2u);
  EXPECT_EQ(first->stages(), 1u);
  JitKernel::Options given;
  given.constexprs = {{"SCALE", {int64_t(5)}}};
  given.numWarps = 8;
  auto second = configured(tuned, 1, given);
  ASSERT_TRUE(second);
  EXPECT_EQ(second->maxRegisters, 96u);
  given.maxRegisters = 40;
  EXPECT_EQ(configured(tuned, 1, given)->maxRegisters, 40u);
  EXPECT_EQ(second->constexprs.at("SCALE"), BoundValue{int64_t(5)});
  EXPECT_EQ(second->warps(), 8u);
  EXPECT_EQ(second->stages(), 2u);
  launch(*kernel(tuned, *first), args(5, 0.5));
  const std::vector<KernelSpec> specs = test::takeCompiledSpecs();
  ASSERT_EQ(specs.size(), 1u);
  EXPECT_EQ(specs[0].args.at("SCALE"), ArgSpec(BoundValue{int64_t(10)}));
  EXPECT_EQ(specs[0].numWarps, 2u);
}

TEST_F(JitKernelTest, ConfigsThatAreNotThere) {
  for (int64_t index : {int64_t(2), int64_t(-1)})
    EXPECT_EQ(configured(program("tuned"), index).error().text,
              "kernel `scale` has 2 configs, from 0 to 1, found " + std::to_string(index));
  EXPECT_EQ(configured(program(), 0).error().text,
            "kernel `scale` has no configs, as no `triton.autotune` gives any");
  auto unreadable = configured(program("unreadable"), 0);
  ASSERT_FALSE(unreadable);
  EXPECT_EQ(unreadable.error().kind, ErrorKind::Compile);
  EXPECT_NE(unreadable.error().text.find("unreadable.py:2:1: error: no configs"), std::string::npos);
}

TEST_F(JitKernelTest, HeuristicsFollowTheArguments) {
  auto scale = kernel(program("heuristic"));
  ASSERT_EQ(scale->parameters().size(), 3u) << "computed values are not passed";
  launch(*scale, args(5, 0.5));
  launch(*scale, args(6, 0.5));
  launch(*scale, args(7, 0.5));
  const std::vector<KernelSpec> specs = test::takeCompiledSpecs();
  ASSERT_EQ(specs.size(), 2u);
  EXPECT_EQ(specs[0].args.at("SCALE"), ArgSpec(BoundValue{int64_t(1)}));
  EXPECT_EQ(specs[1].args.at("SCALE"), ArgSpec(BoundValue{int64_t(0)}));
  EXPECT_EQ(specs[0].numWarps, 2u);
  EXPECT_TRUE(scale->prepare(device, args(5, 0.5)));
}

TEST_F(JitKernelTest, WhatIsGivenIsNotComputed) {
  JitKernel::Options options;
  options.constexprs = {{"SCALE", {int64_t(9)}}};
  options.numWarps = 4;
  launch(*kernel(program("heuristic"), options), args(5, 0.5));
  const std::vector<KernelSpec> specs = test::takeCompiledSpecs();
  ASSERT_EQ(specs.size(), 1u);
  EXPECT_EQ(specs[0].args.at("SCALE"), ArgSpec(BoundValue{int64_t(9)}));
  EXPECT_EQ(specs[0].numWarps, 4u);
}

TEST_F(JitKernelTest, HeuristicsThatCannotBeComputed) {
  auto scale = kernel(program("heuristic"));
  auto failure = [&](std::vector<HostValue> args) {
    auto done = scale->launch(device, {}, args);
    return done ? "done" : done.error().text;
  };
  EXPECT_NE(failure({HostValue::pointer(address, ScalarKind::Float32)}).find("heuristic.py:2:1: error: no n"),
            std::string::npos);
  EXPECT_EQ(failure(args(200, 0.5)), "expected a count from 1 to 32 as the heuristic value of `num_warps`");
  EXPECT_EQ(failure(std::vector<HostValue>(4, HostValue::integer(1))),
            "expected at most 3 arguments for `scale`, found 4");
}

} // namespace
