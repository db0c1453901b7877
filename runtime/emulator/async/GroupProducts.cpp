#include "runtime/emulator/async/GroupProducts.h"

#include "runtime/emulator/async/GroupOperand.h"
#include "runtime/emulator/machine/Block.h"
#include "runtime/emulator/warp/Access.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace tegula::runtime::ptx {

GroupProducts::GroupProducts(uint32_t warps, uint32_t sharedBytes)
    : of(warps), meetings((warps + warpsOfGroup - 1) / warpsOfGroup),
      readers((sharedBytes + chunkBytes - 1) / chunkBytes) {}

void GroupProducts::beginBlock() {
  for (OfWarp &one : of)
    one = {};
  for (std::vector<Meeting> &met : meetings)
    met.clear();
  if (inFlight)
    std::fill(readers.begin(), readers.end(), uint16_t(0));
  inFlight = 0;
}

void GroupProducts::meet(Warp &warp, uint64_t a, uint64_t b) {
  std::vector<Meeting> &met = meetings[warp.index / warpsOfGroup];
  const uint64_t number = of[warp.index].met++;
  warp.block->wake(Warp::Rest::Group, warp.index / warpsOfGroup);
  if (number == met.size()) {
    met.push_back({warp.current, a, b, warp.index});
    return;
  }
  const Meeting &first = met[number];
  if (first.inst != warp.current)
    warp.fault(wholeWarp,
               fmt::format("the four warps of a group execute one product together, and warp {} has come to "
                           "the one at {} instead",
                           first.warp, warp.block->placeName(first.inst->line)));
  else if (first.a != a || first.b != b)
    warp.fault(
        wholeWarp,
        fmt::format("the four warps of a group have one descriptor of each operand: {:#x} and {:#x} here, "
                    "{:#x} and {:#x} in warp {}",
                    a, b, first.a, first.b, first.warp));
}

static bool meets(const std::vector<Row> &one, const std::vector<Row> &other) {
  return std::any_of(one.begin(), one.end(),
                     [&](Row row) { return std::find(other.begin(), other.end(), row) != other.end(); });
}

const FlyingProduct *GroupProducts::find(uint32_t warp, const std::vector<Row> &sums) const {
  const std::vector<FlyingProduct> &flying = of[warp].flying;
  const auto found = std::find_if(flying.rbegin(), flying.rend(),
                                  [&](const FlyingProduct &product) { return meets(product.sums, sums); });
  return found == flying.rend() ? nullptr : &*found;
}

void GroupProducts::issue(Warp &warp, FlyingProduct product) {
  OfWarp &own = of[warp.index];
  product.group = own.committed;
  product.number = own.met - 1;
  for (const uint32_t chunk : product.chunks)
    ++readers[chunk / chunkBytes];
  ++inFlight;
  own.flying.push_back(std::move(product));
}

void GroupProducts::commit(uint32_t warp) {
  ++of[warp].committed;
  of[warp].fenced = false;
}

void GroupProducts::wait(Warp &warp, uint32_t pending) {
  OfWarp &own = of[warp.index];
  const auto isDone = [&](const FlyingProduct &product) {
    return uint64_t(product.group) + pending < own.committed;
  };
  const auto firstLeft = std::find_if_not(own.flying.begin(), own.flying.end(), isDone);
  const uint32_t first = warp.index / warpsOfGroup * warpsOfGroup;
  for (auto product = own.flying.begin(); product != firstLeft; ++product)
    for (uint32_t peer = first; peer < first + warpsOfGroup; ++peer)
      if (of[peer].met <= product->number)
        return warp.block->rest(warp, Warp::Rest::Group, warp.index / warpsOfGroup);
  own.fenced = false;
  for (auto product = own.flying.begin(); product != firstLeft; ++product)
    finishRead(warp, *product);
  const std::vector<FlyingProduct> done(std::make_move_iterator(own.flying.begin()),
                                        std::make_move_iterator(firstLeft));
  own.flying.erase(own.flying.begin(), firstLeft);
  for (size_t i = 0; i < done.size() && !warp.faulted(); ++i) {
    // A later product of the same sums knows them better.
    const bool isLast = std::none_of(done.begin() + long(i) + 1, done.end(),
                                     [&](const FlyingProduct &later) { return later.sums == done[i].sums; });
    finish(warp, done[i], isLast);
  }
}

void GroupProducts::finishRead(Warp &warp, FlyingProduct &product) {
  Block &block = *warp.block;
  const uint32_t group = warp.index / warpsOfGroup;
  if (product.readAt == 0) {
    // The unit may have read as late as now: whoever writes next must come after a wait of one of the four.
    const uint32_t moment = block.nextMoment(group);
    for (uint32_t peer = group * warpsOfGroup; peer < (group + 1) * warpsOfGroup; ++peer)
      for (FlyingProduct &part : of[peer].flying) {
        if (part.number != product.number)
          continue;
        part.readAt = moment;
        --inFlight;
        for (const uint32_t chunk : part.chunks) {
          --readers[chunk / chunkBytes];
          const Access access{peer, Clocks::severalLanes, part.line, warp.serial, false, true, group};
          if (block.launch.checks.races)
            (void)block.shared.read(access, chunk, chunkBytes);
        }
      }
  }
  block.clocks.learn(warp.index, group, product.readAt);
}

void GroupProducts::finish(Warp &warp, const FlyingProduct &product, bool hasSums) {
  const auto place = [&] { return warp.block->placeName(product.line); };
  for (size_t i = 0; i < product.operand.size(); ++i)
    if (!std::equal(product.operandValues[i].begin(), product.operandValues[i].end(),
                    warp.row(product.operand[i])))
      return warp.fault(wholeWarp,
                        fmt::format("`{}`, an operand of the `wgmma` at {}, was changed before the wait",
                                    warp.function->rowNames[product.operand[i]], place()));
  // Sums that a product still in flight adds to stay undefined.
  if (!hasSums || find(warp.index, product.sums))
    return;
  for (size_t i = 0; i < product.sums.size(); ++i) {
    const Row row = product.sums[i];
    const bool isWritten = warp.defined[row] & warp.mask;
    if (isWritten || !std::equal(product.values[i].begin(), product.values[i].end(), warp.row(row)))
      return warp.fault(wholeWarp,
                        fmt::format("`{}`, a sum of the `wgmma` at {}, was written before the wait",
                                    warp.function->rowNames[row], place()));
    warp.setDefined(row, product.defined[i]);
  }
}

uint32_t GroupProducts::readerOf(uint64_t address, uint32_t count) const {
  if (!inFlight)
    return 0;
  const uint64_t first = address / chunkBytes, last = (address + count - 1) / chunkBytes;
  if (std::all_of(readers.begin() + long(first), readers.begin() + long(last) + 1,
                  [](uint16_t number) { return number == 0; }))
    return 0;
  for (const OfWarp &one : of)
    for (const FlyingProduct &product : one.flying)
      for (const uint32_t chunk : product.chunks)
        if (!product.readAt && chunk / chunkBytes >= first && chunk / chunkBytes <= last)
          return product.line;
  return 0;
}

uint32_t GroupProducts::writerOf(uint32_t warp, Row row) const {
  for (const FlyingProduct &product : of[warp].flying)
    if (std::find(product.sums.begin(), product.sums.end(), row) != product.sums.end())
      return product.line;
  return 0;
}

void GroupProducts::reportAbsent(Block &block) const {
  for (uint32_t warp = 0; warp < of.size(); ++warp)
    if (const uint32_t first = warp / warpsOfGroup * warpsOfGroup; of[warp].met != of[first].met) {
      const uint32_t late = of[warp].met < of[first].met ? warp : first;
      if (block.allWarps()[late].state != Warp::State::Done)
        continue;
      const Meeting &missed = meetings[warp / warpsOfGroup][of[late].met];
      block.reportFault(
          block.allWarps()[late], wholeWarp,
          fmt::format("the warp ends and never comes to the product at {}, which the four warps of "
                      "its group execute together",
                      block.placeName(missed.inst->line)));
      return;
    }
}

} // namespace tegula::runtime::ptx
