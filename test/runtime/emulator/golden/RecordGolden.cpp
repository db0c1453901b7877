// Records the golden vectors on a CUDA device:
//
//   record-golden > test/runtime/emulator/golden/h200.txt
//
// One line a form: its text, a bar, and the results in hexadecimal.
#include "runtime/device/CudaDevice.h"
#include "test/runtime/emulator/golden/GoldenForms.h"

#include <cstdio>

int main() {
  using namespace tegula;
  auto device = runtime::openCudaDevice();
  if (!device) {
    std::fprintf(stderr, "record-golden: %s\n", device.error().text.c_str());
    return 3;
  }
  std::printf("# Results of each instruction form on one %s, driver %s. Made by record-golden.\n",
              (*device)->properties().name.c_str(), (*device)->properties().driver.c_str());
  int failed = 0;
  for (const golden::Form &form : golden::allForms()) {
    auto results = golden::runForm(**device, form);
    if (!results) {
      std::fprintf(stderr, "%s: %s\n", form.code.c_str(), results.error().text.c_str());
      ++failed;
      continue;
    }
    std::printf("%s |", form.code.c_str());
    for (uint64_t result : *results)
      std::printf(" %llx", (unsigned long long)result);
    std::printf("\n");
  }
  return failed != 0;
}
