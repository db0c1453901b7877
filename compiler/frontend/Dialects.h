// The dialects that the front end makes ops of.
#pragma once

namespace mlir {
class DialectRegistry;
class MLIRContext;
} // namespace mlir

namespace tegula {

void registerFrontendDialects(mlir::DialectRegistry &registry);

void loadFrontendDialects(mlir::MLIRContext &context);

} // namespace tegula
