// One way to say no: a value, or the reason why there is none.
//
//     Decision<Box> boxOf(tile::LoadOp load) {
//       if (!isTensor(load))
//         return because("it loads one element").nothingToDo();
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
#include <vector>

namespace tegula {

/// The cause that something is not so: a parameter, a constant, a load or another op, as the author wrote
/// it.
struct Cause {
  std::string text; ///< "`n` is not known to be a multiple of 4"
  mlir::LocationAttr place;
  bool operator==(const Cause &) const = default;
};

/// The change that an author may make.
struct Advice {
  std::string change;         ///< "pass `num_stages=2` or more"; empty where nothing is known
  bool isNothingToDo = false; ///< no change of the kernel would help
  /// The parameter that would have to be 1, or a multiple of more; 0 where the change is about none. Who
  /// knows what is passed can tell whether that is to be had.
  int64_t wanted = 0;
  std::string parameter = {};
  std::string otherwise = {}; ///< what else to change; or empty
};

/// Why something is not so, in words that could follow "because".
struct Reason {
  std::string text;
  mlir::LocationAttr place =
      {}; ///< of the op that it is about, where that is another than the one asked about
  std::vector<Cause> causes = {};
  Advice advice = {};

  /// Adds what the author may change, to be read after "change:".
  Reason fixedBy(const char *change) && {
    advice.change = change;
    return std::move(*this);
  }
  Reason nothingToDo() && {
    advice.isNothingToDo = true;
    return std::move(*this);
  }
  Reason causedBy(Cause cause) && {
    causes.push_back(std::move(cause));
    return std::move(*this);
  }
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

/// Keys of a remark's arguments: a cause, with its place as the attribute; the line of the op that the reason
/// is about, with that op's place; what to change (MLIR's own key), with the unit attribute where that is
/// nothing; the parameter that would have to be something, with the number that it would have to be or be a
/// multiple of as the attribute; what else to change.
inline constexpr llvm::StringLiteral CauseKey = "RootCause", LineKey = "Line", ChangeKey = "Suggestion",
                                     ParameterKey = "Wish", OtherwiseKey = "WishElse";

/// Returns the options of the remark `name` of `pass` about `op`, which is in a kernel or is one.
mlir::remark::RemarkOpts remarkOptions(llvm::StringRef pass, llvm::StringRef name, mlir::Operation *op);

/// Say in a remark what is known.
mlir::remark::detail::Remark &operator<<(mlir::remark::detail::Remark &remark, const Cause &cause);
mlir::remark::detail::Remark &operator<<(mlir::remark::detail::Remark &remark, const Advice &advice);

/// Says in a remark why what it is about was not done: the reason with its causes and the advice. The op that
/// the reason is about is a cause, by its line, where that is another.
mlir::remark::detail::Remark &operator<<(mlir::remark::detail::Remark &remark, const Reason &why);

} // namespace tegula
