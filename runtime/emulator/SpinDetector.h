// Finds a block that goes round without end: its warps come back to states that they have been in, and
// nothing else happens.
//
// Now and then the state of one warp is hashed: where it is, its lanes and registers. A block that still gets
// somewhere keeps showing new states, if only in a counter; one whose warps all wait for what never comes
// shows old ones. Loops that count upwards for ever are left to the limit on instructions.
#pragma once

#include <cstdint>
#include <unordered_set>

namespace tegula::runtime::ptx {

class Warp;

class SpinDetector {
public:
  /// `warp` has just executed `instructions`. True once the block goes round without end.
  bool isEndless(const Warp &warp, uint64_t instructions);

private:
  std::unordered_set<uint64_t> seen;
  uint64_t sinceSample = 0;
  uint32_t quiet = 0; ///< samples in a row that showed nothing new
};

} // namespace tegula::runtime::ptx
