// The CUDA device against a driver that writes down its calls and fails on demand.
#include "test/runtime/device/FakeDriver.h"

#include <gtest/gtest.h>

#include <dlfcn.h>
#include <functional>
#include <span>

using namespace tegula;
using namespace tegula::runtime;

namespace {

TEST_F(CudaDeviceTest, ReadsProperties) {
  std::unique_ptr<Device> device = open();
  const DeviceProperties &properties = device->properties();
  EXPECT_EQ(properties.name, "Fake 0");
  EXPECT_EQ(properties.kind, "cuda");
  EXPECT_EQ(properties.ordinal, 0);
  EXPECT_EQ(properties.registersPerMultiprocessor, 65536u);
  EXPECT_EQ(properties.l2Bytes, uint64_t(50) << 20);
  EXPECT_EQ(properties.clockKilohertz, 1980000u);
  EXPECT_EQ(properties.memoryClockKilohertz, 2619000u);
  EXPECT_EQ(properties.memoryBusBits, 5120u);
  EXPECT_EQ(properties.arch, "sm_90");
  EXPECT_EQ(properties.computeMajor, 9u);
  EXPECT_EQ(properties.computeMinor, 0u);
  EXPECT_EQ(properties.multiprocessors, 132u);
  EXPECT_EQ(properties.totalMemory, uint64_t(1) << 37);
  EXPECT_EQ(properties.maxSharedPerBlock, 232448u);
  EXPECT_EQ(properties.maxGrid, (std::array<uint32_t, 3>{2147483647u, 65535u, 65535u}));
  EXPECT_EQ(properties.driver, "12.4");
}

TEST_F(CudaDeviceTest, ListsDevices) {
  control<void(int)>("fakeDeviceCount")(2);
  Result<std::vector<DeviceProperties>> devices = listCudaDevices(TEGULA_FAKE_CUDA);
  ASSERT_TRUE(devices);
  ASSERT_EQ(devices->size(), 2u);
  EXPECT_EQ((*devices)[1].name, "Fake 1");
}

TEST_F(CudaDeviceTest, MissingLibrary) {
  Result<std::unique_ptr<Device>> device = openCudaDevice(0, "libtegula-no-such-driver.so");
  ASSERT_FALSE(device);
  EXPECT_EQ(device.error().kind, ErrorKind::Unavailable);
  EXPECT_EQ(device.error().text.find("no CUDA driver: "), 0u) << device.error().text;
  EXPECT_NE(device.error().text.find("libtegula-no-such-driver.so"), std::string::npos);
}

TEST_F(CudaDeviceTest, MissingSymbol) {
  EXPECT_ERROR(openCudaDevice(0, TEGULA_FAKE_CUDA_OLD), Unavailable,
               std::string("the CUDA driver `") + TEGULA_FAKE_CUDA_OLD +
                   "` is too old: it has no `cuLaunchKernel`");
}

TEST_F(CudaDeviceTest, InitialisationFails) {
  Error error = openError("cuInit", 999);
  EXPECT_EQ(error.kind, ErrorKind::Unavailable);
  EXPECT_EQ(error.text, "cannot use the CUDA driver: `cuInit` failed with code 999");
}

TEST_F(CudaDeviceTest, NoDevice) {
  Error error = openError("cuInit", 100);
  EXPECT_EQ(error.kind, ErrorKind::Unavailable);
  EXPECT_EQ(error.text,
            "cannot use the CUDA driver: `cuInit` failed with CUDA_ERROR_NO_DEVICE (text of the driver)");
  control<void()>("fakeReset")();
  control<void(int)>("fakeDeviceCount")(0);
  EXPECT_ERROR(openCudaDevice(0, TEGULA_FAKE_CUDA), Unavailable, "the CUDA driver finds no device");
}

TEST_F(CudaDeviceTest, EveryCallOfOpeningIsNamed) {
  const std::pair<const char *, const char *> cases[] = {
      {"cuDeviceGetCount", "count the CUDA devices"},
      {"cuDeviceGet", "open CUDA device 0"},
      {"cuDeviceGetName", "read the properties of CUDA device 0"},
      {"cuDeviceTotalMem_v2", "read the properties of CUDA device 0"},
      {"cuDeviceGetAttribute", "read the properties of CUDA device 0"},
      {"cuDevicePrimaryCtxRetain", "open CUDA device 0"},
  };
  for (auto [symbol, doing] : cases) {
    Error error = openError(symbol, 1);
    EXPECT_EQ(error.kind, ErrorKind::Driver) << symbol;
    EXPECT_EQ(error.text, std::string("cannot ") + doing + ": `" + symbol +
                              "` failed with CUDA_ERROR_INVALID_VALUE (text of the driver)");
  }
}

TEST_F(CudaDeviceTest, OrdinalOutOfRange) {
  EXPECT_ERROR(openCudaDevice(3, TEGULA_FAKE_CUDA), InvalidArgument,
               "expected a CUDA device from 0 to 0, found 3");
  EXPECT_ERROR(openCudaDevice(-1, TEGULA_FAKE_CUDA), InvalidArgument,
               "expected a CUDA device from 0 to 0, found -1");
}

TEST_F(CudaDeviceTest, CopiesThereAndBack) {
  std::unique_ptr<Device> device = open();
  Result<DeviceAddress> address = device->allocate(8);
  ASSERT_TRUE(address);
  uint64_t value = 0x123456789abcdefull, back = 0;
  ASSERT_TRUE(device->copyToDevice(*address, &value, 8));
  ASSERT_TRUE(device->copyOnDevice(*address, *address, 8));
  ASSERT_TRUE(device->copyToHost(&back, *address, 8));
  EXPECT_EQ(back, value);
  EXPECT_TRUE(device->free(*address));
}

TEST_F(CudaDeviceTest, ZeroBytesGiveAnAddress) {
  std::unique_ptr<Device> device = open();
  Result<DeviceAddress> address = device->allocate(0);
  ASSERT_TRUE(address);
  EXPECT_NE(calls().find("cuMemAlloc_v2(1)"), std::string::npos);
  EXPECT_TRUE(device->copyToDevice(*address, nullptr, 0));
  EXPECT_EQ(calls().find("cuMemcpyHtoD"), std::string::npos);
  EXPECT_TRUE(device->free(*address));
}

TEST_F(CudaDeviceTest, OutOfMemory) {
  std::unique_ptr<Device> device = open();
  fail("cuMemAlloc_v2", 2);
  EXPECT_ERROR(device->allocate(1000), OutOfResources,
               "cannot allocate memory: `cuMemAlloc_v2` failed with CUDA_ERROR_OUT_OF_MEMORY (text of the "
               "driver); 1000 bytes were asked for");
}

TEST_F(CudaDeviceTest, EveryCallOfUseIsNamed) {
  std::unique_ptr<Device> device = open();
  DeviceAddress address = *device->allocate(16);
  char bytes[16] = {};
  std::unique_ptr<Stream> stream = std::move(*device->createStream());
  std::unique_ptr<Event> event = std::move(*device->createEvent());
  using Use = std::function<Result<void>()>;
  auto drop = [](auto result) -> Result<void> {
    if (!result)
      return result.error();
    return {};
  };
  const std::tuple<const char *, const char *, Use> cases[] = {
      {"cuMemcpyHtoD_v2", "copy to the device", [&] { return device->copyToDevice(address, bytes, 16); }},
      {"cuMemcpyDtoH_v2", "copy to the host", [&] { return device->copyToHost(bytes, address, 16); }},
      {"cuMemcpyDtoD_v2", "copy on the device", [&] { return device->copyOnDevice(address, address, 16); }},
      {"cuMemFree_v2", "free memory", [&] { return device->free(address); }},
      {"cuStreamCreate", "create a stream", [&] { return drop(device->createStream()); }},
      {"cuStreamSynchronize", "wait for a stream", [&] { return stream->synchronize(); }},
      {"cuEventCreate", "create an event", [&] { return drop(device->createEvent()); }},
      {"cuEventRecord", "record an event", [&] { return event->record(stream.get()); }},
      {"cuEventSynchronize", "wait for an event", [&] { return event->synchronize(); }},
      {"cuEventElapsedTime", "read the time between events",
       [&] { return drop(event->millisecondsSince(*event)); }},
      {"cuCtxSynchronize", "wait for the device", [&] { return device->synchronize(); }},
      {"cuCtxSetCurrent", "wait for the device", [&] { return device->synchronize(); }},
  };
  for (const auto &[symbol, doing, use] : cases) {
    fail(symbol, 998);
    EXPECT_ERROR(use(), Driver,
                 std::string("cannot ") + doing + ": `" + symbol + "` failed with CUDA_ERROR_WITHOUT_TEXT");
  }
}

TEST_F(CudaDeviceTest, OptsInToMoreSharedMemory) {
  std::unique_ptr<Device> device = open();
  ASSERT_TRUE(device->load(image(100000)));
  EXPECT_NE(calls().find("cuFuncSetAttribute(8=100000)"), std::string::npos) << calls();
  fail("cuFuncSetAttribute", 1);
  EXPECT_ERROR(device->load(image(100000)), Driver,
               "cannot give `add_kernel` 100000 bytes of shared memory: `cuFuncSetAttribute` failed with "
               "CUDA_ERROR_INVALID_VALUE (text of the driver)");
}

TEST_F(CudaDeviceTest, TooMuchSharedMemory) {
  std::unique_ptr<Device> device = open();
  EXPECT_ERROR(
      device->load(image(232448)), OutOfResources,
      "cannot load `add_kernel`: expected at most 232448 bytes of shared memory in a block, found 232464");
}

TEST_F(CudaDeviceTest, LoadErrorCarriesTheLogs) {
  std::unique_ptr<Device> device = open();
  fail("cuModuleLoadDataEx", 218);
  EXPECT_ERROR(device->load(image()), Compile,
               "cannot load `add_kernel` for sm_90a: `cuModuleLoadDataEx` failed with CUDA_ERROR_INVALID_PTX "
               "(text of the driver)\nptxas application ptx input, line 7; error : Unknown symbol 'x'\n"
               "info : took a while");
  for (const char *symbol : {"cuModuleGetFunction", "cuFuncGetAttribute"}) {
    fail(symbol, 1);
    EXPECT_ERROR(device->load(image()), Driver,
                 std::string("cannot load `add_kernel`: `") + symbol +
                     "` failed with CUDA_ERROR_INVALID_VALUE (text of the driver)");
  }
}

TEST_F(CudaDeviceTest, MachineCodeIsLoadedAsItIs) {
  std::unique_ptr<Device> device = open();
  KernelImage assembled = image();
  assembled.machineCode = "\177ELF good";
  std::unique_ptr<LoadedKernel> kernel = std::move(*device->load(assembled));
  EXPECT_EQ(kernel->image().machineCode, "\177ELF good");
  EXPECT_NE(calls().find("cuModuleLoadDataEx(ELF good)"), std::string::npos) << calls();
  EXPECT_EQ(calls().find("cuLinkCreate"), std::string::npos) << calls();
}

TEST_F(CudaDeviceTest, MachineCodeThatTheDriverDoesNotTakeIsMadeByTheDriver) {
  std::unique_ptr<Device> device = open();
  KernelImage assembled = image();
  assembled.machineCode = "\177ELF foreign";
  std::unique_ptr<LoadedKernel> kernel = std::move(*device->load(assembled));
  EXPECT_TRUE(kernel->image().machineCode.starts_with("\177ELF 4=16383")) << kernel->image().machineCode;
  // Where it can make none the PTX is loaded, as without machine code.
  fail("cuLinkComplete", 1);
  kernel = std::move(*device->load(assembled));
  EXPECT_EQ(kernel->image().machineCode, "");
  EXPECT_NE(calls().find("cuLinkDestroy()\ncuModuleLoadDataEx()\ncuModuleGetFunction(add_kernel)\n"),
            std::string::npos)
      << calls();
  // And what is wrong with that is the error.
  fail("cuModuleLoadDataEx", 218);
  EXPECT_TRUE(
      device->load(assembled).error().text.ends_with("error : Unknown symbol 'x'\ninfo : took a while"));
}

TEST_F(CudaDeviceTest, AssemblesForItself) {
  std::unique_ptr<Device> device = open();
  KernelImage other = image();
  other.target = "sm_80"; // runs here only as the driver translates it
  Result<MachineCode> code = device->assemble(other);
  ASSERT_TRUE(code) << code.error().text;
  EXPECT_EQ(code->assembler, "the assembler of driver 12.4");
}

// The driver's linker ignores `setmaxnreg`, the driver that loads PTX does not: without a `ptxas` nothing is
// assembled ahead, and machine code of others that the driver does not take is left alone.
TEST_F(CudaDeviceTest, RegistersThatPassBetweenWarpsAreNotLeftToTheLinker) {
  std::unique_ptr<Device> device = open();
  KernelImage handing = image();
  handing.ptx += "// setmaxnreg.inc.sync.aligned.u32 240;\n";
  Result<MachineCode> code = device->assemble(handing);
  EXPECT_TRUE(!code || code->assembler.find("ptxas") != std::string::npos) << code->assembler;
  EXPECT_EQ(calls().find("cuLinkCreate"), std::string::npos) << calls();
  handing.machineCode = "\177ELF foreign";
  std::unique_ptr<LoadedKernel> kernel = std::move(*device->load(handing));
  EXPECT_EQ(kernel->image().machineCode, "");
  EXPECT_EQ(calls().find("cuLinkCreate"), std::string::npos) << calls();
}

TEST_F(CudaDeviceTest, LeavesTheThreadsContextAsItWas) {
  std::unique_ptr<Device> device = open();
  int theirs = 0;
  control<void(void *)>("fakeCurrent")(&theirs);
  ASSERT_TRUE(device->synchronize());
  EXPECT_EQ(control<void *()>("fakeGetCurrent")(), &theirs);
  EXPECT_NE(calls().find("cuCtxSetCurrent(ours)\ncuCtxSynchronize()\ncuCtxSetCurrent(theirs)\n"),
            std::string::npos)
      << calls();
}

TEST_F(CudaDeviceTest, ReleasesTheContextAfterItsLastUser) {
  std::unique_ptr<Device> device = open();
  std::unique_ptr<Stream> stream = std::move(*device->createStream());
  device.reset();
  EXPECT_EQ(calls().find("cuDevicePrimaryCtxRelease_v2"), std::string::npos);
  stream.reset();
  std::string log = calls();
  EXPECT_LT(log.find("cuStreamDestroy_v2"), log.find("cuDevicePrimaryCtxRelease_v2"));
}

} // namespace
