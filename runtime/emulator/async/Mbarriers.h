// The barriers in shared memory of a block (mbarrier): phases that complete once so many threads have arrived
// and so many bytes of bulk copies have come.
//
// An arrival releases all that the thread did before; a completed wait for a phase acquires it. A phase is
// asked for by its parity, so a thread that misses one waits for another one: each warp's waits are counted,
// and that is an error. The contents of the eight bytes are opaque, so ordinary accesses to them are errors.
//
// In a cluster threads of other blocks arrive as well, and so do the bytes of their copies: a `Warp` below
// may be of another block unless it says otherwise.
#pragma once

#include "runtime/emulator/warp/BlockState.h"
#include "runtime/emulator/warp/Warp.h"

#include <array>
#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace tegula::runtime::ptx {

/// The most arrivals that a phase may wait for, and bytes.
inline constexpr uint32_t maxArrivals = (1u << 20) - 1, maxTransaction = (1u << 20) - 1;

struct Mbarrier {
  uint32_t count = 0;                 ///< arrivals of the coming phases
  uint32_t arrivals = 0, pending = 0; ///< of the present phase: all, and those to come
  int64_t bytes = 0;  ///< to come in this phase; below zero where they came before they were expected
  uint64_t phase = 0; ///< how many have completed
  uint32_t line = 0, warp = 0;    ///< who initialised it, at which PTX line
  bool fenced = false;            ///< a fence for mbarriers stands behind the initialisation
  uint32_t fencedAt = 0;          ///< in a cluster: the moment of that fence (`BlockState::initAgent`)
  uint32_t agent = 0;             ///< of the bulk copies that signal it (`Clocks`)
  const Inst *expected = nullptr; ///< what said last how many bytes come
  Clocks::Clock open, done;       ///< handed to this phase, and to those that have completed
  bool afterOthers = false;       ///< a block that has arrived has acquired what one outside released
  /// The last arrival by another block in this phase, and in the one that has completed last; else no block.
  ClusterOrder::Mark openFrom, doneFrom;
  std::vector<uint64_t> seen; ///< phases that each warp has waited for, or seen to be behind it
};

class Mbarriers {
public:
  /// `block` and its `warps` must outlive this.
  Mbarriers(BlockState &block, std::span<Warp> warps) : block(block), warps(warps) {}
  void beginBlock();

  /// The mbarrier at `address`, or null.
  const Mbarrier *find(uint32_t address) const {
    const auto found = all.find(address);
    return found == all.end() ? nullptr : &found->second;
  }

  // Each may fault. Addresses are multiples of eight inside the block's memory. Warps of this block
  // initialise, invalidate and wait.
  void init(Warp &warp, uint32_t lane, uint32_t address, uint32_t count);
  void invalidate(Warp &warp, uint32_t lane, uint32_t address);
  /// The mbarrier at `address`, for one of the operations below: null after a fault. It is initialised, and
  /// something orders that.
  Mbarrier *use(Warp &warp, uint32_t lane, uint32_t address);
  /// The same for a copy that will signal it: units must know of it as well.
  Mbarrier *useByUnit(Warp &warp, uint32_t lane, uint32_t address);
  void expect(Warp &warp, uint32_t lane, uint32_t address, Mbarrier &mbarrier, int64_t bytes);
  void arrive(Warp &warp, uint32_t lane, uint32_t address, Mbarrier &mbarrier, uint32_t count);
  /// Requires the scope of a cluster, `inCluster`, of a thread of another block: it `does` ("arrives") by
  /// `wanted` (".release.cluster"). False after a fault.
  bool reaches(Warp &warp, uint32_t lane, uint32_t address, bool inCluster, const char *does,
               const char *wanted) const;
  /// Requires that scope of a wait that has succeeded, where threads of other blocks arrived for the phase.
  bool waitReaches(Warp &warp, uint32_t lane, const Mbarrier &mbarrier, bool inCluster) const;
  /// The thread does not arrive in coming phases.
  void drop(Warp &warp, uint32_t lane, Mbarrier &mbarrier, uint32_t count);
  /// Returns true if the present or last phase, the one with this parity, has completed; the warp then comes
  /// after it.
  bool hasCompleted(Warp &warp, uint32_t lane, Mbarrier &mbarrier, uint32_t parity);
  /// Like `hasCompleted`, for the phase that was present when an arrival gave `state`.
  bool hasPassed(Warp &warp, uint32_t lane, Mbarrier &mbarrier, uint64_t state);
  /// Records that the agent's writes up to `moment` have arrived: `bytes` count for the mbarrier at
  /// `address`, if it still exists.
  void complete(uint32_t address, uint32_t bytes, uint32_t moment);

  /// Units, and the other blocks of the cluster after its next barrier, know of what `warp` has initialised.
  void fence(uint32_t warp);
  /// " of block 1 of the cluster", if it is not the warp's own.
  std::string blockNameFor(const Warp &warp) const;
  /// "the mbarrier at 0x400 (phase 0: 1 of 2 arrivals, 4096 bytes to come)"
  std::string describe(uint32_t address) const;
  /// Faults where bytes were expected that never came, or a thread of another block has arrived that could
  /// have come later than this end.
  void endBlock() const;

private:
  /// Returns the write of an initialisation that does not happen before what the warp does now.
  Conflict unordered(const Warp &warp, uint32_t lane, uint32_t address, const Mbarrier &mbarrier) const;
  void rememberArrival(Warp &warp, uint32_t lane, uint32_t address, Mbarrier &mbarrier);
  void faultIfArrivalMayBeLate() const;
  void tryComplete(uint32_t address, Mbarrier &mbarrier);
  void acquire(Warp &warp, Mbarrier &mbarrier);

  BlockState &block;
  std::span<Warp> warps;
  std::map<uint32_t, Mbarrier> all; ///< by address
  uint32_t made = 0;                ///< by the present block
  /// An arrival by another block, and at which address.
  struct OutsideArrival {
    ClusterOrder::Mark by;
    uint32_t address;
  };
  std::map<std::pair<uint32_t, uint32_t>, OutsideArrival> lastFrom; ///< by rank and warp
};

} // namespace tegula::runtime::ptx
