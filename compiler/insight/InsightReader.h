// Reads what an Insight has off the modules of a compilation, stage by stage.
#pragma once

#include "compiler/insight/Insight.h"
#include "compiler/insight/Places.h"

#include "mlir/IR/AsmState.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/Interfaces/LoopLikeInterface.h"
#include "llvm/ADT/DenseMap.h"

#include <map>
#include <string>

namespace tegula {
class LinearLayout;
class AxisInfoAnalysis;
} // namespace tegula

namespace tegula::insight {

class InsightReader {
public:
  explicit InsightReader(Insight &insight) : insight(insight), places(insight) {}

  /// Reads a finished stage, `name` as `--emit` calls it: its text, and of stages with tensors its values. Of
  /// stage `scheduled` also loops, and the registers that tensors hold.
  void readStage(llvm::StringRef name, mlir::ModuleOp module);
  /// Reads the pieces of shared memory off a module in which `allocate-shared` has placed them.
  void readShared(mlir::ModuleOp module);
  /// Lists the values of a module of stage `scheduled` that are used, and puts a `tile.debug_value` behind
  /// each, so that the stages after it tell where it is.
  void markValues(mlir::ModuleOp module);

private:
  /// A module while it is read.
  struct Reading {
    Index stage = 0;
    mlir::AsmState &state;
    const llvm::DenseMap<mlir::Operation *, std::pair<unsigned, unsigned>> &lines;
    llvm::DenseMap<mlir::Value, Index> values{}; ///< those that were added
    uint32_t lineOf(mlir::Operation *op) const;
  };
  void readText(llvm::StringRef name, mlir::ModuleOp module, Reading &reading);
  void readValue(mlir::Value value, mlir::Operation *op, const AxisInfoAnalysis *facts, Reading &reading);
  void readConversions(mlir::ModuleOp module, const Reading &reading);
  void readLoops(mlir::ModuleOp module, const Reading &reading);
  void readLoop(llvm::ArrayRef<mlir::LoopLikeOpInterface> parts, const Reading &reading);
  void readPressure(mlir::ModuleOp module, const Reading &reading);
  void markValue(mlir::Value value, mlir::OpBuilder &builder);
  Index layoutOf(const LinearLayout &layout);

  Insight &insight;
  Places places;
  std::map<std::string, Index> layouts; ///< by their text
};

} // namespace tegula::insight
