// Lines in the PTX that say what wide accesses take on trust, for the emulator to check.
#pragma once

#include "compiler/analysis/SignTrust.h"

#include "mlir/IR/Builders.h"
#include "mlir/IR/BuiltinOps.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/MapVector.h"

namespace tegula {

/// Before an instruction that takes several elements because a dividend is trusted not to be negative stands
///
///     //tegula: expect.div.s32 %r7, %r2, %p1;
///
/// the dividend and the divisor of its first element, and its predicate: a comment, which costs nothing. What
/// is made of numbers that are not negative is not written down.
///
/// A tensor's division becomes scalar ones (`note`) before the accesses that use it are lowered, so each
/// access looks for those that its address comes from.
class SignExpectations {
public:
  /// Finds the accesses of `module` that trust something; patterns ask about them later.
  SignExpectations(mlir::ModuleOp module, const SignTrust &trust);

  /// `scalar` computes one element, or several equal ones, of `division`.
  void note(mlir::Operation *division, mlir::Operation *scalar);

  /// `access` is about to take `elements` elements at `address`, where `mask` and `condition` hold (null for
  /// everywhere).
  void expect(mlir::OpBuilder &builder, mlir::Operation *access, unsigned elements, mlir::Value address,
              mlir::Value mask, mlir::Value condition = {});

  /// Once all is lowered: divisions that no access found, as those of values which went through shared
  /// memory, are expected where they stand, whatever masks say.
  void finish(mlir::MLIRContext *context);

private:
  void report(const TrustedAccess &access, unsigned elements);
  void write(mlir::OpBuilder &builder, mlir::Operation *scalar, llvm::ArrayRef<mlir::Value> conditions);

  llvm::DenseMap<mlir::Operation *, TrustedAccess> accesses;
  /// Divisions that are trusted, and what became of each.
  llvm::MapVector<mlir::Operation *, llvm::SmallVector<mlir::Operation *, 4>> scalars;
  llvm::DenseMap<mlir::Operation *, mlir::Operation *> divisionOf; ///< of a scalar
  llvm::DenseSet<mlir::Operation *> needed;                        ///< divisions of accesses that are wide
  llvm::DenseSet<mlir::Operation *> written;                       ///< those with a line somewhere
};

} // namespace tegula
