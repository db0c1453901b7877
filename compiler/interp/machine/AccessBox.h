// Checks that the box of an access is what its pointers and its mask say.
#pragma once

#include "compiler/interp/machine/Machine.h"

namespace tegula::interp {

/// Computes a `tile.box`: the base, and of each axis where the box begins, the stride and the size.
mlir::LogicalResult makeBox(Machine &machine, const Step &step);

/// Checks the elements of a load or store, whose step has a box as operand number `box`, against it: those whose
/// mask holds are those within the array, at the box's addresses. What a load reads behind the array the box may
/// have zeros for: compiled code knows that these make no difference.
mlir::LogicalResult checkBox(Machine &machine, const Step &step, const Tensor &pointer, const Tensor *mask,
                             unsigned box, bool isStore);

} // namespace tegula::interp
