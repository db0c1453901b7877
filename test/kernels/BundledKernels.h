// Every bundled kernel as its host side launches it when nothing is asked for: what to compile it with.
#pragma once

#include "compiler/driver/Compiler.h"
#include "compiler/target/Target.h"

#include <gtest/gtest.h>

#include <ostream>
#include <span>
#include <string>
#include <vector>

namespace tegula::test {

struct BundledKernel {
  const char *name;   ///< of the case, for GoogleTest
  const char *file;   ///< below `kernels`
  const char *kernel; ///< function
  /// "n=i32:16 BLOCK=#64 MODE='a' EVEN=!": a type, a number, a string, None. `T` is the element type.
  const char *args;
  const char *types = "fp16 bf16 fp32"; ///< element types
  uint32_t numWarps = 4;                ///< where the kernel has no configs
  bool fp8 = false;                     ///< not for architectures without conversions of fp8

  bool compilesFor(const Target &target) const { return !fp8 || target.fp8Conversions; }
};

/// Prints the name of a kernel in GoogleTest's lists.
void PrintTo(const BundledKernel &kernel, std::ostream *os);

/// Those that multiply matrices; the first of their element types is the one to measure.
std::span<const BundledKernel> matrixKernels();
/// All others.
std::span<const BundledKernel> rowKernels();

/// The words of a text.
std::vector<std::string> wordsOf(const std::string &text);

/// Returns the number of ways to compile `kernel` for `target`: its configs, or one where it has none.
size_t configCount(const BundledKernel &kernel, const Target &target);
/// Compiles `kernel` for elements of `type`, with config number `config` where it has any. Without an image
/// the test has failed, unless `options` ask for the text of a stage, or `target` has too little of a
/// resource for a config that is not the first: `lacksResource` tells.
CompileResult compileBundled(const BundledKernel &kernel, const std::string &type, const Target &target,
                             size_t config = 0,
                             const CompileOptions &options = {.emit = {}, .remarks = true});
/// Tells whether a compilation failed for want of a resource, shared memory say, and for nothing else.
bool lacksResource(const CompileResult &result);

} // namespace tegula::test
