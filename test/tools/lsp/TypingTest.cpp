// The text before the cursor: whether it is in a kernel, and in which call.
#include "tools/tegula/lsp/Typing.h"

#include <gtest/gtest.h>

namespace tegula::cli {
namespace {

/// A text with the cursor where `|` is.
std::pair<std::string, uint32_t> withCursor(std::string text) {
  const size_t at = text.find('|');
  text.erase(at, 1);
  return {text, uint32_t(at)};
}
bool inKernel(const std::string &marked) {
  const auto [text, at] = withCursor(marked);
  return isInKernel(text, at);
}
std::string call(const std::string &marked) {
  const auto [text, at] = withCursor(marked);
  const std::optional<OpenCall> found = openCallAt(text, at);
  return found ? found->callee + " " + std::to_string(found->argument) + " " + found->keyword : "none";
}

TEST(Typing, TheBodyOfAJitFunction) {
  EXPECT_TRUE(inKernel("@triton.jit\ndef k(x):\n    |"));
  EXPECT_TRUE(inKernel("@triton.jit\ndef k(x):\n    x = 1\n\n    for i in y:\n        tl.|"));
  EXPECT_TRUE(inKernel(
      "@triton.autotune(\n    configs,\n)\n@triton.jit(debug=True)\n@other\ndef k(\n    x,\n):\n    |"));
  EXPECT_TRUE(inKernel("class C:\n    @jit\n    def k(x):\n        |"));
  EXPECT_FALSE(inKernel("@triton.jit\ndef k(x):\n    pass\n|"));
  EXPECT_FALSE(inKernel("def host(x):\n    |"));
  EXPECT_FALSE(inKernel("@triton.jit\ndef k(x):\n    pass\n\ndef host(x):\n    tl.|"));
  EXPECT_FALSE(inKernel("|"));
}

TEST(Typing, TheCallAroundTheCursor) {
  EXPECT_EQ(call("x = tl.load(|"), "tl.load 0 ");
  EXPECT_EQ(call("x = tl.load(a, b|"), "tl.load 1 ");
  EXPECT_EQ(call("x = tl.load(f(a, b), [1, 2], mask=m|"), "tl.load 2 mask");
  EXPECT_EQ(call("f(a=1|"), "f 0 a");
  EXPECT_EQ(call("x.to(|"), "x.to 0 ");
  EXPECT_EQ(call("f(a)|"), "none");
  EXPECT_EQ(call("x[|"), "none");
  EXPECT_EQ(call("(|"), "none");
  EXPECT_EQ(call("|"), "none");
}

} // namespace
} // namespace tegula::cli
