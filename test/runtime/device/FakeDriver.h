// A fake driver behind a CUDA device, for tests.
#pragma once

#include "runtime/device/CudaDevice.h"

#include <gtest/gtest.h>

#include <dlfcn.h>
#include <span>

namespace tegula::runtime {

class CudaDeviceTest : public testing::Test {
protected:
  void SetUp() override {
    handle = dlopen(TEGULA_FAKE_CUDA, RTLD_NOW);
    ASSERT_NE(handle, nullptr) << dlerror();
    control<void()>("fakeReset")();
  }
  template <typename F> F *control(const char *name) { return reinterpret_cast<F *>(dlsym(handle, name)); }
  void fail(const char *symbol, int code) { control<void(const char *, int)>("fakeFail")(symbol, code); }
  std::string calls() { return control<const char *()>("fakeCalls")(); }

  std::unique_ptr<Device> open() {
    Result<std::unique_ptr<Device>> device = openCudaDevice(0, TEGULA_FAKE_CUDA);
    EXPECT_TRUE(device) << device.error().text;
    return device ? std::move(*device) : nullptr;
  }
  /// The error of opening the device while `symbol` fails.
  Error openError(const char *symbol, int code) {
    fail(symbol, code);
    Result<std::unique_ptr<Device>> device = openCudaDevice(0, TEGULA_FAKE_CUDA);
    return device ? Error{ErrorKind::Io, "opened"} : device.error();
  }
  static KernelImage image(uint32_t shared = 0) {
    KernelImage image;
    image.entry = "add_kernel";
    image.target = "sm_90a";
    image.ptx = ".version 8.0";
    image.params = {{"n", "i32", ParamKind::Integer, 4, 0}};
    image.paramBytes = 4;
    image.numWarps = 4;
    image.sharedBytes = shared;
    return image;
  }
  void *handle = nullptr;
};

/// EXPECT_EQ on kind and text of a failed result.
#define EXPECT_ERROR(result, expectedKind, expectedText)                                                     \
  do {                                                                                                       \
    auto &&failed = (result);                                                                                \
    ASSERT_FALSE(failed);                                                                                    \
    EXPECT_EQ(failed.error().kind, ErrorKind::expectedKind);                                                 \
    EXPECT_EQ(failed.error().text, expectedText);                                                            \
  } while (false)

} // namespace tegula::runtime
