#include "compiler/schedule/plan/PlanRemarks.h"

using namespace mlir;

namespace tegula {

namespace {

void reportRest(Location loc, const remark::RemarkOpts &options, const PrefetchPlan &plan, uint32_t asked) {
  if (!plan.inFlight.empty())
    remark::passed(loc, options) << remark::add("products of one iteration in flight while the next starts")
                                 << remark::metric("Products", plan.inFlight.size());
  if (plan.hasOneSlot)
    remark::missed(loc, options) << remark::add(
                                        "a copy starts when the product that reads its slot is computed")
                                 << *plan.limit;
  else if (plan.limit)
    remark::missed(loc, options) << remark::add("{0} stages instead of {1}", plan.stages, asked)
                                 << *plan.limit;
  if (plan.remainder)
    remark::missed(loc, options) << remark::add("another load is not kept in flight") << *plan.remainder;
}

} // namespace

remark::RemarkOpts PlanRemarks::options(StringRef name) const {
  return remarkOptions("plan-loops", name, kernel);
}

void PlanRemarks::notHonoured(Location loc, StringRef wish, const Reason &why) const {
  remark::missed(loc, options()) << remark::add("`{0}` is not honoured", wish) << why;
}

void PlanRemarks::refused(Location loc, uint32_t asked, const Reason &why) const {
  remark::missed(loc, options()) << remark::add("loads of {0} stages are not kept in flight", asked) << why;
}

void PlanRemarks::oneStage(Location loc, const Reason &why) const {
  remark::missed(loc, options()) << remark::add("loads are not kept in flight") << why;
}

void PlanRemarks::conditional(scf::ForOp loop) const {
  // To look for it is work that nothing else needs.
  tile::LoadOp load = loop.getContext()->getRemarkEngine() ? conditionalLoadOfDot(loop) : tile::LoadOp();
  if (!load)
    return;
  remark::missed(loop.getLoc(), options("products"))
      << remark::add("loads of a product are not kept in flight")
      << because(load, "they are made under a condition")
             .fixedBy(
                 "load in front of the `if`, or loop over those iterations alone that have something to do");
}

void PlanRemarks::notSpecialized(Location loc, const Reason &why) const {
  remark::missed(loc, options()) << remark::add("not warp-specialised") << why;
}

void PlanRemarks::slowCopies(const PrefetchPlan &plan) const {
  for (const PlannedLoad &planned : plan.loads)
    if (planned.notTma)
      remark::missed(tile::LoadOp(planned.load).getLoc(), options())
          << remark::add("a load is copied by threads, not by TMA") << *planned.notTma;
}

void PlanRemarks::specialized(Location loc, const PrefetchPlan &plan, uint32_t asked) const {
  remark::passed(loc, options())
      << remark::add("warp-specialised: a producer warp loads {0} iterations ahead, into {1} bytes of "
                     "shared memory",
                     plan.stages, plan.sharedBytes)
      << remark::metric("Loads", plan.loads.size()) << remark::metric("SharedBytes", plan.sharedBytes);
  reportRest(loc, options(), plan, asked);
}

void PlanRemarks::pipelined(Location loc, const PrefetchPlan &plan, uint32_t asked) const {
  if (plan.hasCopies() || plan.has(tgpu::FetchKind::Buffer))
    remark::passed(loc, options()) << remark::add(
                                          "loads of {0} iterations in flight, in {1} bytes of shared memory",
                                          plan.stages - 1, plan.sharedBytes)
                                   << remark::metric("Loads", plan.loads.size())
                                   << remark::metric("SharedBytes", plan.sharedBytes)
                                   << remark::metric("Registers", plan.registers);
  else
    remark::passed(loc, options()) << remark::add(
                                          "loads of {0} iterations in flight, in {1} registers a thread",
                                          plan.stages - 1, plan.registers)
                                   << remark::metric("Loads", plan.loads.size())
                                   << remark::metric("Registers", plan.registers);
  if (plan.has(tgpu::FetchKind::Tma))
    remark::passed(loc, options()) << remark::add("loads by TMA")
                                   << remark::metric("Loads",
                                                     llvm::count_if(plan.loads, [](const PlannedLoad &load) {
                                                       return load.by == tgpu::FetchKind::Tma;
                                                     }));
  reportRest(loc, options(), plan, asked);
  for (const PlannedLoad &planned : plan.loads)
    if (planned.by == tgpu::FetchKind::Buffer)
      remark::missed(loc, options())
          << remark::add("a load goes to shared memory through registers")
          << because(
                 "a copy takes 4 neighbouring bytes or more under one mask, and zeros where it does not hold")
                 .fixedBy("align its rows, or load it along its contiguous axis");
}

void PlanRemarks::persistent(Location loc, unsigned blocks, const Decision<> &persists) const {
  if (persists)
    remark::passed(loc, options("persist"))
        << remark::add(
               "a persistent kernel: blocks run programs one after the other, {0} on a multiprocessor",
               blocks)
        << remark::metric("Blocks", blocks);
  else
    remark::missed(loc, options("persist")) << remark::add("not a persistent kernel") << persists.error();
}

void PlanRemarks::kept(const std::vector<PlannedLoad> &loads) const {
  for (const PlannedLoad &planned : loads)
    remark::passed(tile::LoadOp(planned.load).getLoc(), options("persist"))
        << remark::add("loaded by TMA, for the next program while this one ends");
}

void PlanRemarks::occupancy(unsigned blocks) const {
  remark::passed(kernel.getLoc(), options("occupancy"))
      << remark::add("{0} blocks are to share a multiprocessor", blocks) << remark::metric("Blocks", blocks);
}

void PlanRemarks::overlapped(Location loc, bool isOverlapped) const {
  if (isOverlapped)
    remark::passed(loc, options()) << remark::add(
        "a product is in flight under the arithmetic of the next iteration");
  else
    remark::missed(loc, options()) << remark::add("a product is waited for in its own iteration")
                                   << because(
                                          "under the arithmetic of the next one there are too few registers")
                                          .fixedBy("use smaller blocks, or more warps");
}

} // namespace tegula
