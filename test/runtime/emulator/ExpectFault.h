// Helpers of tests of faults: a kernel with a marked line, and the error of its launch.
#pragma once

#include "test/runtime/emulator/RunPtx.h"

#include <gmock/gmock.h>

namespace tegula::runtime::test {

class ExpectFault : public ::testing::Test {
protected:
  /// Launches `body`, whose marked line is 42 of kernel.py, with `params`; expects a fault that holds
  /// every piece of `pieces`.
  void expectFault(const std::string &body, const std::vector<uint64_t> &params,
                   const std::vector<std::string> &pieces, uint32_t warps = 1, uint32_t shared = 0) {
    const std::string text =
        kernel(".loc 1 42 3\n" + body, unsigned(params.size()), ".file 1 \"kernel.py\"\n" + before);
    const std::string error = run.launch(text, params, warps, {}, shared);
    EXPECT_EQ(run.kind, ErrorKind::Fault) << error;
    EXPECT_THAT(error, ::testing::HasSubstr("kernel `k` faulted at kernel.py:42:3 (PTX line"));
    EXPECT_THAT(error, ::testing::HasSubstr("block (0,0,0)"));
    for (const std::string &piece : pieces)
      EXPECT_THAT(error, ::testing::HasSubstr(piece));
  }
  void expectNoFault(const std::string &body, const std::vector<uint64_t> &params, uint32_t warps = 1,
                     uint32_t shared = 0) {
    EXPECT_EQ(run.launch(kernel(body, unsigned(params.size()), before), params, warps, {}, shared), "")
        << body;
  }

  Runner run;
  std::string before;
  const std::string laneAddress = "mul.wide.u32 %d0, %r31, 4;\nadd.s64 %d1, %p0, %d0;\n";
};

} // namespace tegula::runtime::test
