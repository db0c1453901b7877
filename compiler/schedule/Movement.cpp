#include "compiler/schedule/Movement.h"

namespace tegula {

/// True where `where`, from places to places, leaves each thread its own number along `dim`.
static bool staysAlong(const LinearLayout &where, Dim dim) {
  if (!where.hasOut(dim))
    return true;
  for (const DimBits &in : where.ins())
    for (unsigned bit = 0; bit < in.bits; ++bit)
      if (where.basis(in.dim, bit, dim) != (in.dim == dim ? int32_t(1) << bit : 0))
        return false;
  return true;
}

Movement movementBetween(const LinearLayout &from, const LinearLayout &to) {
  std::optional<LinearLayout> where = invertAndCompose(to, from);
  if (!where || !staysAlong(*where, Dim::Warp) || !staysAlong(*where, Dim::Block))
    return Movement::Warps;
  return staysAlong(*where, Dim::Lane) ? Movement::Registers : Movement::Lanes;
}

} // namespace tegula
