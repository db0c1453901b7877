// The answers of ops that have none of their own: they do nothing.
#include "dialect/tile/Effects.h"

using namespace mlir;

#include "dialect/tile/Effects.cpp.inc"

namespace tegula::tile {

GlobalAccess globalAccessOf(Operation *op) {
  auto access = dyn_cast<GlobalAccessOpInterface>(op);
  return access ? access.getGlobalAccess() : GlobalAccess();
}

Interaction interactionsOf(Operation *op) {
  auto interacting = dyn_cast<InteractionOpInterface>(op);
  return interacting ? interacting.getInteractions() : Interaction::None;
}

AsyncStep asyncStepOf(Operation *op) {
  auto step = dyn_cast<AsyncOpInterface>(op);
  return step ? step.getAsyncStep() : AsyncStep();
}

} // namespace tegula::tile
