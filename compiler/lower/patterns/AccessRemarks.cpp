#include "compiler/lower/patterns/AccessRemarks.h"

#include "compiler/analysis/access/MemoryAccess.h"

#include "mlir/IR/Remarks.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include "llvm/Support/FormatVariadic.h"

using namespace mlir;

namespace tegula {

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
                 layout ? unsigned(layout.getLayout().inSize(Dim::Register)) : 1, access->limit};
  });
}

std::string AccessRemarks::reasonFor(const Facts &facts, unsigned elements, unsigned most) {
  if (elements * facts.elementBytes >= MaxAccessBytes)
    return {};
  if (elements >= facts.run)
    return facts.limit;
  if (elements == most)
    return llvm::formatv("such an instruction takes at most {0}", most);
  if (elements >= facts.registers)
    return {}; // so that every thread has some
  return llvm::formatv("of {0} that lie side by side each thread has only {1} in a row", facts.run, elements);
}

void AccessRemarks::tell(Operation *op, unsigned elements, unsigned most) {
  auto found = known.find(op);
  if (found == known.end() || !told.insert({op->getLoc().getAsOpaquePointer(), elements}).second)
    return;
  const Facts &facts = found->second;
  auto options = remark::RemarkOpts::name(nameOfAccess(op)).category("convert-tile-to-llvm").function(kernel);
  unsigned bytes = elements * facts.elementBytes;
  std::string reason = reasonFor(facts, elements, most);
  if (reason.empty())
    remark::passed(op->getLoc(), options) << remark::add("vector width {0} ({1} bytes)", elements, bytes)
                                          << remark::metric("VectorBytes", bytes);
  else
    remark::missed(op->getLoc(), options)
        << remark::add("vector width {0} ({1} bytes)", elements, bytes) << remark::reason("{0}", reason)
        << remark::metric("VectorBytes", bytes);
}

} // namespace tegula
