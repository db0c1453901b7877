// Decides where the values of a kernel are, and where conversions go.
//
// Values are of three kinds.
//
//  - *Free*: computed from constants, `tile.arange` and scalars alone. It costs little to compute and can
//    be computed in any layout, so it waits until an op asks for it in one, and is rematerialised for each
//    further layout. So does a value repeated along an axis: asking for it means asking for the shorter one
//    in the matching layout. A loaded vector waits too, as long as its addresses are free: of one axis all
//    layouts are as good for memory, so it is loaded where the first asker wants it (a bias in the layout of
//    its matrix).
//  - *Pinned*: loaded, a dot's, carried by a loop, or computed from such. It has one layout; an op that wants
//    it in another gets a conversion, made once for each layout.
//  - *Conversions* of the program so far are forgotten: each is taken for what it converts.
//
// Ops are visited in order. One that is pinned asks for its operands in the layout it has (accesses,
// ops with regions) or takes (elementwise ops and reductions: that of most pinned operands, the first if
// it is a tie; but where one has the layout of a dot's result, that one's). The result of a reduction is
// pinned where its operands say; widened again it is the slice of the matrix that it came from, which costs
// nothing.
//
// A value made of a narrower one by cheap arithmetic, as in the dequantisation of an operand, is not
// converted: the narrower value is, and the arithmetic is rematerialised after it. An op of several results
// is computed for all of them at once.
#pragma once

#include "compiler/distribute/LoopLayouts.h"
#include "dialect/tile/Tile.h"

#include "llvm/ADT/DenseSet.h"

namespace tegula {

class ConversionPlacer {
public:
  explicit ConversionPlacer(mlir::func::FuncOp function) : function(function) {}

  /// Rewrites the kernel. \post it verifies, and unused ops are gone.
  void run();

private:
  using Key = std::pair<mlir::Value, mlir::Attribute>; ///< a value and a layout it is wanted in

  void visit(mlir::Block &block);
  void visit(mlir::Operation *op);
  bool isFree(mlir::Operation *op) const;
  /// True for loads of vectors at free addresses.
  bool canWait(mlir::Operation *op) const;
  /// True for a load that was not asked for yet and had better keep the layout it was given.
  bool mustKeepLayout(mlir::Operation *op, tile::LayoutAttr wanted);
  void pinElementwise(mlir::Operation *op);
  /// The layout of a dot's result that a pinned operand has, else the one that most of them have, the first
  /// if it is a tie; null if all are free.
  tile::LayoutAttr electLayout(mlir::ValueRange operands) const;
  void rememberDot(tile::DotOp dot);
  void visitAccess(mlir::Operation *op);
  void visitReduction(tile::ReduceOp op);
  /// An op that combines or moves elements along an axis, or joins or splits tensors.
  void visitMove(mlir::Operation *op);
  void askAll(mlir::Operation *op, tile::LayoutAttr layout);
  void askAsDeclared(mlir::Operation *op);
  /// The layout of a load that waits, if `value` is computed from one element by element; else null.
  tile::LayoutAttr layoutOfWaitingLoad(mlir::Value value);

  /// Returns what a conversion converts, and what a copy is a copy of.
  mlir::Value withoutConversions(mlir::Value value) const;
  bool isFree(mlir::Value value) const;
  /// True if `value` was made by cheap arithmetic on a pinned value of fewer bits than it has.
  bool comesFromNarrower(mlir::Value value) const;
  /// `value` in layout `layout`, by whatever ops that takes.
  mlir::Value ask(mlir::Value value, tile::LayoutAttr layout);
  /// The op to compute anew for `key`, or null where the value itself is taken or converted.
  mlir::Operation *recipeFor(const Key &key) const;
  /// Computes `op` for results of `layout`, whose operands were all made before.
  void compute(mlir::Operation *op, tile::LayoutAttr layout);
  /// The layout of the sums of a dot that an atomic op adds to memory, if it touches no more sectors than the
  /// one that suits memory, given vectors of reductions; null if not, or where it adds something else.
  tile::LayoutAttr layoutOfAddedSums(tile::AtomicRMWOp op) const;
  mlir::Value convert(mlir::Value value, tile::LayoutAttr layout);

  mlir::func::FuncOp function;
  OperandTypes declared;                      ///< of accesses and of ops that are not elementwise
  llvm::DenseSet<mlir::Attribute> dotResults; ///< layouts that results of dots have
  llvm::DenseSet<mlir::Attribute> dotSlices;  ///< and those of their rows and columns
  llvm::DenseSet<mlir::Operation *> freeOps;  ///< those that wait to be asked for
  llvm::DenseSet<mlir::Operation *> settled;  ///< free ops that were asked for and hence have a layout
  llvm::DenseMap<Key, mlir::Value> made;      ///< what was asked for before
  llvm::DenseMap<mlir::Operation *, mlir::Operation *> originals; ///< of copies in another layout
};

} // namespace tegula
