// Records golden vectors on a CUDA device, which needs its driver and nothing else:
//
//   record-golden scalars  > test/runtime/emulator/golden/h200.txt
//   record-golden matrices > test/runtime/emulator/golden/h200-matrices.txt
//
// One line a form, and for matrices one a form and pattern: its text, a bar, and the results in hexadecimal.
// What the device refuses is named on stderr and left out.
#include "runtime/device/CudaDevice.h"
#include "test/runtime/emulator/golden/GoldenForms.h"
#include "test/runtime/emulator/golden/MatrixForms.h"

#include <cstdio>
#include <string_view>

using namespace tegula;

static void print(const std::string &name, const std::vector<uint64_t> &results) {
  std::printf("%s |", name.c_str());
  for (const uint64_t result : results)
    std::printf(" %llx", (unsigned long long)result);
  std::printf("\n");
}

static int recordScalars(runtime::Device &device) {
  int failed = 0;
  for (const golden::Form &form : golden::allForms()) {
    auto results = golden::runForm(device, form);
    if (results) {
      print(form.code, *results);
      continue;
    }
    std::fprintf(stderr, "%s: %s\n", form.code.c_str(), results.error().text.c_str());
    ++failed;
  }
  return failed;
}

static int recordMatrices(runtime::Device &device) {
  int failed = 0;
  for (const golden::MatrixForm &form : golden::matrixForms(true)) {
    std::vector<golden::Matrices> operands;
    for (unsigned i = 0; i < golden::patternCount; ++i)
      operands.push_back(golden::matricesFor(form, golden::Pattern(i)));
    auto results = golden::multiply(device, form, operands);
    for (unsigned i = 0; results && i < golden::patternCount; ++i)
      print(form.text() + ", " + golden::nameOf(golden::Pattern(i)), (*results)[i]);
    if (results)
      continue;
    std::fprintf(stderr, "%s: %s\n", form.text().c_str(), results.error().text.c_str());
    ++failed;
  }
  return failed;
}

int main(int argc, char **argv) {
  const std::string_view what = argc == 2 ? argv[1] : "";
  if (what != "scalars" && what != "matrices") {
    std::fprintf(stderr, "usage: record-golden scalars|matrices\n");
    return 2;
  }
  auto device = runtime::openCudaDevice();
  if (!device) {
    std::fprintf(stderr, "record-golden: %s\n", device.error().text.c_str());
    return 3;
  }
  std::printf("# Results of each %s on one %s, driver %s. Made by record-golden.\n",
              what == "scalars" ? "instruction form" : "matrix product", (*device)->properties().name.c_str(),
              (*device)->properties().driver.c_str());
  return (what == "scalars" ? recordScalars(**device) : recordMatrices(**device)) != 0;
}
