#include "compiler/plan/AccessPlan.h"
#include "dialect/layout/F2.h"

#include <algorithm>
#include <unordered_map>

namespace tegula {

namespace {

/// Bits of the thread's number whose coordinate the bits before them can make up too.
uint32_t redundantThreadBits(const LinearLayout &layout, unsigned threadBits) {
  // A thread that differs only there holds nothing of its own: registers are preferred, then low bits.
  F2Echelon seen;
  for (unsigned bit = 0; bit < layout.inBits(Dim::Register); ++bit)
    seen.insert(layout.column(Dim::Register, bit), bit);
  uint32_t mask = 0;
  std::vector<uint64_t> columns = threadColumns(layout, threadBits);
  for (unsigned bit = 0; bit < threadBits; ++bit)
    if (!seen.insert(columns[bit], layout.inBits(Dim::Register) + bit))
      mask |= 1u << bit;
  return mask;
}

} // namespace

AccessPlan planAccess(const LinearLayout &layout, unsigned threadBits, std::span<const unsigned> contiguous,
                      unsigned elementBits) {
  AccessPlan plan;
  std::vector<unsigned> run;
  for (unsigned axis = 0; axis < layout.outs().size() && axis < contiguous.size(); ++axis) {
    unsigned limit = std::min(contiguous[axis], MaxVectorBits / elementBits);
    std::vector<unsigned> candidate = runOfRegisters(layout, axis, 1, limit);
    if (candidate.size() > run.size())
      run = candidate;
  }
  plan.elements = 1u << run.size();
  unsigned vectorBits = plan.elements * elementBits;
  plan.wordBits = std::max(elementBits, std::min(vectorBits, 32u));
  plan.words = vectorBits / plan.wordBits;

  std::vector<uint64_t> positions = registerPositions(layout);
  std::unordered_map<uint64_t, uint32_t> holder;
  std::vector<uint32_t> steps;
  for (unsigned bit : run)
    steps.push_back(1u << bit);
  const std::vector<uint32_t> members = allSums(steps);
  plan.original.resize(positions.size());
  for (uint32_t reg = 0; reg < positions.size(); ++reg)
    plan.original[reg] = holder.try_emplace(positions[reg], reg).first->second;
  for (uint32_t reg = 0; reg < positions.size(); ++reg) {
    if ((reg & members.back()) || plan.original[reg] != reg)
      continue;
    std::vector<uint32_t> registers;
    for (uint32_t member : members)
      registers.push_back(plan.original[reg | member]);
    plan.vectors.push_back(std::move(registers));
  }
  plan.copyBits = redundantThreadBits(layout, threadBits);
  return plan;
}

} // namespace tegula
