#include "runtime/emulator/Hardware.h"

namespace tegula::runtime::ptx {

static constexpr uint32_t kib = 1024;

/// NVIDIA's "Technical Specifications per Compute Capability".
static constexpr Multiprocessor multiprocessors[] = {
    {"sm_90", 227 * kib, 228 * kib, 64, 32},  {"sm_75", 64 * kib, 64 * kib, 32, 16},
    {"sm_80", 163 * kib, 164 * kib, 64, 32},  {"sm_86", 99 * kib, 100 * kib, 48, 16},
    {"sm_87", 163 * kib, 164 * kib, 48, 16},  {"sm_89", 99 * kib, 100 * kib, 48, 24},
    {"sm_100", 227 * kib, 228 * kib, 64, 32}, {"sm_103", 227 * kib, 228 * kib, 64, 32},
    {"sm_120", 99 * kib, 100 * kib, 48, 24},  {"sm_121", 99 * kib, 100 * kib, 48, 24}};

const Multiprocessor &multiprocessorOf(std::string_view target) {
  while (!target.empty() && (target.back() == 'a' || target.back() == 'f'))
    target.remove_suffix(1); // features of one architecture or its family
  for (const Multiprocessor &one : multiprocessors)
    if (one.target == target)
      return one;
  return multiprocessors[0];
}

} // namespace tegula::runtime::ptx
