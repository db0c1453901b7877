// `--expect out=@ref.npy,atol=1e-3,rtol=1e-2`: how an array should be when a launch is done.
#pragma once

#include "compiler/debug/Arrays.h"
#include "dialect/image/Result.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"

#include <optional>
#include <string>
#include <vector>

namespace tegula::cli {

/// Returns how far elements of a type may be off another run's by rounding: integers not at all, floats by
/// what another order of sums rounds, some units in the last place of their type. `magnitude` is that of
/// numbers in a sum.
debug::Tolerance roundingOf(ScalarKind type, double magnitude = 1);

/// Adds what `texts` say to `expected`, and gives every one the address that its array has in the launch of
/// `kernel`. A later text about an array takes the place of an earlier one. A tolerance that is not said is
/// some units in the last place, of the type and of the factors that `kernel` multiplies as matrices, and as
/// much of the root mean square of the expected elements. Errors: Io; InvalidArgument for a text, another
/// type or shape.
runtime::Result<void> bindExpectations(const std::vector<std::string> &texts,
                                       const std::vector<debug::Array> &arrays, mlir::func::FuncOp kernel,
                                       std::vector<debug::Expected> &expected);

} // namespace tegula::cli
