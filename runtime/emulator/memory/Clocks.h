// Happens-before among the threads of a block, by vector clocks of its warps.
//
// Each warp carries a clock: entry v of warp w's clock is the last moment of warp v that w is known to come
// after. Barriers join clocks, and so do strong accesses (atomics, volatile, relaxed, acquire, release) to
// one address where their order says so. Inside a warp the lanes are ordered by .sync instructions alone,
// which start a new moment. Memory remembers its accesses as (warp, that warp's moment, lane): an access
// races with a remembered one when its warp's clock does not cover that moment.
//
// Units that read shared memory by themselves (`wgmma`) do so through another *proxy*, the async proxy: they
// see a thread's writes only once a `fence.proxy.async` follows these, by any thread that comes after them.
// So each warp carries a second clock: the moments that it knows such a fence to follow. A release hands on
// both clocks.
//
// Bulk copies are carried out by none of the threads. Each barrier in memory (mbarrier) that they signal has
// an *agent*, a column of its own in the clocks: what it writes has a moment of the agent, and threads that
// have waited for the barrier come after it. A group of four warps has an agent as well: what its products
// read (`wgmma`) is read by that, and all of the four know of it that have waited for the product.
//
// In a cluster a clock has these columns for each of its blocks, by rank, and on a fabric for each block of
// any launch: whatever orders two warps hands on what they know of the other blocks as well. Only numbers of
// the own block are columns for the functions below, unless they ask for another block's `Clocks`.
//
// Moments grow from block to block, so what an old block left behind is older than every new moment and
// nothing is cleared between blocks.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

namespace tegula::runtime::ptx {

/// Describes an access to a byte. Where there is an `agent` (see `Clocks`) the thread only starts it: the
/// write is the agent's, and later than anything the thread comes after. `serial` tells executed instructions
/// of a warp apart, `line` is the PTX line.
struct Access {
  uint32_t warp, lane, line, serial;
  bool strong;
  bool converged = false; ///< all lanes that the warp has left execute the instruction
  std::optional<uint32_t> agent = {};
};

/// An earlier access that the present one races with.
struct Conflict {
  bool found = false;
  bool wasWrite = false;
  uint32_t warp = 0; ///< `Clocks::isAgent` of it: a bulk copy
  uint32_t lane = 0; ///< 32: several lanes
  uint32_t line = 0; ///< PTX line
  uint64_t address = 0;
  /// By a thread of another block, which `warp` and `lane` do not say, or of another program of the same one.
  bool otherBlock = false;
};

class Clocks {
public:
  /// Two entries for each column: the last moment that comes before, and the last that is published. Columns
  /// beyond its end are 0, so that blocks may be added while clocks are about.
  using Clock = std::vector<uint32_t>;
  static constexpr uint32_t severalLanes = 32;

  /// The first `readerCount` of the agents read. Clocks have `allColumns` columns at first, of which a block
  /// has one for each of its warps and agents; 0: its own alone.
  void configure(uint32_t warpCount, uint32_t agentCount = 0, uint32_t readerCount = 0,
                 uint32_t allColumns = 0);
  /// Every warp is in step, and knows nothing of the other blocks. The block's columns begin with
  /// `firstColumn`. False when moments ran out: all stamps must be dropped, then `restart` called.
  [[nodiscard]] bool beginBlock(uint32_t firstColumn = 0);
  /// Starts a new moment of `warp`: what its lanes did before comes before what they do next. False as above.
  [[nodiscard]] bool tick(uint32_t warp);
  /// Counts moments anew. History is lost rather than wrong: no access before this can be reported.
  void restart();
  /// The moments of another block have restarted.
  void forget(const Clocks &other);

  uint32_t warpCount() const { return warps; }
  uint32_t agentCount() const { return uint32_t(agents.size()); }
  /// Columns of the block.
  uint32_t ownColumns() const { return columns; }
  uint32_t firstColumn() const { return first; }
  /// Columns of those that read: the warps', and behind them some agents'.
  uint32_t readers() const { return readerColumns; }
  /// Returns true if the `warp` of a mark denotes an agent.
  bool isAgent(uint32_t warp) const { return warp >= warps; }
  /// Returns the number that marks of `agent` have as their warp.
  uint32_t columnOf(uint32_t agent) const { return warps + agent; }
  /// The moment at the block's start; older stamps are of earlier blocks.
  uint32_t blockStart() const { return base; }
  uint32_t moment(uint32_t warp) const { return clocks[entry(warp, warp)]; }
  /// Returns how a mark stores an access made now: moment * 64 + lane.
  uint32_t stamp(uint32_t warp, uint32_t lane) const { return stampOf(moment(warp)) + lane; }
  static uint32_t stampOf(uint32_t moment) { return moment * 64; }
  /// Returns true if `warp`'s access with `stamp` happens before the present access of lane `lane` of
  /// `accessor`.
  bool ordered(uint32_t accessor, uint32_t warp, uint32_t lane, uint32_t stamp) const {
    const uint32_t then = stamp / 64;
    if (then < base)
      return true;
    const uint32_t known = clocks[entry(accessor, warp)];
    // A warp's own present moment is not behind it, except for the lane that acts.
    return accessor == warp ? then < known || stamp % 64 == lane : then <= known;
  }

  /// Returns true if units of `reader` see `warp`'s write with `stamp`, which happens before.
  bool isPublished(uint32_t reader, uint32_t warp, uint32_t stamp) const {
    const uint32_t then = stamp / 64;
    return then < base || isAgent(warp) || then <= published[entry(reader, warp)];
  }
  /// Returns true if `warp`'s access with `stamp` in this block happens before the present access of
  /// `accessor` in the block whose clocks are `others`.
  bool isBefore(uint32_t warp, uint32_t stamp, const Clocks &others, uint32_t accessor) const {
    return stamp / 64 <= std::max(base, others.clocks[size_t(accessor) * width + first + warp]);
  }
  /// Returns true if units of `reader` in that block see the write.
  bool isPublished(uint32_t warp, uint32_t stamp, const Clocks &others, uint32_t reader) const {
    return isAgent(warp) ||
           stamp / 64 <= std::max(base, others.published[size_t(reader) * width + first + warp]);
  }
  /// Returns the column of `warp` among those of all blocks.
  uint32_t wideColumn(uint32_t warp) const { return first + warp; }
  /// The last moment of a column among those of all blocks that `warp` comes after.
  uint32_t known(uint32_t warp, uint32_t wide) const {
    return wide < width ? clocks[size_t(warp) * width + wide] : 0;
  }
  /// The same of what units of `warp` see.
  uint32_t knownToUnits(uint32_t warp, uint32_t wide) const {
    return wide < width ? published[size_t(warp) * width + wide] : 0;
  }
  /// `fence.proxy.async`: units see all that `warp` comes after. The caller ticks.
  void publish(uint32_t warp);

  /// Starts a new moment of `agent`, whose next write it is. False as `tick`.
  [[nodiscard]] bool tickAgent(uint32_t agent);
  uint32_t agentMoment(uint32_t agent) const { return agents[agent]; }
  /// `warp` comes after what the agent did up to `moment`.
  void learn(uint32_t warp, uint32_t agent, uint32_t moment);
  /// The last moment of the agent that `warp` comes after.
  uint32_t learned(uint32_t warp, uint32_t agent) const { return clocks[entry(warp, columnOf(agent))]; }
  /// Makes writes of `agent` up to `moment` happen before anything that acquires `clock`.
  void releaseAgent(uint32_t agent, uint32_t moment, Clock &clock) const;

  Clock emptyClock() const { return Clock(size_t(width) * 2); }
  /// The last moment of a column in `clock`.
  static uint32_t known(const Clock &clock, uint32_t wide) {
    return size_t(wide) * 2 < clock.size() ? clock[size_t(wide) * 2] : 0;
  }
  static void join(Clock &into, const Clock &from);
  /// `release` joins the warp's clock into `clock`, `acquire` joins `clock` into the warp's.
  void release(uint32_t warp, Clock &clock) const;
  void acquire(uint32_t warp, const Clock &clock);

  /// A strong read of a place whose clock is `place`: an acquire learns at once, a relaxed one at the next
  /// fence.
  void readStrong(uint32_t warp, const Clock &place, bool acquires);
  /// A strong write: a release hands on all, a relaxed one what came before the warp's last fence.
  void writeStrong(uint32_t warp, Clock &place, bool releases) const;
  /// Returns true if a write has a clock to hand on.
  bool handsOn(uint32_t warp, bool releases) const { return releases || !fenced[warp].empty(); }
  void fence(uint32_t warp);

private:
  /// The entry of the own block's column `other` in a table like `clocks`.
  size_t entry(uint32_t warp, uint32_t other) const { return size_t(warp) * width + first + other; }
  /// Makes room for columns up to `wider`.
  void widen(uint32_t wider);
  /// Sets the own block's entries of `table` to the moment at its start.
  void fillOwn(std::vector<uint32_t> &table) const;
  void startMoments();

  uint32_t warps = 0, readerColumns = 0;
  uint32_t columns = 0, width = 0;     ///< of the block, and of all
  uint32_t first = 0;                  ///< the own block's first entry in a clock
  uint32_t base = 1, latest = 1;       ///< moment at the block's start, and the greatest moment in use
  std::vector<uint32_t> clocks;        ///< [warp * width + other]
  std::vector<uint32_t> published;     ///< likewise
  std::vector<uint32_t> agents;        ///< the present moment of each
  std::vector<Clock> fenced, observed; ///< a warp; empty before the first fence or relaxed read
};

} // namespace tegula::runtime::ptx
