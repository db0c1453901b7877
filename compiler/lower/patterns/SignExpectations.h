// Lines in the PTX that say what wide accesses take on trust, for the emulator to check.
#pragma once

#include "compiler/analysis/access/SignTrust.h"

#include "mlir/IR/Builders.h"
#include "mlir/IR/BuiltinOps.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/MapVector.h"

namespace tegula {

/// Before an instruction that takes several elements because a dividend is trusted not to be negative comes
///
///     //tegula: expect.div.s32 %r7, %r2, %p1;
///
/// the dividend and the divisor of its first element, and its predicate: a comment, which costs nothing.
/// Divisions of numbers that are not negative are not written down.
///
/// If the width comes from hints of the author (`tl.max_contiguous` and its kin) the addresses of all the
/// elements are compared with the first one's, and their predicates:
///
///     //tegula: expect.apart.b64 %rd1, %rd2, 4, %p1;
///
/// A tensor's division becomes scalar ones (`note`) before the accesses that use it are lowered, so each
/// access looks for those that its address comes from.
class SignExpectations {
public:
  /// Finds the accesses of `module` that trust something; patterns ask about them later.
  SignExpectations(mlir::ModuleOp module, const SignTrust &trust);

  /// `scalar` computes one element, or several equal ones, of `division`.
  void note(mlir::Operation *division, mlir::Operation *scalar);

  /// `access` is about to take at once the elements that the registers of `vector` are of, of its `pointers`
  /// and `masks` (none for everywhere), where `condition` holds if that is not null.
  void expect(mlir::OpBuilder &builder, mlir::Operation *access, llvm::ArrayRef<uint32_t> vector,
              mlir::ValueRange pointers, mlir::ValueRange masks, mlir::Value condition = {});

  /// `load` is about to read each element once for `copies` registers. What that trusts an interpreter
  /// checks.
  void tellGroups(mlir::Operation *load, unsigned copies);

  /// Expects, once all is lowered, divisions that no access found, as those of values which went through
  /// shared memory, in their own place, whatever masks say.
  void finish(mlir::MLIRContext *context);

private:
  void expectNeighbours(mlir::OpBuilder &builder, mlir::Operation *access, llvm::ArrayRef<uint32_t> vector,
                        mlir::ValueRange pointers, mlir::ValueRange masks, mlir::Value condition);
  void report(const TrustedAccess &access, unsigned elements);
  void write(mlir::OpBuilder &builder, mlir::Operation *scalar, llvm::ArrayRef<mlir::Value> conditions);

  llvm::DenseMap<mlir::Operation *, TrustedAccess> accesses;
  llvm::DenseMap<mlir::Operation *, HintedAccess> hinted;
  /// Divisions that are trusted, and what became of each.
  llvm::MapVector<mlir::Operation *, llvm::SmallVector<mlir::Operation *, 4>> scalars;
  llvm::DenseMap<mlir::Operation *, mlir::Operation *> divisionOf; ///< of a scalar
  llvm::DenseSet<mlir::Operation *> needed;                        ///< divisions of accesses that are wide
  llvm::DenseSet<mlir::Operation *> written;                       ///< those with a line somewhere
};

} // namespace tegula
