#include "compiler/analysis/resources/SharedMemory.h"

#include "compiler/analysis/ModuleTarget.h"

#include "llvm/Support/MathExtras.h"

#include <algorithm>
#include <limits>
#include <map>
#include <tuple>

using namespace mlir;

namespace tegula {

namespace {

/// The alignment of what programs of a block have each: the widest access.
constexpr uint64_t ProgramAlignment = 16;

uint64_t mostBytes(const Target *target) {
  if (target)
    return target->maxSharedPerBlock;
  uint64_t most = 0;
  for (const Target &any : allTargets())
    most = std::max<uint64_t>(most, any.maxSharedPerBlock);
  return most;
}

/// Returns the shared memory that a block may use to save barriers; what every target has where none is
/// meant.
uint64_t bytesForPlacesApart(const Target *target) {
  if (target)
    return target->sharedAtFullOccupancy();
  uint64_t least = std::numeric_limits<uint64_t>::max();
  for (const Target &any : allTargets())
    least = std::min<uint64_t>(least, any.sharedAtFullOccupancy());
  return least;
}

uint64_t lowestApartFrom(SmallVector<const SharedPiece *> others, const SharedPiece &piece) {
  llvm::sort(others, [](const SharedPiece *a, const SharedPiece *b) { return *a->offset < *b->offset; });
  uint64_t place = 0;
  for (const SharedPiece *other : others)
    if (other->overlaps(place, piece.bytes))
      place = llvm::alignTo(other->end(), piece.alignment);
  return place;
}

} // namespace

SharedMemory::SharedMemory(func::FuncOp kernel, Scratches &scratches, const KernelOrder &order)
    : available(mostBytes(targetOf(kernel))), forPlacesApart(bytesForPlacesApart(targetOf(kernel))) {
  auto attribute = kernel->getAttrOfType<tile::KernelAttr>("tile.kernel");
  programs = attribute ? attribute.getPrograms() : 1;
  kernel.walk<WalkOrder::PreOrder>([&](Operation *op) {
    const Scratch scratch = scratches.of(op);
    if (!scratch.bytes)
      return;
    auto alloc = dyn_cast<tgpu::AllocOp>(op);
    SharedPiece &piece = pieces.emplace_back();
    piece.op = op;
    piece.bytes = scratch.bytes;
    piece.alignment = scratch.alignment;
    piece.rank = alloc ? SharedRank::Buffer : scratch.isBuffer ? SharedRank::Barriers : SharedRank::Moment;
    piece.live = alloc ? order.liveRangeOf(alloc) : scratch.isBuffer ? order.whole() : order.at(op);
  });
}

SharedPiece *SharedMemory::of(Operation *op) {
  auto found = llvm::find_if(pieces, [&](const SharedPiece &piece) { return piece.op == op; });
  return found == pieces.end() ? nullptr : &*found;
}

void SharedMemory::drop(Operation *op) {
  llvm::erase_if(pieces, [&](const SharedPiece &piece) { return piece.op == op; });
}

void SharedMemory::reverseBuffers() {
  std::reverse(pieces.begin(), pieces.end());
  std::stable_partition(pieces.begin(), pieces.end(),
                        [](const SharedPiece &piece) { return piece.rank == SharedRank::Buffer; });
}

void SharedMemory::keepApart(unsigned a, unsigned b) {
  pieces[a].apartFrom.insert(b);
  pieces[b].apartFrom.insert(a);
  anyApart = true;
}

/// First fit leaves gaps, in one order here and in another there. What does not fit in any is placed by the
/// first.
uint64_t SharedMemory::place() {
  Tie chosen = Tie::AsTheyCome;
  for (Tie tie : {Tie::AsTheyCome, Tie::Earlier, Tie::Longer, Tie::AsTheyCome}) {
    placeBy(chosen = tie, /*isApart=*/false);
    if (bytes() <= available)
      break;
  }
  const uint64_t needed = bytes();
  if (!anyApart)
    return needed;
  placeBy(chosen, /*isApart=*/true);
  if (bytes() > std::max(needed, bytesOf(forPlacesApart)))
    placeBy(chosen, /*isApart=*/false);
  return bytes();
}

/// Places buffers first, mostly the largest first: they are what lives long. Barriers, which are few bytes
/// and live throughout, last: between two others they would part what several need one after the other.
void SharedMemory::placeBy(Tie tie, bool isApart) {
  std::multimap<std::tuple<SharedRank, uint64_t, uint64_t>, SharedPiece *>
      order; // keeps equal ones as they come
  for (SharedPiece &piece : pieces) {
    piece.offset.reset();
    const LiveRange live = piece.live;
    std::tuple<SharedRank, uint64_t, uint64_t> key{piece.rank, 0, 0};
    if (piece.rank == SharedRank::Buffer)
      key = {SharedRank::Buffer, tie == Tie::Longer ? ~uint64_t(live.last - live.first) : ~piece.bytes,
             tie == Tie::AsTheyCome ? 0 : live.first};
    order.emplace(key, &piece);
  }
  uint64_t limit = isApart ? forPlacesApart : 0;
  SmallVector<const SharedPiece *> placed;
  for (auto [key, piece] : order) {
    piece->offset = placeOf(*piece, placed, limit);
    placed.push_back(piece);
    if (isApart)
      limit = std::max(limit, piece->rank == SharedRank::Buffer ? piece->end() : piece->bytes);
  }
}

/// The lowest place apart from all that live at the same time and, where that is below `limit`, from those
/// whose reads may not be done. `placed` are those that have a place.
uint64_t SharedMemory::placeOf(const SharedPiece &piece, ArrayRef<const SharedPiece *> placed,
                               uint64_t limit) const {
  SmallVector<const SharedPiece *> others;
  for (const SharedPiece *other : placed)
    if (piece.live.overlaps(other->live))
      others.push_back(other);
  if (limit) {
    SmallVector<const SharedPiece *> more = others;
    for (unsigned other : piece.apartFrom)
      if (pieces[other].offset)
        more.push_back(&pieces[other]);
    if (uint64_t place = lowestApartFrom(more, piece); place + piece.bytes <= limit)
      return place;
  }
  return lowestApartFrom(others, piece);
}

uint64_t SharedMemory::bytesOf(uint64_t ofProgram) const {
  return programs * llvm::alignTo(ofProgram, ProgramAlignment);
}

uint64_t SharedMemory::bytes() const {
  uint64_t end = 0;
  for (const SharedPiece &piece : pieces)
    end = std::max(end, piece.end());
  return bytesOf(end);
}

} // namespace tegula
