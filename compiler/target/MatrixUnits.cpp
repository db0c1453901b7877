#include "compiler/target/MatrixUnits.h"

#include "dialect/layout/Places.h"

#include <array>

namespace tegula {
namespace {

static_assert(Target::warpSize == 1u << LaneBits);

/// A row of the table, and the fact about a target without which it lacks the instruction; null where all
/// have it.
struct Row {
  MatrixInstruction instruction;
  bool Target::*needs = &Target::wideMatrices;
};

/// From the PTX manual's "warp-level matrix instructions: mma", shapes and notes; of instructions for the
/// same elements the largest K first, then the most rows. Left out: sums in f16 of products of f8, and f8
/// with K of 16, which came with PTX 8.7 and which f16 does as well; the shapes of f64 that sm_90 added.
constexpr std::array<Row, 15> Rows = {{
    {{{16, 8, 16}, MatrixElement::F16, MatrixElement::F16, MatrixElement::F32}},
    {{{16, 8, 8}, MatrixElement::F16, MatrixElement::F16, MatrixElement::F32}, nullptr},
    {{{16, 8, 16}, MatrixElement::F16, MatrixElement::F16, MatrixElement::F16}},
    {{{16, 8, 8}, MatrixElement::F16, MatrixElement::F16, MatrixElement::F16}, nullptr},
    {{{16, 8, 16}, MatrixElement::BF16, MatrixElement::BF16, MatrixElement::F32}},
    {{{16, 8, 8}, MatrixElement::BF16, MatrixElement::BF16, MatrixElement::F32}},
    {{{16, 8, 8}, MatrixElement::TF32, MatrixElement::TF32, MatrixElement::F32}},
    {{{16, 8, 4}, MatrixElement::TF32, MatrixElement::TF32, MatrixElement::F32}},
    {{{8, 8, 4}, MatrixElement::F64, MatrixElement::F64, MatrixElement::F64}},
    {{{16, 8, 32}, MatrixElement::S8, MatrixElement::S8, MatrixElement::S32}},
    {{{16, 8, 16}, MatrixElement::S8, MatrixElement::S8, MatrixElement::S32}},
    {{{8, 8, 16}, MatrixElement::S8, MatrixElement::S8, MatrixElement::S32}, nullptr},
    {{{16, 8, 32}, MatrixElement::E4M3, MatrixElement::E4M3, MatrixElement::F32}, &Target::fp8Products},
    {{{16, 8, 32}, MatrixElement::E5M2, MatrixElement::E5M2, MatrixElement::F32}, &Target::fp8Products},
    // Operands of both kinds of f8: the one row that means two.
    {{{16, 8, 32}, MatrixElement::E4M3, MatrixElement::E5M2, MatrixElement::F32}, &Target::fp8Products},
}};

struct Element {
  std::string_view name;
  unsigned bytes;
};
/// In the order of `MatrixElement`.
constexpr Element Elements[] = {{"f16", 2},  {"bf16", 2}, {"tf32", 4}, {"f32", 4}, {"f64", 8},
                                {"e4m3", 1}, {"e5m2", 1}, {"s8", 1},   {"s32", 4}};

bool isFloatOfEight(MatrixElement element) {
  return element == MatrixElement::E4M3 || element == MatrixElement::E5M2;
}

} // namespace

unsigned bytesOf(MatrixElement element) { return Elements[size_t(element)].bytes; }

std::string_view nameOf(MatrixElement element) { return Elements[size_t(element)].name; }

std::optional<MatrixInstruction> matrixInstruction(const Target &target, MatrixElement a, MatrixElement b,
                                                   MatrixElement sum, int32_t maxK) {
  for (const auto &[instruction, needs] : Rows) {
    if (needs && !(target.*needs))
      continue;
    bool takes = (instruction.a == a && instruction.b == b) || (instruction.a == b && instruction.b == a);
    if (takes && instruction.sum == sum && instruction.shape.k <= maxK)
      return MatrixInstruction{instruction.shape, a, b, sum};
  }
  return std::nullopt;
}

std::optional<MatrixInstruction> groupInstruction(const Target &target, MatrixElement a, MatrixElement b,
                                                  MatrixElement sum, int32_t columns) {
  // From the PTX manual's "asynchronous warpgroup-level matrix instructions": 32 bytes of K each.
  using enum MatrixElement;
  bool areEights = isFloatOfEight(a) && isFloatOfEight(b);
  bool multiplies = areEights || (a == b && (a == F16 || a == BF16 || a == S8));
  bool adds = a == S8 ? sum == S32 : sum == F32 || (sum == F16 && (a == F16 || areEights));
  if (!target.warpgroupMma || !multiplies || !adds)
    return std::nullopt;
  constexpr int32_t BytesOfK = 32;
  return MatrixInstruction{
      {RowsOfGroup, columns, BytesOfK / int32_t(bytesOf(a))}, a, b, sum, MatrixUnit::WarpGroup};
}

} // namespace tegula
