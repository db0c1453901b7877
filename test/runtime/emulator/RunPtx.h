// Runs PTX text on the emulator and gives back what it wrote.
#pragma once

#include "runtime/emulator/EmulatorDevice.h"

#include <gtest/gtest.h>

#include <cstring>
#include <string>
#include <vector>

namespace tegula::runtime::test {

/// A device, its buffers, and one kernel built from a text with `.entry k`.
struct Runner {
  explicit Runner(EmulatorOptions options = {}) : device(std::move(options)) {}

  template <typename T> DeviceAddress upload(const std::vector<T> &values) {
    const DeviceAddress address = *device.allocate(values.size() * sizeof(T));
    EXPECT_TRUE(bool(device.copyToDevice(address, values.data(), values.size() * sizeof(T))));
    return address;
  }
  DeviceAddress fresh(size_t bytes) { return *device.allocate(bytes); }
  template <typename T> std::vector<T> download(DeviceAddress address, size_t count) {
    std::vector<T> out(count);
    EXPECT_TRUE(bool(device.copyToHost(out.data(), address, count * sizeof(T))));
    return out;
  }

  /// Loads and launches; the text of the error, empty when all went well. Every parameter has 8 bytes.
  std::string launch(const std::string &ptx, const std::vector<uint64_t> &params, uint32_t warps = 1,
                     Grid grid = {}, uint32_t sharedBytes = 0) {
    KernelImage image;
    image.entry = "k";
    image.ptx = ptx;
    image.numWarps = warps;
    image.sharedBytes = sharedBytes;
    image.paramBytes = uint32_t(params.size() * 8);
    image.sourceFile = "kernel.py";
    image.blocksPerMultiprocessor = blocksPerMultiprocessor;
    image.programsPerBlock = programsPerBlock;
    if (clusterBlocks > 1)
      image.splits = SplitLoop{{1, std::nullopt}, 1, clusterBlocks};
    Result<std::unique_ptr<LoadedKernel>> kernel = device.load(image);
    if (!kernel)
      return kernel.error().text;
    kind = ErrorKind::Io;
    const auto bytes = std::as_bytes(std::span(params));
    if (Result<void> done = device.launch(**kernel, grid, bytes, nullptr, {.clusterBlocks = clusterBlocks});
        !done) {
      kind = done.error().kind;
      return done.error().text;
    }
    return {};
  }

  EmulatorDevice device;
  uint32_t clusterBlocks = 1;           ///< above 1 the grid counts clusters along x
  uint32_t blocksPerMultiprocessor = 0; ///< of a persistent kernel
  uint32_t programsPerBlock = 1;        ///< above 1: a program for each warp
  ErrorKind kind = ErrorKind::Io;       ///< of the last launch's error
};

/// PTX with an entry `k` of `params` 64-bit parameters p0, p1, ..., loaded into %p0, %p1, ... Declares
/// %h0-15 (16 bits), %r0-31 (32), %d0-31 (64), %q0-15 (predicates); %r31 is %tid.x.
inline std::string kernel(const std::string &body, unsigned params = 1, const std::string &before = {}) {
  std::string text = ".version 8.0\n.target sm_90a\n.address_size 64\n" + before + "\n.visible .entry k(";
  for (unsigned i = 0; i < params; ++i)
    text += (i ? ", .param .u64 p" : ".param .u64 p") + std::to_string(i);
  text +=
      ")\n{\n.reg .b16 %h<16>;\n.reg .b32 %r<32>;\n.reg .b64 %d<32>;\n.reg .b64 %p<8>;\n.reg .pred %q<16>;\n"
      "mov.u32 %r31, %tid.x;\n";
  for (unsigned i = 0; i < params; ++i)
    text += "ld.param.u64 %p" + std::to_string(i) + ", [p" + std::to_string(i) + "];\n";
  return text + body + "\nret;\n}\n";
}

/// `text` with every `{wrong|right}` decided; `{{` and `}}` are braces.
std::string choose(const std::string &text, bool right);

/// Applies `body` to every element: operands in %da %db %dc (64 bits), %ra.. (32), %ha.. (16), result
/// in the register of the same letter ending in `o`. `width` is the result's width.
std::vector<uint64_t> evaluate(const std::string &body, unsigned width, const std::vector<uint64_t> &a,
                               const std::vector<uint64_t> &b = {}, const std::vector<uint64_t> &c = {});

} // namespace tegula::runtime::test
