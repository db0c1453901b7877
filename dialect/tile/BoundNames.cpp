#include "dialect/tile/BoundNames.h"

using namespace mlir;
using namespace tegula;
using namespace tegula::tile;

llvm::SmallVector<SourcePlace, 2> tile::placesOf(Location location) {
  llvm::SmallVector<SourcePlace, 2> places;
  for (;;) {
    auto call = dyn_cast<CallSiteLoc>(location);
    if (auto file = (call ? call.getCallee() : location)->findInstanceOf<FileLineColRange>())
      places.push_back({file.getFilename().str(), file.getStartLine(), file.getStartColumn(),
                        file.getEndLine(), file.getEndColumn()});
    if (!call)
      return places;
    location = call.getCaller();
  }
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
