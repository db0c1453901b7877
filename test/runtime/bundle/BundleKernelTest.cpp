#include "runtime/bundle/BundleKernel.h"
#include "runtime/bundle/BundleWriter.h"
#include "runtime/cache/Checksum.h"
#include "runtime/device/Freeze.h"
#include "runtime/emulator/EmulatorDevice.h"
#include "test/runtime/bundle/MarkKernel.h"

#include <gtest/gtest.h>

using namespace tegula;
using namespace tegula::bundle;

namespace {

ArgSpec typeOf(const char *text) { return std::get<ArgSpec>(parseArgType(text)); }

TEST(BundleKernel, AFactHoldsOrSaysWhyNot) {
  const auto number = HostValue::integer;
  const HostValue address = HostValue::pointer(0x1008, ScalarKind::Float32);
  const struct {
    const char *type;
    HostValue value;
    const char *why;
  } rows[] = {
      {"i32", number(7), ""},
      {"i32", number(int64_t(1) << 40), "1099511627776 is no i32"},
      {"i64", number(int64_t(1) << 40), ""},
      {"i32:16", number(32), ""},
      {"i32:16", number(33), "33 is no multiple of 16"},
      {"i32+", number(0), ""},
      {"i32+", number(-1), "-1 is negative"},
      {"i32", HostValue::floating(1.5), "1.5 is no i32"},
      {"i32=1", number(1), ""},
      {"i32=1", number(2), "2 is not 1"},
      {"i1", HostValue::boolean(true), ""},
      {"u64", HostValue::unsignedInteger(~uint64_t(0)), ""},
      {"i64", HostValue::unsignedInteger(~uint64_t(0)), "18446744073709551615 is no i64"},
      {"fp32", HostValue::floating(1.5), ""},
      {"fp32", number(2), ""},
      {"fp32", address, "address 0x1008 is no fp32"},
      {"*fp32", address, ""},
      {"*fp32:8", address, ""},
      {"*fp32:16", address, "address 0x1008 is no multiple of 16"},
      {"*fp16", address, "address 0x1008 is no *fp16"},
      {"*fp32", number(7), "7 is no *fp32"},
      {"none", HostValue::none(), ""},
      {"none", HostValue::pointer(0, ScalarKind::Float32), ""},
      {"none", address, "address 0x1008 is not null"},
      {"*fp32", HostValue::none(), "no value is no *fp32"},
  };
  for (const auto &[type, value, why] : rows)
    EXPECT_EQ(whyNot(typeOf(type), value), why) << type;
}

/// Runs kernels of a bundle on the emulator.
class BundleKernels : public testing::Test {
protected:
  void add(const std::string &name, const std::string &target, const std::vector<std::string> &types,
           int value, uint32_t sharedBy = 0) {
    writer.add(cache::checksum(std::to_string(value)), markKernel(name, target, types, value, sharedBy));
  }
  void open(const std::string &name) {
    bytes = writer.bytes();
    kernel = *BundleKernel::find(*Bundle::view(bytes, "it"), name);
  }
  /// The mark that a launch with `n` leaves, or its error.
  std::string run(HostValue n, uint64_t offset = 0) {
    const runtime::DeviceAddress out = *device->allocate(64) + offset;
    const HostValue args[] = {HostValue::pointer(out, ScalarKind::Int32), n};
    runtime::Result<void> launched = kernel->launch(device, {}, args);
    if (!launched)
      return launched.error().text;
    int32_t mark = 0;
    EXPECT_TRUE(device->copyToHost(&mark, out, sizeof mark));
    return std::to_string(mark);
  }

  BundleWriter writer;
  std::string bytes;
  std::shared_ptr<runtime::Device> device = std::make_shared<runtime::EmulatorDevice>();
  std::shared_ptr<BundleKernel> kernel;
};

TEST_F(BundleKernels, TheMostSpecificVariantThatHoldsIsTaken) {
  add("mark", "sm_90a", {"*i32", "i64"}, 1);
  add("mark", "sm_90a", {"*i32:16", "i32:16+"}, 2);
  add("mark", "sm_90a", {"*i32:16", "i32=1"}, 3);
  add("mark", "sm_90a", {"*i32", "i32"}, 4);
  open("mark");
  EXPECT_EQ(run(HostValue::integer(32)), "2");
  EXPECT_EQ(run(HostValue::integer(33)), "4");
  EXPECT_EQ(run(HostValue::integer(-32)), "4");
  EXPECT_EQ(run(HostValue::integer(32), 4), "4");
  EXPECT_EQ(run(HostValue::integer(1)), "3");
  EXPECT_EQ(run(HostValue::integer(int64_t(1) << 40)), "1");
}

TEST_F(BundleKernels, CodeForTheDeviceComesBeforeMoreFacts) {
  add("mark", "sm_80", {"*i32:16", "i32:16+"}, 1);
  add("mark", "sm_90a", {"*i32", "i32"}, 2);
  open("mark");
  EXPECT_EQ(run(HostValue::integer(32)), "2");
}

TEST_F(BundleKernels, FewProgramsTakeTheVariantWhoseBlocksShareALoop) {
  add("mark", "sm_90a", {"*i32", "i32"}, 1, 1);
  add("mark", "sm_90a", {"*i32", "i32"}, 2, 8);
  add("mark", "sm_90a", {"*i32:16", "i32:16+"}, 3, 1); // of which there is no such variant
  open("mark");
  EXPECT_EQ(run(HostValue::integer(7)), "1") << "there are too few iterations";
  EXPECT_EQ(run(HostValue::integer(1001)), "2");
  EXPECT_EQ(run(HostValue::integer(1008)), "3");
}

TEST_F(BundleKernels, WhatIsNotLoadedSharesNothingWhileFrozen) {
  add("mark", "sm_90a", {"*i32", "i32"}, 1, 1);
  add("mark", "sm_90a", {"*i32", "i32"}, 2, 8);
  open("mark");
  EXPECT_EQ(run(HostValue::integer(7)), "1");
  runtime::setFrozen(true);
  EXPECT_EQ(run(HostValue::integer(1001)), "1");
  runtime::setFrozen(false);
}

TEST_F(BundleKernels, ARefusalSaysWhyOfEachVariant) {
  add("mark", "sm_90a", {"*i32:16", "i32:16+"}, 1);
  add("mark", "sm_90a", {"*i32", "i32+"}, 2);
  open("mark");
  EXPECT_EQ(run(HostValue::integer(-16)), "no variant of `mark` takes these arguments\n"
                                          "  *i32:16,i32:16+ for sm_90a: argument 1: -16 is negative\n"
                                          "  *i32,i32+ for sm_90a: argument 1: -16 is negative");
  const HostValue one[] = {HostValue::integer(1)};
  EXPECT_NE(kernel->launch(device, {}, one).error().text.find("expected 2 arguments, found 1"),
            std::string::npos);
}

TEST_F(BundleKernels, AnUnknownNameGivesThoseThatThereAre) {
  add("mark", "sm_90a", {"*i32", "i32"}, 1);
  add("note", "sm_90a", {"*i32", "i32"}, 2);
  bytes = writer.bytes();
  EXPECT_EQ(BundleKernel::find(*Bundle::view(bytes, "it"), "marc").error().text,
            "`it` has no kernel `marc`, but mark, note");
}

TEST_F(BundleKernels, FrozenKernelsMustBeLoaded) {
  add("mark", "sm_90a", {"*i32", "i32"}, 1);
  add("mark", "sm_90a", {"*i32", "i32=1"}, 2);
  open("mark");
  EXPECT_EQ(run(HostValue::integer(7)), "1");
  runtime::setFrozen(true);
  EXPECT_EQ(run(HostValue::integer(7)), "1");
  EXPECT_EQ(run(HostValue::integer(1)),
            "kernel `mark` would have to be loaded after `freeze`, for out=*i32 n=i32=1");
  // Who asks for it gets it.
  auto loaded = kernel->load(device);
  runtime::setFrozen(false);
  ASSERT_TRUE(loaded) << loaded.error().text;
  EXPECT_EQ(*loaded, 2u);
  runtime::setFrozen(true);
  EXPECT_EQ(run(HostValue::integer(1)), "2");
  runtime::setFrozen(false);
}

} // namespace
