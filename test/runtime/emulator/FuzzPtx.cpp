// libFuzzer target; see FuzzPtx.h.
#include "test/runtime/emulator/FuzzPtx.h"

extern "C" __attribute__((visibility("default"))) int LLVMFuzzerTestOneInput(const uint8_t *data,
                                                                             size_t size) {
  tegula::runtime::test::fuzzOnce(std::string_view(reinterpret_cast<const char *>(data), size));
  return 0;
}
