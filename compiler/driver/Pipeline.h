// The only file that orders passes: one function, and one registered pipeline, for each stage.
#pragma once

#include "mlir/Pass/PassManager.h"

namespace mlir {
class DialectRegistry;
} // namespace mlir

namespace tegula {

/// tile -> tile: what the front end made, folded and tidied. Registered as `tegula-simplify`.
void buildSimplifyPipeline(mlir::OpPassManager &pm);

/// tile -> tile where every tensor has a layout. Registered as `tegula-distribute`.
void buildDistributePipeline(mlir::OpPassManager &pm);

/// Loops gain stages. Registered as `tegula-schedule`.
void buildSchedulePipeline(mlir::OpPassManager &pm);

/// tile -> llvm + nvvm. Registered as `tegula-lower`.
void buildLowerPipeline(mlir::OpPassManager &pm);

/// Every dialect that a stage reads or writes, and the translations to LLVM IR that emit needs.
void registerTegulaDialects(mlir::DialectRegistry &registry);

/// Every pass and pipeline of ours, and the upstream passes that the pipelines use, by name.
void registerTegulaPasses();

} // namespace tegula
