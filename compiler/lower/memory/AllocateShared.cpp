// The pass `allocate-shared`: see Passes.td.
#include "compiler/analysis/AuthorError.h"
#include "compiler/analysis/ModuleTarget.h"
#include "compiler/analysis/resources/SharedMemory.h"
#include "compiler/lower/Passes.h"
#include "compiler/lower/memory/PendingAccesses.h"

#include <functional>
#include <map>

using namespace mlir;

namespace tegula {

#define GEN_PASS_DEF_ALLOCATESHAREDPASS
#include "compiler/lower/Passes.h.inc"

namespace {

struct AllocateShared : impl::AllocateSharedPassBase<AllocateShared> {
  void runOnOperation() override {
    for (auto kernel : getOperation().getOps<func::FuncOp>())
      if (auto attribute = kernel->getAttrOfType<tile::KernelAttr>("tile.kernel"))
        if (failed(allocate(kernel, attribute)))
          return signalPassFailure();
  }

private:
  LogicalResult allocate(func::FuncOp kernel, tile::KernelAttr attribute) {
    kernel.walk([](Operation *op) { op->removeAttr("tile.scratch"); });
    MemoryUses uses(kernel);
    SharedMemory memory(kernel, uses.scratches, KernelOrder(kernel));
    if (memory.all().empty())
      return success();
    keepApart(kernel, uses, memory);
    if (const uint64_t total = memory.place(); total > memory.available)
      return reportTooMuch(kernel, attribute, memory, total);
    for (const SharedPiece &piece : memory.all())
      piece.op->setAttr("tile.scratch", tile::ScratchAttr::get(&getContext(), uint32_t(*piece.offset),
                                                               uint32_t(piece.bytes)));
    return success();
  }

  /// Asks for places apart where an op would come to bytes that another warp may still read.
  static void keepApart(func::FuncOp kernel, MemoryUses &uses, SharedMemory &memory) {
    if (memory.all().size() < 2)
      return;
    llvm::DenseMap<Operation *, unsigned> numbers;
    for (auto [number, piece] : llvm::enumerate(memory.all()))
      numbers[piece.op] = unsigned(number);
    followPending(kernel, uses, [&](Operation *op, Pending &pending) {
      auto found = numbers.find(op);
      if (found == numbers.end())
        return;
      for (Operation *reader : pending.readers)
        if (auto other = numbers.find(reader); reader != op && other != numbers.end())
          memory.keepApart(found->second, other->second);
    });
  }

  /// Names each piece where they are too much for the target.
  static LogicalResult reportTooMuch(func::FuncOp kernel, tile::KernelAttr attribute,
                                     const SharedMemory &memory, uint64_t total) {
    const Target *target = targetOf(kernel);
    // A piece that lives as long as the kernel, after all others, tells nothing of those that are too much.
    const SharedPiece *telling = nullptr;
    for (const SharedPiece &piece : memory.all())
      if (piece.rank != SharedRank::Barriers && (!telling || piece.end() > telling->end()))
        telling = &piece;
    bool hasStages = llvm::any_of(memory.all(), [](const SharedPiece &piece) {
      auto alloc = dyn_cast<tgpu::AllocOp>(piece.op);
      return alloc && alloc.getType().getSlots() > 1;
    });
    InFlightDiagnostic error =
        emitAuthorError(kernel.getLoc(), hasStages ? llvm::StringLiteral("use smaller tiles or fewer stages")
                                                   : llvm::StringLiteral("use smaller tiles"));
    error << "kernel `" << kernel.getName() << "` needs " << total << " bytes of shared memory, "
          << (target ? llvm::Twine("`") + llvm::StringRef(target->name) + "`" : llvm::Twine("no target"))
          << " has " << (target ? "" : "more than ") << memory.available << " for a block";
    attachResource(error, "shared memory", total, memory.available);
    if (attribute.getPrograms() > 1)
      error.attachNote() << attribute.getPrograms() << " programs share a block, each with what follows";
    std::multimap<uint64_t, Operation *, std::greater<>> together; // by size
    for (const SharedPiece &piece : memory.all())
      if (!telling || piece.live.overlaps(telling->live))
        together.emplace(piece.bytes, piece.op);
    for (auto [bytes, op] : together)
      describe(error.attachNote(op->getLoc()), op) << ": " << bytes << " bytes";
    return failure();
  }

  /// Sides and elements, `64x32xf16`: authors know no layouts.
  static std::string spelled(RankedTensorType type) {
    std::string text = "`";
    llvm::raw_string_ostream stream(text);
    for (int64_t side : type.getShape())
      stream << side << "x";
    stream << type.getElementType() << "`";
    return text;
  }

  static Diagnostic &describe(Diagnostic &note, Operation *op) {
    if (auto alloc = dyn_cast<tgpu::AllocOp>(op)) {
      note << "a buffer for ";
      if (alloc.getType().getSlots() > 1)
        note << alloc.getType().getSlots() << " times ";
      return note << spelled(alloc.getType().getTensor());
    }
    if (isa<tgpu::BarriersOp>(op))
      return note << "barriers of TMA copies";
    if (auto convert = dyn_cast<tile::ConvertLayoutOp>(op))
      return note << "threads exchange " << spelled(cast<RankedTensorType>(convert.getType()));
    return note << "threads exchange what `" << op->getName() << "` needs";
  }
};

} // namespace
} // namespace tegula
