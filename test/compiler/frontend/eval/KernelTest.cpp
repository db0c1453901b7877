// Whole kernels: the shape of the IR that the passes get.
#include "test/compiler/frontend/eval/Harness.h"

#include "compiler/frontend/Parser.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "llvm/Support/raw_ostream.h"

#include <chrono>
#include <fstream>
#include <sstream>

using namespace tegula;
using namespace tegula::test;

namespace {

std::string readKernel(const std::string &name) {
  std::ifstream in(std::string(TEGULA_SOURCE_DIR) + "/kernels/" + name);
  std::stringstream text;
  text << in.rdbuf();
  return text.str();
}

} // namespace

TEST(EvalKernel, VectorAdd) {
  Evaluated result = evaluate(readKernel("vector_add.py"), {{"x_ptr", "*fp32:16"},
                                                            {"y_ptr", "*fp32:16"},
                                                            {"out_ptr", "*fp32:16"},
                                                            {"n", "i32:16"},
                                                            {"BLOCK_SIZE", "#1024"}});
  EXPECT_EQ(result.errors, "");
  std::cout << result.ir;
}
