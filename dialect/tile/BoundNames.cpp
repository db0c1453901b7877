#include "dialect/tile/BoundNames.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "llvm/ADT/STLExtras.h"

using namespace mlir;
using namespace tegula;
using namespace tegula::tile;

llvm::SmallVector<SourcePlace, 2> tile::placesOf(Location location) {
  llvm::SmallVector<SourcePlace, 2> places;
  for (;;) {
    auto call = dyn_cast<CallSiteLoc>(location);
    if (auto file = dyn_cast<FileLineColRange>(call ? call.getCallee() : location))
      places.push_back({file.getFilename().str(), file.getStartLine(), file.getStartColumn()});
    if (!call)
      return places;
    location = call.getCaller();
  }
}

/// Returns how many characters the name before a part's `.` or `[` has.
static unsigned nameLength(llvm::StringRef name) {
  return unsigned(llvm::count_if(name.take_until([](char c) { return c == '.' || c == '['; }),
                                 [](char c) { return (uint8_t(c) & 0xC0) != 0x80; }));
}

std::vector<BoundName> tile::boundNames(ModuleOp module) {
  std::vector<BoundName> names;
  module.walk<WalkOrder::PreOrder>([&](BindOp op) {
    BoundName &bound = names.emplace_back();
    bound.op = op;
    bound.name = op.getName().str();
    bound.type = op.getType().str();
    bound.constant = op.getConstant().value_or("").str();
    bound.value = op.getValue();
    bound.isKept = op.getKept();
    llvm::SmallVector<SourcePlace, 2> places = placesOf(op.getLoc());
    if (!places.empty()) {
      bound.place = places.front();
      bound.endColumn = places.front().column + nameLength(op.getName());
      bound.calls.assign(places.begin() + 1, places.end());
    }
    if (Operation *made = bound.value ? bound.value.getDefiningOp() : nullptr)
      if (auto of = placesOf(made->getLoc()); !of.empty())
        bound.made = of.front();
  });
  return names;
}

void tile::eraseNames(ModuleOp module) {
  module.walk([](BindOp op) { op.erase(); });
  module.walk([](arith::ConstantOp constant) {
    if (constant->use_empty())
      constant.erase();
  });
  module.walk([](scf::IfOp branch) {
    if (branch->removeDiscardableAttr(elseOfNamesAttrName))
      branch.getElseRegion().getBlocks().clear();
  });
}
