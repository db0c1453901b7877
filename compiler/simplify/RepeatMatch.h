// Tells whether the same ops, several times in a row, are iterations of a loop.
#pragma once

#include "mlir/IR/Operation.h"
#include "llvm/ADT/APInt.h"
#include "llvm/ADT/DenseMap.h"

#include <optional>

namespace tegula {

/// The number that an integer constant, or each of its elements, is; nothing for every other op and for
/// booleans.
std::optional<llvm::APInt> wholeNumberOf(mlir::Operation *op);

/// A number that ops have in common which compute alike: of all but operands and whole numbers.
llvm::hash_code fingerprintOf(mlir::Operation *op);

/// The source of an operand.
struct OperandSource {
  enum class Place { Outside, SameIteration, IterationBefore };
  Place place;
  unsigned number;     ///< which value of its iteration
  mlir::Value outside; ///< the value itself, if it is of no iteration

  bool operator==(const OperandSource &) const = default;
};

/// One iteration: its ops and those within them, in order, and all values that they define.
struct Iteration {
  llvm::SmallVector<mlir::Operation *> ops;
  llvm::SmallVector<mlir::Value> values;
  /// The op of the block that each of them is, is nested in or is defined by or in.
  llvm::SmallVector<unsigned> opPlaces, valuePlaces;

  explicit Iteration(llvm::ArrayRef<mlir::Operation *> top);
};

/// The correspondence of iterations: they compute alike with what is the same for all of them, with values of
/// their own and of the previous iteration, and with numbers that grow by the same step from one to the next.
class RepeatMatch {
public:
  /// Takes the iterations of `length` ops each at the beginning of `ops` up to the first that does not
  /// correspond.
  RepeatMatch(llvm::ArrayRef<mlir::Operation *> ops, size_t length);

  /// The op of an iteration with which it would better begin: the fewest values go from one iteration to the
  /// next.
  unsigned bestBegin() const;

  llvm::SmallVector<Iteration, 0> iterations;
  /// The sources of the operands of an iteration, one op's after another's: for the first iteration, and for
  /// all others.
  llvm::SmallVector<OperandSource> first, later;
  /// The step by which an op's number grows, where it does, by the op's place in its iteration.
  llvm::DenseMap<unsigned, llvm::APInt> steps;

private:
  bool add(llvm::ArrayRef<mlir::Operation *> top);
  bool compareOps(const Iteration &now);
  bool compareNumbers(unsigned place, const llvm::APInt &now);
  bool compareSources(llvm::SmallVector<OperandSource> now);
  std::optional<llvm::SmallVector<OperandSource>> sourcesOf(const Iteration &iteration);

  /// The iteration that defines a value, and its number there.
  llvm::DenseMap<mlir::Value, std::pair<size_t, unsigned>> definitions;
};

} // namespace tegula
