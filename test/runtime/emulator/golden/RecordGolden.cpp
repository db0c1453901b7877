// Records golden vectors on a CUDA device, which needs its driver and nothing else:
//
//   record-golden scalars  > test/runtime/emulator/golden/h200.txt
//   record-golden matrices > test/runtime/emulator/golden/h200-matrices.txt
//   record-golden groups   > test/runtime/emulator/golden/h200-groups.txt
//   record-golden maps     > test/runtime/emulator/golden/h200-maps.txt
//
// One line a form, and for matrices one a form and pattern: its text, a bar, and the results in hexadecimal.
// What the device refuses is named on stderr and left out. For groups of warps each way that operands may lie
// is tried on whole numbers as well, and what is not exact is named on stderr: the emulator reads memory so.
// For maps what is not as the manual draws it is named there, too.
#include "runtime/device/CudaDevice.h"
#include "test/runtime/emulator/golden/GoldenForms.h"
#include "test/runtime/emulator/golden/GroupForms.h"
#include "test/runtime/emulator/golden/MapForms.h"
#include "test/runtime/emulator/golden/MatrixForms.h"

#include <cstdio>
#include <cstdlib>
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

/// Counts the products of whole numbers that are not exact.
static int checkLayouts(runtime::Device &device) {
  int failed = 0;
  for (const golden::GroupForm &form : golden::groupLayouts()) {
    const golden::Matrices operands = golden::integersFor(form);
    auto results = golden::multiplyInGroup(device, form, {operands});
    if (results && (*results)[0] == golden::exactProduct(form, operands))
      continue;
    std::fprintf(stderr, "%s: %s\n", form.text().c_str(),
                 results ? "expected the exact product" : results.error().text.c_str());
    ++failed;
  }
  return failed;
}

static int recordGroups(runtime::Device &device) {
  int failed = checkLayouts(device);
  for (const golden::GroupForm &form : golden::groupTypes()) {
    std::vector<golden::Matrices> operands;
    for (unsigned i = 0; i < golden::patternCount; ++i)
      operands.push_back(golden::groupMatricesFor(form, golden::Pattern(i)));
    auto results = golden::multiplyInGroup(device, form, operands);
    for (unsigned i = 0; results && i < golden::patternCount; ++i) {
      (*results)[i].resize(golden::recordedRows * 8);
      print(form.text() + ", " + golden::nameOf(golden::Pattern(i)), (*results)[i]);
    }
    if (results)
      continue;
    std::fprintf(stderr, "%s: %s\n", form.text().c_str(), results.error().text.c_str());
    ++failed;
  }
  return failed;
}

/// From form `first` on: one that the device faults at ends the process, and a next one goes on behind it.
static int recordMaps(runtime::Device &device, size_t first) {
  int failed = 0;
  const std::vector<golden::MapForm> forms = golden::mapForms();
  for (size_t i = first; i < forms.size(); ++i) {
    const golden::MapForm &form = forms[i];
    auto results = golden::copyBox(device, form);
    if (results)
      print(form.text(), *results);
    if (results && *results == golden::expectedWords(form))
      continue;
    std::fprintf(stderr, "form %zu, %s: %s\n", i, form.text().c_str(),
                 results ? "other bytes than expected" : results.error().text.c_str());
    if (!results)
      return 1;
    ++failed;
  }
  return failed;
}

int main(int argc, char **argv) {
  const std::string_view what = argc == 2 || argc == 3 ? argv[1] : "";
  const size_t first = argc == 3 ? std::strtoull(argv[2], nullptr, 10) : 0;
  if (what != "scalars" && what != "matrices" && what != "groups" && what != "maps") {
    std::fprintf(stderr, "usage: record-golden scalars|matrices|groups|maps [FIRST]\n");
    return 2;
  }
  auto device = runtime::openCudaDevice();
  if (!device) {
    std::fprintf(stderr, "record-golden: %s\n", device.error().text.c_str());
    return 3;
  }
  std::printf("# Results of each %s on one %s, driver %s. Made by record-golden.\n",
              what == "scalars"  ? "instruction form"
              : what == "groups" ? "product of a warp group"
              : what == "maps"   ? "bulk copy by a tensor map"
                                 : "matrix product",
              (*device)->properties().name.c_str(), (*device)->properties().driver.c_str());
  return (what == "scalars"  ? recordScalars(**device)
          : what == "groups" ? recordGroups(**device)
          : what == "maps"   ? recordMaps(**device, first)
                             : recordMatrices(**device)) != 0;
}
