#include "compiler/lower/code/ThreadIndex.h"
#include "compiler/lower/code/Constants.h"
#include "compiler/lower/code/InlinePtx.h"
#include "compiler/target/Target.h"

#include "llvm/Support/FormatVariadic.h"

#include <cassert>

using namespace mlir;

namespace tegula {
namespace {

/// Returns the place of the op that is being lowered.
Location placeOf(OpBuilder &builder) {
  Block *block = builder.getInsertionBlock();
  Block::iterator at = builder.getInsertionPoint();
  return at != block->end() ? at->getLoc() : block->getParentOp()->getLoc();
}

} // namespace

Value ThreadIndex::once(OpBuilder &builder, Value &known, llvm::function_ref<Value(Location)> make) {
  if (known)
    return known;
  Location asked = placeOf(builder);
  OpBuilder::InsertionGuard guard(builder);
  if (last) {
    builder.setInsertionPointAfter(last);
  } else {
    auto function = builder.getInsertionBlock()->getParent()->getParentOfType<FunctionOpInterface>();
    builder.setInsertionPointToStart(&function->getRegion(0).front());
  }
  known = make(asked);
  last = &*std::prev(builder.getInsertionPoint());
  return known;
}

Value ThreadIndex::threadInBlock(OpBuilder &builder) {
  return once(builder, blockThread, [&](Location loc) {
    auto range = LLVM::ConstantRangeAttr::get(builder.getContext(), APInt(32, 0), APInt(32, blockThreads));
    return NVVM::ThreadIdXOp::create(builder, loc, builder.getI32Type(), range);
  });
}

Value ThreadIndex::thread(OpBuilder &builder) {
  Value tid = threadInBlock(builder);
  if (programs == 1)
    return tid;
  return once(builder, threadValue, [&](Location loc) {
    return arith::AndIOp::create(builder, loc, tid, constant(builder, loc, Target::warpSize * warps - 1));
  });
}

Value ThreadIndex::program(OpBuilder &builder) {
  Value tid = threadInBlock(builder);
  return once(builder, programValue, [&](Location loc) {
    return arith::ShRUIOp::create(builder, loc, tid,
                                  constant(builder, loc, Executor{.warps = warps}.threadBits()));
  });
}

Value linearOf(OpBuilder &builder, Location loc, Value number, uint32_t bits, ArrayRef<uint32_t> columns) {
  // Bits that move by the same distance move together: and, shift, then join the groups.
  std::map<int, uint32_t> masks; // distance to the left -> bits of the number
  for (unsigned from = 0; from < columns.size(); ++from)
    for (unsigned to = 0; to < 32; ++to)
      if (columns[from] >> to & 1)
        masks[int(to) - int(from)] |= 1u << from;
  Value sum;
  uint32_t sumBits = 0;
  for (auto [distance, mask] : masks) {
    Value term = number;
    if (mask != bits)
      term = arith::AndIOp::create(builder, loc, term, constant(builder, loc, mask));
    if (distance > 0)
      term = arith::ShLIOp::create(builder, loc, term, constant(builder, loc, distance));
    else if (distance < 0)
      term = arith::ShRUIOp::create(builder, loc, term, constant(builder, loc, -distance));
    uint32_t termBits = distance > 0 ? mask << distance : mask >> -distance;
    if (!sum)
      sum = term;
    else if (sumBits & termBits)
      sum = arith::XOrIOp::create(builder, loc, sum, term);
    else
      sum = arith::OrIOp::create(builder, loc, sum, term);
    sumBits |= termBits;
  }
  return sum;
}

Value ThreadIndex::linear(OpBuilder &builder, ArrayRef<uint32_t> columns) {
  if (llvm::all_of(columns, [](uint32_t column) { return column == 0; }))
    return {};
  Value tid = thread(builder);
  return once(builder, linears[columns.vec()], [&](Location loc) {
    return linearOf(builder, loc, tid, Target::warpSize * warps - 1, columns);
  });
}

Value ThreadIndex::linearOfWarps(OpBuilder &builder, ArrayRef<uint32_t> columns) {
  SmallVector<uint32_t> ofThread(LaneBits, 0);
  ofThread.append(columns.begin(), columns.end());
  Value own = linear(builder, ofThread);
  if (!own)
    return {};
  return once(builder, warpLinears[columns.vec()], [&](Location loc) {
    constexpr uint32_t AllLanes = ~0u, LastLane = 31;
    return NVVM::ShflOp::create(builder, loc, builder.getI32Type(), constant(builder, loc, AllLanes), own,
                                constant(builder, loc, 0), constant(builder, loc, LastLane),
                                NVVM::ShflKind::idx, UnitAttr());
  });
}

Value ThreadIndex::linearOfParts(OpBuilder &builder, unsigned parts, ArrayRef<uint32_t> columns) {
  SmallVector<uint32_t> ofWarp;
  for (unsigned part = parts; part < warps; part *= 2)
    ofWarp.push_back(0);
  ofWarp.append(columns.begin(), columns.end());
  return linearOfWarps(builder, ofWarp);
}

Value ThreadIndex::noneOf(OpBuilder &builder, uint32_t mask) {
  if (!mask)
    return {};
  Value tid = thread(builder);
  return once(builder, masks[mask], [&](Location loc) {
    Value bits = arith::AndIOp::create(builder, loc, tid, constant(builder, loc, mask));
    return arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::eq, bits, constant(builder, loc, 0));
  });
}

Value ThreadIndex::isFrom(OpBuilder &builder, uint32_t first) {
  Value tid = threadInBlock(builder), made;
  return once(builder, made, [&](Location loc) {
    return arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::uge, tid, constant(builder, loc, first));
  });
}

Value combine(OpBuilder &builder, Location loc, Value base, ArrayRef<uint32_t> columns, uint32_t value) {
  if (!base)
    return constant(builder, loc, value);
  if (!value)
    return base;
  uint32_t bits = 0;
  for (uint32_t column : columns)
    bits |= column;
  if (bits & value)
    return arith::XOrIOp::create(builder, loc, base, constant(builder, loc, value));
  return arith::AddIOp::create(builder, loc, base, constant(builder, loc, value),
                               arith::IntegerOverflowFlags::nsw | arith::IntegerOverflowFlags::nuw);
}

void emitBarrier(OpBuilder &builder, Location loc, const Executor &executor) {
  if (executor.isOneWarp())
    emitWarpBarrier(builder, loc);
  else if (executor.barrier == BlockBarrier)
    NVVM::Barrier0Op::create(builder, loc);
  else
    NVVM::BarrierOp::create(builder, loc, TypeRange(), constant(builder, loc, executor.barrier),
                            constant(builder, loc, Target::warpSize * executor.warps),
                            NVVM::BarrierReductionAttr(), Value());
}

void emitPartBarrier(OpBuilder &builder, Location loc, const Executor &executor, unsigned parts,
                     ThreadIndex &threads) {
  if (parts == 1)
    return emitBarrier(builder, loc, executor);
  if (parts == executor.warps)
    return emitWarpBarrier(builder, loc);
  // Numbers that are known: for one of run time the assembler takes all of the block's barriers.
  assert(FirstPartBarrier + parts <= Target::barriersPerBlock); // the op's verifier allows 8
  SmallVector<uint32_t> columns;
  for (unsigned part = 1; part < parts; part *= 2)
    columns.push_back(part);
  Value number = threads.linearOfParts(builder, parts, columns);
  for (unsigned part = 0; part < parts; ++part) {
    InlinePtx ptx(builder, loc);
    ptx.onlyIf(
        arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::eq, number, constant(builder, loc, part)));
    ptx.emit(llvm::formatv("bar.sync {0}, {1};", FirstPartBarrier + part,
                           Target::warpSize * executor.warps / parts)
                 .str());
  }
}

void emitWarpBarrier(OpBuilder &builder, Location loc) {
  NVVM::SyncWarpOp::create(builder, loc, constant(builder, loc, 0xffffffffu));
}

void emitProxyFence(OpBuilder &builder, Location loc) {
  NVVM::FenceProxyOp::create(builder, loc, NVVM::ProxyKind::async_shared,
                             NVVM::SharedSpaceAttr::get(builder.getContext(), NVVM::SharedSpace::shared_cta));
}

} // namespace tegula
