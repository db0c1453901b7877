// Finds the pairs of a scan's step that a loop may carry out: pure data. No IR.
//
// A thread combines its elements one after the other, and combines each of them with what other threads have
// before it: the same function again and again. Four elements a, b, c, d in each of two lines make two chains
// of three rounds, and then two chains of four:
//
//      round   1    2    3                  1    2    3    4
//      line 0  ab   abc  abcd               pa   pab  pabc pabcd      p: what comes before
//      line 1  ab   abc  abcd               pa   pab  pabc pabcd
//
// In the first the pair's first value is what the round before made, in the second it is the same in all
// rounds. Written out, each pair is a copy of the function; a loop over rounds has one for each chain.
#pragma once

#include "compiler/plan/ScanPlan.h"

namespace tegula {

/// Neighbouring pairs of a `Combine` step: that of round r in chain c is number `begin + c * rounds + r`. The
/// second values are known before the first round, and which threads take a value as it is is the same for
/// all pairs.
struct ScanRounds {
  uint32_t begin = 0;
  uint32_t chains = 1, rounds = 1;
  bool carries =
      false; ///< the first value is what the chain's round before made; else it is that of its first round
};

/// Cuts the pairs of `step`, whose first value has the number `made`, into rounds.
/// \post every pair is in one of the results, in order; the values that a result needs are made by earlier
/// ones or by its own chains' earlier rounds, as `carries` says.
std::vector<ScanRounds> roundsOf(const ScanStep &step, uint32_t made);

} // namespace tegula
