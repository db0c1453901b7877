// Carries out conversion plans on a model of a block, so that plans are tested without a compiler.
#pragma once

#include "compiler/lower/ConversionPlan.h"

#include <bit>
#include <map>
#include <optional>
#include <set>
#include <string>

namespace tegula::testing {

/// What each register of each thread holds: `block[thread][register]` is a tensor position.
using Block = std::vector<std::vector<uint64_t>>;

inline Block blockOf(const LinearLayout &layout, unsigned threadBits) {
  std::vector<uint64_t> columns = threadColumns(layout, threadBits), registers = registerPositions(layout);
  Block block(size_t(1) << threadBits);
  for (size_t thread = 0; thread < block.size(); ++thread) {
    uint64_t base = 0;
    for (unsigned bit = 0; bit < threadBits; ++bit)
      base ^= thread >> bit & 1 ? columns[bit] : 0;
    for (uint64_t position : registers)
      block[thread].push_back(base ^ position);
  }
  return block;
}

inline uint32_t sumOf(const std::vector<uint32_t> &columns, size_t thread) {
  uint32_t sum = 0;
  for (unsigned bit = 0; bit < columns.size(); ++bit)
    sum ^= thread >> bit & 1 ? columns[bit] : 0;
  return sum;
}

/// The most passes that one warp's access to shared memory takes beyond the fewest possible.
///
/// Wide accesses are served by 16 or 8 lanes at a time; in each pass a bank gives one 4-byte word.
inline unsigned bankConflicts(const SharedAccess &access, unsigned threadBits, unsigned elementBytes,
                              bool isStore) {
  unsigned bytes = access.elements * elementBytes, worst = 0;
  unsigned lanes = bytes <= 4 ? 32 : bytes == 8 ? 16 : 8;
  for (size_t first = 0; first < size_t(1) << threadBits; first += lanes)
    for (uint32_t offset : access.offsets) {
      std::map<uint32_t, std::set<uint32_t>> words; // by bank
      for (size_t thread = first; thread < first + lanes; ++thread) {
        if (isStore && thread & access.copyBits)
          continue;
        uint32_t address = sumOf(access.threadOffsets, thread) ^ offset;
        for (uint32_t byte = 0; byte < bytes; byte += std::min(bytes, 4u))
          words[(address + byte) / 4 % 32].insert((address + byte) / 4);
      }
      for (auto &[bank, distinct] : words)
        worst = std::max(worst, unsigned(distinct.size()) - 1);
    }
  return worst;
}

/// What the registers hold after `plan`; nothing if an element that nobody stored is read, two threads
/// write one byte, or an access is misaligned or outside the buffer.
inline std::optional<Block> throughShared(const SharedPlan &plan, const Block &from, unsigned elementBytes) {
  std::vector<std::optional<uint64_t>> memory(plan.bytes / elementBytes);
  for (size_t thread = 0; thread < from.size(); ++thread) {
    if (thread & plan.store.copyBits)
      continue;
    for (size_t i = 0; i < plan.store.vectors.size(); ++i) {
      uint32_t address = sumOf(plan.store.threadOffsets, thread) ^ plan.store.offsets[i];
      if (address % (plan.store.elements * elementBytes) ||
          plan.store.vectors[i].size() != plan.store.elements)
        return std::nullopt;
      for (uint32_t reg : plan.store.vectors[i]) {
        if (address >= plan.bytes || memory[address / elementBytes])
          return std::nullopt;
        memory[address / elementBytes] = from[thread][reg];
        address += elementBytes;
      }
    }
  }
  Block result(from.size());
  for (size_t thread = 0; thread < from.size(); ++thread) {
    std::vector<std::optional<uint64_t>> loaded(plan.original.size());
    for (size_t i = 0; i < plan.load.vectors.size(); ++i) {
      uint32_t address = sumOf(plan.load.threadOffsets, thread) ^ plan.load.offsets[i];
      if (address % (plan.load.elements * elementBytes) || plan.load.vectors[i].size() != plan.load.elements)
        return std::nullopt;
      for (uint32_t reg : plan.load.vectors[i]) {
        if (address >= plan.bytes)
          return std::nullopt;
        loaded[reg] = memory[address / elementBytes];
        address += elementBytes;
      }
    }
    for (uint32_t original : plan.original) {
      if (!loaded[original])
        return std::nullopt;
      result[thread].push_back(*loaded[original]);
    }
  }
  return result;
}

inline Block throughShuffles(const ShufflePlan &plan, const Block &from) {
  Block result(from.size());
  for (size_t thread = 0; thread < from.size(); ++thread)
    for (size_t reg = 0; reg < plan.registers.size(); ++reg) {
      uint32_t lane = plan.lanes[reg] ^ sumOf(plan.threadLanes, thread);
      uint32_t source = plan.registers[reg] ^ sumOf(plan.threadRegisters, thread);
      result[thread].push_back(from[thread / 32 * 32 + lane][source]);
    }
  return result;
}

inline std::optional<Block> carryOut(const ConversionPlan &plan, const Block &from, unsigned elementBytes) {
  switch (plan.kind) {
  case ConversionPlan::Registers: {
    Block result(from.size());
    for (size_t thread = 0; thread < from.size(); ++thread)
      for (uint32_t reg : plan.registers)
        result[thread].push_back(from[thread][reg]);
    return result;
  }
  case ConversionPlan::Shuffle:
    return throughShuffles(plan.shuffle, from);
  case ConversionPlan::Shared:
    return throughShared(plan.shared, from, elementBytes);
  }
  return std::nullopt;
}

} // namespace tegula::testing
