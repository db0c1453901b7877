#include "compiler/lower/code/ShuffleRegisters.h"
#include "compiler/lower/code/AccessCode.h"
#include "compiler/lower/code/Constants.h"
#include "compiler/lower/code/LaneExchange.h"

#include <utility>

using namespace mlir;

namespace tegula {

namespace {

constexpr unsigned WordBytes = 4;

/// The registers of a tensor as words of several elements, and how a plan moves them: of a register's number
/// the lower bits say which element of its word it is.
class PackedShuffle {
public:
  PackedShuffle(LaneShuffle &shuffle, OpBuilder &builder, Location loc, const ShufflePlan &plan,
                ThreadIndex &threads, ValueRange source, unsigned elementBytes)
      : builder(builder), loc(loc), plan(plan), perWord(WordBytes / elementBytes), elementBytes(elementBytes),
        words(shuffle, builder, loc, plan, threads,
              packWords(builder, loc, SmallVector<Value>(source), WordBytes * 8), perWord) {
    // Elements are exchanged in the selector of `prmt`, which has four bits for a byte.
    SmallVector<uint32_t> columns;
    for (uint32_t column : plan.threadRegisters)
      columns.push_back(column % perWord * elementBytes);
    exchange = threads.linear(builder, columns);
  }

  /// Returns the word that has result registers `first` to `first + perWord`.
  Value word(unsigned first) {
    // By the word that each element comes from, in the order of its first use.
    SmallVector<std::pair<uint32_t, uint32_t>> sources;
    for (unsigned i = 0; i < perWord; ++i)
      if (!llvm::is_contained(sources, sourceOf(first + i)))
        sources.push_back(sourceOf(first + i));
    Value result = chosen(sources[0]);
    for (size_t next = 1; next < sources.size(); ++next)
      result = put(first, ArrayRef(sources).take_front(next), result, sources[next]);
    return sources.size() == 1 ? arranged(first, result) : result;
  }

private:
  std::pair<uint32_t, uint32_t> sourceOf(unsigned reg) const {
    return {plan.registers[reg] / perWord, plan.lanes[reg]};
  }

  Value chosen(std::pair<uint32_t, uint32_t> source) { return words.take(source.first, source.second); }

  /// Returns `word` with its elements where the registers from `first` on want them, all of which it has.
  Value arranged(unsigned first, Value word) {
    Selector selector;
    for (unsigned i = 0; i < perWord; ++i)
      take(selector, i, first + i, /*fromSecond=*/false);
    const bool isInPlace = selector.bytes == 0x3210 && !exchange;
    return isInPlace ? word : permute(word, word, selector);
  }

  /// Returns `before`, which has the elements that come from `done`, with those that come from `next`. Where
  /// one source is done, `before` is its word as it is.
  Value put(unsigned first, ArrayRef<std::pair<uint32_t, uint32_t>> done, Value before,
            std::pair<uint32_t, uint32_t> next) {
    Selector selector;
    for (unsigned i = 0; i < perWord; ++i) {
      const auto source = sourceOf(first + i);
      if (source == next || (done.size() == 1 && source == done.front()))
        take(selector, i, first + i, /*fromSecond=*/source == next);
      else
        keep(selector, i);
    }
    return permute(before, chosen(next), selector);
  }

  /// A selector of `prmt`: four bits for each byte of the result, and the units that a thread which takes the
  /// other elements of a word adds (exclusive or) for each.
  struct Selector {
    uint32_t bytes = 0, exchanged = 0;
  };

  void take(Selector &selector, unsigned place, unsigned reg, bool fromSecond) const {
    const unsigned element = plan.registers[reg] % perWord;
    for (unsigned byte = 0; byte < elementBytes; ++byte) {
      const unsigned shift = 4 * (place * elementBytes + byte);
      selector.bytes |= (element * elementBytes + byte + (fromSecond ? WordBytes : 0)) << shift;
      selector.exchanged |= 1u << shift;
    }
  }

  void keep(Selector &selector, unsigned place) const {
    for (unsigned byte = place * elementBytes; byte < (place + 1) * elementBytes; ++byte)
      selector.bytes |= byte << (4 * byte);
  }

  Value permute(Value low, Value high, const Selector &selector) {
    Value bytes = constant(builder, loc, selector.bytes);
    if (exchange)
      bytes = arith::XOrIOp::create(
          builder, loc, bytes,
          arith::MulIOp::create(builder, loc, exchange, constant(builder, loc, selector.exchanged)));
    return NVVM::PermuteOp::create(builder, loc, builder.getI32Type(), low, high, bytes,
                                   NVVM::PermuteMode::DEFAULT);
  }

  OpBuilder &builder;
  Location loc;
  const ShufflePlan &plan;
  unsigned perWord, elementBytes;
  LaneExchange words;
  Value exchange; ///< f, as far as it is about elements of a word, in bytes; null where it is 0
};

} // namespace

SmallVector<Value> shuffleRegisters(OpBuilder &builder, Location loc, const ShufflePlan &plan,
                                    ValueRange source, ThreadIndex &threads) {
  LaneShuffle shuffle(builder, loc);
  SmallVector<Value> results;
  const Type element = source.front().getType();
  const unsigned bits = elementBitsOf(element), perWord = bits ? WordBytes * 8 / bits : 0;
  if ((bits == 8 || bits == 16) && source.size() >= perWord && plan.registers.size() >= perWord) {
    PackedShuffle packed(shuffle, builder, loc, plan, threads, source, bits / 8);
    for (unsigned first = 0; first < plan.registers.size(); first += perWord)
      results.push_back(packed.word(first));
    return unpackWords(builder, loc, results, element);
  }
  LaneExchange exchange(shuffle, builder, loc, plan, threads, source, /*perGroup=*/1);
  for (size_t reg = 0; reg < plan.registers.size(); ++reg)
    results.push_back(exchange.take(plan.registers[reg], plan.lanes[reg]));
  return results;
}

} // namespace tegula
