// Verifiers of ops on blocks of the launch.
#include "dialect/tgpu/Tgpu.h"

#include "mlir/Interfaces/FunctionInterfaces.h"

using namespace mlir;
using namespace tegula::tgpu;

static LogicalResult verifyInPersistent(Operation *op) {
  auto kernel = op->getParentOfType<FunctionOpInterface>();
  if (kernel && !kernel->hasAttr("tile.persistent"))
    return op->emitOpError("expected a kernel with `tile.persistent`: else blocks are programs");
  return success();
}

LogicalResult BlockIdOp::verify() { return verifyInPersistent(*this); }   // (block_id_c1)
LogicalResult NumBlocksOp::verify() { return verifyInPersistent(*this); } // (num_blocks_c1)
