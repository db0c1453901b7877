#include "compiler/analysis/Executor.h"

#include <bit>

using namespace mlir;

namespace tegula {

unsigned Executor::warpBits() const { return unsigned(std::bit_width(warps) - 1); }

Executors::Executors(func::FuncOp function) {
  if (tile::KernelAttr kernel = kernelOf(function))
    whole.warps = kernel.getWarps();
}

Executor Executors::of(Operation *) const { return whole; }

static func::FuncOp functionOf(Operation *op) {
  auto function = dyn_cast<func::FuncOp>(op);
  return function ? function : op->getParentOfType<func::FuncOp>();
}

Executor executorOf(Operation *op) { return Executors(functionOf(op)).of(op); }

tile::KernelAttr kernelOf(Operation *op) {
  func::FuncOp function = functionOf(op);
  return function ? function->getAttrOfType<tile::KernelAttr>("tile.kernel") : tile::KernelAttr();
}

unsigned warpsOfBlock(Operation *op) {
  tile::KernelAttr kernel = kernelOf(op);
  return kernel ? kernel.getWarps() * kernel.getPrograms() : 1;
}

} // namespace tegula
