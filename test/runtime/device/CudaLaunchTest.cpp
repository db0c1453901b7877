// Loading and launching on the CUDA device, against a driver that writes down its calls.
#include "test/runtime/device/FakeDriver.h"

using namespace tegula;
using namespace tegula::runtime;

namespace {

class CudaLaunchTest : public CudaDeviceTest {};

TEST_F(CudaLaunchTest, LoadsAndLaunches) {
  std::unique_ptr<Device> device = open();
  Result<std::unique_ptr<LoadedKernel>> kernel = device->load(image(1024));
  ASSERT_TRUE(kernel) << kernel.error().text;
  EXPECT_EQ((*kernel)->registers(), 40u);
  EXPECT_EQ((*kernel)->spillBytes(), 8u);
  EXPECT_EQ(calls().find("cuFuncSetAttribute"), std::string::npos) << "48 KiB need no opting in";
  int n = 77;
  ASSERT_TRUE(device->launch(**kernel, {5, 6, 7}, std::as_bytes(std::span(&n, 1))));
  EXPECT_NE(calls().find("cuLaunchKernel(grid 5,6,7 block 128,1,1 shared 1024 params 4 first 77 last 77)"),
            std::string::npos)
      << calls();
  kernel->reset();
  EXPECT_NE(calls().find("cuModuleUnload()"), std::string::npos);
}

TEST_F(CudaLaunchTest, FaultNamesTheKernel) {
  std::unique_ptr<Device> device = open();
  std::unique_ptr<LoadedKernel> kernel = std::move(*device->load(image()));
  int n = 1;
  ASSERT_TRUE(device->launch(*kernel, {}, std::as_bytes(std::span(&n, 1))));
  kernel.reset(); // the report comes when the kernel may be gone
  fail("cuCtxSynchronize", 700);
  EXPECT_ERROR(
      device->synchronize(), Fault,
      "kernel `add_kernel` faulted: `cuCtxSynchronize` reported CUDA_ERROR_ILLEGAL_ADDRESS (an illegal "
      "memory access was encountered)\nthe CUDA context is lost for this process; the emulator names "
      "the source line");
}

TEST_F(CudaLaunchTest, ProgramsThatShareABlock) {
  std::unique_ptr<Device> device = open();
  KernelImage shared = image();
  shared.programsPerBlock = 4;
  shared.paramBytes = 5; // the number of programs stands behind it at 8
  addImplicitPrograms(shared, 0);
  std::unique_ptr<LoadedKernel> kernel = std::move(*device->load(shared));
  const std::byte params[5] = {std::byte(77)};
  ASSERT_TRUE(device->launch(*kernel, {9, 6, 7}, params));
  EXPECT_NE(calls().find("cuLaunchKernel(grid 3,6,7 block 128,1,1 shared 0 params 12 first 77 last 9)"),
            std::string::npos)
      << calls();
  EXPECT_ERROR(device->launch(*kernel, {9, 1, 1}, std::span(params, 4)), InvalidArgument,
               "cannot launch `add_kernel`: expected 5 bytes of parameters, found 4");
  EXPECT_ERROR(device->launch(*kernel, {0, 1, 1}, params), InvalidArgument,
               "cannot launch `add_kernel`: expected at least 1 program in x, found 0");
}

TEST_F(CudaLaunchTest, BlocksThatRunSeveralPrograms) {
  std::unique_ptr<Device> device = open();
  const uint32_t resident = 2 * device->properties().multiprocessors;
  KernelImage walked = image();
  walked.blocksPerMultiprocessor = 2;
  for (uint8_t axis = 0; axis < 3; ++axis)
    addImplicitPrograms(walked, axis);
  std::unique_ptr<LoadedKernel> kernel = std::move(*device->load(walked));
  int n = 77;
  const auto params = std::as_bytes(std::span(&n, 1));
  const auto expectBlocks = [&](Grid grid, uint32_t blocks) {
    ASSERT_TRUE(device->launch(*kernel, grid, params));
    EXPECT_NE(calls().find("cuLaunchKernel(grid " + std::to_string(blocks) +
                           ",1,1 block 128,1,1 shared 0 params 16 first 77 last " + std::to_string(grid.z) +
                           ")"),
              std::string::npos)
        << calls();
  };
  expectBlocks({resident, 6, 7}, resident);
  expectBlocks({1, 2, 3}, 6);
  // Each axis alone would do.
  EXPECT_ERROR(device->launch(*kernel, {uint32_t(1) << 15, 1u << 15, 2}, params), MapRefused,
               "cannot launch `add_kernel`: expected at most 1073741824 programs, found 65536 times 32768");
  EXPECT_ERROR(device->launch(*kernel, {1, 1, 0}, params), InvalidArgument,
               "cannot launch `add_kernel`: expected at least 1 block in z, found 0");
}

TEST_F(CudaLaunchTest, AGridBeyondTheLimitOfAnAxis) {
  std::unique_ptr<Device> device = open();
  KernelImage packed = image();
  packed.programsPerBlock = packed.numWarps;
  addImplicitPrograms(packed, 0);
  int n = 1;
  for (const KernelImage &each : {image(), packed}) {
    // Also where several programs share a block, so that there are few blocks.
    const std::string what = each.programsPerBlock > 1 ? "programs" : "blocks";
    std::unique_ptr<LoadedKernel> kernel = std::move(*device->load(each));
    const auto launch = [&](Grid grid) {
      return device->launch(*kernel, grid, std::as_bytes(std::span(&n, 1)));
    };
    EXPECT_ERROR(launch({2147483648u, 1, 1}), OutOfResources,
                 "cannot launch `add_kernel`: expected at most 2147483647 " + what +
                     " in x, found 2147483648");
    EXPECT_ERROR(launch({1, 65536, 1}), OutOfResources,
                 "cannot launch `add_kernel`: expected at most 65535 blocks in y, found 65536");
    EXPECT_ERROR(launch({1, 1, 65536}), OutOfResources,
                 "cannot launch `add_kernel`: expected at most 65535 blocks in z, found 65536");
    EXPECT_TRUE(launch({2147483647u, 65535, 65535}));
  }
}

TEST_F(CudaLaunchTest, MessagesNameTheKernelAsItsSourceDoes) {
  std::unique_ptr<Device> device = open();
  KernelImage renamed = image();
  renamed.kernel = "_";
  std::unique_ptr<LoadedKernel> kernel = std::move(*device->load(renamed));
  EXPECT_ERROR(device->launch(*kernel, {0, 1, 1}, {}), InvalidArgument,
               "cannot launch `_`: expected at least 1 block in x, found 0");
  fail("cuModuleLoadDataEx", 1);
  EXPECT_TRUE(device->load(renamed).error().text.starts_with("cannot load `_` for sm_90a"));
}

TEST_F(CudaLaunchTest, LaunchErrors) {
  std::unique_ptr<Device> device = open();
  std::unique_ptr<LoadedKernel> kernel = std::move(*device->load(image()));
  int n = 1;
  auto launch = [&](Device &on, Stream *stream = nullptr) {
    return on.launch(*kernel, {}, std::as_bytes(std::span(&n, 1)), stream);
  };
  fail("cuLaunchKernel", 1);
  EXPECT_ERROR(
      launch(*device), Driver,
      "cannot launch `add_kernel`: `cuLaunchKernel` failed with CUDA_ERROR_INVALID_VALUE (text of the "
      "driver)");
  fail("cuLaunchKernel", 701);
  Result<void> starved = launch(*device);
  ASSERT_FALSE(starved);
  EXPECT_EQ(starved.error().kind, ErrorKind::OutOfResources);
  std::unique_ptr<Device> other = open();
  EXPECT_ERROR(launch(*other), InvalidArgument, "kernel `add_kernel` was loaded on another device");
  std::unique_ptr<Stream> stream = std::move(*other->createStream());
  EXPECT_ERROR(launch(*device, stream.get()), InvalidArgument, "the stream belongs to another device");
  std::unique_ptr<Event> event = std::move(*device->createEvent());
  std::unique_ptr<Event> foreign = std::move(*other->createEvent());
  EXPECT_ERROR(event->millisecondsSince(*foreign), InvalidArgument, "the event belongs to another device");
}

TEST_F(CudaLaunchTest, NothingBesideTheLaunchItself) {
  std::unique_ptr<Device> device = open();
  std::unique_ptr<LoadedKernel> kernel = std::move(*device->load(image()));
  int n = 1;
  void *ours = nullptr;
  ASSERT_EQ(control<int(void **, int)>("cuDevicePrimaryCtxRetain")(&ours, 0), 0);
  control<void(void *)>("fakeCurrent")(ours);
  // What else is asked of the driver might break the capture of a graph.
  const size_t before = calls().size();
  ASSERT_TRUE(device->launch(*kernel, {}, std::as_bytes(std::span(&n, 1))));
  EXPECT_EQ(calls().substr(before),
            "cuCtxGetCurrent()\ncuLaunchKernel(grid 1,1,1 block 128,1,1 shared 0 params 4 first 1 last 1)\n");
}

TEST_F(CudaLaunchTest, WhateverContextIsCurrentOrNone) {
  std::unique_ptr<Device> device = open();
  std::unique_ptr<LoadedKernel> kernel = std::move(*device->load(image()));
  int n = 1, theirs = 0;
  for (void *current : {(void *)nullptr, (void *)&theirs}) {
    control<void(void *)>("fakeCurrent")(current);
    ASSERT_TRUE(device->launch(*kernel, {}, std::as_bytes(std::span(&n, 1))));
    EXPECT_EQ(control<void *()>("fakeGetCurrent")(), current);
  }
}

TEST_F(CudaLaunchTest, OnAStreamOfTheCallers) {
  std::unique_ptr<Device> device = open();
  std::unique_ptr<LoadedKernel> kernel = std::move(*device->load(image()));
  int n = 1, theirs = 0;
  for (void *handle : {(void *)&theirs, (void *)nullptr}) {
    ForeignStream stream(handle);
    ASSERT_TRUE(device->launch(*kernel, {}, std::as_bytes(std::span(&n, 1)), &stream));
    EXPECT_EQ(control<void *()>("fakeLastStream")(), handle);
    EXPECT_ERROR(stream.synchronize(), InvalidArgument, "cannot wait for a stream that is the caller's");
  }
  EXPECT_EQ(calls().find("cuStream"), std::string::npos) << calls();
}

TEST_F(CudaLaunchTest, WithAttributes) {
  std::unique_ptr<Device> device = open();
  std::unique_ptr<LoadedKernel> kernel = std::move(*device->load(image()));
  int n = 1, theirs = 0;
  ForeignStream stream(&theirs);
  const auto launch = [&](LaunchAttributes attributes) {
    return device->launch(*kernel, {5, 6, 7}, std::as_bytes(std::span(&n, 1)), &stream, attributes);
  };
  ASSERT_TRUE(launch({true, false}));
  ASSERT_TRUE(launch({false, true}));
  ASSERT_TRUE(launch({true, true}));
  for (const char *expected : {"4 2=1)", "4 6=1)", "4 2=1 6=1)"})
    EXPECT_NE(
        calls().find(std::string("cuLaunchKernelEx(grid 5,6,7 block 128,1,1 shared 0 params ") + expected),
        std::string::npos)
        << calls();
  EXPECT_EQ(control<void *()>("fakeLastStream")(), &theirs);
  fail("cuLaunchKernelEx", 720);
  Result<void> tooLarge = launch({true, false});
  ASSERT_FALSE(tooLarge);
  EXPECT_EQ(tooLarge.error().kind, ErrorKind::OutOfResources);
}

TEST_F(CudaLaunchTest, InClusters) {
  std::unique_ptr<Device> device = open();
  KernelImage shared = image();
  shared.splits = SplitLoop{{100, std::nullopt}, 1, 8};
  std::unique_ptr<LoadedKernel> kernel = std::move(*device->load(std::move(shared)));
  int n = 1;
  const auto launch = [&](Grid grid, uint32_t blocks) {
    return device->launch(*kernel, grid, std::as_bytes(std::span(&n, 1)), nullptr, {.clusterBlocks = blocks});
  };
  ASSERT_TRUE(launch({5, 6, 7}, 4));
  EXPECT_NE(calls().find("cuLaunchKernelEx(grid 20,6,7 block 128,1,1 shared 0 params 4 4=4x1x1)"),
            std::string::npos)
      << calls();
  ASSERT_TRUE(launch({5, 6, 7}, 7));
  EXPECT_NE(calls().find("cuLaunchKernelEx(grid 35,6,7 block 128,1,1 shared 0 params 4 4=7x1x1)"),
            std::string::npos)
      << calls();
  for (uint32_t blocks : {0, 16})
    EXPECT_ERROR(launch({5, 6, 7}, blocks), InvalidArgument,
                 "cannot launch `add_kernel`: expected clusters of 1 to 8 blocks, found " +
                     std::to_string(blocks));
  EXPECT_ERROR(launch({0x7fffffff, 1, 1}, 2), OutOfResources,
               "cannot launch `add_kernel`: expected at most 2147483647 blocks in x, found 4294967294");
  fail("cuLaunchKernelEx", 912); // more than a part of the device has room for
  Result<void> tooLarge = launch({5, 6, 7}, 8);
  ASSERT_FALSE(tooLarge);
  EXPECT_EQ(tooLarge.error().kind, ErrorKind::OutOfResources);
}

TEST_F(CudaLaunchTest, HowManyClustersRunAtOnceIsAskedOnceForEachSize) {
  std::unique_ptr<Device> device = open();
  std::unique_ptr<LoadedKernel> kernel = std::move(*device->load(image()));
  for (int round = 0; round < 2; ++round) {
    EXPECT_EQ(kernel->residentClusters(8), 14u);
    EXPECT_EQ(kernel->residentClusters(3), 44u);
  }
  const std::string asked = "cuOccupancyMaxActiveClusters(cluster ";
  const size_t first = calls().find(asked + "8 block 128 shared 0"),
               second = calls().find(asked + "3 block 128");
  EXPECT_NE(first, std::string::npos) << calls();
  EXPECT_NE(second, std::string::npos) << calls();
  EXPECT_EQ(calls().find(asked, second + 1), std::string::npos) << calls();
  for (uint32_t blocks : {0, 1, 9, 16})
    EXPECT_EQ(kernel->residentClusters(blocks), 0u);
  fail("cuOccupancyMaxActiveClusters", 1);
  EXPECT_EQ(kernel->residentClusters(2), 0u);
}

/// A persistent kernel in pairs that loads from an array of rows of `n` elements of two bytes.
KernelImage inPairs() {
  KernelImage image;
  image.entry = image.kernel = "walk";
  addParam(image, {"x_ptr", "*bf16", ParamKind::Pointer, 8, 16});
  addParam(image, {"n", "i32", ParamKind::Integer, 4, 8});
  image.blocksPerMultiprocessor = 1;
  image.hasPairs = true;
  for (uint8_t axis = 0; axis < 3; ++axis)
    addImplicitPrograms(image, axis);
  TensorMap map;
  map.element = "bf16";
  map.elementBytes = 2;
  map.axes = {{{1, 1}, {1}, 64}, {{64}, {1, 1}, 64}};
  map.swizzle = 128;
  addImplicitMap(image, map);
  return image;
}

TEST_F(CudaLaunchTest, NeighbouringBlocksAreAClusterWhereRowsBeginInsideLines) {
  std::unique_ptr<Device> device = open();
  const uint32_t places = device->properties().multiprocessors;
  std::unique_ptr<LoadedKernel> kernel = std::move(*device->load(inPairs()));
  const auto launch = [&](uint32_t programs, int32_t n, LaunchAttributes attributes = {}) {
    struct {
      uint64_t x = 0x1000;
      int32_t n;
    } block{.n = n};
    return device->launch(*kernel, {programs, 1, 1}, std::as_bytes(std::span(&block, 1)).first(12), nullptr,
                          attributes);
  };
  const auto expect = [&](uint32_t blocks, bool arePairs) {
    const std::string made = std::string(arePairs ? "cuLaunchKernelEx" : "cuLaunchKernel") + "(grid " +
                             std::to_string(blocks) + ",1,1";
    const size_t at = calls().rfind("cuLaunchKernel");
    EXPECT_EQ(calls().substr(at, made.size()), made) << calls();
    EXPECT_EQ(calls().find(" 4=2x1x1", at) != std::string::npos, arePairs) << calls();
  };
  ASSERT_TRUE(launch(6, 72)); // 144 bytes a row
  expect(6, true);
  ASSERT_TRUE(launch(5, 72)); // the last block has no program
  expect(6, true);
  ASSERT_TRUE(launch(places * 3 + 1, 72));
  expect(places / 2 * 2, true);
  ASSERT_TRUE(launch(6, 128)); // rows are lines
  expect(6, false);
  ASSERT_TRUE(launch(1, 72)); // alone
  expect(1, false);
}

TEST_F(CudaLaunchTest, WithoutRoomForClustersEachBlockIsAlone) {
  std::unique_ptr<Device> device = open();
  std::unique_ptr<LoadedKernel> kernel = std::move(*device->load(inPairs()));
  struct {
    uint64_t x = 0x1000;
    int32_t n = 72;
  } block;
  fail("cuLaunchKernelEx", 912);
  ASSERT_TRUE(device->launch(*kernel, {6, 1, 1}, std::as_bytes(std::span(&block, 1)).first(12)));
  EXPECT_NE(calls().find("cuLaunchKernel(grid 6,1,1"), std::string::npos) << calls();
}

TEST_F(CudaLaunchTest, AClusterRunsEachProgramWhereTheKernelSaysSo) {
  std::unique_ptr<Device> device = open();
  KernelImage rows;
  rows.entry = rows.kernel = "rows";
  rows.clusterBlocks = 4;
  std::unique_ptr<LoadedKernel> kernel = std::move(*device->load(rows));
  ASSERT_TRUE(device->launch(*kernel, {6, 5, 1}, {}));
  const size_t at = calls().find("cuLaunchKernelEx(grid 24,5,1");
  ASSERT_NE(at, std::string::npos) << calls();
  EXPECT_NE(calls().find(" 4=4x1x1", at), std::string::npos) << calls();
  // A launch that may not be made in clusters says so in the way in which others do without maps.
  fail("cuLaunchKernelEx", 912);
  Result<void> refused = device->launch(*kernel, {6, 1, 1}, {});
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().kind, ErrorKind::MapRefused);
  Result<void> tooMany = device->launch(*kernel, {0x7fffffff, 1, 1}, {});
  ASSERT_FALSE(tooMany);
  EXPECT_EQ(tooMany.error().kind, ErrorKind::MapRefused);
}

TEST_F(CudaLaunchTest, AnOlderDriverLaunchesWithoutAttributes) {
  std::unique_ptr<Device> device = std::move(*openCudaDevice(0, TEGULA_FAKE_CUDA_WITHOUT_ATTRIBUTES));
  std::unique_ptr<LoadedKernel> kernel = std::move(*device->load(image()));
  int n = 1;
  EXPECT_TRUE(device->launch(*kernel, {}, std::as_bytes(std::span(&n, 1))));
  EXPECT_ERROR(
      device->launch(*kernel, {}, std::as_bytes(std::span(&n, 1)), nullptr, {true, false}), Unavailable,
      "cannot launch `add_kernel`: the CUDA driver is too old: it has no `cuLaunchKernelEx`, which a "
      "cooperative or programmatic launch and one in clusters need");
}

TEST_F(CudaLaunchTest, WhatThereIsTooLittleOfIsData) {
  std::unique_ptr<Device> device = open();
  const auto expect = [](const Error &error, const char *name, uint64_t required, uint64_t limit) {
    EXPECT_EQ(error.kind, ErrorKind::OutOfResources);
    EXPECT_EQ(error.resource.name, name);
    EXPECT_EQ(error.resource.required, required);
    EXPECT_EQ(error.resource.limit, limit);
  };
  expect(device->load(image(300000)).error(), "shared memory", 300016, 232448);
  KernelImage wide = image();
  wide.numWarps = 64;
  expect(device->load(wide).error(), "threads", 2048, 1024);
  control<void(int)>("fakeRegisters")(128);
  wide.numWarps = 32;
  Result<std::unique_ptr<LoadedKernel>> hungry = device->load(wide);
  expect(hungry.error(), "registers", 131072, 65536);
  EXPECT_EQ(hungry.error().text,
            "cannot load `add_kernel`: expected at most 65536 registers in a block, found 131072");
  std::unique_ptr<LoadedKernel> kernel = std::move(*device->load(image()));
  expect(device->launch(*kernel, {1, 70000, 1}, {}).error(), "grid", 70000, 65535);
  fail("cuMemAlloc_v2", 2);
  expect(device->allocate(1000).error(), "memory", 1000, uint64_t(1) << 37);
}

} // namespace
