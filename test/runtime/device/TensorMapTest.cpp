// Tensor maps at launch: recipes evaluated, refused, encoded once, and handed to the kernel.
#include "runtime/emulator/async/BulkArray.h"
#include "test/runtime/device/FakeDriver.h"

#include <cstring>

using namespace tegula;
using namespace tegula::runtime;

namespace {

/// The parameters of `kernel(x: *bf16, rows: i32, stride: i64, count: u32)`.
struct Block {
  uint64_t x = 0x10000;
  int32_t rows = 100;
  uint32_t count = 7;
  int64_t stride = 64;
  std::span<const std::byte> bytes() const { return std::as_bytes(std::span(this, 1)); }
};

/// Boxes of 64 x 16 of x[count, rows, 256], bf16.
KernelImage imageWithMap() {
  KernelImage image;
  image.entry = image.kernel = "k";
  image.target = "sm_90a";
  image.ptx = ".version 8.0";
  addParam(image, {"x", "*bf16", ParamKind::Pointer, 8});
  addParam(image, {"rows", "i32", ParamKind::Integer, 4});
  addParam(image, {"count", "u32", ParamKind::Integer, 4});
  addParam(image, {"stride", "i64", ParamKind::Integer, 8});
  TensorMap map{.base = 0, .element = "bf16", .elementBytes = 2, .swizzle = 128};
  map.axes = {{{256}, {1}, 64}, {{1, 1}, {1, 3}, 16}, {{1, 2}, {100, 3}, 1}};
  addImplicitMap(image, map);
  return image;
}

/// Returns why there is no map for these parameters, or empty.
std::string refusalOf(const Block &block) {
  const KernelImage image = imageWithMap();
  Result<TensorMapNumbers> numbers = evaluate(image.implicit[0].map, image, block.bytes());
  if (numbers)
    return "";
  EXPECT_EQ(numbers.error().kind, ErrorKind::MapRefused);
  const std::string front = "no tensor map describes `x`: expected ";
  EXPECT_TRUE(numbers.error().text.starts_with(front)) << numbers.error().text;
  return numbers.error().text.substr(front.size());
}

TEST(TensorMap, NumbersComeFromTheParameters) {
  const KernelImage image = imageWithMap();
  Result<TensorMapNumbers> numbers = evaluate(image.implicit[0].map, image, Block{}.bytes());
  ASSERT_TRUE(numbers) << numbers.error().text;
  EXPECT_EQ(*numbers, (TensorMapNumbers{0x10000, {256, 100, 7}, {2, 128, 12800}}));
}

TEST(TensorMap, WhatTheHardwareDoesNotTakeIsRefused) {
  EXPECT_EQ(refusalOf({}), "");
  EXPECT_EQ(refusalOf({.x = 0x10008}), "an address that is a multiple of 16, found 0x10008");
  EXPECT_EQ(refusalOf({.rows = 0}), "1 to 2^32 elements along axis 1, found 0");
  EXPECT_EQ(refusalOf({.rows = -1}), "1 to 2^32 elements along axis 1, found -1");
  EXPECT_EQ(refusalOf({.count = 0xffffffff}), "") << "unsigned";
  EXPECT_EQ(refusalOf({.stride = 60}),
            "a stride that is a multiple of 16 bytes from 0 to 2^40 along axis 1, found 120");
  EXPECT_EQ(refusalOf({.stride = -64}),
            "a stride that is a multiple of 16 bytes from 0 to 2^40 along axis 1, found -128");
  EXPECT_EQ(refusalOf({.stride = int64_t(1) << 39}),
            "a stride that is a multiple of 16 bytes from 0 to 2^40 along axis 1, found 1099511627776");
  EXPECT_EQ(refusalOf({.stride = 0}), "");
  EXPECT_EQ(refusalOf({.rows = 1, .count = 1, .stride = 1}), "") << "no stride counts of a single element";
  KernelImage wide = imageWithMap();
  wide.implicit[0].map.axes[1].size.factor = uint64_t(1) << 33;
  Result<TensorMapNumbers> numbers = evaluate(wide.implicit[0].map, wide, Block{}.bytes());
  ASSERT_FALSE(numbers);
  EXPECT_EQ(numbers.error().text,
            "no tensor map describes `x`: expected 1 to 2^32 elements along axis 1, found 858993459200");
}

TEST(TensorMap, EqualLaunchesEncodeOnce) {
  const KernelImage image = imageWithMap();
  TensorMapTable table;
  int made = 0;
  const TensorMapTable::Encode encode = [&](const TensorMap &, const TensorMapNumbers &numbers,
                                            EncodedMap &map) {
    ++made;
    std::memcpy(map.bytes.data(), &numbers.base, 8);
    return numbers.base == 0x990   ? Result<void>(Error{ErrorKind::MapRefused, "no"})
           : numbers.base == 0x880 ? Result<void>(Error{ErrorKind::Driver, "lost"})
                                   : Result<void>();
  };
  const auto fill = [&](const Block &block) {
    std::array<std::byte, tensorMapBytes> place{};
    Result<bool> filled = table.fill(image, 0, block.bytes(), encode, place.data());
    uint64_t base = 0;
    std::memcpy(&base, place.data(), 8);
    EXPECT_TRUE(!filled || base == block.x);
    return filled;
  };
  for (int round = 0; round < 3; ++round)
    for (uint64_t x = 0; x < 40; ++x)
      EXPECT_TRUE(fill({.x = x * 256}));
  EXPECT_EQ(made, 40);
  EXPECT_TRUE(fill({.rows = 99}));
  EXPECT_TRUE(fill({.stride = 128}));
  EXPECT_EQ(made, 42) << "the same base, but not the same map";
  // However many come between, what is filled in is right.
  for (uint64_t x = 0; x < 5000; ++x)
    EXPECT_TRUE(fill({.x = x * 4096}));
  EXPECT_TRUE(fill({.x = 256}));
  // The device's refusal is kept, another failure is not.
  made = 0;
  for (int round = 0; round < 3; ++round) {
    EXPECT_ERROR(fill({.x = 0x990}), MapRefused, "no");
    EXPECT_ERROR(fill({.x = 0x880}), Driver, "lost");
    EXPECT_ERROR(fill({.x = 0x881}), MapRefused,
                 "no tensor map describes `x`: expected an address that is a multiple of 16, found 0x881");
  }
  EXPECT_EQ(made, 4);
}

class CudaMapTest : public CudaDeviceTest {
protected:
  void SetUp() override {
    CudaDeviceTest::SetUp();
    control<void(int)>("fakeMapCount")(0);
  }
};

TEST_F(CudaMapTest, TheDriverMakesThemOnce) {
  std::unique_ptr<Device> device = open();
  std::unique_ptr<LoadedKernel> kernel = std::move(*device->load(imageWithMap()));
  const size_t before = calls().size();
  Block block;
  for (int round = 0; round < 2; ++round)
    ASSERT_TRUE(device->launch(*kernel, {3, 1, 1}, block.bytes()));
  block.rows = 5;
  ASSERT_TRUE(device->launch(*kernel, {3, 1, 1}, block.bytes()));
  std::string told = calls().substr(before);
  for (const char *context : {"cuCtxGetCurrent()\n", "cuCtxSetCurrent(ours)\n", "cuCtxSetCurrent(theirs)\n"})
    for (size_t at = 0; (at = told.find(context)) != std::string::npos;)
      told.erase(at, std::strlen(context));
  const std::string one =
      "cuLaunchKernel(grid 3,1,1 block 128,1,1 shared 0 params each first 65536 last 16843009)\n";
  EXPECT_EQ(
      told,
      "cuTensorMapEncodeTiled(type 9 base 0x10000 [256 +0 64/1] [100 +128 16/1] [7 +12800 1/1] 0 3 3 0)\n" +
          one + one +
          "cuTensorMapEncodeTiled(type 9 base 0x10000 [256 +0 64/1] [5 +128 16/1] [7 +12800 1/1] 0 3 3 0)\n"
          "cuLaunchKernel(grid 3,1,1 block 128,1,1 shared 0 params each first 65536 last 33686018)\n");
}

TEST_F(CudaMapTest, RowsInsideOfASectorFetchLess) {
  std::unique_ptr<Device> device = open();
  std::unique_ptr<LoadedKernel> kernel = std::move(*device->load(imageWithMap()));
  Block block;
  block.x += 16;
  ASSERT_TRUE(device->launch(*kernel, {3, 1, 1}, block.bytes()));
  EXPECT_NE(calls().find("base 0x10010 [256 +0 64/1] [100 +128 16/1] [7 +12800 1/1] 0 3 2 0)\n"),
            std::string::npos)
      << calls();
}

TEST_F(CudaMapTest, TypesAndSwizzles) {
  std::unique_ptr<Device> device = open();
  const std::tuple<const char *, uint32_t, int> types[] = {
      {"i1", 1, 0},  {"i8", 1, 0},   {"u8", 1, 0},   {"fp8e5", 1, 0}, {"fp8e4nv", 1, 0},
      {"i16", 2, 1}, {"u16", 2, 1},  {"u32", 4, 2},  {"i32", 4, 3},   {"u64", 8, 4},
      {"i64", 8, 5}, {"fp16", 2, 6}, {"fp32", 4, 7}, {"fp64", 8, 8},  {"bf16", 2, 9}};
  const std::pair<uint32_t, int> swizzles[] = {{0, 0}, {32, 1}, {64, 2}, {128, 3}};
  for (auto [element, bytes, type] : types)
    for (auto [swizzle, code] : swizzles) {
      KernelImage image = imageWithMap();
      TensorMap &map = image.implicit[0].map;
      map.element = element;
      map.elementBytes = bytes;
      map.swizzle = swizzle;
      map.axes = {{{256}, {1}, 16 / bytes}};
      std::unique_ptr<LoadedKernel> kernel = std::move(*device->load(image));
      ASSERT_TRUE(device->launch(*kernel, {}, Block{}.bytes()));
      const std::string expected = "cuTensorMapEncodeTiled(type " + std::to_string(type) +
                                   " base 0x10000 [256 +0 " + std::to_string(16 / bytes) + "/1] 0 " +
                                   std::to_string(code) + " 3 0)\n";
      EXPECT_NE(calls().find(expected), std::string::npos) << expected << calls();
      control<void()>("fakeReset")();
    }
}

TEST_F(CudaMapTest, RefusalsLaunchNothing) {
  std::unique_ptr<Device> device = open();
  std::unique_ptr<LoadedKernel> kernel = std::move(*device->load(imageWithMap()));
  EXPECT_ERROR(device->launch(*kernel, {}, Block{.x = 8}.bytes()), MapRefused,
               "cannot launch `k`: no tensor map describes `x`: expected an address that is a multiple of "
               "16, found 0x8");
  fail("cuTensorMapEncodeTiled", 1);
  EXPECT_ERROR(device->launch(*kernel, {}, Block{}.bytes()), MapRefused,
               "cannot launch `k`: cannot make a tensor map: `cuTensorMapEncodeTiled` failed with "
               "CUDA_ERROR_INVALID_VALUE (text of the driver)");
  EXPECT_EQ(calls().find("cuLaunchKernel("), std::string::npos);
  fail("cuTensorMapEncodeTiled", 700);
  Result<void> faulted = device->launch(*kernel, {}, Block{.rows = 3}.bytes());
  ASSERT_FALSE(faulted);
  EXPECT_EQ(faulted.error().kind, ErrorKind::Fault);
  fail("cuCtxSetCurrent", 999);
  Result<void> without = device->launch(*kernel, {}, Block{.rows = 4}.bytes());
  ASSERT_FALSE(without);
  EXPECT_EQ(without.error().kind, ErrorKind::Driver);
  fail("", 0);
  EXPECT_TRUE(device->launch(*kernel, {}, Block{.rows = 3}.bytes())) << "only a refusal is kept";
}

TEST_F(CudaMapTest, AnOlderDriverHasNone) {
  std::unique_ptr<Device> device = std::move(*openCudaDevice(0, TEGULA_FAKE_CUDA_WITHOUT_ATTRIBUTES));
  std::unique_ptr<LoadedKernel> kernel = std::move(*device->load(imageWithMap()));
  EXPECT_ERROR(device->launch(*kernel, {}, Block{}.bytes()), MapRefused,
               "cannot launch `k`: the CUDA driver is too old: it has no `cuTensorMapEncodeTiled`");
}

TEST_F(CudaMapTest, TooManyForTheParameterBlock) {
  std::unique_ptr<Device> device = open();
  KernelImage image = imageWithMap();
  for (int i = 0; i < 33; ++i)
    addImplicitMap(image, image.implicit[0].map);
  std::unique_ptr<LoadedKernel> kernel = std::move(*device->load(image));
  EXPECT_ERROR(device->launch(*kernel, {}, Block{}.bytes()), OutOfResources,
               "cannot launch `k`: expected at most 4352 bytes of parameters, found 4416");
}

TEST(BulkArray, IsItsTensorMap) {
  const KernelImage image = imageWithMap();
  const TensorMap &map = image.implicit[0].map;
  const ptx::BulkArray array(map, *evaluate(map, image, Block{}.bytes()));
  const EncodedMap encoded = array.encoded();
  const std::optional<ptx::BulkArray> decoded = ptx::BulkArray::decoded(encoded.bytes);
  ASSERT_TRUE(decoded);
  EXPECT_EQ(decoded->base, 0x10000u);
  EXPECT_EQ(decoded->rank, 3);
  EXPECT_EQ(decoded->elementBytes, 2);
  EXPECT_EQ(decoded->swizzle, 128);
  EXPECT_EQ(decoded->sizes, (std::array<uint64_t, 5>{256, 100, 7}));
  EXPECT_EQ(decoded->strides, (std::array<uint64_t, 5>{2, 128, 12800}));
  EXPECT_EQ(decoded->box, (std::array<uint16_t, 5>{64, 16, 1}));
  EXPECT_EQ(decoded->boxBytes(), 2048u);
  for (size_t end : {size_t(0), size_t(127)}) {
    EncodedMap other = encoded;
    other.bytes[end] ^= std::byte(1);
    EXPECT_FALSE(ptx::BulkArray::decoded(other.bytes));
  }
  EXPECT_FALSE(ptx::BulkArray::decoded(EncodedMap{}.bytes));
}

} // namespace
