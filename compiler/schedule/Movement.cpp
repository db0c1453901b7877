#include "compiler/schedule/Movement.h"

namespace tegula {

/// True where `where`, from places of one layout to places of `from`, leaves each thread its own number along
/// `dim`. Bits of it that make no difference to what `from` holds there are copies: anybody's own will do.
static bool staysAlong(const LinearLayout &where, const LinearLayout &from, Dim dim) {
  if (!where.hasOut(dim))
    return true;
  int32_t telling = ~from.freeVariableMask(dim);
  for (const DimBits &in : where.ins())
    for (unsigned bit = 0; bit < in.bits; ++bit) {
      int32_t own = in.dim == dim ? int32_t(1) << bit : 0;
      if ((where.basis(in.dim, bit, dim) ^ own) & telling)
        return false;
    }
  return true;
}

Movement movementBetween(const LinearLayout &from, const LinearLayout &to) {
  std::optional<LinearLayout> where = invertAndCompose(to, from);
  if (!where || !staysAlong(*where, from, Dim::Warp) || !staysAlong(*where, from, Dim::Block))
    return Movement::Warps;
  return staysAlong(*where, from, Dim::Lane) ? Movement::Registers : Movement::Lanes;
}

} // namespace tegula
