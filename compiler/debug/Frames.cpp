#include "compiler/debug/Frames.h"

namespace tegula::debug {

bool Frames::enter(const OpFacts &op, llvm::function_ref<bool(size_t)> boundary) {
  if (!op.isCounted)
    return true;
  size_t same = 0;
  while (same < calls.size() && same < op.levels.size() && calls[same].at.isSame(op.levels[same]))
    ++same;
  // A call has returned into its statement, or the statement goes on.
  if (same == op.levels.size()) {
    calls.resize(same);
    return true;
  }
  for (size_t depth = same; depth < op.levels.size(); ++depth) {
    const Level &level = op.levels[depth];
    const bool isNew = depth >= calls.size() || calls[depth].at.call != level.call;
    if (isNew) {
      calls.resize(depth);
      calls.emplace_back();
    } else {
      calls.resize(depth + 1);
    }
    calls[depth].at = level;
    if (level.statement && !boundary(depth))
      return false;
  }
  return true;
}

void Frames::bind(tile::BindOp op, const OpFacts &facts, const interp::Moment &moment) {
  const size_t depth = facts.levels.empty() ? 0 : facts.levels.size() - 1;
  if (depth >= calls.size())
    return;
  NamedValue &named = calls[depth].names[op.getName()];
  named.type = op.getType().str();
  named.constant = op.getConstant().value_or("").str();
  named.value = op.getValue() ? moment.operand(0) : interp::Tensor();
  if (!op.getKept() && !facts.levels.empty())
    named.place = facts.levels.back().place;
}

} // namespace tegula::debug
