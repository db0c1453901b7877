// The pass `widen-programs`: Passes.td says which kernels get more warps and why.
#include "compiler/analysis/Decision.h"
#include "compiler/analysis/ModuleTarget.h"
#include "compiler/analysis/resources/RegisterPressure.h"
#include "compiler/distribute/Passes.h"
#include "dialect/tile/Limits.h"
#include "dialect/tile/Tile.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/Remarks.h"

using namespace mlir;

namespace tegula {

#define GEN_PASS_DEF_WIDENPROGRAMSPASS
#include "compiler/distribute/Passes.h.inc"

namespace {

/// The number of elements of a tensor from which on a thread cannot hold them: it has 255 registers, so that
/// most of them go by way of local memory whatever is done.
constexpr int64_t TooManyElements = 512;
/// The number of elements that a thread gets instead, if there are warps enough: with 16 warps its share of
/// all registers.
constexpr int64_t EnoughElements = 128;

/// The largest tensor whose elements may leave their threads: among more warps they move through shared
/// memory, of which there are 227 KiB.
constexpr int64_t MostMovedElements = 1 << 16;

/// The registers of a thread that the sums of products may take. With more there is no room for the tensors
/// that a loop computes from one product for the next: the sums themselves go by way of local memory.
constexpr int64_t MostSums = 168;
/// The registers that a loop of products takes besides its sums: the sums of the product at hand, operands,
/// addresses.
constexpr int64_t BesidesSums = 96;
/// Those besides its sums and the results of the product at hand.
constexpr int64_t BesidesResults = 64;

/// Returns whether each thread computes its own elements of the results, or of what is reduced: more warps
/// then need no more shared memory.
bool keepsElements(Operation *op) {
  // All elements are reduced to one, as by `tl.sum` without an axis.
  if (auto reshape = dyn_cast<tile::ReshapeOp>(op))
    return reshape.getType().getRank() == 1 && llvm::all_of(op->getUsers(), llvm::IsaPred<tile::ReduceOp>);
  if (tile::GlobalAccess access = tile::globalAccessOf(op))
    return !access.isAtomic(); // of which the old value goes to all threads that have the element
  return op->hasTrait<OpTrait::Elementwise>() ||
         isa<tile::ArangeOp, tile::SplatOp, tile::ExpandDimsOp, tile::BroadcastOp, tile::AddPtrOp,
             tile::ReduceOp, arith::ConstantOp>(op) ||
         (op->getNumRegions() != 0 && !isa<tile::ScanOp>(op));
}

/// Elements of the largest tensor that threads hold; 0 where the kernel asks for its warps, its author chose
/// them for matrix units, or elements of large tensors move between threads.
int64_t elementsToSpread(func::FuncOp function) {
  int64_t elements = 0, moved = 0;
  const WalkResult result = function.walk([&](Operation *op) {
    if (tile::does(op, tile::Interaction::AsksDevice) || isa<tile::DotOp>(op))
      return WalkResult::interrupt();
    int64_t most = 0;
    for (Type type : op->getResultTypes())
      if (auto tensor = dyn_cast<RankedTensorType>(type))
        most = std::max(most, tensor.getNumElements());
    if (!isa<arith::ConstantOp, tile::SplatOp>(op))
      elements = std::max(elements, most);
    if (!keepsElements(op))
      moved = std::max(moved, most);
    return WalkResult::advance();
  });
  return result.wasInterrupted() || moved > MostMovedElements ? 0 : elements;
}

int64_t wordsOf(Type type) {
  auto tensor = dyn_cast<RankedTensorType>(type);
  if (!tensor || !tensor.getElementType().isIntOrFloat())
    return 0;
  return tensor.getNumElements() * tensor.getElementTypeBitWidth() / 32;
}

/// Words that are there while a product of `loop` is computed, the most of any, besides what the loop
/// carries: its result, where that adds to nothing carried, and what was computed before it for later.
int64_t wordsBeside(scf::ForOp loop) {
  Block &body = *loop.getBody();
  int64_t most = 0;
  for (auto dot : body.getOps<tile::DotOp>()) {
    const bool isCarried = llvm::is_contained(dot->getUsers(), body.getTerminator());
    int64_t words = isCarried ? 0 : wordsOf(dot.getType());
    for (Value value : heldAcross(dot))
      words += wordsOf(value.getType());
    most = std::max(most, words);
  }
  return most;
}

/// Words of the tensors that a loop of products carries, the most of any, and with `areBesides` of those that
/// are there besides them; 0 where there is none, or the kernel asks for its warps.
int64_t wordsOfSums(func::FuncOp function, bool areBesides) {
  int64_t most = 0;
  const WalkResult result = function.walk([&](Operation *op) {
    auto loop = dyn_cast<scf::ForOp>(op);
    if (loop && !loop.getBody()->getOps<tile::DotOp>().empty()) {
      int64_t words = areBesides ? wordsBeside(loop) : 0;
      for (Type type : loop.getResultTypes())
        words += wordsOf(type);
      most = std::max(most, words);
    }
    return tile::does(op, tile::Interaction::AsksDevice) ? WalkResult::interrupt() : WalkResult::advance();
  });
  return result.wasInterrupted() ? 0 : most;
}

class WidenPrograms : public impl::WidenProgramsPassBase<WidenPrograms> {
  void runOnOperation() override {
    for (auto function : getOperation().getOps<func::FuncOp>())
      if (auto kernel = function->getAttrOfType<tile::KernelAttr>("tile.kernel"))
        if (mayUse(function, Feature::Packing)) {
          spreadElements(function, kernel);
          spreadSums(function, kernel);
        }
  }

  void spreadElements(func::FuncOp function, tile::KernelAttr kernel) {
    const int64_t elements = elementsToSpread(function);
    uint32_t warps = kernel.getWarps();
    if (elements < TooManyElements * Target::warpSize * warps)
      return;
    while (warps < tile::MaxWarps && elements > EnoughElements * Target::warpSize * warps)
      warps *= 2;
    widen(function, kernel, warps,
          "{0} warps run one program instead of {1}, whose threads would hold {2} elements of a tensor",
          elements);
  }

  void spreadSums(func::FuncOp function, tile::KernelAttr kernel) {
    // Groups of warps multiply what lies in shared memory: they need few registers for operands and
    // addresses.
    const Target *target = targetOf(function);
    const bool areBesides = target && !target->warpgroupMma;
    const int64_t words = wordsOfSums(function, areBesides);
    uint32_t warps = kernel.getWarps();
    auto perThread = [&](uint32_t count) { return words / (Target::warpSize * count); };
    auto fits = [&](uint32_t count) {
      return perThread(count) + (areBesides ? BesidesResults : BesidesSums) <=
             std::min(Target::maxRegistersPerThread,
                      Target::registersPerMultiprocessor / (Target::warpSize * count));
    };
    while (perThread(warps) > MostSums && fits(2 * warps))
      warps *= 2;
    widen(function, kernel, warps,
          "{0} warps run one program instead of {1}, whose threads would hold {2} registers of sums", words);
  }

  /// Has `warps` warps run a program of `function`, if they are more; `share` is what they have to hold
  /// together.
  void widen(func::FuncOp function, tile::KernelAttr kernel, uint32_t warps, const char *what,
             int64_t share) {
    if (warps <= kernel.getWarps())
      return;
    function->setAttr("tile.kernel", tile::KernelAttr::get(&getContext(), warps, kernel.getStages()));
    remark::passed(function.getLoc(), remarkOptions("widen-programs", "widen", function))
        << remark::add(what, warps, kernel.getWarps(), share / (Target::warpSize * kernel.getWarps()))
        << remark::metric("Warps", warps);
  }
};

} // namespace

} // namespace tegula
