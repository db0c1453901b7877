// The dialects that the front end makes ops of.
#pragma once

namespace mlir {
class MLIRContext;
} // namespace mlir

namespace tegula {

void loadFrontendDialects(mlir::MLIRContext &context);

} // namespace tegula
