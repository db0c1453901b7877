// The decorators and annotations of a kernel: what each is, and whether what they say makes sense.
#pragma once

#include "compiler/frontend/values/Report.h"

#include "llvm/ADT/SmallVector.h"

namespace tegula::eval {

/// True for an annotation that says `constexpr` (or `const`): the name, an attribute of that name, or a
/// string that ends in it.
bool annotationNames(const ast::Expr *annotation, std::string_view name);

/// Returns true if `function` is decorated to run at compile time on compile-time values.
bool isConstexprFunction(const ast::FunctionStmt &function);

/// The argument `name` of a call, by keyword or at `position`; null where it is not given.
const ast::Expr *argumentOf(const ast::CallExpr &call, std::string_view name, size_t position);

/// Decorators that tune a kernel, from the outside in, as they take effect.
struct TuningDecorators {
  const ast::CallExpr *autotune = nullptr; ///< the outermost, or null
  llvm::SmallVector<const ast::CallExpr *, 1> heuristics;
};
TuningDecorators tuningDecorators(const ast::FunctionStmt &function);

/// The elements of a list or tuple of strings that stands in the text: `key=["n", "m"]`; none of another.
llvm::SmallVector<std::string_view, 4> literalNames(const ast::Expr *expr);

/// Returns the message of `@triton.must_use_result("message")`, empty without one; nothing where the function
/// is not decorated so. The decorator that a host writes in front of a function spells it
/// `@triton.jit(must_use_result="message")`.
std::optional<std::string_view> mustUseResult(const ast::FunctionStmt &function);

/// Returns true if `@triton.jit(debug=True)` asks for the checks of a debug build.
bool wantsDebug(const ast::FunctionStmt &function);

/// Reports what is wrong with a function that a kernel consists of: keywords that `triton.jit` does not
/// have, `async def`. False where anything is. Of a function of `unit` whose names a host has bound the
/// decorators have run already, and are not looked at.
bool checkDefinition(Reporter &reporter, const Unit &unit, const ast::FunctionStmt &function);

/// The same for the kernel itself, where the other decorators matter too: those that this compiler does not
/// know are skipped with a warning.
bool checkKernelDecorators(Reporter &reporter, const Unit &unit, const ast::FunctionStmt &kernel);

} // namespace tegula::eval
