// Names of the source in a module that the front end made with them: a table of the names, and the module
// without.
//
// The ops `tile.bind` stand in the order in which a program gives names their values.
#pragma once

#include "dialect/tile/NameOps.h"

#include "mlir/IR/BuiltinOps.h"

#include <string>
#include <vector>

namespace tegula::tile {

/// A place in a file of the source. Lines and columns count from 1, columns in characters; all are 0 where
/// nothing is known.
struct SourcePlace {
  std::string file;
  unsigned line = 0, column = 0;
  unsigned endLine = 0,
           endColumn = 0; ///< of what follows its last character; the start where that is not known
  bool operator==(const SourcePlace &) const = default;
};

/// Returns the places of `location`: the innermost first, then the calls that led there, from the inside
/// out. Empty where it names no file.
llvm::SmallVector<SourcePlace, 2> placesOf(mlir::Location location);

/// A name with one of its values.
struct BoundName {
  BindOp op;
  std::string name; ///< or a part of what a name is bound to: "t[0]"
  SourcePlace place;
  std::vector<SourcePlace> calls; ///< that led to `place`, from the inside out
  std::string type;               ///< in the source's words: "fp32[64,64]", "int"
  std::string constant;           ///< the text of a value known when compiling, else empty
  mlir::Value value;              ///< of the IR; null of a constant
  SourcePlace made;               ///< of the op whose result `value` is; all 0 of an argument and a constant
  bool isKept = false;            ///< the name was not assigned: a loop or branch carries it
};

/// Returns the names of `module`, in the order of the ops.
std::vector<BoundName> boundNames(mlir::ModuleOp module);

/// Erases the names of `module`, and what only they have kept: what is left is what the front end makes when
/// no names are asked for.
void eraseNames(mlir::ModuleOp module);

/// Marks an `scf.if` whose `else` is there for names alone.
inline constexpr llvm::StringLiteral elseOfNamesAttrName = "tile.else_of_names";

} // namespace tegula::tile
