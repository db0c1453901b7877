// The products of warp groups that a block has in flight: `wgmma.mma_async` until the wait that covers it.
//
// A product is computed when it is issued. Until its wait nothing may touch what it works on: its sums are
// undefined and must not be written, A in registers must not change, and the bytes that it reads of shared
// memory must not be written by any thread. The four warps of a group execute one instruction together; here
// each does its quarter when it gets there, and that all four execute the same ones in the same order is
// checked. A product is done for all four at once: the first warp to wait waits until the others have reached
// it, and then records for all of them that its memory has been read.
#pragma once

#include "runtime/emulator/warp/BlockState.h"
#include "runtime/emulator/warp/Warp.h"

#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace tegula::runtime::ptx {

/// Warps of a group.
inline constexpr uint32_t warpsOfGroup = 4;

/// One warp's part of a product.
struct PendingProduct {
  uint32_t line = 0;   ///< of the PTX
  uint32_t group = 0;  ///< how many groups the warp had committed before
  uint64_t number = 0; ///< among those that the warps of the group came to
  uint32_t readAt =
      0; ///< moment of the group's agent, once a wait of one of the four warps has found it done
  std::vector<Row> sums;
  std::vector<std::array<uint64_t, lanes>> values; ///< of the sums, when done
  std::vector<uint32_t> defined;                   ///< likewise, a bit a lane
  std::vector<Row> operand;                        ///< A where it comes from registers
  std::vector<std::array<uint64_t, lanes>> operandValues;
  UnitReads::Number reading = 0; ///< of what it reads of shared memory
};

class GroupProducts {
public:
  /// `block` and its `warps` must outlive this.
  GroupProducts(BlockState &block, std::span<Warp> warps);
  /// Groups in a block of so many warps: only whole ones have products.
  static uint32_t groupsOf(uint32_t warps) { return warps / warpsOfGroup; }
  void beginBlock();

  /// A warp comes to an instruction of its group with the given descriptors. Faults where another warp of the
  /// group came to another one instead.
  void meet(Warp &warp, uint64_t a, uint64_t b);
  /// The newest product in flight that writes one of `sums`; null if there is none.
  const PendingProduct *find(uint32_t warp, const std::vector<Row> &sums) const;
  /// `wgmma.fence`: registers may be handed to the unit.
  void fence(uint32_t warp) { of[warp].fenced = true; }
  bool isFenced(uint32_t warp) const { return of[warp].fenced; }
  /// The product reads `chunks` of shared memory.
  void issue(Warp &warp, PendingProduct product, std::vector<uint32_t> chunks);
  void commit(uint32_t warp);
  /// All groups but the `pending` newest are done: their sums have values, what they read is free. The warp
  /// rests as long as others of its group have not come to one of them.
  void wait(Warp &warp, uint32_t pending);

  /// The product in flight that writes the row, or 0: for the message where its value is used.
  uint32_t writerOf(uint32_t warp, Row row) const;
  /// Faults where a warp has ended that came to fewer products than another of its group.
  void reportAbsent() const;

private:
  struct OfWarp {
    std::vector<PendingProduct> pending; ///< oldest first
    uint32_t committed = 0;            ///< groups
    uint64_t met = 0;                  ///< instructions of the group that it came to
    bool fenced = false;               ///< since registers could change
  };
  struct Meeting {
    const Inst *inst;
    uint64_t a, b;
    uint32_t warp; ///< who was first
  };
  /// `product` is done; `hasSums` unless one that is done as well added to its sums later.
  void finish(Warp &warp, const PendingProduct &product, bool hasSums);
  /// Records that all parts of the product have been read, as the waiting `warp` then knows.
  void finishRead(Warp &warp, PendingProduct &product);

  BlockState &block;
  std::span<Warp> warps;
  std::vector<OfWarp> of;
  std::vector<std::vector<Meeting>> meetings; ///< of each group, all so far
};

} // namespace tegula::runtime::ptx
