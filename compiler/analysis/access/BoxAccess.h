// Loads and stores of a box of an array, which a descriptor of the array and the coordinates of a corner
// describe in full.
//
// An access' pointers are a base and offsets, and those a sum over axes: a coordinate times the step of its
// axis, the coordinate being that of the box's corner and, along the tensor's axes, the place inside it:
//
//     base + (16 * pid + i) * stride + (64 * iteration + j)      a tensor<16x64>, i down and j along it
//
// In a loop what each iteration adds to a pointer is a multiple of the iteration's number. The mask gives the
// array's sizes: `16 * pid + i < rows` is one, and `j < columns - 64 * iteration` another. An axis that no
// mask bounds has no size of its own.
//
// TMA has zeros before an array, where pointers read what is there: a box begins at no negative coordinate
// unless the mask says the same. That is about the coordinates as they are shared out here: of the offset
// `rows - 32 - 32 * iteration` `rows` may have gone to another axis, and left the rest to this one. And it
// counts elements with 32 bits, where pointers have 64: a coordinate must fit. Both must be known from the
// places of programs, bounds of loops, `tile.assume` and facts of arguments; README.md says what is trusted
// on the way.
//
// A store must have these elements exactly: where its mask is more than such bounds, or its rows wrap,
// it is no box.
//
// `% rows` on a coordinate lets rows after the end wrap to some that exist, and `min(c, rows - 1)` and
// `where(c < rows, c, 0)` replace them by others too. A box has zeros there: whether that makes a difference
// is for `compiler/analysis/access/DemandedElements.h` to say.
#pragma once

#include "compiler/analysis/Decision.h"
#include "compiler/analysis/access/Box.h"
#include "compiler/analysis/integers/IntegerRanges.h"
#include "dialect/tile/Tile.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

namespace tegula {

/// Finds the boxes of accesses in the body of one loop, or outside of loops where it is null.
class BoxAnalysis {
public:
  BoxAnalysis(mlir::scf::ForOp loop, RangeFacts &ranges) : loop(loop), ranges(ranges) {}

  /// Returns the box that `load` reads. In a loop its coordinates are known when that is entered, but for the
  /// trip. Where it has zeros instead of what is read, that makes no difference.
  Decision<Box> boxOf(tile::LoadOp load);

  /// Returns the box that `store` writes, all of it and nothing else. Its coordinates are known where it
  /// stands; none may be negative.
  Decision<Box> boxOf(tile::StoreOp store);

  /// The elements of a tensor at places below `below` along `axis`, and not below `from` where there is such
  /// a bound.
  struct Bound {
    unsigned axis;
    Polynomial below;
    std::optional<Polynomial> from = std::nullopt;
  };
  /// Returns the bounds within which elements satisfy `mask`, a conjunction. Nothing where a part of it is no
  /// bound.
  std::optional<llvm::SmallVector<Bound>> boundsOf(mlir::Value mask);

private:
  /// A tensor's elements, `uniform` plus each axis' step times the place along it; a scalar has no axes.
  struct Affine {
    Polynomial uniform;
    llvm::SmallVector<Polynomial, 2> steps;
    /// The coordinate along an axis from which on others replace it (taken modulo that, or bounded), and
    /// where coordinates began by then.
    llvm::SmallVector<std::optional<std::pair<Polynomial, Polynomial>>, 2> modulus;
    mlir::Value base; ///< of pointers

    bool isUniform() const;
    /// Returns whether both replace coordinates along an axis, each from its own place on: the sum would be
    /// neither's.
    bool wrapsWhere(const Affine &other) const;
    /// The axis along which it counts places, one by one and not modulo anything, where it does so along one
    /// alone.
    std::optional<unsigned> countedAxis() const;
    Affine operator+(const Affine &other) const;
    Affine times(const Polynomial &factor) const;
  };

  static unsigned rankOf(mlir::Value value);

  // BoxOffsets.cpp
  std::optional<Affine> affineOf(mlir::Value value);
  std::optional<Affine> computeAffine(mlir::Value value);
  std::optional<Affine> carried(mlir::BlockArgument argument);
  std::optional<Affine> ofOp(mlir::Operation *op);
  std::optional<Affine> narrowSumOf(mlir::Value value);
  std::optional<Affine> ofArithmetic(mlir::Operation *op);
  std::optional<Affine> ofBounded(mlir::Operation *op);
  std::optional<Affine> within(std::optional<Affine> coordinate, const Polynomial &size);
  std::optional<Affine> ofShape(mlir::Operation *op);
  Affine symbolOf(mlir::Value value);

  // BoxMasks.cpp
  /// Adds the bounds that `op` is, a comparison; `axes` says which axis of the mask each of its own is. False
  /// where it is none.
  bool addBounds(mlir::Operation *op, llvm::ArrayRef<unsigned> axes, llvm::SmallVectorImpl<Bound> &bounds);
  bool addComparison(mlir::Value low, mlir::Value high, bool isStrict, llvm::ArrayRef<unsigned> axes,
                     llvm::SmallVectorImpl<Bound> &bounds);
  bool addBound(const Affine &difference, int64_t more, llvm::ArrayRef<unsigned> axes,
                llvm::SmallVectorImpl<Bound> &bounds);
  bool addRange(mlir::Value coordinate, mlir::Value size, llvm::ArrayRef<unsigned> axes,
                llvm::SmallVectorImpl<Bound> &bounds);

  // BoxAccess.cpp
  static constexpr Polynomial::Symbol Iteration = Box::Iteration;
  Polynomial polynomialOf(const LaunchValue &number);
  /// The largest power of two that divides `coordinate`, given what is known of the kernel's parameters; 2^62
  /// of zero.
  int64_t multipleOf(const Polynomial &coordinate) const;
  /// `box` with all that a reader of it wants to know.
  Box completed(Box box);
  /// Returns true if what `load` reads where `box` has zeros may reach a store. It has them along wrapping
  /// axes, where coordinates from a size on stand for others.
  bool hasLiveZeros(tile::LoadOp load, const Box &box);
  std::optional<LaunchValue> launchValueOf(const Polynomial &polynomial) const;
  /// The box at `pointer`, whose mask may be null, with coordinates of any sign and size.
  Decision<Box> boxAt(mlir::Value pointer, mlir::Value mask);
  /// Takes sizes from `mask`, which must be nothing but these.
  Decision<> bound(Box &box, mlir::Value mask);
  /// Shares out `offset`, what is the same for all elements: to axes whose stride it is a multiple of,
  /// parameters before constants and great ones before small, and what is a multiple of another parameter to
  /// axes of its own.
  Decision<> shareOut(Box &box, Polynomial offset);
  bool isInvariant(mlir::Value value, unsigned depth = 0);
  bool isKnownOutside(const Polynomial &polynomial);

  // BoxSigns.cpp
  bool isNotNegative(Polynomial::Symbol symbol);
  /// The same of what is computed from others that are sums, of whose parts ranges say less.
  bool isNotNegativeBySums(mlir::Value value);
  /// Returns the most that `symbol` can be: the place of a program, or the counter of a loop around this one.
  std::optional<Polynomial> mostOf(Polynomial::Symbol symbol);
  /// Returns `factor` times the greatest number of an iteration.
  std::optional<Polynomial> mostIterations(int64_t factor);
  std::optional<Polynomial> least(const Polynomial::Product &product, int64_t factor);
  /// `factor` times `product`, in which the symbol at `place` is a quotient and others its divisor, at most:
  /// what is divided, times what is left.
  std::optional<Polynomial> mostByDivision(const Polynomial::Product &product, size_t place, int64_t factor);
  /// A value that makes it possible that `coordinate` is below zero, or null where its own terms do; nothing
  /// where it is not.
  std::optional<mlir::Value> negativePart(Polynomial coordinate);
  /// Decides whether `axis` never begins below zero; `consequence` tells what would come of that.
  Decision<> beginsInArray(const BoxAxis &axis, llvm::StringRef consequence);

  // BoxLimits.cpp
  /// Returns the most that the positive terms of `coordinate`, or its negative ones, come to; nothing where
  /// their numbers may be negative or the number of iterations is not known.
  std::optional<uint64_t> mostOf(const Polynomial &coordinate, bool isNegative);
  std::optional<uint64_t> mostTripsTimes(uint64_t factor);
  /// Returns whether the start of a box along `axis` was computed with 32 bits.
  bool isNarrow(const BoxAxis &axis);
  /// Returns whether that start is between -2^31 and `most`.
  bool isWithin(const BoxAxis &axis, uint64_t most);
  bool fits(const BoxAxis &axis); ///< 32 bits
  /// Moves what does not fit along an axis of a constant stride, and is a multiple of another number, to axes
  /// of its own.
  void partLongSteps(Box &box);
  /// Makes all coordinates of `box` fit 32 bits; marks axes whose sizes make up for it.
  Decision<> fitCoordinates(Box &box);

  mlir::scf::ForOp loop;
  RangeFacts &ranges;
  std::vector<mlir::Value> symbols{mlir::Value()}; ///< the first: the trip
  llvm::DenseMap<mlir::Value, Polynomial::Symbol> numbers;
  /// The sums that values are, as far as one access asked: what is computed from itself is none.
  llvm::DenseMap<mlir::Value, std::optional<Affine>> affines;
  std::vector<Polynomial> narrowSums;   ///< computed with 32 bits, and trusted not to overflow
  llvm::SmallVector<unsigned> wrapping; ///< axes of the box whose coordinates from the size on are others
  unsigned depth = 0;                   ///< of questions about what others are computed from
};

} // namespace tegula
