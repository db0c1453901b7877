// State of compilations that is worth keeping for the next one.
#pragma once

#include "compiler/driver/Stage.h"
#include "compiler/emit/Emit.h"

#include "mlir/IR/MLIRContext.h"
#include "mlir/Pass/PassManager.h"

#include <array>
#include <memory>
#include <mutex>
#include <string_view>
#include <vector>

namespace tegula {

/// A stage that MLIR passes make, with what makes it.
struct PassStage {
  Stage stage;
  std::string_view pipeline; ///< as `tegula-opt` calls it
  void (*build)(mlir::OpPassManager &);
};
extern const std::array<PassStage, 4> passStages;

/// For one thread at a time.
struct Worker {
  Worker();

  mlir::MLIRContext context;
  std::vector<std::unique_ptr<mlir::PassManager>> managers; ///< as `passStages`
  PtxEmitter emitter;
  unsigned uses = 0;
};

/// Workers that are not in use. Compilations run side by side, each with a worker of its own.
class Workers {
public:
  std::unique_ptr<Worker> take();
  /// One that is lost is left alone for ever: LLVM gave up amid its work.
  void giveBack(std::unique_ptr<Worker> worker, bool isLost);

private:
  std::mutex mutex;
  std::vector<std::unique_ptr<Worker>> idle;
};

} // namespace tegula
