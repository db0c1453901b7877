// Facts about each op that a debugger asks again and again while programs run.
#pragma once

#include "compiler/debug/Statements.h"

#include "dialect/tile/BoundNames.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "llvm/ADT/DenseMap.h"

namespace tegula::debug {

/// A statement of one call of a function.
struct Level {
  unsigned call = 0;       ///< which call, by the places that led there; 0 is the kernel itself
  tile::SourcePlace place; ///< of the op, or of the call within it
  uint32_t statement = 0;  ///< first line of the statement; 0 where the place is in none, as parameters are

  /// The line that a person is shown: the statement's, where there is one.
  uint32_t line() const { return statement ? statement : place.line; }
  bool isSame(const Level &other) const {
    return call == other.call && statement == other.statement && place.file == other.place.file;
  }
};

/// Says how integers are read that an address is computed from.
enum class AddressRole : uint8_t { None, Signed, Unsigned };

struct OpFacts {
  llvm::SmallVector<Level, 2> levels; ///< from the kernel inwards
  bool isScalar = false;              ///< in a function of scalars, which runs once for each element
  bool isCounted = false;             ///< part of a statement: no constant, nor a name that is only carried
  AddressRole address = AddressRole::None; ///< of an integer op, where an address comes from it
};

class OpTable {
public:
  OpTable(mlir::func::FuncOp function, const Statements &statements);
  const OpFacts &of(mlir::Operation *op) const { return facts.find(op)->second; }

private:
  void addPlaces(mlir::Operation *op, const Statements &statements);
  void findAddresses(mlir::func::FuncOp function);

  llvm::DenseMap<mlir::Operation *, OpFacts> facts;
  std::vector<std::pair<unsigned, tile::SourcePlace>> calls; ///< the caller's, and where it calls
};

} // namespace tegula::debug
