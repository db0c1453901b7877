// One way to say no: a value, or the reason why there is none.
//
//     Decision<Box> boxOf(tile::LoadOp load) {
//       if (!isTensor(load))
//         return because("it loads one element");
//       Box box = TRY(boxAt(load.getPointer()));      passes the reason on
//       ...
//
// The caller decides what becomes of a reason: `remark::missed(...) << remark::add("...") << box.error()`.
#pragma once

#include "dialect/Outcome.h"

#include "mlir/IR/Operation.h"
#include "mlir/IR/Remarks.h"
#include "llvm/Support/FormatVariadic.h"

#include <string>

namespace tegula {

/// Why something is not so, in words that could follow "because".
struct Reason {
  std::string text;
  mlir::LocationAttr place =
      {}; ///< of the op that it is about, where that is another than the one asked about
};

/// A `T`, or a reason why not; without `T` yes, or why not.
template <typename T = void> using Decision = Outcome<T, Reason>;

/// Returns a reason, in the words of `llvm::formatv`.
template <typename... Parts> Reason because(const char *format, Parts &&...parts) {
  return {llvm::formatv(format, std::forward<Parts>(parts)...).str()};
}

/// Returns a reason that is about `op`.
template <typename... Parts> Reason because(mlir::Operation *op, const char *format, Parts &&...parts) {
  return {llvm::formatv(format, std::forward<Parts>(parts)...).str(), op->getLoc()};
}

/// Says in a remark why what it is about was not done, and which line is the reason where that is another.
mlir::remark::detail::Remark &operator<<(mlir::remark::detail::Remark &remark, const Reason &why);

} // namespace tegula
