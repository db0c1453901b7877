// Carries out conversion plans on a model of a block, so that plans are tested without a compiler.
#pragma once

#include "compiler/plan/ConversionPlan.h"
#include "dialect/layout/Places.h"
#include "test/dialect/layout/RandomLayout.h"

#include <algorithm>
#include <bit>
#include <map>
#include <optional>
#include <set>
#include <string>

namespace tegula::testing {

/// Holds the contents of each register of each thread: `block[thread][register]` is a tensor position.
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

/// A layout of threads onto a tensor of these axes: each bit of the tensor belongs to a register, lane or
/// warp drawn at random, and what is left of these holds copies.
inline LinearLayout randomPlacement(std::mt19937_64 &random, std::vector<DimBits> outs, unsigned threadBits) {
  unsigned bits = bitsIn(outs), registers = (bits > threadBits ? bits - threadBits : 0) + pick(random, 3);
  std::vector<uint64_t> columns(registers + threadBits, 0);
  for (unsigned bit = 0; bit < bits; ++bit)
    columns[bit] = uint64_t(1) << bit;
  std::shuffle(columns.begin(), columns.end(), random);
  return LinearLayout::fromColumns(
      {{Dim::Register, registers}, {Dim::Lane, LaneBits}, {Dim::Warp, threadBits - LaneBits}},
      std::move(outs), std::move(columns));
}

inline uint32_t sumOf(const std::vector<uint32_t> &columns, size_t thread) {
  uint32_t sum = 0;
  for (unsigned bit = 0; bit < columns.size(); ++bit)
    sum ^= thread >> bit & 1 ? columns[bit] : 0;
  return sum;
}

/// Place of an element of a lane among matrices, as the PTX ISA defines it for `ldmatrix` and `stmatrix`.
/// `matrixPlaces` returns those of lane `lane`, in the order of the access's registers.
struct MatrixPlace {
  unsigned matrix, row, byte;
};
inline std::vector<MatrixPlace> matrixPlaces(const SharedAccess &access, unsigned lane,
                                             unsigned elementBytes) {
  std::vector<MatrixPlace> places;
  unsigned inWord = 4 / elementBytes;
  for (unsigned element = 0; element < access.elements; ++element) {
    unsigned matrix = element / inWord, inside = element % inWord;
    if (access.kind == SharedAccess::Matrices)
      places.push_back({matrix, lane / 4, lane % 4 * 4 + inside * elementBytes});
    else
      places.push_back({matrix, lane % 4 * 2 + inside, lane / 4 * elementBytes});
  }
  return places;
}

/// The most passes that one warp's access to shared memory takes beyond the fewest possible.
///
/// Wide accesses are served by 16 or 8 lanes at a time; in each pass a bank gives one 4-byte word. Matrices
/// are served one by one, 16 bytes from each of the eight lanes that give the addresses.
inline unsigned bankConflicts(const SharedAccess &access, unsigned threadBits, unsigned elementBytes,
                              bool isStore) {
  bool isMatrices = access.kind != SharedAccess::Vectors;
  unsigned bytes = isMatrices ? 16 : access.elements * elementBytes, worst = 0;
  unsigned lanes = bytes <= 4 ? 32 : bytes == 8 ? 16 : 8;
  unsigned givers = isMatrices ? access.elements * elementBytes / 4 * 8 : 32;
  for (size_t first = 0; first < size_t(1) << threadBits; first += lanes)
    for (uint32_t offset : access.offsets) {
      if (first % 32 >= givers)
        continue;
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

/// Calls `move(thread, register, byte address)` for all elements of all threads' accesses. False where an
/// access is misaligned or moves another number of registers than it says.
template <typename Move>
bool forEachElement(const SharedAccess &access, size_t threads, unsigned elementBytes, Move move) {
  bool isMatrices = access.kind != SharedAccess::Vectors;
  for (size_t thread = 0; thread < threads; ++thread)
    for (size_t i = 0; i < access.vectors.size(); ++i) {
      if (access.vectors[i].size() != access.elements)
        return false;
      std::vector<MatrixPlace> places;
      if (isMatrices)
        places = matrixPlaces(access, thread % 32, elementBytes);
      for (unsigned element = 0; element < access.elements; ++element) {
        size_t giver =
            isMatrices ? thread / 32 * 32 + places[element].matrix * 8 + places[element].row : thread;
        uint32_t address = sumOf(access.threadOffsets, giver) ^ access.offsets[i];
        if (address % (isMatrices ? 16 : access.elements * elementBytes))
          return false;
        address += isMatrices ? places[element].byte : element * elementBytes;
        move(thread, access.vectors[i][element], address);
      }
    }
  return true;
}

/// Shared memory of one block: the tensor position at each byte address of an element.
using Memory = std::map<uint32_t, uint64_t>;

/// Nothing if two threads write one element, or an access is misaligned or beyond `bytes`.
inline std::optional<Memory> store(const SharedAccess &access, const Block &from, unsigned elementBytes,
                                   uint32_t bytes) {
  Memory memory;
  bool fits = true;
  fits &=
      forEachElement(access, from.size(), elementBytes, [&](size_t thread, uint32_t reg, uint32_t address) {
        if (thread & access.copyBits)
          return;
        fits &= address + elementBytes <= bytes && memory.try_emplace(address, from[thread][reg]).second;
      });
  return fits ? std::optional(memory) : std::nullopt;
}

/// Nothing if an element is read that no thread stored, or an access is misaligned.
inline std::optional<Block> load(const SharedAccess &access, const Memory &memory, size_t threads,
                                 unsigned elementBytes) {
  std::vector<std::vector<std::optional<uint64_t>>> loaded(
      threads, std::vector<std::optional<uint64_t>>(access.original.size()));
  bool fits = true;
  fits &= forEachElement(access, threads, elementBytes, [&](size_t thread, uint32_t reg, uint32_t address) {
    auto found = memory.find(address);
    fits &= found != memory.end();
    if (found != memory.end())
      loaded[thread][reg] = found->second;
  });
  Block result(threads);
  for (size_t thread = 0; fits && thread < threads; ++thread)
    for (uint32_t original : access.original) {
      if (!loaded[thread][original])
        return std::nullopt;
      result[thread].push_back(*loaded[thread][original]);
    }
  return fits ? std::optional(result) : std::nullopt;
}

/// Returns the registers that `plan` loads after storing `from`, or nothing if the plan is wrong.
inline std::optional<Block> roundTripOf(const RoundTripPlan &plan, const Block &from, unsigned elementBytes) {
  std::optional<Memory> memory = store(plan.store, from, elementBytes, plan.bytes);
  return memory ? load(plan.load, *memory, from.size(), elementBytes) : std::nullopt;
}

/// Returns the contents of the registers after `plan`, or nothing if the plan is wrong or a register is in
/// two parts or in none.
inline std::optional<Block> throughShared(const RoundTripPlan &plan, const Block &from,
                                          unsigned elementBytes) {
  if (plan.parts.empty())
    return roundTripOf(plan, from, elementBytes);
  size_t registers = 0;
  for (const RoundTripPart &part : plan.parts)
    registers += part.results.size();
  std::vector<std::vector<std::optional<uint64_t>>> moved(from.size());
  for (auto &thread : moved)
    thread.resize(registers);
  for (const RoundTripPart &part : plan.parts) {
    Block stored(from.size());
    for (size_t thread = 0; thread < from.size(); ++thread)
      for (uint32_t reg : part.stored)
        stored[thread].push_back(from[thread][reg]);
    std::optional<Block> loaded = roundTripOf(plan, stored, elementBytes);
    if (!loaded)
      return std::nullopt;
    for (size_t thread = 0; thread < from.size(); ++thread)
      for (auto [reg, source] : part.results) {
        if (reg >= registers || moved[thread][reg])
          return std::nullopt;
        moved[thread][reg] = (*loaded)[thread][source];
      }
  }
  Block result(from.size());
  for (size_t thread = 0; thread < from.size(); ++thread)
    for (const std::optional<uint64_t> &element : moved[thread])
      result[thread].push_back(*element);
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
