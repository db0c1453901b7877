#include "compiler/plan/ScanRounds.h"

namespace tegula {
namespace {

bool haveSameThreads(const ScanStep::Pair &a, const ScanStep::Pair &b) {
  return a.firstFrom == b.firstFrom && a.secondFrom == b.secondFrom;
}

/// The longest chain of `pairs` from number `begin` on.
ScanRounds chainFrom(std::span<const ScanStep::Pair> pairs, uint32_t begin, uint32_t made) {
  ScanRounds chain{.begin = begin};
  for (uint32_t i = begin + 1; i < pairs.size(); ++i) {
    bool carries = pairs[i].first == made + i - 1;
    if (!carries && pairs[i].first != pairs[begin].first)
      break;
    if ((i > begin + 1 && carries != chain.carries) || pairs[i].second >= made + begin ||
        !haveSameThreads(pairs[i], pairs[begin]))
      break;
    chain.carries = carries;
    ++chain.rounds;
  }
  return chain;
}

/// Returns whether `chain` needs nothing that `loop`, before it, makes.
bool mayJoin(std::span<const ScanStep::Pair> pairs, const ScanRounds &loop, const ScanRounds &chain,
             uint32_t made) {
  if (loop.rounds != chain.rounds || loop.carries != chain.carries ||
      !haveSameThreads(pairs[loop.begin], pairs[chain.begin]))
    return false;
  if (pairs[chain.begin].first >= made + loop.begin)
    return false;
  for (uint32_t i = chain.begin; i < chain.begin + chain.rounds; ++i)
    if (pairs[i].second >= made + loop.begin)
      return false;
  return true;
}

} // namespace

std::vector<ScanRounds> roundsOf(const ScanStep &step, uint32_t made) {
  std::vector<ScanRounds> result;
  for (uint32_t begin = 0; begin < step.pairs.size();) {
    ScanRounds chain = chainFrom(step.pairs, begin, made);
    begin += chain.rounds;
    if (!result.empty() && mayJoin(step.pairs, result.back(), chain, made))
      ++result.back().chains;
    else
      result.push_back(chain);
  }
  return result;
}

} // namespace tegula
