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

#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace tegula {

/// Rewrites the kernel. \post it verifies, and unused ops are gone.
void placeConversions(mlir::func::FuncOp kernel);

} // namespace tegula
