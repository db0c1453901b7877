// Matrices in the registers of a matrix unit: which lane holds which element of an instruction's operands.
//
// `mma.sync` computes d = a * b + c for one warp, with a of M by K, b of K by N, c and d of M by N elements.
// Its fragments follow one pattern for all types (PTX ISA, "Matrix multiply-accumulate instructions"): a
// register has 32 bits, hence e = 4 / bytes neighbours along K (one for f64, of 64 bits); four lanes are
// side by side along K, eight along the other axis, and further registers repeat that along the longer sides.
// For fp16, M = 16, N = 8, K = 16, register r of lane l holds
//
//      a (row, k) = (l / 4 + 8 * (r / 2 % 2),  l % 4 * 2 + r % 2 + 8 * (r / 4))
//      b (k, col) = (l % 4 * 2 + r % 2 + 8 * (r / 2),  l / 4)
//      c (row, col) = (l / 4 + 8 * (r / 2),  l % 4 * 2 + r % 2)
#pragma once

#include "dialect/layout/LinearLayout.h"

#include <span>

namespace tegula {

/// The sides of one matrix instruction, powers of two.
struct MatrixShape {
  int32_t m, n, k;
  bool operator==(const MatrixShape &) const = default;
};

/// The fragment of operand a: register and lane to (dim0 = row, dim1 = k). `elementBytes` is 1, 2, 4 or 8.
/// Requires `m` of 8 or 16, and `k` of 4 or 8 times the elements of a register.
LinearLayout fragmentA(const MatrixShape &shape, unsigned elementBytes);

/// The fragment of operand b: register and lane to (dim0 = k, dim1 = column). Requires `n == 8`.
LinearLayout fragmentB(const MatrixShape &shape, unsigned elementBytes);

/// The fragment of the sums, c and d: register and lane to (dim0 = row, dim1 = column), two neighbours in a
/// row for each lane whatever the type.
LinearLayout fragmentC(const MatrixShape &shape);

/// The way in which the warps of a program share out the result of a dot: warps along batches, rows, columns.
struct WarpGrid {
  int32_t batch = 1, m = 1, n = 1;
  bool operator==(const WarpGrid &) const = default;
};

/// The result of a dot, of `shape` M by N or batch by M by N: each warp has a box of neighbouring rows and
/// columns, one of `warps` boxes (the first axis of warps to differ is n, then m, then batch), which it
/// covers with fragments, those along n first. Where the box is larger than what there is, warps, lanes and
/// registers hold copies.
LinearLayout matrixResult(std::span<const int32_t> shape, const MatrixShape &instruction,
                          const WarpGrid &warps);

/// Operand a (`index` 0) or b (1) of a dot whose result is `matrixResult(..., instruction, warps)`: what each
/// warp needs for its box, all of K, registers along k within one fragment first, then further fragments
/// along k, then those along m (or n). `shape` is the operand's own. Warps that need the same hold copies.
LinearLayout matrixOperand(unsigned index, std::span<const int32_t> shape, const MatrixShape &instruction,
                           const WarpGrid &warps, unsigned elementBytes);

/// Warps of a group, which executes a `wgmma` together, and the rows of one instruction: 16 for each warp.
inline constexpr int32_t WarpsOfGroup = 4, RowsOfGroup = 64;

/// The way in which warp groups share out the result of a dot, M by N: groups along rows and columns.
struct GroupGrid {
  int32_t m = 1, n = 1;
  bool operator==(const GroupGrid &) const = default;
};

/// The result of a dot computed by `wgmma`, of `shape` M by N: each group has a box of neighbouring rows and
/// columns (the first to differ is n), in which an instruction takes 64 rows, 16 for each warp, and
/// `columns`, as fragments of c side by side; registers repeat that along n, then along m. Requires boxes of
/// at least 64 rows and `columns` columns.
LinearLayout groupResult(std::span<const int32_t> shape, int32_t columns, const GroupGrid &groups);

/// Operand a, M by K, of such a dot where it comes from registers: for each warp the rows of its results and
/// all of K, in fragments of a with `k` columns, those along k first, then along m.
LinearLayout groupOperandA(std::span<const int32_t> shape, int32_t k, const GroupGrid &groups,
                           unsigned elementBytes);

} // namespace tegula
