// Every matrix kernel in its default config, given to NVIDIA's assembler for every architecture that has its
// products: no warning, no spill. Registers are what these kernels have least of.
#include "test/kernels/BundledKernels.h"

#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <sys/wait.h>
#include <unistd.h>

using namespace tegula;
using namespace tegula::test;

namespace {

/// The assembler, by the environment's PATH or where toolkits put it; empty when there is none.
std::string assembler() {
  std::stringstream path(std::getenv("PATH") ? std::getenv("PATH") : "");
  for (std::string folder; std::getline(path, folder, ':');)
    if (std::filesystem::exists(folder + "/ptxas"))
      return folder + "/ptxas";
  const std::string usual = "/usr/local/cuda/bin/ptxas";
  return std::filesystem::exists(usual) ? usual : "";
}

std::string outputOf(const std::string &command, int &status) {
  std::string text;
  FILE *pipe = popen((command + " 2>&1").c_str(), "r");
  if (!pipe)
    return text;
  char buffer[4096];
  while (size_t read = fread(buffer, 1, sizeof buffer, pipe))
    text.append(buffer, read);
  status = WEXITSTATUS(pclose(pipe));
  return text;
}

class ProductsPtxas : public ::testing::TestWithParam<BundledKernel> {};

} // namespace

TEST_P(ProductsPtxas, NoWarningAndNoSpill) {
  std::string tool = assembler();
  if (tool.empty())
    GTEST_SKIP() << "no ptxas on this machine";
  const BundledKernel &kernel = GetParam();
  std::string file =
      ::testing::TempDir() + "products_" + kernel.name + "_" + std::to_string(getpid()) + ".ptx";
  for (const Target &target : allTargets()) {
    if (!kernel.compilesFor(target))
      continue;
    CompileResult result = compileBundled(kernel, wordsOf(kernel.types).front(), target);
    ASSERT_TRUE(result.image);
    std::ofstream(file) << result.image->ptx;
    int status = -1;
    std::string said = outputOf(
        "'" + tool + "' -v -O3 -arch=" + std::string(target.name) + " -o /dev/null '" + file + "'", status);
    EXPECT_EQ(status, 0) << said;
    EXPECT_EQ(said.find("warning"), std::string::npos) << said;
    EXPECT_NE(said.find(" 0 bytes spill stores, 0 bytes spill loads"), std::string::npos)
        << target.name << "\n"
        << said;
  }
  std::filesystem::remove(file);
}

INSTANTIATE_TEST_SUITE_P(Kernels, ProductsPtxas, ::testing::ValuesIn(matrixKernels()),
                         [](const auto &info) { return std::string(info.param.name); });
