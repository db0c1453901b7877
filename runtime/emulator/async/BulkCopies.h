// The bulk copies (cp.async.bulk, TMA) that a block has in flight.
//
// A load takes its source when it is issued and changes shared memory at some time before the phase of its
// mbarrier completes: between turns of the warps, or when nothing else can run. A store takes its source when
// it is issued, reads it, as far as others can tell, until its group is waited for, and changes global memory
// then or at the block's end. Until then no thread may touch the bytes that a load writes or write those that
// a store reads.
//
// A load may go to several blocks of a cluster at once (multicast): each of them has a copy of its own among
// its loads, which comes when it likes.
#pragma once

#include "runtime/emulator/Random.h"
#include "runtime/emulator/async/BulkArray.h"
#include "runtime/emulator/async/Mbarriers.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <vector>

namespace tegula::runtime::ptx {

/// Calls `body(offset, bytes)` for the pieces of a range that are aligned to their size, a power of two up
/// to 16.
template <typename Body> void forAligned(uint64_t address, uint32_t count, Body body) {
  for (uint32_t done = 0; done < count;) {
    const uint32_t fits = std::bit_floor(count - done),
                   aligned = uint32_t(1) << std::min(4, std::countr_zero(address + done));
    const uint32_t piece = std::min(fits, aligned);
    body(done, piece);
    done += piece;
  }
}

/// One copy, and the thread that issued it. For a load that may be one of another block of the cluster.
struct BulkCopy {
  const Inst *inst = nullptr;
  Warp *issuer = nullptr;
  uint32_t warp = 0, lane = 0, serial = 0;
  std::vector<BulkChunk> chunks;
  // Fields of a load.
  uint32_t mbarrier = 0;    ///< address
  uint64_t phase = 0;       ///< of the mbarrier when it was issued
  ClusterOrder::Mark write; ///< by the mbarrier's agent
  // Fields of a store.
  uint32_t group = 0;  ///< number of the thread's group
  bool isRead = false; ///< a wait for the group has found its source read
  UnitReads::Number reading = 0;
};

class BulkCopies {
public:
  /// All must outlive this: the block, its warps, and the mbarriers that loads signal.
  BulkCopies(BlockState &block, std::span<Warp> warps, Mbarriers &mbarriers)
      : block(block), warps(warps), mbarriers(mbarriers), committed(warps.size()) {}
  void beginBlock();

  /// The copy's issuer starts a load to this block, whose source is in `copy`: it signals the mbarrier at the
  /// address that `copy` has. May fault.
  void load(BulkCopy copy);
  bool loadsUnderWay() const { return !loads.empty(); }
  /// The load issued first, or any where `random` is given, has come: it is in shared memory, and its
  /// mbarrier knows of it. May fault.
  void land(Random *random);

  void store(BulkCopy copy);
  void commit(uint32_t warp, uint32_t lane) { ++committed[warp][lane]; }
  /// All groups of the lane but the `pending` newest are done: their sources are read, and unless that is all
  /// that `onlyRead` asks for, global memory has changed. May fault.
  void wait(Warp &warp, uint32_t lane, uint32_t pending, bool onlyRead);

  /// Completes the stores that need no wait. Faults where a copy still uses the block's memory.
  void endBlock();

private:
  void finishRead(BulkCopy &copy, uint32_t waiting);
  void write(const BulkCopy &copy);
  bool isOwn(const BulkCopy &copy) const { return copy.issuer->block == &block; }
  /// The fault is the copy's, wherever its thread is by now.
  void fault(const BulkCopy &copy, const std::string &text);

  BlockState &block;
  std::span<Warp> warps;
  Mbarriers &mbarriers;
  std::vector<BulkCopy> loads, stores; ///< in the order in which they were issued
  /// The last load by another block that each agent has carried out.
  std::map<uint32_t, BulkCopy> landedFromOthers;
  std::vector<std::array<uint32_t, lanes>> committed;
};

} // namespace tegula::runtime::ptx
