#include "compiler/schedule/plan/StorePanel.h"

#include "dialect/layout/Fragments.h"
#include "dialect/layout/Parts.h"
#include "dialect/layout/UnitMemory.h"

#include <tuple>

using namespace mlir;

namespace tegula {

namespace {

/// The most bytes of a slot where no loop continues: there is room for more, if rows are longer for it.
constexpr uint64_t MostSlotBytes = 32 * 1024;

/// The most parts of the warps that have boxes of their own: groups, of which each multiplies by itself.
unsigned warpPartsOf(const LinearLayout &registers, const LinearLayout &memory, unsigned elementBytes,
                     unsigned warps) {
  unsigned parts = std::max(warps / unsigned(WarpsOfGroup), 1u);
  while (parts > 1 && !(isPartedByWarps(registers, memory, parts) && asTmaBoxes(memory, elementBytes, parts)))
    parts /= 2;
  return parts;
}

} // namespace

std::optional<Panel> choosePanel(const LinearLayout &whole, unsigned contiguous, unsigned elementBytes,
                                 unsigned warps, bool isRepeated) {
  const uint64_t most = isRepeated ? StoreSlotBytes : MostSlotBytes;
  std::optional<Panel> best;
  const int32_t shape[] = {whole.outSize(Dim::Dim0), whole.outSize(Dim::Dim1)};
  auto rank = [&](const Panel &panel) {
    const int64_t bytes = int64_t(panel.bytes);
    return std::tuple(panel.warpParts, panel.bytes <= most, panel.span,
                      panel.bytes <= StoreSlotBytes ? bytes : -bytes);
  };
  for (int32_t along = shape[contiguous]; along > 0; along /= 2)
    for (int32_t across = shape[1 - contiguous]; across > 0; across /= 2) {
      int32_t sides[2];
      sides[contiguous] = along, sides[1 - contiguous] = across;
      std::optional<UnitForm> form = unitForm(sides, contiguous, elementBytes, /*kContiguous=*/true);
      std::optional<LinearLayout> registers = form ? partLayout(whole, sides) : std::nullopt;
      if (!registers)
        continue;
      Panel panel{{sides[0], sides[1]}, *registers, unitMemory(sides, contiguous, elementBytes, *form)};
      panel.warpParts = warpPartsOf(panel.registers, panel.memory, elementBytes, warps);
      panel.span = form->span;
      panel.bytes = uint64_t(along) * uint64_t(across) * elementBytes;
      if (!best || rank(panel) > rank(*best))
        best = panel;
    }
  return best;
}

} // namespace tegula
