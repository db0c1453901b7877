// Edits that mend what messages are about, each of the text of the unit that is being evaluated.
#pragma once

#include "compiler/frontend/eval/Advice.h"
#include "compiler/frontend/syntax/ast/Ast.h"
#include "compiler/frontend/values/Report.h"

namespace tegula::eval {

/// Adds `import`, a line, to the file.
void addImportFix(Reporter &reporter, Diagnostic &diagnostic, std::string_view import);

/// Puts the language's word in the place of `theirs`, which stands in `range`, and of the module before it;
/// imports what the word needs.
void addSpellingFix(Reporter &reporter, Diagnostic &diagnostic, SourceRange range, std::string_view theirs,
                    const Spelling &spelling);

/// The same for the method at `name`, where empty parentheses follow.
void addMethodFix(Reporter &reporter, Diagnostic &diagnostic, SourceRange name, const Spelling &spelling);

/// Puts `suffix`, such as `.to(tl.float32)`, behind the value at `range`.
void addSuffixFix(Reporter &reporter, Diagnostic &diagnostic, SourceRange range, std::string_view suffix,
                  Certainty certainty = Certainty::Likely);

/// Turns `pointer[index]` into a load, and where `value` is assigned to it into a store.
void addLoadFix(Reporter &reporter, Diagnostic &diagnostic, SourceRange pointer, SourceRange index,
                SourceRange whole);
void addStoreFix(Reporter &reporter, Diagnostic &diagnostic, const ast::SubscriptExpr &target,
                 SourceRange value);

/// Turns `left op right` into `callee(left, right)`.
void addCallFix(Reporter &reporter, Diagnostic &diagnostic, std::string_view callee, std::string_view op);

/// Decorates `function` of `unit` with `decorator`.
void addDecoratorFix(Reporter &reporter, Diagnostic &diagnostic, const Unit &unit,
                     const ast::FunctionStmt &function, std::string_view decorator);

/// Returns the fix that puts `@triton.jit` above `function`.
Fix jitFix(const SourceFile &source, const ast::FunctionStmt &function, std::string_view decorator);

/// Adds an argument to the call at `range`.
void addArgumentFix(Reporter &reporter, Diagnostic &diagnostic, SourceRange range, std::string_view argument);

} // namespace tegula::eval
