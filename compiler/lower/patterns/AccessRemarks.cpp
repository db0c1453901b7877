#include "compiler/lower/patterns/AccessRemarks.h"

#include "compiler/analysis/access/FactCauses.h"

#include "mlir/IR/Remarks.h"
#include "mlir/Interfaces/FunctionInterfaces.h"

using namespace mlir;

namespace tegula {

/// Returns how many elements of a thread follow each other along the fastest axis, side by side in memory.
static unsigned inARow(const MemoryAccess &access, tile::LayoutAttr layout) {
  if (!layout)
    return 1;
  const LinearLayout &places = layout.getLayout();
  const Dim axis = tensorDim(access.order.front());
  unsigned bit = 0;
  while (bit < places.inBits(Dim::Register) && places.basis(Dim::Register, bit, axis) == (1 << bit) &&
         (int64_t(2) << bit) <= access.adjacent)
    ++bit;
  return 1u << bit;
}

void AccessRemarks::learn(ModuleOp module, const AxisInfoAnalysis &facts) {
  if (!module.getContext()->getRemarkEngine())
    return;
  module.walk([&](Operation *op) {
    std::optional<MemoryAccess> access = analyzeAccess(op, facts);
    if (!access)
      return;
    kernel = op->getParentOfType<FunctionOpInterface>().getName().str();
    tile::LayoutAttr layout = tile::layoutOf(tile::globalAccessOf(op).address.getType());
    known[op] = {access->elementBytes, access->run(),
                 layout ? unsigned(layout.getLayout().inSize(Dim::Register)) : 1, inARow(*access, layout),
                 reasonOfLimit(op, *access, facts)};
  });
}

Reason AccessRemarks::reasonFor(const Facts &facts, unsigned elements, unsigned most) {
  if (elements * facts.elementBytes >= MaxAccessBytes)
    return {};
  if (elements == most)
    return because("such an instruction takes at most {0}", most).nothingToDo();
  if (elements >= facts.run)
    return facts.limit;
  if (elements >= facts.registers)
    return {}; // so that every thread has some
  // It has others, too, but of another place: what computes with them is laid out so.
  return because("of {0} that lie side by side each thread has only {1} in a row", facts.run, elements)
      .nothingToDo();
}

void AccessRemarks::tell(Operation *op, unsigned elements, const More &more) {
  auto found = known.find(op);
  if (found == known.end() || !told.insert({op->getLoc().getAsOpaquePointer(), elements}).second)
    return;
  const Facts &facts = found->second;
  auto options = remark::RemarkOpts::name(nameOfAccess(op)).category("convert-tile-to-llvm").function(kernel);
  unsigned bytes = elements * facts.elementBytes;
  const Reason reason = more.copies > 1 ? Reason() : reasonFor(facts, elements, more.most);
  if (!reason.text.empty()) {
    remark::missed(op->getLoc(), options) << remark::add("vector width {0} ({1} bytes)", elements, bytes)
                                          << reason << remark::metric("VectorBytes", bytes);
    return;
  }
  auto passed = remark::passed(op->getLoc(), options);
  if (more.copies > 1)
    passed << remark::add("vector width {0} ({1} bytes), once for {2} elements at one address", elements,
                          bytes, more.copies)
           << remark::metric("VectorBytes", bytes) << remark::metric("Copies", more.copies);
  else
    passed << remark::add("vector width {0} ({1} bytes)", elements, bytes)
           << remark::metric("VectorBytes", bytes);
  // Where that is more, a thread takes several accesses for it, and its neighbours' lie further apart.
  if (const unsigned all = facts.inARow * facts.elementBytes; all > bytes)
    passed << remark::metric("ThreadBytes", all);
}

} // namespace tegula
