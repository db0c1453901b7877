// A device and a kernel for the tests of the public C++ API, and how they look at what is thrown.
#pragma once

#include <tegula/tegula.h>

#include <gtest/gtest.h>

#include <string>
#include <utility>

/// Returns the kind and text of what `call` throws.
template <typename Call> std::pair<tegula::ErrorKind, std::string> thrown(Call call) {
  try {
    call();
  } catch (const tegula::Error &error) {
    return {error.kind(), error.what()};
  }
  return {tegula::ErrorKind::Io, "nothing was thrown"};
}

class ApiFixture : public testing::Test {
protected:
  static constexpr const char *source = R"(
import triton
import triton.language as tl


@triton.jit
def fill(x_ptr, n, value, BLOCK: tl.constexpr = 128):
    offsets = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    tl.store(x_ptr + offsets, value, mask=offsets < n)
)";

  tegula::Device device = tegula::Device::open("emulator");
  tegula::Kernel fill = tegula::Program::parse("fill.py", source).kernel();
};
