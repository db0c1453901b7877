#include "compiler/frontend/Dialects.h"

#include "dialect/tile/Tile.h"

void tegula::loadFrontendDialects(mlir::MLIRContext &context) {
  context.loadDialect<mlir::arith::ArithDialect, mlir::func::FuncDialect, mlir::math::MathDialect,
                      mlir::scf::SCFDialect, tile::TileDialect>();
}
