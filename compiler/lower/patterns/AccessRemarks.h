// Remarks on what memory accesses became: made where the instructions are made, so that they are true.
#pragma once

#include "compiler/analysis/Decision.h"
#include "compiler/analysis/integers/AxisInfoAnalysis.h"

#include "mlir/IR/BuiltinOps.h"
#include "llvm/ADT/DenseMap.h"

#include <set>
#include <string>

namespace tegula {

class AccessRemarks {
public:
  /// Remembers what limits each access of `module`; nothing where remarks are not asked for.
  void learn(mlir::ModuleOp module, const AxisInfoAnalysis &facts);

  /// Facts of an instruction besides its width.
  struct More {
    unsigned most = ~0u; ///< elements that it could take for its own reasons
    unsigned copies = 1; ///< registers that get each element, as they have one address
  };
  /// Tells that each instruction of `op` accesses `elements` elements. What pipelining and unrolling made
  /// several of is told once.
  void tell(mlir::Operation *op, unsigned elements, const More &more);

private:
  struct Facts {
    unsigned elementBytes;
    unsigned run;       ///< elements that one instruction may access along the fastest axis
    unsigned registers; ///< elements that a thread has
    unsigned inARow;    ///< elements of a thread that lie side by side in memory
    Reason limit;       ///< why the run is not longer
  };
  static Reason reasonFor(const Facts &facts, unsigned elements, unsigned most);

  std::string kernel;
  llvm::DenseMap<mlir::Operation *, Facts> known;
  std::set<std::pair<const void *, unsigned>> told; ///< places in the source, and how many elements
};

} // namespace tegula
