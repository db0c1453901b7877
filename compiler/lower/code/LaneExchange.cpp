#include "compiler/lower/code/LaneExchange.h"
#include "compiler/lower/code/Constants.h"

using namespace mlir;

namespace tegula {

LaneExchange::LaneExchange(LaneShuffle &shuffle, OpBuilder &builder, Location loc, const ShufflePlan &plan,
                           ThreadIndex &threads, ValueRange groups, unsigned perGroup)
    : shuffle(shuffle), builder(builder), loc(loc), plan(plan), groups(groups) {
  if (!plan.butterfly)
    lanePart = threads.linear(builder, plan.threadLanes);
  SmallVector<uint32_t> columns;
  for (uint32_t column : plan.threadRegisters)
    columns.push_back(column / perGroup);
  // The plan's are in ascending order.
  for (uint32_t choice : plan.choices)
    if (choices.empty() || choices.back() != choice / perGroup)
      choices.push_back(choice / perGroup);
  // If the group depends on the thread, one comparison for each choice except the first.
  Value groupPart = threads.linear(builder, columns);
  for (uint32_t choice : llvm::drop_begin(choices))
    isTaken.push_back(arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::eq, groupPart,
                                            constant(builder, loc, choice)));
}

Value LaneExchange::fetched(uint32_t index, uint32_t step) {
  Value &value = fetches[{index, step}];
  if (value)
    return value;
  if (!plan.butterfly)
    value = shuffle.from(groups[index], combine(builder, loc, lanePart, plan.threadLanes, step));
  else
    value = step ? shuffle.butterfly(groups[index], step) : groups[index];
  return value;
}

Value LaneExchange::take(uint32_t index, uint32_t step) {
  Value &value = takes[{index, step}];
  if (value)
    return value;
  value = fetched(index ^ choices.front(), step);
  for (auto [choice, isThis] : llvm::zip(llvm::drop_begin(choices), isTaken))
    value = arith::SelectOp::create(builder, loc, isThis, fetched(index ^ choice, step), value);
  return value;
}

} // namespace tegula
