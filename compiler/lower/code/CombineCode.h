// The code of a region of scalars: of `tile.reduce` or `tile.scan` for one pair of elements, of `tile.map`
// for one pack.
#pragma once

#include "dialect/tile/Tile.h"

#include "mlir/IR/PatternMatch.h"
#include "mlir/IR/Remarks.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"

namespace tegula {

/// Tells how the op `name` combines `registers` of a thread by `plan`, and what its shuffles are called.
template <typename Plan>
void remarkOnCombining(mlir::Location loc, llvm::StringRef name, size_t registers, unsigned combinations,
                       llvm::StringRef shuffles, const Plan &plan) {
  using namespace mlir::remark;
  llvm::SmallVector<std::string> parts{llvm::formatv("{0} registers", registers).str()};
  if (plan.shuffles)
    parts.push_back(llvm::formatv("{0} {1}", plan.shuffles, shuffles));
  if (plan.warps > 1)
    parts.push_back(llvm::formatv("{0} warps through {1} bytes of shared memory", plan.warps, plan.bytes));
  passed(loc, RemarkOpts::name(name).category("convert-tile-to-llvm"))
      << add("{0}", llvm::join(parts, ", ")) << metric("Registers", registers)
      << metric("Shuffles", plan.shuffles) << metric("Combinations", combinations)
      << metric("Warps", plan.warps) << metric("SharedBytes", plan.bytes);
}

/// Returns what `region` yields for `arguments`; these and the results, of `types`, in lowered form.
llvm::SmallVector<mlir::Value> inlineScalars(mlir::RewriterBase &rewriter, mlir::Location loc,
                                             mlir::Region &region, mlir::ValueRange arguments,
                                             mlir::TypeRange types);

/// Returns each value of `yes` where `condition` holds, else that of `no`.
llvm::SmallVector<mlir::Value> selectEach(mlir::OpBuilder &builder, mlir::Location loc, mlir::Value condition,
                                          mlir::ValueRange yes, mlir::ValueRange no);

/// Turns values by operand, then by number, into values by number, then by operand; and back.
llvm::SmallVector<llvm::SmallVector<mlir::Value>>
transposed(llvm::ArrayRef<llvm::SmallVector<mlir::Value>> values);

/// The results of the region `combine` for one pair of elements, each side with a value for each operand in
/// lowered form.
llvm::SmallVector<mlir::Value> inlineCombine(mlir::RewriterBase &rewriter, mlir::Location loc,
                                             mlir::Region &combine, mlir::ValueRange first,
                                             mlir::ValueRange second);

} // namespace tegula
