#include "compiler/interp/machine/TrustedRuns.h"

#include "compiler/analysis/access/SignTrust.h"
#include "dialect/tgpu/Tgpu.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FormatVariadic.h"

#include <algorithm>

using namespace mlir;

namespace tegula::interp {
namespace {

/// Returns how many elements of a tensor each thread has; all of them where operands of dots are copied for
/// several threads at once.
unsigned elementsOfThread(func::FuncOp function, Type type) {
  auto kernel = function->getAttrOfType<tile::KernelAttr>("tile.kernel");
  bool hasDots = function.walk([](tile::DotOp) { return WalkResult::interrupt(); }).wasInterrupted();
  size_t threads = kernel && !hasDots ? size_t(kernel.getWarps()) << LaneBits : 1;
  return unsigned(std::max<size_t>(1, elementCount(type) / threads));
}

TrustedRuns runsOf(Operation *access, const TrustedAccess &trust, unsigned most) {
  TrustedRuns runs;
  auto beyond = [most](ArrayRef<unsigned> trusted, ArrayRef<unsigned> proven) {
    SmallVector<unsigned, 4> lengths;
    for (auto [more, less] : llvm::zip_equal(trusted, proven))
      lengths.push_back(std::min(more, most) > less ? std::min(more, most) : 1);
    return lengths;
  };
  runs.elements = beyond(trust.trusted, trust.proven);
  runs.groups = beyond(trust.trustedGroups, trust.provenGroups);
  if (Value mask = tile::globalAccessOf(access).mask)
    runs.maskOperand = int(llvm::find(access->getOperands(), mask).getIndex());
  // The one that more is trusted of is more likely to be the wrong one.
  for (const TrustedDivision &division : trust.divisions)
    if (!runs.division || (runs.unlessOverflow && !division.unlessOverflow)) {
      runs.division = division.op;
      runs.unlessOverflow = division.unlessOverflow;
    }
  return runs;
}

LogicalResult fail(Machine &machine, const Step &step, const Tensor &pointer, size_t element) {
  const TrustedRuns &runs = *step.trusted;
  const char *why = runs.unlessOverflow ? ", since nothing that it is made of is" : "";
  (void)machine.fail(
      step,
      llvm::formatv("what is divided here was trusted not to be negative{0}: an access that takes "
                    "several elements at once would miss this one",
                    why),
      pointer.type, element);
  if (runs.division)
    machine.fault->location = runs.division->getLoc();
  return failure();
}

/// Returns whether element `index` goes together with `first`, from which it lies `bytes` away.
bool goTogether(const Tensor &pointer, const Tensor *mask, size_t first, size_t index, uint64_t bytes) {
  auto isKnown = [&](size_t i) { return !pointer.isUndefined(i) && !(mask && mask->isUndefined(i)); };
  if (!isKnown(first) || !isKnown(index)) // the access itself says what is wrong with that
    return true;
  bool active = !mask || mask->bits[first] != 0;
  if (mask && (mask->bits[index] != 0) != active)
    return false;
  return !active || pointer.bits[index] == pointer.bits[first] + bytes;
}

/// Checks that the elements of aligned groups, so many along each axis, lie `bytes` apart.
LogicalResult checkGroups(Machine &machine, const Step &step, ArrayRef<unsigned> lengths, uint64_t bytes) {
  const TrustedRuns &runs = *step.trusted;
  const Tensor &pointer = machine.operand(step, 0);
  const Tensor *mask = runs.maskOperand < 0 ? nullptr : &machine.operand(step, unsigned(runs.maskOperand));
  llvm::ArrayRef<int64_t> shape = shapeOf(pointer.type);
  size_t stride = 1;
  for (size_t axis = lengths.size(); axis-- > 0; stride *= size_t(shape[axis]))
    for (size_t i = 0; lengths[axis] > 1 && i < pointer.size(); ++i) {
      size_t steps = i / stride % lengths[axis]; // sides are powers of two, and so are groups
      if (!goTogether(pointer, mask, i - steps * stride, i, steps * bytes))
        return fail(machine, step, pointer, i);
    }
  return success();
}

} // namespace

llvm::DenseMap<Operation *, TrustedRuns> findTrustedRuns(func::FuncOp function) {
  SignTrust trust(function);
  llvm::DenseMap<Operation *, TrustedRuns> found;
  function.walk([&](Operation *op) {
    // The schedule stage made the copy of a load, which was checked.
    if (isa<tgpu::AsyncCopyOp>(op))
      return;
    if (std::optional<TrustedAccess> access = trust.of(op)) {
      TrustedRuns runs = runsOf(op, *access, elementsOfThread(function, op->getOperand(0).getType()));
      auto isLong = [](unsigned elements) { return elements > 1; };
      if (llvm::any_of(runs.elements, isLong) || llvm::any_of(runs.groups, isLong))
        found[op] = std::move(runs);
    }
  });
  return found;
}

LogicalResult runTrusted(Machine &machine, const Step &step) {
  const TrustedRuns &runs = *step.trusted;
  const Type pointers = machine.operand(step, 0).type;
  const uint64_t bytes = cast<tile::PtrType>(tile::elementTypeOf(pointers)).getPointeeBytes();
  if (failed(checkGroups(machine, step, runs.elements, bytes)) ||
      failed(checkGroups(machine, step, runs.groups, /*bytes=*/0)))
    return failure();
  return runs.run(machine, step);
}

} // namespace tegula::interp
