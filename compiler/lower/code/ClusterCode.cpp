// Each thread of every block puts its registers into its block's shared memory, in chunks of 16 bytes:
//
//     chunk c of thread t of T is at 16 * (c * T + t)
//
// so that neighbouring threads access neighbouring bytes, in whichever layout the tensor is. Of C chunks in S
// blocks, block r adds up those from ceil(r * C / S) to ceil((r + 1) * C / S), each over all blocks by rank,
// and puts the sum in the place of its own. Then the first block reads each chunk from the block that added
// it up: no block reads much more than it would without the others.
#include "compiler/lower/code/ClusterCode.h"

#include "compiler/analysis/resources/ScratchBytes.h"
#include "compiler/lower/Symbols.h"
#include "compiler/lower/code/AccessCode.h"
#include "compiler/lower/code/Constants.h"
#include "compiler/lower/code/InlinePtx.h"
#include "compiler/lower/code/SharedAccessCode.h"
#include "dialect/tile/LoopSharing.h"

#include "llvm/Support/FormatVariadic.h"

using namespace mlir;

namespace tegula {
namespace {

using Values = SmallVector<Value>;

/// A register that counts blocks of a cluster, from `first` on.
template <typename Register> Value readCluster(OpBuilder &builder, Location loc, uint32_t first) {
  auto range = LLVM::ConstantRangeAttr::get(builder.getContext(), APInt(32, first),
                                            APInt(32, tile::MaxSharingBlocks + first));
  return Register::create(builder, loc, builder.getI32Type(), range);
}

/// Shared memory of the blocks of a cluster, as one op gives it to its threads.
class ClusterChunks {
public:
  ClusterChunks(OpBuilder &builder, Location loc, Value scratch, ValueRange registers,
                const SummingThreads &threads)
      : registers(registers), element(registers.front().getType()), threads(threads.count) {
    Value bytes = arith::MulIOp::create(builder, loc, threads.thread, constant(builder, loc, BytesAtOnce));
    own = addBytes(builder, loc, scratch, bytes);
  }

  size_t count() const { return llvm::divideCeil(registers.size(), each()); }

  /// Writes all chunks.
  void give(OpBuilder &builder, Location loc) const {
    for (size_t chunk = 0; chunk < count(); ++chunk)
      write(builder, loc, placeOf(builder, loc, constant(builder, loc, uint32_t(chunk))),
            packWords(builder, loc, Values(registers.slice(chunk * each(), elements())), shape().wordBits));
  }

  /// Adds up the chunks of block `rank` of `size` over all blocks.
  void sum(OpBuilder &builder, Location loc, Value rank, Value size) const {
    Value next = arith::AddIOp::create(builder, loc, rank, constant(builder, loc, 1));
    scf::ForOp::create(builder, loc, firstOf(builder, loc, rank, size), firstOf(builder, loc, next, size),
                       constant(builder, loc, 1), {},
                       [&](OpBuilder &b, Location at, Value chunk, ValueRange) {
                         Value place = placeOf(b, at, chunk);
                         write(b, at, place, packWords(b, at, sumOf(b, at, place, size), shape().wordBits));
                         scf::YieldOp::create(b, at);
                       });
  }

  /// Reads each chunk from the block that has added it up.
  Values collect(OpBuilder &builder, Location loc, Value size) const {
    Values all;
    for (size_t chunk = 0; chunk < count(); ++chunk) {
      Value places = arith::MulIOp::create(builder, loc, size, constant(builder, loc, uint32_t(chunk)));
      Value owner = arith::DivUIOp::create(builder, loc, places, constant(builder, loc, uint32_t(count())));
      Value place = placeOf(builder, loc, constant(builder, loc, uint32_t(chunk)));
      llvm::append_range(all, read(builder, loc, place, owner));
    }
    return all;
  }

private:
  static constexpr unsigned BytesAtOnce = 16;

  size_t each() const { return BytesAtOnce * 8 / element.getIntOrFloatBitWidth(); }
  /// Numbers of registers are powers of two: where one chunk is not full it is the only one.
  size_t elements() const { return std::min(each(), registers.size()); }
  AccessShape shape() const {
    return {.wordBits = element.getIntOrFloatBitWidth(),
            .words = unsigned(elements()),
            .addressSpace = SharedAddressSpace};
  }

  Value placeOf(OpBuilder &builder, Location loc, Value chunk) const {
    Value offset = arith::MulIOp::create(builder, loc, chunk, constant(builder, loc, threads * BytesAtOnce));
    return addBytes(builder, loc, own, offset);
  }

  /// ceil(rank * count / size)
  Value firstOf(OpBuilder &builder, Location loc, Value rank, Value size) const {
    Value all = arith::MulIOp::create(builder, loc, rank, constant(builder, loc, uint32_t(count())));
    Value least = arith::SubIOp::create(builder, loc, size, constant(builder, loc, 1));
    return arith::DivUIOp::create(builder, loc, arith::AddIOp::create(builder, loc, all, least), size);
  }

  void write(OpBuilder &builder, Location loc, Value place, ArrayRef<Value> words) const {
    emitStore(builder, loc, place, shape(), /*predicate=*/Value(), words);
  }

  /// The elements at `place` in block `rank`; zeros where `predicate` does not hold, which may be null.
  Values read(OpBuilder &builder, Location loc, Value place, Value rank, Value predicate = {}) const {
    Value there = addressInBlock(builder, loc,
                                 LLVM::PtrToIntOp::create(builder, loc, builder.getI32Type(), place), rank);
    InlinePtx ptx(builder, loc);
    std::string to = ptx.results(builder.getIntegerType(shape().wordBits), shape().words),
                at = ptx.operand(there);
    if (predicate) {
      const IntegerAttr zero = builder.getIntegerAttr(builder.getIntegerType(shape().wordBits), 0);
      ptx.onlyIf(predicate, Values(shape().words, LLVM::ConstantOp::create(builder, loc, zero)));
    }
    std::string vector = shape().words > 1 ? llvm::formatv(".v{0}", shape().words).str() : "";
    return unpackWords(
        builder, loc,
        ptx.emit(
            llvm::formatv("ld.shared::cluster{0}.b{1} {2}, [{3}];", vector, shape().wordBits, to, at).str()),
        element);
  }

  /// All reads are under way before the first sum waits for one: there are as many as the most blocks have,
  /// and those of blocks that are not there do nothing.
  Values sumOf(OpBuilder &builder, Location loc, Value place, Value size) const {
    Values sums = read(builder, loc, place, constant(builder, loc, 0));
    Value last = arith::SubIOp::create(builder, loc, size, constant(builder, loc, 1));
    for (uint32_t other = 1; other < tile::MaxSharingBlocks; ++other) {
      Value rank = constant(builder, loc, other);
      Value isThere = arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::ult, rank, size);
      Values terms = read(builder, loc, place, arith::MinUIOp::create(builder, loc, rank, last), isThere);
      for (auto [sum, term] : llvm::zip_equal(sums, terms)) {
        Value more = isa<IntegerType>(element) ? arith::AddIOp::create(builder, loc, sum, term).getResult()
                                               : arith::AddFOp::create(builder, loc, sum, term).getResult();
        sum = arith::SelectOp::create(builder, loc, isThere, more, sum);
      }
    }
    return sums;
  }

  Value own; ///< the place of the thread's first chunk in its own block
  ValueRange registers;
  Type element;
  unsigned threads;
};

} // namespace

Value clusterRank(OpBuilder &builder, Location loc) {
  return readCluster<NVVM::BlockInClusterIdXOp>(builder, loc, 0);
}

Value clusterSize(OpBuilder &builder, Location loc) {
  return readCluster<NVVM::ClusterDimBlocksXOp>(builder, loc, 1);
}

void emitClusterArrive(OpBuilder &builder, Location loc) {
  NVVM::ClusterArriveOp::create(builder, loc, /*aligned=*/builder.getUnitAttr());
}

void emitClusterWait(OpBuilder &builder, Location loc) {
  NVVM::ClusterWaitOp::create(builder, loc, /*aligned=*/builder.getUnitAttr());
}

void emitClusterBarrier(OpBuilder &builder, Location loc) {
  emitClusterArrive(builder, loc);
  emitClusterWait(builder, loc);
}

Value addressInBlock(OpBuilder &builder, Location loc, Value address, Value rank) {
  InlinePtx map(builder, loc);
  // In the order in which they are named.
  std::string mapped = map.result(builder.getI32Type()), from = map.operand(address),
              block = map.operand(rank);
  return map.emit(llvm::formatv("mapa.shared::cluster.u32 {0}, {1}, {2};", mapped, from, block).str(), false)
      .front();
}

/// The type of a number of `type` in memory.
static Type memoryTypeOf(Type type) {
  return type.isInteger(1) ? IntegerType::get(type.getContext(), 8) : type;
}

void GatheredNumbers::give(OpBuilder &builder, Location loc, ValueRange numbers, Value thread) const {
  // Thread r gives all to block r.
  Value place =
      arith::MulIOp::create(builder, loc, clusterRank(builder, loc), constant(builder, loc, GatheredBytes));
  Value own = arith::AddIOp::create(
      builder, loc, LLVM::PtrToIntOp::create(builder, loc, builder.getI32Type(), scratch), place);
  Value isGiver =
      arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::ult, thread, constant(builder, loc, blocks));
  Value rank = arith::SelectOp::create(builder, loc, isGiver, thread, constant(builder, loc, 0));
  Value there = addressInBlock(builder, loc, own, rank);
  for (auto [index, number] : llvm::enumerate(numbers)) {
    Value stored = number;
    if (Type wider = memoryTypeOf(number.getType()); wider != number.getType())
      stored = arith::ExtUIOp::create(builder, loc, wider, number);
    const unsigned bits = stored.getType().getIntOrFloatBitWidth();
    InlinePtx ptx(builder, loc);
    const std::string at = ptx.operand(there), value = ptx.operands(packWords(builder, loc, stored, bits));
    ptx.onlyIf(isGiver);
    ptx.emit(llvm::formatv("st.shared::cluster.b{0} [{1}+{2}], {3};", bits, at,
                           GatheredBytes * blocks * unsigned(index), value)
                 .str());
  }
  emitClusterBarrier(builder, loc);
}

Value GatheredNumbers::take(OpBuilder &builder, Location loc, Type type, unsigned index, Value rank) const {
  Value bytes = arith::MulIOp::create(builder, loc, rank, constant(builder, loc, GatheredBytes));
  Value place =
      arith::AddIOp::create(builder, loc, bytes, constant(builder, loc, GatheredBytes * blocks * index));
  Value address = addBytes(builder, loc, scratch, place);
  const Type stored = memoryTypeOf(type);
  const AccessShape shape{.wordBits = stored.getIntOrFloatBitWidth(), .addressSpace = SharedAddressSpace};
  Value number =
      unpackWords(builder, loc,
                  emitLoad(builder, loc, address, shape, /*predicate=*/Value(), /*otherwise=*/{}), stored)
          .front();
  return stored == type ? number : arith::TruncIOp::create(builder, loc, type, number).getResult();
}

SmallVector<Value> emitClusterSum(OpBuilder &builder, Location loc, ValueRange registers, Value scratch,
                                  const SummingThreads &threads) {
  Value size = clusterSize(builder, loc), rank = clusterRank(builder, loc);
  Value isMany =
      arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::ugt, size, constant(builder, loc, 1));
  auto keep = [&](OpBuilder &b, Location at) { scf::YieldOp::create(b, at, registers); };
  auto sum = [&](OpBuilder &b, Location at) {
    const ClusterChunks chunks(b, at, scratch, registers, threads);
    chunks.give(b, at);
    emitClusterBarrier(b, at);
    chunks.sum(b, at, rank, size);
    emitClusterBarrier(b, at);
    Value isFirst = arith::CmpIOp::create(b, at, arith::CmpIPredicate::eq, rank, constant(b, at, 0));
    auto collect = [&](OpBuilder &inside, Location there) {
      scf::YieldOp::create(inside, there, chunks.collect(inside, there, size));
    };
    auto collected = scf::IfOp::create(b, at, isFirst, collect, keep);
    // The others' memory is read by now.
    emitClusterBarrier(b, at);
    scf::YieldOp::create(b, at, collected.getResults());
  };
  auto branch = scf::IfOp::create(builder, loc, isMany, sum, keep);
  return SmallVector<Value>(branch.getResults());
}

} // namespace tegula
