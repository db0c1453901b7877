#include "runtime/emulator/async/GroupProducts.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace tegula::runtime::ptx {

GroupProducts::GroupProducts(BlockState &block, std::span<Warp> warps)
    : block(block), warps(warps), of(warps.size()),
      meetings((warps.size() + warpsOfGroup - 1) / warpsOfGroup) {}

void GroupProducts::beginBlock() {
  for (OfWarp &one : of)
    one = {};
  for (std::vector<Meeting> &met : meetings)
    met.clear();
}

void GroupProducts::meet(Warp &warp, uint64_t a, uint64_t b) {
  std::vector<Meeting> &met = meetings[warp.index / warpsOfGroup];
  const uint64_t number = of[warp.index].met++;
  wake(warps, Warp::Rest::Group, warp.index / warpsOfGroup);
  if (number == met.size()) {
    met.push_back({warp.current, a, b, warp.index});
    return;
  }
  const Meeting &first = met[number];
  if (first.inst != warp.current)
    warp.fault(wholeWarp,
               "the four warps of a group execute one product together, and warp {} has come to "
               "the one at {} instead",
               first.warp, block.faults.placeName(first.inst->line));
  else if (first.a != a || first.b != b)
    warp.fault(wholeWarp,
               "the four warps of a group have one descriptor of each operand: {:#x} and {:#x} here, "
               "{:#x} and {:#x} in warp {}",
               a, b, first.a, first.b, first.warp);
}

static bool meets(const std::vector<Row> &one, const std::vector<Row> &other) {
  return std::any_of(one.begin(), one.end(),
                     [&](Row row) { return std::find(other.begin(), other.end(), row) != other.end(); });
}

const PendingProduct *GroupProducts::find(uint32_t warp, const std::vector<Row> &sums) const {
  const std::vector<PendingProduct> &pending = of[warp].pending;
  const auto found = std::find_if(pending.rbegin(), pending.rend(),
                                  [&](const PendingProduct &product) { return meets(product.sums, sums); });
  return found == pending.rend() ? nullptr : &*found;
}

void GroupProducts::issue(Warp &warp, PendingProduct product, std::vector<uint32_t> chunks) {
  OfWarp &own = of[warp.index];
  product.group = own.committed;
  product.number = own.met - 1;
  product.reading = block.unitReads.begin({"`wgmma`", product.line}, std::move(chunks));
  own.pending.push_back(std::move(product));
}

void GroupProducts::commit(uint32_t warp) {
  ++of[warp].committed;
  of[warp].fenced = false;
}

void GroupProducts::wait(Warp &warp, uint32_t pending) {
  OfWarp &own = of[warp.index];
  const auto isDone = [&](const PendingProduct &product) {
    return uint64_t(product.group) + pending < own.committed;
  };
  const auto firstLeft = std::find_if_not(own.pending.begin(), own.pending.end(), isDone);
  const uint32_t first = warp.index / warpsOfGroup * warpsOfGroup;
  for (auto product = own.pending.begin(); product != firstLeft; ++product)
    for (uint32_t peer = first; peer < first + warpsOfGroup; ++peer)
      if (of[peer].met <= product->number)
        return warp.rest(Warp::Rest::Group, warp.index / warpsOfGroup);
  own.fenced = false;
  for (auto product = own.pending.begin(); product != firstLeft; ++product)
    finishRead(warp, *product);
  const std::vector<PendingProduct> done(std::make_move_iterator(own.pending.begin()),
                                         std::make_move_iterator(firstLeft));
  own.pending.erase(own.pending.begin(), firstLeft);
  for (size_t i = 0; i < done.size() && !warp.faulted(); ++i) {
    // A later product of the same sums knows them better.
    const bool isLast = std::none_of(done.begin() + long(i) + 1, done.end(),
                                     [&](const PendingProduct &later) { return later.sums == done[i].sums; });
    finish(warp, done[i], isLast);
  }
}

void GroupProducts::finishRead(Warp &warp, PendingProduct &product) {
  const uint32_t group = warp.index / warpsOfGroup;
  if (product.readAt == 0) {
    // The unit may have read as late as now: the next write must come after a wait of one of the four warps.
    const uint32_t moment = block.nextMoment(group);
    for (uint32_t peer = group * warpsOfGroup; peer < (group + 1) * warpsOfGroup; ++peer)
      for (PendingProduct &part : of[peer].pending) {
        if (part.number != product.number)
          continue;
        part.readAt = moment;
        for (const uint32_t chunk : block.unitReads.end(part.reading)) {
          const Access access{peer, Clocks::severalLanes, part.line, warp.serial, false, true, group};
          if (block.launch.checks.races)
            (void)block.shared.read(access, chunk, chunkBytes);
        }
      }
  }
  block.clocks.learn(warp.index, group, product.readAt);
}

void GroupProducts::finish(Warp &warp, const PendingProduct &product, bool hasSums) {
  const auto place = [&] { return block.faults.placeName(product.line); };
  for (size_t i = 0; i < product.operand.size(); ++i)
    if (!std::equal(product.operandValues[i].begin(), product.operandValues[i].end(),
                    warp.row(product.operand[i])))
      return warp.fault(wholeWarp, "`{}`, an operand of the `wgmma` at {}, was changed before the wait",
                        warp.function->rowNames[product.operand[i]], place());
  // Sums that a product still in flight adds to stay undefined.
  if (!hasSums || find(warp.index, product.sums))
    return;
  for (size_t i = 0; i < product.sums.size(); ++i) {
    const Row row = product.sums[i];
    const bool isWritten = warp.defined[row] & warp.mask;
    if (isWritten || !std::equal(product.values[i].begin(), product.values[i].end(), warp.row(row)))
      return warp.fault(wholeWarp, "`{}`, a sum of the `wgmma` at {}, was written before the wait",
                        warp.function->rowNames[row], place());
    warp.setDefined(row, product.defined[i]);
  }
}

uint32_t GroupProducts::writerOf(uint32_t warp, Row row) const {
  for (const PendingProduct &product : of[warp].pending)
    if (std::find(product.sums.begin(), product.sums.end(), row) != product.sums.end())
      return product.line;
  return 0;
}

void GroupProducts::reportAbsent() const {
  for (uint32_t warp = 0; warp < of.size(); ++warp)
    if (const uint32_t first = warp / warpsOfGroup * warpsOfGroup; of[warp].met != of[first].met) {
      const uint32_t late = of[warp].met < of[first].met ? warp : first;
      if (warps[late].state != Warp::State::Done)
        continue;
      const Meeting &missed = meetings[warp / warpsOfGroup][of[late].met];
      block.faults.report(
          warps[late].current, late, wholeWarp,
          fmt::format("the warp ends and never comes to the product at {}, which the four warps of "
                      "its group execute together",
                      block.faults.placeName(missed.inst->line)));
      return;
    }
}

} // namespace tegula::runtime::ptx
