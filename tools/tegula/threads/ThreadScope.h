// The names that expressions may use at the thread level.
#pragma once

#include "compiler/debug/Scope.h"
#include "dialect/image/Result.h"
#include "tools/tegula/threads/ThreadSession.h"

#include <string>
#include <string_view>

namespace tegula::cli {

/// Arrays, scalar arguments, `pid0` to `pid2`, tiles that registers hold, and registers of the warp in focus
/// without their `%`, as 32 lanes. Void once the launch goes on.
debug::Scope scopeOf(const ThreadSession &session);
/// The same without tiles, of a warp as a condition sees it: registers are undefined in lanes that do not
/// execute its next instruction, and `warp` and `lane` are numbers too.
debug::Scope conditionScopeOf(const ThreadSession &session, const runtime::ptx::Warp &warp);
/// `text` as an expression: registers lose their `%`, which is an operator there.
std::string withoutPercents(std::string_view text);

/// The value of an expression of a person. Errors: InvalidArgument where it has none.
runtime::Result<debug::Value> valueOf(const ThreadSession &session, const std::string &text);

/// The condition of a breakpoint: an expression with a truth for each lane, or one for all. Errors:
/// InvalidArgument where `text` is none.
runtime::Result<ThreadCondition> conditionOf(const ThreadSession &session, const std::string &text);

} // namespace tegula::cli
